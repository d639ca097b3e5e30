//! The last look: exact energies at both ends.
//!
//! Behaviors, soft rows and bodies exert f and store U. Work of f that does not come from U is put in: by
//! motors, functions of time, moving anchors. Its power is
//!
//! ```text
//!     P = f·v + dU/dt
//! ```
//!
//! with dU/dt along the free motion, by central differences. Drag and friction have P < 0 and put in nothing,
//! however large their forces are. Where P is not negative, the work along the displacement counts if it is
//! larger.
//!
//! A drive that starts with a jump of speed puts in at most the energy of the smallest motion that follows it,
//!
//! ```text
//!     ½·λ·b      M·y = Jᵀ·λ,  J·y = b = −∂c/∂t
//! ```
//!
//! which is large where a linkage turns a slow crank into a fast rocker.

use super::input::Lead;
use super::{Balance, Growth, product, supplied};
use crate::equations::{Lower, Motion, Request, Soft, Terms};
use crate::frame::{Frame, tolerances};
use crate::system::RowClass;
use crate::world::{State, World};

impl Growth {
    /// The part of the frame's gain that nobody put in; zero if it is small.
    pub(super) fn look_exactly(&mut self, frame: &mut Frame<'_, '_>, h: f64, nothing: f64) -> f64 {
        self.begin(frame, h);
        let mut copy = frame.world.clone();
        let before = self.look_at(frame, &mut copy, None, h);
        let end = frame.state.clone();
        let now = self.look_at(frame, &mut copy, Some(&end), h);
        let stored = now.stored - before.stored;
        let mut forces = h * before.power.max(now.power).max(0.0);
        if frame.log.is_outpaced {
            // Forces at the ends do not tell their work in between.
            forces = 0.0;
        } else if before.power.min(now.power) >= 0.0 {
            // Speeds may have been larger in between.
            forces = forces.max(self.work_along_way(frame, &end) + stored);
        }
        let round_off = tolerances::ROUND_OFF * (now.stored.abs() + before.stored.abs());
        let balance = Balance {
            gain: now.kinetic - before.kinetic + stored,
            input: forces + self.lead(frame, h) + self.jerk(frame) + supplied(frame),
            size: now.kinetic.max(before.kinetic) + stored.abs(),
            nothing: nothing + round_off,
        };
        balance.excess()
    }

    /// Energies and power at a state.
    fn look_at(
        &mut self,
        frame: &mut Frame<'_, '_>,
        copy: &mut World,
        state: Option<&State>,
        h: f64,
    ) -> Look {
        let state = state.unwrap_or(&self.start);
        let terms = Terms::new(Motion::Acceleration, Soft::Explicit, 0.0);
        let probe = frame.equations.fill_probe((frame.world, state), terms);
        let kinetic = probe.kinetic_energy(&state.v, &mut self.momentum);
        let power = product(&probe.force, &state.v) - product(&probe.inertial, &state.v);
        let fastest = state.v.iter().fold(0.0f64, |most, v| most.max(v.abs()));
        let length = tolerances::GLIMPSE * probe.bar_length();
        // Short, but not lost in round-off.
        let e = (tolerances::GLIMPSE * h)
            .min(length / fastest)
            .max(tolerances::ROUND_OFF * h);
        let mut stored_after = |e: f64| {
            let mut moved = state.clone();
            let layout = &frame.equations.layout;
            layout.free_flight(frame.world, &mut moved, e, &mut self.scratch);
            stored(copy, &mut moved)
        };
        let rate = (stored_after(e) - stored_after(-e)) / (2.0 * e);
        Look {
            kinetic,
            stored: stored(copy, &mut state.clone()),
            power: power + rate,
        }
    }

    /// Work of the mean of both ends' forces along the displacement.
    fn work_along_way(&mut self, frame: &mut Frame<'_, '_>, end: &State) -> f64 {
        let terms = Terms::new(Motion::Acceleration, Soft::Explicit, 0.0);
        let layout = &frame.equations.layout;
        layout.way(frame.world, &end.q, &self.start.q, &mut self.way);
        let mut work = 0.0;
        for state in [&self.start, end] {
            let probe = frame.equations.fill_probe((frame.world, state), terms);
            work += 0.5 * (product(&probe.force, &self.way) - product(&probe.inertial, &self.way));
        }
        work
    }

    /// The most that rows can have put in, from both ends and in between.
    fn lead(&mut self, frame: &mut Frame<'_, '_>, h: f64) -> f64 {
        let terms = frame.terms(Motion::Velocity, Soft::Rows);
        let mut lead = Lead::of(frame);
        let at = (frame.world, &self.start);
        let probe = frame.equations.fill_probe(at, terms);
        lead.add(probe, (&self.start.v, &self.start.lambda), h);
        // The end of the frame, with prescribed motion as at its start.
        let mut early = frame.state.clone();
        early.t = self.start.t;
        for record in frame.world.bodies() {
            if record.v_range().is_empty() {
                let q = record.q_range();
                early.q[q.clone()].copy_from_slice(&self.start.q[q]);
            }
        }
        let first = frame
            .equations
            .fill_probe((frame.world, &early), terms)
            .c
            .clone();
        let state = &*frame.state;
        let probe = frame.equations.fill_probe((frame.world, state), terms);
        lead.add(probe, (&state.v, &state.lambda), h);
        lead.add_way(probe, &first, &state.lambda, h);
        lead.add_way(probe, &first, &self.start.lambda, h);
        lead.work(probe, h)
    }

    /// The most that rows put in by a jump of speed, by the factors of both ends.
    fn jerk(&mut self, frame: &mut Frame<'_, '_>) -> f64 {
        let terms = frame.terms(Motion::Velocity, Soft::Absent);
        let end = frame.state.clone();
        let mut most = 0.0f64;
        for state in [&self.start, &end] {
            frame.equations.fill((frame.world, state), terms);
            frame.factor();
            let system = frame.equations.system();
            let mut b = vec![0.0; system.n_rows()];
            for c in 0..system.constraints.len() as u32 {
                let range = system.row_range(c);
                system.constraint_motion(c, &state.v, &mut b[range.clone()]);
                for row in range {
                    let led = b[row] - system.c_dot[row];
                    let is_held = matches!(system.rows.class(row), RowClass::Hard | RowClass::Rate);
                    b[row] = if is_held { led } else { 0.0 };
                }
            }
            let request = Request {
                rows: Some(&b),
                lower: Lower::LeftOut,
                ..Request::default()
            };
            most = most.max(0.5 * product(&frame.solve(request).lambda, &b));
        }
        most
    }
}

/// A world at one instant.
struct Look {
    kinetic: f64,
    /// Energy in behaviors, soft rows and bodies, J.
    stored: f64,
    /// Power that is put in, W.
    power: f64,
}

fn stored(copy: &mut World, state: &mut State) -> f64 {
    copy.commit(state);
    // Energy stored by contacts is counted when they return it.
    let energy = copy.energy_apart_from_contacts().unwrap_or_default();
    energy.potential + energy.elastic
}
