//! The `Symplectic4` scheme: Suzuki's fourth-order composition of five RATTLE steps, each closed to
//! round-off.
//!
//! One of them goes back in time, where least squares would drive instead of damp: a frame that cannot
//! be closed at every priority is taken by the ladder of `interactive`, and the report says so.

use super::InteractiveOptions;
use super::interactive::Interactive;
use super::tolerances::{GAP, TIGHT};
use crate::frame::{Cause, Frame, Rung};
use crate::stabilize::Closing;

/// Advances the state by `h`.
pub(super) fn step(
    ladder: &mut Interactive,
    frame: &mut Frame<'_, '_>,
    closing: &mut Closing,
    h: f64,
) {
    if !compose(ladder, frame, closing, h) {
        frame.log.rungs.count(Rung::Ladder, Cause::Open);
        frame.begin_again(h);
        ladder.step(frame, closing, h, &InteractiveOptions::default());
    }
}

/// The five steps; false where one of them ended open.
fn compose(
    ladder: &mut Interactive,
    frame: &mut Frame<'_, '_>,
    closing: &mut Closing,
    h: f64,
) -> bool {
    let outer = 1.0 / (4.0 - libm::cbrt(4.0));
    let length = frame.system().bar_length();
    let tight = TIGHT * length;
    // Loops whose rows repeat each other stop short of round-off.
    let exact = (1e4 * tight).max(frame.tolerance);
    let lower = (GAP * length).max(frame.tolerance);
    let parts = [outer, outer, 1.0 - 4.0 * outer, outer, outer];
    parts.into_iter().all(|part| {
        // Back in time a damper would drive: the forward parts have all of its effect.
        let damping = if part > 0.0 { 0.25 / outer } else { 0.0 };
        frame.closed_to(tight, |frame| {
            let rattle = &mut ladder.rattle;
            rattle.step(frame, closing, part * h, None, damping);
        });
        let system = frame.system();
        system.gap() <= exact && system.lower_gap() <= lower
    })
}
