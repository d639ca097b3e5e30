//! Couplings between shafts that are not in line.

use std::f64::consts::PI;

use linkwork::Error;
use linkwork::math::{Vec3, add, cross, scale};
use linkwork::prelude::*;

use super::{bar, gravity_down_y, join_at, moving, point_on};

/// The angle between shafts.
const BEND: f64 = 30.0 * PI / 180.0;

/// Across the plane in which the shafts lie.
const ACROSS: Vec3 = [0.0, 0.0, 1.0];

/// The direction of a shaft turned by `angle` in the plane.
fn along(angle: f64) -> Vec3 {
    [libm::cos(angle), libm::sin(angle), 0.0]
}

/// A shaft of 1 m that begins at `from` and turns in bearings on the ground.
fn shaft(world: &mut World, label: &str, from: Vec3, axis_world: Vec3) -> Result<BodyId, Error> {
    let to = add(from, axis_world);
    let shaft = bar(world, label, from, to)?;
    let bearing = format!("{label} bearing");
    let middle = add(from, scale(0.5, axis_world));
    join_at(
        world,
        &bearing,
        Hinge { axis_world },
        (GROUND, shaft),
        middle,
    )?;
    Ok(shaft)
}

/// Turns the shaft "input", which lies along x, once in two seconds.
fn turn_input(world: &mut World, input: BodyId) -> Result<(), Error> {
    let x = [1.0, 0.0, 0.0];
    // The bar's own frame is that which `frame_along` makes of its axis.
    let frames = [GROUND.frame_along([0.0; 3], x), input.frame_at([0.0; 3])];
    let function = Ramp {
        start: 0.0,
        rate: PI,
    };
    world.add_constraint("drive", AngleDrive::new(function), &frames)?;
    Ok(())
}

/// Hooke's joint: two shafts at 30° and a cross hinged to both. All four axes meet in one point, so
/// that it moves although 20 rows hold 18 velocities.
///
/// "input" turns at a constant rate. Its arm of the cross starts across the plane of the shafts, and
/// from there tan θ₂ = tan θ₁·cos β.
pub fn hooke() -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    let (x, out) = (along(0.0), along(BEND));
    let input = shaft(&mut world, "input", scale(-1.0, x), x)?;
    let output = shaft(&mut world, "output", [0.0; 3], out)?;
    let cube = Cuboid {
        size: [0.2; 3],
        mass: 0.5,
    };
    let cross_piece = world.add_body("cross", cube)?;
    let mut arm = |label, axis_world, shaft| {
        let hinge = Hinge { axis_world };
        join_at(&mut world, label, hinge, (shaft, cross_piece), [0.0; 3])
    };
    arm("input arm", ACROSS, input)?;
    arm("output arm", cross(ACROSS, out), output)?;
    turn_input(&mut world, input)?;
    moving(world)
}

/// Two Hooke's joints, 30° each, with the arms of the shaft between them in one plane: "output",
/// 60° from "input", turns exactly as fast as "input".
pub fn double_hooke() -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    let (x, between, out) = (along(0.0), along(BEND), along(2.0 * BEND));
    let input = shaft(&mut world, "input", scale(-1.0, x), x)?;
    let middle = bar(&mut world, "middle", [0.0; 3], between)?;
    let output = shaft(&mut world, "output", between, out)?;
    for (label, a, b, at, axes) in [
        (
            "first",
            input,
            middle,
            [0.0; 3],
            (ACROSS, cross(ACROSS, between)),
        ),
        (
            "second",
            middle,
            output,
            between,
            (cross(ACROSS, between), ACROSS),
        ),
    ] {
        let joint = Universal {
            axis_a_world: axes.0,
            axis_b_world: axes.1,
        };
        let (on_a, on_b) = (point_on(&world, a, at)?, point_on(&world, b, at)?);
        world.join(label, joint, on_a, on_b)?;
    }
    turn_input(&mut world, input)?;
    moving(world)
}
