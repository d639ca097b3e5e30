//! What is beyond a stop where a frame ends is pushed back: places only, no speed is made. What gives way stays where it is pressed in.
//!
//! ```text
//!     gap(q ⊞ d) ≥ 0 ⊥ r ≥ 0      M·d = Jᵀ·λ + Gᵀ·r,  J·d = −c
//! ```

use super::super::tolerances::{NEAR, PUSHES, TOUCHES};
use super::over::Over;
use crate::equations::{Load, Lower, Motion, Request, Soft};
use crate::frame::Frame;
use crate::linalg::size;
use crate::stabilize::Closing;
use crate::system::System;

/// The buffers.
#[derive(Debug, Default)]
pub(super) struct PushOut {
    over: Over,
    load: Vec<f64>,
    b: Vec<f64>,
    moved: Vec<f64>,
}

impl PushOut {
    pub(super) fn size(&mut self, system: &System) {
        self.over.size(system);
        size(&mut self.load, system.n_v());
        size(&mut self.moved, system.n_v());
        size(&mut self.b, system.n_rows());
    }

    /// Pushes back what the state has beyond stops. Notes in the log how far it is beyond them in the end.
    pub(super) fn apply(&mut self, frame: &mut Frame<'_, '_>, closing: &mut Closing) {
        let mut moved = false;
        for _ in 0..PUSHES {
            if frame.equations.layout.has_colliders() {
                frame
                    .equations
                    .find_contacts((frame.world, frame.state), 0.0);
                self.over.size(frame.equations.system());
            }
            let probe = frame.fill_probe(Motion::Displacement, Soft::Absent);
            let (beyond, open) = (overrun(probe), probe.gap());
            let enough = TOUCHES.max(frame.tolerance);
            // Joints that pushing opened are closed with it.
            if beyond <= enough && (!moved || open <= enough.max(1.01 * frame.contradiction)) {
                break;
            }
            self.push(frame);
            moved = true;
        }
        if moved {
            closing.make_rates_right(frame, false);
        }
        let probe = frame.fill_probe(Motion::Displacement, Soft::Absent);
        frame.log.overrun = overrun(probe);
    }

    fn push(&mut self, frame: &mut Frame<'_, '_>) {
        frame.prepare(Motion::Displacement, Soft::Absent);
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
        frame.equations.solve(request, &mut frame.meter);
        let (system, solution) = (frame.equations.system(), frame.equations.solution());
        for i in 0..self.over.chosen.len() {
            let row = &system.bounded[self.over.chosen[i]];
            self.over.rate[i] = row.gap(system) + row.motion(system, &solution.motion);
            self.over.impulse[i] = 0.0;
        }
        self.over.solve(&mut frame.meter);
        let system = frame.equations.system();
        self.load.fill(0.0);
        self.over.push(system, &self.over.impulse, &mut self.load);
        let request = Request {
            load: Load::Given(&self.load),
            rows: Some(&self.b),
            lower: Lower::LeftOut,
            ..Request::default()
        };
        frame.equations.solve(request, &mut frame.meter);
        self.moved
            .copy_from_slice(&frame.equations.solution().motion);
        crate::stabilize::truncate_rotations(frame.world, &mut self.moved);
        frame.displace(&self.moved);
        frame.rates_hold = false;
    }
}

/// How far the furthest is beyond a stop, meters.
fn overrun(system: &System) -> f64 {
    let stops = system.bounded.iter().filter(|row| row.is_hard_stop(system));
    stops.map(|row| -row.gap(system)).fold(0.0, f64::max)
}
