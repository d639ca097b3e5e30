//! Lower priorities, for any method underneath (Faure 1999, §3.4).
//!
//! | method    | how                                                                             |
//! |-----------|---------------------------------------------------------------------------------|
//! | factored  | a response for each lower row, and a dense matrix of them (`overlay`)            |
//! | iterated  | one lower priority with priority 0, damped; more of them by responses, where they converge: always where the forest holds priority 0 |
//! | cut short | all priorities alike; or priority 0 alone                                       |
//!
//! A damped priority that is iterated together with priority 0 has the same solution as by responses:
//!
//! ```text
//!     ┌ A₀₀  A₀₁     ┐ ┌ λ₀ ┐   ┌ b₀ ┐
//!     └ A₁₀  A₁₁ + ε ┘·└ λ₁ ┘ = └ b₁ ┘      ⇔      (A₁₁ − A₁₀·A₀₀⁻·A₀₁ + ε)·λ₁ = b₁ − A₁₀·A₀₀⁻·b₀
//! ```
//!
//! Priority 0 holds exactly, priority 1 gives way, and a solution always exists. The result of an iteration
//! that is cut short is not a linear function of its input, so responses cannot be built on it.

use super::rows::Rows;
use super::tolerances::DAMPED_REPEATS;
use super::{Ask, Factor, Meter, Outcome, Residual, Solution};
use crate::system::System;
use crate::topology::Topology;

/// How lower priorities are treated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Lower {
    /// Each gives way to those above it. If iterations are cut short, all are iterated alike.
    #[default]
    GiveWay,
    /// The same, with repeated solves for what damping left, if responses are known: rows within reach are met.
    Met,
    /// The same, but if iterations are cut short, priority 0 is iterated alone.
    LeftOut,
    /// All are iterated alike.
    Joined,
    /// They exert no force.
    Released,
}

/// Whether the responses for lower priorities are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overlaid {
    NotYet,
    Yes,
    /// Iterations were cut short.
    TooDear,
}

impl Factor {
    /// Solves with lower priorities, or with rows whose force acts elsewhere.
    pub(super) fn solve_priorities(
        &mut self,
        system: &System,
        topology: &Topology,
        ask: Ask<'_>,
        meter: &mut Meter<'_>,
        out: &mut Solution,
    ) {
        let anew = ask.anew(Lower::LeftOut);
        let (force, b) = (ask.force, ask.b);
        let is_released = ask.lower == Lower::Released;
        let repeats = match ask.lower {
            Lower::Met => DAMPED_REPEATS,
            _ => 0,
        };
        if is_released && !self.overlay.joinable(system).is_empty() {
            self.base.answer((system, topology), ask, meter, out);
            self.let_go(system, out);
        } else if self.joins {
            self.iterate_priorities(system, topology, ask, meter, out);
        } else {
            self.build_overlay(system, topology, meter);
            self.base.answer((system, topology), ask, meter, out);
            std::mem::swap(&mut self.alone, out);
            self.lay_over(system, topology, (anew, repeats), meter, out);
        }
        self.measure(system, (force, b), out);
    }

    /// By iterations: all together or priority 0 alone if cut short, otherwise by priority.
    fn iterate_priorities(
        &mut self,
        system: &System,
        topology: &Topology,
        ask: Ask<'_>,
        meter: &mut Meter<'_>,
        out: &mut Solution,
    ) {
        let is_single = self.overlay.n_priorities() == 1;
        let is_alone = ask.lower == Lower::LeftOut;
        let is_enough = is_single || ask.lower == Lower::Joined;
        // If responses take no iterations, nothing is cut short.
        let is_cheap = !is_enough && self.base.holds_exactly();
        let alone = ask.anew(Lower::LeftOut);
        let mut joined = ask.anew(Lower::Joined);
        if is_alone {
            self.base.answer((system, topology), ask, meter, out);
            self.let_go(system, out);
            if out.outcome == Outcome::NotConverged {
                return;
            }
            std::mem::swap(&mut self.alone, out);
        } else if is_cheap {
            ask.direction.into_iter().for_each(|own| own.fill(0.0));
        } else {
            joined.direction = ask.direction;
        }
        if self.overlaid != Overlaid::Yes && !is_cheap && (is_single || !is_alone) {
            self.base.answer((system, topology), joined, meter, out);
            let is_cut = match out.outcome {
                Outcome::NotConverged => is_enough || self.base.is_cut(out),
                _ => false,
            };
            self.is_joined = is_cut && !is_alone;
            if is_cut && is_alone {
                std::mem::swap(&mut self.alone, out);
            }
            if is_cut || (is_enough && out.outcome == Outcome::Exact) {
                return;
            }
        }
        if !self.build_overlay(system, topology, meter) {
            if is_alone {
                std::mem::swap(&mut self.alone, out);
            }
            return;
        }
        if !is_alone {
            let first = alone.anew(Lower::LeftOut);
            self.base.answer((system, topology), first, meter, out);
            self.let_go(system, out);
            std::mem::swap(&mut self.alone, out);
        }
        self.lay_over(system, topology, (alone, 0), meter, out);
        if self.base.is_cut(out) {
            std::mem::swap(&mut self.alone, out);
        }
    }

    /// Computes the responses for lower priorities; false if iterations were cut short.
    fn build_overlay(
        &mut self,
        system: &System,
        topology: &Topology,
        meter: &mut Meter<'_>,
    ) -> bool {
        if self.overlaid == Overlaid::NotYet {
            let (base, scratch, joins) = (&mut self.base, &mut self.scratch, self.joins);
            let is_whole = self.overlay.factor(system, |force, y| {
                let ask = Ask {
                    force: Some(force),
                    ..Ask::default()
                };
                base.answer((system, topology), ask, meter, scratch);
                y.copy_from_slice(&scratch.motion);
                !(joins && base.is_cut(scratch))
            });
            self.overlaid = if is_whole {
                Overlaid::Yes
            } else {
                Overlaid::TooDear
            };
        }
        self.overlaid == Overlaid::Yes
    }

    /// Adds the forces of lower priorities to the solution of priority 0 alone, and solves again. `repeats`
    /// further solves reduce what damping left.
    fn lay_over(
        &mut self,
        system: &System,
        topology: &Topology,
        (ask, repeats): (Ask<'_>, usize),
        meter: &mut Meter<'_>,
        out: &mut Solution,
    ) {
        match ask.force {
            Some(force) => self.force.copy_from_slice(force),
            None => self.force.fill(0.0),
        }
        let (motion, lambda) = (&self.alone.motion, &mut self.scratch.lambda);
        self.overlay
            .solve((system, repeats), ask.b, motion, &mut self.force, lambda);
        let both = Ask {
            force: Some(&self.force),
            ..ask
        };
        self.base.answer((system, topology), both, meter, out);
        for &c in self.overlay.constraints() {
            let range = system.row_range(c);
            out.lambda[range.clone()].copy_from_slice(&self.scratch.lambda[range]);
        }
    }

    /// Sets the forces of lower priorities to zero.
    fn let_go(&self, system: &System, out: &mut Solution) {
        for &c in self.overlay.constraints() {
            out.lambda[system.row_range(c)].fill(0.0);
        }
    }

    /// The true residuals of priority 0 and of lower priorities.
    fn measure(
        &mut self,
        system: &System,
        (force, b): (Option<&[f64]>, Option<&[f64]>),
        out: &mut Solution,
    ) {
        let (lambda, y) = (&out.lambda, &out.motion);
        let all = self.checker.evaluate(
            (system, system.natural_size),
            &self.all,
            force,
            b,
            lambda,
            y,
        );
        out.lower_error = 0.0;
        for &c in self.overlay.constraints() {
            if system.constraints[c as usize].priority > 0 {
                for row in system.row_range(c) {
                    let error = system.row_scale[row] * self.checker.rows[row].abs();
                    out.lower_error = out.lower_error.max(error);
                }
            }
        }
        let exact = self.checker.evaluate(
            (system, system.natural_size),
            &self.exact,
            force,
            b,
            lambda,
            y,
        );
        out.residual = Residual {
            force_relative: all.force_relative,
            ..exact
        };
    }
}

/// Weight of a constraint's rows in an iteration: one at priority 0.
pub(super) fn weight(system: &System, constraint: u32) -> f64 {
    let block = &system.constraints[constraint as usize];
    if block.priority > 0 {
        block.weight
    } else {
        1.0
    }
}

/// Weights of rows where an iteration is cut short (Faure 1998, §5; Faure 1999, §6), the only case in which
/// weights of priority 0 count. Weights of lower priorities are in the scales of their rows. Empty if all are
/// equal.
pub(super) fn weights_of_exact(system: &System, rows: &Rows) -> Vec<f64> {
    let mut weights = Vec::with_capacity(rows.len());
    let mut is_even = true;
    for (c, places) in rows.iter() {
        let block = &system.constraints[c as usize];
        let own = if block.priority > 0 {
            1.0
        } else {
            block.weight
        };
        weights.resize(places.end, own);
        is_even &= own == weights[0];
    }
    if is_even {
        weights.clear();
    }
    weights
}

/// Damping of rows that are iterated together with priority 0: `ε·A` with the largest `A` of their priority, as
/// in the overlay. `mobility` has the scaled diagonal of all rows, and is replaced by the damping.
pub(super) fn damp_priorities(
    system: &System,
    (constraints, start): (&[u32], &[usize]),
    mobility: &mut [f64],
) {
    let priority = |at: usize| system.constraints[constraints[at] as usize].priority;
    let mut at = 0;
    while at < constraints.len() {
        let own = priority(at);
        let mut end = at;
        while end < constraints.len() && priority(end) == own {
            end += 1;
        }
        let rows = &mut mobility[start[at]..start[end]];
        let largest = rows.iter().fold(0.0f64, |most, &row| most.max(row));
        let part = if own > 0 { system.lower_damping } else { 0.0 };
        rows.fill(part * largest);
        at = end;
    }
}
