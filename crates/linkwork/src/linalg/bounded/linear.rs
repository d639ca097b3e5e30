//! Newton's step on the law itself, `F(r) = r − P_K(r − (u + s·n)/w)`:
//!
//! ```text
//!     F′ = 1 − P′·(1 − (W + n·∂s/∂u·W)/w)      F′·step = F
//! ```
//!
//! Not symmetric, and singular where rows repeat each other: hence pivoted QR.

use super::law::{Group, Law};
use super::set::MOST_ROWS;
use crate::linalg::dense::PivotedQr;
use crate::linalg::tolerances::BOUNDED_SINGULAR;

/// A group's part of F and F′, as far as it has rows.
#[derive(Default)]
pub(super) struct Linear {
    /// ∂s/∂u.
    pub(super) slope: [f64; MOST_ROWS],
    /// P′.
    pub(super) p: [[f64; MOST_ROWS]; MOST_ROWS],
    /// F.
    pub(super) left: [f64; MOST_ROWS],
}

impl Linear {
    /// F and F′ of a group at impulses and their rates.
    #[inline(never)]
    pub(super) fn fill(&mut self, group: &Group, (r, rates): (&[f64], &[f64])) {
        let (rows, m) = (group.rows(), group.n);
        let u = &rates[rows.clone()];
        let shift = group.set.shift(u);
        let at = (r, |row: usize| rates[row]);
        let mut z = Law::step_of(group, at, (shift, 1.0 / group.mobility));
        let p = &mut self.p;
        p[..m].iter_mut().for_each(|row| row[..m].fill(0.0));
        group.set.eigenframe(&z[..m], |e, epsilon| {
            for k in 0..m {
                for other in 0..m {
                    p[k][other] += epsilon * e[k] * e[other];
                }
            }
        });
        group.set.project(&mut z[..m]);
        for (k, row) in rows.enumerate() {
            self.left[k] = r[row] - z[k];
        }
        self.slope = group.set.shift_slope(u);
    }
}

/// The buffers of a system.
#[derive(Debug, Default)]
pub(super) struct LinearSystem {
    a: Vec<f64>,
    left: Vec<f64>,
    qr: PivotedQr,
}

impl LinearSystem {
    /// The step from impulses and their rates.
    pub(super) fn solve(
        &mut self,
        groups: &[Group],
        response: &[f64],
        at: (&[f64], &[f64]),
        step: &mut [f64],
    ) {
        let n = step.len();
        self.left.resize(n, 0.0);
        self.a.clear();
        self.a.resize(n * n, 0.0);
        let mut linear = Linear::default();
        for group in groups {
            let (rows, m) = (group.rows(), group.n);
            linear.fill(group, at);
            let Linear { slope, p, left } = &linear;
            for (k, row) in rows.enumerate() {
                self.left[row] = left[k];
                let out = &mut self.a[row * n..(row + 1) * n];
                out[row] = 1.0;
                for other in 0..m {
                    let p = p[k][other];
                    if p == 0.0 {
                        continue;
                    }
                    out[group.start + other] -= p;
                    let scale = p / group.mobility;
                    // The row itself; and of the normal one, what the shift adds.
                    for from in 0..m {
                        let part = match (from == other, other) {
                            (true, _) => 1.0,
                            (false, 0) => slope[from],
                            _ => continue,
                        };
                        let own = group.start + from;
                        let response = &response[own * n..(own + 1) * n];
                        for (out, r) in out.iter_mut().zip(response) {
                            *out += scale * part * r;
                        }
                    }
                }
            }
        }
        self.qr.factor(n, &self.a, BOUNDED_SINGULAR);
        self.qr.solve(&mut self.left, step);
    }
}
