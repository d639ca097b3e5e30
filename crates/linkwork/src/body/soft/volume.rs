//! What a closed surface encloses: its volume and the first moments of that, from its triangles.
//!
//! ```text
//!     V = Σ a·(b × c)/6      ∫x dV = Σ a·(b × c)/6·(a + b + c)/4
//! ```
//!
//! A pressure is a force on the volume, buoyancy one on a moment.

use super::{At, SoftBody};
use crate::connector::ConnectorMut;
use crate::math::{Vec3, add, cross, dot, scale};

/// A signed tetrahedron over a triangle: its volume, two rates of that, and the gradient by each corner.
struct Part {
    value: [f64; 3],
    normals: [Vec3; 3],
}

impl Part {
    fn of([a, b, c]: [Vec3; 3], [u, v, w]: [Vec3; 3]) -> Self {
        let normals = [cross(b, c), cross(c, a), cross(a, b)].map(|n| scale(1.0 / 6.0, n));
        let rate = dot(u, normals[0]) + dot(v, normals[1]) + dot(w, normals[2]);
        let twice = dot(u, cross(v, c)) + dot(u, cross(b, w)) + dot(a, cross(v, w));
        Self {
            value: [dot(a, normals[0]), rate, twice / 3.0],
            normals,
        }
    }
}

impl SoftBody {
    /// The scalar output `body.scalar(SoftBody::VOLUME)` of a closed surface and of a solid.
    pub const VOLUME: u32 = crate::shape::VOLUME;
    /// The scalar outputs behind it: ∫x dV, ∫y dV, ∫z dV, in the world. The centroid of the volume times the volume.
    pub const MOMENT: u32 = Self::VOLUME + 1;

    /// Whether a scalar output is one of the volume.
    pub(super) fn is_of_volume(index: u32) -> bool {
        (Self::VOLUME..Self::MOMENT + 3).contains(&index)
    }

    pub(super) fn fill_volume(&self, index: u32, at: At<'_>, out: &mut ConnectorMut<'_>) {
        let axis = index.checked_sub(Self::MOMENT).map(|axis| axis as usize);
        for &nodes in &self.mesh.triangles {
            let corners = nodes.map(|node| at.place(node));
            let rates = nodes.map(|node| at.velocity(node));
            let Part {
                value: [value, rate, second],
                normals,
            } = Part::of(corners, rates);
            // Where the middle of the tetrahedron is along the axis.
            let middle =
                |of: [Vec3; 3]| axis.map(|axis| 0.25 * add(of[0], add(of[1], of[2]))[axis]);
            let (x, x_dot) = (middle(corners).unwrap_or(1.0), middle(rates).unwrap_or(0.0));
            out.x[0] += value * x;
            out.x_dot[0] += rate * x + value * x_dot;
            out.ell[0] += second * x + 2.0 * rate * x_dot;
            for (node, normal) in nodes.into_iter().zip(normals) {
                for (k, n) in normal.into_iter().enumerate() {
                    let along = if axis == Some(k) { 0.25 * value } else { 0.0 };
                    out.L.add(0, 3 * node as usize + k, n * x + along);
                }
            }
        }
    }
}
