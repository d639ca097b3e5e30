//! The numbers of one instant, in flat arrays: `M`, `J`, `C`, `f`, `c`, `ċ`, `γ`.
//!
//! ```text
//!     [  M  −Jᵀ ] [ y ]   [  f ]
//!     [ −J  −C  ] [ λ ] = [ −b ]
//! ```
//!
//! These equations are in all five papers: Witkin 1990, eq. 2 and eq. 4; Metaxas 1993, eq. 16 (sign flipped);
//! Baraff 1996, eq. 4; Faure 1998, eq. 2; Faure 1999, eq. 2.
//!
//! Solvers see only this: no body, no constraint, no world. Vectors over velocities and rows are laid out as in
//! [`State`](crate::world::State); disabled parts stay zero.
//!
//!
//! Rigid bodies, frame pairs between them and planar pins are stored in compact form (`joint`); everything else
//! has dense blocks.

use std::sync::Arc;

use super::bounded::BoundedRow;
use super::joint::{BallJoint, FrameJoint, PinJoint, add_wrench};
use super::pattern::Pattern;
use super::rows::Rows;
use super::soft::RotorRow;
use super::strain::StrainBlock;
use super::touch::Touches;
use crate::body::MassOperator;
use crate::connector::Turns;
use crate::linalg::clone_in_room;
use crate::math::{Sym3, add, cross, dot, neg, sym_vec};

/// How a body's mass is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MassBlock {
    /// In the pool of rigid bodies.
    Rigid(u32),
    /// Dense `n_v × n_v` at an offset of `mass`.
    Dense(u32),
    /// Diagonal, at an offset of `mass`.
    Diagonal(u32),
    /// A pattern with values at an offset of `mass`.
    Patterned { pattern: u32, offset: u32 },
    /// An operator with storage at an offset of `mass`.
    Opaque {
        operator: u32,
        offset: u32,
        n_storage: u32,
    },
}

/// A body for solvers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyBlock {
    /// First index of its velocities.
    pub(crate) v0: u32,
    pub(crate) n_v: u32,
    pub(crate) mass: MassBlock,
    /// The largest acceleration of a coordinate by a unit force, about `1/min Mₖₖ`; zero for opaque masses, and
    /// for rigid bodies, whose block has it.
    pub(crate) most_mobile: f64,
}

/// A rigid body's mass matrix, `diag(m·1, I)` in world axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RigidBlock {
    pub(crate) mass: f64,
    pub(crate) inv_mass: f64,
    pub(crate) inertia_world: Sym3,
}

/// The storage of a constraint's rows of `J`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JacobianKind {
    /// In the pool of ball joints.
    Ball(u32),
    /// In the pool of frame pairs.
    Frame(u32),
    /// In the pool of pins between planar bodies.
    Pin(u32),
    /// Dense blocks `first..first + n`.
    Blocks { first: u32, n: u32 },
}

/// A constraint for solvers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConstraintBlock {
    /// Its first row.
    pub(crate) row0: u32,
    pub(crate) n_rows: u32,
    pub(crate) jacobian: JacobianKind,
    pub(crate) priority: u8,
    /// Whether its force acts along `push` in place of `jacobian`.
    pub(crate) pushes: bool,
    pub(crate) weight: f64,
}

/// One dense block of `J`: a constraint's rows against one body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JacobianBlock {
    pub(crate) body: u32,
    /// Offset in `jacobian` (and in `push`), row-major.
    pub(crate) offset: u32,
    /// Number of columns, and the first of their indices in `columns` (`NONE`: all of the body's).
    pub(crate) n_cols: u32,
    pub(crate) columns: u32,
}

/// The equations of one instant.
#[derive(Debug, Default)]
pub struct System {
    pub(crate) bodies: Vec<BodyBlock>,
    pub(crate) rigid: Vec<RigidBlock>,
    pub(crate) mass: Vec<f64>,
    /// Whether patterned masses are those of the bodies, without anything added.
    pub(crate) masses_are_own: bool,
    pub(crate) operators: Vec<Arc<dyn MassOperator>>,
    pub(crate) patterns: Vec<Arc<Pattern>>,
    /// Positions in patterned blocks to which strains add.
    pub(crate) positions: Vec<u32>,
    /// Strains of bodies, and `S` of each.
    pub(crate) strains: Vec<StrainBlock>,
    pub(crate) gradient: Vec<f64>,
    pub(crate) constraints: Vec<ConstraintBlock>,
    pub(crate) balls: Vec<BallJoint>,
    pub(crate) frames: Vec<FrameJoint>,
    pub(crate) pins: Vec<PinJoint>,
    pub(crate) blocks: Vec<JacobianBlock>,
    pub(crate) columns: Vec<u32>,
    pub(crate) jacobian: Vec<f64>,
    /// Force directions, in the layout of `jacobian`; only read where a constraint `pushes`.
    pub(crate) push: Vec<f64>,
    /// External and internal forces, n_v; inertial ones only for accelerations.
    pub(crate) force: Vec<f64>,
    /// The inertial part of `force`, which changes velocities at constant momentum, n_v.
    pub(crate) inertial: Vec<f64>,
    /// Constraint value, rate, and velocity-dependent acceleration `γ + Σ(∂c/∂x)·ℓ`, n_rows each.
    pub(crate) c: Vec<f64>,
    pub(crate) c_dot: Vec<f64>,
    pub(crate) gamma: Vec<f64>,
    /// Diagonal of `C`, and the part of soft rows in `b`, n_rows each.
    pub(crate) compliance: Vec<f64>,
    pub(crate) soft_b: Vec<f64>,
    /// Whether a row is a condition on rates only.
    pub(crate) velocity_level: Vec<bool>,
    /// Factor that converts a row's unit to meters, n_rows.
    pub(crate) row_scale: Vec<f64>,
    /// The class of every row.
    pub(crate) rows: Arc<Rows>,
    /// Full turns of angles, and the last angles.
    pub(crate) turns: Turns,
    /// Rows of armatures.
    pub(crate) rotors: Vec<RotorRow>,
    /// Rows with bounded forces.
    pub(crate) bounded: Vec<BoundedRow>,
    /// Candidates for contact.
    pub(crate) touches: Touches,
    /// Value of the objectives that are not sums of squares of their rows.
    pub(crate) energy: f64,
    /// Whether `C` is not zero, and whether it has springs or dampers, which depend on the step.
    pub(crate) has_soft_rows: bool,
    pub(crate) has_soft_springs: bool,
    /// Damping of lower priorities, relative to their mobility when free: limits motion where joints hardly
    /// allow any. Used in steps; zero in solves for one instant.
    pub(crate) lower_damping: f64,
    /// Forces of behaviors are those of this much later, seconds.
    pub(crate) ahead: f64,
    /// A typical size of the bodies, meters.
    pub(crate) characteristic_length: f64,
    /// Scale of round-off where the motion itself is zero: the size of the mechanism for displacements, the
    /// velocities for their corrections.
    pub(crate) natural_size: f64,
}

clone_in_room!(System {
    bodies,
    rigid,
    mass,
    masses_are_own,
    operators,
    patterns,
    positions,
    strains,
    gradient,
    constraints,
    balls,
    frames,
    pins,
    blocks,
    columns,
    jacobian,
    push,
    force,
    inertial,
    c,
    c_dot,
    gamma,
    compliance,
    soft_b,
    velocity_level,
    row_scale,
    rows,
    turns,
    rotors,
    bounded,
    touches,
    energy,
    has_soft_rows,
    has_soft_springs,
    characteristic_length,
    natural_size,
    lower_damping,
    ahead,
});

impl System {
    /// Whether M and J may be the same at other states: nothing rotates, and all numbers are in `mass` and
    /// `jacobian`.
    pub(crate) fn may_be_constant(&self) -> bool {
        let joints = self.balls.len() + self.frames.len() + self.pins.len();
        self.rigid.is_empty() && joints == 0 && self.rotors.is_empty()
    }

    /// Clears the system and keeps its buffers.
    pub(super) fn clear(&mut self) {
        let Self {
            bodies,
            rigid,
            mass,
            masses_are_own,
            operators,
            patterns,
            positions,
            strains,
            gradient,
            constraints,
            balls,
            frames,
            pins,
            blocks,
            columns,
            jacobian,
            push,
            force,
            inertial,
            c,
            c_dot,
            gamma,
            compliance,
            soft_b,
            velocity_level,
            row_scale,
            rows,
            turns: _,
            rotors,
            bounded,
            touches,
            energy: _,
            has_soft_rows,
            has_soft_springs,
            characteristic_length,
            natural_size,
            lower_damping,
            ahead,
        } = self;
        *masses_are_own = false;
        bodies.clear();
        rigid.clear();
        operators.clear();
        patterns.clear();
        positions.clear();
        strains.clear();
        constraints.clear();
        balls.clear();
        frames.clear();
        pins.clear();
        blocks.clear();
        columns.clear();
        velocity_level.clear();
        for numbers in [mass, gradient, jacobian, push, force, inertial] {
            numbers.clear();
        }
        for numbers in [c, c_dot, gamma, compliance, soft_b, row_scale] {
            numbers.clear();
        }
        *rows = Arc::default();
        rotors.clear();
        bounded.clear();
        touches.clear();
        (*has_soft_rows, *has_soft_springs) = (false, false);
        (*characteristic_length, *natural_size, *lower_damping) = (0.0, 0.0, 0.0);
        *ahead = 0.0;
    }

    /// Number of velocity coordinates, of everything in the world.
    pub fn n_v(&self) -> usize {
        self.force.len()
    }

    /// Number of rows, of everything in the world.
    pub fn n_rows(&self) -> usize {
        self.c.len()
    }

    /// External and internal forces.
    pub fn force(&self) -> &[f64] {
        &self.force
    }

    /// Constraint values.
    pub fn c(&self) -> &[f64] {
        &self.c
    }

    /// Constraint rates.
    pub fn c_dot(&self) -> &[f64] {
        &self.c_dot
    }

    /// A typical size of the bodies, which makes radians and meters comparable.
    pub fn characteristic_length(&self) -> f64 {
        self.characteristic_length
    }

    pub(crate) fn v_range(&self, body: u32) -> std::ops::Range<usize> {
        let block = &self.bodies[body as usize];
        block.v0 as usize..(block.v0 + block.n_v) as usize
    }

    pub(crate) fn row_range(&self, constraint: u32) -> std::ops::Range<usize> {
        let block = &self.constraints[constraint as usize];
        block.row0 as usize..(block.row0 + block.n_rows) as usize
    }

    /// `out ← J·y` on the rows of one constraint.
    #[inline(always)]
    pub(crate) fn constraint_motion(&self, constraint: u32, y: &[f64], out: &mut [f64]) {
        match self.constraints[constraint as usize].jacobian {
            JacobianKind::Ball(at) => {
                let joint = &self.balls[at as usize];
                out[..3].copy_from_slice(&joint.motion(y));
            }
            JacobianKind::Frame(at) => {
                let joint = &self.frames[at as usize];
                let (velocity, omega) = joint.motion(y);
                let n_t = joint.n_t as usize;
                let held = joint.translation(velocity);
                for k in 0..n_t {
                    out[k] = held[k];
                }
                for k in 0..joint.n_r as usize {
                    out[n_t + k] = dot(joint.g[k], omega);
                }
            }
            JacobianKind::Pin(at) => {
                out[..2].copy_from_slice(&self.pins[at as usize].motion(y));
            }
            JacobianKind::Blocks { .. } => {
                out.fill(0.0);
                self.for_each_side(constraint, false, |body, side| {
                    side.apply(&y[self.v_range(body)], out);
                });
            }
        }
    }

    /// `f ← f + Jᵀ·λ` (or `K·λ`) for one constraint.
    #[inline(always)]
    pub(crate) fn add_constraint_force(&self, constraint: u32, lambda: &[f64], f: &mut [f64]) {
        match self.constraints[constraint as usize].jacobian {
            JacobianKind::Ball(at) => {
                let joint = &self.balls[at as usize];
                joint.add_force([lambda[0], lambda[1], lambda[2]], f);
            }
            JacobianKind::Frame(at) => {
                let joint = &self.frames[at as usize];
                let (force, couple) = joint.wrench(lambda);
                let torque_a = add(cross(joint.r_a, force), couple);
                add_wrench(f, joint.v0_a, neg(force), neg(torque_a));
                add_wrench(f, joint.v0_b, force, add(cross(joint.r_b, force), couple));
            }
            JacobianKind::Pin(at) => {
                self.pins[at as usize].add_force([lambda[0], lambda[1]], f);
            }
            JacobianKind::Blocks { .. } => {
                self.for_each_side(constraint, true, |body, side| {
                    side.apply_transposed(lambda, &mut f[self.v_range(body)]);
                });
            }
        }
    }

    /// `out ← M·y`.
    #[inline(never)]
    pub(crate) fn multiply_masses(&self, y: &[f64], out: &mut [f64]) {
        for body in 0..self.bodies.len() as u32 {
            let range = self.v_range(body);
            self.multiply_mass(body, &y[range.clone()], &mut out[range]);
        }
    }

    /// The same with the bodies' own masses, to which nothing was added. Diagonal ones stay diagonal.
    pub(crate) fn multiply_own_masses(&self, y: &[f64], out: &mut [f64]) {
        for body in 0..self.bodies.len() as u32 {
            let range = self.v_range(body);
            let (y, out) = (&y[range.clone()], &mut out[range]);
            let diagonal = match self.bodies[body as usize].mass {
                MassBlock::Patterned { pattern, offset } => {
                    self.patterns[pattern as usize].diagonal(&self.mass[offset as usize..])
                }
                _ => None,
            };
            match diagonal {
                None => self.multiply_mass(body, y, out),
                Some(mass) => {
                    for ((out, y), m) in out.iter_mut().zip(y).zip(mass) {
                        *out = m * y;
                    }
                }
            }
        }
    }

    /// `out ← M·y` for one body.
    pub(crate) fn multiply_mass(&self, body: u32, y: &[f64], out: &mut [f64]) {
        let block = &self.bodies[body as usize];
        let n = block.n_v as usize;
        match block.mass {
            MassBlock::Rigid(at) => {
                let rigid = &self.rigid[at as usize];
                let spin = sym_vec(&rigid.inertia_world, [y[3], y[4], y[5]]);
                for k in 0..3 {
                    out[k] = rigid.mass * y[k];
                    out[3 + k] = spin[k];
                }
            }
            MassBlock::Dense(offset) => {
                let rows = self.mass[offset as usize..][..n * n].chunks_exact(n);
                for (out, row) in out.iter_mut().zip(rows) {
                    *out = row.iter().zip(y).map(|(m, y)| m * y).sum();
                }
            }
            MassBlock::Diagonal(offset) => {
                for k in 0..n {
                    out[k] = self.mass[offset as usize + k] * y[k];
                }
            }
            MassBlock::Patterned { pattern, offset } => {
                let sparse = &self.patterns[pattern as usize].sparse;
                let values = &self.mass[offset as usize..][..sparse.n_values()];
                sparse.multiply(values, y, out);
            }
            MassBlock::Opaque {
                operator,
                offset,
                n_storage,
            } => {
                let storage = &self.mass[offset as usize..][..n_storage as usize];
                self.operators[operator as usize].multiply(storage, y, out);
            }
        }
    }
}
