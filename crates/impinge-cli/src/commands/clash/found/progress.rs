//! A bar on a terminal: pairs done, clashes found, how fast, and how long it will take.

use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

const PATIENCE: Duration = Duration::from_millis(500);

/// Shown on standard error when that is a terminal, once there is something to wait for.
pub(crate) struct PairProgress {
    start: Option<Instant>,
    bar: Option<ProgressBar>,
}

impl PairProgress {
    pub(crate) fn new(start: Instant) -> PairProgress {
        PairProgress { start: io::stderr().is_terminal().then_some(start), bar: None }
    }

    pub(crate) fn update(&mut self, done: u64, found: u64, near: (u64, bool)) {
        let Some(start) = self.start else { return };
        let elapsed = start.elapsed();
        if self.bar.is_none() && elapsed < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(make);
        bar.set_length(near.0);
        bar.set_position(done);
        bar.set_message(words(done, found, near, elapsed));
    }

    pub(crate) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        self.start = None;
    }
}

/// What the bar says. How many pairs there are is not known before all boxes are compared.
fn words(done: u64, found: u64, (near, whole): (u64, bool), elapsed: Duration) -> String {
    let rate = done as f64 / elapsed.as_secs_f64().max(1e-9);
    let (of, left) = match whole {
        true => {
            let left = near.saturating_sub(done) as f64 / rate.max(1e-9);
            (near.to_string(), format!("{} left", indicatif::HumanDuration(Duration::from_secs_f64(left.min(1e9)))))
        }
        false => (format!("{near} or more"), "looking for more".to_owned()),
    };
    format!("{done} of {of} pairs, {found} found, {rate:.0}/s, {left}")
}

fn make() -> ProgressBar {
    let bar = ProgressBar::new(0);
    match ProgressStyle::with_template("{wide_bar} {msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_how_long_it_will_take() {
        let text = words(50, 3, (100, true), Duration::from_secs(10));
        assert_eq!(text, "50 of 100 pairs, 3 found, 5/s, 10 seconds left");
        let open = words(0, 0, (7, false), Duration::ZERO);
        assert_eq!(open, "0 of 7 or more pairs, 0 found, 0/s, looking for more");
        assert!(words(0, 0, (u64::MAX, true), Duration::from_secs(1)).contains("left"));
    }
}
