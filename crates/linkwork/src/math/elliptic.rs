//! Elliptic integrals of the first kind and Jacobi's functions, by the arithmetic-geometric mean.
//!
//! ```text
//!     u = F(φ) = ∫₀^φ dθ/√(1 − k²·sin²θ)      φ = am(u)      sn u = sin φ      cn u = cos φ
//!     a ← (a + b)/2      b ← √(a·b)            from a = 1, b = k′ = √(1 − k²)
//! ```

use std::f64::consts::{FRAC_PI_2, PI};

/// At most so many means: each doubles the digits that agree, from `k′ ≥ 1e-8` on.
const MEANS: usize = 8;

/// Beyond this the functions are those of `k = 1` to round-off wherever anyone could tell.
const LEAST_COMPLEMENT: f64 = 1e-16;

/// Jacobi's elliptic functions of one modulus.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elliptic {
    /// `(a, b)` before each mean.
    means: [(f64, f64); MEANS],
    n: usize,
    /// What both means come to.
    limit: f64,
}

impl Elliptic {
    /// From the complement `1 − k²` of the squared modulus.
    pub(crate) fn new(complement: f64) -> Self {
        let (mut a, mut b) = (1.0, complement.clamp(LEAST_COMPLEMENT, 1.0).sqrt());
        let mut means = [(a, b); MEANS];
        let mut n = 0;
        while n < MEANS && a - b > 1e-16 * a {
            means[n] = (a, b);
            (a, b) = (0.5 * (a + b), (a * b).sqrt());
            n += 1;
        }
        Self { means, n, limit: a }
    }

    /// `K`, a quarter of the period: `am(K) = π/2`.
    pub(crate) fn quarter_period(&self) -> f64 {
        FRAC_PI_2 / self.limit
    }

    /// `F(φ)`.
    pub(crate) fn first_kind(&self, phi: f64) -> f64 {
        let (mut phi, mut doubled) = (phi, 1.0);
        for (a, b) in &self.means[..self.n] {
            // tan(φ′ − φ) = (b/a)·tan φ, on the branch of φ.
            let turns = libm::round(phi / PI);
            let rest = phi - turns * PI;
            let more = libm::atan2(b * libm::sin(rest), a * libm::cos(rest));
            phi += turns * PI + more;
            doubled *= 2.0;
        }
        phi / (doubled * self.limit)
    }

    /// `am(u)`, the inverse of `F`.
    pub(crate) fn amplitude(&self, u: f64) -> f64 {
        // Whole turns by themselves: nothing of the rest is lost to them.
        let half_period = 2.0 * self.quarter_period();
        let turns = libm::round(u / half_period);
        let doubled = (1u32 << self.n) as f64;
        let mut phi = doubled * self.limit * (u - turns * half_period);
        for (a, b) in self.means[..self.n].iter().rev() {
            let (mean, half) = (0.5 * (a + b), 0.5 * (a - b));
            phi = 0.5 * (phi + libm::asin(half / mean * libm::sin(phi)));
        }
        phi + turns * PI
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Abramowitz and Stegun, tables 17.1 and 17.5.
    #[test]
    fn known_values() {
        for (k_squared, quarter) in [
            (0.0, FRAC_PI_2),
            (0.5, 1.854_074_677_301_372),
            (0.9, 2.578_092_113_348_173),
            (0.99, 3.695_637_362_989_875),
        ] {
            let elliptic = Elliptic::new(1.0 - k_squared);
            assert!((elliptic.quarter_period() - quarter).abs() < 1e-14);
            assert!((elliptic.first_kind(FRAC_PI_2) - quarter).abs() < 1e-14);
        }
    }

    /// The inverse, and the derivative `am′ = dn`, over many periods and up to `k = 1`.
    #[test]
    fn amplitude_is_the_inverse_and_its_rate_is_dn() {
        for complement in [1.0, 0.7, 1e-2, 1e-6, 1e-12] {
            let elliptic = Elliptic::new(complement);
            for i in -40..40 {
                let u = 0.37 * f64::from(i);
                let phi = elliptic.amplitude(u);
                assert!((elliptic.first_kind(phi) - u).abs() < 1e-12 / complement.sqrt());
                let h = 1e-4;
                let rate = (elliptic.amplitude(u + h) - elliptic.amplitude(u - h)) / (2.0 * h);
                let sn = libm::sin(phi);
                let dn = (1.0 - (1.0 - complement) * sn * sn).sqrt();
                assert!((rate - dn).abs() < 1e-7, "{complement} {u}: {rate} {dn}");
            }
        }
    }
}
