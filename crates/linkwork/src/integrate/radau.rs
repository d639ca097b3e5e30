//! Radau's method IIA of three stages, order 5: implicit, and stable at any stiffness.
//!
//! Slopes `(r, a)` of the stages, rates of displacements and accelerations, such that
//!
//! ```text
//!     d_i = h·Σ A_ij·r_j          r_i = rate of d_i          where the stage is
//!     v_i = v + h·Σ A_ij·a_j      M·a_i = f_i + Jᵀ·λ         springs of the stage among the rows
//! ```
//!
//! Newton's method would couple the stages. Instead A is replaced by its factor T in `A = T·U`, T lower and U
//! unit upper triangular (van der Houwen and de Swart 1997), so that stages are solved one after another, each
//! with one factor at its own state. This converges at any stiffness, at worst by 0.37 an iteration. Springs,
//! dampers and strains are implicit; other forces and changes of direction are iterated.
//!
//! The last stage is the end of the step. The error estimate is of order 3 (Hairer and Wanner 1996, IV.8),
//!
//! ```text
//!     error/h = γ·(slope at the start + Σ E_j·slope_j)
//! ```
//!
//! The estimate is filtered three times by the implicit operator of the springs over the frame, so that
//! vibration faster than the frame does not count.

use super::local_error::LocalError;
use super::slopes::{Slope, Slopes};
use super::tolerances::{FILTERS, NEWTON, NEWTON_ITERATIONS};
use crate::equations::{Load, Motion, Request, Soft};
use crate::frame::Frame;
use crate::linalg::size;
use crate::springs::Reached;
use crate::stabilize::{CLOSINGS, Closing};
use crate::system::System;

/// Stage weights: of √6 they are (88 − 7·√6)/360 and so on.
const A: [[f64; 3]; 3] = [
    [
        0.19681547722366044,
        -0.06553542585019838,
        0.02377097434822015,
    ],
    [
        0.3944243147390873,
        0.29207341166522843,
        -0.04154875212599792,
    ],
    [0.37640306270046725, 0.5124858261884216, 0.1111111111111111],
];
/// The lower factor of A.
const T: [[f64; 3]; 3] = [
    [0.19681547722366044, 0.0, 0.0],
    [0.3944243147390873, 0.423408435702613, 0.0],
    [0.37640306270046725, 0.6378201512799474, 0.2],
];
/// Times of the stages: (4 ∓ √6)/10.
const C: [f64; 3] = [0.15505102572168222, 0.6449489742783178, 1.0];
/// Weights of the stages in the error, and its factor, the real eigenvalue of A.
const E: [f64; 3] = [-1.5580782047249226, 0.8914115380582552, -0.3333333333333333];
const GAMMA: f64 = 0.27488882959567734;

/// The buffers of a step.
#[derive(Debug, Default)]
pub(super) struct Radau {
    /// The change of each stage's slope in an iteration.
    change: [Slope; 3],
    ahead: Vec<f64>,
    rate_ahead: Vec<f64>,
    b: Vec<f64>,
    /// Multipliers of the last stage.
    lambda: Vec<f64>,
}

impl Radau {
    pub(super) fn size(&mut self, system: &System) {
        for slope in &mut self.change {
            size(&mut slope.rate, system.n_v());
            size(&mut slope.v_dot, system.n_v());
        }
        size(&mut self.ahead, system.n_v());
        size(&mut self.rate_ahead, system.n_v());
        size(&mut self.b, system.n_rows());
        size(&mut self.lambda, system.n_rows());
    }

    /// One step `h` into the trial. Returns the local error, filtered for frames of `dt`; infinite if Newton's
    /// method did not converge.
    #[cold]
    pub(super) fn try_step(
        &mut self,
        slopes: &mut Slopes,
        error: &mut LocalError,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        (h, dt, tolerance): (f64, f64, f64),
    ) -> f64 {
        frame.fill(Motion::Acceleration, Soft::Rows);
        if frame.is_open() {
            closing.close(frame, CLOSINGS, f64::INFINITY);
        }
        for slope in &mut slopes.of_stage[..3] {
            slope.rate.copy_from_slice(&frame.state.v);
            slope.v_dot.fill(0.0);
        }
        let mut last = f64::INFINITY;
        for iteration in 0..NEWTON_ITERATIONS {
            let moved = self.iterate(slopes, frame, h);
            // A change that no longer decreases is round-off.
            let rests = moved > 0.5 * last && moved <= tolerance;
            if moved <= NEWTON * tolerance || rests {
                break;
            }
            if frame.out_of_budget() {
                break;
            }
            let is_last = iteration + 1 == NEWTON_ITERATIONS;
            if is_last || (iteration > 2 && moved > 0.8 * last) || !moved.is_finite() {
                return f64::INFINITY;
            }
            last = moved;
        }
        set_stage(slopes, frame, 2, h);
        slopes.trial.lambda.copy_from_slice(&self.lambda);
        self.estimate(slopes, error, frame, GAMMA * h);
        let terms = frame.terms(Motion::Acceleration, Soft::Rows);
        frame.equations.fill((frame.world, &slopes.trial), terms);
        frame.springs.soften_over(frame.equations.modify(), dt);
        frame.factor();
        for _ in 0..FILTERS {
            error.keep_on_constraints(frame);
        }
        error.largest(&frame.state.v, h)
    }

    /// The local error: the residual of the equations at the start, solved over a time.
    #[cold]
    fn estimate(
        &mut self,
        slopes: &Slopes,
        error: &mut LocalError,
        frame: &mut Frame<'_, '_>,
        time: f64,
    ) {
        for k in 0..error.rate.len() {
            let (mut rate, mut v_dot) = (frame.state.v[k], 0.0);
            for (weight, slope) in E.iter().zip(&slopes.of_stage) {
                rate += weight * slope.rate[k];
                v_dot -= weight * slope.v_dot[k];
            }
            error.rate[k] = rate;
            error.v_dot[k] = v_dot;
            self.ahead[k] = time * rate;
        }
        self.rate_ahead.fill(0.0);
        frame.fill(Motion::Acceleration, Soft::Rows);
        let y = self.solve(frame, time, &error.v_dot);
        for (k, y) in y.iter().enumerate() {
            let v_dot = y - error.v_dot[k];
            error.v_dot[k] = GAMMA * v_dot;
            error.rate[k] = GAMMA * (error.rate[k] + time * v_dot);
        }
    }

    /// Accelerations at the filled state, over a time, for the present `v_dot` and the changes of other stages.
    #[cold]
    fn solve<'f>(&mut self, frame: &'f mut Frame<'_, '_>, time: f64, v_dot: &[f64]) -> &'f [f64] {
        let system = frame.equations.modify();
        system.right_hand_side(Motion::Acceleration, &mut self.b);
        let reached = Reached {
            v_dot,
            ahead: &self.ahead,
            rate_ahead: &self.rate_ahead,
        };
        frame
            .springs
            .enter_stage(system, time, reached, &mut self.b);
        frame.factor();
        let request = Request {
            load: Load::Filled,
            rows: Some(&self.b),
            ..Request::default()
        };
        let solution = frame.equations.solve(request, frame.meter);
        self.lambda.copy_from_slice(&solution.lambda);
        &solution.motion
    }

    /// One iteration of all stages. Returns the change, in units of the error.
    #[cold]
    fn iterate(&mut self, slopes: &mut Slopes, frame: &mut Frame<'_, '_>, h: f64) -> f64 {
        let mut moved = 0.0f64;
        for stage in 0..3 {
            set_stage(slopes, frame, stage, h);
            let mut own = std::mem::take(&mut self.change[stage]);
            let layout = &frame.equations.layout;
            layout.chart_rate(frame.world, slopes.dq(), &slopes.trial.v, &mut own.rate);
            let now = &slopes.of_stage[stage];
            let time = h * T[stage][stage];
            for k in 0..own.rate.len() {
                let (mut rate, mut v_dot) = (0.0, 0.0);
                for (weight, change) in T[stage].iter().zip(&self.change[..stage]) {
                    rate += weight * change.rate[k];
                    v_dot += weight * change.v_dot[k];
                }
                own.rate[k] += h * v_dot - now.rate[k];
                self.rate_ahead[k] = h * v_dot;
                self.ahead[k] = h * rate + time * own.rate[k];
            }
            let terms = frame.terms(Motion::Acceleration, Soft::Rows);
            frame.equations.fill((frame.world, &slopes.trial), terms);
            let y = self.solve(frame, time, &now.v_dot);
            for (k, y) in y.iter().enumerate() {
                own.v_dot[k] = y - now.v_dot[k];
                own.rate[k] += time * own.v_dot[k];
                let v_dot = own.v_dot[k].abs() / (1.0 + slopes.trial.v[k].abs());
                let change = h * own.rate[k].abs().max(v_dot);
                // NaN counts as an infinite change.
                moved = if change <= moved { moved } else { change };
            }
            self.change[stage] = own;
        }
        for (slope, change) in slopes.of_stage.iter_mut().zip(&self.change) {
            for k in 0..slope.rate.len() {
                slope.rate[k] += change.rate[k];
                slope.v_dot[k] += change.v_dot[k];
            }
        }
        moved
    }
}

/// The trial becomes a stage of the step.
fn set_stage(slopes: &mut Slopes, frame: &Frame<'_, '_>, stage: usize, h: f64) {
    slopes.set_trial(frame, C[stage] * h, |slopes, k| {
        let (mut rate, mut v_dot) = (0.0, 0.0);
        for (weight, slope) in A[stage].iter().zip(slopes) {
            rate += weight * slope.rate[k];
            v_dot += weight * slope.v_dot[k];
        }
        (h * rate, h * v_dot)
    });
}
