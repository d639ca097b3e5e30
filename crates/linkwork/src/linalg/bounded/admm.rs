//! Alternating directions (ADMM): who touches, sticks and slides, found from nothing.
//!
//! One factor, with the penalty ρ on the rows; an iteration is a solve and a projection:
//!
//! ```text
//!     (W + ρ)·x = −g + ρ·y + z      y ← P_K(x − (z + s·n)/ρ)      z ← z − ρ·(x − y)
//! ```
//!
//! z tends to the rates u, x and y to the impulses. It converges from anywhere but slowly in the end, where Newton's
//! method is exact (Carpentier et al. 2024, for contacts over joints).

use super::Answer;
use super::law::Law;
use crate::linalg::dense::{PANEL, cholesky, cholesky_solve};
use crate::linalg::tolerances::{
    BOUNDED_ITERATIONS, BOUNDED_PENALTY, PENALTY_BALANCE, PENALTY_STEP,
};

/// The buffers of a solve, and where it is.
#[derive(Debug, Default)]
pub(super) struct Admm {
    /// In mobilities.
    penalty: f64,
    factored_for: f64,
    x: Vec<f64>,
    y: Vec<f64>,
    z: Vec<f64>,
    u: Vec<f64>,
    tried: Vec<f64>,
    /// Of each row.
    mobility: Vec<f64>,
    a: Vec<f64>,
    panel: Vec<f64>,
}

impl Admm {
    /// Starts from the impulses of an answer.
    pub(super) fn begin(&mut self, law: &Law<'_>, answer: &Answer<'_>) {
        let n = law.n_rows();
        self.penalty = BOUNDED_PENALTY;
        self.factored_for = 0.0;
        self.mobility.clear();
        for group in law.groups {
            let end = self.mobility.len() + group.n;
            self.mobility.resize(end, group.mobility);
        }
        for buffer in [&mut self.x, &mut self.u, &mut self.tried] {
            buffer.resize(n, 0.0);
        }
        self.y.clear();
        self.y.extend_from_slice(answer.impulse);
        self.z.clear();
        self.z.extend_from_slice(answer.left);
    }

    /// Iterates until no more than `rough` is left of the law.
    pub(super) fn solve(&mut self, law: &Law<'_>, rough: f64, answer: &mut Answer<'_>) {
        for iteration in 1..=BOUNDED_ITERATIONS {
            answer.iterations += 1;
            if self.factored_for != self.penalty {
                self.factor(law);
            }
            let (primal, dual) = self.iterate(law);
            if iteration % 5 == 0 {
                self.tried.copy_from_slice(&self.y);
                answer.take(law, &mut self.tried, &mut self.u);
                if answer.residual <= rough {
                    return;
                }
            }
            if iteration % 10 == 0 {
                if primal > PENALTY_BALANCE * dual {
                    self.penalty *= PENALTY_STEP;
                } else if dual > PENALTY_BALANCE * primal {
                    self.penalty /= PENALTY_STEP;
                }
            }
        }
    }

    fn factor(&mut self, law: &Law<'_>) {
        let n = law.n_rows();
        self.a.clear();
        self.a.extend_from_slice(law.response);
        for (row, mobility) in self.mobility.iter().enumerate() {
            self.a[row * n + row] += self.penalty * mobility;
        }
        self.panel.resize(n * PANEL, 0.0);
        cholesky(
            n,
            &mut self.a,
            &self.mobility,
            f64::EPSILON,
            &mut self.panel,
        );
        self.factored_for = self.penalty;
    }

    /// One iteration; what is left in both directions, m/s.
    fn iterate(&mut self, law: &Law<'_>) -> (f64, f64) {
        for (row, x) in self.x.iter_mut().enumerate() {
            let rho = self.penalty * self.mobility[row];
            *x = -law.rate[row] + rho * self.y[row] + self.z[row];
        }
        cholesky_solve(law.n_rows(), &self.a, &mut self.x);
        let (mut primal, mut dual) = (0.0f64, 0.0f64);
        for group in law.groups {
            let rows = group.rows();
            let rho = self.penalty * group.mobility;
            let shift = group.set.shift(&self.z[rows.clone()]);
            let at = (&self.x[..], |row: usize| self.z[row]);
            let mut p = Law::step_of(group, at, (shift, 1.0 / rho));
            group.set.project(&mut p[..rows.len()]);
            for (row, p) in rows.zip(p) {
                dual = dual.max(rho * (p - self.y[row]).abs());
                primal = primal.max(group.mobility * (self.x[row] - p).abs());
                self.y[row] = p;
                self.z[row] -= rho * (self.x[row] - p);
            }
        }
        (primal, dual)
    }
}
