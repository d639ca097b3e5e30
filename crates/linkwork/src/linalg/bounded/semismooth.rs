//! Newton's method on the law itself, with the shift of friction: the last digits.
//!
//! ```text
//!     F(r) = r − P_K(r − (u + s·n)/w)      F′ = 1 − P′·(1 − (W + n·∂s/∂u·W)/w)
//! ```
//!
//! F′ is not symmetric, and singular where rows repeat each other: hence pivoted QR. Near an answer it converges
//! quadratically, also where center and shift by turns (`newton`) would creep along the edge of the cone. A step that
//! leaves more of the law than before is shortened, and then given up.

use super::Answer;
use super::law::Law;
use crate::linalg::dense::PivotedQr;
use crate::linalg::tolerances::{BOUNDED_HALVINGS, BOUNDED_LAST_STEPS, BOUNDED_SINGULAR};

/// The buffers of a solve.
#[derive(Debug, Default)]
pub(super) struct Semismooth {
    a: Vec<f64>,
    left: Vec<f64>,
    step: Vec<f64>,
    u: Vec<f64>,
    tried: Vec<f64>,
    qr: PivotedQr,
}

impl Semismooth {
    /// Improves the impulses of an answer.
    pub(super) fn solve(&mut self, law: &Law<'_>, answer: &mut Answer<'_>) {
        let n = law.n_rows();
        for buffer in [&mut self.left, &mut self.step, &mut self.u, &mut self.tried] {
            buffer.resize(n, 0.0);
        }
        for _ in 0..BOUNDED_LAST_STEPS {
            if answer.residual <= answer.enough || !answer.residual.is_finite() {
                return;
            }
            answer.steps += 1;
            self.linearize(law, answer);
            self.qr.factor(n, &self.a, BOUNDED_SINGULAR);
            self.qr.solve(&mut self.left, &mut self.step);
            let (mut part, before) = (1.0, answer.residual);
            for _ in 0..BOUNDED_HALVINGS {
                for (k, tried) in self.tried.iter_mut().enumerate() {
                    *tried = answer.impulse[k] - part * self.step[k];
                }
                if answer.take(law, &mut self.tried, &mut self.u) < before {
                    break;
                }
                part *= 0.5;
            }
            if answer.residual >= before {
                return;
            }
        }
    }

    /// `F` and `F′` at the impulses whose rates are `u`.
    fn linearize(&mut self, law: &Law<'_>, answer: &Answer<'_>) {
        let n = law.n_rows();
        self.a.clear();
        self.a.resize(n * n, 0.0);
        for group in law.groups {
            let (rows, w) = (group.rows(), group.mobility);
            let m = rows.len();
            let u = &answer.left[rows.clone()];
            let shift = group.set.shift(u);
            let slope = group.set.shift_slope(u);
            let at = (&*answer.impulse, |row: usize| answer.left[row]);
            let mut z = Law::step_of(group, at, (shift, 1.0 / w));
            let (frame, epsilon) = group.set.eigenframe(&z[..m]);
            group.set.project(&mut z[..m]);
            for (k, row) in rows.clone().enumerate() {
                self.left[row] = answer.impulse[row] - z[k];
                let out = &mut self.a[row * n..(row + 1) * n];
                out[row] = 1.0;
                for other in 0..m {
                    // P′, row k.
                    let mut p = 0.0;
                    for e in 0..m {
                        p += epsilon[e] * frame[e][k] * frame[e][other];
                    }
                    if p == 0.0 {
                        continue;
                    }
                    out[group.start + other] -= p;
                    let scale = p / w;
                    // The row itself; and of the normal one, what the shift adds.
                    for from in 0..m {
                        let part = match (from == other, other) {
                            (true, _) => 1.0,
                            (false, 0) => slope[from],
                            _ => continue,
                        };
                        let own = group.start + from;
                        let response = law.response_of(own);
                        for (out, r) in out.iter_mut().zip(response) {
                            *out += scale * part * r;
                        }
                    }
                }
            }
        }
    }
}
