//! Integration: from the state at one instant to a later one, one file per scheme.
//!
//! Every scheme is a type with its own buffers and one entry point, `step`. It works on a `Frame`.
//! Nothing here writes to the world; the step commits at its end.

use crate::equations::Soft;
use crate::frame::Frame;
use crate::stabilize::{CLOSINGS, Closing, Displacement, closes_by_a_factor};
use crate::words::words;
use crate::world::Dynamics;

mod bounds;
mod budgeted;
mod closed_end;
mod composition;
mod dormand_prince;
mod energy_limit;
mod explicit;
mod first_order;
mod flow;
mod flow_bounds;
mod implicit;
mod interactive;
mod landing;
mod local_error;
mod middle;
mod minimum;
mod mixing;
mod pace;
mod precise;
mod progress;
mod radau;
mod rattle;
mod scheme;
mod slopes;
mod tolerances;

pub use minimum::Found;
pub use scheme::{InteractiveOptions, PreciseOptions, Scheme};

use bounds::BoundedSteps;
use closed_end::ClosedEnd;
use explicit::Explicit;
use first_order::FirstOrder;
use interactive::Interactive;
use precise::Precise;
use tolerances::{FINE, MAX_DEPTH};

/// The integrators of the papers, on accelerations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integrator {
    /// `q ← q ⊞ h·v`, then `v ← v + h·v̇`: first order, gains energy.
    Euler,
    /// `v ← v + h·v̇`, then `q ← q ⊞ h·v`: first order, symplectic without constraints.
    SymplecticEuler,
    /// The classical Runge–Kutta method of fourth order.
    Rk4,
    /// Störmer's method, `Δq ← Δq + h²·v̇` (Faure 1998, §4.2): second order without constraints.
    Stoermer,
}

words! {
    Integrator, "integrator":
    Self::Euler = Self::Euler, "euler", "Forward Euler: first order, gains energy.";
    Self::SymplecticEuler = Self::SymplecticEuler, "symplectic-euler", "Semi-implicit Euler: first order.";
    Self::Rk4 = Self::Rk4, "rk4", "Runge–Kutta of fourth order.";
    Self::Stoermer = Self::Stoermer, "stoermer", "Störmer's method (Faure 1998).";
}

/// A scheme whose buffers are sized at its first step after an edit.
#[derive(Debug, Default)]
struct OnDemand<T> {
    scheme: T,
    is_sized: bool,
}

impl<T> OnDemand<T> {
    fn sized(&mut self, size: impl FnOnce(&mut T)) -> &mut T {
        if !self.is_sized {
            size(&mut self.scheme);
            self.is_sized = true;
        }
        &mut self.scheme
    }
}

/// An integrator of the papers with its stabilization.
#[derive(Debug, Default)]
struct Parts {
    explicit: Explicit,
    displacement: Displacement,
}

/// Every scheme, with its buffers.
#[derive(Debug, Default)]
pub(crate) struct Schemes {
    interactive: Interactive,
    precise: OnDemand<Precise>,
    parts: OnDemand<Parts>,
    first_order: OnDemand<FirstOrder>,
    bounded: OnDemand<BoundedSteps>,
    closed_end: ClosedEnd,
    pub(crate) closing: Closing,
}

impl Schemes {
    /// Sizes the buffers for newly compiled equations, so that no later step allocates. Schemes that are rarely
    /// chosen are sized at their first step.
    pub(crate) fn size(&mut self, frame: &Frame<'_, '_>) {
        self.interactive.size(frame);
        self.precise.is_sized = false;
        self.parts.is_sized = false;
        self.first_order.is_sized = false;
        self.bounded.is_sized = false;
        self.closed_end.size(frame.state);
        self.closing.size(frame.state, frame.system());
    }

    /// Pushes out violations of stops; positions only.
    pub(crate) fn keep_limits(&mut self, frame: &mut Frame<'_, '_>) {
        if frame.has_bounds() {
            let bounded = self.bounded.sized(|own| own.size(frame));
            bounded.push_out(frame, &mut self.closing);
        }
    }

    /// Closes open joints, if possible from here, and pushes out violations of stops; positions only.
    pub(crate) fn close_within_limits(&mut self, frame: &mut Frame<'_, '_>) {
        let open_q = frame.state.q.clone();
        let closings = 2..=CLOSINGS;
        let closing = &mut self.closing;
        if !closing.close_exact(frame, Soft::Absent, closings, frame.damping) {
            frame.state.q.copy_from_slice(&open_q);
            // They were closed at another pose, so they do not contradict each other.
            frame.measured.contradiction = 0.0;
        }
        self.keep_limits(frame);
    }

    /// Advances the state by `dt` with bounded rows, by a preset.
    fn step_bounded(&mut self, frame: &mut Frame<'_, '_>, dt: f64, scheme: &Scheme) {
        let bounded = self.bounded.sized(|own| own.size(frame));
        let (ladder, closing) = (&mut self.interactive, &mut self.closing);
        if !matches!(scheme, Scheme::Interactive(_)) && ladder.pace.gives_up(frame, dt) {
            return;
        }
        let (longest, max_depth) = match scheme {
            Scheme::Precise(PreciseOptions {
                tolerance: Some(tolerance),
            }) => return bounded.refine(ladder, frame, closing, dt, *tolerance),
            Scheme::Interactive(options) => (dt, options.max_depth),
            _ => (dt / FINE, MAX_DEPTH),
        };
        let pace = bounds::Pace {
            dt,
            longest,
            max_depth,
            slow: f64::INFINITY,
        };
        bounded.step(ladder, frame, closing, pace);
    }

    /// Advances the state by `dt`. `may_be_cut` means that the budget is limited.
    pub(crate) fn step(
        &mut self,
        frame: &mut Frame<'_, '_>,
        dt: f64,
        scheme: &Scheme,
        may_be_cut: bool,
    ) {
        let (ladder, closing) = (&mut self.interactive, &mut self.closing);
        let has_bounds = frame.has_bounds();
        let is_preset = scheme.is_preset();
        let keeps_bounds =
            has_bounds && is_preset && frame.world.dynamics() == Dynamics::SecondOrder;
        let is_bounded = keeps_bounds && !bounds::find_far(frame, dt);
        match (frame.world.dynamics(), scheme) {
            (Dynamics::FirstOrder, _) => {
                let scheme = self.first_order.sized(|own| own.size(frame));
                scheme.step(frame, closing, dt);
            }
            (Dynamics::Assembly, _) => {
                let scheme = self.first_order.sized(|own| own.size(frame));
                scheme.assemble(frame, closing, dt);
            }
            (Dynamics::SecondOrder, _) if is_bounded => {
                self.step_bounded(frame, dt, scheme);
            }
            (Dynamics::SecondOrder, Scheme::Interactive(options)) if may_be_cut => {
                budgeted::step(ladder, frame, closing, dt, options);
            }
            (Dynamics::SecondOrder, Scheme::Interactive(options)) => {
                ladder.step(frame, closing, dt, options);
            }
            (Dynamics::SecondOrder, Scheme::Precise(options)) => {
                let scheme = self.precise.sized(|own| own.size(frame));
                scheme.step_or_climb(ladder, frame, closing, dt, options);
            }
            (Dynamics::SecondOrder, Scheme::Symplectic4) => {
                let precise = self.precise.sized(|own| own.size(frame));
                composition::step(ladder, precise, frame, closing, dt);
            }
            (
                Dynamics::SecondOrder,
                Scheme::Parts {
                    integrator,
                    stabilization: rule,
                },
            ) => {
                let Parts {
                    explicit,
                    displacement,
                } = self.parts.sized(|own| {
                    own.explicit.size(frame.state, frame.system());
                    own.displacement.size(frame.system());
                });
                explicit.step(frame, closing, dt, *integrator, rule);
                rule.stabilize(frame, closing, displacement, dt);
            }
        }
        if keeps_bounds && !is_bounded && bounds::look_back(frame, dt) {
            // Distant bodies came near: again, with bounded rows.
            frame.log.refused += 1;
            frame.begin_again(dt);
            self.step_bounded(frame, dt, scheme);
        }
        let closing = &mut self.closing;
        if has_bounds && !keeps_bounds {
            let bounded = self.bounded.sized(|own| own.size(frame));
            match frame.world.dynamics() {
                Dynamics::SecondOrder => bounded.mend(frame, closing, dt),
                _ => bounded.push_out(frame, closing),
            }
        }
        let closes = is_preset || frame.world.dynamics() != Dynamics::SecondOrder;
        let is_iterative = frame.method.is_iterative();
        let may_be_open =
            is_iterative || frame.meter.ended().is_some() || frame.measured.contradiction > 0.0;
        if closes && may_be_open && closes_by_a_factor(frame) {
            self.closed_end.see_to(frame, closing, dt);
        }
    }
}
