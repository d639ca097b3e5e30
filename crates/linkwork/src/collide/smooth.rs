//! Superquadrics against all shapes but triangle surfaces (Metaxas 1993, §7).
//!
//! Two convex shapes touch at one place, found by their support functions (`convex`); against a plane it is a
//! closed form. A tapered, twisted or bent superquadric is not convex, and may touch in several places: local
//! minima over its surface of a function that is zero on the surface of the other shape and increases outward,
//!
//! ```text
//!     plane               n·x
//!     superquadric        gauge − 1
//!     sphere, capsule     distance
//!     cylinder, box, hull ln Σ exp(β·hᵢ)/β over the heights hᵢ above its sides: edges are rounded a little
//! ```
//!
//! each followed from a grid to its minimum. There the normals are opposite, and the gap is `f/|∇f|`, exact at
//! contact.

use super::climb::climb;
use super::convex::{Solid, nearest};
use super::patch::Patch;
use super::sweep::thickness;
use super::{Feature, Found, Pair, Place, Shape, Touch, name};
use crate::collide::tolerances::ROUNDED;
use crate::math::{Vec3, add, dot, norm, scale, sub};
use crate::shape::SuperquadricForm;
use crate::shape::number::{Jet, Number, Taylor};

/// The grid: rings of latitude with so many directions each, and the poles.
const RINGS: usize = 5;
const AROUND: usize = 10;

/// A shape at its place.
pub(super) type At<'a> = (&'a Shape, &'a Place);

/// Of any shape a and a superquadric b.
pub(super) fn find(a: &Shape, b: &Shape, found: &mut Found) {
    let places = found.places;
    let (a, b) = ((a, &places[0]), (b, &places[1]));
    let mut offer = |first: Feature, second: Feature, id: u32| {
        let pair = Pair {
            a: first,
            b: second,
            radii: [0.0; 2],
            sign: 1.0,
            id,
        };
        found.offer_at(pair, touch(&pair, a, b), f64::NEG_INFINITY);
    };
    let whole = match a.0 {
        Shape::Plane => Feature::Plane {
            at: [0.0; 3],
            normal: [1.0, 0.0, 0.0],
        },
        _ => Feature::Surface(Patch::default()),
    };
    let (bent_a, bent_b) = (bent(a.0), bent(b.0));
    if bent_a.is_none() && bent_b.is_none() {
        let plane = [1.0, 0.0, 0.0];
        let patch = match a.0 {
            Shape::Plane => Patch::of(None, &Solid::new(b.0, b.1), a.1.direction(plane)),
            _ => Patch::default(),
        };
        offer(whole, Feature::Surface(patch), name(0, 0));
        if let (Feature::Surface(_), Some((pair, touch))) = (whole, found.pairs.first_mut()) {
            let (a, b) = (Solid::new(a.0, a.1), Solid::new(b.0, b.1));
            pair.b = Feature::Surface(Patch::of(Some(&a), &b, touch.normal));
        }
        return;
    }
    if let Some(form) = bent_b {
        lowest((form, b.1), a, &mut |k, toward| {
            offer(whole, Feature::Near(toward), name(0, k));
        });
    }
    if let Some(form) = bent_a {
        lowest((form, a.1), b, &mut |k, toward| {
            offer(
                Feature::Near(toward),
                Feature::Surface(Patch::default()),
                name(k, 0),
            );
        });
    }
}

/// A superquadric that is not convex.
fn bent(shape: &Shape) -> Option<&SuperquadricForm> {
    match shape {
        Shape::Superquadric(form) if !form.is_convex() => Some(form),
        _ => None,
    }
}

/// Gap, normal and points of a pair with a surface.
pub(super) fn touch(pair: &Pair, a: At<'_>, b: At<'_>) -> Touch {
    match (pair.a, pair.b) {
        (Feature::Near(toward), _) => beside(a, toward, b),
        (_, Feature::Near(toward)) => beside(b, toward, a).turned(),
        (Feature::Plane { .. }, _) => over_plane(b, a),
        (_, Feature::Plane { .. }) => over_plane(a, b).turned(),
        _ => nearest(&Solid::new(a.0, a.1), &Solid::new(b.0, b.1)),
    }
}

/// The lowest point of a convex shape over a plane; from the plane to it.
fn over_plane(own: At<'_>, plane: At<'_>) -> Touch {
    let normal = plane.1.direction([1.0, 0.0, 0.0]);
    let own = Solid::new(own.0, own.1);
    let point = own.lowest(normal);
    let gap = dot(normal, sub(point, plane.1.origin));
    Touch {
        gap,
        normal,
        point_a: sub(point, scale(gap, normal)),
        point_b: point,
    }
}

/// The point of a surface that is nearest to another shape, about a direction of its primitive; from it to the other.
fn beside(own: At<'_>, toward: Vec3, other: At<'_>) -> Touch {
    let (Shape::Superquadric(form), place) = own else {
        return nearest(&Solid::new(own.0, own.1), &Solid::new(other.0, other.1));
    };
    let seen = place.seen_from(other.1);
    let height = |d: [Taylor; 3]| -above(other.0, seen.carry(form.toward(d)));
    let (toward, _) = climb(&height, toward, None);
    let point = seen.point(form.toward(toward));
    let jet = std::array::from_fn(|k| Jet::<3>::variable(point[k], k));
    let at = above(other.0, jet);
    let steep = norm(at.d).max(f64::MIN_POSITIVE);
    let (gap, normal) = (at.v / steep, scale(-1.0 / steep, other.1.direction(at.d)));
    let point_a = other.1.point(point);
    Touch {
        gap,
        normal,
        point_a,
        point_b: add(point_a, scale(gap, normal)),
    }
}

/// Shows the directions of a grid in which a surface is lower above another shape than in those beside it.
fn lowest(
    (form, place): (&SuperquadricForm, &Place),
    other: At<'_>,
    show: &mut dyn FnMut(usize, Vec3),
) {
    let seen = place.seen_from(other.1);
    let mut heights = [0.0; RINGS * AROUND + 2];
    for (k, height) in heights.iter_mut().enumerate() {
        *height = above(other.0, seen.point(form.toward(grid(k))));
    }
    for (k, own) in heights.iter().enumerate() {
        let is_low = |other: usize| heights[other] > *own || heights[other] == *own && other >= k;
        let is_lowest = match k.checked_sub(2) {
            None => (0..AROUND).all(|j| is_low(2 + k * (RINGS - 1) * AROUND + j)),
            Some(at) => {
                let (ring, j) = (at / AROUND, at % AROUND);
                let on = |ring: usize, j: usize| 2 + ring * AROUND + j % AROUND;
                let below = if ring == 0 { 0 } else { on(ring - 1, j) };
                let over = if ring + 1 == RINGS {
                    1
                } else {
                    on(ring + 1, j)
                };
                is_low(below)
                    && is_low(over)
                    && is_low(on(ring, j + 1))
                    && is_low(on(ring, j + AROUND - 1))
            }
        };
        if is_lowest {
            show(k, grid(k));
        }
    }
}

/// A direction of the grid: the poles, then the rings from below.
fn grid(k: usize) -> Vec3 {
    let Some(at) = k.checked_sub(2) else {
        return [0.0, 0.0, [-1.0, 1.0][k]];
    };
    let (ring, j) = (at / AROUND, at % AROUND);
    let part = std::f64::consts::PI / (RINGS + 1) as f64;
    let (sin, cos) = libm::sincos(part * (ring as f64 - 0.5 * (RINGS - 1) as f64));
    // Between the axes, where powers have no slope.
    let turn = std::f64::consts::TAU / AROUND as f64;
    let (y, x) = libm::sincos(turn * (j as f64 + 0.3));
    [cos * x, cos * y, sin]
}

/// Shows heights over flat sides.
type Heights<'a, T> = &'a dyn Fn(&mut dyn FnMut(T));

/// Zero on the surface of a shape, more outside; in its own frame.
fn above<T: Number>(shape: &Shape, p @ [x, y, z]: [T; 3]) -> T {
    let length = |p: [T; 3]| {
        let square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
        (square + f64::MIN_POSITIVE).sqrt()
    };
    let sharp = 1.0 / (ROUNDED * thickness(shape));
    let among = |heights: Heights<'_, T>| {
        let mut largest = f64::NEG_INFINITY;
        heights(&mut |own| largest = largest.max(own.value()));
        let mut sum = T::constant(0.0);
        heights(&mut |own| sum = sum + ((own + (-largest)) * sharp).exponential());
        sum.logarithm() * (1.0 / sharp) + largest
    };
    match shape {
        Shape::Plane => x,
        Shape::Superquadric(form) => form.gauge_at(p) + (-1.0),
        Shape::Sphere { radius } => length(p) + (-radius),
        Shape::Capsule {
            half_length,
            radius,
        } => {
            let along = x.value().clamp(-half_length, *half_length);
            let beyond = match along == x.value() {
                true => T::constant(0.0),
                false => x + (-along),
            };
            length([beyond, y, z]) + (-radius)
        }
        Shape::Cylinder {
            half_length,
            radius,
        } => among(&|see| {
            see(x + (-half_length));
            see(-x + (-half_length));
            see(length([T::constant(0.0), y, z]) + (-radius));
        }),
        Shape::Box { half } => among(&|see| {
            for (x, half) in p.into_iter().zip(half) {
                see(x + (-half));
                see(-x + (-half));
            }
        }),
        Shape::Hull(hull) => among(&|see| {
            for (face, n) in hull.normals.iter().enumerate() {
                let at = dot(*n, hull.vertices()[hull.face(face)[0] as usize]);
                see(x * n[0] + y * n[1] + z * n[2] + (-at));
            }
        }),
        _ => T::constant(f64::INFINITY),
    }
}

/// Distance of a point from a superquadric, in its frame; to first order if it is not convex.
pub(super) fn distance(form: &SuperquadricForm, point: Vec3) -> f64 {
    if !form.is_convex() {
        let (g, slope) = form.gauge_and_slope(point);
        return (g - 1.0) / norm(slope).max(f64::MIN_POSITIVE);
    }
    let (own, here) = (Shape::Superquadric(*form), Place::at([0.0; 3]));
    let (dot, there) = (Shape::Sphere { radius: 0.0 }, Place::at(point));
    nearest(&Solid::new(&own, &here), &Solid::new(&dot, &there)).gap
}
