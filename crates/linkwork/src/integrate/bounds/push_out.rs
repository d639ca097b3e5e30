//! Corrects positions beyond a stop at the end of a frame, without speed. Soft contacts are left as they are.
//!
//! ```text
//!     gap(q ⊞ d) ≥ 0 ⊥ r ≥ 0      M·d = Jᵀ·λ + Gᵀ·r,  J·d = −c
//! ```
//!
//! Newton's method. If a rope is taut over a light body between heavy ones, the light body turns to close a gap that
//! only the heavy ones can close: steps throw it from side to side and open joints. A step that does not reduce the
//! error is therefore repeated with all bodies as heavy as the heaviest, and shortened until it does. Joints come
//! first: at the end they are closed, even if something stays beyond its stop.

use super::super::tolerances::{LEAST_PUSH, NEAR, PUSH_HELPS, PUSHES, TOUCHES};
use super::over::Over;
use crate::equations::{Load, Lower, Motion, Request, Soft};
use crate::frame::Frame;
use crate::linalg::size;
use crate::stabilize::{CLOSINGS, Closing, MOST_TURN, most_turn};
use crate::system::System;

/// How bodies share a push.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// By their masses: whole, or not at all.
    ByMass,
    /// As if they were as heavy as the heaviest, and as far as it helps.
    Alike,
    /// By their masses, even if that does not help, once: it leads away from points where no direction reduces the
    /// error, such as a body upside down in a swing cone.
    Anyhow,
}

/// The buffers.
#[derive(Debug, Default)]
pub(super) struct PushOut {
    over: Over,
    load: Vec<f64>,
    b: Vec<f64>,
    moved: Vec<f64>,
    /// Positions before the first push, and before the present one.
    start_q: Vec<f64>,
    from_q: Vec<f64>,
}

impl PushOut {
    pub(super) fn size(&mut self, frame: &Frame<'_, '_>) {
        let system = frame.system();
        self.over.size(system);
        size(&mut self.start_q, frame.state.q.len());
        size(&mut self.from_q, frame.state.q.len());
        size(&mut self.load, system.n_v());
        size(&mut self.moved, system.n_v());
        size(&mut self.b, system.n_rows());
    }

    /// Corrects positions beyond stops. Notes in the log how far they are beyond in the end.
    pub(super) fn apply(&mut self, frame: &mut Frame<'_, '_>, closing: &mut Closing) {
        let enough = TOUCHES.max(frame.tolerance);
        self.over.begin_frame();
        self.start_q.copy_from_slice(&frame.state.q);
        let (mut beyond, start_open) = self.look(frame);
        let start_beyond = beyond;
        let mut open = start_open;
        let (mut pushes, mut how) = (0, How::ByMass);
        // Joints that pushing opened are closed with it.
        let is_open = |open: f64, frame: &Frame<'_, '_>| {
            open > enough.max(1.01 * frame.measured.contradiction)
        };
        while pushes < PUSHES && (beyond > enough || pushes > 0 && is_open(open, frame)) {
            if !self.push(frame, how) {
                how = match how {
                    How::ByMass => How::Alike,
                    How::Alike if pushes == 0 => How::Anyhow,
                    _ => break,
                };
                continue;
            }
            if how == How::Anyhow {
                how = How::ByMass;
            }
            pushes += 1;
            (beyond, open) = self.look(frame);
        }
        if pushes > 0 {
            if is_open(open, frame) {
                self.keep_joints(frame, closing, start_open);
                (beyond, _) = self.look(frame);
            }
            closing.make_rates_right(frame, false);
            self.note_work(frame, start_beyond);
        }
        frame.log.overrun = beyond;
    }

    /// Counts what pushing from `beyond` stops lifts as work that nobody else puts in, as far as the frame began beyond
    /// them: a body that begins with a corner in the floor gains its height. What the frame itself dug in was motion
    /// before, and is lifted at its expense.
    fn note_work(&mut self, frame: &mut Frame<'_, '_>, beyond: f64) {
        let left = (self.beyond_at_start(frame) - frame.log.lifted).max(0.0);
        let lifted = left.min(beyond);
        frame.log.lifted += lifted;
        let layout = &frame.equations.layout;
        let (end, start) = (&frame.state.q, &self.start_q);
        layout.way(frame.world, end, start, &mut self.moved);
        let mut work = 0.0;
        for _end in 0..2 {
            std::mem::swap(&mut frame.state.q, &mut self.start_q);
            let probe = frame.fill_probe(Motion::Acceleration, Soft::Absent);
            let forces = probe.force.iter().zip(&self.moved);
            work += 0.5 * forces.map(|(force, moved)| force * moved).sum::<f64>();
        }
        frame.log.supplied -= lifted / beyond * work.min(0.0);
    }

    /// How far the frame began beyond stops, meters.
    fn beyond_at_start(&mut self, frame: &mut Frame<'_, '_>) -> f64 {
        let at = (frame.world, frame.world.state());
        let terms = frame.terms(Motion::Displacement, Soft::Absent);
        if frame.equations.layout.has_colliders() {
            frame.equations.find_contacts(at, 0.0);
        }
        let began = overrun(frame.equations.fill_probe(at, terms));
        self.look(frame);
        began
    }

    /// Finds what touches; how far it is beyond stops, and joints are open, meters.
    fn look(&mut self, frame: &mut Frame<'_, '_>) -> (f64, f64) {
        if frame.equations.layout.has_colliders() {
            frame
                .equations
                .find_contacts((frame.world, frame.state), 0.0);
            self.over.size(frame.equations.system());
        }
        let probe = frame.fill_probe(Motion::Displacement, Soft::Absent);
        (overrun(probe), probe.gap())
    }

    /// One step; false where it does not help.
    fn push(&mut self, frame: &mut Frame<'_, '_>, how: How) -> bool {
        frame.fill(Motion::Displacement, Soft::Absent);
        if how == How::Alike {
            frame.equations.modify().weigh_alike();
        }
        frame.factor();
        let system = frame.equations.system();
        self.over.chosen.clear();
        let margin = overrun(system).max(NEAR);
        for (at, row) in system.bounded.iter().enumerate() {
            // Without friction: places only.
            if row.is_hard_stop(system) && row.gap(system) < margin {
                self.over.chosen.push(at);
            }
        }
        self.over.prepare_without_friction(frame);
        let system = frame.equations.system();
        for (b, c) in self.b.iter_mut().zip(&system.c) {
            *b = -c;
        }
        let request = Request {
            rows: Some(&self.b),
            lower: Lower::LeftOut,
            ..Request::default()
        };
        frame.equations.solve(request, frame.meter);
        let (system, solution) = (frame.equations.system(), frame.equations.solution());
        for i in 0..self.over.chosen.len() {
            let row = &system.bounded[self.over.chosen[i]];
            self.over.rate[i] = row.gap(system) + row.motion(system, &solution.motion);
            self.over.impulse[i] = 0.0;
        }
        self.over.solve(frame);
        let system = frame.equations.system();
        self.load.fill(0.0);
        self.over.push(system, &self.over.impulse, &mut self.load);
        let request = Request {
            load: Load::Given(&self.load),
            rows: Some(&self.b),
            lower: Lower::LeftOut,
            ..Request::default()
        };
        frame.equations.solve(request, frame.meter);
        self.moved
            .copy_from_slice(&frame.equations.solution().motion);
        // Shortened as a whole: what bodies are cut by one by one would open their joints.
        let share = (MOST_TURN / most_turn(frame.world, &self.moved)).min(1.0);
        self.moved.iter_mut().for_each(|moved| *moved *= share);
        match how {
            How::ByMass => self.go(frame, share, 1.0),
            How::Alike => self.go(frame, share, LEAST_PUSH),
            How::Anyhow => {
                frame.measured.rates_hold = false;
                frame.displace(&self.moved);
                true
            }
        }
    }

    /// Goes as much of the way that was found as helps what it was found for: all of it, a half, a quarter, … `least`.
    /// It is this `share` of the way to where nothing is left.
    fn go(&mut self, frame: &mut Frame<'_, '_>, share: f64, least: f64) -> bool {
        let before = self.left(frame.system(), frame.measured.contradiction);
        self.from_q.copy_from_slice(&frame.state.q);
        frame.measured.rates_hold = false;
        let mut part = 1.0;
        while part >= least {
            frame.displace(&self.moved);
            let contradiction = frame.measured.contradiction;
            let probe = frame.fill_probe(Motion::Displacement, Soft::Absent);
            if self.left(probe, contradiction) <= (1.0 - PUSH_HELPS * share * part) * before {
                return true;
            }
            frame.state.q.copy_from_slice(&self.from_q);
            self.moved.iter_mut().for_each(|moved| *moved *= 0.5);
            part *= 0.5;
        }
        false
    }

    /// What joints and the stops that take part lack, meters, but for what no step can close.
    fn left(&self, system: &System, contradiction: f64) -> f64 {
        let stops = self.over.iter(system).map(|(_, row)| -row.gap(system));
        stops.fold(0.0, f64::max) + (system.gap() - contradiction).max(0.0)
    }

    /// Closes the joints that pushing left open. Where that fails, nothing was pushed, if they were open by less then.
    fn keep_joints(&mut self, frame: &mut Frame<'_, '_>, closing: &mut Closing, start_open: f64) {
        let is_closed = closing.close_exact(frame, Soft::Absent, 2..=CLOSINGS, frame.damping);
        if !is_closed && frame.system().gap() > start_open {
            frame.state.q.copy_from_slice(&self.start_q);
        }
    }
}

/// How far the furthest is beyond a stop, meters.
fn overrun(system: &System) -> f64 {
    let stops = system.bounded.iter().filter(|row| row.is_hard_stop(system));
    stops.map(|row| -row.gap(system)).fold(0.0, f64::max)
}
