//! How rigid bodies turn over a flight, to first order in what they begin it with.
//!
//! A body with momentum L flies on with `ω(t) = I(t)⁻¹·L`. Of one with two equal moments I_p, and I_a about its axis a,
//! the axis precesses about L by `ψ = t·L/I_p`, and the spin about it is constant. So a change δL turns it after t by
//!
//! ```text
//!     t·A·δL,   A = D/I_p + (1/I_a − 1/I_p)·a(t)·a(0)ᵀ,   D = the mean of rotations by 0 … ψ
//! ```
//!
//! Up to terms of ψ² relative to I_p, and none of them over I_a, its inverse takes `I(t)·δ` apart: the part along a(t)
//! goes along the bisector b of a(0) and a(t), the part across it turns back with the axis. Thin bodies need both: L
//! along a(t) instead would give them a spin of `ψ·I_p/I_a` times what was meant.

use super::layout::Layout;
use crate::math::{
    Mat3, Sym3, Vec3, add, dot, mat_mul, mat_t_vec, mat_vec, norm, quat_to_matrix, scale, sub,
    sym_inverse, sym_vec, transpose,
};

impl Layout {
    /// `out ← I(q)·y` for what rigid bodies turn by.
    pub(crate) fn turn_momenta(&self, q: &[f64], y: &[f64], out: &mut [f64]) {
        for (at, source) in self.rigid.iter().enumerate() {
            let momentum = times(
                &source.inertia_body,
                &self.rotation(at, q),
                self.turn_of(at, y),
            );
            self.set_turn(at, out, momentum);
        }
    }

    /// What the turning of rigid bodies must change by where a flight begins, so that what it turns them to where it
    /// is now changes by its duration times `y`: `out ← I(start)⁻¹·A⁻¹·y`.
    pub(crate) fn kick_turns(&self, (start, now): (&[f64], &[f64]), y: &[f64], out: &mut [f64]) {
        for (at, source) in self.rigid.iter().enumerate() {
            let least = self.principal[at].least_axis();
            let (rotation, rotation_now) = (self.rotation(at, start), self.rotation(at, now));
            let (axis, axis_now) = (mat_vec(&rotation, least), mat_vec(&rotation_now, least));
            let momentum = times(&source.inertia_body, &rotation_now, self.turn_of(at, y));
            let sum = add(axis, axis_now);
            let along = dot(axis_now, momentum);
            let across = sub(momentum, scale(along, axis_now));
            let back = sub(across, scale(2.0 * dot(axis, across) / dot(sum, sum), sum));
            let momentum = add(scale(along / norm(sum), sum), back);
            let kick = times(&sym_inverse(&source.inertia_body), &rotation, momentum);
            self.set_turn(at, out, kick);
        }
    }

    /// The rotation of a rigid body from one place to another.
    pub(crate) fn turn(&self, at: u32, (from, to): (&[f64], &[f64])) -> Mat3 {
        let at = at as usize;
        mat_mul(&self.rotation(at, to), &transpose(&self.rotation(at, from)))
    }

    fn rotation(&self, at: usize, q: &[f64]) -> Mat3 {
        let q = &q[self.rigid[at].q0 as usize + 3..];
        quat_to_matrix([q[0], q[1], q[2], q[3]])
    }

    fn turn_of(&self, at: usize, y: &[f64]) -> Vec3 {
        let y = &y[self.rigid[at].v0 as usize + 3..];
        [y[0], y[1], y[2]]
    }

    fn set_turn(&self, at: usize, out: &mut [f64], turn: Vec3) {
        let v0 = self.rigid[at].v0 as usize;
        out[v0 + 3..v0 + 6].copy_from_slice(&turn);
    }
}

/// `R·S·Rᵀ·x`.
fn times(s: &Sym3, rotation: &Mat3, x: Vec3) -> Vec3 {
    mat_vec(rotation, sym_vec(s, mat_t_vec(rotation, x)))
}
