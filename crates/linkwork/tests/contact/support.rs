//! Worlds with a floor, and what stands on it.

use linkwork::body::IntoBody;
use linkwork::collide::Shape;
use linkwork::prelude::*;
use linkwork::world::Collider;

pub(crate) const G: f64 = 9.81;
pub(crate) const DT: f64 = 1.0 / 60.0;

/// A floor whose normal, +y, leans by `slope` from the vertical.
pub(crate) fn on_slope(slope: f64, friction: f64) -> World {
    on_floor([G * slope.sin(), -G * slope.cos(), 0.0], friction)
}

/// A floor whose normal is +y, whatever gravity is.
pub(crate) fn on_floor(gravity: [f64; 3], friction: f64) -> World {
    let mut world = World::with_gravity(gravity).unwrap();
    let up = Pose::turned([0.0; 3], [0.0, 0.0, std::f64::consts::FRAC_PI_2]);
    let floor = Collider::new(Shape::Plane)
        .placed(up)
        .with_friction(friction);
    world.set_colliders(GROUND, vec![floor]).unwrap();
    world
}

/// A floor that lies flat.
pub(crate) fn flat(friction: f64) -> World {
    on_slope(0.0, friction)
}

pub(crate) fn block(
    world: &mut World,
    half: [f64; 3],
    mass: f64,
    pose: Pose,
    friction: f64,
) -> BodyId {
    let size = half.map(|half| 2.0 * half);
    let collider = Collider::new(Shape::Box { half }).with_friction(friction);
    add(world, Cuboid { size, mass }, pose, collider)
}

/// A body of any form with one collider.
pub(crate) fn add(
    world: &mut World,
    body: impl IntoBody,
    pose: Pose,
    collider: Collider,
) -> BodyId {
    let label = format!("body {}", world.bodies().len());
    let id = world.add_body_at(&label, body, pose).unwrap();
    world.set_colliders(id, vec![collider]).unwrap();
    id
}

pub(crate) fn ball(world: &mut World, radius: f64, at: [f64; 3]) -> BodyId {
    let collider = Collider::new(Shape::Sphere { radius });
    let sphere = Sphere { radius, mass: 1.0 };
    add(world, sphere, Pose::at(at), collider)
}

pub(crate) fn at(world: &World, body: BodyId) -> [f64; 3] {
    world.pose(body).unwrap().unwrap().position
}

pub(crate) fn run(world: &mut World, steps: usize, mut each: impl FnMut(&World, &StepReport)) {
    let options = StepOptions::interactive(DT);
    let mut simulator = Simulator::new();
    for _ in 0..steps {
        let report = simulator.step(world, &options).unwrap();
        each(world, &report);
    }
}
