//! Joined bodies, which neither collide with nor sense each other unless a collider asks for it.

use super::{Collider, ConstraintRecord, World};
use crate::constraint::{FramePair, Level};
use crate::id::{BodyId, GROUND};
use crate::linalg::order::{Key, sort};

/// The place of the ground, which has no record.
const GROUND_AT: u32 = u32::MAX;

/// Who is joined to whom. What welds hold together is one part: what is joined to one of its bodies is joined to all of
/// them, as if they were one body. The ground is no body of a part: what is welded to it may meet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Joined {
    /// Of each body, by the position of its record, the first one of its part.
    part: Vec<u32>,
    /// Pairs of parts, the earlier one first.
    pairs: Vec<Key>,
}

impl Joined {
    pub(crate) fn new(world: &World) -> Self {
        let mut joined = Self {
            part: (0..world.bodies().len() as u32).collect(),
            pairs: Vec::new(),
        };
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        for constraint in world.constraints().iter().filter(|own| joins(own)) {
            let is_weld = constraint.constraint.as_frame_pair() == Some(&FramePair::weld());
            let mut positions: Vec<(usize, u32)> = Vec::new();
            for (i, connector) in constraint.connectors.iter().enumerate() {
                let position = |id: &BodyId| match *id == GROUND {
                    true => GROUND_AT,
                    false => world.body_position(*id).map_or(GROUND_AT, |at| at as u32),
                };
                let bodies = world.bodies_of(connector).iter();
                positions.extend(bodies.map(|id| (i, position(id))));
            }
            // A weld of an output of several bodies holds none of them.
            let is_weld = is_weld && positions.len() == 2;
            for (k, &(i, a)) in positions.iter().enumerate() {
                for &(j, b) in &positions[..k] {
                    if a != b && i != j {
                        match is_weld && a != GROUND_AT && b != GROUND_AT {
                            true => joined.weld(a, b),
                            false => pairs.push([a, b]),
                        }
                    }
                }
            }
        }
        // The first is known by itself, so that one pass is enough.
        for at in 0..joined.part.len() {
            joined.part[at] = joined.part[joined.part[at] as usize];
        }
        let pairs = pairs.iter().map(|own| own.map(|at| joined.part_of(at)));
        let apart = pairs.filter(|[a, b]| a != b);
        joined.pairs = apart.map(|[a, b]| pair(a, b)).collect();
        joined.pass_carriers(world);
        sort(&mut joined.pairs);
        joined.pairs.dedup();
        joined
    }

    /// Makes two bodies one part, which is known by the first.
    fn weld(&mut self, a: u32, b: u32) {
        let [a, b] = [a, b].map(|mut at| {
            while self.part[at as usize] != at {
                at = self.part[at as usize];
            }
            at
        });
        self.part[a.max(b) as usize] = a.min(b);
    }

    fn part_of(&self, record: u32) -> u32 {
        // The ground has none.
        self.part.get(record as usize).copied().unwrap_or(record)
    }

    /// Whether two colliders may meet, as far as their groups and joints between their bodies go.
    pub(crate) fn lets_meet(&self, a: (u32, &Collider), b: (u32, &Collider)) -> bool {
        a.1.meets(b.1) && !self.holds_apart(a, b)
    }

    /// Whether a joint between their bodies keeps two colliders from meeting.
    pub(crate) fn holds_apart(&self, a: (u32, &Collider), b: (u32, &Collider)) -> bool {
        if a.1.with_joined || b.1.with_joined {
            return false;
        }
        let [first, second] = [a.0, b.0].map(|record| self.part_of(record));
        first == second || self.pairs.binary_search(&pair(first, second)).is_ok()
    }

    /// Two parts between which there is only what does not collide, as between the hinges of a joint that an importer
    /// made of several, are joined too.
    fn pass_carriers(&mut self, world: &World) {
        let mut collide = vec![false; self.part.len()];
        for (record, &part) in world.bodies().iter().zip(&self.part) {
            collide[part as usize] |= record.colliders.iter().any(|own| !own.is_sensor);
        }
        let collides = |part: u32| part == GROUND_AT || collide[part as usize];
        let pairs = self.pairs.clone();
        let neighbors = |part: u32| {
            pairs.iter().filter_map(move |&(a, b)| match (a as u32, b) {
                (a, b) if a == part => Some(b),
                (a, b) if b == part => Some(a),
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
                    self.pairs.push(pair(from, at));
                }
            }
        }
    }
}

/// At most so many parts that do not collide are passed on the way to one that does.
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
