//! Worlds with blocks.

#![allow(dead_code)] // Not every test uses all of them.

use linkwork::body::{Number, Numbers, SineMotion};
use linkwork::connector::{Connector, ConnectorKind};
use linkwork::constraint::{FramePair, ScalarEquals};
use linkwork::prelude::*;

use crate::functions::{Fault, Length, Mixed, Product, Sum};

/// A rod of one meter.
pub(crate) const ROD: Rod = Rod {
    length: 1.0,
    radius: 0.02,
    mass: 1.3,
};

/// A body of some numbers, with names a, b, c, …
pub(crate) fn numbers(start: &[f64]) -> Numbers {
    let names = "abcdefgh".chars();
    Numbers::new(
        names
            .zip(start)
            .map(|(name, start)| Number::new(name.to_string(), *start)),
    )
}

/// Three loose bodies and two numbers in motion, blocks over blocks, and constraints of all sorts on their outputs.
pub(crate) fn tangle() -> World {
    let mut world = World::with_gravity([0.2, -9.81, 0.4]).unwrap();
    world.set_time(0.3).unwrap();
    let mut bodies = Vec::new();
    for (k, x) in [-0.7, 0.1, 0.9].into_iter().enumerate() {
        let k = k as f64;
        let pose = Pose::turned([x, 0.2 * k, 0.1 - 0.1 * k], [0.3 * k, -0.2, 0.4]);
        let rod = world.add_body_at(&format!("rod {k}"), ROD, pose).unwrap();
        let v = [0.3, -0.2 * k, 0.1, 0.5, -0.4 * k, 0.6];
        world.set_v(rod, &v).unwrap();
        bodies.push(rod);
    }
    let motion = SineMotion {
        middle: Pose::turned([0.5, 0.2, 0.1], [0.1, 0.2, 0.3]),
        amplitude_world: [0.2, 0.1, 0.05],
        swing_world: [0.2, 0.3, 0.1],
        frequency: 0.7,
        phase: 0.4,
    };
    let anchor = world.add_body("anchor", Kinematic::new(motion)).unwrap();
    let design = world
        .add_body("design", numbers(&[0.8, -0.5, 0.4]))
        .unwrap();
    world.set_v(design, &[0.2, 0.7, -0.3]).unwrap();
    let pair = world.add_body("pair", numbers(&[1.2, 0.6])).unwrap();
    world.set_v(pair, &[-0.4, 0.5]).unwrap();
    let [a, b, c] = [bodies[0], bodies[1], bodies[2]];

    let tips = [
        a.at([0.5, 0.0, 0.0]),
        b.at([-0.5, 0.0, 0.1]),
        c.at([0.4, 0.1, 0.0]),
    ];
    let mean = world.add_block("mean", Sum::mean(3), &tips).unwrap();
    let frame = b.frame_along([0.1, 0.0, 0.2], [0.3, 1.0, 0.2]);
    let inputs = [frame, mean.output(0), design.scalar(1), pair.coordinates()];
    let mixed = world
        .add_block("mixed", Mixed(Fault::None), &inputs)
        .unwrap();
    let volume = world
        .add_block("volume", Product::of(3), &[design.coordinates()])
        .unwrap();
    let ends = [mean.output(0), mixed.output(0)];
    let reach = world.add_block("reach", Length, &ends).unwrap();
    // Numbers of one body side by side, in order and not.
    let mut scalars = vec![reach.output(0), volume.output(0), mixed.output(1)];
    scalars.extend([pair.scalar(0), pair.scalar(1)]);
    scalars.extend([2, 0, 1].map(|k| design.scalar(k)));
    let weights = [1.0, 0.5, -0.7, 0.3, -0.2, 0.4, 0.6, -0.1];
    let total = Sum::of(ConnectorKind::Scalar, &weights);
    let total = world.add_block("total", total, &scalars).unwrap();

    let ball = |world: &mut World, label: &str, at: [Connector; 2]| {
        world.add_constraint(label, FramePair::ball(), &at).unwrap()
    };
    ball(
        &mut world,
        "hold",
        [GROUND.at([0.1, 0.3, 0.0]), mean.output(0)],
    );
    ball(&mut world, "tie", [a.at([0.0; 3]), mixed.output(0)]);
    let equals = ScalarEquals::number(0.4);
    world
        .add_constraint("sum", equals, &[total.output(0)])
        .unwrap();
    let slide = FramePair::point_on_plane();
    let on_plane = [mixed.output(3), c.at([0.1, 0.0, 0.0])];
    world.add_constraint("slide", slide, &on_plane).unwrap();
    let far = Distance { length: 0.9 };
    let ends = [mixed.output(0), c.at([-0.5, 0.0, 0.0])];
    let spring = world.add_constraint("spring", far, &ends).unwrap();
    world.set_compliance(spring, &[1e-3]).unwrap();
    world.set_damping(spring, &[2.0]).unwrap();
    let led = [anchor.at([0.1, 0.2, 0.0]), c.at([0.0, 0.0, 0.1])];
    let led = world.add_block("led", Sum::mean(2), &led).unwrap();
    let ends = [led.output(0), a.at([0.2, 0.0, 0.0])];
    world
        .add_constraint("led", Distance { length: 0.7 }, &ends)
        .unwrap();
    let push = linkwork::behavior::PointForce {
        force_world: [1.0, 2.0, -0.5],
    };
    world
        .add_behavior("push", push, &[mixed.output(0)])
        .unwrap();
    world
}

/// The largest difference of two lists.
pub(crate) fn apart(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let pairs = a.iter().zip(b);
    pairs.fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}
