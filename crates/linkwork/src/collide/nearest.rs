//! Nearest points of segments, and of solids that are apart.

use super::core::Core;
use crate::math::{Vec3, add, cross, dot, norm, scale, sub};

/// The parameters, from zero to one, of the nearest points of two segments (Ericson 2005).
pub(super) fn segments([p, p_end]: [Vec3; 2], [q, q_end]: [Vec3; 2]) -> (f64, f64) {
    let (d, e, r) = (sub(p_end, p), sub(q_end, q), sub(p, q));
    let (a, b, c) = (dot(d, d), dot(d, e), dot(d, r));
    let (g, f) = (dot(e, e), dot(e, r));
    if a == 0.0 || g == 0.0 {
        let s = if a > 0.0 {
            (-c / a).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let t = if g > 0.0 {
            (f / g).clamp(0.0, 1.0)
        } else {
            0.0
        };
        return (s, t);
    }
    // By the cross product, a·g − b² = |d × e|² keeps its digits between nearly parallel segments.
    let across = cross(d, e);
    let square = dot(across, across);
    // Parallel: any point will do, the middle keeps off the ends.
    let s = if square > 1e-24 * a * g {
        (-dot(cross(r, e), across) / square).clamp(0.0, 1.0)
    } else {
        0.5
    };
    let t = (b * s + f) / g;
    if t < 0.0 {
        ((-c / a).clamp(0.0, 1.0), 0.0)
    } else if t > 1.0 {
        (((b - c) / a).clamp(0.0, 1.0), 1.0)
    } else {
        (s, t)
    }
}

/// Two nearest points, and the ids of their features: corners, then edges, then faces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub(super) a: Vec3,
    pub(super) b: Vec3,
    pub(super) on_a: usize,
    pub(super) on_b: usize,
}

/// The nearest points of two solids that `normal` separates, neither of them a single point unless it is a.
///
/// They are on a corner and a face, or on two edges. Only features whose distance along the normal is less than
/// the best so far are tried.
pub(super) fn nearest(a: &Core, b: &Core, normal: Vec3) -> Near {
    let mut near = Near {
        a: a.points[0],
        b: b.points[0],
        on_a: 0,
        on_b: 0,
    };
    let mut least = norm(sub(near.b, near.a));
    let mut take = |found: Near| {
        let length = norm(sub(found.b, found.a));
        if length < least {
            (least, near) = (length, found);
        }
        least
    };
    let along = |point: Vec3| dot(normal, point);
    let front = |core: &Core, sign: f64| {
        let values = core.points.iter().map(|&point| sign * along(point));
        sign * values.fold(f64::NEG_INFINITY, f64::max)
    };
    let (front_a, front_b) = (front(a, 1.0), front(b, -1.0));
    let mut reach = f64::INFINITY;
    if a.edges.is_empty() {
        for k in 0..b.edges.len() {
            take(to_edge(a.points[0], 0, b, k));
        }
        return near;
    }
    for i in 0..a.edges.len() {
        let own = a.ends(i);
        if front_b - along(own[0]).max(along(own[1])) > reach {
            continue;
        }
        for k in 0..b.edges.len() {
            let other = b.ends(k);
            if along(other[0]).min(along(other[1])) - along(own[0]).max(along(own[1])) <= reach {
                reach = take(edge_to_edge(a, i, b, k));
            }
        }
    }
    for (of_b, own, other) in [(true, b, a), (false, a, b)] {
        let front = if of_b { front_b } else { front_a };
        for (corner, &point) in other.points.iter().enumerate() {
            if (front - along(point)).abs() > reach {
                continue;
            }
            for face in 0..own.normals.len() {
                let height = own.height(face, point);
                if height > 0.0 && height < reach && own.faces(face, point, 0.0) {
                    let foot = sub(point, scale(height, own.normals[face]));
                    let face = own.points.len() + own.edges.len() + face;
                    reach = take(if of_b {
                        Near {
                            a: point,
                            b: foot,
                            on_a: corner,
                            on_b: face,
                        }
                    } else {
                        Near {
                            a: foot,
                            b: point,
                            on_a: face,
                            on_b: corner,
                        }
                    });
                }
            }
        }
    }
    near
}

/// The feature of b nearest to a corner of a outside of it.
pub(super) fn corner_near(a: &Core, corner: usize, b: &Core, tolerance: f64) -> Option<Near> {
    let point = a.points[corner];
    let (mut face, mut height) = (0, f64::NEG_INFINITY);
    for k in 0..b.normals.len() {
        let over = b.height(k, point);
        if over > height {
            (face, height) = (k, over);
        }
    }
    if height <= tolerance {
        return None;
    }
    if b.faces(face, point, 0.0) {
        return Some(Near {
            a: point,
            b: sub(point, scale(height, b.normals[face])),
            on_a: corner,
            on_b: b.points.len() + b.edges.len() + face,
        });
    }
    let mut best: Option<(f64, Near)> = None;
    for k in 0..b.edges.len() {
        let near = to_edge(point, corner, b, k);
        let length = norm(sub(near.b, near.a));
        if best.is_none_or(|(least, _)| length < least) {
            best = Some((length, near));
        }
    }
    best.map(|(_, near)| near)
}

/// A corner of a, and the nearest point on an edge of b.
fn to_edge(point: Vec3, corner: usize, b: &Core, edge: usize) -> Near {
    let (_, t) = segments([point; 2], b.ends(edge));
    let (b, on_b) = on_edge(b, edge, t);
    Near {
        a: point,
        b,
        on_a: corner,
        on_b,
    }
}

fn edge_to_edge(a: &Core, i: usize, b: &Core, k: usize) -> Near {
    let (s, t) = segments(a.ends(i), b.ends(k));
    let ((a, on_a), (b, on_b)) = (on_edge(a, i, s), on_edge(b, k, t));
    Near { a, b, on_a, on_b }
}

/// A point of an edge, and its name: that of the corner at its ends.
fn on_edge(core: &Core, edge: usize, t: f64) -> (Vec3, usize) {
    let [from, to] = core.ends(edge);
    let [first, last] = core.edges[edge].ends.map(|end| end as usize);
    if t <= 0.0 {
        (from, first)
    } else if t >= 1.0 {
        (to, last)
    } else {
        (add(from, scale(t, sub(to, from))), core.points.len() + edge)
    }
}

/// The point of a triangle that is nearest to a point (Ericson 2005).
pub(crate) fn on_triangle(point: Vec3, [a, b, c]: [Vec3; 3]) -> Vec3 {
    let (u, v) = (sub(b, a), sub(c, a));
    let normal = cross(u, v);
    // Behind which edge it is; beside none its foot is the nearest point.
    let edges = [[a, b], [b, c], [c, a]];
    let behind = |[from, to]: [Vec3; 2]| dot(cross(normal, sub(to, from)), sub(point, from)) < 0.0;
    let square = dot(normal, normal);
    if square > 0.0 && !edges.iter().any(|&edge| behind(edge)) {
        let height = dot(normal, sub(point, a)) / square;
        return sub(point, scale(height, normal));
    }
    let mut best = a;
    for [from, to] in edges {
        let (_, t) = segments([point; 2], [from, to]);
        let foot = add(from, scale(t, sub(to, from)));
        if norm(sub(foot, point)) < norm(sub(best, point)) {
            best = foot;
        }
    }
    best
}
