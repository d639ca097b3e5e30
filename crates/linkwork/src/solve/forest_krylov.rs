//! `ForestKrylov`: the forest exact in linear time, the loops iterated (Faure 1999, §3.2).
//!
//! Cost: O(n) per iteration. After any number of iterations the forest's rows hold to machine
//! precision; only loops carry an error, and it falls with the budget. Deviation: conjugate
//! residuals in place of the paper's biconjugate gradients, because `Â` is symmetric and because
//! gradients diverge on contradictory loops, where these end in least squares.

use super::forest::Forest;
use super::residual::Checker;
use super::{Ask, Krylov, Solution, gather, scatter};
use crate::assemble::System;
use crate::linalg::krylov::{ConjugateResiduals, Limits};
use crate::topology::Topology;

/// The factor and workspace of `ForestKrylov`.
#[derive(Clone, Debug, Default)]
pub(super) struct ForestKrylov {
    forest: Forest,
    scale: Vec<f64>,
    krylov: ConjugateResiduals,
    b_hat: Vec<f64>,
    lambda_l: Vec<f64>,
    scaled: Vec<f64>,
    checker: Checker,
    /// Largest that a loop row could move, scaled.
    operator_size: f64,
}

impl ForestKrylov {
    pub(super) fn new(system: &System, topology: &Topology) -> Self {
        let forest = Forest::new(system, topology);
        let zero = vec![0.0; forest.n_loop_rows];
        Self {
            scale: forest.scales(system),
            krylov: ConjugateResiduals::new(zero.len()),
            b_hat: zero.clone(),
            lambda_l: zero.clone(),
            scaled: zero,
            checker: Checker::new(system),
            operator_size: 0.0,
            forest,
        }
    }

    pub(super) fn factor(&mut self, system: &System) {
        self.forest.factor(system);
        let rows = self.forest.reference.iter().zip(&self.scale);
        self.operator_size = rows.fold(0.0, |s, (r, scale)| s.max(r * scale * scale));
    }

    pub(super) fn solve(
        &mut self,
        system: &System,
        options: &Krylov,
        ask: Ask<'_>,
        out: &mut Solution,
    ) {
        let (force, b) = (ask.force, ask.b);
        let size = self.forest.error_without_constraints(system, force, b);
        let tolerance = options.tolerance * size;
        self.forest.loop_error(system, force, b, &mut self.b_hat);
        Forest::scaled_norm(&mut self.b_hat, &self.scale);
        // Unknowns are scaled like the rows: λ = scale·x keeps the operator symmetric.
        let layout = (&self.forest.loops[..], &self.scale[..]);
        gather(system, layout, ask.warm, &mut self.lambda_l);
        let direction = &mut self.krylov.direction;
        gather(system, layout, ask.direction.as_deref(), direction);
        let (forest, scale, scaled) = (&mut self.forest, &self.scale, &mut self.scaled);
        let mut apply = |x: &[f64], out: &mut [f64]| {
            for k in 0..x.len() {
                scaled[k] = scale[k] * x[k];
            }
            forest.apply(system, scaled, out);
            out.iter_mut().zip(scale).for_each(|(out, s)| *out *= s);
        };
        let limits = Limits {
            tolerance,
            operator_size: self.operator_size,
            max_iterations: options.max_iterations,
        };
        let (iterations, stop) =
            self.krylov
                .solve(&self.b_hat, &mut self.lambda_l, limits, &mut apply);
        if let Some(direction) = ask.direction {
            let layout = (&self.forest.loops[..], &self.scale[..]);
            scatter(system, layout, &self.krylov.direction, direction);
        }
        out.iterations = iterations;
        let outcome = stop.into();
        self.lambda_l
            .iter_mut()
            .zip(&self.scale)
            .for_each(|(l, s)| *l *= s);
        let (lambda, y) = (&mut out.lambda, &mut out.motion);
        self.forest
            .finish(system, force, b, &self.lambda_l, lambda, y);
        out.outcome = self.forest.outcome(outcome);
        let primary = self.forest.primary();
        out.residual = self.checker.evaluate(system, primary, force, b, lambda, y);
    }
}
