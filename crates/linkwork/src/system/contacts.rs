//! The pairs of features that may touch within a step.
//!
//! The bounding box of every collider is extended by the motion of its body in the step. If two boxes overlap,
//! their near features become candidates. Nothing but buffers is kept between calls: equal states give equal
//! candidates.

use super::layout::Layout;
use super::nodes::{self, SkinAt};
use super::numbers::System;
use super::touch::{Candidate, Softness, now, place, point_velocity};
use super::turning::Turning;
use crate::body::{Deformed, Pose};
use crate::collide::{Aabb, Broad, Finder, Pair, Shape, Way, bounds, thickness};
use crate::math::{Vec3, norm, sub, unit};
use crate::system::tolerances::{BETWEEN, REACH};
use crate::topology::NONE;
use crate::world::{Collider, Joined, State, World};

/// A collider of an enabled body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColliderAt {
    /// Position of its body's record in the world, or `NONE` for the ground.
    pub(super) record: u32,
    /// Its index among those of the body.
    own: u32,
    /// Whether it is planar.
    pub(super) is_flat: bool,
    /// Half of its thickness, m.
    pub(super) thick: f64,
    /// How its body deforms.
    deforms: Deforms,
}

/// How the body of a collider deforms.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Deforms {
    Never,
    /// As a sheet, which collides with planes only.
    Affine,
    AsSolid,
    /// By its nodes.
    Soft,
}

impl ColliderAt {
    /// Whether it is the skin of a soft body.
    pub(super) fn is_soft(&self) -> bool {
        self.deforms == Deforms::Soft
    }

    pub(super) fn collider<'w>(&self, world: &'w World) -> &'w Collider {
        let colliders = match self.record {
            NONE => world.ground_colliders(),
            record => world.bodies()[record as usize].colliders(),
        };
        &colliders[self.own as usize]
    }
}

impl Layout {
    /// Lists the colliders of enabled bodies, without sensors, and the pairs of joined bodies.
    pub(super) fn compile_colliders(&mut self, world: &World) {
        self.colliders.clear();
        self.list_colliders(NONE, world.ground_colliders(), Deforms::Never);
        for (record, body) in world.bodies().iter().enumerate() {
            if body.enabled && !body.colliders.is_empty() {
                let deforms = match body.body.deformed(&world.state().q[body.q_range()]) {
                    None if body.body.skin().is_some() => Deforms::Soft,
                    None => Deforms::Never,
                    Some(Deformed::Affine { .. }) => Deforms::Affine,
                    Some(Deformed::Superquadric(_)) => Deforms::AsSolid,
                };
                self.list_colliders(record as u32, &body.colliders, deforms);
            }
        }
        self.joined = match self.colliders.is_empty() {
            true => Joined::default(),
            false => Joined::new(world),
        };
    }

    fn list_colliders(&mut self, record: u32, colliders: &[Collider], deforms: Deforms) {
        for (own, collider) in colliders.iter().enumerate() {
            if !collider.is_sensor {
                self.colliders.push(ColliderAt {
                    record,
                    own: own as u32,
                    is_flat: collider.shape.is_planar(),
                    thick: thickness(&collider.shape),
                    deforms,
                });
            }
        }
    }

    pub(crate) fn has_colliders(&self) -> bool {
        !self.colliders.is_empty()
    }
}

/// The buffers of a search.
#[derive(Debug, Default)]
pub(crate) struct Contacts {
    pub(super) places: Vec<Pose>,
    pub(super) speeds: Vec<f64>,
    pub(super) boxes: Vec<Aabb>,
    pub(super) broad: Broad,
    pub(super) overlaps: Vec<[u32; 2]>,
    pub(super) finder: Finder,
    pairs: Vec<Pair>,
    /// Motions of colliders that may have passed through something.
    pub(super) ways: Vec<Way>,
}

impl Contacts {
    /// Lists the pairs of features that may touch within `h` seconds.
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
            let (around, speed, place) = match SkinAt::of(at, collider) {
                Some(skin) => (skin.around(), skin.speed(), Pose::at([0.0; 3])),
                None => {
                    let (shape, now) = now(at, collider);
                    let around = bounds(&shape, &now);
                    let speed = speed(at, collider, &shape, &around);
                    (around, speed, place(at, collider).1)
                }
            };
            let speed = speed + falls;
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
            let is_soft = first.is_soft() || second.is_soft();
            if is_soft {
                let both = [first, second];
                nodes::find(at, both, reach, &mut self.finder, &mut self.pairs);
            } else {
                let shapes = [first, second].map(|collider| now(at, collider));
                let [first_at, second_at] = &shapes;
                self.finder.find(
                    (&first_at.0, &first_at.1),
                    (&second_at.0, &second_at.1),
                    reach,
                    &mut self.pairs,
                );
            }
            let list = &mut system.touches.list;
            let is_flat = first.is_flat || second.is_flat;
            list.extend(self.pairs.drain(..).map(|pair| {
                // Nodes have no rolling resistance.
                let friction = (own.friction * other.friction).sqrt();
                let turning = match is_soft {
                    true => None,
                    false => Turning::new([own, other], friction, is_flat, &pair.patch()),
                };
                Candidate {
                    a,
                    b,
                    pair,
                    restitution: own.restitution.max(other.restitution),
                    friction,
                    softness: Softness::of([own, other]),
                    turning: turning.map(|turning| turning.numbered(&mut n_turns)),
                    across: [0.0; 3],
                }
            }));
        }
        system.begin_touches(layout);
        system.fill_touches(at, layout);
        system.touches.keep_across();
        system.touches.remember(&at.1.touching);
    }
}

impl System {
    /// The bodies of a candidate, by the positions of their records; `None` for the ground.
    pub(crate) fn touching_records(&self, layout: &Layout, touch: u32) -> [Option<usize>; 2] {
        let own = &self.touches.list[touch as usize];
        [own.a, own.b].map(|at| match layout.colliders[at as usize].record {
            NONE => None,
            record => Some(record as usize),
        })
    }
}

/// Whether two colliders can collide.
pub(super) fn may_meet(world: &World, layout: &Layout, a: &ColliderAt, b: &ColliderAt) -> bool {
    let moves = |at: &ColliderAt| match at.record {
        NONE => false,
        record => !world.bodies()[record as usize].v_range().is_empty(),
    };
    let (own, other) = (a.collider(world), b.collider(world));
    let is_level = |own: &Collider| matches!(own.shape, Shape::Plane);
    let is_sheet = |own: &ColliderAt| own.deforms == Deforms::Affine;
    if is_sheet(a) && !is_level(other) || is_sheet(b) && !is_level(own) {
        return false;
    }
    a.record != b.record
        && (moves(a) || moves(b))
        && layout.joined.lets_meet((a.record, own), (b.record, other))
}

/// A bound on the speed of points of the collider. Velocities are linear in the point, except in solids that
/// deform.
fn speed(at: (&World, &State), collider: &ColliderAt, shape: &Shape, around: &Aabb) -> f64 {
    if collider.record == NONE {
        return 0.0;
    }
    if let (Deforms::AsSolid, Shape::Superquadric(form)) = (collider.deforms, shape) {
        let place = now(at, collider).1;
        let ways = (0..27).filter_map(|k| unit([k % 3, k / 3 % 3, k / 9].map(|k| k as f64 - 1.0)));
        let points = ways.map(|way| place.point(form.toward(way)));
        let speeds = points.map(|point| norm(point_velocity(at, collider, point)));
        return BETWEEN * speeds.fold(0.0, f64::max);
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
