//! Priorities under grips: a pinned mechanism keeps its grip and its joints exactly; its joints to the ground
//! get the last priority, and so do fixed numbers.

use super::mechanism::{Mechanism, bodies_of, moves};
use crate::connector::Site;
use crate::constraint::RowUnit;
use crate::world::{ConstraintRecord, Drag, GROUND, LAST_PRIORITY, World};

/// Changes by grips of the user's priorities.
#[derive(Debug, Default)]
pub(super) struct Priorities {
    demoted: Vec<bool>,
}

impl Priorities {
    /// The priority of the constraint at a position in the world.
    pub(super) fn of(&self, position: usize, priority: u8) -> u8 {
        match self.demoted.get(position) {
            Some(true) => LAST_PRIORITY,
            _ => priority,
        }
    }
}

/// Whether it fixes a number of a body, which holds it like a joint to the ground.
fn is_fixed_number(record: &ConstraintRecord) -> bool {
    let [only] = record.connectors() else {
        return false;
    };
    record.rows() == [RowUnit::Number] && matches!(only.site(), Some(Site::Scalar(_)))
}

/// Reads the grips of a world.
pub(super) fn priorities(world: &World) -> Priorities {
    let mut priorities = Priorities::default();
    let pins = world.grips().iter().filter(|grip| grip.drag() == Drag::Pin);
    let mut pinned = pins
        .flat_map(|grip| world.bodies_of(grip.held()))
        .filter_map(|&body| world.body_position(body))
        .peekable();
    if pinned.peek().is_none() {
        return priorities;
    }
    let mechanism = Mechanism::of(world, pinned);
    let is_demoted = world.constraints().iter().map(|record| {
        let is_hand = world.is_hand(record.id());
        let bodies = || bodies_of(world, record);
        let of_pinned = bodies().any(|body| moves(world, body) && mechanism.has_body[body]);
        let to_ground = world.touches(&record.connectors, GROUND)
            || bodies().any(|body| !moves(world, body))
            || is_fixed_number(record);
        // Springs give way anyway.
        let is_soft = record.compliance.iter().all(|&alpha| alpha > 0.0);
        !is_hand && of_pinned && to_ground && !is_soft
    });
    priorities.demoted = is_demoted.collect();
    priorities
}
