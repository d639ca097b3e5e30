//! Frames of `Precise` near bounds: error control by halving.
//!
//! A frame is taken in n parts and in 2n parts. Steps are of second order between changes, and changes are located:
//! blows (`mod`), and where something begins or ceases to slip (`changes`). The error of the finer run is then a third
//! of the difference of both. The number of parts is doubled until that is within the tolerance. Each run takes the
//! steps that it was given, and a step that an alarm split in one run is split in the next: otherwise two runs could be
//! identical and agree, whatever their error. If halving does not settle a frame (a falling pile is chaotic), it ends,
//! and the report says so.
//!
//! If there are more changes than are located, or if other places begin to touch, two step lengths can miss a change in
//! the same way. Then three runs have to agree.

use super::super::interactive::Interactive;
use super::super::tolerances::{CHANGES, FINEST, MAX_DEPTH, SETTLES, SLOW, STALLS};
use super::{BoundedSteps, Pace};
use crate::frame::{Cause, Frame, Rung};
use crate::stabilize::Closing;
use crate::world::{State, Touching};

impl BoundedSteps {
    /// Advances the state by `dt`, with an error of about `tolerance` (m, rad; velocities relative to 1 + |v|).
    pub(in super::super) fn refine(
        &mut self,
        ladder: &mut Interactive,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        dt: f64,
        tolerance: f64,
    ) {
        // As many parts as suited the last frame are found again, or half as many.
        let last = match frame.state.substep {
            substep if substep > 0.0 => (dt / substep).min(FINEST),
            _ => 1.0,
        };
        let mut longest = dt / (0.25 * last).floor().max(1.0);
        let begin = *frame.log;
        let (mut before, mut stalled) = (f64::INFINITY, 0);
        let slow = SLOW * tolerance;
        self.take(ladder, frame, closing, (dt, longest, slow));
        loop {
            self.coarse.copy_motion(frame.state);
            frame.begin_again(dt);
            *frame.log = begin;
            // What alarms had split is halved too, or two runs would be one.
            longest = 0.5 * longest.min(self.longest);
            self.take(ladder, frame, closing, (dt, longest, slow));
            let error = difference(frame.state, &self.coarse) / 3.0;
            let agrees = error <= tolerance;
            let is_smooth = !self.missed_changes && !changes(frame.world.state(), frame.state);
            if agrees && (before <= tolerance || is_smooth) {
                break;
            }
            let is_finest = longest * FINEST <= 1.001 * dt;
            if agrees && !is_finest {
                before = error;
                continue;
            }
            stalled += u32::from(error > SETTLES * before);
            let is_hopeless = !error.is_finite() || stalled > STALLS;
            if is_hopeless || is_finest || frame.out_of_budget() {
                frame.log.rungs.count(Rung::Halved, Cause::Unsettled);
                break;
            }
            before = error;
        }
        frame.state.substep = longest;
    }

    /// Takes a frame in steps of at most `longest` seconds, and begins with such.
    fn take(
        &mut self,
        ladder: &mut Interactive,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        (dt, longest, slow): (f64, f64, f64),
    ) {
        // Else a run would begin with the steps of the last one.
        frame.state.substep = longest;
        let pace = Pace {
            dt,
            longest,
            max_depth: MAX_DEPTH,
            slow,
        };
        self.step(ladder, frame, closing, pace);
    }
}

/// Whether other places touch than before, or friction carries another part of what it could.
fn changes(before: &State, now: &State) -> bool {
    let (before, now) = (&before.touching, &now.touching);
    let is_other = |(a, b): (&Touching, &Touching)| {
        let (first, second) = (a.slope(), b.slope());
        (first - second).abs() > CHANGES * first.max(second)
    };
    before.len() != now.len() || before.iter().zip(now).any(is_other)
}

/// How far two states are apart.
fn difference(a: &State, b: &State) -> f64 {
    let places = a.q.iter().zip(&b.q).map(|(a, b)| (a - b).abs());
    let rates = a.v.iter().zip(&b.v);
    let rates = rates.map(|(a, b)| (a - b).abs() / (1.0 + a.abs()));
    let (mut worst, mut sum) = (0.0f64, 0.0);
    for error in places.chain(rates) {
        worst = worst.max(error);
        sum += error;
    }
    // A maximum forgets NaN; a sum does not.
    if sum.is_finite() {
        worst
    } else {
        f64::INFINITY
    }
}
