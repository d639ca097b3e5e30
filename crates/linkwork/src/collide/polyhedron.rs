//! Convex solids bounded by flat faces: corners, edges, faces with their loops.

use super::wrap;
use crate::error::Error;
use crate::math::{Vec3, cross, dot, scale, sub, unit};

/// A convex polyhedron.
#[derive(Clone, Debug, PartialEq)]
pub struct Polyhedron {
    pub(super) vertices: Vec<Vec3>,
    pub(super) edges: Vec<Edge>,
    /// Corners of all faces, counterclockwise as seen from outside.
    corners: Vec<u32>,
    /// Where the corners of each face begin, and where those of the last one end.
    starts: Vec<u32>,
    pub(super) normals: Vec<Vec3>,
}

/// An edge: from its first end to its second the face on its left is the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edge {
    pub(super) ends: [u32; 2],
    pub(super) faces: [u32; 2],
}

/// The face beside the one edge of a rod.
pub(super) const NO_FACE: u32 = u32::MAX;

/// Names of features are halves of an id.
const MOST_FEATURES: usize = 60_000;

impl Polyhedron {
    /// The convex hull of points. Those inside it are left out.
    pub fn new(points: &[Vec3]) -> Result<Self, Error> {
        for point in points {
            Error::require_finite("points", point)?;
        }
        let problem = match wrap::faces(points) {
            Some(loops) => match Self::from_loops(points, &loops) {
                Some(hull) => return Ok(hull),
                None => "have too many corners; give at most about 10000",
            },
            None => "span no solid; give at least four that are not in one plane",
        };
        Err(Error::field("points", problem))
    }

    /// Its corners.
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// How many faces it has.
    pub fn n_faces(&self) -> usize {
        self.normals.len()
    }

    /// The corners of a face, counterclockwise as seen from outside, as places in `vertices`.
    pub fn face(&self, face: usize) -> &[u32] {
        &self.corners[self.starts[face] as usize..self.starts[face + 1] as usize]
    }

    /// From faces that fit: every edge of one is the edge of exactly one other, the other way round.
    fn from_loops(points: &[Vec3], loops: &[Vec<u32>]) -> Option<Self> {
        let mut name = vec![u32::MAX; points.len()];
        let mut hull = Self {
            vertices: vec![],
            edges: vec![],
            corners: vec![],
            starts: vec![0],
            normals: vec![],
        };
        for (corners, face) in loops.iter().zip(0u32..) {
            for &corner in corners {
                let known = &mut name[corner as usize];
                if *known == u32::MAX {
                    *known = hull.vertices.len() as u32;
                    hull.vertices.push(points[corner as usize]);
                }
                hull.corners.push(*known);
            }
            hull.starts.push(hull.corners.len() as u32);
            hull.normals.push(normal(points, corners)?);
            let n = corners.len();
            for k in 0..n {
                let ends = [corners[k], corners[(k + 1) % n]].map(|corner| name[corner as usize]);
                let back = [ends[1], ends[0]];
                let other = hull.edges.iter_mut().find(|edge| edge.ends == back);
                match other {
                    Some(edge) => edge.faces[1] = face,
                    None => hull.edges.push(Edge {
                        ends,
                        faces: [face, NO_FACE],
                    }),
                }
            }
        }
        (hull.vertices.len() + hull.edges.len() + loops.len() <= MOST_FEATURES).then_some(hull)
    }

    /// A single point: the middle of a sphere.
    pub(super) fn point() -> Self {
        Self {
            vertices: vec![[0.0; 3]],
            edges: vec![],
            corners: vec![],
            starts: vec![0],
            normals: vec![],
        }
    }

    /// From −1 to 1 along x: the middle of a capsule.
    pub(super) fn segment() -> Self {
        Self {
            vertices: vec![[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]],
            edges: vec![Edge {
                ends: [0, 1],
                faces: [NO_FACE; 2],
            }],
            corners: vec![],
            starts: vec![0],
            normals: vec![],
        }
    }

    /// From −1 to 1 along every axis.
    pub(super) fn cube() -> Self {
        let square = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        Self::prism(&square)
    }

    /// From −1 to 1 along x, over a convex polygon of y and z, counterclockwise as seen from +x.
    pub(super) fn prism(polygon: &[[f64; 2]]) -> Self {
        let n = polygon.len() as u32;
        let mut points = vec![];
        for x in [-1.0, 1.0] {
            points.extend(polygon.iter().map(|&[y, z]| [x, y, z]));
        }
        let mut loops = vec![(0..n).rev().collect::<Vec<_>>(), (n..2 * n).collect()];
        loops.extend((0..n).map(|k| {
            let next = (k + 1) % n;
            vec![k, next, n + next, n + k]
        }));
        Self::from_loops(&points, &loops).unwrap_or_else(Self::point)
    }
}

/// The outward normal of a loop (Newell): exact for flat ones, a mean for others.
pub(super) fn normal(points: &[Vec3], corners: &[u32]) -> Option<Vec3> {
    let at = |k: usize| points[corners[k % corners.len()] as usize];
    let mut sum = [0.0; 3];
    for k in 1..corners.len().max(1) - 1 {
        let twice_area = cross(sub(at(k), at(0)), sub(at(k + 1), at(0)));
        for i in 0..3 {
            sum[i] += twice_area[i];
        }
    }
    // Of tiny faces the products underflow: to the largest side first.
    let largest = sum.iter().fold(0.0f64, |most, value| most.max(value.abs()));
    if largest == 0.0 || !dot(sum, sum).is_finite() {
        return None;
    }
    unit(scale(1.0 / largest, sum))
}
