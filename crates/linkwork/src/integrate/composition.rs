//! The `Symplectic4` scheme: Suzuki's fourth-order composition of five RATTLE steps, each closed to
//! round-off.
//!
//! One of them goes back in time. Over a singular pose they cross three times, and may end near it: such a
//! frame is taken by `precise`. Back in time least squares would drive instead of damp: a frame that
//! cannot be closed at every priority is taken by the ladder of `interactive`. The report says both.

use super::interactive::Interactive;
use super::precise::Precise;
use super::rattle::Rattle;
use super::tolerances::{GAP, SHORT, TIGHT};
use super::{InteractiveOptions, PreciseOptions};
use crate::frame::{Cause, Frame, Rung};
use crate::stabilize::Closing;

/// Advances the state by `h`.
pub(super) fn step(
    ladder: &mut Interactive,
    precise: &mut Precise,
    frame: &mut Frame<'_, '_>,
    closing: &mut Closing,
    h: f64,
) {
    if !compose(&mut ladder.rattle, frame, closing, h) {
        frame.log.rungs.count(Rung::Ladder, Cause::Open);
        frame.begin_again(h);
        ladder.step(frame, closing, h, &InteractiveOptions::default());
    } else if frame.log.rungs.of(Rung::Over) > 0 {
        frame.begin_again(h);
        // Steps of one length: what `precise` learns of lengths here is of no use to the next frame.
        frame.state.substep = 0.0;
        precise.step(frame, closing, h, &PreciseOptions::default());
        frame.state.substep = 0.0;
    }
}

/// The five steps; false where one of them ended open.
fn compose(rattle: &mut Rattle, frame: &mut Frame<'_, '_>, closing: &mut Closing, h: f64) -> bool {
    let outer = 1.0 / (4.0 - libm::cbrt(4.0));
    let parts = [outer, outer, 1.0 - 4.0 * outer, outer, outer];
    parts.into_iter().all(|part| {
        // Back in time a damper would drive: the forward parts have all of its effect.
        let damping = if part > 0.0 { 0.25 / outer } else { 0.0 };
        take(rattle, frame, closing, part * h, damping)
    })
}

/// One step, closed to round-off where that can be; false where it ended open.
fn take(
    rattle: &mut Rattle,
    frame: &mut Frame<'_, '_>,
    closing: &mut Closing,
    h: f64,
    damping: f64,
) -> bool {
    let length = frame.system().bar_length();
    frame.closed_to(TIGHT * length, |frame| {
        rattle.step(frame, closing, h, damping);
    });
    let system = frame.system();
    let open = (GAP * length).max(frame.tolerance);
    // The next part closes what a step over a singular pose left; goals out of reach would open it again.
    let closed = match system.rows.lower.is_empty() {
        true => open,
        false => (SHORT * TIGHT * length).max(frame.tolerance),
    };
    system.gap() <= closed && system.lower_gap() <= open
}
