//! Frames that were cut short, or whose joints contradict each other: what they leave open must not
//! become speed.
//!
//! A step moves bodies by what forces do and by what hands and drives lead. A cut solve knows no bound,
//! and what it leaves open comes back as velocity in the next frame, and larger in the one after.
//! Everything is then slowed down to
//!
//! ```text
//!     √T₁ ≤ max(0.9·√T₀, √(M/2)·(h·a + 2·u))
//! ```
//!
//! with T the kinetic energy, M the whole mass, a the largest acceleration of a body by itself and u the
//! largest speed that is led: frames that are cut short damp.

use super::Stage;
use crate::assemble::{MassBlock, Motion, Soft};
use crate::stabilize::{CLOSINGS, TRIED_DAMPING};

/// What a frame that was cut short keeps of its speed: if all of them gained what they may, it would
/// add up.
const KEPT: f64 = 0.9;

/// Nothing goes further than so many times as far as it could by itself.
const FAR: f64 = 10.0;

/// What a frame that is cut short may do.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// `√T`.
    root_of_energy: f64,
    /// How far a body may go, metres.
    way: f64,
}

impl Stage<'_, '_> {
    /// The largest `√T` of a frame of `h` seconds that is cut short, and how far a body may go
    /// meanwhile, from where the frame began.
    fn limits(&mut self, h: f64) -> Limits {
        let work = &mut *self.work;
        work.trial.clone_from(self.world.state());
        let layout = &self.equations.layout;
        layout.begin_step(self.world, &mut work.trial.q, h);
        std::mem::swap(&mut work.state, &mut work.trial);
        let limits = self.limits_here(h);
        let work = &mut *self.work;
        std::mem::swap(&mut work.state, &mut work.trial);
        limits
    }

    fn limits_here(&mut self, h: f64) -> Limits {
        let at = (self.world, &self.work.state);
        self.equations.fill(at, Motion::Velocity, Soft::Rows);
        self.work.forget();
        let kinetic = self.kinetic_energy();
        let system = &self.equations.system;
        let work = &mut *self.work;
        work.inverse.factor(system);
        work.force.copy_from_slice(&system.force);
        work.inverse.apply_all(system, &mut work.force);
        let (mut mass, mut kick, mut fastest) = (0.0, 0.0f64, 0.0f64);
        for block in &system.bodies {
            let v0 = block.v0 as usize;
            let n = (block.n_v as usize).min(3);
            mass += match block.mass {
                MassBlock::Rigid(at) => system.rigid[at as usize].mass,
                MassBlock::Dense(offset) | MassBlock::Diagonal(offset) => {
                    system.mass[offset as usize]
                }
                MassBlock::Opaque { .. } => 0.0,
            };
            let size = |of: &[f64]| of[v0..v0 + n].iter().map(|a| a * a).sum::<f64>().sqrt();
            kick = kick.max(size(&work.force));
            fastest = fastest.max(size(&work.state.v));
        }
        // Rows whose rates are not those of bodies are led: ċ = J·v + ∂c/∂t.
        let mut led = 0.0f64;
        let mut moved = [0.0; crate::assemble::MAX_ROWS];
        for c in 0..system.constraints.len() as u32 {
            let range = system.row_range(c);
            let moved = &mut moved[..range.len()];
            system.constraint_motion(c, &work.state.v, moved);
            for (row, moved) in range.zip(moved) {
                led = led.max(system.row_scale[row] * (system.c_dot[row] - *moved).abs());
            }
        }
        let own = (0.5 * mass).sqrt() * (h * kick + 2.0 * led);
        Limits {
            root_of_energy: own.max(KEPT * kinetic.sqrt()),
            way: FAR * h * (fastest + h * kick + 2.0 * led),
        }
    }

    /// Slows a frame that was cut short down to the limits; what went further is taken back, and the frame is taken
    /// as if at rest.
    pub(crate) fn tame(&mut self, dt: f64) {
        let limits = self.limits(dt);
        if self.farthest_gone() > limits.way {
            self.take_at_rest(dt);
        }
        let at = (self.world, &self.work.state);
        self.equations.fill(at, Motion::Velocity, Soft::Rows);
        self.work.forget();
        let speed = self.kinetic_energy().sqrt();
        if speed > limits.root_of_energy {
            let part = limits.root_of_energy / speed;
            self.work.state.v.iter_mut().for_each(|v| *v *= part);
        }
    }

    /// How far the body went that went furthest, in this frame.
    fn farthest_gone(&self) -> f64 {
        let (before, now) = (&self.world.state().q, &self.work.state.q);
        let mut farthest = 0.0f64;
        for record in self.world.bodies().iter().filter(|record| record.enabled) {
            let n = record.body.n_v().min(3);
            let q0 = record.q_range().start;
            let gone = (q0..q0 + n).map(|k| (now[k] - before[k]) * (now[k] - before[k]));
            let gone = gone.sum::<f64>().sqrt();
            // What is not a number went infinitely far.
            farthest = if gone.is_nan() {
                f64::INFINITY
            } else {
                farthest.max(gone)
            };
        }
        farthest
    }

    /// The whole frame again, from its beginning: bodies keep some of their speed, and are only
    /// brought after what leads them.
    fn take_at_rest(&mut self, dt: f64) {
        self.report.last_resorts += 1;
        let work = &mut *self.work;
        work.state.clone_from(self.world.state());
        work.state.v.iter_mut().for_each(|v| *v *= KEPT);
        let layout = &self.equations.layout;
        layout.begin_step(self.world, &mut work.state.q, dt);
        layout.follow(self.world, &mut work.state, dt);
        work.state.t += dt;
        work.forget();
        let damping = std::mem::replace(&mut self.equations.lower_damping, TRIED_DAMPING);
        let reach = self.reach();
        self.close(CLOSINGS, reach);
        self.equations.lower_damping = damping;
        self.make_rates_right(true);
    }
}
