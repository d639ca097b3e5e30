//! Volume and moments of a superquadric in closed form, and material points that reproduce them exactly.
//!
//! ```text
//!     V = 2·a₁a₂a₃·ε₁ε₂·B(ε₁/2 + 1, ε₁)·B(ε₂/2, ε₂/2)          ⟨ζ²⟩ = ½·B(3ε₁/2, ε₁ + 1)/B(ε₁/2 + 1, ε₁)
//!     ∫x² = ½·a₁²·a₁a₂a₃·ε₁ε₂·B(3ε₂/2, ε₂/2)·B(ε₁/2, 2ε₁ + 1)
//!     deformed: V·(1 + t₁t₂·⟨ζ²⟩ − (b·h)·(t₁ + t₂)·⟨ζ²⟩)
//! ```
//!
//! Where exponents are held, points lie in a few levels (`levels.rs`). Where they are free:
//!
//! Points of Gauss in an octant, mirrored, are 10–50 % off where exponents are not one. Each mass is therefore
//! multiplied by `α + Σ βₖ·xₖ²` so that mass and second moments are the closed forms; more points are taken until all
//! masses are positive.

use super::super::number::Number;
use super::super::quadrature::gauss_legendre;
use super::deform::{Form, unit};
use super::levels;
use crate::error::Error;
use crate::linalg::small::{cholesky, cholesky_solve};
use std::f64::consts::{FRAC_PI_2, PI};

/// Points along u and v of an octant, and along r: the first that leave all masses positive are taken.
const COUNTS: [(usize, usize); 5] = [(2, 3), (3, 3), (4, 4), (6, 4), (8, 5)];

/// What points are for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Detail {
    /// What is linear across the axis.
    Levels,
    /// Polynomials of degree four.
    Modes,
    /// Exponents that are free.
    Exponents,
}

/// `ln Γ` with its first two derivatives, of what is positive.
fn ln_gamma<T: Number>(x: T) -> T {
    let own = x.value();
    // ψ and ψ′ by their asymptotic series, far out, and back by ψ(x) = ψ(x + 1) − 1/x.
    let (mut at, mut first, mut second) = (own, 0.0, 0.0);
    while at < 10.0 {
        first -= 1.0 / at;
        second += 1.0 / (at * at);
        at += 1.0;
    }
    let r = 1.0 / at;
    let w = r * r;
    let series = w
        * (1.0 / 12.0
            - w * (1.0 / 120.0 - w * (1.0 / 252.0 - w * (1.0 / 240.0 - w * 5.0 / 660.0))));
    first += libm::log(at) - 0.5 * r - series;
    let bernoulli =
        w * (1.0 / 6.0 - w * (1.0 / 30.0 - w * (1.0 / 42.0 - w * (1.0 / 30.0 - w * 5.0 / 66.0))));
    second += r * (1.0 + 0.5 * r + bernoulli);
    x.lift([libm::lgamma(own), first, second, f64::NAN])
}

pub(super) fn beta<T: Number>(a: T, b: T) -> T {
    (ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b)).exponential()
}

/// Volume and second moments of the primitive of size one: V, ∫x² (and ∫y²), ∫z².
pub(crate) fn moments<T: Number>([e1, e2]: [T; 2]) -> [T; 3] {
    let both = e1 * e2;
    let volume = both * beta(e1 * 0.5 + 1.0, e1) * beta(e2 * 0.5, e2 * 0.5) * 2.0;
    let across = both * beta(e2 * 1.5, e2 * 0.5) * beta(e1 * 0.5, e1 * 2.0 + 1.0) * 0.5;
    let along = both * beta(e2 * 0.5, e2 * 0.5 + 1.0) * beta(e1 * 1.5, e1 + 1.0) * 2.0;
    [volume, across, along]
}

/// The volume of a deformed superquadric.
pub(crate) fn volume<T: Number>(form: &Form<T>) -> T {
    let [volume, _, along] = moments(form.e);
    let [t, s] = form.taper;
    let lean = form.bend[0] * form.shear[0] + form.bend[1] * form.shear[1];
    let deformed = volume + (t * s - lean * (t + s)) * along;
    form.a[0] * form.a[1] * form.a[2] * deformed
}

/// Material points of a solid of this form and density one: (r, u, v) and mass.
pub(crate) fn solid(form: &Form<f64>, detail: Detail) -> Result<Vec<([f64; 3], f64)>, Error> {
    let octants = || {
        let mut counts = COUNTS.iter();
        counts.find_map(|&(n, n_r)| fitted(form.e, octant(form.e, n, n_r)))
    };
    let points = match detail {
        Detail::Levels => Some(levels::points(form.e)),
        Detail::Modes => fitted(form.e, levels::grid(form.e)).or_else(octants),
        Detail::Exponents => octants(),
    };
    let Some(points) = points else {
        let problem = "leave no points whose masses are positive; take them nearer to 1";
        return Err(Error::field("e", problem));
    };
    Ok(weigh(form, points))
}

/// Points of the primitive as points of a form: `dm = det(deformation)·dX`.
pub(super) fn weigh(form: &Form<f64>, mut points: Vec<([f64; 3], f64)>) -> Vec<([f64; 3], f64)> {
    let size: f64 = form.a.iter().product();
    for (u, mass) in &mut points {
        let x = unit(*u, form.e);
        let wide = (1.0 + form.taper[0] * x[2]) * (1.0 + form.taper[1] * x[2]);
        *mass *= size * wide * form.room(x);
    }
    points
}

/// Points of the primitive whose mass and second moments are exact; none if a mass is not positive.
fn fitted(e: [f64; 2], mut points: Vec<([f64; 3], f64)>) -> Option<Vec<([f64; 3], f64)>> {
    let at: Vec<[f64; 3]> = points.iter().map(|(u, _)| unit(*u, e)).collect();
    let basis = |x: &[f64; 3]| [1.0, x[0] * x[0], x[1] * x[1], x[2] * x[2]];
    let [volume, across, along] = moments(e);
    let mut weights = [volume, across, across, along];
    let mut gram = [0.0; 16];
    for (x, (_, mass)) in at.iter().zip(&points) {
        let f = basis(x);
        for i in 0..4 {
            for j in 0..4 {
                gram[4 * i + j] += mass * f[i] * f[j];
            }
        }
    }
    cholesky(4, &mut gram);
    cholesky_solve(4, &gram, &mut weights);
    for (x, (_, mass)) in at.iter().zip(&mut points) {
        let factor: f64 = basis(x).iter().zip(weights).map(|(f, w)| f * w).sum();
        *mass *= factor;
    }
    let is_positive = points
        .iter()
        .all(|(_, mass)| *mass > 0.0 && mass.is_finite());
    is_positive.then_some(points)
}

/// Points of Gauss in an octant and their mirror images. They cluster where powers are steep: `w(t) = t²·(3 − 2t)`.
pub(super) fn octant(e: [f64; 2], n: usize, n_r: usize) -> Vec<([f64; 3], f64)> {
    let on_unit = |(x, weight): (f64, f64)| (0.5 * (1.0 + x), 0.5 * weight);
    let across: Vec<_> = gauss_legendre(n).into_iter().map(on_unit).collect();
    let outward: Vec<_> = gauss_legendre(n_r).into_iter().map(on_unit).collect();
    let angle = |t: f64| FRAC_PI_2 * t * t * (3.0 - 2.0 * t);
    let stretch = |t: f64| FRAC_PI_2 * 6.0 * t * (1.0 - t);
    let mut points = Vec::with_capacity(8 * n * n * n_r);
    for &(t, weight_u) in &across {
        for &(s, weight_v) in &across {
            for &(r, weight_r) in &outward {
                let (u, v) = (angle(t), angle(s));
                let ((sin_u, cos_u), (sin_v, cos_v)) = (libm::sincos(u), libm::sincos(v));
                // r²·ε₁ε₂·C_u^(2ε₁ − 1)·S_u^(ε₁ − 1)·(C_v·S_v)^(ε₂ − 1) is the density of the primitive.
                let density = r
                    * r
                    * (e[0] * e[1])
                    * libm::pow(cos_u, 2.0 * e[0] - 1.0)
                    * libm::pow(sin_u, e[0] - 1.0)
                    * libm::pow(cos_v * sin_v, e[1] - 1.0);
                let mass = weight_u * weight_v * weight_r * stretch(t) * stretch(s) * density;
                for u in [u, -u] {
                    for v in [v, PI - v, v - PI, -v] {
                        points.push(([r, u, v], mass));
                    }
                }
            }
        }
    }
    points
}
