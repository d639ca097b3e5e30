//! The `Precise` scheme: error control inside the frame, and projection after every step.
//!
//! Steps are by Dormand and Prince, of order 5(4). A frame in which a spring would vibrate many times is taken
//! by Radau's method, also of order 5, which is stable at any stiffness. The vibration dies out, and the report
//! names the spring.
//!
//! Near a singular pose, where rows become dependent, round-off of gaps causes arbitrarily large accelerations
//! in these rows. The projection removes them, so they are not an error of the step: a failed try is judged by
//! its error on the constraints. Otherwise steps would shrink without limit, and end so near the pose that the
//! projection would remove real motion.
//!
//! Frames in which a hand leads out of reach are taken by the ladder, and the report says so.

use super::dormand_prince;
use super::interactive::Interactive;
use super::local_error::LocalError;
use super::radau::Radau;
use super::slopes::Slopes;
use super::tolerances::{
    LEAP, LEAST_ERROR, MOST_FAILED, MOST_STEPS, MOST_STIFF, MOST_TRIES, OUT_OF_REACH, REMOVED,
    ROUND_OFF, STIFF, TIGHT,
};
use super::{InteractiveOptions, PreciseOptions};
use crate::equations::{Motion, Soft};
use crate::frame::{Cause, Frame, Rung, Stiffest};
use crate::stabilize::{Closing, Stabilization};

/// The buffers of a step.
#[derive(Debug, Default)]
pub(super) struct Precise {
    slopes: Slopes,
    error: LocalError,
    radau: Radau,
}

/// How steps of a frame are taken.
#[derive(Clone, Copy, Debug)]
struct Control {
    dt: f64,
    tolerance: f64,
    is_stiff: bool,
}

impl Control {
    /// The change of step size for an error in units of the tolerance. The error grows as h⁵; the estimate of
    /// implicit steps as h⁴.
    fn part(&self, error: f64) -> f64 {
        let power = if self.is_stiff { -0.25 } else { -0.2 };
        0.9 * libm::pow(error, power)
    }
}

impl Precise {
    pub(super) fn size(&mut self, frame: &Frame<'_, '_>) {
        let system = frame.system();
        self.slopes
            .size(dormand_prince::N_SLOPES, frame.state, system);
        self.error.size(system);
        self.radau.size(system);
    }

    /// Advances the state by `dt`. If a hand leads out of reach, by the ladder: the large forces of damped
    /// least squares toward the goal would take thousands of steps without visible effect.
    pub(super) fn step_or_climb(
        &mut self,
        ladder: &mut Interactive,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        dt: f64,
        options: &PreciseOptions,
    ) {
        if options.tolerance.is_some() && ladder.pace.gives_up(frame, dt) {
            return;
        }
        if !self.find_leap(frame, dt) {
            self.step(frame, closing, dt, options);
            return;
        }
        // Step sizes of one scheme are of no use to the other.
        frame.log.rungs.count(Rung::Ladder, Cause::Open);
        frame.state.substep = 0.0;
        ladder.step(frame, closing, dt, &InteractiveOptions::default());
        frame.state.substep = 0.0;
    }

    /// Whether a hand's goal is out of reach at the start of the frame, or leaps during it.
    fn find_leap(&mut self, frame: &mut Frame<'_, '_>, dt: f64) -> bool {
        if frame.world.grips().is_empty() || frame.system().rows.lower.is_empty() {
            return false;
        }
        let length = frame.system().bar_length();
        let start = frame.fill_probe(Motion::Displacement, Soft::Rows);
        if start.lower_gap() > OUT_OF_REACH * length {
            return true;
        }
        let trial = &mut self.slopes.trial;
        trial.begin_at(frame.state);
        let (world, layout) = (frame.world, &frame.equations.layout);
        layout.follow(world, trial, dt);
        let terms = frame.terms(Motion::Displacement, Soft::Rows);
        let end = frame.equations.fill_probe((world, trial), terms);
        end.gap().max(end.lower_gap()) > LEAP * length
    }

    /// Advances the state by `dt`.
    pub(super) fn step(
        &mut self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        dt: f64,
        options: &PreciseOptions,
    ) {
        // Closed to round-off, because near singular poses a gap decides the branch. Not with coarse solves,
        // which cannot, nor with strains, which closing would change.
        let exact = if frame.method.is_iterative() || frame.springs.has_strains() {
            TIGHT
        } else {
            ROUND_OFF
        };
        let closed = frame.tolerance.min(exact * frame.system().bar_length());
        self.advance(&mut frame.closed_to(closed), closing, dt, options);
    }

    fn advance(
        &mut self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        dt: f64,
        options: &PreciseOptions,
    ) {
        let (start, end) = (frame.state.t, frame.state.t + dt);
        let least = dt / MOST_STEPS;
        let tolerance = options.tolerance.unwrap_or(LEAST_ERROR);
        let control = Control {
            dt,
            tolerance: tolerance.max(LEAST_ERROR),
            is_stiff: see_stiffness(frame, dt),
        };
        if options.tolerance.is_none() {
            self.try_step(frame, closing, dt, &control);
            self.accept(frame, closing, dt, &control);
            frame.state.t = end;
            return;
        }
        let mut h = frame.state.substep;
        if h <= 0.0 {
            h = dt / 16.0;
        }
        let (mut done, mut n_tried, mut n_failed) = (0.0, 0, 0);
        while done < dt * (1.0 - 1e-12) {
            // Equal parts toward the end of the frame, so that no tiny step remains.
            let left = dt - done;
            let n = (left / h).ceil().max(1.0);
            let step = if n < 3.0 { left / n } else { h };
            let mut error = self.try_step(frame, closing, step, &control);
            let spent = frame.out_of_budget();
            let may_be_singular = !control.is_stiff && !frame.method.is_iterative();
            if error > 1.0 && error.is_finite() && may_be_singular {
                self.error.keep_on_constraints(frame);
                let on_constraints = self.error.largest(&frame.state.v, step) / control.tolerance;
                if error > REMOVED * on_constraints {
                    error = on_constraints;
                    if error <= 1.0 {
                        frame.log.rungs.count(Rung::Over, Cause::Across);
                    }
                }
            }
            if !error.is_finite() && (step <= least || spent) {
                // No step is short enough: the caller refuses a state that is not finite.
                frame.state.swap_motion(&mut self.slopes.trial);
                frame.state.t = f64::NAN;
                return;
            }
            n_tried += 1;
            n_failed += u32::from(error > 1.0 && step <= least);
            let most = match control.is_stiff {
                true => MOST_STIFF,
                false => MOST_TRIES,
            };
            if !spent && (n_tried > most || n_failed > MOST_FAILED) {
                // Too fast to follow: a frame without an end is refused.
                frame.state.t = f64::NAN;
                return;
            }
            if error <= 1.0 || step <= least || spent {
                done += step;
                self.accept(frame, closing, step, &control);
                frame.state.t = start + done;
                let grow = control.part(error.max(1e-10));
                let next = step * grow.clamp(0.2, 4.0);
                // A short last part does not reduce the step size.
                h = if step < h { next.max(h) } else { next };
                if spent {
                    h = h.max(dt);
                }
            } else {
                frame.log.refused += 1;
                let shrink = control.part(error);
                let shrink = if shrink.is_finite() { shrink } else { 0.1 };
                h = (step * shrink.clamp(0.1, 0.9)).max(least);
            }
        }
        frame.state.substep = h;
        frame.state.t = end;
    }

    /// One step into the trial; returns the local error in units of the tolerance.
    fn try_step(
        &mut self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        h: f64,
        control: &Control,
    ) -> f64 {
        let (slopes, error) = (&mut self.slopes, &mut self.error);
        let Control { dt, tolerance, .. } = *control;
        let error = if control.is_stiff {
            let lengths = (h, dt, tolerance);
            self.radau.try_step(slopes, error, frame, closing, lengths)
        } else {
            dormand_prince::try_step(slopes, error, frame, closing, h)
        };
        error / tolerance
    }

    /// The trial, a step of `h` seconds, becomes the state, closed.
    fn accept(
        &mut self,
        frame: &mut Frame<'_, '_>,
        closing: &mut Closing,
        h: f64,
        control: &Control,
    ) {
        self.slopes.accept(frame);
        if control.is_stiff {
            frame.log.rungs.count(Rung::Stiff, Cause::Spring);
        }
        closing.project_braked(frame, Stabilization::PROJECTIONS, h);
    }
}

/// Whether a spring is too stiff for explicit steps. The log gets the stiffest.
fn see_stiffness(frame: &mut Frame<'_, '_>, dt: f64) -> bool {
    if frame.springs.is_empty() || frame.method.is_iterative() {
        return false;
    }
    frame.fill(Motion::Acceleration, Soft::Rows);
    let system = frame.equations.modify();
    let fastest = frame.springs.fastest(system);
    let Some((_, at)) = fastest.filter(|(rate, _)| rate * dt > STIFF) else {
        return false;
    };
    frame.log.stiffest = Some(Stiffest::of(frame.world, at));
    true
}
