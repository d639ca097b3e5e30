//! Projected Gauss–Seidel: one group after the other, the others given. The last resort.
//!
//! ```text
//!     r_k ← P_K(r_k − ω·(u_k + s·n)/λ)      λ the largest eigenvalue of the group's own response
//! ```
//!
//! Where many contacts slide at once, the updates of `newton` can cycle and `semismooth` can begin too far away. Small
//! steps with the shift of the present rates converge, slowly; `semismooth` finishes.

use super::Answer;
use super::law::{Law, Response};
use super::set::MOST_ROWS;
use crate::linalg::dense::dot;
use crate::linalg::tolerances::BOUNDED_RELAXATION;

/// The buffers of a solve, and where it is.
#[derive(Debug, Default)]
pub(super) struct Sweeps {
    r: Vec<f64>,
    u: Vec<f64>,
    tried: Vec<f64>,
    /// ω/λ of each group.
    step: Vec<f64>,
}

impl Sweeps {
    /// Starts from the impulses of an answer.
    pub(super) fn begin(&mut self, law: &mut Law<'_>, answer: &Answer<'_>) {
        let n = law.n_rows();
        self.r.clear();
        self.r.extend_from_slice(answer.impulse);
        for buffer in [&mut self.u, &mut self.tried] {
            buffer.clear();
            buffer.resize(n, 0.0);
        }
        self.step.clear();
        for (at, group) in law.groups.iter().enumerate() {
            let own = law.own_response(at);
            // The largest sum of a row bounds the largest eigenvalue.
            let sums = own[..group.n].iter().map(|row| {
                let sizes = row[..group.n].iter().map(|w| w.abs());
                sizes.sum::<f64>()
            });
            let largest = sums.fold(f64::MIN_POSITIVE, f64::max);
            self.step.push(BOUNDED_RELAXATION / largest);
        }
    }

    /// Makes this many sweeps.
    pub(super) fn solve(&mut self, law: &mut Law<'_>, n_sweeps: usize, answer: &mut Answer<'_>) {
        law.rates(&self.r, &mut self.u);
        if let Response::Bodies(bodies) = &mut law.response {
            bodies.begin_sweeps(&self.r);
        }
        for _ in 0..n_sweeps {
            answer.iterations += 1;
            for (at, group) in law.groups.iter().enumerate() {
                let rows = group.rows();
                let mut u = [0.0; MOST_ROWS];
                match &law.response {
                    Response::Dense(response) => {
                        let n = self.r.len();
                        for (u, row) in u.iter_mut().zip(rows.clone()) {
                            *u = dot(&response[row * n..(row + 1) * n], &self.r);
                        }
                    }
                    Response::Bodies(bodies) => bodies.rates_of(at, &self.r, &mut u),
                }
                for (u, row) in u.iter_mut().zip(rows.clone()) {
                    *u += law.rate[row];
                }
                let shift = group.set.shift(&u[..group.n]);
                let own = (&self.r[..], |row: usize| u[row - group.start]);
                let mut z = Law::step_of(group, own, (shift, self.step[at]));
                group.set.project(&mut z[..group.n]);
                let mut change = [0.0; MOST_ROWS];
                for (k, row) in rows.enumerate() {
                    change[k] = z[k] - self.r[row];
                    self.r[row] = z[k];
                }
                if let Response::Bodies(bodies) = &mut law.response {
                    bodies.push(at, &change);
                }
            }
        }
        self.tried.copy_from_slice(&self.r);
        answer.take(law, &mut self.tried, &mut self.u);
    }
}
