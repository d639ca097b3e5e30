//! Frames that were cut short end with joints closed: goals give way, joints do not.
//!
//! From a nearby pose, a few corrections with a factor close the joints, which every budget allows. If a frame
//! whose budget was used up opens joints that were closed at its start, they are closed from there. If that
//! fails, the frame is taken again from its start, as if at rest, and hands move only a part of their way:
//!
//! ```text
//!     part ≤ 0.25·bar/way,      then a quarter of it, …, then none
//! ```
//!
//! The next frames cover the rest: a hand that has not arrived continues.

use super::energy_limit::begin_at_rest;
use super::tolerances::{END_CLOSINGS, END_GAP, END_PARTS, END_WAY};
use crate::equations::{Motion, Soft};
use crate::frame::{Cause, Frame, Rung};
use crate::stabilize::{Closing, LOWER_DAMPING};
use crate::world::{Dynamics, State};

/// The buffers.
#[derive(Debug, Default)]
pub(super) struct ClosedEnd {
    /// The end of the frame.
    end: State,
}

impl ClosedEnd {
    pub(super) fn size(&mut self, state: &State) {
        self.end.make_room(state);
    }

    /// Closes the end of a frame of `dt` seconds whose budget was used up, if its start was closed.
    pub(super) fn see_to(&mut self, frame: &mut Frame<'_, '_>, closing: &mut Closing, dt: f64) {
        let terms = frame.terms(Motion::Displacement, Soft::Rows);
        let enough = frame.tolerance.max(END_GAP * frame.system().bar_length());
        let gap = frame.fill_probe(Motion::Displacement, Soft::Rows).gap();
        // A state that is not finite is refused later.
        let state = &*frame.state;
        let is_finite = state.v.iter().all(|v| v.is_finite()) && (gap + state.t).is_finite();
        if gap <= enough || !is_finite {
            return;
        }
        let start = (frame.world, frame.world.state());
        if frame.equations.fill_probe(start, terms).gap() > enough {
            return;
        }
        self.end.copy_motion(frame.state);
        let is_near = gap <= END_WAY * frame.system().bar_length();
        if is_near && close(frame, closing) {
            return;
        }
        frame.log.rungs.count(Rung::Displacement, Cause::Budget);
        let way = frame.goal_way();
        let mut part = (END_WAY * frame.system().bar_length() / way).min(1.0);
        for attempt in 0..=END_PARTS {
            if attempt == END_PARTS || way == 0.0 {
                part = 0.0;
            }
            begin_at_rest(frame, dt, part);
            if close(frame, closing) {
                frame.state.substep = self.end.substep;
                return;
            }
            part *= 0.25;
        }
        // A drive opens it by time alone: restores the end.
        frame.state.copy_motion(&self.end);
        frame.measured.rates_hold = false;
    }
}

/// Closes priority 0 at the state, and its rates; lower priorities stay where they are.
fn close(frame: &mut Frame<'_, '_>, closing: &mut Closing) -> bool {
    let corrections = END_CLOSINGS..=END_CLOSINGS;
    if !closing.close_exact(frame, Soft::Absent, corrections, LOWER_DAMPING) {
        return false;
    }
    if frame.world.dynamics() == Dynamics::SecondOrder {
        closing.make_rates_right(frame, false);
    }
    true
}
