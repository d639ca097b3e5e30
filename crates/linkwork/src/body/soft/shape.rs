//! Where the nodes of a soft body are at birth.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use super::mesh::{MAX_NODES, Mesh};
use crate::error::Error;
use crate::math::Vec3;
use crate::shape::SuperquadricForm;

/// How a soft body is cut into elements.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SoftShape {
    /// The surface of a superquadric: parallels from pole to pole, and nodes on each.
    Rings {
        /// The superquadric.
        form: SuperquadricForm,
        /// Bands from pole to pole, at least 3; nodes of a parallel, at least 3.
        rings: [u32; 2],
    },
    /// A rectangle of the plane z = 0 about the origin.
    Sheet {
        /// Along x and y.
        size: [f64; 2],
        /// How many rectangles along each, two triangles each.
        cells: [u32; 2],
    },
    /// Any surface.
    Surface {
        /// Corners.
        vertices: Vec<Vec3>,
        /// Counter-clockwise as seen from outside, or from one side if it is open.
        triangles: Vec<[u32; 3]>,
    },
    /// A solid block about the origin.
    Block {
        /// Along each axis.
        size: Vec3,
        /// How many bricks along each, six tetrahedra each.
        cells: [u32; 3],
    },
    /// Any solid.
    Tetrahedra {
        /// Corners.
        vertices: Vec<Vec3>,
        /// Of each the first three run counter-clockwise as seen from the fourth.
        tetrahedra: Vec<[u32; 4]>,
    },
}

impl SoftShape {
    /// Whether it is a surface, which needs a thickness.
    pub fn is_surface(&self) -> bool {
        !matches!(self, Self::Block { .. } | Self::Tetrahedra { .. })
    }

    /// The elements, checked.
    pub(super) fn mesh(&self) -> Result<Mesh, Error> {
        let mut mesh = match self {
            Self::Rings { form, rings } => rings_of(form, *rings)?,
            Self::Sheet { size, cells } => sheet(*size, *cells)?,
            Self::Block { size, cells } => block(*size, *cells)?,
            Self::Surface {
                vertices,
                triangles,
            } => Mesh {
                vertices: vertices.clone(),
                triangles: triangles.clone(),
                ..Mesh::default()
            },
            Self::Tetrahedra {
                vertices,
                tetrahedra,
            } => Mesh {
                vertices: vertices.clone(),
                tetrahedra: tetrahedra.clone(),
                ..Mesh::default()
            },
        };
        if self.is_surface() {
            mesh.check_surface()?;
        } else {
            mesh.check_solid()?;
            mesh.skin();
            mesh.check_edges()?;
        }
        Ok(mesh)
    }
}

/// At least so many, and no more nodes in all than a body may have.
fn check_count(field: &'static str, counts: &[u32], least: u32) -> Result<(), Error> {
    if let Some(count) = counts.iter().find(|&&count| count < least) {
        let problem = format!("has {count}; give at least {least}");
        return Err(Error::field(field, problem));
    }
    let nodes = counts.iter().map(|&count| f64::from(count) + 1.0);
    let nodes: f64 = nodes.product();
    if nodes > MAX_NODES as f64 {
        let problem = format!("makes {nodes} nodes; a soft body has at most {MAX_NODES}");
        return Err(Error::field(field, problem));
    }
    Ok(())
}

/// Parallels are turned against each other by half of a node's distance; at the poles triangles meet.
fn rings_of(form: &SuperquadricForm, rings: [u32; 2]) -> Result<Mesh, Error> {
    form.validate()?;
    check_count("rings", &rings, 3)?;
    let [n, around] = rings;
    let mut vertices = vec![form.surface_point(-FRAC_PI_2, 0.0)];
    for i in 1..n {
        let latitude = -FRAC_PI_2 + PI * f64::from(i) / f64::from(n);
        for j in 0..around {
            let turned = f64::from(j) + 0.5 * f64::from(i % 2);
            let longitude = -PI + TAU * turned / f64::from(around);
            vertices.push(form.surface_point(latitude, longitude));
        }
    }
    vertices.push(form.surface_point(FRAC_PI_2, 0.0));
    let top = vertices.len() as u32 - 1;
    let node = |i: u32, j: u32| 1 + (i - 1) * around + j % around;
    let mut triangles = Vec::new();
    for j in 0..around {
        triangles.push([0, node(1, j + 1), node(1, j)]);
        triangles.push([top, node(n - 1, j), node(n - 1, j + 1)]);
    }
    for i in 1..n - 1 {
        for j in 0..around {
            let (a, b) = (node(i, j), node(i, j + 1));
            let (c, d) = (node(i + 1, j), node(i + 1, j + 1));
            // The shorter diagonal: of odd parallels nodes are ahead.
            match i % 2 {
                1 => triangles.extend([[a, b, d], [a, d, c]]),
                _ => triangles.extend([[a, b, c], [b, d, c]]),
            }
        }
    }
    Ok(Mesh {
        vertices,
        triangles,
        ..Mesh::default()
    })
}

/// From −size/2 to size/2.
fn along(size: f64, at: u32, cells: u32) -> f64 {
    size * (f64::from(at) / f64::from(cells) - 0.5)
}

/// Diagonals alternate.
fn sheet(size: [f64; 2], cells: [u32; 2]) -> Result<Mesh, Error> {
    for size in size {
        Error::require_positive("size", &size)?;
    }
    check_count("cells", &cells, 1)?;
    let [n, m] = cells;
    let mut mesh = Mesh::default();
    for i in 0..=n {
        for j in 0..=m {
            let corner = [along(size[0], i, n), along(size[1], j, m), 0.0];
            mesh.vertices.push(corner);
        }
    }
    let node = |i: u32, j: u32| i * (m + 1) + j;
    for i in 0..n {
        for j in 0..m {
            let (a, b) = (node(i, j), node(i + 1, j));
            let (c, d) = (node(i + 1, j + 1), node(i, j + 1));
            match (i + j) % 2 {
                0 => mesh.triangles.extend([[a, b, c], [a, c, d]]),
                _ => mesh.triangles.extend([[a, b, d], [b, c, d]]),
            }
        }
    }
    Ok(mesh)
}

/// Each brick is cut along the same diagonal, so that neighbors fit (Kuhn).
fn block(size: Vec3, cells: [u32; 3]) -> Result<Mesh, Error> {
    const PATHS: [[usize; 3]; 6] = [
        [0, 1, 2],
        [1, 2, 0],
        [2, 0, 1],
        [0, 2, 1],
        [2, 1, 0],
        [1, 0, 2],
    ];
    for size in size {
        Error::require_positive("size", &size)?;
    }
    check_count("cells", &cells, 1)?;
    let mut mesh = Mesh::default();
    let each = |n: [u32; 3]| {
        let xy = move |i| (0..n[1]).flat_map(move |j| (0..n[2]).map(move |k| [i, j, k]));
        (0..n[0]).flat_map(xy)
    };
    for at in each(cells.map(|n| n + 1)) {
        let corner = std::array::from_fn(|k| along(size[k], at[k], cells[k]));
        mesh.vertices.push(corner);
    }
    let node = |at: [u32; 3]| (at[0] * (cells[1] + 1) + at[1]) * (cells[2] + 1) + at[2];
    for at in each(cells) {
        for (turn, path) in PATHS.iter().enumerate() {
            let mut corner = at;
            let mut nodes = [node(at); 4];
            for (k, &axis) in path.iter().enumerate() {
                corner[axis] += 1;
                nodes[k + 1] = node(corner);
            }
            // The last three paths are odd permutations.
            if turn >= 3 {
                nodes.swap(1, 2);
            }
            mesh.tetrahedra.push(nodes);
        }
    }
    Ok(mesh)
}
