//! The last resort: an implicit step that contains the joints' geometric stiffness.
//!
//! Sequential quadratic programming for the place nearest to free flight that closes every joint,
//!
//! ```text
//!     min ½·|q ⊖ q*|²_M  such that c(q) = 0,      q* = free flight of (q, v + h/2·M⁻¹·f)
//!     M̃ = M + K(Λ)₊      M̃·δ = JᵀΛ − M·d,  J·δ = −c      d = q ⊖ q*,  q ← q ⊞ δ
//! ```
//!
//! Robust and damping: it pushes along J of where the step ends. Angular velocity is taken from the
//! displacement relative to the free flight, so that it does not wrap. Where nothing drives the
//! joints, the step ends with no more energy than it began with and what forces did: a last resort
//! may lose, but not gain.

use super::Stage;
use crate::assemble::{Motion, Soft};
use crate::math::{quat_conjugate, quat_log, quat_mul};
use crate::stabilize::{CLOSINGS, truncate_rotations};
use crate::world::Dynamics;

/// At most so many iterations.
const MAX_ITERATIONS: usize = 20;

/// What part of each correction is taken: corrections that do not shrink overshoot.
#[derive(Clone, Copy, Debug)]
struct Part {
    of_step: f64,
    last: f64,
}

impl Default for Part {
    fn default() -> Self {
        Self {
            of_step: 1.0,
            last: f64::INFINITY,
        }
    }
}

impl Part {
    /// After a step of this size.
    fn learn(&mut self, iteration: usize, step: f64) {
        let whole = step / self.of_step;
        let overshoots = iteration > 1 && whole > (1.0 - 0.3 * self.of_step) * self.last;
        self.last = if overshoots { f64::INFINITY } else { whole };
        if overshoots {
            self.of_step *= 0.5;
        }
    }
}

impl Stage<'_, '_> {
    /// Advances the state by `h`, whatever it takes; uses the impulses of the last prediction.
    pub(super) fn implicit(&mut self, h: f64) {
        self.report.last_resorts += 1;
        let before = self.free_target(h);
        // Λ in kg·m: λ·h². The prediction's impulses are those of half a step.
        let work = &mut *self.work;
        work.impulse
            .iter_mut()
            .for_each(|impulse| *impulse *= 2.0 * h);
        work.dq.fill(0.0);
        for iteration in 0..MAX_ITERATIONS {
            let at = (self.world, &self.work.trial);
            self.equations.fill(at, Motion::Displacement, Soft::Rows);
            let work = &mut *self.work;
            let gap = work.gap(&self.equations.system);
            if iteration > 0 && (gap <= self.tolerance || self.is_spent()) {
                break;
            }
            self.nearest(h, iteration, 1.0);
        }
        self.leave(h);
        self.gain_nothing(before);
        if self.is_open() {
            self.close(CLOSINGS, f64::INFINITY);
            self.make_rates_right(true);
        }
    }

    /// A first-order step by the same iteration: `D·d = h·f + JᵀΛ`, with soft rows and joints where the
    /// step ends.
    pub(super) fn implicit_flow(&mut self, h: f64, with_forces: bool) {
        let at = (self.world, &self.work.state);
        self.equations.fill(at, Motion::Flow, Soft::Rows);
        let system = &self.equations.system;
        let work = &mut *self.work;
        work.note_soft_rows(system);
        work.inverse.factor(system);
        if with_forces {
            work.force.copy_from_slice(&system.force);
        } else {
            work.force.fill(0.0);
        }
        work.inverse.apply_all(system, &mut work.force);
        for k in 0..work.dq.len() {
            work.dq[k] = h * work.force[k];
            work.target[k] = work.force[k];
        }
        for (impulse, lambda) in work.impulse.iter_mut().zip(&work.state.lambda) {
            *impulse = h * lambda;
        }
        truncate_rotations(self.world, &mut work.dq);
        work.trial.t = work.state.t + h;
        work.trial.q.copy_from_slice(&work.state.q);
        self.equations.layout.follow(self.world, &mut work.trial, h);
        if !work.held_rows.is_empty() {
            let at = (self.world, &work.trial);
            self.equations.look(at, Motion::Displacement, Soft::Rows);
            work.held_c.copy_from_slice(&self.equations.probe.c);
        }
        let layout = &self.equations.layout;
        layout.displace(self.world, &mut work.trial.q, &work.dq);
        work.factored_q.copy_from_slice(&work.trial.q);
        work.factored = None;
        work.dq.fill(0.0);
        let mut part = Part::default();
        for iteration in 0..MAX_ITERATIONS {
            let at = (self.world, &self.work.trial);
            self.equations.fill(at, Motion::Displacement, Soft::Rows);
            if iteration > 0 && self.is_spent() {
                break;
            }
            self.nearest(h, iteration, part.of_step);
            let step = self.work.v_half.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            if step <= 1e-10 * part.of_step * self.length() {
                break;
            }
            part.learn(iteration, step);
        }
        let work = &mut *self.work;
        let layout = &self.equations.layout;
        layout.difference(self.world, &work.trial.q, &work.factored_q, &mut work.dq);
        for k in 0..work.trial.v.len() {
            work.trial.v[k] = work.target[k] + work.dq[k] / h;
        }
        for (lambda, impulse) in work.trial.lambda.iter_mut().zip(&work.impulse) {
            *lambda = impulse / h;
        }
        std::mem::swap(&mut work.state, &mut work.trial);
        self.remember_strains();
        self.report.substeps += 1;
    }

    /// The impulses of half a step by the forces of the last one.
    pub(super) fn remember_forces(&mut self, h: f64) {
        let work = &mut *self.work;
        for (impulse, lambda) in work.impulse.iter_mut().zip(&work.state.lambda) {
            *impulse = 0.5 * h * lambda;
        }
    }

    /// `q*` and its velocities into the trial and `target`: free flight after half a kick. Returns
    /// the energy at the start; the forces there go to `kick`.
    fn free_target(&mut self, h: f64) -> f64 {
        let at = (self.world, &self.work.state);
        self.equations.fill(at, Motion::Velocity, Soft::Rows);
        let energy = self.energy_here();
        let system = &self.equations.system;
        let work = &mut *self.work;
        work.note_soft_rows(system);
        work.kick.copy_from_slice(&system.force);
        work.inverse.factor(system);
        work.force.copy_from_slice(&system.force);
        work.inverse.apply_all(system, &mut work.force);
        let (state, trial) = (&work.state, &mut work.trial);
        trial.t = state.t;
        trial.q.copy_from_slice(&state.q);
        for k in 0..trial.v.len() {
            trial.v[k] = state.v[k] + 0.5 * h * work.force[k];
        }
        self.equations
            .layout
            .free_flight(self.world, trial, h, &mut work.dq);
        work.target.copy_from_slice(&trial.v);
        work.factored_q.copy_from_slice(&trial.q);
        work.factored = None;
        energy
    }

    /// One iteration towards the nearest closed place, or a part of it; `dq` is `d`, `factored_q` is
    /// `q*`.
    fn nearest(&mut self, h: f64, iteration: usize, part: f64) {
        // Without momentum soft rows are h times as compliant. With it, strains push half before the
        // step and half after it.
        let has_momentum = self.world.dynamics() == Dynamics::SecondOrder;
        let (per, over) = if has_momentum {
            (1.0, 0.5 * h * h)
        } else {
            (h, h)
        };
        let work = &mut *self.work;
        let system = &mut self.equations.system;
        if iteration > 0 {
            self.equations.layout.difference(
                self.world,
                &work.trial.q,
                &work.factored_q,
                &mut work.dq,
            );
        }
        for body in 0..system.bodies.len() as u32 {
            let range = system.v_range(body);
            system.multiply_mass(body, &work.dq[range.clone()], &mut work.force[range]);
        }
        work.force.iter_mut().for_each(|force| *force = -*force);
        work.geometric_stiffness(system, 1.0);
        work.stiffen(system, 1.0);
        work.soften_displacements(system, h);
        work.strain_rest(system, h, over);
        system.right_hand_side(Motion::Displacement, &mut work.b);
        for soft in &work.soft {
            system.compliance[soft.row] *= per;
        }
        work.soft_rest(system, h);
        if !has_momentum {
            // Goals are followed when the step closes: until then what is held stays where it was.
            for &row in &work.held_rows {
                let row = row as usize;
                work.b[row] = work.held_c[row] - system.c[row];
            }
        }
        self.equations.factor(&self.method);
        let solution = self
            .equations
            .solve(Some(&work.force), Some(&work.b), &mut self.meter);
        work.impulse.copy_from_slice(&solution.lambda);
        work.v_half.copy_from_slice(&solution.motion);
        truncate_rotations(self.world, &mut work.v_half);
        work.v_half.iter_mut().for_each(|step| *step *= part);
        self.equations
            .layout
            .displace(self.world, &mut work.trial.q, &work.v_half);
        for (d, step) in work.dq.iter_mut().zip(&work.v_half) {
            *d += step;
        }
    }

    /// Velocities from the displacement, then the second kick and the projection.
    fn leave(&mut self, h: f64) {
        let work = &mut *self.work;
        let layout = &self.equations.layout;
        layout.difference(self.world, &work.trial.q, &work.factored_q, &mut work.dq);
        for k in 0..work.trial.v.len() {
            work.trial.v[k] = work.target[k] + work.dq[k] / h;
        }
        self.work_done = 0.0;
        for k in 0..work.kick.len() {
            self.work_done += work.kick[k] * (h * work.target[k] + work.dq[k]);
        }
        work.kick.fill(0.0);
        work.impulse.iter_mut().for_each(|impulse| *impulse /= h);
        let at = (self.world, &work.trial);
        self.equations.look(at, Motion::Velocity, Soft::Rows);
        self.arrive(h);
        self.drives = self.is_driven();
        self.project_velocities(h);
    }

    /// Kinetic energy of the state and what soft rows store, where the equations were filled.
    fn energy_here(&mut self) -> f64 {
        self.kinetic_energy() + self.work.stored_energy(&self.equations.system)
    }

    /// Kinetic energy of the state, where the equations were filled.
    pub(super) fn kinetic_energy(&mut self) -> f64 {
        let system = &self.equations.system;
        let work = &mut *self.work;
        let mut energy = 0.0;
        for body in 0..system.bodies.len() as u32 {
            let range = system.v_range(body);
            let (v, momentum) = (&work.state.v[range.clone()], &mut work.force[range]);
            system.multiply_mass(body, v, momentum);
            energy += 0.5 * v.iter().zip(momentum).map(|(v, p)| v * *p).sum::<f64>();
        }
        // What strains lent to the mass does not move.
        for (at, strain) in system.strains.iter().enumerate() {
            let rate = system.strain_motion(at, &work.state.v);
            energy -= 0.5 * strain.weight * rate * rate;
        }
        energy
    }

    /// Whether some row moves by itself where the probe was: `ċ ≠ J·v`.
    fn is_driven(&self) -> bool {
        let system = &self.equations.system;
        let mut moved = [0.0; crate::assemble::MAX_ROWS];
        (0..system.constraints.len() as u32).any(|c| {
            let range = system.row_range(c);
            let moved = &mut moved[..range.len()];
            system.constraint_motion(c, &self.work.trial.v, moved);
            let size = moved.iter().fold(1e-6f64, |size, m| size.max(m.abs()));
            let rates = system.c_dot[range].iter().zip(&*moved);
            rates.fold(0.0f64, |most, (c_dot, m)| most.max((c_dot - m).abs())) > 1e-6 * size
        })
    }

    /// Slows everything down if there is more energy than before and than the forces did.
    fn gain_nothing(&mut self, before: f64) {
        if self.drives {
            return;
        }
        let after = self.energy_here();
        let kinetic = after - self.work.stored_energy(&self.equations.system);
        let excess = after - before - self.work_done;
        if excess > 1e-12 * kinetic {
            let left = ((kinetic - excess) / kinetic).max(0.0).sqrt();
            self.work.state.v.iter_mut().for_each(|v| *v *= left);
        }
    }
}

impl crate::assemble::Layout {
    /// `dq` with `q = base ⊞ dq` for rigid bodies; others keep what `dq` accumulated.
    fn difference(&self, world: &crate::world::World, q: &[f64], base: &[f64], dq: &mut [f64]) {
        for record in world.bodies() {
            if record.enabled && record.body.as_rigid().is_some() {
                let (q, base) = (&q[record.q_range()], &base[record.q_range()]);
                let dq = &mut dq[record.v_range()];
                for k in 0..3 {
                    dq[k] = q[k] - base[k];
                }
                let turn = quat_mul(
                    [q[3], q[4], q[5], q[6]],
                    quat_conjugate([base[3], base[4], base[5], base[6]]),
                );
                dq[3..].copy_from_slice(&quat_log(turn));
            }
        }
    }
}
