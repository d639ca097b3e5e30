//! Closing positions (Faure 1998, eq. 5): priority 0 exactly, then lower ones as far as that lets them.
//!
//! ```text
//!     J·δq = −c      q ← q ⊞ δq,   no body turned by more than 0.8 rad
//! ```

use std::ops::RangeInclusive;

use super::Gained;
use super::augmented::Augmented;
use super::together::hold_alike;
use super::tolerances::{
    CLOSINGS, GAINED, GAP_ROUND_OFF, HALVINGS, LOOSE_DAMPING, OPENED, PATIENCE, RELEASED_DAMPING,
    SETTLINGS, TAUT_DAMPING, TORN,
};
use super::truncate_rotations;
use crate::equations::{Lower, Method, Motion, Request, Soft, Terms};
use crate::frame::Frame;
use crate::linalg::size;
use crate::system::{GeometricStiffness, System};
use crate::world::{ConstraintRecord, Dynamics, State, World};

/// The buffers of a closing.
#[derive(Debug, Default)]
pub(crate) struct Closing {
    pub(super) b: Vec<f64>,
    pub(super) force: Vec<f64>,
    /// What lower priorities pull with, and what priority 0 holds against it.
    pub(super) pull: Vec<f64>,
    /// The last correction.
    pub(crate) dq: Vec<f64>,
    pub(super) stiffness: GeometricStiffness,
    /// Where the closing began; after it, where lower priorities began to settle.
    pub(super) open_q: Vec<f64>,
    /// Where a step of a lower priority, or of all alike, began, and the whole way of it.
    pub(super) start_q: Vec<f64>,
    pub(super) way: Vec<f64>,
    /// Where all priorities come down together.
    pub(super) augmented: Augmented,
}

impl Closing {
    pub(crate) fn size(&mut self, state: &State, system: &System) {
        size(&mut self.b, system.n_rows());
        size(&mut self.pull, system.n_rows());
        for buffer in [&mut self.force, &mut self.dq, &mut self.way] {
            size(buffer, system.n_v());
        }
        size(&mut self.open_q, state.q.len());
        size(&mut self.start_q, state.q.len());
        self.stiffness.size(system);
        self.augmented.clear();
    }

    /// Closes positions, velocities left alone; what is already closed costs one fill.
    ///
    /// Then lower priorities are brought nearer, but no body goes further after them than `reach`,
    /// meters.
    pub(crate) fn close(&mut self, frame: &mut Frame<'_, '_>, iterations: usize, reach: f64) {
        let damping = frame.damping;
        self.close_damped(frame, iterations, reach, damping);
    }

    /// The same with lower priorities damped so much.
    pub(crate) fn close_damped(
        &mut self,
        frame: &mut Frame<'_, '_>,
        iterations: usize,
        reach: f64,
        damping: f64,
    ) {
        if frame.system().rows.lower.is_empty() {
            self.close_exact(frame, Soft::Absent, 2..=iterations, damping);
            return;
        }
        let has_momentum = frame.world.dynamics() == Dynamics::SecondOrder;
        if !has_momentum && comes_down_together(frame) {
            self.descend_together(frame, reach, damping);
            return;
        }
        let is_led = is_led_by_gradients(frame);
        if is_led && !frame.state.unfinished.held().is_empty() {
            self.follow_together(frame, reach, damping);
            return;
        }
        self.open_q.copy_from_slice(&frame.state.q);
        let may_descend = reach == f64::INFINITY || is_counted(frame);
        if may_descend && comes_down_over_forest(frame) {
            self.descend(frame, Soft::Absent, reach, damping);
            return;
        }
        let was_cut_short = frame.is_cut_short();
        if was_cut_short && self.close_together(frame, iterations, reach, damping) {
            if !has_momentum && reach.is_finite() {
                let system = frame.fill_probe(Motion::Displacement, Soft::Absent);
                let is_stretched = system.gap() > OPENED * system.bar_length();
                frame.log.is_starved |= is_stretched;
            }
            return;
        }
        let is_closed = self.close_exact(frame, Soft::Absent, 2..=iterations, LOOSE_DAMPING);
        if !is_closed && !frame.out_of_budget() {
            // Held where they are, lower priorities were in the way.
            frame.state.q.copy_from_slice(&self.open_q);
            self.close_exact(frame, Soft::Absent, 2..=iterations, RELEASED_DAMPING);
        }
        self.open_q.copy_from_slice(&frame.state.q);
        if is_led && reach.is_finite() {
            if frame.out_of_budget() {
                // Not even priority 0 closes within it: the next frame goes by gradients.
                hold_alike(frame);
                frame.log.is_starved = true;
                return;
            }
            let is_spent = frame.within_half(|frame| {
                self.settle_all(frame, reach, damping);
                frame.meter.ended().is_some()
            });
            // What whole solves did not reach with one half, gradients do with the other; or the next frame meets all
            // alike.
            let is_far = is_spent && frame.system().lower_gap() > frame.tolerance;
            if is_far && (was_cut_short || !frame.is_cut_short()) {
                self.descend_together(frame, reach, damping);
            } else {
                frame.log.is_starved |= is_far && frame.state.q == self.open_q;
            }
            return;
        }
        self.settle_all(frame, reach, damping);
        // What the budget did not suffice for begins from nothing in the next frame.
        let is_spent = frame.method.is_iterative() && frame.meter.ended().is_some();
        if is_spent && frame.state.q == self.open_q {
            frame.log.is_starved |= frame.system().lower_gap() > frame.tolerance;
        }
    }

    /// Whether iterations are counted, and a lower priority is torn while goals rest which as many as there are can
    /// bring down. Fills the probe.
    pub(crate) fn find_torn(frame: &mut Frame<'_, '_>) -> bool {
        is_counted(frame)
            && look_for_torn(frame)
            && frame.reach() == f64::INFINITY
            && (comes_down_over_forest(frame)
                || (comes_down_together(frame) && !is_led_with_momentum(frame)))
    }

    /// Closes where forces moved bodies without momentum. Where iterations are not counted and goals rest, a torn lower
    /// priority comes down all the way: single steps bring back less than bodies sag in the next frame.
    pub(crate) fn close_moved(&mut self, frame: &mut Frame<'_, '_>) {
        let reach = frame.reach();
        let may_descend = reach == f64::INFINITY && frame.system().rows.n_lower == 1;
        if may_descend && !is_counted(frame) && look_for_torn(frame) {
            let damping = frame.damping;
            self.descend(frame, Soft::Absent, reach, damping);
        } else {
            self.close(frame, CLOSINGS, reach);
        }
    }

    /// Brings the lower priority down as far as the budget lets it.
    pub(crate) fn come_down(&mut self, frame: &mut Frame<'_, '_>) {
        let damping = frame.damping;
        if comes_down_over_forest(frame) {
            self.open_q.copy_from_slice(&frame.state.q);
            self.descend(frame, Soft::Absent, f64::INFINITY, damping);
        } else {
            self.descend_together(frame, f64::INFINITY, damping);
        }
    }

    /// Brings lower priorities nearer, one after the other.
    fn settle_all(&mut self, frame: &mut Frame<'_, '_>, reach: f64, damping: f64) {
        let mut is_first = true;
        for priority in 0..frame.system().rows.n_lower {
            for _ in 0..SETTLINGS {
                let is_spent = (!is_first || frame.method.is_iterative()) && frame.out_of_budget();
                if is_spent || frame.measured.contradiction > 0.0 {
                    return;
                }
                is_first = false;
                let gained = self.settle(frame, priority, Soft::Absent, reach, HALVINGS, damping);
                if gained != Gained::Something {
                    break;
                }
            }
        }
    }

    /// Closes priority 0 by some of these corrections, of which two are the least that keeps closed what was
    /// closed, and asks the lower ones to stay where they are; if released, they do nothing. What is already
    /// closed costs one fill.
    pub(crate) fn close_exact(
        &mut self,
        frame: &mut Frame<'_, '_>,
        soft: Soft,
        corrections: RangeInclusive<usize>,
        damping: f64,
    ) -> bool {
        let mut last = f64::INFINITY;
        let (mut least, mut vain) = (f64::INFINITY, 0);
        // While lower priorities are held, gaps that rise mean that an elbow would turn over.
        let is_patient = frame.system().rows.lower.is_empty() || damping == RELEASED_DAMPING;
        for iteration in 0..=*corrections.end() {
            prepare(frame, soft, damping);
            let gap = frame.system().gap();
            // Far from the origin round-off is larger than what is asked for.
            let round_off = GAP_ROUND_OFF * frame.system().natural_size;
            let stays = gap <= round_off && gap > 0.5 * last;
            if gap <= frame.tolerance || stays {
                frame.measured.contradiction = 0.0;
                return true;
            }
            if gap < GAINED * least {
                (least, vain) = (gap, 0);
            } else {
                vain += 1;
            }
            let is_vain = if is_patient {
                vain >= PATIENCE
            } else {
                iteration > 3 && gap > GAINED * last
            };
            if is_vain {
                frame.measured.contradiction = gap;
                return false;
            }
            let may_end = iteration >= *corrections.start();
            if iteration == *corrections.end() || (may_end && frame.out_of_budget()) {
                return false;
            }
            last = gap;
            self.correct(frame, 0);
            frame.displace(&self.dq);
        }
        false
    }

    /// One displacement solve at the state: `δq` into `dq`. So many lower priorities are closed too,
    /// the others held where they are.
    pub(crate) fn correct(&mut self, frame: &mut Frame<'_, '_>, chased: usize) {
        self.solve(frame, chased);
        if chased > 0 && !frame.system().rows.lower.is_empty() {
            self.stiffen_taut(frame, chased);
        }
        self.dq.copy_from_slice(&frame.equations.solution().motion);
        truncate_rotations(frame.world, &mut self.dq);
    }

    /// Where the pull of the last solution, which a goal may have made as large as it is far, turns
    /// bodies further than their inertia lets it, their inertia includes it, so that a taut chain does
    /// not swing from side to side.
    fn stiffen_taut(&mut self, frame: &mut Frame<'_, '_>, chased: usize) {
        let (system, solution) = (frame.equations.system(), frame.equations.solution());
        self.stiffness.fill(system, &solution.lambda, 1.0);
        if !self.stiffness.exceeds_inertia(system, 1.0) || frame.out_of_budget() {
            return;
        }
        let system = frame.equations.modify();
        self.stiffness.stiffen(system, 1.0);
        // The stiffness damps by itself.
        system.lower_damping *= TAUT_DAMPING;
        frame.factor();
        self.solve_for_rows(frame, lower_while_closing(frame, chased));
    }

    /// The displacement that closes what was filled, into the solution.
    pub(super) fn solve(&mut self, frame: &mut Frame<'_, '_>, chased: usize) {
        let system = frame.equations.system();
        system.right_hand_side(Motion::Displacement, &mut self.b);
        for &(row, _) in &system.rows.lower {
            let priority = system.rows.lower_priority(row as usize);
            if priority.is_some_and(|priority| priority >= chased) {
                self.b[row as usize] = 0.0;
            }
        }
        self.solve_for_rows(frame, lower_while_closing(frame, chased));
    }

    /// Solves for the displacement that `b` asks for; bodies keep their strains. While goals rest, an
    /// iteration that is cut short goes on in the next frame: so precision is recovered (Faure 1998,
    /// fig. 5).
    pub(super) fn solve_for_rows(&mut self, frame: &mut Frame<'_, '_>, lower: Lower) {
        if lower == Lower::GiveWay || frame.reach().is_finite() {
            frame.state.unfinished.clear();
        }
        let system = frame.equations.system();
        frame.springs.strain_closing(system, &mut self.force);
        let force = frame.springs.has_strains().then_some(&self.force[..]);
        let goes_on = frame.method.is_iterative();
        let request = Request {
            load: force.into(),
            rows: Some(&self.b),
            lower,
            direction: goes_on.then(|| frame.state.direction()),
            ..Request::default()
        };
        frame.equations.solve(request, frame.meter);
    }
}

/// Fills and factors for displacements, with lower priorities damped so much.
pub(super) fn prepare(frame: &mut Frame<'_, '_>, soft: Soft, damping: f64) {
    let terms = Terms::new(Motion::Displacement, soft, damping);
    let at = (frame.world, &*frame.state);
    frame.equations.prepare(at, terms, &frame.method);
    frame.see_turns();
}

/// What becomes of lower priorities while priority 0 closes: left alone if they hinder it while goals
/// rest.
fn lower_while_closing(frame: &Frame<'_, '_>, chased: usize) -> Lower {
    if frame.system().lower_damping == RELEASED_DAMPING {
        Lower::Released
    } else if chased == 0 && frame.reach() == f64::INFINITY {
        Lower::LeftOut
    } else {
        Lower::GiveWay
    }
}

/// Whether a lower priority of positions cannot be met, by far. Fills the probe.
fn look_for_torn(frame: &mut Frame<'_, '_>) -> bool {
    let rows = &frame.system().rows;
    if rows.lower.is_empty() || rows.has_rates() || frame.springs.has_strains() {
        return false;
    }
    let system = frame.fill_probe(Motion::Displacement, Soft::Absent);
    system.lower_gap() > TORN * system.bar_length()
}

/// Whether iterations are counted.
fn is_counted(frame: &Frame<'_, '_>) -> bool {
    frame.method.is_iterative() && frame.meter.is_limited()
}

/// Whether the forest holds all of priority 0, which takes no iterations then.
pub(super) fn closes_over_forest(frame: &Frame<'_, '_>) -> bool {
    matches!(frame.method, Method::ForestKrylov(_)) && frame.equations.topology.n_loop_rows() == 0
}

/// Whether priority 0 closes without iterations: whatever a frame may spend.
pub(crate) fn closes_by_a_factor(frame: &Frame<'_, '_>) -> bool {
    !frame.method.is_iterative() || closes_over_forest(frame)
}

/// The same as [`closes_over_forest`] where there is one lower priority.
fn comes_down_over_forest(frame: &Frame<'_, '_>) -> bool {
    closes_over_forest(frame) && frame.system().rows.n_lower == 1
}

/// Whether somebody holds what swings: it does not wait then.
fn is_led_with_momentum(frame: &Frame<'_, '_>) -> bool {
    frame.world.dynamics() == Dynamics::SecondOrder && !frame.world.grips().is_empty()
}

/// Whether a hand is all that anything gives way to: nobody gave a lower priority to anything else. What hands alone
/// lack comes nearer by solves that go on (`together`), in fewer iterations.
fn is_led_alone(world: &World) -> bool {
    let is_lower = |record: &ConstraintRecord| record.priority() > 0 && !world.is_hand(record.id());
    !world.grips().is_empty() && !world.constraints().iter().any(is_lower)
}

/// Whether gradients, as many as there are, bring bodies together: iterations are counted, priority 0 takes some, and
/// nothing but positions is asked for.
fn goes_by_gradients(frame: &Frame<'_, '_>) -> bool {
    let rows = &frame.system().rows;
    let is_plain = rows.n_lower == 1 && !rows.has_rates() && !frame.springs.has_strains();
    is_counted(frame) && is_plain && !closes_over_forest(frame)
}

/// The same where somebody gave a lower priority to something.
fn comes_down_together(frame: &Frame<'_, '_>) -> bool {
    goes_by_gradients(frame) && !is_led_alone(frame.world)
}

/// The same without momentum where hands alone give way, and no forest brings what they lack nearer.
pub(super) fn is_led_by_gradients(frame: &Frame<'_, '_>) -> bool {
    let is_normal = matches!(frame.method, Method::NormalCg(_));
    let has_momentum = frame.world.dynamics() == Dynamics::SecondOrder;
    is_normal && !has_momentum && goes_by_gradients(frame) && is_led_alone(frame.world)
}
