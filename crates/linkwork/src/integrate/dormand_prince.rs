//! Dormand and Prince's method of order 5(4) on accelerations.
//!
//! Seven slopes a step, each a factor and a solve; the last one is only for the error estimate, but
//! its factor closes the positions, and the factor that then projects the velocities serves the
//! first slope of the next step.
//!
//! Bodies without torques have no slopes of rotation: they rotate in closed form, at any spin.

use super::local_error::LocalError;
use super::slopes::Slopes;
use crate::equations::Soft;
use crate::frame::Frame;
use crate::stabilize::{Closing, Stabilization};

/// Slopes of a step.
pub(super) const N_SLOPES: usize = 7;

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
/// The stage whose trial is the step.
const LAST: usize = 5;

/// One step into the trial; returns the local error.
pub(super) fn try_step(
    slopes: &mut Slopes,
    error: &mut LocalError,
    frame: &mut Frame<'_, '_>,
    closing: &mut Closing,
    h: f64,
) -> f64 {
    let rule = &Stabilization::POST;
    slopes.take_first(frame, closing, Soft::Explicit, rule);
    slopes.leave_out_free_turns(frame, 0);
    for stage in 0..6 {
        slopes.set_trial(frame, C[stage] * h, |slopes, k| {
            let (mut rate, mut v_dot) = (0.0, 0.0);
            for (weight, slope) in A[stage][..=stage].iter().zip(slopes) {
                rate += weight * slope.rate[k];
                v_dot += weight * slope.v_dot[k];
            }
            (h * rate, h * v_dot)
        });
        if stage == LAST {
            slopes.turn_freely(frame, h);
        }
        slopes.take(frame, stage + 1, Soft::Explicit, rule);
        slopes.leave_out_free_turns(frame, stage + 1);
    }
    for k in 0..error.rate.len() {
        let (mut rate, mut v_dot) = (0.0, 0.0);
        for (weight, slope) in E.iter().zip(&slopes.of_stage) {
            rate += weight * slope.rate[k];
            v_dot += weight * slope.v_dot[k];
        }
        error.rate[k] = rate;
        error.v_dot[k] = v_dot;
    }
    error.largest(&frame.state.v, h)
}
