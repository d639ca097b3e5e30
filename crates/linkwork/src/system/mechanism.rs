//! The bodies connected to given ones, through constraints of any kind.

use crate::world::{ConstraintRecord, GROUND, World};

/// Bodies connected to the first ones through constraints, by their positions in the world.
#[derive(Debug, Default)]
pub(super) struct Mechanism {
    pub(super) has_body: Vec<bool>,
}

impl Mechanism {
    /// Follows constraints from the first bodies. Bodies without velocities and the ground are not passed.
    pub(super) fn of(world: &World, begin: impl Iterator<Item = usize>) -> Self {
        let mut of_body: Vec<Vec<usize>> = vec![vec![]; world.bodies().len()];
        for (at, record) in world.constraints().iter().enumerate() {
            if record.enabled && world.all_enabled(&record.connectors) {
                bodies_of(world, record).for_each(|body| of_body[body].push(at));
            }
        }
        let mut has_body = vec![false; world.bodies().len()];
        let mut frontier: Vec<usize> = begin.collect();
        while let Some(body) = frontier.pop() {
            if std::mem::replace(&mut has_body[body], true) {
                continue;
            }
            for &at in &of_body[body] {
                let more = bodies_of(world, &world.constraints()[at]);
                frontier.extend(more.filter(|&other| moves(world, other) && !has_body[other]));
            }
        }
        Self { has_body }
    }
}

/// Positions of a constraint's bodies, without the ground.
pub(super) fn bodies_of<'w>(
    world: &'w World,
    record: &'w ConstraintRecord,
) -> impl Iterator<Item = usize> + 'w {
    let connectors = record.connectors.iter();
    connectors
        .flat_map(|connector| world.bodies_of(connector))
        .filter(|&&body| body != GROUND)
        .filter_map(|&body| world.body_position(body))
}

/// Whether forces move the body at a position.
pub(super) fn moves(world: &World, body: usize) -> bool {
    world.bodies()[body].body.n_v() > 0
}
