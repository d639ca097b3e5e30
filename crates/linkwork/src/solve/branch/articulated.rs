//! Articulated inertia: the inertia of a rigid body with everything that hangs on it.
//!
//! ```text
//!     wrench = Φ·twist,   Φ = [ A   B ]   twist = (velocity of a point, ω)
//!                             [ Bᵀ  C ]
//! ```

use crate::math::{
    Mat3, Sym3, Vec3, add, ascending, column, cross, dot, mat_t_vec, mat_vec, scale, sub,
    sym_eigen, sym_inverse, sym_vec,
};
use crate::solve::tolerances::THIN;

/// A symmetric 6 × 6 matrix over twists at a point.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solve) struct Articulated {
    pub(in crate::solve) a: Sym3,
    pub(in crate::solve) b: Mat3,
    pub(in crate::solve) c: Sym3,
}

impl Articulated {
    /// A rigid body's own inertia, over twists at a point `lever` away from its center of mass.
    #[inline(always)]
    pub(in crate::solve) fn rigid(mass: f64, inertia_world: &Sym3, lever: Vec3) -> Self {
        // The center of mass is at −lever from the point: B = m·[lever]×, C = I − m·[lever]×².
        let m = scale(mass, lever);
        let d = dot(m, lever);
        let i = inertia_world;
        Self {
            a: [mass, mass, mass, 0.0, 0.0, 0.0],
            b: [[0.0, -m[2], m[1]], [m[2], 0.0, -m[0]], [-m[1], m[0], 0.0]],
            c: [
                i[0] + d - m[0] * lever[0],
                i[1] + d - m[1] * lever[1],
                i[2] + d - m[2] * lever[2],
                i[3] - m[0] * lever[1],
                i[4] - m[0] * lever[2],
                i[5] - m[1] * lever[2],
            ],
        }
    }

    #[inline(always)]
    pub(in crate::solve) fn add(&mut self, other: &Self) {
        for k in 0..6 {
            self.a[k] += other.a[k];
            self.c[k] += other.c[k];
        }
        for i in 0..3 {
            for j in 0..3 {
                self.b[i][j] += other.b[i][j];
            }
        }
    }

    /// The same inertia over twists at a point from which the present one is `r` away.
    ///
    /// A′ = A,  B′ = B − A·[r]×,  C′ = C + [r]×·B′ + ([r]×·B)ᵀ.
    #[inline(always)]
    pub(in crate::solve) fn shifted(&self, r: Vec3) -> Self {
        let a = &self.a;
        let rows = [[a[0], a[3], a[4]], [a[3], a[1], a[5]], [a[4], a[5], a[2]]];
        let b = [
            add(self.b[0], cross(r, rows[0])),
            add(self.b[1], cross(r, rows[1])),
            add(self.b[2], cross(r, rows[2])),
        ];
        // ([r]×·B)_{ij} = (r × column j of B)_i.
        let turn = |m: &Mat3| -> Mat3 {
            [
                [
                    r[1] * m[2][0] - r[2] * m[1][0],
                    r[1] * m[2][1] - r[2] * m[1][1],
                    r[1] * m[2][2] - r[2] * m[1][2],
                ],
                [
                    r[2] * m[0][0] - r[0] * m[2][0],
                    r[2] * m[0][1] - r[0] * m[2][1],
                    r[2] * m[0][2] - r[0] * m[2][2],
                ],
                [
                    r[0] * m[1][0] - r[1] * m[0][0],
                    r[0] * m[1][1] - r[1] * m[0][1],
                    r[0] * m[1][2] - r[1] * m[0][2],
                ],
            ]
        };
        let (new, old) = (turn(&b), turn(&self.b));
        Self {
            a: self.a,
            b,
            c: [
                self.c[0] + new[0][0] + old[0][0],
                self.c[1] + new[1][1] + old[1][1],
                self.c[2] + new[2][2] + old[2][2],
                self.c[3] + new[0][1] + old[1][0],
                self.c[4] + new[0][2] + old[2][0],
                self.c[5] + new[1][2] + old[2][1],
            ],
        }
    }

    /// A pure translational inertia `K` at a point, over twists at a point from which it is `r` away.
    #[inline(always)]
    pub(in crate::solve) fn from_point(k: &Sym3, r: Vec3) -> Self {
        let b = [
            cross(r, [k[0], k[3], k[4]]),
            cross(r, [k[3], k[1], k[5]]),
            cross(r, [k[4], k[5], k[2]]),
        ];
        Self {
            a: *k,
            b,
            c: [
                r[1] * b[2][0] - r[2] * b[1][0],
                r[2] * b[0][1] - r[0] * b[2][1],
                r[0] * b[1][2] - r[1] * b[0][2],
                r[1] * b[2][1] - r[2] * b[1][1],
                r[1] * b[2][2] - r[2] * b[1][2],
                r[2] * b[0][2] - r[0] * b[2][2],
            ],
        }
    }

    /// `Φ·(v, ω)`.
    #[inline(always)]
    pub(in crate::solve) fn apply(&self, v: Vec3, omega: Vec3) -> (Vec3, Vec3) {
        (
            add(sym_vec(&self.a, v), mat_vec(&self.b, omega)),
            add(mat_t_vec(&self.b, v), sym_vec(&self.c, omega)),
        )
    }

    /// `Φ ← Φ − h·hᵀ/d` for `h = (f, n)`.
    #[inline(always)]
    pub(in crate::solve) fn subtract_rank_one(&mut self, f: Vec3, n: Vec3, inv_d: f64) {
        let (g, o) = (scale(inv_d, f), scale(inv_d, n));
        for (k, (i, j)) in [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]
            .into_iter()
            .enumerate()
        {
            self.a[k] -= f[i] * g[j];
            self.c[k] -= n[i] * o[j];
        }
        for i in 0..3 {
            for j in 0..3 {
                self.b[i][j] -= g[i] * n[j];
            }
        }
    }

    /// What is left of it where the body may turn freely: `K = A − B·C⁻¹·Bᵀ`, `C⁻¹` and `E = B·C⁻¹`.
    #[inline(always)]
    pub(in crate::solve) fn free_turning(&self) -> (Sym3, Sym3, Mat3) {
        let (a, b) = (&self.a, &self.b);
        let c_inv = sym_inverse(&self.c);
        let trace = |c: &Sym3| c[0] + c[1] + c[2];
        if trace(&self.c) * trace(&c_inv) > THIN {
            return self.free_axes();
        }
        let e = [
            sym_vec(&c_inv, b[0]),
            sym_vec(&c_inv, b[1]),
            sym_vec(&c_inv, b[2]),
        ];
        let k = [
            a[0] - dot(e[0], b[0]),
            a[1] - dot(e[1], b[1]),
            a[2] - dot(e[2], b[2]),
            a[3] - dot(e[0], b[1]),
            a[4] - dot(e[0], b[2]),
            a[5] - dot(e[1], b[2]),
        ];
        (k, c_inv, e)
    }

    /// The same axis by axis, the largest moment first. A thin link that carries a heavy load has a moment about its
    /// own axis that is round-off of the others; through the adjugate it would take the digits of `K` that are left
    /// where the load turns freely. With `zᵢ` the axes, each made `C`-orthogonal to those before, and `dᵢ = zᵢᵀ·C·zᵢ`:
    ///
    /// ```text
    ///     C⁻¹ = Σ zᵢ·zᵢᵀ/dᵢ      E = Σ B·zᵢ·zᵢᵀ/dᵢ      K = A − Σ B·zᵢ·(B·zᵢ)ᵀ/dᵢ
    /// ```
    #[cold]
    fn free_axes(&self) -> (Sym3, Sym3, Mat3) {
        let (moments, axes) = sym_eigen(&self.c);
        let [low, middle, high] = ascending(&moments);
        let (mut left, mut c_inv, mut e) = (*self, [0.0; 6], [[0.0; 3]; 3]);
        // The torques `C·zᵢ` of the axes before, and `zᵢ/dᵢ`.
        let mut before = [([0.0; 3], [0.0; 3]); 3];
        for (n, axis) in [high, middle, low].into_iter().enumerate() {
            let s = column(&axes, axis);
            let (force, torque) = left.apply([0.0; 3], s);
            let inv_d = 1.0 / dot(s, torque);
            let mut z = s;
            for (torque, z_by_d) in &before[..n] {
                z = sub(z, scale(dot(*torque, s), *z_by_d));
            }
            let z_by_d = scale(inv_d, z);
            before[n] = (torque, z_by_d);
            left.subtract_rank_one(force, torque, inv_d);
            for (k, (i, j)) in [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]
                .into_iter()
                .enumerate()
            {
                c_inv[k] += z[i] * z_by_d[j];
            }
            for (e, force) in e.iter_mut().zip(force) {
                *e = add(*e, scale(force, z_by_d));
            }
        }
        (left.a, c_inv, e)
    }

    /// The full matrix, row-major.
    pub(in crate::solve) fn expand(&self, out: &mut [f64]) {
        let full = |s: &Sym3| [[s[0], s[3], s[4]], [s[3], s[1], s[5]], [s[4], s[5], s[2]]];
        let (a, c) = (full(&self.a), full(&self.c));
        for i in 0..3 {
            for j in 0..3 {
                out[i * 6 + j] = a[i][j];
                out[i * 6 + 3 + j] = self.b[i][j];
                out[(3 + j) * 6 + i] = self.b[i][j];
                out[(3 + i) * 6 + 3 + j] = c[i][j];
            }
        }
    }

    /// From a full symmetric matrix, row-major.
    pub(in crate::solve) fn from_full(m: &[f64]) -> Self {
        let mut out = Self::default();
        for (k, (i, j)) in [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]
            .into_iter()
            .enumerate()
        {
            out.a[k] = m[i * 6 + j];
            out.c[k] = m[(3 + i) * 6 + 3 + j];
        }
        for i in 0..3 {
            for j in 0..3 {
                out.b[i][j] = m[i * 6 + 3 + j];
            }
        }
        out
    }
}
