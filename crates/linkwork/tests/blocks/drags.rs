//! Hands on numbers and on outputs: force, follow and pin.

use linkwork::body::{Number, Numbers};
use linkwork::connector::Connector;
use linkwork::constraint::{ScalarDifference, ScalarEquals};
use linkwork::prelude::*;

use crate::functions::{Length, Product, Sum};
use crate::support::{ROD, numbers};

const FORCE: Drag = Drag::Force {
    stiffness: 500.0,
    damping: 1.0,
};

fn value(world: &World, connector: &Connector) -> f64 {
    world.connector_value(connector).unwrap().x[0]
}

/// Numbers a and b and their product, in a world without momentum.
fn product(drags: [f64; 2]) -> (World, BodyId, Connector) {
    let mut world = World::new();
    world.set_dynamics(Dynamics::FirstOrder);
    let named = ["a", "b"].into_iter().zip([0.6, 1.5]).zip(drags);
    let pair = named.map(|((name, start), drag)| Number::new(name, start).with_drag(drag));
    let pair = world.add_body("pair", Numbers::new(pair)).unwrap();
    let product = Product::of(2);
    let area = world
        .add_block("area", product, &[pair.coordinates()])
        .unwrap();
    (world, pair, area.output(0))
}

/// A slider of an output pulls what it depends on (Witkin 1990, §5.3): a·b is where the hand is, and as
/// `D_a·ȧ = λ·b`, `D_b·ḃ = λ·a`, `D_a·a² − D_b·b²` stays.
#[test]
fn a_slider_of_an_output_pulls_its_inputs() {
    for drag in [Drag::Follow, Drag::Pin] {
        let off = |n_frames: u32| {
            let drags = [2e-4, 5e-4];
            let (mut world, pair, area) = product(drags);
            let kept = |world: &World| {
                let q = world.q(pair).unwrap();
                drags[0] * q[0] * q[0] - drags[1] * q[1] * q[1]
            };
            let before = kept(&world);
            let grip = world.grab(area, drag).unwrap();
            let mut simulator = Simulator::new();
            for frame in 1..=n_frames {
                let goal = 0.9 + 1.5 * f64::from(frame) / f64::from(n_frames);
                world.drag_scalar(grip, goal).unwrap();
                let options = StepOptions::interactive(1.0 / 60.0);
                let report = simulator.step(&mut world, &options).unwrap();
                assert!(report.gave_way.is_empty(), "{report:?}");
                let miss = (value(&world, &area) - goal).abs();
                assert!(miss < 1e-8, "{drag:?}: {miss:e}");
            }
            world.release(grip).unwrap();
            (kept(&world) - before).abs() / before.abs()
        };
        let (coarse, fine) = (off(30), off(120));
        assert!(
            coarse < 0.1 && fine < 0.3 * coarse,
            "{drag:?}: {coarse:e} {fine:e}"
        );
    }
}

/// A spring to the hand ends where forces balance, in both orders.
#[test]
fn a_number_is_pulled_by_force() {
    let mut world = World::new();
    world.set_dynamics(Dynamics::FirstOrder);
    let own = world.add_body("own", numbers(&[1.0])).unwrap();
    let wish = ScalarEquals::number(1.0);
    let wish = world
        .add_constraint("wish", wish, &[own.scalar(0)])
        .unwrap();
    world.set_compliance(wish, &[1.0 / 250.0]).unwrap();
    world.set_damping(wish, &[1.0]).unwrap();
    let grip = world.grab(own.scalar(0), FORCE).unwrap();
    world.drag_scalar(grip, 4.0).unwrap();
    let mut simulator = Simulator::new();
    for dynamics in [Dynamics::FirstOrder, Dynamics::SecondOrder] {
        world.set_dynamics(dynamics);
        for _ in 0..600 {
            let options = StepOptions::interactive(1.0 / 60.0);
            simulator.step(&mut world, &options).unwrap();
        }
        // Two springs, 250 to 1 and 500 to 4.
        let x = value(&world, &own.scalar(0));
        assert!((x - 3.0).abs() < 1e-3, "{dynamics:?}: {x}");
    }
}

/// What cannot be reached is followed as far as equations let it, and a pin makes a fixed number give way.
#[test]
fn follow_gives_way_and_pin_does_not() {
    let build = || {
        let (mut world, pair, area) = product([1e-4; 2]);
        for (k, start) in [0.6, 1.5].into_iter().enumerate() {
            let fixed = ScalarEquals::number(start);
            let label = ["a", "b"][k];
            let number = pair.scalar(k as u32);
            world.add_constraint(label, fixed, &[number]).unwrap();
        }
        (world, pair, area)
    };
    let lead = |drag: Drag| {
        let (mut world, pair, area) = build();
        let grip = world.grab(area, drag).unwrap();
        world.drag_scalar(grip, 2.0).unwrap();
        let mut simulator = Simulator::new();
        let mut report = None;
        for _ in 0..60 {
            let options = StepOptions::interactive(1.0 / 60.0);
            report = Some(simulator.step(&mut world, &options).unwrap());
        }
        let q = world.q(pair).unwrap().to_vec();
        let gave = report.unwrap().gave_way;
        let gave = gave.iter().map(|own| {
            let record = world.constraint_record(own.constraint).unwrap();
            record.label().to_owned()
        });
        let gave: Vec<String> = gave.collect();
        (value(&world, &area), q, gave)
    };
    let (area, q, _) = lead(Drag::Follow);
    assert!((area - 0.9).abs() < 1e-9, "{area}");
    assert!((q[0] - 0.6).abs() < 1e-9, "{q:?}");
    let (area, q, gave) = lead(Drag::Pin);
    assert!((area - 2.0).abs() < 1e-8, "{area}");
    assert!(q[0] > 0.7 && q[1] > 1.6, "{q:?}");
    assert_eq!(gave, ["a", "b"]);
}

/// A slider of a distance moves a linkage: two rods on a string of hinges, led by how far their ends are apart.
#[test]
fn a_slider_of_a_distance_moves_a_linkage() {
    for dynamics in [Dynamics::FirstOrder, Dynamics::SecondOrder] {
        for drag in [Drag::Follow, Drag::Pin] {
            let mut world = World::new();
            world.set_dynamics(dynamics);
            let a = world
                .add_body_at("a", ROD, Pose::at([0.5, 0.0, 0.0]))
                .unwrap();
            let turned = Pose::turned([1.0, 0.5, 0.0], [0.0, 0.0, std::f64::consts::FRAC_PI_2]);
            let b = world.add_body_at("b", ROD, turned).unwrap();
            let hinge = Hinge {
                axis_world: [0.0, 0.0, 1.0],
            };
            let at = |x: f64| [x, 0.0, 0.0];
            world
                .join("shoulder", hinge, GROUND.at(at(0.0)), a.at(at(-0.5)))
                .unwrap();
            world
                .join("elbow", hinge, a.at(at(0.5)), b.at(at(-0.5)))
                .unwrap();
            let tip = b.at(at(0.5));
            let ends = [GROUND.at(at(0.0)), tip];
            let reach = world.add_block("reach", Length, &ends).unwrap();
            let reach = reach.output(0);
            let start = value(&world, &reach);
            let grip = world.grab(reach, drag).unwrap();
            assert!(world.grips()[0].is_number());
            let mut simulator = Simulator::new();
            for frame in 1..=60 {
                let goal = start - 0.01 * f64::from(frame);
                world.drag_scalar(grip, goal).unwrap();
                let options = StepOptions::interactive(1.0 / 60.0);
                let report = simulator.step(&mut world, &options).unwrap();
                assert!(report.position_error < 1e-8, "{report:?}");
                let miss = (value(&world, &reach) - goal).abs();
                assert!(miss < 1e-7, "{dynamics:?}, {drag:?}: {miss:e}");
            }
            // Out of reach: as far as it goes.
            world.set_drag(grip, Drag::Follow).unwrap();
            world.drag_scalar(grip, 5.0).unwrap();
            for _ in 0..120 {
                let options = StepOptions::interactive(1.0 / 60.0);
                simulator.step(&mut world, &options).unwrap();
            }
            if dynamics == Dynamics::FirstOrder {
                let far = value(&world, &reach);
                assert!((far - 2.0).abs() < 0.02, "{drag:?}: {far}");
            }
        }
    }
}

/// Out and back along the same goals leads home: no kick, no flip, no hysteresis of a design with equations.
#[test]
fn a_design_comes_home() {
    let mut world = World::new();
    world.set_dynamics(Dynamics::FirstOrder);
    let design = world.add_body("design", numbers(&[0.8, 1.2, 0.5])).unwrap();
    let [a, b, c] = [0, 1, 2].map(|k| design.scalar(k));
    let product = Product::of(3);
    let volume = world
        .add_block("volume", product, &[design.coordinates()])
        .unwrap();
    let kept = ScalarEquals::number(0.48);
    world
        .add_constraint("volume", kept, &[volume.output(0)])
        .unwrap();
    let same = ScalarDifference {
        value: 0.4,
        ..ScalarDifference::zero()
    };
    world.add_constraint("wider", same, &[a, b]).unwrap();
    let home = world.q(design).unwrap().to_vec();
    let grip = world.grab(c, Drag::Follow).unwrap();
    let mut simulator = Simulator::new();
    let (n, mut before) = (60i32, home.clone());
    for frame in 1..=2 * n {
        let way = f64::from(n - (frame - n).abs()) / f64::from(n);
        world.drag_scalar(grip, 0.5 + 0.7 * way).unwrap();
        let options = StepOptions::interactive(1.0 / 60.0);
        simulator.step(&mut world, &options).unwrap();
        let now = world.q(design).unwrap().to_vec();
        let jump = crate::support::apart(&before, &now);
        assert!(jump < 0.05, "frame {frame}: {jump}");
        before = now;
    }
    let off = crate::support::apart(&home, &before);
    assert!(off < 1e-8, "{off:e}");
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let (mut world, pair, area) = product([1e-4; 2]);
    let rod = world.add_body("rod", ROD).unwrap();
    let number = world.grab_as("slider", area, Drag::Follow).unwrap();
    let place = world
        .grab_as("finger", rod.at([0.0; 3]), Drag::Follow)
        .unwrap();
    let before = world.state().clone();
    let says = |problem: Result<(), Error>, words: &[&str]| {
        let problem = problem.unwrap_err().to_string();
        for word in words {
            assert!(problem.contains(word), "{problem}");
        }
    };
    says(world.drag(number, [0.0; 3]), &["slider", "drag_scalar"]);
    let pose = Pose::at([0.0; 3]);
    says(world.drag_frame(number, pose), &["slider", "drag_scalar"]);
    says(
        world.drag_scalar(place, 1.0),
        &["finger", "a place is held"],
    );
    says(world.drag_scalar(number, f64::NAN), &["slider", "goal"]);
    assert_eq!(&before, world.state());
    let all = world.grab(pair.coordinates(), Drag::Follow).unwrap_err();
    assert!(all.to_string().contains("vector of 2 numbers"), "{all}");
    assert_eq!(world.grips().len(), 2);
    // A number of nothing that moves cannot be led.
    let fixed = [GROUND.at([0.0; 3]), GROUND.at([1.0, 0.0, 0.0])];
    let still = world.add_block("still", Length, &fixed).unwrap();
    let problem = world.grab(still.output(0), Drag::Pin).unwrap_err();
    assert!(matches!(problem, Error::NothingToMove { .. }), "{problem}");
}

/// A derived point is held as a point of a body is: the middle of two loose particles.
#[test]
fn a_hand_on_a_derived_point_shares_its_pull() {
    let mut world = World::new();
    world.set_dynamics(Dynamics::FirstOrder);
    let ends = [1.0, 3.0].map(|mass| {
        let label = format!("{mass}");
        let place = Pose::at([mass, 0.0, 0.0]);
        world.add_body_at(&label, Particle { mass }, place).unwrap()
    });
    let points = ends.map(|end| end.at([0.0; 3]));
    let middle = world.add_block("middle", Sum::mean(2), &points).unwrap();
    let grip = world.grab(middle.output(0), Drag::Follow).unwrap();
    world.drag(grip, [2.0, 1.0, 0.0]).unwrap();
    let mut simulator = Simulator::new();
    simulator
        .step(&mut world, &StepOptions::interactive(1.0 / 60.0))
        .unwrap();
    let [light, heavy] = ends.map(|end| world.q(end).unwrap()[1]);
    assert!((0.5 * (light + heavy) - 1.0).abs() < 1e-9);
    // D·v = Lᵀ·λ: three times as heavy moves a third as far.
    assert!((light - 3.0 * heavy).abs() < 1e-9, "{light} {heavy}");
}
