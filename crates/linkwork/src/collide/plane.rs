//! Half-spaces against all shapes: corners, ends and rims over the plane.

use super::tree::Visit;
use super::triangles::Part;
use super::{Feature, Found, Pair, Shape, Triangles, name};
use crate::collide::tolerances::{NEARLY_FLAT, STEEP};
use crate::math::{Vec3, dot, neg, scale, sub, unit};

/// Pairs of the plane a and `b`.
pub(super) fn find(b: &Shape, found: &mut Found) {
    let Some(plane) = face(b, found) else {
        return;
    };
    if let Shape::Mesh(own) = b {
        return lowest(own, plane, found);
    }
    let [a, place] = found.places;
    let along = dot(
        a.direction([1.0, 0.0, 0.0]),
        place.direction([1.0, 0.0, 0.0]),
    );
    features(b, along, &mut |b, radius, id| {
        let pair = over(plane, b, radius, name(0, id));
        found.offer(pair, f64::NEG_INFINITY);
    });
}

fn over(plane: Feature, b: Feature, radius: f64, id: u32) -> Pair {
    Pair {
        a: plane,
        b,
        radii: [0.0, radius],
        sign: 1.0,
        id,
    }
}

/// Visits the features of a shape that can touch a plane, with radii and ids. `along` is the cosine between the
/// plane's normal and the x axis of the shape.
pub(super) fn features(shape: &Shape, along: f64, show: &mut dyn FnMut(Feature, f64, usize)) {
    let mut point = |at: Vec3, radius: f64, id: usize| show(Feature::Point(at), radius, id);
    match shape {
        Shape::Sphere { radius } | Shape::Disc { radius } => point([0.0; 3], *radius, 0),
        Shape::Capsule {
            half_length,
            radius,
        } => {
            point([-half_length, 0.0, 0.0], *radius, 0);
            point([*half_length, 0.0, 0.0], *radius, 1);
        }
        Shape::Box { half: [x, y, z] } => {
            for k in 0..8 {
                let side = |bit: usize, half: f64| if k >> bit & 1 == 0 { -half } else { half };
                point([side(0, *x), side(1, *y), side(2, *z)], 0.0, k);
            }
        }
        Shape::Hull(hull) => {
            for (k, &vertex) in hull.vertices().iter().enumerate() {
                point(vertex, 0.0, k);
            }
        }
        Shape::Polygon(polygon) => {
            for (k, &[x, y]) in polygon.points().iter().enumerate() {
                point([x, y, 0.0], polygon.radius(), k);
            }
        }
        Shape::Cylinder {
            half_length,
            radius,
        } => cylinder(*half_length, *radius, along, show),
        Shape::Plane
        | Shape::Mesh(_)
        | Shape::HeightField(_)
        | Shape::Superquadric(_)
        | Shape::Nodes => {}
    }
}

/// Visits the points of a shape that may be over a plane: corners, and centers of round shapes, with radii and
/// ids.
pub(crate) fn points_of(shape: &Shape, show: &mut dyn FnMut(Vec3, f64, u32)) {
    features(shape, 0.0, &mut |feature, radius, name| {
        if let Feature::Point(at) = feature {
            show(at, radius, name as u32);
        }
    });
}

/// The rims; for a cap that is nearly flat also four fixed points of its rim.
fn cylinder(half_length: f64, radius: f64, along: f64, show: &mut dyn FnMut(Feature, f64, usize)) {
    let flat = 1.0 - along * along < NEARLY_FLAT * NEARLY_FLAT;
    for cap in 0..2 {
        let x = [-half_length, half_length][cap];
        let rim = Feature::Circle {
            center: [x, 0.0, 0.0],
            axis: [1.0, 0.0, 0.0],
            radius,
        };
        show(rim, 0.0, 2 + cap);
        // The cap that looks down.
        if flat && (along > 0.0) == (cap == 0) {
            let rim = [[radius, 0.0], [0.0, radius], [-radius, 0.0], [0.0, -radius]];
            for (k, [y, z]) in rim.into_iter().enumerate() {
                show(Feature::Point([x, y, z]), 0.0, 5 + 4 * cap + k);
            }
        }
    }
}

/// The corners of a surface near the plane that are local minima of the height.
fn lowest(own: &Triangles, plane: Feature, found: &mut Found) {
    let [a, b] = found.places;
    let down = neg(b.local_direction(a.direction([1.0, 0.0, 0.0])));
    let at = b.local_point(a.origin);
    let reach = found.reach;
    own.tree.visit(&mut |visit| {
        let triangle = match visit {
            Visit::Box(around) => {
                let side = |k: usize| {
                    if down[k] > 0.0 {
                        around.high
                    } else {
                        around.low
                    }
                };
                let low = [0, 1, 2].map(|k| side(k)[k]);
                return dot(down, sub(low, at)) >= -reach;
            }
            Visit::Thing(triangle) => triangle as usize,
        };
        for (k, corner) in own.corners(triangle).into_iter().enumerate() {
            let part = Part::Corner(k);
            if own.is_free(triangle, part, down, STEEP) {
                let id = own.name(triangle, part);
                found.offer(
                    over(plane, Feature::Point(corner), 0.0, id),
                    f64::NEG_INFINITY,
                );
            }
        }
        true
    });
}

/// The plane itself; for shapes of the plane its trace in z = 0, if there is one.
fn face(b: &Shape, found: &Found) -> Option<Feature> {
    let (at, normal) = ([0.0; 3], [1.0, 0.0, 0.0]);
    let [plane, other] = &found.places;
    let [x, y, z] = plane.direction(normal);
    if !b.is_planar() || z.abs() <= 1e-12 {
        return Some(Feature::Plane { at, normal });
    }
    if z.abs() > 1.0 - 1e-12 {
        return None;
    }
    // Where the plane meets z = z₀: n·(p − o) = 0 with n_xy normalized.
    let level = unit([x, y, 0.0])?;
    let height = other.origin[2] - plane.origin[2];
    let along = -z * height / (x * x + y * y).sqrt();
    let world = sub(plane.origin, scale(-along, level));
    Some(Feature::Plane {
        at: plane.local_point([world[0], world[1], other.origin[2]]),
        normal: plane.local_direction(level),
    })
}
