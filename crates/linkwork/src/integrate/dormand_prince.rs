//! The `Precise` scheme: Dormand and Prince's method of order 5(4) on accelerations, with
//! projection after every step and error control inside the frame.
//!
//! Seven slopes a step, each a factor and a solve; the last one is only for the error estimate, but
//! its factor closes the positions, and the factor that then projects the velocities serves the
//! first slope of the next step.

use super::Stage;
use crate::assemble::Soft;
use crate::stabilize::Stabilization;
use crate::step::Precise;

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
/// A frame is cut into at most so many steps; then what is left is taken at once.
const MOST_STEPS: f64 = 1e6;

impl Stage<'_, '_> {
    /// Advances the state by `dt`.
    pub(crate) fn precise(&mut self, dt: f64, options: &Precise) {
        let rule = Stabilization::PROJECT;
        let (start, end) = (self.work.state.t, self.work.state.t + dt);
        let least = dt / MOST_STEPS;
        // Closed to round-off: near singular places a gap decides which way is taken.
        self.tolerance = self.tolerance.min(1e-13 * self.length());
        let Some(tolerance) = options.tolerance else {
            self.dormand_prince(dt, &rule);
            self.accept(&rule);
            self.work.state.t = end;
            return;
        };
        let mut h = self.work.state.substep;
        if h <= 0.0 {
            h = dt / 16.0;
        }
        let mut done = 0.0;
        while done < dt * (1.0 - 1e-12) {
            // Even parts towards the end of the frame, so that no crumb is left.
            let left = dt - done;
            let n = (left / h).ceil().max(1.0);
            let step = if n < 3.0 { left / n } else { h };
            let error = self.dormand_prince(step, &rule) / tolerance;
            let spent = self.is_spent();
            if !error.is_finite() && (step <= least || spent) {
                // No step is short enough: the caller refuses what is not finite.
                std::mem::swap(&mut self.work.state, &mut self.work.trial);
                self.work.state.t = f64::NAN;
                return;
            }
            if error <= 1.0 || step <= least || spent {
                done += step;
                self.accept(&rule);
                self.work.state.t = start + done;
                let grow = 0.9 * libm::pow(error.max(1e-10), -0.2);
                let next = step * grow.clamp(0.2, 4.0);
                // A short last part says nothing against a longer step.
                h = if step < h { next.max(h) } else { next };
                if spent {
                    h = h.max(dt);
                }
            } else {
                self.report.refused += 1;
                let shrink = 0.9 * libm::pow(error, -0.2);
                let shrink = if shrink.is_finite() { shrink } else { 0.1 };
                h = (step * shrink.clamp(0.1, 0.9)).max(least);
            }
        }
        self.work.state.substep = h;
        self.work.state.t = end;
    }

    /// One step into the trial; returns the local error.
    fn dormand_prince(&mut self, h: f64, rule: &Stabilization) -> f64 {
        self.slope_here(0, Soft::Explicit, rule);
        for stage in 0..6 {
            let work = &mut *self.work;
            for k in 0..work.dq.len() {
                let (mut rate, mut v_dot) = (0.0, 0.0);
                for (weight, slope) in A[stage][..=stage].iter().zip(&work.slopes) {
                    rate += weight * slope.0[k];
                    v_dot += weight * slope.1[k];
                }
                work.dq[k] = h * rate;
                work.trial.v[k] = work.state.v[k] + h * v_dot;
            }
            work.trial.q.copy_from_slice(&work.state.q);
            work.trial.t = work.state.t;
            let layout = &self.equations.layout;
            layout.displace(self.world, &mut work.trial.q, &work.dq);
            layout.follow(self.world, &mut work.trial, C[stage] * h);
            work.trial.t = work.state.t + C[stage] * h;
            self.slope_at_trial(stage + 1, Soft::Explicit, rule);
        }
        let work = &*self.work;
        let mut worst = 0.0f64;
        let mut sum = 0.0;
        for k in 0..work.dq.len() {
            let (mut rate, mut v_dot) = (0.0, 0.0);
            for (weight, slope) in E.iter().zip(&work.slopes) {
                rate += weight * slope.0[k];
                v_dot += weight * slope.1[k];
            }
            let error = h * rate.abs().max(v_dot.abs() / (1.0 + work.state.v[k].abs()));
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
    fn accept(&mut self, rule: &Stabilization) {
        std::mem::swap(&mut self.work.state, &mut self.work.trial);
        self.report.substeps += 1;
        rule.stabilize(self, 0.0);
    }
}
