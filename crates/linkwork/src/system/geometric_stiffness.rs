//! Geometric stiffness: how moments of joint forces change as bodies rotate.
//!
//! A force f at an arm r resists rotation as in a pendulum: the torque r × f changes by −K·δθ with
//!
//! ```text
//!     K = Σ (f·r)·1 − sym(r·fᵀ)
//! ```
//!
//! Light links under tension between heavy bodies are stiff: `ω² = λ_max(I⁻¹·K)` is large, and RATTLE is
//! unstable beyond h·ω = 2, which the closure error shows too late. A step is too long when `I − h²·K` is not
//! positive definite for some body, that is when h·ω > 1.

use super::numbers::{JacobianKind, MassBlock, System};
use crate::math::{Mat3, Sym3, Vec3, dot, neg, scale, sym_eigen, sym_is_positive, sym_rotate};
use crate::topology::NONE;

/// `K` of every body.
#[derive(Debug, Default)]
pub(crate) struct GeometricStiffness {
    of_body: Vec<Sym3>,
}

impl GeometricStiffness {
    pub(crate) fn size(&mut self, system: &System) {
        self.of_body.resize(system.bodies.len(), [0.0; 6]);
    }

    /// `K` of every body for forces `factor·impulse`; of a planar body only its last entry about z.
    pub(crate) fn fill(&mut self, system: &System, impulse: &[f64], factor: f64) {
        let stiffness = &mut self.of_body;
        stiffness.fill([0.0; 6]);
        for c in 0..system.constraints.len() as u32 {
            let rows = &impulse[system.row_range(c)];
            // The most frequent kind, without the general path over sides.
            if let JacobianKind::Ball(at) = system.constraints[c as usize].jacobian {
                let ball = &system.balls[at as usize];
                let force = scale(factor, [rows[0], rows[1], rows[2]]);
                if ball.a != NONE {
                    add(&mut stiffness[ball.a as usize], neg(force), ball.r_a);
                }
                if ball.b != NONE {
                    add(&mut stiffness[ball.b as usize], force, ball.r_b);
                }
                continue;
            }
            system.for_each_side(c, true, |body, side| {
                let Some((force, arm)) = side.pull(rows) else {
                    return;
                };
                add(&mut stiffness[body as usize], scale(factor, force), arm);
            });
        }
    }

    /// Subtracts the inertia of armatures, `a·g·gᵀ/s`: a light link rotates no faster than its rotor.
    pub(crate) fn relieve_by_rotors(&mut self, system: &System, s: f64) {
        let stiffness = &mut self.of_body;
        for rotor in &system.rotors {
            system.for_each_side(rotor.constraint, false, |body, side| {
                if !matches!(system.bodies[body as usize].mass, MassBlock::Rigid(_)) {
                    return;
                }
                let mut g = [0.0; 6];
                side.apply_transposed(&[1.0], &mut g);
                let k = &mut stiffness[body as usize];
                for (entry, (i, j)) in PACKED.into_iter().enumerate() {
                    k[entry] -= rotor.inertia / s * g[3 + i] * g[3 + j];
                }
            });
        }
    }

    /// Whether `I − s·K` is not positive definite for some body.
    pub(crate) fn exceeds_inertia(&self, system: &System, s: f64) -> bool {
        let mut bodies = system.bodies.iter().zip(&self.of_body);
        bodies.any(|(block, k)| match block.mass {
            MassBlock::Rigid(at) => !is_larger(&system.rigid[at as usize].inertia_world, s, k),
            MassBlock::Dense(offset) if block.n_v == 3 => {
                system.mass[offset as usize + 8] <= s * k[2]
            }
            _ => false,
        })
    }

    /// `I ← I − s·K`, which need not be positive definite.
    pub(crate) fn take_off(&self, system: &mut System, s: f64) {
        for (block, k) in system.bodies.iter().zip(&self.of_body) {
            match block.mass {
                MassBlock::Rigid(at) => {
                    let inertia = &mut system.rigid[at as usize].inertia_world;
                    for (inertia, k) in inertia.iter_mut().zip(k) {
                        *inertia -= s * k;
                    }
                }
                MassBlock::Dense(offset) if block.n_v == 3 => {
                    system.mass[offset as usize + 8] -= s * k[2];
                }
                _ => {}
            }
        }
    }

    /// Turns `K` of every rigid body along with it; `turn` is asked for its place in the pool.
    pub(crate) fn carry(&mut self, system: &System, turn: impl Fn(u32) -> Mat3) {
        for (block, k) in system.bodies.iter().zip(&mut self.of_body) {
            if let MassBlock::Rigid(at) = block.mass {
                *k = sym_rotate(&turn(at), k);
            }
        }
    }

    /// `I ← I + factor·K₊` with the negative part of `K` cut off.
    pub(crate) fn stiffen(&self, system: &mut System, factor: f64) {
        for (block, k) in system.bodies.iter().zip(&self.of_body) {
            match block.mass {
                MassBlock::Rigid(at) => {
                    let inertia = &mut system.rigid[at as usize].inertia_world;
                    let (values, axes) = sym_eigen(k);
                    for (axis, value) in values.iter().enumerate() {
                        let value = factor * value.max(0.0);
                        for (entry, (i, j)) in PACKED.into_iter().enumerate() {
                            inertia[entry] += value * axes[i][axis] * axes[j][axis];
                        }
                    }
                }
                MassBlock::Dense(offset) if block.n_v == 3 => {
                    system.mass[offset as usize + 8] += factor * k[2].max(0.0);
                }
                _ => {}
            }
        }
    }
}

/// `K ← K + (f·r)·1 − sym(r·fᵀ)`.
#[inline(always)]
fn add(k: &mut Sym3, force: Vec3, arm: Vec3) {
    let along = dot(force, arm);
    for axis in 0..3 {
        k[axis] += along - force[axis] * arm[axis];
    }
    k[3] -= 0.5 * (force[0] * arm[1] + force[1] * arm[0]);
    k[4] -= 0.5 * (force[0] * arm[2] + force[2] * arm[0]);
    k[5] -= 0.5 * (force[1] * arm[2] + force[2] * arm[1]);
}

/// Indices of a packed symmetric matrix.
const PACKED: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

/// Whether `I − s·K` is positive definite.
fn is_larger(inertia: &Sym3, s: f64, k: &Sym3) -> bool {
    let mut d = [0.0; 6];
    for e in 0..6 {
        d[e] = inertia[e] - s * k[e];
    }
    sym_is_positive(&d)
}
