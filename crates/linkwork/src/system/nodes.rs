//! Contact of soft bodies, by the nodes and triangles of their skins (Metaxas 1993, §7).
//!
//! ```text
//!     node, any shape      a small ball against the shape
//!     point, triangle      gap = n·(x − x_foot) − radii,  ġap = n·(ẋ − Σ wₖ·ẋₖ)      w the weights of the foot
//! ```
//!
//! Points against triangles are nodes of other soft bodies, and corners and centers of rigid shapes. Each is
//! paired with its nearest triangle, which acts as an unbounded plane with an outward normal; so only closed
//! skins have triangles that collide. Either is a pair of shapes of `collide`, a ball or a plane. The soft
//! body's half of the pair's id is the number of the node or triangle.

use std::borrow::Cow;

use super::contacts::ColliderAt;
use super::touch::{self, SideNow};
use crate::body::Skin;
use crate::collide::{Aabb, Feature, Finder, Pair, Place, Shape, bounds, on_triangle, points_of};
use crate::math::{
    IDENTITY3, Mat3, Vec3, add, complete_basis, cross, dot, mat_t_vec, mat_vec, norm, scale, sub,
    unit,
};
use crate::system::tolerances::SAME;
use crate::world::{State, World};

/// The part of a collider that takes part in a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Whole,
    Node(u32),
    Face(u32),
}

/// First id of triangles; smaller ones are nodes.
const FACE: u32 = Skin::MOST_PARTS as u32;

impl Part {
    /// The parts of both colliders of a pair.
    pub(super) fn of(colliders: [&ColliderAt; 2], id: u32) -> [Self; 2] {
        let part = |collider: &ColliderAt, name: u32| match (collider.is_soft(), name >= FACE) {
            (false, _) => Self::Whole,
            (true, false) => Self::Node(name),
            (true, true) => Self::Face(name - FACE),
        };
        [
            part(colliders[0], id >> 16),
            part(colliders[1], id & 0xffff),
        ]
    }
}

/// A skin with positions and velocities of its nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct SkinAt<'w> {
    pub(super) skin: &'w Skin,
    q: &'w [f64],
    v: &'w [f64],
    /// First index of its body's velocities.
    v0: usize,
}

impl<'w> SkinAt<'w> {
    /// The skin of a collider on a soft body.
    pub(super) fn of(
        (world, state): (&'w World, &'w State),
        collider: &ColliderAt,
    ) -> Option<Self> {
        if !collider.is_soft() {
            return None;
        }
        let record = &world.bodies()[collider.record as usize];
        Some(Self {
            skin: record.body.skin()?,
            q: &state.q[record.q_range()],
            v: &state.v[record.v_range()],
            v0: record.v0,
        })
    }

    fn node(&self, k: u32) -> Vec3 {
        vector(self.q, k)
    }

    fn corners(&self, face: u32) -> [Vec3; 3] {
        self.skin.triangles[face as usize].map(|node| self.node(node))
    }

    /// The bounding box of its nodes.
    pub(super) fn around(&self) -> Aabb {
        let mut around = Aabb::EMPTY;
        for &node in &self.skin.nodes {
            around.include_point(self.node(node));
        }
        around.grown(self.skin.radius)
    }

    /// The largest speed of a node.
    pub(super) fn speed(&self) -> f64 {
        let speeds = self
            .skin
            .nodes
            .iter()
            .map(|&node| norm(vector(self.v, node)));
        speeds.fold(0.0, f64::max)
    }

    /// The shape and place of a part.
    pub(super) fn now(&self, part: Part) -> (Cow<'w, Shape>, Place) {
        let radius = self.skin.radius;
        match part {
            Part::Face(face) => (
                Cow::Owned(Shape::Plane),
                plane_of(self.corners(face), radius),
            ),
            Part::Node(node) => {
                let ball = Shape::Sphere { radius };
                (Cow::Owned(ball), Place::at(self.node(node)))
            }
            Part::Whole => (Cow::Owned(Shape::Nodes), Place::at([0.0; 3])),
        }
    }

    /// The position of a part's node.
    pub(super) fn node_of(&self, part: Part) -> Option<Vec3> {
        match part {
            Part::Node(node) => Some(self.node(node)),
            _ => None,
        }
    }

    /// Visits the nodes of a part with their derivatives of the velocity of a point that moves with it: the
    /// derivative, the first index of the node's velocities, and its velocity. At height d above a triangle the
    /// derivative is `wₖ·1 − d·∇wₖ⊗n`: the point rotates with the triangle, so that forces at one point of two
    /// bodies conserve angular momentum.
    pub(super) fn shares(&self, part: Part, point: Vec3, mut show: impl FnMut(Mat3, usize, Vec3)) {
        let mut share = |moves: Mat3, node: u32| {
            let at = self.v0 + 3 * node as usize;
            show(moves, at, vector(self.v, node));
        };
        match part {
            Part::Whole => {}
            Part::Node(node) => share(IDENTITY3, node),
            Part::Face(face) => {
                let nodes = self.skin.triangles[face as usize];
                let corners = self.corners(face);
                let (weights, slopes) = weights(corners, point);
                let n = normal_of(corners);
                let height = dot(n, sub(point, corners[0]));
                for k in 0..3 {
                    let tilt = scale(height, slopes[k]);
                    let entry = |i: usize, j: usize| {
                        let own = if i == j { weights[k] } else { 0.0 };
                        own - tilt[i] * n[j]
                    };
                    let row = |i: usize| [entry(i, 0), entry(i, 1), entry(i, 2)];
                    share([row(0), row(1), row(2)], nodes[k]);
                }
            }
        }
    }

    /// Writes the rows of a part at a point into sides from the `n`-th on. Returns the velocity of the point.
    pub(super) fn write(
        &self,
        (part, point): (Part, Vec3),
        axes: &[Vec3; 3],
        rows: &mut Vec<f64>,
        (sides, n): (&mut [SideNow], &mut usize),
    ) -> Vec3 {
        let mut moves = [0.0; 3];
        self.shares(part, point, |own, v0, velocity| {
            moves = add(moves, mat_vec(&own, velocity));
            let side = SideNow::at(v0, 3);
            sides[*n] = side.write(axes, own.as_flattened(), rows);
            *n += 1;
        });
        moves
    }

    /// Adds pairs with a shape that is not soft; those of its nodes first.
    fn over_shape(
        &self,
        (shape, place): (&Shape, &Place),
        reach: f64,
        finder: &mut Finder,
        out: &mut Vec<Pair>,
    ) {
        let radius = self.skin.radius;
        let around = bounds(shape, place).grown(reach + radius);
        let ball = Shape::Sphere { radius };
        for &node in &self.skin.nodes {
            let x = self.node(node);
            if around.distance(x) > 0.0 {
                continue;
            }
            let first = out.len();
            finder.find((&ball, &Place::at(x)), (shape, place), reach, out);
            for pair in &mut out[first..] {
                pair.id |= node << 16;
            }
        }
    }

    /// Adds the pair of a point with a radius and the nearest triangle, if the skin is closed. The point
    /// belongs to another shape.
    fn under_point(
        &self,
        (local, radius, name): (Vec3, f64, u32),
        place: &Place,
        reach: f64,
        out: &mut Vec<Pair>,
    ) {
        let most = reach + radius + self.skin.radius + self.skin.longest_edge;
        let Some(face) = self.nearest_face(place.point(local), most) else {
            return;
        };
        let pair = Pair {
            a: Feature::Point(local),
            b: Feature::Plane {
                at: [0.0; 3],
                normal: [1.0, 0.0, 0.0],
            },
            radii: [radius, 0.0],
            sign: 1.0,
            id: name << 16 | FACE | face,
        };
        let plane = self.now(Part::Face(face));
        let ball = Shape::Sphere { radius };
        if pair.touch((&ball, place), (&plane.0, &plane.1)).gap <= reach {
            out.push(pair);
        }
    }

    /// The triangle nearest to a point, within a distance. At an edge or a corner, the one that faces the point
    /// most.
    fn nearest_face(&self, x: Vec3, most: f64) -> Option<u32> {
        let mut best = None;
        let (mut least, mut looks) = (most, 0.0f64);
        for face in 0..self.skin.triangles.len() as u32 {
            let corners = self.corners(face);
            let mut around = Aabb::EMPTY;
            corners
                .iter()
                .for_each(|&corner| around.include_point(corner));
            if around.distance(x) > least {
                continue;
            }
            let apart = sub(x, on_triangle(x, corners));
            let distance = norm(apart);
            let height = dot(normal_of(corners), apart).abs();
            let is_same = (distance - least).abs() <= SAME * self.skin.longest_edge;
            if is_same && height > looks || !is_same && distance < least {
                (best, looks) = (Some(face), height);
                least = least.min(distance);
            }
        }
        best
    }
}

/// Adds the pairs of two colliders of which one is soft, or both are.
pub(super) fn find(
    at: (&World, &State),
    colliders: [&ColliderAt; 2],
    reach: f64,
    finder: &mut Finder,
    out: &mut Vec<Pair>,
) {
    for (own, other, swaps) in [
        (colliders[0], colliders[1], false),
        (colliders[1], colliders[0], true),
    ] {
        let Some(skin) = SkinAt::of(at, own) else {
            continue;
        };
        let first = out.len();
        match SkinAt::of(at, other) {
            Some(other) => {
                if other.skin.is_closed {
                    let around = other.around().grown(reach + skin.skin.radius);
                    for &node in &skin.skin.nodes {
                        let x = skin.node(node);
                        if around.distance(x) == 0.0 {
                            let point = ([0.0; 3], skin.skin.radius, node);
                            other.under_point(point, &Place::at(x), reach, out);
                        }
                    }
                }
            }
            None => {
                let (shape, place) = touch::now(at, other);
                skin.over_shape((&shape, &place), reach, finder, out);
                if skin.skin.is_closed {
                    let around = skin.around();
                    let nodes = out.len();
                    points_of(&shape, &mut |local, radius, name| {
                        if around.distance(place.point(local)) <= reach + radius {
                            let point = (local, radius, name);
                            skin.under_point(point, &place, reach, out);
                        }
                    });
                    // Stored with the skin first.
                    out[nodes..]
                        .iter_mut()
                        .for_each(|pair| *pair = pair.swapped());
                }
            }
        }
        if swaps {
            out[first..]
                .iter_mut()
                .for_each(|pair| *pair = pair.swapped());
        }
    }
}

/// Adds a contact force of the last step to the forces of a soft body.
pub(super) fn push(skin: &SkinAt<'_>, (part, point): (Part, Vec3), force: Vec3, out: &mut [f64]) {
    skin.shares(part, point, |own, v0, _| {
        let push = mat_t_vec(&own, force);
        for (f, push) in out[v0..v0 + 3].iter_mut().zip(push) {
            *f += push;
        }
    });
}

fn vector(of: &[f64], node: u32) -> Vec3 {
    let at = 3 * node as usize;
    [of[at], of[at + 1], of[at + 2]]
}

fn normal_of([a, b, c]: [Vec3; 3]) -> Vec3 {
    unit(cross(sub(b, a), sub(c, a))).unwrap_or([1.0, 0.0, 0.0])
}

/// The plane through three points, offset by a radius. Its normal is the x axis of the place.
fn plane_of(corners: [Vec3; 3], radius: f64) -> Place {
    let normal = normal_of(corners);
    let (y, z) = complete_basis(normal);
    Place {
        rotation: [0, 1, 2].map(|k| [normal[k], y[k], z[k]]),
        origin: add(corners[0], scale(radius, normal)),
    }
}

/// Barycentric weights of a point's projection on a triangle's plane, and their gradients.
fn weights([a, b, c]: [Vec3; 3], point: Vec3) -> ([f64; 3], [Vec3; 3]) {
    let (d, e, x) = (sub(b, a), sub(c, a), sub(point, a));
    let normal = cross(d, e);
    let square = dot(normal, normal).max(f64::MIN_POSITIVE);
    let second = dot(cross(x, e), normal) / square;
    let third = dot(cross(d, x), normal) / square;
    let (up, down) = (
        scale(1.0 / square, cross(e, normal)),
        scale(1.0 / square, cross(normal, d)),
    );
    let first = scale(-1.0, add(up, down));
    ([1.0 - second - third, second, third], [first, up, down])
}
