//! The `Symplectic4` scheme: Suzuki's fourth-order composition of five RATTLE steps, each closed to
//! round-off.
//!
//! A frame in which joints would open so far before any correction that a step is not what was linearized is
//! taken in two, four, … compositions: steps of one length do not follow a whip, and gain energy from it. What
//! no number of them follows is taken by the ladder of `interactive`.
//!
//! One of the five goes back in time. Over a singular pose they cross three times, and may end near it: such a
//! frame is taken by `precise`. Strains of taut soft bodies, which RATTLE pushes along the ends of its steps, would
//! gain energy at any length of frame: such a frame is taken by the ladder, along its middle. Back in time least
//! squares would drive instead of damp: a frame that cannot be closed at every priority is taken by the ladder of
//! `interactive`. Back in time a damper would drive; without it there the composition is of second order, and strong
//! dampers lose their hold: frames with damped rows are taken by `precise`. So are frames in which explicit forces act
//! faster than the five follow (`pace`). The report says each.

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
    let turn = h * ladder.pace.measure(frame, h).within(FORCES_COMPOSED);
    // That is too fast for `precise` too.
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
        // Steps of one length: what `precise` learns of lengths here is of no use to the next frame.
        frame.state.substep = 0.0;
        precise.step(frame, closing, h, &PreciseOptions::default());
        frame.state.substep = 0.0;
    }
}

/// Whether some soft row damps.
fn is_damped(frame: &Frame<'_, '_>) -> bool {
    let mut rows = frame.equations.layout.soft_rows.iter();
    rows.any(|own| own.tau > 0.0 || !own.position_level)
}

/// The frame in as few compositions as follow the motion, and what hindered them, or nothing.
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
    // Where goals give way or joints contradict each other, no step is what was linearized; coarse solves are not
    // judged.
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
