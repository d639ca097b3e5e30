//! Mechanisms with known answers: the test problems of the field, assembled exactly.
//!
//! Unless a builder says otherwise y is up, gravity is 9.81, and everything is at rest. Start poses
//! come from closed forms, so every constraint is met to round-off.

use linkwork::Error;
use linkwork::math::{
    Vec3, add, complete_basis, mat_t_vec, norm, quat_from_matrix, quat_to_matrix, scale, sub,
    transpose, unit,
};
use linkwork::prelude::*;

mod andrews;
mod couplings;
mod driven;
mod linkages;
mod overconstrained;
mod simple;
mod suspended;
mod walker;

pub use andrews::{andrews, andrews_3d};
pub use couplings::{double_hooke, hooke};
pub use driven::{
    chebyshev_crossed, chebyshev_lambda, jansen, pantograph, peaucellier_driven, scissor_driven,
    scotch_yoke, watt,
};
pub use linkages::{double_pendulum, four_bar, n_four_bar, peaucellier, scissor};
pub use overconstrained::{bennett, bricard, sarrus, umbrella};
pub use simple::{baraff_fig2, dumbbell, heavy_top};
pub use suspended::{catenary, plate_on_strings, stewart, stewart_driven};
pub use walker::jansen_walker;

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

/// A square bar of 1 kg per meter between two points; its body frame is at the middle, x along it.
pub(crate) fn bar(world: &mut World, label: &str, from: Vec3, to: Vec3) -> Result<BodyId, Error> {
    let length = norm(sub(to, from));
    let thickness = 0.1 * length;
    let shape = Cuboid {
        size: [length, thickness, thickness],
        mass: length,
    };
    world.add_body_at(label, shape, along(from, to))
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
pub(crate) fn moving(mut world: World) -> Result<World, Error> {
    let mut simulator = Simulator::new();
    let correction = simulator.velocity_correction(&world, Method::Direct);
    let mut state = world.state().clone();
    for (v, dv) in state.v.iter_mut().zip(&correction.motion) {
        *v += dv;
    }
    world.set_state(state)?;
    Ok(world)
}

/// A thin uniform bar of the plane between two points, 1 kg per meter.
fn planar_bar(
    world: &mut World,
    label: &str,
    from: [f64; 2],
    to: [f64; 2],
) -> Result<PlanarEnds, Error> {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let length = libm::hypot(dx, dy);
    let middle = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])];
    let shape = PlanarRod {
        length,
        mass: length,
    };
    let body = world.add_body_at(label, shape, Pose::in_plane(middle, libm::atan2(dy, dx)))?;
    Ok(PlanarEnds {
        body,
        from: body.at([-0.5 * length, 0.0]),
        to: body.at([0.5 * length, 0.0]),
    })
}

/// A bar of the plane and its two ends.
struct PlanarEnds {
    body: BodyId,
    from: Connector,
    to: Connector,
}

/// A pin between two points of the plane.
fn pin(
    world: &mut World,
    label: &str,
    a: &Connector,
    b: &Connector,
) -> Result<ConstraintId, Error> {
    world.add_constraint(label, FramePair::ball(), &[*a, *b])
}
