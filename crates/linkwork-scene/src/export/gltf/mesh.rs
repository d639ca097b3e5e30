//! Triangles of simple solids, for viewers.

use std::f64::consts::{PI, TAU};

use linkwork::math::{Vec3, cross, sub, unit};

use crate::export::look::ShapeLook;

/// Triangles with normals.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Mesh {
    pub(super) positions: Vec<[f32; 3]>,
    pub(super) normals: Vec<[f32; 3]>,
    pub(super) indices: Vec<u32>,
}

/// Around a circle; a sphere has half as many rings.
const SEGMENTS: u32 = 24;

/// Cosine and sine of a part of a turn, equal for the first and the last segment.
fn around(segment: u32) -> (f64, f64) {
    let angle = TAU * f64::from(segment % SEGMENTS) / f64::from(SEGMENTS);
    (libm::cos(angle), libm::sin(angle))
}

pub(super) fn narrow(a: Vec3) -> [f32; 3] {
    a.map(|a| a as f32)
}

impl Mesh {
    pub(super) fn of(shape: &ShapeLook) -> Self {
        let mut mesh = Self::default();
        match shape {
            ShapeLook::Cylinder { length, radius } => mesh.add_cylinder(0.5 * length, *radius),
            ShapeLook::Box { size } => mesh.add_cuboid(*size),
            ShapeLook::Sphere { radius } => mesh.add_sphere(*radius),
            ShapeLook::Mesh {
                vertices,
                triangles,
            } => mesh.add_triangles(vertices, triangles),
            ShapeLook::Quad { corners } => {
                for [x, y] in corners {
                    mesh.add_vertex([*x, *y, 0.0], [0.0, 0.0, 1.0]);
                }
                mesh.indices.extend([0, 1, 2, 0, 2, 3]);
            }
        }
        mesh
    }

    fn add_vertex(&mut self, position: Vec3, normal: Vec3) -> u32 {
        self.positions.push(narrow(position));
        self.normals.push(narrow(normal));
        self.positions.len() as u32 - 1
    }

    fn add_cuboid(&mut self, size: [f64; 3]) {
        for axis in 0..3 {
            for side in [-1.0, 1.0] {
                // Counter-clockwise as seen from outside.
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let (u, v) = if side > 0.0 { (u, v) } else { (v, u) };
                let mut normal = [0.0; 3];
                normal[axis] = side;
                let first = self.positions.len() as u32;
                for (a, b) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                    let mut corner = [0.0; 3];
                    (corner[axis], corner[u], corner[v]) = (side, a, b);
                    let corner = [0, 1, 2].map(|k| 0.5 * size[k] * corner[k]);
                    self.add_vertex(corner, normal);
                }
                let quad = [0, 1, 2, 0, 2, 3].map(|corner| first + corner);
                self.indices.extend(quad);
            }
        }
    }

    fn add_cylinder(&mut self, half: f64, radius: f64) {
        let first = self.positions.len() as u32;
        for segment in 0..=SEGMENTS {
            let (cos, sin) = around(segment);
            for x in [-half, half] {
                self.add_vertex([x, radius * cos, radius * sin], [0.0, cos, sin]);
            }
        }
        for segment in 0..SEGMENTS {
            let [a, b, c, d] = [0, 1, 2, 3].map(|corner| first + 2 * segment + corner);
            self.indices.extend([a, c, d, a, d, b]);
        }
        for side in [-1.0, 1.0] {
            let normal = [side, 0.0, 0.0];
            let middle = self.add_vertex([side * half, 0.0, 0.0], normal);
            for segment in 0..SEGMENTS {
                let (cos, sin) = around(segment);
                self.add_vertex([side * half, radius * cos, radius * sin], normal);
            }
            for segment in 0..SEGMENTS {
                let a = middle + 1 + segment;
                let b = middle + 1 + (segment + 1) % SEGMENTS;
                let (a, b) = if side > 0.0 { (a, b) } else { (b, a) };
                self.indices.extend([middle, a, b]);
            }
        }
    }

    fn add_sphere(&mut self, radius: f64) {
        let rings = SEGMENTS / 2;
        for ring in 0..=rings {
            let polar = PI * f64::from(ring) / f64::from(rings);
            for segment in 0..=SEGMENTS {
                let (cos, sin) = around(segment);
                let normal = [
                    libm::sin(polar) * cos,
                    libm::sin(polar) * sin,
                    libm::cos(polar),
                ];
                self.add_vertex(normal.map(|n| radius * n), normal);
            }
        }
        for ring in 0..rings {
            for segment in 0..SEGMENTS {
                let a = ring * (SEGMENTS + 1) + segment;
                let below = a + SEGMENTS + 1;
                // At the poles one of the two triangles has no area.
                if ring > 0 {
                    self.indices.extend([a, below, a + 1]);
                }
                if ring + 1 < rings {
                    self.indices.extend([a + 1, below, below + 1]);
                }
            }
        }
    }

    /// Each triangle with its own normal: solids of users have edges.
    fn add_triangles(&mut self, vertices: &[Vec3], triangles: &[[u32; 3]]) {
        for triangle in triangles {
            let corner = |k: usize| vertices.get(triangle[k] as usize).copied();
            let (Some(a), Some(b), Some(c)) = (corner(0), corner(1), corner(2)) else {
                continue;
            };
            let Some(normal) = unit(cross(sub(b, a), sub(c, a))) else {
                continue;
            };
            for position in [a, b, c] {
                let index = self.add_vertex(position, normal);
                self.indices.push(index);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork::math::{add, dot, scale};

    /// Volume by signed tetrahedra; normals must point as triangles do.
    fn volume(shape: &ShapeLook) -> f64 {
        let mesh = Mesh::of(shape);
        let wide = |a: [f32; 3]| a.map(f64::from);
        let mut volume = 0.0;
        for triangle in mesh.indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|k| wide(mesh.positions[triangle[k] as usize]));
            let face = cross(sub(b, a), sub(c, a));
            for &index in triangle {
                let normal = wide(mesh.normals[index as usize]);
                assert!((dot(normal, normal) - 1.0).abs() < 1e-6);
                assert!(dot(normal, face) > 0.0, "{shape:?}");
            }
            volume += dot(scale(1.0 / 6.0, a), add(cross(b, c), [0.0; 3]));
        }
        volume
    }

    #[test]
    fn solids_are_closed_and_face_outward() {
        let near = |shape: ShapeLook, exact: f64, tolerance: f64| {
            let volume = volume(&shape);
            assert!(
                (volume / exact - 1.0).abs() < tolerance,
                "{shape:?}: {volume}"
            );
        };
        let size = [1.0, 2.0, 3.0];
        near(ShapeLook::Box { size }, 6.0, 1e-6);
        near(ShapeLook::Sphere { radius: 0.5 }, PI / 6.0, 0.03);
        let (length, radius) = (2.0, 0.5);
        near(ShapeLook::Cylinder { length, radius }, PI / 2.0, 0.02);
        let vertices = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let solid = ShapeLook::Mesh {
            vertices,
            triangles,
        };
        near(solid, 1.0 / 6.0, 1e-6);
    }
}
