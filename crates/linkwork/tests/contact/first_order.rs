//! Bounded rows without momentum, `D·v = f + Jᵀ·λ + Gᵀ·r` (`docs/adr/0061-bounded-rows-without-momentum.md`): closed
//! forms.

use super::support::{DT, G, add, at, ball, block, flat, on_slope, run};
use linkwork::behavior::{Axes, ConstantForce, PointForce, TorsionSpring};
use linkwork::collide::Shape;
use linkwork::constraint::{AngleLimit, AngleServo, Constant, Constraint, LengthServo};
use linkwork::prelude::*;
use linkwork::world::Collider;

const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// A thin rod of 1 m and 1 kg that turns about its left end at the origin, level: D is 1/3 kg·m²/s.
fn rod(gravity: f64) -> (World, BodyId) {
    let mut world = World::with_gravity([0.0, -gravity, 0.0]).unwrap();
    world.set_dynamics(Dynamics::FirstOrder);
    let rod = Rod {
        length: 1.0,
        radius: 1e-4,
        mass: 1.0,
    };
    let rod = world
        .add_body_at("rod", rod, Pose::at([0.5, 0.0, 0.0]))
        .unwrap();
    let hinge = Hinge { axis_world: Z };
    let own = rod.at([-0.5, 0.0, 0.0]);
    world
        .join("hinge", hinge, GROUND.at([0.0; 3]), own)
        .unwrap();
    (world, rod)
}

fn frames(rod: BodyId) -> [linkwork::connector::Connector; 2] {
    [
        GROUND.frame_along([0.0; 3], Z),
        rod.frame_along([-0.5, 0.0, 0.0], Z),
    ]
}

fn on_angle(world: &mut World, rod: BodyId, law: impl Constraint) -> ConstraintId {
    world.add_constraint("bound", law, &frames(rod)).unwrap()
}

fn angle_of(world: &World, rod: BodyId) -> f64 {
    let x = linkwork::math::quat_to_matrix(world.pose(rod).unwrap().unwrap().rotation);
    libm::atan2(x[1][0], x[0][0])
}

/// The force of a constraint's first row.
fn force_of(world: &World, constraint: ConstraintId) -> f64 {
    let rows = world.constraint_record(constraint).unwrap().row_range();
    world.state().lambda[rows.start]
}

fn turned_by(world: &mut World, rod: BodyId, torque: f64) {
    let push = ConstantForce {
        force: [0.0; 3],
        torque: [0.0, 0.0, torque],
        axes: Axes::World,
    };
    let own = rod.frame_at([0.0; 3]);
    world.add_behavior("push", push, &[own]).unwrap();
}

fn close(what: &str, value: f64, expected: f64, tolerance: f64) {
    let off = (value - expected).abs();
    assert!(off <= tolerance, "{what}: {value}, expected {expected}");
}

/// What touches pushes with, summed.
fn pushes(world: &World) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for own in &world.state().touching {
        for (sum, force) in sum.iter_mut().zip(own.force_world) {
            *sum += force;
        }
    }
    sum
}

/// A motor turns as fast as it is to, until the spring and the drag ask for more than its bound; it stalls where the
/// spring alone does: k·φ = bound.
#[test]
fn a_motor_stalls_against_a_spring() {
    let (mut world, rod) = rod(0.0);
    let spring = TorsionSpring {
        stiffness: 3.0,
        damping: 0.0,
        rest_angle: 0.0,
    };
    world.add_behavior("spring", spring, &frames(rod)).unwrap();
    let motor = on_angle(&mut world, rod, AngleServo::speed(2.0, 1.5));
    run(&mut world, 6, |_, report| {
        assert!(report.law_error < 1e-9, "{report:?}");
    });
    close("driven", angle_of(&world, rod), 0.2, 1e-9);
    // The spring pushes as where the step began.
    let torque = 3.0 * (0.2 - 2.0 * DT) + 2.0 / 3.0;
    close("torque", force_of(&world, motor), torque, 2e-4);
    run(&mut world, 600, |_, _| ());
    close("stalled", angle_of(&world, rod), 0.5, 1e-9);
    close("bound", force_of(&world, motor), 1.5, 1e-9);
}

/// A motor on a position comes back by its gain, implicitly, however large that is; what it cannot lift it gives way
/// to.
#[test]
fn a_motor_follows_a_position() {
    for gain in [5.0, 60.0, 1e4] {
        let (mut world, rod) = rod(0.0);
        let goal = Constant { value: 0.5 };
        on_angle(&mut world, rod, AngleServo::position(goal, gain, 1e6));
        run(&mut world, 10, |_, _| ());
        let behind = 0.5 / (1.0 + gain * DT).powi(10);
        close("follows", angle_of(&world, rod), 0.5 - behind, 1e-8);
    }
    // It holds what it can, and what it cannot sinks to where the weight's torque is the bound.
    let (mut world, rod) = rod(G);
    let goal = Constant { value: 0.0 };
    let motor = on_angle(&mut world, rod, AngleServo::position(goal, 20.0, 3.0));
    run(&mut world, 1200, |_, _| ());
    let sunk = -libm::acos(3.0 / (0.5 * G));
    close("gives way", angle_of(&world, rod), sunk, 1e-7);
    close("bound", force_of(&world, motor), 3.0, 1e-9);
}

/// Below its bound dry friction lets nothing move, and carries the load; above it, v = (f − bound)/D.
#[test]
fn dry_friction_holds_and_lets_creep() {
    for (push, speed) in [(0.99, 0.0), (-0.99, 0.0), (1.25, 0.125), (-3.0, -1.0)] {
        let mut world = World::new();
        world.set_dynamics(Dynamics::FirstOrder);
        let bead = world.add_body("bead", Particle { mass: 2.0 }).unwrap();
        let force_world = [push, 0.0, 0.0];
        let own = [bead.at([0.0; 3])];
        world
            .add_behavior("push", PointForce { force_world }, &own)
            .unwrap();
        let along = [GROUND.frame_at([0.0; 3]), bead.at([0.0; 3])];
        let rubs = LengthServo::friction(1.0);
        let rubs = world.add_constraint("rubs", rubs, &along).unwrap();
        run(&mut world, 60, |_, _| ());
        close("moved", world.q(bead).unwrap()[0], speed, 1e-11);
        close("speed", world.v(bead).unwrap()[0], speed, 1e-11);
        let carried = -push.clamp(-1.0, 1.0);
        close("carries", force_of(&world, rubs), carried, 1e-9);
    }
}

/// In a joint: a rod on dry friction stays level below the bound, and above it turns with (τ − bound)/D.
#[test]
fn friction_of_a_joint_holds_a_torque() {
    for (torque, speed) in [(0.3, 0.0f64), (0.6, 0.3), (-0.6, -0.3)] {
        let (mut world, rod) = rod(0.0);
        on_angle(&mut world, rod, AngleServo::friction(0.5));
        turned_by(&mut world, rod, torque);
        run(&mut world, 120, |_, _| ());
        // Arcs and chords of a step differ by θ²/8.
        let tolerance = 1e-9 + 1e-4 * speed.abs();
        close("turned", angle_of(&world, rod), 2.0 * speed, tolerance);
    }
}

/// A ratchet lets turn one way, and carries what would turn it back.
#[test]
fn a_ratchet_holds_one_way() {
    for (backward, torque, speed) in [
        (false, 0.2, 0.6f64),
        (false, -0.2, 0.0),
        (true, 0.2, 0.0),
        (true, -0.2, -0.6),
    ] {
        let (mut world, rod) = rod(0.0);
        let ratchet = on_angle(&mut world, rod, AngleServo::one_way(backward));
        turned_by(&mut world, rod, torque);
        run(&mut world, 60, |_, _| ());
        // Arcs and chords of a step differ by θ²/8.
        let tolerance = 1e-9 + 1e-4 * speed.abs();
        close("turned", angle_of(&world, rod), speed, tolerance);
        let carried = if speed == 0.0 { -torque } else { 0.0 };
        close("carries", force_of(&world, ratchet), carried, 1e-9);
    }
}

/// A limit holds a rod, and tells with which torque: that of its weight.
#[test]
fn a_limit_tells_what_it_carries() {
    let (mut world, rod) = rod(G);
    let limit = AngleLimit {
        lower: -0.3,
        upper: 1.0,
        restitution: 0.0,
    };
    let limit = on_angle(&mut world, rod, limit);
    run(&mut world, 120, |_, _| ());
    close("rests", angle_of(&world, rod), -0.3, 1e-9);
    let torque = 0.5 * G * libm::cos(0.3);
    close("carries", force_of(&world, limit), torque, 1e-8);
    // Turned away from it, it carries nothing.
    turned_by(&mut world, rod, 6.0);
    run(&mut world, 1, |_, _| ());
    close("carries", force_of(&world, limit), 0.0, 0.0);
}

/// A ball on a floor is carried with its weight, and with what it is pressed down by; it falls with g·t, m/s² for m/s.
#[test]
fn a_floor_carries_weight() {
    let mut world = flat(0.5);
    world.set_dynamics(Dynamics::FirstOrder);
    let body = ball(&mut world, 0.1, [0.0, 0.6, 0.0]);
    run(&mut world, 3, |_, _| ());
    close("falls", at(&world, body)[1], 0.6 - 3.0 * DT * G, 1e-9);
    close("in the air", pushes(&world)[1], 0.0, 0.0);
    run(&mut world, 20, |_, report| {
        assert!(report.overrun < 1e-9, "{report:?}");
        assert!(report.law_error < 1e-9, "{report:?}");
    });
    close("rests", at(&world, body)[1], 0.1, 1e-9);
    close("weight", pushes(&world)[1], G, 1e-8);
    let force_world = [0.0, -5.0, 0.0];
    let own = [body.at([0.0; 3])];
    world
        .add_behavior("press", PointForce { force_world }, &own)
        .unwrap();
    run(&mut world, 1, |_, _| ());
    close("pressed", pushes(&world)[1], G + 5.0, 1e-8);
}

/// A block on a slope stays below the angle of friction; above it, v = g·(sin θ − μ·cos θ).
#[test]
fn a_block_slides_only_where_it_is_steep_enough() {
    let friction: f64 = 0.5;
    for part in [0.99, 1.01, 1.2] {
        let slope = part * friction.atan();
        let mut world = on_slope(slope, friction);
        world.set_dynamics(Dynamics::FirstOrder);
        let half = [0.2, 0.1, 0.3];
        let body = block(&mut world, half, 2.0, Pose::at([0.0, 0.1, 0.0]), friction);
        run(&mut world, 120, |_, report| {
            assert!(report.law_error < 1e-8, "{report:?}");
        });
        let speed = (G * (slope.sin() - friction * slope.cos())).max(0.0);
        let [x, y, z] = at(&world, body);
        close("slid", x, 2.0 * speed, 1e-8);
        close("height", y, 0.1, 1e-9);
        close("aside", z, 0.0, 1e-9);
        let [along, normal, _] = pushes(&world);
        close("normal", normal, 2.0 * G * slope.cos(), 1e-7);
        let held = slope.sin().min(friction * slope.cos());
        close("friction", along, -2.0 * G * held, 1e-7);
    }
}

/// A ball rolls down with 5/7 of the speed of one that slides: D of its turning is 2/5·m·r².
#[test]
fn a_ball_rolls() {
    let slope: f64 = 0.2;
    let mut world = on_slope(slope, 0.9);
    world.set_dynamics(Dynamics::FirstOrder);
    let collider = Collider::new(Shape::Sphere { radius: 0.1 }).with_friction(0.9);
    let sphere = Sphere {
        radius: 0.1,
        mass: 1.0,
    };
    let body = add(&mut world, sphere, Pose::at([0.0, 0.1, 0.0]), collider);
    run(&mut world, 60, |_, _| ());
    close(
        "rolled",
        at(&world, body)[0],
        5.0 / 7.0 * G * slope.sin(),
        1e-8,
    );
}

/// A belt takes a block along with its speed, as long as friction can: m·v ≤ μ·m·g; else with μ·g.
#[test]
fn a_belt_carries() {
    for (belt, speed) in [(2.0, 2.0), (8.0, 0.5 * G)] {
        let mut world = flat(0.5);
        let mut floor = world.colliders(GROUND).unwrap().to_vec();
        floor[0].surface_velocity_body = [belt, 0.0, 0.0];
        world.set_colliders(GROUND, floor).unwrap();
        world.set_dynamics(Dynamics::FirstOrder);
        let half = [0.2, 0.01, 0.2];
        let body = block(&mut world, half, 2.0, Pose::at([0.0, 0.01, 0.0]), 0.5);
        run(&mut world, 60, |_, _| ());
        close("carried", at(&world, body)[0], speed, 1e-8);
    }
}

/// A soft floor gives way by weight over stiffness, at the rate 1/(c + D): x = x∞·(1 − …) by implicit steps.
#[test]
fn a_soft_floor_gives_way() {
    let (stiffness, damping) = (200.0, 10.0);
    let mut world = flat(0.5);
    world.set_dynamics(Dynamics::FirstOrder);
    let soft = Collider::new(Shape::Sphere { radius: 0.1 })
        .with_friction(0.5)
        .with_softness(stiffness, damping);
    let sphere = Sphere {
        radius: 0.1,
        mass: 1.0,
    };
    let body = add(&mut world, sphere, Pose::at([0.0, 0.1, 0.0]), soft);
    let mut sunk = 0.0;
    run(&mut world, 5, |world, _| {
        // (D + c)·ẋ = m·g − k·x
        sunk = ((1.0 + damping) / DT * sunk + G) / ((1.0 + damping) / DT + stiffness);
        close("sinks", 0.1 - at(world, body)[1], sunk, 1e-8);
    });
    run(&mut world, 600, |_, _| ());
    close("rests", 0.1 - at(&world, body)[1], G / stiffness, 1e-8);
    close("weight", pushes(&world)[1], G, 1e-7);
}

/// Nothing but the state passes from frame to frame.
#[test]
fn nothing_but_the_state_is_remembered() {
    let build = || {
        let mut world = on_slope(0.5, 0.5);
        world.set_dynamics(Dynamics::FirstOrder);
        let half = [0.2, 0.1, 0.3];
        let low = block(&mut world, half, 2.0, Pose::at([0.0, 0.1, 0.0]), 0.5);
        let high = block(&mut world, half, 1.0, Pose::at([0.1, 0.3, 0.0]), 0.2);
        let along = [low.frame_at([0.0; 3]), high.at([0.0; 3])];
        let rubs = LengthServo::friction(1.0);
        world.add_constraint("rubs", rubs, &along).unwrap();
        world
    };
    let (mut kept, mut dropped) = (build(), build());
    let mut simulator = Simulator::new();
    let options = StepOptions::interactive(DT);
    for frame in 0..30 {
        simulator.step(&mut kept, &options).unwrap();
        Simulator::new().step(&mut dropped, &options).unwrap();
        assert_eq!(kept.state(), dropped.state(), "frame {frame}");
    }
}
