//! Faure's budgeted iterations: frames that may be cut short (Faure 1998, §4.3).
//!
//! Chosen at the top, by an iterative method or a limited budget. Where an iteration is cut short, its
//! direction stays in the state and the next frame goes on with it, so that precision is recovered
//! while hands rest (`docs/adr/0017-iterations-go-on.md`). Meanwhile what joints leave open must not
//! become speed (`energy_limit`).

use super::InteractiveOptions;
use super::interactive::Interactive;
use crate::frame::Frame;
use crate::stabilize::Closing;

/// A frame by the ladder, and what follows where its budget was spent.
pub(super) fn step(
    ladder: &mut Interactive,
    frame: &mut Frame<'_, '_>,
    closing: &mut Closing,
    dt: f64,
    options: &InteractiveOptions,
) {
    ladder.step(frame, closing, dt, options);
    if frame.meter.ended().is_some() {
        ladder.limit(frame, closing, dt);
    }
}
