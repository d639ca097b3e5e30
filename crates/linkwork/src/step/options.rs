//! What a step is asked to do.

use crate::integrate::Integrator;
use crate::solve::Method;
use crate::stabilize::Stabilization;
use crate::words::words;

/// How a world is moved by one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepOptions {
    /// The time to advance by.
    pub dt: f64,
    /// How.
    pub scheme: Scheme,
    /// How multipliers are found.
    pub method: Method,
    /// How much may be spent.
    pub budget: Budget,
}

impl StepOptions {
    /// For hands and eyes: closed at every frame, energy kept within a few per cent at 1/60 s.
    pub fn interactive(dt: f64) -> Self {
        Self::with(dt, Scheme::Interactive(Interactive::default()))
    }

    /// For numbers: error-controlled inside the frame, 1e-9 per step.
    pub fn precise(dt: f64) -> Self {
        Self::with(dt, Scheme::Precise(Precise::default()))
    }

    /// Fixed fourth-order symplectic steps, for long runs at small steps.
    pub fn symplectic4(dt: f64) -> Self {
        Self::with(dt, Scheme::Symplectic4)
    }

    /// An integrator and a stabilisation of the papers.
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
            budget: Budget::default(),
        }
    }

    /// The same with another method.
    pub fn by(self, method: Method) -> Self {
        Self { method, ..self }
    }

    /// The same with another budget.
    pub fn within(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }
}

/// How a frame is integrated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scheme {
    /// Guarded RATTLE: second order, symplectic while it need not split, one factor a sub-step.
    Interactive(Interactive),
    /// Dormand–Prince 5(4) on accelerations, projected after every step.
    Precise(Precise),
    /// Suzuki's composition of five RATTLE steps: fourth order, symplectic, no step control.
    Symplectic4,
    /// One integrator and one stabilisation.
    Parts {
        /// How accelerations become motion.
        integrator: Integrator,
        /// What keeps the constraints.
        stabilization: Stabilization,
    },
}

words! {
    Scheme, "preset":
    Self::Interactive(_) = Self::Interactive(Interactive::default()), "interactive",
        "For hands and eyes: second order, closed at every frame, splits frames where motion whips.";
    Self::Precise(_) = Self::Precise(Precise::default()), "precise",
        "For numbers: error control inside the frame.";
    Self::Symplectic4 = Self::Symplectic4, "symplectic4", "Fixed steps of fourth order, symplectic.";
    Self::Parts { .. } = Self::Parts { integrator: Integrator::Rk4, stabilization: Stabilization::PROJECT },
        "parts", "An integrator and a stabilization of the papers.";
}

/// The guards of [`Scheme::Interactive`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interactive {
    /// A frame is split into at most `2^max_level` sub-steps; zero means never.
    pub max_level: u8,
}

impl Default for Interactive {
    fn default() -> Self {
        Self { max_level: 5 }
    }
}

/// The error control of [`Scheme::Precise`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precise {
    /// Largest local error of a step (m, rad; velocities relative to 1 + |v|); `None` takes the
    /// whole frame in one step.
    pub tolerance: Option<f64>,
}

impl Precise {
    /// For references: 1e-12 per step.
    pub const TIGHT: Self = Self {
        tolerance: Some(1e-12),
    };
}

impl Default for Precise {
    fn default() -> Self {
        Self {
            tolerance: Some(1e-9),
        }
    }
}

/// How much a step may spend: accuracy against time (Faure 1998, §4.3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// At most so many iterations of the solver; at least one. Iterative methods stop there. A direct solve
    /// is one iteration, and those that a step cannot end without follow uncounted.
    pub max_iterations: usize,
    /// Constraints closed to this, in metres (or radians times a typical length), are good enough.
    pub tolerance: f64,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            max_iterations: usize::MAX,
            tolerance: 1e-9,
        }
    }
}
