//! RATTLE with one factor a step.
//!
//! ```text
//!     v½ = v + M⁻¹·(h/2·f(q) + J(q)ᵀ·μ)       μ such that c(q′) = 0
//!     (q′, v½′) = free flight of (q, v½) for h
//!     v′ = v½′ + M⁻¹·(h/2·f(q′) + J(q′)ᵀ·ν)   ν such that ċ(q′, v′) = 0
//! ```
//!
//! Second order, symplectic, reversible. The factor at q′ that gives ν is the matrix of the next
//! step's μ, so a step costs one factor: a prediction, a correction or two, and the velocities. The
//! prediction is the constrained acceleration, from which what the flight turns by itself (the
//! gyroscopic torque) is taken off; it follows from the state alone, so that nothing but the state
//! need be remembered between steps.

use super::Stage;
use super::interactive::GAP;
use crate::assemble::{Motion, Soft};
use crate::solve::Lower;
use crate::stabilize::CLOSINGS;
use crate::step::Interactive;

/// What a guarded step may not exceed, in metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guard {
    /// The closure error of the prediction: how far the step is from what was linearised.
    pub(super) prediction: f64,
    /// What may be left after the last correction.
    pub(super) gap: f64,
}

/// How a try ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Tried {
    /// The state was advanced; the prediction was off by so much.
    Done(f64),
    Refused,
}

/// At most so many corrections of a position.
const MAX_CORRECTIONS: usize = 12;

impl Stage<'_, '_> {
    /// Advances the state by `h`, or refuses and leaves it.
    pub(super) fn rattle(&mut self, h: f64, guard: Option<Guard>) -> Tried {
        self.predict(h);
        if guard.is_some() && (self.is_rough() || self.is_stiff(h)) {
            return Tried::Refused;
        }
        self.equations.warm.fill(0.0);
        let mut predicted = 0.0;
        let (mut last, mut last_lower) = (f64::INFINITY, f64::INFINITY);
        let round_off = 1e-15 * self.equations.system.natural_size.max(self.length());
        for correction in 0..=MAX_CORRECTIONS {
            self.fly(h);
            let probe = &self.equations.probe;
            let soft_gap = self
                .work
                .soft_gap(probe, h)
                .max(self.work.strain_gap(probe, h));
            let gap = self.work.gap(probe).max(soft_gap);
            if correction == 0 {
                predicted = gap;
                if guard.is_some_and(|guard| gap > guard.prediction + 2.0 * self.contradiction) {
                    return Tried::Refused;
                }
            }
            let closed = gap <= self.tolerance.max(1.01 * self.contradiction)
                || (gap <= 1e3 * round_off && gap > 0.5 * last);
            // Soft rows are corrected at least once, lower levels while that helps.
            let lower = self.work.lower_gap(&self.equations.probe);
            let all_exact = self.work.exact_rows.len() == self.work.b.len();
            let rests = correction > 0 || (all_exact && !self.work.has_strains());
            if closed && rests && (lower <= self.tolerance || lower > 0.5 * last_lower) {
                break;
            }
            let hopeless = correction > 2 && gap > 0.7 * last && !closed;
            if correction == MAX_CORRECTIONS || hopeless || (correction > 0 && self.is_spent()) {
                if guard.is_some_and(|guard| gap > guard.gap + 2.0 * self.contradiction) {
                    return Tried::Refused;
                }
                break;
            }
            (last, last_lower) = (gap, lower);
            self.correct(h);
        }
        self.arrive(h);
        self.project_velocities(h);
        if guard.is_some() && self.is_rough() {
            std::mem::swap(&mut self.work.state, &mut self.work.trial);
            self.report.substeps -= 1;
            return Tried::Refused;
        }
        Tried::Done(predicted)
    }

    /// `v½` from the accelerations here: `J·(v + y) = −c/h − (h/2)·γ`, `M·y = h/2·f + Jᵀ·μ`.
    fn predict(&mut self, h: f64) {
        self.prepare(Motion::Acceleration, Soft::Rows, h);
        if self.is_open() {
            self.close(CLOSINGS, f64::INFINITY);
            self.prepare(Motion::Acceleration, Soft::Rows, h);
        }
        self.warm_start(0.5 * h);
        let system = &self.equations.system;
        let work = &mut *self.work;
        for row in 0..work.b.len() {
            let close = if system.velocity_level[row] {
                0.0
            } else {
                system.c[row] / h
            };
            work.b[row] = -close - system.c_dot[row] - 0.5 * h * system.gamma[row];
        }
        work.soft_prediction(system, h);
        for (force, f) in work.force.iter_mut().zip(&system.force) {
            *force = 0.5 * h * f;
        }
        work.strain_prediction(system, h);
        let (force, b) = (Some(&work.force[..]), Some(&work.b[..]));
        self.equations.direction.fill(0.0);
        self.equations
            .solve_on(Lower::GiveWay, force, b, &mut self.meter);
        if !self.is_rough() {
            self.equations.direction.fill(0.0);
        }
        let work = &mut *self.work;
        work.impulse
            .copy_from_slice(&self.equations.solution.lambda);
        // The flight turns velocities by itself: that part is not a kick.
        let system = &self.equations.system;
        work.take_strain_impulses(system, &self.equations.solution.motion);
        work.inverse.factor(system);
        work.force.copy_from_slice(&system.inertial);
        work.inverse.apply_all(system, &mut work.force);
        let motion = &self.equations.solution.motion;
        for k in 0..work.v_half.len() {
            work.v_half[k] = at_rest(work.state.v[k] + motion[k] - 0.5 * h * work.force[k]);
        }
    }

    /// The trial: free flight with `v½`, and the equations there. Velocities are extrapolated by
    /// the same kick again, so that forces that depend on them are of second order too.
    fn fly(&mut self, h: f64) {
        let work = &mut *self.work;
        let (state, trial) = (&work.state, &mut work.trial);
        trial.t = state.t;
        trial.q.copy_from_slice(&state.q);
        trial.v.copy_from_slice(&work.v_half);
        self.equations
            .layout
            .free_flight(self.world, trial, h, &mut work.dq);
        for k in 0..work.kick.len() {
            work.kick[k] = work.v_half[k] - state.v[k];
            trial.v[k] += work.kick[k];
        }
        self.equations
            .look((self.world, &work.trial), Motion::Velocity, Soft::Rows);
    }

    /// `μ ← μ + δμ` with `h·J(q)·M⁻¹·J(q)ᵀ·δμ = −c(q′)`.
    fn correct(&mut self, h: f64) {
        let work = &mut *self.work;
        let probe = &self.equations.probe;
        for row in 0..work.b.len() {
            work.b[row] = if probe.velocity_level[row] {
                0.0
            } else {
                -probe.c[row] / h
            };
        }
        work.soft_correction(&probe.c, h);
        work.strain_correction(&self.equations.system, probe, h);
        let force = work.has_strains().then_some(&work.force[..]);
        self.equations.solve(force, Some(&work.b), &mut self.meter);
        let solution = &self.equations.solution;
        work.take_strain_impulses(&self.equations.system, &solution.motion);
        for (v, y) in work.v_half.iter_mut().zip(&solution.motion) {
            *v = at_rest(*v + y);
        }
        for (impulse, lambda) in work.impulse.iter_mut().zip(&solution.lambda) {
            *impulse += lambda;
        }
    }

    /// The second kick and `ν`, on the factor where the flight ended; then the trial is the state.
    pub(super) fn project_velocities(&mut self, h: f64) {
        let system = &self.equations.system;
        let work = &mut *self.work;
        for row in 0..work.b.len() {
            work.b[row] = -system.c_dot[row];
        }
        work.soft_velocity(system, h);
        // The trial's velocities already hold the kick once more: take it back as a force.
        for body in 0..system.bodies.len() as u32 {
            let range = system.v_range(body);
            system.multiply_mass(body, &work.kick[range.clone()], &mut work.force[range]);
        }
        for (force, f) in work.force.iter_mut().zip(&system.force) {
            *force = 0.5 * h * f - *force;
        }
        work.strain_velocity(system, h);
        let solution = self
            .equations
            .solve(Some(&work.force), Some(&work.b), &mut self.meter);
        for (v, y) in work.trial.v.iter_mut().zip(&solution.motion) {
            *v = at_rest(*v + y);
        }
        for row in 0..work.impulse.len() {
            work.trial.lambda[row] = (work.impulse[row] + solution.lambda[row]) / h;
        }
        std::mem::swap(&mut work.state, &mut work.trial);
        self.velocities_are_right = true;
        self.report.substeps += 1;
    }

    /// Suzuki's fourth-order composition of five RATTLE steps, each closed to round-off. One of them
    /// goes back in time, where least squares would drive instead of damp: a frame that cannot be closed
    /// at every level is taken by `Interactive`, as a last resort.
    pub(crate) fn symplectic4(&mut self, h: f64) {
        if !self.composition(h) {
            self.report.last_resorts += 1;
            self.begin_again(h);
            self.interactive(h, &Interactive::default());
        }
    }

    /// The five steps; false where one of them ended open.
    fn composition(&mut self, h: f64) -> bool {
        let mut is_closed = true;
        let outer = 1.0 / (4.0 - libm::cbrt(4.0));
        let tight = 1e-13 * self.length();
        let tolerance = std::mem::replace(&mut self.tolerance, tight);
        for part in [outer, outer, 1.0 - 4.0 * outer, outer, outer] {
            // Back in time a damper would drive: the forward parts have all of its effect.
            self.work.damping = if part > 0.0 { 0.25 / outer } else { 0.0 };
            self.rattle(part * h, None);
            let system = &self.equations.system;
            // Loops whose rows repeat each other stop short of round-off.
            let exact = (1e4 * tight).max(tolerance);
            let lower = (GAP * self.length()).max(tolerance);
            is_closed = self.work.gap(system) <= exact && self.work.lower_gap(system) <= lower;
            if !is_closed {
                break;
            }
        }
        self.work.damping = 1.0;
        self.tolerance = tolerance;
        is_closed
    }
}

/// Motion dies out along a chain by a factor for each link until numbers lose their digits, and
/// computing with such numbers is slow. A velocity whose square is nothing is nothing.
fn at_rest(v: f64) -> f64 {
    if v.abs() < 1e-120 { 0.0 } else { v }
}
