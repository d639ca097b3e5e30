//! Directions that are held against each other, and forces on directions and numbers (Witkin 1990, §3.2 and §3.3).

use std::f64::consts::{FRAC_PI_2, PI};

use linkwork::assembly::AssemblyOutcome;
use linkwork::behavior::{Axes, OutputForce};
use linkwork::body::{Sheet, Troid};
use linkwork::connector::Connector;
use linkwork::constraint::{Directions, DriveFunction, Ramp, Sine};
use linkwork::math::{Vec3, norm, quat_exp, scale, sub};
use linkwork::prelude::*;

use crate::support::{G, Run, below, closed_to, precise};

const X: Vec3 = [1.0, 0.0, 0.0];
const Y: Vec3 = [0.0, 1.0, 0.0];
const Z: Vec3 = [0.0, 0.0, 1.0];
const FRAME: f64 = 1.0 / 60.0;
const BOX: Cuboid = Cuboid {
    size: [0.6, 0.3, 0.2],
    mass: 2.0,
};
/// Moments of inertia of the box.
const I: Vec3 = [
    2.0 / 12.0 * (0.09 + 0.04),
    2.0 / 12.0 * (0.36 + 0.04),
    2.0 / 12.0 * (0.36 + 0.09),
];

fn value(world: &World, connector: &Connector) -> Vec3 {
    let x = world.connector_value(connector).unwrap().x;
    [x[0], x[1], x[2]]
}

/// The angle between two directions.
fn between(world: &World, [a, b]: [Connector; 2]) -> f64 {
    let (a, b) = (value(world, &a), value(world, &b));
    2.0 * libm::atan2(norm(sub(a, b)), norm(sub(a, scale(-1.0, b))))
}

/// A rod on a hinge about z whose angle above x is held.
fn arm(relation: Directions, angle: f64) -> (World, [Connector; 2], ConstraintId) {
    let mut world = World::with_gravity([0.0, -G, 0.0]).unwrap();
    let pose = Pose {
        position: scale(0.3, [angle.cos(), angle.sin(), 0.0]),
        rotation: quat_exp([0.0, 0.0, angle]),
    };
    let rod = world.add_body_at("arm", BOX, pose).unwrap();
    let hinge = Hinge { axis_world: Z };
    let heel = rod.at([-0.3, 0.0, 0.0]);
    world
        .join("hinge", hinge, GROUND.at([0.0; 3]), heel)
        .unwrap();
    let sides = [GROUND.direction(X), rod.direction(X)];
    let held = world.add_constraint("held", relation, &sides).unwrap();
    (world, sides, held)
}

/// λ of a row at an angle is the torque that holds it: m·g·l/2·cos θ.
#[test]
fn an_arm_is_held_by_the_torque_of_its_weight() {
    for method in Method::ALL {
        for (relation, angle) in [
            (Directions::at(0.7), 0.7),
            (Directions::at(2.0), 2.0),
            (Directions::Perpendicular, FRAC_PI_2),
        ] {
            let (world, _, held) = arm(relation, angle);
            let mut simulator = Simulator::new();
            let solution = simulator.accelerations(&world, method);
            let found = solution.of_constraint(&world, held).unwrap()[0];
            let torque = 2.0 * G * 0.3 * angle.cos();
            below(method.name(), (found - torque).abs(), 1e-9);
        }
    }
}

/// The angle is that of the drive in every frame, and the torque is that of inverse dynamics.
#[test]
fn a_driven_angle_is_what_its_function_says() {
    let swing = Sine {
        amplitude: 0.9,
        frequency: 0.8,
        phase: 0.2,
        offset: 1.5,
    };
    let (world, sides, held) = arm(Directions::driven(swing), swing.value(0.0));
    let inertia = I[2] + 2.0 * 0.09;
    for options in [StepOptions::interactive(FRAME), precise(FRAME, Some(1e-9))] {
        let mut run = Run::new(world.clone(), options);
        run.simulator
            .assemble(&mut run.world, &AssembleOptions::default())
            .unwrap();
        for _ in 0..120 {
            run.step();
            let t = run.world.state().t;
            let angle = swing.value(t);
            below("angle", (between(&run.world, sides) - angle).abs(), 1e-9);
            let solution = run.simulator.accelerations(&run.world, Method::Direct);
            let torque = solution.of_constraint(&run.world, held).unwrap()[0];
            let expected = inertia * swing.acceleration(t) + 2.0 * G * 0.3 * angle.cos();
            below("torque", (torque - expected).abs(), 1e-6);
        }
    }
}

/// A torque about a direction turns a body whose axis is kept upright as it would on a hinge:
/// α = τ/I, and ½·I·ω² is the work τ·φ.
#[test]
fn a_torque_about_a_direction_does_its_work() {
    let mut world = World::with_gravity([0.0, -G, 0.0]).unwrap();
    let body = world.add_body("rotor", BOX).unwrap();
    let (foot, stand) = (body.at([0.25, 0.0, 0.0]), GROUND.at([0.25, 0.0, 0.0]));
    world.join("foot", Ball, stand, foot).unwrap();
    let sides = [GROUND.direction(Y), body.direction(Y)];
    world
        .add_constraint("upright", Directions::Parallel, &sides)
        .unwrap();
    let torque = ConstantForce {
        force: [0.0; 3],
        torque: [0.5, 0.0, 0.0],
        axes: Axes::Frame,
    };
    let along = body.frame_along([0.0; 3], Y);
    world.add_behavior("torque", torque, &[along]).unwrap();
    let inertia = I[1] + 2.0 * 0.25 * 0.25;
    for method in Method::ALL {
        let mut simulator = Simulator::new();
        let solution = simulator.accelerations(&world, method);
        let alpha = solution.of_body(&world, body).unwrap()[4];
        below(method.name(), (alpha - 0.5 / inertia).abs(), 1e-9);
    }
    let mut run = Run::new(world, StepOptions::interactive(FRAME));
    run.until(2.0);
    below("upright", run.angle, 1e-9);
    let omega = run.world.v(body).unwrap()[4];
    below("ω = τ·t/I", (omega - 1.0 / inertia).abs(), 1e-3 * omega);
    let work = 0.5 * 0.5 * 2.0 * omega;
    let energy = run.world.energy().unwrap();
    let gained = energy.total() - run.start.total();
    below("work", (gained - work).abs(), 1e-3 * work);
}

/// Two boxes that tumble through nothing with one axis in common: momenta and energy stay, also where that axis
/// sweeps over the direction whose basis is singular.
#[test]
fn parallel_axes_tumble_together() {
    let pole = [-2.0 / 7.0, -3.0 / 7.0, -6.0 / 7.0];
    let across = [3.0 / 7.0, -6.0 / 7.0, 2.0 / 7.0];
    for (axis, spin) in [
        (X, [0.3, 4.0, -1.0]),
        (pole, scale(3.0, across)),
        (Z, [9.0, 0.0, 2.0]),
    ] {
        let mut world = World::new();
        let a = world.add_body("a", BOX).unwrap();
        let b = world
            .add_body_at("b", BOX, Pose::at([1.0, 0.5, 0.2]))
            .unwrap();
        let ends = [a.at([0.3, 0.1, 0.0]), b.at([-0.3, 0.0, 0.1])];
        let length = norm(sub(value(&world, &ends[1]), value(&world, &ends[0])));
        world
            .add_constraint("bar", Distance { length }, &ends)
            .unwrap();
        let sides = [a.direction(axis), b.direction(axis)];
        world
            .add_constraint("alike", Directions::Parallel, &sides)
            .unwrap();
        for (body, twist) in [(a, 0.0), (b, 2.0)] {
            let omega: Vec<f64> = (0..3).map(|k| spin[k] + twist * axis[k]).collect();
            world
                .set_v(body, &[0.0, 0.0, 0.0, omega[0], omega[1], omega[2]])
                .unwrap();
        }
        let options = closed_to(StepOptions::interactive(FRAME), 1e-12);
        let mut run = Run::new(world, options);
        run.simulator
            .assemble(&mut run.world, &AssembleOptions::default())
            .unwrap();
        run.start = run.world.energy().unwrap();
        let start = run.world.momentum();
        run.until(10.0);
        let what = format!("{axis:?}");
        below(&what, run.angle, 1e-8);
        below(&what, run.gap, 1e-8);
        below(&what, run.gain, 5e-3 * run.start.total());
        below(&what, run.loss, 5e-2 * run.start.total());
        let end = run.world.momentum();
        // Where the basis turns fast, positions are closed once more, along rows of another pose.
        below(&what, norm(sub(end.angular, start.angular)), 1e-6);
        below(&what, between(&run.world, sides), 1e-8);
    }
}

fn assembled(world: &mut World) -> linkwork::assembly::AssemblyReport {
    Simulator::new()
        .assemble(world, &AssembleOptions::default())
        .unwrap()
}

/// a·b has no gradient where a and b are parallel; the angle has.
#[test]
fn parallel_directions_become_perpendicular() {
    for way in [1.0, -1.0] {
        let mut world = World::new();
        let body = world.add_body("body", BOX).unwrap();
        let sides = [GROUND.direction(Y), body.direction([0.0, way, 0.0])];
        world
            .add_constraint("square", Directions::Perpendicular, &sides)
            .unwrap();
        let report = assembled(&mut world);
        assert_eq!(report.outcome, AssemblyOutcome::Assembled, "{report:?}");
        below("square", (between(&world, sides) - FRAC_PI_2).abs(), 1e-9);
    }
}

/// The opposite of parallel is not parallel: it is turned by half a turn.
#[test]
fn opposite_directions_become_parallel() {
    let mut world = World::new();
    let body = world.add_body("body", BOX).unwrap();
    let sides = [GROUND.direction(Y), body.direction([0.0, -1.0, 0.0])];
    world
        .add_constraint("alike", Directions::Parallel, &sides)
        .unwrap();
    let report = assembled(&mut world);
    assert_eq!(report.outcome, AssemblyOutcome::Assembled, "{report:?}");
    below("alike", between(&world, sides), 1e-9);
}

/// Parallel directions of welded bodies cannot become perpendicular: both joints are named, and the body stays.
#[test]
fn what_is_welded_is_named_as_contradicted() {
    let mut world = World::new();
    let body = world.add_body("body", BOX).unwrap();
    world
        .join("weld", Weld, GROUND.at([0.0; 3]), body.at([0.0; 3]))
        .unwrap();
    let sides = [GROUND.direction(Y), body.direction(Y)];
    world
        .add_constraint("square", Directions::Perpendicular, &sides)
        .unwrap();
    let diagnosis = diagnose(&world);
    let mut names: Vec<_> = diagnosis
        .contradictory
        .iter()
        .map(|own| own.label.as_str())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["square", "weld"], "{diagnosis:?}");
    let report = assembled(&mut world);
    assert_eq!(report.outcome, AssemblyOutcome::LeastSquares, "{report:?}");
    let mut names: Vec<_> = report
        .residuals
        .iter()
        .map(|own| own.label.as_str())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["square", "weld"], "{report:?}");
    assert!(world.state().q.iter().all(|q| q.is_finite()));
}

/// A drive that leaves what an angle can be is reported as open; nothing else happens.
#[test]
fn an_angle_beyond_half_a_turn_stays_open() {
    let ramp = Ramp {
        start: 3.0,
        rate: 0.5,
    };
    let (world, sides, _) = arm(Directions::driven(ramp), 3.0);
    let mut run = Run::new(world, StepOptions::interactive(FRAME));
    for _ in 0..60 {
        run.step();
        let t = run.world.state().t;
        let target = ramp.value(t);
        if target < PI - 0.02 {
            below("follows", (between(&run.world, sides) - target).abs(), 1e-9);
        }
        assert!(run.world.state().v.iter().all(|v| v.abs() < 100.0));
    }
    assert!(run.angle > 0.1, "{}", run.angle);
}

/// A needle swings as a pendulum: θ̈ = −(f/I)·sin θ, with the potential −f·d.
#[test]
fn a_force_on_a_direction_turns_it() {
    let mut world = World::new();
    let body = world.add_body("needle", BOX).unwrap();
    world
        .join(
            "pin",
            Hinge { axis_world: Z },
            GROUND.at([0.0; 3]),
            body.at([0.0; 3]),
        )
        .unwrap();
    let field = OutputForce::on_direction([0.0, 0.8, 0.0]);
    world
        .add_behavior("field", field, &[body.direction(X)])
        .unwrap();
    let mut simulator = Simulator::new();
    let solution = simulator.accelerations(&world, Method::Direct);
    let alpha = solution.of_body(&world, body).unwrap()[5];
    below("α", (alpha - 0.8 / I[2]).abs(), 1e-12);
    let mut run = Run::new(world, StepOptions::interactive(FRAME));
    run.until(10.0);
    below("energy", run.relative_drift(), 5e-3);
    assert!((run.fall - 0.8).abs() < 0.01, "{}", run.fall);
}

/// A sheet under pressure rests where p = (k/2 + k_area)·(det A − 1), and about it keeps its energy.
#[test]
fn a_sheet_under_pressure_rests_where_elasticity_balances_it() {
    let (stiffness, area_stiffness, pressure) = (60.0, 25.0, 11.0);
    let growth: f64 = 1.0 + pressure / (0.5 * stiffness + area_stiffness);
    let side = growth.sqrt();
    let mut world = World::new();
    let sheet = Troid {
        outline: None,
        sheet: Sheet::rectangle([0.4, 0.2], 0.5).unwrap(),
        stiffness,
        area_stiffness,
        damping: 0.0,
    };
    let body = world.add_body("sheet", sheet).unwrap();
    let inflate = OutputForce::on_scalar(pressure);
    world
        .add_behavior("gas", inflate, &[body.scalar(Troid::AREA)])
        .unwrap();
    let mut run = Run::new(world.clone(), precise(FRAME, Some(1e-9)));
    run.until(2.0);
    below("energy", run.relative_drift(), 1e-6);
    world
        .set_q(body, &[0.0, 0.0, side, 0.0, 0.0, side])
        .unwrap();
    let mut simulator = Simulator::new();
    let solution = simulator.accelerations(&world, Method::Direct);
    for a in solution.of_body(&world, body).unwrap() {
        below("rest", a.abs(), 1e-11);
    }
}

/// A free piston: the far edge of a sheet that resists nothing, on a spring. h = h₀ + p·w/k.
#[test]
fn pressure_balances_a_spring() {
    let (width, rest, k, pressure) = (0.4, 0.2, 50.0, 12.0);
    let height = rest + pressure * width / k;
    let mut world = World::new();
    let sheet = Troid {
        outline: None,
        sheet: Sheet::rectangle([width, 1.0], 0.5).unwrap(),
        stiffness: 0.0,
        area_stiffness: 0.0,
        damping: 0.0,
    };
    let body = world.add_body("gas", sheet).unwrap();
    world
        .set_q(body, &[0.0, 0.5 * height, 1.0, 0.0, 0.0, height])
        .unwrap();
    for (label, x) in [("left", -0.5 * width), ("right", 0.5 * width)] {
        world
            .join(label, Ball, GROUND.at([x, 0.0]), body.at([x, -0.5]))
            .unwrap();
    }
    let spring = Spring {
        stiffness: k,
        rest_length: rest,
        damping: 0.0,
    };
    world
        .add_spring("spring", spring, GROUND.at([0.0; 2]), body.at([0.0, 0.5]))
        .unwrap();
    let push = OutputForce::on_scalar(pressure);
    world
        .add_behavior("gas", push, &[body.scalar(Troid::AREA)])
        .unwrap();
    for method in Method::ALL {
        let mut simulator = Simulator::new();
        let solution = simulator.accelerations(&world, method);
        for a in solution.of_body(&world, body).unwrap() {
            below(method.name(), a.abs(), 1e-9);
        }
    }
}

/// What has no such direction says so, and nothing is added.
#[test]
fn what_has_no_direction_says_what_it_has() {
    let mut world = World::new();
    let ball = world.add_body("ball", Particle { mass: 1.0 }).unwrap();
    let sides = [GROUND.direction(Y), ball.direction(Y)];
    let before = world.constraints().len();
    let refused = world.add_constraint("alike", Directions::Parallel, &sides);
    let words = refused.unwrap_err().to_string();
    assert!(
        words.contains("direction in space") && words.contains("ball"),
        "{words}"
    );
    let refused = world.add_constraint("alike", Directions::at(0.0), &sides);
    assert!(refused.unwrap_err().to_string().contains("parallel"));
    assert_eq!(world.constraints().len(), before);
}
