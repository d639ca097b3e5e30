//! Progress of long work, on the standard error and only where that is a terminal.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// A bar that may not be there.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    shown: Instant,
}

/// Between two looks at the bar: drawing must cost nothing beside the work.
const PAUSE: Duration = Duration::from_millis(100);

impl Progress {
    /// Of so many parts of work.
    pub(crate) fn of(n: u64, what: &str, quiet: bool) -> Self {
        let bar = || {
            let bar = ProgressBar::new(n);
            bar.set_style(style("{prefix} {wide_bar} {percent:>3} %  {eta:>4}  {msg}"));
            bar.set_prefix(what.to_owned());
            bar
        };
        Self::shown(quiet, bar)
    }

    /// Of work that ends nobody knows when.
    pub(crate) fn endless(what: &str, quiet: bool) -> Self {
        let bar = || {
            let bar = ProgressBar::new_spinner();
            bar.set_style(style("{spinner} {prefix} {msg}"));
            bar.set_prefix(what.to_owned());
            bar
        };
        Self::shown(quiet, bar)
    }

    fn shown(quiet: bool, bar: impl Fn() -> ProgressBar) -> Self {
        let is_seen = !quiet && stderr().is_terminal();
        Self {
            bar: is_seen.then(bar),
            shown: Instant::now(),
        }
    }

    /// So many parts are done; `message` is asked for only when it is shown.
    pub(crate) fn at(&mut self, done: u64, message: impl FnOnce() -> String) {
        if let Some(bar) = &self.bar
            && self.shown.elapsed() >= PAUSE
        {
            self.shown = Instant::now();
            bar.set_message(message());
            bar.set_position(done);
            bar.tick();
        }
    }
}

/// The bar goes away when the work ends, whichever way.
impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
