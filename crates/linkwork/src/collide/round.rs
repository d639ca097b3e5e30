//! Spheres and capsules against each other: centers, ends and axes with a radius.

use super::nearest::segments;
use super::{Feature, Found, Pair, Shape, name};
use crate::collide::tolerances::NEARLY_PARALLEL;
use crate::math::{Vec3, cross, dot, norm, sub};

/// The name of the axis: after the two ends.
const AXIS: usize = 2;

/// The middle of a sphere or capsule, and its radius.
pub(super) fn middle(shape: &Shape) -> (f64, f64) {
    match shape {
        Shape::Capsule {
            half_length,
            radius,
        } => (*half_length, *radius),
        Shape::Sphere { radius } => (0.0, *radius),
        _ => (0.0, 0.0),
    }
}

/// Of spheres and capsules a and b.
pub(super) fn find(a: &Shape, b: &Shape, found: &mut Found) {
    let ((half_a, radius_a), (half_b, radius_b)) = (middle(a), middle(b));
    let places = found.places;
    // Relative to a: what is far from the world's origin keeps its digits.
    let shift = sub(places[1].origin, places[0].origin);
    let (d, e) = (
        places[0].direction([1.0, 0.0, 0.0]),
        places[1].direction([1.0, 0.0, 0.0]),
    );
    let (w, sine) = (shift, norm(cross(d, e)));
    let mut offer = |a: Feature, b: Feature, sign: f64, names: (usize, usize)| {
        let pair = Pair {
            a,
            b,
            radii: [radius_a, radius_b],
            sign,
            id: name(names.0, names.1),
        };
        found.offer(pair, f64::NEG_INFINITY);
    };
    let end = |x: f64| [x, 0.0, 0.0];
    let axis = Feature::Line {
        at: [0.0; 3],
        along: [1.0, 0.0, 0.0],
    };
    let ends_a: &[f64] = if half_a > 0.0 {
        &[-half_a, half_a]
    } else {
        &[0.0]
    };
    let ends_b: &[f64] = if half_b > 0.0 {
        &[-half_b, half_b]
    } else {
        &[0.0]
    };
    // Both nearest points inside: the axes.
    if half_a > 0.0 && half_b > 0.0 {
        let along = |u: Vec3, x: f64| [u[0] * x, u[1] * x, u[2] * x];
        let from_b = |x: f64| {
            let at = along(e, x);
            [w[0] + at[0], w[1] + at[1], w[2] + at[2]]
        };
        let (s, t) = segments(
            [along(d, -half_a), along(d, half_a)],
            [from_b(-half_b), from_b(half_b)],
        );
        let (s, t) = (half_a * (2.0 * s - 1.0), half_b * (2.0 * t - 1.0));
        if s.abs() < half_a && t.abs() < half_b {
            let sign = if dot(cross(d, e), sub(from_b(t), along(d, s))) < 0.0 {
                -1.0
            } else {
                1.0
            };
            if sine >= NEARLY_PARALLEL {
                offer(axis, axis, sign, (AXIS, AXIS));
            } else {
                offer(Feature::Point(end(s)), axis, 1.0, (AXIS, AXIS));
            }
        }
    }
    // Ends beside the other axis, and ends beyond the ends of the other.
    for (i, &x) in ends_a.iter().enumerate() {
        let foot = x * dot(d, e) - dot(w, e);
        if foot.abs() < half_b {
            offer(Feature::Point(end(x)), axis, 1.0, (i, AXIS));
        }
    }
    for (k, &y) in ends_b.iter().enumerate() {
        let foot = y * dot(d, e) + dot(w, d);
        if foot.abs() < half_a {
            offer(axis, Feature::Point(end(y)), 1.0, (AXIS, k));
        }
        for (i, &x) in ends_a.iter().enumerate() {
            // Each end beyond the other, seen along its own axis: else one of the lines is nearer.
            let on_b = x * dot(d, e) - dot(w, e);
            let beyond = |foot: f64, end: f64| end == 0.0 || foot * end.signum() >= end.abs();
            if beyond(foot, x) && beyond(on_b, y) {
                let ends = (Feature::Point(end(x)), Feature::Point(end(y)));
                offer(ends.0, ends.1, 1.0, (i, k));
            }
        }
    }
}
