//! Distance and normal of two convex shapes, one of them a superquadric.
//!
//! ```text
//!     gap = max over n of f(n) = n·d − h_A(n) − h_B(−n)      d from A's origin to B's, h the support functions
//! ```
//!
//! First by Newton's method from the best of many directions. If the shapes are apart, f is concave, and the
//! result is certain if the distance of the two support points equals f; with flat sides, edges and corners it
//! does not. Such cases, and shapes that nearly touch or overlap, where f may have several maxima, are solved
//! by the method of Gilbert, Johnson and Keerthi (1988). It needs separate shapes, so B is displaced along the
//! present normal by s,
//!
//! ```text
//!     n ← argmax f(m) + s·m·n = argmax f(m) − ½·s·|m − n|²
//! ```
//!
//! repeatedly. No step decreases f, and a fixed point is a maximum of f: the direction of least penetration.

use super::climb::{Height, all_around, climb, height_at, highest};
use super::feature::turned;
use super::nearest::on_triangle;
use super::{Place, Shape, Touch};
use crate::collide::tolerances::{APART, CERTAIN, CORE_ROUND_OFF, FLAT_CORE, SAME, TILTED};
use crate::math::{Vec3, add, complete_basis, cross, dot, neg, norm, scale, sub, transpose, unit};
use crate::shape::number::{Number, Taylor};

/// Largest number of directions in which a side may be flat.
const MOST_FLAT: usize = 6;

/// Largest numbers of nearest-point searches and of displacements.
const MOST_POINTS: usize = 100;
const MOST_PUSHES: usize = 12;

/// A convex shape at its place.
#[derive(Clone, Copy)]
pub(super) struct Solid<'a> {
    shape: &'a Shape,
    place: &'a Place,
    /// Radius added to `support`.
    radius: f64,
}

impl<'a> Solid<'a> {
    pub(super) fn new(shape: &'a Shape, place: &'a Place) -> Self {
        let radius = match shape {
            Shape::Sphere { radius } | Shape::Capsule { radius, .. } => *radius,
            _ => 0.0,
        };
        Self {
            shape,
            place,
            radius,
        }
    }

    /// The support point in direction n, relative to its origin, in world axes.
    fn support<T: Number>(&self, n: [T; 3]) -> [T; 3] {
        let rotation = &self.place.rotation;
        let local = turned(&transpose(rotation), n);
        let point = |at: Vec3| at.map(T::constant);
        let side = |n: T, half: f64| if n.value() < 0.0 { -half } else { half };
        let own = match self.shape {
            Shape::Superquadric(form) => form.support(local),
            Shape::Capsule { half_length, .. } => point([side(local[0], *half_length), 0.0, 0.0]),
            Shape::Box { half } => point([0, 1, 2].map(|k| side(local[k], half[k]))),
            Shape::Cylinder {
                half_length,
                radius,
            } => {
                let [x, y, z] = local;
                let square = y * y + z * z;
                let out = match square.value() > 1e-30 {
                    true => square.sqrt().recip() * *radius,
                    false => T::constant(0.0),
                };
                [T::constant(side(x, *half_length)), y * out, z * out]
            }
            Shape::Hull(hull) => {
                let direction = local.map(T::value);
                let height = |at: &&Vec3| dot(direction, **at);
                let all = hull.vertices().iter();
                let best = all.reduce(|best, at| {
                    if height(&at) > height(&best) {
                        at
                    } else {
                        best
                    }
                });
                point(best.copied().unwrap_or_default())
            }
            _ => point([0.0; 3]),
        };
        turned(rotation, own)
    }

    /// The support point in direction n, in the world.
    pub(super) fn point(&self, n: Vec3) -> Vec3 {
        add(self.support(n), scale(self.radius, n))
    }

    /// One of its axes, projected across n.
    pub(super) fn axis_across(&self, n: Vec3) -> Option<Vec3> {
        let own = self.place.local_direction(n)[2].abs();
        let k = if own < 0.9 { 2 } else { 0 };
        let axis = self.place.rotation.map(|row| row[k]);
        unit(sub(axis, scale(dot(axis, n), n)))
    }

    /// Its lowest point over a plane with this normal, in the world.
    pub(super) fn lowest(&self, normal: Vec3) -> Vec3 {
        add(self.place.origin, self.point(neg(normal)))
    }

    /// Visits directions in which it is flat where n is its normal.
    fn flat(&self, n: Vec3, see: &mut dyn FnMut(Vec3)) {
        let local = self.place.local_direction(n);
        let mut axis = |k: usize| {
            if local[k].abs() < FLAT_CORE {
                see(self.place.rotation.map(|row| row[k]));
            }
        };
        match self.shape {
            Shape::Box { .. } => (0..3).for_each(axis),
            Shape::Capsule { .. } => axis(0),
            Shape::Cylinder { .. } if libm::hypot(local[1], local[2]) < FLAT_CORE => {
                (1..3).for_each(axis);
            }
            Shape::Cylinder { .. } => axis(0),
            Shape::Hull(hull) => {
                let at = self.place.local_direction(self.support(n));
                let edges = hull.vertices().iter().map(|&other| sub(other, at));
                for edge in edges.filter(|edge| dot(local, *edge) > -FLAT_CORE * norm(*edge)) {
                    if edge != [0.0; 3] {
                        see(self.place.direction(edge));
                    }
                }
            }
            _ => {}
        }
    }

    /// Its approximate size.
    pub(super) fn size(&self) -> f64 {
        (0..3).fold(0.0f64, |most, k| {
            let axis = self.place.rotation.map(|row| row[k]);
            most.max(dot(axis, self.point(axis)))
        })
    }
}

/// Gap, normal and nearest points of two convex shapes.
pub(super) fn nearest(a: &Solid<'_>, b: &Solid<'_>) -> Touch {
    let between = sub(b.place.origin, a.place.origin);
    let height = |n: [Taylor; 3]| {
        let (from, to) = (a.support(n), b.support(n.map(|n| -n)));
        let apart = [0, 1, 2].map(|k| to[k] - from[k] + between[k]);
        n[0] * apart[0] + n[1] * apart[1] + n[2] * apart[2] + (-a.radius - b.radius)
    };
    let axes = [a, b].into_iter().flat_map(|own| {
        let axes = transpose(&own.place.rotation);
        axes.into_iter().flat_map(|axis| [axis, neg(axis)])
    });
    let size = a.size().max(b.size());
    let starts = all_around().chain(unit(between)).chain(axes);
    let (n, gap) = climb(&height, highest(&height, starts), None);
    let apart = sub(add(between, b.point(neg(n))), a.point(n));
    if gap > APART * size && norm(apart) - gap <= CERTAIN {
        return touch(a, b, n, gap, between);
    }
    let (mut n, mut gap) = (n, gap);
    for _ in 0..MOST_PUSHES {
        let push = (APART * size - gap - a.radius - b.radius).max(0.0);
        let from = add(between, scale(push, n));
        let Some(next) = unit(meet(a, b, from, n)) else {
            break;
        };
        let next = level(a, b, next, &height);
        let (turned, worth) = (norm(sub(next, n)), height_at(&height, next));
        if worth < gap {
            break;
        }
        (n, gap) = (next, worth);
        if push == 0.0 || turned < SAME {
            break;
        }
    }
    touch(a, b, n, gap, between)
}

/// The points of the surfaces for a normal, at the support point of the shape that is more curved there.
fn touch(a: &Solid<'_>, b: &Solid<'_>, n: Vec3, gap: f64, between: Vec3) -> Touch {
    let (t, u) = complete_basis(n);
    let flatness = |own: &Solid<'_>, n: Vec3| {
        let here = own.point(n);
        let goes = |t: Vec3| norm(sub(own.point(add(n, scale(TILTED, t))), here));
        goes(t) + goes(u) + goes(neg(t)) + goes(neg(u))
    };
    let (from, to) = match flatness(a, n) <= flatness(b, neg(n)) {
        true => (a.point(n), add(a.point(n), scale(gap, n))),
        false => {
            let on_b = add(between, b.point(neg(n)));
            (sub(on_b, scale(gap, n)), on_b)
        }
    };
    Touch {
        gap,
        normal: n,
        point_a: add(a.place.origin, from),
        point_b: add(a.place.origin, to),
    }
}

/// The best of a normal and nearby ones: of flat sides, along edges, and free.
fn level(a: &Solid<'_>, b: &Solid<'_>, n: Vec3, height: Height<'_>) -> Vec3 {
    let (mut flat, mut n_flat) = ([[0.0; 3]; MOST_FLAT], 0);
    let mut see = |along: Vec3| {
        if let (Some(along), Some(room)) = (unit(along), flat.get_mut(n_flat)) {
            (*room, n_flat) = (along, n_flat + 1);
        }
    };
    a.flat(n, &mut see);
    b.flat(n, &mut see);
    let mut best = (n, height_at(height, n) - CORE_ROUND_OFF);
    let mut take = |own: (Vec3, f64)| {
        if own.1 > best.1 {
            best = own;
        }
    };
    take(climb(height, n, None));
    for (k, &held) in flat[..n_flat].iter().enumerate() {
        if let Some(start) = unit(sub(n, scale(dot(held, n), held))) {
            take(climb(height, start, Some(held)));
        }
        for &other in &flat[..k] {
            let across = cross(held, other);
            if norm(across) > 0.01
                && let Some(side) = unit(scale(dot(across, n).signum(), across))
            {
                take((side, height_at(height, side) + CORE_ROUND_OFF));
            }
        }
    }
    best.0
}

/// The shortest vector from a to b, which are apart, without their rounding, by nearest points of a simplex in
/// their Minkowski difference.
fn meet(a: &Solid<'_>, b: &Solid<'_>, between: Vec3, n: Vec3) -> Vec3 {
    let corner = |n: Vec3| sub(add(between, b.support(neg(n))), a.support(n));
    let mut triangle = [corner(n); 3];
    let mut least = triangle[0];
    for _ in 0..MOST_POINTS {
        let length = norm(least);
        let Some(n) = unit(least) else { break };
        let next = corner(n);
        if length - dot(n, next) <= 1e-15 * length {
            break;
        }
        // Of the triangles with the new corner, the nearest.
        let mut best = (least, triangle);
        for k in 0..3 {
            let mut own = triangle;
            own[k] = next;
            let at = on_triangle([0.0; 3], own);
            if norm(at) < norm(best.0) {
                best = (at, own);
            }
        }
        if norm(best.0) >= length {
            break;
        }
        (least, triangle) = best;
    }
    least
}
