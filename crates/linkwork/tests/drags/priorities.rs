//! Priorities in motion: priority 0 stays exact under every method while lower priorities give way, and
//! weights say by how much each.

use linkwork::connector::Connector;
use linkwork::prelude::*;
use linkwork::solve::Krylov;
use linkwork::step::GaveWay;
use linkwork::world::{PointInSlot, PointOnPlane};

use super::loops::DYNAMICS;
use super::reach::arm;

/// Every method, with and without warm start.
fn methods() -> Vec<Method> {
    let warm = Krylov::TIGHT.with_warm_start(true);
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

/// Drags, and how exact priority 0 is asked to be: as by default, and near round-off.
const CASES: [(Drag, f64); 4] = [
    (Drag::Follow, 1e-9),
    (Drag::Pin, 1e-9),
    (Drag::Follow, 1e-12),
    (Drag::Pin, 1e-12),
];

#[test]
fn priority_zero_is_exact_under_every_method_while_goals_are_out_of_reach() {
    for method in methods() {
        for dynamics in DYNAMICS {
            for (drag, tolerance) in CASES {
                let (mut world, tip) = arm();
                world.set_dynamics(dynamics);
                let start = world.position_world(&tip).unwrap();
                let grip = world.grab(tip, drag).unwrap();
                let mut simulator = Simulator::new();
                let budget = Budget::default().with_tolerance(tolerance);
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

fn bob(dynamics: Dynamics) -> (World, Connector) {
    let mut world = World::new();
    world.set_dynamics(dynamics);
    let sphere = Sphere {
        radius: 0.1,
        mass: 2.0,
    };
    let bob = world.add_body("bob", sphere).unwrap();
    (world, bob.at([0.0; 3]))
}

/// Two seconds by this method: where the bob is then, and the last report.
fn rest(world: &mut World, bob: &Connector, method: Method) -> ([f64; 3], StepReport) {
    let options = StepOptions::interactive(1.0 / 60.0).by(method);
    let mut simulator = Simulator::new();
    let mut report = StepReport::default();
    for _ in 0..120 {
        report = simulator.step(world, &options).unwrap();
    }
    let x = world.position_world(bob).unwrap();
    ([x[0], x[1], x[2]], report)
}

/// Where goals contradict each other, the higher priority has its way.
#[test]
fn four_priorities_are_met_in_order() {
    for method in methods() {
        for dynamics in DYNAMICS {
            let (mut world, bob) = bob(dynamics);
            let point = |x| GROUND.at([x, 0.0, 0.0]);
            let rail = PointInSlot {
                axis_world: [1.0, 0.0, 0.0],
            };
            world.join("rail", rail, point(0.0), bob).unwrap();
            for (priority, x) in [(1, 0.3), (2, -0.4), (3, 0.9)] {
                let goal = world.join(&format!("goal {priority}"), Ball, point(x), bob);
                world.set_priority(goal.unwrap(), priority).unwrap();
            }
            let (x, report) = rest(&mut world, &bob, method);
            let what = format!("{} {dynamics:?}", method.name());
            assert!((x[0] - 0.3).abs() < 1e-11, "{what}: {x:?}");
            assert_eq!(named(&world, &report), ["goal 2", "goal 3"], "{what}");
            assert!(report.effort.factors <= 3, "{what}: {report:?}");
        }
    }
}

/// A sphere that is only wished for, a line through it, and a point far away: lower priorities move on what
/// the priority above leaves, though it is curved, and do not open it.
#[test]
fn lower_priorities_move_along_curved_ones_above() {
    for method in methods() {
        for dynamics in DYNAMICS {
            let (mut world, bob) = bob(dynamics);
            let ends = [GROUND.at([0.4, 0.0, 0.0]), bob];
            let sphere = world.add_constraint("sphere", Distance { length: 0.5 }, &ends);
            let line = PointInSlot {
                axis_world: [0.0, 0.0, 1.0],
            };
            let line = world.join("line", line, GROUND.at([0.1, 0.3, 0.0]), bob);
            let far = world.join("far", Ball, GROUND.at([1.0; 3]), bob);
            for (goal, priority) in [(sphere, 1), (line, 2), (far, 3)] {
                world.set_priority(goal.unwrap(), priority).unwrap();
            }
            let (x, report) = rest(&mut world, &bob, method);
            let what = format!("{} {dynamics:?}", method.name());
            let expected = [0.1, 0.3, 0.07f64.sqrt()];
            for k in 0..3 {
                assert!((x[k] - expected[k]).abs() < 1e-9, "{what}: {x:?}");
            }
            assert_eq!(named(&world, &report), ["far"], "{what}");
            assert!(report.effort.factors <= 3, "{what}: {report:?}");
        }
    }
}

/// Three planes that meet in a point, a priority each.
#[test]
fn every_priority_is_met_where_none_is_in_the_way() {
    for method in methods() {
        for dynamics in DYNAMICS {
            let (mut world, bob) = bob(dynamics);
            for k in 0..3 {
                let mut normal_world = [0.0; 3];
                normal_world[k] = 1.0;
                let plane = PointOnPlane { normal_world };
                let at = GROUND.at([0.3, -0.2, 0.4]);
                let goal = world.join(&format!("plane {k}"), plane, at, bob);
                world.set_priority(goal.unwrap(), k as u8 + 1).unwrap();
            }
            let (x, report) = rest(&mut world, &bob, method);
            let what = format!("{} {dynamics:?}", method.name());
            assert!(report.gave_way.is_empty(), "{what}: {x:?} {report:?}");
            for (x, goal) in x.iter().zip([0.3, -0.2, 0.4]) {
                assert!((x - goal).abs() < 1e-9, "{what}: {x} {goal}");
            }
        }
    }
}

/// Whatever lower priorities are met by, responses or iterations: where a goal is within reach, all methods
/// take a mechanism there the same way.
#[test]
fn every_method_follows_and_pins_alike() {
    // The crank is one meter long and stands at 60°.
    let along_a_circle = |s: f64| {
        let angle = std::f64::consts::FRAC_PI_3;
        let (now, then) = ((angle + s).sin_cos(), angle.sin_cos());
        [now.1 - then.1, now.0 - then.0, 0.0]
    };
    let along_a_line = |s: f64| [-0.2 * s, 0.2 * s, 0.0];
    type Path = fn(f64) -> [f64; 3];
    let cases: [(&str, &str, [f64; 3], Path); 2] = [
        ("four-bar", "crank", [0.5, 0.0, 0.0], along_a_circle),
        ("ladder3:6,2", "rung 1", [0.1, 0.0, 0.0], along_a_line),
    ];
    for (name, body, at, path) in cases {
        for drag in [Drag::Follow, Drag::Pin] {
            for dynamics in DYNAMICS {
                let mut ways: Vec<Vec<f64>> = vec![];
                for method in Method::ALL {
                    let mut world = linkwork_scene::scene(name).unwrap();
                    world.set_dynamics(dynamics);
                    let held = world.find_body(body).unwrap().at(at);
                    let start = world.position_world(&held).unwrap();
                    let grip = world.grab(held, drag).unwrap();
                    let mut simulator = Simulator::new();
                    let options = StepOptions::interactive(1.0 / 60.0).by(method);
                    for frame in 1..=20 {
                        let way = path(f64::from(frame) / 60.0);
                        let goal = [0, 1, 2].map(|k| start[k] + way[k]);
                        world.drag(grip, goal).unwrap();
                        simulator.step(&mut world, &options).unwrap();
                    }
                    ways.push(world.state().q.clone());
                }
                for (method, q) in Method::ALL.iter().zip(&ways) {
                    let pairs = q.iter().zip(&ways[0]);
                    let apart = pairs.fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
                    let what = format!("{name} {drag:?} {dynamics:?} {}", method.name());
                    assert!(apart < 1e-8, "{what}: {apart:e}");
                }
            }
        }
    }
}
