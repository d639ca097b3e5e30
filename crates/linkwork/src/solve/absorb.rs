//! Absorbed rows: soft rows on one body alone, eliminated inside that body's block before anything else.
//!
//! ```text
//!     M·y = f + Jᵀ·λ,  J·y + C·λ = b      →      M̃ = M + Jᵀ·C⁻¹·J      f̃ = f + Jᵀ·C⁻¹·b      λ = C⁻¹·(b − J·y)
//! ```
//!
//! The other sides of such a row are the ground, a body with prescribed motion or a hand. Any number of
//! them leaves a block of the size of the body, where as rows they would be a matrix of their own size.
//! To everything that comes after they are a child of the body (`branch`), and in the `System` they are
//! rows like any other: schemes, reports and the true residual do not know of it. Cost: O(rows).

use crate::system::{MAX_FOLDABLE, System};
use crate::topology::{Branch, NONE};

/// A block of the largest body that absorbs.
pub(super) const MAX_SHARE: usize = MAX_FOLDABLE * MAX_FOLDABLE;

/// The absorbed rows of all bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Absorbed {
    /// Bodies that absorb, and the step of each, or `NONE` in a core.
    bodies: Vec<u32>,
    steps: Vec<u32>,
    /// Constraints by body, and where those of each begin and the last ends.
    constraints: Vec<u32>,
    start: Vec<usize>,
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
            }
        }
        out.start.push(out.constraints.len());
        out
    }

    pub(super) fn bodies(&self) -> &[u32] {
        &self.bodies
    }

    /// A body that absorbs, and its step.
    pub(super) fn body(&self, at: usize) -> (u32, u32) {
        (self.bodies[at], self.steps[at])
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
            self.for_each(system, at, |row, j| {
                let motion: f64 = j.iter().zip(y).map(|(j, y)| j * y).sum();
                lambda[row] = (b.map_or(0.0, |b| b[row]) - motion) / system.compliance[row];
            });
        }
    }
}
