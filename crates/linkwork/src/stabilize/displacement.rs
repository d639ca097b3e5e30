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

use crate::assemble::{Motion, Soft};
use crate::integrate::Stage;
use crate::solve::Lower;

impl Stage<'_, '_> {
    /// `M⁻¹·f`: bodies accelerate as if nothing held them.
    pub(super) fn free_accelerations(&mut self) {
        let system = &self.equations.system;
        let work = &mut *self.work;
        work.inverse.factor(system);
        let solution = &mut self.equations.solution;
        solution.motion.copy_from_slice(&system.force);
        work.inverse.apply_all(system, &mut solution.motion);
        solution.lambda.fill(0.0);
    }

    /// Puts the bodies right by some of these corrections; what moves them is added to their
    /// velocities.
    pub(crate) fn displacement(&mut self, corrections: RangeInclusive<usize>, h: f64) {
        self.work.state.lambda.fill(0.0);
        for iteration in 0..*corrections.end() {
            if self.work.has_soft_rows() {
                let at = (self.world, &self.work.state);
                self.equations.fill(at, Motion::Displacement, Soft::Rows);
                self.work
                    .soften_displacements(&mut self.equations.system, h);
                self.equations.system.strengthen_displacements(h);
                self.equations.factor(&self.method);
                self.work.forget();
            } else {
                self.prepare(Motion::Displacement, Soft::Rows, 0.0);
            }
            let gap = self.work.gap(&self.equations.system);
            let on_rates = self.work.rate_rows.len() > self.work.exact_rows.len();
            let always = on_rates || self.work.has_lower_levels || self.work.has_soft_rows();
            let enough = gap <= self.tolerance && !always;
            if enough || (iteration >= *corrections.start() && self.is_spent()) {
                break;
            }
            let work = &mut *self.work;
            let system = &self.equations.system;
            system.right_hand_side(Motion::Displacement, &mut work.b);
            for row in 0..work.b.len() {
                if system.velocity_level[row] {
                    work.b[row] = -h * system.c_dot[row];
                }
            }
            let lambda = std::mem::take(&mut work.state.lambda);
            work.soft_displacement(system, h, &lambda);
            work.state.lambda = lambda;
            self.equations.warm.fill(0.0);
            work.strain_displacement(system, h);
            let force = work.has_strains().then_some(&work.force[..]);
            if iteration == 0 {
                self.equations.direction.fill(0.0);
            }
            let b = Some(&work.b[..]);
            self.equations
                .solve_on(Lower::GiveWay, force, b, &mut self.meter);
            if iteration > 0 && gap <= self.tolerance && self.equations.levels_are_joined() {
                // Half a pull would only open what is closed.
                break;
            }
            let solution = &self.equations.solution;
            work.take_strain_impulses(&self.equations.system, &solution.motion);
            work.dq.copy_from_slice(&solution.motion);
            super::truncate_rotations(self.world, &mut work.dq);
            for row in 0..work.b.len() {
                // The displacement's multipliers over h² are forces, to first order.
                work.state.lambda[row] += solution.lambda[row] / (h * h);
            }
            for (v, dq) in work.state.v.iter_mut().zip(&work.dq) {
                *v += dq / h;
            }
            let layout = &self.equations.layout;
            layout.displace(self.world, &mut work.state.q, &work.dq);
        }
    }
}
