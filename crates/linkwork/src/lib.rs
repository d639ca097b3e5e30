//! Constrained dynamics you can build and hold.

pub mod assemble;
pub mod behavior;
pub mod body;
pub mod connector;
pub mod constraint;
pub mod diagnose;
pub mod error;
pub mod linalg;
pub mod math;
pub mod output;
pub mod simulator;
pub mod solve;
pub mod topology;
pub mod world;

pub use error::Error;

/// What most programs use.
pub mod prelude {
    pub use crate::assemble::Motion;
    pub use crate::behavior::*;
    pub use crate::body::*;
    pub use crate::connector::*;
    pub use crate::constraint::*;
    pub use crate::diagnose::{Diagnosis, diagnose};
    pub use crate::error::{Error, Invalid};
    pub use crate::output::*;
    pub use crate::simulator::{Simulator, SolveOptions};
    pub use crate::solve::{Krylov, Method, Outcome, Solution};
    pub use crate::world::*;
}
