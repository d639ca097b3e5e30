//! Goals within reach are reached, and the way back leads home; beyond reach everything stays
//! finite, nothing jumps, and what gave way is named.

use linkwork::connector::Connector;
use linkwork::prelude::*;

pub(crate) const FORCE: Drag = Drag::Force {
    stiffness: 200.0,
    damping: 20.0,
};
pub(crate) const DRAGS: [Drag; 3] = [FORCE, Drag::Follow, Drag::Pin];

/// A zigzag arm of three hinged links in the plane z = 0, and its tip.
pub(crate) fn arm() -> (World, Connector) {
    let mut world = World::new();
    let mut end = GROUND.at([0.0; 3]);
    for k in 0..3 {
        let rod = Rod {
            length: 1.0,
            radius: 0.03,
            mass: 1.0,
        };
        let angle: f64 = if k % 2 == 0 { 0.6 } else { -0.6 };
        let start = world.position_world(&end).unwrap();
        let middle = [
            start[0] + 0.5 * angle.cos(),
            start[1] + 0.5 * angle.sin(),
            0.0,
        ];
        let pose = Pose::turned(middle, [0.0, 0.0, angle]);
        let link = world.add_body_at(&format!("link {k}"), rod, pose).unwrap();
        let hinge = Hinge {
            axis_world: [0.0, 0.0, 1.0],
        };
        let own = link.at([-0.5, 0.0, 0.0]);
        world.join(&format!("joint {k}"), hinge, end, own).unwrap();
        end = link.at([0.5, 0.0, 0.0]);
    }
    (world, end)
}

/// The same arm of planar bodies.
fn planar_arm() -> (World, Connector) {
    let mut world = World::new();
    let mut end = GROUND.at([0.0; 2]);
    for k in 0..3 {
        let rod = PlanarRod {
            length: 1.0,
            mass: 1.0,
        };
        let angle: f64 = if k % 2 == 0 { 0.6 } else { -0.6 };
        let start = world.position_world(&end).unwrap();
        let middle = [start[0] + 0.5 * angle.cos(), start[1] + 0.5 * angle.sin()];
        let pose = Pose::in_plane(middle, angle);
        let link = world.add_body_at(&format!("link {k}"), rod, pose).unwrap();
        world
            .join(&format!("joint {k}"), Ball, end, link.at([-0.5, 0.0]))
            .unwrap();
        end = link.at([0.5, 0.0]);
    }
    (world, end)
}

fn largest_change(before: &[f64], after: &[f64]) -> f64 {
    let pairs = before.iter().zip(after);
    pairs.fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

/// Out along a line by (−0.8, 0.7) and back on the same path; how far from home everything ends.
fn out_and_back(make: fn() -> (World, Connector), drag: Drag, n_frames: usize) -> (f64, f64) {
    let (mut world, tip) = make();
    world.set_dynamics(Dynamics::FirstOrder);
    let home = world.state().q.clone();
    let start = world.position_world(&tip).unwrap();
    let grip = world.grab(tip, drag).unwrap();
    let mut simulator = Simulator::new();
    let options = StepOptions::interactive(1.0 / 60.0);
    let mut miss = 0.0f64;
    for frame in 1..=2 * n_frames {
        let way = frame as f64 / n_frames as f64;
        let way = if way > 1.0 { 2.0 - way } else { way };
        let goal = [start[0] - 0.8 * way, start[1] + 0.7 * way, 0.0];
        world.drag(grip, goal).unwrap();
        let report = simulator.step(&mut world, &options).unwrap();
        assert!(report.position_error < 2e-9, "{report:?}");
        assert!(report.gave_way.is_empty(), "{report:?}");
        let now = world.position_world(&tip).unwrap();
        miss = miss.max((now[0] - goal[0]).hypot(now[1] - goal[1]));
    }
    world.release(grip).unwrap();
    simulator.step(&mut world, &options).unwrap();
    (miss, largest_change(&home, &world.state().q))
}

#[test]
fn out_and_back_leads_home_and_the_error_falls_with_the_step() {
    for make in [arm as fn() -> _, planar_arm] {
        for drag in [Drag::Follow, Drag::Pin] {
            let (miss, coarse) = out_and_back(make, drag, 60);
            assert!(miss < 1e-8, "{drag:?}: missed the goal by {miss:e}");
            let (_, fine) = out_and_back(make, drag, 240);
            assert!(coarse < 5e-3, "{drag:?}: {coarse:e}");
            assert!(fine < 0.3 * coarse, "{drag:?}: {coarse:e} then {fine:e}");
        }
    }
}

#[test]
fn a_goal_rests_and_the_error_falls_to_tolerance_within_thirty_frames() {
    for dynamics in [Dynamics::FirstOrder, Dynamics::Assembly] {
        let (mut world, tip) = arm();
        world.set_dynamics(dynamics);
        let grip = world.grab(tip, Drag::Follow).unwrap();
        let mut simulator = Simulator::new();
        let options = StepOptions::interactive(1.0 / 60.0).within(
            Budget::default()
                .with_max_iterations(2)
                .with_tolerance(1e-9),
        );
        world.drag(grip, [1.0, 1.2, 0.0]).unwrap();
        let mut frames = 0;
        loop {
            let report = simulator.step(&mut world, &options).unwrap();
            frames += 1;
            let now = world.position_world(&tip).unwrap();
            let miss = (now[0] - 1.0).hypot(now[1] - 1.2);
            if miss < 1e-7 && report.position_error < 1e-9 {
                break;
            }
            assert!(frames < 30, "{dynamics:?}: still {miss:e} off");
        }
    }
}

/// Drags the tip to 3 m beyond reach and back; the largest jump in goal steps, and what gave way.
fn beyond_reach(
    make: fn() -> (World, Connector),
    drag: Drag,
    dynamics: Dynamics,
) -> (f64, Vec<String>) {
    let (mut world, tip) = make();
    world.set_dynamics(dynamics);
    let start = world.position_world(&tip).unwrap();
    let grip = world.grab(tip, drag).unwrap();
    let mut simulator = Simulator::new();
    let options = StepOptions::interactive(1.0 / 60.0);
    let n_frames = 120;
    let (mut jump, mut named) = (0.0f64, vec![]);
    for frame in 1..=2 * n_frames {
        let way = f64::from(frame) / f64::from(n_frames);
        let way = if way > 1.0 { 2.0 - way } else { way };
        world
            .drag(grip, [start[0] + 3.0 * way, start[1], 0.0])
            .unwrap();
        let before = world.state().q.clone();
        let report = simulator.step(&mut world, &options).unwrap();
        assert!(report.position_error <= 1e-9, "{drag:?} {report:?}");
        let n = 3 * before.len() / 3 - 23;
        jump = jump.max(largest_change(&before[..n], &world.state().q[..n]));
        if frame == n_frames {
            for gave_way in &report.gave_way {
                let record = world.constraint_record(gave_way.constraint).unwrap();
                named.push(record.label().to_owned());
            }
        }
    }
    (jump * f64::from(n_frames) / 3.0, named)
}

#[test]
fn beyond_reach_nothing_jumps_and_what_gave_way_is_named() {
    for make in [arm as fn() -> _, planar_arm] {
        for dynamics in [
            Dynamics::FirstOrder,
            Dynamics::Assembly,
            Dynamics::SecondOrder,
        ] {
            for (drag, expected) in [
                (FORCE, vec![]),
                (Drag::Follow, vec!["hand 1"]),
                (Drag::Pin, vec!["joint 0"]),
            ] {
                let (jump, named) = beyond_reach(make, drag, dynamics);
                assert!(jump < 10.0, "{dynamics:?} {drag:?}: {jump} goal steps");
                assert_eq!(named, expected, "{dynamics:?} {drag:?}");
            }
        }
    }
}

/// The elbow of a two-link arm stays on its side while the hand passes near the shoulder and far
/// out of reach.
#[test]
fn the_elbow_stays_on_its_side() {
    for drag in DRAGS {
        for dynamics in [Dynamics::FirstOrder, Dynamics::Assembly] {
            let mut world = World::new();
            world.set_dynamics(dynamics);
            let rod = PlanarRod {
                length: 1.0,
                mass: 1.0,
            };
            let upper = Pose::in_plane([0.5 * 0.8, 0.5 * 0.6], 0.6f64.asin());
            let lower = Pose::in_plane([0.8 + 0.5 * 0.8, 0.6 - 0.5 * 0.6], -(0.6f64.asin()));
            let upper = world.add_body_at("upper", rod, upper).unwrap();
            let lower = world.add_body_at("lower", rod, lower).unwrap();
            let end = [0.5, 0.0];
            world
                .join("shoulder", Ball, GROUND.at([0.0; 2]), upper.at([-0.5, 0.0]))
                .unwrap();
            world
                .join("elbow", Ball, upper.at(end), lower.at([-0.5, 0.0]))
                .unwrap();
            let grip = world.grab(lower.at(end), drag).unwrap();
            let mut simulator = Simulator::new();
            let options = StepOptions::interactive(1.0 / 60.0);
            for frame in 0..240 {
                let way = f64::from(frame) / 120.0;
                let way = if way > 1.0 { 2.0 - way } else { way };
                world.drag(grip, [1.6 + 1.4 * way, 0.0, 0.0]).unwrap();
                simulator.step(&mut world, &options).unwrap();
                let q = &world.state().q;
                let bend = q[2] - q[5];
                assert!(bend > -0.1, "{drag:?} {dynamics:?}: bent by {bend}");
            }
        }
    }
}

/// Beyond reach the arm points at the goal, wherever the goal goes: least squares, not merely less.
#[test]
fn beyond_reach_the_arm_points_at_the_goal() {
    for make in [arm as fn() -> _, planar_arm] {
        for dynamics in [Dynamics::FirstOrder, Dynamics::Assembly] {
            let (mut world, tip) = make();
            world.set_dynamics(dynamics);
            let grip = world.grab(tip, Drag::Follow).unwrap();
            let mut simulator = Simulator::new();
            let options = StepOptions::interactive(1.0 / 60.0);
            for goal in [[1.0, 4.0], [4.0, 0.0], [4.0, 0.5], [-3.0, 3.0]] {
                world.drag(grip, [goal[0], goal[1], 0.0]).unwrap();
                for _ in 0..120 {
                    simulator.step(&mut world, &options).unwrap();
                }
                let x = world.position_world(&tip).unwrap();
                let miss = (x[0] - goal[0]).hypot(x[1] - goal[1]);
                let least = goal[0].hypot(goal[1]) - 3.0;
                assert!(miss < least + 1e-4, "{goal:?}: {miss}, {least} can be had");
            }
        }
    }
}

/// `Symplectic4` composes steps, one of them back in time. Where goals are out of reach it cannot: it says
/// so, and nothing is faster than by `Interactive`.
#[test]
fn beyond_reach_symplectic4_takes_its_last_resort() {
    /// Last resorts within reach, beyond it and home again; and the fastest on the way.
    fn leads(
        make: fn() -> (World, Connector),
        drag: Drag,
        options: StepOptions,
    ) -> ([usize; 3], f64) {
        let (mut world, tip) = make();
        let start = world.position_world(&tip).unwrap();
        let grip = world.grab(tip, drag).unwrap();
        let mut simulator = Simulator::new();
        let (mut resorts, mut fastest) = ([0; 3], 0.0f64);
        for frame in 0..180 {
            let s = f64::from(frame % 60) / 60.0;
            let goal = match frame {
                0..60 => [start[0] - 0.5 * s, start[1] + 0.2 * s, 0.0],
                60..120 => [start[0] - 0.5 + 2.0 * s, start[1] + 0.2 + s, 0.0],
                _ => [start[0] + 1.5 - 1.8 * s, start[1] + 1.2 * (1.0 - s), 0.0],
            };
            world.drag(grip, goal).unwrap();
            let report = simulator.step(&mut world, &options).unwrap();
            assert!(
                report.position_error < 1e-8,
                "{drag:?}, frame {frame}: open"
            );
            resorts[frame as usize / 60] += report.last_resorts();
            let v = world.state().v.iter();
            fastest = v.fold(fastest, |most, v| most.max(v.abs()));
        }
        (resorts, fastest)
    }
    for make in [arm, planar_arm] {
        for drag in DRAGS {
            let (_, usual) = leads(make, drag, StepOptions::interactive(1.0 / 60.0));
            let (resorts, fastest) = leads(make, drag, StepOptions::symplectic4(1.0 / 60.0));
            let reaches = drag == FORCE;
            assert_eq!(resorts[0], 0, "{drag:?}");
            assert!(reaches || resorts[1] > 10, "{drag:?}: {resorts:?}");
            assert!(
                fastest < 3.0 * usual,
                "{drag:?}: {fastest} instead of {usual}"
            );
        }
    }
}
