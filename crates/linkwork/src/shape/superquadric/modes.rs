//! Vibration modes of an elastic solid, orthogonal to what else moves it (Metaxas 1993, eq. 7 and 8: a global basis).
//!
//! ```text
//!     ½·∫ λ·(∇·d)² + 2μ·|sym ∇d|² dV − ½·ω²·∫ ρ·d² dV  stationary,      ∫ ρ·d·G dV = 0
//! ```
//!
//! over all polynomials d of degree four (Ritz; Visscher 1991). G are the motions of the frame and of the free
//! coordinates at birth. Without the second equation they and the modes would say the same twice, and M would be
//! singular. Integrals are sums over the material points, so that modes are orthogonal in M of the body itself.

use super::field::{DisplacementFields, count, monomials};
use crate::linalg::eigen::diagonalize;
use crate::math::Vec3;
use crate::shape::number::{Jet, Number};
use crate::shape::tolerances::NO_MASS;

/// Of the polynomials.
const DEGREE: usize = 4;
const N_TERMS: usize = count(DEGREE);
const N: usize = 3 * N_TERMS;

/// A material point at birth: where, its mass, its volume, and how else it moves: rows of L, axis by axis.
pub(super) struct Point {
    pub(super) x: Vec3,
    pub(super) mass: f64,
    pub(super) volume: f64,
    pub(super) rows: Vec<f64>,
}

/// Modes, slowest first, with their ω². A mode of size one moves matter by `length` on average.
pub(super) fn modes(
    points: &[Point],
    lame: [f64; 2],
    n: usize,
    length: f64,
) -> (DisplacementFields, Vec<f64>) {
    let (mut mass, mut stiffness) = integrals(points, lame, length);
    // T with Tᵀ·M·T = 1.
    let mut turned = vec![0.0; N * N];
    diagonalize(N, &mut mass, &mut turned);
    let largest = (0..N).map(|k| mass[k * (N + 1)]).fold(0.0, f64::max);
    let kept: Vec<usize> = (0..N)
        .filter(|k| mass[k * (N + 1)] > NO_MASS * largest)
        .collect();
    let rank = kept.len();
    let mut basis = vec![0.0; rank * N];
    for (row, &k) in basis.chunks_exact_mut(N).zip(&kept) {
        let size = 1.0 / mass[k * (N + 1)].sqrt();
        for (out, own) in row.iter_mut().zip(&turned[k * N..]) {
            *out = own * size;
        }
    }
    let others = orthonormal(&momenta(points, length), &basis, rank);
    stiffness = congruent(&basis, &stiffness, rank);
    let most: f64 = (0..rank).map(|k| stiffness[k * (rank + 1)]).sum();
    deflate(&mut stiffness, &others, rank, most);
    let mut vectors = vec![0.0; rank * rank];
    diagonalize(rank, &mut stiffness, &mut vectors);
    let value = |k: &usize| stiffness[k * (rank + 1)];
    let mut order: Vec<usize> = Vec::with_capacity(n);
    for _ in 0..n.min(rank - others.len() / rank.max(1)) {
        let rest = (0..rank).filter(|k| !order.contains(k));
        let slowest = rest.min_by(|a, b| value(a).total_cmp(&value(b)));
        order.extend(slowest);
    }
    let total: f64 = points.iter().map(|point| point.mass).sum();
    let size = length * total.sqrt();
    let mut terms = Vec::with_capacity(order.len() * N_TERMS);
    for &k in &order {
        for term in 0..N_TERMS {
            terms.push([0, 1, 2].map(|axis: usize| {
                let vector = vectors[k * rank..(k + 1) * rank].iter();
                let column = basis.iter().skip(3 * term + axis).step_by(N);
                size * vector.zip(column).map(|(a, b)| a * b).sum::<f64>()
            }));
        }
    }
    let squares = order.iter().map(value).collect();
    (DisplacementFields::new(DEGREE, length, terms), squares)
}

/// Masses and stiffnesses of all polynomials, by term and axis.
fn integrals(points: &[Point], [lambda, mu]: [f64; 2], length: f64) -> (Vec<f64>, Vec<f64>) {
    let (mut mass, mut stiffness) = (vec![0.0; N * N], vec![0.0; N * N]);
    let mut terms = [Jet::<3>::constant(0.0); N_TERMS];
    for point in points {
        let x = std::array::from_fn(|k| Jet::variable(point.x[k], k) * (1.0 / length));
        monomials(DEGREE, x, &mut terms);
        for (a, first) in terms.iter().enumerate() {
            for (b, second) in terms.iter().enumerate() {
                let (f, g) = (first.d, second.d);
                let along = point.volume * mu * (f[0] * g[0] + f[1] * g[1] + f[2] * g[2]);
                for i in 0..3 {
                    let at = (3 * a + i) * N + 3 * b;
                    mass[at + i] += point.mass * first.v * second.v;
                    stiffness[at + i] += along;
                    for j in 0..3 {
                        let own = lambda * f[i] * g[j] + mu * f[j] * g[i];
                        stiffness[at + j] += point.volume * own;
                    }
                }
            }
        }
    }
    (mass, stiffness)
}

/// `∫ ρ·G·d` of each other motion and each polynomial.
fn momenta(points: &[Point], length: f64) -> Vec<f64> {
    let n = points.first().map_or(0, |point| point.rows.len() / 3);
    let mut out = vec![0.0; n * N];
    let mut terms = [0.0; N_TERMS];
    for point in points {
        monomials(DEGREE, point.x.map(|x| x / length), &mut terms);
        for (axis, row) in point.rows.chunks_exact(n).enumerate() {
            for (out, l) in out.chunks_exact_mut(N).zip(row) {
                for (term, value) in terms.iter().enumerate() {
                    out[3 * term + axis] += point.mass * l * value;
                }
            }
        }
    }
    out
}

/// The rows over the basis, made orthonormal; those that depend on others are left out.
fn orthonormal(rows: &[f64], basis: &[f64], rank: usize) -> Vec<f64> {
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let mut out: Vec<f64> = Vec::new();
    for row in rows.chunks_exact(N) {
        let mut own: Vec<f64> = basis.chunks_exact(N).map(|b| dot(row, b)).collect();
        let before = dot(&own, &own);
        for _ in 0..2 {
            for other in out.chunks_exact(rank) {
                let along = dot(&own, other);
                own.iter_mut().zip(other).for_each(|(x, o)| *x -= along * o);
            }
        }
        let size = dot(&own, &own);
        if size > NO_MASS * before {
            out.extend(own.iter().map(|x| x / size.sqrt()));
        }
    }
    out
}

/// `Tᵀ·A·T` of rows T.
fn congruent(basis: &[f64], a: &[f64], rank: usize) -> Vec<f64> {
    let mut out = vec![0.0; rank * rank];
    let mut product = vec![0.0; N];
    for (i, row) in basis.chunks_exact(N).enumerate() {
        product.fill(0.0);
        for (x, a) in row.iter().zip(a.chunks_exact(N)) {
            product.iter_mut().zip(a).for_each(|(p, a)| *p += x * a);
        }
        for (j, other) in basis.chunks_exact(N).enumerate().take(i + 1) {
            let sum: f64 = product.iter().zip(other).map(|(p, o)| p * o).sum();
            (out[i * rank + j], out[j * rank + i]) = (sum, sum);
        }
    }
    out
}

/// `P·A·P + most·(1 − P)`, P across the given rows: what is along them is moved to the end of the list.
fn deflate(a: &mut [f64], rows: &[f64], rank: usize, most: f64) {
    for row in rows.chunks_exact(rank) {
        let along: Vec<f64> = a
            .chunks_exact(rank)
            .map(|a| a.iter().zip(row).map(|(a, r)| a * r).sum())
            .collect();
        let both: f64 = along.iter().zip(row).map(|(a, r)| a * r).sum();
        for i in 0..rank {
            for j in 0..rank {
                a[i * rank + j] +=
                    (both + most) * row[i] * row[j] - row[i] * along[j] - along[i] * row[j];
            }
        }
    }
}
