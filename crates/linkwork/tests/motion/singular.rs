//! Through poses where mobility jumps: nothing is lost there, and stepping over is reported.

use linkwork::connector::Connector;
use linkwork::prelude::*;
use linkwork::step::Rung;

use crate::support::{Run, below, precise, scene};

/// A rod of 1 kg in the plane z = 0 between two points.
fn rod(world: &mut World, label: &str, from: [f64; 2], to: [f64; 2]) -> BodyId {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let middle = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1]), 0.0];
    let body = Rod {
        length: dx.hypot(dy),
        radius: 0.02,
        mass: 1.0,
    };
    let pose = Pose::turned(middle, [0.0, 0.0, dy.atan2(dx)]);
    world.add_body_at(label, body, pose).unwrap()
}

fn hinge(world: &mut World, label: &str, a: Connector, b: Connector) {
    let hinge = Hinge {
        axis_world: [0.0, 0.0, 1.0],
    };
    world.join(label, hinge, a, b).unwrap();
}

const ENDS: [[f64; 3]; 2] = [[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]];

/// `n` squares side by side (IFToMM A02), of bodies in space: each loop has three rows too many.
fn squares(n: usize) -> World {
    let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
    let mut last = None;
    for i in 0..=n {
        let x = i as f64;
        let post = rod(&mut world, &format!("post {i}"), [x, 0.0], [x, 1.0]);
        let velocity = [0.5, 0.0, 0.0, 0.0, 0.0, -1.0];
        world.set_v(post, &velocity).unwrap();
        let foot = GROUND.at([x, 0.0, 0.0]);
        hinge(&mut world, &format!("foot {i}"), foot, post.at(ENDS[0]));
        if let Some(left) = last.replace(post) {
            let beam = rod(&mut world, &format!("beam {i}"), [x - 1.0, 1.0], [x, 1.0]);
            let velocity = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
            world.set_v(beam, &velocity).unwrap();
            hinge(
                &mut world,
                &format!("left {i}"),
                left.at(ENDS[1]),
                beam.at(ENDS[0]),
            );
            hinge(
                &mut world,
                &format!("right {i}"),
                post.at(ENDS[1]),
                beam.at(ENDS[1]),
            );
        }
    }
    world
}

/// A crank and a rod of equal lengths: where the slider is over the crank's foot, it could stay there.
fn equal_slider_crank() -> World {
    let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
    let (x, y) = (0.8, 0.6);
    let crank = rod(&mut world, "crank", [0.0, 0.0], [x, y]);
    let coupler = rod(&mut world, "coupler", [x, y], [2.0 * x, 0.0]);
    let block = Cuboid {
        size: [0.2, 0.1, 0.1],
        mass: 1.0,
    };
    let block = world
        .add_body_at("block", block, Pose::at([2.0 * x, 0.0, 0.0]))
        .unwrap();
    hinge(&mut world, "foot", GROUND.at([0.0; 3]), crank.at(ENDS[0]));
    hinge(&mut world, "elbow", crank.at(ENDS[1]), coupler.at(ENDS[0]));
    hinge(&mut world, "wrist", coupler.at(ENDS[1]), block.at([0.0; 3]));
    let slide = Prismatic {
        axis_world: [1.0, 0.0, 0.0],
    };
    world
        .join("slide", slide, GROUND.at([0.0; 3]), block.at([0.0; 3]))
        .unwrap();
    world
}

/// How far energy was from its start at worst, and how many steps went over a singular pose.
fn run(world: World, options: StepOptions, seconds: f64) -> (Run, usize) {
    let mut run = Run::new(world, options);
    let n = (seconds / options.dt).round() as usize;
    let over = (0..n).map(|_| run.step().rungs.of(Rung::Over)).sum();
    (run, over)
}

/// 20 s, in the plane or in space: energy to 1e-3 J, whatever the frame and the tolerance; a tighter one is never worse
/// than what all reach.
fn loses_nothing(name: &str, world: &World) {
    for (dt, tolerances) in [
        (1e-3, [1e-9, 1e-10, 1e-12].as_slice()),
        (1e-2, [1e-6, 1e-9, 1e-10, 1e-12, 1e-14].as_slice()),
    ] {
        for &tolerance in tolerances {
            let (run, _) = run(world.clone(), precise(dt, Some(tolerance)), 20.0);
            let name = format!("{name}, precise {tolerance:e}, {dt} s");
            below(&name, run.drift(), 1e-5);
        }
        let (run, over) = run(world.clone(), StepOptions::symplectic4(dt), 20.0);
        below(&format!("{name}, symplectic4, {dt} s"), run.drift(), 1e-3);
        assert!(over > 0, "{name}: stepping over is reported");
    }
}

#[test]
fn nothing_is_lost_by_two_squares_in_the_plane() {
    loses_nothing("A02 in the plane", &scene("n-four-bar:2"));
}

#[test]
fn nothing_is_lost_by_two_squares_in_space() {
    loses_nothing("A02 in space", &squares(2));
}

#[test]
fn nothing_is_lost_by_a_slider_crank_of_equal_lengths() {
    loses_nothing("slider-crank", &equal_slider_crank());
}

#[test]
fn nothing_is_lost_by_a_parallelogram() {
    loses_nothing("parallelogram", &squares(1));
}

/// Rows of squares under `interactive`: no frame loses what the others keep.
#[test]
fn no_frame_loses_where_mobility_jumps() {
    for (dt, counts) in [
        (1e-3, [2, 10].as_slice()),
        (1e-2, [2, 5, 10, 20, 40].as_slice()),
    ] {
        for &n in counts {
            let (run, _) = run(squares(n), StepOptions::interactive(dt), 20.0);
            let end = run.world.energy().unwrap().total() - run.start.total();
            let name = format!("{n} squares, {dt} s");
            below(&name, end.abs(), 5e-4 * run.start.total());
            assert_eq!(run.last_resorts, 0, "{name}");
        }
    }
}
