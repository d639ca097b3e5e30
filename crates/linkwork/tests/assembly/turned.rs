//! Frames turned right round: no stop at the false root.

use linkwork::assembly::AssemblyOutcome;
use linkwork::connector::Connector;
use std::f64::consts::PI;

use super::*;

const PLATE: Cuboid = Cuboid {
    size: [1.0, 0.6, 0.4],
    mass: 1.0,
};
const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];

/// Turns by exactly half a turn about any axis, exactly or all but, put where they were or elsewhere.
fn check_turned(name: &str, join: impl Fn(&mut World, Connector, Connector)) {
    for axis in [
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.6, 0.0, 0.8],
    ] {
        for angle in [PI, -PI, PI - 1e-9, PI - 1e-3] {
            for place in [[0.0; 3], [1.0, -2.0, 0.5]] {
                for on_ground in [true, false] {
                    let mut world = World::new();
                    let body = world.add_body("body", PLATE).unwrap();
                    let at = [0.5, 0.0, 0.0];
                    if on_ground {
                        join(&mut world, GROUND.at(at), body.at(at));
                    } else {
                        let other = world.add_body("other", PLATE).unwrap();
                        join(&mut world, other.at(at), body.at(at));
                    }
                    let turn = axis.map(|a| a * angle);
                    world.set_pose(body, Pose::turned(place, turn)).unwrap();
                    let report = assemble(&mut world);
                    let what = format!("{name} by {angle} about {axis:?}: {report:?}");
                    assert_eq!(report.outcome, AssemblyOutcome::Assembled, "{what}");
                    assert!(report.iterations <= 20, "{what}");
                    check_closed(&world, &what);
                }
            }
        }
    }
}

#[test]
fn single_joints_turned_right_round_close() {
    let axis_world = X;
    check_turned("hinge", |world, a, b| {
        world.join("joint", Hinge { axis_world }, a, b).unwrap();
    });
    check_turned("weld", |world, a, b| {
        world.join("joint", Weld, a, b).unwrap();
    });
    check_turned("universal", |world, a, b| {
        let joint = Universal {
            axis_a_world: X,
            axis_b_world: Y,
        };
        world.join("joint", joint, a, b).unwrap();
    });
    check_turned("cylindrical", |world, a, b| {
        world
            .join("joint", Cylindrical { axis_world }, a, b)
            .unwrap();
    });
    check_turned("prismatic", |world, a, b| {
        world.join("joint", Prismatic { axis_world }, a, b).unwrap();
    });
}

#[test]
fn two_hinges_on_one_door_turned_right_round_close() {
    for axis in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
        let mut world = World::new();
        let door = world.add_body("door", PLATE).unwrap();
        let hinge = Hinge { axis_world: Y };
        for (label, y) in [("upper", 0.3), ("lower", -0.3)] {
            let at = [0.5, y, 0.0];
            world
                .join(label, hinge, GROUND.at(at), door.at(at))
                .unwrap();
        }
        world
            .set_pose(door, Pose::turned([0.0; 3], axis.map(|a| a * PI)))
            .unwrap();
        let report = assemble(&mut world);
        assert_eq!(
            report.outcome,
            AssemblyOutcome::Assembled,
            "{axis:?}: {report:?}"
        );
        check_closed(&world, "door");
    }
}

#[test]
fn parts_of_a_loop_turned_right_round_close() {
    for name in ["four-bar", "bricard", "bennett"] {
        for body in 0..scene(name).bodies().len() {
            for axis in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
                let mut world = scene(name);
                let mut state = world.state().clone();
                let record = &world.bodies()[body];
                if record.v_range().len() != 6 {
                    continue;
                }
                let mut dq = [0.0; 6];
                dq[3..].copy_from_slice(&axis.map(|a| a * PI));
                record.body().displace(&mut state.q[record.q_range()], &dq);
                let label = record.label().to_owned();
                world.set_state(state).unwrap();
                let report = assemble(&mut world);
                let what = format!("{name}, {label} about {axis:?}: {report:?}");
                assert_eq!(report.outcome, AssemblyOutcome::Assembled, "{what}");
                check_closed(&world, &what);
            }
        }
    }
}

/// An equilateral triangle whose bars all lie on one line: every error and every push is along it.
#[test]
fn a_flat_triangle_leaves_its_line() {
    let mut world = triangle([1.0, 1.0, 1.0]);
    let report = assemble(&mut world);
    assert_eq!(report.outcome, AssemblyOutcome::Assembled, "{report:?}");
    check_closed(&world, "triangle");
}
