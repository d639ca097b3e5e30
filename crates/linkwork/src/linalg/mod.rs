//! The linear algebra the engine needs, and no more.

pub(crate) mod blocks;
pub(crate) mod bounded;
pub(crate) mod dense;
pub(crate) mod eigen;
pub(crate) mod krylov;
pub(crate) mod order;
pub(crate) mod small;
pub(crate) mod sparse;
mod tolerances;
mod view;

pub use view::MatMut;

/// Makes a buffer `n` long; what was in it has no meaning any more.
pub(crate) fn size(buffer: &mut Vec<f64>, n: usize) {
    buffer.resize(n, 0.0);
}
