//! Long structures: rows of bodies whose rows nearly repeat each other, the more bodies the nearer.

use std::collections::BTreeSet;

use linkwork::connector::{ConnectorKind, Input};
use linkwork::constraint::{Constraint, RowUnit, Rows};
use linkwork::diagnose::{Closure, DiagnoseOptions, Diagnosis, RowName, diagnose_with};
use linkwork::math::{dot, scale, sub};
use linkwork::prelude::*;
use linkwork::system::Motion;
use linkwork::world::Joint;
use linkwork_scene::scene;

const INNER: [f64; 3] = [-0.5, 0.0, 0.0];
const OUTER: [f64; 3] = [0.5, 0.0, 0.0];

/// A diagnosis without the search for a nearby pose, and with a few motions.
fn of(world: &World) -> Diagnosis {
    let options = DiagnoseOptions::default().max_motions(3);
    let diagnosis = diagnose_with(world, &options.look_nearby(false));
    check_motions(world, &diagnosis);
    diagnosis
}

/// Every motion fulfills J·v = 0.
fn check_motions(world: &World, diagnosis: &Diagnosis) {
    let mut simulator = Simulator::new();
    simulator.prepare(world, Motion::Velocity, Method::Direct);
    let triplets = simulator.system().jacobian_triplets();
    assert_eq!(diagnosis.motions.len(), diagnosis.mobility.min(3));
    for v in &diagnosis.motions {
        let mut rates = vec![0.0; simulator.system().n_rows()];
        for &(row, column, value) in &triplets {
            rates[row] += value * v[column];
        }
        let largest = rates.iter().fold(0.0f64, |m, rate| m.max(rate.abs()));
        assert!(largest < 1e-9, "a motion opens a joint by {largest:e}");
    }
}

/// The rows of `diagnosis.undetermined`, by their joint and number.
fn rows(names: &[RowName]) -> BTreeSet<(String, usize)> {
    let each = names.iter().map(|row| (row.label.clone(), row.row));
    each.collect()
}

fn bar(world: &mut World, label: &str, from: [f64; 3], yaw: f64) -> BodyId {
    let rod = Rod {
        length: 1.0,
        radius: 0.05,
        mass: 1.0,
    };
    let center = [
        from[0] + 0.5 * yaw.cos(),
        from[1] + 0.5 * yaw.sin(),
        from[2],
    ];
    let pose = Pose::turned(center, [0.0, 0.0, yaw]);
    world.add_body_at(label, rod, pose).unwrap()
}

/// `n` bars along half a regular polygon, from the ground to the ground.
fn arch(n: usize, joint: impl Joint + Copy) -> World {
    let mut world = World::new();
    let (mut held, mut at) = (GROUND.at([0.0; 3]), [0.0; 3]);
    for i in 0..n {
        let yaw = std::f64::consts::PI * (0.5 - (i as f64 + 0.5) / n as f64);
        let body = bar(&mut world, &format!("bar {i}"), at, yaw);
        let label = format!("joint {i}");
        world.join(&label, joint, held, body.at(INNER)).unwrap();
        held = body.at(OUTER);
        at = [at[0] + yaw.cos(), at[1] + yaw.sin(), 0.0];
    }
    let label = format!("joint {n}");
    world.join(&label, joint, held, GROUND.at(at)).unwrap();
    world
}

const ABOUT_Z: Hinge = Hinge {
    axis_world: [0.0, 0.0, 1.0],
};

/// Three bars that make a square with the last bar of a chain; its hinges stand upright.
fn end_in_a_square(world: &mut World, n: usize) {
    use std::f64::consts::{FRAC_PI_2, PI};
    let last = world.find_body(&format!("bar {}", n - 1)).unwrap();
    let x = n as f64;
    let right = bar(world, "right", [x, 0.0, 0.0], FRAC_PI_2);
    let top = bar(world, "top", [x, 1.0, 0.0], PI);
    let left = bar(world, "left", [x - 1.0, 1.0, 0.0], -FRAC_PI_2);
    for (label, a, b) in [
        ("A", last.at(OUTER), right.at(INNER)),
        ("B", right.at(OUTER), top.at(INNER)),
        ("C", top.at(OUTER), left.at(INNER)),
        ("D", left.at(OUTER), last.at(INNER)),
    ] {
        world.join(label, ABOUT_Z, a, b).unwrap();
    }
}

#[test]
fn trees_repeat_nothing() {
    for name in ["chain:2000", "chain-hinge:2000", "tree:2000"] {
        let diagnosis = of(&scene(name).unwrap());
        assert_eq!(diagnosis.rank, diagnosis.n_rows, "{name}");
        assert_eq!(diagnosis.redundant, [], "{name}");
        assert_eq!(diagnosis.undetermined, [], "{name}");
        assert_eq!(diagnosis.contradictory, [], "{name}");
        assert_eq!(diagnosis.closure, Closure::Closed, "{name}");
        assert_eq!(
            diagnosis.mobility,
            diagnosis.n_v - diagnosis.n_rows,
            "{name}"
        );
    }
}

#[test]
fn a_long_arch_of_ball_joints_repeats_nothing() {
    let n = 3000;
    let diagnosis = of(&arch(n, Ball));
    assert_eq!(diagnosis.n_rows, 3 * (n + 1));
    assert_eq!(diagnosis.redundant, []);
    assert_eq!(diagnosis.undetermined, []);
}

#[test]
fn a_long_arch_of_hinges_repeats_three_rows() {
    let n = 3000;
    let diagnosis = of(&arch(n, ABOUT_Z));
    assert_eq!(diagnosis.redundant.len(), 3);
    let last = format!("joint {n}");
    for redundancy in &diagnosis.redundant {
        assert_eq!(redundancy.row.label, last, "{redundancy}");
    }
    // As of a four-bar: all that is out of the plane, and nothing in it.
    let expected: BTreeSet<_> = (0..=n)
        .flat_map(|i| (2..5).map(move |row| (format!("joint {i}"), row)))
        .collect();
    assert_eq!(rows(&diagnosis.undetermined), expected);
    assert_eq!(diagnosis.mobility, n - 2);
}

#[test]
fn a_long_chain_that_ends_in_a_loop_names_the_rows_of_the_loop() {
    let n = 3000;
    let mut world = scene(&format!("chain:{n}")).unwrap();
    end_in_a_square(&mut world, n);
    let diagnosis = of(&world);
    assert_eq!(diagnosis.redundant.len(), 3);
    for redundancy in &diagnosis.redundant {
        assert_eq!(redundancy.row.label, "D", "{redundancy}");
        for row in &redundancy.with {
            assert!(row.label.len() == 1, "{redundancy}");
        }
    }
    let expected: BTreeSet<_> = ["A", "B", "C", "D"]
        .iter()
        .flat_map(|&label| (2..5).map(move |row| (label.to_owned(), row)))
        .collect();
    assert_eq!(rows(&diagnosis.undetermined), expected);
}

#[test]
fn two_long_strings_with_rungs_repeat_nothing() {
    let diagnosis = of(&scene("ladder:1000,2").unwrap());
    assert_eq!(diagnosis.redundant, []);
    assert_eq!(diagnosis.undetermined, []);
}

/// Holds a coordinate of a point twice, but for a millionth, and another by a millionth.
#[derive(Debug)]
struct Twice;

impl Constraint for Twice {
    fn inputs(&self) -> &[ConnectorKind] {
        &[ConnectorKind::Point3; 2]
    }

    fn rows(&self) -> &[RowUnit] {
        &[RowUnit::Meter; 3]
    }

    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        let d = sub(inputs[1].position(), inputs[0].position());
        let d_dot = sub(inputs[1].velocity(), inputs[0].velocity());
        let along = [[1.0, 0.0, 0.0], [1.0, 1e-6, 0.0], [0.0, 0.0, 1e-6]];
        for (row, along) in along.into_iter().enumerate() {
            out.c[row] = dot(along, d);
            out.c_dot[row] = dot(along, d_dot);
            out.dc_dx(0).set3(row, 0, scale(-1.0, along));
            out.dc_dx(1).set3(row, 0, along);
        }
    }
}

#[test]
fn a_joint_that_repeats_itself_is_found_at_the_end_of_a_chain() {
    let mut world = scene("chain:20").unwrap();
    let last = world.find_body("bar 19").unwrap();
    let next = bar(&mut world, "next", [20.0, 0.0, 0.0], 0.0);
    let connectors = [last.at(OUTER), next.at(INNER)];
    world.add_constraint("twice", Twice, &connectors).unwrap();
    let diagnosis = diagnose(&world);
    assert_eq!(diagnosis.rank, 61);
    let expected = (0..3).map(|row| ("twice".to_owned(), row)).collect();
    assert_eq!(rows(&diagnosis.undetermined), expected);
}

/// Two bars between pins that they just reach: closing stops where the error is small, which is the square of
/// what is missing to the straight pose.
#[test]
fn a_pose_that_closes_only_where_it_is_flat_is_flat() {
    let mut world = World::new();
    let mut bar = |label: &str, x: f64, yaw: f64| {
        let rod = PlanarRod {
            length: 1.0,
            mass: 1.0,
        };
        let pose = Pose::turned([x, 0.0, 0.0], [0.0, 0.0, yaw]);
        world.add_body_at(label, rod, pose).unwrap()
    };
    let left = bar("left", 0.5, 0.1);
    let right = bar("right", 1.5, -0.1);
    for (label, a, b) in [
        ("A", GROUND.at([0.0, 0.0]), left.at([-0.5, 0.0])),
        ("B", left.at([0.5, 0.0]), right.at([-0.5, 0.0])),
        ("C", right.at([0.5, 0.0]), GROUND.at([2.0, 0.0])),
    ] {
        world.join(label, Ball, a, b).unwrap();
    }
    let diagnosis = diagnose(&world);
    assert_eq!(diagnosis.closure, Closure::Closable);
    assert_eq!(diagnosis.mobility, 1);
    assert_eq!(diagnosis.redundant.len(), 1);
}

/// Hinges leave combinations of rows that repeat each other nearly: arches, and chains that end in a loop.
#[test]
fn what_is_nearly_repeated_is_not_repeated() {
    for n in [10, 30, 100, 300, 1000] {
        assert_eq!(of(&arch(n, ABOUT_Z)).redundant.len(), 3, "arch {n}");
        assert_eq!(of(&arch(n, Weld)).redundant.len(), 6, "welded arch {n}");
        let mut world = scene(&format!("chain-hinge:{n}")).unwrap();
        end_in_a_square(&mut world, n);
        let diagnosis = of(&world);
        assert_eq!(diagnosis.redundant.len(), 3, "chain of {n}");
        assert_eq!(diagnosis.undetermined.len(), 12, "chain of {n}");
    }
}
