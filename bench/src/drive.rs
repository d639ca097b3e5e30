//! Driving a scene from its start: what a run keeps, and what it costs.

use std::time::{Duration, Instant};

use linkwork::body::Momentum;
use linkwork::connector::Connector;
use linkwork::math::{Vec3, norm, sub};
use linkwork::output::Energy;
use linkwork::prelude::*;
use linkwork::step::Effort;
use linkwork::world::{BehaviorRecord, ConstraintRecord};

/// A run is repeated at least so often, and until so much time has passed.
const MIN_RUNS: usize = 3;
const BUDGET: Duration = Duration::from_millis(400);
/// A run that takes longer is not repeated.
const TOO_LONG: Duration = Duration::from_secs(10);

/// What was found along a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
    /// Steps that were taken: fewer than asked for if one was refused.
    pub(crate) n_steps: usize,
    /// Largest |c| of priority 0 after any step: meters, radians.
    pub(crate) gap: f64,
    pub(crate) angle_gap: f64,
    /// max|E − E₀| over max|V − V₀|, or over |E₀| where no potential changes.
    pub(crate) energy_drift: f64,
    /// E − E₀ at the end, over the same.
    pub(crate) final_energy_change: f64,
    /// Largest relative change of linear or angular momentum; none if something acts from outside.
    pub(crate) momentum_drift: Option<f64>,
    pub(crate) effort: Effort,
    pub(crate) substeps: usize,
    pub(crate) refused: usize,
    pub(crate) last_resorts: usize,
    /// Heap allocations during all steps but the first.
    pub(crate) allocations: u64,
    /// Why it ended early.
    pub(crate) failed: Option<String>,
}

impl Run {
    /// A sum over the run as a mean by step.
    pub(crate) fn mean(&self, sum: usize) -> f64 {
        sum as f64 / self.n_steps.max(1) as f64
    }
}

/// Takes up to `n_steps` steps and looks at the world after each.
pub(crate) fn drive(
    world: &mut World,
    options: &StepOptions,
    n_steps: usize,
) -> Result<Run, String> {
    let mut simulator = Simulator::new();
    let mut run = Run::default();
    let mut energies = Energies::new(world)?;
    let mut momenta = Momenta::new(world);
    for step in 0..n_steps {
        let mut result = None;
        let counted = allocation_counter::measure(|| {
            result = Some(simulator.step(world, options));
        });
        match result {
            Some(Ok(report)) => run.add(&report),
            Some(Err(error)) => run.failed = Some(error.to_string()),
            None => {}
        }
        if run.failed.is_some() {
            break;
        }
        if step > 0 {
            run.allocations += counted.count_total;
        }
        // Not from the report: what the step says of itself is for tests to check.
        for error in world.constraint_errors().map_err(|e| e.to_string())? {
            if error.priority == 0 {
                run.gap = run.gap.max(error.position);
                run.angle_gap = run.angle_gap.max(error.angle);
            }
        }
        energies.look(world)?;
        if let Some(momenta) = &mut momenta {
            momenta.look(world);
        }
    }
    (run.energy_drift, run.final_energy_change) = energies.drift();
    run.momentum_drift = momenta.map(|momenta| momenta.drift);
    Ok(run)
}

impl Run {
    fn add(&mut self, report: &StepReport) {
        self.n_steps += 1;
        self.effort.fills += report.effort.fills;
        self.effort.factors += report.effort.factors;
        self.effort.solves += report.effort.solves;
        self.effort.iterations += report.effort.iterations;
        self.substeps += report.substeps;
        self.refused += report.refused;
        self.last_resorts += report.last_resorts();
    }
}

/// Microseconds of a run of `n_steps` from the start of `world`, compiled before. The run is
/// repeated; each step counts with its fastest time, so that what else the machine does is left out.
pub(crate) fn time(world: &World, options: &StepOptions, n_steps: usize) -> f64 {
    let mut best = vec![Duration::MAX; n_steps];
    let (mut n_runs, mut spent) = (0, Duration::ZERO);
    while n_runs < MIN_RUNS || spent < BUDGET {
        let (mut world, mut simulator) = (world.clone(), Simulator::new());
        // The first step compiles; the state is put back.
        let state = world.state().clone();
        let is_refused = simulator.step(&mut world, options).is_err();
        if is_refused || world.set_state(state).is_err() {
            return f64::NAN;
        }
        let start = Instant::now();
        let mut before = start;
        for best in &mut best {
            if simulator.step(&mut world, options).is_err() {
                return f64::NAN;
            }
            let now = Instant::now();
            *best = (*best).min(now - before);
            before = now;
        }
        let took = before - start;
        (n_runs, spent) = (n_runs + 1, spent + took);
        if took > TOO_LONG {
            break;
        }
    }
    best.iter().sum::<Duration>().as_secs_f64() * 1e6
}

/// How many steps of `dt` make about so many seconds.
pub(crate) fn n_steps(seconds: f64, dt: f64) -> usize {
    ((seconds / dt).round() as usize).max(1)
}

/// The largest distance between the mass centers of the same bodies in two worlds.
pub(crate) fn distance(a: &World, b: &World) -> f64 {
    let mut largest = 0.0f64;
    for (a_record, b_record) in a.bodies().iter().zip(b.bodies()) {
        let (_, a_center) = a_record
            .body()
            .center_of_mass(&a.state().q[a_record.q_range()]);
        let (_, b_center) = b_record
            .body()
            .center_of_mass(&b.state().q[b_record.q_range()]);
        largest = largest.max(norm(sub(a_center, b_center)));
    }
    largest
}

/// Energies along a run, against those of its start.
struct Energies {
    start: Energy,
    now: Energy,
    most_total: f64,
    most_potential: f64,
}

impl Energies {
    fn new(world: &World) -> Result<Self, String> {
        let start = world.energy().map_err(|error| error.to_string())?;
        Ok(Self {
            start,
            now: start,
            most_total: 0.0,
            most_potential: 0.0,
        })
    }

    fn look(&mut self, world: &World) -> Result<(), String> {
        self.now = world.energy().map_err(|error| error.to_string())?;
        let stored = |energy: &Energy| energy.potential + energy.elastic;
        let change = (self.now.total() - self.start.total()).abs();
        self.most_total = self.most_total.max(change);
        let change = (stored(&self.now) - stored(&self.start)).abs();
        self.most_potential = self.most_potential.max(change);
        Ok(())
    }

    /// The largest and the last change, relative.
    fn drift(&self) -> (f64, f64) {
        let scale = if self.most_potential > 0.0 {
            self.most_potential
        } else {
            self.start.total().abs()
        };
        let last = self.now.total() - self.start.total();
        // Nothing moves: nothing drifts.
        let relative = |change: f64| if change == 0.0 { 0.0 } else { change / scale };
        (relative(self.most_total), relative(last))
    }
}

/// Momenta along a run, against those of its start.
struct Momenta {
    start: Momentum,
    /// Sums of the magnitudes over bodies: the sum of vectors may be zero.
    linear: f64,
    angular: f64,
    drift: f64,
}

impl Momenta {
    /// None if something acts from outside.
    fn new(world: &World) -> Option<Self> {
        if !is_free(world) {
            return None;
        }
        let (mut linear, mut angular) = (0.0, 0.0);
        for record in world.bodies().iter().filter(|record| record.enabled()) {
            let state = world.state();
            let (q, v) = (&state.q[record.q_range()], &state.v[record.v_range()]);
            let momentum = record.body().momentum(q, v);
            linear += norm(momentum.linear);
            angular += norm(momentum.angular);
        }
        Some(Self {
            start: world.momentum(),
            linear,
            angular,
            drift: 0.0,
        })
    }

    fn look(&mut self, world: &World) {
        let now = world.momentum();
        let relative = |a: Vec3, b: Vec3, scale: f64| {
            let change = norm(sub(a, b));
            if change == 0.0 { 0.0 } else { change / scale }
        };
        self.drift = self
            .drift
            .max(relative(now.linear, self.start.linear, self.linear))
            .max(relative(now.angular, self.start.angular, self.angular));
    }
}

/// Whether all forces act between bodies: nothing is held by the ground or by a body that moves as
/// prescribed, and no field acts.
fn is_free(world: &World) -> bool {
    let has_mass = |connector: &Connector| {
        world.bodies_of(connector).iter().all(|body| {
            world.body_record(*body).is_ok_and(|record| {
                let q = &world.state().q[record.q_range()];
                record.body().center_of_mass(q).0 > 0.0
            })
        })
    };
    let is_between =
        |connectors: &[Connector]| connectors.len() > 1 && connectors.iter().all(has_mass);
    let constraints = world.constraints().iter().filter(|record| record.enabled());
    let behaviors = world.behaviors().iter().filter(|record| record.enabled());
    constraints
        .map(ConstraintRecord::connectors)
        .all(is_between)
        && behaviors.map(BehaviorRecord::connectors).all(is_between)
}

#[cfg(test)]
mod tests {
    use linkwork::integrate::Integrator;
    use linkwork::stabilize::Stabilization;

    use super::*;

    fn ball(v: Vec3, gravity: Vec3) -> World {
        let mut world = World::with_gravity(gravity).unwrap();
        let ball = world.add_body("ball", Particle { mass: 2.0 }).unwrap();
        world.set_v(ball, &v).unwrap();
        world
    }

    /// Euler's falling ball moves by h·v first, then v grows by h·g: after n steps it is
    /// n·h²·g/2 too high, an energy of m·g²·n·h²/2 too much; it has fallen by h²·g·n(n−1)/2.
    #[test]
    fn energy_drift_is_relative_to_the_change_of_potential() {
        let mut world = ball([0.0; 3], [0.0, 0.0, -10.0]);
        let integrator = Integrator::Euler;
        let options = StepOptions::parts(0.1, integrator, Stabilization::None);
        let run = drive(&mut world, &options, 5).unwrap();
        let expected = 5.0 / (5.0 * 4.0);
        assert!((run.energy_drift - expected).abs() < 1e-12, "{run:?}");
        assert!((run.final_energy_change - expected).abs() < 1e-12);
        assert_eq!(run.n_steps, 5);
    }

    #[test]
    fn without_a_potential_it_is_relative_to_the_energy() {
        let world = ball([1.0, 2.0, 0.0], [0.0; 3]);
        let mut energies = Energies::new(&world).unwrap();
        energies.look(&ball([2.0, 4.0, 0.0], [0.0; 3])).unwrap();
        assert!((energies.drift().0 - 3.0).abs() < 1e-12);
        energies.look(&world).unwrap();
        assert_eq!(energies.drift().1, 0.0);
        let still = Energies::new(&ball([0.0; 3], [0.0; 3])).unwrap();
        assert_eq!(still.drift(), (0.0, 0.0));
    }

    #[test]
    fn momentum_is_for_free_systems_only() {
        let scene = |name: &str| linkwork_scene::scene(name).unwrap();
        let drift = |name: &str| {
            let options = StepOptions::interactive(0.001);
            drive(&mut scene(name), &options, 20)
                .unwrap()
                .momentum_drift
        };
        assert_eq!(drift("chain:2"), None);
        assert_eq!(drift("four-bar"), None);
        let afloat = drift("baraff-fig2").unwrap();
        assert!(afloat < 1e-9, "{afloat}");
    }

    /// The papers' integrators gain energy from rest, and a step that gains much is examined exactly, which allocates:
    /// so their steps are short here.
    #[test]
    fn steps_after_the_first_allocate_nothing() {
        for preset in crate::preset::parse_presets("all").unwrap() {
            let mut world = linkwork_scene::scene("ladder3:2,1").unwrap();
            let options = preset.options(0.01);
            let options = match options.scheme.is_preset() {
                true => options,
                false => options.with_dt(1e-4),
            };
            let run = drive(&mut world, &options, 10).unwrap();
            assert_eq!(run.allocations, 0, "{}", preset.name);
        }
    }
}
