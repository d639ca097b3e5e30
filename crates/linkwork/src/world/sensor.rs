//! Sensors: colliders that exert no force and detect bodies in them.

use std::borrow::Cow;

use super::{Collider, Joined, Revision, World};
use crate::body::{Body, Ground};
use crate::collide::{Aabb, Broad, Finder, Pair, Place, Shape, bounds};
use crate::error::Error;
use crate::id::{BodyId, GROUND};
use crate::world::tolerances::BESIDE;

/// A body that is in a sensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sensed {
    /// The body with the sensor, or the ground.
    pub sensor: BodyId,
    /// The detected body, or the ground.
    pub body: BodyId,
}

/// Two bodies that overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Overlap {
    /// The two bodies; the first may be the ground.
    pub bodies: [BodyId; 2],
    /// Depth of the overlap, m.
    pub depth: f64,
    /// Whether their groups let them collide.
    pub collide: bool,
}

/// The buffers of a search, and pairs of joined bodies.
#[derive(Debug, Default)]
pub(crate) struct Sensing {
    /// Only if there is a sensor.
    finder: Option<Finder>,
    pairs: Vec<Pair>,
    places: Vec<Placed>,
    joined: Joined,
    joined_at: Option<Revision>,
}

/// A collider and its place.
#[derive(Clone, Copy, Debug)]
struct Placed {
    /// Position of its body's record, or `GROUND_AT`.
    record: u32,
    own: u32,
    around: Aabb,
}

/// The place of the ground, which has no record.
const GROUND_AT: u32 = u32::MAX;

impl Sensing {
    /// Lists the bodies in each sensor, each pair once, in the order of bodies.
    pub(crate) fn find(&mut self, world: &World, out: &mut Vec<Sensed>) {
        out.clear();
        if !world.has_sensors() {
            return;
        }
        if self.joined_at != Some(world.revision()) {
            self.joined = Joined::new(world);
            self.joined_at = Some(world.revision());
        }
        self.place(world);
        let places = std::mem::take(&mut self.places);
        let sensors = places.iter().filter(|own| collider(world, own).is_sensor);
        for sensor in sensors {
            let others = places.iter().filter(|own| !collider(world, own).is_sensor);
            for other in others {
                let sensed = Sensed {
                    sensor: body_at(world, sensor.record),
                    body: body_at(world, other.record),
                };
                // One of several colliders of a body is enough.
                if !out.contains(&sensed) && self.overlap(world, sensor, other) {
                    out.push(sensed);
                }
            }
        }
        self.places = places;
    }

    fn place(&mut self, world: &World) {
        self.places.clear();
        let mut add = |record: u32, colliders: &[Collider]| {
            for own in 0..colliders.len() as u32 {
                let around = Aabb::EMPTY;
                let mut placed = Placed {
                    record,
                    own,
                    around,
                };
                let (shape, place) = now(world, &placed);
                placed.around = bounds(&shape, &place);
                self.places.push(placed);
            }
        };
        add(GROUND_AT, world.ground_colliders());
        for (at, record) in world.bodies().iter().enumerate() {
            if record.enabled {
                add(at as u32, &record.colliders);
            }
        }
    }

    fn overlap(&mut self, world: &World, a: &Placed, b: &Placed) -> bool {
        let (own, other) = (collider(world, a), collider(world, b));
        let may_meet = a.record != b.record
            && a.around.overlaps(&b.around)
            && self.joined.lets_meet((a.record, own), (b.record, other));
        may_meet && self.depth(world, a, b) > BESIDE
    }

    /// Depth of the overlap of two colliders, m; zero if they do not overlap.
    fn depth(&mut self, world: &World, a: &Placed, b: &Placed) -> f64 {
        self.pairs.clear();
        let (first, second) = (now(world, a), now(world, b));
        let (first, second) = ((&*first.0, &first.1), (&*second.0, &second.1));
        let finder = self.finder.get_or_insert_with(Finder::default);
        finder.find(first, second, 0.0, &mut self.pairs);
        let gaps = self.pairs.iter().map(|own| own.touch(first, second).gap);
        gaps.fold(0.0, |depth: f64, gap| depth.max(-gap))
    }

    /// Lists overlapping bodies, each pair once, in the order of bodies.
    fn find_overlaps(&mut self, world: &World) -> Vec<Overlap> {
        self.joined = Joined::new(world);
        self.joined_at = Some(world.revision());
        self.place(world);
        let mut places = std::mem::take(&mut self.places);
        places.retain(|own| !collider(world, own).is_sensor);
        let boxes: Vec<Aabb> = places.iter().map(|own| own.around).collect();
        let (mut near, mut out) = (Vec::new(), Vec::<Overlap>::new());
        Broad::default().pairs(&boxes, &mut near);
        for pair in near {
            let [a, b] = pair.map(|at| &places[at as usize]);
            let (own, other) = (collider(world, a), collider(world, b));
            if a.record == b.record || self.joined.holds_apart((a.record, own), (b.record, other)) {
                continue;
            }
            let depth = self.depth(world, a, b);
            if depth <= BESIDE {
                continue;
            }
            let bodies = [a, b].map(|placed| body_at(world, placed.record));
            let collide = own.meets(other);
            match out.iter_mut().find(|known| known.bodies == bodies) {
                Some(known) => {
                    known.depth = known.depth.max(depth);
                    known.collide |= collide;
                }
                None => out.push(Overlap {
                    bodies,
                    depth,
                    collide,
                }),
            }
        }
        self.places = places;
        out
    }
}

fn collider<'w>(world: &'w World, own: &Placed) -> &'w Collider {
    let colliders = match own.record {
        GROUND_AT => world.ground_colliders(),
        record => world.bodies()[record as usize].colliders(),
    };
    &colliders[own.own as usize]
}

/// Its present shape and place.
fn now<'w>(world: &'w World, own: &Placed) -> (Cow<'w, Shape>, Place) {
    let collider = collider(world, own);
    let (body, q): (&dyn Body, &[f64]) = match own.record {
        GROUND_AT => (&Ground, &[]),
        record => {
            let record = &world.bodies()[record as usize];
            (&*record.body, &world.state().q[record.q_range()])
        }
    };
    collider.on(body, world.state().t, q)
}

fn body_at(world: &World, record: u32) -> BodyId {
    match record {
        GROUND_AT => GROUND,
        record => world.bodies()[record as usize].id,
    }
}

impl World {
    /// The bodies now in each sensor, each pair once, in the order of bodies. Sensors detect colliders, not
    /// other sensors; groups and joints exclude pairs as they do for colliders.
    pub fn sensed(&self) -> Vec<Sensed> {
        let mut out = Vec::new();
        Sensing::default().find(self, &mut out);
        out
    }

    /// Pairs of bodies whose colliders overlap now, each once, in the order of bodies; without joined bodies,
    /// which do not collide. Overlaps before the first step are a mistake: contacts push the bodies apart, and
    /// a robot whose links overlap at their joints cannot move. Bodies that do not collide pass through each
    /// other.
    pub fn overlaps(&self) -> Vec<Overlap> {
        Sensing::default().find_overlaps(self)
    }

    /// The bodies that are now in the sensors of a body, or of the ground.
    pub fn sensed_by(&self, sensor: BodyId) -> Result<Vec<BodyId>, Error> {
        self.colliders(sensor)?;
        let all = self.sensed().into_iter();
        let own = all.filter(|own| own.sensor == sensor);
        Ok(own.map(|own| own.body).collect())
    }

    /// Whether an enabled body or the ground has a sensor.
    pub(crate) fn has_sensors(&self) -> bool {
        let has = |colliders: &[Collider]| colliders.iter().any(|own| own.is_sensor);
        let mut bodies = self.bodies().iter().filter(|record| record.enabled);
        has(self.ground_colliders()) || bodies.any(|record| has(&record.colliders))
    }
}
