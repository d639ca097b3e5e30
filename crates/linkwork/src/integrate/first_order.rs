//! First-order worlds, `D·v = f + Jᵀ·λ` (Witkin 1990, §2.5), in which motion stops as soon as forces do; and
//! worlds that only assemble.
//!
//! ```text
//!     J·v = −∂c/∂t      q ← q ⊞ h·v,  then closed along D
//! ```
//!
//! Within a budget of iterations (Faure 1998, §4.3; Faure 1999, §3.4) bodies wait until the forces that hold
//! their weight are known.
//!
//! `D` is each body's drag metric, by default its mass. With springs or bounded rows the whole step is
//! implicit; see `flow`.

use super::flow::{Flow, Stride};
use super::landing::Landing;
use super::tolerances::{FLOW_DEPTH, FLOW_TRIES, IMPLICIT_ITERATIONS};
use crate::equations::{Load, Motion, Request, Soft};
use crate::frame::Frame;
use crate::linalg::size;
use crate::stabilize::{CLOSINGS, Closing, MOST_TURN, OPENED, most_turn, truncate_rotations};
use crate::system::GeometricStiffness;
use crate::world::{Drag, GripRecord};

/// The buffers of a step.
#[derive(Debug, Default)]
pub(super) struct FirstOrder {
    flow: Flow,
    landing: Landing,
    stiffness: GeometricStiffness,
    dq: Vec<f64>,
    b: Vec<f64>,
}

impl FirstOrder {
    pub(super) fn size(&mut self, frame: &Frame<'_, '_>) {
        let (state, system) = (&*frame.state, frame.system());
        self.flow.size(frame);
        self.landing.size(state, system);
        size(&mut self.dq, system.n_v());
        size(&mut self.b, system.n_rows());
        self.stiffness.size(system);
    }

    /// Advances the state by `h`.
    pub(super) fn step(&mut self, frame: &mut Frame<'_, '_>, closing: &mut Closing, h: f64) {
        self.flow(frame, closing, h, FLOW_DEPTH);
    }

    /// Advances time by `h` and only closes joints: bodies rest, and joints carry no load. The only force is
    /// that of a hand that pulls, as a spring.
    pub(super) fn assemble(&mut self, frame: &mut Frame<'_, '_>, closing: &mut Closing, h: f64) {
        frame.state.v.fill(0.0);
        let pulls = |grip: &GripRecord| matches!(grip.drag(), Drag::Force { .. });
        let is_pulled = frame.world.grips().iter().any(pulls);
        if is_pulled && !Closing::find_torn(frame) {
            let waits = self.flow_implicitly(frame, closing, (h, false));
            frame.state.v.fill(0.0);
            if !waits {
                frame.state.lambda.fill(0.0);
            }
            return;
        }
        close_only(frame, closing, h);
    }

    /// A long step toward a minimum, at fixed time; false if it gained nothing.
    pub(super) fn descend(
        &mut self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        h: f64,
    ) -> bool {
        let stride = Stride {
            h,
            dt: 0.0,
            with_forces: true,
            iterations: 1,
            tries: 1,
        };
        let moved = self.flow.step(frame, &mut self.landing, stride);
        frame.state.v.fill(0.0);
        closing.close(frame, CLOSINGS, f64::INFINITY);
        moved
    }

    /// The slope at the state: with joints and stops held, and without.
    pub(super) fn slope(&mut self, frame: &mut Frame<'_, '_>) -> (f64, f64) {
        self.flow.slope(frame)
    }

    /// The displacement that this slope would cause.
    pub(super) fn left_to_go(&mut self, frame: &mut Frame<'_, '_>) -> f64 {
        self.flow.left_to_go(frame)
    }

    /// A step in at most `2^depth` parts.
    fn flow(&mut self, frame: &mut Frame<'_, '_>, closing: &mut Closing, h: f64, depth: u8) {
        // Forces and rates are those of bodies at rest.
        frame.state.v.fill(0.0);
        // If a lower priority is torn, bodies wait, and all of the budget reduces its error.
        if Closing::find_torn(frame) {
            close_only(frame, closing, h);
            return;
        }
        if !frame.springs.is_empty() || frame.has_bounds() {
            self.flow_implicitly(frame, closing, (h, true));
            return;
        }
        if !self.find_causes(frame, h) {
            close_only(frame, closing, h);
            return;
        }
        frame.prepare(Motion::Flow, Soft::Implicit(h));
        // An iteration that was cut short continues from its forces. Bodies without momentum do not overshoot.
        let is_counted = frame.method.is_iterative() && frame.meter.is_limited();
        let warm = is_counted || frame.is_cut_short() || frame.method.warm_starts();
        if is_counted {
            frame.within_half(|frame| self.solve_flow(frame, h, warm));
            if frame.is_rough() {
                // With incomplete forces bodies would fall: they wait until the next frames have found the
                // rest.
                let lambda = &frame.equations.solution().lambda;
                frame.state.lambda.copy_from_slice(lambda);
                pass(frame, h);
                close(frame, closing);
                return;
            }
        } else {
            self.solve_flow(frame, h, warm);
        }
        // If the rotation of taut links is faster than the step, it is made implicit.
        let (system, solution) = (frame.equations.system(), frame.equations.solution());
        self.stiffness.fill(system, &solution.lambda, 1.0);
        if self.stiffness.exceeds_inertia(system, h) && !frame.out_of_budget() {
            frame.fill(Motion::Flow, Soft::Implicit(h));
            self.stiffness.stiffen(frame.equations.modify(), h);
            frame.factor();
            self.solve_flow(frame, h, warm);
        }
        let trial = &mut self.landing.trial;
        let solution = frame.equations.solution();
        trial.v.copy_from_slice(&solution.motion);
        trial.lambda.copy_from_slice(&solution.lambda);
        for (dq, v) in self.dq.iter_mut().zip(&solution.motion) {
            *dq = h * v;
        }
        let turn = most_turn(frame.world, &self.dq);
        if depth > 0 && turn > MOST_TURN && !frame.out_of_budget() {
            frame.log.refused += 1;
            self.flow(frame, closing, 0.5 * h, depth - 1);
            self.flow(frame, closing, 0.5 * h, depth - 1);
            return;
        }
        if frame.meter.ended().is_some() && turn > MOST_TURN {
            // Shortened as a whole: truncating bodies one by one would open joints, which are not closed again.
            self.dq.iter_mut().for_each(|dq| *dq *= MOST_TURN / turn);
        }
        truncate_rotations(frame.world, &mut self.dq);
        trial.begin_at(frame.state);
        let layout = &frame.equations.layout;
        layout.displace(frame.world, &mut trial.q, &self.dq);
        layout.follow(frame.world, trial, h);
        trial.t = frame.state.t + h;
        frame.state.swap_motion(trial);
        frame.log.substeps += 1;
        closing.close_moved(frame);
    }

    /// The implicit step of springs, hands that pull and bounded rows. It may use half of a budget of
    /// iterations. If that is not enough and joints would open, bodies wait, and the next frame continues from
    /// these forces. Returns whether they wait.
    fn flow_implicitly(
        &mut self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        (h, with_forces): (f64, bool),
    ) -> bool {
        let stride = stride(h, with_forces);
        if !(frame.method.is_iterative() && frame.meter.is_limited()) {
            self.flow.step(frame, &mut self.landing, stride);
            closing.close_moved(frame);
            return false;
        }
        let before = gap(frame);
        frame.within_half(|frame| self.flow.step(frame, &mut self.landing, stride));
        let is_rough = frame.is_rough();
        self.b.copy_from_slice(&frame.state.lambda);
        close(frame, closing);
        let opened = OPENED * frame.system().bar_length();
        // NaN is not closed.
        let is_closed = gap(frame) <= before.max(opened);
        if !is_rough || is_closed {
            return false;
        }
        frame.begin_again(h);
        frame.state.v.fill(0.0);
        frame.state.lambda.copy_from_slice(&self.b);
        pass(frame, h);
        close(frame, closing);
        true
    }

    /// `J·v = −∂c/∂t − c/h`, so that gaps close within the step. Goals rest meanwhile; what follows them moves
    /// when the step closes.
    fn solve_flow(&mut self, frame: &mut Frame<'_, '_>, h: f64, warm: bool) {
        let system = frame.equations.system();
        system.right_hand_side(Motion::Flow, &mut self.b);
        for &(row, _) in &system.rows.hard {
            self.b[row as usize] -= system.c[row as usize] / h;
        }
        for &row in &system.rows.led {
            self.b[row as usize] = 0.0;
        }
        let request = Request {
            load: Load::Filled,
            rows: Some(&self.b),
            start: warm.then_some(&frame.state.lambda[..]),
            ..Request::default()
        };
        frame.equations.solve(request, frame.meter);
    }

    /// Whether anything exerts a force or drives; if not, the budget is for closing alone. Fills the probe.
    fn find_causes(&mut self, frame: &mut Frame<'_, '_>, h: f64) -> bool {
        let system = frame.fill_probe(Motion::Flow, Soft::Implicit(h));
        system.right_hand_side(Motion::Flow, &mut self.b);
        for &row in &system.rows.led {
            self.b[row as usize] = 0.0;
        }
        let mut causes = system.force.iter().chain(&self.b);
        causes.any(|number| *number != 0.0)
    }
}

/// A frame of so many seconds.
fn stride(h: f64, with_forces: bool) -> Stride {
    Stride {
        h,
        dt: h,
        with_forces,
        iterations: IMPLICIT_ITERATIONS,
        tries: FLOW_TRIES,
    }
}

/// Advances time and closes joints; joints carry no load, so nothing breaks.
fn close_only(frame: &mut Frame<'_, '_>, closing: &mut Closing, h: f64) {
    frame.state.lambda.fill(0.0);
    pass(frame, h);
    close(frame, closing);
    // The forces of contacts at the new state are unknown.
    let world = frame.world;
    world.keep_unmoved_touching(world.state(), frame.state);
}

/// Advances time, and moves only bodies that follow a goal.
fn pass(frame: &mut Frame<'_, '_>, h: f64) {
    let layout = &frame.equations.layout;
    layout.follow(frame.world, frame.state, h);
    frame.state.t += h;
    frame.log.substeps += 1;
}

/// The largest gap of priority 0, meters. Fills the probe.
fn gap(frame: &mut Frame<'_, '_>) -> f64 {
    frame.fill_probe(Motion::Displacement, Soft::Absent).gap()
}

fn close(frame: &mut Frame<'_, '_>, closing: &mut Closing) {
    let reach = frame.reach();
    closing.close(frame, CLOSINGS, reach);
}
