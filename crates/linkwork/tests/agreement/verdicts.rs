//! A solution says how it ended, and says so by its residual: no method calls exact what is not.

use linkwork::behavior::PointForce;
use linkwork::constraint::{FramePair, PushedAlong};
use linkwork::prelude::*;
use linkwork::simulator::SolveOptions;
use linkwork::solve::{Krylov, Outcome};
use linkwork::system::Motion;

use crate::scene;

/// A row of priority 0 that may only push where a floor already holds: it cannot be met.
#[test]
fn a_blocked_push_is_not_exact() {
    let mut world = World::with_gravity([0.0, -9.81, 0.0]).unwrap();
    let bead = world.add_body("bead", Particle { mass: 1.0 }).unwrap();
    let at = [0.0; 3];
    let plane = |normal| [GROUND.frame_along(at, normal), bead.at(at)];
    let up = [0.0, 1.0, 0.0];
    world
        .add_constraint("floor", FramePair::point_on_plane(), &plane(up))
        .unwrap();
    let wall = PushedAlong {
        constraint: FramePair::point_on_plane(),
        direction: up,
    };
    world
        .add_constraint("wall", wall, &plane([1.0, 0.0, 0.0]))
        .unwrap();
    let wind = PointForce {
        force_world: [3.0, 0.0, 0.0],
    };
    world.add_behavior("wind", wind, &[bead.at(at)]).unwrap();
    for method in Method::ALL {
        let solution = Simulator::new().accelerations(&world, method).clone();
        assert_eq!(solution.outcome, Outcome::LeastSquares, "{}", method.name());
        assert!(
            (solution.residual.rows - 3.0).abs() < 1e-9,
            "{}",
            method.name()
        );
    }
}

#[test]
fn what_is_not_finite_is_not_exact() {
    let mut world = scene("four-bar");
    let crank = world.bodies()[0].id();
    world
        .set_v(crank, &[0.0, 0.0, 0.0, 1e200, 0.0, 0.0])
        .unwrap();
    for method in Method::ALL {
        let outcome = Simulator::new().accelerations(&world, method).outcome;
        assert_eq!(outcome, Outcome::NotConverged, "{}", method.name());
    }
}

#[test]
fn a_factor_of_another_instant_is_not_used() {
    let mut world = scene("chain:3");
    let mut simulator = Simulator::new();
    simulator.accelerations(&world, Method::Direct);
    let last = world.constraints()[2].id();
    world.remove_constraint(last).unwrap();
    simulator.fill(&world, Motion::Acceleration, &SolveOptions::default());
    assert_eq!(simulator.solve_prepared().outcome, Outcome::NotConverged);
    simulator.factor(&Method::Direct);
    assert_eq!(simulator.solve_prepared().outcome, Outcome::Exact);
}

/// A horizon that is none counts as none.
#[test]
fn horizons_that_are_no_time_count_as_none() {
    let mut world = scene("chain:2");
    let joint = world.constraints()[1].id();
    world.set_compliance(joint, &[1e-3; 3]).unwrap();
    let motion = |horizon| {
        let options = SolveOptions::from(Method::Direct).with_horizon(horizon);
        Simulator::new()
            .accelerations(&world, options)
            .motion
            .clone()
    };
    for horizon in [0.0, -1.0, 1e-300, f64::NAN, f64::INFINITY] {
        assert_eq!(motion(Some(horizon)), motion(None), "horizon {horizon}");
    }
}

#[test]
fn kept_multipliers_start_the_next_solve() {
    let mut world = scene("ladder3:3,4");
    let krylov = Krylov::default().with_warm_start(true);
    let mut simulator = Simulator::new();
    let first = simulator
        .accelerations(&world, Method::ForestKrylov(krylov))
        .clone();
    assert!(first.iterations > 0);
    world.set_lambda(&first.lambda).unwrap();
    let again = simulator.accelerations(&world, Method::ForestKrylov(krylov));
    assert_eq!(again.iterations, 0);
}
