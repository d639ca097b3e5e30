//! The schemes by name, and their options.

use super::Integrator;
use crate::stabilize::Stabilization;
use crate::words::words;

/// The scheme of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scheme {
    /// Guarded RATTLE: second order, symplectic unless frames are split, one factor a sub-step.
    Interactive(InteractiveOptions),
    /// Dormand–Prince 5(4) on accelerations, projected after every step.
    Precise(PreciseOptions),
    /// Suzuki's composition of five RATTLE steps: fourth order, symplectic, split only where motion whips.
    Symplectic4,
    /// One integrator and one stabilization.
    Parts {
        /// The integrator.
        integrator: Integrator,
        /// The stabilization.
        stabilization: Stabilization,
    },
}

impl Scheme {
    /// Whether it is a preset, which closes joints and checks energy, not a scheme of the papers.
    pub const fn is_preset(&self) -> bool {
        !matches!(self, Self::Parts { .. })
    }
}

words! {
    Scheme, "preset":
    Self::Interactive(_) = Self::Interactive(InteractiveOptions::default()), "interactive",
        "For dragging and display: second order, closed at every frame, sub-steps where motion is fast.";
    Self::Precise(_) = Self::Precise(PreciseOptions::default()), "precise",
        "For accurate results: error control inside the frame.";
    Self::Symplectic4 = Self::Symplectic4, "symplectic4",
        "For long runs: fourth order, symplectic, with fixed steps.";
    Self::Parts { .. } = Self::Parts { integrator: Integrator::Rk4, stabilization: Stabilization::POST },
        "parts", "An integrator and a stabilization of the papers.";
}

/// The guards of [`Scheme::Interactive`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct InteractiveOptions {
    /// A frame is split into at most `2^max_depth` sub-steps, twice as many where rotors need it or steps are
    /// judged from both ends; zero means never.
    pub max_depth: u8,
}

impl InteractiveOptions {
    /// The same options with another depth.
    pub const fn with_max_depth(self, max_depth: u8) -> Self {
        Self { max_depth, ..self }
    }
}

impl Default for InteractiveOptions {
    fn default() -> Self {
        Self { max_depth: 5 }
    }
}

/// The error control of [`Scheme::Precise`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PreciseOptions {
    /// Largest local error of a step (m, rad; velocities relative to 1 + |v|); below 1e-12 round-off
    /// decides, and 1e-12 is taken. `None` takes the whole frame in one step.
    pub tolerance: Option<f64>,
}

impl PreciseOptions {
    /// For references: 1e-12 per step.
    pub const TIGHT: Self = Self {
        tolerance: Some(1e-12),
    };

    /// The same options with another tolerance.
    pub const fn with_tolerance(self, tolerance: Option<f64>) -> Self {
        Self { tolerance, ..self }
    }
}

impl Default for PreciseOptions {
    fn default() -> Self {
        Self {
            tolerance: Some(1e-9),
        }
    }
}
