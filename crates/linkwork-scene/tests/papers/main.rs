//! The scenes of the papers' figures: their numbers, their assembly, their motion.

#![allow(clippy::unwrap_used)]

mod assembly;
mod circle;
mod drags;
mod figures;
mod motion;
mod numbers;
mod pushes;
mod sheet;

use linkwork::connector::Connector;
use linkwork::prelude::*;

/// Builds a scene.
pub(crate) fn build(name: &str) -> World {
    linkwork_scene::scene(name).unwrap()
}

/// A point of a body, by the body's label.
pub(crate) fn point(world: &World, body: &str, at: [f64; 3]) -> Connector {
    world.find_body(body).unwrap().at(at)
}
