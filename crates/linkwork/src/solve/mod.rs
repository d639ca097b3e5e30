//! Solving: pure linear algebra on a [`System`], by any of five methods.

use std::fmt;
use std::mem::take;

use crate::linalg::krylov::Stop;
use crate::system::System;
use crate::topology::{Topology, sort_indices};
use crate::words::words;
use dense::Dense;
use direct::Direct;
use forest::Forest;
use iterated::Iterated;
use normal::FreeBodies;
use priorities::Overlaid;
use refine::Refinement;
use tolerances::{ROUGH, VERIFIED, VERIFIED_TIMES};

mod absorb;
mod branch;
mod contact_solver;
mod core;
mod dense;
mod direct;
mod elimination;
mod factored;
mod forest;
mod iterated;
mod light;
mod mass;
mod memo;
mod meter;
mod normal;
mod overlay;
mod priorities;
mod products;
mod refine;
mod residual;
mod rows;
mod tolerances;

pub use contact_solver::ContactSolver;
pub(crate) use elimination::{Elimination, Order};
pub(crate) use factored::Factored;
pub(crate) use mass::MassInverse;
pub(crate) use memo::Memo;
pub(crate) use meter::{Limit, Meter};
pub(crate) use priorities::Lower;
pub(crate) use refine::RowFactor;
pub use residual::Residual;

/// A constraint has at most so many rows; larger ones are refused when they are added.
pub(crate) const MAX_ROWS: usize = crate::system::MAX_ROWS;

/// How the multipliers are found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Method {
    /// Block LDLᵀ over the whole graph: exact for trees and loops, near linear. The default.
    #[default]
    Direct,
    /// The spanning forest in linear time, the loops as a dense matrix (Baraff 1996, §8).
    ForestDense,
    /// The spanning forest exact, the loops iterated (Faure 1999).
    ForestKrylov(Krylov),
    /// Dense normal equations (Witkin 1990, eq. 5).
    NormalDense,
    /// Iterated normal equations (Faure 1998, eq. 13).
    NormalCg(Krylov),
}

impl Method {
    /// Every method, the iterative ones to round-off.
    pub const ALL: [Self; 5] = [
        Self::Direct,
        Self::ForestDense,
        Self::ForestKrylov(Krylov::TIGHT),
        Self::NormalDense,
        Self::NormalCg(Krylov::TIGHT),
    ];

    /// The words of those that iterate.
    pub const ITERATIVE: [&'static str; 2] = ["forest-krylov", "normal-cg"];

    /// Whether it starts from the multipliers of the last solve.
    pub(crate) fn warm_starts(&self) -> bool {
        matches!(self, Self::ForestKrylov(options) | Self::NormalCg(options) if options.warm_start)
    }

    pub(crate) const fn is_iterative(&self) -> bool {
        matches!(self, Self::ForestKrylov(_) | Self::NormalCg(_))
    }

    /// When it stops, if it iterates.
    pub const fn krylov(&self) -> Option<Krylov> {
        match self {
            Self::ForestKrylov(krylov) | Self::NormalCg(krylov) => Some(*krylov),
            _ => None,
        }
    }

    /// The same, stopping then, if it iterates.
    pub const fn stopping(self, krylov: Krylov) -> Self {
        match self {
            Self::ForestKrylov(_) => Self::ForestKrylov(krylov),
            Self::NormalCg(_) => Self::NormalCg(krylov),
            other => other,
        }
    }
}

words! {
    Method, "method":
    Self::Direct = Self::Direct, "direct", "Trees and loops in one exact factor.";
    Self::ForestDense = Self::ForestDense, "forest-dense",
        "Trees exact, loops by a dense factor (Baraff 1996).";
    Self::ForestKrylov(_) = Self::ForestKrylov(Krylov::default()), "forest-krylov",
        "Trees exact, loops iterated (Faure 1999).";
    Self::NormalDense = Self::NormalDense, "normal-dense",
        "One dense factor of the normal equations (Witkin 1990, Metaxas 1993).";
    Self::NormalCg(_) = Self::NormalCg(Krylov::default()), "normal-cg",
        "All iterated: conjugate gradients on the normal equations (Faure 1998).";
}

/// When an iterative method stops.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Krylov {
    /// The error that any constraint may keep, relative to the largest without constraint forces.
    pub tolerance: f64,
    /// At most so many iterations.
    pub max_iterations: usize,
    /// Start from the multipliers in the world's state; [`World::set_lambda`] puts them there. Steps
    /// without momentum do so anyway after they were cut short.
    ///
    /// [`World::set_lambda`]: crate::world::World::set_lambda
    pub warm_start: bool,
}

impl Krylov {
    /// To round-off, whatever it costs.
    pub const TIGHT: Self = Self {
        tolerance: 1e-13,
        max_iterations: 100_000,
        warm_start: false,
    };

    /// The same with another tolerance.
    pub const fn with_tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// The same with another number of iterations.
    pub const fn with_max_iterations(self, max_iterations: usize) -> Self {
        Self {
            max_iterations,
            ..self
        }
    }

    /// The same, from the multipliers of the state or from zero.
    pub const fn with_warm_start(self, warm_start: bool) -> Self {
        Self { warm_start, ..self }
    }
}

impl Default for Krylov {
    fn default() -> Self {
        Self {
            tolerance: 1e-9,
            max_iterations: 1000,
            warm_start: false,
        }
    }
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// The equations hold to the method's tolerance.
    #[default]
    Exact,
    /// Constraints contradict each other; their errors are as small as they can be together.
    LeastSquares,
    /// The budget ran out first.
    NotConverged,
}

impl Outcome {
    fn exact_if(is_exact: bool) -> Self {
        if is_exact {
            Self::Exact
        } else {
            Self::NotConverged
        }
    }
}

impl From<Stop> for Outcome {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Converged => Self::Exact,
            Stop::Stationary => Self::LeastSquares,
            Stop::Budget | Stop::Stalled => Self::NotConverged,
        }
    }
}

/// What is asked of a solve; nothing is zero.
#[derive(Debug, Default)]
pub(crate) struct Ask<'a> {
    /// A load on the bodies.
    pub(crate) force: Option<&'a [f64]>,
    /// What the rows must be.
    pub(crate) b: Option<&'a [f64]>,
    /// Multipliers that an iteration begins with.
    pub(crate) warm: Option<&'a [f64]>,
    /// The direction of the last iteration of the same kind, if it was cut short and this one is to go
    /// on with it; zero otherwise. Left for the next.
    pub(crate) direction: Option<&'a mut [f64]>,
    pub(crate) lower: Lower,
    /// At most so many iterations, if there is a limit.
    pub(crate) most: Option<usize>,
    pub(crate) care: Care,
}

/// How far the answer of a factor is corrected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Care {
    /// To round-off.
    #[default]
    Full,
    /// Until it is exact: it says how rows respond, and what they do then is solved for.
    Response,
    /// Until it is exact, of rows that as a rule contradict each other: others that repeat them are open by a little
    /// more or less. What no motion can meet is left out at once, before anything else is tried; the next correction
    /// sees it.
    Correction,
}

impl<'a> Ask<'a> {
    /// The same, begun anew.
    fn anew(&self, lower: Lower) -> Ask<'a> {
        Ask {
            direction: None,
            lower,
            ..*self
        }
    }
}

/// The answer of a solve: `M·y = f + Jᵀ·λ`, `J·y + C·λ = b`.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Solution {
    /// Multipliers, n_rows, in the layout of [`State::lambda`](crate::world::State). The force on
    /// the bodies is `+Jᵀ·λ`.
    pub lambda: Vec<f64>,
    /// The motion `y`, n_v, in the layout of [`State::v`](crate::world::State): accelerations,
    /// velocity corrections or displacements.
    pub motion: Vec<f64>,
    /// Solves with the factor, or iterations; responses for lower priorities included.
    pub iterations: usize,
    /// The true residual of priority 0.
    pub residual: Residual,
    /// Largest error of the lower priorities' rows, in meters (or m/s, m/s²).
    pub lower_error: f64,
    /// How the solve ended.
    pub outcome: Outcome,
}

/// The method underneath: solves the primary rows.
trait Base: Send + Sync {
    /// Factors the numbers of `system`.
    fn factor(&mut self, system: &System);

    /// Solves for what is asked, and says how many iterations it took.
    fn solve(
        &mut self,
        at: (&System, &Topology),
        ask: Ask<'_>,
        meter: &mut Meter<'_>,
        out: &mut Solution,
    );

    fn refinement(&self) -> &Refinement;

    /// When it stops, if it iterates.
    fn krylov(&self) -> Option<&Krylov> {
        None
    }

    /// Whether responses take no iterations: an iterative method has nothing of priority 0 to iterate.
    fn holds_exactly(&self) -> bool {
        false
    }

    /// Block operations of one factor, where they are counted.
    fn n_operations(&self) -> usize {
        0
    }
}

/// What a method keeps is long, and much code to print.
impl fmt::Debug for dyn Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("..")
    }
}

/// A factorization of a system by one method, and everything its solves need.
#[derive(Debug)]
pub(crate) struct Factor {
    base: Box<dyn Base>,
    overlay: overlay::Overlay,
    checker: residual::Checker,
    /// Rows of priority 0, and all rows.
    exact: Vec<u32>,
    all: Vec<u32>,
    force: Vec<f64>,
    scratch: Solution,
    /// The answer of priority 0 by itself.
    alone: Solution,
    /// Lower priorities may join the iterations of priority 0.
    joins: bool,
    overlaid: Overlaid,
    /// The last solve iterated all priorities together.
    is_joined: bool,
}

impl Factor {
    /// Lays out the factor; allocates all it will ever need (but for a fallback order).
    pub(crate) fn new(system: &System, topology: &Topology, method: &Method, order: Order) -> Self {
        let overlay = overlay::Overlay::new(system, topology);
        let lower = overlay.joinable(system);
        let base: Box<dyn Base> = match *method {
            Method::Direct if !light::are_in_loops(system, topology) => {
                Box::new(Direct::new(system, topology, order))
            }
            Method::Direct | Method::ForestDense => {
                Box::new(Dense::new(system, topology, Forest::laid(system, topology)))
            }
            Method::ForestKrylov(options) => {
                let laid = Forest::laid(system, topology);
                Box::new(Iterated::new(system, topology, laid, lower, options))
            }
            Method::NormalDense => {
                let laid = FreeBodies::laid(system, topology);
                Box::new(Dense::new(system, topology, laid))
            }
            Method::NormalCg(options) => {
                let laid = FreeBodies::laid(system, topology);
                Box::new(Iterated::new(system, topology, laid, lower, options))
            }
        };
        let mut all = topology.primary();
        all.extend_from_slice(overlay.constraints());
        sort_indices(&mut all);
        let exact = all
            .iter()
            .copied()
            .filter(|&c| system.constraints[c as usize].priority == 0)
            .collect();
        let (mut force, mut checker) = (Vec::new(), residual::Checker::default());
        let (mut scratch, mut alone) = (Solution::default(), Solution::default());
        if !overlay.is_empty() {
            force.resize(system.n_v(), 0.0);
            checker = residual::Checker::new(system);
            scratch.size(system);
            alone.size(system);
        }
        Self {
            joins: base.is_iterative() && !lower.is_empty(),
            base,
            checker,
            exact,
            all,
            force,
            scratch,
            alone,
            overlaid: Overlaid::NotYet,
            is_joined: false,
            overlay,
        }
    }

    /// Factors the numbers of `system`. What overlays the factor waits until it is asked for.
    pub(crate) fn factor(&mut self, system: &System) {
        self.base.factor(system);
        self.overlaid = Overlaid::NotYet;
    }

    /// Forgets the responses that were found. What a step spends must not depend on the one before.
    pub(crate) fn forget_responses(&mut self) {
        self.overlaid = Overlaid::NotYet;
    }

    /// Solves for what is asked.
    pub(crate) fn solve(
        &mut self,
        system: &System,
        topology: &Topology,
        ask: Ask<'_>,
        meter: &mut Meter<'_>,
        out: &mut Solution,
    ) {
        let before = meter.counted();
        self.is_joined = false;
        out.lower_error = 0.0;
        if self.overlay.is_empty() {
            self.base.answer((system, topology), ask, meter, out);
        } else {
            self.solve_priorities(system, topology, ask, meter, out);
        }
        out.iterations = meter.counted() - before;
        out.outcome = self.base.verified(out, !self.overlay.is_empty());
    }

    /// Whether the last solve iterated all priorities together, because it was cut short.
    pub(crate) fn is_joined(&self) -> bool {
        self.is_joined
    }

    /// Whether solves changed the factor, so that a fresh one would answer with other bits.
    pub(crate) fn is_altered(&self) -> bool {
        self.base.refinement().is_altered()
    }

    /// Block operations of one factor (`Direct` only).
    pub(crate) fn n_operations(&self) -> usize {
        self.base.n_operations()
    }
}

impl dyn Base {
    /// The outcome, by what the residual says rather than by what the method hoped.
    fn verified(&self, out: &Solution, has_overlay: bool) -> Outcome {
        let tolerance = self.krylov().map_or(0.0, |krylov| krylov.tolerance);
        let error = out.residual.rows_relative.max(out.residual.force_relative);
        if !error.is_finite() {
            return Outcome::NotConverged;
        }
        let limit = VERIFIED + VERIFIED_TIMES * tolerance;
        match out.outcome {
            // Rows of the overlay are met in least squares from the start.
            Outcome::Exact if error > limit && has_overlay => Outcome::LeastSquares,
            Outcome::Exact if error > limit => Outcome::NotConverged,
            outcome => outcome,
        }
    }

    /// Solves, and counts what it took.
    fn answer(
        &mut self,
        at: (&System, &Topology),
        mut ask: Ask<'_>,
        meter: &mut Meter<'_>,
        out: &mut Solution,
    ) {
        if let (Some(direction), false) = (&mut ask.direction, self.is_iterative()) {
            direction.fill(0.0);
        }
        self.solve(at, ask, meter, out);
        meter.count(out.iterations);
    }

    /// Whether an iteration ran out of its budget.
    fn is_cut(&self, out: &Solution) -> bool {
        let is_rough = out.residual.rows_relative > ROUGH;
        self.is_iterative() && out.outcome == Outcome::NotConverged && is_rough
    }

    fn is_iterative(&self) -> bool {
        self.krylov().is_some()
    }
}

impl Solution {
    pub(crate) fn sized(system: &System) -> Self {
        let mut out = Self::default();
        out.size(system);
        out
    }

    /// Forgets the answer, and makes room for one of `system`.
    pub(crate) fn size(&mut self, system: &System) {
        let (mut lambda, mut motion) = (take(&mut self.lambda), take(&mut self.motion));
        lambda.clear();
        lambda.resize(system.n_rows(), 0.0);
        motion.clear();
        motion.resize(system.n_v(), 0.0);
        *self = Self {
            lambda,
            motion,
            ..Self::default()
        };
    }
}
