//! What happens in the middle of a drag: switches, edits, undo, snapshots, other schemes.

use linkwork::integrate::Integrator;
use linkwork::prelude::*;
use linkwork::stabilize::Stabilization;

use super::loops::{DYNAMICS, subjects};
use super::reach::{DRAGS, arm};

fn interactive() -> StepOptions {
    StepOptions::interactive(1.0 / 60.0)
}

fn goal(start: [f64; 3], frame: usize) -> [f64; 3] {
    let s = frame as f64 / 30.0;
    [
        start[0] - 0.2 * s.sin(),
        start[1] + 0.1 * (1.0 - s.cos()),
        start[2],
    ]
}

#[test]
fn drags_and_dynamics_are_switched_on_loops() {
    for (name, mut world, held) in subjects() {
        if name == "troids" {
            continue;
        }
        let start = world.position_world(&held).unwrap();
        let grip = world.grab(held, DRAGS[0]).unwrap();
        let mut simulator = Simulator::new();
        for frame in 0..180 {
            if frame % 10 == 0 {
                world.set_drag(grip, DRAGS[frame / 10 % 3]).unwrap();
            }
            if frame % 25 == 0 {
                world.set_dynamics(DYNAMICS[frame / 25 % 3]);
            }
            world.drag(grip, goal(start, frame)).unwrap();
            let report = simulator.step(&mut world, &interactive()).unwrap();
            // To the tolerance; an angle counts at a typical length, which may be short.
            let closed = report.require(4e-9);
            assert!(closed.is_ok(), "{name} {frame}: {closed:?}");
        }
    }
}

#[test]
fn a_joint_is_removed_and_put_back_while_the_hand_pulls() {
    for drag in DRAGS {
        for dynamics in DYNAMICS {
            let (mut world, tip) = arm();
            world.set_dynamics(dynamics);
            let start = world.position_world(&tip).unwrap();
            let grip = world.grab(tip, drag).unwrap();
            let elbow = world.find_constraint("joint 1").unwrap();
            let mut simulator = Simulator::new();
            let mut removed = None;
            for frame in 0..90 {
                world.drag(grip, goal(start, frame)).unwrap();
                if frame == 30 {
                    removed = Some(world.remove_constraint(elbow).unwrap());
                }
                if frame == 33 {
                    world.restore_removed(removed.as_ref().unwrap()).unwrap();
                    assert_eq!(world.find_constraint("joint 1"), Some(elbow));
                }
                let report = simulator.step(&mut world, &interactive()).unwrap();
                assert!(
                    report.position_error <= 1e-9,
                    "{drag:?} {dynamics:?} {frame}: {report:?}"
                );
            }
        }
    }
}

/// Undoing the removal of a body that a hand held brings the body and its joints back.
#[test]
fn removing_what_is_held_can_be_undone() {
    let (mut world, tip) = arm();
    let grip = world.grab(tip, Drag::Follow).unwrap();
    let before = world.snapshot();
    let removed = world.remove_body(tip.body().unwrap()).unwrap();
    assert!(world.grips().is_empty());
    world.restore_removed(&removed).unwrap();
    assert_eq!(world.bodies().len(), 4);
    assert_eq!(world.grips().len(), 1);
    world.drag(grip, [1.0, 1.0, 0.0]).unwrap();
    let mut simulator = Simulator::new();
    simulator.step(&mut world, &interactive()).unwrap();
    let mut other = world.clone();
    other.restore(&before).unwrap();
    other.drag(grip, [1.0, 1.0, 0.0]).unwrap();
    simulator.step(&mut other, &interactive()).unwrap();
    assert_eq!(world.state_hash(), other.state_hash());
}

/// A hand's joint that is removed like any other takes the hand with it.
#[test]
fn removing_the_joint_of_a_hand_is_letting_go() {
    let (mut world, tip) = arm();
    let grip = world.grab(tip, Drag::Follow).unwrap();
    let joint = world.grip_record(grip).unwrap().constraint();
    let removed = world.remove_constraint(joint).unwrap();
    let mut simulator = Simulator::new();
    simulator.step(&mut world, &interactive()).unwrap();
    assert!(world.grips().is_empty());
    assert_eq!(world.bodies().len(), 3);
    assert!(world.drag(grip, [0.0; 3]).is_err());
    world.restore_removed(&removed).unwrap();
    world.drag(grip, [1.0, 1.0, 0.0]).unwrap();
    simulator.step(&mut world, &interactive()).unwrap();
}

#[test]
fn a_snapshot_in_mid_drag_repeats_every_bit() {
    for drag in DRAGS {
        for dynamics in DYNAMICS {
            let (mut world, tip) = arm();
            world.set_dynamics(dynamics);
            let start = world.position_world(&tip).unwrap();
            let grip = world.grab(tip, drag).unwrap();
            let mut simulator = Simulator::new();
            let run =
                |world: &mut World, simulator: &mut Simulator, frames: std::ops::Range<usize>| {
                    for frame in frames {
                        world.drag(grip, goal(start, frame)).unwrap();
                        simulator.step(world, &interactive()).unwrap();
                    }
                };
            run(&mut world, &mut simulator, 0..20);
            world.drag(grip, [5.0, 1.0, 2.0]).unwrap();
            let snapshot = world.snapshot();
            run(&mut world, &mut simulator, 20..50);
            let hash = world.state_hash();
            world.release(grip).unwrap();
            world.restore(&snapshot).unwrap();
            run(&mut world, &mut simulator, 20..50);
            assert_eq!(world.state_hash(), hash, "{drag:?} {dynamics:?}");
            world.restore(&snapshot).unwrap();
            run(&mut world, &mut Simulator::new(), 20..50);
            assert_eq!(world.state_hash(), hash, "{drag:?} {dynamics:?}");
        }
    }
}

/// Every scheme drags: where the goal is within reach it is met, and joints hold.
#[test]
fn every_scheme_drags() {
    let dt = 1.0 / 120.0;
    let post = Stabilization::Post { iterations: 5 };
    let displacement = Stabilization::Displacement { iterations: 5 };
    let schemes = [
        (StepOptions::interactive(dt), 1e-9),
        (StepOptions::precise(dt), 1e-9),
        (StepOptions::symplectic4(dt), 1e-9),
        (StepOptions::parts(dt, Integrator::Euler, post), 1e-9),
        (
            StepOptions::parts(dt, Integrator::SymplecticEuler, post),
            1e-9,
        ),
        (StepOptions::parts(dt, Integrator::Rk4, post), 1e-9),
        (
            StepOptions::parts(dt, Integrator::Stoermer, displacement),
            1e-6,
        ),
    ];
    for (options, gap) in schemes {
        for drag in DRAGS {
            let (mut world, tip) = arm();
            let start = world.position_world(&tip).unwrap();
            let grip = world.grab(tip, drag).unwrap();
            let mut simulator = Simulator::new();
            let mut miss = 0.0f64;
            for frame in 0..240 {
                let to = goal(start, frame / 2);
                world.drag(grip, to).unwrap();
                let report = simulator.step(&mut world, &options).unwrap();
                let what = format!("{:?} {drag:?} {frame}", options.scheme);
                assert!(
                    report.position_error <= gap,
                    "{what}: {:e}",
                    report.position_error
                );
                let now = world.position_world(&tip).unwrap();
                miss = miss.max((now[0] - to[0]).hypot(now[1] - to[1]));
            }
            let enough = if matches!(drag, Drag::Force { .. }) {
                0.02
            } else {
                1e-8
            };
            assert!(miss < enough, "{:?} {drag:?}: {miss:e}", options.scheme);
        }
    }
}

#[test]
fn a_body_that_is_disabled_can_be_grabbed_and_moves_when_enabled() {
    for drag in DRAGS {
        for dynamics in DYNAMICS {
            let (mut world, tip) = arm();
            world.set_dynamics(dynamics);
            world.set_body_enabled(tip.body().unwrap(), false).unwrap();
            let start = world.position_world(&tip).unwrap();
            let grip = world.grab(tip, drag).unwrap();
            let mut simulator = Simulator::new();
            for frame in 0..10 {
                world.drag(grip, goal(start, frame)).unwrap();
                simulator.step(&mut world, &interactive()).unwrap();
            }
            assert_eq!(world.position_world(&tip).unwrap(), start);
            world.set_body_enabled(tip.body().unwrap(), true).unwrap();
            for frame in 10..60 {
                world.drag(grip, goal(start, frame)).unwrap();
                let report = simulator.step(&mut world, &interactive()).unwrap();
                assert!(report.position_error <= 1e-9, "{report:?}");
            }
            // While it is held, and while the hand is removed.
            world.set_body_enabled(tip.body().unwrap(), false).unwrap();
            simulator.step(&mut world, &interactive()).unwrap();
            world.release(grip).unwrap();
            simulator.step(&mut world, &interactive()).unwrap();
        }
    }
}

/// A grab that is refused leaves nothing behind.
#[test]
fn a_hand_that_is_too_soft_is_refused_whole() {
    let (mut world, tip) = arm();
    let before = (world.bodies().len(), world.constraints().len());
    let soft = Drag::Force {
        stiffness: 1e-310,
        damping: 0.0,
    };
    assert!(world.grab(tip, soft).is_err());
    assert_eq!((world.bodies().len(), world.constraints().len()), before);
    assert!(world.grips().is_empty());
    let grip = world.grab(tip, Drag::Follow).unwrap();
    assert!(world.set_drag(grip, soft).is_err());
    let record = world.constraint_record(world.grip_record(grip).unwrap().constraint());
    assert_eq!(record.unwrap().priority(), 1, "still followed");
}
