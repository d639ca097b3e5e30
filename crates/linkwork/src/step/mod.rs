//! The step: compile, fill, solve, integrate, stabilise, commit once.

use crate::error::StepError;
use crate::integrate::Stage;
use crate::simulator::Simulator;
use crate::solve::Meter;
use crate::stabilize::{LOWER_DAMPING, TRIED_DAMPING};
use crate::world::{Dynamics, World};

mod account;
mod history;
mod options;
mod refusal;
mod report;

pub use crate::equations::Effort;
pub use history::{History, Past};
pub use options::{Budget, Interactive, Precise, Scheme, StepOptions};
pub use report::{Ended, Event, GaveWay, StepReport};

impl Simulator {
    /// Advances `world` by `options.dt`, or leaves it untouched and says why.
    ///
    /// ```
    /// use linkwork::prelude::*;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut world = World::with_gravity([0.0, -9.81, 0.0])?;
    /// let rod = world.add_body("rod", Rod { length: 1.0, radius: 0.01, mass: 2.0 })?;
    /// let hinge = Hinge { axis_world: [0.0, 0.0, 1.0] };
    /// world.join("pivot", hinge, GROUND.at([-0.5, 0.0, 0.0]), rod.at([-0.5, 0.0, 0.0]))?;
    ///
    /// let mut simulator = Simulator::new();
    /// for _frame in 0..60 {
    ///     let report = simulator.step(&mut world, &StepOptions::interactive(1.0 / 60.0))?;
    ///     assert!(report.position_error < 1e-8);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn step(
        &mut self,
        world: &mut World,
        options: &StepOptions,
    ) -> Result<StepReport, StepError> {
        self.advance(world, options, None)
    }

    /// [`Simulator::step`] under a deadline: `is_over` is asked between solves and within them:
    /// before each iteration, or while a direct one looks for what contradicts itself. Once it says true the step ends with what it has, at
    /// little more cost. The report says how many iterations that allowed; a budget of as many replays the
    /// step exactly.
    pub fn step_until(
        &mut self,
        world: &mut World,
        options: &StepOptions,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<StepReport, StepError> {
        self.advance(world, options, Some(is_over))
    }

    fn advance(
        &mut self,
        world: &mut World,
        options: &StepOptions,
        deadline: Option<&mut dyn FnMut() -> bool>,
    ) -> Result<StepReport, StepError> {
        options.validate()?;

        // Compile: integers only, and only when somebody snapped parts together or apart.
        self.ready(world);

        // From here on the step works on a copy of the state.
        let mut report = StepReport {
            dt: options.dt,
            ..StepReport::default()
        };
        self.equations.effort = Effort::default();
        self.equations.start_cold();
        self.equations
            .direction
            .clone_from(&world.state().direction);
        self.equations.lower_damping = match world.dynamics() {
            Dynamics::SecondOrder => LOWER_DAMPING,
            _ => TRIED_DAMPING,
        };
        self.work.state.clone_from(world.state());
        let mut stage = Stage {
            world,
            equations: &mut self.equations,
            work: &mut self.work,
            method: options.method,
            tolerance: options.budget.tolerance,
            meter: Meter::new(options.budget.max_iterations, deadline),
            report: &mut report,
            velocities_are_right: false,
            contradiction: 0.0,
            work_done: 0.0,
            drives: false,
        };
        stage.begin(options.dt);

        // Fill, solve, integrate, stabilise: as often as the scheme asks.
        match world.dynamics() {
            Dynamics::SecondOrder => stage.second_order(options),
            Dynamics::FirstOrder => stage.first_order(options.dt),
            Dynamics::Assembly => stage.pure_assembly(options.dt),
        }
        stage.account();
        self.work
            .state
            .direction
            .clone_from(&self.equations.direction);

        // Commit: the only write of the state. What follows from it, joints that close or break, are
        // edits.
        if let Some(refusal) = self.refusal(world) {
            return Err(refusal);
        }
        self.history.push(world.state(), options.dt, &report);
        world.commit(&mut self.work.state);
        self.happen(world, &mut report);
        Ok(report)
    }
}

impl Stage<'_, '_> {
    fn second_order(&mut self, options: &StepOptions) {
        match &options.scheme {
            Scheme::Interactive(interactive) => {
                self.interactive(options.dt, interactive);
                if self.meter.ended().is_some() {
                    self.tame(options.dt);
                }
            }
            Scheme::Precise(precise) => self.precise(options.dt, precise),
            Scheme::Symplectic4 => self.symplectic4(options.dt),
            Scheme::Parts {
                integrator,
                stabilization,
            } => {
                self.explicit(options.dt, *integrator, stabilization);
                stabilization.stabilize(self, options.dt);
            }
        }
    }

    fn begin(&mut self, dt: f64) {
        let q = &mut self.work.state.q;
        self.equations.layout.begin_step(self.world, q, dt);
        self.remember_strains();
    }
}
