//! The `Precise` scheme: Dormand and Prince's method of order 5(4) on accelerations, with
//! projection after every step and error control inside the frame.
//!
//! Near a singular pose, where rows that are apart elsewhere say the same, what is left of gaps (round-off)
//! makes accelerations across these rows as large as one likes. The projection takes them out again, so
//! they are no error of the step: a try that fails is judged by its error on the constraints. Without
//! this, steps shrink without end towards the pose, and end so near that the projection takes real
//! motion.
//!
//! Seven slopes a step, each a factor and a solve; the last one is only for the error estimate, but
//! its factor closes the positions, and the factor that then projects the velocities serves the
//! first slope of the next step.

use super::PreciseOptions;
use super::slopes::Slopes;
use super::tolerances::{LEAST_ERROR, MOST_STEPS, REMOVED, ROUND_OFF, TIGHT};
use crate::equations::{Load, Request, Soft};
use crate::frame::{Cause, Frame, Rung};
use crate::linalg::size;
use crate::stabilize::{Closing, Stabilization};
use crate::system::System;

/// Stage weights.
const A: [[f64; 6]; 6] = [
    [1.0 / 5.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
    [
        19372.0 / 6561.0,
        -25360.0 / 2187.0,
        64448.0 / 6561.0,
        -212.0 / 729.0,
        0.0,
        0.0,
    ],
    [
        9017.0 / 3168.0,
        -355.0 / 33.0,
        46732.0 / 5247.0,
        49.0 / 176.0,
        -5103.0 / 18656.0,
        0.0,
    ],
    [
        35.0 / 384.0,
        0.0,
        500.0 / 1113.0,
        125.0 / 192.0,
        -2187.0 / 6784.0,
        11.0 / 84.0,
    ],
];
/// Times of the stages.
const C: [f64; 6] = [1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0];
/// The difference of the two orders.
const E: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];
/// The local error of a step, by its length.
#[derive(Debug, Default)]
struct LocalError {
    rate: Vec<f64>,
    v_dot: Vec<f64>,
    force: Vec<f64>,
    /// Rates on the constraints: zero.
    b: Vec<f64>,
}

impl LocalError {
    fn size(&mut self, system: &System) {
        for buffer in [&mut self.rate, &mut self.v_dot, &mut self.force] {
            size(buffer, system.n_v());
        }
        size(&mut self.b, system.n_rows());
    }

    /// The largest of a step `h`, of velocities `v` relative to `1 + |v|`; infinite where something is
    /// not finite.
    fn largest(&self, v: &[f64], h: f64) -> f64 {
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
}

/// The buffers of a step.
#[derive(Debug, Default)]
pub(super) struct Precise {
    slopes: Slopes,
    error: LocalError,
}

impl Precise {
    pub(super) fn size(&mut self, frame: &Frame<'_, '_>) {
        self.slopes.size(7, frame.state, frame.system());
        self.error.size(frame.system());
    }

    /// Advances the state by `dt`.
    pub(super) fn step(
        &mut self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        dt: f64,
        options: &PreciseOptions,
    ) {
        // Closed to round-off: near singular poses a gap decides which way is taken.
        // Coarse solves do not come so far, and closing is not free of strain.
        let exact = if frame.method.is_iterative() || frame.springs.has_strains() {
            TIGHT
        } else {
            ROUND_OFF
        };
        let closed = frame.tolerance.min(exact * frame.system().bar_length());
        frame.closed_to(closed, |frame| self.advance(frame, closing, dt, options));
    }

    fn advance(
        &mut self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        dt: f64,
        options: &PreciseOptions,
    ) {
        let (start, end) = (frame.state.t, frame.state.t + dt);
        let least = dt / MOST_STEPS;
        let Some(tolerance) = options.tolerance else {
            self.try_step(frame, closing, dt);
            self.accept(frame, closing);
            frame.state.t = end;
            return;
        };
        let tolerance = tolerance.max(LEAST_ERROR);
        let mut h = frame.state.substep;
        if h <= 0.0 {
            h = dt / 16.0;
        }
        let mut done = 0.0;
        while done < dt * (1.0 - 1e-12) {
            // Even parts towards the end of the frame, so that no crumb is left.
            let left = dt - done;
            let n = (left / h).ceil().max(1.0);
            let step = if n < 3.0 { left / n } else { h };
            let mut error = self.try_step(frame, closing, step) / tolerance;
            let spent = frame.out_of_budget();
            if error > 1.0 && error.is_finite() && !frame.method.is_iterative() {
                let on_constraints = self.error_on_constraints(frame, step) / tolerance;
                if error > REMOVED * on_constraints {
                    error = on_constraints;
                    if error <= 1.0 {
                        frame.log.rungs.count(Rung::Over, Cause::Singular);
                    }
                }
            }
            if !error.is_finite() && (step <= least || spent) {
                // No step is short enough: the caller refuses what is not finite.
                frame.state.swap_motion(&mut self.slopes.trial);
                frame.state.t = f64::NAN;
                return;
            }
            if error <= 1.0 || step <= least || spent {
                done += step;
                self.accept(frame, closing);
                frame.state.t = start + done;
                let grow = 0.9 * libm::pow(error.max(1e-10), -0.2);
                let next = step * grow.clamp(0.2, 4.0);
                // A short last part says nothing against a longer step.
                h = if step < h { next.max(h) } else { next };
                if spent {
                    h = h.max(dt);
                }
            } else {
                frame.log.refused += 1;
                let shrink = 0.9 * libm::pow(error, -0.2);
                let shrink = if shrink.is_finite() { shrink } else { 0.1 };
                h = (step * shrink.clamp(0.1, 0.9)).max(least);
            }
        }
        frame.state.substep = h;
        frame.state.t = end;
    }

    /// One step into the trial; returns the local error.
    fn try_step(&mut self, frame: &mut Frame<'_, '_>, closing: &mut Closing, h: f64) -> f64 {
        let rule = &Stabilization::POST;
        let slopes = &mut self.slopes;
        slopes.take_first(frame, closing, Soft::Explicit, rule);
        for stage in 0..6 {
            slopes.set_trial(frame, C[stage] * h, |slopes, k| {
                let (mut rate, mut v_dot) = (0.0, 0.0);
                for (weight, slope) in A[stage][..=stage].iter().zip(slopes) {
                    rate += weight * slope.rate[k];
                    v_dot += weight * slope.v_dot[k];
                }
                (h * rate, h * v_dot)
            });
            slopes.take(frame, stage + 1, Soft::Explicit, rule);
        }
        for k in 0..self.error.rate.len() {
            let (mut rate, mut v_dot) = (0.0, 0.0);
            for (weight, slope) in E.iter().zip(&slopes.of_stage) {
                rate += weight * slope.rate[k];
                v_dot += weight * slope.v_dot[k];
            }
            self.error.rate[k] = rate;
            self.error.v_dot[k] = v_dot;
        }
        self.error.largest(&frame.state.v, h)
    }

    /// What is left of the last try's error where its projection ends: `y` with `J·y = 0` nearest to it.
    fn error_on_constraints(&mut self, frame: &mut Frame<'_, '_>, h: f64) -> f64 {
        let LocalError {
            rate,
            v_dot,
            force,
            b,
        } = &mut self.error;
        for error in [rate, v_dot] {
            let system = frame.equations.system();
            for body in 0..system.bodies.len() as u32 {
                let range = system.v_range(body);
                system.multiply_mass(body, &error[range.clone()], &mut force[range]);
            }
            let request = Request {
                load: Load::Given(force),
                rows: Some(b),
                ..Request::default()
            };
            let solution = frame.equations.solve(request, &mut frame.meter);
            error.copy_from_slice(&solution.motion);
        }
        self.error.largest(&frame.state.v, h)
    }

    /// The trial becomes the state, closed.
    fn accept(&mut self, frame: &mut Frame<'_, '_>, closing: &mut Closing) {
        self.slopes.accept(frame);
        closing.project(frame, Stabilization::PROJECTIONS);
    }
}
