//! What hangs on a derived point moves as what hangs on the same point of a body.

use linkwork::body::{Number, Numbers};
use linkwork::connector::Connector;
use linkwork::constraint::{DistanceLimit, FramePair, ScalarDifference, ScalarEquals};
use linkwork::math::{add, mat_vec, rotation_exp, sub};
use linkwork::prelude::*;

use crate::functions::{Length, Sum};
use crate::support::{ROD, apart};

/// A rod above the ground in motion, and its center: of the body itself, or the middle of its ends.
fn rod(derived: bool) -> (World, BodyId, Connector) {
    let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
    let pose = Pose::turned([0.3, 0.8, -0.2], [0.4, -0.3, 0.9]);
    let rod = world.add_body_at("rod", ROD, pose).unwrap();
    let v = [0.5, -0.2, 0.3, 1.0, -2.0, 0.7];
    world.set_v(rod, &v).unwrap();
    let center = match derived {
        false => rod.at([0.0; 3]),
        true => {
            let ends = [rod.at([-0.5, 0.0, 0.0]), rod.at([0.5, 0.0, 0.0])];
            let middle = world.add_block("middle", Sum::mean(2), &ends).unwrap();
            middle.output(0)
        }
    };
    (world, rod, center)
}

/// What is hung on the center.
type Hang = fn(&mut World, Connector);

fn ball(world: &mut World, center: Connector) {
    let at = [GROUND.at([0.3, 0.8, -0.2]), center];
    world
        .add_constraint("hang", FramePair::ball(), &at)
        .unwrap();
}

fn string(world: &mut World, center: Connector) {
    let at = [GROUND.at([0.0, 1.5, 0.0]), center];
    let length = 0.8;
    world
        .add_constraint("hang", Distance { length }, &at)
        .unwrap();
}

fn spring(world: &mut World, center: Connector) {
    let spring = Spring {
        stiffness: 300.0,
        rest_length: 0.5,
        damping: 1.0,
    };
    let ground = GROUND.at([0.0, 1.5, 0.0]);
    world.add_spring("hang", spring, ground, center).unwrap();
}

fn rope(world: &mut World, center: Connector) {
    let at = [GROUND.at([0.0, 1.5, 0.0]), center];
    let limit = DistanceLimit {
        lower: 0.0,
        upper: 0.85,
        restitution: 0.3,
    };
    world.add_constraint("hang", limit, &at).unwrap();
}

fn pull(world: &mut World, center: Connector) {
    let spring = Spring {
        stiffness: 20.0,
        rest_length: 0.4,
        damping: 0.5,
    };
    let at = [GROUND.at([0.0, 1.5, 0.0]), center];
    world.add_behavior("pull", spring, &at).unwrap();
}

const HANGS: [Hang; 5] = [ball, string, spring, rope, pull];

#[test]
fn accelerations_are_equal_to_round_off() {
    for (k, hang) in HANGS.into_iter().enumerate() {
        for method in Method::ALL {
            let [(a, lambda_a), (b, lambda_b)] = [false, true].map(|derived| {
                let (mut world, rod, center) = rod(derived);
                hang(&mut world, center);
                let mut simulator = Simulator::new();
                let solution = simulator.accelerations(&world, method);
                let own = solution.of_body(&world, rod).unwrap().to_vec();
                (own, solution.lambda.clone())
            });
            let off = apart(&a, &b).max(apart(&lambda_a, &lambda_b));
            assert!(off < 1e-12, "hang {k}, {}: {off:e}", method.name());
        }
    }
}

#[test]
fn so_are_steps() {
    let dt = 1.0 / 60.0;
    for (k, hang) in HANGS.into_iter().enumerate() {
        for options in [
            StepOptions::interactive(dt),
            StepOptions::precise(dt),
            StepOptions::symplectic4(dt),
        ] {
            for dynamics in [Dynamics::SecondOrder, Dynamics::FirstOrder] {
                let [a, b] = [false, true].map(|derived| {
                    let (mut world, rod, center) = rod(derived);
                    world.set_dynamics(dynamics);
                    hang(&mut world, center);
                    let mut simulator = Simulator::new();
                    for _ in 0..30 {
                        simulator.step(&mut world, &options).unwrap();
                    }
                    world.q(rod).unwrap().to_vec()
                });
                let off = apart(&a, &b);
                let what = format!("hang {k}, {:?}, {dynamics:?}", options.scheme);
                assert!(off < 1e-8, "{what}: {off:e}");
            }
        }
    }
}

#[test]
fn so_are_hands() {
    let force = Drag::Force {
        stiffness: 200.0,
        damping: 5.0,
    };
    for drag in [force, Drag::Follow, Drag::Pin] {
        for dynamics in [Dynamics::FirstOrder, Dynamics::SecondOrder] {
            let [a, b] = [false, true].map(|derived| {
                let (mut world, rod, center) = rod(derived);
                world.set_dynamics(dynamics);
                let tip = rod.at([-0.5, 0.0, 0.0]);
                let ground = world.position_world(&tip).unwrap();
                world.join("pivot", Ball, GROUND.at(ground), tip).unwrap();
                let start = world.position_world(&center).unwrap();
                let grip = world.grab(center, drag).unwrap();
                let mut simulator = Simulator::new();
                for frame in 1..=30 {
                    // Round the pivot, within reach.
                    let turn = rotation_exp([0.0, 0.01, 0.02 * f64::from(frame)]);
                    let goal = add(ground, mat_vec(&turn, sub(start, ground)));
                    world.drag(grip, goal).unwrap();
                    let options = StepOptions::interactive(1.0 / 60.0);
                    simulator.step(&mut world, &options).unwrap();
                }
                world.q(rod).unwrap().to_vec()
            });
            let off = apart(&a, &b);
            assert!(off < 1e-8, "{drag:?}, {dynamics:?}: {off:e}");
        }
    }
}

/// A link whose length is a number: held at a value it is a bar of that length.
#[test]
fn a_link_of_a_fixed_number_is_a_bar() {
    let swing = |by_number: bool| {
        let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
        let start = Pose::at([0.6, 0.8, 0.0]);
        let bob = world
            .add_body_at("bob", Particle { mass: 2.0 }, start)
            .unwrap();
        let ends = [GROUND.at([0.0; 3]), bob.at([0.0; 3])];
        if by_number {
            let length = Numbers::new([Number::new("length", 1.0)]);
            let length = world.add_body("link", length).unwrap().scalar(0);
            let block = world.add_block("distance", Length, &ends).unwrap();
            let both = [length, block.output(0)];
            let law = ScalarDifference::zero();
            world.add_constraint("link", law, &both).unwrap();
            let fixed = ScalarEquals::number(1.0);
            world.add_constraint("length", fixed, &[length]).unwrap();
        } else {
            world
                .add_constraint("link", Distance { length: 1.0 }, &ends)
                .unwrap();
        }
        let mut simulator = Simulator::new();
        for _ in 0..120 {
            let options = StepOptions::interactive(1.0 / 60.0);
            simulator.step(&mut world, &options).unwrap();
        }
        world.q(bob).unwrap().to_vec()
    };
    let off = apart(&swing(true), &swing(false));
    assert!(off < 1e-9, "{off:e}");
}

/// A coupler whose length is free and heavy: with m of the particle and μ of the number,
/// `(m + μ)·r̈ = L²/(m·r³)`, and energy and angular momentum stay.
#[test]
fn a_link_of_a_free_number_obeys_lagrange() {
    let (m, mu) = (2.0, 3.0);
    let mut world = World::new();
    let start = Pose::at([1.0, 0.0, 0.0]);
    let bob = world
        .add_body_at("bob", Particle { mass: m }, start)
        .unwrap();
    world.set_v(bob, &[0.0, 1.5, 0.0]).unwrap();
    let length = Numbers::new([Number::new("length", 1.0).with_mass(mu)]);
    let link = world.add_body("link", length).unwrap();
    let ends = [GROUND.at([0.0; 3]), bob.at([0.0; 3])];
    let distance = world.add_block("distance", Length, &ends).unwrap();
    let both = [link.scalar(0), distance.output(0)];
    let law = ScalarDifference::zero();
    world.add_constraint("coupler", law, &both).unwrap();

    let mut simulator = Simulator::new();
    let solution = simulator.accelerations(&world, Method::Direct);
    let growth = solution.of_body(&world, link).unwrap()[0];
    assert!((growth - m * 1.5 * 1.5 / (m + mu)).abs() < 1e-13);

    let energy = |world: &World| world.energy().unwrap().kinetic;
    let before = energy(&world);
    for _ in 0..100 {
        simulator
            .step(&mut world, &StepOptions::precise(0.01))
            .unwrap();
    }
    let (x, v) = (world.q(bob).unwrap(), world.v(bob).unwrap());
    let r = x[0].hypot(x[1]);
    let momentum = m * (x[0] * v[1] - x[1] * v[0]);
    assert!((momentum - 3.0).abs() < 1e-7, "{momentum}");
    assert!((energy(&world) - before).abs() < 1e-7);
    // r² = 1 + ω²·m/(m + μ)·t² solves the equation from rest at r = 1.
    let expected = (1.0 + 1.5 * 1.5 * m / (m + mu)).sqrt();
    assert!((r - expected).abs() < 1e-7, "{r} {expected}");
    assert!((world.q(link).unwrap()[0] - r).abs() < 1e-9);
}
