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

/// Largest number of rows of a constraint; larger ones are refused when they are added.
pub(crate) const MAX_ROWS: usize = crate::system::MAX_ROWS;

/// The method that solves for multipliers.
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
    /// All methods, the iterative ones to round-off.
    pub const ALL: [Self; 5] = [
        Self::Direct,
        Self::ForestDense,
        Self::ForestKrylov(Krylov::TIGHT),
        Self::NormalDense,
        Self::NormalCg(Krylov::TIGHT),
    ];

    /// The words of iterative methods.
    pub const ITERATIVE: [&'static str; 2] = ["forest-krylov", "normal-cg"];

    /// Whether it starts from the multipliers of the last solve.
    pub(crate) fn warm_starts(&self) -> bool {
        matches!(self, Self::ForestKrylov(options) | Self::NormalCg(options) if options.warm_start)
    }

    pub(crate) const fn is_iterative(&self) -> bool {
        matches!(self, Self::ForestKrylov(_) | Self::NormalCg(_))
    }

    /// The stopping criterion, if it iterates.
    pub const fn krylov(&self) -> Option<Krylov> {
        match self {
            Self::ForestKrylov(krylov) | Self::NormalCg(krylov) => Some(*krylov),
            _ => None,
        }
    }

    /// The same method with another stopping criterion, if it iterates.
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

/// The stopping criterion of an iterative method.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Krylov {
    /// Largest error of any constraint, relative to the largest error without constraint forces.
    pub tolerance: f64,
    /// Largest number of iterations.
    pub max_iterations: usize,
    /// Whether to start from the multipliers in the world's state, which [`World::set_lambda`] can set. Steps
    /// without momentum do so in any case after they were cut short.
    ///
    /// [`World::set_lambda`]: crate::world::World::set_lambda
    pub warm_start: bool,
}

impl Krylov {
    /// To round-off, at any cost.
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

    /// The same, started from the multipliers of the state or from zero.
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
    /// Constraints contradict each other and are met in least squares.
    LeastSquares,
    /// The budget was used up first.
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

/// The inputs of a solve; what is not given is zero.
#[derive(Debug, Default)]
pub(crate) struct Ask<'a> {
    /// A load on the bodies.
    pub(crate) force: Option<&'a [f64]>,
    /// The right-hand side of the rows.
    pub(crate) b: Option<&'a [f64]>,
    /// Multipliers with which an iteration starts.
    pub(crate) warm: Option<&'a [f64]>,
    /// The direction of the last iteration of the same kind, if that was cut short and this one continues it;
    /// otherwise zero. Updated for the next.
    pub(crate) direction: Option<&'a mut [f64]>,
    pub(crate) lower: Lower,
    /// Largest number of iterations, if limited.
    pub(crate) most: Option<usize>,
    pub(crate) care: Care,
}

/// How far the answer of a factor is refined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Care {
    /// To round-off.
    #[default]
    Full,
    /// A response of rows: until it is exact enough that the final solve corrects the rest.
    Response,
    /// A correction of rows that usually contradict each other, because redundant rows are open by slightly
    /// different amounts. The part that no motion can meet is left out at once, before other factors are tried;
    /// the next correction finds it again.
    Correction,
}

impl<'a> Ask<'a> {
    /// The same request for a new solve.
    fn anew(&self, lower: Lower) -> Ask<'a> {
        Ask {
            direction: None,
            lower,
            ..*self
        }
    }
}

/// The solution of `M·y = f + Jᵀ·λ`, `J·y + C·λ = b`.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Solution {
    /// Multipliers, n_rows, in the layout of [`State::lambda`](crate::world::State). The force on
    /// the bodies is `+Jᵀ·λ`.
    pub lambda: Vec<f64>,
    /// The motion `y`, n_v, in the layout of [`State::v`](crate::world::State): accelerations,
    /// velocity corrections or displacements.
    pub motion: Vec<f64>,
    /// Solves with the factor, or iterations, including responses for lower priorities.
    pub iterations: usize,
    /// The true residual of priority 0.
    pub residual: Residual,
    /// Largest error of the lower priorities' rows, in meters (or m/s, m/s²).
    pub lower_error: f64,
    /// How the solve ended.
    pub outcome: Outcome,
}

/// A method, for the primary rows.
trait Base: Send + Sync {
    /// Factors the numbers of `system`.
    fn factor(&mut self, system: &System);

    /// Solves, and counts the iterations.
    fn solve(
        &mut self,
        at: (&System, &Topology),
        ask: Ask<'_>,
        meter: &mut Meter<'_>,
        out: &mut Solution,
    );

    fn refinement(&self) -> &Refinement;

    /// The stopping criterion, if it iterates.
    fn krylov(&self) -> Option<&Krylov> {
        None
    }

    /// Whether responses take no iterations, because no row of priority 0 is iterated.
    fn holds_exactly(&self) -> bool {
        false
    }

    /// Block operations of one factor, if counted.
    fn n_operations(&self) -> usize {
        0
    }
}

/// The contents are long, and would need much code to print.
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
    /// The solution of priority 0 alone.
    alone: Solution,
    /// Whether lower priorities may join the iterations of priority 0.
    joins: bool,
    overlaid: Overlaid,
    /// Whether the last solve iterated all priorities together.
    is_joined: bool,
}

impl Factor {
    /// Lays out the factor and allocates all it needs, except for a fallback order.
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

    /// Factors the numbers of `system`. The overlay is factored when it is first needed.
    pub(crate) fn factor(&mut self, system: &System) {
        self.base.factor(system);
        self.overlaid = Overlaid::NotYet;
    }

    /// Forgets known responses, so that the cost of a step does not depend on the one before.
    pub(crate) fn forget_responses(&mut self) {
        self.overlaid = Overlaid::NotYet;
    }

    /// Solves.
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

    /// Whether solves changed the factor, so that a new one would give other bits.
    pub(crate) fn is_altered(&self) -> bool {
        self.base.refinement().is_altered()
    }

    /// Block operations of one factor (`Direct` only).
    pub(crate) fn n_operations(&self) -> usize {
        self.base.n_operations()
    }
}

impl dyn Base {
    /// The outcome, judged by the residual, not by the method.
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

    /// Solves, and counts the work.
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

    /// Whether an iteration used up its budget.
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

    /// Clears the solution, and sizes it for `system`.
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
