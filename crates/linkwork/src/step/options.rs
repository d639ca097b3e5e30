//! Options of a step.

use crate::equations::{ContactSolver, Method};
use crate::integrate::{Integrator, InteractiveOptions, PreciseOptions, Scheme};
use crate::stabilize::Stabilization;

/// How a step advances a world by one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct StepOptions {
    /// Length of the frame, seconds.
    pub dt: f64,
    /// The scheme.
    pub scheme: Scheme,
    /// The method that solves for multipliers.
    pub method: Method,
    /// The solver of bounded impulses.
    pub contact_solver: ContactSolver,
    /// Limits on the work of a step.
    pub budget: Budget,
}

impl StepOptions {
    /// For dragging and display: joints are closed at every frame, energy is conserved within a few percent at
    /// 1/60 s.
    pub fn interactive(dt: f64) -> Self {
        Self::with(dt, Scheme::Interactive(InteractiveOptions::default()))
    }

    /// For numerical results: error control within the frame, 1e-9 per step.
    pub fn precise(dt: f64) -> Self {
        Self::with(dt, Scheme::Precise(PreciseOptions::default()))
    }

    /// For long runs with short frames: fixed symplectic steps of fourth order.
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

    /// The same options with another frame length.
    pub const fn with_dt(self, dt: f64) -> Self {
        Self { dt, ..self }
    }

    /// The same options with another scheme.
    pub const fn with_scheme(self, scheme: Scheme) -> Self {
        Self { scheme, ..self }
    }

    /// The same options with another method.
    pub const fn by(self, method: Method) -> Self {
        Self { method, ..self }
    }

    /// The same options with another solver of bounded impulses.
    pub const fn with_contact_solver(self, contact_solver: ContactSolver) -> Self {
        Self {
            contact_solver,
            ..self
        }
    }

    /// The same options with another budget.
    pub const fn within(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }
}

/// How much a step may spend: accuracy against time (Faure 1998, §4.3).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Budget {
    /// Largest number of solver iterations, at least one. Iterative methods stop there. A direct solve counts
    /// as one; those that a step needs in order to end are made in any case and not counted.
    pub max_iterations: usize,
    /// Ends the step after this number of iterations, like a deadline at that point. It replays a step that had
    /// a deadline, with equal bits ([`StepReport::effort`](super::StepReport)).
    pub ends_at: usize,
    /// Largest gap of a closed constraint, in meters (angles times a typical length).
    pub tolerance: f64,
}

impl Budget {
    /// The same budget with another number of iterations.
    pub const fn with_max_iterations(self, max_iterations: usize) -> Self {
        Self {
            max_iterations,
            ..self
        }
    }

    /// The same budget, with the number of iterations after which a deadline ended a step.
    pub const fn with_end_at(self, ends_at: usize) -> Self {
        Self { ends_at, ..self }
    }

    /// Largest number of iterations, whichever limit is lower.
    pub(crate) fn most(&self) -> usize {
        self.max_iterations.min(self.ends_at)
    }

    /// The same budget with another tolerance.
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
