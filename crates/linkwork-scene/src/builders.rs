//! Parametric scenes of unit bars: 1 m, 1 kg, radius 0.05 m, z up, gravity 9.81, at rest.
//!
//! A bar's body frame is at its center, its axis is x; its inner end is at −½, its outer at +½.

use std::f64::consts::{FRAC_PI_2, PI};

use linkwork::Error;
use linkwork::connector::Connector;
use linkwork::prelude::*;
use linkwork::world::Joint;

/// From the center of a bar to its inner end.
pub const INNER: [f64; 3] = [-0.5, 0.0, 0.0];
/// From the center of a bar to its outer end.
pub const OUTER: [f64; 3] = [0.5, 0.0, 0.0];

fn gravity() -> Result<World, Error> {
    World::with_gravity([0.0, 0.0, -9.81])
}

/// A bar whose inner end is at `from`, turned by `yaw` about z. Returns it and its outer end.
fn bar(
    world: &mut World,
    label: &str,
    mass: f64,
    from: [f64; 3],
    yaw: f64,
) -> Result<(BodyId, [f64; 3]), Error> {
    // Exact directions where people expect them: 0 and 90°.
    let (c, s) = if yaw == 0.0 {
        (1.0, 0.0)
    } else if yaw == FRAC_PI_2 {
        (0.0, 1.0)
    } else {
        (libm::cos(yaw), libm::sin(yaw))
    };
    let center = [from[0] + 0.5 * c, from[1] + 0.5 * s, from[2]];
    let rod = Rod {
        length: 1.0,
        radius: 0.05,
        mass,
    };
    let body = world.add_body_at(label, rod, Pose::turned(center, [0.0, 0.0, yaw]))?;
    Ok((body, [from[0] + c, from[1] + s, from[2]]))
}

/// Hangs a bar along x at a point that something holds; returns what holds the next one, and where.
fn extend(
    world: &mut World,
    (label, joint_label): (&str, &str),
    mass: f64,
    joint: impl Joint,
    (held, at): (Connector, [f64; 3]),
) -> Result<(Connector, [f64; 3]), Error> {
    let (body, end) = bar(world, label, mass, at, 0.0)?;
    world.join(joint_label, joint, held, body.at(INNER))?;
    Ok((body.at(OUTER), end))
}

fn row(n: usize, joint: impl Joint + Copy) -> Result<World, Error> {
    let mut world = gravity()?;
    let mut end = (GROUND.at([0.0; 3]), [0.0; 3]);
    for i in 0..n {
        let labels = (&*format!("bar {i}"), &*format!("joint {i}"));
        end = extend(&mut world, labels, 1.0, joint, end)?;
    }
    Ok(world)
}

/// `n` bars in a row along x, hung from the origin by ball joints.
pub fn chain(n: usize) -> Result<World, Error> {
    row(n, Ball)
}

/// `n` bars in a row along x, hung from the origin by hinges about y.
pub fn chain_hinge(n: usize) -> Result<World, Error> {
    let axis_world = [0.0, 1.0, 0.0];
    row(n, Hinge { axis_world })
}

/// A binary tree of `n` bars and ball joints; each generation turns by ±30°.
pub fn tree(n: usize) -> Result<World, Error> {
    let mut world = gravity()?;
    let mut bars: Vec<(BodyId, [f64; 3], f64)> = Vec::with_capacity(n);
    for i in 0..n {
        let (inner, from, yaw) = if i == 0 {
            (GROUND.at([0.0; 3]), [0.0; 3], 0.0)
        } else {
            let (parent, end, yaw) = bars[(i - 1) / 2];
            (
                parent.at(OUTER),
                end,
                yaw + if i % 2 == 1 { PI / 6.0 } else { -PI / 6.0 },
            )
        };
        let (body, end) = bar(&mut world, &format!("bar {i}"), 1.0, from, yaw)?;
        world.join(&format!("joint {i}"), Ball, inner, body.at(INNER))?;
        bars.push((body, end, yaw));
    }
    Ok(world)
}

/// Faure's ladder (Faure 1999, §4.2): two strings hung from fixed points, `m` patterns, each
/// advances both strings by `p` bars and ends in one rung that joins them.
///
/// The rung hangs on the left string; its far end closes a loop. Bars of the right string weigh
/// `right_mass`: with equal masses both strings move alike and the loops are hardly tested.
pub fn ladder(p: usize, m: usize, right_mass: f64) -> Result<World, Error> {
    let mut world = gravity()?;
    let hooks = [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let [mut left, mut right] = hooks.map(|hook| (GROUND.at(hook), hook));
    for pattern in 0..m {
        for (side, mass, end) in [("left", 1.0, &mut left), ("right", right_mass, &mut right)] {
            for i in 0..p {
                let label = format!("{side} {pattern}.{i}");
                *end = extend(&mut world, (&label, &label), mass, Ball, *end)?;
            }
        }
        let label = format!("rung {pattern}");
        let (rung, _) = bar(&mut world, &label, 1.0, left.1, FRAC_PI_2)?;
        world.join(&format!("{label} left"), Ball, left.0, rung.at(INNER))?;
        world.join(&format!("{label} right"), Ball, rung.at(OUTER), right.0)?;
    }
    Ok(world)
}

/// `n` bars on the rim of one disc that turns about z on the ground.
pub fn hub(n: usize) -> Result<World, Error> {
    let mut world = gravity()?;
    let disc = Cylinder {
        radius: 1.0,
        length: 0.1,
        mass: 10.0,
    };
    // The cylinder's axis is x of its body frame; here it stands along z.
    let upright = Pose::turned([0.0; 3], [0.0, -FRAC_PI_2, 0.0]);
    let hub = world.add_body_at("hub", disc, upright)?;
    let axle = Hinge {
        axis_world: [0.0, 0.0, 1.0],
    };
    world.join("axle", axle, GROUND.at([0.0; 3]), hub.at([0.0; 3]))?;
    for i in 0..n {
        let angle = 2.0 * PI * i as f64 / n as f64;
        let rim = [libm::cos(angle), libm::sin(angle), 0.0];
        let (arm, _) = bar(&mut world, &format!("arm {i}"), 1.0, rim, angle)?;
        // World (x, y, z) is body (z, y, −x) of the upright cylinder.
        let on_hub = hub.at([0.0, rim[1], -rim[0]]);
        world.join(&format!("joint {i}"), Ball, on_hub, arm.at(INNER))?;
    }
    Ok(world)
}

/// A sheet of bars and ball joints, `w × h` meshes, hung from the ground along one edge.
///
/// At each node the first bar carries the others by ball joints; nodes of the first row are pinned.
pub fn grid(w: usize, h: usize) -> Result<World, Error> {
    let mut world = gravity()?;
    // What holds each node: the first bar end that arrived there, or the ground.
    let mut holder: Vec<Option<Connector>> = vec![None; (w + 1) * (h + 1)];
    let node = |i: usize, j: usize| j * (w + 1) + i;
    for i in 0..=w {
        holder[node(i, 0)] = Some(GROUND.at([i as f64, 0.0, 0.0]));
    }
    let mut add = |label: String, yaw, ends: [(&str, (usize, usize)); 2]| -> Result<(), Error> {
        let (i, j) = ends[0].1;
        let from = [i as f64, j as f64, 0.0];
        let (body, _) = bar(&mut world, &label, 1.0, from, yaw)?;
        for ((end, (i, j)), at) in ends.into_iter().zip([INNER, OUTER]) {
            match &mut holder[node(i, j)] {
                Some(held) => {
                    world.join(&format!("{label} {end}"), Ball, *held, body.at(at))?;
                }
                free => *free = Some(body.at(at)),
            }
        }
        Ok(())
    };
    for j in 1..=h {
        for i in 0..=w {
            let ends = [("top", (i, j - 1)), ("foot", (i, j))];
            add(format!("down {i}.{j}"), FRAC_PI_2, ends)?;
        }
        for i in 0..w {
            let ends = [("left", (i, j)), ("right", (i + 1, j))];
            add(format!("across {i}.{j}"), 0.0, ends)?;
        }
    }
    Ok(world)
}
