//! Who may touch within a step.
//!
//! Boxes around all colliders are grown by what their bodies can move in the step; of those that overlap, the parts that
//! are near become candidates. Nothing is remembered from call to call but room and, of the state, what touched last: the
//! same state finds the same candidates.

use super::layout::Layout;
use super::numbers::System;
use super::touch::{Candidate, place, point_velocity};
use super::turning::Turning;
use crate::body::Pose;
use crate::collide::{Aabb, Broad, Finder, Pair, bounds};
use crate::constraint::Level;
use crate::linalg::order::sort;
use crate::math::{Vec3, norm, sub};
use crate::topology::NONE;
use crate::world::{Collider, ConstraintRecord, GROUND, State, World};

/// A collider that takes part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColliderAt {
    /// Position of its body's record in the world, or `NONE` for the ground.
    pub(super) record: u32,
    /// Its place among those of the body.
    own: u32,
    /// In the plane.
    pub(super) is_flat: bool,
}

impl ColliderAt {
    pub(super) fn collider<'w>(&self, world: &'w World) -> &'w Collider {
        let colliders = match self.record {
            NONE => world.ground_colliders(),
            record => world.bodies()[record as usize].colliders(),
        };
        &colliders[self.own as usize]
    }
}

impl Layout {
    /// Lists the colliders of bodies that take part, and who is joined to whom.
    pub(super) fn compile_colliders(&mut self, world: &World) {
        self.colliders.clear();
        self.joined.clear();
        let is_planar_world = world.bodies().iter().any(|record| {
            let colliders = record.colliders.iter();
            record.enabled && colliders.clone().any(|own| own.shape.is_planar())
        });
        for (own, collider) in world.ground_colliders().iter().enumerate() {
            self.colliders.push(ColliderAt {
                record: NONE,
                own: own as u32,
                is_flat: collider.shape.is_planar() || is_planar_world,
            });
        }
        for (record, body) in world.bodies().iter().enumerate() {
            for (own, collider) in body.colliders.iter().enumerate().filter(|_| body.enabled) {
                self.colliders.push(ColliderAt {
                    record: record as u32,
                    own: own as u32,
                    is_flat: collider.shape.is_planar(),
                });
            }
        }
        if self.colliders.is_empty() {
            return;
        }
        for constraint in world.constraints().iter().filter(|own| joins(own)) {
            let positions = constraint.connectors.iter().map(|connector| {
                let bodies = world.bodies();
                match connector.body == GROUND {
                    true => NONE,
                    false => bodies
                        .binary_search_by_key(&connector.body, |record| record.id)
                        .map_or(NONE, |at| at as u32),
                }
            });
            let positions: Vec<u32> = positions.collect();
            for (i, &a) in positions.iter().enumerate() {
                for &b in &positions[..i] {
                    if a != b {
                        self.joined.push((u64::from(a.min(b)), a.max(b)));
                    }
                }
            }
        }
        self.join_through_carriers(world);
        sort(&mut self.joined);
        self.joined.dedup();
    }

    /// Two bodies between which there is only what does not collide, as between the hinges of a joint that an importer
    /// made of several, are joined too.
    fn join_through_carriers(&mut self, world: &World) {
        let collides = |record: u32| match record {
            NONE => true,
            record => !world.bodies()[record as usize].colliders.is_empty(),
        };
        let pairs = self.joined.clone();
        let neighbors = |record: u32| {
            pairs.iter().filter_map(move |&(a, b)| match (a as u32, b) {
                (a, b) if a == record => Some(b),
                (a, b) if b == record => Some(a),
                _ => None,
            })
        };
        for &(a, b) in &pairs {
            for (from, mut at) in [(a as u32, b), (b, a as u32)] {
                // Along carriers with one way in and one out.
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
                    self.joined.push((u64::from(from.min(at)), from.max(at)));
                }
            }
        }
    }

    pub(crate) fn has_colliders(&self) -> bool {
        !self.colliders.is_empty()
    }
}

/// Whether a constraint is a joint: it holds places, exactly, and is no hand.
fn joins(constraint: &ConstraintRecord) -> bool {
    let own = &constraint.constraint;
    constraint.enabled
        && own.level() == Level::Position
        && own.bound().is_none()
        && constraint.priority == 0
}

/// The room of a search.
#[derive(Debug, Default)]
pub(crate) struct Contacts {
    places: Vec<Pose>,
    speeds: Vec<f64>,
    boxes: Vec<Aabb>,
    broad: Broad,
    overlaps: Vec<[u32; 2]>,
    finder: Finder,
    pairs: Vec<Pair>,
}

impl Contacts {
    /// Lists what may touch within `h` seconds.
    pub(crate) fn find(
        &mut self,
        at: (&World, &State),
        layout: &Layout,
        h: f64,
        system: &mut System,
    ) {
        let world = at.0;
        system.touches.clear();
        self.places.clear();
        self.speeds.clear();
        self.boxes.clear();
        let falls = norm(layout.gravity_world) * h;
        for collider in &layout.colliders {
            let place = place(at, collider).1;
            let own = collider.collider(world);
            let around = bounds(&own.shape, &place);
            let speed = speed(at, collider, &around) + falls;
            self.boxes.push(around.grown(2.0 * h * speed + REACH));
            self.places.push(place);
            self.speeds.push(speed);
        }
        let mut n_turns = 0;
        self.overlaps.clear();
        self.broad.pairs(&self.boxes, &mut self.overlaps);
        for &[a, b] in &self.overlaps {
            let (first, second) = (&layout.colliders[a as usize], &layout.colliders[b as usize]);
            if !may_meet(world, layout, first, second) {
                continue;
            }
            let [own, other] = [first, second].map(|at| at.collider(world));
            let reach = REACH + 2.0 * h * (self.speeds[a as usize] + self.speeds[b as usize]);
            self.pairs.clear();
            self.finder.find(
                (&own.shape, &self.places[a as usize]),
                (&other.shape, &self.places[b as usize]),
                reach,
                &mut self.pairs,
            );
            let list = &mut system.touches.list;
            let is_flat = first.is_flat || second.is_flat;
            let turning = Turning::new([own, other], is_flat);
            list.extend(self.pairs.drain(..).map(|pair| Candidate {
                a,
                b,
                pair,
                restitution: own.restitution.max(other.restitution),
                friction: (own.friction * other.friction).sqrt(),
                turning: turning.map(|turning| turning.numbered(&mut n_turns)),
            }));
        }
        system.begin_touches(layout);
        system.fill_touches(at, layout);
        system.touches.remember(&at.1.touching);
    }
}

/// At most so many bodies that do not collide are passed on the way to one that does.
const MOST_CARRIERS: usize = 8;

/// Parts nearer than this are candidates though nothing moves, m.
const REACH: f64 = 1e-3;

/// Whether two colliders can touch at all.
fn may_meet(world: &World, layout: &Layout, a: &ColliderAt, b: &ColliderAt) -> bool {
    let moves = |at: &ColliderAt| match at.record {
        NONE => false,
        record => !world.bodies()[record as usize].v_range().is_empty(),
    };
    let (own, other) = (a.collider(world), b.collider(world));
    let pair = (u64::from(a.record.min(b.record)), a.record.max(b.record));
    let is_joined = layout.joined.binary_search(&pair).is_ok();
    a.record != b.record
        && (moves(a) || moves(b))
        && own.meets(other)
        && (!is_joined || own.with_joined || other.with_joined)
}

/// How fast a point of the collider can be. Velocities are linear in the point.
fn speed(at: (&World, &State), collider: &ColliderAt, around: &Aabb) -> f64 {
    if collider.record == NONE {
        return 0.0;
    }
    let half = [0, 1, 2].map(|k| 0.5 * (around.high[k] - around.low[k]));
    let half = half.map(|half| if half.is_finite() { half } else { 0.0 });
    let mut center = around.low;
    for k in 0..3 {
        center[k] = if half[k] > 0.0 {
            center[k] + half[k]
        } else {
            0.0
        };
    }
    let moves = |point: Vec3| point_velocity(at, collider, point);
    let own = moves(center);
    let mut most = norm(own);
    for k in 0..3 {
        let mut point = center;
        point[k] += half[k];
        most += norm(sub(moves(point), own));
    }
    most
}
