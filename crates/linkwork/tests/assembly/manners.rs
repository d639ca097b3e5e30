//! What an assembly touches, tells and refuses.

use linkwork::assembly::AssemblyOutcome;
use linkwork::body::SineMotion;
use linkwork::world::PointOnPlane;
use std::ops::ControlFlow;

use super::*;

const ROD: Rod = Rod {
    length: 1.0,
    radius: 0.02,
    mass: 1.0,
};

/// A chain whose first bar hangs on a body with prescribed motion.
fn driven() -> World {
    let mut world = World::new();
    let motion = SineMotion {
        middle: Pose::at([0.3, 0.1, 0.2]),
        amplitude_world: [0.2, 0.0, 0.0],
        swing_world: [0.0, 0.4, 0.0],
        frequency: 0.5,
        phase: 0.3,
    };
    let drive = world.add_body("drive", Kinematic::new(motion)).unwrap();
    let bar = world
        .add_body_at("bar", ROD, Pose::turned([4.0, 2.0, 1.0], [1.0, 2.0, 0.0]))
        .unwrap();
    let (start, end) = ([-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]);
    world
        .join("drive-bar", Ball, drive.at([0.0; 3]), bar.at(start))
        .unwrap();
    world
        .join(
            "bar-ground",
            PointOnPlane {
                normal_world: [0.0, 0.0, 1.0],
            },
            GROUND.at([0.0; 3]),
            bar.at(end),
        )
        .unwrap();
    world.set_time(0.7).unwrap();
    world
}

#[test]
fn ground_and_prescribed_bodies_stay() {
    let mut world = driven();
    let drive = world.bodies()[0].id();
    let before = world.pose(drive).unwrap();
    let report = assemble(&mut world);
    assert_eq!(report.outcome, AssemblyOutcome::Assembled, "{report:?}");
    assert_eq!(world.pose(drive).unwrap(), before);
    assert_eq!(world.state().t, 0.7);
    check_closed(&world, "driven");
}

#[test]
fn bodies_that_nothing_holds_stay() {
    let mut world = driven();
    let free = world
        .add_body_at("free", ROD, Pose::at([9.0, 9.0, 9.0]))
        .unwrap();
    let v = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    world.set_v(free, &v).unwrap();
    let before = world.pose(free).unwrap();
    assemble(&mut world);
    assert_eq!(world.pose(free).unwrap(), before);
    let record = world.body_record(free).unwrap();
    assert_eq!(world.state().v[record.v_range()], v);
}

#[test]
fn progress_is_told_once_for_each_iteration() {
    for name in ["chain:8", "bricard", "four-bar"] {
        let mut world = scene(name);
        strew(&mut world, &mut Random::new(1), 2.0, 2.0);
        let mut told = vec![];
        let options = AssembleOptions::default();
        let report = Simulator::new()
            .assemble_with(&mut world, &options, &mut |progress| {
                assert!(progress.position_error.is_finite() && progress.angle_error.is_finite());
                assert!(progress.state.q.iter().all(|q| q.is_finite()));
                told.push(progress.iteration);
                ControlFlow::Continue(())
            })
            .unwrap();
        assert_eq!(report.outcome, AssemblyOutcome::Assembled, "{name}");
        let expected: Vec<_> = (0..=report.iterations).collect();
        assert_eq!(told, expected, "{name}");
    }
}

#[test]
fn an_interruption_keeps_the_best_state() {
    let mut first = scene("bricard");
    strew(&mut first, &mut Random::new(1), 2.0, 2.0);
    let errors = |world: &World| -> f64 {
        let errors = world.constraint_errors().unwrap();
        errors
            .iter()
            .map(|e| e.position * e.position + e.angle * e.angle)
            .sum()
    };
    for at in [0, 1, 3] {
        let mut world = first.clone();
        let options = AssembleOptions::default();
        let report = Simulator::new()
            .assemble_with(&mut world, &options, &mut |progress| {
                if progress.iteration == at {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })
            .unwrap();
        assert_eq!(report.outcome, AssemblyOutcome::Interrupted);
        assert_eq!(report.iterations, at);
        if at == 0 {
            assert_eq!(world.state(), first.state());
        } else {
            assert!(errors(&world) < errors(&first), "{at}");
            assert!(report.rate_error <= 1e-9);
        }
        assert!(!report.residuals.is_empty());
        // What was interrupted goes on.
        let report = assemble(&mut world);
        assert_eq!(report.outcome, AssemblyOutcome::Assembled);
    }
}

#[test]
fn too_few_iterations_fail_and_say_what_is_open() {
    let mut world = scene("bricard");
    strew(&mut world, &mut Random::new(1), 2.0, 2.0);
    let options = AssembleOptions::default().with_max_iterations(2);
    let report = Simulator::new().assemble(&mut world, &options).unwrap();
    assert_eq!(report.outcome, AssemblyOutcome::Failed);
    assert_eq!(report.iterations, 2);
    let sizes: Vec<_> = report
        .residuals
        .iter()
        .map(|r| r.position.max(r.angle))
        .collect();
    assert!(!sizes.is_empty());
}

#[test]
fn bad_options_are_refused() {
    let mut world = scene("four-bar");
    strew(&mut world, &mut Random::new(1), 1.0, 1.0);
    let before = world.state().clone();
    let good = AssembleOptions::default();
    let refused = |world: &mut World, options: AssembleOptions| {
        Simulator::new().assemble(world, &options).unwrap_err()
    };
    for tolerance in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = refused(&mut world, good.with_tolerance(tolerance));
        assert!(
            matches!(
                error,
                Error::Option {
                    option: "tolerance",
                    ..
                }
            ),
            "{error}"
        );
    }
    let error = refused(&mut world, good.with_max_iterations(0));
    assert!(
        matches!(
            error,
            Error::Option {
                option: "max_iterations",
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(world.state(), &before);
}

#[test]
fn what_is_not_finite_is_named() {
    let mut world = World::new();
    let far = world
        .add_body_at("far", ROD, Pose::at([1e308, 0.0, 0.0]))
        .unwrap();
    let other = world
        .add_body_at("other", ROD, Pose::at([-1e308, 0.0, 0.0]))
        .unwrap();
    world
        .join("between", Ball, far.at([0.0; 3]), other.at([0.0; 3]))
        .unwrap();
    let before = world.state().clone();
    let error = Simulator::new()
        .assemble(&mut world, &AssembleOptions::default())
        .unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("\"far\"") && text.contains("\"between\""),
        "{text}"
    );
    assert_eq!(world.state(), &before);
}

#[test]
fn a_used_simulator_gives_the_same_bits_as_a_new_one() {
    let mut used = Simulator::new();
    for name in ["chain:6", "bricard"] {
        let mut world = scene(name);
        strew(&mut world, &mut Random::new(2), 1.0, 1.0);
        let mut copy = world.clone();
        let options = AssembleOptions::default();
        let mut again = world.clone();
        used.assemble(&mut again, &options).unwrap();
        let first = used.assemble(&mut world, &options).unwrap();
        let second = Simulator::new().assemble(&mut copy, &options).unwrap();
        assert_eq!(first, second);
        assert_eq!(world.state(), copy.state());
    }
}

/// Faure 1998, fig. 2: the ends of a bar must come to the centers of two discs.
#[test]
fn a_bar_between_two_discs_takes_a_handful_of_iterations() {
    let mut world = World::new();
    let disc = Disc {
        radius: 0.3,
        thickness: 0.05,
        mass: 1.0,
    };
    let left = world
        .add_body_at("left", disc, Pose::at([-1.2, 0.4, 0.0]))
        .unwrap();
    let right = world
        .add_body_at("right", disc, Pose::at([0.9, -0.6, 0.3]))
        .unwrap();
    let bar = world
        .add_body_at("bar", ROD, Pose::turned([0.1, 0.8, -0.2], [0.0, 0.0, 1.2]))
        .unwrap();
    world
        .join(
            "left end",
            Ball,
            left.at([0.0; 3]),
            bar.at([-0.5, 0.0, 0.0]),
        )
        .unwrap();
    world
        .join(
            "right end",
            Ball,
            right.at([0.0; 3]),
            bar.at([0.5, 0.0, 0.0]),
        )
        .unwrap();
    let report = assemble(&mut world);
    assert_eq!(report.outcome, AssemblyOutcome::Assembled);
    assert!(report.iterations <= 8, "{report:?}");
    check_closed(&world, "discs");
}

#[test]
fn an_assembled_world_steps_on() {
    let mut world = scene("four-bar");
    strew(&mut world, &mut Random::new(5), 2.0, 2.0);
    let mut simulator = Simulator::new();
    simulator
        .assemble(&mut world, &AssembleOptions::default())
        .unwrap();
    for _ in 0..30 {
        let report = simulator
            .step(&mut world, &StepOptions::interactive(1.0 / 60.0))
            .unwrap();
        assert!(report.position_error < 1e-7, "{report:?}");
    }
}
