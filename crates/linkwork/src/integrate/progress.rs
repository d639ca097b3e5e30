//! The position within a frame that is taken in parts, and the length of its next part.

use super::InteractiveOptions;
use super::tolerances::{
    BOTH_ENDS, CAUTIOUSLY, FORCES, FORCES_JOINED, JOINED, MAX_DEPTH, PREDICTION, SHORTER,
};
use crate::frame::{Cause, Frame, Rung};
use crate::system::MassBlock;

/// The position within a frame of `2^max_depth` units.
pub(super) struct Progress {
    pub(super) depth: u8,
    pub(super) max_depth: u8,
    /// The least depth of sub-steps.
    least_depth: u8,
    pub(super) done: u64,
    /// Whether one more depth is allowed: for a rotor, or because steps are judged from both ends.
    pub(super) is_extended: bool,
    /// The cause of the present depth.
    pub(super) cause: Cause,
    /// The frame's time, its end, and the time of a unit, seconds.
    pub(super) dt: f64,
    pub(super) end: f64,
    pub(super) unit: f64,
    /// The length that gaps are compared with, meters.
    pub(super) length: f64,
    /// Whether steps are judged from both ends.
    pub(super) goes_back: bool,
}

impl Progress {
    /// The start of a frame: sub-steps as long as the last one.
    pub(super) fn begin(frame: &Frame<'_, '_>, dt: f64, options: &InteractiveOptions) -> Self {
        let is_extended = options.max_depth > 0 && can_go_back(frame);
        let max_depth = options.max_depth.min(MAX_DEPTH) + u8::from(is_extended);
        let depth = depth_of(frame.state.substep, dt, max_depth);
        Self {
            depth,
            max_depth,
            least_depth: 0,
            done: 0,
            is_extended,
            cause: Cause::Regular,
            dt,
            end: frame.state.t + dt,
            unit: dt / (1u64 << max_depth) as f64,
            length: frame.system().bar_length(),
            goes_back: is_extended,
        }
    }

    /// Limits sub-steps for explicit forces with this fastest mode, rad/s.
    pub(super) fn follow(&mut self, fastest: f64) {
        let begun = self.depth;
        self.least_depth = depth_for(fastest, self.dt, (begun, self.max_depth));
        self.depth = begun.max(self.least_depth);
        if self.least_depth > 0 && self.depth == self.least_depth {
            self.cause = Cause::Forces;
        }
    }

    /// Allows one more depth.
    pub(super) fn extend(&mut self) {
        self.max_depth += 1;
        self.done *= 2;
        self.unit *= 0.5;
        self.is_extended = true;
    }

    pub(super) fn n_units(&self) -> u64 {
        1 << self.max_depth
    }

    /// Units of a sub-step at the depth.
    pub(super) fn n(&self) -> u64 {
        self.n_units() >> self.depth
    }

    /// Doubles sub-steps if the prediction allows it: twice the step, eight times the error. If steps are
    /// judged from both ends, several times at once.
    pub(super) fn join(&mut self, predicted: f64) {
        let enough = if self.goes_back { JOINED } else { CAUTIOUSLY };
        let mut predicted = 8.0 * predicted;
        while self.depth > self.least_depth
            && self.done.is_multiple_of(2 * self.n())
            && predicted < enough * self.allowed(self.depth - 1)
        {
            self.depth -= 1;
            predicted *= 8.0;
            if !self.goes_back {
                break;
            }
        }
    }

    /// The largest error of a prediction at a depth, meters. An error c in a step h is an error `c/h` in
    /// velocities, so the limit decreases with the step if steps are judged from both ends.
    pub(super) fn allowed(&self, depth: u8) -> f64 {
        let allowed = PREDICTION * self.length;
        if self.goes_back {
            (0..depth).fold(BOTH_ENDS * allowed, |allowed, _| SHORTER * allowed)
        } else {
            allowed
        }
    }

    pub(super) fn rung(&self) -> Rung {
        if self.depth == 0 {
            Rung::Whole
        } else {
            Rung::Halved
        }
    }
}

/// The depth at which sub-steps are at most `substep`; zero if unknown.
pub(super) fn depth_of(substep: f64, dt: f64, max_depth: u8) -> u8 {
    let mut depth = 0;
    let mut h = dt;
    while substep > 0.0 && h > 1.5 * substep && depth < max_depth {
        h *= 0.5;
        depth += 1;
    }
    depth
}

/// The depth at which a mode of `fastest` rad/s is followed, with hysteresis in favor of the first depth, so
/// that steps do not change with round-off.
pub(super) fn depth_for(fastest: f64, dt: f64, (begun, max_depth): (u8, u8)) -> u8 {
    let mut depth = 0;
    let mut h = dt;
    let limit = |depth: u8| if depth < begun { FORCES_JOINED } else { FORCES };
    while h * fastest > limit(depth) && depth < max_depth {
        h *= 0.5;
        depth += 1;
    }
    depth
}

/// Whether steps are judged backward in time too. Not with hands, which do not reverse, iterative methods,
/// which would do the work twice, or springs, whose rates depend on their past.
fn can_go_back(frame: &Frame<'_, '_>) -> bool {
    !frame.method.is_iterative() && !frame.system().rows.has_lower() && frame.springs.is_empty()
}

/// The fastest nutation of a spinning body, `|I·ω|/I₂` with its middle moment of inertia, rad/s. A body whose
/// axis is held does not nutate, and causes no alarm.
pub(super) fn max_nutation(frame: &Frame<'_, '_>) -> f64 {
    let system = frame.system();
    let mut most = 0.0f64;
    for (body, block) in system.bodies.iter().enumerate() {
        if let MassBlock::Rigid(at) = block.mass {
            let v = &frame.state.v[system.v_range(body as u32)];
            most = most.max(system.rigid[at as usize].nutation([v[3], v[4], v[5]]));
        }
    }
    most
}
