//! Bending of a shell, from the angles between its triangles.
//!
//! Each triangle has a curvature from the angles θ at its edges, l the edge's length, m its normal in the triangle's
//! plane, A the area, all at birth:
//!
//! ```text
//!     Λ = Σ (θ − θ₀)·l/(2·A)·m⊗m
//! ```
//!
//! Times t/√12 its forms are strains with the stiffness of the membrane. Unlike one spring for each edge this is the
//! bending of a plate, whatever the pattern of the triangles.

use super::At;
use super::green::PLANE;
use super::mesh::ascend;
use crate::body::Strain;
use crate::math::{Vec3, add, cross, dot, norm, scale, sub};

/// An edge between two triangles: its ends, and the corners across it.
pub(super) type Edge = [u32; 4];

/// An angle between two triangles, as it moves.
#[derive(Clone, Copy, Debug, Default)]
struct Angle {
    value: f64,
    rate: f64,
    gamma: f64,
    gradient: [Vec3; 4],
}

/// The bending of a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bending {
    /// Its own nodes and those across its edges, ascending.
    nodes: [u32; 6],
    n: usize,
    pub(super) area: f64,
    sides: [Side; 3],
    n_sides: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Side {
    edge: Edge,
    /// Where the nodes of the edge are among those of the bending.
    places: [u8; 4],
    rest: f64,
    /// `t/√12·l/(2·A)·m·C·m`.
    weights: [f64; 3],
}

impl Bending {
    /// Of a triangle with its inner edges: their ends in turn around it, in space and as they are shared.
    pub(super) fn new(
        triangle: [u32; 3],
        edges: &[Edge],
        thickness: f64,
        born: &[Vec3],
    ) -> Option<Self> {
        let mut all: Vec<u32> = edges.iter().flatten().copied().collect();
        ascend(&mut all);
        all.dedup();
        let mut nodes = [0; 6];
        nodes[..all.len()].copy_from_slice(&all);
        let corner = |node: u32| born[node as usize];
        let [a, b, c] = triangle.map(corner);
        let normal = cross(sub(b, a), sub(c, a));
        let area = 0.5 * norm(normal);
        let first = scale(1.0 / norm(sub(b, a)), sub(b, a));
        let second = scale(0.5 / area, cross(normal, first));
        let mut sides = [Side::default(); 3];
        for (side, &edge) in sides.iter_mut().zip(edges) {
            let along = sub(corner(edge[1]), corner(edge[0]));
            let length = norm(along);
            let m = [dot(along, second) / length, -dot(along, first) / length];
            let factor = thickness / 12.0f64.sqrt() * length / (2.0 * area);
            *side = Side {
                edge,
                places: edge.map(|node| all.partition_point(|&own| own < node) as u8),
                rest: Angle::value(edge, At::still(born.as_flattened())),
                weights: PLANE.map(|form| {
                    let turned = [0, 1].map(|k: usize| form[k][0] * m[0] + form[k][1] * m[1]);
                    factor * (m[0] * turned[0] + m[1] * turned[1])
                }),
            };
        }
        (!edges.is_empty()).then_some(Self {
            nodes,
            n: all.len(),
            area,
            sides,
            n_sides: edges.len(),
        })
    }

    pub(super) fn nodes(&self) -> &[u32] {
        &self.nodes[..self.n]
    }

    /// Its strains alone.
    pub(super) fn values(&self, at: At<'_>) -> [f64; 3] {
        let mut values = [0.0; 3];
        for side in &self.sides[..self.n_sides] {
            let angle = Angle::value(side.edge, at);
            for (value, weight) in values.iter_mut().zip(side.weights) {
                *value += weight * (angle - side.rest);
            }
        }
        values
    }

    /// Its strains; the gradient of each over the nodes' coordinates into a row of `S`.
    #[allow(non_snake_case)]
    pub(super) fn eval(&self, at: At<'_>, S: &mut [[f64; 18]; 3]) -> [Strain; 3] {
        let mut strains = [Strain::default(); 3];
        for side in &self.sides[..self.n_sides] {
            let angle = Angle::of(side.edge, at);
            for ((strain, S), weight) in strains.iter_mut().zip(&mut *S).zip(side.weights) {
                strain.value += weight * (angle.value - side.rest);
                strain.rate += weight * angle.rate;
                strain.gamma += weight * angle.gamma;
                for (&place, gradient) in side.places.iter().zip(&angle.gradient) {
                    for (k, g) in gradient.iter().enumerate() {
                        S[3 * place as usize + k] += weight * g;
                    }
                }
            }
        }
        strains
    }
}

impl Angle {
    /// `θ = atan2(−l·(e × a)·b, (e × a)·(b × e))` with e along the edge, a and b to the corners across it.
    fn value(edge: Edge, at: At<'_>) -> f64 {
        let [o, p, q, r] = edge.map(|node| at.place(node));
        let (e, a, b) = (sub(p, o), sub(q, o), sub(r, o));
        let left = cross(e, a);
        libm::atan2(-norm(e) * dot(left, b), dot(left, cross(b, e)))
    }

    /// With its gradient; at rest without its rates.
    fn of(edge: Edge, at: At<'_>) -> Self {
        let [o, p, q, r] = edge.map(|node| at.place(node));
        let (e, a, b) = (sub(p, o), sub(q, o), sub(r, o));
        let (left, right) = (cross(e, a), cross(b, e));
        let l = norm(e);
        let across = scale(-l / dot(left, left), left);
        let beyond = scale(-l / dot(right, right), right);
        let share = |to: Vec3, by: Vec3| scale(-dot(to, e) / (l * l), by);
        let end = add(share(a, across), share(b, beyond));
        let start = scale(-1.0, add(end, add(across, beyond)));
        let (rate, gamma) = match at.v.is_empty() {
            true => (0.0, 0.0),
            false => Self::rates(edge, at),
        };
        Self {
            value: libm::atan2(-l * dot(left, b), dot(left, right)),
            rate,
            gamma,
            gradient: [start, end, across, beyond],
        }
    }

    /// Its two rates.
    fn rates(edge: Edge, at: At<'_>) -> (f64, f64) {
        let [o, p, q, r] = edge.map(|node| at.place(node));
        let [o_v, p_v, q_v, r_v] = edge.map(|node| at.velocity(node));
        let (e, a, b) = (sub(p, o), sub(q, o), sub(r, o));
        let (e_v, a_v, b_v) = (sub(p_v, o_v), sub(q_v, o_v), sub(r_v, o_v));
        let (left, right) = (cross(e, a), cross(b, e));
        let left_v = add(cross(e_v, a), cross(e, a_v));
        let right_v = add(cross(b_v, e), cross(b, e_v));
        let (left_vv, right_vv) = (scale(2.0, cross(e_v, a_v)), scale(2.0, cross(b_v, e_v)));
        // l, (e × a)·b and the cosine, each with its two rates.
        let l = norm(e);
        let l_v = dot(e, e_v) / l;
        let l_vv = (dot(e_v, e_v) - l_v * l_v) / l;
        let t = dot(left, b);
        let t_v = dot(left_v, b) + dot(left, b_v);
        let t_vv = dot(left_vv, b) + 2.0 * dot(left_v, b_v);
        let cos = dot(left, right);
        let cos_v = dot(left_v, right) + dot(left, right_v);
        let cos_vv = dot(left_vv, right) + 2.0 * dot(left_v, right_v) + dot(left, right_vv);
        let sin = -l * t;
        let sin_v = -(l_v * t + l * t_v);
        let sin_vv = -(l_vv * t + 2.0 * l_v * t_v + l * t_vv);
        let square = 1.0 / (sin * sin + cos * cos);
        let rate = (cos * sin_v - sin * cos_v) * square;
        let turning = 2.0 * (sin * sin_v + cos * cos_v) * rate;
        (rate, (cos * sin_vv - sin * cos_vv - turning) * square)
    }
}
