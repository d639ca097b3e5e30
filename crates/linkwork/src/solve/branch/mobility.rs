//! The response of each rigid body of the branches to a force on itself: the diagonal blocks of `M̂⁻¹`, roots
//! first.
//!
//! ```text
//!     u = u₀ − S·D⁻¹·hᵀ·u₀ + S·D⁻¹·Sᵀ·p      ⇒      Z = T·Z_p·Tᵀ + S·D⁻¹·Sᵀ      T = 1 − S·D⁻¹·hᵀ
//! ```
//!
//! with `Z_p` the parent's block at the joint. All of them together cost about as much as one factor; a
//! response for each body would cost a sweep each. They are meant for scaling iterations (`iterated`): below a
//! body that is not rigid, or on another kind of joint, they are those of a free body.

use super::{BallPivot, Branches, FreeDirection, Step, StepKind};
use crate::linalg::small;
use crate::math::{
    Mat3, Vec3, add, cross, mat_mul, mat_t_mul, mat_t_vec, mat_vec, scale, sym_full,
};
use crate::solve::mass::MassInverse;
use crate::system::System;
use crate::topology::NONE;

/// `Z`: from force and torque at a point of a body to velocity and angular velocity there, symmetric.
///
/// ```text
///     v = by_force·f + mixed·n      ω = mixedᵀ·f + by_torque·n
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::solve) struct Mobility {
    by_force: Mat3,
    mixed: Mat3,
    by_torque: Mat3,
}

impl Mobility {
    /// `Z·f`.
    pub(in crate::solve) fn times(&self, f: &[f64]) -> [f64; 6] {
        let (force, torque) = ([f[0], f[1], f[2]], [f[3], f[4], f[5]]);
        let v = add(mat_vec(&self.by_force, force), mat_vec(&self.mixed, torque));
        let spin = add(
            mat_t_vec(&self.mixed, force),
            mat_vec(&self.by_torque, torque),
        );
        [v[0], v[1], v[2], spin[0], spin[1], spin[2]]
    }

    /// From its columns.
    fn of(columns: &[[f64; 6]; 6]) -> Self {
        let block = |row: usize, column: usize| {
            [0, 1, 2].map(|i| [0, 1, 2].map(|j| columns[column + j][row + i]))
        };
        Self {
            by_force: block(0, 0),
            mixed: block(0, 3),
            by_torque: block(3, 3),
        }
    }

    /// At a point `r` away, where `v ← v + ω × r`. With `R·ω = ω × r`: `mixed ← mixed + R·by_torque`, and
    /// `by_force ← by_force + R·mixedᵀ + mixed·Rᵀ` with the old and the new `mixed`.
    fn at(&self, r: Vec3) -> Self {
        let mut out = *self;
        for j in 0..3 {
            let moved = cross(self.by_torque[j], r);
            for i in 0..3 {
                out.mixed[i][j] += moved[i];
            }
        }
        for i in 0..3 {
            let (old, new) = (cross(self.mixed[i], r), cross(out.mixed[i], r));
            for j in 0..3 {
                out.by_force[j][i] += old[j];
                out.by_force[i][j] += new[j];
            }
        }
        out
    }

    /// Frees a direction: with `a = s/D` and `g = Z·h`, `Z − a·gᵀ − g·aᵀ + a·(hᵀ·g + D)·aᵀ`.
    fn release(&mut self, free: &FreeDirection) {
        let (force, torque) = (free.h_force, free.h_torque);
        let a = scale(free.inv_d, free.s);
        let h = [
            force[0], force[1], force[2], torque[0], torque[1], torque[2],
        ];
        let g = self.times(&h);
        let size = h
            .iter()
            .zip(g)
            .fold(1.0 / free.inv_d, |size, (h, g)| size + h * g);
        let (along, across) = match free.is_rotation {
            true => ([g[3], g[4], g[5]], [g[0], g[1], g[2]]),
            false => ([g[0], g[1], g[2]], [g[3], g[4], g[5]]),
        };
        let own = match free.is_rotation {
            true => &mut self.by_torque,
            false => &mut self.by_force,
        };
        for k in 0..3 {
            for l in 0..3 {
                own[k][l] += a[k] * size * a[l] - a[k] * along[l] - along[k] * a[l];
                self.mixed[k][l] -= match free.is_rotation {
                    true => across[k] * a[l],
                    false => a[k] * across[l],
                };
            }
        }
    }
}

impl Branches {
    /// The blocks of the bodies of the branches, by body. Those of other bodies are known.
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
                    on_a_ball(pivot, &at_joint(step, pivot.r_parent, out).by_force)
                }
                StepKind::Frame { pivot, .. } if known => {
                    let pivot = &self.frames[pivot as usize];
                    let mut z = at_joint(step, pivot.r_parent, out);
                    let first = pivot.first_free as usize;
                    let free = &self.free[first..first + pivot.n_free as usize];
                    free.iter().rev().for_each(|free| z.release(free));
                    z.at(scale(-1.0, pivot.r))
                }
                StepKind::Generic { .. } if step.row0 == NONE => self.loose(system, step),
                _ => alone(system, inverse, step.body),
            };
        }
    }

    /// The block of a free root, with its children.
    fn loose(&self, system: &System, step: &Step) -> Mobility {
        let (mut inertia, mut z) = ([0.0; 36], [[0.0; 6]; 6]);
        self.inertia(system, step, [0.0; 3]).expand(&mut inertia);
        small::cholesky(6, &mut inertia);
        for (k, column) in z.iter_mut().enumerate() {
            column[k] = 1.0;
            small::cholesky_solve(6, &inertia, column);
        }
        Mobility::of(&z)
    }
}

/// The block of a free body without children.
pub(in crate::solve) fn alone(system: &System, inverse: &MassInverse, body: u32) -> Mobility {
    let mut z = [[0.0; 6]; 6];
    for (k, column) in z.iter_mut().enumerate() {
        column[k] = 1.0;
        inverse.apply(system, body, column);
    }
    Mobility::of(&z)
}

/// `Z_p` of the parent at the joint; the ground does not move.
fn at_joint(step: &Step, r_parent: Vec3, known: &[Mobility]) -> Mobility {
    match step.parent {
        NONE => Mobility::default(),
        parent => known[parent as usize].at(r_parent),
    }
}

/// The block of a body on a ball joint whose center moves by `Z_p` when it is pushed: `ω = C⁻¹·n − Eᵀ·u`, and
/// `v = u − ω × r`.
fn on_a_ball(pivot: &BallPivot, parent: &Mat3) -> Mobility {
    let moved = mat_mul(parent, &pivot.e);
    let (turned, c_inv) = (mat_t_mul(&pivot.e, &moved), sym_full(&pivot.c_inv));
    let z = Mobility {
        by_force: *parent,
        mixed: moved.map(|row| scale(-1.0, row)),
        by_torque: [0, 1, 2].map(|k| add(turned[k], c_inv[k])),
    };
    z.at(scale(-1.0, pivot.r))
}
