//! Curves in scenes: typed formulas, splines, what slides along them; held to closed forms and references.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)] // A panic is how a test fails.

mod files;
mod formulas;
mod sketches;
mod splines;
mod surfaces;

use linkwork::prelude::*;
use linkwork_scene::{Scene, load};

/// The scene that a text describes, or what is wrong with it.
pub(crate) fn scene(text: &str) -> Result<Scene, String> {
    load(text).map_err(|fault| fault.to_string())
}

pub(crate) fn run(scene: &mut Scene, steps: usize) {
    let mut simulator = Simulator::new();
    for _ in 0..steps {
        simulator.step(&mut scene.world, &scene.options).unwrap();
    }
}

pub(crate) fn q(scene: &Scene, body: &str) -> Vec<f64> {
    let id = scene.world.find_body(body).unwrap();
    scene.world.q(id).unwrap().to_vec()
}
