//! Priorities in motion: level 0 stays exact under every method while lower levels give way, and
//! weights say by how much each.

use linkwork::prelude::*;

use super::loops::DYNAMICS;
use super::reach::arm;

/// Every method, with and without warm start.
fn methods() -> Vec<Method> {
    let warm = Krylov {
        warm_start: true,
        ..Krylov::TIGHT
    };
    let mut methods = Method::ALL.to_vec();
    methods.extend([Method::ForestKrylov(warm), Method::NormalCg(warm)]);
    methods
}

fn named(world: &World, report: &StepReport) -> Vec<String> {
    let label = |gave: &GaveWay| world.constraint_record(gave.constraint).unwrap().label();
    report
        .gave_way
        .iter()
        .map(|gave| label(gave).to_owned())
        .collect()
}

/// Drags, and how exact level 0 is asked to be: as by default, and near round-off.
const CASES: [(Drag, f64); 4] = [
    (Drag::Follow, 1e-9),
    (Drag::Pin, 1e-9),
    (Drag::Follow, 1e-12),
    (Drag::Pin, 1e-12),
];

#[test]
fn level_zero_is_exact_under_every_method_while_goals_are_out_of_reach() {
    for method in methods() {
        for dynamics in DYNAMICS {
            for (drag, tolerance) in CASES {
                let (mut world, tip) = arm();
                world.set_dynamics(dynamics);
                let start = world.position_world(&tip).unwrap();
                let grip = world.grab(tip, drag).unwrap();
                let mut simulator = Simulator::new();
                let budget = Budget {
                    tolerance,
                    ..Budget::default()
                };
                let options = StepOptions::interactive(1.0 / 60.0)
                    .by(method)
                    .within(budget);
                let what = format!("{} {dynamics:?} {drag:?} {tolerance}", method.name());
                let mut gave = vec![];
                for frame in 1..=60 {
                    let goal = [start[0] + 0.03 * f64::from(frame), start[1], 0.0];
                    world.drag(grip, goal).unwrap();
                    let report = simulator.step(&mut world, &options).unwrap();
                    let closed = report.require(tolerance);
                    assert!(closed.is_ok(), "{what} {frame}: {closed:?}");
                    gave = named(&world, &report);
                }
                let expected = if drag == Drag::Pin {
                    "joint 0"
                } else {
                    "hand 1"
                };
                assert_eq!(gave, [expected], "{what}");
            }
        }
    }
}

/// A particle between two goals: it rests where weighted least squares say, (w₁²·a + w₂²·b)/(w₁² + w₂²).
#[test]
fn weights_shift_the_compromise_as_least_squares_say() {
    for method in methods() {
        for dynamics in [Dynamics::FirstOrder, Dynamics::Assembly] {
            for weight in [1.0, 2.0, 10.0] {
                let mut world = World::new();
                world.set_dynamics(dynamics);
                // On a rail, which is exact.
                let bob = world
                    .add_body(
                        "bob",
                        Sphere {
                            radius: 0.1,
                            mass: 2.0,
                        },
                    )
                    .unwrap();
                let rail = PointInSlot {
                    axis_world: [1.0, 0.0, 0.0],
                };
                world
                    .join("rail", rail, GROUND.at([0.0; 3]), bob.at([0.0; 3]))
                    .unwrap();
                let a = world.grab(bob.at([0.0; 3]), Drag::Follow).unwrap();
                let b = world.grab(bob.at([0.0; 3]), Drag::Follow).unwrap();
                let own = world.grip_record(b).unwrap().constraint();
                world.set_weight(own, weight).unwrap();
                let mut simulator = Simulator::new();
                let options = StepOptions::interactive(1.0 / 60.0).by(method);
                for frame in 1..=120 {
                    let s = f64::from(frame.min(60)) / 60.0;
                    world.drag(a, [-0.5 * s, 0.1, 0.0]).unwrap();
                    world.drag(b, [1.0 * s, -0.2, 0.0]).unwrap();
                    let report = simulator.step(&mut world, &options).unwrap();
                    assert!(report.position_error < 1e-9, "{report:?}");
                }
                let x = world.position_world(&bob.at([0.0; 3])).unwrap();
                let square = weight * weight;
                let expected = (-0.5 + square) / (1.0 + square);
                let what = format!("{} {dynamics:?} {weight}", method.name());
                assert!(
                    (x[0] - expected).abs() < 1e-5,
                    "{what}: {} {expected}",
                    x[0]
                );
                assert!(x[1].abs() < 1e-9, "{what}: off the rail by {}", x[1]);
            }
        }
    }
}

/// Where goals contradict each other, the higher level has its way.
#[test]
fn three_levels_are_met_in_order() {
    for method in methods() {
        for dynamics in [Dynamics::FirstOrder, Dynamics::Assembly] {
            let mut world = World::new();
            world.set_dynamics(dynamics);
            let bob = world
                .add_body(
                    "bob",
                    Sphere {
                        radius: 0.1,
                        mass: 2.0,
                    },
                )
                .unwrap();
            let point = |x| GROUND.at([x, 0.0, 0.0]);
            let rail = PointInSlot {
                axis_world: [1.0, 0.0, 0.0],
            };
            world
                .join("rail", rail, point(0.0), bob.at([0.0; 3]))
                .unwrap();
            let first = world
                .join("first", Ball, point(0.3), bob.at([0.0; 3]))
                .unwrap();
            let second = world
                .join("second", Ball, point(-0.4), bob.at([0.0; 3]))
                .unwrap();
            world.set_priority(first, 1).unwrap();
            world.set_priority(second, 2).unwrap();
            let options = StepOptions::interactive(1.0 / 60.0).by(method);
            let mut simulator = Simulator::new();
            let mut report = StepReport::default();
            for _ in 0..60 {
                report = simulator.step(&mut world, &options).unwrap();
            }
            let x = world.position_world(&bob.at([0.0; 3])).unwrap()[0];
            let what = format!("{} {dynamics:?}", method.name());
            // Damped levels hold against those below them to a ten-thousandth.
            assert!((x - 0.3).abs() < 1e-4, "{what}: {x}");
            let gave_way = named(&world, &report);
            assert!(
                gave_way.contains(&"second".to_owned()),
                "{what}: {gave_way:?}"
            );
        }
    }
}
