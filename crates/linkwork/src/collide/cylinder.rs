//! Cylinders against spheres and capsules: cap, rim or side.

use super::round::middle;
use super::solid::within_circle;
use super::{Feature, Found, Pair, Shape, name};
use crate::math::{Vec3, cross, dot, norm, scale, sub, unit};

/// Names of features of a cylinder: two caps, two rims, the side.
const CAP: usize = 0;
const RIM: usize = 2;
const SIDE: usize = 4;

/// Half length and radius.
#[derive(Clone, Copy)]
struct Cylinder(f64, f64);

/// The part of a cylinder that is nearest to a point.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Cap(usize),
    Rim(usize),
    Side,
}

impl Cylinder {
    fn of(shape: &Shape) -> Self {
        match shape {
            Shape::Cylinder {
                half_length,
                radius,
            } => Self(*half_length, *radius),
            _ => Self(0.0, 0.0),
        }
    }

    /// The nearest part to a point of the cylinder's frame, and the vector from the solid to it: zero inside.
    fn near(&self, [x, y, z]: Vec3) -> (Part, Vec3) {
        let Self(half, radius) = *self;
        let out = (y * y + z * z).sqrt();
        let cap = usize::from(x > 0.0);
        let beyond = x - x.clamp(-half, half);
        let aside = if out > radius {
            1.0 - radius / out
        } else {
            0.0
        };
        let part = match (beyond != 0.0, out > radius) {
            (true, true) => Part::Rim(cap),
            (true, false) => Part::Cap(cap),
            (false, true) => Part::Side,
            (false, false) if half - x.abs() < radius - out => Part::Cap(cap),
            (false, false) => Part::Side,
        };
        (part, [beyond, aside * y, aside * z])
    }

    fn feature(&self, part: Part) -> (Feature, f64, usize) {
        let Self(half, radius) = *self;
        let axis = [1.0, 0.0, 0.0];
        match part {
            Part::Cap(cap) => {
                let normal = [[-1.0, 1.0][cap], 0.0, 0.0];
                let at = scale(half, normal);
                (Feature::Plane { at, normal }, 0.0, CAP + cap)
            }
            Part::Rim(cap) => {
                let center = [[-half, half][cap], 0.0, 0.0];
                let rim = Feature::Circle {
                    center,
                    axis,
                    radius,
                };
                (rim, 0.0, RIM + cap)
            }
            Part::Side => {
                let at = [0.0; 3];
                (Feature::Line { at, along: axis }, radius, SIDE)
            }
        }
    }
}

/// Pairs of a sphere a and a cylinder b.
pub(super) fn sphere(a: &Shape, b: &Shape, found: &mut Found) {
    let (_, radius) = middle(a);
    point(0.0, 0, radius, Cylinder::of(b), found);
}

/// The pair of a point of a's axis, with its radius, and the nearest part of b.
fn point(x: f64, id: usize, radius: f64, b: Cylinder, found: &mut Found) {
    let [place_a, place_b] = found.places;
    let at = [x, 0.0, 0.0];
    let (part, _) = b.near(place_b.local_point(place_a.point(at)));
    let (feature, own, part) = b.feature(part);
    let pair = Pair {
        a: Feature::Point(at),
        b: feature,
        radii: [radius, own],
        sign: 1.0,
        id: name(id, part),
    };
    found.offer(pair, f64::NEG_INFINITY);
}

/// Whether a normal is nearly along the cylinder's axis.
fn normal_is_of_cap([x, y, z]: Vec3) -> bool {
    (y * y + z * z).sqrt() < super::tolerances::NEARLY_PARALLEL * x.abs()
}

/// Pairs of a capsule a and a cylinder b; false if the capsule's axis enters the solid, which is not handled
/// here.
pub(super) fn capsule(a: &Shape, b: &Shape, found: &mut Found) -> bool {
    let (half, radius) = middle(a);
    let b = Cylinder::of(b);
    let [place_a, place_b] = found.places;
    // The capsule's axis in the frame of the cylinder. The distance from a convex solid is convex along it.
    let middle = place_b.local_point(place_a.origin);
    let along = place_b.local_direction(place_a.direction([1.0, 0.0, 0.0]));
    let at = |x: f64| [0, 1, 2].map(|k| middle[k] + x * along[k]);
    let (mut low, mut high) = (-half, half);
    for _halving in 0..80 {
        let x = 0.5 * (low + high);
        let (_, apart) = b.near(at(x));
        let slope = dot(apart, along);
        if slope > 0.0 {
            high = x;
        } else {
            low = x;
        }
    }
    let x = 0.5 * (low + high);
    let (part, apart) = b.near(at(x));
    let distance = norm(apart);
    if distance <= 1e-9 * (b.0 + b.1) {
        return false;
    }
    if distance - radius > found.reach {
        return true;
    }
    let Some(normal) = unit(apart) else {
        return false;
    };
    let inside = x.abs() < half * (1.0 - 1e-12);
    let mut offer = |a: Feature, b: Feature, radii: [f64; 2], sign: f64, id: u32| {
        let pair = Pair {
            a,
            b,
            radii,
            sign,
            id,
        };
        found.offer(pair, f64::NEG_INFINITY);
    };
    let axis = Feature::Line {
        at: [0.0; 3],
        along: [1.0, 0.0, 0.0],
    };
    let touched = sub(at(x), apart);
    if inside {
        // On the side or the rim: the line of the surface there, or the rim's tangent, crosses the capsule's axis.
        let line = match part {
            Part::Rim(_) => unit(cross([1.0, 0.0, 0.0], touched)),
            _ => Some([1.0, 0.0, 0.0]),
        };
        if let (Some(line), Part::Rim(_) | Part::Side) = (line, part) {
            let (feature, own, id) = match part {
                Part::Side => b.feature(part),
                Part::Rim(cap) => {
                    let tangent = Feature::Line {
                        at: touched,
                        along: line,
                    };
                    (tangent, 0.0, RIM + cap)
                }
                Part::Cap(_) => b.feature(part),
            };
            let across = cross(along, line);
            if norm(across) >= super::tolerances::NEARLY_PARALLEL {
                // From a to b: opposite to the outward normal of the cylinder.
                let sign = if dot(across, normal) > 0.0 { -1.0 } else { 1.0 };
                offer(axis, feature, [radius, own], sign, name(2, id));
            } else {
                let point = Feature::Point([x, 0.0, 0.0]);
                offer(point, feature, [radius, own], 1.0, name(2, id));
            }
        }
        // Beside the side, and longer than it: the rims' points nearest to the axis.
        if norm(cross(along, [1.0, 0.0, 0.0])) < super::tolerances::NEARLY_PARALLEL {
            for cap in 0..2 {
                let x = [-b.0, b.0][cap];
                let along_axis = (x - middle[0]) / along[0];
                let [_, y, z] = at(along_axis);
                let out = (y * y + z * z).sqrt();
                if along_axis.abs() < half && out > b.1 {
                    let point = Feature::Point([x, y * b.1 / out, z * b.1 / out]);
                    offer(axis, point, [radius, 0.0], 1.0, name(2, 5 + cap));
                }
            }
        }
    }
    // Along a cap: where the axis comes over it.
    if along[0].abs() < super::tolerances::NEARLY_PARALLEL && normal_is_of_cap(apart) {
        let cap = usize::from(middle[0] > 0.0);
        let (plane, own, id) = b.feature(Part::Cap(cap));
        let rims = within_circle(middle, along, b.1).into_iter().flatten();
        for (k, x) in rims.enumerate() {
            if x.abs() < half {
                let point = Feature::Point([x, 0.0, 0.0]);
                offer(point, plane, [radius, own], 1.0, name(3 + k, id));
            }
        }
    }
    for (id, x) in [-half, half].into_iter().enumerate() {
        let (_, apart) = b.near(at(x));
        if norm(apart) > 0.0 {
            point(x, id, radius, b, found);
        }
    }
    true
}
