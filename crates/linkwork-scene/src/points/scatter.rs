//! The scatter of points, and the weights of distant ones.
//!
//! ```text
//!     σ = 1.48·median|r|      ρ(r) = σ²·ln(1.1/(φ + 0.1))      φ = exp(−r²/2σ²)      ρ′ = r·φ/(φ + 0.1)
//! ```
//!
//! The median is not spoilt by strays, and does not shrink before the pose is right, as what is weighted does.

/// A median of |r| is this part of the scatter of what is normally scattered.
const MEDIAN: f64 = 0.674_489_750_196_081_7;
/// One of so many points is expected to be anywhere, where one would be that belongs to the body.
const STRAY: f64 = 0.1;

/// How far points scatter that are so far off. Sorts them.
pub(super) fn scatter(off: &mut [f64]) -> f64 {
    off.sort_by(f64::total_cmp);
    off.get(off.len() / 2).map_or(0.0, |median| median / MEDIAN)
}

/// ρ of r², and what is left of a square's slope.
pub(super) fn loss(square: f64, sigma: f64) -> (f64, f64) {
    let variance = sigma * sigma;
    let near = libm::exp(-0.5 * square / variance);
    let loss = variance * libm::log((1.0 + STRAY) / (near + STRAY));
    (loss, near / (near + STRAY))
}
