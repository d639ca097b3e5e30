//! The `Symplectic4` scheme: Suzuki's fourth-order composition of five RATTLE steps, each closed to
//! round-off.
//!
//! One of them goes back in time. Over a singular pose they cross three times, and may end near it: such a
//! frame is taken by `precise`. So is one in which joints would open so far before any correction that the
//! parts are not what was linearized: fixed steps do not follow a whip, and gain energy from it. Back in
//! time least squares would drive instead of damp: a frame that cannot be closed at every priority is taken
//! by the ladder of `interactive`. The report says each.

use super::dormand_prince::Precise;
use super::interactive::Interactive;
use super::rattle::{Rattle, Tried};
use super::tolerances::{GAP, SHORT, TIGHT, WHIP};
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
    let cause = compose(&mut ladder.rattle, frame, closing, h);
    if cause == Cause::Open {
        frame.log.rungs.count(Rung::Ladder, cause);
        frame.begin_again(h);
        ladder.step(frame, closing, h, &InteractiveOptions::default());
        return;
    }
    if cause == Cause::Prediction {
        frame.log.rungs.count(Rung::Halved, cause);
    }
    if cause == Cause::Prediction || frame.log.rungs.of(Rung::Over) > 0 {
        frame.begin_again(h);
        // Steps of one length: what `precise` learns of lengths here is of no use to the next frame.
        frame.state.substep = 0.0;
        precise.step(frame, closing, h, &PreciseOptions::default());
        frame.state.substep = 0.0;
    }
}

/// The five steps, and what hindered one of them, or nothing.
fn compose(rattle: &mut Rattle, frame: &mut Frame<'_, '_>, closing: &mut Closing, h: f64) -> Cause {
    let outer = 1.0 / (4.0 - libm::cbrt(4.0));
    for part in [outer, outer, 1.0 - 4.0 * outer, outer, outer] {
        // Back in time a damper would drive: the forward parts have all of its effect.
        let damping = if part > 0.0 { 0.25 / outer } else { 0.0 };
        let cause = take(rattle, frame, closing, part * h, damping);
        if cause != Cause::Regular {
            return cause;
        }
    }
    Cause::Regular
}

/// One step, closed to round-off where that can be, and what hindered it, or nothing.
fn take(
    rattle: &mut Rattle,
    frame: &mut Frame<'_, '_>,
    closing: &mut Closing,
    h: f64,
    damping: f64,
) -> Cause {
    let length = frame.system().bar_length();
    let mut tried = Tried::Done(0.0);
    frame.closed_to(TIGHT * length, |frame| {
        tried = rattle.step(frame, closing, h, damping);
    });
    // Where joints are driven apart, or goals give way, no step is what was linearized.
    let is_free = frame.system().rows.lower.is_empty() && frame.contradiction == 0.0;
    if is_free && matches!(tried, Tried::Done(predicted) if predicted > WHIP * length) {
        return Cause::Prediction;
    }
    let system = frame.system();
    let open = (GAP * length).max(frame.tolerance);
    // The next part closes what a step over a singular pose left; goals out of reach would open it again.
    let closed = match system.rows.lower.is_empty() {
        true => open,
        false => (SHORT * TIGHT * length).max(frame.tolerance),
    };
    match system.gap() <= closed && system.lower_gap() <= open {
        true => Cause::Regular,
        false => Cause::Open,
    }
}
