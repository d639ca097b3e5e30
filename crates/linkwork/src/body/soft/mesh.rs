//! Meshes of soft bodies, and what is wrong with one.

use super::hinge::Edge;
use crate::body::tolerances::FLAT_ELEMENT;
use crate::error::Error;
use crate::linalg::order::{Key, sort};
use crate::math::{Vec3, cross, dot, norm, sub};

/// More nodes than this are refused: a factor takes minutes. Three of them fit into a key of 64 bits.
pub(super) const MAX_NODES: usize = 20_000;

/// Nodes, and the triangles of a surface, counter-clockwise as seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Mesh {
    pub(super) vertices: Vec<Vec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) tetrahedra: Vec<[u32; 4]>,
}

/// A side of a triangle, from its lower vertex to its higher one: which triangle, and which of its sides.
#[derive(Clone, Copy, Debug)]
struct Side {
    ends: [u32; 2],
    triangle: u32,
    side: u32,
}

impl Mesh {
    pub(super) fn corners<const N: usize>(&self, nodes: [u32; N]) -> [Vec3; N] {
        nodes.map(|node| self.vertices[node as usize])
    }

    /// `Ok` if triangles make a surface: no edge with three, no two run through alike.
    pub(super) fn check_surface(&self) -> Result<(), Error> {
        self.check_nodes("triangles", &self.triangles)?;
        for (at, &triangle) in self.triangles.iter().enumerate() {
            let [a, b, c] = self.corners(triangle);
            let longest = longest(&[a, b, c]);
            let double = norm(cross(sub(b, a), sub(c, a)));
            let has_area = double > FLAT_ELEMENT * longest * longest;
            if !has_area {
                let what = "has no area; move a corner of it, or leave it out";
                return Err(Error::field(
                    "triangles",
                    format!("has triangle {at}, which {what}"),
                ));
            }
        }
        self.check_edges()
    }

    /// No edge has three triangles, none two that run through it alike, and a closed surface is not inside out.
    pub(super) fn check_edges(&self) -> Result<(), Error> {
        let wrong = |problem: String| Err(Error::field("triangles", problem));
        let sides = self.sides();
        for group in sides.chunk_by(|a, b| a.ends == b.ends) {
            let [low, high] = group[0].ends;
            if group.len() > 2 {
                let n = group.len();
                let what = "a surface has at most two at an edge";
                return wrong(format!(
                    "tangle: {n} of them meet at the edge between vertices {low} and {high}; {what}"
                ));
            }
            let is_upward = |side: &Side| {
                let triangle = self.triangles[side.triangle as usize];
                triangle[side.side as usize] == low
            };
            if group.len() == 2 && is_upward(&group[0]) == is_upward(&group[1]) {
                let (a, b) = (group[0].triangle, group[1].triangle);
                let what = "have opposite orientations; flip one of them";
                return wrong(format!(
                    "tangle at the edge between vertices {low} and {high}: triangles {a} and {b} {what}"
                ));
            }
        }
        if self.open_edge().is_none() && self.volume() < 0.0 {
            return wrong(
                "are turned inside out; turn all of them over, so that their corners run \
                 counter-clockwise as seen from outside"
                    .into(),
            );
        }
        Ok(())
    }

    /// `Ok` if tetrahedra have volume and are not inside out.
    pub(super) fn check_solid(&self) -> Result<(), Error> {
        self.check_nodes("tetrahedra", &self.tetrahedra)?;
        for (at, &tetrahedron) in self.tetrahedra.iter().enumerate() {
            let corners = self.corners(tetrahedron);
            let [a, b, c, d] = corners;
            let longest = longest(&corners);
            let six = dot(sub(b, a), cross(sub(c, a), sub(d, a)));
            let has_volume = six.abs() > FLAT_ELEMENT * longest * longest * longest;
            if !has_volume {
                let what = "has no volume; move a corner of it, or leave it out";
                let problem = format!("has tetrahedron {at}, which {what}");
                return Err(Error::field("tetrahedra", problem));
            }
            if six < 0.0 {
                let what = "is inside out; swap two of its vertices";
                let problem = format!("has tetrahedron {at}, which {what}");
                return Err(Error::field("tetrahedra", problem));
            }
        }
        // Two that share a face see it the other way round each, as its corners ascend or not.
        let ascends = |at: u32| {
            let [a, b, c] = self.face(at);
            [a < b, b < c, c < a].into_iter().filter(|own| *own).count() == 2
        };
        let faces = self.faces();
        let mut groups = faces.chunk_by(|a, b| a.0 == b.0);
        let tangle = groups.find(|own| {
            own.len() > 2 || (own.len() == 2 && ascends(own[0].1) == ascends(own[1].1))
        });
        let Some(group) = tangle else { return Ok(()) };
        let (a, b) = (group[0].1 / 4, group[1].1 / 4);
        let mut corners = self.face(group[0].1);
        ascend(&mut corners);
        let [i, j, k] = corners;
        let problem = format!(
            "tangle: {a} and {b} lie on the same side of the face of vertices {i}, {j} and {k}; leave one out"
        );
        Err(Error::field("tetrahedra", problem))
    }

    /// Vertices are numbers, each is used, elements name those there are, each once.
    fn check_nodes<const N: usize>(
        &self,
        field: &'static str,
        elements: &[[u32; N]],
    ) -> Result<(), Error> {
        let n = self.vertices.len();
        Error::require_finite("vertices", self.vertices.as_flattened())?;
        if elements.is_empty() {
            return Err(Error::field(field, "is empty; give at least one"));
        }
        if n > MAX_NODES {
            let problem = format!("are {n}; a soft body has at most {MAX_NODES}");
            return Err(Error::field("vertices", problem));
        }
        let mut is_used = vec![false; n];
        for (at, element) in elements.iter().enumerate() {
            for (k, &node) in element.iter().enumerate() {
                let Some(used) = is_used.get_mut(node as usize) else {
                    let what = format!("but there are {n} vertices; count them from zero");
                    let problem = format!("has vertex {node} in entry {at}, {what}");
                    return Err(Error::field(field, problem));
                };
                *used = true;
                if element[..k].contains(&node) {
                    let problem = format!("repeats vertex {node} in entry {at}; leave it out");
                    return Err(Error::field(field, problem));
                }
            }
        }
        match is_used.iter().position(|used| !used) {
            None => Ok(()),
            Some(node) => {
                let problem = format!("have number {node}, which no entry of {field} uses");
                Err(Error::field("vertices", problem))
            }
        }
    }

    /// Sides of all triangles, equal ones beside each other.
    fn sides(&self) -> Vec<Side> {
        let mut keys: Vec<Key> = Vec::with_capacity(3 * self.triangles.len());
        for (at, triangle) in self.triangles.iter().enumerate() {
            for k in 0..3 {
                let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
                let key = u64::from(a.min(b)) << 32 | u64::from(a.max(b));
                keys.push((key, (3 * at + k) as u32));
            }
        }
        sort(&mut keys);
        let side = |&(key, at): &Key| Side {
            ends: [(key >> 32) as u32, key as u32],
            triangle: at / 3,
            side: at % 3,
        };
        keys.iter().map(side).collect()
    }

    /// An edge of one triangle only, if there is one.
    pub(super) fn open_edge(&self) -> Option<[u32; 2]> {
        let sides = self.sides();
        let mut groups = sides.chunk_by(|a, b| a.ends == b.ends);
        groups
            .find(|group| group.len() == 1)
            .map(|group| group[0].ends)
    }

    /// For each triangle its inner edges: ends as it runs through them, its own corner, that of the other triangle.
    pub(super) fn inner_edges(&self) -> Vec<Vec<Edge>> {
        let mut of = vec![Vec::new(); self.triangles.len()];
        let sides = self.sides();
        for group in sides.chunk_by(|a, b| a.ends == b.ends) {
            let [one, other] = group else { continue };
            for (own, beyond) in [(one, other), (other, one)] {
                let corner = |side: &Side, k: u32| {
                    self.triangles[side.triangle as usize][((side.side + k) % 3) as usize]
                };
                of[own.triangle as usize].push([
                    corner(own, 0),
                    corner(own, 1),
                    corner(own, 2),
                    corner(beyond, 2),
                ]);
            }
        }
        of
    }

    /// What the triangles enclose, with their inside to the left of their normals counted negative.
    pub(super) fn volume(&self) -> f64 {
        let origin = self.vertices.first().copied().unwrap_or_default();
        let parts = self.triangles.iter().map(|&triangle| {
            let [a, b, c] = self.corners(triangle).map(|x| sub(x, origin));
            dot(a, cross(b, c)) / 6.0
        });
        parts.sum()
    }

    /// A face of a tetrahedron, four of each, counter-clockwise as seen from outside.
    fn face(&self, at: u32) -> [u32; 3] {
        const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
        FACES[at as usize % 4].map(|k| self.tetrahedra[at as usize / 4][k])
    }

    /// Faces of all tetrahedra, equal ones beside each other.
    fn faces(&self) -> Vec<Key> {
        let mut keys: Vec<Key> = Vec::with_capacity(4 * self.tetrahedra.len());
        for at in 0..4 * self.tetrahedra.len() as u32 {
            let mut corners = self.face(at);
            ascend(&mut corners);
            let key = |sum, &node: &u32| sum << 20 | u64::from(node);
            keys.push((corners.iter().fold(0, key), at));
        }
        sort(&mut keys);
        keys
    }

    /// Faces of tetrahedra that belong to one only.
    pub(super) fn skin(&mut self) {
        let keys = self.faces();
        let groups = keys.chunk_by(|a, b| a.0 == b.0);
        let outer = groups.filter(|group| group.len() == 1);
        let outer = outer.map(|group| self.face(group[0].1)).collect();
        self.triangles = outer;
    }
}

/// Sorts a few nodes.
pub(super) fn ascend(nodes: &mut [u32]) {
    for k in 1..nodes.len() {
        let mut at = k;
        while at > 0 && nodes[at - 1] > nodes[at] {
            nodes.swap(at - 1, at);
            at -= 1;
        }
    }
}

fn longest(corners: &[Vec3]) -> f64 {
    let pairs = corners
        .iter()
        .flat_map(|a| corners.iter().map(move |b| norm(sub(*a, *b))));
    pairs.fold(0.0, f64::max)
}
