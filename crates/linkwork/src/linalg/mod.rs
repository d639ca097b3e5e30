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

/// Copies of a struct reuse the buffers of what they overwrite: steps copy states and systems, and allocate nothing.
/// Every field is named; the compiler refuses a list that lacks one.
macro_rules! clone_in_room {
    ($type:ident { $($field:ident),* $(,)? }) => {
        impl Clone for $type {
            fn clone(&self) -> Self {
                let mut out = Self::default();
                out.clone_from(self);
                out
            }

            fn clone_from(&mut self, from: &Self) {
                let Self { $($field),* } = from;
                $(self.$field.clone_from($field);)*
            }
        }
    };
}
pub(crate) use clone_in_room;

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
