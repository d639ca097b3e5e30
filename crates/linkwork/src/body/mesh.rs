//! A solid bounded by triangles.
//!
//! Every triangle spans a signed tetrahedron with a fixed point o; the signed sum is exact for any
//! closed surface. With `a, b, c` the corners relative to o and `s = a + b + c`:
//!
//! ```text
//!     V = a·(b × c)/6      ∫x = V·s/4      ∫x·xᵀ = V·(s·sᵀ + a·aᵀ + b·bᵀ + c·cᵀ)/20
//! ```

use super::MassProperties;
use super::mass_properties::inertia_from_second_moments;
use crate::error::Error;
use crate::linalg::order::{Key, sort};
use crate::math::{Vec3, add, cross, dot, norm, scale, sub};

/// A solid of uniform density bounded by a closed surface of triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct TriangleMesh {
    /// Corners, body coordinates.
    pub vertices: Vec<Vec3>,
    /// Indices into `vertices`, counter-clockwise as seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Mass per volume.
    pub density: f64,
}

impl TriangleMesh {
    /// Its mass properties, exact up to round-off. The center of mass lies wherever the vertices
    /// put it, not necessarily at the origin of the body frame.
    pub fn mass_properties(&self) -> Result<MassProperties, Error> {
        self.check()?;
        // The middle of the vertices keeps the tetrahedra small wherever the mesh stands.
        let mut middle = [0.0; 3];
        for vertex in &self.vertices {
            middle = add(middle, scale(1.0 / self.vertices.len() as f64, *vertex));
        }
        let corner = |index: u32| sub(self.vertices[index as usize], middle);
        let (mut volume, mut first, mut second) = (0.0, [0.0; 3], [0.0; 6]);
        let mut extent: f64 = 0.0;
        for &[i, j, k] in &self.triangles {
            let (a, b, c) = (corner(i), corner(j), corner(k));
            let s = add(a, add(b, c));
            let v = dot(a, cross(b, c)) / 6.0;
            volume += v;
            first = add(first, scale(v / 4.0, s));
            for (entry, (p, q)) in [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]
                .into_iter()
                .enumerate()
            {
                let outer = s[p] * s[q] + a[p] * a[q] + b[p] * b[q] + c[p] * c[q];
                second[entry] += v / 20.0 * outer;
            }
            extent = extent.max(norm(a)).max(norm(b)).max(norm(c));
        }
        if volume < 0.0 {
            return Err(Error::field(
                "triangles",
                format!(
                    "enclose the volume {volume:e}; turn them over, so that their corners run \
                     counter-clockwise as seen from outside"
                ),
            ));
        }
        if !volume.is_finite() || volume <= 1e-12 * extent * extent * extent {
            return Err(Error::field(
                "triangles",
                format!("enclose the volume {volume:e}; give a solid, not a sheet"),
            ));
        }
        let com = scale(1.0 / volume, first);
        // About the center of mass: ∫x·xᵀ − V·com·comᵀ.
        let [x, y, z] = com;
        let outer = [x * x, y * y, z * z, x * y, x * z, y * z];
        let mut central = [0.0; 6];
        for k in 0..6 {
            central[k] = self.density * (second[k] - volume * outer[k]);
        }
        let properties = MassProperties {
            mass: self.density * volume,
            com_body: add(middle, com),
            inertia_body: inertia_from_second_moments(&central),
        };
        properties.validate()?;
        Ok(properties)
    }

    fn check(&self) -> Result<(), Error> {
        Error::require_positive("density", &self.density)?;
        Error::require_finite("vertices", self.vertices.as_flattened())?;
        if self.triangles.is_empty() {
            return Err(Error::field(
                "triangles",
                "is empty; give a closed surface, at least a tetrahedron",
            ));
        }
        let n_vertices = self.vertices.len();
        for (at, triangle) in self.triangles.iter().enumerate() {
            let [i, j, k] = *triangle;
            if let Some(bad) = triangle.iter().find(|&&i| i as usize >= n_vertices) {
                return Err(Error::field(
                    "triangles",
                    format!(
                        "has vertex {bad} in triangle {at}, but there are {n_vertices} vertices; \
                         count them from zero"
                    ),
                ));
            }
            if i == j || j == k || k == i {
                return Err(Error::field(
                    "triangles",
                    format!("repeats a vertex in triangle {at}; leave such triangles out"),
                ));
            }
        }
        self.check_closed()
    }

    /// A surface is closed and consistently oriented when each directed edge is run through as
    /// often as its reverse.
    fn check_closed(&self) -> Result<(), Error> {
        // By their lower vertex, then their higher one: those run through upward, and downward.
        let (mut upward, mut downward) = (Vec::new(), Vec::new());
        for &[i, j, k] in &self.triangles {
            for (from, to) in [(i, j), (j, k), (k, i)] {
                match from < to {
                    true => upward.push((u64::from(from), to)),
                    false => downward.push((u64::from(to), from)),
                }
            }
        }
        sort(&mut upward);
        sort(&mut downward);
        let alike = upward.iter().zip(&downward).take_while(|(a, b)| a == b);
        let at = alike.count();
        let rest = [&upward[at..], &downward[at..]];
        let Some(edge) = rest.iter().filter_map(|rest| rest.first()).min() else {
            return Ok(());
        };
        let again = |edges: &Vec<Key>| edges.iter().filter(|own| *own == edge).count();
        let advice = if again(&upward) + again(&downward) == 1 {
            "belongs to one triangle only; close the surface (and merge vertices that \
             coincide)"
        } else {
            "is run through in one direction more often than in the other; orient all \
             triangles outward"
        };
        let (low, high) = edge;
        Err(Error::field(
            "triangles",
            format!("are not closed: the edge between vertices {low} and {high} {advice}"),
        ))
    }
}
