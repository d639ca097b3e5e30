//! Rows whose force lies between bounds: no part of the factor, nor of the topology. What they do is laid over it
//! (`integrate::bounds`).

use super::compile::Builder;
use super::numbers::{JacobianKind, System};
use super::rows::Rows;
use crate::constraint::{Bound, Level};
use crate::topology::NONE;

/// A row whose force is bounded, and where its `J` is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundedRow {
    /// Among all rows.
    pub(crate) row: u32,
    pub(crate) bound: Bound,
    /// Its dense blocks, and which row of them it is.
    first: u32,
    n: u32,
    of_constraint: u32,
}

impl Builder<'_> {
    /// Lays out the constraint at `position`, whose slots were found.
    pub(super) fn bounded_constraint(
        &mut self,
        position: usize,
        bound: Bound,
        rows: &mut Rows,
        system: &mut System,
    ) {
        let JacobianKind::Blocks { first, n } = self.generic_constraint(position, NONE, system)
        else {
            return;
        };
        let record = &self.world.constraints()[position];
        for (i, unit) in record.rows().iter().enumerate() {
            let row = record.row0 + i;
            rows.add_bounded(row, *unit);
            system.row_scale[row] = unit.in_meters(system.characteristic_length);
            system.velocity_level[row] = record.constraint.level() == Level::Velocity;
            system.bounded.push(BoundedRow {
                row: row as u32,
                bound,
                first,
                n,
                of_constraint: i as u32,
            });
        }
    }
}

impl System {
    /// Bounded rows push with forces that are known.
    pub(crate) fn push_bounded(&mut self, lambda: &[f64]) {
        let mut force = std::mem::take(&mut self.force);
        for row in &self.bounded {
            let r = lambda[row.row as usize] / row.scale(self);
            row.push(self, r, &mut force);
        }
        self.force = force;
    }
}

impl BoundedRow {
    /// What turns it into meters.
    pub(crate) fn scale(&self, system: &System) -> f64 {
        system.row_scale[self.row as usize]
    }

    pub(crate) fn is_stop(&self) -> bool {
        matches!(self.bound, Bound::Stop { .. })
    }

    /// How far a stop is from where it pushes, meters.
    pub(crate) fn gap(&self, system: &System) -> f64 {
        self.scale(system) * system.c[self.row as usize]
    }

    /// `s·J·y`, in meters.
    pub(crate) fn motion(&self, system: &System, y: &[f64]) -> f64 {
        let mut sum = 0.0;
        self.for_each(system, |at, j| sum += j * y[at]);
        self.scale(system) * sum
    }

    /// `f ← f + s·Jᵀ·r`.
    pub(crate) fn push(&self, system: &System, r: f64, f: &mut [f64]) {
        let r = self.scale(system) * r;
        self.for_each(system, |at, j| f[at] += j * r);
    }

    fn for_each(&self, system: &System, mut visit: impl FnMut(usize, f64)) {
        for block in &system.blocks[self.first as usize..][..self.n as usize] {
            let v0 = system.bodies[block.body as usize].v0 as usize;
            let n = block.n_cols as usize;
            let row =
                &system.jacobian[block.offset as usize + self.of_constraint as usize * n..][..n];
            for (k, &j) in row.iter().enumerate() {
                let column = match block.columns {
                    NONE => k,
                    columns => system.columns[columns as usize + k] as usize,
                };
                visit(v0 + column, j);
            }
        }
    }
}
