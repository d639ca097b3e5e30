//! What the forest methods share: the spanning forest as a factor, the loops as rows on top of it.
//!
//! ```text
//!     Â·λ_l = b̂      Â = J_l·M̂⁻¹·J_lᵀ + C_l      b̂ = b_l − J_l·y₀      (Faure 1999, eq. 13)
//! ```
//!
//! `M̂⁻¹·f` is the response of the bodies to a force with the forest's constraints in effect
//! (Baraff 1996, §8.1), `y₀` the motion with the loops left open.

use super::Outcome;
use super::elimination::{Elimination, Order};
use super::levels::weight;
use super::mass::MassInverse;
use super::residual::Checker;
use crate::assemble::System;
use crate::linalg::krylov::norm;
use crate::topology::{NONE, Topology};

/// A force error that could move any body by more, relatively, is corrected.
const BALANCED: f64 = 1e-10;
/// A relative error of rows that ends corrections.
const CONVERGED: f64 = 1e-13;
/// A relative error of rows above this is not round-off.
const EXACT: f64 = 1e-9;
/// At most so many corrections.
const MAX_CORRECTIONS: usize = 40;

/// The forest's factor and the rows that close loops.
#[derive(Clone, Debug, Default)]
pub(super) struct Forest {
    pub(super) elimination: Elimination,
    /// Loop constraints, those nearest to the leaves first, then constraints of lower levels that may
    /// join them, and where their rows begin in a vector over these rows.
    pub(super) loops: Vec<u32>,
    pub(super) start: Vec<usize>,
    /// For each loop, the first step whose body it touches: it moves nothing before it.
    pub(super) first_step: Vec<usize>,
    n_loops: usize,
    /// Loops and their rows that a solve is for.
    n_used: usize,
    pub(super) n_loop_rows: usize,
    /// What each loop row could move if nothing held the bodies: tells "blocked" from "small".
    pub(super) reference: Vec<f64>,
    /// Primary constraints, then those of lower levels.
    constraints: Vec<u32>,
    n_primary: usize,
    /// The constraints of the trees, and what it takes to correct their solve.
    trees: Vec<u32>,
    trees_contradict: bool,
    checker: Checker,
    lambda_step: Vec<f64>,
    y_step: Vec<f64>,
    inverse: MassInverse,
    /// Scratch over velocities and rows.
    pub(super) force: Vec<f64>,
    pub(super) y: Vec<f64>,
    pub(super) lambda: Vec<f64>,
    rows: Vec<f64>,
}

impl Forest {
    pub(super) fn new(system: &System, topology: &Topology, lower: &[u32]) -> Self {
        let elimination = Elimination::new(system, topology, Order::Forest);
        let step_of = elimination.steps_of_bodies(system);
        let first = |c: u32| {
            let mut first = NONE;
            system.for_each_side(c, false, |body, _| {
                first = first.min(step_of[body as usize]);
            });
            if first == NONE || elimination.has_core() {
                0
            } else {
                first as usize
            }
        };
        let mut loops: Vec<(usize, u32)> = topology
            .loops()
            .into_iter()
            .map(|c| (first(c), c))
            .collect();
        loops.sort_unstable();
        let n_loops = loops.len();
        loops.extend(lower.iter().map(|&c| (first(c), c)));
        let mut trees = topology.primary();
        let closing = topology.loops();
        trees.retain(|c| closing.binary_search(c).is_err());
        let mut start = Vec::with_capacity(loops.len() + 1);
        let mut n_loop_rows = 0;
        for &(_, c) in &loops {
            start.push(n_loop_rows);
            n_loop_rows += system.constraints[c as usize].n_rows as usize;
        }
        start.push(n_loop_rows);
        let mut constraints = topology.primary();
        let n_primary = constraints.len();
        constraints.extend_from_slice(lower);
        Self {
            n_loops,
            n_used: loops.len(),
            elimination,
            first_step: loops.iter().map(|&(first, _)| first).collect(),
            loops: loops.iter().map(|&(_, c)| c).collect(),
            start,
            n_loop_rows,
            reference: vec![0.0; n_loop_rows],
            constraints,
            n_primary,
            trees,
            trees_contradict: false,
            checker: Checker::new(system),
            lambda_step: vec![0.0; system.n_rows()],
            y_step: vec![0.0; system.n_v()],
            inverse: MassInverse::new(system),
            force: vec![0.0; system.n_v()],
            y: vec![0.0; system.n_v()],
            lambda: vec![0.0; system.n_rows()],
            rows: vec![0.0; system.n_rows()],
        }
    }

    pub(super) fn factor(&mut self, system: &System) {
        self.elimination.factor(system);
        self.inverse.factor(system);
        for (&c, &start) in self.loops.iter().zip(&self.start) {
            for i in 0..system.constraints[c as usize].n_rows as usize {
                self.reference[start + i] = self.inverse.mobility(system, c, i, &mut self.force);
            }
        }
    }

    /// What the next solve is for: the primary constraints alone, or lower levels too.
    pub(super) fn join(&mut self, joins: bool) {
        self.n_used = if joins {
            self.loops.len()
        } else {
            self.n_loops
        };
        self.n_loop_rows = self.start[self.n_used];
    }

    /// The constraints that a solve is for.
    pub(super) fn used(&self) -> &[u32] {
        &self.constraints[..self.n_primary + self.n_used - self.n_loops]
    }

    /// Those of them that are iterated.
    pub(super) fn iterated(&self) -> &[u32] {
        &self.loops[..self.n_used]
    }

    /// The same, and where their rows begin.
    fn iterated_rows(&self) -> impl Iterator<Item = (u32, usize)> {
        let iterated = self.iterated().iter().copied();
        iterated.zip(self.start.iter().copied())
    }

    /// Scale of each loop row.
    pub(super) fn scales(&self, system: &System) -> Vec<f64> {
        let mut scale = vec![1.0; self.n_loop_rows];
        for (&c, &start) in self.loops.iter().zip(&self.start) {
            let weight = weight(system, c);
            for (i, row) in system.row_range(c).enumerate() {
                scale[start + i] = system.row_scale[row] * weight;
            }
        }
        scale
    }

    /// Size of the whole right-hand side: `‖b − J·M⁻¹·f‖` over all rows, scaled.
    pub(super) fn error_without_constraints(
        &mut self,
        system: &System,
        force: Option<&[f64]>,
        b: Option<&[f64]>,
    ) -> f64 {
        match force {
            Some(force) => {
                self.y.copy_from_slice(force);
                self.inverse.apply_all(system, &mut self.y);
            }
            None => self.y.fill(0.0),
        }
        let mut sum = 0.0;
        for at in 0..self.used().len() {
            let c = self.constraints[at];
            let range = system.row_range(c);
            let rows = &mut self.rows[range.clone()];
            system.constraint_motion(c, &self.y, rows);
            for (i, row) in range.enumerate() {
                let error = (b.map_or(0.0, |b| b[row]) - rows[i]) * system.row_scale[row];
                sum += error * error;
            }
        }
        sum.sqrt()
    }

    /// `out ← b̂`: what the loops lack when only the forest holds.
    pub(super) fn loop_error(
        &mut self,
        system: &System,
        force: Option<&[f64]>,
        b: Option<&[f64]>,
        out: &mut [f64],
    ) {
        let (mut lambda, mut y) = (
            std::mem::take(&mut self.lambda),
            std::mem::take(&mut self.y),
        );
        self.solve_trees(system, force, b, &mut lambda, &mut y);
        (self.lambda, self.y) = (lambda, y);
        for (c, start) in self.iterated_rows() {
            let range = system.row_range(c);
            let out = &mut out[start..start + range.len()];
            system.constraint_motion(c, &self.y, out);
            for (out, row) in out.iter_mut().zip(range) {
                *out = b.map_or(0.0, |b| b[row]) - *out;
            }
        }
    }

    /// `out ← Â·λ_l` (Faure 1999, eq. 14 and `acyclic_response`).
    ///
    /// Erratum: the procedure's last line must subtract; here the response is solved for directly.
    pub(super) fn apply(&mut self, system: &System, lambda_l: &[f64], out: &mut [f64]) {
        let mut force = std::mem::take(&mut self.force);
        force.fill(0.0);
        self.add_loop_force(system, lambda_l, &mut force);
        self.elimination
            .solve(system, Some(&force), None, &mut self.lambda, &mut self.y);
        self.force = force;
        for (c, start) in self.iterated_rows() {
            let range = system.row_range(c);
            let n = range.len();
            system.constraint_motion(c, &self.y, &mut out[start..start + n]);
            for (i, row) in range.enumerate() {
                out[start + i] += system.compliance[row] * lambda_l[start + i];
            }
        }
    }

    /// `f ← f + J_lᵀ·λ_l`.
    pub(super) fn add_loop_force(&self, system: &System, lambda_l: &[f64], force: &mut [f64]) {
        for (c, start) in self.iterated_rows() {
            let n = system.constraints[c as usize].n_rows as usize;
            system.add_constraint_force(c, &lambda_l[start..start + n], force);
        }
    }

    /// The whole motion for given loop forces (Faure 1999, eq. 11): the forest's rows come out exact
    /// whatever they are.
    pub(super) fn finish(
        &mut self,
        system: &System,
        force: Option<&[f64]>,
        b: Option<&[f64]>,
        lambda_l: &[f64],
        lambda: &mut [f64],
        y: &mut [f64],
    ) {
        let mut total = std::mem::take(&mut self.force);
        match force {
            Some(force) => total.copy_from_slice(force),
            None => total.fill(0.0),
        }
        self.add_loop_force(system, lambda_l, &mut total);
        self.solve_trees(system, Some(&total), b, lambda, y);
        self.force = total;
        for (c, start) in self.iterated_rows() {
            let range = system.row_range(c);
            let n = range.len();
            lambda[range].copy_from_slice(&lambda_l[start..start + n]);
        }
    }

    /// Solves for the trees alone. A joint that contradicts itself is met in least squares.
    fn solve_trees(
        &mut self,
        system: &System,
        force: Option<&[f64]>,
        b: Option<&[f64]>,
        lambda: &mut [f64],
        y: &mut [f64],
    ) {
        let left = self.refine_trees(system, force, b, lambda, y);
        self.trees_contradict = self.elimination.is_proximal() && left > EXACT;
        if self.trees_contradict {
            // What is left cannot be met: without it the multipliers stay finite.
            let mut target = std::mem::take(&mut self.rows);
            for (row, target) in target.iter_mut().enumerate() {
                *target = b.map_or(0.0, |b| b[row]) - self.checker.rows[row];
            }
            self.refine_trees(system, force, Some(&target), lambda, y);
            self.rows = target;
        }
    }

    /// Solves for the trees and corrects: while light bodies hang between heavy ones, and while
    /// joints that repeat themselves are in proximal form. Returns the relative error of rows.
    fn refine_trees(
        &mut self,
        system: &System,
        force: Option<&[f64]>,
        b: Option<&[f64]>,
        lambda: &mut [f64],
        y: &mut [f64],
    ) -> f64 {
        self.elimination.solve(system, force, b, lambda, y);
        let (mut last, mut corrections) = (f64::INFINITY, 0);
        loop {
            let residual = self
                .checker
                .evaluate(system, &self.trees, force, b, lambda, y);
            for &c in &self.loops {
                self.checker.rows[system.row_range(c)].fill(0.0);
            }
            let mut unbalanced = self.checker.motion_relative;
            if self.elimination.is_proximal() {
                unbalanced = unbalanced.max(residual.rows_relative * BALANCED / CONVERGED);
            }
            let stalled = unbalanced > 0.5 * last || corrections == MAX_CORRECTIONS;
            if unbalanced <= BALANCED || stalled {
                return residual.rows_relative;
            }
            last = unbalanced;
            corrections += 1;
            let (rf, rb) = (Some(&self.checker.force[..]), Some(&self.checker.rows[..]));
            let (lambda_step, y_step) = (&mut self.lambda_step, &mut self.y_step);
            self.elimination.solve(system, rf, rb, lambda_step, y_step);
            y.iter_mut().zip(y_step).for_each(|(y, dy)| *y += *dy);
            for &c in &self.trees {
                for row in system.row_range(c) {
                    lambda[row] += lambda_step[row];
                }
            }
        }
    }

    /// The outcome of a solve whose loops ended in `outcome`.
    pub(super) fn outcome(&self, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Exact if self.trees_contradict => Outcome::LeastSquares,
            other => other,
        }
    }

    /// Multiplies a vector over loop rows by the rows' scales and returns its length.
    pub(super) fn scaled_norm(vector: &mut [f64], scale: &[f64]) -> f64 {
        vector.iter_mut().zip(scale).for_each(|(v, s)| *v *= s);
        norm(vector)
    }
}
