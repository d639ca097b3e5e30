//! Material points of a superquadric whose exponents are held: five levels, four points each.
//!
//! Whatever deforms a point (ξ, η, ζ) of the primitive is linear in ξ and η. So mass, momenta and energies need no more of a
//! level ζ than its area and its second moments, which four points have. With `C² = (1 − |ζ|^(2/ε₁))^ε₁`:
//!
//! ```text
//!     area     A₀·C²·dζ     A₀ = ε₂·B(ε₂/2, ε₂/2)            ∫ ζ²ᵏ·C² dζ = ε₁·B((2k + 1)·ε₁/2, ε₁ + 1)
//!     ∫∫ ξ²    B₀·C⁴·dζ     B₀ = ½·ε₂·B(3ε₂/2, ε₂/2)         ∫ ζ²ᵏ·C⁴ dζ = ε₁·B((2k + 1)·ε₁/2, 2ε₁ + 1)
//! ```
//!
//! Levels and their areas are Gauss' quadrature of C², exact up to ζ⁹. Second moments are shared out so that they are exact
//! up to ζ⁵ as well: then so are those of a solid that is born tapered and sheared. All shares are positive for exponents
//! between 0.1 and 1.9.

use super::deform::parameters;
use super::moments::beta;

/// Points of the primitive, (r, u, v), and the volume that each stands for.
pub(super) fn points(e: [f64; 2]) -> Vec<([f64; 3], f64)> {
    let moments = |power: f64| -> [f64; 5] {
        let along = |k: usize| 0.5 * e[0] * (2 * k + 1) as f64;
        std::array::from_fn(|k| e[0] * beta(along(k), power * e[0] + 1.0))
    };
    let (areas, seconds) = (moments(1.0), moments(2.0));
    // s = ζ² of the outer levels: the roots of s² + a·s + b, which is orthogonal to 1 and s with the weight ζ²·C².
    let [_, m1, m2, m3, m4] = areas;
    let det = m2 * m2 - m1 * m3;
    let (a, b) = ((m1 * m4 - m2 * m3) / det, (m3 * m3 - m2 * m4) / det);
    let root = (0.25 * a * a - b).sqrt();
    let (inner, outer) = (-0.5 * a - root, -0.5 * a + root);
    // Shares of the middle and of one level of each pair, by the first three moments.
    let shares = |[m0, m1, m2, ..]: [f64; 5]| {
        let first = 0.5 * (m1 * outer - m2) / (inner * (outer - inner));
        let second = 0.5 * (m2 - m1 * inner) / (outer * (outer - inner));
        [m0 - 2.0 * (first + second), first, second]
    };
    let (areas, seconds) = (shares(areas), shares(seconds));
    let section = e[1] * beta(0.5 * e[1], 0.5 * e[1]);
    let spread = 0.5 * e[1] * beta(1.5 * e[1], 0.5 * e[1]);
    let mut points = Vec::with_capacity(20);
    let (inner, outer) = (inner.sqrt(), outer.sqrt());
    for (zeta, level) in [(-outer, 2), (-inner, 1), (0.0, 0), (inner, 1), (outer, 2)] {
        let mass = section * areas[level];
        let x = (spread * seconds[level] / mass).sqrt();
        for (x, y) in [(x, x), (-x, x), (-x, -x), (x, -x)] {
            points.push((parameters([x, y, zeta], e), 0.25 * mass));
        }
    }
    points
}
