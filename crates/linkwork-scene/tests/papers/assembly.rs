//! Scenes that are strewn, or cannot hold together.

use linkwork::prelude::*;
use linkwork::step::GaveWay;

use crate::build;

/// Steps of pure assembly until the exact level is closed to `tolerance`; at most so many.
fn assemble(world: &mut World, tolerance: f64, most: usize) -> StepReport {
    world.set_dynamics(Dynamics::Assembly);
    let mut simulator = Simulator::new();
    let options = StepOptions::interactive(1.0 / 60.0);
    let mut report = StepReport::default();
    for _ in 0..most {
        report = simulator.step(world, &options).unwrap();
        if report.require(tolerance).is_ok() && report.gave_way.is_empty() {
            break;
        }
    }
    report.require(tolerance).unwrap();
    report
}

/// A frame or two puts together what was strewn (Faure 1998, fig. 2 and 3).
#[test]
fn strewn_parts_find_together() {
    for (name, most) in [("bar-between-discs", 1), ("crowd", 3), ("crowd:5", 3)] {
        let mut world = build(name);
        assemble(&mut world, 1e-9, most);
        for error in world.constraint_errors().unwrap() {
            assert!(error.size() < 1e-9, "{name}: {error:?}");
        }
        assert!(world.state().v.iter().all(|&v| v == 0.0), "{name} rests");
    }
}

/// Only what cannot hold gives way, and it is named (Faure 1999, §3.4).
#[test]
fn only_bindings_that_contradict_give_way() {
    let mut world = build("three-characters");
    let report = assemble(&mut world, 1e-9, 30);
    let label = |gave: &GaveWay| world.constraint_record(gave.constraint).unwrap().label();
    let mut gave_way: Vec<&str> = report.gave_way.iter().map(label).collect();
    gave_way.sort_unstable();
    assert_eq!(gave_way, ["hands 0", "lower mark", "upper mark"]);
    // Two hands between two marks 0.9 m apart: each of the three bindings takes a third.
    for gave in &report.gave_way {
        assert!((gave.error - 0.3).abs() < 1e-6, "{gave:?}");
    }
    for error in world.constraint_errors().unwrap() {
        let gave = gave_way.contains(&error.label.as_str());
        // Next to squares of 0.3 m a square below (1e-8 m)² is round-off.
        assert!(gave || error.size() < 1e-8, "{error:?}");
    }
}

/// The same where arms are stretched out and no binding can be reached.
#[test]
fn joints_hold_where_bindings_are_out_of_reach() {
    let mut world = build("three-characters-torn");
    let report = assemble(&mut world, 1e-9, 60);
    let label = |gave: &GaveWay| world.constraint_record(gave.constraint).unwrap().label();
    let gave_way: Vec<&str> = report.gave_way.iter().map(label).collect();
    for binding in ["hands 0", "hands 1", "left post", "right post"] {
        assert!(gave_way.contains(&binding), "{gave_way:?}");
    }
}
