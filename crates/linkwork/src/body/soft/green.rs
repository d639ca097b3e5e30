//! Green strains of triangles and tetrahedra (Metaxas 1993, eq. 7 and 8, with linear elements).
//!
//! With gradients `b` of the weights of an element's nodes along its own material axes a, the axes become
//! `f_a = Σ_k b_ka·x_k`, and the Green strain is `E_ab = ½·(f_a·f_b − δ_ab)`. It is split into forms C that are
//! orthonormal as matrices, the shearing ones and the trace, so that each has one stiffness and their squares sum up to
//! the energy:
//!
//! ```text
//!     s = Σ C_ab·E_ab      ∂s/∂x_k = Σ C_ab·b_ka·f_b      γ = Σ C_ab·ḟ_a·ḟ_b
//! ```

use super::At;
use crate::body::Strain;
use crate::math::{Mat3, Vec3, add, cross, dot, scale, sub};

const HALF_ROOT: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// 1/√6.
const SIXTH_ROOT: f64 = 0.408_248_290_463_863;

/// Forms of a triangle: two shears and the trace.
pub(super) const PLANE: [Mat3; 3] = [
    [[HALF_ROOT, 0.0, 0.0], [0.0, -HALF_ROOT, 0.0], [0.0; 3]],
    [[0.0, HALF_ROOT, 0.0], [HALF_ROOT, 0.0, 0.0], [0.0; 3]],
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0; 3]],
];

/// Forms of a tetrahedron: five shears. Its volume is a strain of its own.
pub(super) const SPACE: [Mat3; 5] = [
    [[0.0, HALF_ROOT, 0.0], [HALF_ROOT, 0.0, 0.0], [0.0; 3]],
    [[0.0, 0.0, HALF_ROOT], [0.0; 3], [HALF_ROOT, 0.0, 0.0]],
    [[0.0; 3], [0.0, 0.0, HALF_ROOT], [0.0, HALF_ROOT, 0.0]],
    [[HALF_ROOT, 0.0, 0.0], [0.0, -HALF_ROOT, 0.0], [0.0; 3]],
    [
        [SIXTH_ROOT, 0.0, 0.0],
        [0.0, SIXTH_ROOT, 0.0],
        [0.0, 0.0, -2.0 * SIXTH_ROOT],
    ],
];

/// A triangle or a tetrahedron with constant strain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    /// Ascending; a triangle has three.
    pub(super) nodes: [u32; 4],
    pub(super) n: usize,
    /// Gradients of the nodes' weights, along the material axes.
    pub(super) b: [Vec3; 4],
    /// Area or volume.
    pub(super) content: f64,
}

/// The material axes of an element as they are now, and their rates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axes {
    f: [Vec3; 3],
    rate: [Vec3; 3],
}

impl Element {
    /// A triangle with corners in ascending order. Its first axis is along its first edge.
    pub(super) fn triangle(nodes: [u32; 3], at: [Vec3; 3]) -> Self {
        let (d, e) = (sub(at[1], at[0]), sub(at[2], at[0]));
        let long = dot(d, d).sqrt();
        let along = dot(d, e) / long;
        let height = (dot(e, e) - along * along).max(0.0).sqrt();
        // Corners in the plane: (0, 0), (long, 0), (along, height).
        let second = [1.0 / long, -along / (long * height), 0.0];
        let third = [0.0, 1.0 / height, 0.0];
        Self {
            nodes: [nodes[0], nodes[1], nodes[2], 0],
            n: 3,
            b: [scale(-1.0, add(second, third)), second, third, [0.0; 3]],
            content: 0.5 * long * height,
        }
    }

    /// A tetrahedron with corners in ascending order, along the axes of birth.
    pub(super) fn tetrahedron(nodes: [u32; 4], at: [Vec3; 4]) -> Self {
        let [d, e, f] = [1, 2, 3].map(|k: usize| sub(at[k], at[0]));
        let six = dot(d, cross(e, f));
        let [second, third, fourth] =
            [cross(e, f), cross(f, d), cross(d, e)].map(|c| scale(1.0 / six, c));
        let first = scale(-1.0, add(second, add(third, fourth)));
        Self {
            nodes,
            n: 4,
            b: [first, second, third, fourth],
            content: six.abs() / 6.0,
        }
    }

    pub(super) fn nodes(&self) -> &[u32] {
        &self.nodes[..self.n]
    }

    pub(super) fn axes(&self, at: At<'_>) -> Axes {
        let mut axes = Axes {
            f: [[0.0; 3]; 3],
            rate: [[0.0; 3]; 3],
        };
        for (&node, b) in self.nodes().iter().zip(&self.b) {
            let (x, v) = (at.place(node), at.velocity(node));
            for (a, b) in b.iter().enumerate().take(self.n - 1) {
                axes.f[a] = add(axes.f[a], scale(*b, x));
                axes.rate[a] = add(axes.rate[a], scale(*b, v));
            }
        }
        axes
    }

    /// A form of its Green strain.
    pub(super) fn value(&self, axes: &Axes, form: &Mat3) -> f64 {
        let f = &axes.f;
        let mut value = 0.0;
        for a in 0..self.n - 1 {
            for (b, c) in form[a].iter().enumerate() {
                if *c != 0.0 {
                    let unit = if a == b { 1.0 } else { 0.0 };
                    value += 0.5 * c * (dot(f[a], f[b]) - unit);
                }
            }
        }
        value
    }

    /// `det F − 1`.
    pub(super) fn volume_value(&self, axes: &Axes) -> f64 {
        let [f, g, h] = axes.f;
        dot(f, cross(g, h)) - 1.0
    }

    /// A form of its Green strain; its gradient over the nodes' coordinates into `S`.
    #[allow(non_snake_case)]
    pub(super) fn green(&self, axes: &Axes, form: &Mat3, S: &mut [f64]) -> Strain {
        let Axes { f, rate } = axes;
        let mut strain = Strain::default();
        let mut turned = [[0.0; 3]; 3];
        for a in 0..self.n - 1 {
            for (b, c) in form[a].iter().enumerate() {
                if *c == 0.0 {
                    continue;
                }
                let unit = if a == b { 1.0 } else { 0.0 };
                turned[a] = add(turned[a], scale(*c, f[b]));
                strain.value += 0.5 * c * (dot(f[a], f[b]) - unit);
                strain.rate += c * dot(rate[a], f[b]);
                strain.gamma += c * dot(rate[a], rate[b]);
            }
        }
        self.spread(&turned, S);
        strain
    }

    /// The same with its gradient.
    #[allow(non_snake_case)]
    pub(super) fn volume(&self, axes: &Axes, S: &mut [f64]) -> Strain {
        let Axes {
            f: [f, g, h],
            rate: [u, v, w],
        } = *axes;
        let cofactor = [cross(g, h), cross(h, f), cross(f, g)];
        self.spread(&cofactor, S);
        let twice = dot(u, cross(v, h)) + dot(u, cross(g, w)) + dot(f, cross(v, w));
        Strain {
            value: dot(f, cofactor[0]) - 1.0,
            rate: dot(u, cofactor[0]) + dot(v, cofactor[1]) + dot(w, cofactor[2]),
            gamma: 2.0 * twice,
            ..Strain::default()
        }
    }

    /// From derivatives by axes to derivatives by nodes.
    #[allow(non_snake_case)]
    fn spread(&self, by_axis: &[Vec3; 3], S: &mut [f64]) {
        for (b, own) in self.b[..self.n].iter().zip(S.chunks_exact_mut(3)) {
            let mut sum = [0.0; 3];
            for a in 0..self.n - 1 {
                sum = add(sum, scale(b[a], by_axis[a]));
            }
            own.copy_from_slice(&sum);
        }
    }
}
