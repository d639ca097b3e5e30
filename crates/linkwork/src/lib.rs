//! Constrained dynamics you can build and hold.

pub mod behavior;
pub mod body;
pub mod connector;
pub mod constraint;
pub mod error;
pub mod linalg;
pub mod math;
pub mod world;

pub use error::Error;

/// What most programs use.
pub mod prelude {
    pub use crate::behavior::*;
    pub use crate::body::*;
    pub use crate::connector::*;
    pub use crate::constraint::*;
    pub use crate::error::{Error, Invalid};
    pub use crate::world::*;
}
