//! The system: the numbers of a world's equations at one instant, and how they are filled.

mod absorb;
mod block_layout;
mod blocks;
mod bodies;
mod bounded;
mod chain_rule;
mod compile;
mod connectors;
mod contacts;
mod curvature;
mod energy;
mod fill;
mod flight;
mod forces;
mod geometric_stiffness;
mod hands;
mod jacobian;
mod joint;
mod kick;
mod layout;
mod mechanism;
mod nodes;
mod numbers;
mod pairs;
mod passing;
mod pattern;
mod plane;
mod priorities;
mod ride;
mod rows;
mod side;
mod slots;
mod soft;
mod space;
mod strain;
mod tolerances;
mod touch;
mod turning;

pub(crate) use crate::body::Strain;
pub(crate) use crate::constraint::MAX_ROWS;
pub(crate) use crate::error::BlockFault;
pub(crate) use bounded::{BoundedRow, Role};
pub(crate) use compile::MAX_FOLDABLE;
pub(crate) use contacts::Contacts;
pub(crate) use curvature::Curvature;
pub(crate) use fill::Filler;
pub use fill::Motion;
pub(crate) use geometric_stiffness::GeometricStiffness;
pub(crate) use joint::{FrameJoint, PinJoint, point_in_plane};
pub(crate) use layout::Layout;
pub use numbers::System;
pub(crate) use numbers::{JacobianKind, MassBlock, RigidBlock};
pub(crate) use rows::RowClass;
pub(crate) use side::Side;
pub(crate) use soft::{RotorRow, Soft, SoftRow};
pub(crate) use touch::Softness;

/// Whole matrices, for teaching, tests and other libraries. These functions allocate.
impl System {
    /// `M`, `n_v × n_v`, row-major.
    pub fn mass_matrix(&self) -> Vec<f64> {
        let n = self.n_v();
        let mut out = vec![0.0; n * n];
        for body in 0..self.bodies.len() as u32 {
            let range = self.v_range(body);
            let (mut unit, mut column) = (vec![0.0; range.len()], vec![0.0; range.len()]);
            for j in 0..range.len() {
                unit[j] = 1.0;
                self.multiply_mass(body, &unit, &mut column);
                unit[j] = 0.0;
                for (i, value) in column.iter().enumerate() {
                    out[(range.start + i) * n + range.start + j] = *value;
                }
            }
        }
        out
    }

    /// `J`, `n_rows × n_v`, row-major; disabled rows are zero.
    pub fn jacobian_matrix(&self) -> Vec<f64> {
        let n = self.n_v();
        let mut out = vec![0.0; self.n_rows() * n];
        for c in 0..self.constraints.len() as u32 {
            let rows = self.row_range(c);
            self.for_each_side(c, false, |body, side| {
                let v = self.v_range(body);
                let mut part = vec![0.0; rows.len() * v.len()];
                side.expand(v.len(), &mut part);
                for (i, row) in part.chunks_exact(v.len()).enumerate() {
                    let start = (rows.start + i) * n + v.start;
                    out[start..start + v.len()].copy_from_slice(row);
                }
            });
        }
        out
    }

    /// `M` as (row, column, value). The list of entries depends on the kinds of bodies only, not on the
    /// numbers.
    pub fn mass_triplets(&self) -> Vec<(usize, usize, f64)> {
        let mut out = vec![];
        for (body, block) in self.bodies.iter().enumerate() {
            let range = self.v_range(body as u32);
            let listed = |i: usize, j: usize| match block.mass {
                MassBlock::Rigid(_) => i == j || (i >= 3 && j >= 3),
                MassBlock::Diagonal(_) => i == j,
                MassBlock::Dense(_) | MassBlock::Opaque { .. } => true,
                MassBlock::Patterned { pattern, .. } => {
                    let sparse = &self.patterns[pattern as usize].sparse;
                    sparse.position(i as u32, j as u32).is_some()
                }
            };
            let (mut unit, mut column) = (vec![0.0; range.len()], vec![0.0; range.len()]);
            for j in 0..range.len() {
                unit[j] = 1.0;
                self.multiply_mass(body as u32, &unit, &mut column);
                unit[j] = 0.0;
                for i in (0..range.len()).filter(|&i| listed(i, j)) {
                    out.push((range.start + i, range.start + j, column[i]));
                }
            }
        }
        out
    }

    /// `J` as (row, column, value), constraint by constraint. The list of entries depends on the kinds of
    /// joints only, not on the numbers.
    pub fn jacobian_triplets(&self) -> Vec<(usize, usize, f64)> {
        let mut out = vec![];
        for c in 0..self.constraints.len() as u32 {
            let rows = self.row_range(c);
            self.for_each_side(c, false, |body, side| {
                let v = self.v_range(body);
                let mut part = vec![0.0; rows.len() * v.len()];
                side.expand(v.len(), &mut part);
                // Entries of [1, −[r]×] that are always zero are left out.
                let listed = |i: usize, j: usize| match side {
                    Side::Ball { .. } => j == i || (j >= 3 && j != i + 3),
                    Side::Pin { .. } => j == i || j == 2,
                    Side::Dense {
                        columns: Some(columns),
                        ..
                    } => columns.contains(&(j as u32)),
                    Side::Frame { .. } | Side::Dense { .. } => true,
                };
                for (i, row) in part.chunks_exact(v.len()).enumerate() {
                    for j in (0..v.len()).filter(|&j| listed(i, j)) {
                        out.push((rows.start + i, v.start + j, row[j]));
                    }
                }
            });
        }
        out
    }

    /// The diagonal of `C`.
    pub fn compliance(&self) -> &[f64] {
        &self.compliance
    }

    /// The priority of each row; `None` if it is inactive.
    pub fn active_rows(&self) -> Vec<Option<u8>> {
        let mut out = vec![None; self.n_rows()];
        for c in 0..self.constraints.len() as u32 {
            out[self.row_range(c)].fill(Some(self.constraints[c as usize].priority));
        }
        out
    }

    /// Factor that converts each row's unit to meters.
    pub fn row_scale(&self) -> &[f64] {
        &self.row_scale
    }
}

impl System {
    /// Writes the right-hand side `b` of a motion, `J·y + C·λ = b`.
    pub fn right_hand_side(&self, motion: Motion, b: &mut [f64]) {
        match motion {
            Motion::Acceleration => negate(&self.gamma, b),
            Motion::Velocity | Motion::Flow => negate(&self.c_dot, b),
            Motion::Displacement => {
                for (row, b) in b.iter_mut().enumerate() {
                    *b = if self.velocity_level[row] {
                        0.0
                    } else {
                        -self.c[row]
                    };
                }
            }
        }
        if self.has_soft_rows {
            for (b, soft) in b.iter_mut().zip(&self.soft_b) {
                *b += soft;
            }
        }
    }
}

fn negate(from: &[f64], to: &mut [f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = -from;
    }
}
