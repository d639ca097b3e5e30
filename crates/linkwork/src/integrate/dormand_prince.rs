//! The `Precise` scheme: Dormand and Prince's method of order 5(4) on accelerations, with
//! projection after every step and error control inside the frame.
//!
//! Seven slopes a step, each a factor and a solve; the last one is only for the error estimate, but
//! its factor closes the positions, and the factor that then projects the velocities serves the
//! first slope of the next step.

use super::PreciseOptions;
use super::slopes::Slopes;
use super::tolerances::{MOST_STEPS, TIGHT};
use crate::equations::Soft;
use crate::frame::Frame;
use crate::stabilize::{Closing, Stabilization};

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
/// The buffers of a step.
#[derive(Debug, Default)]
pub(super) struct Precise {
    slopes: Slopes,
}

impl Precise {
    pub(super) fn size(&mut self, frame: &Frame<'_, '_>) {
        self.slopes.size(7, frame.state, frame.system());
    }

    /// Advances the state by `dt`.
    pub(super) fn step(
        &mut self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        dt: f64,
        options: &PreciseOptions,
    ) {
        let (start, end) = (frame.state.t, frame.state.t + dt);
        let least = dt / MOST_STEPS;
        // Closed to round-off: near singular places a gap decides which way is taken.
        frame.tolerance = frame.tolerance.min(TIGHT * frame.system().bar_length());
        let Some(tolerance) = options.tolerance else {
            self.try_step(frame, closing, dt);
            self.accept(frame, closing);
            frame.state.t = end;
            return;
        };
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
            let error = self.try_step(frame, closing, step) / tolerance;
            let spent = frame.out_of_budget();
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
        let (mut worst, mut sum) = (0.0f64, 0.0);
        for (k, v) in frame.state.v.iter().enumerate() {
            let (mut rate, mut v_dot) = (0.0, 0.0);
            for (weight, slope) in E.iter().zip(&slopes.of_stage) {
                rate += weight * slope.rate[k];
                v_dot += weight * slope.v_dot[k];
            }
            let error = h * rate.abs().max(v_dot.abs() / (1.0 + v.abs()));
            worst = worst.max(error);
            sum += error;
        }
        if sum.is_finite() {
            worst
        } else {
            f64::INFINITY
        }
    }

    /// The trial becomes the state, closed.
    fn accept(&mut self, frame: &mut Frame<'_, '_>, closing: &mut Closing) {
        self.slopes.accept(frame);
        closing.project(frame, Stabilization::PROJECTIONS);
    }
}
