//! Triangle surfaces: neighbors, and the accessible features.
//!
//! A surface has no inside: both of its sides collide. A direction n is *free* at a point p of the surface if
//! the surface near p does not extend along it:
//!
//! ```text
//!     on a triangle    n = ±its normal
//!     on an edge       n·t ≤ 0 for t across the edge, into each of its triangles
//!     at a corner      n·e ≤ 0 for e along each of its edges
//! ```
//!
//! Only along a free direction can p be the nearest point to another shape. Between coplanar triangles only the
//! normal of the plane is free: such edges and corners are *inner* and never touched, so that a floor is as
//! smooth as a plane for any triangulation.

use super::tree::Tree;
use super::{Aabb, Feature};
use crate::collide::tolerances::{FLAT_TRIANGLE, FREE, LEAST_HEIGHT};
use crate::error::Error;
use crate::linalg::order::{Key, sort};
use crate::math::{Vec3, cross, dot, norm, scale, sub, unit};

/// Where there is no triangle beside an edge.
const NONE: u32 = u32::MAX;

const MOST_TRIANGLES: usize = 1_000_000;

/// A surface of triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Triangles {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    normals: Vec<Vec3>,
    /// The triangle beside each edge, which goes from a corner to the next.
    beside: Vec<[u32; 3]>,
    /// The first triangle of each connected coplanar set.
    flat: Vec<u32>,
    /// Corners at the other ends of the edges of each corner, one after the other, and where they begin.
    ends: Vec<u32>,
    starts: Vec<u32>,
    is_inner: Vec<bool>,
    pub(super) tree: Tree,
}

impl Triangles {
    /// From corners, and three of them for each triangle. Corners at one place are made one.
    pub fn new(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Result<Self, Error> {
        for vertex in vertices {
            Error::require_finite("vertices", vertex)?;
        }
        let n = triangles.len();
        if n == 0 || n > MOST_TRIANGLES {
            let problem = format!("are {n}; give 1 to {MOST_TRIANGLES}");
            return Err(Error::field("triangles", problem));
        }
        let (vertices, triangles) = weld(vertices, triangles)?;
        let mut own = Self {
            normals: Vec::with_capacity(n),
            beside: vec![[NONE; 3]; n],
            flat: vec![NONE; n],
            ends: vec![],
            starts: vec![],
            is_inner: vec![true; vertices.len()],
            tree: tree(&vertices, &triangles),
            vertices,
            triangles,
        };
        for at in 0..n {
            let normal = own.compute_normal(at).ok_or_else(|| {
                let problem = format!("has no area in triangle {at}; leave such triangles out");
                Error::field("triangles", problem)
            })?;
            own.normals.push(normal);
        }
        own.find_neighbors();
        own.find_flats();
        Ok(own)
    }

    /// Its corners.
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Its triangles, each three places in `vertices`.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Around all of it.
    pub(super) fn around(&self) -> &Aabb {
        self.tree.around()
    }

    pub(super) fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|corner| self.vertices[corner as usize])
    }

    pub(super) fn normal(&self, triangle: usize) -> Vec3 {
        self.normals[triangle]
    }

    /// The plane of a triangle: the same for all that lie in one.
    pub(super) fn plane(&self, triangle: usize, side: f64) -> Feature {
        let first = self.flat[triangle] as usize;
        // The first may be turned the other way.
        let sign = if dot(self.normals[first], self.normals[triangle]) < 0.0 {
            -side
        } else {
            side
        };
        Feature::Plane {
            at: self.corners(first)[0],
            normal: scale(sign, self.normals[first]),
        }
    }

    /// Names, all different: of corners, then of edges, then of planes.
    pub(super) fn name(&self, triangle: usize, part: Part) -> u32 {
        let n = self.vertices.len();
        let name = match part {
            Part::Corner(k) => return self.triangles[triangle][k],
            // Of the two triangles beside an edge the lesser one names it.
            Part::Edge(k) => match self.beside[triangle][k] {
                other if (other as usize) < triangle => {
                    let twin = self.twin(triangle, k);
                    n + 3 * other as usize + twin
                }
                _ => n + 3 * triangle + k,
            },
            Part::Face => n + 3 * self.triangles.len() + self.flat[triangle] as usize,
        };
        name as u32
    }

    /// Whether a direction is free at a part of a triangle, or nearly so: to an angle of this sine.
    pub(super) fn is_free(&self, triangle: usize, part: Part, n: Vec3, sine: f64) -> bool {
        let free = |t: Vec3| dot(n, t) <= sine * norm(t);
        match part {
            Part::Face => true,
            Part::Edge(k) => {
                let other = self.beside[triangle][k];
                let is_inner = other != NONE && self.flat[other as usize] == self.flat[triangle];
                !is_inner
                    && free(self.into(triangle, k))
                    && (other == NONE || free(self.into(other as usize, self.twin(triangle, k))))
            }
            Part::Corner(k) => {
                let corner = self.triangles[triangle][k];
                let from = self.vertices[corner as usize];
                !self.is_inner[corner as usize]
                    && (self.ends(corner).iter())
                        .all(|&end| free(sub(self.vertices[end as usize], from)))
            }
        }
    }

    /// Whether what is beside a part rises from the plane of the triangle, seen from one side, or lies in it.
    pub(super) fn is_hollow(&self, triangle: usize, part: Part, side: f64) -> bool {
        let [at, ..] = self.corners(triangle);
        let m = scale(side, self.normals[triangle]);
        let rises = |corner: u32| {
            let t = sub(self.vertices[corner as usize], at);
            dot(m, t) >= -FREE * norm(t)
        };
        match part {
            Part::Face => true,
            Part::Edge(k) => match self.beside[triangle][k] {
                NONE => false,
                other => self.triangles[other as usize].into_iter().all(rises),
            },
            Part::Corner(k) => {
                let ends = self.ends(self.triangles[triangle][k]);
                ends.iter().all(|&end| rises(end))
            }
        }
    }

    fn ends(&self, corner: u32) -> &[u32] {
        let at = corner as usize;
        &self.ends[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Index of an edge in its other triangle.
    fn twin(&self, triangle: usize, k: usize) -> usize {
        let other = self.beside[triangle][k] as usize;
        let back = self.beside[other].iter();
        let mut back = back.enumerate();
        back.find(|(j, own)| {
            let [u, v] = [k, (k + 1) % 3].map(|k| self.triangles[triangle][k]);
            let ends = [*j, (*j + 1) % 3].map(|k| self.triangles[other][k]);
            **own as usize == triangle && (ends == [v, u] || ends == [u, v])
        })
        .map_or(0, |(j, _)| j)
    }

    /// Across an edge, into its triangle.
    fn into(&self, triangle: usize, k: usize) -> Vec3 {
        let corners = self.corners(triangle);
        let along = sub(corners[(k + 1) % 3], corners[k]);
        // Away from the edge, on the side of the third corner.
        cross(self.normals[triangle], along)
    }

    /// None where a triangle is a line or a point.
    fn compute_normal(&self, triangle: usize) -> Option<Vec3> {
        let [a, b, c] = self.corners(triangle);
        let (u, v, w) = (sub(b, a), sub(c, b), sub(a, c));
        let longest = norm(u).max(norm(v)).max(norm(w));
        let [u, v] = [u, v].map(|edge| scale(1.0 / longest, edge));
        let twice_area = cross(u, v);
        let is_flat = longest > 0.0 && norm(twice_area) > LEAST_HEIGHT;
        if is_flat { unit(twice_area) } else { None }
    }

    /// Finds which triangles share an edge, and which corners. Three at one edge are not beside each other.
    fn find_neighbors(&mut self) {
        let mut keys: Vec<Key> = Vec::with_capacity(3 * self.triangles.len());
        for (at, triangle) in self.triangles.iter().enumerate() {
            for k in 0..3 {
                let (u, v) = (triangle[k], triangle[(k + 1) % 3]);
                let edge = u64::from(u.min(v)) << 32 | u64::from(u.max(v));
                keys.push((edge, (3 * at + k) as u32));
            }
        }
        sort(&mut keys);
        let place = |key: &Key| (key.1 as usize / 3, key.1 as usize % 3);
        let mut pairs: Vec<Key> = vec![];
        for edges in keys.chunk_by(|a, b| a.0 == b.0) {
            let ends = [(edges[0].0 >> 32) as u32, edges[0].0 as u32];
            pairs.push((u64::from(ends[0]), ends[1]));
            pairs.push((u64::from(ends[1]), ends[0]));
            if let [a, b] = edges {
                let ((t, k), (s, j)) = (place(a), place(b));
                self.beside[t][k] = s as u32;
                self.beside[s][j] = t as u32;
            } else {
                for end in ends {
                    self.is_inner[end as usize] = false;
                }
            }
        }
        sort(&mut pairs);
        let mut at = 0;
        for corner in 0..self.vertices.len() as u64 {
            self.starts.push(at as u32);
            at += pairs[at..].partition_point(|pair| pair.0 == corner);
        }
        self.starts.push(at as u32);
        self.ends = pairs.iter().map(|pair| pair.1).collect();
    }

    /// Finds what lies in one plane and hangs together.
    fn find_flats(&mut self) {
        let mut open = vec![];
        for first in 0..self.triangles.len() {
            if self.flat[first] != NONE {
                continue;
            }
            let [a, b, c] = self.corners(first);
            let longest = norm(sub(b, a)).max(norm(sub(c, b))).max(norm(sub(a, c)));
            let m = self.normals[first];
            self.flat[first] = first as u32;
            open.push(first);
            while let Some(at) = open.pop() {
                for other in self.beside[at] {
                    let is_new = other != NONE && self.flat[other as usize] == NONE;
                    let lies =
                        |corner: Vec3| dot(m, sub(corner, a)).abs() <= FLAT_TRIANGLE * longest;
                    if is_new && self.corners(other as usize).into_iter().all(lies) {
                        self.flat[other as usize] = first as u32;
                        open.push(other as usize);
                    }
                }
            }
        }
        let mut first = vec![NONE; self.vertices.len()];
        for (triangle, flat) in self.triangles.iter().zip(&self.flat) {
            for &corner in triangle {
                let known = &mut first[corner as usize];
                self.is_inner[corner as usize] &= *known == NONE || *known == *flat;
                *known = *flat;
            }
        }
    }
}

/// A part of a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Part {
    Corner(usize),
    /// From a corner to the next.
    Edge(usize),
    Face,
}

fn tree(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Tree {
    let boxes = triangles.iter().map(|triangle| {
        let mut around = Aabb::EMPTY;
        for &corner in triangle {
            around.include_point(vertices[corner as usize]);
        }
        around
    });
    Tree::new(&boxes.collect::<Vec<_>>())
}

/// Makes corners at one place one, and leaves out those of no triangle.
fn weld(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Result<(Vec<Vec3>, Vec<[u32; 3]>), Error> {
    let n = vertices.len();
    let mut keys: Vec<Key> = Vec::with_capacity(n);
    for (vertex, at) in vertices.iter().zip(0u32..) {
        // Any number that is the same for the same place; zero has one sign.
        let mix = |sum: u64, x: &f64| {
            (sum ^ (x + 0.0).to_bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ sum >> 29
        };
        keys.push((vertex.iter().fold(0, mix), at));
    }
    sort(&mut keys);
    let mut first: Vec<u32> = (0..n as u32).collect();
    for alike in keys.chunk_by(|a, b| a.0 == b.0) {
        for (k, key) in alike.iter().enumerate() {
            let place = |key: &Key| vertices[key.1 as usize];
            let same = alike[..k].iter().find(|other| place(other) == place(key));
            if let Some(same) = same {
                first[key.1 as usize] = same.1;
            }
        }
    }
    let mut name = vec![NONE; n];
    let mut kept = vec![];
    let mut out = Vec::with_capacity(triangles.len());
    for (at, triangle) in triangles.iter().enumerate() {
        if let Some(bad) = triangle.iter().find(|&&corner| corner as usize >= n) {
            let problem = format!(
                "has vertex {bad} in triangle {at}, but there are {n} vertices; count them from zero"
            );
            return Err(Error::field("triangles", problem));
        }
        out.push(triangle.map(|corner| {
            let corner = first[corner as usize] as usize;
            if name[corner] == NONE {
                name[corner] = kept.len() as u32;
                kept.push(vertices[corner]);
            }
            name[corner]
        }));
    }
    Ok((kept, out))
}
