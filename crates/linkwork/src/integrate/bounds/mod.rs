//! Frames of worlds with bounded rows: limits, motors that give way, dry friction (`docs/adr/0027-bounded-rows.md`).
//!
//! RATTLE with bounded impulses in both halves. G are the rows that take part, r₁ their impulses of the first half and
//! r those of the whole step:
//!
//! ```text
//!     v½ = v + M⁻¹·(h/2·f + Jᵀ·μ + Gᵀ·r₁)             (`first`)
//!          stops:   gap(q′) ≥ goal  ⊥  r₁ ≥ 0
//!          servos:  ċ = 0,  r₁ within h/2 times their bounds
//!     v′ = v½′ + M⁻¹·(h/2·f + Jᵀ·ν + Gᵀ·(r − r₁))     (`second`)
//!          stops:   ċ ≥ 0  ⊥  r ≥ 0
//!          servos:  ċ = 0,  r within h times their bounds
//! ```
//!
//! The second half applies the law to the whole impulse r. An impulse that only kept a body out of a stop is taken back
//! by it, and never becomes speed; a lasting contact is plain RATTLE, of second order.
//!
//! The goal is zero, except for a stop that is already passed when the step begins: its goal is its gap. Closing that
//! gap within the step would need speed, of which the second half takes back only a part. `push_out` corrects it at the
//! end of the frame, as a displacement without speed.
//!
//! If a body hits a stop, the step ends there and velocities jump (`blow`). If a body touches a stop and approaches it
//! when the step begins, it hits there. After `BLOWS` blows in a frame nothing rebounds, so that bouncing comes to
//! rest.
//!
//! If no stop is near, the chosen scheme takes the frame; if it passed a stop, the frame is taken again here. Steps are
//! halved by the alarms of `interactive`. At the last depth the implicit step is taken and its result is put within the
//! bounds, places and velocities: otherwise what it passed would trigger the alarm of every later step.

mod between;
mod blow;
mod changes;
mod columns;
mod first;
mod hand;
pub(super) mod over;
mod push_out;
mod pushed;
mod refined;
mod second;
mod soft;
mod taut;
mod work;

pub(super) use between::{find_far, look_back};

use super::interactive::Interactive;
use super::middle::Tension;
use super::progress::{depth_for, depth_of};
use super::rattle::Guard;
use super::tolerances::{
    BLOWS, CUTS, FORCES, GAP, LENIENCE, MAX_CUTS, MAX_DEPTH, MOMENT, MOST_CHANGES, PREDICTION,
    UNLAWFUL, UNSEEN,
};
use crate::equations::{Motion, Soft};
use crate::frame::{Cause, Frame, Rung};
use crate::linalg::size;
use crate::stabilize::Closing;
use crate::system::System;
use crate::world::State;
use blow::Blow;
use changes::{Begins, Change, Slips};
use hand::Lead;
use over::{Give, Over};
use push_out::PushOut;
use pushed::Pushed;
use soft::Rule;
pub(super) use taut::Taut;
use work::Work;

/// The buffers of the scheme.
#[derive(Debug, Default)]
pub(super) struct BoundedSteps {
    over: Over,
    blow: Blow,
    lead: Lead,
    push_out: PushOut,
    pushed: Pushed,
    /// Of each bounded row: its gap where the step begins, its rate there and how that would change, m, m/s, m/s².
    gap: Vec<f64>,
    rate: Vec<f64>,
    slope: Vec<f64>,
    /// Where a stop may be when the step ends, at the least, m.
    goal: Vec<f64>,
    /// Of rows across: half of what the flight by itself changes of their rates, m/s.
    drift: Vec<f64>,
    /// Impulses of the first half, scaled.
    first: Vec<f64>,
    /// What a solve of the first half adds to them, of chosen rows.
    added: Vec<f64>,
    /// How rows give way in the step under way, and in the solve.
    rules: Vec<Option<Rule>>,
    gives: Vec<Give>,
    /// The energy that stops put in.
    work: Work,
    /// Rows that were left out and should not have been.
    late: Vec<bool>,
    is_hit: Vec<bool>,
    /// Whether the step under way ended with a blow.
    struck: bool,
    /// What became of slipping in the step under way; whether it is not looked for any more in the frame.
    change: Change,
    missed_changes: bool,
    /// What rates of rows that stick may be off by, m/s; after how many seconds something will cease to slip.
    noise: f64,
    soonest: f64,
    /// The longest sub-step of the frame, s.
    longest: f64,
    /// `v½ − v` without bounded impulses, or any other motion.
    motion: Vec<f64>,
    load: Vec<f64>,
    /// What rows of the world do about a load.
    pushes: Vec<f64>,
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
    /// Something hits after so many seconds; none where it touches and approaches as the step begins.
    Hits(f64),
    /// Something would pass through something: a shorter step, of so many seconds, ends before that.
    Passes(f64),
    /// Something begins or ceases to slip, so that a step of so many seconds is next.
    Changes(f64),
}

/// How a frame is taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Seconds.
    pub(super) dt: f64,
    /// Sub-steps are no longer.
    pub(super) longest: f64,
    pub(super) max_depth: u8,
    /// Steps end where something begins or ceases to slip faster than this, m/s or rad/s; infinite: they do not.
    pub(super) slow: f64,
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
    slips: Slips,
}

impl BoundedSteps {
    pub(super) fn size(&mut self, frame: &Frame<'_, '_>) {
        let system = frame.system();
        self.push_out.size(frame);
        self.fit(system);
        size(&mut self.motion, system.n_v());
        size(&mut self.load, system.n_v());
        size(&mut self.pushes, system.n_rows());
    }

    /// Makes room for the rows there are: those of contact come and go.
    fn fit(&mut self, system: &System) {
        let n = system.bounded.len();
        self.over.size(system);
        self.blow.size(n);
        self.lead.size(n);
        self.pushed.reserve(n);
        for buffer in [
            &mut self.gap,
            &mut self.rate,
            &mut self.slope,
            &mut self.goal,
            &mut self.drift,
            &mut self.first,
        ] {
            size(buffer, n);
        }
        self.rules.resize(n, None);
        self.gives.resize(n, Give::default());
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

    /// Advances the state by a frame.
    pub(super) fn step(
        &mut self,
        ladder: &mut Interactive,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        pace: Pace,
    ) {
        self.over.begin_frame();
        let Pace { dt, longest, .. } = pace;
        let max_depth = pace.max_depth.min(MAX_DEPTH);
        let length = frame.system().bar_length();
        let end = frame.state.t + dt;
        let fastest = ladder.pace.measure(frame, longest.min(dt));
        // What explicit forces ask for, and what joint forces turn too fast in longer steps, they do all the frame.
        let begun = depth_of(frame.state.substep, dt, max_depth);
        let mut least_depth = depth_for(fastest.within(FORCES), dt, (begun, max_depth));
        let mut depth = begun.max(least_depth);
        let part = |depth: u8| dt / (1u64 << depth) as f64;
        frame.log.is_outpaced = fastest.outpaces(part(max_depth));
        let (mut done, mut blows, mut cuts) = (0.0, 0, 0);
        self.pushed.begin(frame.state.lambda.len());
        let mut cause = Cause::Regular;
        let mut found = f64::NAN;
        // Something changes before `known`, and the next step is to end at `aim`.
        let (mut known, mut aim, mut changes) = (f64::INFINITY, f64::INFINITY, 0);
        let mut begins = Begins::Anew;
        self.missed_changes = false;
        self.longest = 0.0;
        while dt - done > 1e-12 * dt {
            // Nothing left to spend: the rest at once, without rebound.
            if frame.log.substeps > 0 && frame.out_of_budget() {
                self.take_rest(ladder, frame, closing, (dt - done, dt));
                self.pushed.add(frame.state, dt - done);
                break;
            }
            let h = part(depth).min(longest).min(dt - done);
            let h = h.min(known - done).min(aim - done);
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
                slips: Slips {
                    slow: pace.slow.max(UNSEEN * frame.log.law_error),
                    begins,
                },
            };
            if changes > MOST_CHANGES {
                own.slips = Slips::IGNORED;
                self.missed_changes |= pace.slow.is_finite();
            }
            let mut tried = self.attempt(ladder, frame, closing, own);
            if let Tried::Passes(_) = tried {
                cuts += 1;
                if cuts > CUTS {
                    self.take_rest(ladder, frame, closing, (dt - done, dt));
                    self.pushed.add(frame.state, dt - done);
                    break;
                }
                tried = self.cut_short(ladder, frame, closing, (tried, &mut own));
            }
            if let Tried::Hits(t) = tried {
                blows += 1;
                if t == 0.0 {
                    self.strike_at_start(frame, &own);
                    continue;
                }
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
                    // What the prediction did not show met within the step.
                    blows += usize::from(self.struck && !own.rebounds);
                    let is_met = self.struck || own.rebounds || own.h < h;
                    let why = if is_met { Cause::Blow } else { cause };
                    frame.log.rungs.count(rung, why);
                    self.pushed.add(frame.state, own.h);
                    done += own.h;
                    self.longest = self.longest.max(own.h);

                    begins = match self.change {
                        Change::AtEnd(begins) => begins,
                        _ if self.struck => Begins::Anew,
                        _ => Begins::Alike,
                    };
                    aim = match self.soonest > MOMENT * dt {
                        true => done + self.soonest,
                        false => f64::INFINITY,
                    };
                    if begins != Begins::Alike || known - done <= MOMENT * dt {
                        known = f64::INFINITY;
                    }
                    if depth > least_depth && 8.0 * predicted < 0.7 * PREDICTION * length {
                        depth -= 1;
                    }
                }
                Tried::Changes(t) => {
                    changes += 1;
                    frame.log.refused += 1;
                    if t < own.h {
                        known = known.min(done + own.h);
                    }
                    aim = done + t;
                }
                Tried::Refused(why) => {
                    cause = why;
                    frame.log.refused += 1;
                    if is_last || frame.is_rough() {
                        frame.log.rungs.count(Rung::Implicit, cause);
                        self.damp(ladder, frame, closing, own.h);
                        self.pushed.add(frame.state, own.h);
                        done += own.h;
                        self.longest = self.longest.max(own.h);
                        (known, aim, begins) = (f64::INFINITY, f64::INFINITY, Begins::Anew);
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
        // Not every sub-step leaves its end measured: blows, taut and damped ones do not.
        let gap = match frame.is_measured() {
            true => frame.system().gap(),
            false => frame.fill_probe(Motion::Displacement, Soft::Rows).gap(),
        };
        ladder.close_gap(frame, closing, gap);
        self.push_out.apply(frame, closing);
        if blows > 0 {
            self.pushed.spread(frame, dt);
        }
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
        self.longest = self.longest.max(h);
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
            slips: Slips::IGNORED,
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
            frame.measured.rates_hold = false;
            part *= 0.5 * s;
        }
        // Nothing moves: what it is between holds it.
        self.put_between(frame, h);
    }

    /// What another scheme left: places and velocities are put within their bounds.
    pub(super) fn mend(&mut self, frame: &mut Frame<'_, '_>, closing: &mut Closing, dt: f64) {
        self.over.begin_frame();
        self.push_out.apply(frame, closing);
        self.put_between(frame, dt);
    }

    /// Only places: without momentum there is nothing else.
    pub(super) fn push_out(&mut self, frame: &mut Frame<'_, '_>, closing: &mut Closing) {
        self.push_out.apply(frame, closing);
    }

    /// Tries a step. What a try that is refused leaves of the law is not told: the state does not have it.
    fn attempt(
        &mut self,
        ladder: &mut Interactive,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        own: Try,
    ) -> Tried {
        let so_far = std::mem::take(&mut frame.log.law_error);
        let tried = self.try_step(ladder, frame, closing, own);
        frame.log.law_error = match tried {
            Tried::Done(_) => so_far.max(frame.log.law_error),
            _ => so_far,
        };
        tried
    }

    fn try_step(
        &mut self,
        ladder: &mut Interactive,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        own: Try,
    ) -> Tried {
        let h = own.h;
        self.late.fill(false);
        self.struck = false;
        self.change = Change::Nothing;
        self.soonest = f64::INFINITY;
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
                match ladder.tension(frame, (h, own.dt)) {
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
        if let Change::Within(t) = self.change {
            rattle.landing.take_back(frame);
            return Tried::Changes(t);
        }
        // A blow is the same one in a shorter step.
        let is_blow = own.rebounds || self.struck;
        let may_be_shorter = own.guard.gap.is_finite() && !own.guard.is_last && !is_blow;
        if may_be_shorter && frame.log.law_error > UNLAWFUL && !frame.out_of_budget() {
            rattle.landing.take_back(frame);
            return Tried::Refused(Cause::Rough);
        }
        frame.log.supplied += self.work.supplied;
        Tried::Done(predicted)
    }
}
