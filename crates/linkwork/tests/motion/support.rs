//! What the tests share: a world that is stepped, and what was worst on the way.

use linkwork::body::MassProperties;
use linkwork::connector::PointSite;
use linkwork::math::{Vec3, mat_t_vec, mat_vec, quat_to_matrix, sub};
use linkwork::output::Energy;
use linkwork::prelude::*;
use linkwork::step::{Effort, InteractiveOptions, PreciseOptions, Scheme};

pub(crate) const G: f64 = 9.81;

pub(crate) fn scene(name: &str) -> World {
    linkwork_scene::scene(name).unwrap()
}

/// The `Interactive` scheme that never splits a frame.
pub(crate) fn unguarded(dt: f64) -> StepOptions {
    StepOptions::interactive(dt).with_scheme(Scheme::Interactive(
        InteractiveOptions::default().with_max_depth(0),
    ))
}

/// The `Precise` scheme with another tolerance; `None` takes frames whole.
pub(crate) fn precise(dt: f64, tolerance: Option<f64>) -> StepOptions {
    StepOptions::precise(dt).with_scheme(Scheme::Precise(
        PreciseOptions::default().with_tolerance(tolerance),
    ))
}

/// The same with joints closed to `tolerance`.
pub(crate) fn closed_to(options: StepOptions, tolerance: f64) -> StepOptions {
    options.within(Budget::default().with_tolerance(tolerance))
}

/// A world that is stepped, with what was worst on the way.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) world: World,
    pub(crate) simulator: Simulator,
    pub(crate) options: StepOptions,
    pub(crate) start: Energy,
    /// Largest gap, angle error and rate error of any step.
    pub(crate) gap: f64,
    pub(crate) angle: f64,
    pub(crate) rate: f64,
    /// Lowest and highest energy, relative to the start.
    pub(crate) loss: f64,
    pub(crate) gain: f64,
    /// Largest change of the potential energy.
    pub(crate) fall: f64,
    pub(crate) effort: Effort,
    pub(crate) last_resorts: usize,
    pub(crate) steps: usize,
}

impl Run {
    pub(crate) fn new(world: World, options: StepOptions) -> Self {
        let start = world.energy().unwrap();
        Self {
            world,
            simulator: Simulator::new(),
            options,
            start,
            gap: 0.0,
            angle: 0.0,
            rate: 0.0,
            loss: 0.0,
            gain: 0.0,
            fall: 0.0,
            effort: Effort::default(),
            last_resorts: 0,
            steps: 0,
        }
    }

    #[track_caller]
    pub(crate) fn step(&mut self) -> StepReport {
        let report = self.simulator.step(&mut self.world, &self.options).unwrap();
        self.gap = self.gap.max(report.position_error);
        self.angle = self.angle.max(report.angle_error);
        self.rate = self.rate.max(report.rate_error);
        self.effort.fills += report.effort.fills;
        self.effort.factors += report.effort.factors;
        self.effort.solves += report.effort.solves;
        self.effort.iterations += report.effort.iterations;
        self.last_resorts += report.last_resorts();
        self.steps += 1;
        let energy = self.world.energy().unwrap();
        let change = energy.total() - self.start.total();
        self.loss = self.loss.max(-change);
        self.gain = self.gain.max(change);
        let fall = energy.potential - self.start.potential;
        self.fall = self.fall.max(fall.abs());
        report
    }

    /// Steps until `t`, which must be a whole number of steps away.
    #[track_caller]
    pub(crate) fn until(&mut self, t: f64) {
        let n = (t - self.world.state().t) / self.options.dt;
        assert!((n - n.round()).abs() < 1e-6, "{n} steps to {t}");
        for _ in 0..n.round() as usize {
            self.step();
        }
    }

    /// Largest change of the energy.
    pub(crate) fn drift(&self) -> f64 {
        self.loss.max(self.gain)
    }

    /// The same relative to the largest change of the potential energy.
    pub(crate) fn relative_drift(&self) -> f64 {
        self.drift() / self.fall
    }
}

/// Steps `world` until `t` in `n` steps.
#[track_caller]
pub(crate) fn after(world: &World, options: StepOptions, t: f64, n: usize) -> World {
    let dt = t / n as f64;
    let mut world = world.clone();
    let mut simulator = Simulator::new();
    for _ in 0..n {
        let options = options.with_dt(dt);
        simulator.step(&mut world, &options).unwrap();
    }
    world
}

pub(crate) fn body(world: &World, label: &str) -> BodyId {
    world.find_body(label).unwrap()
}

/// Where a point of a body is.
pub(crate) fn point(world: &World, label: &str, site: impl Into<PointSite>) -> Vec3 {
    let at = body(world, label).at(site);
    world.position_world(&at).unwrap()
}

/// How fast a point of a body moves.
pub(crate) fn point_velocity(world: &World, label: &str, site: impl Into<PointSite>) -> Vec<f64> {
    let at = body(world, label).at(site);
    world.connector_value(&at).unwrap().x_dot
}

pub(crate) fn vec3(values: &[f64]) -> Vec3 {
    [values[0], values[1], values[2]]
}

pub(crate) fn rotation(world: &World, id: BodyId) -> [[f64; 3]; 3] {
    quat_to_matrix(world.pose(id).unwrap().unwrap().rotation)
}

/// A rigid body's angular velocity, in body axes.
pub(crate) fn omega_body(world: &World, label: &str) -> Vec3 {
    let id = body(world, label);
    let omega = vec3(&world.v(id).unwrap()[3..]);
    mat_t_vec(&rotation(world, id), omega)
}

/// A free rigid body at the origin with these principal moments and body rates.
pub(crate) fn free_top(moments: Vec3, omega: Vec3) -> World {
    let mut world = World::new();
    let top = RigidBody::new(MassProperties::centered(2.0, moments));
    let pose = Pose::turned([0.0; 3], [0.3, -0.5, 0.7]);
    let top = world.add_body_at("top", top, pose).unwrap();
    let w = mat_vec(&quat_to_matrix(pose.rotation), omega);
    let v = [0.3, -0.2, 0.1, w[0], w[1], w[2]];
    world.set_v(top, &v).unwrap();
    world
}

/// A particle on a massless bar of 1 m that hangs on the origin.
pub(crate) fn bob(gravity: Vec3, position: Vec3, velocity: Vec3) -> World {
    let mut world = World::with_gravity(gravity).unwrap();
    let bob = Particle { mass: 1.0 };
    let bob = world.add_body_at("bob", bob, Pose::at(position)).unwrap();
    world.set_v(bob, &velocity).unwrap();
    let ends = [GROUND.at([0.0; 3]), bob.at([0.0; 3])];
    let bar = Distance { length: 1.0 };
    world.add_constraint("bar", bar, &ends).unwrap();
    world
}

/// Compares numbers to an absolute tolerance; returns the largest difference.
#[track_caller]
pub(crate) fn close(name: &str, found: &[f64], expected: &[f64], tolerance: f64) -> f64 {
    assert_eq!(found.len(), expected.len(), "{name}");
    let error = difference(found, expected);
    assert!(
        error <= tolerance,
        "{name}: off by {error:e} (allowed {tolerance:e}): found {found:?}, expected {expected:?}"
    );
    error
}

pub(crate) fn difference(a: &[f64], b: &[f64]) -> f64 {
    let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    differences.fold(0.0, |m, d| if d > m || d.is_nan() { d } else { m })
}

/// Asserts that a measured number is below a bound, and shows both.
#[track_caller]
pub(crate) fn below(name: &str, found: f64, bound: f64) {
    assert!(found <= bound, "{name}: {found:e}, allowed {bound:e}");
}

/// An angle's difference from another, in (−π, π].
pub(crate) fn turned(a: f64, b: f64) -> f64 {
    let d = (a - b).rem_euclid(2.0 * std::f64::consts::PI);
    if d > std::f64::consts::PI {
        d - 2.0 * std::f64::consts::PI
    } else {
        d
    }
}

/// From one point to another.
pub(crate) fn from_to(a: Vec3, b: Vec3) -> Vec3 {
    sub(b, a)
}
