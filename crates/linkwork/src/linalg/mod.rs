//! The dense linear algebra the engine needs, and no more.

pub(crate) mod dense;
pub(crate) mod krylov;
pub(crate) mod small;
mod tolerances;
mod view;

pub use view::MatMut;
