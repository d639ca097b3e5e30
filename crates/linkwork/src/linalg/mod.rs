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

/// Whether two lists are the same to the last bit.
pub(crate) fn is_same(a: &[f64], b: &[f64]) -> bool {
    let mut pairs = a.iter().zip(b);
    a.len() == b.len() && pairs.all(|(a, b)| a.to_bits() == b.to_bits())
}

/// Makes a buffer `n` long; what was in it has no meaning any more.
///
/// Room that is new is zeros of the system's, which take no memory until they are written: buffers of rungs that are
/// never taken cost nothing.
pub(crate) fn size(buffer: &mut Vec<f64>, n: usize) {
    if buffer.capacity() < n {
        *buffer = Vec::new();
        *buffer = vec![0.0; n];
    }
    buffer.resize(n, 0.0);
}
