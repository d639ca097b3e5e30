//! Whether a run kept its energy: what came or went that nobody put in or took out.
//!
//! The power of everything that drives or rubs is that of the energy along the motion,
//!
//! ```text
//!     P = dE/dt  along  q̇ = v,  v̇ = a(t, q, v)
//! ```
//!
//! with a the accelerations under all forces and constraints. Where nothing drives and nothing rubs, P is zero
//! at every instant, and what a run gains or loses are its errors. Differences are central, and so exact for
//! what is quadratic in q and v, as kinetic and elastic energies are.
//!
//! Where forces drive or rub, their work is summed by trapezia over some frames in a row, again and again, and
//! what is found there stands for the frames between. What rubs only takes: a gain is what energy grew by beyond what
//! was put in, and frames in which dampers took count with all of their change. What is faster than frames is damped
//! within them, and the rates where frames end tell nothing of how much that took. Trapezia of twice the length tell
//! how far they can be wrong; only what is beyond that counts. The work of drives and prescribed motions is not known
//! so well, because they can jerk.

use linkwork::output::Energy;
use linkwork::prelude::*;
use linkwork::step::Scheme;

/// Over this part of a frame the world moves on and back, for differences.
const GLIMPSE: f64 = 1e-4;
/// A power is none that brings less than this part of what is exchanged in a second.
const NO_POWER: f64 = 1e-5;
/// What joints closed to 1e-9 m leave of the power of their forces, which do no work, as a part of what they turn.
const ROUND_OFF: f64 = 1e-8;
/// Motion that keeps its kinetic energy, such as a steady spin, exchanges nothing: it counts as if it exchanged this
/// part of it.
const STEADY: f64 = 1e-2;
/// Motion that is slower is none, m/s.
const STILL: f64 = 1e-6;
/// So often a run is looked at.
const LOOKS: u64 = 64;
/// So many frames in a row are followed where forces drive.
const FOLLOWED: u64 = 16;

/// What energy may change by in a minute, as parts of what is exchanged: the promise of a preset
/// (`docs/presets.md`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnergyPromise {
    /// What may be gained.
    pub gain: f64,
    /// What may be lost.
    pub loss: f64,
}

impl EnergyPromise {
    /// What a scheme promises; the schemes of the papers promise nothing.
    pub const fn of(scheme: &Scheme) -> Option<Self> {
        let (gain, loss) = match scheme {
            Scheme::Interactive(_) => (0.005, 0.1),
            Scheme::Precise(_) => (1e-3, 1e-3),
            Scheme::Symplectic4 => (0.05, 0.05),
            Scheme::Parts { .. } => return None,
        };
        Some(Self { gain, loss })
    }

    /// Whether a drift is within.
    pub fn is_kept_by(&self, drift: &EnergyDrift) -> bool {
        drift.gain <= self.gain * drift.exchanged && drift.loss <= self.loss * drift.exchanged
    }
}

/// Energy that came or went and nobody put in or took out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EnergyDrift {
    /// The most that was gained since the start, J.
    pub gain: f64,
    /// The most that was lost, J.
    pub loss: f64,
    /// What they are measured by: the largest change of kinetic energy, and at least a hundredth of it, J.
    pub exchanged: f64,
    /// The largest kinetic energy, J.
    pub kinetic: f64,
}

impl EnergyDrift {
    /// Takes a change since the start down; what is not a number is a gain beyond all numbers.
    pub fn add(&mut self, change: f64) {
        let change = if change.is_nan() {
            f64::INFINITY
        } else {
            change
        };
        self.gain = self.gain.max(change);
        self.loss = self.loss.max(-change);
    }

    /// What was gained as a part of the largest kinetic energy; infinite where that is no number.
    pub fn gained_part(&self) -> f64 {
        let part = self.gain / self.kinetic;
        match self.gain {
            0.0 => 0.0,
            _ if part.is_nan() => f64::INFINITY,
            _ => part,
        }
    }
}

/// Looks after the energy of a run.
#[derive(Debug)]
pub struct EnergyAccount {
    start: Energy,
    drift: EnergyDrift,
    /// The largest power that was found, W.
    power: f64,
    work: Work,
    /// Every so many frames it looks: each look costs a solve.
    stride: u64,
    n: u64,
    n_frames: u64,
    simulator: Simulator,
}

/// What forces that drive or rub did, as far as frames were followed.
#[derive(Debug, Default)]
struct Work {
    /// Energy and power where the last frame ended, and the power where it began.
    last: Option<(f64, f64, Option<f64>)>,
    /// Energy that changed without them, and without those that put in, J.
    drift: f64,
    growth: f64,
    found: EnergyDrift,
    /// What passed through them, J.
    through: f64,
    /// How far the sum may be wrong, J.
    doubt: f64,
    /// Something moves by itself: its work is not known.
    is_led: bool,
}

impl Work {
    /// Takes a frame of `dt` seconds, which stands for so many, to where energy and power are these.
    fn add(&mut self, energy: f64, power: f64, dt: f64, frames: f64) {
        let mut before = None;
        if let Some((energy_before, power_before, first)) = self.last {
            let work = 0.5 * dt * (power_before + power);
            self.drift += frames * (energy - energy_before - work);
            self.growth += frames * (energy - energy_before - work.max(0.0));
            self.through += frames * work.abs();
            if let Some(first) = first {
                // A trapezoid over both frames; half of its error, of which a third is that of two over one each.
                let longer = dt * (first + power) - 0.5 * dt * (first + 2.0 * power_before + power);
                self.doubt += frames * longer.abs() / 6.0;
            }
            let beyond = |change: f64| (change.abs() - self.doubt).max(0.0).copysign(change);
            self.found.add(beyond(self.drift).min(0.0));
            self.found.add(beyond(self.growth).max(0.0));
            before = Some(power_before);
        }
        self.last = Some((energy, power, before));
    }
}

impl EnergyAccount {
    /// Begins with the world as it is, for a run of so many frames.
    pub fn begin(world: &World, n_frames: u64) -> Result<Self, Error> {
        let start = world.energy()?;
        Ok(Self {
            start,
            drift: EnergyDrift {
                kinetic: start.kinetic,
                ..EnergyDrift::default()
            },
            power: 0.0,
            work: Work::default(),
            stride: n_frames.div_ceil(LOOKS).max(1),
            n: 0,
            n_frames,
            simulator: Simulator::new(),
        })
    }

    /// Takes a frame of `dt` seconds that was made, and looks at the world after some of them.
    pub fn frame(&mut self, world: &World, dt: f64) -> Result<(), Error> {
        self.n += 1;
        let since = self.n % self.stride;
        if since == 0 || self.n == self.n_frames {
            self.look(world, dt)?;
        } else if since < FOLLOWED && self.work.last.is_some() {
            self.follow(world, dt)?;
        } else {
            self.work.last = None;
        }
        Ok(())
    }

    fn look(&mut self, world: &World, dt: f64) -> Result<(), Error> {
        let energy = world.energy()?;
        let moved = (energy.kinetic - self.start.kinetic).abs();
        let steady = STEADY * energy.kinetic;
        self.drift.exchanged = self.drift.exchanged.max(moved).max(steady);
        self.drift.kinetic = self.drift.kinetic.max(energy.kinetic);
        self.drift.add(energy.total() - self.start.total());
        self.follow(world, dt)?;
        self.work.is_led = self.work.is_led || (self.drives() && is_led(world, dt)?);
        Ok(())
    }

    /// Whether some power is worth a sum.
    fn drives(&self) -> bool {
        let exchanged = self.work.found.exchanged.max(self.drift.exchanged);
        self.power > NO_POWER * exchanged
    }

    fn follow(&mut self, world: &World, dt: f64) -> Result<(), Error> {
        let power = energy_rate(&mut self.simulator, world, dt)?;
        self.power = self.power.max(power.abs());
        let energy = world.energy()?;
        let exchanged = &mut self.work.found.exchanged;
        *exchanged = exchanged.max(energy.kinetic);
        if self.drives() && !self.work.is_led {
            let followed = self.stride.min(FOLLOWED);
            let frames = self.stride as f64 / followed as f64;
            self.work.add(energy.total(), power, dt, frames);
        }
        Ok(())
    }

    /// What was found; nothing where it is not known what was put in, where bodies have no momentum or joints of
    /// lower priorities pull, and where hardly anything moves.
    pub fn drift(&self, world: &World) -> Option<EnergyDrift> {
        let mut constraints = world.constraints().iter();
        // What limits, bounded motors, dry friction and contacts take out in a blow is not known.
        let pulls = constraints.any(|record| {
            let is_bounded = record.constraint().bound().is_some();
            record.enabled() && (record.priority() > 0 || is_bounded)
        });
        let collides = world
            .bodies()
            .iter()
            .any(|record| !record.colliders().is_empty());
        if pulls
            || collides
            || world.dynamics() != Dynamics::SecondOrder
            || !world.grips().is_empty()
        {
            return None;
        }
        let mass = world.center_of_mass().map_or(0.0, |(mass, _)| mass);
        let size = |own: &EnergyDrift| own.exchanged.max(own.gain).max(own.loss);
        let moves = |own: &EnergyDrift| size(own) > 0.5 * mass * STILL * STILL;
        if self.power <= NO_POWER * size(&self.drift) {
            return Some(self.drift).filter(moves);
        }
        let mut found = self.work.found;
        found.kinetic = self.drift.kinetic;
        found.exchanged = found.exchanged.max(self.work.through);
        let is_known = !self.work.is_led && self.work.through > 0.0;
        Some(found).filter(|found| is_known && moves(found))
    }
}

/// Whether something moves by itself, a drive or a body with prescribed motion: joints would open if only time
/// went on.
fn is_led(world: &World, dt: f64) -> Result<bool, Error> {
    let mut copy = world.clone();
    let mut state = world.state().clone();
    state.t += dt;
    copy.set_state(state)?;
    let (now, then) = (world.constraint_errors()?, copy.constraint_errors()?);
    let pairs = now.iter().zip(&then);
    let mut moved = pairs.map(|(a, b)| {
        (a.position - b.position)
            .abs()
            .max((a.angle - b.angle).abs())
    });
    Ok(moved.any(|moved| moved > 0.0))
}

/// What the equations of motion put into a world at its present state, W: positive where motors and drives put
/// energy in, negative where drag and dampers take it out. `dt` is the length of a frame.
pub fn energy_rate(simulator: &mut Simulator, world: &World, dt: f64) -> Result<f64, Error> {
    let motion = &simulator.accelerations(world, Method::Direct).motion;
    // What turns fast is looked at for a part of its turn.
    let most = |of: &[f64]| of.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    let turn = (1.0 + most(&world.state().v)) / most(motion);
    let e = GLIMPSE * dt.min(10.0 * turn);
    let round_off = ROUND_OFF * world.energy()?.kinetic / turn;
    let mut copy = world.clone();
    let mut energy_after = |e: f64| -> Result<f64, Error> {
        let mut state = world.state().clone();
        state.t += e;
        for record in world.bodies().iter().filter(|record| record.enabled()) {
            let v = &world.state().v[record.v_range()];
            let dq: Vec<f64> = v.iter().map(|v| e * v).collect();
            record.body().displace(&mut state.q[record.q_range()], &dq);
        }
        let changes = state.v.iter_mut().zip(motion);
        changes.for_each(|(v, a)| *v += e * a);
        copy.set_state(state)?;
        Ok(copy.energy()?.total())
    };
    let power = (energy_after(e)? - energy_after(-e)?) / (2.0 * e);
    Ok(if power.abs() > round_off { power } else { 0.0 })
}

#[cfg(test)]
#[cfg(feature = "library-files")]
mod tests {
    use super::*;
    use crate::library::open;

    fn account(name: &str, frames: usize) -> (EnergyAccount, World) {
        let mut scene = open(name).unwrap();
        let mut account = EnergyAccount::begin(&scene.world, frames as u64).unwrap();
        let mut simulator = Simulator::new();
        for _ in 0..frames {
            simulator.step(&mut scene.world, &scene.options).unwrap();
            account.frame(&scene.world, scene.options.dt).unwrap();
        }
        (account, scene.world)
    }

    /// The motor of Andrews' squeezer has a torque of 0.033 N·m.
    #[test]
    fn the_power_of_a_motor_is_its_torque_times_its_spin() {
        let (_, world) = account("andrews", 100);
        let crank = world.find_body("K1").unwrap();
        let spin = *world.v(crank).unwrap().last().unwrap();
        let found = energy_rate(&mut Simulator::new(), &world, 1e-4).unwrap();
        assert!((found - 0.033 * spin).abs() < 1e-5 * found.abs(), "{found}");
    }

    /// What a motor puts in and what drag takes out is no error, and what a drive does is not known.
    #[test]
    fn only_what_nobody_put_in_or_took_out_is_an_error() {
        for name in ["slider-crank", "stewart"] {
            let (account, world) = account(name, 20);
            assert_eq!(account.drift(&world), None, "{name}");
        }
        for (name, frames) in [("andrews", 500), ("sea-weeds", 600)] {
            let (account, world) = account(name, frames);
            let drift = account.drift(&world).unwrap();
            assert!(drift.exchanged > 0.0, "{name}: {drift:?}");
            let promise = EnergyPromise::of(&StepOptions::interactive(0.01).scheme).unwrap();
            assert!(promise.is_kept_by(&drift), "{name}: {drift:?}");
        }
        for name in ["double-pendulum", "tinkertoy", "four-bar"] {
            let (account, world) = account(name, 60);
            let drift = account.drift(&world).unwrap();
            let promise = EnergyPromise::of(&StepOptions::interactive(0.01).scheme).unwrap();
            assert!(promise.is_kept_by(&drift), "{name}: {drift:?}");
        }
    }
}
