//! What cannot be built or run is refused by the user's names, and the world is as it was.

use linkwork::block::{Block, BlockMut};
use linkwork::body::{Number, Numbers};
use linkwork::connector::{ConnectorKind, Input, MAX_INPUTS};
use linkwork::constraint::{FramePair, ScalarEquals};
use linkwork::prelude::*;

use crate::functions::{Fault, Length, Mixed, Product, Root, Sum};
use crate::support::{ROD, numbers, tangle};

/// A block of any shape, good for nothing.
#[derive(Debug, Default)]
struct Odd {
    inputs: Vec<ConnectorKind>,
    outputs: Vec<ConnectorKind>,
    is_bad: bool,
}

impl Block for Odd {
    fn inputs(&self) -> &[ConnectorKind] {
        &self.inputs
    }

    fn outputs(&self) -> &[ConnectorKind] {
        &self.outputs
    }

    fn validate(&self) -> Result<(), Error> {
        match self.is_bad {
            true => Err(Error::field("shape", "is odd; give another")),
            false => Ok(()),
        }
    }

    fn eval(&self, _t: f64, _inputs: &[Input<'_>], _out: &mut BlockMut<'_>) {}
}

fn refused(problem: Result<impl Sized, Error>, words: &[&str]) {
    let problem = problem.err().unwrap().to_string();
    for word in words {
        assert!(problem.contains(word), "\"{word}\" is not in: {problem}");
    }
}

#[test]
fn blocks_that_make_no_sense_are_refused() {
    let mut world = tangle();
    let before = format!("{world:?}");
    let rod = world.find_body("rod 0").unwrap();
    let mean = world.find_block("mean").unwrap().output(0);
    let point = rod.at([0.0; 3]);
    let odd = |outputs: &[ConnectorKind]| Odd {
        outputs: outputs.to_vec(),
        ..Odd::default()
    };
    refused(world.add_block("", Length, &[point, mean]), &["label"]);
    refused(
        world.add_block("mean", Length, &[point, mean]),
        &["\"mean\"", "already"],
    );
    let bad = Odd {
        is_bad: true,
        ..odd(&[ConnectorKind::Scalar])
    };
    refused(
        world.add_block("new", bad, &[]),
        &["block \"new\"", "shape is odd"],
    );
    refused(
        world.add_block("new", odd(&[]), &[]),
        &["block \"new\"", "outputs are 0"],
    );
    let many = vec![ConnectorKind::Scalar; 65];
    refused(
        world.add_block("new", odd(&many), &[]),
        &["outputs are 65", "64"],
    );
    let empty = odd(&[ConnectorKind::Vector(0)]);
    refused(world.add_block("new", empty, &[]), &["without numbers"]);
    refused(
        world.add_block("new", Length, &[point]),
        &["\"new\"", "takes 2", "1 were"],
    );
    refused(
        world.add_block("new", Length, &[point, rod.direction([1.0, 0.0, 0.0])]),
        &["\"new\"", "connector 1", "point in space", "direction"],
    );
    let pair = world.find_body("pair").unwrap();
    refused(
        world.add_block("new", Product::of(3), &[pair.coordinates()]),
        &["vector of 3 numbers", "vector of 2 numbers"],
    );
    refused(
        world.add_block("new", Length, &[point, rod.coordinates()]),
        &["\"rod 0\" has no vector of coordinates"],
    );
    let kinds = vec![ConnectorKind::Point3; MAX_INPUTS + 1];
    let wide = Odd {
        inputs: kinds,
        ..odd(&[ConnectorKind::Scalar])
    };
    let all = vec![point; MAX_INPUTS + 1];
    refused(world.add_block("new", wide, &all), &["513", "at most 512"]);
    assert_eq!(format!("{world:?}"), before);
}

#[test]
fn outputs_that_do_not_exist_are_refused() {
    let mut world = tangle();
    let mean = world.find_block("mean").unwrap();
    let at = [GROUND.at([0.0; 3]), mean.output(1)];
    refused(
        world.add_constraint("new", FramePair::ball(), &at),
        &["\"new\"", "block \"mean\" has no output 1", "it has 1"],
    );
    let at = [GROUND.at([0.0; 3]), mean.output(usize::MAX)];
    refused(
        world.add_constraint("new", FramePair::ball(), &at),
        &["no output"],
    );
    let equals = ScalarEquals::number(0.0);
    refused(
        world.add_constraint("new", equals, &[mean.output(0)]),
        &["\"new\"", "scalar output", "point in space"],
    );
    // Ids of another world, and of what was removed.
    let other = tangle().find_block("mean").unwrap();
    refused(
        world.connector_value(&other.output(0)),
        &["block #1 belongs to another world"],
    );
    world.remove_block(mean).unwrap();
    let at = [GROUND.at([0.0; 3]), mean.output(0)];
    refused(
        world.add_constraint("new", FramePair::ball(), &at),
        &["block #1 was removed"],
    );
    refused(world.remove_block(mean), &["was removed"]);
    refused(world.set_block_enabled(mean, false), &["was removed"]);
    refused(world.replace_block(mean, Length, &[]), &["was removed"]);
}

/// A block takes only what was there before it, so nothing can go round.
#[test]
fn cycles_cannot_be_made() {
    let mut world = tangle();
    let [mean, mixed, reach] =
        ["mean", "mixed", "reach"].map(|label| world.find_block(label).unwrap());
    let before = format!("{world:?}");
    let point = GROUND.at([0.0; 3]);
    refused(
        world.replace_block(mean, Sum::mean(2), &[point, mean.output(0)]),
        &["block \"mean\"", "input 1", "before"],
    );
    refused(
        world.replace_block(mean, Sum::mean(2), &[mixed.output(0), point]),
        &["block \"mean\"", "input 0", "block \"mixed\"", "before"],
    );
    assert_eq!(format!("{world:?}"), before);
    // Another block that came before is as good.
    let ends = [mixed.output(0), point];
    world.replace_block(reach, Length, &ends).unwrap();
}

#[test]
fn replacing_keeps_what_hangs_on_a_block() {
    let mut world = tangle();
    let mean = world.find_block("mean").unwrap();
    let design = world.find_body("design").unwrap();
    let before = format!("{world:?}");
    let scalar = Sum::of(ConnectorKind::Scalar, &[1.0]);
    refused(
        world.replace_block(mean, scalar, &[design.scalar(0)]),
        &["\"hold\"", "must be a point in space", "scalar"],
    );
    // Nothing would be left to move.
    let still = [GROUND.at([0.0; 3]), GROUND.at([1.0, 0.0, 0.0])];
    refused(
        world.replace_block(mean, Sum::mean(2), &still),
        &["constraint \"hold\"", "every connector"],
    );
    let mixed = world.find_block("mixed").unwrap();
    let inputs = world.block_record(mixed).unwrap().inputs().to_vec();
    let fewer = Odd {
        inputs: Mixed(Fault::None).inputs().to_vec(),
        outputs: vec![ConnectorKind::Point3],
        is_bad: false,
    };
    refused(
        world.replace_block(mixed, fewer, &inputs),
        &["block \"mixed\" has no output"],
    );
    // A body that offers other kinds cannot take the place of one that a block takes.
    let solid = RigidBody::new(linkwork::body::MassProperties::centered(1.0, [0.1; 3]));
    refused(
        world.replace_body(design, Particle { mass: 1.0 }),
        &["has no"],
    );
    refused(world.replace_body(design, solid), &["n_q"]);
    assert_eq!(format!("{world:?}"), before);
    let more = Numbers::new([0.8, -0.5, 0.4].map(|start| Number::new(format!("n{start}"), start)));
    world.replace_body(design, more).unwrap();
}

#[test]
fn what_hangs_on_nothing_that_moves_is_refused() {
    let mut world = World::new();
    let ends = [GROUND.at([0.0; 3]), GROUND.at([1.0, 0.0, 0.0])];
    let still = world.add_block("still", Length, &ends).unwrap();
    let equals = ScalarEquals::number(1.0);
    refused(
        world.add_constraint("one", equals, &[still.output(0)]),
        &["constraint \"one\"", "can move"],
    );
    assert_eq!(world.connector_value(&still.output(0)).unwrap().x, [1.0]);
}

/// A root that is pulled below zero: the step is refused, names the block and its reason, and the world goes on as soon
/// as it can.
#[test]
fn a_block_that_is_not_finite_is_named() {
    for dynamics in [
        Dynamics::SecondOrder,
        Dynamics::FirstOrder,
        Dynamics::Assembly,
    ] {
        let mut world = World::new();
        world.set_dynamics(dynamics);
        let own = world.add_body("own", numbers(&[0.25])).unwrap();
        let root = world.add_block("root", Root, &[own.scalar(0)]).unwrap();
        let half = ScalarEquals::number(0.5);
        let held = world
            .add_constraint("half", half, &[root.output(0)])
            .unwrap();
        let mut simulator = Simulator::new();
        let options = StepOptions::interactive(1.0 / 60.0);
        simulator.step(&mut world, &options).unwrap();
        world.set_q(own, &[-0.03]).unwrap();
        let before = world.state().clone();
        let error = simulator.step(&mut world, &options).unwrap_err();
        let says = error.to_string();
        let why = "from block \"root\": square root of -0.030";
        assert!(says.contains(why), "{dynamics:?}: {says}");
        assert_eq!(world.state(), &before, "{dynamics:?}");
        let assembly = linkwork::assembly::AssembleOptions::default();
        let error = simulator.assemble(&mut world, &assembly).unwrap_err();
        assert!(error.to_string().contains(why), "{dynamics:?}: {error}");
        world.set_constraint_enabled(held, false).unwrap();
        simulator.step(&mut world, &options).unwrap();
        world.set_constraint_enabled(held, true).unwrap();
        world.set_q(own, &[0.3]).unwrap();
        for _ in 0..5 {
            simulator.step(&mut world, &options).unwrap();
        }
        let x = world.q(own).unwrap()[0];
        assert!((x - 0.25).abs() < 1e-6, "{dynamics:?}: {x}");
    }
}

/// The same where a hand leads it there within a step.
#[test]
fn a_block_that_ceases_to_be_finite_is_named() {
    for dynamics in [Dynamics::SecondOrder, Dynamics::FirstOrder] {
        let mut world = World::new();
        world.set_dynamics(dynamics);
        let own = world.add_body("own", numbers(&[0.25])).unwrap();
        let root = world.add_block("root", Root, &[own.scalar(0)]).unwrap();
        let push = linkwork::behavior::OutputForce::on_scalar(1e-3);
        world.add_behavior("push", push, &[root.output(0)]).unwrap();
        let grip = world.grab(own.scalar(0), Drag::Pin).unwrap();
        let mut simulator = Simulator::new();
        let options = StepOptions::interactive(1.0 / 60.0);
        simulator.step(&mut world, &options).unwrap();
        world.drag_scalar(grip, -1.0).unwrap();
        let mut refused = None;
        for _ in 0..2 {
            if let Err(error) = simulator.step(&mut world, &options) {
                refused = Some(error.to_string());
                break;
            }
        }
        let refused = refused.unwrap();
        assert!(
            refused.contains("block \"root\": square root of -"),
            "{refused}"
        );
        assert!(world.state().q.iter().all(|q| q.is_finite()));
    }
}

/// A body that is not finite is not the fault of a block over it.
#[test]
fn a_block_that_is_given_nonsense_is_not_to_blame() {
    let mut world = World::new();
    let rod = world.add_body("rod", ROD).unwrap();
    let tip = world
        .add_block("tip", Sum::mean(1), &[rod.at([0.5, 0.0, 0.0])])
        .unwrap();
    let push = linkwork::behavior::PointForce {
        force_world: [1e300, 0.0, 0.0],
    };
    world.add_behavior("push", push, &[tip.output(0)]).unwrap();
    let mut simulator = Simulator::new();
    let error = simulator
        .step(&mut world, &StepOptions::interactive(1e10))
        .unwrap_err();
    assert!(!error.to_string().contains("block"), "{error}");
}
