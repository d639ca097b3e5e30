//! A solid at its place: its corners, edges and faces along the axes of the world.

use super::polyhedron::{NO_FACE, Polyhedron};
use super::round::middle;
use super::{Feature, Place, Shape, Triangles};
use crate::collide::tolerances::PRISM_BULGE;
use crate::math::{Vec3, add, cross, dot, neg, norm, scale, sub, unit};

/// A solid at its place, without its rounding. Coordinates are along the world's axes, from the origin of a.
#[derive(Clone, Debug, Default)]
pub(super) struct Core {
    pub(super) local: Vec<Vec3>,
    pub(super) points: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
    local_normals: Vec<Vec3>,
    /// Ends, the two faces, and the directions into these, across the edge.
    pub(super) edges: Vec<Border>,
    corners: Vec<u32>,
    starts: Vec<u32>,
    pub(super) radius: f64,
    /// Largest distance of the shape outside these corners and faces: a round shape is a prism here.
    pub(super) bulge: f64,
    /// Radius of the cylinder about x that the prism approximates; zero if none.
    pub(super) round: f64,
    pub(super) size: f64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Border {
    pub(super) ends: [u32; 2],
    /// Not of unit length.
    pub(super) along: Vec3,
    /// Into the faces on both sides; zero where there is none.
    pub(super) into: [Vec3; 2],
}

impl Core {
    /// Loads a shape at its place.
    pub(super) fn load(
        &mut self,
        shape: &Shape,
        model: &Polyhedron,
        places: &[Place; 2],
        which: usize,
    ) {
        let place = &places[which];
        let shift = sub(place.origin, places[0].origin);
        let (half, radius) = middle(shape);
        let size = match shape {
            Shape::Box { half } => *half,
            Shape::Cylinder {
                half_length,
                radius,
            } => [*half_length, *radius, *radius],
            Shape::Hull(_) => [1.0; 3],
            _ => [half; 3],
        };
        self.radius = radius;
        self.round = match shape {
            Shape::Cylinder { radius, .. } => *radius,
            _ => 0.0,
        };
        self.bulge = PRISM_BULGE * self.round;
        self.size = radius;
        self.local.clear();
        self.points.clear();
        for vertex in &model.vertices {
            let local = [0, 1, 2].map(|k| size[k] * vertex[k]);
            self.local.push(local);
            self.points.push(add(shift, place.direction(local)));
            self.size = self.size.max(norm(sub(local, self.local[0])));
        }
        self.local_normals.clear();
        self.local_normals.extend_from_slice(&model.normals);
        self.normals.clear();
        for &normal in &model.normals {
            self.normals.push(place.direction(normal));
        }
        self.corners.clear();
        self.starts.clear();
        self.starts.push(0);
        for face in 0..model.n_faces() {
            self.corners.extend_from_slice(model.face(face));
            self.starts.push(self.corners.len() as u32);
        }
        self.edges.clear();
        for edge in &model.edges {
            let [u, v] = edge.ends.map(|end| self.points[end as usize]);
            let along = sub(v, u);
            let into = |side: usize| match edge.faces[side] {
                NO_FACE => [0.0; 3],
                face => cross(self.normals[face as usize], along),
            };
            let into = [into(0), neg(into(1))];
            let ends = edge.ends;
            self.edges.push(Border { ends, along, into });
        }
    }

    /// Loads a triangle of a surface, with its front side.
    pub(super) fn load_triangle(
        &mut self,
        (surface, triangle): (&Triangles, usize),
        side: f64,
        places: &[Place; 2],
    ) {
        let shift = sub(places[1].origin, places[0].origin);
        (self.radius, self.round) = (0.0, 0.0);
        self.size = 0.0;
        self.local.clear();
        self.points.clear();
        for local in surface.corners(triangle) {
            self.local.push(local);
            self.points.push(add(shift, places[1].direction(local)));
            self.size = self.size.max(norm(sub(local, self.local[0])));
        }
        let normal = scale(side, surface.normal(triangle));
        self.local_normals.clear();
        self.local_normals.push(normal);
        self.normals.clear();
        self.normals.push(places[1].direction(normal));
        self.corners.clear();
        self.corners
            .extend(if side > 0.0 { [0, 1, 2] } else { [0, 2, 1] });
        self.starts.clear();
        self.starts.extend([0, 3]);
        self.edges.clear();
        for k in 0..3 {
            let ends = [k, (k + 1) % 3];
            let [u, v] = ends.map(|end| self.points[end as usize]);
            let along = sub(v, u);
            let into = cross(scale(side, self.normals[0]), along);
            self.edges.push(Border {
                ends,
                along,
                into: [into, [0.0; 3]],
            });
        }
    }

    pub(super) fn face(&self, face: usize) -> &[u32] {
        &self.corners[self.starts[face] as usize..self.starts[face + 1] as usize]
    }

    /// Height of a point over a face.
    pub(super) fn height(&self, face: usize, point: Vec3) -> f64 {
        let at = self.points[self.face(face)[0] as usize];
        dot(self.normals[face], sub(point, at))
    }

    /// Whether the projection of a point is within a face, to `tolerance`.
    pub(super) fn faces(&self, face: usize, point: Vec3, tolerance: f64) -> bool {
        let corners = self.face(face);
        let n = corners.len();
        (0..n).all(|k| {
            let [u, v] = [corners[k], corners[(k + 1) % n]].map(|k| self.points[k as usize]);
            let along = sub(v, u);
            let inward = cross(self.normals[face], along);
            dot(inward, sub(point, u)) >= -tolerance * norm(along)
        })
    }

    pub(super) fn ends(&self, edge: usize) -> [Vec3; 2] {
        self.edges[edge].ends.map(|end| self.points[end as usize])
    }

    /// Whether a direction is in the normal cone of an edge.
    pub(super) fn cone(&self, edge: usize, n: Vec3, tolerance: f64) -> bool {
        let within = |into: Vec3| dot(n, into) <= tolerance * norm(into);
        self.edges[edge].into.into_iter().all(within)
    }

    pub(super) fn edge_name(&self, edge: usize) -> usize {
        self.points.len() + edge
    }

    pub(super) fn face_name(&self, face: usize) -> usize {
        self.points.len() + self.edges.len() + face
    }

    pub(super) fn corner(&self, corner: usize) -> Feature {
        Feature::Point(self.local[corner])
    }

    pub(super) fn line(&self, edge: usize) -> Feature {
        let [u, v] = self.edges[edge].ends.map(|end| self.local[end as usize]);
        Feature::Line {
            at: u,
            along: unit(sub(v, u)).unwrap_or([1.0, 0.0, 0.0]),
        }
    }

    pub(super) fn plane(&self, face: usize) -> Feature {
        Feature::Plane {
            at: self.local[self.face(face)[0] as usize],
            normal: self.local_normals[face],
        }
    }

    /// Whether a face approximates the side of a cylinder.
    pub(super) fn is_side(&self, face: usize) -> bool {
        self.round > 0.0 && self.local_normals[face][0].abs() < 0.5
    }

    /// The side of a cylinder, a line with a radius, if an edge approximates it.
    pub(super) fn side(&self, edge: usize) -> Option<Feature> {
        let [u, v] = self.edges[edge].ends.map(|end| self.local[end as usize]);
        // Along the edge, in its direction.
        let along = [1.0f64.copysign(v[0] - u[0]), 0.0, 0.0];
        let at = [0.0; 3];
        (self.round > 0.0 && u[0] != v[0]).then_some(Feature::Line { at, along })
    }

    /// Which rim of a cylinder a corner is on.
    pub(super) fn cap(&self, corner: usize) -> usize {
        usize::from(self.local[corner][0] > 0.0)
    }

    /// The name of a rim of a cylinder, or of its side.
    pub(super) fn rim_name(&self, cap: usize) -> usize {
        self.n_names() + cap
    }

    pub(super) fn side_name(&self) -> usize {
        self.n_names() + 2
    }

    /// Number of ids of its corners, edges and faces, and of features that can touch a plane.
    pub(super) fn n_names(&self) -> usize {
        self.face_name(self.normals.len())
    }

    /// The face most along a direction.
    pub(super) fn toward(&self, n: Vec3) -> Option<usize> {
        (0..self.normals.len()).reduce(|best, face| {
            // Of nearly equal ones, the first.
            if dot(self.normals[face], n) > dot(self.normals[best], n) + 1e-9 {
                face
            } else {
                best
            }
        })
    }
}
