//! A budget is kept, said, and can be replayed.

use linkwork::prelude::*;
use linkwork::solve::Krylov;
use linkwork::step::Ended;

use super::loops::DYNAMICS;

fn chain() -> World {
    linkwork_scene::scene("ladder3:12,1").unwrap()
}

#[test]
fn a_deadline_is_recorded_and_replays_exactly() {
    let options = StepOptions::interactive(1.0 / 60.0);
    let (mut live, mut replay) = (chain(), chain());
    let (mut a, mut b) = (Simulator::new(), Simulator::new());
    for frame in 0..60 {
        let mut asked = 0;
        let allowed = 3 + frame % 7;
        let report = a
            .step_until(&mut live, &options, &mut || {
                asked += 1;
                asked > allowed
            })
            .unwrap();
        let budget = options.budget.with_end_at(report.effort.iterations);
        let budget = match report.ended {
            Ended::Deadline => budget,
            _ => options.budget,
        };
        b.step(&mut replay, &options.within(budget)).unwrap();
        assert_eq!(live.state_hash(), replay.state_hash(), "frame {frame}");
    }
}

#[test]
fn the_report_says_what_ended_the_step() {
    let mut world = chain();
    let mut simulator = Simulator::new();
    let options = StepOptions::interactive(1.0 / 60.0);
    for _ in 0..30 {
        let report = simulator.step(&mut world, &options).unwrap();
        assert_eq!(report.ended, Ended::Tolerance);
        assert!(report.require(1e-8).is_ok());
    }
    let tight = options.within(
        Budget::default()
            .with_max_iterations(2)
            .with_tolerance(1e-9),
    );
    // A factor closes the joints whatever the budget, iterations do not.
    let report = simulator.step(&mut world, &tight).unwrap();
    assert_eq!(report.ended, Ended::Iterations);
    assert!(report.position_error <= 1e-7);
    let iterated = tight.by(Method::NormalCg(Krylov::default()));
    let report = simulator.step(&mut world, &iterated).unwrap();
    assert_eq!(report.ended, Ended::Iterations);
    assert!(report.position_error > 1e-9);
    let worst = world.constraint_record(report.worst.unwrap()).unwrap();
    assert!(!worst.label().is_empty());
    assert!(report.require(1e-9).is_err());
}

/// Scenes with loops, what is held of them, and how far it is led.
const HELD: [(&str, &str, [f64; 3], f64); 3] = [
    ("structure-56", "along 0.0", [-0.1, 0.0, 0.0], 0.5),
    ("ladder3:6,2", "rung 1", [0.1, 0.0, 0.0], 0.2),
    ("four-bar", "crank", [0.5, 0.0, 0.0], 0.3),
];

/// Iterations are never more than what a step may spend: however long a solve would like to go on, with
/// goals that are followed or pinned, in reach or not, moving and at rest.
#[test]
fn iterations_keep_their_budget() {
    for (name, body, at, by) in HELD {
        for drag in [Drag::Pin, Drag::Follow] {
            for dynamics in DYNAMICS {
                for (max_iterations, of_a_solve) in [(1, 1), (3, 1000), (10, 5), (10, 1000)] {
                    let krylov = Krylov::default().with_max_iterations(of_a_solve);
                    for method in [Method::NormalCg(krylov), Method::ForestKrylov(krylov)] {
                        let mut world = linkwork_scene::scene(name).unwrap();
                        world.set_dynamics(dynamics);
                        let held = world.find_body(body).unwrap().at(at);
                        let start = world.position_world(&held).unwrap();
                        let grip = world.grab(held, drag).unwrap();
                        let options = StepOptions::interactive(1.0 / 60.0).by(method);
                        let options =
                            options.within(Budget::default().with_max_iterations(max_iterations));
                        let size = world.state().q.iter().fold(0.0f64, |m, q| m.max(q.abs()));
                        let mut simulator = Simulator::new();
                        let what = format!(
                            "{name} {drag:?} {dynamics:?} {} {max_iterations} {of_a_solve}",
                            method.name()
                        );
                        let mut cut = 0;
                        for frame in 1..=24 {
                            let s = f64::from(frame.min(12)) / 60.0;
                            let goal = [start[0] - by * s, start[1] + by * s, start[2]];
                            world.drag(grip, goal).unwrap();
                            let report = simulator.step(&mut world, &options).unwrap();
                            let spent = report.effort.iterations;
                            assert!(spent <= max_iterations, "{what} {frame}: {spent}");
                            cut += u32::from(report.ended == Ended::Iterations);
                        }
                        assert!(cut > 0, "{what}: the budget was never too small");
                        let far = world.state().q.iter().fold(0.0f64, |m, q| m.max(q.abs()));
                        // Falling freely without momentum, bodies go 9.81 m/s.
                        assert!(far < size + 4.0, "{what}: {far}");
                    }
                }
            }
        }
    }
}

/// Hands that pull mechanisms far out of their reach within a few frames, in all directions: once they rest,
/// ten iterations a frame close the joints, and they stay closed.
#[test]
fn joints_recover_from_rough_hands() {
    for (name, body, at, by) in HELD {
        for (drag, of_a_solve) in [
            (Drag::Pin, 5),
            (Drag::Pin, 1000),
            (Drag::Follow, 5),
            (Drag::Follow, 1000),
        ] {
            let krylov = Krylov::default().with_max_iterations(of_a_solve);
            let methods = match name {
                // Its 264 rows take plain gradients some 300 products for each correction.
                "structure-56" => vec![Method::ForestKrylov(krylov)],
                _ => vec![Method::NormalCg(krylov), Method::ForestKrylov(krylov)],
            };
            for method in methods {
                for case in 0..12 {
                    let mut world = linkwork_scene::scene(name).unwrap();
                    world.set_dynamics(Dynamics::Assembly);
                    let held = world.find_body(body).unwrap().at(at);
                    let start = world.position_world(&held).unwrap();
                    let grip = world.grab(held, drag).unwrap();
                    let options = StepOptions::interactive(1.0 / 60.0).by(method);
                    let options = options.within(
                        Budget::default()
                            .with_max_iterations(10)
                            .with_tolerance(1e-6),
                    );
                    let mut simulator = Simulator::new();
                    let (sin, cos) = (0.7 * f64::from(case)).sin_cos();
                    let far = by * (0.5 + f64::from(case % 5));
                    let n = 3 + case;
                    for frame in 1..=n {
                        let s = far * f64::from(frame) / f64::from(n);
                        let goal = [start[0] + s * cos, start[1] + s * sin, start[2]];
                        world.drag(grip, goal).unwrap();
                        simulator.step(&mut world, &options).unwrap();
                    }
                    let what = format!("{name} {drag:?} {} {of_a_solve} {case}", method.name());
                    for frame in 0..120 {
                        let gap = simulator.step(&mut world, &options).unwrap().position_error;
                        assert!(frame < 100 || gap <= 1e-6, "{what}, {frame}: {gap:e}");
                    }
                }
            }
        }
    }
}

/// The same where solves are cut short themselves, and where a pin pulls a chain off the ground.
#[test]
fn deadlines_of_drags_replay_exactly() {
    let rough = Krylov::default().with_max_iterations(5);
    let fine = Krylov::default();
    for (name, body, method) in [
        ("structure-56", "along 0.0", Method::NormalCg(rough)),
        ("structure-56", "along 0.0", Method::ForestKrylov(rough)),
        ("four-bar", "crank", Method::NormalCg(rough)),
        // Cut by the deadline alone, within a solve.
        ("structure-56", "along 0.0", Method::NormalCg(fine)),
        ("four-bar", "crank", Method::NormalCg(fine)),
        ("ladder3:6,2", "rung 1", Method::ForestKrylov(fine)),
        ("sea-weeds", "weed 0 stem 11", Method::Direct),
    ] {
        let drags = [Drag::Pin, Drag::Follow];
        for (dynamics, drag) in DYNAMICS
            .into_iter()
            .flat_map(|d| drags.map(|drag| (d, drag)))
        {
            let mut live = linkwork_scene::scene(name).unwrap();
            live.set_dynamics(dynamics);
            let held = live.find_body(body).unwrap().at([0.05, 0.0, 0.0]);
            let start = live.position_world(&held).unwrap();
            let grip = live.grab(held, drag).unwrap();
            let mut replay = live.clone();
            let options = StepOptions::interactive(1.0 / 60.0).by(method);
            let (mut a, mut b) = (Simulator::new(), Simulator::new());
            for frame in 0..40 {
                let goal = [start[0], start[1] + 0.01 * f64::from(frame), start[2]];
                live.drag(grip, goal).unwrap();
                replay.drag(grip, goal).unwrap();
                let mut asked = 0;
                let report = a
                    .step_until(&mut live, &options, &mut || {
                        asked += 1;
                        asked > frame
                    })
                    .unwrap();
                let budget = options.budget.with_end_at(match report.ended {
                    Ended::Deadline => report.effort.iterations.max(1),
                    _ => usize::MAX,
                });
                b.step(&mut replay, &options.within(budget)).unwrap();
                let what = format!("{name} {} {dynamics:?} {drag:?} {frame}", method.name());
                assert_eq!(live.state_hash(), replay.state_hash(), "{what}");
            }
        }
    }
}

/// Lying flat, a sheet of bars contradicts a hand that lifts it, and a solve takes hundreds of corrections
/// to find out. A deadline ends those too, in few more, and wherever it falls the step replays exactly.
#[test]
fn deadlines_within_a_solve_replay_exactly() {
    for drag in [Drag::Follow, Drag::Pin] {
        for dynamics in [Dynamics::SecondOrder, Dynamics::FirstOrder] {
            let mut flat = linkwork_scene::scene("sheet:5").unwrap();
            flat.set_dynamics(dynamics);
            let body = flat.bodies()[flat.bodies().len() / 2].id();
            let start = flat.position_world(&body.at([0.0; 3])).unwrap();
            let grip = flat.grab(body.at([0.0; 3]), drag).unwrap();
            let goal = [start[0] + 0.002, start[1] + 0.01, start[2] + 0.01];
            flat.drag(grip, goal).unwrap();
            let options = StepOptions::interactive(1.0 / 60.0);
            let mut whole = flat.clone();
            let report = Simulator::new().step(&mut whole, &options).unwrap();
            let n_whole = report.effort.iterations;
            for allowed in (0..40).chain((40..200).step_by(20)) {
                let (mut live, mut replay) = (flat.clone(), flat.clone());
                let mut asked = 0;
                let report = Simulator::new()
                    .step_until(&mut live, &options, &mut || {
                        asked += 1;
                        asked > allowed
                    })
                    .unwrap();
                let what = format!("{drag:?} {dynamics:?} {allowed}");
                if report.ended != Ended::Deadline {
                    assert_eq!(report.effort.iterations, n_whole, "{what}");
                    continue;
                }
                let budget = options.budget.with_end_at(report.effort.iterations);
                let again = Simulator::new().step(&mut replay, &options.within(budget));
                assert_eq!(again.unwrap().ended, Ended::Iterations, "{what}");
                assert_eq!(live.state_hash(), replay.state_hash(), "{what}");
            }
        }
    }
}

/// A weed that is pulled beyond its reach, a centimeter in every frame, within few iterations.
#[test]
fn beyond_reach_within_a_budget_nothing_flies_away() {
    for drag in [Drag::Follow, Drag::Pin] {
        for max_iterations in [1, 8, 32, 64] {
            let mut world = linkwork_scene::scene("sea-weeds").unwrap();
            let tip = world.find_body("weed 0 stem 11").unwrap();
            let tip = tip.at([0.05, 0.0, 0.0]);
            let start = world.position_world(&tip).unwrap();
            let grip = world.grab(tip, drag).unwrap();
            let options = StepOptions::interactive(1.0 / 60.0).within(
                Budget::default()
                    .with_max_iterations(max_iterations)
                    .with_tolerance(1e-9),
            );
            let mut simulator = Simulator::new();
            for frame in 0..60 {
                let goal = [start[0], start[1] + 0.01 * f64::from(frame), start[2]];
                world.drag(grip, goal).unwrap();
                simulator.step(&mut world, &options).unwrap();
                // Centers of mass: the weeds are 1.2 m tall, and thin stems may whirl.
                for record in world.bodies() {
                    let (q, v) = (record.q_range().start, record.v_range().start);
                    let state = world.state();
                    let far = state.q[q..q + 3].iter().fold(0.0f64, |m, x| m.max(x.abs()));
                    let what = format!("{drag:?} {max_iterations} {frame}: {}", record.label());
                    assert!(far < 20.0, "{what} at {far:e}");
                    if record.v_range().is_empty() {
                        continue;
                    }
                    let fast = state.v[v..v + 3].iter().fold(0.0f64, |m, v| m.max(v.abs()));
                    assert!(fast < 50.0, "{what} with {fast:e}");
                }
            }
        }
    }
}
