//! The report of a step: what happened, what it cost, and how exact the result is.

use crate::equations::Effort;
use crate::frame::{Rungs, Stiffest};
use crate::world::{ConstraintId, Sensed};

/// Why a step stopped improving its result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ended {
    /// The constraints of priority 0 hold to the tolerance.
    #[default]
    Tolerance,
    /// They do not hold, and more work would not help: they contradict each other, they are closed to
    /// round-off, or the scheme does not close them.
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
    /// The load of a joint exceeded its break limit, and the joint was disabled.
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
    /// A body entered a sensor.
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

/// The report of one step.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct StepReport {
    /// Time by which the world advanced, seconds.
    pub dt: f64,
    /// The work that was done. If the step ended early, iterations are counted up to that point, without the
    /// solves that then made velocities consistent: a budget of that number replays the step exactly.
    pub effort: Effort,
    /// Number of sub-steps of the frame.
    pub substeps: usize,
    /// Number of tries refused by a guard or by error control.
    pub refused: usize,
    /// Number of parts into which the frame was split because it gained energy that nobody put in; zero if it
    /// was not split.
    pub retaken: usize,
    /// Energy that the frame gained and nobody put in, J, at least: under [`Scheme::Parts`], which promises nothing.
    /// The other schemes take such a frame in parts, or refuse it.
    ///
    /// [`Scheme::Parts`]: crate::integrate::Scheme::Parts
    pub gained: f64,
    /// Which rungs of the ladder were taken, why, and how often.
    pub rungs: Rungs,
    /// The budget of iterations is too small to reduce the error of a lower priority, in the next frame too,
    /// which starts over. Without momentum: joints followed a hand and opened by more than a hundredth of a
    /// bar, because the budget did not suffice to separate the priorities.
    pub is_starved: bool,
    /// The stiffest spring, if [`Scheme::Precise`] took implicit steps because of it. Its vibration dies out,
    /// like that of all springs as stiff.
    ///
    /// [`Scheme::Precise`]: crate::integrate::Scheme::Precise
    pub stiffest: Option<Stiffest>,
    /// Number of impacts: contacts, limits, ends of ropes.
    pub blows: usize,
    /// Residual of the law of contacts, limits, motors and friction, m/s: the largest of all sub-steps.
    pub law_error: f64,
    /// Largest violation of a limit, or penetration, meters.
    pub overrun: f64,
    /// Why the step ended.
    pub ended: Ended,
    /// Largest gap of priority 0, meters.
    pub position_error: f64,
    /// Largest angle error of priority 0, radians.
    pub angle_error: f64,
    /// Largest rate error of priority 0, in meters per second.
    pub rate_error: f64,
    /// The constraint of priority 0 with the largest error.
    pub worst: Option<ConstraintId>,
    /// Constraints of lower priorities that are open by more than a hundred times the tolerance.
    pub gave_way: Vec<GaveWay>,
    /// Events, in order.
    pub events: Vec<Event>,
}

impl StepReport {
    /// Number of times a damping rung was taken, as a last resort.
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
