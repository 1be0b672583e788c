//! A progress bar on a terminal, shown when the work takes long enough.

use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

const PATIENCE: Duration = Duration::from_millis(500);

/// Shows how much of the pose file has been read; on a terminal only, and never between rows printed to the same one.
pub(crate) struct RowProgress {
    size: Option<u64>,
    start: Option<Instant>,
    bar: Option<ProgressBar>,
}

impl RowProgress {
    pub(crate) fn new(size: Option<u64>) -> RowProgress {
        let wanted = io::stderr().is_terminal() && !io::stdout().is_terminal();
        RowProgress { size, start: wanted.then(Instant::now), bar: None }
    }

    pub(crate) fn update(&mut self, rows: u64, bytes: u64) {
        let Some(start) = self.start else { return };
        if self.bar.is_none() && start.elapsed() < PATIENCE {
            return;
        }
        let size = self.size;
        let bar = self.bar.get_or_insert_with(|| make(size));
        bar.set_position(bytes);
        bar.set_message(format!("{rows} rows"));
    }
}

impl Drop for RowProgress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn make(size: Option<u64>) -> ProgressBar {
    let (bar, template) = match size {
        Some(size) => (ProgressBar::new(size), "{wide_bar} {percent}% {msg}, {eta} left"),
        None => (ProgressBar::new_spinner(), "{spinner} {msg}, {elapsed}"),
    };
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
