//! The surface of a soft body, by which it collides.

use super::mesh::Mesh;

/// Nodes and triangles of a surface, by which a body whose velocities are those of nodes collides: the coordinates of
/// node k are `q[3k..3k + 3]`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Skin {
    /// Half of how thick it is, m: nodes are balls of this radius, triangles as far outward of their nodes.
    pub radius: f64,
    /// Nodes of the surface, ascending.
    pub nodes: Vec<u32>,
    /// Triangles, counter-clockwise as seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Whether it has an inside, which others stay out of.
    pub is_closed: bool,
    /// The longest edge at birth, m.
    pub longest_edge: f64,
}

impl Skin {
    /// One that collides has at most so many nodes, and as many triangles: its half of the name of a pair tells which,
    /// and whether it is a node.
    pub const MOST_PARTS: usize = 0x8000;

    pub(super) fn new(mesh: &Mesh, thickness: Option<f64>, longest_edge: f64) -> Self {
        let mut is_outer = vec![false; mesh.vertices.len()];
        for &node in mesh.triangles.as_flattened() {
            is_outer[node as usize] = true;
        }
        let nodes = 0..mesh.vertices.len() as u32;
        Self {
            radius: 0.5 * thickness.unwrap_or(0.0),
            nodes: nodes.filter(|&node| is_outer[node as usize]).collect(),
            triangles: mesh.triangles.clone(),
            is_closed: mesh.open_edge().is_none(),
            longest_edge,
        }
    }
}
