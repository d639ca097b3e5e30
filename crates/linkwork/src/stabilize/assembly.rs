//! Assembly: from parts strewn anywhere to a closed structure (Faure 1998, §3.4).
//!
//! ```text
//!     J·δq = −c,   δq = M⁻¹·Jᵀ·λ      q ← q ⊞ δq,   no body turned by more than 0.8 rad
//! ```
//!
//! until the constraints hold. To the paper are added: parts far apart come together by translation
//! first (see `gather`). Where the errors stop falling, a descent (see `descent`) takes over until
//! they fall again; it also ends where contradicting rows are closest to holding together. Such an
//! end may be a saddle, or parts may be in each other's way, as with axes turned by half a turn: open
//! parts are then moved aside by fixed amounts (see `perturb`) and the assembly tries again.
//! Priorities below level 0 settle last (see `settle`), then rates are made right (see `rates`).

use std::ops::ControlFlow;

use super::assembly_report::{AssembleOptions, AssemblyOutcome, AssemblyProgress, AssemblyReport};
use super::descent::{Descent, Tried, square};
use crate::assemble::{Motion, Soft};
use crate::equations::Effort;
use crate::error::StepError;
use crate::integrate::Stage;
use crate::simulator::Simulator;
use crate::solve::Meter;
use crate::step::StepReport;
use crate::world::World;

/// A step of the lower levels is halved at most so often.
const HALVINGS: usize = 12;
/// So many corrections in a row may fail to make the errors clearly smaller.
const PATIENCE: usize = 8;
/// Errors this much smaller are clearly smaller.
const CLEARLY: f64 = 0.9;
/// The descent hands back once the sum of squares is this part of what it was.
const HAND_BACK: f64 = 0.01;
/// `‖Jᵀ·c‖ ≤ 1e-6·‖c‖` in scaled rows is least squares; the descent aims lower.
const STATIONARY: f64 = 1e-6;
const AIM: f64 = 1e-8;
/// At most so many other starts, and so many in a row that come to nothing better.
const MAX_RESTARTS: usize = 6;
const MAX_VAIN: usize = 3;
/// Velocities are corrected until rates are this small (m/s), at most so often.
const RATE: f64 = 1e-12;
const RATE_CORRECTIONS: usize = 5;

/// What is told of the way, and says whether to go on.
type Progress<'p> = dyn FnMut(&AssemblyProgress<'_>) -> ControlFlow<()> + 'p;

impl Simulator {
    /// Brings parts together until every constraint holds, wherever they are now, and makes their
    /// velocities consistent. Time stands still; the ground and bodies with prescribed motion stay
    /// where they are.
    ///
    /// Level 0 is closed exactly; lower priorities come as close as that allows. Compliant rows pull
    /// without being required to close. Rows on rates hold the displacements as long as they can:
    /// a wheel rolls into place if rolling gets it there.
    ///
    /// The world keeps the result of an assembly that ends as
    /// [`Assembled`](AssemblyOutcome::Assembled) or [`LeastSquares`](AssemblyOutcome::LeastSquares).
    /// One that is interrupted or fails keeps the best state found, if that is better than
    /// the first; else the world stays as it was. An error leaves it untouched.
    ///
    /// ```
    /// use linkwork::prelude::*;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut world = World::new();
    /// let rod = Rod { length: 1.0, radius: 0.02, mass: 1.0 };
    /// let upper = world.add_body_at("upper", rod, Pose::at([5.0, 2.0, 0.0]))?;
    /// let lower = world.add_body_at("lower", rod, Pose::turned([-3.0, 0.0, 1.0], [0.0, 2.0, 1.0]))?;
    /// world.join("hook", Ball, GROUND.at([0.0; 3]), upper.at([-0.5, 0.0, 0.0]))?;
    /// world.join("elbow", Ball, upper.at([0.5, 0.0, 0.0]), lower.at([-0.5, 0.0, 0.0]))?;
    ///
    /// let report = Simulator::new().assemble(&mut world, &AssembleOptions::default())?;
    /// assert_eq!(report.outcome, AssemblyOutcome::Assembled);
    /// assert!(report.position_error <= 1e-9 && report.residuals.is_empty());
    /// # Ok(()) }
    /// ```
    pub fn assemble(
        &mut self,
        world: &mut World,
        options: &AssembleOptions,
    ) -> Result<AssemblyReport, StepError> {
        self.assemble_with(world, options, &mut |_| ControlFlow::Continue(()))
    }

    /// [`Simulator::assemble`], which tells `progress` of every displacement and ends when that
    /// breaks.
    pub fn assemble_with(
        &mut self,
        world: &mut World,
        options: &AssembleOptions,
        progress: &mut dyn FnMut(&AssemblyProgress<'_>) -> ControlFlow<()>,
    ) -> Result<AssemblyReport, StepError> {
        options.validate()?;
        self.ready(world);

        // From here on the assembly works on a copy of the state.
        self.equations.effort = Effort::default();
        self.work.state.clone_from(world.state());
        self.equations.lower_damping = super::TRIED_DAMPING;
        let mut unused = StepReport::default();
        let mut stage = Stage {
            world,
            equations: &mut self.equations,
            work: &mut self.work,
            method: options.method,
            tolerance: options.tolerance,
            meter: Meter::unlimited(),
            report: &mut unused,
            velocities_are_right: false,
            contradiction: 0.0,
            work_done: 0.0,
            drives: false,
        };
        stage.prepare(Motion::Displacement, Soft::Explicit, 0.0);
        if let Some(refusal) = stage.not_finite() {
            stage.work.forget();
            return Err(refusal);
        }
        stage.remember_strains();
        let mut assembly = Assembly::new(&mut stage, options.max_iterations, progress);
        let outcome = assembly.run();
        let is_kept = assembly.arrive(outcome);
        let (iterations, restarts) = (assembly.iterations, assembly.restarts);
        let report = AssemblyReport {
            iterations,
            restarts,
            ..stage.assembly_report(outcome)
        };

        // Commit: the only write to `world`.
        if let Some(refusal) = self.refusal(world) {
            return Err(refusal);
        }
        if is_kept {
            world.commit(&mut self.work.state);
        }
        Ok(report)
    }
}

/// Why a phase of the assembly ended.
enum Phase {
    /// Level 0 holds.
    Closed,
    /// The errors fell, and may fall faster by the other phase.
    Better,
    /// They do not fall any more.
    Stalled,
    /// They are smallest together.
    Stationary,
    /// No iterations are left, or the caller asked for an end.
    Over(AssemblyOutcome),
}

/// A place and the error there, `‖S·c‖²`.
#[derive(Clone)]
struct Place {
    size: f64,
    q: Vec<f64>,
}

/// An assembly under way.
struct Assembly<'s, 'a, 'm, 'p> {
    stage: &'s mut Stage<'a, 'm>,
    progress: &'s mut Progress<'p>,
    descent: Descent,
    max_iterations: usize,
    iterations: usize,
    restarts: usize,
    /// The last iteration that was told, and the errors where the state is.
    told: Option<usize>,
    errors: (f64, f64),
    first_size: f64,
    /// The best place ever, since the last start, and of those where errors are smallest together.
    best: Place,
    since_start: Place,
    found: Option<Place>,
}

impl<'s, 'a, 'm, 'p> Assembly<'s, 'a, 'm, 'p> {
    fn new(
        stage: &'s mut Stage<'a, 'm>,
        max_iterations: usize,
        progress: &'s mut Progress<'p>,
    ) -> Self {
        let size = square(&stage.equations.system, &stage.work.exact_rows);
        let here = Place {
            size,
            q: stage.work.state.q.clone(),
        };
        Self {
            descent: Descent::new(stage),
            max_iterations,
            iterations: 0,
            restarts: 0,
            told: None,
            errors: (0.0, 0.0),
            first_size: size,
            since_start: here.clone(),
            best: here,
            found: None,
            stage,
            progress,
        }
    }

    /// Assembles; the state is then at the result.
    fn run(&mut self) -> AssemblyOutcome {
        let mut vain = 0;
        loop {
            let mut phase = self.correct(true);
            if matches!(phase, Phase::Stalled) {
                self.stage.work.state.q.copy_from_slice(&self.since_start.q);
                phase = self.correct(false);
            }
            if matches!(phase, Phase::Stalled) {
                self.stage.work.state.q.copy_from_slice(&self.since_start.q);
                phase = self.descend();
            }
            match phase {
                Phase::Better => continue,
                Phase::Closed => {
                    self.polish();
                    return self.settle();
                }
                Phase::Over(outcome) => return self.give_up(outcome),
                Phase::Stationary | Phase::Stalled => {}
            }
            if matches!(phase, Phase::Stationary) {
                let here = &self.since_start;
                let better = |found: &Place| here.size < 0.999 * found.size;
                if self.found.as_ref().is_none_or(better) {
                    self.found = Some(here.clone());
                    vain = 0;
                } else {
                    vain += 1;
                }
            }
            let is_spent = self.iterations >= self.max_iterations;
            if is_spent || vain >= MAX_VAIN || self.restarts >= MAX_RESTARTS {
                return self.give_up(AssemblyOutcome::Failed);
            }
            self.restart();
        }
    }

    /// Faure's iteration, until the errors stop falling.
    fn correct(&mut self, gathers: bool) -> Phase {
        let mut mark = (self.iterations, f64::INFINITY);
        loop {
            let stage = &mut *self.stage;
            stage.prepare(Motion::Displacement, Soft::Explicit, 0.0);
            let size = square(&stage.equations.system, &stage.work.exact_rows);
            let gap = stage.work.gap(&stage.equations.system);
            self.note(size, false);
            if gap <= self.stage.tolerance {
                return Phase::Closed;
            }
            if let Some(outcome) = self.is_over() {
                return Phase::Over(outcome);
            }
            if size < CLEARLY * mark.1 {
                mark = (self.iterations, size);
            } else if self.iterations - mark.0 >= PATIENCE || !size.is_finite() {
                return Phase::Stalled;
            }
            self.stage.correction(usize::MAX);
            if gathers {
                self.stage.gather();
            }
            let (work, layout) = (&mut *self.stage.work, &self.stage.equations.layout);
            layout.displace(self.stage.world, &mut work.state.q, &work.dq);
            self.iterations += 1;
        }
    }

    /// Descends until the errors are much smaller, or smallest together.
    fn descend(&mut self) -> Phase {
        let mut size = self.descent.begin(self.stage);
        let enough = HAND_BACK * size;
        loop {
            let slope = self.descent.slope(self.stage, size);
            if slope <= AIM {
                return Phase::Stationary;
            }
            if size <= enough {
                return Phase::Better;
            }
            if let Some(outcome) = self.is_over() {
                // Nearly there counts.
                return match outcome {
                    AssemblyOutcome::Failed if slope <= STATIONARY => Phase::Stationary,
                    outcome => Phase::Over(outcome),
                };
            }
            match self.descent.step(self.stage, &mut size) {
                Tried::Moved => self.note(size, true),
                Tried::Refused => {}
                Tried::Stuck if slope <= STATIONARY => return Phase::Stationary,
                Tried::Stuck => return Phase::Stalled,
            }
            self.iterations += 1;
        }
    }

    /// Takes note of the state, whose numbers are in the system or in the probe.
    fn note(&mut self, size: f64, in_probe: bool) {
        let (work, equations) = (&self.stage.work, &self.stage.equations);
        let system = if in_probe {
            &equations.probe
        } else {
            &equations.system
        };
        self.errors = work.errors(system);
        for place in [&mut self.since_start, &mut self.best] {
            if size < place.size {
                place.size = size;
                place.q.copy_from_slice(&work.state.q);
            }
        }
    }

    /// Tells of the way; why the assembly has to end here, if it has to.
    fn is_over(&mut self) -> Option<AssemblyOutcome> {
        if self.told != Some(self.iterations) {
            self.told = Some(self.iterations);
            let (position_error, angle_error) = self.errors;
            let told = (self.progress)(&AssemblyProgress {
                iteration: self.iterations,
                position_error,
                angle_error,
                state: &self.stage.work.state,
            });
            if told.is_break() {
                return Some(AssemblyOutcome::Interrupted);
            }
        }
        (self.iterations >= self.max_iterations).then_some(AssemblyOutcome::Failed)
    }

    /// One correction more, to round-off: rates of rows that repeat each other contradict each other
    /// by as much as the rows are open.
    fn polish(&mut self) {
        if self.iterations == 0 {
            return;
        }
        let stage = &mut *self.stage;
        let before = square(&stage.equations.system, &stage.work.exact_rows);
        stage.correction(usize::MAX);
        if stage.size_there() < before {
            std::mem::swap(&mut stage.work.state.q, &mut stage.work.trial.q);
        }
    }

    /// Another start, from the best end or the best place so far.
    fn restart(&mut self) {
        let from = self.found.as_ref().unwrap_or(&self.best);
        self.stage.work.state.q.copy_from_slice(&from.q);
        self.descent.begin(self.stage);
        self.stage.perturb(self.restarts);
        self.since_start.size = f64::INFINITY;
        self.restarts += 1;
    }

    /// Lower levels one after the other, once level 0 holds.
    fn settle(&mut self) -> AssemblyOutcome {
        let mut level = 0;
        loop {
            match self.is_over() {
                Some(AssemblyOutcome::Interrupted) => return AssemblyOutcome::Interrupted,
                None if level < self.stage.work.n_lower_levels => {
                    let stage = &mut *self.stage;
                    if !stage.settle(level, Soft::Explicit, f64::INFINITY, HALVINGS) {
                        level += 1;
                    }
                }
                _ => return AssemblyOutcome::Assembled,
            }
            self.iterations += 1;
            self.errors = self.stage.work.errors(&self.stage.equations.system);
        }
    }

    /// Goes to the best end that was found, or else to the best place.
    fn give_up(&mut self, outcome: AssemblyOutcome) -> AssemblyOutcome {
        let (place, outcome) = match (&self.found, outcome) {
            (Some(found), AssemblyOutcome::Failed) => (found, AssemblyOutcome::LeastSquares),
            _ => (&self.best, outcome),
        };
        self.stage.work.state.q.copy_from_slice(&place.q);
        outcome
    }

    /// Makes velocities consistent at the result. True if the result is to be kept.
    fn arrive(&mut self, outcome: AssemblyOutcome) -> bool {
        let is_kept = match outcome {
            AssemblyOutcome::Assembled | AssemblyOutcome::LeastSquares => true,
            AssemblyOutcome::Failed | AssemblyOutcome::Interrupted => {
                self.best.size < self.first_size
            }
        };
        if is_kept {
            let state = &mut self.stage.work.state;
            // Multipliers and sub-step were those of another place.
            state.lambda.fill(0.0);
            state.direction.fill(0.0);
            state.substep = 0.0;
        }
        let mut before = f64::INFINITY;
        for _ in 0..RATE_CORRECTIONS {
            self.stage.prepare(Motion::Velocity, Soft::Explicit, 0.0);
            let rate = self.stage.work.rate_gap(&self.stage.equations.system);
            if !is_kept || rate <= RATE {
                break;
            }
            if rate > 0.5 * before {
                self.descent.make_rates_right(self.stage, RATE);
                break;
            }
            before = rate;
            self.stage.make_rates_right(true);
        }
        is_kept
    }
}
