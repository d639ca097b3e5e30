//! Closes all priorities alike, where iterations are cut short (Faure 1999, §3.4).
//!
//! While goals move, few iterations are used best this way: closing priority 0 alone would pull back what the hand
//! pulls. Once goals rest, this continues while the errors decrease, because a goal within reach is met with the joints
//! closed. If they stall, the goal is out of reach, and from then on priority 0 is closed alone. The direction in the
//! state records this: it has no part of lower priorities. Without momentum both priorities first decrease by one sum
//! (`augmented`).

use super::close::{Closing, is_led_by_gradients, prepare};
use super::tolerances::STALLED;
use super::truncate_rotations;
use crate::equations::{Lower, Motion, Soft, Terms};
use crate::frame::Frame;

impl Closing {
    /// Closes all priorities alike, goals by no more than `reach`, as often as the budget allows. False
    /// where priorities must be told apart, and the last correction is taken back then: iterations are
    /// not cut short any more, or goals rest and errors do not fall.
    pub(super) fn close_together(
        &mut self,
        frame: &mut Frame<'_, '_>,
        iterations: usize,
        reach: f64,
        damping: f64,
    ) -> bool {
        let rests = reach == f64::INFINITY;
        if rests && !priorities_go_on_together(frame) {
            return false;
        }
        for iteration in 0..iterations {
            prepare(frame, Soft::Absent, damping);
            let system = frame.equations.system();
            let far = system.lower_gap();
            let is_closed = system.gap().max(far) <= frame.tolerance;
            if is_closed || (iteration > 0 && frame.out_of_budget()) {
                return true;
            }
            let system = frame.equations.system();
            system.right_hand_side(Motion::Displacement, &mut self.b);
            let part = (reach / far).min(1.0);
            for &(row, _) in &system.rows.lower {
                self.b[row as usize] *= part;
            }
            let before = system.square();
            self.solve_for_rows(frame, Lower::Joined);
            if !frame.equations.priorities_are_joined() {
                return false;
            }
            self.start_q.copy_from_slice(&frame.state.q);
            self.dq.copy_from_slice(&frame.equations.solution().motion);
            truncate_rotations(frame.world, &mut self.dq);
            frame.displace(&self.dq);
            if rests {
                let terms = Terms::new(Motion::Displacement, Soft::Absent, damping);
                let at = (frame.world, &*frame.state);
                if frame.equations.fill_probe(at, terms).square() > STALLED * before {
                    frame.state.q.copy_from_slice(&self.start_q);
                    frame.state.unfinished.clear();
                    if is_led_by_gradients(frame) {
                        hold_alike(frame);
                        return true;
                    }
                    return false;
                }
            }
        }
        true
    }
}

/// Where all rows pull alike, priority 0 holds `ℓ = −c₀`: from there on the one sum goes on (`augmented`).
pub(super) fn hold_alike(frame: &mut Frame<'_, '_>) {
    let held = frame.state.unfinished.hold(frame.state.lambda.len());
    let system = frame.equations.system();
    for &(row, scale) in &system.rows.hard {
        held[row as usize] = -scale * scale * system.c[row as usize];
    }
}

/// Whether the iteration that was cut short last was one of all priorities alike.
fn priorities_go_on_together(frame: &Frame<'_, '_>) -> bool {
    let direction = frame.state.unfinished.direction();
    if direction.is_empty() {
        return false;
    }
    let mut lower = frame.system().rows.lower.iter();
    lower.any(|&(row, _)| direction[row as usize] != 0.0)
}
