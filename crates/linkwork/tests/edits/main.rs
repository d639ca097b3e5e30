//! Edits: what they cost, what they leave alone, what they refuse.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)] // A panic is how a test fails.

#[path = "../common/random.rs"]
mod random_world;

mod bad_input;
mod cost;
mod never_ignored;
mod same_bits;

use linkwork::prelude::*;

fn scene(name: &str) -> World {
    linkwork_scene::scene(name).unwrap()
}

/// The bits of accelerations and multipliers under every method, in one simulator each.
fn bits(world: &World) -> Vec<u64> {
    let solve = |method| bits_with(&mut Simulator::new(), world, method);
    Method::ALL.into_iter().flat_map(solve).collect()
}

fn bits_with(simulator: &mut Simulator, world: &World, method: Method) -> Vec<u64> {
    let solution = simulator.accelerations(world, method);
    let numbers = solution.motion.iter().chain(&solution.lambda);
    numbers.map(|x| x.to_bits()).collect()
}
