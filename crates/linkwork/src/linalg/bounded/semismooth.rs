//! Semismooth Newton's method on the law itself, the shift of friction included: the last digits.
//!
//! ```text
//!     F(r) = r − P_K(r − (u + s·n)/w)      F′ = 1 − P′·(1 − (W + n·∂s/∂u·W)/w)
//! ```
//!
//! Dense steps are those of `linear`. Near an answer it converges quadratically, also where updates of center and shift
//! (`newton`) converge slowly along the edge of the cone. A step that does not reduce the sum of squares is halved, and
//! after some halvings given up.
//!
//! By bodies, with `B = P′` and `T = (1 + n·∂s/∂u)/w` of each group, and a small δ where B = 1:
//!
//! ```text
//!     dr = a − K·G·dv      (M + Gᵀ·K·G)·dv = Gᵀ·a      K = (1 − B + δ)⁻¹·B·T,  a = −(1 − B + δ)⁻¹·F
//! ```

use super::Answer;
use super::bodies::Bodies;
use super::law::{Group, Law, Response};
use super::linear::{Linear, LinearSystem};
use super::set::MOST_ROWS;
use crate::linalg::tolerances::{BOUNDED_GIVE, BOUNDED_HALVINGS, BOUNDED_LAST_STEPS};

/// The buffers of a solve.
#[derive(Debug, Default)]
pub(super) struct Semismooth {
    linear: LinearSystem,
    /// By bodies: the vector a.
    a: Vec<f64>,
    /// Where it is: impulses and their rates.
    r: Vec<f64>,
    rates: Vec<f64>,
    left: Vec<f64>,
    step: Vec<f64>,
    u: Vec<f64>,
    tried: Vec<f64>,
    /// K of each group, row by row.
    stiffnesses: Vec<f64>,
}

impl Semismooth {
    /// Improves the impulses of an answer.
    pub(super) fn solve(&mut self, law: &mut Law<'_>, answer: &mut Answer<'_>) {
        let n = law.n_rows();
        for buffer in [&mut self.left, &mut self.step, &mut self.u, &mut self.tried] {
            buffer.resize(n, 0.0);
        }
        self.r.clear();
        self.r.extend_from_slice(answer.impulse);
        self.rates.clear();
        self.rates.extend_from_slice(answer.left);
        let mut square = law.square(&self.r, &self.rates);
        for _ in 0..BOUNDED_LAST_STEPS {
            if answer.residual <= answer.enough || !square.is_finite() {
                return;
            }
            answer.steps += 1;
            let groups = law.groups;
            match &mut law.response {
                Response::Dense(response) => {
                    let at = (&self.r[..], &self.rates[..]);
                    self.linear.solve(groups, response, at, &mut self.step);
                }
                Response::Bodies(bodies) => self.step_by_bodies(groups, bodies),
            }
            // The sum of squares falls along the step wherever the law is smooth; the largest part of it need not.
            let (mut part, before, mut falls) = (1.0, square, false);
            for _ in 0..BOUNDED_HALVINGS {
                for (k, tried) in self.tried.iter_mut().enumerate() {
                    *tried = self.r[k] - part * self.step[k];
                }
                let best = answer.residual;
                let is_best = answer.take(law, &mut self.tried, &mut self.u) < best;
                square = law.square(&self.tried, &self.u);
                falls = is_best || square < (1.0 - 1e-3 * part) * before;
                if falls {
                    break;
                }
                part *= 0.5;
            }
            if !falls {
                return;
            }
            std::mem::swap(&mut self.r, &mut self.tried);
            std::mem::swap(&mut self.rates, &mut self.u);
        }
    }

    /// The step by bodies.
    fn step_by_bodies(&mut self, groups: &[Group], bodies: &mut Bodies) {
        self.stiffnesses.clear();
        self.a.resize(self.r.len(), 0.0);
        let mut linear = Linear::default();
        let mut own = [[0.0; MOST_ROWS]; MOST_ROWS];
        let mut right = [[0.0; MOST_ROWS + 1]; MOST_ROWS];
        for group in groups {
            let (rows, m) = (group.rows(), group.n);
            linear.fill(group, (&self.r, &self.rates));
            let Linear { slope, p, left } = &linear;
            // (1 − B + δ)⁻¹ shares its directions with B, so that its solve is one of a small symmetric matrix.
            for k in 0..m {
                for other in 0..m {
                    own[k][other] = -p[k][other];
                    // B·T: the row itself; and of the normal one, what the shift adds.
                    right[k][other] = (p[k][other] + p[k][0] * slope[other]) / group.mobility;
                }
                own[k][k] += 1.0 + BOUNDED_GIVE;
                right[k][m] = -left[k];
            }
            eliminate(m, &mut own, &mut right);
            // Rows that give way by themselves are alone in their groups.
            let c = bodies.compliance(group.start);
            for (k, row) in rows.enumerate() {
                let part = if c > 0.0 {
                    1.0 / (1.0 + c * right[k][0])
                } else {
                    1.0
                };
                let stiffness = right[k][..m].iter().map(|right| part * right);
                self.stiffnesses.extend(stiffness);
                self.a[row] = part * right[k][m];
            }
        }
        bodies.factor(&self.stiffnesses);
        let n = self.r.len();
        bodies.solve(&self.a[..n], &mut self.left);
        let mut at = 0;
        for group in groups {
            for row in group.rows() {
                let stiffness = self.stiffnesses[at..].iter();
                let moved = stiffness.zip(&self.left[group.rows()]);
                let moved: f64 = moved.map(|(stiffness, left)| stiffness * left).sum();
                self.step[row] = moved - self.a[row];
                at += group.n;
            }
        }
    }
}

/// `right ← own⁻¹·right` of a symmetric positive matrix of `m` rows; `m + 1` columns.
fn eliminate(
    m: usize,
    own: &mut [[f64; MOST_ROWS]; MOST_ROWS],
    right: &mut [[f64; MOST_ROWS + 1]; MOST_ROWS],
) {
    for k in 0..m {
        let (pivot, row) = (own[k], right[k]);
        for below in 0..m {
            if below == k {
                continue;
            }
            let factor = own[below][k] / pivot[k];
            for (own, pivot) in own[below][..m].iter_mut().zip(&pivot) {
                *own -= factor * pivot;
            }
            for (right, row) in right[below][..=m].iter_mut().zip(&row) {
                *right -= factor * row;
            }
        }
    }
    for k in 0..m {
        let pivot = own[k][k];
        right[k][..=m].iter_mut().for_each(|right| *right /= pivot);
    }
}
