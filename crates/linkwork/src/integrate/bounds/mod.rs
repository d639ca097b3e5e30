//! Frames of worlds with bounded rows: limits, motors that give way, dry friction (`docs/adr/0027-bounded-rows.md`).
//!
//! RATTLE with bounded impulses in both halves, G being the rows that take part:
//!
//! ```text
//!     v½ = v + M⁻¹·(h/2·f + Jᵀ·μ + Gᵀ·r₁)       stops: gap(q′) ≥ goal ⊥ r₁ ≥ 0    servos: ċ = 0, r₁ within h/2 times their force
//!     v′ = v½′ + M⁻¹·(h/2·f + Jᵀ·ν + Gᵀ·(r − r₁))      stops: ċ ≥ 0 ⊥ r ≥ 0       servos: r within h times it
//! ```
//!
//! The law of a step is on its whole impulse r: what only kept a body out of a stop never becomes speed, and what lasts
//! is plain RATTLE, of second order. The goal is zero. But a stop that is passed where the step begins keeps its gap: closing it
//! within the step would need speed, which the rows of the end take back only in part. What is passed is pushed back as places
//! are, without speed (`push_out`). A step in which something hits a stop ends where it hits; there velocities jump
//! (`blow`). Beyond so many blows in a frame there is no rebound: what bounces ever faster comes to rest.
//!
//! Frames in which no stop is near are taken by the scheme that was chosen, and again here if one was passed. Steps are
//! halved under the same alarms as in `interactive`. At the last depth the implicit step is taken, and its
//! result put between the bounds, places and velocities: what it passed would sound the alarm of every step after it.

mod blow;
mod hand;
pub(super) mod over;
mod push_out;
mod refined;
mod taut;
mod work;

use super::interactive::{Interactive, depth_of};
use super::middle::Tension;
use super::rattle::{Guard, Rattle};
use super::tolerances::{
    BLOWS, CUTS, GAP, LATE, LENIENCE, MAX_CORRECTIONS, MAX_CUTS, MAX_DEPTH, NEAR, PREDICTION,
    TOUCHES,
};
use crate::equations::{Load, Motion, Request, Soft};
use crate::frame::{Cause, Frame, Rung};
use crate::linalg::size;
use crate::stabilize::Closing;
use crate::system::{Role, System};
use crate::world::State;
use blow::Blow;
use hand::Lead;
use over::Over;
use push_out::PushOut;
pub(super) use taut::Taut;
use work::Work;

/// The buffers of the scheme.
#[derive(Debug, Default)]
pub(super) struct BoundedSteps {
    over: Over,
    blow: Blow,
    lead: Lead,
    push_out: PushOut,
    /// Of each bounded row: its gap where the step begins, its rate there and how that would change, m, m/s, m/s².
    gap: Vec<f64>,
    rate: Vec<f64>,
    slope: Vec<f64>,
    /// Where a stop may be when the step ends, at the least, m.
    goal: Vec<f64>,
    /// Impulses of the first half, scaled.
    first: Vec<f64>,
    /// The energy that stops put in.
    work: Work,
    /// Rows that were left out and should not have been.
    late: Vec<bool>,
    is_hit: Vec<bool>,
    /// `v½ − v` without bounded impulses, or any other motion.
    motion: Vec<f64>,
    load: Vec<f64>,
    /// A frame in fewer parts.
    coarse: State,
    /// Where a step begins that may have to be shorter.
    before: State,
}

/// How a try ended.
enum Tried {
    /// The state was advanced; the prediction was off by so much.
    Done(f64),
    Refused(Cause),
    /// Something hits after so many seconds.
    Hits(f64),
    /// Something would pass through something: a shorter step, of so many seconds, ends before that.
    Passes(f64),
}

/// What a try may do.
#[derive(Clone, Copy)]
struct Try {
    h: f64,
    /// The frame, seconds.
    dt: f64,
    guard: Guard,
    /// It may end before something hits.
    locates: bool,
    /// It ends where something hits.
    rebounds: bool,
}

impl BoundedSteps {
    pub(super) fn size(&mut self, frame: &Frame<'_, '_>) {
        let system = frame.system();
        self.push_out.size(system);
        self.fit(system);
        size(&mut self.motion, system.n_v());
        size(&mut self.load, system.n_v());
    }

    /// Makes room for the rows there are: those of contact come and go.
    fn fit(&mut self, system: &System) {
        let n = system.bounded.len();
        self.over.size(system);
        self.blow.size(n);
        self.lead.size(n);
        for buffer in [
            &mut self.gap,
            &mut self.rate,
            &mut self.slope,
            &mut self.goal,
            &mut self.first,
        ] {
            size(buffer, n);
        }
        self.late.resize(n, false);
        self.is_hit.resize(n, false);
    }

    /// Finds what may touch within `h` seconds.
    fn find_contacts(&mut self, frame: &mut Frame<'_, '_>, h: f64) {
        if frame.equations.layout.has_colliders() {
            frame.equations.find_contacts((frame.world, frame.state), h);
            self.fit(frame.equations.system());
        }
    }

    /// Advances the state by `dt`, in sub-steps of at most `longest` seconds.
    pub(super) fn step(
        &mut self,
        ladder: &mut Interactive,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        (dt, longest): (f64, f64),
        max_depth: u8,
    ) {
        let max_depth = max_depth.min(MAX_DEPTH);
        let length = frame.system().bar_length();
        let end = frame.state.t + dt;
        let mut depth = depth_of(frame.state.substep, dt, max_depth);
        let part = |depth: u8| dt / (1u64 << depth) as f64;
        let (mut done, mut blows, mut cuts) = (0.0, 0, 0);
        let mut cause = Cause::Regular;
        // What joint forces turn too fast in longer steps, they do all the frame.
        let mut least_depth = 0;
        let mut found = f64::NAN;
        while dt - done > 1e-12 * dt {
            // Nothing left to spend: the rest at once, without rebound.
            if frame.log.substeps > 0 && frame.out_of_budget() {
                self.take_rest(ladder, frame, closing, (dt - done, dt));
                break;
            }
            let h = part(depth).min(longest).min(dt - done);
            if found != done {
                found = done;
                self.find_contacts(frame, h);
            }
            let is_last = depth == max_depth;
            let lenience = if is_last { LENIENCE } else { 1.0 };
            let guard = Guard {
                prediction: lenience * PREDICTION * length,
                gap: (GAP * length).max(frame.tolerance),
                is_last,
            };
            let locates = blows < BLOWS;
            let mut own = Try {
                h,
                dt,
                guard,
                locates,
                rebounds: false,
            };
            let mut tried = self.attempt(ladder, frame, closing, own);
            if let Tried::Passes(_) = tried {
                cuts += 1;
                if cuts > CUTS {
                    self.take_rest(ladder, frame, closing, (dt - done, dt));
                    break;
                }
                tried = self.cut_short(ladder, frame, closing, (tried, &mut own));
            }
            if let Tried::Hits(t) = tried {
                blows += 1;
                own.h = t;
                (own.locates, own.rebounds) = (false, true);
                tried = self.attempt(ladder, frame, closing, own);
                tried = self.cut_short(ladder, frame, closing, (tried, &mut own));
            }
            let rung = match own.h < 0.999 * dt {
                true => Rung::Halved,
                false => Rung::Whole,
            };
            match tried {
                Tried::Done(predicted) => {
                    let is_met = own.rebounds || own.h < h;
                    let why = if is_met { Cause::Blow } else { cause };
                    frame.log.rungs.count(rung, why);
                    done += own.h;
                    if depth > least_depth && 8.0 * predicted < 0.7 * PREDICTION * length {
                        depth -= 1;
                    }
                }
                Tried::Refused(why) => {
                    cause = why;
                    frame.log.refused += 1;
                    if is_last || frame.is_rough() {
                        frame.log.rungs.count(Rung::Implicit, cause);
                        self.damp(ladder, frame, closing, own.h);
                        done += own.h;
                    } else {
                        depth += 1;
                        if cause == Cause::Stiffness {
                            least_depth = depth;
                        }
                    }
                }
                Tried::Hits(_) | Tried::Passes(_) => unreachable!("it was cut short"),
            }
        }
        frame.log.blows = blows;
        ladder.close_what_is_left(frame, closing);
        self.push_out.apply(frame, closing);
        frame.state.substep = part(depth);
        frame.state.t = end;
    }

    /// The rest of a frame whose budget is spent: one step whose alarms are not heeded; else the one that takes any.
    fn take_rest(
        &mut self,
        ladder: &mut Interactive,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        (h, dt): (f64, f64),
    ) {
        self.find_contacts(frame, h);
        let own = Try {
            h,
            dt,
            guard: Guard {
                prediction: f64::INFINITY,
                gap: f64::INFINITY,
                is_last: true,
            },
            locates: false,
            rebounds: false,
        };
        let mut own = own;
        let tried = self.attempt(ladder, frame, closing, own);
        // What would pass through something waits where it is met: the rest of its way is not gone.
        let tried = self.cut_short(ladder, frame, closing, (tried, &mut own));
        if let Tried::Done(_) = tried {
            let rung = if h < 0.999 * dt {
                Rung::Halved
            } else {
                Rung::Whole
            };
            frame.log.rungs.count(rung, Cause::Budget);
            return;
        }
        frame.log.rungs.count(Rung::Implicit, Cause::Budget);
        self.damp(ladder, frame, closing, h);
    }

    /// Tries shorter steps until nothing passes through anything.
    fn cut_short(
        &mut self,
        ladder: &mut Interactive,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        (mut tried, own): (Tried, &mut Try),
    ) -> Tried {
        for again in 0..MAX_CUTS {
            let Tried::Passes(t) = tried else {
                return tried;
            };
            frame.log.refused += 1;
            // What is still met in the shorter step is met early.
            own.h = if again < 2 { t } else { 0.5 * t };
            own.rebounds = false;
            tried = self.attempt(ladder, frame, closing, *own);
        }
        match tried {
            Tried::Passes(_) => Tried::Refused(Cause::Prediction),
            _ => tried,
        }
    }

    /// The implicit step, within bounds; where something would pass through something, only a part of it.
    fn damp(
        &mut self,
        ladder: &mut Interactive,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        h: f64,
    ) {
        let mut part = h;
        for _ in 0..MAX_CUTS {
            self.find_contacts(frame, part);
            self.before.copy_motion(frame.state);
            ladder.damp(frame, closing, part);
            let ways = (&self.before, &*frame.state);
            let Some(s) = frame.equations.find_passing(frame.world, ways, part) else {
                self.push_out.apply(frame, closing);
                self.put_between(frame, h);
                return;
            };
            frame.state.copy_motion(&self.before);
            frame.rates_hold = false;
            part *= 0.5 * s;
        }
        // Nothing moves: what it is between holds it.
        self.put_between(frame, h);
    }

    /// What another scheme left: places and velocities are put within their bounds.
    pub(super) fn mend(&mut self, frame: &mut Frame<'_, '_>, closing: &mut Closing, dt: f64) {
        self.push_out.apply(frame, closing);
        self.put_between(frame, dt);
    }

    /// Only places: without momentum there is nothing else.
    pub(super) fn push_out(&mut self, frame: &mut Frame<'_, '_>, closing: &mut Closing) {
        self.push_out.apply(frame, closing);
    }

    /// Tries a step.
    fn attempt(
        &mut self,
        ladder: &mut Interactive,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        own: Try,
    ) -> Tried {
        let h = own.h;
        self.late.fill(false);
        let predicted = loop {
            let rattle = &mut ladder.rattle;
            rattle.load_prediction(frame, closing, h, 1.0);
            rattle.solve_prediction(frame, h);
            if frame.is_rough() {
                return Tried::Refused(Cause::Rough);
            }
            rattle.take_velocities(frame, h);
            self.choose(frame, rattle, h);
            self.solve_first(frame, rattle, h);
            if let Some(t) = self.locate(frame.equations.system(), &own) {
                return Tried::Hits(t);
            }
            if own.guard.gap.is_finite() {
                match ladder.tension(frame, h) {
                    Tension::Slow => {}
                    Tension::Taut if ladder.is_soft() && Self::are_all_stops(frame.system()) => {
                        return self.attempt_taut(ladder, frame, &own);
                    }
                    _ => return Tried::Refused(Cause::Stiffness),
                }
            }
            let rattle = &mut ladder.rattle;
            let predicted = match self.correct(frame, rattle, &own) {
                Ok(predicted) => predicted,
                Err(cause) => return Tried::Refused(cause),
            };
            if !self.find_late(frame.equations.probe()) {
                break predicted;
            }
        };
        let rattle = &mut ladder.rattle;
        let ways = (&*frame.state, &rattle.landing.trial);
        if let Some(s) = frame.equations.find_passing(frame.world, ways, h) {
            return Tried::Passes(s * h);
        }
        rattle.landing.start.clear();
        self.note_first_work(frame.equations.system(), rattle, &frame.state.v);
        rattle.landing.arrive(frame, h);
        self.land(frame, rattle, &own);
        // The trial is where the step began now.
        let kinetic = frame.kinetic_energy(&rattle.landing.trial.v, &mut self.load);
        if own.guard.gap.is_finite() && self.work.is_too_much(kinetic) {
            rattle.landing.take_back(frame);
            return Tried::Refused(Cause::Runaway);
        }
        if frame.is_rough() {
            rattle.landing.take_back(frame);
            return Tried::Refused(Cause::Rough);
        }
        Tried::Done(predicted)
    }

    /// Who takes part: servos; stops that touch, that would be passed within the step, or that were found late.
    fn choose(&mut self, frame: &Frame<'_, '_>, rattle: &Rattle, h: f64) {
        let system = frame.system();
        for (k, motion) in self.motion.iter_mut().enumerate() {
            *motion = rattle.v_half[k] - frame.state.v[k];
        }
        self.over.chosen.clear();
        self.first.fill(0.0);
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

    /// Impulses of the first half, and the prediction with them.
    fn solve_first(&mut self, frame: &mut Frame<'_, '_>, rattle: &mut Rattle, h: f64) {
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
            let closing = match row.role {
                Role::Stop { .. } | Role::Normal { .. } => (self.gap[at] - self.goal[at]) / h,
                Role::Hand { .. } | Role::More => self.lead.rate(at),
                Role::Force { .. } | Role::Across => 0.0,
            };
            self.over.rate[i] = self.rate[at] + 0.5 * h * self.slope[at] + closing;
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
        self.note_first();
    }

    fn note_first(&mut self) {
        for (&at, r) in self.over.chosen.iter().zip(&self.over.impulse) {
            self.first[at] = *r;
        }
    }

    fn solve_bounded(&mut self, frame: &mut Frame<'_, '_>) {
        let left = self.over.solve(&mut frame.meter);
        frame.log.law_error = frame.log.law_error.max(left);
    }

    /// When the first of those hits that pushed, did not touch before and are too fast to be stopped without a blow.
    fn locate(&self, system: &System, own: &Try) -> Option<f64> {
        if !own.locates {
            return None;
        }
        let mut first = None;
        for (at, row) in self.over.chosen.iter().map(|&at| (at, &system.bounded[at])) {
            let (gap, u, a) = (self.gap[at], self.rate[at], self.slope[at]);
            let is_new = row.is_stop() && self.first[at] > 0.0 && gap > TOUCHES;
            if !is_new || u + a * own.h >= -rest_speed(own, a, u) {
                continue;
            }
            let root = u * u - 2.0 * a * gap;
            if root > 0.0 {
                let t = 2.0 * gap / (root.sqrt() - u);
                if t > 1e-9 * own.dt && t < first.unwrap_or(1.001 * own.h) {
                    first = Some(t);
                }
            }
        }
        // What hits where the step ends hits in it.
        first.map(|t| if t < 0.999 * own.h { t } else { own.h })
    }

    /// Flies and corrects until joints and stops are closed; how far the prediction was off.
    fn correct(
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

    /// How far stops that push are from where they may be, or are beyond it, and hands from what they hold, meters.
    fn stops_open(&self, probe: &System) -> f64 {
        let mut worst = 0.0f64;
        for (i, row) in self.over.iter(probe) {
            if row.is_stop() {
                let open = row.gap(probe) - self.goal[self.over.chosen[i]];
                let pushes = self.over.impulse[i] > 0.0;
                worst = worst.max(if pushes { open.abs() } else { -open });
            }
        }
        worst.max(self.lead.open(probe, &self.over))
    }

    /// One correction: of joints alone, then of what bounded rows do about it.
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
                Role::Stop { .. } | Role::Normal { .. } => (row.gap(probe) - self.goal[at]) / h,
                Role::Hand { .. } | Role::More => (row.gap(probe) - self.lead.rest(at)) / h,
                Role::Force { .. } | Role::Across => {
                    self.rate[at] + row.motion(system, &self.motion)
                }
            };
            let change = row.motion(system, &solution.motion);
            self.over.rate[i] = now + change - without;
        }
        self.solve_bounded(frame);
        let system = frame.equations.system();
        for (i, row) in self.over.iter(system) {
            let at = self.over.chosen[i];
            let change = self.over.impulse[i] - self.first[at];
            row.push(system, change, &mut rattle.force);
        }
        self.note_first();
        rattle.solve_correction(frame, true);
        rattle.take_correction(frame);
    }

    /// Whether a stop that was left out was passed; it takes part next time.
    fn find_late(&mut self, probe: &System) -> bool {
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

    /// The second half, where the flight ended.
    fn land(&mut self, frame: &mut Frame<'_, '_>, rattle: &mut Rattle, own: &Try) {
        let (h, landing) = (own.h, &mut rattle.landing);
        landing.load_velocities(frame, h);
        let system = frame.equations.system();
        self.choose_at_end(system, own);
        if self.over.chosen.is_empty() {
            landing.solve_velocities(frame);
        } else {
            // Without what bounded rows did in the first half, of which the whole step is the law.
            for i in 0..self.over.chosen.len() {
                let at = self.over.chosen[i];
                system.bounded[at].push(system, -self.first[at], &mut landing.force);
            }
            self.over.prepare(frame, h);
            landing.solve_velocities(frame);
            let (system, solution) = (frame.equations.system(), frame.equations.solution());
            self.lead.ask(system, &self.over, h);
            for i in 0..self.over.chosen.len() {
                let at = self.over.chosen[i];
                let row = &system.bounded[at];
                self.over.rate[i] = row.rate(system) + row.motion(system, &solution.motion);
                if row.is_hand() {
                    self.over.rate[i] += self.lead.rate(at);
                }
                self.over.impulse[i] = 2.0 * self.first[at];
            }
            self.strike_or_solve(frame, own);
            let system = frame.equations.system();
            self.over
                .push(system, &self.over.impulse, &mut landing.force);
            landing.solve_velocities(frame);
            self.note_second_work(frame, landing);
        }
        landing.take_velocities(frame, h);
        self.write_forces(frame, h);
    }

    /// Who takes part where the step ends.
    fn choose_at_end(&mut self, system: &System, own: &Try) {
        // A step that ends at a hit may end a little before it.
        let near = if own.rebounds { NEAR } else { TOUCHES };
        self.over.chosen.clear();
        let mut was_chosen = false;
        for (at, row) in system.bounded.iter().enumerate() {
            let takes_part = match row.role {
                Role::Force { .. } | Role::Hand { .. } | Role::More => true,
                Role::Across => was_chosen,
                Role::Stop { .. } | Role::Normal { .. } => {
                    self.first[at] > 0.0 || row.gap(system) < near
                }
            };
            was_chosen = takes_part;
            if takes_part {
                self.over.chosen.push(at);
            }
        }
    }

    /// A blow where the step ends at one; else rates as bounds allow.
    fn strike_or_solve(&mut self, frame: &mut Frame<'_, '_>, own: &Try) {
        let mut any = false;
        for (i, &at) in self.over.chosen.iter().enumerate() {
            let row = &frame.equations.system().bounded[at];
            let is_new = row.is_stop() && self.gap[at] > TOUCHES;
            let u = self.over.rate[i];
            self.is_hit[at] = own.rebounds && is_new && u < -rest_speed(own, self.slope[at], u);
            any |= self.is_hit[at];
        }
        if any {
            let system = frame.equations.system();
            let at = (system, &mut frame.meter);
            let left = self.blow.strike(at, &mut self.over, &self.is_hit);
            frame.log.law_error = frame.log.law_error.max(left);
        } else {
            self.solve_bounded(frame);
        }
    }

    /// Impulses of the step become forces.
    fn write_forces(&mut self, frame: &mut Frame<'_, '_>, h: f64) {
        let system = frame.equations.system();
        self.first.fill(0.0);
        for (i, row) in self.over.iter(system) {
            let force = row.scale(system) * self.over.impulse[i] / h;
            self.first[self.over.chosen[i]] = force;
        }
        for (row, force) in system.bounded.iter().zip(&self.first) {
            if let Some(row) = row.row() {
                frame.state.lambda[row] = *force;
            }
        }
        let forces = system.bounded.iter().zip(&self.first);
        let of_touches = forces.filter_map(|(row, force)| Some((row.touch()?, *force)));
        system.write_touching(of_touches, &mut frame.state.touching);
        frame.equations.remember_contacts(&frame.state.touching);
    }

    /// Puts the velocities of the state within what stops and servos allow in `h` seconds, without rebound.
    fn put_between(&mut self, frame: &mut Frame<'_, '_>, h: f64) {
        self.find_contacts(frame, h);
        frame.prepare(Motion::Velocity, Soft::Absent);
        let system = frame.equations.system();
        self.over.chosen.clear();
        let mut was_chosen = false;
        for (at, row) in system.bounded.iter().enumerate() {
            was_chosen = match row.role {
                Role::Force { .. } | Role::Hand { .. } | Role::More => true,
                Role::Across => was_chosen,
                Role::Stop { .. } | Role::Normal { .. } => row.gap(system) <= NEAR,
            };
            if was_chosen {
                self.over.chosen.push(at);
            }
        }
        if !self.over.chosen.is_empty() {
            self.over.prepare(frame, h);
            let system = frame.equations.system();
            for i in 0..self.over.chosen.len() {
                let row = &system.bounded[self.over.chosen[i]];
                self.over.rate[i] = row.rate(system);
                self.over.impulse[i] = 0.0;
            }
            self.solve_bounded(frame);
            self.load.fill(0.0);
            let system = frame.equations.system();
            self.over.push(system, &self.over.impulse, &mut self.load);
            let request = Request {
                load: Load::Given(&self.load),
                ..Request::default()
            };
            frame.equations.solve(request, &mut frame.meter);
            let motion = &frame.equations.solution().motion;
            for (v, y) in frame.state.v.iter_mut().zip(motion) {
                *v += y;
            }
        }
        self.write_forces(frame, h);
        frame.rates_hold = false;
    }
}

/// Whether no bound can act within a frame: there are only stops, none of which is near. Then the frame is taken as if
/// there were none, by what follows whips and springs better.
pub(super) fn are_far(frame: &mut Frame<'_, '_>, dt: f64) -> bool {
    if frame.equations.layout.has_colliders() {
        frame
            .equations
            .find_contacts((frame.world, frame.state), dt);
    }
    let probe = frame.fill_probe(Motion::Velocity, Soft::Rows);
    probe.bounded.iter().all(|row| {
        let gap = row.gap(probe);
        let is_far = row.is_stop() && gap > NEAR && gap + 1.2 * dt * row.rate(probe) > 0.0;
        is_far || row.role == Role::Across
    })
}

/// Whether a stop was passed where the state is. Else none pushed.
pub(super) fn are_passed(frame: &mut Frame<'_, '_>, dt: f64) -> bool {
    let probe = frame.fill_probe(Motion::Velocity, Soft::Rows);
    let mut passed = probe.bounded.iter().any(|row| row.gap(probe) < -LATE);
    let ways = (frame.world.state(), &*frame.state);
    passed = passed || (frame.equations.find_passing(frame.world, ways, dt)).is_some();
    for row in &frame.equations.probe().bounded {
        if let Some(row) = row.row() {
            frame.state.lambda[row] = 0.0;
        }
    }
    frame.state.touching.clear();
    passed
}

/// What approaches more slowly comes to rest: a bounce would be shorter than a sub-step, m/s.
fn rest_speed(own: &Try, acceleration: f64, speed: f64) -> f64 {
    let bounce = 0.5 * acceleration.abs() * own.h.max(own.dt / 8.0);
    bounce.max(1e-6 * speed.abs())
}
