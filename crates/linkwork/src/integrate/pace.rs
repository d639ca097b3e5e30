//! Estimates the fastest mode of explicit forces, and the longest sub-step that follows it.
//!
//! Behaviors apply f(q) at both ends of a step: springs that are forces, potentials, laws. RATTLE is stable for modes
//! with h·ω < 2, and gains energy beyond that; the limit of a composition of fourth order is about the same. Let R be
//! the response to a load where joints hold, `M·y = load + Jᵀ·λ`. The modes are those of
//!
//! ```text
//!     y ↦ −R·Δf         ω² = −y·Δf/(y·M·y), y·M·y = y·load         Δf = (f(q ⊞ y) − f(q ⊟ y))/2
//! ```
//!
//! A few power iterations from an arbitrary load give the fastest mode: exactly for one spring, a little too slow for
//! many. Each costs two fills and one solve with the factor that the first step needs anyway; if no force changes, they
//! cost nothing. Dampers that are forces are measured in the same way, with `f(q, v ± y)`: their decay rate is limited
//! to h·rate < 2 by RATTLE.

use super::rattle::Rattle;
use super::tolerances::{DAMPED, GLANCE, GLANCES, OUTPACED, STIFF_DAMPER, STIFF_FORCE};
use crate::equations::{Load, Motion, Request, Soft};
use crate::frame::Frame;
use crate::linalg::size;
use crate::stabilize::farthest;
use crate::world::{BehaviorRecord, BodyRecord, State, World};

/// The buffers of a measurement.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// Whether a force depends on positions, and on velocities.
    changes: [bool; 2],
    trial: State,
    /// Forces after a small displacement.
    there: Vec<f64>,
    load: Vec<f64>,
    way: Vec<f64>,
}

/// The fastest modes of explicit forces; zero if none restores or damps.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fastest {
    /// The fastest mode, rad/s.
    turns: f64,
    /// The largest decay rate of dampers, 1/s.
    slows: f64,
}

impl Fastest {
    /// The equivalent frequency for a scheme that takes at most `most` radians a step: dampers may reach
    /// `DAMPED`.
    pub(super) fn within(self, most: f64) -> f64 {
        self.turns.max(self.slows * most / DAMPED)
    }

    /// Whether forces turn or slow something more often in a frame than error control is to follow.
    fn outruns(self, dt: f64) -> bool {
        dt * self.turns > STIFF_FORCE || dt * self.slows > STIFF_DAMPER
    }

    /// Whether no step of `h` follows.
    pub(super) fn outpaces(self, h: f64) -> bool {
        h * self.turns.max(self.slows) > OUTPACED
    }
}

impl Pace {
    pub(super) fn size(&mut self, frame: &Frame<'_, '_>) {
        self.changes = frame.world.has_changing_forces();
        if self.changes == [false; 2] {
            return;
        }
        self.trial.copy_motion(frame.state);
        for buffer in [&mut self.there, &mut self.load, &mut self.way] {
            size(buffer, frame.system().n_v());
        }
    }

    /// Measures the modes at the start of a step of `h`. Not for iterative methods, which would take as long as
    /// for the step.
    pub(super) fn measure(&mut self, frame: &mut Frame<'_, '_>, h: f64) -> Fastest {
        let [place, motion] = self.changes;
        if frame.method.is_iterative() || !(place || motion) {
            return Fastest::default();
        }
        Rattle::fill_start(frame, h, 1.0);
        frame.factor();
        let mut fastest = Fastest::default();
        if place {
            fastest.turns = self.largest(frame, Change::Place).sqrt();
        }
        if motion {
            fastest.slows = self.largest(frame, Change::Motion);
        }
        fastest
    }

    /// Whether explicit forces are too fast for error control in a frame of `dt`: it would take minutes. Then the frame
    /// is refused, and the log names the force.
    pub(super) fn gives_up(&mut self, frame: &mut Frame<'_, '_>, dt: f64) -> bool {
        let fastest = self.measure(frame, dt);
        if !fastest.outruns(dt) {
            return false;
        }
        let change = match dt * fastest.turns > STIFF_FORCE {
            true => Change::Place,
            false => Change::Motion,
        };
        self.largest(frame, change);
        frame.log.outruns = self.most_on(frame.world, change);
        frame.state.t = f64::NAN;
        true
    }

    /// The body that the forces of the last measurement push most, and a behavior on it that does.
    #[cold]
    fn most_on(&self, world: &World, change: Change) -> Option<(usize, usize)> {
        let push = |record: &BodyRecord| -> f64 {
            let range = record.v_range();
            let pushes = self.way[range.clone()].iter().zip(&self.load[range]);
            pushes.map(|(way, force)| -way * force).sum()
        };
        let bodies = world.bodies().iter().enumerate();
        let enabled = bodies.filter(|(_, record)| record.enabled());
        let most = enabled.max_by(|a, b| push(a.1).total_cmp(&push(b.1)));
        let (body, record) = most?;
        let acts = |own: &BehaviorRecord| {
            let changes = match change {
                Change::Place => own.behavior().changes_with_place(),
                Change::Motion => own.behavior().changes_with_motion(),
            };
            changes && own.enabled() && world.touches(own.connectors(), record.id())
        };
        Some((body, world.behaviors().iter().position(acts)?))
    }

    /// The largest `−y·Δf/(y·M·y)` of a change of places or of motion.
    fn largest(&mut self, frame: &mut Frame<'_, '_>, change: Change) -> f64 {
        let length = frame.system().bar_length();
        // Fractional parts of multiples of the golden ratio: excites every pattern of bodies.
        for (k, load) in self.load.iter_mut().enumerate() {
            let multiple = 0.618_033_988_749_894_9 * (k + 1) as f64;
            *load = multiple - multiple.floor() - 0.5;
        }
        let mut most = 0.0f64;
        for _ in 0..GLANCES {
            let request = Request {
                load: Load::Given(&self.load),
                ..Request::default()
            };
            let motion = &frame.solve(request).motion;
            self.way.copy_from_slice(motion);
            let size = farthest(frame.world, &self.way, length);
            if !(size > 0.0 && size.is_finite()) {
                break;
            }
            let part = GLANCE * length / size;
            self.way.iter_mut().for_each(|way| *way *= part);
            // y·M·y including armatures, because joints do no work along y.
            let inertia: f64 = self.way.iter().zip(&self.load).map(|(a, b)| a * b).sum();
            let inertia = part * inertia;
            // In both directions: the even part of a force does not restore.
            self.fill_forces(frame, change, 1.0);
            self.there.copy_from_slice(&self.load);
            self.fill_forces(frame, change, -1.0);
            for (load, there) in self.load.iter_mut().zip(&self.there) {
                *load = 0.5 * (there - *load);
            }
            let back: f64 = self.way.iter().zip(&self.load).map(|(a, b)| -a * b).sum();
            most = most.max(back / inertia);
        }
        most
    }

    /// Forces of behaviors after a small displacement in either direction.
    fn fill_forces(&mut self, frame: &mut Frame<'_, '_>, change: Change, sign: f64) {
        let Self { trial, way, .. } = self;
        trial.begin_at(frame.state);
        way.iter_mut().for_each(|way| *way *= sign);
        match change {
            Change::Place => {
                let layout = &frame.equations.layout;
                layout.displace(frame.world, &mut trial.q, way);
                // At rest: the direction of a damper whose ends coincide is arbitrary.
                trial.v.fill(0.0);
            }
            Change::Motion => {
                for (k, v) in trial.v.iter_mut().enumerate() {
                    *v = frame.state.v[k] + way[k];
                }
            }
        }
        way.iter_mut().for_each(|way| *way *= sign);
        let terms = frame.terms(Motion::Velocity, Soft::Rows);
        let probe = frame
            .equations
            .fill_probe((frame.world, &self.trial), terms);
        let forces = probe.force.iter().zip(&probe.inertial);
        for (load, (force, inertial)) in self.load.iter_mut().zip(forces) {
            *load = force - inertial;
        }
    }
}

/// What is changed by a small amount.
#[derive(Clone, Copy, Debug)]
enum Change {
    Place,
    Motion,
}
