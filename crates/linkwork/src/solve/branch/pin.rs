//! Planar branch steps: a body and its pin, with the formulas of a ball joint with one rotation. Loads, motions
//! and the inertia of children are at the center of mass, as in generic steps, so that both can be mixed.
//!
//! ```text
//!     A, b, c   the body's inertia at the pin      K = A − b·bᵀ/c      e = b/c
//! ```
//!
//! Riders of weight w make that `D = c + w`, and the pin carries a torque: `Φ` has `b·w/D` and `c·w/D` for the
//! spin too.

use super::Step;
use super::generic::GenericPivots;
use super::rider::Riders;
use crate::system::{MassBlock, PinJoint, System, point_in_plane};
use crate::topology::NONE;

/// The factored step of a pin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PinPivot {
    /// `K`: xx, yy, xy.
    k: [f64; 3],
    e: [f64; 2],
    c_inv: f64,
    /// With riders: `b·w/D`, `w/D` and `c`.
    ridden: [f64; 4],
    /// `E·r` on the body and on the parent.
    arm: [f64; 2],
    arm_parent: [f64; 2],
    /// Offsets of the inertia of the body's children, and of its parent's children.
    folded: Option<usize>,
    folded_parent: Option<usize>,
}

impl PinPivot {
    /// Lays out a step; children are laid out before their parents.
    pub(super) fn new(
        generic: &mut GenericPivots,
        system: &System,
        body: u32,
        parent: u32,
    ) -> Self {
        Self {
            folded: generic.place_of(body),
            folded_parent: (parent != NONE).then(|| generic.make_place(system, parent)),
            ..Self::default()
        }
    }

    #[inline(always)]
    pub(super) fn factor(
        &mut self,
        system: &System,
        step: &Step,
        joint: &PinJoint,
        riders: &mut Riders,
        values: &mut [f64],
    ) {
        (self.arm, self.arm_parent) = match step.is_b {
            true => (joint.e_b, joint.e_a),
            false => (joint.e_a, joint.e_b),
        };
        let MassBlock::Dense(offset) = system.bodies[step.body as usize].mass else {
            unreachable!("bodies of the plane have small dense blocks")
        };
        let mut own = [0.0; 9];
        own.copy_from_slice(&system.mass[offset as usize..][..9]);
        if let Some(folded) = self.folded {
            for (own, folded) in own.iter_mut().zip(&values[folded..folded + 9]) {
                *own += folded;
            }
        }
        let [xx, xy, bx, _, yy, by, _, _, c] = own;
        let [e_x, e_y] = self.arm;
        // v = u − θ̇·E·r: b ← b − A·(E·r), c ← c − (E·r)·(b + b′).
        let b = [bx - xx * e_x - xy * e_y, by - xy * e_x - yy * e_y];
        let mut c = c - e_x * (bx + b[0]) - e_y * (by + b[1]);
        if step.seat != NONE {
            // E·r = (−r_y, r_x).
            let (r, s) = ([e_y, -e_x, 0.0], ([0.0; 3], [0.0, 0.0, 1.0]));
            let (own, weight) = (c, riders.weigh(system, (step.seat, step.body), r, s));
            c += weight;
            riders.note(step.seat, own, 1.0 / c);
            let part = weight / c;
            self.ridden = [b[0] * part, b[1] * part, part, own];
        }
        self.c_inv = 1.0 / c;
        self.e = [b[0] * self.c_inv, b[1] * self.c_inv];
        let [xx, yy, xy] = [
            xx - self.e[0] * b[0],
            yy - self.e[1] * b[1],
            xy - self.e[0] * b[1],
        ];
        self.k = [xx, yy, xy];
        if let Some(parent) = self.folded_parent {
            let [p_x, p_y] = self.arm_parent;
            let b = self.stiff(self.arm_parent);
            let mut share = [
                xx,
                xy,
                b[0],
                xy,
                yy,
                b[1],
                b[0],
                b[1],
                p_x * b[0] + p_y * b[1],
            ];
            if step.seat != NONE {
                let [x, y, part, own] = self.ridden;
                for (at, more) in [(2, x), (6, x), (5, y), (7, y)] {
                    share[at] += more;
                }
                share[8] += 2.0 * (p_x * x + p_y * y) + part * own;
            }
            for (folded, share) in values[parent..parent + 9].iter_mut().zip(share) {
                *folded += share;
            }
        }
    }

    pub(super) fn is_positive(&self) -> bool {
        self.c_inv > 0.0
    }

    /// `K·u`.
    #[inline(always)]
    fn stiff(&self, u: [f64; 2]) -> [f64; 2] {
        let [xx, yy, xy] = self.k;
        [xx * u[0] + xy * u[1], xy * u[0] + yy * u[1]]
    }

    /// Force at the pin without the part that rotates the body, and the torque about the pin.
    #[inline(always)]
    fn load(&self, step: &Step, force: &[f64], riders: Option<f64>) -> ([f64; 2], f64) {
        let f = &force[step.v0 as usize..step.v0 as usize + 3];
        let mut torque = self.torque(step, force);
        if let Some(riders) = riders {
            torque += riders;
        }
        let held = [f[0] - self.e[0] * torque, f[1] - self.e[1] * torque];
        (held, torque)
    }

    /// Results of a forward sweep: the torque about the pin, and the torque divided by `D`.
    pub(super) fn left(&self, step: &Step, force: &[f64]) -> [f64; 2] {
        let torque = self.torque(step, force);
        [torque, torque * self.c_inv]
    }

    #[inline(always)]
    fn torque(&self, step: &Step, force: &[f64]) -> f64 {
        let f = &force[step.v0 as usize..step.v0 as usize + 3];
        f[2] - self.arm[0] * f[0] - self.arm[1] * f[1]
    }

    #[inline(always)]
    pub(super) fn forward(
        &self,
        step: &Step,
        b: Option<&[f64]>,
        riders: &mut Riders,
        force: &mut [f64],
    ) {
        let mut push = None;
        if step.seat != NONE {
            let [x, y] = b.map(|b| signed_rows(step, b)).unwrap_or_default();
            let load = self.torque(step, force);
            push = Some(riders.push(step.seat, load, b, ([x, y, 0.0], [0.0; 3])));
        }
        if step.parent == NONE {
            return;
        }
        let (mut f, torque) = self.load(step, force, push);
        if let Some(b) = b {
            let due = self.stiff(signed_rows(step, b));
            f = [f[0] - due[0], f[1] - due[1]];
        }
        let parent = &mut force[step.parent_v0 as usize..step.parent_v0 as usize + 3];
        parent[0] += f[0];
        parent[1] += f[1];
        parent[2] += self.arm_parent[0] * f[0] + self.arm_parent[1] * f[1];
        if let Some(push) = push {
            let [x, y, part, own] = self.ridden;
            let due = b.map(|b| signed_rows(step, b)).unwrap_or_default();
            parent[2] += part * (torque - push) - own * self.c_inv * push;
            parent[2] -= x * due[0] + y * due[1];
        }
    }

    #[inline(always)]
    pub(super) fn backward(
        &self,
        step: &Step,
        b: Option<&[f64]>,
        (riders, force): (&Riders, &[f64]),
        lambda: &mut [f64],
        y: &mut [f64],
    ) {
        let push = (step.seat != NONE).then(|| riders.pushed(step.seat));
        let (f, torque) = self.load(step, force, push);
        let mut u = point_in_plane(y, step.parent_v0, self.arm_parent);
        if let Some(b) = b {
            let due = signed_rows(step, b);
            u = [u[0] + due[0], u[1] + due[1]];
        }
        // λ = ±(K·u₀ − f) and θ̇ = torque/c − e·u₀.
        let mut pull = self.stiff(u);
        let sign = if step.is_b { 1.0 } else { -1.0 };
        let mut spin = torque * self.c_inv - self.e[0] * u[0] - self.e[1] * u[1];
        if step.seat != NONE {
            // u₀ includes the parent's angular velocity.
            let of_parent = match step.parent {
                NONE => 0.0,
                _ => y[step.parent_v0 as usize + 2],
            };
            let [b_x, b_y, part, own] = self.ridden;
            let h_u = (self.e[0] * u[0] + self.e[1] * u[1]) / self.c_inv + own * of_parent;
            let (pushed, _) = riders.multipliers(step.seat, h_u, lambda);
            pull[0] += b_x * of_parent - pushed[0];
            pull[1] += b_y * of_parent - pushed[1];
            spin += part * of_parent;
        }
        let row0 = step.row0 as usize;
        lambda[row0..row0 + 2].copy_from_slice(&[sign * (pull[0] - f[0]), sign * (pull[1] - f[1])]);
        y[step.v0 as usize..step.v0 as usize + 3].copy_from_slice(&[
            u[0] - self.arm[0] * spin,
            u[1] - self.arm[1] * spin,
            spin,
        ]);
    }
}

/// `±b` of the pin: `+` when the body is side b.
#[inline(always)]
fn signed_rows(step: &Step, b: &[f64]) -> [f64; 2] {
    let sign = if step.is_b { 1.0 } else { -1.0 };
    let b = &b[step.row0 as usize..step.row0 as usize + 2];
    [sign * b[0], sign * b[1]]
}
