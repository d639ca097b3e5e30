//! The implicit step: includes the joints' geometric stiffness, and damps.
//!
//! Sequential quadratic programming for the closed pose nearest to free flight,
//!
//! ```text
//!     min ½·|q ⊖ q*|²_M  such that c(q) = 0,      q* = free flight of (q, v + h/2·M⁻¹·f)
//!     M̃ = M + K(Λ)₊      M̃·δ = JᵀΛ − M·d,  J·δ = −c      d = q ⊖ q*,  q ← q ⊞ δ
//! ```
//!
//! It pushes along J of where the step ends. Angular velocity is taken from the displacement relative to the free
//! flight, so that it does not wrap. Where nothing drives the joints, the step ends with no more energy than it began
//! with and what forces did: it may lose, but not gain. What deforms and nothing holds keeps its momenta
//! (`springs/unheld`). Shapes that change faster than a flight can follow are slowed down: numbers like the logarithm
//! of an exponent's distance from its bounds have little inertia there, and would go on without end.

use super::landing::Landing;
use super::tolerances::{COARSE, DRIVEN, FEW, GAINED, IMPLICIT_ITERATIONS, SHAPE_WAY};
use crate::equations::{Load, Motion, Request, Soft};
use crate::frame::Frame;
use crate::linalg::size;
use crate::springs::Unheld;
use crate::stabilize::{CLOSINGS, Closing, truncate_rotations};
use crate::system::{GeometricStiffness, MAX_ROWS, System};
use crate::world::World;

/// The damping of corrections, for sequences that overshoot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) of_step: f64,
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
    pub(super) fn learn(&mut self, iteration: usize, step: f64) {
        let whole = step / self.of_step;
        let overshoots = iteration > 1 && whole > (1.0 - 0.3 * self.of_step) * self.last;
        self.last = if overshoots { f64::INFINITY } else { whole };
        if overshoots {
            self.of_step *= 0.5;
        }
    }
}

/// The buffers of a step.
#[derive(Debug, Default)]
pub(super) struct Implicit {
    /// `q*`, and the velocities there.
    free_q: Vec<f64>,
    free_v: Vec<f64>,
    /// `d` and `δ`.
    d: Vec<f64>,
    delta: Vec<f64>,
    force: Vec<f64>,
    /// Forces at the start of the step.
    force_start: Vec<f64>,
    b: Vec<f64>,
    stiffness: GeometricStiffness,
    unheld: Unheld,
}

impl Implicit {
    pub(super) fn size(&mut self, frame: &Frame<'_, '_>) {
        let system = frame.system();
        self.unheld
            .find(frame.world, &frame.equations.layout, system);
        size(&mut self.free_q, frame.state.q.len());
        for buffer in [
            &mut self.free_v,
            &mut self.d,
            &mut self.delta,
            &mut self.force,
            &mut self.force_start,
        ] {
            size(buffer, system.n_v());
        }
        size(&mut self.b, system.n_rows());
        self.stiffness.size(system);
    }

    /// Advances the state by `h` in any case. The landing has the impulses of half a step as a first guess.
    pub(super) fn step(
        &mut self,
        frame: &mut Frame<'_, '_>,
        landing: &mut Landing,
        closing: &mut Closing,
        h: f64,
    ) {
        let before = self.fly_free(frame, landing, (h, 0.5));
        // Λ in kg·m: λ·h².
        for impulse in &mut landing.impulse {
            *impulse *= 2.0 * h;
        }
        self.d.fill(0.0);
        for iteration in 0..IMPLICIT_ITERATIONS {
            let terms = frame.terms(Motion::Displacement, Soft::Rows);
            frame.equations.fill((frame.world, &landing.trial), terms);
            let gap = frame.system().gap();
            if iteration > 0 && (gap <= frame.tolerance || frame.out_of_budget()) {
                break;
            }
            self.approach(frame, landing, (h, 0.5 * h * h), iteration);
        }
        let (work, is_driven) = self.leave(frame, landing, h);
        let as_whole = self.keep_momenta(frame, h);
        if !is_driven {
            self.gain_nothing(frame, (before, work), as_whole);
        }
        if frame.is_open() {
            closing.close(frame, CLOSINGS, f64::INFINITY);
            closing.make_rates_right(frame, true);
        }
    }

    /// Advances the state by `h` with solves that may be cut short (Faure 1998, §4.2; Faure 1999, fig. 5): free
    /// motion under all forces, displacement to the nearest closed pose, and velocities from the whole
    /// displacement. First order; damps.
    ///
    /// Deviations: the multipliers start from the last frame, so that few iterations suffice to follow them;
    /// and the masses include their geometric stiffness, without which light bodies between heavy ones would
    /// gain energy.
    pub(super) fn coarse(&mut self, frame: &mut Frame<'_, '_>, landing: &mut Landing, h: f64) {
        self.fly_free(frame, landing, (h, 1.0));
        for (impulse, lambda) in landing.impulse.iter_mut().zip(&frame.state.lambda) {
            *impulse = h * h * lambda;
        }
        self.d.fill(0.0);
        for iteration in 0..IMPLICIT_ITERATIONS {
            let terms = frame.terms(Motion::Displacement, Soft::Rows);
            frame.equations.fill((frame.world, &landing.trial), terms);
            let is_closed = frame.system().gap() <= frame.tolerance;
            if iteration > 0 && (is_closed || (iteration >= COARSE && frame.out_of_budget())) {
                break;
            }
            landing.begin_with_impulse();
            frame.state.unfinished.clear();
            self.approach(frame, landing, (h, h * h), iteration);
            self.take_velocities(frame, landing, h);
        }
        for (lambda, impulse) in landing.trial.lambda.iter_mut().zip(&landing.impulse) {
            *lambda = impulse / (h * h);
        }
        frame.state.swap_motion(&mut landing.trial);
        frame.note_strains();
        frame.log.substeps += 1;
        frame.measured.rates_hold = false;
    }

    /// Computes `q*` and its velocities: free flight after a part of the kick. Returns the energy at the start.
    fn fly_free(
        &mut self,
        frame: &mut Frame<'_, '_>,
        landing: &mut Landing,
        (h, part): (f64, f64),
    ) -> f64 {
        frame.fill(Motion::Velocity, Soft::Rows);
        let energy = self.energy(frame);
        let system = frame.equations.system();
        frame.springs.note(system);
        self.force_start.copy_from_slice(&system.force);
        self.force.copy_from_slice(&system.force);
        frame.equations.apply_inverse_mass(&mut self.force);
        let (state, trial) = (&*frame.state, &mut landing.trial);
        trial.begin_at(state);
        for k in 0..trial.v.len() {
            trial.v[k] = state.v[k] + part * h * self.force[k];
        }
        self.unheld.note(frame.world, &state.q, &trial.v);
        if slow_shapes(frame.world, &mut trial.v, h) {
            self.unheld.restore(frame.world, &state.q, &mut trial.v);
        }
        let layout = &frame.equations.layout;
        layout.free_flight(frame.world, trial, h, &mut self.d);
        self.free_v.copy_from_slice(&trial.v);
        self.free_q.copy_from_slice(&trial.q);
        energy
    }

    /// One iteration toward the nearest closed pose. Strains act over `over`, s².
    fn approach(
        &mut self,
        frame: &mut Frame<'_, '_>,
        landing: &mut Landing,
        (h, over): (f64, f64),
        iteration: usize,
    ) {
        let is_coarse = over == h * h;
        if iteration > 0 {
            self.take_displacement(frame, landing);
        }
        let system = frame.equations.modify();
        system.multiply_masses(&self.d, &mut self.force);
        self.force.iter_mut().for_each(|force| *force = -*force);
        self.stiffness.fill(system, &landing.impulse, 1.0);
        self.stiffness.stiffen(system, 1.0);
        let springs = &frame.springs;
        springs.soften_displacements(system, h);
        springs.strain_rest(system, h, over, &mut self.force);
        system.right_hand_side(Motion::Displacement, &mut self.b);
        springs.soft_rest(system, h, &mut self.b);
        for row in 0..self.b.len() {
            if system.velocity_level[row] && is_coarse {
                self.b[row] = -h * system.c_dot[row];
            }
        }
        springs.rotor_rest(system, h, &mut self.b);
        frame.factor();
        let request = Request {
            load: Load::Given(&self.force),
            rows: Some(&self.b),
            start: landing.start(),
            direction: is_coarse.then(|| frame.state.direction()),
            // Most of the budget is for the last iterations.
            most: is_coarse.then_some(FEW << iteration.saturating_sub(1)),
            ..Request::default()
        };
        let solution = frame.equations.solve(request, frame.meter);
        landing.impulse.copy_from_slice(&solution.lambda);
        self.delta.copy_from_slice(&solution.motion);
        truncate_rotations(frame.world, &mut self.delta);
        let layout = &frame.equations.layout;
        layout.displace(frame.world, &mut landing.trial.q, &self.delta);
        for (d, step) in self.d.iter_mut().zip(&self.delta) {
            *d += step;
        }
    }

    /// `d = q ⊖ q*` of the trial.
    fn take_displacement(&mut self, frame: &Frame<'_, '_>, landing: &Landing) {
        let layout = &frame.equations.layout;
        layout.difference(frame.world, &landing.trial.q, &self.free_q, &mut self.d);
    }

    /// Velocities of the trial from its displacement.
    fn take_velocities(&mut self, frame: &Frame<'_, '_>, landing: &mut Landing, h: f64) {
        self.take_displacement(frame, landing);
        for (k, v) in landing.trial.v.iter_mut().enumerate() {
            *v = self.free_v[k] + self.d[k] / h;
        }
    }

    /// Velocities from the displacement, then the second kick and the projection. Returns the work of the
    /// forces, and whether anything drives the joints.
    fn leave(&mut self, frame: &mut Frame<'_, '_>, landing: &mut Landing, h: f64) -> (f64, bool) {
        self.take_velocities(frame, landing, h);
        let mut work = 0.0;
        for k in 0..self.d.len() {
            work += self.force_start[k] * (h * self.free_v[k] + self.d[k]);
        }
        landing.kick.fill(0.0);
        landing.impulse.iter_mut().for_each(|impulse| *impulse /= h);
        let terms = frame.terms(Motion::Velocity, Soft::Rows);
        landing.fill_probe(frame, terms);
        landing.arrive(frame, h);
        let is_driven = is_driven(frame.system(), &landing.trial.v);
        landing.project_velocities(frame, h);
        (work, is_driven)
    }

    /// Kinetic energy of the state and stored energy of springs, at the filled state.
    fn energy(&mut self, frame: &Frame<'_, '_>) -> f64 {
        frame.kinetic_energy(&frame.state.v, &mut self.force)
            + frame.springs.stored_energy(frame.system())
    }

    /// Gives what deforms and nothing holds the momenta that it flew with, and of the forces. Returns its energy, J.
    fn keep_momenta(&mut self, frame: &mut Frame<'_, '_>, h: f64) -> f64 {
        let (world, state) = (frame.world, &mut *frame.state);
        let force = &frame.equations.system().force;
        self.unheld.push(world, &state.q, force, 0.5 * h);
        self.unheld.restore(world, &state.q, &mut state.v)
    }

    /// Slows everything down, except the rigid motion of free soft bodies, if energy increased by more than the
    /// work of forces.
    fn gain_nothing(
        &mut self,
        frame: &mut Frame<'_, '_>,
        (before, work): (f64, f64),
        as_whole: f64,
    ) {
        let after = self.energy(frame);
        let kinetic = after - frame.springs.stored_energy(frame.system());
        let excess = after - before - work;
        let slowed = (kinetic - as_whole).max(0.0);
        if excess > GAINED * kinetic {
            let left = ((slowed - excess) / slowed).max(0.0).sqrt();
            let state = &mut *frame.state;
            state.v.iter_mut().for_each(|v| *v *= left);
            self.unheld.restore(frame.world, &state.q, &mut state.v);
        }
    }
}

/// Slows down shapes that would change too far in a free flight of `h`. Whether there are any.
fn slow_shapes(world: &World, v: &mut [f64], h: f64) -> bool {
    let mut is_slowed = false;
    for record in world.bodies() {
        if !record.enabled || record.body.solid().is_none() {
            continue;
        }
        // Behind the velocities of the frame.
        let rates = &mut v[record.v_range()][6..];
        let most = rates.iter().fold(0.0f64, |most, rate| most.max(rate.abs()));
        if h * most > SHAPE_WAY {
            rates
                .iter_mut()
                .for_each(|rate| *rate *= SHAPE_WAY / (h * most));
            is_slowed = true;
        }
    }
    is_slowed
}

/// Whether some row moves by itself: `ċ ≠ J·v`.
pub(super) fn is_driven(system: &System, v: &[f64]) -> bool {
    let mut moved = [0.0; MAX_ROWS];
    (0..system.constraints.len() as u32).any(|c| {
        let range = system.row_range(c);
        let moved = &mut moved[..range.len()];
        system.constraint_motion(c, v, moved);
        let size = moved.iter().fold(DRIVEN, |size, m| size.max(m.abs()));
        let rates = system.c_dot[range].iter().zip(&*moved);
        rates.fold(0.0f64, |most, (c_dot, m)| most.max((c_dot - m).abs())) > DRIVEN * size
    })
}
