//! Assembly: from scattered parts to a closed structure (Faure 1998, §3.4).
//!
//! ```text
//!     J·δq = −c,   δq = M⁻¹·Jᵀ·λ      q ← q ⊞ δq,   no body turned by more than 0.8 rad
//! ```
//!
//! This is iterated until the constraints hold. Additions to the paper: distant parts are first brought
//! together by translation (`gather`). If the errors stop decreasing, a descent takes over until they decrease
//! again (`descent`); it also finds the least-squares pose of contradicting rows. That pose may be a saddle, as
//! with axes that are half a turn apart: open parts are then displaced by fixed amounts (`perturb`), and the
//! assembly starts again. Lower priorities are settled last (`settle`), then rates are corrected (`rates`).

use std::ops::ControlFlow;

use crate::equations::{Motion, Soft};
use crate::frame::Frame;
use crate::stabilize::{Closing, Gained};
use crate::world::{State, Turns};

mod descent;
mod gather;
mod limits;
mod perturb;
mod rates;
mod report;
mod tolerances;

pub use report::{
    AssembleOptions, AssemblyOutcome, AssemblyProgress, AssemblyReport, ConstraintResidual,
};

pub(crate) use limits::meet_limits;

use descent::{Descent, Tried};
use perturb::perturb;
use tolerances::{
    AIM, CLEARLY, HALVINGS, HAND_BACK, MAX_RESTARTS, MAX_VAIN, PATIENCE, RATE, RATE_CORRECTIONS,
    STATIONARY,
};

/// Called with the progress of an assembly; returns whether to continue.
pub(crate) type Progress<'p> = dyn FnMut(&AssemblyProgress<'_>) -> ControlFlow<()> + 'p;

/// How an assembly ended.
pub(crate) struct Finish {
    pub(crate) outcome: AssemblyOutcome,
    /// Whether the state is a result that should be kept.
    pub(crate) is_kept: bool,
    pub(crate) iterations: usize,
    pub(crate) restarts: usize,
}

/// Assembles from the frame's state, at which the equations are filled and factored, and leaves the result in
/// that state.
pub(crate) fn assemble(
    frame: &mut Frame<'_, '_>,
    closing: &mut Closing,
    max_iterations: usize,
    progress: &mut Progress<'_>,
) -> Finish {
    let mut assembly = Assembly::new(frame, closing, max_iterations, progress);
    let outcome = assembly.run();
    let is_kept = assembly.arrive(outcome);
    Finish {
        outcome,
        is_kept,
        iterations: assembly.iterations,
        restarts: assembly.restarts,
    }
}

/// Why a phase of the assembly ended.
enum Phase {
    /// Priority 0 holds.
    Closed,
    /// The errors decreased, and may decrease faster in the other phase.
    Better,
    /// The errors no longer decrease.
    Stalled,
    /// The sum of squared errors is at a stationary point.
    Stationary,
    /// No iterations are left, or the caller stopped the assembly.
    Over(AssemblyOutcome),
}

/// A pose and its error, `‖S·c‖²`.
#[derive(Clone)]
struct Place {
    size: f64,
    q: Vec<f64>,
    turns: Turns,
}

impl Place {
    fn take(&mut self, size: f64, state: &State) {
        self.size = size;
        self.q.copy_from_slice(&state.q);
        self.turns.clone_from(&state.turns);
    }

    fn give(&self, state: &mut State) {
        state.q.copy_from_slice(&self.q);
        state.turns.clone_from(&self.turns);
    }
}

/// An assembly in progress.
struct Assembly<'s, 'a, 'm, 'p> {
    frame: &'s mut Frame<'a, 'm>,
    closing: &'s mut Closing,
    progress: &'s mut Progress<'p>,
    descent: Descent,
    /// The pose after the next correction.
    trial: State,
    max_iterations: usize,
    iterations: usize,
    restarts: usize,
    /// The last iteration that was reported, and the errors of the present state.
    told: Option<usize>,
    errors: (f64, f64),
    first_size: f64,
    /// The best pose of all, the best since the last start, and the best stationary point.
    best: Place,
    since_start: Place,
    found: Option<Place>,
}

impl<'s, 'a, 'm, 'p> Assembly<'s, 'a, 'm, 'p> {
    fn new(
        frame: &'s mut Frame<'a, 'm>,
        closing: &'s mut Closing,
        max_iterations: usize,
        progress: &'s mut Progress<'p>,
    ) -> Self {
        let size = frame.system().hard_square();
        let here = Place {
            size,
            q: frame.state.q.clone(),
            turns: frame.state.turns.clone(),
        };
        Self {
            descent: Descent::new(frame),
            trial: frame.state.clone(),
            max_iterations,
            iterations: 0,
            restarts: 0,
            told: None,
            errors: (0.0, 0.0),
            first_size: size,
            since_start: here.clone(),
            best: here,
            found: None,
            frame,
            closing,
            progress,
        }
    }

    /// Assembles, and leaves the result in the state.
    fn run(&mut self) -> AssemblyOutcome {
        let mut vain = 0;
        loop {
            let mut phase = self.correct(true);
            if matches!(phase, Phase::Stalled) {
                self.since_start.give(self.frame.state);
                phase = self.correct(false);
            }
            if matches!(phase, Phase::Stalled) {
                self.since_start.give(self.frame.state);
                phase = self.descend();
            }
            match phase {
                Phase::Better => continue,
                Phase::Closed => {
                    self.polish();
                    return match self.frame.system().rows.n_lower {
                        1 => self.come_down(),
                        _ => self.settle(),
                    };
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

    /// Faure's iteration, until the errors stop decreasing.
    fn correct(&mut self, gathers: bool) -> Phase {
        let mut mark = (self.iterations, f64::INFINITY);
        loop {
            self.frame.prepare(Motion::Displacement, Soft::Explicit);
            let size = self.frame.system().hard_square();
            let gap = self.frame.system().gap();
            self.note(size, false);
            if gap <= self.frame.tolerance {
                return Phase::Closed;
            }
            if let Some(outcome) = self.tell() {
                return Phase::Over(outcome);
            }
            if size < CLEARLY * mark.1 {
                mark = (self.iterations, size);
            } else if self.iterations - mark.0 >= PATIENCE || !size.is_finite() {
                return Phase::Stalled;
            }
            self.closing.correct(self.frame, usize::MAX);
            if gathers {
                self.gather();
            }
            self.frame.displace(&self.closing.dq);
            self.iterations += 1;
        }
    }

    /// Descends until the errors are much smaller, or stationary.
    fn descend(&mut self) -> Phase {
        let mut size = self.descent.begin(self.frame);
        let enough = HAND_BACK * size;
        loop {
            let slope = self.descent.slope(self.frame, size);
            if slope <= AIM {
                return Phase::Stationary;
            }
            if size <= enough {
                return Phase::Better;
            }
            if let Some(outcome) = self.tell() {
                // Nearly stationary counts as stationary.
                return match outcome {
                    AssemblyOutcome::Failed if slope <= STATIONARY => Phase::Stationary,
                    outcome => Phase::Over(outcome),
                };
            }
            match self.descent.step(self.frame, &mut size) {
                Tried::Moved => self.note(size, true),
                Tried::Refused => {}
                Tried::Stuck if slope <= STATIONARY => return Phase::Stationary,
                Tried::Stuck => return Phase::Stalled,
            }
            self.iterations += 1;
        }
    }

    /// Keeps the state if it is the best so far. Its numbers are in the system or in the probe.
    fn note(&mut self, size: f64, in_probe: bool) {
        let equations = &self.frame.equations;
        let system = if in_probe {
            equations.probe()
        } else {
            equations.system()
        };
        self.errors = system.errors();
        for place in [&mut self.since_start, &mut self.best] {
            if size < place.size {
                place.take(size, self.frame.state);
            }
        }
    }

    /// Reports progress. Returns the outcome if the assembly must end here.
    fn tell(&mut self) -> Option<AssemblyOutcome> {
        if self.told != Some(self.iterations) {
            self.told = Some(self.iterations);
            let (position_error, angle_error) = self.errors;
            let told = (self.progress)(&AssemblyProgress {
                iteration: self.iterations,
                position_error,
                angle_error,
                state: self.frame.state,
            });
            if told.is_break() {
                return Some(AssemblyOutcome::Interrupted);
            }
        }
        (self.iterations >= self.max_iterations).then_some(AssemblyOutcome::Failed)
    }

    /// One more correction, to round-off. If redundant rows are open by ε, their rates contradict each other by
    /// as much.
    fn polish(&mut self) {
        if self.iterations == 0 {
            return;
        }
        let before = self.frame.system().hard_square();
        self.closing.correct(self.frame, usize::MAX);
        if self.look_ahead() < before {
            std::mem::swap(&mut self.frame.state.q, &mut self.trial.q);
        }
    }

    /// `‖S·c‖²` at the state displaced by the last correction, which is then the trial. Fills the probe.
    fn look_ahead(&mut self) -> f64 {
        let (frame, trial) = (&mut *self.frame, &mut self.trial);
        trial.begin_at(frame.state);
        let layout = &frame.equations.layout;
        layout.displace(frame.world, &mut trial.q, &self.closing.dq);
        let terms = frame.terms(Motion::Displacement, Soft::Explicit);
        let probe = frame.equations.fill_probe((frame.world, trial), terms);
        probe.hard_square()
    }

    /// Starts again from the best stationary point, or else from the best pose.
    fn restart(&mut self) {
        let from = self.found.as_ref().unwrap_or(&self.best);
        from.give(self.frame.state);
        self.descent.begin(self.frame);
        perturb(self.frame, self.restarts, false);
        self.since_start.size = f64::INFINITY;
        self.restarts += 1;
    }

    /// Settles a single lower priority by Newton's method, once priority 0 holds.
    fn come_down(&mut self) -> AssemblyOutcome {
        loop {
            match self.tell() {
                Some(AssemblyOutcome::Interrupted) => return AssemblyOutcome::Interrupted,
                Some(_) => return AssemblyOutcome::Assembled,
                None => {}
            }
            let damping = self.frame.damping;
            let is_least =
                (self.closing).descend(self.frame, Soft::Explicit, f64::INFINITY, damping);
            self.iterations += 1;
            self.errors = self.frame.system().errors();
            if is_least {
                let is_met = self.frame.system().lower_gap() <= self.frame.tolerance;
                return match is_met {
                    true => AssemblyOutcome::Assembled,
                    false => AssemblyOutcome::GaveWay,
                };
            }
        }
    }

    /// Settles several lower priorities, one after another.
    fn settle(&mut self) -> AssemblyOutcome {
        let mut priority = 0;
        loop {
            match self.tell() {
                Some(AssemblyOutcome::Interrupted) => return AssemblyOutcome::Interrupted,
                None if priority < self.frame.system().rows.n_lower => {
                    let damping = self.frame.damping;
                    let frame = &mut *self.frame;
                    let closing = &mut self.closing;
                    let reach = f64::INFINITY;
                    let gained =
                        closing.settle(frame, priority, Soft::Explicit, reach, HALVINGS, damping);
                    if !matches!(gained, Gained::Something | Gained::Little) {
                        priority += 1;
                    }
                }
                _ => return AssemblyOutcome::Assembled,
            }
            self.iterations += 1;
            self.errors = self.frame.system().errors();
        }
    }

    /// Returns to the best stationary point that was found, or else to the best pose.
    fn give_up(&mut self, outcome: AssemblyOutcome) -> AssemblyOutcome {
        let (place, outcome) = match (&self.found, outcome) {
            (Some(found), AssemblyOutcome::Failed) => (found, AssemblyOutcome::LeastSquares),
            _ => (&self.best, outcome),
        };
        place.give(self.frame.state);
        outcome
    }

    /// Makes velocities consistent at the result. True if the result is to be kept.
    fn arrive(&mut self, outcome: AssemblyOutcome) -> bool {
        let is_kept = match outcome {
            AssemblyOutcome::Assembled
            | AssemblyOutcome::GaveWay
            | AssemblyOutcome::LeastSquares => true,
            AssemblyOutcome::Failed | AssemblyOutcome::Interrupted => {
                self.best.size < self.first_size
            }
        };
        if is_kept {
            let state = &mut *self.frame.state;
            // Multipliers and the sub-step belonged to another pose.
            state.lambda.fill(0.0);
            state.unfinished.clear();
            state.substep = 0.0;
        }
        let mut before = f64::INFINITY;
        for _ in 0..RATE_CORRECTIONS {
            self.frame.prepare(Motion::Velocity, Soft::Explicit);
            let rate = self.frame.system().rate_gap();
            if !is_kept || rate <= RATE {
                break;
            }
            if rate > 0.5 * before {
                self.descent.make_rates_right(self.frame, RATE);
                break;
            }
            before = rate;
            self.closing.make_rates_right(self.frame, true);
        }
        is_kept
    }
}
