//! The first half of a step: impulses such that no stop is passed where the flight ends.
//!
//! A stop acts on a position; friction acts on rates. Friction holds the mean of the rates at both ends of the flight:
//!
//! ```text
//!     ½·(G(q)·v½ + G(q′)·v½′) = G(q)·v½ + drift = 0      where it sticks
//! ```
//!
//! A servo holds the rate at the start. On a body that turns, the touching point moves over the surface. If only the
//! rate at the start were held, the contact would slip by `h·γ` at the end, and the second half would remove that with
//! the work `¼·h·γ·r`. This error is of first order: a rolling ellipsoid gained 1.8 % of its energy per second. With
//! the mean, both halves cancel up to third order. A ball has no drift.

use super::super::rattle::Rattle;
use super::super::tolerances::{DRIFTS, LATE, MAX_CORRECTIONS, NEAR, SAME_PLACE, TOUCHES};
use super::second::{hits, rest_speed};
use super::{BoundedSteps, Try};
use crate::frame::{Cause, Frame};
use crate::system::{Role, System};

impl BoundedSteps {
    /// Chooses the rows that take part: servos; stops that touch, that would be passed within the step, or that were
    /// found late.
    pub(super) fn choose(&mut self, frame: &Frame<'_, '_>, rattle: &Rattle, h: f64) {
        let system = frame.system();
        for (k, motion) in self.motion.iter_mut().enumerate() {
            *motion = rattle.v_half[k] - frame.state.v[k];
        }
        self.over.chosen.clear();
        self.first.fill(0.0);
        self.drift.fill(0.0);
        let mut was_chosen = false;
        for (at, row) in system.bounded.iter().enumerate() {
            let change = row.motion(system, &self.motion);
            self.gap[at] = row.gap(system);
            self.rate[at] = row.rate(system);
            self.slope[at] = 2.0 * change / h;
            let gap = self.gap[at];
            self.goal[at] = if gap < -LATE { gap } else { 0.0 };
            let takes_part = match row.role {
                Role::Force { .. } | Role::Hand { .. } | Role::More => true,
                Role::Across => was_chosen,
                Role::Stop { .. } | Role::Normal { .. } => {
                    gap < NEAR || gap + 1.2 * h * (self.rate[at] + change) < 0.0 || self.late[at]
                }
            };
            was_chosen = takes_part;
            if takes_part {
                self.over.chosen.push(at);
            }
        }
    }

    /// How far a stop with this gap is from its goal, m. Round-off of positions counts as zero: otherwise the shares of
    /// redundant contacts, such as four corners, would follow it.
    pub(super) fn beyond(&self, at: usize, gap: f64) -> f64 {
        let beyond = gap - self.goal[at];
        if beyond.abs() < SAME_PLACE {
            0.0
        } else {
            beyond
        }
    }

    /// Solves for the impulses of the first half, and predicts with them.
    pub(super) fn solve_first(&mut self, frame: &mut Frame<'_, '_>, rattle: &mut Rattle, h: f64) {
        if self.over.chosen.is_empty() {
            rattle.take_prediction(frame);
            return;
        }
        self.over.columns.begin(frame.equations);
        self.note_soft(frame, h);
        self.over.prepare_giving(frame, 0.5 * h, &self.gives);
        let system = frame.equations.system();
        self.lead.ask(system, &self.over, h);
        for i in 0..self.over.chosen.len() {
            let at = self.over.chosen[i];
            let row = &system.bounded[at];
            let closing = match row.role {
                Role::Stop { .. } | Role::Normal { .. } => match self.rules[at] {
                    Some(rule) => rule.closing(self.gap[at]),
                    None => self.beyond(at, self.gap[at]) / h,
                },
                Role::Hand { .. } | Role::More => self.lead.rate(at),
                Role::Force { .. } | Role::Across => 0.0,
            };
            self.over.rate[i] = self.rate[at] + 0.5 * h * self.slope[at] + closing;
            let force = row.force(system, &frame.state.lambda);
            self.over.impulse[i] = 0.5 * h * force / row.scale(system);
        }
        self.solve_bounded(frame);
        if !self.superpose(frame, false) {
            let system = frame.equations.system();
            self.over
                .push(system, &self.over.impulse, &mut rattle.force);
            rattle.solve_prediction(frame, h);
        }
        rattle.take_prediction(frame);
        rattle.take_velocities(frame, h);
        self.note_first();
    }

    /// Adds the responses to the impulses that were found; in a correction, to their change alone.
    fn superpose(&mut self, frame: &mut Frame<'_, '_>, is_correction: bool) -> bool {
        self.added.clear();
        self.added.extend_from_slice(&self.over.impulse);
        if is_correction {
            self.over.columns.begin_anew();
            for (added, &at) in self.added.iter_mut().zip(&self.over.chosen) {
                *added -= self.first[at];
            }
        }
        self.over.columns.superpose(frame, &self.added)
    }

    pub(super) fn note_first(&mut self) {
        for (&at, r) in self.over.chosen.iter().zip(&self.over.impulse) {
            self.first[at] = *r;
        }
    }

    pub(super) fn solve_bounded(&mut self, frame: &mut Frame<'_, '_>) {
        let left = self.over.solve(frame);
        frame.log.law_error = frame.log.law_error.max(left);
    }

    /// When the first row hits: of those that pushed, did not touch before, and are too fast to be stopped without a
    /// blow. A row that touches already hits at once if it bounces; otherwise the step itself stops it.
    pub(super) fn locate(&self, system: &System, own: &Try) -> Option<f64> {
        if !own.locates {
            return None;
        }
        let mut first = None;
        for (at, row) in self.over.chosen.iter().map(|&at| (at, &system.bounded[at])) {
            let (gap, u, a) = (self.gap[at], self.rate[at], self.slope[at]);
            let bounces = row.is_hard_stop(system) && row.role.restitution() > Some(0.0);
            if bounces && gap <= TOUCHES && hits(own, a, u) {
                return Some(0.0);
            }
            let is_new = row.is_hard_stop(system) && self.first[at] > 0.0 && gap > TOUCHES;
            let is_met = is_new || self.begins_to_damp(system, at, own.h);
            if !is_met || u + a * own.h >= -rest_speed(own, a, u) {
                continue;
            }
            let root = u * u - 2.0 * a * gap;
            if root > 0.0 {
                let t = 2.0 * gap / (root.sqrt() - u);
                let is_at_once = t <= 1e-9 * own.dt;
                if is_at_once && bounces {
                    return Some(0.0);
                }
                if !is_at_once && t < first.unwrap_or(1.001 * own.h) {
                    first = Some(t);
                }
            }
        }
        // What hits where the step ends hits in it.
        first.map(|t| if t < 0.999 * own.h { t } else { own.h })
    }

    /// Flies and corrects until joints and stops are closed; returns the error of the prediction.
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
                if gap > guard.prediction + 2.0 * frame.measured.contradiction {
                    return Err(Cause::Prediction);
                }
            }
            let is_open = gap > frame.tolerance.max(1.01 * frame.measured.contradiction);
            // What turns too fast for a mean to say anything keeps the last one.
            let drifts =
                correction < DRIFTS && h * self.note_drift(frame, rattle) > 0.1 * frame.tolerance;
            let is_closed = !is_open && !drifts;
            if is_closed && (correction > 0 || frame.springs.is_empty()) {
                break;
            }
            let is_hopeless = correction > 2 && is_open && gap > 0.7 * last;
            if correction == MAX_CORRECTIONS || is_hopeless {
                if gap > guard.gap + 2.0 * frame.measured.contradiction {
                    return Err(Cause::Gap);
                }
                break;
            }
            last = gap;
            self.correct_once(frame, rattle, h);
        }
        Ok(predicted)
    }

    /// Measures by how much the flight itself changes the rates across contacts that push; returns how much of that is
    /// new, m/s.
    fn note_drift(&mut self, frame: &Frame<'_, '_>, rattle: &Rattle) -> f64 {
        let (system, probe) = (frame.equations.system(), frame.equations.probe());
        for (k, motion) in self.motion.iter_mut().enumerate() {
            *motion = rattle.v_half[k] - frame.state.v[k];
        }
        let (mut most, mut pushes) = (0.0f64, false);
        for (i, row) in self.over.iter(probe) {
            if row.role != Role::Across {
                pushes = self.over.impulse[i] > 0.0;
                continue;
            }
            let at = self.over.chosen[i];
            let begins = self.rate[at] + system.bounded[at].motion(system, &self.motion);
            // The trial holds the kick once more than it was.
            let ends = row.rate(probe) - row.motion(probe, &rattle.landing.kick);
            let drift = if pushes { 0.5 * (ends - begins) } else { 0.0 };
            most = most.max((drift - self.drift[at]).abs());
            self.drift[at] = drift;
        }
        most
    }

    /// The largest distance of pushing stops from their goals, of other stops beyond theirs, and of hands from what
    /// they hold, m.
    pub(super) fn stops_open(&self, probe: &System) -> f64 {
        let mut worst = 0.0f64;
        for (i, row) in self.over.iter(probe) {
            if row.is_stop() {
                let (at, impulse) = (self.over.chosen[i], self.over.impulse[i]);
                let open = match self.rules[at] {
                    Some(rule) => rule.open(self.gap[at], row.gap(probe), impulse),
                    None => self.beyond(at, row.gap(probe)),
                };
                let pushes = impulse > 0.0;
                worst = worst.max(if pushes { open.abs() } else { -open });
            }
        }
        worst.max(self.lead.open(probe, &self.over))
    }

    /// One correction: of joints alone, then of bounded rows.
    fn correct_once(&mut self, frame: &mut Frame<'_, '_>, rattle: &mut Rattle, h: f64) {
        let has_strains = frame.springs.has_strains();
        rattle.load_correction(frame, h);
        if self.over.chosen.is_empty() {
            rattle.solve_correction(frame, has_strains);
            rattle.take_correction(frame);
            return;
        }
        rattle.solve_rows(frame, has_strains);
        for (k, motion) in self.motion.iter_mut().enumerate() {
            *motion = rattle.v_half[k] - frame.state.v[k];
        }
        let (system, probe) = (frame.equations.system(), frame.equations.probe());
        let solution = frame.equations.solution();
        for i in 0..self.over.chosen.len() {
            let at = self.over.chosen[i];
            let row = &system.bounded[at];
            // What the impulses so far do: W·r.
            let without = self.over.left[i] - self.over.rate[i];
            let now = match row.role {
                Role::Stop { .. } | Role::Normal { .. } => match self.rules[at] {
                    Some(rule) => {
                        let impulse = self.over.impulse[i];
                        rule.rate(self.gap[at], row.gap(probe), impulse)
                    }
                    None => self.beyond(at, row.gap(probe)) / h,
                },
                Role::Hand { .. } | Role::More => (row.gap(probe) - self.lead.rest(at)) / h,
                Role::Force { .. } | Role::Across => {
                    self.rate[at] + row.motion(system, &self.motion) + self.drift[at]
                }
            };
            let change = row.motion(system, &solution.motion);
            self.over.rate[i] = now + change - without;
        }
        rattle.take_correction(frame);
        self.solve_bounded(frame);
        if !self.superpose(frame, true) {
            let system = frame.equations.system();
            // Rows that contradict each other are asked once.
            rattle.force.fill(0.0);
            for (i, row) in self.over.iter(system) {
                let at = self.over.chosen[i];
                let change = self.over.impulse[i] - self.first[at];
                row.push(system, change, &mut rattle.force);
            }
            rattle.solve_pushes(frame);
        }
        self.note_first();
        rattle.take_correction(frame);
    }

    /// Whether a stop that was left out was passed; such stops take part in the next try.
    pub(super) fn find_late(&mut self, probe: &System) -> bool {
        let mut any = false;
        for (at, row) in probe.bounded.iter().enumerate() {
            let is_stop = row.is_stop();
            if is_stop && !self.over.chosen.contains(&at) && row.gap(probe) < -LATE {
                self.late[at] = true;
                any = true;
            }
        }
        any
    }
}
