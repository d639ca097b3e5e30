//! Small worlds whose equations fit on a page.

use linkwork::Error;
use linkwork::math::{Vec3, cross};
use linkwork::prelude::*;

use super::{bar, join_at};

/// Witkin's dumbbell: two particles of unit mass a distance of 2 m apart, no gravity
/// (Witkin 1990, §3). At rest; give it forces or a spin.
pub fn dumbbell() -> Result<World, Error> {
    let mut world = World::new();
    let a = world.add_body_at("a", Particle { mass: 1.0 }, Pose::at([-1.0, 0.0, 0.0]))?;
    let b = world.add_body_at("b", Particle { mass: 1.0 }, Pose::at([1.0, 0.0, 0.0]))?;
    let bar = Distance { length: 2.0 };
    world.add_constraint("bar", bar, &[a.at([0.0; 3]), b.at([0.0; 3])])?;
    Ok(world)
}

/// The articulated object of Baraff 1996, fig. 2: six bodies, five joints, no loop, afloat.
///
/// Joint k joins what row k of eq. 9 joins: 1–2, 2–3, 2–4, 1–5, 5–6. No gravity; the whole turns
/// as if it were rigid, so that the joints have something to hold.
pub fn baraff_fig2() -> Result<World, Error> {
    let mut world = World::new();
    let points: [(&str, Vec3, Vec3); 6] = [
        ("1", [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
        ("2", [1.0, 0.0, 0.0], [2.0, 0.3, 0.0]),
        ("3", [2.0, 0.3, 0.0], [2.8, 0.9, 0.2]),
        ("4", [2.0, 0.3, 0.0], [2.9, -0.2, -0.3]),
        ("5", [0.0, 0.0, 0.0], [-0.9, 0.4, 0.1]),
        ("6", [-0.9, 0.4, 0.1], [-1.7, -0.2, 0.4]),
    ];
    let omega = [0.3, 0.5, 1.0];
    let mut bodies = vec![];
    for (label, from, to) in points {
        let body = bar(&mut world, label, from, to)?;
        let center = world.position_world(&body.at([0.0; 3]))?;
        let [x, y, z] = cross(omega, center);
        world.set_v(body, &[x, y, z, omega[0], omega[1], omega[2]])?;
        bodies.push(body);
    }
    for (k, (a, b)) in [(1, 2), (2, 3), (2, 4), (1, 5), (5, 6)]
        .into_iter()
        .enumerate()
    {
        let at = points[b - 1].1;
        let pair = (bodies[a - 1], bodies[b - 1]);
        join_at(&mut world, &format!("joint {}", k + 1), Ball, pair, at)?;
    }
    Ok(world)
}

/// The heavy top of Géradin and Cardona: 15 kg, 1 m from the fixed point, gravity along −z, its
/// axis level along y, spinning at 150 rad/s and turning at −4.61538 rad/s.
pub fn heavy_top() -> Result<World, Error> {
    let mut world = World::with_gravity([0.0, 0.0, -9.81])?;
    let top = RigidBody::new(MassProperties {
        mass: 15.0,
        com_body: [0.0, 1.0, 0.0],
        inertia_body: [0.234_375, 0.468_75, 0.234_375, 0.0, 0.0, 0.0],
    });
    let top = world.add_body("top", top)?;
    world.join("tip", Ball, GROUND.at([0.0; 3]), top.at([0.0; 3]))?;
    let omega = [0.0, 150.0, -4.61538];
    let [x, y, z] = cross(omega, [0.0, 1.0, 0.0]);
    world.set_v(top, &[x, y, z, omega[0], omega[1], omega[2]])?;
    Ok(world)
}
