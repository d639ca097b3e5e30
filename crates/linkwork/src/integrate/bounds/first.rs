//! The first half of a step: who takes part, what hits, and how far everything goes.
//!
//! A flight without bounded impulses tells where stops would be passed, q° being where it ends. Gaps there know how contacts
//! curve, which their rates do not; impulses are added along the rows where the step began:
//!
//! ```text
//!     gap(q°)/h + W·r₁ ≥ goal/h ⊥ r₁ ≥ 0       goal = 0, or the gap it has where it is passed already
//! ```
//!
//! Closing what is passed within a step would become speed; `push_out` closes it. What does not touch yet
//! does not rub yet. Corrections move normals alone: friction and motors push as they did.

use super::super::rattle::Rattle;
use super::super::tolerances::{GAINS, LATE, MAX_CORRECTIONS, NEAR, TOUCHES};
use super::push_out::overrun;
use super::{BoundedSteps, Try, rest_speed};
use crate::frame::{Cause, Frame};
use crate::linalg::bounded::Set;
use crate::system::{Role, System};

impl BoundedSteps {
    /// Who takes part: servos; stops that touch, that would be passed within the step, or that were found late. The
    /// prediction was solved without bounded impulses.
    pub(super) fn choose(&mut self, frame: &mut Frame<'_, '_>, rattle: &mut Rattle, own: &Try) {
        let h = own.h;
        rattle.fly(frame, h);
        let (system, probe) = (frame.equations.system(), frame.equations.probe());
        for (k, motion) in self.motion.iter_mut().enumerate() {
            *motion = rattle.v_half[k] - frame.state.v[k];
        }
        let moves = system.kinetic_energy(&frame.state.v, &mut self.load);
        let falls = system.kinetic_energy(&self.motion, &mut self.load);
        self.may_gain = GAINS * (h / own.dt).max(1.0 / 64.0) * (moves + falls);
        self.overrun = overrun(system);
        self.over.chosen.clear();
        self.over.groups.clear();
        self.first.fill(0.0);
        let (mut is_chosen, mut rubs) = (false, false);
        for (at, row) in system.bounded.iter().enumerate() {
            let (gap, rate) = (row.gap(system), row.rate(system));
            self.gap[at] = gap;
            self.rate[at] = rate;
            self.change[at] = match row.role {
                // What servos make up for is not what the flight leaves behind.
                Role::Force { .. } => row.motion(system, &self.motion),
                _ => 0.5 * (row.rate(probe) - rate),
            };
            is_chosen = match row.role {
                Role::Force { .. } | Role::Hand { .. } | Role::More => true,
                Role::Across => is_chosen && rubs,
                Role::Stop { .. } | Role::Normal { .. } => {
                    let end = row.gap(probe);
                    self.end[at] = end;
                    self.goal[at] = (gap + TOUCHES).min(0.0);
                    rubs = gap < NEAR;
                    rubs || gap + 1.2 * (end - gap) < 0.0 || self.late[at]
                }
            };
            if is_chosen {
                self.over.chosen.push(at);
            }
        }
    }

    /// Impulses of the first half, and the prediction with them.
    pub(super) fn solve_first(&mut self, frame: &mut Frame<'_, '_>, rattle: &mut Rattle, h: f64) {
        if self.over.chosen.is_empty() {
            rattle.take_prediction(frame);
            return;
        }
        self.over.prepare(frame, 0.5 * h);
        let system = frame.equations.system();
        self.lead.ask(system, &self.over, h);
        for i in 0..self.over.chosen.len() {
            let at = self.over.chosen[i];
            let row = &system.bounded[at];
            let moves = self.rate[at] + self.change[at];
            self.over.rate[i] = match row.role {
                Role::Stop { .. } | Role::Normal { .. } => (self.end[at] - self.goal[at]) / h,
                Role::Hand { .. } | Role::More => moves + self.lead.rate(at),
                Role::Force { .. } | Role::Across => moves,
            };
            let force = row.force(system, &frame.state.lambda);
            self.over.impulse[i] = 0.5 * h * force / row.scale(system);
        }
        self.solve_bounded(frame);
        let system = frame.equations.system();
        self.over
            .push(system, &self.over.impulse, &mut rattle.force);
        rattle.solve_prediction(frame, h);
        rattle.take_prediction(frame);
        rattle.take_velocities(frame, h);
        for (&at, r) in self.over.chosen.iter().zip(&self.over.impulse) {
            self.first[at] = *r;
        }
    }

    /// When the first of those hits that pushed, did not touch before and are too fast to be stopped without a blow.
    pub(super) fn locate(&self, system: &System, own: &Try) -> Option<f64> {
        if !own.locates {
            return None;
        }
        let (h, mut first) = (own.h, None);
        for (at, row) in self.over.chosen.iter().map(|&at| (at, &system.bounded[at])) {
            let (gap, u) = (self.gap[at], self.rate[at]);
            let is_reached = self.first[at] > 0.0 || self.end[at] < TOUCHES;
            let is_new = row.is_stop() && is_reached && gap > TOUCHES;
            if !is_new {
                continue;
            }
            // The parabola through where it is and where it would end.
            let a = 2.0 * (self.end[at] - gap - u * h) / (h * h);
            if u + a * h >= -rest_speed(own, 2.0 * self.change[at] / h, u) {
                continue;
            }
            let root = u * u - 2.0 * a * gap;
            if root > 0.0 {
                let t = 2.0 * gap / (root.sqrt() - u);
                if t > 1e-9 * own.dt && t < first.unwrap_or(1.001 * h) {
                    first = Some(t);
                }
            }
        }
        // What hits where the step ends hits in it.
        first.map(|t| if t < 0.999 * h { t } else { h })
    }

    /// Flies and corrects until joints and stops are closed; how far the prediction was off.
    pub(super) fn correct(
        &mut self,
        frame: &mut Frame<'_, '_>,
        rattle: &mut Rattle,
        own: &Try,
    ) -> Result<f64, Cause> {
        let (h, guard) = (own.h, &own.guard);
        let (mut predicted, mut last) = (0.0, f64::INFINITY);
        for correction in 0..=MAX_CORRECTIONS {
            rattle.fly(frame, h);
            let probe = frame.equations.probe();
            let springs = frame.springs.gap(probe, h, &rattle.landing.impulse);
            let gap = probe.gap().max(springs).max(self.stops_open(probe));
            if correction == 0 {
                predicted = gap;
                if gap > guard.prediction + 2.0 * frame.contradiction {
                    return Err(Cause::Prediction);
                }
            }
            let is_closed = gap <= frame.tolerance.max(1.01 * frame.contradiction);
            if is_closed && (correction > 0 || frame.springs.is_empty()) {
                break;
            }
            let is_hopeless = correction > 2 && gap > 0.7 * last;
            if correction == MAX_CORRECTIONS || is_hopeless {
                if gap > guard.gap + 2.0 * frame.contradiction {
                    return Err(Cause::Gap);
                }
                break;
            }
            last = gap;
            self.correct_once(frame, rattle, h);
        }
        Ok(predicted)
    }

    /// How far stops that push are open, or passed further than they were, and hands from what they hold, meters.
    fn stops_open(&self, probe: &System) -> f64 {
        let mut worst = self.lead.open(probe, &self.over, &self.first);
        for &at in &self.over.chosen {
            let row = &probe.bounded[at];
            if row.is_stop() {
                let off = row.gap(probe) - self.goal[at];
                worst = worst.max(if self.first[at] > 0.0 {
                    off.abs()
                } else {
                    -off
                });
            }
        }
        worst
    }

    /// One correction: of joints alone, then of what stops and hands do about it.
    fn correct_once(&mut self, frame: &mut Frame<'_, '_>, rattle: &mut Rattle, h: f64) {
        let has_strains = frame.springs.has_strains();
        rattle.load_correction(frame, h);
        rattle.solve_correction(frame, has_strains);
        if self.over.chosen.is_empty() {
            rattle.take_correction(frame);
            return;
        }
        if !has_strains {
            rattle.force.fill(0.0);
        }
        let (system, probe) = (frame.equations.system(), frame.equations.probe());
        let solution = frame.equations.solution();
        for group in &mut self.over.groups {
            let at = self.over.chosen[group.start];
            let role = system.bounded[at].role;
            group.set = match role {
                Role::Stop { .. } | Role::Normal { .. } => Set::Along {
                    least: -self.first[at],
                },
                Role::Hand { .. } if self.lead.is_strong(at, &self.first[at..at + group.n]) => {
                    Set::Ball {
                        most: f64::INFINITY,
                    }
                }
                _ => Set::Nothing,
            };
        }
        for i in 0..self.over.chosen.len() {
            let at = self.over.chosen[i];
            let row = &system.bounded[at];
            let open = match row.role {
                Role::Stop { .. } | Role::Normal { .. } => row.gap(probe) - self.goal[at],
                Role::Hand { .. } | Role::More => row.gap(probe) - self.lead.rest(at),
                Role::Force { .. } | Role::Across => 0.0,
            };
            self.over.rate[i] = open / h + row.motion(system, &solution.motion);
            self.over.impulse[i] = 0.0;
        }
        self.solve_bounded(frame);
        let system = frame.equations.system();
        self.over
            .push(system, &self.over.impulse, &mut rattle.force);
        for (&at, change) in self.over.chosen.iter().zip(&self.over.impulse) {
            self.first[at] += change;
        }
        rattle.solve_correction(frame, true);
        rattle.take_correction(frame);
    }

    /// Whether a stop that was left out was passed; it takes part next time.
    pub(super) fn note_late(&mut self, probe: &System) -> bool {
        let mut any = false;
        for (at, row) in probe.bounded.iter().enumerate() {
            let is_left_out = row.is_stop() && self.over.chosen.binary_search(&at).is_err();
            if is_left_out && row.gap(probe) < self.goal[at] - LATE {
                self.late[at] = true;
                any = true;
            }
        }
        any
    }
}
