//! The law of bounded rows, as its solvers see it.

use super::bodies::Bodies;
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

/// How rows respond to each other.
#[derive(Debug)]
pub(super) enum Response<'a> {
    /// `W`, row-major.
    Dense(&'a [f64]),
    Bodies(&'a mut Bodies),
}

/// Sets, responses and rates.
#[derive(Debug)]
pub(super) struct Law<'a> {
    pub(super) groups: &'a [Group],
    pub(super) response: Response<'a>,
    /// `g`.
    pub(super) rate: &'a [f64],
}

impl Law<'_> {
    pub(super) fn n_rows(&self) -> usize {
        self.rate.len()
    }

    /// `out ← W·x`.
    pub(super) fn respond(&mut self, x: &[f64], out: &mut [f64]) {
        match &mut self.response {
            Response::Dense(response) => multiply(response, x, out),
            Response::Bodies(bodies) => bodies.respond(x, out),
        }
    }

    /// `u ← W·r + g`.
    pub(super) fn rates(&mut self, impulse: &[f64], u: &mut [f64]) {
        self.respond(impulse, u);
        for (u, g) in u.iter_mut().zip(self.rate) {
            *u += g;
        }
    }

    /// W, row-major: it is symmetric.
    pub(super) fn write_response(&mut self, out: &mut Vec<f64>) {
        let n = self.n_rows();
        out.clear();
        match &mut self.response {
            Response::Dense(response) => out.extend_from_slice(response),
            Response::Bodies(bodies) => {
                out.resize(n * n + n, 0.0);
                let (rows, unit) = out.split_at_mut(n * n);
                for (row, out) in rows.chunks_exact_mut(n.max(1)).enumerate() {
                    unit[row] = 1.0;
                    bodies.respond(unit, out);
                    unit[row] = 0.0;
                }
                out.truncate(n * n);
            }
        }
    }

    /// How the rows of a group respond to each other.
    pub(super) fn own_response(&self, group: usize) -> [[f64; MOST_ROWS]; MOST_ROWS] {
        match &self.response {
            Response::Dense(response) => {
                let (own, n) = (&self.groups[group], self.n_rows());
                let mut out = [[0.0; MOST_ROWS]; MOST_ROWS];
                for (out, row) in out.iter_mut().zip(own.rows()) {
                    let response = &response[row * n + own.start..];
                    out[..own.n].copy_from_slice(&response[..own.n]);
                }
                out
            }
            Response::Bodies(bodies) => bodies.own_response(group),
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

    /// The residual of the law, in the unit of u; infinite if something is not finite.
    pub(super) fn residual(&self, impulse: &[f64], u: &[f64]) -> f64 {
        let (mut worst, mut sum) = (0.0f64, 0.0);
        for group in self.groups {
            let error = Self::square_of(group, impulse, u).sqrt();
            worst = worst.max(error);
            sum += error;
        }
        sum += u.iter().map(|u| u.abs()).sum::<f64>();
        // A maximum forgets NaN; a sum does not.
        if sum.is_finite() {
            worst
        } else {
            f64::INFINITY
        }
    }

    /// The sum of squares of the residuals of all groups.
    pub(super) fn square(&self, impulse: &[f64], u: &[f64]) -> f64 {
        let groups = self.groups.iter();
        groups.map(|group| Self::square_of(group, impulse, u)).sum()
    }

    fn square_of(group: &Group, impulse: &[f64], u: &[f64]) -> f64 {
        let rows = group.rows();
        let shift = group.set.shift(&u[rows.clone()]);
        let w = group.mobility;
        let mut z = Self::step_of(group, (impulse, |row: usize| u[row]), (shift, 1.0 / w));
        group.set.project(&mut z[..group.n]);
        let errors = z.iter().zip(rows).map(|(z, row)| w * (impulse[row] - z));
        errors.map(|error| error * error).sum()
    }
}

/// `out ← W·x`, row by row.
pub(super) fn multiply(response: &[f64], x: &[f64], out: &mut [f64]) {
    for (row, out) in response.chunks_exact(x.len().max(1)).zip(out) {
        *out = dot(row, x);
    }
}
