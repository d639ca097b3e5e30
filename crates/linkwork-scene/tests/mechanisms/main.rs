//! Mechanisms with known answers, driven through a turn: facts of the textbooks, to the tolerance
//! at which the engine closes constraints.

#![allow(clippy::unwrap_used)]

mod couplings;
mod lines;
mod mobility;

use linkwork::prelude::*;

/// Frames of 1/60 s in which a scene's drive goes round once.
pub(crate) const TURN: usize = 120;

/// Builds a scene, which must be assembled and move as its drive says.
pub(crate) fn build(name: &str) -> World {
    let world = linkwork_scene::scene(name).unwrap();
    for error in world.constraint_errors().unwrap() {
        assert!(error.size() < 1e-14, "{name}: {error:?}");
        let rate = error.position_rate.max(error.angle_rate);
        assert!(rate < 1e-12, "{name}: {error:?}");
    }
    world
}

/// Drives a scene once round in `n` steps by the interactive scheme and by the precise one, and
/// calls `check` with the world and the part of the turn that is done, from the start on.
pub(crate) fn turn(name: &str, n: usize, mut check: impl FnMut(&World, f64)) {
    let dt = 2.0 / n as f64;
    for options in [StepOptions::interactive(dt), StepOptions::precise(dt)] {
        let mut world = build(name);
        let mut simulator = Simulator::new();
        check(&world, 0.0);
        for k in 1..=n {
            let report = simulator.step(&mut world, &options).unwrap();
            // The tolerance is 1e-9 m; an angle counts by the size of the bodies.
            assert!(report.position_error <= 1e-9, "{name} {k}: {report:?}");
            assert!(report.angle_error <= 1e-8, "{name} {k}: {report:?}");
            assert!(report.rate_error <= 1e-9, "{name} {k}: {report:?}");
            assert_eq!(report.last_resorts(), 0, "{name} {k}: {report:?}");
            check(&world, k as f64 / n as f64);
        }
    }
}

/// Where a point of a body of the plane is.
pub(crate) fn place(world: &World, body: &str, at: [f64; 2]) -> [f64; 2] {
    let body = world.find_body(body).unwrap();
    let [x, y, _] = world.position_world(&body.at(at)).unwrap();
    [x, y]
}

/// Fails unless numbers are alike to `tolerance`.
#[track_caller]
pub(crate) fn alike(what: &str, found: &[f64], wanted: &[f64], tolerance: f64) {
    assert_eq!(found.len(), wanted.len());
    for (a, b) in found.iter().zip(wanted) {
        assert!(
            (a - b).abs() <= tolerance,
            "{what}: {found:?} for {wanted:?}"
        );
    }
}
