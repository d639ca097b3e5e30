//! The `Interactive` scheme: RATTLE under two alarms, sub-steps where they sound, and an implicit
//! last resort.
//!
//! No fixed-step scheme survives a whipping chain at 1/60 s for a minute. The alarms cost next to
//! nothing, and a refused try needs no new factor, because the factor does not depend on h (but where
//! rows are soft):
//!
//! - the closure error of the prediction, before any correction, above a thousandth of a bar;
//! - geometric stiffness: h·ω above one for some body.
//!
//! Where iterative methods are cut short, what they leave open would become velocity and pump energy
//! into the motion; then the rest of the frame is taken by Faure's displacement, which damps.
//!
//! A frame is split into halves, quarters, … down to `2^max_level` parts, and joined again when the
//! predictions are good. Where it ends, what is still open of level 0 is closed. Where it cannot be
//! closed, because joints contradict each other, what is torn apart must not become speed (`tame`).

use super::rattle::{Guard, Tried};
use super::{Integrator, Stage};
use crate::assemble::{Motion, Soft};
use crate::solve::Outcome;
use crate::stabilize::{CLOSINGS, Stabilization};
use crate::step::Interactive;

/// The prediction's closure error that refuses a try, in bar lengths.
const PREDICTION: f64 = 1e-3;
/// At the last level so much more is accepted before the last resort.
const LENIENCE: f64 = 10.0;
/// What may be left after corrections, in bar lengths.
pub(super) const GAP: f64 = 1e-6;
/// Impulses of a solve that leaves more than this part of the motion are too coarse for RATTLE.
const ROUGH: f64 = 1e-5;

impl Stage<'_, '_> {
    /// Advances the state by `dt`.
    pub(crate) fn interactive(&mut self, dt: f64, options: &Interactive) {
        let max_level = options.max_level.min(16);
        let n_units = 1u64 << max_level;
        let unit = dt / n_units as f64;
        let length = self.length();
        let end = self.work.state.t + dt;
        let mut level = level_of(self.work.state.substep, dt, max_level);
        let mut done = 0u64;
        if self.is_cut_short() {
            // As it was in the last frame. A prediction would be coarse too, and for nothing.
            self.rough_step(dt);
            done = n_units;
        }
        while done < n_units {
            // A sub-step begins where its size divides the frame.
            while !done.is_multiple_of(n_units >> level) {
                level += 1;
            }
            let n = n_units >> level;
            let h = unit * n as f64;
            let at_last = level == max_level;
            let lenience = if at_last { LENIENCE } else { 1.0 };
            let guard = Guard {
                prediction: lenience * PREDICTION * length,
                gap: (GAP * length).max(self.tolerance),
            };
            // Nothing left to spend: the rest at once, by what takes any step.
            let rest = unit * (n_units - done) as f64;
            if self.report.substeps > 0 && self.is_spent() {
                if self.is_rough() {
                    self.rough_step(rest);
                } else {
                    self.remember_forces(rest);
                    self.implicit(rest);
                }
                break;
            }
            match self.rattle(h, Some(guard)) {
                Tried::Done(predicted) => {
                    done += n;
                    let joins = level > 0 && done.is_multiple_of(n_units >> (level - 1));
                    if joins && 8.0 * predicted < 0.7 * PREDICTION * length {
                        level -= 1;
                    }
                }
                Tried::Refused if self.is_rough() => {
                    self.report.refused += 1;
                    self.rough_step(rest);
                    break;
                }
                Tried::Refused if !at_last => {
                    self.report.refused += 1;
                    level += 1;
                }
                Tried::Refused => {
                    self.report.refused += 1;
                    self.implicit(h);
                    done += n;
                }
            }
        }
        let state = &self.work.state;
        if !state.q.iter().chain(&state.v).all(|x| x.is_finite()) {
            // Constraints that contradict each other tore at the bodies: once more, from the start.
            self.begin_again(dt);
            self.rough_step(dt);
        }
        self.close_what_is_left();
        if self.report.last_resorts > 0 && self.is_torn(PREDICTION * length) {
            self.tame(dt);
        }
        self.work.state.substep = unit * (n_units >> level) as f64;
        self.work.state.t = end;
    }

    /// Goes back to where the frame began.
    pub(super) fn begin_again(&mut self, dt: f64) {
        self.work.state.clone_from(self.world.state());
        let q = &mut self.work.state.q;
        self.equations.layout.begin_step(self.world, q, dt);
        self.remember_strains();
        self.work.forget();
        self.equations.start_cold();
    }

    /// Closes level 0 where the frame ends, if it can be closed: a goal out of reach opens it again with
    /// every correction, and guards let that pass. Lower levels keep their places and rates: what they
    /// lack would pump energy into the motion.
    fn close_what_is_left(&mut self) {
        let enough = self.tolerance.max(1.01 * self.contradiction);
        let is_left = self.is_measured() && self.work.gap(&self.equations.system) > enough;
        if !is_left || self.is_spent() {
            return;
        }
        let work = &mut *self.work;
        work.open_q.copy_from_slice(&work.state.q);
        if !self.close_exact_level(Soft::Absent, CLOSINGS) {
            let work = &mut *self.work;
            work.state.q.copy_from_slice(&work.open_q);
        }
        self.equations.direction.fill(0.0);
        self.make_rates_right(false);
    }

    /// Whether joints of level 0 that contradict each other are open by more than `gap` where the frame
    /// ended.
    fn is_torn(&mut self, gap: f64) -> bool {
        if self.contradiction <= gap {
            return false;
        }
        let at = (self.world, &self.work.state);
        self.equations.look(at, Motion::Displacement, Soft::Rows);
        let left = self.work.gap(&self.equations.probe);
        left > gap || left.is_nan()
    }

    /// Whether the last solve was cut so short that its impulses would pump energy into the step.
    pub(super) fn is_rough(&self) -> bool {
        let solution = &self.equations.solution;
        solution.outcome == Outcome::NotConverged && solution.residual.rows_relative > ROUGH
    }

    /// Faure 1998, §4.2: the step that takes coarse solves, first order and damping. A single
    /// correction would pump energy too.
    fn rough_step(&mut self, h: f64) {
        self.report.last_resorts += 1;
        let rule = Stabilization::Displacement {
            iterations: CLOSINGS,
        };
        self.explicit(h, Integrator::Stoermer, &rule);
        self.displacement(2..=CLOSINGS, h);
        if self.meter.ended().is_none() && !self.is_rough() {
            // There is enough to spend for another scheme.
            self.equations.direction.fill(0.0);
        }
        self.velocities_are_right = false;
    }
}

/// The level whose sub-steps are not longer than `substep`; zero if that is unknown.
fn level_of(substep: f64, dt: f64, max_level: u8) -> u8 {
    let mut level = 0;
    let mut h = dt;
    while substep > 0.0 && h > 1.5 * substep && level < max_level {
        h *= 0.5;
        level += 1;
    }
    level
}
