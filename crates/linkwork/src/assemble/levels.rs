//! The priority levels that hands ask for.
//!
//! A goal that is followed is damped: near a singular pose, where the mechanism can hardly move
//! towards it, least squares alone would throw the bodies about. What is pinned keeps its hand and
//! its joints exactly; the joints that hold it to the ground go to the last level.

use crate::world::{ConstraintRecord, Drag, GROUND, LAST_LEVEL, World};

/// A step towards a goal moves nothing by more than about `1/(2·√damping)` times as far.
const FOLLOW_DAMPING: f64 = 1e-2;

/// The level of one constraint.
#[derive(Clone, Copy, Debug)]
pub(super) struct LevelOf {
    pub(super) priority: u8,
    pub(super) damping: f64,
}

/// What grips change of the levels the user gave.
#[derive(Debug, Default)]
pub(super) struct Levels {
    followed: Vec<usize>,
    demoted: Vec<bool>,
}

impl Levels {
    pub(super) fn of(&self, position: usize, priority: u8) -> LevelOf {
        let demoted = self.demoted.get(position).is_some_and(|demoted| *demoted);
        LevelOf {
            priority: if demoted { LAST_LEVEL } else { priority },
            damping: if demoted || self.followed.contains(&position) {
                FOLLOW_DAMPING
            } else {
                0.0
            },
        }
    }
}

/// Reads the grips of a world.
pub(super) fn levels(world: &World) -> Levels {
    let mut levels = Levels::default();
    let mut pinned = vec![];
    for grip in world.grips() {
        let records = world.constraints();
        let at = records.partition_point(|record| record.id() < grip.constraint());
        match grip.drag() {
            Drag::Follow => levels.followed.push(at),
            Drag::Pin => pinned.push((at, grip.held().body)),
            Drag::Force { .. } => {}
        }
    }
    if pinned.is_empty() {
        return levels;
    }
    // Bodies that hang together with what is pinned: spread over the constraints until nothing new
    // is reached.
    let moves = |record: &ConstraintRecord| {
        let bodies = record.connectors.iter().map(|connector| connector.body);
        let bodies: Vec<usize> = bodies
            .filter(|&body| body != GROUND)
            .map(|body| world.bodies().partition_point(|other| other.id() < body))
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
    for &(_, body) in &pinned {
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
    levels.demoted = vec![false; touched.len()];
    for (at, bodies) in touched.iter().enumerate() {
        let is_hand = world.grips().iter().any(|grip| {
            let id = world.constraints()[at].id();
            grip.constraint() == id
        });
        let of_pinned = bodies.iter().any(|&body| is_dynamic(body) && reached[body]);
        let record = &world.constraints()[at];
        let to_ground = record.connectors.iter().any(|c| c.body == GROUND)
            || bodies.iter().any(|&body| !is_dynamic(body));
        // Springs give way by themselves.
        let is_soft = record.compliance.iter().all(|&alpha| alpha > 0.0);
        levels.demoted[at] = !is_hand && of_pinned && to_ground && !is_soft;
    }
    levels
}
