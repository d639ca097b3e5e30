//! Rates that a factor cannot correct: at a singular pose rows are nearly dependent, and the small differences
//! between them are lost in round-off of the pivots.
//!
//! ```text
//!     min ‖S·(ċ + J·δv)‖      by conjugate gradients on the normal equations, metric M/m
//! ```

use super::descent::Descent;
use super::tolerances::{RATE_PATIENCE, RATE_PRODUCTS};
use crate::equations::{Motion, Soft};
use crate::frame::Frame;
use crate::linalg::dense::dot;
use crate::system::System;

impl Descent {
    /// Changes the state's velocities until no rate error exceeds `enough`, or none decreases any more.
    pub(super) fn make_rates_right(&mut self, frame: &mut Frame<'_, '_>, enough: f64) {
        let terms = frame.terms(Motion::Velocity, Soft::Explicit);
        let at = (frame.world, &*frame.state);
        let system = frame.equations.fill_probe(at, terms);
        self.inverse.factor(system);
        let mut rest = system.c_dot.clone();
        let mut product = vec![0.0; rest.len()];
        self.p.fill(0.0);
        let (mut last, mut least) = (f64::INFINITY, f64::INFINITY);
        let (mut best, mut vain) = (frame.state.v.clone(), 0);
        for _ in 0..RATE_PRODUCTS {
            // s = −Jᵀ·S²·r, z = m·M⁻¹·s, p ← z + β·p.
            self.pull_back(system, &rest);
            self.z.copy_from_slice(&self.r);
            self.precondition(system);
            let now = dot(&self.r, &self.z);
            let beta = if last.is_finite() { now / last } else { 0.0 };
            last = now;
            for (p, z) in self.p.iter_mut().zip(&self.z) {
                *p = z + beta * *p;
            }
            for c in 0..system.constraints.len() as u32 {
                let range = system.row_range(c);
                system.constraint_motion(c, &self.p, &mut product[range]);
            }
            let scaled = |&(row, scale): &(u32, f64)| scale * product[row as usize];
            let rows = system.rows.on_rates();
            let square: f64 = rows.iter().map(|row| scaled(row) * scaled(row)).sum();
            let alpha = now / square;
            if !alpha.is_finite() || now <= 0.0 {
                break;
            }
            let (mut largest, mut sum) = (0.0f64, 0.0);
            for &(row, scale) in rows {
                rest[row as usize] += alpha * product[row as usize];
                let error = scale * rest[row as usize].abs();
                largest = largest.max(error);
                sum += error * error;
            }
            for (v, p) in frame.state.v.iter_mut().zip(&self.p) {
                *v += alpha * p;
            }
            // If rates contradict each other, iterations after the smallest sum only add round-off.
            if sum < least {
                (least, vain) = (sum, 0);
                best.copy_from_slice(&frame.state.v);
            } else {
                vain += 1;
            }
            if largest <= enough || vain >= RATE_PATIENCE {
                break;
            }
        }
        frame.state.v.copy_from_slice(&best);
    }

    /// `r ← −Jᵀ·S²·rest` over the rows of rates.
    fn pull_back(&mut self, system: &System, rest: &[f64]) {
        self.weighted.fill(0.0);
        self.r.fill(0.0);
        for &(row, scale) in system.rows.on_rates() {
            self.weighted[row as usize] = -scale * scale * rest[row as usize];
        }
        for c in 0..system.constraints.len() as u32 {
            let rows = &self.weighted[system.row_range(c)];
            let r = &mut self.r;
            system.for_each_side(c, false, |body, side| {
                side.apply_transposed(rows, &mut r[system.v_range(body)]);
            });
        }
    }
}
