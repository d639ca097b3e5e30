//! The systems that Baraff 1996 measures, with his numbers of constraints and multipliers.
//!
//! The paper gives numbers and a picture, not dimensions. y is up, gravity is 9.81, and everything
//! is at rest.

use linkwork::Error;
use linkwork::math::{Vec3, add, cross, scale};
use linkwork::prelude::*;

use crate::mechanisms::gravity_down_y;
use crate::strings::rod;

/// From a bar to the two that it carries.
const SPREAD: f64 = 0.7;

/// A structure of 127 ball joints, 381 multipliers, no loop (Baraff 1996, fig. 3): a binary tree of
/// seven generations that hangs from one point and spreads like a mobile.
///
/// 127 = 2⁷ − 1, so that each joint carries a bar and each bar but the last carries two. The plane
/// in which bars part turns by a right angle from one generation to the next.
pub fn structure_127() -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    let mut ends: Vec<(Connector, Vec3, Vec3, Vec3)> = Vec::new();
    for i in 0..127usize {
        let label = format!("bar {i}");
        // Where it hangs, along what, and across what it parts.
        let (held, at, along, across) = match i {
            0 => (
                GROUND.at([0.0; 3]),
                [0.0; 3],
                [0.0, -1.0, 0.0],
                [0.0, 0.0, 1.0],
            ),
            _ => {
                let (held, at, along, across) = ends[(i - 1) / 2].clone();
                let aside = if i % 2 == 1 { SPREAD } else { -SPREAD };
                let turned = add(
                    scale(libm::cos(aside), along),
                    scale(libm::sin(aside), cross(across, along)),
                );
                (held, at, turned, cross(across, turned))
            }
        };
        let generation = (i + 1).ilog2();
        let length = libm::pow(0.8, generation as f64);
        let to = add(at, scale(length, along));
        let (body, half) = rod(&mut world, &label, (at, to), 0.05 * length, length)?;
        let (top, foot) = (body.at([-half, 0.0, 0.0]), body.at([half, 0.0, 0.0]));
        world.join(&format!("joint {i}"), Ball, held, top)?;
        ends.push((foot, to, along, across));
    }
    Ok(world)
}

/// Bars of the chains, m.
const LINK: f64 = 0.25;

/// Six chains of nine bars of the plane, each hung by one end: 54 pins and 108 primary multipliers
/// (Baraff 1996, §9). They start straight and aslant.
pub fn chains_108() -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    for chain in 0..6 {
        let hook = [1.2 * f64::from(chain), 0.0];
        hang(&mut world, chain, hook, 9, |_| [0.6, -0.8])?;
    }
    Ok(world)
}

/// The same number of pins with another connectivity (Baraff 1996, §9): six chains of eight bars,
/// each hung by both ends. The last pin of each closes a loop: 96 primary multipliers, 12 auxiliary.
///
/// They start as a V of two straight halves, 3 to 4 to 5.
pub fn chains_96_12() -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    for chain in 0..6 {
        let x = 1.2 * f64::from(chain);
        let slope = |i| if i < 4 { [0.6, -0.8] } else { [0.6, 0.8] };
        let end = hang(&mut world, chain, [x, 0.0], 8, slope)?;
        // The far hook is where the chain ends: bars add up to it only to round-off.
        let [x, y, _] = world.position_world(&end)?;
        let label = format!("pin {chain}.8");
        world.add_constraint(&label, FramePair::ball(), &[GROUND.at([x, y]), end])?;
    }
    Ok(world)
}

/// Hangs `n` bars, each along its direction, from a hook; returns the last one's free end.
fn hang(
    world: &mut World,
    chain: i32,
    hook: [f64; 2],
    n: usize,
    direction: impl Fn(usize) -> [f64; 2],
) -> Result<Connector, Error> {
    let (mut held, mut at) = (GROUND.at(hook), hook);
    for i in 0..n {
        let [x, y] = direction(i);
        let middle = [at[0] + 0.5 * LINK * x, at[1] + 0.5 * LINK * y];
        let bar = PlanarRod {
            length: LINK,
            mass: LINK,
        };
        let pose = Pose::in_plane(middle, libm::atan2(y, x));
        let body = world.add_body_at(&format!("bar {chain}.{i}"), bar, pose)?;
        let ends = [held, body.at([-0.5 * LINK, 0.0])];
        world.add_constraint(&format!("pin {chain}.{i}"), FramePair::ball(), &ends)?;
        held = body.at([0.5 * LINK, 0.0]);
        at = [at[0] + LINK * x, at[1] + LINK * y];
    }
    Ok(held)
}
