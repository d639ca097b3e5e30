//! Joined bodies, which neither collide with nor sense each other unless a collider asks for it.

use super::{Collider, ConstraintRecord, World};
use crate::constraint::Level;
use crate::id::{BodyId, GROUND};
use crate::linalg::order::{Key, sort};

/// The place of the ground, which has no record.
const GROUND_AT: u32 = u32::MAX;

/// Pairs of bodies by the positions of their records, the earlier one first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Joined(Vec<Key>);

impl Joined {
    pub(crate) fn new(world: &World) -> Self {
        let mut joined = Self::default();
        for constraint in world.constraints().iter().filter(|own| joins(own)) {
            let mut positions: Vec<(usize, u32)> = Vec::new();
            for (i, connector) in constraint.connectors.iter().enumerate() {
                let position = |id: &BodyId| match *id == GROUND {
                    true => GROUND_AT,
                    false => world.body_position(*id).map_or(GROUND_AT, |at| at as u32),
                };
                let bodies = world.bodies_of(connector).iter();
                positions.extend(bodies.map(|id| (i, position(id))));
            }
            for (k, &(i, a)) in positions.iter().enumerate() {
                for &(j, b) in &positions[..k] {
                    if a != b && i != j {
                        joined.0.push(pair(a, b));
                    }
                }
            }
        }
        joined.pass_carriers(world);
        sort(&mut joined.0);
        joined.0.dedup();
        joined
    }

    /// Whether groups and joints let two colliders meet.
    pub(crate) fn lets_meet(&self, a: (u32, &Collider), b: (u32, &Collider)) -> bool {
        a.1.meets(b.1) && !self.holds_apart(a, b)
    }

    /// Whether a joint between their bodies keeps two colliders from meeting.
    pub(crate) fn holds_apart(&self, a: (u32, &Collider), b: (u32, &Collider)) -> bool {
        let is_joined = self.0.binary_search(&pair(a.0, b.0)).is_ok();
        is_joined && !a.1.with_joined && !b.1.with_joined
    }

    /// Bodies with only carriers without colliders between them are joined too, such as the hinges of which an
    /// importer builds a joint.
    fn pass_carriers(&mut self, world: &World) {
        let collides = |record: u32| match record {
            GROUND_AT => true,
            record => {
                let colliders = &world.bodies()[record as usize].colliders;
                colliders.iter().any(|own| !own.is_sensor)
            }
        };
        let pairs = self.0.clone();
        let neighbors = |record: u32| {
            pairs.iter().filter_map(move |&(a, b)| match (a as u32, b) {
                (a, b) if a == record => Some(b),
                (a, b) if b == record => Some(a),
                _ => None,
            })
        };
        for &(a, b) in &pairs {
            for (from, mut at) in [(a as u32, b), (b, a as u32)] {
                // Follows carriers that have exactly two neighbors.
                let mut before = from;
                let mut n_passed = 0;
                while collides(from) && !collides(at) && n_passed < MOST_CARRIERS {
                    let mut others = neighbors(at).filter(|&other| other != before);
                    let (Some(next), None) = (others.next(), others.next()) else {
                        break;
                    };
                    (before, at) = (at, next);
                    n_passed += 1;
                }
                if n_passed > 0 && collides(at) && at != from {
                    self.0.push(pair(from, at));
                }
            }
        }
    }
}

/// Largest number of carriers between two joined bodies.
const MOST_CARRIERS: usize = 8;

fn pair(a: u32, b: u32) -> Key {
    (u64::from(a.min(b)), a.max(b))
}

/// Whether a constraint is a joint: exact, on positions, and not a grip's.
fn joins(constraint: &ConstraintRecord) -> bool {
    let own = &constraint.constraint;
    constraint.enabled
        && own.level() == Level::Position
        && own.bound().is_none()
        && constraint.priority == 0
}
