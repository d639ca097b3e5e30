//! `NormalCg` and `ForestKrylov`: rows laid over free bodies, or over the spanning forest, iterated
//! (Faure 1998, eq. 13; Faure 1999, eq. 6; Faure 1999, §3.2).
//!
//! Cost: O(n) per iteration. Over free bodies as many iterations as the longest chain needs. Over a forest
//! the forest's rows hold to machine precision after any number of iterations; only loops carry an
//! error, and it falls with the budget. Rows of a lower priority may be iterated with the others.
//! It ends when every constraint meets the tolerance (Faure 1999, §4.2). Where it is cut short, weights
//! say which errors are to be small first (Faure 1998, §5; Faure 1999, §6); they do not change what it ends at.
//! Deviation: conjugate residuals in place of the papers' gradients, because the operator is symmetric
//! and because gradients diverge on contradictory rows, where these end in least squares.

use super::priorities::{damp_priorities, weight, weights_of_exact};
use super::refine::Refinement;
use super::residual::Checker;
use super::rows::{Rows, Underlay, copy_or_zero};
use super::{Ask, Base, Krylov, Lower, Meter, Outcome, Solution};
use crate::linalg::krylov::{ConjugateResiduals, Limits};
use crate::system::System;
use crate::topology::Topology;

/// The factor and workspace of an iterative method.
#[derive(Clone, Debug, Default)]
pub(super) struct Iterated<U> {
    options: Krylov,
    under: U,
    /// Corrects what the underlay answers, if it has rows.
    refinement: Refinement,
    /// Rows that priority 0 leaves to be iterated, then rows of lower priorities that may join them.
    rows: Rows,
    n_exact: usize,
    /// What rows of priority 0 count where iterations are cut short; empty where all count alike.
    weight: Vec<f64>,
    /// The constraints of priority 0, then those of lower priorities.
    constraints: Vec<u32>,
    n_primary: usize,
    krylov: ConjugateResiduals,
    /// Largest diagonal entry of the scaled operator.
    operator_size: f64,
    /// Of each row, scaled.
    damping: Vec<f64>,
    /// Right-hand side and unknowns, scaled.
    b: Vec<f64>,
    x: Vec<f64>,
    force: Vec<f64>,
    response: Solution,
    checker: Checker,
}

impl<U: Underlay> Iterated<U> {
    pub(super) fn new(
        system: &System,
        topology: &Topology,
        lower: &[u32],
        options: Krylov,
    ) -> Self {
        let (under, mut iterated) = U::new(system, topology);
        let n_exact = iterated.len();
        iterated.extend_from_slice(lower);
        let rows = Rows::new(system, iterated, weight);
        let mut constraints = topology.primary();
        let n_primary = constraints.len();
        constraints.extend_from_slice(lower);
        let n = rows.len();
        let weight = weights_of_exact(system, &rows);
        let mut krylov = ConjugateResiduals::new(n);
        if !weight.is_empty() {
            krylov.keep_directions();
        }
        Self {
            options,
            refinement: Refinement::new(system, under.constraints().to_vec()),
            under,
            rows,
            n_exact,
            constraints,
            n_primary,
            krylov,
            weight,
            operator_size: 0.0,
            damping: vec![0.0; n],
            b: vec![0.0; n],
            x: vec![0.0; n],
            force: vec![0.0; system.n_v()],
            response: Solution::sized(system),
            checker: Checker::new(system),
        }
    }
}

impl<U: Underlay> Base for Iterated<U> {
    fn refinement(&self) -> &Refinement {
        &self.refinement
    }

    fn krylov(&self) -> Option<&Krylov> {
        Some(&self.options)
    }

    fn factor(&mut self, system: &System) {
        self.refinement.begin();
        self.under.factor(system);
        self.rows
            .use_first(self.n_exact + self.constraints.len() - self.n_primary);
        for (c, places) in self.rows.iter() {
            for (i, at) in places.enumerate() {
                let inverse = self.under.inverse();
                let entry = inverse.mobility(system, c, i, &mut self.force);
                let scale = self.rows.scale()[at];
                self.damping[at] = entry * scale * scale;
            }
        }
        self.operator_size = self.damping.iter().fold(0.0, |most, &row| most.max(row));
        let layout = (self.rows.constraints(), self.rows.start());
        damp_priorities(system, layout, &mut self.damping);
    }

    fn solve(
        &mut self,
        (system, _): (&System, &Topology),
        ask: Ask<'_>,
        meter: &mut Meter<'_>,
        out: &mut Solution,
    ) {
        let (force, b) = (ask.force, ask.b);
        let n_lower = match ask.lower {
            Lower::Joined => self.constraints.len() - self.n_primary,
            _ => 0,
        };
        self.rows.use_first(self.n_exact + n_lower);
        let n = self.rows.len();
        // What the rows lack when only the underlay holds.
        respond(
            &mut self.under,
            &mut self.refinement,
            (system, force, b),
            out,
        );
        let (rows, right, x) = (&self.rows, &mut self.b[..n], &mut self.x[..n]);
        rows.errors(system, b, &out.motion, right);
        let size = self.under.size(system, (force, b), rows, right);
        let weight = &self.weight[..n.min(self.weight.len())];
        let limits = Limits {
            layout: rows.layout(weight),
            tolerance: self.options.tolerance * size,
            operator_size: self.operator_size,
            max_iterations: self.options.max_iterations,
        };
        // Unknowns are scaled like the rows: λ = scale·x keeps the operator symmetric.
        rows.gather(system, ask.warm, x);
        self.krylov.resize(n);
        rows.gather(system, ask.direction.as_deref(), &mut self.krylov.direction);
        let (under, response) = (&mut self.under, &mut self.response);
        let (damping, total) = (&self.damping, &mut self.force);
        let (lambda, y) = (&mut response.lambda, &mut response.motion);
        // `out ← Â·x` (Faure 1999, eq. 14 and `acyclic_response`). Erratum: the procedure's last line
        // must subtract; here the response is solved for directly.
        let mut apply = |x: &[f64], out: &mut [f64]| {
            total.fill(0.0);
            rows.push(system, x, lambda, total);
            under.solve(system, Some(total), None, lambda, y);
            for (c, places) in rows.iter() {
                system.constraint_motion(c, y, &mut out[places.clone()]);
                for (at, row) in places.zip(system.row_range(c)) {
                    let scale = rows.scale()[at];
                    let soft = system.compliance[row] * (scale * x[at]);
                    out[at] = (out[at] + soft) * scale + damping[at] * x[at];
                }
            }
        };
        let is_spent = |iterations| meter.out_of_budget(iterations);
        let (iterations, stop) = self.krylov.solve(right, x, limits, is_spent, &mut apply);
        if let Some(direction) = ask.direction {
            rows.scatter(system, &self.krylov.direction, direction);
        }
        // The whole motion for given multipliers (Faure 1999, eq. 11): the rows of the underlay come out
        // exact whatever they are.
        copy_or_zero(force, &mut self.force);
        rows.push(system, x, &mut out.lambda, &mut self.force);
        let given = (system, Some(&self.force[..]), b);
        respond(&mut self.under, &mut self.refinement, given, out);
        out.outcome = match (Outcome::from(stop), out.outcome) {
            (Outcome::Exact, Outcome::LeastSquares) => Outcome::LeastSquares,
            (outcome, _) => outcome,
        };
        out.iterations = iterations;
        let used = &self.constraints[..self.n_primary + n_lower];
        let (lambda, y) = (&out.lambda, &out.motion);
        out.residual = self.checker.evaluate(system, used, force, b, lambda, y);
    }
}

/// What the underlay answers, corrected where it has rows of its own.
fn respond<U: Underlay>(
    under: &mut U,
    refinement: &mut Refinement,
    given: (&System, Option<&[f64]>, Option<&[f64]>),
    out: &mut Solution,
) {
    (out.iterations, out.outcome) = (0, Outcome::Exact);
    if under.constraints().is_empty() {
        let (system, force, b) = given;
        under.solve(system, force, b, &mut out.lambda, &mut out.motion);
    } else {
        refinement.solve(under, given, &mut Meter::unlimited(), out);
    }
}
