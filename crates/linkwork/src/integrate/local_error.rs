//! The local error of a step, in velocities and accelerations.

use crate::equations::{Load, Request};
use crate::frame::Frame;
use crate::linalg::size;
use crate::system::System;

/// The difference of the two orders.
#[derive(Debug, Default)]
pub(super) struct LocalError {
    pub(super) rate: Vec<f64>,
    pub(super) v_dot: Vec<f64>,
    force: Vec<f64>,
    /// Right-hand side of rows: zero.
    b: Vec<f64>,
}

impl LocalError {
    pub(super) fn size(&mut self, system: &System) {
        for buffer in [&mut self.rate, &mut self.v_dot, &mut self.force] {
            size(buffer, system.n_v());
        }
        size(&mut self.b, system.n_rows());
    }

    /// The largest error of a step `h`, relative to `1 + |v|`; infinite if anything is not finite.
    pub(super) fn largest(&self, v: &[f64], h: f64) -> f64 {
        let (mut worst, mut sum) = (0.0f64, 0.0);
        for k in 0..v.len() {
            let v_dot = self.v_dot[k].abs() / (1.0 + v[k].abs());
            let error = h * self.rate[k].abs().max(v_dot);
            worst = worst.max(error);
            sum += error;
        }
        if sum.is_finite() {
            worst
        } else {
            f64::INFINITY
        }
    }

    /// Projects the error onto the factored constraints, to the nearest `y` with `J·y = 0`. If springs were
    /// softened over a time, it also reduces errors that they undo within that time,
    ///
    /// ```text
    ///     M·y = M·error + Jᵀ·λ,   J·y + C·λ = 0
    /// ```
    #[cold]
    pub(super) fn keep_on_constraints(&mut self, frame: &mut Frame<'_, '_>) {
        let Self {
            rate,
            v_dot,
            force,
            b,
        } = self;
        for error in [rate, v_dot] {
            let system = frame.equations.system();
            system.multiply_masses(error, force);
            for (at, strain) in system.strains.iter().enumerate() {
                let taken = strain.weight * system.strain_motion(at, error);
                system.add_strain_force(at, -taken, force);
            }
            let request = Request {
                load: Load::Given(force),
                rows: Some(b),
                ..Request::default()
            };
            let solution = frame.equations.solve(request, frame.meter);
            error.copy_from_slice(&solution.motion);
        }
    }
}
