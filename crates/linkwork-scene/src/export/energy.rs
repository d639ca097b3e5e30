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

use linkwork::output::Energy;
use linkwork::prelude::*;
use linkwork::step::Scheme;

/// Over this part of a frame the world moves on and back, for differences.
const GLIMPSE: f64 = 1e-4;
/// A power is none that brings less than this part of what is exchanged in a second.
const NO_POWER: f64 = 1e-5;
/// Motion that is slower is none, m/s.
const STILL: f64 = 1e-6;

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
    /// What they are measured by: the largest change of kinetic energy, J.
    pub exchanged: f64,
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
}

/// Looks after the energy of a run in which nothing drives and nothing rubs.
#[derive(Debug)]
pub struct EnergyAccount {
    start: Energy,
    drift: EnergyDrift,
    /// The largest power that was found, W.
    power: f64,
    simulator: Simulator,
}

impl EnergyAccount {
    /// Begins with the world as it is.
    pub fn begin(world: &World) -> Result<Self, Error> {
        Ok(Self {
            start: world.energy()?,
            drift: EnergyDrift::default(),
            power: 0.0,
            simulator: Simulator::new(),
        })
    }

    /// Looks at the world after a frame of `dt` seconds. Costs a solve.
    pub fn look(&mut self, world: &World, dt: f64) -> Result<(), Error> {
        let energy = world.energy()?;
        let moved = (energy.kinetic - self.start.kinetic).abs();
        self.drift.exchanged = self.drift.exchanged.max(moved);
        self.drift.add(energy.total() - self.start.total());
        let power = energy_rate(&mut self.simulator, world, dt)?;
        self.power = self.power.max(power.abs());
        Ok(())
    }

    /// What was found; nothing where something drives or rubs, where bodies have no momentum or joints of
    /// lower priorities pull, and where hardly anything moves.
    pub fn drift(&self, world: &World) -> Option<EnergyDrift> {
        let mut constraints = world.constraints().iter();
        let pulls = constraints.any(|record| record.enabled() && record.priority() > 0);
        let mass = world.center_of_mass().map_or(0.0, |(mass, _)| mass);
        let EnergyDrift {
            gain,
            loss,
            exchanged,
        } = self.drift;
        let most = exchanged.max(gain).max(loss);
        let is_closed = world.dynamics() == Dynamics::SecondOrder
            && !pulls
            && self.power <= NO_POWER * most
            && most > 0.5 * mass * STILL * STILL;
        is_closed.then_some(self.drift)
    }
}

/// What the equations of motion put into a world at its present state, W: positive where motors and drives put
/// energy in, negative where drag and dampers take it out. `dt` is the length of a frame.
pub fn energy_rate(simulator: &mut Simulator, world: &World, dt: f64) -> Result<f64, Error> {
    let motion = &simulator.accelerations(world, Method::Direct).motion;
    let e = GLIMPSE * dt;
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
    Ok((energy_after(e)? - energy_after(-e)?) / (2.0 * e))
}

#[cfg(test)]
#[cfg(feature = "library-files")]
mod tests {
    use super::*;
    use crate::library::open;

    fn account(name: &str, frames: usize) -> (EnergyAccount, World) {
        let mut scene = open(name).unwrap();
        let mut account = EnergyAccount::begin(&scene.world).unwrap();
        let mut simulator = Simulator::new();
        for _ in 0..frames {
            simulator.step(&mut scene.world, &scene.options).unwrap();
            account.look(&scene.world, scene.options.dt).unwrap();
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

    #[test]
    fn only_where_nothing_drives_or_rubs_a_change_is_an_error() {
        for name in ["slider-crank", "sea-weeds", "andrews", "stewart"] {
            let (account, world) = account(name, 20);
            assert_eq!(account.drift(&world), None, "{name}");
        }
        for name in ["double-pendulum", "tinkertoy", "four-bar"] {
            let (account, world) = account(name, 60);
            let drift = account.drift(&world).unwrap();
            let promise = EnergyPromise::of(&StepOptions::interactive(0.01).scheme).unwrap();
            assert!(promise.is_kept_by(&drift), "{name}: {drift:?}");
        }
    }
}
