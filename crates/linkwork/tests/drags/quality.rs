//! How a drag feels: no kick, switching on the way, several hands, whole frames, trackers.

use linkwork::body::Tracker;
use linkwork::prelude::*;

use super::reach::{DRAGS, FORCE, arm};

fn interactive() -> StepOptions {
    StepOptions::interactive(1.0 / 60.0)
}

#[test]
fn to_grab_and_release_without_moving_changes_nothing() {
    for dynamics in [
        Dynamics::SecondOrder,
        Dynamics::FirstOrder,
        Dynamics::Assembly,
    ] {
        for drag in DRAGS {
            let (mut world, tip) = arm();
            world.set_dynamics(dynamics);
            let before = world.state().clone();
            let mut simulator = Simulator::new();
            let grip = world.grab(tip, drag).unwrap();
            for _ in 0..10 {
                simulator.step(&mut world, &interactive()).unwrap();
            }
            world.release(grip).unwrap();
            simulator.step(&mut world, &interactive()).unwrap();
            let change = |a: &[f64], b: &[f64]| {
                let pairs = a.iter().zip(b);
                pairs.fold(0.0f64, |most, (a, b)| most.max((a - b).abs()))
            };
            assert!(change(&before.q, &world.state().q) < 1e-12, "{drag:?}");
            assert!(change(&before.v, &world.state().v) < 1e-10, "{drag:?}");
            assert_eq!(world.bodies().len(), 3);
        }
    }
}

#[test]
fn the_drag_can_be_switched_on_the_way() {
    let (mut world, tip) = arm();
    world.set_dynamics(Dynamics::FirstOrder);
    let start = world.position_world(&tip).unwrap();
    let grip = world.grab(tip, FORCE).unwrap();
    let mut simulator = Simulator::new();
    let mut last = start;
    for frame in 1..=90 {
        if frame % 30 == 0 {
            world.set_drag(grip, DRAGS[frame / 30 % 3]).unwrap();
        }
        let goal = [start[0] - 0.01 * frame as f64, start[1], 0.0];
        world.drag(grip, goal).unwrap();
        simulator.step(&mut world, &interactive()).unwrap();
        let now = world.position_world(&tip).unwrap();
        assert!((now[0] - last[0]).hypot(now[1] - last[1]) < 0.1);
        last = now;
    }
    assert!((last[0] - (start[0] - 0.9)).abs() < 0.05);
}

#[test]
fn a_frame_is_held_with_its_orientation() {
    for drag in [Drag::Follow, Drag::Pin] {
        let mut world = World::new();
        world.set_dynamics(Dynamics::FirstOrder);
        let cube = Cuboid {
            size: [0.2, 0.3, 0.4],
            mass: 2.0,
        };
        let body = world.add_body("cube", cube).unwrap();
        let frame = body.frame(
            [0.1, 0.0, 0.0],
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        );
        let grip = world.grab(frame, drag).unwrap();
        let goal = Pose::turned([0.4, 0.2, -0.1], [0.3, -0.5, 0.8]);
        let mut simulator = Simulator::new();
        for frame in 1..=40 {
            let way = f64::from(frame) / 40.0;
            let part = Pose::turned(
                goal.position.map(|x| x * way),
                [0.3 * way, -0.5 * way, 0.8 * way],
            );
            world.drag_frame(grip, part).unwrap();
            simulator.step(&mut world, &interactive()).unwrap();
        }
        let pose = world.pose(body).unwrap().unwrap();
        for k in 0..4 {
            assert!(
                (pose.rotation[k] - goal.rotation[k]).abs() < 1e-7,
                "{drag:?}"
            );
        }
    }
}

#[test]
fn several_hands_hold_at_once() {
    let mut world = World::new();
    world.set_dynamics(Dynamics::FirstOrder);
    let rod = Rod {
        length: 1.0,
        radius: 0.02,
        mass: 1.0,
    };
    let rod = world.add_body("rod", rod).unwrap();
    let (left, right) = (rod.at([-0.5, 0.0, 0.0]), rod.at([0.5, 0.0, 0.0]));
    let a = world.grab(left, Drag::Follow).unwrap();
    let b = world.grab(right, Drag::Follow).unwrap();
    let mut simulator = Simulator::new();
    for frame in 1..=60 {
        let up = f64::from(frame) / 100.0;
        world.drag(a, [-0.5, up, 0.0]).unwrap();
        world.drag(b, [0.5, up, 0.0]).unwrap();
        simulator.step(&mut world, &interactive()).unwrap();
    }
    assert!((world.position_world(&left).unwrap()[1] - 0.6).abs() < 1e-7);
    assert!((world.position_world(&right).unwrap()[1] - 0.6).abs() < 1e-7);
    // Pulled apart, both miss by the same: least squares.
    for frame in 1..=60 {
        let apart = f64::from(frame) / 200.0;
        world.drag(a, [-0.5 - apart, 0.6, 0.0]).unwrap();
        world.drag(b, [0.5 + apart, 0.6, 0.0]).unwrap();
        simulator.step(&mut world, &interactive()).unwrap();
    }
    assert!((world.position_world(&left).unwrap()[0] + 0.5).abs() < 1e-6);
    assert!((world.position_world(&right).unwrap()[0] - 0.5).abs() < 1e-6);
}

/// A noisy tracker drags a chain: five centimeters of noise in every frame, for a minute of frames.
#[test]
fn a_noisy_tracker_is_followed() {
    let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
    let hand = world.add_body("tracker", Tracker).unwrap();
    let mut end = hand.at([0.0; 3]);
    for k in 0..10 {
        let rod = Rod {
            length: 0.2,
            radius: 0.01,
            mass: 0.1,
        };
        let pose = Pose::turned(
            [0.0, -0.1 - 0.2 * f64::from(k), 0.0],
            [0.0, 0.0, -std::f64::consts::FRAC_PI_2],
        );
        let link = world.add_body_at(&format!("link {k}"), rod, pose).unwrap();
        world
            .join(&format!("joint {k}"), Ball, end, link.at([-0.1, 0.0, 0.0]))
            .unwrap();
        end = link.at([0.1, 0.0, 0.0]);
    }
    let mut simulator = Simulator::new();
    let mut seed = 7u64;
    let mut noise = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        0.05 * ((seed >> 33) as f64 / f64::from(1u32 << 30) - 1.0)
    };
    for frame in 0..1200 {
        let t = f64::from(frame) / 60.0;
        let goal = Pose::at([0.5 * (2.0 * t).sin() + noise(), noise(), noise()]);
        world.set_goal(hand, goal).unwrap();
        let report = simulator.step(&mut world, &interactive()).unwrap();
        assert!(report.position_error <= 1e-9, "{report:?}");
        assert_eq!(
            world
                .pose(hand)
                .unwrap()
                .unwrap()
                .position
                .map(f64::to_bits)
                .len(),
            3
        );
    }
}
