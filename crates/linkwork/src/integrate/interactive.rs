//! The `Interactive` scheme: a ladder of rungs, from the most exact step to the safest.
//!
//! | rung           | what                                            | left when                        |
//! |----------------|-------------------------------------------------|----------------------------------|
//! | `Whole`        | RATTLE over the frame                           | an alarm sounds                  |
//! | `Halved`       | RATTLE over a half, a quarter, … `2^−max_depth` | an alarm sounds at the last depth |
//! | `Middle`       | pushes along the middle, where h·ω > 2          | it does not converge             |
//! | `Implicit`     | contains geometric stiffness, damps             |                                  |
//! | `Displacement` | Faure 1998, §4.2: takes coarse solves, damps    |                                  |
//!
//! No scheme with fixed steps survives a whipping chain at 1/60 s for a minute. The alarms cost almost nothing,
//! and a refused try needs no new factor, because the factor does not depend on h (except with springs):
//!
//! - the closure error of the prediction, before any correction, above a thousandth of a bar;
//! - geometric stiffness: h·ω above one for some body.
//!
//! The rate of change of explicit forces is measured at the start of the frame (`pace`): sub-steps are at most
//! h·ω = 1/2.
//!
//! A step is judged from both of its ends, and parts are joined again if the prediction backward in time is
//! good (`docs/adr/0055-steps-judged-from-both-ends.md`). At the end of the frame, remaining gaps of priority 0
//! are closed. If joints contradict each other, the remaining gaps must not become speed (`energy_limit`).

use super::InteractiveOptions;
use super::bounds::Taut;
use super::energy_limit::{EnergyLimit, begin_at_rest};
use super::implicit::Implicit;
use super::middle::{Middle, Tension};
use super::pace::Pace;
use super::progress::{Progress, max_nutation};
use super::rattle::{Guard, Rattle, Tried};
use super::tolerances::{
    AT_END, AT_REST, FORCES, GAP, LENIENCE, NEAR_ALARM, NEARLY, NUTATION, OUT_OF_REACH, PREDICTION,
};
use crate::equations::{Motion, Soft};
use crate::frame::{Cause, Frame, Rung};
use crate::stabilize::{CLOSINGS, Closing};

/// The rungs and their buffers.
#[derive(Debug, Default)]
pub(super) struct Interactive {
    pub(super) rattle: Rattle,
    /// Predicts backward in time from the end of a step.
    back: Rattle,
    middle: Middle,
    implicit: Implicit,
    pub(super) pace: Pace,
    limit: EnergyLimit,
    open_q: Vec<f64>,
}

impl Interactive {
    pub(super) fn size(&mut self, frame: &Frame<'_, '_>) {
        let (state, system) = (&*frame.state, frame.system());
        self.rattle.size(state, system);
        self.back.size(state, system);
        self.middle.size(frame);
        self.implicit.size(frame);
        self.pace.size(frame);
        self.limit.size(state, system);
        self.open_q.clone_from(&state.q);
    }

    /// Advances the state by `dt`.
    pub(super) fn step(
        &mut self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        dt: f64,
        options: &InteractiveOptions,
    ) {
        let mut at = self.begin(frame, dt, options);
        self.advance(frame, closing, &mut at, false);
        self.finish(frame, closing, &at);
    }

    /// The start of a frame, in sub-steps that follow explicit forces.
    pub(super) fn begin(
        &mut self,
        frame: &mut Frame<'_, '_>,
        dt: f64,
        options: &InteractiveOptions,
    ) -> Progress {
        let mut at = Progress::begin(frame, dt, options);
        let fastest = self.pace.measure(frame, at.unit * at.n() as f64);
        at.follow(fastest.within(FORCES));
        frame.log.is_outpaced = fastest.outpaces(at.unit);
        at
    }

    /// Takes sub-steps until the end of the frame. If it must be whole, returns false when the budget is not
    /// enough.
    pub(super) fn advance(
        &mut self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        at: &mut Progress,
        is_whole: bool,
    ) -> bool {
        while at.done < at.n_units() {
            // A sub-step begins where its size divides the frame.
            while !at.done.is_multiple_of(at.n()) {
                at.depth += 1;
            }
            // Budget used up: takes the rest at once, by the last rung.
            let rest = at.unit * (at.n_units() - at.done) as f64;
            let is_spent = (is_whole || frame.log.substeps > 0) && frame.out_of_budget();
            if !is_spent && !self.climb(frame, closing, at) {
                continue;
            }
            if is_whole {
                return false;
            } else if is_spent {
                self.take_rest(frame, closing, rest);
            } else {
                self.displace(frame, rest, Cause::Rough);
            }
            break;
        }
        true
    }

    /// Ensures that the frame ends with finite numbers, closed, and within its energy limit.
    pub(super) fn finish(
        &mut self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        at: &Progress,
    ) {
        let state = &*frame.state;
        if !state.q.iter().chain(&state.v).all(|x| x.is_finite()) {
            // Contradictory constraints accelerated the bodies: once more, from the start.
            frame.begin_again(at.dt);
            self.displace(frame, at.dt, Cause::NotFinite);
        }
        self.close_what_is_left(frame, closing);
        let torn = PREDICTION * at.length;
        let contradicts = frame.log.rungs.last_resorts() > 0 && frame.measured.contradiction > torn;
        if contradicts && measure_gap(frame) > torn {
            self.limit.apply(frame, closing, at.dt);
        }
        frame.state.substep = at.unit * at.n() as f64;
        frame.state.t = at.end;
    }

    /// Tries one sub-step, and takes it or goes one rung down. Returns whether the rest of the frame needs a
    /// step that tolerates coarse solves.
    fn climb(
        &mut self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        at: &mut Progress,
    ) -> bool {
        let (n, length) = (at.n(), at.length);
        let h = at.unit * n as f64;
        let at_last = at.depth == at.max_depth;
        let lenience = if at_last { LENIENCE } else { 1.0 };
        let guard = Guard {
            prediction: lenience * at.allowed(at.depth),
            gap: (GAP * length).max(frame.tolerance),
            is_last: at_last,
        };
        let (rung, tried) = self.attempt(frame, closing, at, h, guard);
        match tried {
            Tried::Done(predicted) => {
                frame.log.rungs.count(rung, at.cause);
                at.done += n;
                at.join(predicted);
                return false;
            }
            Tried::Refused(cause) => at.cause = cause,
        }
        frame.log.refused += 1;
        if frame.is_rough() {
            // Its impulses are a better start than zero.
            let impulses = self.rattle.landing.impulse.iter();
            for (lambda, impulse) in frame.state.lambda.iter_mut().zip(impulses) {
                *lambda = 2.0 * impulse / h;
            }
            return true;
        }
        let is_stiff = at.cause == Cause::Stiffness;
        if at_last && !is_stiff && max_nutation(frame) * h > NUTATION {
            at.cause = Cause::Spin;
            if !at.is_extended && at.max_depth > 0 {
                at.extend();
                at.depth += 1;
                return false;
            }
        }
        // A mechanism that a hand stretches hardly moves, and shorter steps would not help: the force toward a
        // goal out of reach grows as 1/h².
        let way = self.rattle.predicted_way(frame, h);
        let is_held = is_stiff && way < AT_REST * length && is_out_of_reach(frame, length);
        if at_last || is_held {
            frame.log.rungs.count(Rung::Implicit, at.cause);
            let landing = &mut self.rattle.landing;
            self.implicit.step(frame, landing, closing, h);
            at.done += n;
            // A damped step cannot be reversed.
            at.goes_back = false;
            let joins = at.depth > 0 && at.done.is_multiple_of(2 * n);
            if is_held && joins && 8.0 * way < AT_REST * length {
                at.depth -= 1;
            }
        } else {
            at.depth += 1;
        }
        false
    }

    /// RATTLE, or a step along the middle if vibration under tension is faster than the step.
    fn attempt(
        &mut self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        at: &mut Progress,
        h: f64,
        guard: Guard,
    ) -> (Rung, Tried) {
        Rattle::fill_start(frame, h, 1.0);
        let landing = &mut self.rattle.landing;
        if self.middle.find_taut_start(frame, landing, h) {
            at.cause = Cause::Stiffness;
            let tried = self.middle.step(frame, landing, (h, guard), None);
            return (Rung::Middle, tried);
        }
        self.rattle.predict_from(frame, closing, h, 1.0);
        if frame.is_rough() {
            return (at.rung(), Tried::Refused(Cause::Rough));
        }
        let landing = &mut self.rattle.landing;
        match self.middle.judge(frame, landing, (h, 1.0, h)) {
            Tension::Slow => {
                let goes_back = at.goes_back && !guard.is_last;
                let is_near = goes_back && self.middle.is_nearly_fast(frame, h);
                let mut tried = self.rattle.complete(frame, closing, h, Some(guard), 1.0);
                if let Tried::Done(predicted) = tried
                    && goes_back
                    && (is_near || predicted > NEAR_ALARM * guard.prediction)
                    && !frame.out_of_budget()
                {
                    tried = self.look_back(frame, closing, h, guard);
                }
                (at.rung(), tried)
            }
            Tension::Fast if !guard.is_last => (at.rung(), Tried::Refused(Cause::Stiffness)),
            Tension::TooFast => (at.rung(), Tried::Refused(Cause::Stiffness)),
            Tension::Fast | Tension::Taut => {
                at.cause = Cause::Stiffness;
                let tried = self.middle.step(frame, landing, (h, guard), None);
                (Rung::Middle, tried)
            }
        }
    }

    /// Judges a step from its other end too, and takes back a step that is too long backward in time. Frames
    /// are then split and joined at the same states in either direction of time, and the energy `H + h²·G` that
    /// RATTLE conserves loses as much where h changes as it gains where h changes back
    /// (`docs/adr/0055-steps-judged-from-both-ends.md`).
    fn look_back(
        &mut self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        h: f64,
        guard: Guard,
    ) -> Tried {
        self.back.predict(frame, closing, -h, 1.0);
        let landing = &self.back.landing;
        if self.middle.judge(frame, landing, (-h, AT_END, h)) != Tension::Slow {
            self.rattle.landing.take_back(frame);
            return Tried::Refused(Cause::Stiffness);
        }
        self.back.fly(frame, -h);
        let back = frame.equations.probe().gap();
        if back > guard.prediction + 2.0 * frame.measured.contradiction {
            self.rattle.landing.take_back(frame);
            return Tried::Refused(Cause::Prediction);
        }
        Tried::Done(back)
    }

    /// The speed of vibration under tension compared with a predicted step of `h` seconds, in a frame of `dt`.
    pub(super) fn tension(&mut self, frame: &mut Frame<'_, '_>, (h, dt): (f64, f64)) -> Tension {
        let landing = &mut self.rattle.landing;
        self.middle.judge(frame, landing, (h, 1.0, dt))
    }

    /// Whether soft bodies are so taut at the start of a step that only a step along its middle follows them.
    pub(super) fn find_taut_start(&mut self, frame: &mut Frame<'_, '_>, h: f64) -> bool {
        if !self.middle.is_soft {
            return false;
        }
        Rattle::fill_start(frame, h, 1.0);
        let landing = &mut self.rattle.landing;
        self.middle.find_taut_start(frame, landing, h)
    }

    /// Whether there are soft bodies.
    pub(super) fn is_soft(&self) -> bool {
        self.middle.is_soft
    }

    /// A step along the middle with bounded rows.
    pub(super) fn step_taut(
        &mut self,
        frame: &mut Frame<'_, '_>,
        (h, guard): (f64, Guard),
        taut: &mut Taut<'_>,
    ) -> Tried {
        let landing = &mut self.rattle.landing;
        self.middle.step(frame, landing, (h, guard), Some(taut))
    }

    /// The implicit step: robust, damps.
    pub(super) fn damp(&mut self, frame: &mut Frame<'_, '_>, closing: &mut Closing, h: f64) {
        let landing = &mut self.rattle.landing;
        self.implicit.step(frame, landing, closing, h);
    }

    /// The rest of a frame whose budget is used up.
    fn take_rest(&mut self, frame: &mut Frame<'_, '_>, closing: &mut Closing, rest: f64) {
        if frame.is_rough() {
            self.displace(frame, rest, Cause::Budget);
            return;
        }
        frame.log.rungs.count(Rung::Implicit, Cause::Budget);
        // The impulses of half a step by the forces of the last one.
        let landing = &mut self.rattle.landing;
        for (impulse, lambda) in landing.impulse.iter_mut().zip(&frame.state.lambda) {
            *impulse = 0.5 * rest * lambda;
        }
        self.implicit.step(frame, landing, closing, rest);
    }

    /// Faure 1998, §4.2: the step that tolerates coarse solves; first order, damps. A single correction would
    /// add energy too.
    pub(super) fn displace(&mut self, frame: &mut Frame<'_, '_>, h: f64, cause: Cause) {
        frame.log.rungs.count(Rung::Displacement, cause);
        self.implicit.coarse(frame, &mut self.rattle.landing, h);
        if frame.meter.ended().is_none() && !frame.is_rough() {
            // The budget suffices for another scheme.
            frame.state.unfinished.clear();
        }
        frame.measured.rates_hold = false;
    }

    /// Advances time and reduces the error of a lower priority (Faure 1999, §3.4); apart from that, bodies do
    /// not move, and slow down.
    pub(super) fn come_down(
        &mut self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        (h, cause): (f64, Cause),
    ) {
        frame.log.rungs.count(Rung::Displacement, cause);
        frame.log.substeps += 1;
        begin_at_rest(frame, h, 1.0);
        closing.come_down(frame);
        closing.make_rates_right(frame, false);
        frame.measured.rates_hold = false;
    }

    /// Closes priority 0 at the end of the frame, if possible: a goal out of reach opens it again with every
    /// correction, which guards allow. Lower priorities keep their positions and rates: their errors would add
    /// energy to the motion.
    pub(super) fn close_what_is_left(&mut self, frame: &mut Frame<'_, '_>, closing: &mut Closing) {
        if frame.is_measured() {
            let gap = frame.system().gap();
            self.close_gap(frame, closing, gap);
        }
    }

    /// The same for a known gap, meters.
    pub(super) fn close_gap(&mut self, frame: &mut Frame<'_, '_>, closing: &mut Closing, gap: f64) {
        let enough = frame.tolerance.max(1.01 * frame.measured.contradiction);
        if gap <= enough || frame.out_of_budget() {
            return;
        }
        self.open_q.copy_from_slice(&frame.state.q);
        if !closing.close_exact(frame, Soft::Absent, 2..=CLOSINGS, frame.damping) {
            frame.state.q.copy_from_slice(&self.open_q);
        }
        frame.state.unfinished.clear();
        closing.make_rates_right(frame, false);
    }

    /// Limits the speed of a frame whose budget was used up; see `energy_limit`.
    pub(super) fn limit(
        &mut self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        at: &Progress,
    ) {
        let is_closed = frame.method.is_iterative() && measure_gap(frame) <= NEARLY * at.length;
        if !is_closed {
            self.limit.apply(frame, closing, at.dt);
        }
    }
}

/// Whether a hand leads rows that give way, and its goal is not reached at the start of the step.
fn is_out_of_reach(frame: &Frame<'_, '_>, length: f64) -> bool {
    !frame.world.grips().is_empty() && frame.system().lower_gap() > OUT_OF_REACH * length
}

/// The largest gap of priority 0 at the end of the frame, meters. Fills the probe.
fn measure_gap(frame: &mut Frame<'_, '_>) -> f64 {
    frame.fill_probe(Motion::Displacement, Soft::Rows).gap()
}
