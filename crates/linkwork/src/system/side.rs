//! The rows of one constraint for one body, in any form.
//!
//! ```text
//!     ball    ±[ 1  −[r]× ]
//!     frame   ±[ T  −T·[r]×; 0  G ]
//!     pin     ±[ 1  E·r ], in the plane
//!     dense   any rows, over all or some of the body's columns
//! ```

use super::joint::FrameJoint;
use super::numbers::{JacobianBlock, JacobianKind, System};
use crate::math::{Vec3, add, cross, dot, scale};
use crate::topology::NONE;

/// The rows of one constraint for one body, for kernels.
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
    /// A pin in the plane: `±[1, E·r]`.
    Pin { sign: f64, e: [f64; 2] },
    /// Dense rows over all or some of the body's columns.
    Dense {
        rows: &'a [f64],
        n_cols: usize,
        columns: Option<&'a [u32]>,
    },
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
            Side::Pin { sign, e } => {
                for k in 0..2 {
                    out[k] += sign * (y[k] + e[k] * y[2]);
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
            Side::Pin { sign, e } => {
                for k in 0..2 {
                    f[k] += sign * lambda[k];
                    f[2] += sign * e[k] * lambda[k];
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

    /// The force on the body and its arm, if the first rows hold a point in world axes; in the plane, z is
    /// zero.
    pub(crate) fn pull(&self, lambda: &[f64]) -> Option<(Vec3, Vec3)> {
        match *self {
            Side::Ball { sign, r } => Some((scale(sign, [lambda[0], lambda[1], lambda[2]]), r)),
            Side::Frame { sign, r, joint } => Some((scale(sign, joint.wrench(lambda).0), r)),
            Side::Pin { sign, e } => Some((
                [sign * lambda[0], sign * lambda[1], 0.0],
                [e[1], -e[0], 0.0],
            )),
            Side::Dense {
                rows,
                n_cols,
                columns: None,
            } => {
                let s = rows[0];
                let entry = |i: usize, j: usize| rows[i * n_cols + j];
                let holds = |n: usize| {
                    let unit = |i: usize, j: usize| if i == j { s } else { 0.0 };
                    s.abs() == 1.0
                        && lambda.len() >= n
                        && (0..n).all(|i| (0..n).all(|j| entry(i, j) == unit(i, j)))
                };
                match n_cols {
                    3 if holds(2) => Some((
                        [s * lambda[0], s * lambda[1], 0.0],
                        [s * entry(1, 2), -s * entry(0, 2), 0.0],
                    )),
                    6 if holds(3) => Some((
                        scale(s, [lambda[0], lambda[1], lambda[2]]),
                        [s * entry(1, 5), -s * entry(0, 5), s * entry(0, 4)],
                    )),
                    _ => None,
                }
            }
            Side::Dense { .. } => None,
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

impl System {
    /// The rows of `constraint` for `body`, one of its bodies.
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
            JacobianKind::Pin(at) => {
                let joint = &self.pins[at as usize];
                let (sign, e) = match joint.b == body {
                    true => (1.0, joint.e_b),
                    false => (-1.0, joint.e_a),
                };
                Side::Pin { sign, e }
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

    /// The rows of a constraint on one body alone, and their columns unless they are all.
    pub(crate) fn rows_of_one(&self, constraint: u32) -> (&[f64], Option<&[u32]>) {
        let constraint = &self.constraints[constraint as usize];
        let JacobianKind::Blocks { first, .. } = constraint.jacobian else {
            unreachable!("soft rows have dense blocks")
        };
        let block = &self.blocks[first as usize];
        match self.dense_side(block, constraint.n_rows, &self.jacobian) {
            Side::Dense { rows, columns, .. } => (rows, columns),
            _ => unreachable!("a dense block has a dense side"),
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

    /// Calls `visit(body, side)` for every body of `constraint`. With `push`, the sides are the directions of
    /// its force.
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
            JacobianKind::Pin(at) => {
                let joint = &self.pins[at as usize];
                let sides = [(joint.a, -1.0, joint.e_a), (joint.b, 1.0, joint.e_b)];
                for (body, sign, e) in sides.into_iter().filter(|(body, ..)| *body != NONE) {
                    visit(body, Side::Pin { sign, e });
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
}
