//! `NormalCg` and `ForestKrylov`: rows laid over free bodies, or over the spanning forest, iterated
//! (Faure 1998, eq. 13; Faure 1999, eq. 6; Faure 1999, §3.2).
//!
//! Cost: O(n) per iteration. Over free bodies the number of iterations grows with the longest chain. Over a
//! forest the forest's rows hold to machine precision after any number of iterations; only loops have an error,
//! which decreases with the budget. Rows of a lower priority may be iterated with the others. The iteration
//! ends when every constraint meets the tolerance (Faure 1999, §4.2). If it is cut short, weights decide which
//! errors are reduced first (Faure 1998, §5; Faure 1999, §6); they do not change the limit. Deviation:
//! conjugate residuals in place of the papers' conjugate gradients, because the operator is symmetric, and
//! because gradients diverge on contradictory rows, where residuals end in least squares.

use super::priorities::{damp_priorities, weight, weights_of_exact};
use super::refine::Refinement;
use super::residual::Checker;
use super::rows::{Laid, Rows, Underlay, copy_or_zero};
use super::{Ask, Base, Krylov, Lower, Meter, Outcome, Solution};
use crate::linalg::blocks::Blocks;
use crate::linalg::krylov::{ConjugateResiduals, Limits, Stop};
use crate::system::System;
use crate::topology::Topology;

/// The factor and workspace of an iterative method.
pub(super) struct Iterated {
    options: Krylov,
    under: Box<dyn Underlay>,
    /// Corrects the answers of the underlay, if it has rows.
    refinement: Refinement,
    /// Iterated rows of priority 0, then rows of lower priorities that may join them.
    rows: Rows,
    n_exact: usize,
    /// Weights of rows of priority 0, for iterations that are cut short; empty if all are equal.
    weight: Vec<f64>,
    /// The constraints of priority 0, then those of lower priorities.
    constraints: Vec<u32>,
    n_primary: usize,
    krylov: ConjugateResiduals,
    /// Largest diagonal entry of the scaled operator.
    operator_size: f64,
    /// Damping of each row, scaled.
    damping: Vec<f64>,
    /// The scaling block of each constraint: its own response over the underlay.
    blocks: Blocks,
    /// Right-hand side and unknowns, scaled.
    b: Vec<f64>,
    x: Vec<f64>,
    plain: Vec<f64>,
    idle: Blocks,
    force: Vec<f64>,
    response: Solution,
    checker: Checker,
}

impl Iterated {
    pub(super) fn new(
        system: &System,
        topology: &Topology,
        (under, mut iterated): Laid,
        lower: &[u32],
        options: Krylov,
    ) -> Self {
        let n_exact = iterated.len();
        iterated.extend_from_slice(lower);
        let rows = Rows::new(system, iterated, weight);
        let blocks = if under.is_scaled() {
            Blocks::new(rows.start())
        } else {
            Blocks::default()
        };
        let mut constraints = topology.primary();
        let n_primary = constraints.len();
        constraints.extend_from_slice(lower);
        let n = rows.len();
        let weight = weights_of_exact(system, &rows);
        let mut krylov = ConjugateResiduals::new(n);
        if !weight.is_empty() || under.is_scaled() {
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
            blocks,
            b: vec![0.0; n],
            x: vec![0.0; n],
            plain: vec![0.0; n],
            idle: Blocks::default(),
            force: vec![0.0; system.n_v()],
            response: Solution::sized(system),
            checker: Checker::new(system),
        }
    }
}

impl Iterated {
    /// Computes the own response of each constraint, without coupling between its bodies: `Σ J·Z·Jᵀ + C` over
    /// its sides, scaled.
    fn scale(&mut self, system: &System) {
        self.under.weigh_bodies(system);
        let scale = self.rows.scale();
        let (mut unit, mut motion) = ([0.0; super::MAX_ROWS], [0.0; super::MAX_ROWS]);
        for (group, (c, places)) in self.rows.iter().enumerate() {
            let (n, rows) = (places.len(), system.row_range(c));
            let (under, force) = (&self.under, &mut self.force);
            let block = self.blocks.block(group, n);
            for (i, at) in places.clone().enumerate() {
                unit[i] = scale[at];
                let motion = &mut motion[..n];
                motion.fill(0.0);
                system.for_each_side(c, false, |body, side| {
                    let part = &mut force[system.v_range(body)];
                    part.fill(0.0);
                    side.apply_transposed(&unit[..n], part);
                    under.respond_alone(system, body, part);
                    side.apply(part, motion);
                });
                unit[i] = 0.0;
                for (j, motion) in motion.iter().enumerate() {
                    block[j * n + i] = scale[places.start + j] * motion;
                }
                let soft = system.compliance[rows.start + i];
                block[i * n + i] += scale[at] * scale[at] * soft + self.damping[at];
            }
            self.blocks.factor(group, n);
        }
    }
}

impl Base for Iterated {
    fn refinement(&self) -> &Refinement {
        &self.refinement
    }

    fn krylov(&self) -> Option<&Krylov> {
        Some(&self.options)
    }

    fn holds_exactly(&self) -> bool {
        self.n_exact == 0
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
        if self.under.is_scaled() {
            self.scale(system);
        }
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
        // The errors of the rows with only the underlay in effect.
        respond(
            &mut *self.under,
            &mut self.refinement,
            (system, force, b),
            out,
        );
        let (rows, right, x) = (&self.rows, &mut self.b[..n], &mut self.x[..n]);
        rows.errors(system, b, &out.motion, right);
        let size = self.under.size(system, (force, b), rows, right);
        let weight = &self.weight[..n.min(self.weight.len())];
        let most = self.options.max_iterations;
        // With goals, errors are compared without scaling.
        let blocks = if n_lower > 0 {
            &self.idle
        } else {
            &self.blocks
        };
        let mut limits = Limits {
            layout: rows.layout(weight, blocks),
            tolerance: self.options.tolerance * size,
            operator_size: if blocks.is_idle() {
                self.operator_size
            } else {
                1.0
            },
            max_iterations: ask.most.map_or(most, |own| own.min(most)),
            goes_on: ask.most.is_some(),
        };
        // Unknowns are scaled like the rows, λ = scale·x, which keeps the operator symmetric.
        rows.gather(system, ask.warm, x);
        self.krylov.resize(n);
        rows.gather(system, ask.direction.as_deref(), &mut self.krylov.direction);
        let (under, response) = (&mut *self.under, &mut self.response);
        let (damping, total) = (&self.damping, &mut self.force);
        let (lambda, y) = (&mut response.lambda, &mut response.motion);
        // `out ← Â·x` (Faure 1999, eq. 14 and `acyclic_response`). Erratum: the procedure's last line
        // must subtract; here the response is solved for directly.
        let (start, plain) = (limits.layout.start, &mut self.plain[..n]);
        let mut apply = |x: &[f64], out: &mut [f64], blocks: &Blocks| {
            plain.copy_from_slice(x);
            blocks.solve_transposed(start, plain);
            let x = &*plain;
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
            blocks.solve(start, out);
        };
        let mut iterations = 0;
        let stop = loop {
            let blocks = limits.layout.blocks;
            blocks.multiply_transposed(start, x);
            blocks.multiply_transposed(start, &mut self.krylov.direction);
            blocks.solve(start, right);
            let is_spent = |more| meter.out_of_budget(iterations + more);
            let apply = |x: &[f64], out: &mut [f64]| apply(x, out, blocks);
            let (more, stop) = self.krylov.solve(right, x, limits, is_spent, apply);
            iterations += more;
            blocks.solve_transposed(start, x);
            blocks.solve_transposed(start, &mut self.krylov.direction);
            blocks.multiply(start, right);
            if matches!(stop, Stop::Converged | Stop::Budget) || blocks.is_idle() {
                break stop;
            }
            // Rows contradict each other: the least squares are those of unscaled rows.
            limits.layout.blocks = &self.idle;
            limits.operator_size = self.operator_size;
            limits.max_iterations = limits.max_iterations.saturating_sub(more);
        };
        if let Some(direction) = ask.direction {
            rows.scatter(system, &self.krylov.direction, direction);
        }
        // The motion for given multipliers (Faure 1999, eq. 11). The rows of the underlay are exact for any
        // multipliers.
        copy_or_zero(force, &mut self.force);
        rows.push(system, x, &mut out.lambda, &mut self.force);
        let given = (system, Some(&self.force[..]), b);
        respond(&mut *self.under, &mut self.refinement, given, out);
        out.outcome = match (Outcome::from(stop), out.outcome) {
            (Outcome::Exact, Outcome::LeastSquares) => Outcome::LeastSquares,
            (outcome, _) => outcome,
        };
        out.iterations = iterations;
        let used = &self.constraints[..self.n_primary + n_lower];
        let (lambda, y) = (&out.lambda, &out.motion);
        out.residual =
            self.checker
                .evaluate((system, system.natural_size), used, force, b, lambda, y);
    }
}

/// The answer of the underlay, corrected if it has rows of its own.
fn respond(
    under: &mut dyn Underlay,
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
