//! Random worlds with blocks over their bodies: every method, every motion, hard, soft and of a lower priority.

use linkwork::body::{Number, Numbers};
use linkwork::connector::{Connector, ConnectorKind};
use linkwork::constraint::{FramePair, ScalarDifference, ScalarEquals};
use linkwork::prelude::*;
use linkwork::simulator::SolveOptions;
use linkwork::system::Motion;
use proptest::prelude::*;

use crate::assembled;
use crate::functions::{Fault, Length, Mixed, Product, Sum};
use crate::random::{check, config};
use crate::random_world::{self, Random};

proptest! {
    #![proptest_config(config(100))]

    #[test]
    fn blocks_over_random_worlds(seed in any::<u64>(), n_bodies in 2usize..10, n_extra in 0usize..3) {
        check(&with_blocks(seed, n_bodies, n_extra), seed)?;
    }
}

/// A random world, blocks over its bodies, and constraints on their outputs.
fn with_blocks(seed: u64, n_bodies: usize, n_extra: usize) -> World {
    let mut world = random_world::world(seed, n_bodies, n_extra);
    let mut random = Random::new(seed ^ 0xB10C);
    let start = [0.8, -0.6, 1.1].map(|x| x * random.between(0.7, 1.3));
    let named = ["a", "b", "c"].into_iter().zip(start);
    let numbers = Numbers::new(named.map(|(name, start)| {
        Number::new(name, start).with_mass(if name == "a" { 0.2 } else { 1.5 })
    }));
    let design = world.add_body("design", numbers).unwrap();
    world.set_v(design, &random.numbers(3, 1.0)).unwrap();
    let others = Numbers::new([Number::new("x", 0.4), Number::new("y", -0.7)]);
    let others = world.add_body("others", others).unwrap();

    // Points of bodies in space; where there are none, of one that is added.
    let mut points: Vec<(BodyId, Connector)> = Vec::new();
    for record in world.bodies() {
        let at = record.id().at(random.vector(0.4));
        if world.connector_value(&at).is_ok() && record.v_range().len() == 6 {
            points.push((record.id(), at));
        }
    }
    while points.len() < 2 {
        let pose = Pose::turned(random.vector(1.0), random.vector(1.0));
        let label = format!("loose {}", points.len());
        let loose = random_world::rigid(&mut random);
        let loose = world.add_body_at(&label, loose, pose).unwrap();
        points.push((loose, loose.at(random.vector(0.4))));
    }
    let all: Vec<Connector> = points.iter().map(|(_, at)| *at).collect();
    let mean = world.add_block("mean", Sum::mean(all.len()), &all).unwrap();
    let frame = points[0].0.frame_along(random.vector(0.3), [0.2, 1.0, 0.4]);
    let inputs = [
        frame,
        mean.output(0),
        design.scalar(0),
        others.coordinates(),
    ];
    let mixed = world
        .add_block("mixed", Mixed(Fault::None), &inputs)
        .unwrap();
    let volume = Product::of(3);
    let volume = world
        .add_block("volume", volume, &[design.coordinates()])
        .unwrap();
    let far = GROUND.at([3.0, 2.0, 1.0]);
    let reach = world
        .add_block("reach", Length, &[far, mixed.output(0)])
        .unwrap();
    let sum = Sum::of(ConnectorKind::Scalar, &[1.0, -0.4, 0.6]);
    let scalars = [reach.output(0), volume.output(0), mixed.output(1)];
    let sum = world.add_block("sum", sum, &scalars).unwrap();

    let equals = ScalarEquals::number(0.3);
    world
        .add_constraint("sum", equals, &[sum.output(0)])
        .unwrap();
    let same = [volume.output(0), others.scalar(1)];
    world
        .add_constraint("same", ScalarDifference::zero(), &same)
        .unwrap();
    if random.below(2) == 0 {
        let ends = [GROUND.at(random.vector(0.3)), mean.output(0)];
        world
            .add_constraint("held mean", FramePair::ball(), &ends)
            .unwrap();
    }
    let ends = [mixed.output(0), points[1].1];
    let tie = world
        .add_constraint("tie", Distance { length: 0.8 }, &ends)
        .unwrap();
    if random.below(2) == 0 {
        world.set_compliance(tie, &[0.01]).unwrap();
    }
    world
}

/// A lower priority on an output, against the reference of dense matrices.
#[test]
fn lower_priorities_on_outputs() {
    let mut n_compared = 0;
    for seed in 0..20 {
        let mut world = with_blocks(seed, 4, 0);
        let equation = world.find_constraint("sum").unwrap();
        world.set_priority(equation, 1).unwrap();
        for motion in [Motion::Acceleration, Motion::Displacement] {
            let (dense, b) = assembled(&world, motion, &SolveOptions::default());
            let mut simulator = Simulator::new();
            for method in Method::ALL {
                simulator.prepare(&world, motion, method);
                let force = match motion {
                    Motion::Acceleration => simulator.system().force().to_vec(),
                    _ => vec![0.0; dense.n_v],
                };
                let answer = dense.solve(&force, &b);
                if !answer.rank_is_clear() || answer.left[0] > 1e-11 {
                    continue;
                }
                let solution = simulator.solve_prepared().clone();
                let error = dense.motion_error(&answer, &solution.motion);
                assert!(error <= 1.0, "seed {seed}, {}: {error:e}", method.name());
                n_compared += 1;
            }
        }
    }
    assert!(n_compared > 50, "{n_compared}");
}
