//! Steps of worlds with blocks: laws, schemes, worlds without momentum, metrics.

use linkwork::body::{Number, Numbers};
use linkwork::connector::ConnectorKind;
use linkwork::constraint::{FramePair, RowUnit, ScalarDifference, ScalarEquals};
use linkwork::prelude::*;

use crate::functions::{Length, Product, Sum};
use crate::support::{ROD, apart, numbers, tangle};

/// Three rods in free flight, the mean of two of them tied to the third.
fn flying() -> World {
    let mut world = World::new();
    let mut ends = Vec::new();
    for k in 0..3 {
        let k = f64::from(k);
        let pose = Pose::turned([0.8 * k, 0.3 * k, -0.2], [0.2 * k, 0.5, -0.1]);
        let rod = world.add_body_at(&format!("rod {k}"), ROD, pose).unwrap();
        let v = [0.3 - k, 0.4, 0.2 * k, 1.0, -0.6 * k, 0.8];
        world.set_v(rod, &v).unwrap();
        ends.push(rod.at([0.4, 0.0, 0.1]));
    }
    let mean = world.add_block("mean", Sum::mean(2), &ends[..2]).unwrap();
    let at = [mean.output(0), ends[2]];
    let length = Length;
    let reach = world.add_block("reach", length, &at).unwrap();
    let apart = world.connector_value(&reach.output(0)).unwrap().x[0];
    let tie = Distance { length: apart };
    world.add_constraint("tie", tie, &at).unwrap();
    Simulator::new()
        .assemble(&mut world, &linkwork::assembly::AssembleOptions::default())
        .unwrap();
    world
}

/// A tie between derived points is an inner force: momenta stay to round-off, energy to the order of the scheme.
#[test]
fn derived_ties_keep_momenta_and_energy() {
    for (options, drift) in [
        (StepOptions::interactive(1.0 / 240.0), 1e-3),
        (StepOptions::precise(1.0 / 60.0), 1e-7),
        (StepOptions::symplectic4(1.0 / 60.0), 1e-4),
    ] {
        let mut world = flying();
        let start = world.momentum();
        let energy = |world: &World| world.energy().unwrap().kinetic;
        let before = energy(&world);
        let mut simulator = Simulator::new();
        for _ in 0..120 {
            simulator.step(&mut world, &options).unwrap();
        }
        let end = world.momentum();
        let what = format!("{:?}", options.scheme);
        let off = apart(&start.linear, &end.linear);
        assert!(off < 1e-10, "{what}: linear {off:e}");
        let off = apart(&start.angular, &end.angular);
        assert!(off < 1e-6, "{what}: angular {off:e}");
        let off = (energy(&world) / before - 1.0).abs();
        assert!(off < drift, "{what}: energy {off:e}");
    }
}

/// Every scheme closes what hangs on blocks, and the same world gives the same bits again.
#[test]
fn schemes_close_constraints_on_outputs() {
    let mut world = tangle();
    let assembled = Simulator::new()
        .assemble(&mut world, &linkwork::assembly::AssembleOptions::default())
        .unwrap();
    assert!(assembled.residuals.is_empty(), "{assembled:?}");
    let dt = 1.0 / 120.0;
    for options in [
        StepOptions::interactive(dt),
        StepOptions::precise(dt),
        StepOptions::symplectic4(dt),
    ] {
        for dynamics in [
            Dynamics::SecondOrder,
            Dynamics::FirstOrder,
            Dynamics::Assembly,
        ] {
            let run = || {
                let mut world = world.clone();
                world.set_dynamics(dynamics);
                let mut simulator = Simulator::new();
                for _ in 0..40 {
                    let report = simulator.step(&mut world, &options).unwrap();
                    let error = report.position_error;
                    assert!(
                        error < 1e-8,
                        "{:?}, {dynamics:?}: {error:e}",
                        options.scheme
                    );
                }
                world.state().clone()
            };
            assert_eq!(run(), run(), "{:?}, {dynamics:?}", options.scheme);
        }
    }
}

/// Equations are solved where they are put: a·b = 6 and a − b = 1 from (1, 1).
#[test]
fn equations_are_assembled() {
    let mut world = World::new();
    let pair = world.add_body("pair", numbers(&[1.0, 1.0])).unwrap();
    let product = Product::of(2);
    let product = world
        .add_block("product", product, &[pair.coordinates()])
        .unwrap();
    let six = ScalarEquals::number(6.0);
    world
        .add_constraint("product", six, &[product.output(0)])
        .unwrap();
    let apart = ScalarDifference {
        value: -1.0,
        unit: RowUnit::Number,
    };
    let both = [pair.scalar(0), pair.scalar(1)];
    world.add_constraint("apart", apart, &both).unwrap();
    let options = linkwork::assembly::AssembleOptions::default();
    let report = Simulator::new().assemble(&mut world, &options).unwrap();
    assert!(report.residuals.is_empty(), "{report:?}");
    let q = world.q(pair).unwrap();
    assert!(
        (q[0] - 3.0).abs() < 1e-9 && (q[1] - 2.0).abs() < 1e-9,
        "{q:?}"
    );
}

/// Numbers do not fall, and weigh nothing.
#[test]
fn numbers_have_no_weight() {
    let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
    let own = world.add_body("own", numbers(&[1.0, 2.0])).unwrap();
    world.set_v(own, &[0.5, 0.0]).unwrap();
    let mut simulator = Simulator::new();
    for _ in 0..60 {
        let options = StepOptions::interactive(1.0 / 60.0);
        simulator.step(&mut world, &options).unwrap();
    }
    assert!(apart(world.q(own).unwrap(), &[1.5, 2.0]) < 1e-12);
    assert_eq!(world.center_of_mass(), None);
    assert_eq!(world.pose(own).unwrap(), None);
}

/// With springs a first-order step is implicit, `min E(q) + |q − q₀|²_D/2h` such that `x + y` stays: free motion and
/// corrections are both measured by `D`. With `J = (1, 1)` and `E = ½·k·(x − 3)²` one step is
/// `δ = h·k·(3 − x)/(D_x + D_y + h·k)`, `(x, y) ← (x + δ, y − δ)`.
#[test]
fn implicit_flow_is_measured_by_drag() {
    let (dx, dy, k, h) = (2.0, 50.0, 30.0, 0.05);
    let mut world = World::new();
    world.set_dynamics(Dynamics::FirstOrder);
    let pair = Numbers::new([
        Number::new("x", 1.0).with_mass(7.0).with_drag(dx),
        Number::new("y", 2.0).with_mass(0.3).with_drag(dy),
    ]);
    let pair = world.add_body("pair", pair).unwrap();
    let [x, y] = [pair.scalar(0), pair.scalar(1)];
    let sum = Sum::of(ConnectorKind::Scalar, &[1.0, 1.0]);
    let sum = world.add_block("sum", sum, &[x, y]).unwrap();
    let stays = ScalarEquals::number(3.0);
    world
        .add_constraint("sum", stays, &[sum.output(0)])
        .unwrap();
    let wish = world
        .add_constraint("wish", ScalarEquals::number(3.0), &[x])
        .unwrap();
    world.set_compliance(wish, &[1.0 / k]).unwrap();
    let mut simulator = Simulator::new();
    let mut expected = 1.0;
    for _ in 0..5 {
        simulator
            .step(&mut world, &StepOptions::interactive(h))
            .unwrap();
        expected += h * k * (3.0 - expected) / (dx + dy + h * k);
        let q = world.q(pair).unwrap();
        assert!((q[0] - expected).abs() < 1e-9, "{q:?} {expected}");
        assert!((q[0] + q[1] - 3.0).abs() < 1e-9);
    }
}

/// Without springs the same holds: what is pushed off its row comes back along `D`, and a factor of another metric is
/// not used again.
#[test]
fn closing_is_measured_by_drag_where_nothing_has_momentum() {
    for dynamics in [
        Dynamics::FirstOrder,
        Dynamics::Assembly,
        Dynamics::SecondOrder,
    ] {
        let mut world = World::new();
        world.set_dynamics(dynamics);
        let pair = Numbers::new([
            Number::new("x", 0.0).with_mass(1.0).with_drag(4.0),
            Number::new("y", 0.0).with_mass(3.0).with_drag(1.0),
        ]);
        let pair = world.add_body("pair", pair).unwrap();
        let sum = Sum::of(ConnectorKind::Scalar, &[1.0, 1.0]);
        let both = [pair.scalar(0), pair.scalar(1)];
        let sum = world.add_block("sum", sum, &both).unwrap();
        let one = ScalarEquals::number(1.0);
        world.add_constraint("sum", one, &[sum.output(0)]).unwrap();
        let mut simulator = Simulator::new();
        // A factor for accelerations at this place is by masses.
        simulator.accelerations(&world, Method::Direct);
        let options = linkwork::assembly::AssembleOptions::default();
        simulator.assemble(&mut world, &options).unwrap();
        let expected = match dynamics {
            Dynamics::SecondOrder => [0.75, 0.25],
            _ => [0.2, 0.8],
        };
        let q = world.q(pair).unwrap();
        assert!(apart(q, &expected) < 1e-12, "{dynamics:?}: {q:?}");
    }
}

/// More than eight inputs: a center of mass of twenty particles, held.
#[test]
fn a_mean_of_many_is_held() {
    let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
    let mut points = Vec::new();
    for k in 0..20 {
        let place = Pose::at([f64::from(k), 0.1 * f64::from(k * k), 0.0]);
        let body = Particle { mass: 1.0 };
        let body = world.add_body_at(&format!("{k}"), body, place).unwrap();
        points.push(body.at([0.0; 3]));
    }
    let mean = world.add_block("mean", Sum::mean(20), &points).unwrap();
    let here = world.position_world(&mean.output(0)).unwrap();
    let at = [GROUND.at(here), mean.output(0)];
    let hold = world
        .add_constraint("hold", FramePair::ball(), &at)
        .unwrap();
    let mut simulator = Simulator::new();
    let solution = simulator.accelerations(&world, Method::Direct);
    assert!(solution.motion.iter().all(|a| a.abs() < 1e-12));
    let reaction = world.reaction(hold, &solution.lambda, ReactionOptions::default());
    assert!((reaction.unwrap().force[1] - 20.0 * 9.81).abs() < 1e-9);
}
