//! What a step is asked to do.

use crate::equations::{ContactSolver, Method};
use crate::integrate::{Integrator, InteractiveOptions, PreciseOptions, Scheme};
use crate::stabilize::Stabilization;

/// How a world is moved by one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct StepOptions {
    /// The time to advance by.
    pub dt: f64,
    /// How.
    pub scheme: Scheme,
    /// How multipliers are found.
    pub method: Method,
    /// How impulses in bounds are found.
    pub contact_solver: ContactSolver,
    /// How much may be spent.
    pub budget: Budget,
}

impl StepOptions {
    /// For dragging and display: closed at every frame, energy conserved within a few percent at 1/60 s.
    pub fn interactive(dt: f64) -> Self {
        Self::with(dt, Scheme::Interactive(InteractiveOptions::default()))
    }

    /// For numbers: error-controlled inside the frame, 1e-9 per step.
    pub fn precise(dt: f64) -> Self {
        Self::with(dt, Scheme::Precise(PreciseOptions::default()))
    }

    /// Fixed fourth-order symplectic steps, for long runs at small steps.
    pub fn symplectic4(dt: f64) -> Self {
        Self::with(dt, Scheme::Symplectic4)
    }

    /// An integrator and a stabilization of the papers.
    pub fn parts(dt: f64, integrator: Integrator, stabilization: Stabilization) -> Self {
        Self::with(
            dt,
            Scheme::Parts {
                integrator,
                stabilization,
            },
        )
    }

    fn with(dt: f64, scheme: Scheme) -> Self {
        Self {
            dt,
            scheme,
            method: Method::Direct,
            contact_solver: ContactSolver::default(),
            budget: Budget::default(),
        }
    }

    /// The same over another time.
    pub const fn with_dt(self, dt: f64) -> Self {
        Self { dt, ..self }
    }

    /// The same by another scheme.
    pub const fn with_scheme(self, scheme: Scheme) -> Self {
        Self { scheme, ..self }
    }

    /// The same with another method.
    pub const fn by(self, method: Method) -> Self {
        Self { method, ..self }
    }

    /// The same with another solver of impulses in bounds.
    pub const fn with_contact_solver(self, contact_solver: ContactSolver) -> Self {
        Self {
            contact_solver,
            ..self
        }
    }

    /// The same with another budget.
    pub const fn within(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }
}

/// How much a step may spend: accuracy against time (Faure 1998, §4.3).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Budget {
    /// At most so many iterations of the solver; at least one. Iterative methods stop there. A direct solve
    /// is one iteration, and those that a step cannot end without follow uncounted.
    pub max_iterations: usize,
    /// Ends after so many iterations as if a deadline had fallen there: how a step with a deadline is made again
    /// to the bit ([`StepReport::effort`](super::StepReport)).
    pub ends_at: usize,
    /// Constraints closed to this, in meters (or radians times a typical length), are good enough.
    pub tolerance: f64,
}

impl Budget {
    /// The same with another number of iterations.
    pub const fn with_max_iterations(self, max_iterations: usize) -> Self {
        Self {
            max_iterations,
            ..self
        }
    }

    /// The same, ended after so many iterations as a deadline ended it.
    pub const fn with_end_at(self, ends_at: usize) -> Self {
        Self { ends_at, ..self }
    }

    /// The most iterations that may be made.
    pub(crate) fn most(&self) -> usize {
        self.max_iterations.min(self.ends_at)
    }

    /// The same with another tolerance.
    pub const fn with_tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            max_iterations: usize::MAX,
            ends_at: usize::MAX,
            tolerance: 1e-9,
        }
    }
}
