//! How much energy a frame gained that nobody put in.
//!
//! ```text
//!     ΔT + ΔU ≤ W + 0.1·(T + |W|)
//! ```
//!
//! with T the kinetic energy and U the energy stored by behaviors, soft rows and deformed bodies. W is the most
//! that drives, hands, prescribed bodies, behaviors and functions of time can have put in: an upper bound, so
//! that no frame is refused wrongly. Frames are examined in up to four looks, each closer than the last, until
//! one finds nothing wrong:
//!
//! | look   | cost                        | what is compared                                               |
//! |--------|-----------------------------|----------------------------------------------------------------|
//! | first  | one product with M          | kinetic energies, with M of where the frame ends               |
//! | second | one product with J          | what forces and rows can have put in, by where the frame ends  |
//! | third  | two fills                   | the same by both ends; what springs store                      |
//! | fourth | copies of the world         | all energies, exactly (`exact`)                                |
//!
//! If forces of behaviors depend on positions, the first two are skipped: a spring can gain energy that no
//! motion shows. Only the last allocates.

mod exact;
mod input;

use super::{Frame, tolerances};
use crate::equations::{Motion, Soft};
use crate::system::System;
use crate::world::{State, World};

use input::Lead;

/// The buffers of the looks, n_v each.
#[derive(Debug, Default)]
pub(crate) struct Growth {
    start: State,
    scratch: Vec<f64>,
    momentum: Vec<f64>,
    /// Displacement over the frame: `q₁ ⊖ q₀`.
    way: Vec<f64>,
    /// Forces at its start.
    force: Vec<f64>,
    /// Whether behaviors may store energy, so that a gain need not show in the motion.
    stores: bool,
}

/// Energy that nobody put in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gain {
    /// The gain, J.
    pub(crate) energy: f64,
    /// The body with the most kinetic energy, by its place among the world's.
    pub(crate) body: Option<usize>,
}

/// A gain and what it is compared with.
#[derive(Clone, Copy, Debug)]
struct Balance {
    /// Increase of energy.
    gain: f64,
    /// The most that can have been put in.
    input: f64,
    /// The energy of which a tenth may be gained, in addition to the input.
    size: f64,
    /// Gains up to this are ignored.
    nothing: f64,
}

impl Balance {
    /// The part of the gain that nobody put in; zero if it is small.
    fn excess(&self) -> f64 {
        let allowed = self.input + tolerances::GAIN * (self.size + self.input.abs()) + self.nothing;
        // An energy that overflows is a gain, whatever was put in.
        let is_finite = self.gain.is_finite();
        if is_finite && self.gain <= allowed {
            0.0
        } else if is_finite && allowed.is_finite() {
            self.gain - self.input
        } else {
            f64::INFINITY
        }
    }

    fn is_even(&self) -> bool {
        self.excess() == 0.0
    }
}

impl Growth {
    pub(crate) fn size(&mut self, world: &World, state: &State) {
        [self.stores, _] = world.has_changing_forces();
        self.start.make_room(state);
        // Disabled bodies do not move.
        self.way.fill(0.0);
        let buffers = [
            &mut self.scratch,
            &mut self.momentum,
            &mut self.way,
            &mut self.force,
        ];
        for buffer in buffers {
            buffer.resize(state.v.len(), 0.0);
        }
    }

    /// The energy that a frame of `h` seconds gained and nobody put in. The equations are filled at its end.
    pub(crate) fn measure(&mut self, frame: &mut Frame<'_, '_>, h: f64) -> Option<Gain> {
        let (before, now) = (&frame.world.state().v, &frame.state.v);
        let scratch = (&mut self.scratch[..], &mut self.momentum[..]);
        let (gain, size) = frame.system().kinetic_change(before, now, scratch);
        let is_seen_in_motion = !self.stores && !frame.log.is_outpaced;
        if is_seen_in_motion && gain <= tolerances::GAIN * size && size.is_finite() {
            return None;
        }
        let nothing = nothing(frame.system(), h);
        if is_seen_in_motion && self.look_at_end(frame, h, gain, size, nothing) {
            return None;
        }
        // States that are not finite are refused elsewhere. A row with K ≠ Jᵀ can put in any energy.
        let is_finite = frame
            .state
            .q
            .iter()
            .chain(&frame.state.v)
            .all(|x| x.is_finite());
        let pushes = frame.system().constraints.iter().any(|c| c.pushes);
        if pushes || !is_finite {
            return None;
        }
        // Forces that change faster than the step do not tell their work.
        if !frame.log.is_outpaced && self.look_at_both_ends(frame, h, nothing) {
            return None;
        }
        let energy = self.look_exactly(frame, h, nothing);
        (energy > 0.0).then(|| Gain {
            energy,
            body: self.fastest(frame),
        })
    }

    /// Whether forces and rows at the end of the frame can account for the gain.
    fn look_at_end(
        &mut self,
        frame: &Frame<'_, '_>,
        h: f64,
        gain: f64,
        size: f64,
        nothing: f64,
    ) -> bool {
        let state = &*frame.state;
        self.go_straight(frame);
        let force = frame.system().force();
        let power = product(force, &state.v);
        let forces = work(product(force, &self.way), h * power);
        let balance = |input: f64| Balance {
            gain,
            input: input + supplied(frame),
            size,
            nothing,
        };
        if balance(forces).is_even() {
            return true;
        }
        // Where rates are correct, the motion of prescribed rows is `∂c/∂t = −J·v`.
        let mut lead = Lead::default();
        if frame.is_measured() {
            lead.add_moved(frame.system(), (&state.v, &state.lambda));
        }
        balance(forces + lead.work(frame.system(), h)).is_even()
    }

    /// Whether forces, rows and springs at both ends can account for the gain.
    fn look_at_both_ends(&mut self, frame: &mut Frame<'_, '_>, h: f64, nothing: f64) -> bool {
        self.begin(frame, h);
        let terms = frame.terms(Motion::Velocity, Soft::Rows);
        let mut lead = Lead::default();

        let at = (frame.world, &self.start);
        let probe = frame.equations.fill_probe(at, terms);
        let kinetic_before = probe.kinetic_energy(&self.start.v, &mut self.momentum);
        let stored_before = frame.springs.stored_energy(probe);
        let power_before = product(&probe.force, &self.start.v);
        self.force.copy_from_slice(&probe.force);
        lead.add(probe, (&self.start.v, &self.start.lambda), h);

        let at = (frame.world, &*frame.state);
        let probe = frame.equations.fill_probe(at, terms);
        let kinetic = probe.kinetic_energy(&frame.state.v, &mut self.momentum);
        let stored = frame.springs.stored_energy(probe);
        let power = product(&probe.force, &frame.state.v);
        lead.add(probe, (&frame.state.v, &frame.state.lambda), h);
        for (force, f) in self.force.iter_mut().zip(&probe.force) {
            *force = 0.5 * (*force + f);
        }
        let led = lead.work(probe, h);
        let layout = &frame.equations.layout;
        layout.way(frame.world, &frame.state.q, &self.start.q, &mut self.way);
        let along_way = product(&self.force, &self.way);
        let mut forces = work(along_way, h * power.max(power_before));
        if self.stores {
            // Energy that forces took is energy they store.
            forces = forces.min(along_way);
        }
        let balance = Balance {
            gain: kinetic - kinetic_before + stored - stored_before,
            input: forces + led + supplied(frame),
            size: kinetic.max(kinetic_before) + (stored - stored_before).abs(),
            nothing,
        };
        balance.is_even()
    }

    /// Displacement of coordinates that do not rotate.
    fn go_straight(&mut self, frame: &Frame<'_, '_>) {
        let (world, q) = (frame.world, &frame.state.q);
        let layout = &frame.equations.layout;
        layout.straight_difference(world, q, &world.state().q, &mut self.way);
    }

    /// The state at the start of the frame, with goals moving as during it.
    fn begin(&mut self, frame: &Frame<'_, '_>, h: f64) {
        self.start.copy_motion(frame.world.state());
        let layout = &frame.equations.layout;
        layout.begin_step(frame.world, &mut self.start.q, h);
    }

    /// The body with the most kinetic energy at the end of the frame.
    fn fastest(&mut self, frame: &Frame<'_, '_>) -> Option<usize> {
        let (system, v) = (frame.system(), &frame.state.v);
        let energy = |body: u32, momentum: &mut [f64]| {
            let range = system.v_range(body);
            let (v, momentum) = (&v[range.clone()], &mut momentum[range]);
            system.multiply_mass(body, v, momentum);
            product(v, momentum)
        };
        let bodies = 0..system.bodies.len() as u32;
        let energies = bodies.map(|body| (energy(body, &mut self.momentum), body));
        let (_, body) = energies.max_by(|a, b| a.0.total_cmp(&b.0))?;
        let v0 = system.v_range(body).start;
        let records = frame.world.bodies();
        let is_it = |record: &crate::world::BodyRecord| record.v_range().contains(&v0);
        records.iter().position(is_it)
    }
}

/// The work of forces along the displacement, at most what their power allows. Forces against the motion, such
/// as drag, put in nothing.
fn work(along_way: f64, by_power: f64) -> f64 {
    along_way.min(by_power).max(0.0)
}

/// The energy of motion by a millionth of a bar a frame, below which motion does not count.
fn nothing(system: &System, h: f64) -> f64 {
    let speed = tolerances::STILL * system.bar_length() / h;
    0.5 * system.total_mass() * speed * speed
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Energy put in by bounded rows, J.
fn supplied(frame: &Frame<'_, '_>) -> f64 {
    frame.log.supplied.max(0.0)
}
