//! Freedoms, redundancy, contradictions, reactions and shares of worlds with blocks.

use linkwork::constraint::{FramePair, ScalarDifference, ScalarEquals};
use linkwork::diagnose::{Closure, Permanence};
use linkwork::math::{add, cross, sub};
use linkwork::prelude::*;

use crate::functions::{Product, Sum};
use crate::support::{ROD, apart, numbers};

#[test]
fn freedoms_are_counted_through_blocks() {
    let mut world = World::new();
    let rod = world.add_body("rod", ROD).unwrap();
    let ends = [rod.at([-0.5, 0.0, 0.0]), rod.at([0.5, 0.0, 0.0])];
    let middle = world.add_block("middle", Sum::mean(2), &ends).unwrap();
    let hold = [GROUND.at([0.0; 3]), middle.output(0)];
    world
        .add_constraint("hold", FramePair::ball(), &hold)
        .unwrap();
    let found = diagnose(&world);
    assert_eq!((found.mobility, found.rank), (3, 3));
    assert!(found.redundant.is_empty(), "{found:?}");
    // The same place by a joint of the body: said twice.
    world
        .join("again", Ball, GROUND.at([0.0; 3]), rod.at([0.0; 3]))
        .unwrap();
    let found = diagnose(&world);
    assert_eq!((found.mobility, found.redundant.len()), (3, 3));
    for redundancy in &found.redundant {
        assert_eq!(redundancy.row.label, "again");
        assert_eq!(redundancy.permanence, Permanence::Permanent);
        assert!(redundancy.with.iter().all(|row| row.label == "hold"));
    }
    // A disabled block takes what hangs on it out.
    world.set_block_enabled(middle, false).unwrap();
    let found = diagnose(&world);
    assert_eq!((found.n_rows, found.mobility), (3, 3));
}

#[test]
fn equations_that_repeat_or_contradict_are_named() {
    let mut world = World::new();
    let trio = world.add_body("trio", numbers(&[1.0, 2.0, 3.0])).unwrap();
    let [a, b, c] = [0, 1, 2].map(|k| trio.scalar(k));
    let apart = |value| ScalarDifference {
        value,
        ..ScalarDifference::zero()
    };
    world.add_constraint("ab", apart(1.0), &[a, b]).unwrap();
    world.add_constraint("bc", apart(1.0), &[b, c]).unwrap();
    let found = diagnose(&world);
    assert_eq!((found.mobility, found.closure), (1, Closure::Closed));
    let last = world.add_constraint("ac", apart(2.0), &[a, c]).unwrap();
    let found = diagnose(&world);
    assert_eq!((found.mobility, found.redundant.len()), (1, 1));
    assert_eq!(found.redundant[0].row.label, "ac");
    // Now it cannot hold.
    world.replace_constraint(last, apart(2.5), &[a, c]).unwrap();
    let found = diagnose(&world);
    assert_eq!(found.closure, Closure::Contradictory);
    let labels: Vec<_> = found.contradictory.iter().map(|own| &*own.label).collect();
    assert!(labels.contains(&"ac"), "{labels:?}");
}

/// A motion that a nonlinear equation leaves is one along which its value stays.
#[test]
fn motions_keep_equations() {
    let mut world = World::new();
    let pair = world.add_body("pair", numbers(&[2.0, 0.5])).unwrap();
    let product = Product::of(2);
    let area = world
        .add_block("area", product, &[pair.coordinates()])
        .unwrap();
    let kept = ScalarEquals::number(1.0);
    world
        .add_constraint("area", kept, &[area.output(0)])
        .unwrap();
    let found = diagnose(&world);
    assert_eq!(found.mobility, 1);
    let motion = &found.motions[0];
    // b·ȧ + a·ḃ = 0.
    assert!(
        (0.5 * motion[0] + 2.0 * motion[1]).abs() < 1e-12,
        "{motion:?}"
    );
}

/// Two rods hang on their common middle: the ground carries both, each rod gets half of the force, and forces and
/// torques are in balance.
#[test]
fn reactions_and_shares_of_a_derived_point() {
    let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
    let poses = [
        Pose::turned([-0.4, 0.1, 0.0], [0.0, 0.3, 0.2]),
        Pose::turned([0.5, -0.2, 0.3], [0.4, 0.0, -0.2]),
    ];
    let rods = ["left", "right"].into_iter().zip(poses);
    let rods: Vec<BodyId> = rods
        .map(|(label, pose)| world.add_body_at(label, ROD, pose).unwrap())
        .collect();
    let points = [rods[0].at([0.3, 0.0, 0.0]), rods[1].at([-0.2, 0.0, 0.1])];
    let middle = world.add_block("middle", Sum::mean(2), &points).unwrap();
    let place = world.position_world(&middle.output(0)).unwrap();
    let at = [GROUND.at(place), middle.output(0)];
    let hold = world
        .add_constraint("hold", FramePair::ball(), &at)
        .unwrap();
    let mut simulator = Simulator::new();
    let solution = simulator.accelerations(&world, Method::Direct);

    let on_point = world
        .reaction(hold, &solution.lambda, ReactionOptions::default())
        .unwrap();
    assert_eq!((on_point.body, &*on_point.acts_on), (None, "middle"));
    assert!(apart(&on_point.point_world, &place) < 1e-15);
    let on_ground = world
        .reaction(hold, &solution.lambda, ReactionOptions::default().on(0))
        .unwrap();
    assert_eq!(
        (on_ground.body, &*on_ground.acts_on),
        (Some(GROUND), "ground")
    );
    assert!(apart(&add(on_point.force, on_ground.force), &[0.0; 3]) < 1e-12);

    let shares = world.shares(hold, &solution.lambda).unwrap();
    assert_eq!(shares.len(), 2);
    for (share, point) in shares.iter().zip(points) {
        let half = on_point.force.map(|f| 0.5 * f);
        assert!(apart(&share.generalized[..3], &half) < 1e-12);
        let record = world.body_record(share.body).unwrap();
        let (mass, com) = record.body().center_of_mass(world.q(share.body).unwrap());
        let arm = sub(world.position_world(&point).unwrap(), com);
        assert!(apart(&share.generalized[3..], &cross(arm, half)) < 1e-12);
        // Newton: m·a = share + weight.
        let a = solution.of_body(&world, share.body).unwrap();
        let net = add(half, [0.0, -9.81 * mass, 0.0]);
        assert!(apart(&[mass * a[0], mass * a[1], mass * a[2]], &net) < 1e-10);
        assert_eq!(share.body_label, record.label());
    }
    world.set_constraint_enabled(hold, false).unwrap();
    assert!(world.shares(hold, &solution.lambda).unwrap().is_empty());
}

/// The force of an equation on a number is its multiplier.
#[test]
fn the_reaction_of_an_equation_is_a_number() {
    let mut world = World::new();
    let own = world.add_body("own", numbers(&[1.0])).unwrap();
    let push = linkwork::behavior::OutputForce::on_scalar(3.0);
    world.add_behavior("push", push, &[own.scalar(0)]).unwrap();
    let fixed = ScalarEquals::number(1.0);
    let fixed = world
        .add_constraint("fixed", fixed, &[own.scalar(0)])
        .unwrap();
    let mut simulator = Simulator::new();
    let solution = simulator.accelerations(&world, Method::Direct);
    let reaction = world
        .reaction(fixed, &solution.lambda, ReactionOptions::default())
        .unwrap();
    assert!((reaction.generalized[0] + 3.0).abs() < 1e-12);
    assert_eq!(reaction.force, [0.0; 3]);
    assert_eq!(reaction.acts_on, "own");
    let shares = world.shares(fixed, &solution.lambda).unwrap();
    assert_eq!((shares[0].body, shares.len()), (own, 1));
}
