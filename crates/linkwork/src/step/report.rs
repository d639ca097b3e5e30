//! What a step did, what it cost, and how exact the result is.

use crate::equations::Effort;
use crate::frame::{Rungs, Stiffest};
use crate::world::{ConstraintId, Sensed};

/// Why a step stopped improving its result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ended {
    /// The constraints of priority 0 hold to the tolerance.
    #[default]
    Tolerance,
    /// They do not, and nothing would have brought them nearer: they contradict each other, they are
    /// as near as numbers get, or the scheme does not close them.
    Open,
    /// The budget of iterations was spent.
    Iterations,
    /// The caller's deadline passed.
    Deadline,
}

/// Something that happened during a step.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A joint carried more than it can and was disabled.
    Broke {
        /// The joint.
        constraint: ConstraintId,
        /// The force it carried, N.
        force: f64,
        /// The torque it carried, N·m.
        torque: f64,
    },
    /// A joint that was closing over time has closed.
    Closed {
        /// The joint.
        constraint: ConstraintId,
    },
    /// A body came into a sensor.
    Entered(Sensed),
    /// A body left a sensor.
    Left(Sensed),
}

/// A constraint of a lower priority that could not be met.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct GaveWay {
    /// The constraint.
    pub constraint: ConstraintId,
    /// The largest error of its rows, in meters (radians times a typical length).
    pub error: f64,
}

/// The account of one step.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct StepReport {
    /// The time that was advanced.
    pub dt: f64,
    /// What it cost. Where a step ended early, its iterations are those until then, without the
    /// solves that make velocities consistent: a budget of as many replays the step exactly.
    pub effort: Effort,
    /// Sub-steps the frame was split into.
    pub substeps: usize,
    /// Tries that were refused by a guard or by error control.
    pub refused: usize,
    /// Into how many parts the frame was split because it gained energy that nobody put in; zero if it was
    /// not.
    pub retaken: usize,
    /// Energy that the frame gained and nobody put in, J, at least: under [`Scheme::Parts`], which promises nothing.
    /// The other schemes take such a frame in parts, or refuse it.
    ///
    /// [`Scheme::Parts`]: crate::integrate::Scheme::Parts
    pub gained: f64,
    /// Which rungs of the ladder were taken, why, and how often.
    pub rungs: Rungs,
    /// The budget of iterations was too small to bring a lower priority nearer, and will be in the next frame, which
    /// begins anew. Or, without momentum, joints stretched after a hand by more than a hundredth of a bar, since
    /// priorities could not be told apart within it.
    pub is_starved: bool,
    /// The spring too stiff for explicit steps, where [`Scheme::Precise`] took implicit ones. Its vibration dies
    /// out, and so does that of others as stiff.
    ///
    /// [`Scheme::Precise`]: crate::integrate::Scheme::Precise
    pub stiffest: Option<Stiffest>,
    /// How often something hit a stop: a limit, the end of a rope.
    pub blows: usize,
    /// What is left of the law of limits, motors and friction, m/s: the largest of the frame's sub-steps.
    pub law_error: f64,
    /// How far bodies are beyond their limits, meters.
    pub overrun: f64,
    /// What ended the improvement.
    pub ended: Ended,
    /// Largest gap of priority 0, meters.
    pub position_error: f64,
    /// Largest angle error of priority 0, radians.
    pub angle_error: f64,
    /// Largest rate error of priority 0, in meters per second.
    pub rate_error: f64,
    /// The constraint of priority 0 that is furthest from holding.
    pub worst: Option<ConstraintId>,
    /// Constraints of lower priorities that are open by more than a hundred times the tolerance: what is
    /// closer was reached, or nearly so.
    pub gave_way: Vec<GaveWay>,
    /// What happened, in order.
    pub events: Vec<Event>,
}

impl StepReport {
    /// How often a rung was taken that damps, because nothing better could be.
    pub fn last_resorts(&self) -> usize {
        self.rungs.last_resorts()
    }

    /// `Ok` when every constraint of priority 0 is closed to `tolerance` (meters, radians).
    pub fn require(&self, tolerance: f64) -> Result<(), crate::error::Error> {
        let error = self.position_error.max(self.angle_error);
        if error <= tolerance {
            return Ok(());
        }
        Err(crate::error::Error::NotClosed {
            constraint: self.worst,
            error,
            tolerance,
        })
    }
}
