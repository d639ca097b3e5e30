//! `ForestKrylov`: the forest exact in linear time, the loops iterated (Faure 1999, §3.2).
//!
//! Cost: O(n) per iteration. After any number of iterations the forest's rows hold to machine
//! precision; only loops carry an error, and it falls with the budget. Rows of a lower level may be
//! iterated with the loops. Deviation: conjugate
//! residuals in place of the paper's biconjugate gradients, because `Â` is symmetric and because
//! gradients diverge on contradictory loops, where these end in least squares.

use super::forest::Forest;
use super::levels::damp_levels;
use super::residual::Checker;
use super::{Ask, Krylov, Lower, Meter, Solution, gather, scatter};
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
    /// Of each row, scaled.
    damping: Vec<f64>,
}

impl ForestKrylov {
    pub(super) fn new(system: &System, topology: &Topology, lower: &[u32]) -> Self {
        let forest = Forest::new(system, topology, lower);
        let zero = vec![0.0; forest.n_loop_rows];
        Self {
            scale: forest.scales(system),
            krylov: ConjugateResiduals::new(zero.len()),
            b_hat: zero.clone(),
            lambda_l: zero.clone(),
            scaled: zero.clone(),
            damping: zero,
            checker: Checker::new(system),
            operator_size: 0.0,
            forest,
        }
    }

    pub(super) fn factor(&mut self, system: &System) {
        self.forest.factor(system);
        for ((damping, r), scale) in self
            .damping
            .iter_mut()
            .zip(&self.forest.reference)
            .zip(&self.scale)
        {
            *damping = r * scale * scale;
        }
        self.operator_size = self.damping.iter().fold(0.0, |most, &row| most.max(row));
        let layout = (&self.forest.loops[..], &self.forest.start[..]);
        damp_levels(system, layout, &mut self.damping);
    }

    pub(super) fn solve(
        &mut self,
        system: &System,
        options: &Krylov,
        ask: Ask<'_>,
        meter: &mut Meter<'_>,
        out: &mut Solution,
    ) {
        let (force, b) = (ask.force, ask.b);
        self.forest.join(ask.lower == Lower::Joined);
        let n = self.forest.n_loop_rows;
        let size = self.forest.error_without_constraints(system, force, b);
        let tolerance = options.tolerance * size;
        let (b_hat, lambda_l) = (&mut self.b_hat[..n], &mut self.lambda_l[..n]);
        self.forest.loop_error(system, force, b, b_hat);
        Forest::scaled_norm(b_hat, &self.scale);
        // Unknowns are scaled like the rows: λ = scale·x keeps the operator symmetric.
        let layout = (self.forest.iterated(), &self.scale[..]);
        gather(system, layout, ask.warm, lambda_l);
        self.krylov.resize(n);
        let direction = &mut self.krylov.direction;
        gather(system, layout, ask.direction.as_deref(), direction);
        let (forest, scale, scaled) = (&mut self.forest, &self.scale, &mut self.scaled[..n]);
        let damping = &self.damping;
        let mut apply = |x: &[f64], out: &mut [f64]| {
            for k in 0..x.len() {
                scaled[k] = scale[k] * x[k];
            }
            forest.apply(system, scaled, out);
            for k in 0..x.len() {
                out[k] = out[k] * scale[k] + damping[k] * x[k];
            }
        };
        let limits = Limits {
            tolerance,
            operator_size: self.operator_size,
            max_iterations: options.max_iterations,
        };
        let is_spent = |iterations| meter.is_spent(iterations);
        let (iterations, stop) = self
            .krylov
            .solve(b_hat, lambda_l, limits, is_spent, &mut apply);
        if let Some(direction) = ask.direction {
            let layout = (self.forest.iterated(), &self.scale[..]);
            scatter(system, layout, &self.krylov.direction, direction);
        }
        out.iterations = iterations;
        let outcome = stop.into();
        let pairs = lambda_l.iter_mut().zip(&self.scale);
        pairs.for_each(|(l, s)| *l *= s);
        let (lambda, y) = (&mut out.lambda, &mut out.motion);
        self.forest.finish(system, force, b, lambda_l, lambda, y);
        out.outcome = self.forest.outcome(outcome);
        let used = self.forest.used();
        out.residual = self.checker.evaluate(system, used, force, b, lambda, y);
    }
}
