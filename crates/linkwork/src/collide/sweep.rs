//! Whether two moving shapes pass through each other.
//!
//! Conservative advancement: no point of a shape moves by more than `|Δc| + |φ|·R`, with Δc the displacement of
//! the center about which it rotates by φ, and R its radius about that center. Two shapes at distance d
//! therefore stay apart until
//!
//! ```text
//!     s + d/(|Δc_a − Δc_b| + |φ_a|·R_a + |φ_b|·R_b)         s from 0 to 1
//! ```
//!
//! Shapes in contact advance by a part of their thickness, so that sliding is not stopped; a penetration by
//! that part is found before the shape emerges on the other side.

use super::{Finder, Place, Shape};
use crate::body::Pose;
use crate::collide::tolerances::{BEFORE, DEEP};
use crate::math::{
    IDENTITY_QUAT, Quat, Vec3, add, dot, mat_vec, norm, quat_exp, quat_mul, quat_to_matrix, scale,
    sub, unit,
};

/// Largest number of tests on one motion; the motion is then cut at the last one.
const MOST_LOOKS: usize = 64;

/// The motion of a shape: its center moves along a straight line, and it rotates about it at a constant rate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) center: Vec3,
    /// From the center to the frame of the shape, where it begins.
    pub(crate) arm: Vec3,
    pub(crate) rotation: Quat,
    pub(crate) moves: Vec3,
    /// A rotation vector; it may be longer than a full turn.
    pub(crate) turns: Vec3,
    /// Radius of the shape about the center.
    pub(crate) radius: f64,
}

impl Way {
    /// A shape at rest.
    pub(crate) fn still() -> Self {
        Self {
            center: [0.0; 3],
            arm: [0.0; 3],
            rotation: IDENTITY_QUAT,
            moves: [0.0; 3],
            turns: [0.0; 3],
            radius: 0.0,
        }
    }

    fn pose(&self, s: f64) -> Pose {
        let turn = quat_exp(scale(s, self.turns));
        let arm = mat_vec(&quat_to_matrix(turn), self.arm);
        Pose {
            position: add(add(self.center, scale(s, self.moves)), arm),
            rotation: quat_mul(turn, self.rotation),
        }
    }

    fn swings(&self) -> f64 {
        norm(self.turns) * self.radius
    }

    /// The largest relative displacement of points of two shapes.
    pub(crate) fn against(&self, other: &Self) -> f64 {
        norm(sub(self.moves, other.moves)) + self.swings() + other.swings()
    }
}

/// Half of the smallest thickness of a shape; zero for a surface.
pub(crate) fn thickness(shape: &Shape) -> f64 {
    match shape {
        Shape::Sphere { radius } | Shape::Disc { radius } | Shape::Capsule { radius, .. } => {
            *radius
        }
        Shape::Box { half: [x, y, z] } => x.min(*y).min(*z),
        Shape::Cylinder {
            half_length,
            radius,
        } => half_length.min(*radius),
        Shape::Plane | Shape::Nodes => f64::INFINITY,
        Shape::Hull(hull) => {
            let faces = (0..hull.n_faces()).map(|face| {
                let at = hull.vertices()[hull.face(face)[0] as usize];
                depth(hull.vertices(), at, hull.normals[face])
            });
            0.5 * faces.fold(f64::INFINITY, f64::min)
        }
        Shape::Polygon(polygon) => {
            let corners: Vec<Vec3> = polygon
                .points()
                .iter()
                .map(|[x, y]| [*x, *y, 0.0])
                .collect();
            let n = corners.len();
            let edges = (0..n).map(|k| {
                let [x, y, _] = sub(corners[(k + 1) % n], corners[k]);
                let out = unit([y, -x, 0.0]).unwrap_or([1.0, 0.0, 0.0]);
                depth(&corners, corners[k], out)
            });
            0.5 * edges.fold(f64::INFINITY, f64::min) + polygon.radius()
        }
        Shape::Mesh(_) | Shape::HeightField(_) => 0.0,
        Shape::Superquadric(form) => {
            let [x, y, z] = form.a;
            let [t, u] = form.taper.map(|taper| 1.0 - taper.abs());
            // What is pointed is thinner between its corners: an octahedron by √3.
            let pointed = form.e.iter().any(|e| *e > 1.0);
            let part = if pointed { 0.57 } else { 1.0 };
            part * (t * x).min(u * y).min(z)
        }
    }
}

/// How far points are behind a face.
fn depth(points: &[Vec3], at: Vec3, normal: Vec3) -> f64 {
    let behind = points.iter().map(|&point| dot(normal, sub(at, point)));
    behind.fold(0.0, f64::max)
}

impl Finder {
    /// The fraction of their motions after which two shapes pass through each other, if they do. `thick` is the
    /// thickness of the thicker one.
    pub(crate) fn find_passing(
        &mut self,
        a: (&Shape, &Way),
        b: (&Shape, &Way),
        thick: f64,
    ) -> Option<f64> {
        let (all, deep) = (a.1.against(b.1), DEEP * thick);
        let (mut s, mut good) = (0.0, 0.0);
        for look in 0..MOST_LOOKS {
            let rest = (1.0 - s) * all;
            let gap = self.separation((a.0, &a.1.pose(s)), (b.0, &b.1.pose(s)), rest + deep);
            // Shapes that overlap at the start are pushed out; they are not passing.
            if gap >= rest || look == 0 && gap < -0.25 * deep {
                return None;
            }
            if gap < -0.5 * deep {
                let before = good - BEFORE * deep / all;
                return Some(if before > 0.0 { before } else { 0.5 * s });
            }
            if gap > -1e-3 * deep {
                good = s;
            }
            if s >= 1.0 {
                return None;
            }
            let free = if gap > deep { gap } else { gap + deep };
            s = (s + free / all).min(1.0);
        }
        Some(s)
    }

    /// Distance of two shapes, at most `reach`; negative if they overlap.
    fn separation(&mut self, a: (&Shape, &Pose), b: (&Shape, &Pose), reach: f64) -> f64 {
        let places = [a.1, b.1].map(Place::new);
        self.seek((a.0, &places[0]), (b.0, &places[1]), reach);
        let gaps = self.found.pairs.iter().map(|(_, touch)| touch.gap);
        gaps.fold(self.found.reach, f64::min)
    }
}
