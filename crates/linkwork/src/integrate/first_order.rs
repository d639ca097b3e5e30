//! First-order worlds, `D·v = f + Jᵀ·λ` (Witkin 1990, §2.5): everything stops the moment forces are
//! withdrawn.
//!
//! ```text
//!     J·v = −∂c/∂t      q ← q ⊞ h·v,  then closed along D
//! ```
//!
//! `D` is each body's drag metric, its mass unless it knows better. Soft rows are implicit over the
//! step.

use super::Stage;
use crate::assemble::{Motion, Soft};

/// At most so many corrections close a step.
const CLOSINGS: usize = 10;

impl Stage<'_, '_> {
    /// Advances the state by `h`.
    pub(crate) fn first_order(&mut self, h: f64) {
        // Forces and rates are those of bodies at rest.
        self.work.state.v.fill(0.0);
        self.prepare(Motion::Flow, Soft::Implicit(h), h);
        self.warm_start(1.0);
        let work = &mut *self.work;
        let system = &self.equations.system;
        system.right_hand_side(Motion::Flow, &mut work.b);
        // What is open closes within the step.
        for row in 0..work.b.len() {
            if !system.velocity_level[row] && system.compliance[row] == 0.0 {
                work.b[row] -= system.c[row] / h;
            }
        }
        let solution = self.equations.solve_with_forces(&work.b);
        work.trial.v.copy_from_slice(&solution.motion);
        work.trial.lambda.copy_from_slice(&solution.lambda);
        for (dq, v) in work.dq.iter_mut().zip(&solution.motion) {
            *dq = h * v;
        }
        crate::stabilize::truncate_rotations(self.world, &mut work.dq);
        work.trial.q.copy_from_slice(&work.state.q);
        let layout = &self.equations.layout;
        layout.displace(self.world, &mut work.trial.q, &work.dq);
        layout.follow(self.world, &mut work.trial, h);
        work.trial.t = work.state.t + h;
        std::mem::swap(&mut work.state, &mut work.trial);
        self.report.substeps += 1;
        self.close(CLOSINGS);
    }

    /// Advances time by `h` and does nothing but close: bodies rest.
    pub(crate) fn pure_assembly(&mut self, h: f64) {
        let work = &mut *self.work;
        work.state.v.fill(0.0);
        self.equations.layout.follow(self.world, &mut work.state, h);
        work.state.t += h;
        self.report.substeps += 1;
        self.close(CLOSINGS);
    }
}
