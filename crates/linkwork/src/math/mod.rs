//! Small fixed-size vectors, matrices and rotations, as plain arrays.
//!
//! Everything here is `f64` and row-major, without frames: names at the call site carry the frames.
//! Transcendental functions come from `libm`, so that native and WASM builds give the same bits;
//! `sqrt` is exact in IEEE 754 and may come from the standard library.
//!
//! # From and to glam and nalgebra
//!
//! Vectors are `[f64; 3]`, which both crates read and write. A [`Quat`] is `[w, x, y, z]`; both crates
//! store `[x, y, z, w]`, so go through [`quat_from_xyzw`] and [`quat_to_xyzw`]. A [`Mat3`] is an array
//! of rows, and both crates take columns: transpose it.
//!
//! ```
//! use linkwork::math::{quat_from_xyzw, quat_to_matrix, quat_to_xyzw, transpose};
//! use linkwork::prelude::*;
//!
//! # fn main() -> Result<(), Error> {
//! let turn = glam::DQuat::from_rotation_z(0.3);
//! let pose = Pose { position: glam::DVec3::Y.into(), rotation: quat_from_xyzw(turn.to_array()) };
//!
//! let rotation = glam::DQuat::from_array(quat_to_xyzw(pose.rotation));
//! let matrix = glam::DMat3::from_cols_array_2d(&transpose(&quat_to_matrix(pose.rotation)));
//! let tip = rotation * glam::DVec3::X + glam::DVec3::from(pose.position);
//! assert!((tip - (matrix * glam::DVec3::X + glam::DVec3::Y)).length() < 1e-15);
//!
//! let rotation = nalgebra::Quaternion::from(quat_to_xyzw(pose.rotation));
//! let rotation = nalgebra::UnitQuaternion::from_quaternion(rotation);
//! let moved = rotation * nalgebra::Vector3::x() + nalgebra::Vector3::from(pose.position);
//! assert!((moved - nalgebra::Vector3::from(tip.to_array())).norm() < 1e-15);
//! # Ok(()) }
//! ```

mod elliptic;
mod matrix;
mod rotation;
mod symmetric;
mod vector;

pub(crate) use elliptic::Elliptic;
pub use matrix::*;
pub use rotation::*;
pub(crate) use symmetric::sym_is_positive;
pub use symmetric::*;
pub use vector::*;
pub(crate) use vector::{axis_across, complete_basis_by};
