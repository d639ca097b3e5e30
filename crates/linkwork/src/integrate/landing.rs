//! The second half of a step: from where the flight ended to the next state.
//!
//! ```text
//!     v′ = v½′ + M⁻¹·(h/2·f(q′) + J(q′)ᵀ·ν)   ν such that ċ(q′, v′) = 0      λ = (μ + ν)/h
//! ```

use crate::equations::{Load, Request, Terms};
use crate::frame::Frame;
use crate::linalg::size;
use crate::system::System;
use crate::world::State;

/// What the first half of a step hands to the second.
#[derive(Debug, Default)]
pub(super) struct Landing {
    /// Where the flight ended.
    pub(super) trial: State,
    /// What of the trial's velocities is only extrapolated, n_v.
    pub(super) kick: Vec<f64>,
    /// Impulses of the first half, over rows.
    pub(super) impulse: Vec<f64>,
    /// What iterations start from: that of a prediction which an alarm refused; empty for nothing.
    pub(super) start: Vec<f64>,
    /// What bodies are loaded with in the solve under way, and what rows are to do.
    pub(super) force: Vec<f64>,
    b: Vec<f64>,
}

impl Landing {
    pub(super) fn size(&mut self, state: &State, system: &System) {
        self.trial.copy_motion(state);
        size(&mut self.kick, system.n_v());
        size(&mut self.force, system.n_v());
        size(&mut self.impulse, system.n_rows());
        size(&mut self.b, system.n_rows());
        self.start.clear();
        self.start.reserve(system.n_rows());
    }

    pub(super) fn start(&self) -> Option<&[f64]> {
        (!self.start.is_empty()).then_some(&self.start[..])
    }

    /// Iterations start from the impulses.
    pub(super) fn begin_with_impulse(&mut self) {
        self.start.clone_from(&self.impulse);
    }

    /// Fills the probe at the trial.
    pub(super) fn fill_probe<'f>(&self, frame: &'f mut Frame<'_, '_>, terms: Terms) -> &'f System {
        let at = (frame.world, &self.trial);
        frame.equations.fill_probe(at, terms)
    }

    /// Goes to where the probe is, which is the trial, and factors there.
    pub(super) fn arrive(&self, frame: &mut Frame<'_, '_>, h: f64) {
        frame.equations.accept_probe();
        if !frame.springs.is_empty() {
            let system = frame.equations.modify();
            frame.springs.begin_second_half(system, h);
        }
        frame.factor();
    }

    /// The second kick and `ν`, on the factor where the flight ended; then the trial is the state.
    pub(super) fn project_velocities(&mut self, frame: &mut Frame<'_, '_>, h: f64) {
        self.load_velocities(frame, h);
        self.solve_velocities(frame);
        self.take_velocities(frame, h);
    }

    /// Says what the second kick is to do.
    pub(super) fn load_velocities(&mut self, frame: &Frame<'_, '_>, h: f64) {
        let system = frame.equations.system();
        for row in 0..self.b.len() {
            self.b[row] = -system.c_dot[row];
        }
        // The trial's velocities already hold the kick once more: take it back as a force.
        system.multiply_masses(&self.kick, &mut self.force);
        for (force, f) in self.force.iter_mut().zip(&system.force) {
            *force = 0.5 * h * f - *force;
        }
        let (b, force) = (&mut self.b, &mut self.force);
        let pushed = (&self.kick[..], &self.impulse[..]);
        frame.springs.finish(system, h, pushed, b, force);
    }

    pub(super) fn solve_velocities(&mut self, frame: &mut Frame<'_, '_>) {
        let request = Request {
            load: Load::Given(&self.force),
            rows: Some(&self.b),
            start: self.start(),
            ..Request::default()
        };
        frame.equations.solve(request, frame.meter);
    }

    /// Takes the velocities that were solved for; then the trial is the state.
    pub(super) fn take_velocities(&mut self, frame: &mut Frame<'_, '_>, h: f64) {
        let solution = frame.equations.solution();
        for (v, y) in self.trial.v.iter_mut().zip(&solution.motion) {
            *v = at_rest(*v + y);
        }
        for row in 0..self.impulse.len() {
            self.trial.lambda[row] = (self.impulse[row] + solution.lambda[row]) / h;
        }
        frame.state.swap_motion(&mut self.trial);
        frame.note_rates();
        frame.log.substeps += 1;
    }

    /// Takes the last step back.
    pub(super) fn take_back(&mut self, frame: &mut Frame<'_, '_>) {
        frame.state.swap_motion(&mut self.trial);
        frame.log.substeps -= 1;
    }
}

/// Motion dies out along a chain by a factor for each link until numbers lose their digits, and
/// computing with such numbers is slow. A velocity whose square is nothing is nothing.
pub(super) fn at_rest(v: f64) -> f64 {
    if v.abs() < 1e-120 { 0.0 } else { v }
}
