//! The scenes of Faure's figures, with their numbers of solids and rows.
//!
//! The papers give numbers and pictures, not dimensions. Where a structure is not said in words, it
//! is the one that meets all numbers of the paper at once; the builders say how. y is up, gravity
//! is 9.81, and everything is at rest, unless a builder says otherwise.

use std::f64::consts::{PI, TAU};

use linkwork::Error;
use linkwork::math::{Vec3, add, scale};
use linkwork::prelude::*;

use crate::mechanisms::{gravity_down_y, join_at, moving, point_on};
use crate::strings::{Twine, rod, string};

/// A bar whose ends shall meet the centers of two discs, all three strewn and free (Faure 1998,
/// fig. 2). Both joints are open at the start. No gravity.
pub fn bar_between_discs() -> Result<World, Error> {
    let mut world = World::new();
    let bar = Rod {
        length: 1.0,
        radius: 0.05,
        mass: 1.0,
    };
    let pose = Pose::turned([0.1, 0.6, 0.2], [0.3, -0.4, 1.2]);
    let bar = world.add_body_at("bar", bar, pose)?;
    let discs = [
        ("left", [-0.9, 0.1, 0.0], [0.2, 0.7, -0.5], -0.5),
        ("right", [0.8, -0.3, 0.4], [-0.6, 0.1, 0.9], 0.5),
    ];
    for (label, at, turn, end) in discs {
        let disc = Disc {
            radius: 0.3,
            thickness: 0.05,
            mass: 1.0,
        };
        let body = format!("{label} disc");
        let disc = world.add_body_at(&body, disc, Pose::turned(at, turn))?;
        world.join(label, Ball, bar.at([end, 0.0, 0.0]), disc.at([0.0; 3]))?;
    }
    Ok(world)
}

/// A triangulated sheet of `n × n` square meshes of 0.2 m, each with one diagonal: 3n² + 2n bars and
/// ball joints, afloat (Faure 1999, fig. 6).
///
/// n = 10 gives the numbers of the paper: 320 solids, 1557 rows and 600 of them in loops. At each of
/// the (n + 1)² nodes the first bar carries the others: where k bars meet there are k − 1 joints.
///
/// `rise` is the height of a wave in which it starts. Without one it is flat, which is a singular
/// pose: the bars hold each other more than once in the plane, and nothing holds the nodes aside.
pub fn sheet(n: usize, rise: f64) -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    let mesh = 0.2;
    let place = |i: usize, j: usize| -> Vec3 {
        let (x, z) = (mesh * i as f64, mesh * j as f64);
        let wave = libm::sin(TAU * i as f64 / n as f64) * libm::cos(0.5 + z);
        [x, rise * wave, z]
    };
    // What holds each node: the first bar end that arrived there.
    let mut holders: Vec<Option<Connector>> = vec![None; (n + 1) * (n + 1)];
    let mut bar = |label: String, ends: [(usize, usize); 2]| -> Result<(), Error> {
        let points = ends.map(|(i, j)| place(i, j));
        let (body, half) = rod(&mut world, &label, (points[0], points[1]), 0.01, 0.1)?;
        for ((i, j), reach) in ends.into_iter().zip([-half, half]) {
            let end = body.at([reach, 0.0, 0.0]);
            let holder = &mut holders[j * (n + 1) + i];
            match holder {
                Some(holder) => {
                    let label = format!("{label} at {i}.{j}");
                    world.join(&label, Ball, *holder, end)?;
                }
                None => *holder = Some(end),
            }
        }
        Ok(())
    };
    for j in 0..=n {
        for i in 0..=n {
            if i < n {
                bar(format!("along {i}.{j}"), [(i, j), (i + 1, j)])?;
            }
            if j < n {
                bar(format!("across {i}.{j}"), [(i, j), (i, j + 1)])?;
            }
            if i < n && j < n {
                bar(format!("diagonal {i}.{j}"), [(i, j), (i + 1, j + 1)])?;
            }
        }
    }
    Ok(world)
}

/// An articulated structure of 56 solids and 261 rows (Faure 1998, fig. 5): the [`sheet`] of 4 × 4
/// meshes has just these numbers. It starts in a wave, in no singular pose.
pub fn structure_56() -> Result<World, Error> {
    sheet(4, 0.05)
}

/// A string of a scene: rods of 0.1 kg.
fn twine(n: usize) -> Twine {
    Twine {
        n,
        slack: 0.0,
        radius: 0.02,
        mass: 0.1,
    }
}

/// A plate on nine strings of three bars: 28 solids, 36 ball joints, 108 rows (Faure 1998, fig. 6).
/// The plate has some speed to the side, as if it had been shaken.
pub fn shaken_plate() -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    let plate = Cuboid {
        size: [1.2, 0.05, 1.2],
        mass: 3.0,
    };
    let plate = world.add_body("plate", plate)?;
    for i in 0..9 {
        let (x, z) = (0.5 * (f64::from(i % 3) - 1.0), 0.5 * f64::from(i / 3 - 1));
        let ends = (GROUND.at([x, 1.2, z]), plate.at([x, 0.025, z]));
        string(&mut world, &format!("string {i}"), ends, &twine(3))?;
    }
    world.set_v(plate, &[0.8, 0.0, 0.3, 0.0, 0.4, 0.0])?;
    moving(world)
}

/// A beam that turns in a bearing on the ground, a plate on four strings below it and another on
/// four strings below that; each string is of ten bars (Faure 1999, fig. 5).
///
/// 88 ball joints and a hinge are 269 rows, and two times three strings close loops: 18 of them.
/// The beam starts a third of a right angle away from rest, and everything with it.
pub fn string_pendulum() -> Result<World, Error> {
    let mut world = gravity_down_y()?;
    // Everything is turned about the bearing, the axis z.
    let (sin, cos) = libm::sincos(PI / 6.0);
    let place = |x: f64, y: f64| -> Vec3 { [cos * x - sin * y, sin * x + cos * y, 0.0] };
    let mut above: Option<BodyId> = None;
    for (level, label) in ["beam", "upper plate", "lower plate"].iter().enumerate() {
        let (center, half) = (place(0.0, -(level as f64)), 0.25);
        let solid = Cuboid {
            size: [0.6, 0.05, 0.6],
            mass: 2.0,
        };
        let pose = Pose::turned(center, [0.0, 0.0, PI / 6.0]);
        let body = world.add_body_at(label, solid, pose)?;
        match above {
            None => {
                let hinge = Hinge {
                    axis_world: [0.0, 0.0, 1.0],
                };
                join_at(&mut world, "bearing", hinge, (GROUND, body), center)?;
            }
            Some(above) => {
                for (k, (x, z)) in [(half, half), (-half, half), (-half, -half), (half, -half)]
                    .into_iter()
                    .enumerate()
                {
                    let ends = (above.at([x, -0.025, z]), body.at([x, 0.025, z]));
                    string(&mut world, &format!("string {level}.{k}"), ends, &twine(10))?;
                }
            }
        }
        above = Some(body);
    }
    Ok(world)
}

/// Two sea weeds and two fishes under water (Faure 1999, fig. 4): each weed is of 36 rods and ball
/// joints, a stem of twelve with six branches of four, and grows on the ground. 216 rows, no loop.
///
/// Water carries everything (no gravity) and resists motion; tips float up. The fishes are single
/// free solids that swim between the weeds.
pub fn sea_weeds() -> Result<World, Error> {
    let mut world = World::new();
    for (k, x) in [-0.5, 0.5].into_iter().enumerate() {
        weed(&mut world, &format!("weed {k}"), [x, 0.0, 0.0])?;
    }
    for (k, (z, speed)) in [(0.4, 0.3), (-0.3, -0.4)].into_iter().enumerate() {
        let fish = Cuboid {
            size: [0.3, 0.1, 0.05],
            mass: 1.0,
        };
        let label = format!("fish {k}");
        let start = [-f64::signum(speed), 0.6 + 0.4 * k as f64, z];
        let fish = world.add_body_at(&label, fish, Pose::at(start))?;
        world.set_v(fish, &[speed, 0.0, 0.0, 0.0, 0.0, 0.0])?;
        drag(&mut world, &label, fish, 0.2)?;
    }
    Ok(world)
}

/// Length of a weed's rods.
const LEAF: f64 = 0.12;

/// A stem of twelve rods that leans to the side, and a branch of four at every second joint.
fn weed(world: &mut World, label: &str, root: Vec3) -> Result<(), Error> {
    let lean = |angle: f64, turn: f64| -> Vec3 {
        let (sin, cos) = libm::sincos(angle);
        [sin * libm::cos(turn), cos, sin * libm::sin(turn)]
    };
    let (mut held, mut at) = (GROUND, root);
    for i in 0..12 {
        let stem = format!("{label} stem {i}");
        let to = add(at, scale(LEAF, lean(0.3, 0.1 * f64::from(i))));
        held = shoot(world, &stem, held, (at, to))?;
        at = to;
        if i % 2 == 1 {
            let (mut twig, mut from) = (held, at);
            for j in 0..4 {
                let branch = format!("{label} branch {i}.{j}");
                let turn = 1.3 * f64::from(i) + 0.2 * f64::from(j);
                let to = add(from, scale(LEAF, lean(0.9, turn)));
                twig = shoot(world, &branch, twig, (from, to))?;
                from = to;
            }
            buoy(world, &format!("{label} branch {i}"), twig, from)?;
        }
    }
    buoy(world, &format!("{label} stem"), held, at)
}

/// A rod that grows from another solid.
fn shoot(world: &mut World, label: &str, on: BodyId, ends: (Vec3, Vec3)) -> Result<BodyId, Error> {
    let (body, _) = rod(world, label, ends, 0.01, 0.05)?;
    join_at(world, label, Ball, (on, body), ends.0)?;
    drag(world, label, body, 0.05)?;
    Ok(body)
}

/// What lifts a tip.
fn buoy(world: &mut World, label: &str, body: BodyId, tip: Vec3) -> Result<(), Error> {
    let tip = point_on(world, body, tip)?;
    let lift = PointForce {
        force_world: [0.0, 0.3, 0.0],
    };
    world.add_behavior(&format!("{label} lift"), lift, &[tip])?;
    Ok(())
}

/// The water's resistance; it slows a turning rod as it slows a rod's ends.
fn drag(world: &mut World, label: &str, body: BodyId, linear: f64) -> Result<(), Error> {
    let water = ViscousDrag {
        linear,
        angular: linear * LEAF * LEAF / 12.0,
    };
    world.add_behavior(&format!("{label} water"), water, &[body.frame_at([0.0; 3])])?;
    Ok(())
}
