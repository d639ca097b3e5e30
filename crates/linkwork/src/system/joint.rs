//! Frame pairs between rigid bodies in compact form, and products with their rows.
//!
//! A ball joint is its two lever arms, another frame pair is its rows `T`, `G` and the arms. A pin between
//! planar bodies is its arms rotated by a right angle, `E·r = (−r_y, r_x)`:
//!
//! ```text
//!     J_b = [ T  −T·[r_b]× ]      J_a = −[ T  −T·[r_a]× ]      pin: J_b = [ 1  E·r_b ]
//!           [ 0       G    ]             [ 0       G    ]
//! ```

use crate::math::{Vec3, add, cross, dot, neg, scale, sub};
use crate::topology::NONE;

/// A ball joint between rigid bodies: rows in world axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BallJoint {
    /// Bodies and the first index of their velocities, or `NONE` for bodies without coordinates.
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) v0_a: u32,
    pub(crate) v0_b: u32,
    pub(crate) r_a: Vec3,
    pub(crate) r_b: Vec3,
}

/// Another frame pair between rigid bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameJoint {
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) v0_a: u32,
    pub(crate) v0_b: u32,
    pub(crate) n_t: u8,
    pub(crate) n_r: u8,
    pub(crate) r_a: Vec3,
    pub(crate) r_b: Vec3,
    /// Translation rows, orthonormal; all three axes when `n_t` is three.
    pub(crate) t: [Vec3; 3],
    /// Rotation rows.
    pub(crate) g: [Vec3; 3],
}

/// A pin between planar bodies: rows in world axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PinJoint {
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) v0_a: u32,
    pub(crate) v0_b: u32,
    /// `E·r` of both sides.
    pub(crate) e_a: [f64; 2],
    pub(crate) e_b: [f64; 2],
}

impl PinJoint {
    /// Relative velocity of the two points.
    #[inline(always)]
    pub(crate) fn motion(&self, y: &[f64]) -> [f64; 2] {
        let (a, b) = (
            point_in_plane(y, self.v0_a, self.e_a),
            point_in_plane(y, self.v0_b, self.e_b),
        );
        [b[0] - a[0], b[1] - a[1]]
    }

    /// `f ← f + Jᵀ·λ`.
    #[inline(always)]
    pub(crate) fn add_force(&self, lambda: [f64; 2], f: &mut [f64]) {
        let [x, y] = lambda;
        for (v0, [e_x, e_y], sign) in [(self.v0_a, self.e_a, -1.0), (self.v0_b, self.e_b, 1.0)] {
            if v0 != NONE {
                let f = &mut f[v0 as usize..v0 as usize + 3];
                f[0] += sign * x;
                f[1] += sign * y;
                f[2] += sign * (e_x * x + e_y * y);
            }
        }
    }
}

/// The velocity of a point of a planar body, `v + θ̇·E·r`; zero for `NONE`.
#[inline(always)]
pub(crate) fn point_in_plane(y: &[f64], v0: u32, e: [f64; 2]) -> [f64; 2] {
    if v0 == NONE {
        return [0.0; 2];
    }
    let y = &y[v0 as usize..v0 as usize + 3];
    [y[0] + e[0] * y[2], y[1] + e[1] * y[2]]
}

impl BallJoint {
    /// Relative velocity of the two points.
    #[inline(always)]
    pub(crate) fn motion(&self, y: &[f64]) -> Vec3 {
        let ((v_a, w_a), (v_b, w_b)) = (twist(y, self.v0_a), twist(y, self.v0_b));
        sub(
            add(v_b, cross(w_b, self.r_b)),
            add(v_a, cross(w_a, self.r_a)),
        )
    }

    /// `f ← f + Jᵀ·λ`.
    #[inline(always)]
    pub(crate) fn add_force(&self, lambda: Vec3, f: &mut [f64]) {
        add_wrench(f, self.v0_a, neg(lambda), neg(cross(self.r_a, lambda)));
        add_wrench(f, self.v0_b, lambda, cross(self.r_b, lambda));
    }
}

impl FrameJoint {
    /// Relative velocity at the joint and relative spin.
    #[inline(always)]
    pub(super) fn motion(&self, y: &[f64]) -> (Vec3, Vec3) {
        let ((v_a, w_a), (v_b, w_b)) = (twist(y, self.v0_a), twist(y, self.v0_b));
        let velocity = sub(
            add(v_b, cross(w_b, self.r_b)),
            add(v_a, cross(w_a, self.r_a)),
        );
        (velocity, sub(w_b, w_a))
    }

    pub(crate) fn n_rows(&self) -> usize {
        (self.n_t + self.n_r) as usize
    }

    /// `T·v`; the rows are the world's axes when all three are held.
    #[inline(always)]
    pub(crate) fn translation(&self, v: Vec3) -> Vec3 {
        if self.n_t == 3 {
            return v;
        }
        [dot(self.t[0], v), dot(self.t[1], v), dot(self.t[2], v)]
    }

    /// `Tᵀ·x`.
    #[inline(always)]
    pub(crate) fn translation_transposed(&self, x: &[f64]) -> Vec3 {
        if self.n_t == 3 {
            return [x[0], x[1], x[2]];
        }
        let mut out = [0.0; 3];
        for k in 0..self.n_t as usize {
            out = add(out, scale(x[k], self.t[k]));
        }
        out
    }

    /// Force and couple of multipliers: `Tᵀ·λ_t`, `Gᵀ·λ_r`.
    #[inline(always)]
    pub(crate) fn wrench(&self, lambda: &[f64]) -> (Vec3, Vec3) {
        let n_t = self.n_t as usize;
        let force = self.translation_transposed(lambda);
        let mut couple = [0.0; 3];
        for k in 0..self.n_r as usize {
            couple = add(couple, scale(lambda[n_t + k], self.g[k]));
        }
        (force, couple)
    }

    /// The rotation rows' dual basis: `Gᵈ` with `Gᵈ·Gᵀ = 1` in the span of `G`.
    #[inline(always)]
    pub(crate) fn dual_g(&self) -> [Vec3; 3] {
        let g = &self.g;
        match self.n_r {
            0 => [[0.0; 3]; 3],
            1 => [scale(1.0 / dot(g[0], g[0]), g[0]), [0.0; 3], [0.0; 3]],
            2 => {
                let (a, b, c) = (dot(g[0], g[0]), dot(g[0], g[1]), dot(g[1], g[1]));
                let inv_det = 1.0 / (a * c - b * b);
                [
                    scale(inv_det, sub(scale(c, g[0]), scale(b, g[1]))),
                    scale(inv_det, sub(scale(a, g[1]), scale(b, g[0]))),
                    [0.0; 3],
                ]
            }
            _ => {
                let inv_det = 1.0 / dot(g[0], cross(g[1], g[2]));
                [
                    scale(inv_det, cross(g[1], g[2])),
                    scale(inv_det, cross(g[2], g[0])),
                    scale(inv_det, cross(g[0], g[1])),
                ]
            }
        }
    }
}

/// A rigid body's part of a motion: velocity of the center of mass and ω; zero for `NONE`.
#[inline(always)]
fn twist(y: &[f64], v0: u32) -> (Vec3, Vec3) {
    if v0 == NONE {
        return ([0.0; 3], [0.0; 3]);
    }
    let y = &y[v0 as usize..v0 as usize + 6];
    ([y[0], y[1], y[2]], [y[3], y[4], y[5]])
}

#[inline(always)]
pub(super) fn add_wrench(f: &mut [f64], v0: u32, force: Vec3, torque: Vec3) {
    if v0 == NONE {
        return;
    }
    let f = &mut f[v0 as usize..v0 as usize + 6];
    for k in 0..3 {
        f[k] += force[k];
        f[3 + k] += torque[k];
    }
}
