//! Random strewn structures close, whatever they are made of.

use super::*;
use linkwork::assembly::AssemblyOutcome;

/// Strews a scene, assembles it and checks everything that is promised.
fn closes(name: &str, seed: u64, distance: f64, angle: f64) -> AssemblyReport {
    let mut world = scene(name);
    strew(&mut world, &mut Random::new(seed), distance, angle);
    let t = world.state().t;
    let report = assemble(&mut world);
    let what = format!("{name}, seed {seed}, {distance} m: {report:?}");
    assert_eq!(report.outcome, AssemblyOutcome::Assembled, "{what}");
    assert!(report.residuals.is_empty(), "{what}");
    check_closed(&world, &what);
    assert_eq!(world.state().t, t, "{what}");
    report
}

#[test]
fn chains_and_trees_close_from_anywhere() {
    for seed in 0..12 {
        for (distance, angle) in [(0.3, 0.3), (3.0, 3.0), (50.0, 3.0)] {
            for name in ["chain:3", "chain:50", "chain-hinge:20", "tree:40", "hub:12"] {
                closes(name, seed, distance, angle);
            }
        }
    }
}

#[test]
fn loops_close_from_anywhere() {
    for seed in 0..12 {
        for (distance, angle) in [(0.3, 0.3), (3.0, 3.0), (50.0, 3.0)] {
            for name in [
                "ladder:8,1",
                "ladder3:8,1",
                "grid:4,3",
                "four-bar",
                "n-four-bar:10",
                "peaucellier",
                "catenary:10",
                "andrews",
                "stewart",
            ] {
                closes(name, seed, distance, angle);
            }
        }
    }
}

#[test]
fn overconstrained_mechanisms_close() {
    for seed in 0..20 {
        for name in ["bricard", "bennett", "sarrus", "andrews-3d", "scissor:4"] {
            for (distance, angle) in [(0.1, 0.1), (2.0, 2.0)] {
                closes(name, seed, distance, angle);
            }
        }
    }
}

#[test]
fn random_mixed_trees_close() {
    for seed in 0..20 {
        let mut world = random_world::world(seed, 12, 0);
        let mut random = Random::new(seed);
        strew(&mut world, &mut random, 0.2, 0.2);
        let report = assemble(&mut world);
        let what = format!("seed {seed}: {report:?}");
        assert_eq!(report.outcome, AssemblyOutcome::Assembled, "{what}");
    }
}

#[test]
fn every_method_closes() {
    for method in Method::ALL {
        for name in ["chain:8", "four-bar", "bricard", "ladder:4,1"] {
            let mut world = scene(name);
            strew(&mut world, &mut Random::new(7), 1.0, 1.0);
            let options = AssembleOptions::default().by(method);
            let report = Simulator::new().assemble(&mut world, &options).unwrap();
            let what = format!("{name} by {}: {report:?}", method.name());
            assert_eq!(report.outcome, AssemblyOutcome::Assembled, "{what}");
            check_closed(&world, &what);
        }
    }
}

/// Faure 1998 assembles 758 scalar constraints in six iterations.
#[test]
fn six_iterations_close_a_large_structure_that_is_a_little_strewn() {
    for (name, distance) in [
        ("ladder3:100,1", 0.02),
        ("tree:300", 0.1),
        ("grid:12,12", 0.1),
    ] {
        let report = closes(name, 3, distance, distance);
        assert!(report.iterations <= 6, "{name}: {}", report.iterations);
    }
}

#[test]
fn what_is_closed_stays_where_it_is() {
    for name in ["chain:10", "bricard", "four-bar"] {
        let mut world = scene(name);
        let q = world.state().q.clone();
        let report = assemble(&mut world);
        assert_eq!((report.iterations, report.restarts), (0, 0), "{name}");
        assert_eq!(world.state().q, q, "{name}");
    }
}
