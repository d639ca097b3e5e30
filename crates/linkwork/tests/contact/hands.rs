//! Hands that lead what touches: they push and lift, and give way to floors (`system/hands.rs`).

use super::support::{DT, G, add, at, block, flat};
use linkwork::collide::Shape;
use linkwork::constraint::AngleLimit;
use linkwork::prelude::*;

use linkwork::world::{Collider, GripId};

/// What a hand can do to a kilogram, N.
const STRENGTH: f64 = 1e3;

fn tower(n: usize) -> (World, Vec<BodyId>) {
    let mut world = flat(0.5);
    let bodies = (0..n).map(|k| {
        let at = [0.0, 0.1 + 0.2 * k as f64, 0.0];
        block(&mut world, [0.1; 3], 1.0, Pose::at(at), 0.5)
    });
    let bodies = bodies.collect();
    (world, bodies)
}

/// The force of a hand, N.
fn pull(world: &World, grip: GripId) -> f64 {
    let constraint = world.grip_record(grip).unwrap().constraint();
    let rows = world.constraint_record(constraint).unwrap().row_range();
    let square: f64 = world.state().lambda[rows].iter().map(|f| f * f).sum();
    square.sqrt()
}

/// A block of a tower is led down into the floor, and up again. The floor and the blocks below do not give way; the
/// hand does, with all its strength and no more, and says so. Led up, the block is where the hand is, and lifts what
/// stands on it.
#[test]
fn a_hand_gives_way_to_the_floor_and_lifts() {
    for drag in [Drag::Follow, Drag::Pin] {
        for held in [0, 5] {
            let (mut world, bodies) = tower(6);
            let grip = world.grab(bodies[held].at([0.0; 3]), drag).unwrap();
            let start = at(&world, bodies[held]);
            let mut simulator = Simulator::new();
            let mut substeps = 0;
            for frame in 1..=120 {
                let t = f64::from(frame) * DT;
                let height = if t < 1.0 { -0.3 * t } else { 0.6 * t - 0.9 };
                let goal = [start[0], start[1] + height, 0.0];
                world.drag(grip, goal).unwrap();
                let report = simulator
                    .step(&mut world, &StepOptions::interactive(DT))
                    .unwrap();
                let own = at(&world, bodies[held]);
                assert!(
                    report.overrun < 1e-8 && report.law_error < 1e-8,
                    "{report:?}"
                );
                substeps += report.substeps;
                let force = pull(&world, grip);
                assert!(force < STRENGTH * (1.0 + 1e-9), "{force}");
                if height < -1e-3 {
                    assert!((own[1] - start[1]).abs() < 1e-8, "{drag:?} {held} {own:?}");
                    let below = start[1] - goal[1];
                    assert_eq!(report.gave_way.len(), 1);
                    assert!((report.gave_way[0].error - below).abs() < 1e-8);
                } else if t > 1.6 {
                    let off = (own[0] - goal[0]).abs() + (own[1] - goal[1]).abs();
                    assert!(off < 1e-9 && report.gave_way.is_empty(), "{report:?}");
                }
            }
            assert!(substeps < 2 * 120, "{substeps}");
            // All that stands on it came along.
            for (k, body) in bodies.iter().enumerate() {
                let lifted = if k >= held { 0.3 } else { 0.0 };
                let height = at(&world, *body)[1] - (0.1 + 0.2 * k as f64);
                assert!(
                    (height - lifted).abs() < 1e-6,
                    "{drag:?} {held} {k}: {height}"
                );
            }
        }
    }
}

/// At rest, and led evenly, a hand carries the weight.
#[test]
fn a_hand_carries_the_weight() {
    let (mut world, bodies) = tower(3);
    let grip = world.grab(bodies[0].at([0.0; 3]), Drag::Follow).unwrap();
    let mut simulator = Simulator::new();
    for frame in 1..=60 {
        let goal = [0.0, 0.1 + 0.3 * f64::from(frame) * DT, 0.0];
        world.drag(grip, goal).unwrap();
        simulator
            .step(&mut world, &StepOptions::interactive(DT))
            .unwrap();
    }
    let force = pull(&world, grip);
    assert!((force - 3.0 * G).abs() < 1e-6, "{force}");
}

/// A goal that leaps away: what is held flies there as fast as the hand's strength allows, and stays.
#[test]
fn a_leap_is_a_flight() {
    let mut world = flat(0.5);
    let own = block(&mut world, [0.1; 3], 2.0, Pose::at([0.0, 3.0, 0.0]), 0.5);
    let grip = world.grab(own.at([0.0; 3]), Drag::Follow).unwrap();
    let mut simulator = Simulator::new();
    world.drag(grip, [2.0, 3.0, 0.0]).unwrap();
    let mut frames = 0;
    while (at(&world, own)[0] - 2.0).abs() > 1e-9 {
        let report = simulator
            .step(&mut world, &StepOptions::interactive(DT))
            .unwrap();
        assert!(pull(&world, grip) < STRENGTH * 2.0 * (1.0 + 1e-9));
        assert!(at(&world, own)[0] < 2.4, "{:?}", at(&world, own));
        assert!(report.law_error < 1e-8, "{report:?}");
        frames += 1;
        // Half of the way up to speed, half of it down: 2·√(2/1,000) s, five frames and a half.
        assert!(frames < 12, "{:?}", at(&world, own));
    }
    assert!(frames > 4);
    simulator
        .step(&mut world, &StepOptions::interactive(DT))
        .unwrap();
    let v = world.v(own).unwrap();
    assert!(v.iter().all(|v| v.abs() < 1e-6), "{v:?}");
}

/// An arm of three rods with limits far away, pulled out of reach: it ends straight, pointing at the goal, and rests.
#[test]
fn an_arm_out_of_reach_points_at_the_hand() {
    let mut world = World::with_gravity([0.0, -G, 0.0]).unwrap();
    let mut before = GROUND;
    for k in 0..3 {
        let rod = Rod {
            length: 0.4,
            radius: 0.01,
            mass: 1.0,
        };
        let pose = Pose::at([0.2 + 0.4 * f64::from(k), 0.0, 0.0]);
        let own = world.add_body_at(&format!("rod {k}"), rod, pose).unwrap();
        let x = 0.4 * f64::from(k);
        let from = if k == 0 {
            before.at([x, 0.0, 0.0])
        } else {
            before.at([0.2, 0.0, 0.0])
        };
        let hinge = Hinge {
            axis_world: [0.0, 0.0, 1.0],
        };
        world
            .join(&format!("hinge {k}"), hinge, from, own.at([-0.2, 0.0, 0.0]))
            .unwrap();
        before = own;
    }
    let limit = AngleLimit {
        lower: -3.0,
        upper: 3.0,
        restitution: 0.0,
    };
    let axis = |body: BodyId, origin| body.frame_along(origin, [0.0, 0.0, 1.0]);
    let first = world.find_body("rod 0").unwrap();
    world
        .add_constraint(
            "limit",
            limit,
            &[axis(GROUND, [0.0; 3]), axis(first, [-0.2, 0.0, 0.0])],
        )
        .unwrap();
    let tip = before.at([0.2, 0.0, 0.0]);
    let grip = world.grab(tip, Drag::Follow).unwrap();
    let mut simulator = Simulator::new();
    let goal = [0.9, 1.2, 0.0];
    let mut substeps = 0;
    for frame in 1..=180 {
        let part = (f64::from(frame) / 30.0).min(1.0);
        let now = [1.2 + part * (goal[0] - 1.2), part * goal[1], 0.0];
        world.drag(grip, now).unwrap();
        let report = simulator
            .step(&mut world, &StepOptions::interactive(DT))
            .unwrap();
        assert!(report.position_error < 1e-6, "{report:?}");
        substeps += report.substeps;
    }
    let tip = world.position_world(&tip).unwrap();
    // Nearest to the goal is where the straight arm points at it: 1.2 m along (0.6, 0.8). Weights bend it by
    // 9.81/1,000.
    let off = ((tip[0] - 0.72).powi(2) + (tip[1] - 0.96).powi(2)).sqrt();
    assert!(off < 5e-3, "{tip:?} {off}");
    let fastest = world
        .state()
        .v
        .iter()
        .fold(0.0f64, |most, v| most.max(v.abs()));
    assert!(fastest < 1e-2, "{fastest}");
    // Held so taut, the rods are strings of 86 rad/s.
    assert!(substeps < 10 * 180, "{substeps}");
}

/// In the plane, with the angle held too: a disc is pressed into a corner and comes back.
#[test]
fn a_disc_is_led_into_a_corner() {
    let mut world = World::with_gravity([0.0, -G, 0.0]).unwrap();
    let up = Pose::in_plane([0.0, 0.0], std::f64::consts::FRAC_PI_2);
    let wall = Pose::in_plane([0.0, 0.0], 0.0);
    let planes = [up, wall].map(|pose| Collider::new(Shape::Plane).placed(pose));
    world.set_colliders(GROUND, planes.to_vec()).unwrap();
    let disc = PlanarDisc {
        radius: 0.1,
        mass: 1.0,
    };
    let own = world
        .add_body_at("disc", disc, Pose::in_plane([0.5, 0.5], 0.0))
        .unwrap();
    world
        .set_colliders(own, vec![Collider::new(Shape::Disc { radius: 0.1 })])
        .unwrap();
    let grip = world.grab(own.frame2([0.0; 2], 0.0), Drag::Follow).unwrap();
    let mut simulator = Simulator::new();
    for (goal, expected) in [([-0.3, -0.2], [0.1, 0.1]), ([0.5, 0.4], [0.5, 0.4])] {
        for _ in 0..60 {
            world.drag_frame(grip, Pose::in_plane(goal, 0.0)).unwrap();
            let report = simulator
                .step(&mut world, &StepOptions::interactive(DT))
                .unwrap();
            assert!(
                report.overrun < 1e-6 && report.law_error < 1e-6,
                "{report:?}"
            );
        }
        let position = at(&world, own);
        for k in 0..2 {
            assert!(
                (position[k] - expected[k]).abs() < 1e-7,
                "{position:?} {expected:?}"
            );
        }
    }
}

/// A simulator that is kept knows how bodies responded where the last step ended. It gives the same bits, and counts
/// the same iterations, as one that knows nothing.
#[test]
fn what_is_known_changes_no_bit() {
    let (mut world, bodies) = tower(2);
    let bar = Rod {
        length: 0.6,
        radius: 0.02,
        mass: 0.5,
    };
    let own = add(
        &mut world,
        bar,
        Pose::at([0.25, 0.52, 0.0]),
        Collider::new(Shape::Capsule {
            half_length: 0.3,
            radius: 0.02,
        }),
    );
    let hinge = Hinge {
        axis_world: [0.0, 0.0, 1.0],
    };
    let ends = (bodies[1].at([0.05, 0.22, 0.0]), own.at([-0.2, 0.0, 0.0]));
    world.join("hinge", hinge, ends.0, ends.1).unwrap();
    let grip = world.grab(own.at([0.3, 0.0, 0.0]), Drag::Follow).unwrap();
    let mut other = world.clone();
    let mut simulator = Simulator::new();
    let options = StepOptions::interactive(DT);
    for frame in 0..40 {
        let goal = [
            0.6 + 0.005 * f64::from(frame),
            0.5 - 0.01 * f64::from(frame),
            0.0,
        ];
        world.drag(grip, goal).unwrap();
        other.drag(grip, goal).unwrap();
        let kept = simulator.step(&mut world, &options).unwrap();
        let fresh = Simulator::new().step(&mut other, &options).unwrap();
        assert_eq!(world.state(), other.state(), "{frame}");
        assert_eq!(kept.effort.iterations, fresh.effort.iterations);
    }
}
