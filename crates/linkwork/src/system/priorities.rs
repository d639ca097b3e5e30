//! The priorities that hands ask for: what is pinned keeps its hand and its joints exactly; the
//! joints that hold it to the ground get the last priority, and so do fixed numbers.

use crate::connector::Site;
use crate::constraint::RowUnit;
use crate::world::{ConstraintRecord, Drag, GROUND, LAST_PRIORITY, World};

/// What grips change of the priorities the user gave.
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

/// Whether it gives a number of a body its value: that holds as a joint to the ground does.
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
    let pinned: Vec<_> = pins
        .flat_map(|grip| world.bodies_of(grip.held()))
        .copied()
        .filter(|&body| body != GROUND)
        .collect();
    if pinned.is_empty() {
        return priorities;
    }
    // Bodies that hang together with what is pinned: spread over the constraints until nothing new
    // is reached.
    let moves = |record: &ConstraintRecord| {
        let connectors = record.connectors.iter();
        let bodies: Vec<usize> = connectors
            .flat_map(|connector| world.bodies_of(connector))
            .filter(|&&body| body != GROUND)
            .map(|&body| world.bodies().partition_point(|other| other.id() < body))
            .collect();
        bodies
    };
    let touched: Vec<Vec<usize>> = world.constraints().iter().map(moves).collect();
    let is_active = |at: usize| {
        let record = &world.constraints()[at];
        record.enabled && world.all_enabled(&record.connectors)
    };
    let is_dynamic = |body: usize| world.bodies()[body].body.n_v() > 0;
    let mut reached = vec![false; world.bodies().len()];
    let mut of_body: Vec<Vec<usize>> = vec![vec![]; world.bodies().len()];
    for (at, bodies) in touched.iter().enumerate() {
        for &body in bodies.iter().filter(|_| is_active(at)) {
            of_body[body].push(at);
        }
    }
    let mut frontier: Vec<usize> = vec![];
    for &body in &pinned {
        let body = world.bodies().partition_point(|other| other.id() < body);
        frontier.push(body);
    }
    while let Some(body) = frontier.pop() {
        if std::mem::replace(&mut reached[body], true) {
            continue;
        }
        for &at in &of_body[body] {
            let more = touched[at].iter().copied();
            frontier.extend(more.filter(|&other| is_dynamic(other) && !reached[other]));
        }
    }
    priorities.demoted = vec![false; touched.len()];
    for (at, bodies) in touched.iter().enumerate() {
        let is_hand = world.grips().iter().any(|grip| {
            let id = world.constraints()[at].id();
            grip.constraint() == id
        });
        let of_pinned = bodies.iter().any(|&body| is_dynamic(body) && reached[body]);
        let record = &world.constraints()[at];
        let to_ground = world.touches(&record.connectors, GROUND)
            || bodies.iter().any(|&body| !is_dynamic(body))
            || is_fixed_number(record);
        // Springs give way by themselves.
        let is_soft = record.compliance.iter().all(|&alpha| alpha > 0.0);
        priorities.demoted[at] = !is_hand && of_pinned && to_ground && !is_soft;
    }
    priorities
}
