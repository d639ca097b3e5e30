//! The step: compile, fill, solve, integrate, stabilize, commit once.

use crate::equations::{ContactSolver, Meter, Method};
use crate::error::Error;
use crate::frame::{Frame, Gain, Growth};
use crate::integrate::Schemes;
use crate::simulator::Simulator;
use crate::stabilize::{LOWER_DAMPING, TRIED_DAMPING};
use crate::world::{Dynamics, World};

mod account;
mod assemble;
mod history;
mod minimize;
mod options;
mod refusal;
mod report;
mod retake;
mod senses;
mod tolerances;

pub use crate::equations::Effort;
pub use crate::frame::{Cause, Rung, Rungs, Stiffest};
pub use crate::integrate::Found;
pub use crate::integrate::{InteractiveOptions, PreciseOptions, Scheme};
pub use history::{History, Past};
pub use minimize::{MinimizeOptions, MinimizeReport};
pub use options::{Budget, StepOptions};
pub use report::{Ended, Event, GaveWay, StepReport};
pub(crate) use senses::Senses;

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
    pub fn step(&mut self, world: &mut World, options: &StepOptions) -> Result<StepReport, Error> {
        self.advance(world, options, None)
    }

    /// [`Simulator::step`] under a deadline. `is_over` is called between solves and within them: before each
    /// iteration, or while a direct solve looks for contradictions. Once it returns true, the step ends with
    /// what it has, at little more cost. The report has the number of iterations; a budget of that number
    /// replays the step exactly.
    pub fn step_until(
        &mut self,
        world: &mut World,
        options: &StepOptions,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<StepReport, Error> {
        self.advance(world, options, Some(is_over))
    }

    fn advance(
        &mut self,
        world: &mut World,
        options: &StepOptions,
        deadline: Option<&mut dyn FnMut() -> bool>,
    ) -> Result<StepReport, Error> {
        options.validate()?;

        self.senses.begin(world);
        // Compile: integers only, and only when somebody snapped parts together or apart.
        self.ready(world);

        // Fill, solve, integrate, stabilize: on a copy of the state.
        let may_be_cut = options.method.is_iterative()
            || options.budget.most() < usize::MAX
            || deadline.is_some();
        let Budget {
            max_iterations,
            ends_at,
            ..
        } = options.budget;
        let meter = Meter::new((max_iterations, ends_at), deadline);
        let span = Span::whole(options.dt);
        let (mut report, gain) = self.take(world, options, span, meter, may_be_cut);
        if let Some(refusal) = self.refusal(world) {
            return Err(refusal);
        }
        // Energy that nobody put in: again, in parts, or not at all.
        match gain {
            Some(gain) if options.scheme.is_preset() => {
                report = self.retake(world, options, (report, gain))?;
            }
            Some(gain) => report.gained = gain.energy,
            None => {}
        }

        // Commit: the only write of the state. Joints that close or break as a result are edits.
        if world.dynamics() == Dynamics::Assembly {
            // Without forces contacts have no impulses to keep.
            world.keep_unmoved_touching(world.state(), &mut self.state);
        }
        self.history.push(world.state(), options.dt, &report);
        world.commit(&mut self.state);
        self.apply_events(world, &mut report);
        self.senses.tell(world, &mut report);
        Ok(report)
    }
}

/// A frame, or a part of one.
#[derive(Clone, Copy, Debug)]
struct Span {
    /// Its length, seconds.
    dt: f64,
    /// Time until goals are reached, which is at the end of the frame.
    lead: f64,
}

impl Span {
    const fn whole(dt: f64) -> Self {
        Self { dt, lead: dt }
    }
}

impl Simulator {
    /// Steps the simulator's own state over a span: fills, solves, integrates and stabilizes as often as the
    /// scheme needs. Measures the result, and any energy that nobody put in.
    fn take(
        &mut self,
        world: &World,
        options: &StepOptions,
        span: Span,
        mut meter: Meter<'_>,
        may_be_cut: bool,
    ) -> (StepReport, Option<Gain>) {
        let damping = match world.dynamics() {
            Dynamics::SecondOrder => LOWER_DAMPING,
            _ => TRIED_DAMPING,
        };
        let tolerance = options.budget.tolerance;
        let (mut frame, schemes, growth) =
            self.frame(world, options.method, tolerance, damping, &mut meter);
        frame.contact_solver = options.contact_solver;
        frame.begin(span.lead);
        schemes.step(&mut frame, span.dt, &options.scheme, may_be_cut);
        let report = account::account(&mut frame, span.dt);
        // Frames that are cut short have a limit of their own; without momentum there is no energy.
        let is_checked = world.dynamics() == Dynamics::SecondOrder && frame.meter.ended().is_none();
        let gain = is_checked.then(|| growth.measure(&mut frame, span.dt));
        (report, gain.flatten())
    }

    /// The world during a frame, the schemes that move it, and the check of its energy.
    fn frame<'a, 'm>(
        &'a mut self,
        world: &'a World,
        method: Method,
        tolerance: f64,
        damping: f64,
        meter: &'a mut Meter<'m>,
    ) -> (Frame<'a, 'm>, &'a mut Schemes, &'a mut Growth) {
        self.equations.begin();
        self.state.clone_from(world.state());
        (self.log, self.measured) = <_>::default();
        if !method.is_iterative() {
            // Another method was cut short before; this one does not continue its iteration.
            self.state.unfinished.clear();
        }
        let frame = Frame {
            world,
            equations: &mut self.equations,
            state: &mut self.state,
            springs: &mut self.springs,
            method,
            contact_solver: ContactSolver::default(),
            tolerance,
            damping,
            meter,
            log: &mut self.log,
            measured: &mut self.measured,
            counts_turns: true,
        };
        (frame, &mut self.schemes, &mut self.growth)
    }

    /// After an edit, compiles and sizes all buffers of a step.
    fn ready(&mut self, world: &World) {
        self.equations.compile(world);
        let compiled = Some(world.compiled_as());
        if self.sized_for == compiled {
            return;
        }
        self.sized_for = compiled;
        self.springs
            .size(&self.equations.layout, self.equations.system());
        self.history.size(world);
        let meter = &mut Meter::unlimited();
        let (frame, schemes, growth) = self.frame(world, Method::Direct, 0.0, 0.0, meter);
        schemes.size(&frame);
        growth.size(world, frame.state);
    }
}
