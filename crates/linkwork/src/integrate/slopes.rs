//! Slopes of Runge–Kutta stages: rates of displacements from the start of the step, and accelerations.
//!
//! Rotations are combined as rotation vectors from the start of the step, whose rates follow from ω.

use crate::equations::{Motion, Soft};
use crate::frame::Frame;
use crate::linalg::size;
use crate::stabilize::{Acceleration, CLOSINGS, Closing, Stabilization};
use crate::system::System;
use crate::world::State;

/// The slope of one stage.
#[derive(Clone, Debug, Default)]
pub(super) struct Slope {
    pub(super) rate: Vec<f64>,
    pub(super) v_dot: Vec<f64>,
}

/// Slopes, and the trial at which the next one is taken.
#[derive(Debug, Default)]
pub(super) struct Slopes {
    pub(super) of_stage: Vec<Slope>,
    pub(super) trial: State,
    /// The trial's displacement from the state.
    dq: Vec<f64>,
    acceleration: Acceleration,
}

impl Slopes {
    pub(super) fn size(&mut self, n_stages: usize, state: &State, system: &System) {
        self.trial.copy_motion(state);
        size(&mut self.dq, system.n_v());
        self.of_stage.resize_with(n_stages, Slope::default);
        for slope in &mut self.of_stage {
            size(&mut slope.rate, system.n_v());
            size(&mut slope.v_dot, system.n_v());
        }
        self.acceleration.size(system);
    }

    /// The trial's displacement from the state.
    pub(super) fn dq(&self) -> &[f64] {
        &self.dq
    }

    /// The first slope, at the state, where the factor may still be good.
    pub(super) fn take_first(
        &mut self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        soft: Soft,
        rule: &Stabilization,
    ) {
        frame.prepare(Motion::Acceleration, soft);
        if matches!(rule, Stabilization::Post { .. }) && frame.is_open() {
            closing.close(frame, CLOSINGS, f64::INFINITY);
            frame.prepare(Motion::Acceleration, soft);
        }
        frame.springs.note(frame.equations.system());
        let slope = &mut self.of_stage[0];
        let lambda = &mut self.trial.lambda;
        rule.accelerate(frame, &mut self.acceleration, &mut slope.v_dot, lambda);
        slope.rate.copy_from_slice(&frame.state.v);
    }

    /// The slope of a later stage, at the trial.
    pub(super) fn take(
        &mut self,
        frame: &mut Frame<'_, '_>,
        stage: usize,
        soft: Soft,
        rule: &Stabilization,
    ) {
        let terms = frame.terms(Motion::Acceleration, soft);
        let at = (frame.world, &self.trial);
        frame.equations.prepare(at, terms, &frame.method);
        let Slope { rate, v_dot } = &mut self.of_stage[stage];
        rule.accelerate(frame, &mut self.acceleration, v_dot, &mut []);
        let layout = &frame.equations.layout;
        layout.chart_rate(frame.world, &self.dq, &self.trial.v, rate);
    }

    /// Removes the rotation of bodies without torques from a slope: they rotate in closed form.
    pub(super) fn leave_out_free_turns(&mut self, frame: &Frame<'_, '_>, stage: usize) {
        let Slope { rate, v_dot } = &mut self.of_stage[stage];
        for turn in frame.equations.layout.free_turns() {
            rate[turn.clone()].fill(0.0);
            v_dot[turn].fill(0.0);
        }
    }

    /// Rotates these bodies in the trial, a time `h` after the state.
    pub(super) fn turn_freely(&mut self, frame: &Frame<'_, '_>, h: f64) {
        frame.equations.layout.turn_freely(&mut self.trial, h);
    }

    /// Sets the trial to `q ⊞ dq`, `v + dv` from the state, a time `h` later. `change` gives `dq` and `dv` of a
    /// coordinate.
    pub(super) fn set_trial(
        &mut self,
        frame: &Frame<'_, '_>,
        h: f64,
        change: impl Fn(&[Slope], usize) -> (f64, f64),
    ) {
        let (state, trial) = (&*frame.state, &mut self.trial);
        for k in 0..self.dq.len() {
            let (dq, dv) = change(&self.of_stage, k);
            self.dq[k] = dq;
            trial.v[k] = state.v[k] + dv;
        }
        trial.begin_at(state);
        let layout = &frame.equations.layout;
        layout.displace(frame.world, &mut trial.q, &self.dq);
        layout.follow(frame.world, trial, h);
        trial.t = state.t + h;
    }

    /// The trial becomes the state.
    pub(super) fn accept(&mut self, frame: &mut Frame<'_, '_>) {
        frame.state.swap_motion(&mut self.trial);
        frame.log.substeps += 1;
    }
}
