//! Points and weights of Gauss and Legendre.

/// The points in (−1, 1), ascending, and the weights, whose sum is 2: exact for polynomials of degree 2n − 1.
///
/// Newton's method on the Legendre polynomial: `n·Pₙ = (2n − 1)·x·Pₙ₋₁ − (n − 1)·Pₙ₋₂`, `w = 2/((1 − x²)·P′²)`.
pub fn gauss_legendre(n: usize) -> Vec<(f64, f64)> {
    let legendre = |x: f64| {
        let (mut before, mut now) = (1.0, x);
        for k in 2..=n {
            let k = k as f64;
            let next = ((2.0 * k - 1.0) * x * now - (k - 1.0) * before) / k;
            (before, now) = (now, next);
        }
        (now, n as f64 * (x * now - before) / (x * x - 1.0))
    };
    let mut points: Vec<(f64, f64)> = (0..n)
        .map(|i| {
            let angle = std::f64::consts::PI * (i as f64 + 0.75) / (n as f64 + 0.5);
            let mut x = -libm::cos(angle);
            for _ in 0..50 {
                let (value, slope) = legendre(x);
                x -= value / slope;
                if (value / slope).abs() < 1e-16 {
                    break;
                }
            }
            let slope = legendre(x).1;
            (x, 2.0 / ((1.0 - x * x) * slope * slope))
        })
        .collect();
    if n == 1 {
        points[0] = (0.0, 2.0);
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_integrated_exactly() {
        for n in 1..8 {
            for degree in 0..2 * n {
                let sum: f64 = (gauss_legendre(n).iter())
                    .map(|(x, w)| (0..degree).fold(*w, |power, _| power * x))
                    .sum();
                let exact = match degree % 2 {
                    0 => 2.0 / (degree as f64 + 1.0),
                    _ => 0.0,
                };
                assert!((sum - exact).abs() < 1e-14, "{n}, {degree}: {sum}");
            }
        }
    }
}
