//! Frame pairs of the typed pools: their rows at one instant, without a dense block of `J`.
//!
//! ```text
//!     ball    c = x_b − x_a      ċ = ẋ_b − ẋ_a      γ = ℓ_b − ℓ_a
//!     other   c, ċ, γ, T, G as `FramePair` gives them, then
//!             γ_t ← γ_t + T·(ℓ_b − ℓ_a − α_a × arm_a)      γ_r ← γ_r + G·(α_b − α_a)
//! ```
//!
//! with α the prescribed part of a frame's angular acceleration, and arm_a from the origin of frame a
//! to that of frame b, where its point is not held.

use super::fill::Filler;
use super::layout::Layout;
use super::numbers::System;
use crate::constraint::{PairRows, axis_rows};
use crate::math::{Vec3, add, cross, dot, sub};
use crate::topology::NONE;

impl Filler {
    pub(super) fn ball_joints(&self, layout: &Layout, system: &mut System) {
        for (source, joint) in layout.balls.iter().zip(&mut system.balls) {
            let (a, b) = (self.point(layout, source.a), self.point(layout, source.b));
            joint.r_a = a.r;
            joint.r_b = b.r;
            let rows = source.row0 as usize..source.row0 as usize + 3;
            system.c[rows.clone()].copy_from_slice(&sub(b.x, a.x));
            system.c_dot[rows.clone()].copy_from_slice(&sub(b.x_dot, a.x_dot));
            system.gamma[rows].copy_from_slice(&sub(b.ell, a.ell));
        }
    }

    pub(super) fn frame_joints(&self, layout: &Layout, system: &mut System) {
        let mut rows = PairRows::ZERO;
        for (source, joint) in layout.pairs.iter().zip(&mut system.frames) {
            let (space_a, space_b) = (
                &layout.space[source.a as usize],
                &layout.space[source.b as usize],
            );
            let is_shared = space_a.shared != NONE || space_b.shared != NONE;
            if joint.n_t == 3 && joint.n_r == 2 && !is_shared {
                // A hinge between frames without other readers: neither the frames nor the rows are stored in
                // between.
                let (body_a, body_b) = (
                    &self.rigid[space_a.rigid as usize],
                    &self.rigid[space_b.rigid as usize],
                );
                let (point_a, point_b) = (
                    body_a.point(space_a.lever_body),
                    body_b.point(space_b.lever_body),
                );
                let (rotation_a, rotation_b) = (
                    &layout.frame_rotations[space_a.frame as usize],
                    &layout.frame_rotations[space_b.frame as usize],
                );
                let frame_a = body_a.frame(&point_a, rotation_a, true);
                let frame_b = body_b.frame(&point_b, rotation_b, false);
                let axis = axis_rows(&frame_a.motion, &frame_b.motion);
                joint.r_a = point_a.r;
                joint.r_b = point_b.r;
                joint.g[0] = axis.g[0];
                joint.g[1] = axis.g[1];
                let bend = add([0.0; 3], sub(point_b.ell, point_a.ell));
                let turn = sub(frame_b.alpha, frame_a.alpha);
                let gamma = [0, 1].map(|k| axis.gamma[k] + dot(axis.g[k], turn));
                let row0 = source.row0 as usize;
                let put = |rows: &mut [f64], t: Vec3, r: [f64; 2]| {
                    rows[row0..row0 + 5].copy_from_slice(&[t[0], t[1], t[2], r[0], r[1]]);
                };
                put(&mut system.c, sub(point_b.x, point_a.x), axis.c);
                put(
                    &mut system.c_dot,
                    sub(point_b.x_dot, point_a.x_dot),
                    axis.c_dot,
                );
                put(&mut system.gamma, bend, gamma);
                continue;
            }
            let (point_a, point_b) = (self.point(layout, source.a), self.point(layout, source.b));
            let frame_a = self.frame(layout, source.a, &point_a);
            let frame_b = self.frame(layout, source.b, &point_b);
            source
                .pair
                .evaluate(&frame_a.motion, &frame_b.motion, &mut rows);
            joint.g = rows.g;
            joint.r_a = point_a.r;
            joint.r_b = point_b.r;
            let mut bend = sub(point_b.ell, point_a.ell);
            if joint.n_t < 3 {
                // On side a the force acts at the material point that coincides with the origin of frame b.
                joint.t = rows.t;
                joint.r_a = add(point_a.r, rows.arm_a);
                bend = joint.translation(sub(bend, cross(frame_a.alpha, rows.arm_a)));
            }
            let turn = sub(frame_b.alpha, frame_a.alpha);
            let (row0, n_t) = (source.row0 as usize, joint.n_t as usize);
            for k in 0..n_t {
                system.c[row0 + k] = rows.c[k];
                system.c_dot[row0 + k] = rows.c_dot[k];
                system.gamma[row0 + k] = rows.gamma[k] + bend[k];
            }
            for k in 0..joint.n_r as usize {
                let (row, at) = (row0 + n_t + k, n_t + k);
                system.c[row] = rows.c[at];
                system.c_dot[row] = rows.c_dot[at];
                system.gamma[row] = rows.gamma[at] + dot(rows.g[k], turn);
            }
        }
    }
}
