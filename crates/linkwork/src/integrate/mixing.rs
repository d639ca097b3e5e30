//! Anderson mixing: accelerates a linearly converging iteration by its last few steps.
//!
//! With δ the step of the iteration at x, and differences Δx, Δδ of the last iterations,
//!
//! ```text
//!     γ = argmin |δ − Σ γⱼ·Δδⱼ|²        x ← x + δ − Σ γⱼ·(Δxⱼ + Δδⱼ)
//! ```
//!
//! The limit does not change: there δ is zero.

use crate::integrate::tolerances::{MIXED_FAR, SINGULAR};
use crate::linalg::{size, small};

/// Number of past iterations.
const DEPTH: usize = 3;

/// The past iterations. γ is computed from the first `n_led` numbers and applied to all.
#[derive(Clone, Debug, Default)]
pub(super) struct Mixing {
    n_led: usize,
    /// The last δ, and the step taken; empty at the start.
    asked: Vec<f64>,
    taken: Vec<f64>,
    has_last: bool,
    /// Δδ and Δx + Δδ of the last iterations.
    changes: [Vec<f64>; DEPTH],
    ways: [Vec<f64>; DEPTH],
    n: usize,
}

impl Mixing {
    pub(super) fn size(&mut self, n_led: usize, n: usize) {
        self.n_led = n_led;
        let rings = self.changes.iter_mut().chain(&mut self.ways);
        for buffer in rings.chain([&mut self.asked, &mut self.taken]) {
            size(buffer, n);
        }
        self.forget();
    }

    /// Forgets past iterations, after a change of the matrix.
    pub(super) fn forget(&mut self) {
        (self.has_last, self.n) = (false, 0);
    }

    /// The step for the present δ, in two parts.
    pub(super) fn step(&mut self, first: &[f64], second: &[f64]) -> &[f64] {
        if self.has_last {
            self.n = (self.n + 1).min(DEPTH);
            self.changes.rotate_right(1);
            self.ways.rotate_right(1);
        }
        let asked = first.iter().chain(second);
        for (k, &asked) in asked.enumerate() {
            if self.has_last {
                self.changes[0][k] = asked - self.asked[k];
                self.ways[0][k] = self.taken[k] + asked - self.asked[k];
            }
            self.asked[k] = asked;
        }
        self.has_last = true;
        let n = first.len() + second.len();
        self.taken[..n].copy_from_slice(&self.asked[..n]);
        let parts = self.parts();
        for (part, way) in parts.iter().zip(&self.ways) {
            for (step, way) in self.taken[..n].iter_mut().zip(way) {
                *step -= part * way;
            }
        }
        let led = |of: &[f64]| {
            of[..self.n_led]
                .iter()
                .fold(0.0f64, |most, x| most.max(x.abs()))
        };
        if led(&self.taken) > MIXED_FAR * led(&self.asked) {
            self.taken[..n].copy_from_slice(&self.asked[..n]);
        }
        &self.taken[..n]
    }

    /// γ, by its normal equations.
    fn parts(&self) -> [f64; DEPTH] {
        let led = |of: &Vec<f64>, other: &Vec<f64>| -> f64 {
            let (a, b) = (&of[..self.n_led], &other[..self.n_led]);
            a.iter().zip(b).map(|(a, b)| a * b).sum()
        };
        let (mut products, mut right) = ([0.0; DEPTH * DEPTH], [0.0; DEPTH]);
        for n in (1..=self.n).rev() {
            for i in 0..n {
                for j in 0..n {
                    products[i * n + j] = led(&self.changes[i], &self.changes[j]);
                }
                right[i] = led(&self.changes[i], &self.asked);
            }
            let most = (0..n).fold(0.0f64, |most, i| most.max(products[i * n + i]));
            (0..n).for_each(|i| products[i * n + i] *= 1.0 + SINGULAR);
            if most == 0.0 {
                break;
            }
            small::cholesky(n, &mut products[..n * n]);
            let is_regular = (0..n).all(|i| {
                let pivot = products[i * n + i];
                pivot * pivot > SINGULAR * most
            });
            if is_regular {
                small::cholesky_solve(n, &products[..n * n], &mut right[..n]);
                right[n..].fill(0.0);
                return right;
            }
        }
        [0.0; DEPTH]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A linear map whose parts 0.6, −0.5 and 0.4 remain of errors: four iterations find where it rests.
    #[test]
    fn a_few_rates_of_convergence_are_seen_through() {
        let (rest, rates) = ([1.0, -2.0, 3.0], [0.6, -0.5, 0.4]);
        let (mut x, mut mixing) = ([0.0; 3], Mixing::default());
        mixing.size(2, 3);
        for _ in 0..6 {
            let asked = [0, 1, 2].map(|k: usize| (1.0 - rates[k]) * (rest[k] - x[k]));
            let step = mixing.step(&asked[..2], &asked[2..]);
            (0..3).for_each(|k| x[k] += step[k]);
        }
        // Two numbers lead, and have two rates; the third follows at its own.
        assert!(
            (x[0] - rest[0]).abs() < 1e-9 && (x[1] - rest[1]).abs() < 1e-9,
            "{x:?}"
        );
    }
}
