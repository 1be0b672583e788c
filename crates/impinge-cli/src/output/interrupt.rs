//! On Ctrl-C ends the output in a valid form before the process ends.

use std::process;
use std::sync::{Arc, Mutex, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use crate::output::sheet::Sheet;
use crate::output::status;

/// How long a row that is being written may keep an interrupted process alive.
const GRACE: Duration = Duration::from_secs(1);

/// From now on Ctrl-C ends the process with a whole last row, marked partial.
pub(crate) fn close_on_ctrl_c(sheet: &Arc<Mutex<Sheet>>) {
    on_ctrl_c(sheet, GRACE, |sheet| {
        let _ = sheet.close(true);
    });
}

/// From now on Ctrl-C ends the process once `end` is done with what is shared, or others have kept it for `grace`.
pub(crate) fn on_ctrl_c<T: Send + 'static>(
    shared: &Arc<Mutex<T>>,
    grace: Duration,
    end: impl Fn(&mut T) + Send + 'static,
) {
    let shared = Arc::clone(shared);
    // Fails only where a handler is set already or the system has none: then Ctrl-C just ends the process.
    let _ = ctrlc::set_handler(move || {
        let start = Instant::now();
        while start.elapsed() < grace {
            match shared.try_lock() {
                Ok(mut shared) => {
                    end(&mut shared);
                    break;
                }
                Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(1)),
                Err(TryLockError::Poisoned(_)) => break,
            }
        }
        process::exit(i32::from(status::INTERRUPTED));
    });
}
