//! Small fixed-size vectors, matrices and rotations, as plain arrays.
//!
//! Everything here is `f64`, row-major and free of frames: names at the call site carry those.
//! Transcendental functions come from `libm`, so that native and WASM builds give the same bits;
//! `sqrt` is exact in IEEE 754 and may come from the standard library.

mod matrix;
mod rotation;
mod symmetric;
mod vector;

pub use matrix::*;
pub use rotation::*;
pub use symmetric::*;
pub use vector::*;
