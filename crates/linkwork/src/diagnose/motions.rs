//! Remaining motions: pseudo-random velocities, projected onto `J·v = 0` without redundant rows.

use super::geometry::{Geometry, make_orthonormal};
use super::tolerances::{LEFT_OUT, MAX_PROJECTIONS, NOTHING_NEW};
use crate::solve::{Elimination, RowFactor};
use crate::system::System;

impl Geometry {
    /// Leaves out these redundant rows.
    pub(super) fn leave_out(&mut self, rows: impl Iterator<Item = usize>) {
        self.left_out = rows.collect();
        self.whole_factor = None;
    }

    /// Factors all constraints, without the rows that are left out.
    fn factor_whole(&mut self) -> Elimination {
        let system = &mut self.system;
        let before = (system.compliance.clone(), system.has_soft_rows);
        for &row in &self.left_out {
            system.compliance[row] = LEFT_OUT;
            system.has_soft_rows = true;
        }
        let mut factor = Elimination::new(system, &self.topology, self.order);
        factor.factor(system);
        (system.compliance, system.has_soft_rows) = before;
        factor
    }

    /// Independent motions with `J·v = 0`, of length one each.
    pub(super) fn motions(&mut self, n: usize) -> Vec<Vec<f64>> {
        let mut found: Vec<Vec<f64>> = Vec::new();
        for _ in 0..2 * n {
            if found.len() == n {
                break;
            }
            let mut v = self.motion();
            if make_orthonormal(&mut v, &found) > NOTHING_NEW {
                found.push(v);
            }
        }
        found
    }

    /// A pseudo-random velocity, projected onto `J·v = 0`.
    pub(super) fn motion(&mut self) -> Vec<f64> {
        let mut v = vec![0.0; self.system.n_v()];
        for block in &self.system.bodies {
            for v in &mut v[block.v0 as usize..(block.v0 + block.n_v) as usize] {
                *v = self.random.next();
            }
        }
        let mut force = vec![0.0; self.system.n_v()];
        self.system.multiply_masses(&v, &mut force);
        self.project(force)
    }

    /// The response of bodies of equal mass to a force, projected onto `J·v = 0`.
    pub(super) fn project(&mut self, mut force: Vec<f64>) -> Vec<f64> {
        let mut v = vec![0.0; self.system.n_v()];
        let mut factor = match self.whole_factor.take() {
            Some(factor) => factor,
            None => self.factor_whole(),
        };
        let system = &self.system;
        let mut heeded = self.hard.clone();
        self.left_out.iter().for_each(|&row| heeded[row] = false);
        let mut opening = f64::INFINITY;
        // The proximal term leaves an error: repeated while it decreases.
        for _ in 0..MAX_PROJECTIONS {
            factor.solve(system, Some(&force), None, &mut self.lambda, &mut self.y);
            let now = largest_rate(system, &heeded, &self.y);
            if now >= 0.5 * opening {
                break;
            }
            v.copy_from_slice(&self.y);
            opening = now;
            system.multiply_masses(&v, &mut force);
        }
        self.whole_factor = Some(factor);
        v
    }
}

/// The largest rate of a row that is not left out, in meters.
fn largest_rate(system: &System, heeded: &[bool], v: &[f64]) -> f64 {
    let mut largest = 0.0f64;
    let mut rates = Vec::new();
    for c in 0..system.constraints.len() as u32 {
        let rows = system.row_range(c);
        rates.resize(rows.len(), 0.0);
        system.constraint_motion(c, v, &mut rates);
        for (row, rate) in rows.zip(&rates).filter(|(row, _)| heeded[*row]) {
            largest = largest.max((system.row_scale[row] * rate).abs());
        }
    }
    largest
}
