//! Triangles of a surface that a formula gives, for those who draw it: naive surface nets (Gibson 1998).
//!
//! A cube is cut into cells. Each cell whose corners are on both sides has one vertex, the mean of where its edges
//! cross; each edge that crosses has a quad between the four cells around it.

use linkwork::constraint::Surface;
use linkwork::math::{Vec3, add, scale};

use super::MeshLook;

/// Cells along each axis.
const CELLS: usize = 24;
const WIDE: usize = CELLS + 1;

/// The surface within a cube about the origin of its frame.
pub(super) fn mesh(surface: &dyn Surface, half: f64) -> MeshLook {
    let step = 2.0 * half / CELLS as f64;
    let place = |at: [usize; 3]| at.map(|k| k as f64 * step - half);
    let index = |[i, j, k]: [usize; 3]| (k * WIDE + j) * WIDE + i;
    let corners = (0..WIDE * WIDE * WIDE).map(|n| [n % WIDE, n / WIDE % WIDE, n / WIDE / WIDE]);
    let values: Vec<f64> = corners.map(|at| surface.value(place(at))).collect();
    let mut vertex = vec![None; values.len()];
    let mut out = MeshLook {
        vertices: Vec::new(),
        triangles: Vec::new(),
    };
    let cells =
        (0..CELLS * CELLS * CELLS).map(|n| [n % CELLS, n / CELLS % CELLS, n / CELLS / CELLS]);
    for cell in cells.clone() {
        if let Some(point) = middle(cell, &|at| (values[index(at)], place(at))) {
            vertex[index(cell)] = Some(out.vertices.len() as u32);
            out.vertices.push(point);
        }
    }
    for cell in cells {
        for axis in 0..3 {
            let mut end = cell;
            end[axis] += 1;
            let (a, b) = (values[index(cell)], values[index(end)]);
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            if (a < 0.0) == (b < 0.0) || cell[u] == 0 || cell[v] == 0 {
                continue;
            }
            let around = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[du, dv]| {
                let mut own = cell;
                (own[u], own[v]) = (own[u] - du, own[v] - dv);
                vertex[index(own)]
            });
            let [Some(p), Some(q), Some(r), Some(s)] = around else {
                continue;
            };
            // Seen from outside they go round counter-clockwise.
            let quad = if a < 0.0 { [p, q, r, s] } else { [s, r, q, p] };
            out.triangles.push([quad[0], quad[1], quad[2]]);
            out.triangles.push([quad[0], quad[2], quad[3]]);
        }
    }
    out
}

/// The mean of where the edges of a cell cross the surface.
fn middle(cell: [usize; 3], at: &dyn Fn([usize; 3]) -> (f64, Vec3)) -> Option<Vec3> {
    let corner = |n: usize| {
        at([
            cell[0] + (n & 1),
            cell[1] + (n >> 1 & 1),
            cell[2] + (n >> 2),
        ])
    };
    let (mut sum, mut count) = ([0.0; 3], 0.0);
    for from in 0..8 {
        for axis in (0..3).filter(|axis| from >> axis & 1 == 0) {
            let ((a, p), (b, q)) = (corner(from), corner(from | 1 << axis));
            if (a < 0.0) != (b < 0.0) && a.is_finite() && b.is_finite() {
                let s = a / (a - b);
                sum = add(sum, add(scale(1.0 - s, p), scale(s, q)));
                count += 1.0;
            }
        }
    }
    (count > 0.0).then(|| scale(1.0 / count, sum))
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork::constraint::TorusSurface;
    use linkwork::math::{cross, dot, norm, sub};

    /// Points are on the torus, triangles look outwards, and Euler's number of their mesh is that of a torus.
    #[test]
    fn a_torus_is_closed() {
        let torus = TorusSurface {
            major: 0.6,
            minor: 0.25,
        };
        let mesh = mesh(&torus, 1.0);
        let point = |k: u32| mesh.vertices[k as usize];
        assert!(mesh.vertices.iter().all(|p| torus.value(*p).abs() < 0.01));
        let mut edges = std::collections::BTreeSet::new();
        for &[a, b, c] in &mesh.triangles {
            let across = cross(sub(point(b), point(a)), sub(point(c), point(a)));
            let out = dot(across, torus.gradient(point(a)));
            assert!(out > -1e-3 * norm(across), "{out}");
            for (a, b) in [(a, b), (b, c), (c, a)] {
                edges.insert((a.min(b), a.max(b)));
            }
        }
        let euler = mesh.vertices.len() as i64 - edges.len() as i64 + mesh.triangles.len() as i64;
        assert_eq!(euler, 0);
    }
}
