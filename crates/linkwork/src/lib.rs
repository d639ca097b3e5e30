//! An engine for interactive constrained dynamics.
//!
//! Everything is built on one linear system:
//!
//! ```text
//!     [  M  −Jᵀ ] [ y ]   [  f ]        M·y = f + Jᵀ·λ
//!     [ −J  −C  ] [ λ ] = [ −b ]        J·y + C·λ = b
//! ```
//!
//! Data flow one way: [`world`] (what the user described, and the state) → [`topology`] (integers) →
//! [`system`] (the numbers of one instant) → [`solve`] (λ and the motion) → [`integrate`] and
//! [`stabilize`] (the next state) → [`output`] (forces, energies, errors by the user's names).
//! [`simulator::Simulator`] runs these stages, and its [`step`](simulator::Simulator::step) writes the
//! next state to the world once, at the end. [`diagnose::diagnose`] reports degrees of freedom,
//! redundant and contradicting constraints.
//!
//! ```
//! use linkwork::prelude::*;
//!
//! # fn main() -> Result<(), Error> {
//! let mut world = World::with_gravity([0.0, -9.81, 0.0])?;
//! let weight = world.add_body("weight", Sphere { radius: 0.1, mass: 2.0 })?;
//! let hook = world.join("hook", Ball, GROUND.at([0.0, 0.1, 0.0]), weight.at([0.0, 0.1, 0.0]))?;
//!
//! let mut simulator = Simulator::new();
//! let solution = simulator.accelerations(&world, Method::Direct);
//! // The hook carries the weight: λ is the force on the second body.
//! assert!((solution.of_constraint(&world, hook)?[1] - 2.0 * 9.81).abs() < 1e-12);
//! # Ok(()) }
//! ```

pub mod assembly;
pub mod behavior;
pub mod body;
pub mod connector;
pub mod constraint;
pub mod diagnose;
mod equations;
pub mod error;
mod frame;
mod id;
pub mod integrate;
pub mod linalg;
pub mod math;
pub mod output;
pub mod simulator;
pub mod solve;
mod springs;
pub mod stabilize;
pub mod step;
pub mod system;
pub mod topology;
mod words;
pub mod world;

pub use error::Error;

/// What most programs use.
pub mod prelude {
    pub use crate::assembly::{
        AssembleOptions, AssemblyOutcome, AssemblyProgress, AssemblyReport, ConstraintResidual,
    };
    pub use crate::behavior::*;
    pub use crate::body::*;
    pub use crate::connector::*;
    pub use crate::constraint::*;
    pub use crate::diagnose::{Diagnosis, diagnose};
    pub use crate::error::Error;
    pub use crate::integrate::Integrator;
    pub use crate::output::*;
    pub use crate::simulator::{Simulator, SolveOptions};
    pub use crate::solve::{Krylov, Method, Outcome, Solution};
    pub use crate::stabilize::Stabilization;
    pub use crate::step::*;
    pub use crate::system::Motion;
    pub use crate::world::*;
}

/// The README's example is tested like any other.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
