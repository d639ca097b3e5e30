//! What `diagnose` says of mechanisms whose mobility and redundancy are known.
#![allow(clippy::unwrap_used)]

mod held;
mod long;

use linkwork::constraint::FramePair;
use linkwork::diagnose::{Closure, Diagnosis, Permanence};
use linkwork::prelude::*;
use linkwork::system::Motion;
use linkwork_scene::scene;

fn of(name: &str) -> Diagnosis {
    diagnose(&scene(name).unwrap())
}

/// Every motion of the basis fulfils J·v = 0, and they are independent.
fn check_motions(world: &World, diagnosis: &Diagnosis) {
    let mut simulator = Simulator::new();
    simulator.prepare(world, Motion::Velocity, Method::Direct);
    let (n, jacobian) = (
        simulator.system().n_v(),
        simulator.system().jacobian_matrix(),
    );
    for v in &diagnosis.motions {
        for row in jacobian.chunks_exact(n) {
            let rate: f64 = row.iter().zip(v).map(|(j, v)| j * v).sum();
            assert!(
                rate.abs() < 1e-9,
                "a remaining motion opens a joint by {rate:e}"
            );
        }
    }
    for (i, a) in diagnosis.motions.iter().enumerate() {
        for (j, b) in diagnosis.motions.iter().enumerate() {
            let dot: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
            let expected = f64::from(u8::from(i == j));
            assert!(
                (dot - expected).abs() < 1e-9,
                "motions {i} and {j} are not orthonormal"
            );
        }
    }
}

#[test]
fn overconstrained_mechanisms_move_all_the_same() {
    // Mechanism, mobility, rank, rows (references: IFToMM A04; Bennett; Sarrus; four-bar; Andrews).
    let table = [
        ("bricard", 1, 29, 30),
        ("bennett", 1, 17, 20),
        ("sarrus", 1, 29, 30),
        ("four-bar", 1, 17, 20),
        ("andrews", 1, 20, 20),
        ("andrews-3d", 1, 41, 50),
        ("peaucellier", 1, 20, 20),
        ("stewart", 0, 78, 78),
    ];
    for (name, mobility, rank, n_rows) in table {
        let world = scene(name).unwrap();
        let diagnosis = diagnose(&world);
        assert_eq!(
            (diagnosis.mobility, diagnosis.rank, diagnosis.n_rows),
            (mobility, rank, n_rows),
            "{name}"
        );
        assert_eq!(diagnosis.redundant.len(), n_rows - rank, "{name}");
        assert_eq!(diagnosis.closure, Closure::Closed, "{name}");
        assert_eq!(diagnosis.motions.len(), mobility, "{name}");
        assert!(diagnosis.contradictory.is_empty(), "{name}");
        for redundancy in &diagnosis.redundant {
            assert_eq!(
                redundancy.permanence,
                Permanence::Permanent,
                "{name}: {redundancy}"
            );
        }
        check_motions(&world, &diagnosis);
    }
}

#[test]
fn a_planar_four_bar_of_spatial_hinges_names_its_redundant_rows() {
    let diagnosis = of("four-bar");
    // Out of plane, three rows repeat: one translation and two rotations, of the joint added last.
    for redundancy in &diagnosis.redundant {
        assert_eq!(redundancy.row.label, "D", "{redundancy}");
        let labels: std::collections::BTreeSet<&str> = redundancy
            .with
            .iter()
            .map(|row| row.label.as_str())
            .collect();
        assert!(labels.is_superset(&["A", "B", "C"].into()), "{redundancy}");
    }
    // Statics cannot determine the out-of-plane reactions of any hinge; those in the plane it can:
    // rows 0 and 1 are the pin force in x and y.
    for row in &diagnosis.undetermined {
        assert!(row.row >= 2, "{row} is determined");
    }
    assert_eq!(diagnosis.undetermined.len(), 12);
}

#[test]
fn a_flat_parallelogram_is_redundant_only_for_a_moment() {
    let mut world = World::new();
    let bar = |world: &mut World, label: &str, x: f64| {
        let pose = Pose::at([x, 0.0, 0.0]);
        world
            .add_body_at(
                label,
                PlanarRod {
                    length: 1.0,
                    mass: 1.0,
                },
                pose,
            )
            .unwrap()
    };
    // Ground pins at 0 and 2; crank 0–1, coupler 1–3, rocker 2–3: all along x.
    let crank = bar(&mut world, "crank", 0.5);
    let pose = Pose::at([2.0, 0.0, 0.0]);
    let coupler = PlanarRod {
        length: 2.0,
        mass: 1.0,
    };
    let coupler = world.add_body_at("coupler", coupler, pose).unwrap();
    let rocker = bar(&mut world, "rocker", 2.5);
    let pin = linkwork::constraint::FramePair::ball;
    let left = [-0.5, 0.0];
    let right = [0.5, 0.0];
    world
        .add_constraint("A", pin(), &[GROUND.at([0.0, 0.0]), crank.at(left)])
        .unwrap();
    world
        .add_constraint("B", pin(), &[crank.at(right), coupler.at([-1.0, 0.0])])
        .unwrap();
    world
        .add_constraint("C", pin(), &[coupler.at([1.0, 0.0]), rocker.at(right)])
        .unwrap();
    world
        .add_constraint("D", pin(), &[rocker.at(left), GROUND.at([2.0, 0.0])])
        .unwrap();

    let diagnosis = diagnose(&world);
    assert_eq!(diagnosis.mobility, 2, "at the flat pose two branches meet");
    assert_eq!(diagnosis.redundant.len(), 1);
    assert_eq!(diagnosis.redundant[0].permanence, Permanence::Momentary);
    assert!(
        diagnosis.redundant[0]
            .to_string()
            .contains("only in this pose")
    );
}

#[test]
fn joints_that_cannot_close_are_named_with_what_remains() {
    // Two unit bars cannot reach from 0 to 2.5: half a meter is left, shared by three joints.
    let mut world = scene("chain:2").unwrap();
    let last = world.find_body("bar 1").unwrap();
    world
        .join(
            "wall",
            Ball,
            GROUND.at([2.5, 0.0, 0.0]),
            last.at([0.5, 0.0, 0.0]),
        )
        .unwrap();
    let diagnosis = diagnose(&world);
    assert_eq!(diagnosis.closure, Closure::Contradictory);
    let labels: Vec<&str> = diagnosis
        .contradictory
        .iter()
        .map(|c| c.label.as_str())
        .collect();
    assert_eq!(labels, ["joint 0", "joint 1", "wall"]);
    for contradiction in &diagnosis.contradictory {
        assert!(
            (contradiction.residual - 0.5 / 3.0).abs() < 1e-6,
            "{contradiction}"
        );
        assert!(!contradiction.of_speeds);
    }
}

#[test]
fn speeds_that_cannot_be_met_are_named() {
    let mut world = World::new();
    let rod = Rod {
        length: 1.0,
        radius: 0.01,
        mass: 1.0,
    };
    let wheel = world.add_body("wheel", rod).unwrap();
    let frames = [GROUND.frame_at([0.0; 3]), wheel.frame_at([0.0; 3])];
    world
        .add_constraint("axle", FramePair::hinge(), &frames)
        .unwrap();
    for (label, rate) in [("slow drive", 1.0), ("fast drive", 2.0)] {
        let drive = AngleDrive::new(Ramp { start: 0.0, rate });
        world.add_constraint(label, drive, &frames).unwrap();
    }
    let diagnosis = diagnose(&world);
    let labels: Vec<&str> = diagnosis
        .contradictory
        .iter()
        .map(|c| c.label.as_str())
        .collect();
    assert_eq!(labels, ["slow drive", "fast drive"]);
    assert!(diagnosis.contradictory.iter().all(|c| c.of_speeds));
    assert_eq!(diagnosis.redundant.len(), 1, "one drive repeats the other");
}

#[test]
fn a_pose_that_is_not_closed_is_closed_first() {
    let mut world = scene("four-bar").unwrap();
    let crank = world.bodies()[0].id();
    let mut q = world.q(crank).unwrap().to_vec();
    q[0] += 0.01;
    q[1] -= 0.02;
    world.set_q(crank, &q).unwrap();
    let diagnosis = diagnose(&world);
    assert_eq!(diagnosis.closure, Closure::Closable);
    assert_eq!((diagnosis.mobility, diagnosis.redundant.len()), (1, 3));
}

#[test]
fn soft_and_low_priority_rows_do_not_take_freedom_away() {
    let mut world = scene("chain:1").unwrap();
    let bar = world.find_body("bar 0").unwrap();
    let tip = bar.at([0.5, 0.0, 0.0]);
    let soft = world
        .join("soft", Ball, GROUND.at([1.0, 0.0, 0.0]), tip)
        .unwrap();
    world.set_compliance(soft, &[1e-3; 3]).unwrap();
    let goal = world
        .join("goal", Ball, GROUND.at([1.0, 0.1, 0.0]), tip)
        .unwrap();
    world.set_priority(goal, 1).unwrap();
    let diagnosis = diagnose(&world);
    assert_eq!((diagnosis.mobility, diagnosis.n_rows), (3, 3));
}

#[test]
fn masses_do_not_change_rank() {
    for ratio in [1e-6, 1.0, 1e6] {
        let mut world = scene("bricard").unwrap();
        let second = world.bodies()[1].id();
        let body = world.bodies()[1].body().as_rigid().unwrap();
        let mut properties = *body.properties();
        properties.mass *= ratio;
        properties.inertia_body = properties.inertia_body.map(|i| i * ratio);
        world
            .replace_body(second, RigidBody::new(properties))
            .unwrap();
        assert_eq!(diagnose(&world).rank, 29, "mass ratio {ratio}");
    }
}

#[test]
fn a_thousand_bodies_are_diagnosed_by_sparse_solves() {
    let diagnosis = of("chain:1000");
    assert_eq!((diagnosis.mobility, diagnosis.rank), (3000, 3000));
    assert_eq!(diagnosis.motions.len(), 32, "as many as were asked for");
    assert_eq!(of("hub:1000").mobility, 3001);
}

#[test]
fn an_empty_world_and_free_bodies_are_fine() {
    let diagnosis = diagnose(&World::new());
    assert_eq!((diagnosis.mobility, diagnosis.n_rows), (0, 0));
    let mut world = World::new();
    world
        .add_body(
            "ball",
            Sphere {
                radius: 0.1,
                mass: 1.0,
            },
        )
        .unwrap();
    let diagnosis = diagnose(&world);
    assert_eq!((diagnosis.mobility, diagnosis.motions.len()), (6, 6));
}

/// A flat parallelogram of bars of any size: the diagnosis must not depend on the unit of length.
#[test]
fn the_unit_of_length_does_not_matter() {
    for size in [1e-4, 1e-2, 1.0, 1e2, 1e4] {
        let mut world = World::new();
        let mut bar = |label: &str, length: f64, x: f64| {
            let rod = PlanarRod {
                length: size * length,
                mass: 1.0,
            };
            world
                .add_body_at(label, rod, Pose::at([size * x, 0.0, 0.0]))
                .unwrap()
        };
        let crank = bar("crank", 1.0, 0.5);
        let coupler = bar("coupler", 2.0, 2.0);
        let rocker = bar("rocker", 1.0, 2.5);
        let at = |x: f64| [size * x, 0.0];
        world
            .join("A", Ball, GROUND.at(at(0.0)), crank.at(at(-0.5)))
            .unwrap();
        world
            .join("B", Ball, crank.at(at(0.5)), coupler.at(at(-1.0)))
            .unwrap();
        world
            .join("C", Ball, coupler.at(at(1.0)), rocker.at(at(0.5)))
            .unwrap();
        world
            .join("D", Ball, rocker.at(at(-0.5)), GROUND.at(at(2.0)))
            .unwrap();
        let diagnosis = diagnose(&world);
        assert_eq!((diagnosis.mobility, diagnosis.rank), (2, 7), "size {size}");
        let momentary = diagnosis.redundant[0].permanence == Permanence::Momentary;
        assert!(momentary, "size {size}: called permanent");
    }
}

/// What assembly leaves is closed, however small the bodies are.
#[test]
fn what_assembly_closed_is_closed() {
    for name in ["three-characters", "three-characters-torn"] {
        let mut world = linkwork_scene::scene(name).unwrap();
        Simulator::new()
            .assemble(&mut world, &AssembleOptions::default())
            .unwrap();
        assert_eq!(diagnose(&world).closure, Closure::Closed, "{name}");
    }
}
