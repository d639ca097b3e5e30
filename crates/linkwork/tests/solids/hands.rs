//! Soft bodies whose neighbors are in hand: joints stay closed, whatever the stiffness and the hand.

use linkwork::body::{SoftBody, SoftMaterial, SoftShape};
use linkwork::constraint::{Distance, FramePair};
use linkwork::prelude::*;
use linkwork::shape::SuperquadricForm;

use crate::open;

const HANDS: [Drag; 3] = [
    Drag::Follow,
    Drag::Pin,
    Drag::Force {
        stiffness: 200.0,
        damping: 20.0,
    },
];

/// A shell between two boxes, one on a ball, one on a string.
fn tethered(young: f64) -> World {
    let mut world = World::with_gravity([0.0, 0.0, -9.81]).unwrap();
    let form = SuperquadricForm::new([0.1; 3], [1.0; 2]);
    let rings = [4, 6];
    let material = SoftMaterial {
        young,
        poisson: 0.3,
        density: 1000.0,
        damping: 0.0,
    };
    let body = SoftBody::shell(SoftShape::Rings { form, rings }, 0.002, material).unwrap();
    let shell = world.add_body("shell", body).unwrap();
    let cuboid = Cuboid {
        size: [0.1; 3],
        mass: 1.0,
    };
    let left = Pose::at([-0.15, 0.0, 0.0]);
    let right = Pose::at([0.3, 0.0, 0.0]);
    let left = world.add_body_at("left", cuboid, left).unwrap();
    let right = world.add_body_at("right", cuboid, right).unwrap();
    let ends = [
        left.at([0.05, 0.0, 0.0]),
        shell.surface(0.0, std::f64::consts::PI),
    ];
    world
        .add_constraint("knot", FramePair::ball(), &ends)
        .unwrap();
    let ends = [right.at([-0.05, 0.0, 0.0]), shell.surface(0.0, 0.0)];
    world
        .add_constraint("tether", Distance { length: 0.15 }, &ends)
        .unwrap();
    world
}

/// Shakes the box on the ball by a hand, and says how far joints opened.
fn shaken_by(drag: Drag, young: f64, frames: usize) -> f64 {
    let mut world = tethered(young);
    let mut simulator = Simulator::new();
    let handle = world.find_body("left").unwrap().at([0.0; 3]);
    let start = world.position_world(&handle).unwrap();
    let grip = world.grab(handle, drag).unwrap();
    let mut worst = 0.0f64;
    for k in 0..frames {
        let by = 0.1 * libm::sin(0.2 * k as f64);
        let goal = [start[0] - by, start[1] + 0.5 * by, start[2] + by.abs()];
        world.drag(grip, goal).unwrap();
        let report = simulator.step(&mut world, &StepOptions::interactive(1.0 / 60.0));
        report.unwrap().require(1e-9).unwrap();
        world.constraint_errors().unwrap();
        worst = worst.max(open(&world));
    }
    worst
}

#[test]
fn hands_on_a_neighbor_open_no_joint_of_a_shell() {
    for young in [1e2, 1e5, 1e9] {
        for drag in HANDS {
            let worst = shaken_by(drag, young, 12);
            println!("{young:e} {drag:?}: {worst:e}");
            assert!(worst < 1e-9, "{young:e} {drag:?}: {worst:e}");
        }
    }
}

/// The same for four seconds.
#[test]
#[ignore = "takes minutes; run with --release"]
fn hands_on_a_neighbor_open_no_joint_of_a_shell_for_seconds() {
    for young in [1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9] {
        for drag in HANDS {
            let worst = shaken_by(drag, young, 240);
            println!("{young:e} {drag:?}: {worst:e}");
            assert!(worst < 1e-9, "{young:e} {drag:?}: {worst:e}");
        }
    }
}
