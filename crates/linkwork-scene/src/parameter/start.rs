//! The scene that a tree gives: where things start.

use linkwork::prelude::*;

use super::written::written;
use crate::fault::Fault;
use crate::format::Document;
use crate::read::{self, Node};
use crate::scene::Scene;
use crate::{build, describe};

/// A scene as its tree has it, and its plain description.
#[derive(Debug)]
pub(crate) struct Start {
    pub(crate) scene: Scene,
    pub(crate) document: Document,
}

/// A body within this of where it starts is there: joints that were closed have moved it by less, m or rad.
const NEAR: f64 = 1e-6;

impl Start {
    /// Of a tree without a state, at a time.
    pub(crate) fn of(tree: &Node, time: f64) -> Result<Self, Fault> {
        let mut document = read::document(tree)?;
        document.state.time = time;
        document.parameters = document.parameters.started(time);
        let scene = build::build(&document)?;
        let document = describe::plain(&scene)?;
        Ok(Self { scene, document })
    }

    /// Coordinates and velocities of a body, by its name.
    pub(crate) fn place(&self, name: &str) -> Option<(&[f64], &[f64])> {
        place(&self.scene.world, name)
    }

    /// Where bodies are that another start has elsewhere, or moving otherwise, if they are where this one has them: the
    /// name of each, its coordinates and its velocities. `before` has the names that bodies had in this one.
    pub(crate) fn moved(
        &self,
        then: &Self,
        before: &World,
        world: &World,
    ) -> Vec<(String, Vec<f64>, Vec<f64>)> {
        let mut moved = Vec::new();
        for record in world.bodies() {
            let name = record.label();
            let (Some((q, v)), Some((to_q, to_v))) = (
                before
                    .body_label(record.id())
                    .ok()
                    .and_then(|name| self.place(name)),
                then.place(name),
            ) else {
                continue;
            };
            let Some((at, moves)) = place(world, name) else {
                continue;
            };
            if (q == to_q && v == to_v) || !is_near(at, q) || at.len() != to_q.len() {
                continue;
            }
            let v = if is_near(moves, v) { to_v } else { moves };
            moved.push((name.to_owned(), to_q.to_vec(), v.to_vec()));
        }
        moved
    }

    /// Whether every body is here, to the last bit.
    pub(crate) fn is_at(&self, world: &World) -> bool {
        let mut bodies = world.bodies().iter();
        bodies.all(|record| self.place(record.label()) == place(world, record.label()))
    }
}

fn place<'w>(world: &'w World, name: &str) -> Option<(&'w [f64], &'w [f64])> {
    let id = world.find_body(name)?;
    Some((world.q(id).ok()?, world.v(id).ok()?))
}

fn is_near(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len()
        && a.iter()
            .zip(b)
            .all(|(a, b)| (a - b).abs() <= NEAR * (1.0 + b.abs()))
}

/// Where a scene starts; none if it has nothing but numbers, and is where it is.
pub(crate) fn at_start(scene: &Scene) -> Result<Option<Start>, Fault> {
    let Some(source) = scene.parameters.source() else {
        return Ok(None);
    };
    match written(scene)? {
        Some(tree) => Start::of(&tree, source.time).map(Some),
        None => Ok(None),
    }
}
