//! Material points of a soft body: weights of the nodes of a triangle or tetrahedron.

use super::SoftBody;
use super::mesh::Mesh;
use crate::body::tolerances::INSIDE;
use crate::math::{Vec3, add, cross, dot, norm, scale, sub};

/// A material point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    /// Ascending; a triangle has three.
    pub(super) nodes: [u32; 4],
    pub(super) weights: [f64; 4],
    pub(super) n: usize,
    /// How far it is from what was asked for, meters.
    pub(super) distance: f64,
}

impl Place {
    /// With nodes in ascending order.
    fn new<const N: usize>(nodes: [u32; N], weights: [f64; N], distance: f64) -> Self {
        let mut place = Self {
            nodes: [0; 4],
            weights: [0.0; 4],
            n: N,
            distance,
        };
        for (node, weight) in nodes.into_iter().zip(weights) {
            let at = nodes.iter().filter(|&&other| other < node).count();
            (place.nodes[at], place.weights[at]) = (node, weight);
        }
        place
    }

    pub(super) fn nodes(&self) -> &[u32] {
        &self.nodes[..self.n]
    }

    /// `Σ w·x` of points that nodes have.
    pub(super) fn mix(&self, mut of: impl FnMut(u32) -> Vec3) -> Vec3 {
        let mut sum = [0.0; 3];
        for (&node, weight) in self.nodes().iter().zip(self.weights) {
            sum = add(sum, scale(weight, of(node)));
        }
        sum
    }
}

impl SoftBody {
    /// The matter nearest to a point, where nodes are so.
    pub(super) fn nearest(&self, p: Vec3, x: impl Fn(u32) -> Vec3) -> Place {
        let Mesh {
            triangles,
            tetrahedra,
            ..
        } = &self.mesh;
        for &nodes in tetrahedra {
            let weights = weights_in(nodes.map(&x), p);
            if weights.iter().all(|&w| w >= INSIDE) {
                return Place::new(nodes, weights, 0.0);
            }
        }
        let mut best = Place::new([0, 1, 2], [1.0, 0.0, 0.0], f64::INFINITY);
        for &nodes in triangles {
            let corners = nodes.map(&x);
            // The first corner is no nearer than that.
            let reach = norm(sub(corners[1], corners[0])).max(norm(sub(corners[2], corners[0])));
            if norm(sub(corners[0], p)) - reach >= best.distance {
                continue;
            }
            let (weights, distance) = nearest_in(corners, p);
            if distance < best.distance {
                best = Place::new(nodes, weights, distance);
            }
        }
        best
    }
}

/// Weights of the corners of a tetrahedron that make a point.
fn weights_in([a, b, c, d]: [Vec3; 4], p: Vec3) -> [f64; 4] {
    let (e, f, g, p) = (sub(b, a), sub(c, a), sub(d, a), sub(p, a));
    let six = dot(e, cross(f, g));
    let [second, third, fourth] =
        [cross(f, g), cross(g, e), cross(e, f)].map(|normal| dot(normal, p) / six);
    [1.0 - second - third - fourth, second, third, fourth]
}

/// Weights of the point of a triangle that is nearest to another, and how far it is.
fn nearest_in([a, b, c]: [Vec3; 3], p: Vec3) -> ([f64; 3], f64) {
    let (e, f, g) = (sub(b, a), sub(c, a), sub(p, a));
    let (ee, ef, ff) = (dot(e, e), dot(e, f), dot(f, f));
    let (eg, fg) = (dot(e, g), dot(f, g));
    let square = ee * ff - ef * ef;
    let (second, third) = ((ff * eg - ef * fg) / square, (ee * fg - ef * eg) / square);
    let mut weights = [1.0 - second - third, second, third];
    if weights.iter().any(|&w| w < 0.0) || !square.is_normal() {
        // On an edge then.
        let corners = [a, b, c];
        let mut least = f64::INFINITY;
        for k in 0..3 {
            let (from, to) = (corners[k], corners[(k + 1) % 3]);
            let along = sub(to, from);
            let part = (dot(sub(p, from), along) / dot(along, along)).clamp(0.0, 1.0);
            let distance = norm(sub(p, add(from, scale(part, along))));
            if distance < least {
                least = distance;
                weights = [0.0; 3];
                (weights[k], weights[(k + 1) % 3]) = (1.0 - part, part);
            }
        }
        return (weights, least);
    }
    let at = add(a, add(scale(weights[1], e), scale(weights[2], f)));
    (weights, norm(sub(p, at)))
}
