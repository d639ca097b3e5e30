//! A lower priority comes down to least squares (Faure 1999, §3.4): one sum of squares, which every step makes
//! smaller. By iterations, and in assemblies.
//!
//! ```text
//!     min Φ = ½·Σ (w·c₁)²   such that c₀ = 0
//! ```
//!
//! Newton's method, with priority 0 exact and μ as damping. The pull of what cannot be reached, λ₁ = −c₁/ε,
//! and what priority 0 holds against it, λ₀, turn bodies: their geometric stiffness K is the curvature of Φ
//! on priority 0. Without it, steps along a taut chain turn it by a thousand radians.
//!
//! ```text
//!     (M + K₊(λ))·δ = J₀ᵀ·λ₀ + J₁ᵀ·λ₁,   J₀·δ = 0,   J₁·δ + ε·λ₁ = −c₁,   ε = μ·|J₁·M⁻¹·J₁ᵀ|
//! ```
//!
//! Iterations that are cut short still give a way down, a worse one. If it leads nowhere, the gradient does,
//! which takes no iteration where the forest holds priority 0. So no budget is too small, and none gets stuck.

use super::close::{Closing, closes_over_forest, prepare};
use super::settle::{lower_line, lower_squares};
use super::tolerances::{
    CLOSINGS, DESCENTS, ENOUGH_DESCENT, GRADIENT_HALVINGS, HALVINGS, LAST_GAIN, LEAST_GAIN,
    LESS_DAMPING, MOST_TURN, RELEASED_DAMPING, SHORT_PART, STEEPER_DAMPING,
};
use super::{farthest, most_turn};
use crate::equations::{Load, Lower, Request, Soft, Solution};
use crate::frame::Frame;

impl Closing {
    /// Closes priority 0, then brings lower ones as near as the budget lets it, but no body further than `reach`,
    /// meters. True where nothing more is to be gained.
    #[cold]
    pub(crate) fn descend(
        &mut self,
        frame: &mut Frame<'_, '_>,
        soft: Soft,
        reach: f64,
        usual: f64,
    ) -> bool {
        // What the forest closes takes no iterations, so that none need be left.
        let costs_nothing = closes_over_forest(frame) && frame.meter.is_limited();
        let least = if costs_nothing { CLOSINGS } else { 2 };
        if !self.close_alone(frame, soft, least) {
            return false;
        }
        let mut is_least = true;
        let mut left = reach;
        for priority in 0..frame.system().rows.n_lower {
            let mut damping = usual;
            let mut n_descents = 0;
            loop {
                if n_descents == DESCENTS || left <= 0.0 || frame.out_of_budget() {
                    is_least = false;
                    break;
                }
                n_descents += 1;
                let Some(squares) = self.stiffen_pulled(frame, priority, (soft, damping)) else {
                    break;
                };
                self.solve(frame, priority + 1);
                let way = &frame.equations.solution().motion;
                let (slope, _) = lower_line(frame.system(), priority, way);
                let is_last = !frame.method.is_iterative() && slope > -LAST_GAIN * squares.1;
                let taken = self.go_down(frame, priority, (soft, HALVINGS), squares, &mut left);
                if is_last {
                    break;
                }
                damping = if taken > SHORT_PART {
                    (LESS_DAMPING * damping).max(usual)
                } else {
                    STEEPER_DAMPING * damping
                };
                if taken == 0.0
                    && !self.follow_gradient(frame, priority, (soft, damping), &mut left)
                {
                    break;
                }
            }
        }
        is_least
    }

    /// Closes priority 0, by so many corrections even if the budget is spent; lower ones do nothing.
    fn close_alone(&mut self, frame: &mut Frame<'_, '_>, soft: Soft, least: usize) -> bool {
        self.close_exact(frame, soft, least..=CLOSINGS, RELEASED_DAMPING)
    }

    /// What errors up to this priority pull with, `λ₁ = −c₁/ε`, into `pull`, and `J₁ᵀ·λ₁` into `force`.
    fn pull(&mut self, frame: &mut Frame<'_, '_>, priority: usize) {
        let mobility = frame.equations.lower_mobility(&mut self.force);
        let damping = frame.system().lower_damping;
        let system = frame.equations.system();
        self.force.fill(0.0);
        self.pull.fill(0.0);
        for (c, block) in system.constraints.iter().enumerate() {
            let rows = system.row_range(c as u32);
            for row in rows.clone() {
                let own = system.rows.lower_priority(row);
                if own.is_some_and(|own| own <= priority) {
                    let scale = block.weight * system.row_scale[row];
                    self.pull[row] = -scale * scale * system.c[row] / (damping * mobility);
                }
            }
            system.add_constraint_force(c as u32, &self.pull[rows], &mut self.force);
        }
    }

    /// Fills and factors with what the pull turns bodies with. Returns the sums of squares of the priorities
    /// above and of this one; none if this one is met.
    #[cold]
    fn stiffen_pulled(
        &mut self,
        frame: &mut Frame<'_, '_>,
        priority: usize,
        (soft, damping): (Soft, f64),
    ) -> Option<(f64, f64)> {
        prepare(frame, soft, damping);
        let (above, own) = lower_squares(frame.system(), priority);
        if own <= frame.tolerance * frame.tolerance {
            return None;
        }
        self.pull(frame, priority);
        let held = self.hold_pull(frame);
        for (pull, held) in self.pull.iter_mut().zip(&held.lambda) {
            *pull += held;
        }
        self.stiffness
            .fill(frame.equations.system(), &self.pull, 1.0);
        self.stiffness.stiffen(frame.equations.modify(), 1.0);
        frame.factor();
        Some((above, own))
    }

    /// What priority 0 does against the pull, and how bodies move then.
    fn hold_pull<'f>(&mut self, frame: &'f mut Frame<'_, '_>) -> &'f Solution {
        self.b.fill(0.0);
        let request = Request {
            load: Load::Given(&self.force),
            rows: Some(&self.b),
            lower: Lower::Released,
            ..Request::default()
        };
        frame.equations.solve(request, frame.meter)
    }

    /// Goes down the gradient; false where that does not lead down.
    fn follow_gradient(
        &mut self,
        frame: &mut Frame<'_, '_>,
        priority: usize,
        (soft, damping): (Soft, f64),
        left: &mut f64,
    ) -> bool {
        let Some(squares) = self.stiffen_pulled(frame, priority, (soft, damping)) else {
            return false;
        };
        self.hold_pull(frame);
        self.go_down(frame, priority, (soft, GRADIENT_HALVINGS), squares, left) > 0.0
    }

    /// Goes down the way of the last solution, and halves it until errors fall enough. Returns the part of the
    /// way that was taken; zero if none was, or if it does not lead down. No body goes further than what is `left`, of
    /// which its way is taken.
    #[cold]
    fn go_down(
        &mut self,
        frame: &mut Frame<'_, '_>,
        priority: usize,
        (soft, halvings): (Soft, usize),
        (above, own): (f64, f64),
        left: &mut f64,
    ) -> f64 {
        self.way.copy_from_slice(&frame.equations.solution().motion);
        let (slope, curvature) = lower_line(frame.system(), priority, &self.way);
        if slope > -LEAST_GAIN * own {
            return 0.0;
        }
        let before = above + own;
        // Not beyond where the sum is least to second order.
        let least = -0.5 * slope / curvature;
        let mut part = 1.0f64.min(least);
        part = part.min(MOST_TURN / most_turn(frame.world, &self.way));
        let length = frame.system().characteristic_length();
        let far = farthest(frame.world, &self.way, length);
        part = part.min(*left / far);
        self.start_q.copy_from_slice(&frame.state.q);
        for _ in 0..=halvings {
            for (dq, whole) in self.dq.iter_mut().zip(&self.way) {
                *dq = part * whole;
            }
            frame.displace(&self.dq);
            let is_closed = self.close_alone(frame, soft, 2);
            let (above, own) = lower_squares(frame.system(), priority);
            if is_closed && above + own < before + ENOUGH_DESCENT * part * slope {
                *left -= part * far;
                return part;
            }
            frame.state.q.copy_from_slice(&self.start_q);
            part *= 0.5;
        }
        0.0
    }
}
