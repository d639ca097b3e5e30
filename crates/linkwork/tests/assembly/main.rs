//! From parts strewn anywhere to a closed structure: `Simulator::assemble`.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)] // A panic is how a test fails.

#[path = "../common/random.rs"]
mod random_world;

mod contradiction;
mod levels;
mod limits;
mod manners;
mod strewn;
mod turned;

use linkwork::assembly::AssemblyReport;
use linkwork::prelude::*;
use linkwork::simulator::SolveOptions;
use linkwork::system::Motion;
use random_world::Random;

fn scene(name: &str) -> World {
    linkwork_scene::scene(name).unwrap()
}

/// Puts every body that moves somewhere within `distance` of where it is, turned by up to `angle`
/// about each axis.
fn strew(world: &mut World, random: &mut Random, distance: f64, angle: f64) {
    let mut state = world.state().clone();
    for record in world.bodies() {
        let n = record.v_range().len();
        let mut dq: Vec<f64> = (0..n).map(|_| random.between(-1.0, 1.0)).collect();
        for i in 0..n {
            let mut unit = vec![0.0; n];
            unit[i] = 1.0;
            let turns = record.body().turn_of(&unit) > 0.0;
            dq[i] *= if turns { angle } else { distance };
        }
        if n > 0 {
            let q = &mut state.q[record.q_range()];
            record.body().displace(q, &dq);
        }
    }
    state
        .v
        .iter_mut()
        .for_each(|v| *v = random.between(-1.0, 1.0));
    world.set_state(state).unwrap();
}

fn assemble(world: &mut World) -> AssemblyReport {
    Simulator::new()
        .assemble(world, &AssembleOptions::default())
        .unwrap()
}

/// Every constraint of priority 0 holds, and so do the rates.
fn check_closed(world: &World, what: &str) {
    for error in world.constraint_errors().unwrap() {
        if error.priority > 0 {
            continue;
        }
        let label = &error.label;
        let rate = error.position_rate.max(error.angle_rate);
        assert!(
            error.position <= 1e-9,
            "{label}: {}; {what}",
            error.position
        );
        assert!(error.angle <= 1e-7, "{label}: {}; {what}", error.angle);
        assert!(rate <= 1e-9, "{label}: {rate:e}; {what}");
    }
}

/// How far apart the points of a ball joint are.
fn gap(world: &World, label: &str) -> f64 {
    let mut simulator = Simulator::new();
    simulator.fill(world, Motion::Displacement, &SolveOptions::default());
    let mut constraints = world.constraints().iter();
    let record = constraints.find(|record| record.label() == label).unwrap();
    let c = &simulator.system().c()[record.row_range()];
    c.iter().map(|c| c * c).sum::<f64>().sqrt()
}

/// Three free bars along x, joined end to end to end.
fn triangle(lengths: [f64; 3]) -> World {
    let mut world = World::new();
    let bars: Vec<_> = ["a", "b", "c"]
        .into_iter()
        .zip(lengths)
        .map(|(label, length)| {
            let rod = Rod {
                length,
                radius: 0.02,
                mass: length,
            };
            (world.add_body(label, rod).unwrap(), 0.5 * length)
        })
        .collect();
    for (label, i, j) in [("a-b", 0, 1), ("b-c", 1, 2), ("c-a", 2, 0)] {
        let (a, b) = (bars[i], bars[j]);
        let (end, start) = (a.0.at([a.1, 0.0, 0.0]), b.0.at([-b.1, 0.0, 0.0]));
        world.join(label, Ball, end, start).unwrap();
    }
    world
}
