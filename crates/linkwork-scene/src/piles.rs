//! Scenes of contact of as many bodies as you like: stacks, dominoes, cradles, a chain over a pulley.
//!
//! y is up, gravity is 9.81, everything starts at rest.

use std::f64::consts::PI;
use std::sync::Arc;

use linkwork::Error;
use linkwork::body::{IntoBody, PlanarDisc, PlanarRod};
use linkwork::collide::{Polygon, Shape};
use linkwork::prelude::*;
use linkwork::world::Collider;

use crate::catalogue::world::floor;
use crate::mechanisms::gravity_down_y;

/// Gravity, and a floor at y = 0.
fn over_floor() -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    world.set_colliders(GROUND, vec![floor([0.0, 1.0, 0.0], 0.0)])?;
    Ok(world)
}

/// A body that collides as one shape.
fn add(
    world: &mut World,
    label: &str,
    body: impl IntoBody,
    pose: Pose,
    collider: Collider,
) -> Result<BodyId, Error> {
    let id = world.add_body_at(label, body, pose)?;
    world.set_colliders(id, vec![collider])?;
    Ok(id)
}

/// `n` blocks of 1 kg, one on the other.
pub fn stack(n: usize) -> Result<World, Error> {
    let mut world = over_floor()?;
    for k in 0..n {
        let size = [0.2; 3];
        let pose = Pose::at([0.0, 0.1 + 0.2 * k as f64, 0.0]);
        let collider = Collider::new(Shape::Box { half: [0.1; 3] });
        let block = Cuboid { size, mass: 1.0 };
        add(&mut world, &format!("block {k}"), block, pose, collider)?;
    }
    Ok(world)
}

/// `n` dominoes in a row, 0.1 m apart. The first leans by 0.12 rad on its lower edge.
pub fn dominoes(n: usize) -> Result<World, Error> {
    let mut world = over_floor()?;
    let half = [0.01, 0.1, 0.05];
    for k in 0..n {
        let angle = if k == 0 { 0.12 } else { 0.0 };
        let (sin, cos) = libm::sincos(angle);
        let x = 0.1 * k as f64 + half[0];
        let (across, up) = (half[1] * sin - half[0] * cos, half[0] * sin + half[1] * cos);
        let pose = Pose::turned([x + across, up, 0.0], [0.0, 0.0, -angle]);
        let size = half.map(|half| 2.0 * half);
        let domino = Cuboid { size, mass: 0.5 };
        let collider = Collider::new(Shape::Box { half });
        add(&mut world, &format!("domino {k}"), domino, pose, collider)?;
    }
    Ok(world)
}

/// `n` balls of 1 kg in a row, each on a bar without mass of 1 m; the first is raised by 0.5 rad.
pub fn cradle(n: usize) -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    let (radius, length) = (0.1, 1.0);
    for k in 0..n {
        let x = 2.0 * radius * k as f64;
        let angle = if k == 0 { -0.5 } else { 0.0 };
        let (sin, cos) = libm::sincos(angle);
        let pose = Pose::turned([x + length * sin, -length * cos, 0.0], [0.0, 0.0, angle]);
        let collider = Collider::new(Shape::Sphere { radius })
            .with_restitution(1.0)
            .with_friction(0.0);
        let sphere = Sphere { radius, mass: 1.0 };
        let ball = add(&mut world, &format!("ball {k}"), sphere, pose, collider)?;
        let axis_world = [0.0, 0.0, 1.0];
        let (above, top) = (GROUND.at([x, 0.0, 0.0]), ball.at([0.0, length, 0.0]));
        world.join(&format!("bar {k}"), Hinge { axis_world }, above, top)?;
    }
    Ok(world)
}

/// Links of a chain that lie on its pulley, half of the rim.
const ON_PULLEY: usize = 8;

/// A chain of `n` links of the plane over a pulley that turns, two links more on the right than on the
/// left: it runs to the right.
///
/// Pins of links on the pulley are on a circle of radius ρ; the middle of each link touches the rim:
/// ρ·cos(δ/2) − r = R with δ = π/8.
pub fn chain_over_pulley(n: usize) -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    let (rim, radius) = (0.3, 0.012);
    let step = PI / ON_PULLEY as f64;
    let reach = (rim + radius) / libm::cos(0.5 * step);
    let length = 2.0 * reach * libm::sin(0.5 * step);
    let disc = PlanarDisc {
        radius: rim,
        mass: 1.0,
    };
    let collider = Collider::new(Shape::Disc { radius: rim });
    let pulley = add(&mut world, "pulley", disc, Pose::at([0.0; 3]), collider)?;
    let axis_world = [0.0, 0.0, 1.0];
    let center = [0.0, 0.0];
    world.join(
        "axle",
        Hinge { axis_world },
        GROUND.at(center),
        pulley.at(center),
    )?;
    let hanging = n.saturating_sub(ON_PULLEY);
    let left = hanging.saturating_sub(2) / 2;
    let pin = |k: usize| -> [f64; 2] {
        let along = k as f64 - left as f64;
        if along < 0.0 {
            return [-reach, along * length];
        }
        let beyond = along - ON_PULLEY as f64;
        if beyond > 0.0 {
            return [reach, -beyond * length];
        }
        let (sin, cos) = libm::sincos(along * step);
        [-reach * cos, reach * sin]
    };
    let mut end = None;
    for k in 0..n {
        let ([x, y], [u, v]) = (pin(k), pin(k + 1));
        let angle = libm::atan2(v - y, u - x);
        let pose = Pose::turned([0.5 * (x + u), 0.5 * (y + v), 0.0], [0.0, 0.0, angle]);
        let half = 0.5 * length;
        let polygon = Polygon::new(vec![[-half, 0.0], [half, 0.0]], radius)?;
        let collider = Collider::new(Shape::Polygon(Arc::new(polygon)));
        let rod = PlanarRod { length, mass: 0.1 };
        let link = add(&mut world, &format!("link {k}"), rod, pose, collider)?;
        if let Some(end) = end {
            let (label, inner) = (format!("pin {k}"), link.at([-half, 0.0]));
            world.join(&label, Hinge { axis_world }, end, inner)?;
        }
        end = Some(link.at([half, 0.0]));
    }
    Ok(world)
}
