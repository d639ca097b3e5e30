//! Material points of a superquadric whose exponents are held: five levels, four points each.
//!
//! Whatever deforms a point (ξ, η, ζ) of the primitive is linear in ξ and η. So mass, momenta and energies need no more
//! of a level ζ than its area and its second moments, which four points have. With `C² = (1 − |ζ|^(2/ε₁))^ε₁`:
//!
//! ```text
//!     area     A₀·C²·dζ     A₀ = ε₂·B(ε₂/2, ε₂/2)            ∫ ζ²ᵏ·C² dζ = ε₁·B((2k + 1)·ε₁/2, ε₁ + 1)
//!     ∫∫ ξ²    B₀·C⁴·dζ     B₀ = ½·ε₂·B(3ε₂/2, ε₂/2)         ∫ ζ²ᵏ·C⁴ dζ = ε₁·B((2k + 1)·ε₁/2, 2ε₁ + 1)
//! ```
//!
//! Levels and their areas are Gauss' quadrature of C², exact up to ζ⁹. Second moments are shared out so that they are
//! exact up to ζ⁵ as well: then so are those of a solid that is born tapered and sheared. All shares are positive for
//! exponents between 0.1 and 1.9.

use super::super::quadrature::gauss_legendre;
use super::deform::parameters;
use super::moments::beta;

/// Points of the primitive, (r, u, v), and the volume that each stands for.
pub(super) fn points(e: [f64; 2]) -> Vec<([f64; 3], f64)> {
    let levels = Levels::of(e[0], 1.0);
    let seconds = levels.shares(moments(e[0], 2.0));
    let section = e[1] * beta(0.5 * e[1], 0.5 * e[1]);
    let spread = 0.5 * e[1] * beta(1.5 * e[1], 0.5 * e[1]);
    let mut points = Vec::with_capacity(20);
    for ((zeta, area), second) in levels.each().into_iter().zip(seconds) {
        let mass = section * area;
        let x = (spread * second / mass).sqrt();
        for (x, y) in [(x, x), (-x, x), (-x, -x), (x, -x)] {
            points.push((parameters([x, y, zeta], e), 0.25 * mass));
        }
    }
    points
}

/// Points for polynomials of a higher degree across: five levels of five chords with five points, all of Gauss. Where
/// exponents are one they are exact up to degree nine.
pub(super) fn grid(e: [f64; 2]) -> Vec<([f64; 3], f64)> {
    let narrow = |t: f64, e: f64| libm::pow(1.0 - libm::pow(t.abs(), 2.0 / e), 0.5 * e);
    let chord = gauss_legendre(5);
    let mut points = Vec::with_capacity(125);
    for (zeta, area) in Levels::of(e[0], 1.0).each() {
        let wide = narrow(zeta, e[0]);
        for (y, length) in Levels::of(e[1], 0.5).each() {
            let half = narrow(y, e[1]);
            for &(x, weight) in &chord {
                let place = [wide * half * x, wide * y, zeta];
                points.push((parameters(place, e), area * length * weight));
            }
        }
    }
    points
}

/// `∫ t²ᵏ·(1 − |t|^(2/ε))^(power·ε) dt` from −1 to 1.
fn moments(e: f64, power: f64) -> [f64; 5] {
    std::array::from_fn(|k| e * beta(0.5 * e * (2 * k + 1) as f64, power * e + 1.0))
}

/// Gauss' quadrature with such a weight: five places, symmetric.
struct Levels {
    /// Squares of the places beside the middle.
    inner: f64,
    outer: f64,
    moments: [f64; 5],
}

impl Levels {
    fn of(e: f64, power: f64) -> Self {
        let moments = moments(e, power);
        // s = t²: the roots of s² + a·s + b, which is orthogonal to 1 and s with t² times the weight.
        let [_, m1, m2, m3, m4] = moments;
        let det = m2 * m2 - m1 * m3;
        let (a, b) = ((m1 * m4 - m2 * m3) / det, (m3 * m3 - m2 * m4) / det);
        let root = (0.25 * a * a - b).sqrt();
        Self {
            inner: -0.5 * a - root,
            outer: -0.5 * a + root,
            moments,
        }
    }

    /// What each place has of a whole with these moments, from the lowest on.
    fn shares(&self, [m0, m1, m2, ..]: [f64; 5]) -> [f64; 5] {
        let Self { inner, outer, .. } = *self;
        let first = 0.5 * (m1 * outer - m2) / (inner * (outer - inner));
        let second = 0.5 * (m2 - m1 * inner) / (outer * (outer - inner));
        [second, first, m0 - 2.0 * (first + second), first, second]
    }

    /// Places and weights.
    fn each(&self) -> [(f64, f64); 5] {
        let (inner, outer) = (self.inner.sqrt(), self.outer.sqrt());
        let weights = self.shares(self.moments);
        let places = [-outer, -inner, 0.0, inner, outer];
        std::array::from_fn(|k| (places[k], weights[k]))
    }
}
