//! The law of bounded rows, as its solvers see it.

use super::set::{MOST_ROWS, Set};
use crate::linalg::dense::dot;
use std::ops::Range;

/// Rows whose impulses are bounded together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub(crate) set: Set,
    /// The first of its rows, and how many there are.
    pub(crate) start: usize,
    pub(crate) n: usize,
    /// The mean of what its rows could do if nothing held the bodies: it makes impulses and rates comparable.
    pub(crate) mobility: f64,
}

impl Group {
    pub(crate) fn rows(&self) -> Range<usize> {
        self.start..self.start + self.n
    }
}

/// Sets, responses and rates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Law<'a> {
    pub(super) groups: &'a [Group],
    /// `W`, row-major.
    pub(super) response: &'a [f64],
    /// `g`.
    pub(super) rate: &'a [f64],
}

impl Law<'_> {
    pub(super) fn n_rows(&self) -> usize {
        self.rate.len()
    }

    pub(super) fn response_of(&self, row: usize) -> &[f64] {
        let n = self.n_rows();
        &self.response[row * n..(row + 1) * n]
    }

    /// `out ← W·x`.
    pub(super) fn respond(&self, x: &[f64], out: &mut [f64]) {
        for (row, out) in out.iter_mut().enumerate() {
            *out = dot(self.response_of(row), x);
        }
    }

    /// `u ← W·r + g`.
    pub(super) fn rates(&self, impulse: &[f64], u: &mut [f64]) {
        self.respond(impulse, u);
        for (u, g) in u.iter_mut().zip(self.rate) {
            *u += g;
        }
    }

    /// Puts impulses into their sets.
    pub(super) fn project(&self, impulse: &mut [f64]) {
        for group in self.groups {
            group.set.project(&mut impulse[group.rows()]);
        }
    }

    /// `r − (u + s·n)·part` of a group.
    pub(super) fn step_of(
        group: &Group,
        (r, u): (&[f64], impl Fn(usize) -> f64),
        (shift, part): (f64, f64),
    ) -> [f64; MOST_ROWS] {
        let mut z = [0.0; MOST_ROWS];
        for (k, row) in group.rows().enumerate() {
            let shift = if k == 0 { shift } else { 0.0 };
            z[k] = r[row] - part * (u(row) + shift);
        }
        z
    }

    /// What is left of the law, in the unit of u; infinite if something is not finite.
    pub(super) fn residual(&self, impulse: &[f64], u: &[f64]) -> f64 {
        let (mut worst, mut sum) = (0.0f64, 0.0);
        for group in self.groups {
            let rows = group.rows();
            let shift = group.set.shift(&u[rows.clone()]);
            let w = group.mobility;
            let mut z = Self::step_of(group, (impulse, |row: usize| u[row]), (shift, 1.0 / w));
            group.set.project(&mut z[..group.n]);
            let mut square = 0.0;
            for (z, row) in z.iter().zip(rows) {
                square += (impulse[row] - z) * (impulse[row] - z);
                sum += u[row].abs();
            }
            let error = w * square.sqrt();
            worst = worst.max(error);
            sum += error;
        }
        // A maximum forgets NaN; a sum does not.
        if sum.is_finite() {
            worst
        } else {
            f64::INFINITY
        }
    }
}
