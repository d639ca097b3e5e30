//! Mechanisms that should not move by counting rows, and do.

use std::f64::consts::PI;

use linkwork::Error;
use linkwork::math::{Mat3, Vec3, add, column, mat_mul, mat_vec, scale};
use linkwork::prelude::*;

use super::{bar, gravity_down_y, join_at};

/// Bricard's loop of six hinges: five rods along the edges of a cube (IFToMM A04).
///
/// 30 rows hold 30 velocities, but their rank is 29. The point of interest is the end of "rod 2",
/// which starts at (1, −1, 0).
pub fn bricard() -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    let points: [Vec3; 6] = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, -1.0, 0.0],
        [1.0, -1.0, 1.0],
        [0.0, -1.0, 1.0],
        [0.0, 0.0, 1.0],
    ];
    let mut rods = vec![GROUND];
    for i in 0..5 {
        let label = format!("rod {}", i + 1);
        rods.push(bar(&mut world, &label, points[i], points[i + 1])?);
    }
    rods.push(GROUND);
    for i in 0..6 {
        let mut axis_world = [0.0; 3];
        axis_world[(i + 1) % 3] = 1.0;
        let pair = (rods[i], rods[i + 1]);
        let hinge = Hinge { axis_world };
        join_at(&mut world, &format!("hinge {i}"), hinge, pair, points[i])?;
    }
    Ok(world)
}

/// Bennett's loop of four hinges, the only one in space that moves: opposite links alike, lengths
/// 1 and sin 50°/sin 30°, twists 30° and 50°. The fourth link is the ground.
///
/// With θ the angles at the joints, θ₃ = −θ₁, θ₄ = −θ₂ and
/// tan(θ₁/2)·tan(θ₂/2) = sin((β + α)/2)/sin((β − α)/2).
pub fn bennett() -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    let (alpha, beta) = (PI / 6.0, 50.0 * PI / 180.0);
    let (a, b) = (1.0, libm::sin(beta) / libm::sin(alpha));
    let theta_1 = 2.0 * PI / 3.0;
    let ratio = libm::sin(0.5 * (beta + alpha)) / libm::sin(0.5 * (beta - alpha));
    let theta_2 = 2.0 * libm::atan(ratio / libm::tan(0.5 * theta_1));
    // Each joint turns about z, then the link leads along x and twists about it.
    let links = [
        (theta_1, a, alpha),
        (theta_2, b, beta),
        (-theta_1, a, alpha),
        (-theta_2, b, beta),
    ];
    let (mut points, mut axes) = (vec![], vec![]);
    let (mut at, mut frame): (Vec3, Mat3) = ([0.0; 3], linkwork::math::IDENTITY3);
    for (theta, length, twist) in links {
        points.push(at);
        axes.push(column(&frame, 2));
        frame = mat_mul(&frame, &turn(2, theta));
        at = add(at, scale(length, mat_vec(&frame, [1.0, 0.0, 0.0])));
        frame = mat_mul(&frame, &turn(0, twist));
    }
    let mut bodies = vec![GROUND];
    for i in 0..3 {
        let label = format!("link {}", i + 1);
        bodies.push(bar(&mut world, &label, points[i], points[i + 1])?);
    }
    bodies.push(GROUND);
    for i in 0..4 {
        let hinge = Hinge {
            axis_world: axes[i],
        };
        let pair = (bodies[i], bodies[i + 1]);
        join_at(&mut world, &format!("hinge {i}"), hinge, pair, points[i])?;
    }
    Ok(world)
}

/// The rotation about axis `k`.
fn turn(k: usize, angle: f64) -> Mat3 {
    let mut vector = [0.0; 3];
    vector[k] = angle;
    linkwork::math::rotation_exp(vector)
}

/// Sarrus's straight line: two chains of two links and three hinges, in planes at a right angle,
/// carry a table straight up and down. Links of 1 m at 60°, y up.
pub fn sarrus() -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    let rise = 0.75f64.sqrt();
    let table = Cuboid {
        size: [1.0, 0.1, 1.0],
        mass: 2.0,
    };
    let table = world.add_body_at("table", table, Pose::at([0.0, 2.0 * rise, 0.0]))?;
    for (name, out, axis_world) in [
        ("x", [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
        ("z", [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]),
    ] {
        let at = |reach: f64, height: f64| add(scale(reach, out), [0.0, height, 0.0]);
        let (foot, knee, head) = (at(0.5, 0.0), at(1.0, rise), at(0.5, 2.0 * rise));
        let shin = bar(&mut world, &format!("shin {name}"), foot, knee)?;
        let thigh = bar(&mut world, &format!("thigh {name}"), knee, head)?;
        let hinge = Hinge { axis_world };
        let mut hold = |label: &str, pair, at| {
            join_at(&mut world, &format!("{label} {name}"), hinge, pair, at)
        };
        hold("foot", (GROUND, shin), foot)?;
        hold("knee", (shin, thigh), knee)?;
        hold("head", (thigh, table), head)?;
    }
    Ok(world)
}

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
