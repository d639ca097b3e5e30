//! Edits between two steps keep positions and momenta; joints close over time, and break.

use linkwork::body::IntoBody;
use linkwork::prelude::*;
use linkwork::step::Event;
use linkwork::world::BreakLimit;

fn bar() -> Rod {
    Rod {
        length: 1.0,
        radius: 0.02,
        mass: 1.0,
    }
}

#[test]
fn a_join_over_time_closes_smoothly_and_at_once_keeps_momenta() {
    let mut world = World::new();
    let a = world.add_body("a", bar()).unwrap();
    let pose = Pose::turned([1.3, 0.2, 0.1], [0.2, 0.1, 0.4]);
    let b = world.add_body_at("b", bar(), pose).unwrap();
    let ends = (a.at([0.5, 0.0, 0.0]), b.at([-0.5, 0.0, 0.0]));
    let mut smooth = world.clone();
    let joint = smooth
        .join_over("joint", Ball, (ends.0, ends.1), 0.5)
        .unwrap();
    let mut simulator = Simulator::new();
    let options =
        StepOptions::interactive(1.0 / 60.0).within(Budget::default().with_tolerance(1e-14));
    let gap = |world: &World| {
        let (x, y) = (
            world.position_world(&ends.0).unwrap(),
            world.position_world(&ends.1).unwrap(),
        );
        (0..3).map(|k| (x[k] - y[k]).powi(2)).sum::<f64>().sqrt()
    };
    let mut last = gap(&smooth);
    let mut events = vec![];
    for _ in 0..40 {
        let report = simulator.step(&mut smooth, &options).unwrap();
        assert!(report.position_error < 1e-9);
        events.extend(report.events);
        assert!(gap(&smooth) <= last + 1e-9);
        assert!(last - gap(&smooth) < 0.05, "no jump");
        last = gap(&smooth);
    }
    assert!(last < 1e-9);
    assert_eq!(events, [Event::Closed { constraint: joint }]);
    // Whatever closed it came from inside. (Two points apart that pull each other sideways turn the
    // whole, so angular momentum is not kept before they meet.)
    let momentum = smooth.momentum();
    assert!(momentum.linear.iter().all(|p| p.abs() < 1e-12));

    let v = [0.3, 0.0, -0.2, 0.1, 0.5, 0.0];
    world.set_v(a, &v).unwrap();
    let before = world.momentum();
    world.join("joint", Ball, ends.0, ends.1).unwrap();
    let report = Simulator::new().step(&mut world, &options).unwrap();
    assert!(report.position_error < 1e-9, "{report:?}");
    let after = world.momentum();
    for k in 0..3 {
        assert!((before.linear[k] - after.linear[k]).abs() < 1e-12);
    }
}

#[test]
fn detaching_and_changing_mass_keep_positions_and_velocities() {
    let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
    let a = world.add_body("a", bar()).unwrap();
    let pose = Pose::at([1.0, 0.0, 0.0]);
    let b = world.add_body_at("b", bar(), pose).unwrap();
    world
        .join(
            "hook",
            Ball,
            GROUND.at([-0.5, 0.0, 0.0]),
            a.at([-0.5, 0.0, 0.0]),
        )
        .unwrap();
    let elbow = world
        .join("elbow", Ball, a.at([0.5, 0.0, 0.0]), b.at([-0.5, 0.0, 0.0]))
        .unwrap();
    let mut simulator = Simulator::new();
    let options = StepOptions::interactive(1.0 / 60.0);
    for _ in 0..30 {
        simulator.step(&mut world, &options).unwrap();
    }
    let (q, v) = (world.state().q.clone(), world.state().v.clone());
    let heavy = Rod { mass: 7.0, ..bar() };
    world.replace_body(b, heavy.into_body().unwrap()).unwrap();
    world.remove_constraint(elbow).unwrap();
    assert_eq!((&q, &v), (&world.state().q, &world.state().v));
    // Alone, b flies on: a parabola with the velocity it had.
    let start = world.pose(b).unwrap().unwrap().position;
    for _ in 0..30 {
        simulator.step(&mut world, &options).unwrap();
    }
    let end = world.pose(b).unwrap().unwrap().position;
    let t = 0.5;
    assert!((end[0] - start[0] - t * v[6]).abs() < 1e-9);
    assert!((end[1] - start[1] - t * v[7] + 0.5 * 9.81 * t * t).abs() < 1e-9);
}

#[test]
fn a_joint_breaks_when_it_carries_too_much() {
    let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
    let ball = Sphere {
        radius: 0.1,
        mass: 2.0,
    };
    let ball = world.add_body("ball", ball).unwrap();
    let hook = world
        .join("hook", Ball, GROUND.at([0.0; 3]), ball.at([0.0; 3]))
        .unwrap();
    let limit = |force| {
        Some(BreakLimit {
            force,
            torque: f64::INFINITY,
        })
    };
    let mut simulator = Simulator::new();
    let options = StepOptions::interactive(1.0 / 60.0);
    world.set_break_limit(hook, limit(20.0)).unwrap();
    for _ in 0..10 {
        assert!(
            simulator
                .step(&mut world, &options)
                .unwrap()
                .events
                .is_empty()
        );
    }
    world.set_break_limit(hook, limit(19.0)).unwrap();
    let report = simulator.step(&mut world, &options).unwrap();
    match &report.events[..] {
        [
            Event::Broke {
                constraint, force, ..
            },
        ] => {
            assert_eq!(*constraint, hook);
            assert!((force - 2.0 * 9.81).abs() < 1e-9);
        }
        other => panic!("{other:?}"),
    }
    let y = world.state().q[1];
    for _ in 0..6 {
        simulator.step(&mut world, &options).unwrap();
    }
    assert!(world.state().q[1] < y - 0.03, "it falls");
    assert!(world.set_break_limit(hook, limit(f64::NAN)).is_err());
}

#[test]
fn a_spring_as_stiff_as_you_like_is_stable() {
    for stiffness in [1e1, 1e4, 1e8, 1e12] {
        for rest_length in [0.0, 0.5] {
            let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
            let pose = Pose::at([0.1, -rest_length, 0.0]);
            let ball = Sphere {
                radius: 0.1,
                mass: 1.0,
            };
            let ball = world.add_body_at("ball", ball, pose).unwrap();
            let spring = Spring {
                stiffness,
                rest_length,
                damping: 0.0,
            };
            world
                .add_spring("spring", spring, GROUND.at([0.0; 3]), ball.at([0.0; 3]))
                .unwrap();
            let mut simulator = Simulator::new();
            let stretch = |world: &World| {
                let x = world.position_world(&ball.at([0.0; 3])).unwrap();
                x.iter().map(|x| x * x).sum::<f64>().sqrt() - rest_length
            };
            let energy = |world: &World| world.energy().unwrap().total();
            let start = energy(&world);
            for _ in 0..600 {
                simulator
                    .step(&mut world, &StepOptions::interactive(1.0 / 60.0))
                    .unwrap();
                let now = energy(&world);
                assert!(
                    now < start + 0.01 * (start.abs() + 10.0),
                    "{stiffness}: {start} → {now}"
                );
            }
            assert!(
                stretch(&world) < 9.81 * 2.5 / stiffness + 0.11,
                "{stiffness}"
            );
        }
    }
}

/// An explicit spring that is too stiff is refused by name, and the world goes on without it.
#[test]
fn a_force_that_is_too_stiff_is_named() {
    let mut world = World::new();
    let a = world.add_body("a", bar()).unwrap();
    let pose = Pose::at([1.5, 0.0, 0.0]);
    let b = world.add_body_at("b", bar(), pose).unwrap();
    let spring = Spring {
        stiffness: 1e12,
        rest_length: 0.4,
        damping: 0.0,
    };
    let ends = [a.at([0.5, 0.0, 0.0]), b.at([-0.5, 0.0, 0.0])];
    let spring = world.add_behavior("rubber", spring, &ends).unwrap();
    let mut simulator = Simulator::new();
    let options = StepOptions::interactive(1.0 / 60.0);
    let error = loop {
        match simulator.step(&mut world, &options) {
            Ok(_) => assert!(world.state().t < 60.0),
            Err(error) => break error.to_string(),
        }
    };
    assert!(
        error.contains("\"rubber\"") && error.contains("add_spring"),
        "{error}"
    );
    assert!(world.state().q.iter().all(|q| q.is_finite()));
    world.remove_behavior(spring).unwrap();
    world.set_v(a, &[0.0; 6]).unwrap();
    world.set_v(b, &[0.0; 6]).unwrap();
    simulator.step(&mut world, &options).unwrap();
}
