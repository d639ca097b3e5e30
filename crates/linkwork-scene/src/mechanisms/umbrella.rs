//! Ribs that open alike: by counting rows it should not move, and does.

use std::f64::consts::PI;

use linkwork::Error;
use linkwork::math::{Vec3, norm, sub};
use linkwork::prelude::*;

use super::{along, gravity_down_y, join_at};

/// An umbrella of `k` ribs: a runner slides up the shaft and spreads all ribs alike through their
/// stretchers. Each rib closes a flat loop in space, which repeats three rows.
pub fn umbrella(k: usize) -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    let runner = Cylinder {
        radius: 0.05,
        length: 0.1,
        mass: 0.5,
    };
    // Ribs of 1 m hang 45° from the crown; stretchers of 0.5 m reach their middles.
    let side = 0.125f64.sqrt();
    let crown = [0.0, 1.0, 0.0];
    let at = [0.0, 1.0 - 2.0 * side, 0.0];
    let runner = world.add_body_at("runner", runner, Pose::turned(at, [0.0, 0.0, 0.5 * PI]))?;
    let shaft = Prismatic {
        axis_world: [0.0, 1.0, 0.0],
    };
    join_at(&mut world, "shaft", shaft, (GROUND, runner), at)?;
    for i in 0..k {
        let angle = 2.0 * PI * i as f64 / k as f64;
        let (sin, cos) = libm::sincos(angle);
        let reach = |r: f64, height: f64| [r * cos, height, r * sin];
        let (middle, tip) = (reach(side, 1.0 - side), reach(2.0 * side, 1.0 - 2.0 * side));
        let rib = bar(&mut world, &format!("rib {i}"), crown, tip)?;
        let stretcher = bar(&mut world, &format!("stretcher {i}"), at, middle)?;
        let hinge = Hinge {
            axis_world: [-sin, 0.0, cos],
        };
        let mut hold =
            |label: &str, pair, at| join_at(&mut world, &format!("{label} {i}"), hinge, pair, at);
        hold("crown", (GROUND, rib), crown)?;
        hold("runner", (runner, stretcher), at)?;
        hold("middle", (stretcher, rib), middle)?;
    }
    Ok(world)
}

/// A square bar of 1 kg per meter between two points; its body frame is at the middle, x along it.
fn bar(world: &mut World, label: &str, from: Vec3, to: Vec3) -> Result<BodyId, Error> {
    let length = norm(sub(to, from));
    let thickness = 0.1 * length;
    let shape = Cuboid {
        size: [length, thickness, thickness],
        mass: length,
    };
    world.add_body_at(label, shape, along(from, to))
}
