//! Linkages that move in a plane.

use linkwork::Error;
use linkwork::prelude::*;

use super::{PlanarEnds, bar, gravity_down_y, join_at, pin, planar_bar};

/// Where circles about `a` and `b` meet, left of the way from a to b.
pub(super) fn meet(a: [f64; 2], radius_a: f64, b: [f64; 2], radius_b: f64) -> [f64; 2] {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let d = libm::hypot(dx, dy);
    let along = (d * d + radius_a * radius_a - radius_b * radius_b) / (2.0 * d);
    let aside = (radius_a * radius_a - along * along).max(0.0).sqrt();
    [
        a[0] + (along * dx - aside * dy) / d,
        a[1] + (along * dy + aside * dx) / d,
    ]
}

/// A crank-rocker of bodies in space and hinges about z: crank 1, coupler 3.5, rocker 2.5, ground 4.
///
/// The crank can turn all round (1 + 4 < 3.5 + 2.5); it starts at 60°. Four hinges of five rows hold
/// three bodies of six: three rows too many by the count, and yet it moves, because three rows
/// repeat others.
pub fn four_bar() -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    let (crank_pin, rocker_foot) = ([0.5, 0.75f64.sqrt()], [4.0, 0.0]);
    let rocker_pin = meet(crank_pin, 3.5, rocker_foot, 2.5);
    let space = |p: [f64; 2]| [p[0], p[1], 0.0];
    let (b, c, d) = (space(crank_pin), space(rocker_pin), space(rocker_foot));
    let crank = bar(&mut world, "crank", [0.0; 3], b)?;
    let coupler = bar(&mut world, "coupler", b, c)?;
    let rocker = bar(&mut world, "rocker", d, c)?;
    let hinge = Hinge {
        axis_world: [0.0, 0.0, 1.0],
    };
    join_at(&mut world, "A", hinge, (GROUND, crank), [0.0; 3])?;
    join_at(&mut world, "B", hinge, (crank, coupler), b)?;
    join_at(&mut world, "C", hinge, (coupler, rocker), c)?;
    join_at(&mut world, "D", hinge, (GROUND, rocker), d)?;
    Ok(world)
}

/// Two thin uniform rods of the plane, 1 m and 1 kg each, held out level: the classic of chaos.
pub fn double_pendulum() -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    let upper = planar_bar(&mut world, "upper", [0.0, 0.0], [1.0, 0.0])?;
    let lower = planar_bar(&mut world, "lower", [1.0, 0.0], [2.0, 0.0])?;
    pin(&mut world, "pivot", &GROUND.at([0.0, 0.0]), &upper.from)?;
    pin(&mut world, "elbow", &upper.to, &lower.from)?;
    Ok(world)
}

/// `n` squares of thin rods side by side, 1 m and 1 kg each, hung on the ground at their feet and
/// started upright at 1 m/s to the right (IFToMM A02, the double four-bar for n = 2).
///
/// Where the rods lie level, mobility jumps from 1 to n + 1.
pub fn n_four_bar(n: usize) -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    let mut previous: Option<PlanarEnds> = None;
    for i in 0..=n {
        let x = i as f64;
        let post = planar_bar(&mut world, &format!("post {i}"), [x, 0.0], [x, 1.0])?;
        world.set_v(post.body, &[0.5, 0.0, -1.0])?;
        let foot = GROUND.at([x, 0.0]);
        pin(&mut world, &format!("foot {i}"), &foot, &post.from)?;
        if let Some(left) = previous {
            let beam = planar_bar(&mut world, &format!("beam {i}"), [x - 1.0, 1.0], [x, 1.0])?;
            world.set_v(beam.body, &[1.0, 0.0, 0.0])?;
            pin(&mut world, &format!("left {i}"), &left.to, &beam.from)?;
            pin(&mut world, &format!("right {i}"), &post.to, &beam.to)?;
        }
        previous = Some(post);
    }
    Ok(world)
}

/// Peaucellier's and Lipkin's exact straight line: arms 5, rhombus 3, crank 2. The point D, the end
/// of the bar "CD", runs on the line x = 4.
pub fn peaucellier() -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    let (arm, side, crank) = (5.0, 3.0, 2.0);
    // The crank at 60°; B and D are inverse with respect to a circle about O.
    let o = [0.0, 0.0];
    let center = [crank, 0.0];
    let b = [1.5 * crank, 0.75f64.sqrt() * crank];
    let inverse = (arm * arm - side * side) / (b[0] * b[0] + b[1] * b[1]);
    let d = [inverse * b[0], inverse * b[1]];
    let a = meet(o, arm, d, side);
    let c = meet(d, side, o, arm);
    let mut add = |label, from, to| planar_bar(&mut world, label, from, to);
    let oa = add("OA", o, a)?;
    let oc = add("OC", o, c)?;
    let ab = add("AB", a, b)?;
    let bc = add("BC", b, c)?;
    let cd = add("CD", c, d)?;
    let da = add("DA", d, a)?;
    let crank = add("crank", center, b)?;
    for (label, one, other) in [
        ("O to A", &GROUND.at(o), &oa.from),
        ("O to C", &GROUND.at(o), &oc.from),
        ("axle", &GROUND.at(center), &crank.from),
        ("A 1", &oa.to, &ab.from),
        ("A 2", &oa.to, &da.to),
        ("C 1", &oc.to, &bc.to),
        ("C 2", &oc.to, &cd.from),
        ("B 1", &crank.to, &ab.to),
        ("B 2", &crank.to, &bc.from),
        ("D", &cd.to, &da.from),
    ] {
        pin(&mut world, label, one, other)?;
    }
    Ok(world)
}

/// A scissor lift of `n` cells: crossed thin bars of 1 m at 30°, a table of 10 kg on top. The left
/// foot is pinned, the right foot slides on the floor ("slide").
pub fn scissor(n: usize) -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    let (width, height) = (0.75f64.sqrt(), 0.5);
    let (mut left, mut right) = (GROUND.at([0.0, 0.0]), None);
    for k in 0..n {
        let (low, high) = (height * k as f64, height * (k + 1) as f64);
        let rising = planar_bar(
            &mut world,
            &format!("rising {k}"),
            [0.0, low],
            [width, high],
        )?;
        let falling = planar_bar(
            &mut world,
            &format!("falling {k}"),
            [0.0, high],
            [width, low],
        )?;
        let middles = (rising.body.at([0.0, 0.0]), falling.body.at([0.0, 0.0]));
        pin(&mut world, &format!("middle {k}"), &middles.0, &middles.1)?;
        pin(&mut world, &format!("left {k}"), &left, &rising.from)?;
        match right {
            Some(right) => pin(&mut world, &format!("right {k}"), &right, &falling.to)?,
            None => {
                let floor = GROUND.frame2([0.0, 0.0], 0.0);
                let slot = FramePair::point_in_slot();
                world.add_constraint("slide", slot, &[floor, falling.to])?
            }
        };
        (left, right) = (falling.from, Some(rising.to));
    }
    let table = PlanarBox {
        size: [width, 0.05],
        mass: 10.0,
    };
    let pose = Pose::in_plane([0.5 * width, height * n as f64], 0.0);
    let table = world.add_body_at("table", table, pose)?;
    let corner = table.at([-0.5 * width, 0.0]);
    pin(&mut world, "table pin", &left, &corner)?;
    if let Some(right) = right {
        let along = table.frame2([0.0, 0.0], 0.0);
        world.add_constraint("table slide", FramePair::point_in_slot(), &[along, right])?;
    }
    Ok(world)
}
