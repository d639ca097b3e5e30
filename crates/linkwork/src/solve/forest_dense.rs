//! `ForestDense`: the forest in linear time, the loops as one dense matrix (Baraff 1996, §8).
//!
//! Cost: O(n·k) for the k columns of `Â`, O(k³) to factor it. The columns are taken in the order in
//! which their loops touch the elimination, so each response runs only over the steps behind it and
//! only the lower triangle is evaluated: the symmetric saving of the paper's acknowledgement.

use super::core::PROXIMAL;
use super::forest::Forest;
use super::residual::Checker;
use super::{Outcome, Solution};
use crate::assemble::System;
use crate::linalg::dense::SemidefiniteFactor;
use crate::linalg::small::LOST_PIVOT;
use crate::topology::Topology;

/// The factor and workspace of `ForestDense`.
#[derive(Clone, Debug, Default)]
pub(super) struct ForestDense {
    forest: Forest,
    dense: SemidefiniteFactor,
    scale: Vec<f64>,
    b_hat: Vec<f64>,
    lambda_l: Vec<f64>,
    checker: Checker,
}

impl ForestDense {
    pub(super) fn new(system: &System, topology: &Topology) -> Self {
        let forest = Forest::new(system, topology, &[]);
        let k = forest.n_loop_rows;
        Self {
            dense: SemidefiniteFactor::new(k),
            scale: forest.scales(system),
            b_hat: vec![0.0; k],
            lambda_l: vec![0.0; k],
            checker: Checker::new(system),
            forest,
        }
    }

    pub(super) fn factor(&mut self, system: &System) {
        self.forest.factor(system);
        let forest = &mut self.forest;
        let k = forest.n_loop_rows;
        let mut force = std::mem::take(&mut forest.force);
        force.fill(0.0);
        let mut unit = [0.0; super::MAX_ROWS];
        let mut rows = [0.0; super::MAX_ROWS];
        for at in 0..forest.loops.len() {
            let c = forest.loops[at];
            let range = system.row_range(c);
            for i in 0..range.len() {
                unit[i] = 1.0;
                system.add_constraint_force(c, &unit[..range.len()], &mut force);
                let (lambda, y) = (&mut forest.lambda, &mut forest.y);
                if forest.elimination.has_core() {
                    forest
                        .elimination
                        .solve(system, Some(&force), None, lambda, y);
                } else {
                    let from = forest.first_step[at];
                    forest
                        .elimination
                        .respond_from(system, from, &force, lambda, y);
                }
                // Take the force out again: it is the same numbers, so what is left is zero.
                unit[i] = -1.0;
                system.add_constraint_force(c, &unit[..range.len()], &mut force);
                unit[i] = 0.0;
                let column = forest.start[at] + i;
                for other in at..forest.loops.len() {
                    let d = forest.loops[other];
                    let n = system.constraints[d as usize].n_rows as usize;
                    system.constraint_motion(d, &forest.y, &mut rows[..n]);
                    for (j, value) in rows[..n].iter().enumerate() {
                        let row = forest.start[other] + j;
                        self.dense.a[row * k + column] = *value;
                        self.dense.a[column * k + row] = *value;
                    }
                }
                self.dense.a[column * k + column] += system.compliance[range.start + i];
            }
        }
        forest.force = force;
        self.dense
            .factor(&self.scale, &self.forest.reference, LOST_PIVOT, PROXIMAL);
    }

    pub(super) fn solve(
        &mut self,
        system: &System,
        force: Option<&[f64]>,
        b: Option<&[f64]>,
        out: &mut Solution,
    ) {
        let size = self.forest.error_without_constraints(system, force, b);
        self.forest.loop_error(system, force, b, &mut self.b_hat);
        Forest::scaled_norm(&mut self.b_hat, &self.scale);
        let (solves, least_squares) = self.dense.solve(&self.b_hat, size, &mut self.lambda_l);
        self.lambda_l
            .iter_mut()
            .zip(&self.scale)
            .for_each(|(l, s)| *l *= s);
        let (lambda, y) = (&mut out.lambda, &mut out.motion);
        self.forest
            .finish(system, force, b, &self.lambda_l, lambda, y);
        let primary = self.forest.used();
        out.residual = self.checker.evaluate(system, primary, force, b, lambda, y);
        out.iterations = solves;
        out.outcome = self.forest.outcome(if least_squares {
            Outcome::LeastSquares
        } else {
            Outcome::Exact
        });
    }
}
