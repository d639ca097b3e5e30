//! The convex hull of points by wrapping: from each face over each of its edges to the next face
//! (Chand, Kapur 1970). Points in one plane become one face, whatever their number.
//!
//! Over an edge of direction d, with outward normal m and inward tangent `t = m × d` of the known face, a point at
//! `s = t·x`, `b = −m·x` from the edge is seen under the angle of (−s, b). The next face holds the point of least
//! angle; its normal is `(−s·m − b·t)/√(s² + b²)`.

use super::polyhedron::normal;
use crate::math::{Vec3, complete_basis, cross, dot, norm, scale, sub, unit};

/// Flatness tried in turn, parts of the size: a hull that does not close under one may under the next.
const FLATNESS: [f64; 4] = [1e-10, 1e-8, 1e-6, 1e-4];

/// The faces of the convex hull, each as a loop of points; `None` if the points span no solid.
pub(super) fn faces(points: &[Vec3]) -> Option<Vec<Vec<u32>>> {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for point in points {
        for k in 0..3 {
            low[k] = low[k].min(point[k]);
            high[k] = high[k].max(point[k]);
        }
    }
    let size = norm(sub(high, low));
    if points.len() < 4 || !size.is_finite() || size == 0.0 {
        return None;
    }
    // About the middle and of size one: neither place nor unit matters.
    let middle = [0, 1, 2].map(|k| 0.5 * (low[k] + high[k]));
    let moved = points.iter().map(|&p| scale(1.0 / size, sub(p, middle)));
    let moved: Vec<Vec3> = moved.collect();
    FLATNESS.iter().find_map(|&flat| {
        let mut wrap = Wrap {
            points: &moved,
            flat,
            loops: vec![],
            open: vec![],
        };
        wrap.run()?;
        wrap.is_closed_and_convex().then_some(wrap.loops)
    })
}

struct Wrap<'a> {
    points: &'a [Vec3],
    flat: f64,
    loops: Vec<Vec<u32>>,
    /// Edges of faces found whose other face is not, with the normal of the known one.
    open: Vec<([u32; 2], Vec3)>,
}

impl Wrap<'_> {
    fn run(&mut self) -> Option<()> {
        let (normal, corners) = self.first()?;
        self.add(normal, corners);
        // A solid of n corners has at most 2n − 4 faces.
        while let Some(&([u, v], m)) = self.open.last() {
            let n_open = self.open.len();
            if self.loops.len() > 2 * self.points.len() {
                return None;
            }
            let o = self.points[u as usize];
            let d = unit(sub(self.points[v as usize], o))?;
            let m = self.over(o, d, m)?;
            let corners = self.in_plane(o, m);
            if corners.len() < 3 {
                return None;
            }
            self.add(m, corners);
            // The face must have closed the edge it was found over.
            if self
                .open
                .get(n_open - 1)
                .is_some_and(|(ends, _)| *ends == [u, v])
            {
                return None;
            }
        }
        Some(())
    }

    /// A first face: the plane of least x, turned until it rests on three points.
    fn first(&self) -> Option<(Vec3, Vec<u32>)> {
        let mut m = [-1.0, 0.0, 0.0];
        let mut o = self.points[0];
        for &point in self.points {
            if point[0] < o[0] {
                o = point;
            }
        }
        for _turn in 0..3 {
            let corners = self.in_plane(o, m);
            let d = match corners[..] {
                [] | [_] => complete_basis(m).0,
                [u, v] => {
                    o = self.points[u as usize];
                    unit(sub(self.points[v as usize], o))?
                }
                _ => return Some((m, corners)),
            };
            m = self.over(o, d, m)?;
        }
        None
    }

    /// The normal of the plane next to the one of normal `m`, over the line through `o` along `d`.
    fn over(&self, o: Vec3, d: Vec3, m: Vec3) -> Option<Vec3> {
        let t = cross(m, d);
        let mut best: Option<(f64, f64)> = None;
        for &point in self.points {
            let x = sub(point, o);
            let (s, b) = (dot(t, x), (-dot(m, x)).max(0.0));
            if s * s + b * b <= self.flat * self.flat {
                continue;
            }
            best = match best {
                // Sine of the angle from the best one: if it is nothing, the farther one is more exact.
                Some((s0, b0)) => {
                    let sine = (b * -s0 - b0 * -s) / ((s * s + b * b) * (s0 * s0 + b0 * b0)).sqrt();
                    let farther = s * s + b * b > s0 * s0 + b0 * b0;
                    let better = if sine.abs() > 1e-12 {
                        sine < 0.0
                    } else if s * s0 + b * b0 < 0.0 {
                        s < 0.0
                    } else {
                        farther
                    };
                    if better { Some((s, b)) } else { best }
                }
                None => Some((s, b)),
            };
        }
        let (s, b) = best?;
        unit([0, 1, 2].map(|k| -s * m[k] - b * t[k]))
    }

    /// The corners of all points in a plane, counterclockwise seen against its normal: two if they are on a line.
    fn in_plane(&self, o: Vec3, m: Vec3) -> Vec<u32> {
        let (y, z) = complete_basis(m);
        let mut flat = vec![];
        for (&point, k) in self.points.iter().zip(0u32..) {
            let x = sub(point, o);
            if dot(m, x).abs() <= self.flat {
                flat.push((k, [dot(y, x), dot(z, x)]));
            }
        }
        let Some(mut at) = (0..flat.len()).reduce(|i, k| {
            let ([a, b], [c, d]) = (flat[i].1, flat[k].1);
            if c < a || c == a && d < b { k } else { i }
        }) else {
            return vec![];
        };
        let start = flat[at].1;
        let mut corners = vec![];
        while corners.len() <= flat.len() {
            corners.push(flat[at].0);
            let here = flat[at].1;
            let mut next: Option<(usize, [f64; 2], f64)> = None;
            for (k, &(_, p)) in flat.iter().enumerate() {
                let e = [p[0] - here[0], p[1] - here[1]];
                let length = (e[0] * e[0] + e[1] * e[1]).sqrt();
                if length <= self.flat {
                    continue;
                }
                let better = next.is_none_or(|(_, d, longest)| {
                    // Distance of the nearer one from the line of the farther one.
                    let aside = (d[0] * e[1] - d[1] * e[0]) / longest.max(length);
                    let ahead = d[0] * e[0] + d[1] * e[1] > 0.0;
                    if aside.abs() <= self.flat && ahead {
                        length > longest
                    } else {
                        aside < 0.0
                    }
                });
                if better {
                    next = Some((k, e, length));
                }
            }
            let Some((k, ..)) = next else { break };
            let p = flat[k].1;
            if (p[0] - start[0]).abs() <= self.flat && (p[1] - start[1]).abs() <= self.flat {
                break;
            }
            at = k;
        }
        corners
    }

    fn add(&mut self, m: Vec3, corners: Vec<u32>) {
        let n = corners.len();
        for k in 0..n {
            let (u, v) = (corners[k], corners[(k + 1) % n]);
            // The face beside it goes along an edge the other way round.
            match self.open.iter().position(|(ends, _)| *ends == [v, u]) {
                Some(place) => {
                    self.open.remove(place);
                }
                None => self.open.push(([u, v], m)),
            }
        }
        self.loops.push(corners);
    }

    /// Every edge is used once in each direction, no point is outside of a face, and nothing is flat.
    fn is_closed_and_convex(&self) -> bool {
        let mut edges = vec![];
        for corners in &self.loops {
            let Some(m) = normal(self.points, corners) else {
                return false;
            };
            let n = corners.len();
            for k in 0..n {
                edges.push([corners[k], corners[(k + 1) % n]]);
            }
            let o = self.points[corners[0] as usize];
            let above = |&point: &Vec3| dot(m, sub(point, o)) > 10.0 * self.flat;
            let deep = |&point: &Vec3| dot(m, sub(point, o)) < -100.0 * self.flat;
            if self.points.iter().any(above) || !self.points.iter().any(deep) {
                return false;
            }
        }
        let count = |edge: [u32; 2]| edges.iter().filter(|other| **other == edge).count();
        edges
            .iter()
            .all(|&[u, v]| count([u, v]) == 1 && count([v, u]) == 1)
    }
}
