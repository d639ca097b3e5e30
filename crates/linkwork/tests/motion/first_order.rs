//! Worlds without momentum: `D·v = f`, and switching between orders.

use linkwork::behavior::PointForce;
use linkwork::body::PlanarBody;
use linkwork::constraint::KnifeEdge;
use linkwork::prelude::*;

use crate::support::{Run, after, below, body, close, difference, point, scene};

/// The drag of a body is its mass unless it knows better: v = f/m, for as long as it is pushed.
#[test]
fn velocity_follows_force() {
    let mut world = World::new();
    world.set_dynamics(Dynamics::FirstOrder);
    let ball = world.add_body("ball", Particle { mass: 2.0 }).unwrap();
    let push = PointForce {
        force_world: [3.0, -1.0, 0.5],
    };
    let push = world
        .add_behavior("push", push, &[ball.at([0.0; 3])])
        .unwrap();
    let end = after(&world, StepOptions::interactive(1.0), 2.0, 37);
    close("moved", end.q(ball).unwrap(), &[3.0, -1.0, 0.5], 1e-12);
    close("rate", end.v(ball).unwrap(), &[1.5, -0.5, 0.25], 1e-12);
    // The force withdrawn, it stands: not a bit moves any more.
    let mut run = Run::new(end, StepOptions::interactive(0.02));
    run.world.set_behavior_enabled(push, false).unwrap();
    let before = run.world.state().q.clone();
    run.step();
    assert_eq!(run.world.state().q, before);
    assert!(run.world.state().v.iter().all(|&v| v == 0.0));
}

/// Everything stops in the step in which the forces are withdrawn, however it is held together.
#[test]
fn everything_stops() {
    for name in [
        "chain:5",
        "ladder3:3,2",
        "four-bar",
        "tree:7",
        "double-pendulum",
    ] {
        for dt in [1e-3, 1.0 / 60.0] {
            let mut world = scene(name);
            world.set_dynamics(Dynamics::FirstOrder);
            let mut run = Run::new(world, StepOptions::interactive(dt));
            for _ in 0..20 {
                let report = run.step();
                below(name, report.position_error, 1e-9);
                below(name, report.angle_error, 1e-8);
            }
            let speed = run
                .world
                .state()
                .v
                .iter()
                .fold(0.0f64, |m, v| m.max(v.abs()));
            assert!(speed > 0.1, "{name} does not move: {speed}");
            let gravity = run.world.find_behavior("gravity").unwrap();
            run.world.set_behavior_enabled(gravity, false).unwrap();
            let before = run.world.state().q.clone();
            run.step();
            let moved = difference(&run.world.state().q, &before);
            // What was open by less than the tolerance is closed.
            below(&format!("{name}, moved"), moved, 1e-8);
            let speed = run
                .world
                .state()
                .v
                .iter()
                .fold(0.0f64, |m, v| m.max(v.abs()));
            below(&format!("{name}, speed"), speed * dt, 1e-8);
            let before = run.world.state().q.clone();
            run.step();
            below(name, difference(&run.world.state().q, &before), 1e-8);
        }
    }
}

/// A chain sinks until it hangs, and never rises.
#[test]
fn chains_sink_and_rest() {
    for (name, dt) in [("chain:5", 1e-3), ("ladder3:3,1", 1e-3), ("chain:3", 2e-3)] {
        let mut world = scene(name);
        world.set_dynamics(Dynamics::FirstOrder);
        let mut run = Run::new(world, StepOptions::interactive(dt));
        let mut last = f64::INFINITY;
        for _ in 0..(12.0 / dt) as usize {
            run.step();
            let height = run.world.energy().unwrap().potential;
            assert!(
                height <= last + 1e-9 * last.abs(),
                "{name}: {height} {last}"
            );
            last = height;
        }
        below(name, run.gap, 1e-9);
        let speed = run
            .world
            .state()
            .v
            .iter()
            .fold(0.0f64, |m, v| m.max(v.abs()));
        below(&format!("{name} rests"), speed, 1e-3);
    }
}

/// Conditions on rates hold too: a blade that is pushed askew glides along itself.
#[test]
fn blades_do_not_skid() {
    let mut world = World::new();
    world.set_dynamics(Dynamics::FirstOrder);
    let sleigh = PlanarBody {
        mass: 2.0,
        inertia: 0.3,
        com_body: [0.0, 0.0],
        outline: None,
    };
    let sleigh = world.add_body("sleigh", sleigh).unwrap();
    let blade = [sleigh.frame2([-0.3, 0.0], 0.0)];
    world.add_constraint("blade", KnifeEdge, &blade).unwrap();
    let push = PointForce {
        force_world: [1.0, 1.0, 0.0],
    };
    world
        .add_behavior("push", push, &[sleigh.at([0.1, 0.0])])
        .unwrap();
    let mut simulator = Simulator::new();
    for _ in 0..100 {
        // Where the step began the rates were right; the blade has turned since, by ω·h.
        let before = world.clone();
        simulator
            .step(&mut world, &StepOptions::interactive(1e-2))
            .unwrap();
        let mut there = before.clone();
        there.set_v(sleigh, world.v(sleigh).unwrap()).unwrap();
        let skid = there.constraint_errors().unwrap()[0].position_rate;
        below("skid", skid, 1e-12);
    }
    assert!(point(&world, "sleigh", [0.0, 0.0])[0] > 0.1);
}

/// Second order, first order, assembly and back, in the middle of a run: nothing jumps.
#[test]
fn orders_are_switched_in_the_middle() {
    for name in ["chain:5", "ladder3:3,2", "four-bar", "double-pendulum"] {
        let dt = 1e-3;
        for options in [StepOptions::interactive(dt), StepOptions::precise(dt)] {
            let mut run = Run::new(scene(name), options);
            for dynamics in [
                Dynamics::SecondOrder,
                Dynamics::FirstOrder,
                Dynamics::SecondOrder,
                Dynamics::Assembly,
                Dynamics::FirstOrder,
                Dynamics::Assembly,
                Dynamics::SecondOrder,
            ] {
                let before = run.world.state().q.clone();
                run.world.set_dynamics(dynamics);
                assert_eq!(run.world.state().q, before);
                for step in 0..50 {
                    let before = run.world.state().clone();
                    let report = run.step();
                    below(name, report.position_error, 1e-9);
                    let moved = difference(&run.world.state().q, &before.q);
                    // Not faster than 200 m/s or rad/s: nothing jumps.
                    below(&format!("{name} {dynamics:?} {step}"), moved, 0.2);
                    if dynamics == Dynamics::Assembly {
                        below(&format!("{name} assembly"), moved, 1e-8);
                        assert!(run.world.state().v.iter().all(|&v| v == 0.0));
                    }
                    assert!((run.world.state().t - before.t - dt).abs() < 1e-12);
                }
            }
        }
    }
}

/// Assembly closes what is open and moves nothing else.
#[test]
fn assembly_closes() {
    for name in ["chain:5", "ladder3:3,2", "four-bar"] {
        let mut world = scene(name);
        let label = world.bodies()[1].label().to_owned();
        let id = body(&world, &label);
        let pose = world.pose(id).unwrap().unwrap();
        let moved = Pose {
            position: linkwork::math::add(pose.position, [0.02, -0.03, 0.01]),
            ..pose
        };
        world.set_pose(id, moved).unwrap();
        world.set_dynamics(Dynamics::Assembly);
        let mut run = Run::new(world, StepOptions::interactive(1.0 / 60.0));
        run.step();
        below(name, run.gap, 1e-9);
        below(name, run.angle, 1e-8);
        let before = run.world.state().q.clone();
        run.step();
        assert_eq!(run.world.state().q, before, "{name}");
    }
}
