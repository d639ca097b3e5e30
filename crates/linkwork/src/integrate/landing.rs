//! The second half of a step: from the end of the flight to the next state.
//!
//! ```text
//!     v′ = v½′ + M⁻¹·(h/2·f(q′) + J(q′)ᵀ·ν)   ν such that ċ(q′, v′) = 0      λ = (μ + ν)/h
//! ```

use crate::equations::{Load, Request, Terms};
use crate::frame::Frame;
use crate::linalg::size;
use crate::system::System;
use crate::world::State;

/// The data from the first half of a step to the second.
#[derive(Debug, Default)]
pub(super) struct Landing {
    /// The end of the flight.
    pub(super) trial: State,
    /// The extrapolated part of the trial's velocities, n_v.
    pub(super) kick: Vec<f64>,
    /// Impulses of the first half, over rows.
    pub(super) impulse: Vec<f64>,
    /// Start of iterations: the impulses of a prediction that an alarm refused; empty for zero.
    pub(super) start: Vec<f64>,
    /// Load and right-hand side of the present solve.
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

    /// Accepts the probe, which is filled at the trial, and factors there.
    pub(super) fn arrive(&self, frame: &mut Frame<'_, '_>, h: f64) {
        frame.equations.accept_probe();
        if !frame.springs.is_empty() {
            let system = frame.equations.modify();
            frame.springs.begin_second_half(system, h);
        }
        frame.factor();
    }

    /// The second kick and `ν`, with the factor at the end of the flight; the trial then becomes the state.
    pub(super) fn project_velocities(&mut self, frame: &mut Frame<'_, '_>, h: f64) {
        self.load_velocities(frame, h);
        self.solve_velocities(frame);
        self.take_velocities(frame, h);
    }

    /// Sets the load and right-hand side of the second kick.
    pub(super) fn load_velocities(&mut self, frame: &Frame<'_, '_>, h: f64) {
        let system = frame.equations.system();
        for row in 0..self.b.len() {
            self.b[row] = -system.c_dot[row];
        }
        // The trial's velocities include the kick a second time: subtracts it as a force.
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

    /// Takes the velocities of the solve; the trial then becomes the state.
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

    /// Undoes the last step.
    pub(super) fn take_back(&mut self, frame: &mut Frame<'_, '_>) {
        frame.state.swap_motion(&mut self.trial);
        frame.log.substeps -= 1;
    }
}

/// Along a chain at rest, motion decays by a factor for each link until numbers are subnormal, which is slow to
/// compute with. Velocities whose square underflows are set to zero.
pub(super) fn at_rest(v: f64) -> f64 {
    if v.abs() < 1e-120 { 0.0 } else { v }
}
