//! Faure 1998, §4.2 as printed.
//!
//! ```text
//!     Δq ← Δq + M⁻¹·f·h²      q ← q + Δq      δq = correction(q)      q ← q + δq,  Δq ← Δq + δq
//! ```
//!
//! The displacement is carried as v = Δq/h, so that a new step scales it. Rows on rates hold the
//! displacement: `J·(Δq + δq) = 0`. It pushes along J of the predicted place, which is not SHAKE:
//! robust, of first order, and damping.

use std::ops::RangeInclusive;

use super::truncate_rotations;
use crate::equations::{Motion, Request, Soft};
use crate::frame::Frame;
use crate::linalg::size;
use crate::system::System;

/// The buffers of the corrections.
#[derive(Debug, Default)]
pub(crate) struct Displacement {
    b: Vec<f64>,
    force: Vec<f64>,
    dq: Vec<f64>,
}

impl Displacement {
    pub(crate) fn size(&mut self, system: &System) {
        size(&mut self.b, system.n_rows());
        size(&mut self.force, system.n_v());
        size(&mut self.dq, system.n_v());
    }

    /// Puts the bodies right by some of these corrections; what moves them is added to their
    /// velocities.
    pub(crate) fn correct(
        &mut self,
        frame: &mut Frame<'_, '_>,
        corrections: RangeInclusive<usize>,
        h: f64,
    ) {
        frame.state.lambda.fill(0.0);
        for iteration in 0..*corrections.end() {
            frame.fill(Motion::Displacement, Soft::Rows);
            if !frame.springs.is_empty() {
                let system = frame.equations.modify();
                frame.springs.soften_displacements(system, h);
                system.strengthen_displacements(h);
            }
            frame.factor();
            let rows = &frame.system().rows;
            let always = rows.has_rates() || rows.has_lower() || !frame.springs.is_empty();
            let gap = frame.system().gap();
            let enough = gap <= frame.tolerance && !always;
            if enough || (iteration >= *corrections.start() && frame.out_of_budget()) {
                break;
            }
            self.solve(frame, iteration == 0, h);
            let joined = frame.equations.priorities_are_joined();
            if iteration > 0 && gap <= frame.tolerance && joined {
                // Half a pull would only open what is closed.
                break;
            }
            let (system, solution) = (frame.equations.system(), frame.equations.solution());
            frame.springs.take_strain_impulses(system, &solution.motion);
            self.dq.copy_from_slice(&solution.motion);
            truncate_rotations(frame.world, &mut self.dq);
            for (lambda, more) in frame.state.lambda.iter_mut().zip(&solution.lambda) {
                // The displacement's multipliers over h² are forces, to first order.
                *lambda += more / (h * h);
            }
            for (v, dq) in frame.state.v.iter_mut().zip(&self.dq) {
                *v += dq / h;
            }
            frame.displace(&self.dq);
        }
    }

    fn solve(&mut self, frame: &mut Frame<'_, '_>, is_first: bool, h: f64) {
        let system = frame.equations.system();
        system.right_hand_side(Motion::Displacement, &mut self.b);
        for row in 0..self.b.len() {
            if system.velocity_level[row] {
                self.b[row] = -h * system.c_dot[row];
            }
        }
        let lambda = &frame.state.lambda;
        let (b, force) = (&mut self.b, &mut self.force);
        frame.springs.soft_displacement(system, h, lambda, b);
        frame.springs.strain_displacement(system, h, force);
        if is_first {
            frame.state.unfinished.clear();
        }
        let force = frame.springs.has_strains().then_some(&self.force[..]);
        let goes_on = frame.method.is_iterative();
        let request = Request {
            load: force.into(),
            rows: Some(&self.b),
            direction: goes_on.then(|| frame.state.direction()),
            ..Request::default()
        };
        frame.equations.solve(request, frame.meter);
    }
}
