//! Newton's method on the law with friction in discs, from no impulses: where it is not known who touches, sticks and
//! slides, and centers creep.
//!
//! ```text
//!     F_n(r) = r_n − max(0, z_n)      F_i(r) = r_i − D_i(z_i)      z = r − κ·u/w
//! ```
//!
//! with D_i the nearest point of the disc `‖r_i‖ ≤ μ_i·max(0, z_n)` (Alart, Curnier 1991). It has the roots of the law
//! without a shift: the disc follows the normal impulse, and that is another way to them. Other sets are as they are.
//! How far a step leads depends on κ, and what one does not find, another one does: so each of a few is tried. Steps
//! go to the least sum of squares among their halves, even if that is more than before.

use super::Answer;
use super::law::{Group, Law};
use super::linear::{Linear, LinearSystem};
use super::set::MOST_ROWS;
use crate::linalg::tolerances::{BOUNDED_DISC_STEPS, BOUNDED_DISC_STIFFNESS, BOUNDED_HALVINGS};

/// How many ways there are.
pub(super) const WAYS: usize = BOUNDED_DISC_STIFFNESS.len();

/// The buffers of a solve.
#[derive(Debug, Default)]
pub(super) struct Discs {
    linear: LinearSystem,
    /// With w/κ as their mobility.
    groups: Vec<Group>,
    r: Vec<f64>,
    u: Vec<f64>,
    step: Vec<f64>,
    tried: Vec<f64>,
    rates: Vec<f64>,
    best: Vec<f64>,
    best_rates: Vec<f64>,
    inside: Vec<f64>,
}

impl Discs {
    /// Looks for impulses by one of the ways.
    pub(super) fn solve(
        &mut self,
        law: &mut Law<'_>,
        response: &[f64],
        way: usize,
        answer: &mut Answer<'_>,
    ) {
        let (n, stiffness) = (law.n_rows(), BOUNDED_DISC_STIFFNESS[way]);
        self.groups.clear();
        self.groups.extend(law.groups.iter().map(|group| Group {
            mobility: group.mobility / stiffness,
            ..*group
        }));
        for buffer in [
            &mut self.r,
            &mut self.u,
            &mut self.step,
            &mut self.tried,
            &mut self.rates,
            &mut self.best,
            &mut self.best_rates,
            &mut self.inside,
        ] {
            buffer.clear();
            buffer.resize(n, 0.0);
        }
        law.rates(&self.r, &mut self.u);
        let mut square = self.square((&self.r, &self.u));
        for _ in 0..BOUNDED_DISC_STEPS {
            if answer.residual <= answer.enough || !square.is_finite() {
                return;
            }
            answer.steps += 1;
            let at = (&self.r[..], &self.u[..]);
            self.linear
                .solve(&self.groups, response, at, fill, &mut self.step);
            let (mut part, before) = (1.0, square);
            square = f64::INFINITY;
            for _ in 0..BOUNDED_HALVINGS {
                for (k, tried) in self.tried.iter_mut().enumerate() {
                    *tried = self.r[k] - part * self.step[k];
                }
                law.rates(&self.tried, &mut self.rates);
                let own = self.square((&self.tried, &self.rates));
                if own < square {
                    square = own;
                    self.best.copy_from_slice(&self.tried);
                    self.best_rates.copy_from_slice(&self.rates);
                }
                if square < (1.0 - 1e-3 * part) * before {
                    break;
                }
                part *= 0.5;
            }
            std::mem::swap(&mut self.r, &mut self.best);
            std::mem::swap(&mut self.u, &mut self.best_rates);
            self.inside.copy_from_slice(&self.r);
            answer.take(law, &mut self.inside, &mut self.rates);
        }
    }

    /// The sum of squares of F, in the unit of u.
    fn square(&self, at: (&[f64], &[f64])) -> f64 {
        let mut linear = Linear::default();
        let squares = self.groups.iter().map(|group| {
            fill(&mut linear, group, at);
            let left = linear.left[..group.n].iter();
            let errors = left.map(|left| group.mobility * left);
            errors.map(|error| error * error).sum::<f64>()
        });
        squares.sum()
    }
}

/// F and F′ of a group.
fn fill(linear: &mut Linear, group: &Group, (r, u): (&[f64], &[f64])) {
    let (rows, m) = (group.rows(), group.n);
    let at = (r, |row: usize| u[row]);
    let mut z = Law::step_of(group, at, (0.0, 1.0 / group.mobility));
    if group.set.slips(m).next().is_none() {
        linear.project_on_set(&group.set, &mut z[..m]);
    } else {
        project_on_discs(linear, group, &mut z);
    }
    for (k, row) in rows.enumerate() {
        linear.left[k] = r[row] - z[k];
    }
}

/// `P` of a normal row and of those across it, in place, and P′:
///
/// ```text
///     D = R·h,  D′ = R/‖z‖·(1 − h·hᵀ) + μ·h·∂z_n,  h = z/‖z‖      beyond the disc of R = μ·max(0, z_n)
/// ```
fn project_on_discs(linear: &mut Linear, group: &Group, z: &mut [f64; MOST_ROWS]) {
    let p = &mut linear.p;
    p[..group.n].iter_mut().for_each(|row| row.fill(0.0));
    let pushes = z[0] > 0.0;
    z[0] = z[0].max(0.0);
    p[0][0] = if pushes { 1.0 } else { 0.0 };
    for (rows, mu) in group.set.slips(group.n) {
        let length = z[rows.clone()].iter().map(|z| z * z).sum::<f64>().sqrt();
        let most = mu * z[0];
        if length <= most {
            rows.for_each(|row| p[row][row] = 1.0);
            continue;
        }
        let mut h = [0.0; MOST_ROWS];
        for row in rows.clone() {
            h[row] = z[row] / length;
        }
        for row in rows.clone() {
            for other in rows.clone() {
                let own = if row == other { 1.0 } else { 0.0 };
                p[row][other] = most / length * (own - h[row] * h[other]);
            }
            p[row][0] = p[0][0] * mu * h[row];
            z[row] = most * h[row];
        }
    }
}
