//! Absorbed rows: soft rows on a single body, eliminated within that body's block before anything else.
//!
//! ```text
//!     M·y = f + Jᵀ·λ,  J·y + C·λ = b      →      M̃ = M + Jᵀ·C⁻¹·J      f̃ = f + Jᵀ·C⁻¹·b      λ = C⁻¹·(b − J·y)
//! ```
//!
//! The other side of such a row is the ground, a body with prescribed motion or a hand. Any number of absorbed
//! rows leaves a block of the size of the body; as rows they would need a matrix of their own size. Later
//! stages treat them as a child of the body (`branch`). In the `System` they are ordinary rows: schemes,
//! reports and the true residual are not affected. Cost: O(rows).

use super::MAX_ROWS;
use crate::linalg::sparse::Sparse;
use crate::system::{MAX_FOLDABLE, MassBlock, System};
use crate::topology::{Branch, NONE};

/// Number of entries of the largest dense block that absorbs.
pub(super) const MAX_SHARE: usize = MAX_FOLDABLE * MAX_FOLDABLE;

/// The absorbed rows of all bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Absorbed {
    /// Bodies that absorb, and the step of each, or `NONE` in a core.
    bodies: Vec<u32>,
    steps: Vec<u32>,
    /// Constraints by body, and the start of each body's range, with the end of the last.
    constraints: Vec<u32>,
    start: Vec<usize>,
    /// For each constraint, the first of its positions in the patterned block of its body, in `positions`.
    position0: Vec<u32>,
    positions: Vec<u32>,
}

impl Absorbed {
    /// Lays out constraints and the body of each.
    pub(super) fn new(system: &System, absorbed: &[(u32, u32)], branches: &[Branch]) -> Self {
        let mut out = Self::default();
        if absorbed.is_empty() {
            return out;
        }
        let mut step_of = vec![NONE; system.bodies.len()];
        for (at, branch) in branches.iter().enumerate() {
            step_of[branch.body as usize] = at as u32;
        }
        let mut of_body = vec![Vec::new(); system.bodies.len()];
        for &(c, body) in absorbed {
            of_body[body as usize].push(c);
        }
        for (body, constraints) in of_body.iter().enumerate() {
            if !constraints.is_empty() {
                out.bodies.push(body as u32);
                out.steps.push(step_of[body]);
                out.start.push(out.constraints.len());
                out.constraints.extend(constraints);
                out.find_positions(system, body as u32, constraints);
            }
        }
        out.start.push(out.constraints.len());
        out
    }

    /// Finds the positions of rows in a patterned block.
    fn find_positions(&mut self, system: &System, body: u32, constraints: &[u32]) {
        for &c in constraints {
            self.position0.push(self.positions.len() as u32);
            if let MassBlock::Patterned { pattern, .. } = system.bodies[body as usize].mass
                && let (_, Some(columns)) = system.rows_of_one(c)
            {
                let sparse = &system.patterns[pattern as usize].sparse;
                sparse.positions(columns, &mut self.positions);
            }
        }
    }

    /// `Jᵀ·C⁻¹·J` of a body with a patterned block, added to its values.
    pub(super) fn add_patterned(&self, system: &System, at: usize, values: &mut [f64]) {
        for k in self.start[at]..self.start[at + 1] {
            let c = self.constraints[k];
            let (rows, columns) = system.rows_of_one(c);
            let n = columns.map_or(0, <[u32]>::len);
            let positions = &self.positions[self.position0[k] as usize..];
            for (row, j) in system.row_range(c).zip(rows.chunks_exact(n.max(1))) {
                let weight = 1.0 / system.compliance[row];
                Sparse::add_square(positions, j, weight, values);
            }
        }
    }

    pub(super) fn bodies(&self) -> &[u32] {
        &self.bodies
    }

    /// A body that absorbs, and its step.
    pub(super) fn body(&self, at: usize) -> (u32, u32) {
        (self.bodies[at], self.steps[at])
    }

    fn is_patterned(&self, system: &System, at: usize) -> bool {
        let block = &system.bodies[self.bodies[at] as usize];
        matches!(block.mass, MassBlock::Patterned { .. })
    }

    /// Calls `visit(row, J)` for every row that a body absorbs.
    #[inline(always)]
    fn for_each(&self, system: &System, at: usize, mut visit: impl FnMut(usize, &[f64])) {
        let body = self.bodies[at];
        let n = system.bodies[body as usize].n_v as usize;
        let mut full = [0.0; MAX_FOLDABLE];
        for &c in &self.constraints[self.start[at]..self.start[at + 1]] {
            let (rows, columns) = system.rows_of_one(c);
            let n_cols = columns.map_or(n, <[u32]>::len);
            for (row, j) in system.row_range(c).zip(rows.chunks_exact(n_cols)) {
                match columns {
                    None => visit(row, j),
                    Some(columns) => {
                        full.fill(0.0);
                        for (&column, j) in columns.iter().zip(j) {
                            full[column as usize] = *j;
                        }
                        visit(row, &full[..n]);
                    }
                }
            }
        }
    }

    /// Writes `Jᵀ·C⁻¹·J` of a body, `n_v × n_v`.
    pub(super) fn factor(&self, system: &System, at: usize, share: &mut [f64]) {
        let n = system.bodies[self.bodies[at] as usize].n_v as usize;
        share.fill(0.0);
        self.for_each(system, at, |row, j| {
            let weight = 1.0 / system.compliance[row];
            for (a, share) in share.chunks_exact_mut(n).take(n).enumerate() {
                let left = weight * j[a];
                for (share, j) in share.iter_mut().zip(&j[..=a]) {
                    *share += left * j;
                }
            }
        });
        for a in 0..n {
            for b in 0..a {
                share[b * n + a] = share[a * n + b];
            }
        }
    }

    /// `f ← f + Jᵀ·C⁻¹·b` for a body's `f`.
    pub(super) fn add_load(&self, system: &System, at: usize, b: &[f64], f: &mut [f64]) {
        if self.is_patterned(system, at) {
            for &c in &self.constraints[self.start[at]..self.start[at + 1]] {
                let mut push = [0.0; MAX_ROWS];
                for (push, row) in push.iter_mut().zip(system.row_range(c)) {
                    *push = b[row] / system.compliance[row];
                }
                let push = &push[..system.row_range(c).len()];
                system.side(c, self.bodies[at]).apply_transposed(push, f);
            }
            return;
        }
        self.for_each(system, at, |row, j| {
            let push = b[row] / system.compliance[row];
            for (f, j) in f.iter_mut().zip(j) {
                *f += push * j;
            }
        });
    }

    /// `λ = C⁻¹·(b − J·y)`.
    pub(super) fn multipliers(
        &self,
        system: &System,
        b: Option<&[f64]>,
        y: &[f64],
        lambda: &mut [f64],
    ) {
        for at in 0..self.bodies.len() {
            let y = &y[system.v_range(self.bodies[at])];
            if self.is_patterned(system, at) {
                for &c in &self.constraints[self.start[at]..self.start[at + 1]] {
                    let mut motion = [0.0; MAX_ROWS];
                    let range = system.row_range(c);
                    system
                        .side(c, self.bodies[at])
                        .apply(y, &mut motion[..range.len()]);
                    for (motion, row) in motion.iter().zip(range) {
                        let asked = b.map_or(0.0, |b| b[row]);
                        lambda[row] = (asked - motion) / system.compliance[row];
                    }
                }
                continue;
            }
            self.for_each(system, at, |row, j| {
                let motion: f64 = j.iter().zip(y).map(|(j, y)| j * y).sum();
                lambda[row] = (b.map_or(0.0, |b| b[row]) - motion) / system.compliance[row];
            });
        }
    }
}
