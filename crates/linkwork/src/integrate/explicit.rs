//! The papers' integrators on accelerations, with fixed steps.
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

use super::Integrator;
use super::slopes::Slopes;
use crate::equations::Soft;
use crate::frame::Frame;
use crate::stabilize::{Closing, Stabilization};
use crate::system::System;
use crate::world::State;

/// The buffers of a step.
#[derive(Debug, Default)]
pub(super) struct Explicit {
    slopes: Slopes,
}

impl Explicit {
    pub(super) fn size(&mut self, state: &State, system: &System) {
        self.slopes.size(4, state, system);
    }

    /// Advances the state by `h`; the stabilization follows.
    pub(super) fn step(
        &mut self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        h: f64,
        integrator: Integrator,
        rule: &Stabilization,
    ) {
        // Soft rows are implicit over the step, except with Runge–Kutta, which is accurate instead; in a
        // displacement that follows they are rows.
        let soft = match (integrator, rule) {
            (Integrator::Rk4, _) => Soft::Explicit,
            (_, Stabilization::Displacement { .. }) => Soft::Absent,
            _ => Soft::Implicit(h),
        };
        let slopes = &mut self.slopes;
        slopes.take_first(frame, closing, soft, rule);
        match integrator {
            Integrator::Euler => slopes.set_trial(frame, h, |slopes, k| {
                (h * slopes[0].rate[k], h * slopes[0].v_dot[k])
            }),
            Integrator::SymplecticEuler => slopes.set_trial(frame, h, |slopes, k| {
                let v_dot = slopes[0].v_dot[k];
                (h * (slopes[0].rate[k] + h * v_dot), h * v_dot)
            }),
            Integrator::Stoermer => self.stoermer(frame, h, soft, rule),
            Integrator::Rk4 => self.runge_kutta4(frame, h, soft, rule),
        }
        self.slopes.accept(frame);
    }

    fn stoermer(&mut self, frame: &mut Frame<'_, '_>, h: f64, soft: Soft, rule: &Stabilization) {
        let slopes = &mut self.slopes;
        slopes.set_trial(frame, h, |slopes, k| {
            let v_dot = slopes[0].v_dot[k];
            (h * (slopes[0].rate[k] + 0.5 * h * v_dot), h * v_dot)
        });
        slopes.take(frame, 1, soft, rule);
        for (k, v) in slopes.trial.v.iter_mut().enumerate() {
            let mean = 0.5 * (slopes.of_stage[0].v_dot[k] + slopes.of_stage[1].v_dot[k]);
            *v = frame.state.v[k] + h * mean;
        }
    }

    fn runge_kutta4(
        &mut self,
        frame: &mut Frame<'_, '_>,
        h: f64,
        soft: Soft,
        rule: &Stabilization,
    ) {
        let slopes = &mut self.slopes;
        for (stage, part) in [(1, 0.5), (2, 0.5), (3, 1.0)] {
            let h = part * h;
            slopes.set_trial(frame, h, |slopes, k| {
                let slope = &slopes[stage - 1];
                (h * slope.rate[k], h * slope.v_dot[k])
            });
            slopes.take(frame, stage, soft, rule);
        }
        let mean = |of: [f64; 4]| (of[0] + 2.0 * (of[1] + of[2]) + of[3]) / 6.0;
        slopes.set_trial(frame, h, |slopes, k| {
            let rate = mean([0, 1, 2, 3].map(|stage| slopes[stage].rate[k]));
            let v_dot = mean([0, 1, 2, 3].map(|stage| slopes[stage].v_dot[k]));
            (h * rate, h * v_dot)
        });
    }
}
