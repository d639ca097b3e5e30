//! Queries on one shape: distance of a point, hit of a ray.
//!
//! Both answer in the shape's frame and are exact; shapes of the plane are asked in z = 0.

use super::nearest::{on_triangle, segments};
use super::tree::Visit;
use super::{Aabb, Place, Polygon, Polyhedron, Shape, Triangles, smooth};
use crate::math::{Vec3, add, cross, dot, neg, norm, scale, sub, unit};
use crate::shape::SuperquadricForm;

/// Largest number of steps along a ray to a superquadric.
const MOST_MARCHES: usize = 400;

/// The distance of a point from a shape, negative inside. The depth inside a hull or a polygon is that of the
/// nearest face. A triangle surface has no inside; ground is solid.
pub(crate) fn distance(shape: &Shape, place: &Place, point: Vec3) -> f64 {
    let point @ [x, y, z] = place.local_point(point);
    // For excesses over two or three bounds: their norm outside, the largest inside.
    let over = |excess: &[f64]| {
        let largest = excess.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b));
        let square: f64 = excess.iter().map(|&e| e.max(0.0) * e.max(0.0)).sum();
        if largest > 0.0 {
            square.sqrt()
        } else {
            largest
        }
    };
    match shape {
        Shape::Sphere { radius } => norm(point) - radius,
        Shape::Disc { radius } => norm([x, y, 0.0]) - radius,
        Shape::Capsule {
            half_length,
            radius,
        } => norm([x - x.clamp(-half_length, *half_length), y, z]) - radius,
        Shape::Box { half } => over(&[0, 1, 2].map(|k| point[k].abs() - half[k])),
        Shape::Cylinder {
            half_length,
            radius,
        } => over(&[x.abs() - half_length, norm([0.0, y, z]) - radius]),
        Shape::Plane => x,
        Shape::Nodes => f64::INFINITY,
        Shape::Superquadric(form) => smooth::distance(form, point),
        Shape::Hull(hull) => from_hull(hull, point),
        Shape::Polygon(polygon) => from_polygon(polygon, [x, y, 0.0]),
        Shape::Mesh(own) => from_surface(own, point),
        Shape::HeightField(own) => {
            let distance = from_surface(&own.surface, point);
            match own.above(point) {
                Some((height, _)) if height < 0.0 => -distance,
                _ => distance,
            }
        }
    }
}

fn from_surface(own: &Triangles, point: Vec3) -> f64 {
    let mut least = f64::INFINITY;
    own.tree.visit(&mut |visit| match visit {
        Visit::Box(around) => around.distance(point) < least,
        Visit::Thing(triangle) => {
            let nearest = on_triangle(point, own.corners(triangle as usize));
            least = least.min(norm(sub(point, nearest)));
            true
        }
    });
    least
}

fn from_hull(hull: &Polyhedron, point: Vec3) -> f64 {
    let at = |k: u32| hull.vertices()[k as usize];
    let (mut face, mut height) = (0, f64::NEG_INFINITY);
    for k in 0..hull.n_faces() {
        let over = dot(hull.normals[k], sub(point, at(hull.face(k)[0])));
        if over > height {
            (face, height) = (k, over);
        }
    }
    let corners = hull.face(face);
    let n = corners.len();
    let faces = (0..n).all(|k| {
        let (u, v) = (at(corners[k]), at(corners[(k + 1) % n]));
        dot(cross(hull.normals[face], sub(v, u)), sub(point, u)) >= 0.0
    });
    if height <= 0.0 || faces {
        return height;
    }
    let ends = hull.edges.iter().map(|edge| edge.ends.map(at));
    ends.fold(f64::INFINITY, |least, ends| {
        least.min(from_segment(point, ends))
    })
}

fn from_segment(point: Vec3, ends: [Vec3; 2]) -> f64 {
    let (_, t) = segments([point; 2], ends);
    norm(sub(point, add(ends[0], scale(t, sub(ends[1], ends[0])))))
}

/// The edges of a polygon.
fn edges(polygon: &Polygon) -> impl Iterator<Item = [Vec3; 2]> {
    let points = polygon.points();
    let at = |k: usize| {
        let [x, y] = points[k % points.len()];
        [x, y, 0.0]
    };
    (0..points.len()).map(move |k| [at(k), at(k + 1)])
}

fn outward([u, v]: [Vec3; 2]) -> Vec3 {
    let along = sub(v, u);
    unit([along[1], -along[0], 0.0]).unwrap_or([1.0, 0.0, 0.0])
}

fn from_polygon(polygon: &Polygon, point: Vec3) -> f64 {
    let (mut height, mut least) = (f64::NEG_INFINITY, f64::INFINITY);
    for ends in edges(polygon) {
        height = height.max(dot(outward(ends), sub(point, ends[0])));
        least = least.min(from_segment(point, ends));
    }
    let core = if height <= 0.0 { height } else { least };
    core - polygon.radius()
}

/// Where a ray enters a shape: the distance from its start in meters, for any length of `direction`, and the
/// outward normal there, world. A ray that starts inside hits at distance zero, with the normal against its
/// direction.
pub(crate) fn cast(
    shape: &Shape,
    place: &Place,
    from: Vec3,
    direction: Vec3,
) -> Option<(f64, Vec3)> {
    let direction = unit(direction)?;
    if distance(shape, place, from) <= 0.0 {
        return Some((0.0, neg(direction)));
    }
    let mut ray = Ray {
        from: place.local_point(from),
        along: place.local_direction(direction),
        hit: None,
    };
    match shape {
        Shape::Sphere { radius } => ray.ball([0.0; 3], *radius),
        Shape::Disc { radius } => ray.round([0.0; 3], [0.0, 0.0, 1.0], *radius, f64::INFINITY),
        Shape::Capsule {
            half_length,
            radius,
        } => {
            ray.round([0.0; 3], [1.0, 0.0, 0.0], *radius, *half_length);
            ray.ball([-half_length, 0.0, 0.0], *radius);
            ray.ball([*half_length, 0.0, 0.0], *radius);
        }
        Shape::Cylinder {
            half_length,
            radius,
        } => {
            ray.round([0.0; 3], [1.0, 0.0, 0.0], *radius, *half_length);
            for side in [-1.0, 1.0] {
                let normal = [side, 0.0, 0.0];
                if let Some(t) = ray.meets_plane(scale(*half_length, normal), normal) {
                    let [_, y, z] = ray.at(t);
                    if y * y + z * z <= radius * radius {
                        ray.take(t, normal);
                    }
                }
            }
        }
        Shape::Plane => {
            let normal = [1.0, 0.0, 0.0];
            if let Some(t) = ray.meets_plane([0.0; 3], normal) {
                ray.take(t, normal);
            }
        }
        Shape::Box { half } => {
            let sides = (0..6).map(|k| {
                let mut normal = [0.0; 3];
                normal[k / 2] = if k % 2 == 0 { -1.0 } else { 1.0 };
                (scale(half[k / 2], normal), normal)
            });
            ray.solid(sides);
        }
        Shape::Hull(hull) => {
            let at = |face: usize| hull.vertices()[hull.face(face)[0] as usize];
            ray.solid((0..hull.n_faces()).map(|face| (at(face), hull.normals[face])));
        }
        Shape::Polygon(polygon) => {
            for ends in edges(polygon) {
                let normal = outward(ends);
                let start = add(ends[0], scale(polygon.radius(), normal));
                if let Some(t) = ray.meets_plane(start, normal) {
                    let along = sub(ends[1], ends[0]);
                    let s = dot(sub(ray.at(t), start), along) / dot(along, along);
                    if (0.0..=1.0).contains(&s) {
                        ray.take(t, normal);
                    }
                }
                ray.round(ends[0], [0.0, 0.0, 1.0], polygon.radius(), f64::INFINITY);
            }
        }
        Shape::Superquadric(form) => ray.march(form),
        Shape::Nodes => {}
        Shape::Mesh(_) | Shape::HeightField(_) => {
            if let Some(own) = shape.surface() {
                ray.surface(own);
            }
        }
    }
    ray.hit.map(|(t, normal)| (t, place.direction(normal)))
}

/// A ray in the shape's frame, and the first hit so far.
struct Ray {
    from: Vec3,
    along: Vec3,
    hit: Option<(f64, Vec3)>,
}

impl Ray {
    fn at(&self, t: f64) -> Vec3 {
        add(self.from, scale(t, self.along))
    }

    fn take(&mut self, t: f64, normal: Vec3) {
        if t >= 0.0 && self.hit.is_none_or(|(first, _)| t < first) {
            self.hit = Some((t, normal));
        }
    }

    /// Where it enters through a plane.
    fn meets_plane(&self, at: Vec3, normal: Vec3) -> Option<f64> {
        let rate = dot(normal, self.along);
        let height = dot(normal, sub(self.from, at));
        (rate < 0.0 && height >= 0.0).then(|| height / -rate)
    }

    fn ball(&mut self, center: Vec3, radius: f64) {
        let arm = sub(self.from, center);
        if let Some(t) = entry(arm, self.along, radius)
            && let Some(normal) = unit(sub(self.at(t), center))
        {
            self.take(t, normal);
        }
    }

    /// The side of a cylinder along x or z, up to `half` from its middle.
    fn round(&mut self, center: Vec3, axis: Vec3, radius: f64, half: f64) {
        let across = |v: Vec3| sub(v, scale(dot(v, axis), axis));
        let arm = sub(self.from, center);
        if let Some(t) = entry(across(arm), across(self.along), radius) {
            let arm = sub(self.at(t), center);
            if dot(arm, axis).abs() <= half
                && let Some(normal) = unit(across(arm))
            {
                self.take(t, normal);
            }
        }
    }

    /// Either side of a triangle; the normal looks against the ray.
    fn surface(&mut self, own: &Triangles) {
        own.tree.visit(&mut |visit| match visit {
            Visit::Box(around) => self.meets_box(around),
            Visit::Thing(triangle) => {
                let corners = own.corners(triangle as usize);
                let outward = own.normal(triangle as usize);
                let facing = dot(outward, self.along) <= 0.0;
                let normal = if facing { outward } else { neg(outward) };
                if let Some(t) = self.meets_plane(corners[0], normal) {
                    let point = self.at(t);
                    let is_in = (0..3).all(|k| {
                        let along = sub(corners[(k + 1) % 3], corners[k]);
                        dot(cross(outward, along), sub(point, corners[k])) >= 0.0
                    });
                    if is_in {
                        self.take(t, normal);
                    }
                }
                true
            }
        });
    }

    /// Sphere tracing: advances by the distance of the surface, or by half of it where it is known to first
    /// order only.
    fn march(&mut self, form: &SuperquadricForm) {
        let part = if form.is_convex() { 1.0 } else { 0.5 };
        let [x, y, z] = form.reach();
        let (end, near) = (norm(self.from) + norm([x, y, z]), 1e-9 * norm([x, y, z]));
        let mut t = 0.0;
        for _ in 0..MOST_MARCHES {
            let point = self.at(t);
            let left = smooth::distance(form, point);
            if left < near {
                let normal = unit(form.gauge_and_slope(point).1);
                return normal.map_or((), |normal| self.take(t, normal));
            }
            t += part * left;
            if t > end {
                return;
            }
        }
    }

    /// Whether it enters a box before the first hit.
    fn meets_box(&self, around: &Aabb) -> bool {
        let (mut enter, mut leave) = (0.0f64, self.hit.map_or(f64::INFINITY, |(t, _)| t));
        for k in 0..3 {
            let inverse = 1.0 / self.along[k];
            let [low, high] = [around.low, around.high].map(|side| side[k] - self.from[k]);
            if self.along[k] == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return false;
                }
                continue;
            }
            let [near, far] = [low * inverse, high * inverse];
            enter = enter.max(near.min(far));
            leave = leave.min(near.max(far));
        }
        enter <= leave
    }

    /// A convex solid: the entry is through the last plane entered.
    fn solid(&mut self, faces: impl Iterator<Item = (Vec3, Vec3)>) {
        let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut through = [0.0; 3];
        for (at, normal) in faces {
            let rate = dot(normal, self.along);
            let height = dot(normal, sub(self.from, at));
            if rate == 0.0 {
                if height > 0.0 {
                    return;
                }
            } else if rate > 0.0 {
                leave = leave.min(-height / rate);
            } else if -height / rate > enter {
                (enter, through) = (-height / rate, normal);
            }
        }
        if enter <= leave {
            self.take(enter, through);
        }
    }
}

/// The first t ≥ 0 with `|arm + t·along| = radius`, from outside.
fn entry(arm: Vec3, along: Vec3, radius: f64) -> Option<f64> {
    let (a, b, c) = (
        dot(along, along),
        dot(arm, along),
        dot(arm, arm) - radius * radius,
    );
    // Apart from the sphere and going away, or beside it.
    if a == 0.0 || b >= 0.0 || c < 0.0 {
        return None;
    }
    // b² − a·c = a·(r² − |arm − (b/a)·along|²), without cancellation.
    let foot = sub(arm, scale(b / a, along));
    let square = a * (radius * radius - dot(foot, foot));
    (square >= 0.0).then(|| c / (-b + square.sqrt()))
}
