//! `NormalDense`: the normal equations as one dense matrix (Witkin 1990, eq. 5; Baraff 1996, eq. 7;
//! the matrix N of Metaxas 1993, eq. 41).
//!
//! Cost: O(n_rows³). The reference the other methods are compared with.

use super::core::PROXIMAL;
use super::normal::Normal;
use super::{Outcome, Solution};
use crate::assemble::System;
use crate::linalg::dense::SemidefiniteFactor;
use crate::linalg::small::LOST_PIVOT;
use crate::topology::Topology;

/// Dense Cholesky of `A`.
#[derive(Clone, Debug, Default)]
pub(super) struct NormalDense {
    normal: Normal,
    dense: SemidefiniteFactor,
}

impl NormalDense {
    pub(super) fn new(system: &System, topology: &Topology) -> Self {
        let normal = Normal::new(system, topology, &[]);
        Self {
            dense: SemidefiniteFactor::new(normal.n),
            normal,
        }
    }

    pub(super) fn factor(&mut self, system: &System) {
        let normal = &mut self.normal;
        normal.inverse.factor(system);
        self.dense.a.fill(0.0);
        let n = normal.n;
        let mut unit = [0.0; super::MAX_ROWS];
        let mut rows = [0.0; super::MAX_ROWS];
        for (place, &c) in normal.constraints.iter().enumerate() {
            let range = system.row_range(c);
            for i in 0..range.len() {
                let column = normal.start[place] + i;
                unit[i] = 1.0;
                // Body by body: W·Jᵀ of this row, then every row that shares the body.
                system.for_each_side(c, true, |body, side| {
                    let v = system.v_range(body);
                    let part = &mut normal.y[v.clone()];
                    part.fill(0.0);
                    side.apply_transposed(&unit[..range.len()], part);
                    normal.inverse.apply(system, body, part);
                    for &other in &normal.at_body[body as usize] {
                        let d = normal.constraints[other as usize];
                        let m = system.constraints[d as usize].n_rows as usize;
                        rows[..m].fill(0.0);
                        system.side(d, body).apply(part, &mut rows[..m]);
                        let start = normal.start[other as usize];
                        for (j, value) in rows[..m].iter().enumerate() {
                            self.dense.a[(start + j) * n + column] += value;
                        }
                    }
                });
                unit[i] = 0.0;
                self.dense.a[column * n + column] += system.compliance[range.start + i];
            }
        }
        for (k, b) in normal.b.iter_mut().enumerate() {
            *b = self.dense.a[k * n + k];
        }
        self.dense
            .factor(&normal.scale, &normal.b, LOST_PIVOT, PROXIMAL);
    }

    pub(super) fn solve(
        &mut self,
        system: &System,
        force: Option<&[f64]>,
        b: Option<&[f64]>,
        out: &mut Solution,
    ) {
        self.normal.right_hand_side(system, force, b);
        let (solves, least_squares) = self.dense.solve(&self.normal.b, 0.0, &mut self.normal.x);
        self.normal.finish(system, force, b, out);
        out.iterations = solves;
        out.outcome = if least_squares {
            Outcome::LeastSquares
        } else {
            Outcome::Exact
        };
    }
}
