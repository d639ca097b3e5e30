//! The numbers of one instant, in flat arrays: `M`, `J`, `C`, `f`, `c`, `ċ`, `γ`.
//!
//! ```text
//!     [  M  −Jᵀ ] [ y ]   [  f ]
//!     [ −J  −C  ] [ λ ] = [ −b ]
//! ```
//!
//! The equations of motion and of the rows, as all five papers have them: Witkin 1990, eq. 2 and
//! eq. 4; Metaxas 1993, eq. 16 (sign flipped); Baraff 1996, eq. 4; Faure 1998, eq. 2; Faure 1999,
//! eq. 2.
//!
//! Solvers see this and nothing else: no body, no constraint, no world. Vectors over velocities and
//! rows are laid out as in [`State`](crate::world::State); parts of what is disabled stay zero.
//!
//! Rigid bodies and frame pairs between them are kept in compact form: a ball joint is its two lever
//! arms, another frame pair is its rows `T`, `G` and the arms,
//!
//! ```text
//!     J_b = [ T  −T·[r_b]× ]      J_a = −[ T  −T·[r_a]× ]
//!           [ 0       G    ]             [ 0       G    ]
//! ```

use std::sync::Arc;

use crate::body::MassOperator;
use crate::math::{Sym3, Vec3, add, cross, dot, neg, scale, sub, sym_vec};
use crate::topology::NONE;

/// How a body's mass is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MassBlock {
    /// In the pool of rigid bodies.
    Rigid(u32),
    /// Dense `n_v × n_v` at an offset of `mass`.
    Dense(u32),
    /// Diagonal, at an offset of `mass`.
    Diagonal(u32),
    /// An operator with storage at an offset of `mass`.
    Opaque {
        operator: u32,
        offset: u32,
        n_storage: u32,
    },
}

/// A body as the solver sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyBlock {
    /// Where its velocities begin.
    pub(crate) v0: u32,
    pub(crate) n_v: u32,
    pub(crate) mass: MassBlock,
    /// The most that a unit force can accelerate a coordinate, about `1/min Mₖₖ`; zero if only the
    /// body knows.
    pub(crate) most_mobile: f64,
}

/// A rigid body's mass matrix, `diag(m·1, I)` in world axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RigidBlock {
    pub(crate) mass: f64,
    pub(crate) inv_mass: f64,
    pub(crate) inertia_world: Sym3,
}

/// Where a constraint's rows of `J` are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JacobianKind {
    /// In the pool of ball joints.
    Ball(u32),
    /// In the pool of frame pairs.
    Frame(u32),
    /// Dense blocks `first..first + n`.
    Blocks { first: u32, n: u32 },
}

/// A constraint as the solver sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConstraintBlock {
    /// Where its rows begin.
    pub(crate) row0: u32,
    pub(crate) n_rows: u32,
    pub(crate) jacobian: JacobianKind,
    pub(crate) priority: u8,
    /// Its force acts along `push` instead of `jacobian`.
    pub(crate) pushes: bool,
    pub(crate) weight: f64,
}

/// A ball joint between rigid bodies: rows in world axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BallJoint {
    /// Bodies and where their velocities begin, or `NONE` for what has no coordinates.
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

/// One dense block of `J`: a constraint's rows against one body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JacobianBlock {
    pub(crate) body: u32,
    /// Offset in `jacobian` (and in `push`), row-major.
    pub(crate) offset: u32,
    /// Columns, and where their indices begin in `columns` (`NONE`: all of the body's).
    pub(crate) n_cols: u32,
    pub(crate) columns: u32,
}

/// The equations of one instant.
#[derive(Clone, Debug, Default)]
pub struct System {
    pub(crate) bodies: Vec<BodyBlock>,
    pub(crate) rigid: Vec<RigidBlock>,
    pub(crate) mass: Vec<f64>,
    pub(crate) operators: Vec<Arc<dyn MassOperator>>,
    pub(crate) constraints: Vec<ConstraintBlock>,
    pub(crate) balls: Vec<BallJoint>,
    pub(crate) frames: Vec<FrameJoint>,
    pub(crate) blocks: Vec<JacobianBlock>,
    pub(crate) columns: Vec<u32>,
    pub(crate) jacobian: Vec<f64>,
    /// Force directions, in the layout of `jacobian`; only read where a constraint `pushes`.
    pub(crate) push: Vec<f64>,
    /// External and internal forces, n_v.
    pub(crate) force: Vec<f64>,
    /// Constraint value, rate, and velocity-dependent acceleration `γ + Σ(∂c/∂x)·ℓ`, n_rows each.
    pub(crate) c: Vec<f64>,
    pub(crate) c_dot: Vec<f64>,
    pub(crate) gamma: Vec<f64>,
    /// Diagonal of `C`, and what soft rows add to `b`, n_rows each.
    pub(crate) compliance: Vec<f64>,
    pub(crate) soft_b: Vec<f64>,
    /// Rows that are conditions on rates only.
    pub(crate) velocity_level: Vec<bool>,
    /// What turns a row's unit into metres, n_rows.
    pub(crate) row_scale: Vec<f64>,
    pub(crate) has_soft_rows: bool,
    /// A typical size of the bodies, metres.
    pub(crate) characteristic_length: f64,
    /// The size of motion that round-off is relative to, when the motion itself is zero: of the
    /// mechanism for displacements, of the velocities for their corrections.
    pub(crate) natural_size: f64,
}

/// The rows of one constraint against one body, as the kernels read them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Side<'a> {
    /// A ball joint: `±[1, −[r]×]`.
    Ball { sign: f64, r: Vec3 },
    /// Another frame pair: `±[T, −T·[r]×; 0, G]`.
    Frame {
        sign: f64,
        r: Vec3,
        joint: &'a FrameJoint,
    },
    /// Dense rows over all or some of the body's columns.
    Dense {
        rows: &'a [f64],
        n_cols: usize,
        columns: Option<&'a [u32]>,
    },
}

impl System {
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

    /// A typical size of the bodies, which makes radians and metres comparable.
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

    /// The rows of `constraint` against `body`, which it touches.
    pub(crate) fn side(&self, constraint: u32, body: u32) -> Side<'_> {
        match self.constraints[constraint as usize].jacobian {
            JacobianKind::Ball(at) => {
                let joint = &self.balls[at as usize];
                if joint.b == body {
                    Side::Ball {
                        sign: 1.0,
                        r: joint.r_b,
                    }
                } else {
                    Side::Ball {
                        sign: -1.0,
                        r: joint.r_a,
                    }
                }
            }
            JacobianKind::Frame(at) => {
                let joint = &self.frames[at as usize];
                if joint.b == body {
                    Side::Frame {
                        sign: 1.0,
                        r: joint.r_b,
                        joint,
                    }
                } else {
                    Side::Frame {
                        sign: -1.0,
                        r: joint.r_a,
                        joint,
                    }
                }
            }
            JacobianKind::Blocks { first, n } => {
                let blocks = &self.blocks[first as usize..(first + n) as usize];
                let n_rows = self.constraints[constraint as usize].n_rows;
                match blocks.iter().find(|block| block.body == body) {
                    Some(block) => self.dense_side(block, n_rows, &self.jacobian),
                    None => unreachable!("topology and system list the same bodies"),
                }
            }
        }
    }

    fn dense_side<'a>(&'a self, block: &JacobianBlock, n_rows: u32, from: &'a [f64]) -> Side<'a> {
        let start = block.offset as usize;
        Side::Dense {
            rows: &from[start..start + (n_rows * block.n_cols) as usize],
            n_cols: block.n_cols as usize,
            columns: (block.columns != NONE).then(|| {
                &self.columns[block.columns as usize..(block.columns + block.n_cols) as usize]
            }),
        }
    }

    /// Calls `visit(body, side)` for every body `constraint` touches. With `push`, the sides are the
    /// directions its force acts along.
    #[inline]
    pub(crate) fn for_each_side(
        &self,
        constraint: u32,
        push: bool,
        mut visit: impl FnMut(u32, Side<'_>),
    ) {
        let block = &self.constraints[constraint as usize];
        match block.jacobian {
            JacobianKind::Ball(at) => {
                let joint = &self.balls[at as usize];
                if joint.a != NONE {
                    visit(
                        joint.a,
                        Side::Ball {
                            sign: -1.0,
                            r: joint.r_a,
                        },
                    );
                }
                if joint.b != NONE {
                    visit(
                        joint.b,
                        Side::Ball {
                            sign: 1.0,
                            r: joint.r_b,
                        },
                    );
                }
            }
            JacobianKind::Frame(at) => {
                let joint = &self.frames[at as usize];
                if joint.a != NONE {
                    visit(
                        joint.a,
                        Side::Frame {
                            sign: -1.0,
                            r: joint.r_a,
                            joint,
                        },
                    );
                }
                if joint.b != NONE {
                    visit(
                        joint.b,
                        Side::Frame {
                            sign: 1.0,
                            r: joint.r_b,
                            joint,
                        },
                    );
                }
            }
            JacobianKind::Blocks { first, n } => {
                let from = if push && block.pushes {
                    &self.push
                } else {
                    &self.jacobian
                };
                for dense in &self.blocks[first as usize..(first + n) as usize] {
                    visit(dense.body, self.dense_side(dense, block.n_rows, from));
                }
            }
        }
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
            JacobianKind::Blocks { .. } => {
                self.for_each_side(constraint, true, |body, side| {
                    side.apply_transposed(lambda, &mut f[self.v_range(body)]);
                });
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

impl Side<'_> {
    /// `out ← out + J·y` for the body's `y`.
    #[inline(always)]
    pub(crate) fn apply(&self, y: &[f64], out: &mut [f64]) {
        match *self {
            Side::Ball { sign, r } => {
                let point = add([y[0], y[1], y[2]], cross([y[3], y[4], y[5]], r));
                for k in 0..3 {
                    out[k] += sign * point[k];
                }
            }
            Side::Frame { sign, r, joint } => {
                let omega = [y[3], y[4], y[5]];
                let point = add([y[0], y[1], y[2]], cross(omega, r));
                let n_t = joint.n_t as usize;
                for k in 0..n_t {
                    out[k] += sign * dot(joint.t[k], point);
                }
                for k in 0..joint.n_r as usize {
                    out[n_t + k] += sign * dot(joint.g[k], omega);
                }
            }
            Side::Dense {
                rows,
                n_cols,
                columns,
            } => {
                for (out, row) in out.iter_mut().zip(rows.chunks_exact(n_cols)) {
                    *out += match columns {
                        None => row.iter().zip(y).map(|(j, y)| j * y).sum::<f64>(),
                        Some(columns) => row
                            .iter()
                            .zip(columns)
                            .map(|(j, &c)| j * y[c as usize])
                            .sum::<f64>(),
                    };
                }
            }
        }
    }

    /// `f ← f + Jᵀ·λ` for the body's `f`.
    #[inline(always)]
    pub(crate) fn apply_transposed(&self, lambda: &[f64], f: &mut [f64]) {
        match *self {
            Side::Ball { sign, r } => {
                let force = scale(sign, [lambda[0], lambda[1], lambda[2]]);
                let torque = cross(r, force);
                for k in 0..3 {
                    f[k] += force[k];
                    f[3 + k] += torque[k];
                }
            }
            Side::Frame { sign, r, joint } => {
                let (force, couple) = joint.wrench(lambda);
                let torque = add(cross(r, force), couple);
                for k in 0..3 {
                    f[k] += sign * force[k];
                    f[3 + k] += sign * torque[k];
                }
            }
            Side::Dense {
                rows,
                n_cols,
                columns,
            } => {
                for (lambda, row) in lambda.iter().zip(rows.chunks_exact(n_cols)) {
                    match columns {
                        None => row.iter().zip(&mut *f).for_each(|(j, f)| *f += j * lambda),
                        Some(columns) => {
                            for (j, &c) in row.iter().zip(columns) {
                                f[c as usize] += j * lambda;
                            }
                        }
                    }
                }
            }
        }
    }

    /// Writes the rows out in full, `n_rows × n_v`.
    pub(crate) fn expand(&self, n_v: usize, out: &mut [f64]) {
        out.fill(0.0);
        match *self {
            Side::Dense {
                rows,
                n_cols,
                columns,
            } => {
                for (row, out) in rows.chunks_exact(n_cols).zip(out.chunks_exact_mut(n_v)) {
                    match columns {
                        None => out.copy_from_slice(row),
                        Some(columns) => {
                            for (j, &c) in row.iter().zip(columns) {
                                out[c as usize] = *j;
                            }
                        }
                    }
                }
            }
            _ => {
                // Row i of ±J is ±Jᵀ·e_i.
                for (i, out) in out.chunks_exact_mut(n_v).enumerate() {
                    let mut unit = [0.0; 6];
                    unit[i] = 1.0;
                    self.apply_transposed(&unit, out);
                }
            }
        }
    }
}

/// A rigid body's part of a motion: velocity of the centre of mass and ω; zero for `NONE`.
#[inline(always)]
fn twist(y: &[f64], v0: u32) -> (Vec3, Vec3) {
    if v0 == NONE {
        return ([0.0; 3], [0.0; 3]);
    }
    let y = &y[v0 as usize..v0 as usize + 6];
    ([y[0], y[1], y[2]], [y[3], y[4], y[5]])
}

#[inline(always)]
fn add_wrench(f: &mut [f64], v0: u32, force: Vec3, torque: Vec3) {
    if v0 == NONE {
        return;
    }
    let f = &mut f[v0 as usize..v0 as usize + 6];
    for k in 0..3 {
        f[k] += force[k];
        f[3 + k] += torque[k];
    }
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
}

impl BallJoint {
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
    fn motion(&self, y: &[f64]) -> (Vec3, Vec3) {
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
