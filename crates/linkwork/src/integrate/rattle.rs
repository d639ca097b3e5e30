//! RATTLE with one factor a step.
//!
//! ```text
//!     v½ = v + M⁻¹·(h/2·f(q) + J(q)ᵀ·μ)       μ such that c(q′) = 0
//!     (q′, v½′) = free flight of (q, v½) for h
//!     v′ = v½′ + M⁻¹·(h/2·f(q′) + J(q′)ᵀ·ν)   ν such that ċ(q′, v′) = 0      (see `landing`)
//! ```
//!
//! Forces that depend on time are those of the middle of the step, in both halves, like those of springs in
//! rows and bodies. Otherwise stiff parts would keep a rate error of `h²·ḟ/4m`.
//!
//! Second order, symplectic, reversible. The factor at q′ that gives ν is the matrix of the next step's μ, so a
//! step costs one factor: a prediction, a correction or two, and the velocities. The prediction is the
//! constrained acceleration without the gyroscopic torque, which the flight includes. It follows from the state
//! alone, so that nothing but the state passes from step to step.

use super::landing::{Landing, at_rest};
use super::tolerances::{MAX_CORRECTIONS, ROUND_OFF};
use crate::equations::{Care, Load, Motion, Request, Soft};
use crate::frame::{Cause, Frame, Rung};
use crate::linalg::size;
use crate::stabilize::{CLOSINGS, Closing, farthest};
use crate::system::System;
use crate::world::State;

/// Limits of a guarded step, in meters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guard {
    /// Largest closure error of the prediction, which measures the error of the linearization.
    pub(super) prediction: f64,
    /// Largest gap after the last correction.
    pub(super) gap: f64,
    /// Whether a refusal is followed by a last resort.
    pub(super) is_last: bool,
}

/// The result of a try.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Tried {
    /// The state was advanced. The closure error of the prediction, meters.
    Done(f64),
    Refused(Cause),
}

/// The buffers of a step.
#[derive(Debug, Default)]
pub(super) struct Rattle {
    pub(super) landing: Landing,
    pub(super) v_half: Vec<f64>,
    /// Load and right-hand side of the present solve.
    pub(super) force: Vec<f64>,
    b: Vec<f64>,
    /// Scratch, n_v.
    dq: Vec<f64>,
}

impl Rattle {
    pub(super) fn size(&mut self, state: &State, system: &System) {
        self.landing.size(state, system);
        for buffer in [&mut self.v_half, &mut self.force, &mut self.dq] {
            size(buffer, system.n_v());
        }
        size(&mut self.b, system.n_rows());
    }

    /// Largest displacement of a body by the prediction in a step `h`, meters.
    pub(super) fn predicted_way(&self, frame: &Frame<'_, '_>, h: f64) -> f64 {
        let length = frame.system().characteristic_length();
        h * farthest(frame.world, &self.v_half, length)
    }

    /// Continues after the prediction: advances the state by `h`, or refuses and leaves it unchanged.
    pub(super) fn complete(
        &mut self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        h: f64,
        guard: Option<Guard>,
        damping: f64,
    ) -> Tried {
        self.landing.start.clear();
        let mut predicted = 0.0;
        // The smallest gap so far, and the number of corrections before it.
        let mut best = (f64::INFINITY, 0);
        let (mut last, mut last_lower) = (f64::INFINITY, f64::INFINITY);
        let system = frame.system();
        let round_off = ROUND_OFF * system.natural_size.max(system.bar_length());
        for correction in 0..=MAX_CORRECTIONS {
            self.fly(frame, h);
            let probe = frame.equations.probe();
            let spring_gap = frame.springs.gap(probe, h, &self.landing.impulse);
            let gap = probe.gap().max(spring_gap);
            if correction == 0 {
                let surprise = frame.springs.surprise(probe, h, &self.landing.impulse);
                predicted = probe.gap().max(surprise);
                let slack = 2.0 * frame.measured.contradiction;
                if guard.is_some_and(|guard| predicted > guard.prediction + slack) {
                    let is_shape = surprise > probe.gap();
                    let cause = if is_shape {
                        Cause::Shape
                    } else {
                        Cause::Prediction
                    };
                    return Tried::Refused(cause);
                }
            }
            let closed = gap <= frame.tolerance.max(1.01 * frame.measured.contradiction)
                || (gap <= 1e3 * round_off && gap > 0.5 * last);
            // Springs are corrected at least once, lower priorities while it helps.
            let lower = probe.lower_gap();
            let rests = correction > 0 || probe.is_all_hard();
            if closed && rests && (lower <= frame.tolerance || lower > 0.5 * last_lower) {
                break;
            }
            let hopeless = correction > 2 && gap > 0.7 * last && !closed;
            if correction == MAX_CORRECTIONS
                || hopeless
                || (correction > 0 && frame.out_of_budget())
            {
                let may_be_left = |gap: f64| {
                    guard.is_none_or(|guard| gap <= guard.gap + 2.0 * frame.measured.contradiction)
                };
                // Not if springs, coarse solves or goals are the cause.
                let is_singular = hopeless
                    && gap > best.0.max(spring_gap)
                    && frame.measured.contradiction == 0.0
                    && !frame.method.is_iterative()
                    && frame.system().rows.lower.is_empty();
                if is_singular && may_be_left(best.0) {
                    self.fly_best(frame, closing, h, damping, best.1);
                } else if !may_be_left(gap) {
                    let is_shape = spring_gap > frame.equations.probe().gap();
                    let cause = if is_shape { Cause::Shape } else { Cause::Gap };
                    return Tried::Refused(cause);
                }
                break;
            }
            if gap < best.0 {
                best = (gap, correction);
            }
            (last, last_lower) = (gap, lower);
            self.correct(frame, h);
        }
        self.landing.arrive(frame, h);
        self.landing.project_velocities(frame, h);
        if guard.is_some() && frame.is_rough() {
            self.landing.take_back(frame);
            return Tried::Refused(Cause::Rough);
        }
        Tried::Done(predicted)
    }

    /// Fills at the state, with springs for the half before the flight. `damping` is the part of their damping
    /// that acts.
    pub(super) fn fill_start(frame: &mut Frame<'_, '_>, h: f64, damping: f64) {
        let terms = frame.terms(Motion::Acceleration, Soft::Rows);
        frame.fill_terms(terms.ahead(0.5 * h));
        if !frame.springs.is_empty() {
            let system = frame.equations.modify();
            frame.springs.begin_first_half(system, h, damping);
        }
    }

    /// `v½` from the accelerations here: `J·(v + y) = −c/h − (h/2)·γ`, `M·y = h/2·f + Jᵀ·μ`.
    pub(super) fn predict(
        &mut self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        h: f64,
        damping: f64,
    ) {
        Self::fill_start(frame, h, damping);
        self.predict_from(frame, closing, h, damping);
    }

    /// The same for a start that is already filled.
    pub(super) fn predict_from(
        &mut self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        h: f64,
        damping: f64,
    ) {
        self.load_prediction_from(frame, closing, h, damping);
        self.solve_prediction(frame, h);
        self.take_prediction(frame);
        self.take_velocities(frame, h);
    }

    /// Fills and factors at the state, and sets the load and right-hand side of the prediction.
    pub(super) fn load_prediction(
        &mut self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        h: f64,
        damping: f64,
    ) {
        Self::fill_start(frame, h, damping);
        self.load_prediction_from(frame, closing, h, damping);
    }

    fn load_prediction_from(
        &mut self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        h: f64,
        damping: f64,
    ) {
        frame.factor();
        if frame.is_open() {
            closing.close(frame, CLOSINGS, f64::INFINITY);
            Self::fill_start(frame, h, damping);
            frame.factor();
        }
        let system = frame.equations.system();
        for row in 0..self.b.len() {
            let close = if system.velocity_level[row] {
                0.0
            } else {
                system.c[row] / h
            };
            self.b[row] = -close - system.c_dot[row] - 0.5 * h * system.gamma[row];
        }
        for (force, f) in self.force.iter_mut().zip(&system.force) {
            *force = 0.5 * h * f;
        }
        let (b, force) = (&mut self.b, &mut self.force);
        frame.springs.predict(system, h, b, force);
    }

    /// Takes the impulses of the solved prediction.
    pub(super) fn take_prediction(&mut self, frame: &mut Frame<'_, '_>) {
        let (system, solution) = (frame.equations.system(), frame.equations.solution());
        self.landing.impulse.copy_from_slice(&solution.lambda);
        frame.springs.take_strain_impulses(system, &solution.motion);
    }

    /// Takes the velocities of the solved prediction, without the gyroscopic part, which is in the flight.
    pub(super) fn take_velocities(&mut self, frame: &mut Frame<'_, '_>, h: f64) {
        self.dq.copy_from_slice(&frame.system().inertial);
        if self.dq.iter().any(|f| *f != 0.0) {
            frame.equations.apply_inverse_mass(&mut self.dq);
        }
        let solution = frame.equations.solution();
        for k in 0..self.v_half.len() {
            let kicked = frame.state.v[k] + solution.motion[k] - 0.5 * h * self.dq[k];
            self.v_half[k] = at_rest(kicked);
        }
    }

    pub(super) fn solve_prediction(&mut self, frame: &mut Frame<'_, '_>, h: f64) {
        self.landing.start.clear();
        if frame.method.warm_starts() {
            let lambda = frame.state.lambda.iter();
            let start = lambda.map(|lambda| 0.5 * h * lambda);
            self.landing.start.extend(start);
        }
        let request = Request {
            load: Load::Given(&self.force),
            rows: Some(&self.b),
            start: self.landing.start(),
            ..Request::default()
        };
        frame.equations.solve(request, frame.meter);
    }

    /// The trial: free flight with `v½`, and the equations there. Velocities are extrapolated by
    /// the same kick again, so that forces that depend on them are of second order too.
    pub(super) fn fly(&mut self, frame: &mut Frame<'_, '_>, h: f64) {
        let Landing { trial, kick, .. } = &mut self.landing;
        let state = &*frame.state;
        trial.begin_at(state);
        trial.v.copy_from_slice(&self.v_half);
        let layout = &frame.equations.layout;
        layout.free_flight(frame.world, trial, h, &mut self.dq);
        for k in 0..kick.len() {
            kick[k] = self.v_half[k] - state.v[k];
            trial.v[k] += kick[k];
        }
        let terms = frame.terms(Motion::Velocity, Soft::Rows);
        self.landing.fill_probe(frame, terms.ahead(-0.5 * h));
    }

    /// Repeats the flight with the number of corrections that helped. A step over a singular pose ends here: J
    /// of the start and J of the end have opposite directions in the rows that fail there, so corrections open
    /// what they should close. The prediction is correct to the order of the step, and the next step closes the
    /// rest.
    fn fly_best(
        &mut self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        h: f64,
        damping: f64,
        corrections: usize,
    ) {
        frame.log.rungs.count(Rung::Over, Cause::Singular);
        self.predict(frame, closing, h, damping);
        self.landing.start.clear();
        self.fly(frame, h);
        for _ in 0..corrections {
            self.correct(frame, h);
            self.fly(frame, h);
        }
    }

    /// `μ ← μ + δμ` with `h·J(q)·M⁻¹·J(q)ᵀ·δμ = −c(q′)`.
    fn correct(&mut self, frame: &mut Frame<'_, '_>, h: f64) {
        self.load_correction(frame, h);
        self.solve_correction(frame, frame.springs.has_strains());
        self.take_correction(frame);
    }

    /// Sets the load and right-hand side of a correction.
    pub(super) fn load_correction(&mut self, frame: &mut Frame<'_, '_>, h: f64) {
        let (system, probe) = (frame.equations.system(), frame.equations.probe());
        for row in 0..self.b.len() {
            self.b[row] = if probe.velocity_level[row] {
                0.0
            } else {
                -probe.c[row] / h
            };
        }
        let (b, force) = (&mut self.b, &mut self.force);
        let impulse = &self.landing.impulse;
        frame.springs.correct((system, probe), h, impulse, b, force);
    }

    /// Solves for a correction, with forces on the bodies if there are any.
    pub(super) fn solve_correction(&mut self, frame: &mut Frame<'_, '_>, is_loaded: bool) {
        let force = is_loaded.then_some(&self.force[..]);
        let request = Request {
            load: force.into(),
            rows: Some(&self.b),
            ..Request::default()
        };
        frame.equations.solve(request, frame.meter);
    }

    /// Solves for a correction by rows alone where more follow, with forces on the bodies if there are any.
    pub(super) fn solve_rows(&mut self, frame: &mut Frame<'_, '_>, is_loaded: bool) {
        let force = is_loaded.then_some(&self.force[..]);
        let request = Request {
            load: force.into(),
            rows: Some(&self.b),
            care: Care::Correction,
            ..Request::default()
        };
        frame.equations.solve(request, frame.meter);
    }

    /// Solves for the effect of forces on the bodies.
    pub(super) fn solve_pushes(&mut self, frame: &mut Frame<'_, '_>) {
        let request = Request {
            load: Load::Given(&self.force),
            ..Request::default()
        };
        frame.equations.solve(request, frame.meter);
    }

    /// Takes the solved correction.
    pub(super) fn take_correction(&mut self, frame: &mut Frame<'_, '_>) {
        let (system, solution) = (frame.equations.system(), frame.equations.solution());
        frame.springs.take_strain_impulses(system, &solution.motion);
        for (v, y) in self.v_half.iter_mut().zip(&solution.motion) {
            *v = at_rest(*v + y);
        }
        let impulses = self.landing.impulse.iter_mut();
        for (impulse, lambda) in impulses.zip(&solution.lambda) {
            *impulse += lambda;
        }
    }
}
