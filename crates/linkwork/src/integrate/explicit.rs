//! The papers' integrators on accelerations, by fixed steps.
//!
//! ```text
//!     Euler             q ← q ⊞ h·v            v ← v + h·v̇
//!     symplectic Euler  v ← v + h·v̇           q ← q ⊞ h·v
//!     Störmer           q ← q ⊞ (h·v + h²/2·v̇)      v ← v + h/2·(v̇ + v̇′)
//!     Runge–Kutta       the classical four stages, displacements as rotation vectors
//! ```
//!
//! Störmer's method as printed carries the last displacement instead of a velocity
//! (Faure 1998, §4.2); with v = Δq/h + h/2·v̇ the two are the same points, for a changing h too.
//! Stages of rotations are combined where they are vectors, in the displacement from the beginning
//! of the step, whose rate follows from ω.

use super::{Integrator, Stage};
use crate::assemble::{Motion, Soft};
use crate::stabilize::{CLOSINGS, Stabilization};

impl Stage<'_, '_> {
    /// Advances the state by `h`; the stabilisation follows.
    pub(crate) fn explicit(&mut self, h: f64, integrator: Integrator, rule: &Stabilization) {
        // Soft rows are implicit over the step, but for the method that is accurate instead; an assembly
        // that follows has them as rows.
        let soft = match (integrator, rule) {
            (Integrator::Rk4, _) => Soft::Explicit,
            (_, Stabilization::Displacement { .. }) => Soft::Absent,
            _ => Soft::Implicit(h),
        };
        match integrator {
            Integrator::Euler => {
                self.slope_here(0, soft, rule);
                self.add_to_trial(h, |slopes| (&slopes[0].0, &slopes[0].1));
            }
            Integrator::SymplecticEuler => {
                self.slope_here(0, soft, rule);
                let work = &mut *self.work;
                let (dq, dv) = &mut work.slopes[0];
                for k in 0..dq.len() {
                    dq[k] += h * dv[k];
                }
                self.add_to_trial(h, |slopes| (&slopes[0].0, &slopes[0].1));
            }
            Integrator::Stoermer => self.stoermer(h, soft, rule),
            Integrator::Rk4 => self.runge_kutta4(h, soft, rule),
        }
        std::mem::swap(&mut self.work.state, &mut self.work.trial);
        self.report.substeps += 1;
    }

    fn stoermer(&mut self, h: f64, soft: Soft, rule: &Stabilization) {
        self.slope_here(0, soft, rule);
        let work = &mut *self.work;
        let (dq, dv) = &mut work.slopes[0];
        for k in 0..dq.len() {
            dq[k] += 0.5 * h * dv[k];
        }
        self.add_to_trial(h, |slopes| (&slopes[0].0, &slopes[0].1));
        self.slope_at_trial(1, soft, rule);
        let work = &mut *self.work;
        for k in 0..work.trial.v.len() {
            let mean = 0.5 * (work.slopes[0].1[k] + work.slopes[1].1[k]);
            work.trial.v[k] = work.state.v[k] + h * mean;
        }
    }

    fn runge_kutta4(&mut self, h: f64, soft: Soft, rule: &Stabilization) {
        self.slope_here(0, soft, rule);
        for (stage, part) in [(1, 0.5), (2, 0.5), (3, 1.0)] {
            self.add_to_trial(part * h, |slopes| {
                (&slopes[stage - 1].0, &slopes[stage - 1].1)
            });
            self.slope_at_trial(stage, soft, rule);
        }
        let work = &mut *self.work;
        for k in 0..work.trial.v.len() {
            for part in 0..2 {
                let pick = |stage: usize| match part {
                    0 => work.slopes[stage].0[k],
                    _ => work.slopes[stage].1[k],
                };
                let mean = (pick(0) + 2.0 * (pick(1) + pick(2)) + pick(3)) / 6.0;
                match part {
                    0 => work.slopes[0].0[k] = mean,
                    _ => work.slopes[0].1[k] = mean,
                }
            }
        }
        self.add_to_trial(h, |slopes| (&slopes[0].0, &slopes[0].1));
    }

    /// The slope at the state, where the factor may still be good.
    pub(super) fn slope_here(&mut self, stage: usize, soft: Soft, rule: &Stabilization) {
        let n_v = self.work.state.v.len();
        while self.work.slopes.len() <= stage.max(6) {
            self.work.slopes.push((vec![0.0; n_v], vec![0.0; n_v]));
        }
        self.prepare(Motion::Acceleration, soft, 0.0);
        if matches!(rule, Stabilization::Post { .. }) && self.is_open() {
            self.close(CLOSINGS, f64::INFINITY);
            self.prepare(Motion::Acceleration, soft, 0.0);
        }
        self.work.note_soft_rows(&self.equations.system);
        self.accelerate(rule);
        let work = &mut *self.work;
        let lambda = &self.equations.solution.lambda;
        work.trial.lambda.copy_from_slice(lambda);
        work.slopes[stage].0.copy_from_slice(&work.state.v);
        work.slopes[stage]
            .1
            .copy_from_slice(&self.equations.solution.motion);
        work.dq.fill(0.0);
    }

    /// The slope at the trial: its displacement from the state is in `dq`.
    pub(super) fn slope_at_trial(&mut self, stage: usize, soft: Soft, rule: &Stabilization) {
        let at = (self.world, &self.work.trial);
        self.equations.fill(at, Motion::Acceleration, soft);
        self.equations.factor(&self.method);
        self.factored_at_trial();
        self.accelerate(rule);
        let work = &mut *self.work;
        let (rate, v_dot) = &mut work.slopes[stage];
        let layout = &self.equations.layout;
        layout.chart_rate(self.world, &work.dq, &work.trial.v, rate);
        v_dot.copy_from_slice(&self.equations.solution.motion);
    }

    /// Accelerations of what was filled, as the stabilisation wants them.
    fn accelerate(&mut self, rule: &Stabilization) {
        self.warm_start(1.0);
        rule.accelerate(self);
    }

    /// The trial: `q ⊞ h·rate`, `v + h·v̇` from the state.
    pub(super) fn add_to_trial<'s>(
        &'s mut self,
        h: f64,
        pick: impl Fn(&'s [(Vec<f64>, Vec<f64>)]) -> (&'s Vec<f64>, &'s Vec<f64>),
    ) {
        let work = &mut *self.work;
        let (rate, v_dot) = pick(&work.slopes);
        for k in 0..rate.len() {
            work.dq[k] = h * rate[k];
            work.trial.v[k] = work.state.v[k] + h * v_dot[k];
        }
        work.trial.q.copy_from_slice(&work.state.q);
        work.trial.t = work.state.t;
        let layout = &self.equations.layout;
        layout.displace(self.world, &mut work.trial.q, &work.dq);
        layout.follow(self.world, &mut work.trial, h);
        work.trial.t = work.state.t + h;
    }
}
