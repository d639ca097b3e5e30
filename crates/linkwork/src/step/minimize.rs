//! `Simulator::minimize`: to a minimum of the objectives, committed once.

use crate::equations::{Meter, Method};
use crate::error::Error;
use crate::integrate::Found;
use crate::simulator::Simulator;
use crate::stabilize::TRIED_DAMPING;
use crate::step::tolerances::CLOSED;
use crate::world::World;

/// Options of a search for a minimum.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MinimizeOptions {
    /// Largest remaining slope at a minimum, relative to one plus the slope without joints and bounds.
    pub tolerance: f64,
    /// Largest number of steps.
    pub max_iterations: usize,
    /// The method that solves for steps.
    pub method: Method,
}

impl Default for MinimizeOptions {
    fn default() -> Self {
        Self {
            tolerance: 1e-9,
            max_iterations: 500,
            method: Method::Direct,
        }
    }
}

impl MinimizeOptions {
    /// The same options with another tolerance.
    pub const fn with_tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// The same options with another number of steps.
    pub const fn with_max_iterations(self, max_iterations: usize) -> Self {
        Self {
            max_iterations,
            ..self
        }
    }

    /// The same options with another method.
    pub const fn by(self, method: Method) -> Self {
        Self { method, ..self }
    }

    fn validate(&self) -> Result<(), Error> {
        let tolerance = self.tolerance;
        let (option, problem) = if !(tolerance.is_finite() && tolerance > 0.0) {
            let problem = format!("is {tolerance}; give a number above zero");
            ("tolerance", problem)
        } else if self.max_iterations == 0 {
            let problem = "is 0; a search needs at least one";
            ("max_iterations", problem.to_owned())
        } else {
            return Ok(());
        };
        Err(Error::Option { option, problem })
    }
}

/// The report of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MinimizeReport {
    /// How it ended.
    pub found: Found,
    /// Number of steps tried, including refused ones.
    pub iterations: usize,
    /// Number of steps that were taken back.
    pub refused: usize,
    /// The remaining slope at the end, with joints and bounds held.
    pub slope: f64,
    /// The slope there without joints and bounds.
    pub steepest: f64,
    /// Largest gap of exact constraints, meters.
    pub position_error: f64,
}

impl Simulator {
    /// Moves to a local minimum of the objectives, as far as joints, limits and inequalities allow. Time stands
    /// still; forces act, momentum does not.
    ///
    /// [`World::objectives`] has the values that were reached, [`World::at_bounds`] the bounds that are active.
    ///
    /// [`Found::Minimum`] is reported only if the remaining slope was measured. The world keeps the best state
    /// that was found, whatever the outcome; an error leaves it untouched.
    pub fn minimize(
        &mut self,
        world: &mut World,
        options: &MinimizeOptions,
    ) -> Result<MinimizeReport, Error> {
        options.validate()?;
        self.ready(world);
        let meter = &mut Meter::unlimited();
        let (mut frame, schemes, _) =
            self.frame(world, options.method, CLOSED, TRIED_DAMPING, meter);
        frame.counts_turns = false;
        frame.note_strains();
        let sought = schemes.seek(&mut frame, options.tolerance, options.max_iterations);
        let position_error = frame.system().errors().0;
        frame.state.turns.settle();
        frame.state.unfinished.clear();
        frame.state.substep = 0.0;

        // Commit: the only write to `world`.
        if let Some(refusal) = self.refusal(world) {
            return Err(refusal);
        }
        world.keep_unmoved_touching(world.state(), &mut self.state);
        world.commit(&mut self.state);
        Ok(MinimizeReport {
            found: sought.found,
            iterations: sought.iterations,
            refused: sought.refused,
            slope: sought.slope,
            steepest: sought.steepest,
            position_error,
        })
    }
}
