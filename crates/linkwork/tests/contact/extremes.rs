//! Masses a million to one, more blows than are located, hands of any strength: frames end, nothing gains energy, and
//! what is not exact is said.

use super::support::{DT, add, at, block, flat, on_floor};
use linkwork::collide::Shape;
use linkwork::prelude::*;
use linkwork::world::Collider;
use std::f64::consts::FRAC_PI_2;

fn energy(world: &World) -> f64 {
    let energy = world.energy().unwrap();
    energy.kinetic + energy.potential
}

fn fastest(world: &World) -> f64 {
    let v = world.state().v.iter();
    v.fold(0.0, |most, v| v.abs().max(most))
}

/// Cylinders that stand on each other, the lowest first.
fn pillar(masses: &[f64]) -> World {
    let mut world = flat(0.5);
    for (k, &mass) in masses.iter().enumerate() {
        let (radius, length) = (0.1, 0.1);
        let half_length = 0.5 * length;
        let shape = Shape::Cylinder {
            half_length,
            radius,
        };
        let height = half_length + length * k as f64;
        let upright = Pose::turned([0.0, height, 0.0], [0.0, 0.0, FRAC_PI_2]);
        let body = Cylinder {
            radius,
            length,
            mass,
        };
        let collider = Collider::new(shape).with_friction(0.5);
        add(&mut world, body, upright, collider);
    }
    world
}

/// The light one passes on impulses that would throw it with 5e4 m/s: rates are found to 1e-9 of a tenth of that.
#[test]
fn heavy_cylinders_stand_on_light_ones() {
    for masses in [
        &[1e-3, 1e3][..],
        &[1e3, 1e-3, 1e3, 1e-3],
        &[1e3, 1e2, 1e1, 1.0, 1e-1, 1e-2, 1e-3],
    ] {
        let mut world = pillar(masses);
        let mut simulator = Simulator::new();
        let start = energy(&world);
        for _ in 0..120 {
            let report = simulator
                .step(&mut world, &StepOptions::interactive(DT))
                .unwrap();
            assert!(
                report.overrun < 1e-8 && report.law_error < 1e-4,
                "{masses:?} {report:?}"
            );
        }
        let gain = energy(&world) - start;
        assert!(gain < 1e-8 * start, "{masses:?}: {gain} of {start}");
        assert!(fastest(&world) < 1e-3, "{masses:?}: {}", fastest(&world));
    }
}

/// A ball between plates that it would strike a thousand times a second: after eight blows of a frame nothing rebounds.
#[test]
fn more_blows_than_are_located_make_no_energy() {
    let mut world = on_floor([0.0; 3], 0.0);
    let plates = [(0.0, FRAC_PI_2), (0.3, -FRAC_PI_2)].map(|(height, turn)| {
        let pose = Pose::turned([0.0, height, 0.0], [0.0, 0.0, turn]);
        Collider::new(Shape::Plane)
            .placed(pose)
            .with_restitution(1.0)
    });
    world.set_colliders(GROUND, plates.to_vec()).unwrap();
    let radius = 0.1;
    let collider = Collider::new(Shape::Sphere { radius }).with_restitution(1.0);
    let sphere = Sphere { radius, mass: 1.0 };
    let ball = add(&mut world, sphere, Pose::at([0.0, 0.15, 0.0]), collider);
    let v = [0.0, 100.0, 0.0, 0.0, 0.0, 0.0];
    world.set_v(ball, &v).unwrap();
    let mut simulator = Simulator::new();
    let (mut last, mut most) = (energy(&world), 0);
    for _ in 0..60 {
        let report = simulator
            .step(&mut world, &StepOptions::interactive(DT))
            .unwrap();
        let now = energy(&world);
        assert!(now <= last && report.overrun < 1e-9, "{now} {last}");
        (last, most) = (now, most.max(report.blows));
        let height = at(&world, ball)[1];
        assert!((0.1 - 1e-9..=0.2 + 1e-9).contains(&height), "{height}");
    }
    assert_eq!(most, 8);
}

/// A hand pulls a block with another one on it through the floor, slowly or at the speed of a bullet: they stay above,
/// and when it lets go, nothing was stored.
#[test]
fn no_hand_pulls_through_the_floor() {
    let spring = Drag::Force {
        stiffness: 1e4,
        damping: 1e2,
    };
    for drag in [spring, Drag::Follow, Drag::Pin] {
        for speed in [0.1, 1000.0] {
            let mut world = flat(0.5);
            let held = block(&mut world, [0.1; 3], 1.0, Pose::at([0.0, 0.1, 0.0]), 0.5);
            block(&mut world, [0.1; 3], 1.0, Pose::at([0.0, 0.3, 0.0]), 0.5);
            let grip = world.grab(held.at([0.05, 0.02, 0.0]), drag).unwrap();
            let mut simulator = Simulator::new();
            let options = StepOptions::interactive(DT);
            for frame in 0..60 {
                let t = f64::from(frame) * DT;
                world.drag(grip, [0.5 * t, 0.1 - speed * t, 0.0]).unwrap();
                let report = simulator.step(&mut world, &options).unwrap();
                assert!(report.overrun < 1e-8, "{drag:?} {speed}: {report:?}");
                assert!(at(&world, held)[1] > 0.1 - 1e-8);
            }
            world.release(grip).unwrap();
            let start = energy(&world);
            for _ in 0..120 {
                simulator.step(&mut world, &options).unwrap();
                assert!(energy(&world) < start + 1e-8, "{drag:?} {speed}");
            }
            assert!(fastest(&world) < 1e-8, "{drag:?} {speed}");
        }
    }
}
