//! Pairs of features that may touch, and the gap between them at any pose.
//!
//! A feature is a material part of one shape, given in the shape's own frame. With `p, q` the nearest points of
//! two features (world), `n` the unit normal from a to b and `R` the sum of the roundings:
//!
//! ```text
//!     gap = n·(q − p) − R
//!     point, point     n = (q − p)/|q − p|
//!     point, line      q the foot of p on the line
//!     point, circle    q the point of the circle in the half-plane of p
//!     point, plane     n = −m, m the outward normal of b's plane
//!     line, line       n = sign·(d_a × d_b)/|d_a × d_b|
//!     circle, plane    p = c + r·u, u = −(m − (m·axis)·axis)/|…| the lowest rim point
//! ```
//!
//! In each case `ġap = n·(v_b − v_a)`, the velocities being those of the bodies at the two points.

use super::{Patch, Shape, smooth};
use crate::body::Pose;
use crate::collide::tolerances::{FLAT_FEATURE, PARALLEL_FEATURES};
use crate::math::{
    IDENTITY3, Mat3, Vec3, add, complete_basis, cross, dot, mat_t_vec, mat_vec, norm,
    quat_to_matrix, scale, sub, transpose, unit,
};
use crate::shape::number::Number;

/// A material part of a shape, in the shape's frame. Directions are unit vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Feature {
    /// A corner, or a center.
    Point(Vec3),
    /// An edge, or an axis, as an infinite line; `find` lists it only if the nearest points are on it.
    Line { at: Vec3, along: Vec3 },
    /// A rim.
    Circle {
        center: Vec3,
        axis: Vec3,
        radius: f64,
    },
    /// A face, its normal outward; or a plane that supports the shape at a corner or edge.
    Plane { at: Vec3, normal: Vec3 },
    /// A whole surface with one nearest point (`smooth`), and its flat patch there.
    Surface(Patch),
    /// A surface about a direction of its primitive (`smooth`).
    Near(Vec3),
}

impl Feature {
    fn is_smooth(&self) -> bool {
        matches!(self, Self::Surface(_) | Self::Near(_))
    }
}

/// Two features that may touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pair {
    pub(crate) a: Feature,
    pub(crate) b: Feature,
    /// Rounding about the feature of each.
    pub(crate) radii: [f64; 2],
    /// Of the normal between two lines.
    pub(crate) sign: f64,
    /// Stable id of the two features within the pair of shapes.
    pub(crate) id: u32,
}

/// Gap, normal and points of two features at one instant, in world coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Touch {
    /// Negative for penetration.
    pub(crate) gap: f64,
    /// From a to b.
    pub(crate) normal: Vec3,
    /// On the surface of a.
    pub(crate) point_a: Vec3,
    /// On the surface of b.
    pub(crate) point_b: Vec3,
}

impl Touch {
    /// The same, seen from b.
    pub(super) fn turned(self) -> Self {
        Self {
            gap: self.gap,
            normal: scale(-1.0, self.normal),
            point_a: self.point_b,
            point_b: self.point_a,
        }
    }
}

/// A pose as matrix and origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) rotation: Mat3,
    pub(crate) origin: Vec3,
}

impl Place {
    pub(crate) fn new(pose: &Pose) -> Self {
        Self {
            rotation: quat_to_matrix(pose.rotation),
            origin: pose.position,
        }
    }

    /// At a point, not rotated.
    pub(crate) fn at(origin: Vec3) -> Self {
        Self {
            rotation: IDENTITY3,
            origin,
        }
    }

    /// [`Place::point`] over any number.
    pub(super) fn carry<T: Number>(&self, local: [T; 3]) -> [T; 3] {
        let [x, y, z] = turned(&self.rotation, local);
        [x + self.origin[0], y + self.origin[1], z + self.origin[2]]
    }

    /// A point of the shape's frame, in the world.
    pub(crate) fn point(&self, local: Vec3) -> Vec3 {
        add(self.origin, mat_vec(&self.rotation, local))
    }

    /// A direction of the shape's frame, in the world.
    pub(crate) fn direction(&self, local: Vec3) -> Vec3 {
        mat_vec(&self.rotation, local)
    }

    /// A point of the world, in the shape's frame.
    pub(crate) fn local_point(&self, world: Vec3) -> Vec3 {
        mat_t_vec(&self.rotation, sub(world, self.origin))
    }

    /// A direction of the world, in the shape's frame.
    pub(crate) fn local_direction(&self, world: Vec3) -> Vec3 {
        mat_t_vec(&self.rotation, world)
    }

    /// The same, in the frame of another.
    pub(crate) fn seen_from(&self, other: &Self) -> Self {
        let column = |k: usize| other.local_direction(self.rotation.map(|row| row[k]));
        let columns = [column(0), column(1), column(2)];
        Self {
            rotation: transpose(&columns),
            origin: other.local_point(self.origin),
        }
    }

    fn feature(&self, feature: &Feature) -> Feature {
        match *feature {
            Feature::Point(at) => Feature::Point(self.point(at)),
            Feature::Line { at, along } => Feature::Line {
                at: self.point(at),
                along: self.direction(along),
            },
            Feature::Circle {
                center,
                axis,
                radius,
            } => Feature::Circle {
                center: self.point(center),
                axis: self.direction(axis),
                radius,
            },
            Feature::Plane { at, normal } => Feature::Plane {
                at: self.point(at),
                normal: self.direction(normal),
            },
            Feature::Surface(_) | Feature::Near(_) => Feature::Point(self.origin),
        }
    }
}

/// [`mat_vec`] over any number.
pub(super) fn turned<T: Number>(by: &Mat3, [x, y, z]: [T; 3]) -> [T; 3] {
    by.map(|[a, b, c]| x * a + y * b + z * c)
}

/// The nearest points of two features, without rounding: gap, normal, points.
struct Meeting {
    gap: f64,
    normal: Vec3,
    a: Vec3,
    b: Vec3,
}

impl Meeting {
    /// The same, seen from b.
    fn turned(self) -> Self {
        Self {
            gap: self.gap,
            normal: scale(-1.0, self.normal),
            a: self.b,
            b: self.a,
        }
    }
}

impl Pair {
    /// Gap, normal and points of two shapes at their places: those given to `find`, or nearby ones.
    pub(crate) fn touch(&self, a: (&Shape, &Place), b: (&Shape, &Place)) -> Touch {
        match self.a.is_smooth() || self.b.is_smooth() {
            true => smooth::touch(self, a, b),
            false => self.touch_at(a.1, b.1),
        }
    }

    pub(super) fn touch_at(&self, a: &Place, b: &Place) -> Touch {
        let meeting = meet(&a.feature(&self.a), &b.feature(&self.b), self.sign);
        let [radius_a, radius_b] = self.radii;
        Touch {
            gap: meeting.gap - radius_a - radius_b,
            normal: meeting.normal,
            point_a: add(meeting.a, scale(radius_a, meeting.normal)),
            point_b: sub(meeting.b, scale(radius_b, meeting.normal)),
        }
    }

    /// The patch where both are flat.
    pub(crate) fn patch(&self) -> Patch {
        match (self.a, self.b) {
            (_, Feature::Surface(own)) if own.arms != [0.0; 2] => own,
            (Feature::Surface(own), _) => own,
            _ => Patch::default(),
        }
    }

    /// The same pair with the shapes exchanged.
    pub(crate) fn swapped(&self) -> Self {
        // d_b × d_a = −d_a × d_b, and the normal turns round as well: the sign stays.
        Self {
            a: self.b,
            b: self.a,
            radii: [self.radii[1], self.radii[0]],
            sign: self.sign,
            id: self.id.rotate_left(16),
        }
    }
}

fn meet(a: &Feature, b: &Feature, sign: f64) -> Meeting {
    use Feature::{Circle, Line, Plane, Point};
    match (*a, *b) {
        (Point(p), Point(q)) => points(p, q, [1.0, 0.0, 0.0]),
        (Point(p), Line { at, along }) => {
            let foot = add(at, scale(dot(sub(p, at), along), along));
            points(p, foot, complete_basis(along).0)
        }
        (
            Point(p),
            Circle {
                center,
                axis,
                radius,
            },
        ) => {
            let arm = sub(p, center);
            let radial = sub(arm, scale(dot(arm, axis), axis));
            let outward = unit(radial).unwrap_or_else(|| complete_basis(axis).0);
            points(p, add(center, scale(radius, outward)), axis)
        }
        (Point(p), Plane { at, normal }) => over_plane(p, dot(normal, sub(p, at)), normal),
        (
            Circle {
                center,
                axis,
                radius,
            },
            Plane { at, normal },
        ) => {
            let across = sub(normal, scale(dot(normal, axis), axis));
            let tilt = norm(across);
            let down = if tilt > FLAT_FEATURE {
                scale(-1.0 / tilt, across)
            } else {
                complete_basis(axis).0
            };
            let gap = dot(normal, sub(center, at)) - radius * tilt;
            over_plane(add(center, scale(radius, down)), gap, normal)
        }
        (
            Line { at: p, along: d },
            Line {
                at: q, along: e, ..
            },
        ) => lines(p, d, q, e, sign),
        (Line { .. } | Circle { .. } | Plane { .. }, Point(_)) | (Plane { .. }, Circle { .. }) => {
            meet(b, a, sign).turned()
        }
        // `find` lists none of these.
        (Line { at, .. } | Circle { center: at, .. } | Plane { at, .. }, _) if !b.is_smooth() => {
            meet(&Point(at), b, sign)
        }
        _ => unreachable!("surfaces are told by their shapes"),
    }
}

fn points(p: Vec3, q: Vec3, otherwise: Vec3) -> Meeting {
    let d = sub(q, p);
    let gap = norm(d);
    let normal = unit(d).unwrap_or(otherwise);
    let (a, b) = (p, q);
    Meeting { gap, normal, a, b }
}

/// `p` at the height `gap` over a plane of b.
fn over_plane(p: Vec3, gap: f64, outward: Vec3) -> Meeting {
    Meeting {
        gap,
        normal: scale(-1.0, outward),
        a: p,
        b: sub(p, scale(gap, outward)),
    }
}

fn lines(p: Vec3, d: Vec3, q: Vec3, e: Vec3, sign: f64) -> Meeting {
    let (w, c) = (sub(q, p), cross(d, e));
    let square = dot(c, c);
    if square <= PARALLEL_FEATURES * PARALLEL_FEATURES {
        let a = add(p, scale(dot(w, d), d));
        return points(a, q, complete_basis(d).0);
    }
    let normal = scale(sign / square.sqrt(), c);
    Meeting {
        gap: dot(normal, w),
        normal,
        a: add(p, scale(dot(cross(w, e), c) / square, d)),
        b: add(q, scale(dot(cross(w, d), c) / square, e)),
    }
}
