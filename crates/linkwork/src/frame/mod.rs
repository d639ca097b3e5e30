//! A world during one frame: what stabilizations and schemes work on.
//!
//! The world is read only; the state is a copy that the step commits at its end. Schemes own their buffers.
//! They share the equations, the state reached so far, the budget and the log.

mod growth;
mod log;
mod tolerances;

pub(crate) use growth::{Gain, Growth};
pub(crate) use log::Log;
pub use log::{Cause, Rung, Rungs, Stiffest};

use crate::equations::{
    ContactSolver, Equations, Meter, Method, Motion, Outcome, Request, Soft, Solution, Terms,
};
use crate::springs::Springs;
use crate::system::System;
use crate::world::{State, World};

/// A world during a frame.
pub(crate) struct Frame<'a, 'm> {
    pub(crate) world: &'a World,
    pub(crate) equations: &'a mut Equations,
    /// The state reached so far.
    pub(crate) state: &'a mut State,
    /// Soft rows and strains of the present sub-step.
    pub(crate) springs: &'a mut Springs,
    pub(crate) method: Method,
    pub(crate) contact_solver: ContactSolver,
    /// Largest gap of a closed constraint, meters.
    pub(crate) tolerance: f64,
    /// Default damping of lower priorities.
    pub(crate) damping: f64,
    pub(crate) meter: &'a mut Meter<'m>,
    pub(crate) log: &'a mut Log,
    pub(crate) measured: &'a mut Measured,
    /// Whether uncounted full turns are counted.
    pub(crate) counts_turns: bool,
}

/// What was measured during the frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Measured {
    /// Gap that no correction can close because constraints of priority 0 contradict each other, meters.
    pub(crate) contradiction: f64,
    /// A solve corrected the rates, and nothing has moved since.
    pub(crate) rates_hold: bool,
    /// Their remaining error, m/s.
    pub(crate) rates_left: f64,
}

impl<'m> Frame<'_, 'm> {
    pub(crate) fn system(&self) -> &System {
        self.equations.system()
    }

    pub(crate) fn terms(&self, motion: Motion, soft: Soft) -> Terms {
        Terms::new(motion, soft, self.damping)
    }

    /// Whether the world has bounded forces: limits, servos, friction, or contacts.
    pub(crate) fn has_bounds(&self) -> bool {
        self.equations.layout.has_colliders() || !self.system().bounded.is_empty()
    }

    /// Fills at the state.
    pub(crate) fn fill(&mut self, motion: Motion, soft: Soft) {
        self.fill_terms(self.terms(motion, soft));
    }

    /// The same by terms.
    pub(crate) fn fill_terms(&mut self, terms: Terms) {
        self.equations.fill((self.world, self.state), terms);
        self.see_turns();
    }

    /// Notes the angles filled at the state, from which turns are counted.
    pub(crate) fn see_turns(&mut self) {
        let turns = &self.equations.system().turns;
        self.state.turns.follow(turns, self.counts_turns);
    }

    /// Fills the probe at the state.
    pub(crate) fn fill_probe(&mut self, motion: Motion, soft: Soft) -> &System {
        let terms = self.terms(motion, soft);
        let probe = self.equations.fill_probe((self.world, self.state), terms);
        self.state.turns.follow(&probe.turns, self.counts_turns);
        probe
    }

    /// Fills and factors at the state.
    pub(crate) fn prepare(&mut self, motion: Motion, soft: Soft) {
        self.fill(motion, soft);
        self.factor();
    }

    pub(crate) fn factor(&mut self) {
        self.equations.factor(&self.method);
    }

    pub(crate) fn solve(&mut self, request: Request<'_>) -> &Solution {
        self.equations.solve(request, self.meter)
    }

    /// `q ← q ⊞ dq`.
    pub(crate) fn displace(&mut self, dq: &[f64]) {
        let layout = &self.equations.layout;
        layout.displace(self.world, &mut self.state.q, dq);
    }

    /// Returns to the start of the frame.
    pub(crate) fn begin_again(&mut self, dt: f64) {
        self.state.copy_motion(self.world.state());
        self.begin(dt);
        self.equations.forget_responses();
    }

    /// Gives bodies that follow a goal the length of the step, and notes the strains, which closing preserves.
    pub(crate) fn begin(&mut self, dt: f64) {
        let layout = &self.equations.layout;
        layout.begin_step(self.world, &mut self.state.q, dt);
        self.note_strains();
    }

    /// Notes the strains of the state.
    pub(crate) fn note_strains(&mut self) {
        if self.springs.has_strains() {
            let terms = self.terms(Motion::Displacement, Soft::Rows);
            let probe = self.equations.fill_probe((self.world, self.state), terms);
            self.springs.note_strains(probe);
        }
    }

    /// The same frame.
    fn again(&mut self) -> Frame<'_, 'm> {
        Frame {
            world: self.world,
            equations: self.equations,
            state: self.state,
            springs: self.springs,
            method: self.method,
            contact_solver: self.contact_solver,
            tolerance: self.tolerance,
            damping: self.damping,
            meter: self.meter,
            log: self.log,
            measured: self.measured,
            counts_turns: self.counts_turns,
        }
    }

    /// The same frame with another closing tolerance.
    pub(crate) fn closed_to(&mut self, tolerance: f64) -> Frame<'_, 'm> {
        Frame {
            tolerance,
            ..self.again()
        }
    }

    /// The same frame with other equations; also returns its own equations.
    pub(crate) fn with_equations<'f>(
        &'f mut self,
        equations: &'f mut Equations,
    ) -> (Frame<'f, 'm>, &'f mut Equations) {
        let mut other = self.again();
        let own = std::mem::replace(&mut other.equations, equations);
        (other, own)
    }

    /// Runs a part of the work in the same frame, with half of the budget of iterations.
    pub(crate) fn within_half<T>(&mut self, work: impl FnOnce(&mut Frame<'_, '_>) -> T) -> T {
        let mut half = self.meter.half();
        let done = work(&mut Frame {
            world: self.world,
            equations: self.equations,
            state: self.state,
            springs: self.springs,
            method: self.method,
            contact_solver: self.contact_solver,
            tolerance: self.tolerance,
            damping: self.damping,
            meter: &mut half,
            log: self.log,
            measured: self.measured,
            counts_turns: self.counts_turns,
        });
        let spent = half.spent();
        self.meter.count_part(spent);
        done
    }

    /// Counts an iteration that was not made by a solve.
    pub(crate) fn count_iteration(&mut self) {
        self.meter.count(1);
        self.equations.effort.iterations += 1;
    }

    /// Whether the budget is used up.
    pub(crate) fn out_of_budget(&mut self) -> bool {
        self.meter.out_of_budget(0)
    }

    /// Notes that the last solve corrected the rates at the state.
    pub(crate) fn note_rates(&mut self) {
        self.measured.rates_hold = true;
        self.measured.rates_left = self.equations.solution().residual.rows;
    }

    /// Whether the rates were corrected at the state, so that the system is filled there.
    pub(crate) fn is_measured(&self) -> bool {
        self.measured.rates_hold && self.equations.is_filled_at(self.state)
    }

    /// Whether the last iteration was cut short.
    pub(crate) fn is_cut_short(&self) -> bool {
        self.method.is_iterative() && !self.state.unfinished.is_empty()
    }

    /// Whether the last solve was so coarse that its impulses would add energy.
    pub(crate) fn is_rough(&self) -> bool {
        let solution = self.equations.solution();
        solution.outcome == Outcome::NotConverged
            && solution.residual.rows_relative > tolerances::ROUGH
    }

    /// Whether a gap is larger than any step leaves, because parts were joined that do not meet. It is closed
    /// at once, so that it does not become a velocity.
    pub(crate) fn is_open(&self) -> bool {
        let usual = (tolerances::OPEN * self.system().bar_length()).max(10.0 * self.tolerance);
        self.system().gap() > usual.max(1.1 * self.measured.contradiction)
    }

    /// Limit of the motion after goals, meters: a few times the motion of the goals; infinite while they rest.
    pub(crate) fn reach(&self) -> f64 {
        let way = self.goal_way();
        if way > 0.0 {
            tolerances::REACH * way
        } else {
            f64::INFINITY
        }
    }

    /// Largest motion of a hand's goal in this frame, along an axis, in meters or in units of the number it
    /// holds.
    pub(crate) fn goal_way(&self) -> f64 {
        let mut way = 0.0f64;
        for grip in self.world.grips() {
            if let Ok(record) = self.world.body_record(grip.hand()) {
                let before = &self.world.state().q[record.q_range()];
                let now = &self.state.q[record.q_range()];
                way = way.max(grip.way(before, now));
            }
        }
        way
    }

    /// Kinetic energy of velocities `v` with the filled masses. `momentum` is scratch, n_v.
    pub(crate) fn kinetic_energy(&self, v: &[f64], momentum: &mut [f64]) -> f64 {
        self.system().kinetic_energy(v, momentum)
    }
}
