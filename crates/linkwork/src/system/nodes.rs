//! Contact of soft bodies, by the nodes and triangles of their skins (Metaxas 1993, §7).
//!
//! ```text
//!     node, any shape      a small ball against the shape
//!     point, triangle      gap = n·(x − x_foot) − radii,  ġap = n·(ẋ − Σ wₖ·ẋₖ)      w the weights of the foot
//! ```
//!
//! The points over triangles are nodes of other soft bodies, and corners and centers of rigid shapes. Each has one
//! triangle, the nearest; its plane goes on beyond its edges, and looks outward, so only closed skins have triangles
//! that push. Either is a pair of two shapes that `collide` knows, a ball or a plane at a place of its own. Which node
//! or triangle it is, the name of the pair tells: the half of its id that belongs to the soft body.

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

/// What collides of a collider in one pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Whole,
    Node(u32),
    Face(u32),
}

/// Names of triangles begin here; those of nodes end.
const FACE: u32 = Skin::MOST_PARTS as u32;

impl Part {
    /// Both parts of a pair.
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

/// A skin, and where its nodes are and how fast.
#[derive(Clone, Copy, Debug)]
pub(super) struct SkinAt<'w> {
    pub(super) skin: &'w Skin,
    q: &'w [f64],
    v: &'w [f64],
    /// Where the velocities of its body begin.
    v0: usize,
}

impl<'w> SkinAt<'w> {
    /// That of a collider, if it is of a soft body.
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

    /// The box around its nodes.
    pub(super) fn around(&self) -> Aabb {
        let mut around = Aabb::EMPTY;
        for &node in &self.skin.nodes {
            around.include_point(self.node(node));
        }
        around.grown(self.skin.radius)
    }

    /// How fast the fastest node is.
    pub(super) fn speed(&self) -> f64 {
        let speeds = self
            .skin
            .nodes
            .iter()
            .map(|&node| norm(vector(self.v, node)));
        speeds.fold(0.0, f64::max)
    }

    /// The shape that a part is, and where.
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

    /// Where the node of a part is.
    pub(super) fn node_of(&self, part: Part) -> Option<Vec3> {
        match part {
            Part::Node(node) => Some(self.node(node)),
            _ => None,
        }
    }

    /// Shows the nodes that a part consists of, for a point that moves with it: where their velocities begin, these,
    /// and how they move the point. Over a triangle, at the height d, that is `wₖ·1 − d·∇wₖ⊗n`: so it turns with the
    /// triangle, and what pushes two bodies at one point turns neither against the other.
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

    /// Writes the rows of a part at a point into sides from the `n`-th on; how the point moves.
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

    /// Adds pairs of its nodes with a shape that is not soft; first those of the nodes.
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

    /// Adds the pair of a point, with a radius, and the triangle that is nearest to it, if it has an inside. The point
    /// is a part of another shape, at its place.
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

    /// The triangle nearest to a point, within a distance. At an edge or a corner it is the one that looks at the point
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
                    // The point is the other's: as if they were seen from the skin.
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

/// Adds the force of something that touched last to those of a soft body.
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

/// The plane through three points, a little further out: its normal is the x axis of the place.
fn plane_of(corners: [Vec3; 3], radius: f64) -> Place {
    let normal = normal_of(corners);
    let (y, z) = complete_basis(normal);
    Place {
        rotation: [0, 1, 2].map(|k| [normal[k], y[k], z[k]]),
        origin: add(corners[0], scale(radius, normal)),
    }
}

/// Weights of three points that make the foot of another on their plane, and how they change with it.
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
