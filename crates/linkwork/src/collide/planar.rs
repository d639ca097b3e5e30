//! Discs and convex polygons of the plane: corners over edges, and corners.
//!
//! As `solid`, with edges for faces. Every normal has z = 0.

use super::core::Core;
use super::{Feature, Found, Pair, Shape, Touch, name};
use crate::math::{Vec3, add, dot, neg, norm, scale, sub, unit};

/// The corners of a shape of the plane, at its place.
fn load(core: &mut Core, shape: &Shape, found: &Found, which: usize) {
    let place = &found.places[which];
    let shift = sub(place.origin, found.places[0].origin);
    core.local.clear();
    core.points.clear();
    core.normals.clear();
    core.radius = match shape {
        Shape::Disc { radius } => *radius,
        Shape::Polygon(polygon) => polygon.radius(),
        _ => 0.0,
    };
    core.size = core.radius;
    let mut corner = |[x, y]: [f64; 2]| {
        let local = [x, y, 0.0];
        let [x, y, _] = add(shift, place.direction(local));
        core.local.push(local);
        core.points.push([x, y, 0.0]);
        core.size = core.size.max(norm(sub(local, core.local[0])));
    };
    if let Shape::Polygon(polygon) = shape {
        polygon.points().iter().copied().for_each(&mut corner);
    } else {
        corner([0.0; 2]);
    }
    let n = core.points.len();
    if n > 1 {
        for k in 0..n {
            core.normals.push(outward(&core.points, k));
        }
    }
}

/// The outward normal of edge `k` of corners that run counterclockwise.
fn outward(points: &[Vec3], k: usize) -> Vec3 {
    let along = sub(points[(k + 1) % points.len()], points[k]);
    unit([along[1], -along[0], 0.0]).unwrap_or([1.0, 0.0, 0.0])
}

/// Of two shapes of the plane.
pub(super) fn find(a: &Shape, b: &Shape, cores: &mut [Core; 2], found: &mut Found) {
    load(&mut cores[0], a, found, 0);
    load(&mut cores[1], b, found, 1);
    let [a, b] = cores;
    let radius = a.radius + b.radius;
    let tolerance = 1e-9 * a.size.min(b.size) + 1e-13 * a.size.max(b.size);
    found.same = 1e-6 * a.size.min(b.size);
    let mut list = List {
        cores: [a, b],
        low: -tolerance - radius,
        tolerance,
        found,
    };
    let Some((of_b, edge, corner, separation)) = list.separate() else {
        // Two discs.
        list.corners(0, 0, [1.0, 0.0, 0.0]);
        return;
    };
    if separation > list.found.reach + radius {
        return;
    }
    let m = list.cores[usize::from(of_b)].normals[edge];
    let axis = if of_b { neg(m) } else { m };
    if separation <= tolerance {
        list.low = 2.0 * separation.min(0.0) - tolerance - radius;
        list.around(axis);
        if list.found.pairs.is_empty() {
            list.low = f64::NEG_INFINITY;
            list.over(of_b, edge, corner);
        }
        return;
    }
    let (normal, least) = list.nearest(axis);
    if least > list.found.reach + radius {
        return;
    }
    list.around(normal);
    let listed = |(_, touch): &(Pair, Touch)| touch.gap <= least - radius + 10.0 * tolerance;
    if !list.found.pairs.iter().any(listed) {
        list.over(of_b, edge, corner);
    }
}

struct List<'a> {
    cores: [&'a Core; 2],
    low: f64,
    tolerance: f64,
    found: &'a mut Found,
}

impl List<'_> {
    fn offer(&mut self, a: Feature, b: Feature, names: (usize, usize)) {
        let pair = Pair {
            a,
            b,
            radii: self.cores.map(|core| core.radius),
            sign: 1.0,
            id: name(names.0, names.1),
        };
        self.found.offer(pair, self.low);
    }

    /// The edge that separates most: whether it is of b, which one, the lowest corner of the other, its height.
    fn separate(&self) -> Option<(bool, usize, usize, f64)> {
        let mut best: Option<(bool, usize, usize, f64)> = None;
        for of_b in [false, true] {
            let (own, other) = self.sides(of_b);
            for (edge, &m) in own.normals.iter().enumerate() {
                let (mut low, mut corner) = (f64::INFINITY, 0);
                for (k, &point) in other.points.iter().enumerate() {
                    let height = dot(m, sub(point, own.points[edge]));
                    if height < low {
                        (low, corner) = (height, k);
                    }
                }
                if best.is_none_or(|(.., most)| low > most + self.tolerance) {
                    best = Some((of_b, edge, corner, low));
                }
            }
        }
        best
    }

    fn sides(&self, of_b: bool) -> (&Core, &Core) {
        let [a, b] = self.cores;
        if of_b { (b, a) } else { (a, b) }
    }

    /// Where the foot of a corner is along an edge, from zero to one.
    fn along(&self, of_b: bool, edge: usize, corner: usize) -> f64 {
        let (own, other) = self.sides(of_b);
        let from = own.points[edge];
        let along = sub(own.points[(edge + 1) % own.points.len()], from);
        dot(sub(other.points[corner], from), along) / dot(along, along)
    }

    /// Lists the nearest pair; its normal and distance, without rounding.
    fn nearest(&mut self, axis: Vec3) -> (Vec3, f64) {
        let mut least = f64::INFINITY;
        let mut normal = axis;
        let mut corners = None;
        for of_b in [true, false] {
            let (own, other) = self.sides(of_b);
            for corner in 0..other.points.len() {
                let point = other.points[corner];
                for edge in 0..own.normals.len() {
                    let s = self.along(of_b, edge, corner);
                    let height = dot(own.normals[edge], sub(point, own.points[edge]));
                    if s > 0.0 && s < 1.0 && height > 0.0 && height < least {
                        least = height;
                        let m = own.normals[edge];
                        normal = if of_b { neg(m) } else { m };
                        corners = None;
                    }
                }
            }
        }
        for (i, &p) in self.cores[0].points.iter().enumerate() {
            for (k, &q) in self.cores[1].points.iter().enumerate() {
                let apart = sub(q, p);
                let length = norm(apart);
                if length < least - self.tolerance {
                    least = length;
                    normal = scale(1.0 / length, apart);
                    corners = Some((i, k));
                }
            }
        }
        if let Some((i, k)) = corners {
            self.corners(i, k, normal);
        }
        (normal, least)
    }

    /// Two corners: exact where they are round; where they are sharp, a over a line that supports b.
    fn corners(&mut self, i: usize, k: usize, normal: Vec3) {
        let [a, b] = self.cores;
        let (p, at) = (a.local[i], b.local[k]);
        let other = if a.radius + b.radius > 0.0 {
            Feature::Point(at)
        } else {
            let normal = self.found.places[1].local_direction(neg(normal));
            Feature::Plane { at, normal }
        };
        self.offer(Feature::Point(p), other, (i, k));
    }

    /// A corner over an edge.
    fn over(&mut self, of_b: bool, edge: usize, corner: usize) {
        let (own, other) = self.sides(of_b);
        let line = Feature::Plane {
            at: own.local[edge],
            normal: outward(&own.local, edge),
        };
        let point = Feature::Point(other.local[corner]);
        let edge = own.points.len() + edge;
        if of_b {
            self.offer(point, line, (corner, edge));
        } else {
            self.offer(line, point, (edge, corner));
        }
    }

    /// Corners over the edge of the other that is most along the normal.
    fn around(&mut self, normal: Vec3) {
        for of_b in [true, false] {
            let (own, other) = self.sides(of_b);
            let toward = if of_b { neg(normal) } else { normal };
            let Some(edge) = (0..own.normals.len()).reduce(|best, edge| {
                let more = dot(own.normals[edge], toward) > dot(own.normals[best], toward) + 1e-9;
                if more { edge } else { best }
            }) else {
                continue;
            };
            let n = own.points.len();
            let length = norm(sub(own.points[(edge + 1) % n], own.points[edge]));
            let slack = self.tolerance / length;
            for corner in 0..other.points.len() {
                let s = self.along(of_b, edge, corner);
                if s >= -slack && s <= 1.0 + slack {
                    self.over(of_b, edge, corner);
                }
            }
        }
    }
}
