//! Limits the energy of frames that were cut short, or whose joints contradict each other: gaps that remain must not
//! become speed.
//!
//! The error of a solve that was cut short has no bound: a gap becomes velocity in the next frame, and more in
//! the one after. All velocities are therefore scaled down until
//!
//! ```text
//!     √T₁ ≤ max(0.9·√T₀, √(M/2)·(h·a + 2·u))
//! ```
//!
//! with T the kinetic energy, M the total mass, a the largest acceleration of a free body, and u the largest
//! prescribed speed. Frames that are cut short therefore damp.

use super::tolerances::{FAR, KEPT};
use crate::equations::{Motion, Soft};
use crate::frame::{Cause, Frame, Rung};
use crate::linalg::size;
use crate::stabilize::{CLOSINGS, Closing, TRIED_DAMPING};
use crate::system::{MAX_ROWS, System};
use crate::world::State;

/// The limits of a frame.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// `√T`.
    root_of_energy: f64,
    /// Largest displacement of a body, meters.
    way: f64,
}

/// The buffers.
#[derive(Debug, Default)]
pub(super) struct EnergyLimit {
    /// The start of the frame.
    start: State,
    force: Vec<f64>,
}

impl EnergyLimit {
    pub(super) fn size(&mut self, state: &State, system: &System) {
        self.start.make_room(state);
        size(&mut self.force, system.n_v());
    }

    /// Slows a frame down to the limits. If a body moved too far, the frame is taken again as if at rest.
    pub(super) fn apply(&mut self, frame: &mut Frame<'_, '_>, closing: &mut Closing, dt: f64) {
        let limits = self.limits(frame, dt);
        if farthest_gone(frame) > limits.way {
            take_at_rest(frame, closing, dt);
        }
        frame.fill(Motion::Velocity, Soft::Rows);
        frame.measured.rates_hold = false;
        let speed = frame.kinetic_energy(&frame.state.v, &mut self.force).sqrt();
        if speed > limits.root_of_energy {
            let part = limits.root_of_energy / speed;
            frame.state.v.iter_mut().for_each(|v| *v *= part);
        }
    }

    /// The largest `√T` after a frame of `h` seconds, and the largest displacement of a body, from the start of
    /// the frame.
    fn limits(&mut self, frame: &mut Frame<'_, '_>, h: f64) -> Limits {
        self.start.copy_motion(frame.world.state());
        let layout = &frame.equations.layout;
        layout.begin_step(frame.world, &mut self.start.q, h);
        let terms = frame.terms(Motion::Velocity, Soft::Rows);
        frame.equations.fill((frame.world, &self.start), terms);
        let kinetic = frame.kinetic_energy(&self.start.v, &mut self.force);
        self.force.copy_from_slice(&frame.equations.system().force);
        frame.equations.apply_inverse_mass(&mut self.force);
        let system = frame.equations.system();
        let v = &self.start.v;
        let (mut kick, mut fastest) = (0.0f64, 0.0f64);
        for block in &system.bodies {
            let v0 = block.v0 as usize;
            let n = (block.n_v as usize).min(3);
            let size = |of: &[f64]| of[v0..v0 + n].iter().map(|a| a * a).sum::<f64>().sqrt();
            kick = kick.max(size(&self.force));
            fastest = fastest.max(size(v));
        }
        let led = led_speed(system, v);
        let own = (0.5 * system.total_mass()).sqrt() * (h * kick + 2.0 * led);
        Limits {
            root_of_energy: own.max(KEPT * kinetic.sqrt()),
            way: FAR * h * (fastest + h * kick + 2.0 * led),
        }
    }
}

/// The largest prescribed speed: `∂c/∂t` of rows with `ċ = J·v + ∂c/∂t`.
fn led_speed(system: &System, v: &[f64]) -> f64 {
    let mut led = 0.0f64;
    let mut moved = [0.0; MAX_ROWS];
    for c in 0..system.constraints.len() as u32 {
        let range = system.row_range(c);
        let moved = &mut moved[..range.len()];
        system.constraint_motion(c, v, moved);
        for (row, moved) in range.zip(moved) {
            led = led.max(system.row_scale[row] * (system.c_dot[row] - *moved).abs());
        }
    }
    led
}

/// The largest displacement of a body in this frame.
fn farthest_gone(frame: &Frame<'_, '_>) -> f64 {
    let (before, now) = (&frame.world.state().q, &frame.state.q);
    let mut farthest = 0.0f64;
    for record in frame.world.bodies().iter().filter(|record| record.enabled) {
        let n = record.body.n_v().min(3);
        let q0 = record.q_range().start;
        let gone = (q0..q0 + n).map(|k| (now[k] - before[k]) * (now[k] - before[k]));
        let gone = gone.sum::<f64>().sqrt();
        // NaN counts as an infinite way.
        farthest = if gone.is_nan() {
            f64::INFINITY
        } else {
            farthest.max(gone)
        };
    }
    farthest
}

/// Takes the whole frame again from its start: bodies keep some of their speed, and only follow what leads
/// them.
fn take_at_rest(frame: &mut Frame<'_, '_>, closing: &mut Closing, dt: f64) {
    frame.log.rungs.count(Rung::Displacement, Cause::Runaway);
    begin_at_rest(frame, dt, 1.0);
    let reach = frame.reach();
    closing.close_damped(frame, CLOSINGS, reach, TRIED_DAMPING);
    closing.make_rates_right(frame, true);
}

/// Returns to the start of the frame and advances time: bodies keep some of their speed and do not move, and
/// what leads them moves a part of its way.
pub(super) fn begin_at_rest(frame: &mut Frame<'_, '_>, dt: f64, part: f64) {
    frame.state.copy_motion(frame.world.state());
    frame.state.v.iter_mut().for_each(|v| *v *= KEPT);
    let layout = &frame.equations.layout;
    layout.begin_step(frame.world, &mut frame.state.q, dt / part);
    layout.follow(frame.world, frame.state, dt);
    frame.state.t += dt;
}
