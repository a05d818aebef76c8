//! The line on a terminal that tells how far a suite is.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// How far a suite is; nothing where standard error is no terminal.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    pub(crate) fn new(tests: usize) -> Self {
        let bar = ProgressBar::new(tests as u64);
        let style = ProgressStyle::with_template("{spinner} {pos}/{len} [{wide_bar}] {elapsed} {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    /// What runs now.
    pub(crate) fn running(&self, names: &[String]) {
        self.0.set_message(names.join(", "));
    }

    /// One is over; what is printed meanwhile stands above the line.
    pub(crate) fn done(&self, print: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
        self.0.inc(1);
        self.0.suspend(print)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
