//! Ground given by heights over a grid.

use super::Triangles;
use crate::error::Error;
use crate::math::Vec3;

/// Heights along x over a grid of y and z; everything below is solid.
///
/// Rows follow each other along y, the heights of a row along z; the first height is over the origin. Each cell is two
/// triangles, divided from its first corner to the opposite one.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightField {
    rows: Vec<Vec<f64>>,
    spacing: [f64; 2],
    pub(super) surface: Triangles,
}

impl HeightField {
    /// From rows of heights, and how far apart rows and the heights of a row are.
    pub fn new(rows: Vec<Vec<f64>>, spacing: [f64; 2]) -> Result<Self, Error> {
        Error::require_positive("spacing", &spacing)?;
        let n = rows.first().map_or(0, Vec::len);
        for (at, row) in rows.iter().enumerate() {
            if row.len() != n {
                let given = row.len();
                let problem = format!(
                    "has {given} heights in row {at} and {n} in the first; give equally many"
                );
                return Err(Error::field("heights", problem));
            }
            if let Some(k) = row.iter().position(|height| !height.is_finite()) {
                let problem = format!(
                    "has {} as height {k} of row {at}; give finite numbers",
                    row[k]
                );
                return Err(Error::field("heights", problem));
            }
        }
        if rows.len() < 2 || n < 2 {
            let problem = format!(
                "are {} × {n}; give at least two rows of two heights",
                rows.len()
            );
            return Err(Error::field("heights", problem));
        }
        let mut vertices: Vec<Vec3> = vec![];
        let mut triangles = vec![];
        for (i, row) in rows.iter().enumerate() {
            for (k, &height) in row.iter().enumerate() {
                vertices.push([height, i as f64 * spacing[0], k as f64 * spacing[1]]);
                if i > 0 && k > 0 {
                    let at = |back: usize, left: usize| ((i - back) * n + k - left) as u32;
                    triangles.push([at(1, 1), at(0, 1), at(0, 0)]);
                    triangles.push([at(1, 1), at(0, 0), at(1, 0)]);
                }
            }
        }
        let surface = Triangles::new(&vertices, &triangles).map_err(|_| {
            let problem = "are too steep for their spacing, or too many; give at most 500000";
            Error::field("heights", problem)
        })?;
        Ok(Self {
            rows,
            spacing,
            surface,
        })
    }

    /// Its heights.
    pub fn rows(&self) -> &[Vec<f64>] {
        &self.rows
    }

    /// How far apart rows and the heights of a row are.
    pub fn spacing(&self) -> [f64; 2] {
        self.spacing
    }

    /// Its triangles.
    pub fn surface(&self) -> &Triangles {
        &self.surface
    }

    /// Height of a point over the triangle below or above it, and the triangle; `None` outside the field.
    pub(super) fn above(&self, [x, y, z]: Vec3) -> Option<(f64, usize)> {
        let n = [self.rows.len(), self.rows[0].len()];
        let [y, z] = [y / self.spacing[0], z / self.spacing[1]];
        let within = |at: f64, n: usize| at >= 0.0 && at <= (n - 1) as f64;
        if !(within(y, n[0]) && within(z, n[1])) {
            return None;
        }
        // The last row and column belong to the cells before them.
        let (i, k) = ((y as usize).min(n[0] - 2), (z as usize).min(n[1] - 2));
        let (u, v) = (y - i as f64, z - k as f64);
        let corner = |down: usize, right: usize| self.rows[i + down][k + right];
        let (first, last) = (corner(0, 0), corner(1, 1));
        let is_second = v > u;
        let height = if is_second {
            first + v * (corner(0, 1) - first) + u * (last - corner(0, 1))
        } else {
            first + u * (corner(1, 0) - first) + v * (last - corner(1, 0))
        };
        let cell = i * (n[1] - 1) + k;
        Some((x - height, 2 * cell + usize::from(is_second)))
    }
}
