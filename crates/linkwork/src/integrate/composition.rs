//! The `Symplectic4` scheme: Suzuki's fourth-order composition of five RATTLE steps, each closed to
//! round-off.
//!
//! A frame whose prediction opens joints too far for the linearization is split into two, four, … compositions:
//! steps of constant length do not follow a whip, and gain energy from it. If no number of them suffices, the
//! ladder of `interactive` takes the frame.
//!
//! One of the five steps goes backward in time. Other schemes take a frame in these cases, and the report names
//! each. A singular pose would be crossed three times, and a step may end near it: `precise`. Taut soft bodies
//! would gain energy in RATTLE at any frame length: the ladder, along its middle. Least squares would drive in
//! the backward step: a frame that cannot be closed at every priority goes to the ladder. A damper would drive
//! in the backward step; without it there, the composition is of second order, and strong dampers have too
//! little effect: `precise`. Explicit forces that are too fast for the five steps (`pace`): `precise`.

use super::interactive::Interactive;
use super::precise::Precise;
use super::rattle::{Guard, Rattle, Tried};
use super::tolerances::{FORCES_COMPOSED, GAP, SHORT, STIFF, TIGHT, WHIP, WHIP_DEPTH};
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
    if is_damped(frame) {
        frame.log.rungs.count(Rung::Precise, Cause::Damping);
        precise.step_or_climb(ladder, frame, closing, h, &PreciseOptions::default());
        return;
    }
    if ladder.pace.gives_up(frame, h) {
        return;
    }
    let turn = h * ladder.pace.measure(frame, h).within(FORCES_COMPOSED);
    // Too fast for `precise` too.
    frame.log.is_outpaced = turn > STIFF;
    if turn > FORCES_COMPOSED && turn <= STIFF {
        frame.log.rungs.count(Rung::Precise, Cause::Forces);
        precise.step_or_climb(ladder, frame, closing, h, &PreciseOptions::default());
        return;
    }
    let cause = match ladder.find_taut_start(frame, h) {
        true => Cause::Stiffness,
        false => split(&mut ladder.rattle, frame, closing, h),
    };
    if cause != Cause::Regular {
        frame.log.rungs.count(Rung::Ladder, cause);
        frame.begin_again(h);
        ladder.step(frame, closing, h, &InteractiveOptions::default());
    } else if frame.log.rungs.of(Rung::Over) > 0 {
        frame.begin_again(h);
        // Steps have constant length: the step size of `precise` is of no use to the next frame.
        frame.state.substep = 0.0;
        precise.step(frame, closing, h, &PreciseOptions::default());
        frame.state.substep = 0.0;
    }
}

/// Whether a soft row damps.
fn is_damped(frame: &Frame<'_, '_>) -> bool {
    let mut rows = frame.equations.layout.soft_rows.iter();
    rows.any(|own| own.tau > 0.0 || !own.position_level)
}

/// The frame in as few compositions as possible. Returns the cause of a failure.
fn split(rattle: &mut Rattle, frame: &mut Frame<'_, '_>, closing: &mut Closing, h: f64) -> Cause {
    let mut cause = Cause::Regular;
    for depth in 0..=WHIP_DEPTH {
        if depth > 0 {
            frame.begin_again(h);
        }
        let n = 1 << depth;
        for _ in 0..n {
            cause = compose(rattle, frame, closing, h / f64::from(n));
            if cause != Cause::Regular {
                break;
            }
            if depth > 0 {
                frame.log.rungs.count(Rung::Halved, Cause::Prediction);
            }
        }
        if cause != Cause::Prediction {
            break;
        }
    }
    cause
}

/// The five steps. Returns the cause of a failure.
fn compose(rattle: &mut Rattle, frame: &mut Frame<'_, '_>, closing: &mut Closing, h: f64) -> Cause {
    let outer = 1.0 / (4.0 - libm::cbrt(4.0));
    for part in [outer, outer, 1.0 - 4.0 * outer, outer, outer] {
        // Backward in time a damper would drive: the forward parts have all of its effect.
        let damping = if part > 0.0 { 0.25 / outer } else { 0.0 };
        let cause = take(rattle, frame, closing, part * h, damping);
        if cause != Cause::Regular {
            return cause;
        }
    }
    Cause::Regular
}

/// One step, closed to round-off if possible. Returns the cause of a failure.
fn take(
    rattle: &mut Rattle,
    frame: &mut Frame<'_, '_>,
    closing: &mut Closing,
    h: f64,
    damping: f64,
) -> Cause {
    let length = frame.system().bar_length();
    // With goals that give way or contradictory joints, no step agrees with its linearization; coarse solves
    // are not judged.
    let is_judged = frame.system().rows.lower.is_empty()
        && frame.measured.contradiction == 0.0
        && !frame.method.is_iterative();
    let guard = is_judged.then_some(Guard {
        prediction: WHIP * length,
        gap: f64::INFINITY,
        is_last: true,
    });
    let tight = &mut frame.closed_to(TIGHT * length);
    rattle.predict(tight, closing, h, damping);
    let tried = rattle.complete(tight, closing, h, guard, damping);
    if matches!(tried, Tried::Refused(Cause::Prediction | Cause::Shape)) {
        return Cause::Prediction;
    }
    let system = frame.system();
    let open = (GAP * length).max(frame.tolerance);
    // The next part closes the gap of a step over a singular pose; goals out of reach would open it again.
    let closed = match system.rows.lower.is_empty() {
        true => open,
        false => (SHORT * TIGHT * length).max(frame.tolerance),
    };
    match system.gap() <= closed && system.lower_gap() <= open {
        true => Cause::Regular,
        false => Cause::Open,
    }
}
