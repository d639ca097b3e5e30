//! What each rigid body of the branches does when it alone is pushed: the diagonal blocks of `M̂⁻¹`, roots first.
//!
//! ```text
//!     u = u₀ − S·D⁻¹·hᵀ·u₀ + S·D⁻¹·Sᵀ·p      ⇒      Z = T·Z_p·Tᵀ + S·D⁻¹·Sᵀ      T = 1 − S·D⁻¹·hᵀ
//! ```
//!
//! with `Z_p` the parent's block at the joint. All of them cost about as much as one factor, where a response
//! for each body would cost a sweep. They are meant to scale iterations (`iterated`): below a body that is not
//! rigid, or that is held by a joint of another kind, they are those of a body that nothing holds.

use super::{BallPivot, Branches, FreeDirection, Step, StepKind};
use crate::linalg::small;
use crate::math::{Mat3, Vec3};
use crate::solve::mass::MassInverse;
use crate::system::System;
use crate::topology::NONE;

/// `Z`: from a force and a torque at the center of mass to its velocity and the spin, symmetric.
pub(in crate::solve) type Mobility = [[f64; 6]; 6];

impl Branches {
    /// The blocks of the bodies of the branches, by body.
    pub(in crate::solve) fn mobilities(
        &self,
        system: &System,
        inverse: &MassInverse,
        out: &mut [Mobility],
    ) {
        for step in self.steps.iter().rev().filter(|step| step.rigid != NONE) {
            let known = step.parent == NONE || step.parent_is_rigid;
            out[step.body as usize] = match step.kind {
                StepKind::Ball { pivot, .. } if known => {
                    let pivot = &self.balls[pivot as usize];
                    on_a_ball(pivot, at_joint(step, pivot.r_parent, out))
                }
                StepKind::Frame { pivot, .. } if known => {
                    let pivot = &self.frames[pivot as usize];
                    let mut z = at_joint(step, pivot.r_parent, out);
                    let first = pivot.first_free as usize;
                    let free = &self.free[first..first + pivot.n_free as usize];
                    free.iter().rev().for_each(|free| release(&mut z, free));
                    seen_from(&z, pivot.r, -1.0)
                }
                StepKind::Generic { .. } if step.row0 == NONE => self.loose(system, step),
                _ => alone(system, inverse, step.body),
            };
        }
    }

    /// The block of a root that nothing holds, with what hangs on it.
    fn loose(&self, system: &System, step: &Step) -> Mobility {
        let (mut inertia, mut z) = ([0.0; 36], Mobility::default());
        self.inertia(system, step, [0.0; 3]).expand(&mut inertia);
        small::cholesky(6, &mut inertia);
        for (k, column) in z.iter_mut().enumerate() {
            column[k] = 1.0;
            small::cholesky_solve(6, &inertia, column);
        }
        z
    }
}

/// The block of a body that nothing holds, and on which nothing hangs.
pub(in crate::solve) fn alone(system: &System, inverse: &MassInverse, body: u32) -> Mobility {
    let mut z = Mobility::default();
    for (k, column) in z.iter_mut().enumerate() {
        column[k] = 1.0;
        inverse.apply(system, body, column);
    }
    z
}

/// `Z_p` of the parent at the joint; the ground does not move.
fn at_joint(step: &Step, r_parent: Vec3, known: &[Mobility]) -> Mobility {
    match step.parent {
        NONE => Mobility::default(),
        parent => seen_from(&known[parent as usize], r_parent, 1.0),
    }
}

/// The block of a body on a ball joint, at whose center its parent moves by `Z_p`: `ω = C⁻¹·n − Eᵀ·u`, and
/// `v = u − ω × r`.
fn on_a_ball(pivot: &BallPivot, parent: Mobility) -> Mobility {
    let mut t = Mobility::default();
    for k in 0..3 {
        t[k][k] = 1.0;
        for l in 0..3 {
            t[3 + k][l] = -pivot.e[l][k];
        }
    }
    let mut z = congruent(&t, &parent);
    let c = &pivot.c_inv;
    let c_inv: Mat3 = [[c[0], c[3], c[4]], [c[3], c[1], c[5]], [c[4], c[5], c[2]]];
    for k in 0..3 {
        for l in 0..3 {
            z[3 + k][3 + l] += c_inv[k][l];
        }
    }
    seen_from(&z, pivot.r, -1.0)
}

/// Lets go of a free direction: with `a = s/D` and `g = Z·h`, `Z − a·gᵀ − g·aᵀ + a·(hᵀ·g + D)·aᵀ`.
fn release(z: &mut Mobility, free: &FreeDirection) {
    let (mut a, mut h, mut g) = ([0.0; 6], [0.0; 6], [0.0; 6]);
    let first = if free.is_rotation { 3 } else { 0 };
    for k in 0..3 {
        a[first + k] = free.s[k] * free.inv_d;
        h[k] = free.h_force[k];
        h[3 + k] = free.h_torque[k];
    }
    let mut size = 1.0 / free.inv_d;
    for k in 0..6 {
        g[k] = (0..6).map(|l| z[k][l] * h[l]).sum();
        size += h[k] * g[k];
    }
    for k in 0..6 {
        for l in 0..6 {
            z[k][l] += a[k] * size * a[l] - a[k] * g[l] - g[k] * a[l];
        }
    }
}

/// The block over twists at another point, `sign·r` away: `v ← v + sign·ω × r`.
fn seen_from(z: &Mobility, r: Vec3, sign: f64) -> Mobility {
    let mut t = Mobility::default();
    for (k, row) in t.iter_mut().enumerate() {
        row[k] = 1.0;
    }
    let [x, y, z_] = r.map(|r| sign * r);
    // ω × r = −[r]×·ω.
    (t[0][4], t[0][5]) = (z_, -y);
    (t[1][3], t[1][5]) = (-z_, x);
    (t[2][3], t[2][4]) = (y, -x);
    congruent(&t, z)
}

/// `T·Z·Tᵀ`.
fn congruent(t: &Mobility, z: &Mobility) -> Mobility {
    let (mut half, mut out) = (Mobility::default(), Mobility::default());
    for i in 0..6 {
        for j in 0..6 {
            half[i][j] = (0..6).map(|k| t[i][k] * z[k][j]).sum();
        }
    }
    for i in 0..6 {
        for j in 0..6 {
            out[i][j] = (0..6).map(|k| half[i][k] * t[j][k]).sum();
        }
    }
    out
}
