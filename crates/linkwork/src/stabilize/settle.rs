//! Lower priorities, once priority 0 is closed: each as close as the higher ones allow (Faure 1999, §3.4).
//!
//! They are settled one after the other, with lower ones held where they are. Each solve gives the direction in which a
//! priority and those above it give way least. The step along it is halved until, with priority 0 closed again, the
//! errors are smaller than before; errors of higher priorities weigh far more.

use std::cmp::Ordering;

use super::close::{Closing, prepare};
use super::tolerances::{
    ENOUGH_GAIN, LEAST_GAIN, LEAST_GAIN_IN_HAND, MORE_DAMPING, MOST_TURN, OPENING_PER_APPROACH,
    PROMISED_GAIN, RELEASED_DAMPING, ROUND_OFF_ABOVE, SETTLE_CLOSINGS, STRAYED, WEIGHT_ABOVE,
};
use super::{farthest, most_turn};
use crate::equations::{Outcome, Soft};
use crate::frame::Frame;
use crate::system::{MAX_ROWS, System};

/// What a step of a lower priority gained: some, all there is, or nothing by this way, or by a way that would
/// open priority 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gained {
    Something,
    /// Some, but pulled taut: the goal is out of reach.
    Little,
    All,
    Nothing,
    Strayed,
}

/// A step of a lower priority.
#[derive(Clone, Copy)]
struct Step {
    priority: usize,
    soft: Soft,
    /// No body goes further, meters.
    reach: f64,
    halvings: usize,
    /// The usual way strayed.
    is_taut: bool,
}

/// What tries had of the gain to first order, over their parts of the way: along a parabola, a line.
#[derive(Clone, Copy, Debug)]
struct Trend {
    had: f64,
    per_part: f64,
    last: (f64, f64),
}

impl Trend {
    /// Before any try: whatever part, it has all.
    const NONE: Self = Self {
        had: 1.0,
        per_part: 0.0,
        last: (0.0, 1.0),
    };

    fn note(&mut self, part: f64, had: f64) {
        let (last_part, last_had) = self.last;
        self.per_part = (last_had - had) / (last_part - part);
        self.had = had - self.per_part * part;
        self.last = (part, had);
    }

    /// Whether a part of the way may have enough.
    fn promises(&self, part: f64) -> bool {
        self.had + self.per_part * part > PROMISED_GAIN
    }
}

impl Closing {
    /// One step of a lower priority, from a closed state, on which no body goes further than `reach`,
    /// meters, and which is halved at most so often. Where the way that least squares ask for leads
    /// nowhere, because the pose is almost singular, it is asked for again with more damping. Where
    /// nothing was gained, the state is where it was.
    pub(crate) fn settle(
        &mut self,
        frame: &mut Frame<'_, '_>,
        priority: usize,
        soft: Soft,
        reach: f64,
        halvings: usize,
        usual: f64,
    ) -> Gained {
        let mut step = Step {
            priority,
            soft,
            reach,
            halvings,
            is_taut: false,
        };
        let mut gained = Gained::Nothing;
        for damping in [usual, MORE_DAMPING[0], MORE_DAMPING[1]] {
            let is_usual = damping <= usual;
            gained = self.settle_damped(frame, step, damping.max(usual), is_usual);
            let is_vain = matches!(gained, Gained::Nothing | Gained::Strayed);
            if !is_vain || (frame.method.is_iterative() && frame.out_of_budget()) {
                break;
            }
            step.is_taut |= gained == Gained::Strayed;
        }
        gained
    }

    fn settle_damped(
        &mut self,
        frame: &mut Frame<'_, '_>,
        step: Step,
        damping: f64,
        is_usual: bool,
    ) -> Gained {
        let Step {
            priority, reach, ..
        } = step;
        prepare(frame, step.soft, damping);
        let (above, own) = lower_squares(frame.system(), priority);
        if own <= frame.tolerance * frame.tolerance {
            return Gained::All;
        }
        let open = frame.system().gap().max(frame.tolerance);
        let before = above + own;
        if is_usual {
            self.correct(frame, priority + 1);
        } else {
            self.solve(frame, priority + 1);
        }
        // The whole way, shortened as a whole: bodies cut one by one would open priority 0.
        let (system, solution) = (frame.equations.system(), frame.equations.solution());
        self.way.copy_from_slice(&solution.motion);
        let far = farthest(frame.world, &self.way, system.characteristic_length());
        // Closing would take back what such a way gains: pulled taut, the solve gave up on some rows.
        if solution.outcome == Outcome::LeastSquares && solution.residual.rows > STRAYED * far {
            return Gained::Strayed;
        }
        // As small as they can be together: no way leads down.
        let slope = lower_slope(system, priority, &self.way);
        let least = if frame.world.grips().is_empty() {
            LEAST_GAIN
        } else {
            LEAST_GAIN_IN_HAND
        };
        if slope > -least * own - ROUND_OFF_ABOVE * above {
            return Gained::All;
        }
        let turn = most_turn(frame.world, &self.way);
        let mut part = 1.0f64.min(reach / far).min(MOST_TURN / turn);
        self.start_q.copy_from_slice(&frame.state.q);
        let mut trend = Trend::NONE;
        let mut halvings = 0;
        while halvings <= step.halvings {
            for (dq, whole) in self.dq.iter_mut().zip(&self.way) {
                *dq = part * whole;
            }
            frame.displace(&self.dq);
            let held = if step.is_taut {
                RELEASED_DAMPING
            } else {
                damping
            };
            let mut closed = self.close_exact(frame, step.soft, 2..=SETTLE_CLOSINGS, held);
            let (above, own) = lower_squares(frame.system(), priority);
            let after = above + own;
            if !closed && reach.is_finite() && frame.out_of_budget() {
                // While goals rest, joints close whatever becomes of them.
                let opened = frame.system().gap() - open;
                closed = opened <= OPENING_PER_APPROACH * (before.sqrt() - after.sqrt());
            }
            let reaches = after < 0.25 * before;
            if closed && (reaches || after < before + ENOUGH_GAIN * part * slope) {
                return if step.is_taut {
                    Gained::Little
                } else {
                    Gained::Something
                };
            }
            frame.state.q.copy_from_slice(&self.start_q);
            if closed && step.is_taut {
                trend.note(part, (after - before) / (part * slope));
            }
            // Lengths of which the tries before tell that they gain too little are not tried.
            loop {
                part *= 0.5;
                halvings += 1;
                if halvings > step.halvings || trend.promises(part) {
                    break;
                }
            }
        }
        Gained::Nothing
    }
}

/// The change of [`lower_squares`] along a displacement, to first order.
fn lower_slope(system: &System, priority: usize, dq: &[f64]) -> f64 {
    lower_line(system, priority, dq).0
}

/// The changes of [`lower_squares`] along a displacement, to first order and to second, with constant J.
pub(super) fn lower_line(system: &System, priority: usize, dq: &[f64]) -> (f64, f64) {
    let mut moved = [0.0; MAX_ROWS];
    let (mut slope, mut curvature) = (0.0, 0.0);
    for (c, block) in system.constraints.iter().enumerate() {
        if block.priority == 0 {
            continue;
        }
        let range = system.row_range(c as u32);
        let moved = &mut moved[..range.len()];
        system.constraint_motion(c as u32, dq, moved);
        for (row, moved) in range.zip(moved) {
            let Some(own) = system
                .rows
                .lower_priority(row)
                .filter(|&own| own <= priority)
            else {
                continue;
            };
            let scale = block.weight * system.row_scale[row];
            let change = 2.0 * scale * scale * system.c[row] * *moved;
            let square = scale * scale * *moved * *moved;
            let counts = if own < priority { WEIGHT_ABOVE } else { 1.0 };
            slope += counts * change;
            curvature += counts * square;
        }
    }
    (slope, curvature)
}

/// `Σ (w·s·c)²` over the rows of lower priorities above this one, times what they count more, and over
/// its own.
pub(super) fn lower_squares(system: &System, priority: usize) -> (f64, f64) {
    let (mut above, mut own) = (0.0, 0.0);
    for (c, block) in system.constraints.iter().enumerate() {
        for row in system.row_range(c as u32) {
            if let Some(k) = system.rows.lower_priority(row) {
                let error = block.weight * system.row_scale[row] * system.c[row];
                match k.cmp(&priority) {
                    Ordering::Less => above += WEIGHT_ABOVE * error * error,
                    Ordering::Equal => own += error * error,
                    Ordering::Greater => {}
                }
            }
        }
    }
    (above, own)
}
