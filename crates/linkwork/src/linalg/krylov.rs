//! Conjugate residuals for symmetric positive semidefinite operators.
//!
//! Minimises `‖b − A·x‖` over growing Krylov spaces, so the residual never grows: on contradictory
//! systems, where conjugate gradients diverge, it ends at the least-squares residual.

use super::dense::dot;

/// How often a wrong result is taken as a new start.
const MAX_RESTARTS: usize = 20;

/// A verified residual below this, relative to the right-hand side, is as good as badly scaled rows
/// allow when the tolerance asks for more.
const ROUND_OFF: f64 = 1e-9;
/// A residual that the operator shrinks to this, relative to its size, is orthogonal to everything it
/// can reach; what is left of `A·r` is round-off, and a step along it would be too.
const STATIONARY: f64 = 1e-11;

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Residual norm that is good enough.
    pub(crate) tolerance: f64,
    /// A size of the operator: what `‖A·r‖/‖r‖` is compared with to be called zero.
    pub(crate) operator_size: f64,
    /// At most so many products with the operator.
    pub(crate) max_iterations: usize,
}

/// Why it stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The residual is below the tolerance.
    Converged,
    /// No direction reduces the residual any more: least squares.
    Stationary,
    /// The budget is used up.
    Budget,
}

/// Vectors of the iteration.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConjugateResiduals {
    r: Vec<f64>,
    p: Vec<f64>,
    a_r: Vec<f64>,
    a_p: Vec<f64>,
    true_r: Vec<f64>,
    best: Vec<f64>,
}

impl ConjugateResiduals {
    pub(crate) fn new(n: usize) -> Self {
        let zero = vec![0.0; n];
        Self {
            r: zero.clone(),
            p: zero.clone(),
            a_r: zero.clone(),
            a_p: zero.clone(),
            true_r: zero.clone(),
            best: zero,
        }
    }

    /// Solves `A·x = b` from the `x` given, verifies the result with the operator, and starts again
    /// from it where round-off spoiled it (Faure 1999, §3.3).
    ///
    /// `apply(v, out)` writes `A·v`. Returns iterations and why it stopped.
    pub(crate) fn solve(
        &mut self,
        b: &[f64],
        x: &mut [f64],
        limits: Limits,
        mut apply: impl FnMut(&[f64], &mut [f64]),
    ) -> (usize, Stop) {
        let mut total = 0;
        let mut residual = std::mem::take(&mut self.true_r);
        let mut stop = Stop::Budget;
        let mut smallest = f64::INFINITY;
        for restart in 0.. {
            if x.iter().all(|x| *x == 0.0) {
                residual.copy_from_slice(b);
            } else {
                apply(x, &mut residual);
                residual.iter_mut().zip(b).for_each(|(r, b)| *r = b - *r);
            }
            let size = norm(&residual);
            if size <= limits.tolerance {
                stop = Stop::Converged;
                break;
            }
            if size.is_nan() || size >= smallest {
                // The recurrence went astray or gained nothing: what it started from was better.
                x.copy_from_slice(&self.best);
                if stop == Stop::Converged && smallest > ROUND_OFF * norm(b) {
                    stop = Stop::Stationary;
                }
                break;
            }
            smallest = size;
            self.best.copy_from_slice(x);
            if restart > 0 && (restart > MAX_RESTARTS || stop != Stop::Converged) {
                // Nothing is to be gained by another start.
                if stop == Stop::Converged {
                    stop = Stop::Budget;
                }
                break;
            }
            let part = Limits {
                // Aim a little lower, so that the verification does not fail by a hair.
                tolerance: 0.9 * limits.tolerance,
                operator_size: limits.operator_size,
                max_iterations: limits.max_iterations.saturating_sub(total),
            };
            let (iterations, why) = self.improve(&residual, x, part, &mut apply);
            total += iterations;
            stop = why;
        }
        self.true_r = residual;
        (total, stop)
    }

    /// Improves `x`, whose residual is `residual`, by the recurrence alone.
    fn improve(
        &mut self,
        residual: &[f64],
        x: &mut [f64],
        limits: Limits,
        mut apply: impl FnMut(&[f64], &mut [f64]),
    ) -> (usize, Stop) {
        self.r.copy_from_slice(residual);
        if norm(&self.r) <= limits.tolerance {
            return (0, Stop::Converged);
        }
        if limits.max_iterations == 0 {
            return (0, Stop::Budget);
        }
        self.p.copy_from_slice(&self.r);
        apply(&self.r, &mut self.a_r);
        self.a_p.copy_from_slice(&self.a_r);
        let mut r_ar = dot(&self.r, &self.a_r);
        for iteration in 1..=limits.max_iterations {
            let ap_ap = dot(&self.a_p, &self.a_p);
            let size = norm(&self.r);
            // A·r → 0 while r does not: r is orthogonal to everything A can reach.
            if ap_ap == 0.0 || norm(&self.a_r) <= STATIONARY * limits.operator_size * size {
                return (iteration - 1, Stop::Stationary);
            }
            // r·A·p = r·A·r but for round-off; like this the residual cannot grow.
            let alpha = dot(&self.r, &self.a_p) / ap_ap;
            for k in 0..x.len() {
                x[k] += alpha * self.p[k];
                self.r[k] -= alpha * self.a_p[k];
            }
            if norm(&self.r) <= limits.tolerance {
                return (iteration, Stop::Converged);
            }
            if iteration == limits.max_iterations {
                break;
            }
            apply(&self.r, &mut self.a_r);
            let next = dot(&self.r, &self.a_r);
            let beta = next / r_ar;
            if !beta.is_finite() {
                return (iteration, Stop::Stationary);
            }
            r_ar = next;
            for k in 0..x.len() {
                self.p[k] = self.r[k] + beta * self.p[k];
                self.a_p[k] = self.a_r[k] + beta * self.a_p[k];
            }
        }
        (limits.max_iterations, Stop::Budget)
    }
}

/// Euclidean length.
pub(crate) fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}
