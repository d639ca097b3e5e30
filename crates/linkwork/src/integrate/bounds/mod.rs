//! Frames of worlds with bounded rows: limits, motors that give way, dry friction (`docs/adr/0027-bounded-rows.md`).
//!
//! RATTLE with bounded impulses in both halves, G being the rows that take part:
//!
//! ```text
//!     v½ = v + M⁻¹·(h/2·f + Jᵀ·μ + Gᵀ·r₁)       stops: gap(q′) ≥ 0 ⊥ r₁ ≥ 0       servos: ċ = 0, r₁ within h/2 times their force
//!     v′ = v½′ + M⁻¹·(h/2·f + Jᵀ·ν + Gᵀ·(r − r₁))      stops: ċ ≥ 0 ⊥ r ≥ 0       servos: r within h times it
//! ```
//!
//! The law of a step is on its whole impulse r: what only kept a body out of a stop never becomes speed, and what lasts
//! is plain RATTLE, of second order. How the halves do that without making energy: `first`, `second`, and
//! `docs/adr/0031-energy-of-contact.md`. A step in which something hits a stop ends where it hits; there velocities jump
//! (`blow`). Beyond so many blows in a frame there is no rebound: what bounces ever faster comes to rest.
//!
//! Frames in which no stop is near are taken by the scheme that was chosen, and again here if one was passed. Steps are
//! halved under the same alarms as in `interactive`. At the last depth the implicit step is taken, and its
//! result put between the bounds.

mod blow;
mod first;
mod hand;
pub(super) mod over;
mod push_out;
mod refined;
mod second;

use super::interactive::{Interactive, depth_of};
use super::rattle::Guard;
use super::tolerances::{
    BLOWS, CUTS, DEEPER, GAP, LATE, LENIENCE, MAX_CUTS, MAX_DEPTH, NEAR, PREDICTION,
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
use push_out::{PushOut, overrun};

/// The buffers of the scheme.
#[derive(Debug, Default)]
pub(super) struct BoundedSteps {
    over: Over,
    blow: Blow,
    lead: Lead,
    push_out: PushOut,
    /// Of each bounded row where the step begins: its gap, its rate, and how that changes in the first half without
    /// bounded impulses, m, m/s.
    gap: Vec<f64>,
    rate: Vec<f64>,
    change: Vec<f64>,
    /// Of stops: the gap where the flight would end without bounded impulses, and what it is to be at least, m.
    end: Vec<f64>,
    goal: Vec<f64>,
    /// Impulses of the first half, scaled.
    first: Vec<f64>,
    /// Rows that were left out and should not have been.
    late: Vec<bool>,
    is_hit: Vec<bool>,
    /// Impulses of the first half that are taken back along the rows of the end; and those of the whole step by chosen
    /// rows, but for blows.
    lasting: Vec<f64>,
    whole: Vec<f64>,
    /// What they do otherwise than twice those of the first half, m/s.
    off: Vec<f64>,
    /// What stops may gain in the step, J.
    may_gain: f64,
    /// How far the furthest is beyond a stop where the step begins, m.
    overrun: f64,
    /// `v½ − v` without bounded impulses; then `v½′`.
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
            &mut self.change,
            &mut self.end,
            &mut self.goal,
            &mut self.first,
            &mut self.lasting,
        ] {
            size(buffer, n);
        }
        self.late.resize(n, false);
        self.is_hit.resize(n, false);
        self.whole.reserve(n);
        self.off.reserve(n);
    }

    /// Finds what may touch within `h` seconds.
    fn find_contacts(&mut self, frame: &mut Frame<'_, '_>, h: f64) {
        if frame.equations.layout.has_colliders() {
            frame.equations.find_contacts((frame.world, frame.state), h);
            self.fit(frame.equations.system());
        }
    }

    /// Finds what may touch within the next `h` seconds where a step ended. Whether something is further beyond a stop than
    /// where it began: by parts that were not near then.
    fn look_again(&mut self, frame: &mut Frame<'_, '_>, h: f64) -> bool {
        let before = self.overrun;
        self.find_contacts(frame, h);
        frame.equations.layout.has_colliders() && overrun(frame.equations.system()) > before + NEAR
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
        let deepest = match max_depth {
            0 => 0,
            _ => (max_depth + DEEPER).min(MAX_DEPTH),
        };
        let length = frame.system().bar_length();
        let end = frame.state.t + dt;
        let mut depth = depth_of(frame.state.substep, dt, max_depth);
        let part = |depth: u8| dt / (1u64 << depth) as f64;
        let (mut done, mut blows, mut cuts) = (0.0, 0, 0);
        let mut cause = Cause::Regular;
        // What joint forces turn too fast in longer steps, they do all the frame.
        let mut least_depth = 0;
        // Where contacts were found, and for steps of which length.
        let mut found = (f64::NAN, 0.0);
        while dt - done > 1e-12 * dt {
            // Nothing left to spend: the rest at once, without rebound.
            if frame.log.substeps > 0 && frame.out_of_budget() {
                self.take_rest(ladder, frame, closing, (dt - done, dt));
                break;
            }
            let h = part(depth).min(longest).min(dt - done);
            if found.0 != done || found.1 < h {
                found = (done, h);
                self.find_contacts(frame, h);
            }
            let is_last = depth == deepest;
            let lenience = if depth >= max_depth { LENIENCE } else { 1.0 };
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
                own.h = t;
                (own.locates, own.rebounds) = (false, true);
                tried = self.attempt(ladder, frame, closing, own);
                tried = self.cut_short(ladder, frame, closing, (tried, &mut own));
            }
            if let Tried::Done(_) = tried
                && self.look_again(frame, h)
                && !is_last
            {
                ladder.rattle.landing.take_back(frame);
                found.0 = f64::NAN;
                tried = Tried::Refused(Cause::Gap);
            }
            let rung = match own.h < 0.999 * dt {
                true => Rung::Halved,
                false => Rung::Whole,
            };
            match tried {
                Tried::Done(predicted) => {
                    let is_met = own.rebounds || own.h < h;
                    let why = if is_met { Cause::Blow } else { cause };
                    blows += usize::from(own.rebounds);
                    frame.log.rungs.count(rung, why);
                    done += own.h;
                    found = (done, h);
                    if depth > least_depth && 8.0 * predicted < 0.7 * PREDICTION * length {
                        depth -= 1;
                    }
                }
                Tried::Refused(why) => {
                    cause = why;
                    frame.log.refused += 1;
                    let may_be_deeper = !matches!(why, Cause::Stiffness | Cause::Rough);
                    let is_deepest = is_last || !may_be_deeper && depth >= max_depth;
                    if is_deepest || frame.is_rough() {
                        frame.log.rungs.count(Rung::Implicit, cause);
                        self.damp(ladder, frame, closing, own.h);
                        done += own.h;
                        found.0 = f64::NAN;
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
            self.choose(frame, rattle, &own);
            self.solve_first(frame, rattle, h);
            if let Some(t) = self.locate(frame.equations.system(), &own) {
                return Tried::Hits(t);
            }
            if own.guard.gap.is_finite() && ladder.is_too_fast(frame, h) {
                return Tried::Refused(Cause::Stiffness);
            }
            let rattle = &mut ladder.rattle;
            let predicted = match self.correct(frame, rattle, &own) {
                Ok(predicted) => predicted,
                Err(cause) => return Tried::Refused(cause),
            };
            if !self.note_late(frame.equations.probe()) {
                break predicted;
            }
        };
        let rattle = &mut ladder.rattle;
        let ways = (&*frame.state, &rattle.landing.trial);
        if let Some(s) = frame.equations.find_passing(frame.world, ways, h) {
            return Tried::Passes(s * h);
        }
        rattle.landing.start.clear();
        rattle.landing.arrive(frame, h);
        if let Err(cause) = self.land(frame, &mut rattle.landing, &own) {
            return Tried::Refused(cause);
        }
        if frame.is_rough() {
            return Tried::Refused(Cause::Rough);
        }
        rattle.landing.take_velocities(frame, h);
        self.write_forces(frame, h);
        Tried::Done(predicted)
    }

    fn solve_bounded(&mut self, frame: &mut Frame<'_, '_>) {
        let left = self.over.solve(&mut frame.meter);
        frame.log.law_error = frame.log.law_error.max(left);
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
