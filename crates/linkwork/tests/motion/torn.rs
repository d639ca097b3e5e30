//! What hangs between joints of a lower priority that are too far apart: it is pulled straight, and whatever they do
//! to hold it there, nobody puts energy in.

use linkwork::prelude::*;

use crate::support::{G, Run, below};

/// Rods of 1 m and 1 kg in a row between two posts, which are `excess` further apart than the row is long.
fn row(n: usize, excess: f64) -> World {
    let mut world = World::with_gravity([0.0, 0.0, -9.81]).unwrap();
    let length = n as f64;
    let mut last: Option<BodyId> = None;
    let (left, right) = ([-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]);
    for i in 0..n {
        let body = Rod {
            length: 1.0,
            radius: 0.05,
            mass: 1.0,
        };
        let pose = Pose::at([i as f64 + 0.5 - 0.5 * length, 0.0, 0.0]);
        let rod = world.add_body_at(&format!("rod {i}"), body, pose).unwrap();
        if let Some(before) = last.replace(rod) {
            let label = format!("joint {i}");
            world
                .join(&label, Ball, before.at(right), rod.at(left))
                .unwrap();
        }
    }
    let x = 0.5 * (length + excess);
    let (first, last) = (world.bodies()[0].id(), last.unwrap());
    for (label, at, end) in [
        ("left post", -x, first.at(left)),
        ("right post", x, last.at(right)),
    ] {
        let joint = world
            .join(label, Ball, GROUND.at([at, 0.0, 0.0]), end)
            .unwrap();
        world.set_priority(joint, 1).unwrap();
    }
    world
}

/// Gravity pulls rods down at right angles to what holds them, which resists only once they are bent. (Under `precise`
/// positions were taken back at each step and velocities were not: two rods gained 9.5 J in 2 s.)
#[test]
fn nobody_lifts_what_hangs_between_posts_out_of_reach() {
    for options in [
        StepOptions::interactive(1.0 / 60.0),
        StepOptions::precise(1.0 / 60.0),
    ] {
        for (n, excess) in [(2, 1.0), (3, 0.2), (6, 1.18)] {
            let mut run = Run::new(row(n, excess), options);
            let weight = n as f64 * G;
            let mut fastest = 0.0f64;
            for _ in 0..120 {
                run.step();
                fastest = fastest.max(run.world.energy().unwrap().kinetic);
            }
            let what = format!("{n} rods, {:?}", options.scheme);
            below(&what, run.gap, 1e-9);
            below(&what, run.gain / weight, 0.005);
            // They fall by a part of their length at most.
            below(&what, fastest / weight, 0.1);
        }
    }
}
