//! All methods give the motion of the same equations, and that is the motion of a dense reference.
//!
//! Errors are measured against what a stable solver may be off in double precision, by the singular
//! values of the rows (`dense::Dense::motion_error`).

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)] // A panic is how a test fails.

#[path = "../common/blocks.rs"]
mod functions;
#[path = "../common/lumped.rs"]
mod lumped;
#[path = "../common/random.rs"]
mod random_world;

mod blocks;
mod chosen_tree;
mod compliance;
mod curves;
mod dense;
mod faure;
mod hubs;
mod large;
mod mass_ratio;
mod orders;
mod priorities;
mod random;
mod redundancy;
mod typed;
mod verdicts;
mod weights;

use linkwork::prelude::*;
use linkwork::simulator::SolveOptions;
use linkwork::system::{Motion, System};

use dense::Dense;

/// A simulator that has assembled `world` for one motion, and its equations as dense matrices.
fn assembled(world: &World, motion: Motion, options: &SolveOptions) -> (Dense, Vec<f64>) {
    let mut simulator = Simulator::new();
    simulator.fill(world, motion, options);
    let system = simulator.system();
    let weights = weights(world);
    let b = right_hand_side(system, motion);
    (Dense::of(system, |row| weights[row]), b)
}

/// The weight of every row: only lower priorities have one.
fn weights(world: &World) -> Vec<f64> {
    let mut weights = vec![1.0; world.state().lambda.len()];
    for record in world.constraints() {
        if record.priority() > 0 {
            weights[record.row_range()].fill(record.weight());
        }
    }
    weights
}

fn right_hand_side(system: &System, motion: Motion) -> Vec<f64> {
    let mut b = vec![0.0; system.n_rows()];
    system.right_hand_side(motion, &mut b);
    b
}

fn scene(name: &str) -> World {
    linkwork_scene::scene(name).unwrap()
}
