//! Mechanisms of as many parts as you like, with known answers, assembled exactly.
//!
//! y is up, gravity is 9.81, and everything is at rest unless a builder says otherwise. Start poses come
//! from closed forms, so every constraint is met to round-off. Mechanisms without numbers are files of
//! the library.

use linkwork::Error;
use linkwork::connector::Connector;
use linkwork::constraint::FramePair;
use linkwork::math::{
    Vec3, add, complete_basis, mat_t_vec, quat_from_matrix, quat_to_matrix, scale, sub, transpose,
    unit,
};
use linkwork::prelude::*;
use linkwork::world::Joint;

mod catenary;
mod linkages;
mod pantograph;
mod umbrella;

pub use catenary::catenary;
pub use linkages::{n_four_bar, scissor, scissor_driven};
pub use pantograph::pantograph;
pub use umbrella::umbrella;

pub(crate) fn gravity_down_y() -> Result<World, Error> {
    World::with_gravity([0.0, -9.81, 0.0])
}

/// A pose at the middle of a segment, with x along it.
pub(crate) fn along(from: Vec3, to: Vec3) -> Pose {
    let x = unit(sub(to, from)).unwrap_or([1.0, 0.0, 0.0]);
    let (y, z) = complete_basis(x);
    Pose {
        position: scale(0.5, add(from, to)),
        rotation: quat_from_matrix(&transpose(&[x, y, z])),
    }
}

/// The point of a body that is now at `x_world`.
pub(crate) fn point_on(world: &World, body: BodyId, x_world: Vec3) -> Result<Connector, Error> {
    let pose = world.pose(body)?.unwrap_or(Pose::at([0.0; 3]));
    let rot_world_body = quat_to_matrix(pose.rotation);
    Ok(body.at(mat_t_vec(&rot_world_body, sub(x_world, pose.position))))
}

/// Joins two bodies where they are now, at a point of the world.
pub(crate) fn join_at(
    world: &mut World,
    label: &str,
    joint: impl Joint,
    (a, b): (BodyId, BodyId),
    x_world: Vec3,
) -> Result<ConstraintId, Error> {
    let (on_a, on_b) = (point_on(world, a, x_world)?, point_on(world, b, x_world)?);
    world.join(label, joint, on_a, on_b)
}

/// The same world with velocities that agree with its drives.
fn moving(mut world: World) -> Result<World, Error> {
    let mut simulator = Simulator::new();
    let correction = simulator.velocity_correction(&world, Method::Direct);
    let mut state = world.state().clone();
    for (v, dv) in state.v.iter_mut().zip(&correction.motion) {
        *v += dv;
    }
    world.set_state(state)?;
    Ok(world)
}

/// A bar of the plane and its two ends.
struct PlanarBar {
    body: BodyId,
    from: Connector,
    to: Connector,
}

/// A thin uniform bar of the plane between two points, 1 kg per meter.
fn planar_bar(
    world: &mut World,
    label: &str,
    from: [f64; 2],
    to: [f64; 2],
) -> Result<PlanarBar, Error> {
    let length = apart(from, to);
    let middle = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])];
    let angle = libm::atan2(to[1] - from[1], to[0] - from[0]);
    let shape = PlanarRod {
        length,
        mass: length,
    };
    let body = world.add_body_at(label, shape, Pose::in_plane(middle, angle))?;
    Ok(PlanarBar {
        body,
        from: body.at([-0.5 * length, 0.0]),
        to: body.at([0.5 * length, 0.0]),
    })
}

fn apart(a: [f64; 2], b: [f64; 2]) -> f64 {
    libm::hypot(b[0] - a[0], b[1] - a[1])
}

/// A pin between two points of the plane.
fn pin(world: &mut World, label: &str, a: Connector, b: Connector) -> Result<ConstraintId, Error> {
    world.add_constraint(label, FramePair::ball(), &[a, b])
}
