//! Blocks are added, found, switched, replaced, removed and restored like everything else.

use linkwork::connector::ConnectorKind;
use linkwork::constraint::{FramePair, ScalarEquals};
use linkwork::prelude::*;
use linkwork::world::{BlockRecord, Removed};

use crate::functions::{Length, Sum};
use crate::support::{ROD, numbers, tangle};

fn step(world: &mut World, n: usize) {
    let mut simulator = Simulator::new();
    for _ in 0..n {
        simulator
            .step(world, &StepOptions::interactive(1.0 / 120.0))
            .unwrap();
    }
}

#[test]
fn blocks_are_found_by_id_and_label() {
    let world = tangle();
    let labels: Vec<_> = world.blocks().iter().map(BlockRecord::label).collect();
    assert_eq!(labels, ["mean", "mixed", "volume", "reach", "total", "led"]);
    let mixed = world.find_block("mixed").unwrap();
    let record = world.block_record(mixed).unwrap();
    assert_eq!((record.id(), record.enabled()), (mixed, true));
    assert_eq!(record.inputs().len(), 4);
    assert_eq!(record.outputs().len(), 4);
    assert_eq!(world.find_block("nothing"), None);
    // The bodies behind a block of blocks, each once.
    let total = world.find_block("total").unwrap().output(0);
    let bodies = world.bodies_of(&total).iter();
    let labels: Vec<_> = bodies.map(|id| world.body_label(*id).unwrap()).collect();
    assert_eq!(labels, ["rod 0", "rod 1", "rod 2", "design", "pair"]);
}

/// While it runs, a rope from a to b becomes one from a to the middle of b and c.
#[test]
fn a_block_is_replaced_while_the_world_runs() {
    let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
    let bodies = [0.0, 1.0, 2.0].map(|x| {
        let pose = Pose::at([x, -1.0, 0.0]);
        let label = format!("bob {x}");
        world
            .add_body_at(&label, Particle { mass: 1.0 }, pose)
            .unwrap()
    });
    let [a, b, c] = bodies.map(|body| body.at([0.0; 3]));
    let one = Sum::mean(1);
    let end = world.add_block("end", one, &[b]).unwrap();
    let rope = Distance { length: 1.0 };
    world
        .add_constraint("rope", rope, &[a, end.output(0)])
        .unwrap();
    step(&mut world, 20);
    let id = world.find_block("end").unwrap();
    world.replace_block(id, Sum::mean(2), &[b, c]).unwrap();
    assert_eq!(world.find_block("end"), Some(end));
    let value = |world: &World| world.position_world(&end.output(0)).unwrap();
    let [p, q] = [b, c].map(|own| world.position_world(&own).unwrap());
    let middle = [0, 1, 2].map(|k| 0.5 * (p[k] + q[k]));
    assert_eq!(value(&world), middle);
    step(&mut world, 20);
    for error in world.constraint_errors().unwrap() {
        assert!(error.size() < 1e-8, "{}", error.label);
    }
    // c is behind the rope now: without it there is no rope.
    let removed = world.remove_body(bodies[2]).unwrap();
    assert_eq!(removed.block_labels().collect::<Vec<_>>(), ["end"]);
    assert_eq!(removed.constraint_labels().collect::<Vec<_>>(), ["rope"]);
}

#[test]
fn a_disabled_block_rests_with_all_that_hangs_on_it() {
    let mut world = tangle();
    let mean = world.find_block("mean").unwrap();
    let ids = ["hold", "tie", "sum", "slide", "spring"];
    let active = |world: &World| {
        ids.map(|label| {
            let id = world.find_constraint(label).unwrap();
            world.is_active(id).unwrap()
        })
    };
    assert_eq!(active(&world), [true; 5]);
    let before = world.clone();
    world.set_block_enabled(mean, false).unwrap();
    // Everything hangs on it, directly or through other blocks.
    assert_eq!(active(&world), [false; 5]);
    let mut simulator = Simulator::new();
    let solution = simulator.accelerations(&world, Method::Direct);
    let mut free = world.clone();
    for id in ids.map(|label| world.find_constraint(label).unwrap()) {
        free.remove_constraint(id).unwrap();
    }
    let push = world.find_behavior("push").unwrap();
    free.remove_behavior(push).unwrap();
    let alone = Simulator::new()
        .accelerations(&free, Method::Direct)
        .clone();
    assert_eq!(solution.motion, alone.motion);
    let volume = world.find_block("volume").unwrap();
    assert!(world.block_record(volume).unwrap().enabled());
    world.set_block_enabled(mean, true).unwrap();
    assert_eq!(active(&world), [true; 5]);
    let (mut again, mut before) = (world, before);
    step(&mut again, 3);
    step(&mut before, 3);
    assert_eq!(again.state(), before.state());
}

#[test]
fn bodies_that_are_disabled_take_derived_constraints_with_them() {
    let mut world = tangle();
    let rod = world.find_body("rod 2").unwrap();
    world.set_body_enabled(rod, false).unwrap();
    let hold = world.find_constraint("hold").unwrap();
    assert!(!world.is_active(hold).unwrap());
    step(&mut world, 3);
    world.set_body_enabled(rod, true).unwrap();
    assert!(world.is_active(hold).unwrap());
    step(&mut world, 3);
}

/// Removes one thing and puts it back: the same world, to the last bit of what follows.
fn there_and_back(remove: impl Fn(&mut World) -> Removed) -> Removed {
    let mut world = tangle();
    let grip = world
        .grab_as(
            "hand",
            world.find_block("reach").unwrap().output(0),
            Drag::Follow,
        )
        .unwrap();
    step(&mut world, 2);
    let mut copy = world.clone();
    let removed = remove(&mut copy);
    step(&mut copy, 2);
    copy.restore_removed(&removed).unwrap();
    let state = world.state().clone();
    copy.set_state(state).unwrap();
    assert_eq!(copy.grips(), world.grips());
    for world in [&mut copy, &mut world] {
        world.drag_scalar(grip, 0.4).unwrap();
        step(world, 3);
    }
    assert_eq!(copy.state(), world.state());
    removed
}

#[test]
fn removals_take_what_hangs_on_them_and_are_undone() {
    let removed = there_and_back(|world| {
        let mean = world.find_block("mean").unwrap();
        world.remove_block(mean).unwrap()
    });
    let mut blocks: Vec<_> = removed.block_labels().collect();
    blocks.sort_unstable();
    assert_eq!(blocks, ["mean", "mixed", "reach", "total"]);
    let mut joints: Vec<_> = removed.constraint_labels().collect();
    joints.sort_unstable();
    assert_eq!(joints, ["hand", "hold", "slide", "spring", "sum", "tie"]);
    assert_eq!(removed.behavior_labels().collect::<Vec<_>>(), ["push"]);

    let removed = there_and_back(|world| {
        let rod = world.find_body("rod 1").unwrap();
        world.remove_body(rod).unwrap()
    });
    assert_eq!(removed.block_labels().count(), 4);

    let removed = there_and_back(|world| {
        let volume = world.find_block("volume").unwrap();
        world.remove_block(volume).unwrap()
    });
    let mut blocks: Vec<_> = removed.block_labels().collect();
    blocks.sort_unstable();
    assert_eq!(blocks, ["total", "volume"]);
    assert_eq!(removed.constraint_labels().collect::<Vec<_>>(), ["sum"]);
}

#[test]
fn ids_are_not_given_out_twice() {
    let mut world = tangle();
    let before = world.snapshot();
    let body = world.find_body("rod 0").unwrap().at([0.0; 3]);
    let first = world.add_block("first", Sum::mean(1), &[body]).unwrap();
    world.remove_block(first).unwrap();
    let second = world.add_block("second", Sum::mean(1), &[body]).unwrap();
    assert!(second.number() > first.number());
    world.restore(&before).unwrap();
    assert_eq!(world.find_block("second"), None);
    let third = world.add_block("third", Sum::mean(1), &[body]).unwrap();
    assert!(third.number() > second.number());
    let gone = world.connector_value(&first.output(0)).unwrap_err();
    assert!(gone.to_string().contains("block #7 was removed"), "{gone}");
}

/// What was taken out comes back only where it still fits.
#[test]
fn restoring_checks_what_changed_since() {
    let mut world = World::new();
    let rod = world.add_body("rod", ROD).unwrap();
    let own = world.add_body("own", numbers(&[1.0])).unwrap();
    let point = world
        .add_block("p", Sum::mean(1), &[rod.at([0.0; 3])])
        .unwrap();
    let at = [GROUND.at([0.0; 3]), point.output(0)];
    let ball = world
        .add_constraint("ball", FramePair::ball(), &at)
        .unwrap();
    let removed = world.remove_constraint(ball).unwrap();
    let scalar = Sum::of(ConnectorKind::Scalar, &[2.0]);
    world
        .replace_block(point, scalar, &[own.scalar(0)])
        .unwrap();
    let problem = world.restore_removed(&removed).unwrap_err();
    assert!(
        problem.to_string().contains("must be a point in space"),
        "{problem}"
    );
    let block = world.remove_block(point).unwrap();
    let problem = world.restore_removed(&removed).unwrap_err();
    assert!(
        problem.to_string().contains("block #1 was removed"),
        "{problem}"
    );
    world.restore_removed(&block).unwrap();
    world
        .replace_block(point, Sum::mean(1), &[rod.at([0.0; 3])])
        .unwrap();
    world.restore_removed(&removed).unwrap();
    assert_eq!(world.find_constraint("ball"), Some(ball));
}

/// A constraint that comes back to a block which meanwhile moves with nothing rests.
#[test]
fn what_comes_back_to_nothing_rests() {
    let mut world = World::new();
    let rod = world.add_body("rod", ROD).unwrap();
    let ends = |b| [GROUND.at([0.0; 3]), b];
    let far = world
        .add_block("far", Length, &ends(rod.at([0.5, 0.0, 0.0])))
        .unwrap();
    let equals = ScalarEquals::number(1.0);
    let equals = world
        .add_constraint("one", equals, &[far.output(0)])
        .unwrap();
    let removed = world.remove_constraint(equals).unwrap();
    let still = ends(GROUND.at([2.0, 0.0, 0.0]));
    world.replace_block(far, Length, &still).unwrap();
    world.restore_removed(&removed).unwrap();
    step(&mut world, 2);
    assert_eq!(diagnose(&world).n_rows, 0);
}
