//! A picture as a smooth function of the plane: cubic B-splines through its pixels, with two continuous derivatives.
//!
//! ```text
//!     f(x, y) = Σ c_ij·β(x − i)·β(y − j)      f at pixels is what the picture is there
//! ```
//!
//! c is found from the pixels by a filter forwards and backwards (Unser 1999), with the picture mirrored at its border.
//! Beyond the border the value of the border goes on.

use std::fmt;

use linkwork_formula::Field;

use super::png::Gray;

/// The pole of the filter, √3 − 2.
const POLE: f64 = -0.267_949_192_431_122_7;

/// A picture as a function of the plane.
#[derive(Clone, PartialEq)]
pub struct PictureField {
    coefficients: Gray,
    /// The place of the first pixel, m, and the size of one.
    corner: [f64; 2],
    scale: f64,
}

/// Not its pixels, but what tells one from another.
impl fmt::Debug for PictureField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mix = |hash: u64, own: &f64| (hash ^ own.to_bits()).wrapping_mul(0x0100_0000_01b3);
        let hash = self
            .coefficients
            .values
            .iter()
            .fold(0xcbf2_9ce4_8422_2325, mix);
        write!(
            f,
            "PictureField({hash:x}, {:?}, {})",
            self.corner, self.scale
        )
    }
}

impl PictureField {
    pub(super) fn new(mut pixels: Gray, middle: [f64; 2], scale: f64) -> Self {
        let (w, h) = (pixels.width, pixels.height);
        for y in 0..h {
            filter(&mut pixels.values[y * w..(y + 1) * w]);
        }
        let mut column = vec![0.0; h];
        for x in 0..w {
            for (y, own) in column.iter_mut().enumerate() {
                *own = pixels.values[y * w + x];
            }
            filter(&mut column);
            for (y, own) in column.iter().enumerate() {
                pixels.values[y * w + x] = *own;
            }
        }
        let half = |n: usize| 0.5 * (n as f64 - 1.0) * scale;
        Self {
            corner: [middle[0] - half(w), middle[1] + half(h)],
            coefficients: pixels,
            scale,
        }
    }

    fn coefficient(&self, x: i64, y: i64) -> f64 {
        let [x, y] = [(x, self.coefficients.width), (y, self.coefficients.height)].map(|(k, n)| {
            let last = n as i64 - 1;
            let k = k.abs();
            if k > last { (2 * last - k).max(0) } else { k }
        });
        self.coefficients.values[y as usize * self.coefficients.width + x as usize]
    }
}

/// From pixels to coefficients, along a line that is mirrored at its ends.
fn filter(line: &mut [f64]) {
    let n = line.len();
    // Σ zᵏ·line, mirrored again and again, until what comes is less than round-off.
    let (mut first, mut power, round) = (line[0], POLE, 2 * n - 2);
    for k in 1..60 {
        let at = k % round;
        first += power * line[at.min(round - at)];
        power *= POLE;
    }
    line[0] = first;
    for k in 1..n {
        line[k] += POLE * line[k - 1];
    }
    line[n - 1] = POLE / (POLE * POLE - 1.0) * (line[n - 1] + POLE * line[n - 2]);
    for k in (0..n - 1).rev() {
        line[k] = POLE * (line[k + 1] - line[k]);
    }
    line.iter_mut().for_each(|own| *own *= 6.0);
}

/// The four B-splines at a place between pixels, or a derivative of them.
fn basis(t: f64, order: u32) -> [f64; 4] {
    let s = 1.0 - t;
    match order {
        0 => [
            s * s * s / 6.0,
            2.0 / 3.0 - t * t + 0.5 * t * t * t,
            2.0 / 3.0 - s * s + 0.5 * s * s * s,
            t * t * t / 6.0,
        ],
        1 => [
            -0.5 * s * s,
            t * (1.5 * t - 2.0),
            s * (2.0 - 1.5 * s),
            0.5 * t * t,
        ],
        2 => [s, 3.0 * t - 2.0, 3.0 * s - 2.0, t],
        3 => [-1.0, 3.0, -3.0, 1.0],
        _ => [0.0; 4],
    }
}

impl Field for PictureField {
    fn derivative(&self, x: f64, y: f64, nx: u32, ny: u32) -> f64 {
        let across = (x - self.corner[0]) / self.scale;
        let down = (self.corner[1] - y) / self.scale;
        let (mut value, mut weights, mut first) = (0.0, [[0.0; 4]; 2], [0; 2]);
        let sides = [
            (across, self.coefficients.width, nx),
            (down, self.coefficients.height, ny),
        ];
        for (k, (place, n, order)) in sides.into_iter().enumerate() {
            let last = n as f64 - 1.0;
            if !place.is_finite() {
                return f64::NAN;
            }
            if order > 0 && !(0.0..=last).contains(&place) {
                return 0.0;
            }
            let place = place.clamp(0.0, last);
            let start = place.floor().min(last - 1.0);
            weights[k] = basis(place - start, order);
            first[k] = start as i64 - 1;
        }
        for j in 0..4 {
            let mut row = 0.0;
            for i in 0..4 {
                row += weights[0][i] * self.coefficient(first[0] + i as i64, first[1] + j as i64);
            }
            value += weights[1][j] * row;
        }
        // y goes up, rows go down.
        for _ in 0..nx {
            value /= self.scale;
        }
        for _ in 0..ny {
            value /= -self.scale;
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_met_and_derivatives_are_differences() {
        let (width, height) = (9, 7);
        let value = |k: usize| libm::sin(1.7 * k as f64) + 0.1 * k as f64;
        let values: Vec<f64> = (0..width * height).map(value).collect();
        let pixels = Gray {
            width,
            height,
            values: values.clone(),
        };
        let field = PictureField::new(pixels, [1.0, 2.0], 0.1);
        for y in 0..height {
            for x in 0..width {
                let at = [1.0 + 0.1 * (x as f64 - 4.0), 2.0 - 0.1 * (y as f64 - 3.0)];
                let own = field.derivative(at[0], at[1], 0, 0);
                assert!((own - values[y * width + x]).abs() < 1e-10, "{x} {y}");
            }
        }
        let h = 1e-5;
        // Not at a pixel, where third derivatives jump.
        for (x, y) in [(0.83, 1.93), (1.22, 2.11), (0.96, 2.17)] {
            for (nx, ny) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let at =
                    |x: f64, y: f64, mx: u32, my: u32| field.derivative(x, y, nx + mx, ny + my);
                let by_x = (at(x + h, y, 0, 0) - at(x - h, y, 0, 0)) / (2.0 * h);
                let by_y = (at(x, y + h, 0, 0) - at(x, y - h, 0, 0)) / (2.0 * h);
                let size = 1.0 + by_x.abs() + by_y.abs();
                assert!((by_x - at(x, y, 1, 0)).abs() < 1e-5 * size, "{by_x}");
                assert!((by_y - at(x, y, 0, 1)).abs() < 1e-5 * size, "{by_y}");
            }
        }
        // Beyond the border nothing changes.
        assert_eq!(
            field.derivative(9.0, 2.0, 0, 0),
            field.derivative(1.4, 2.0, 0, 0)
        );
        assert_eq!(field.derivative(9.0, 2.0, 1, 0), 0.0);
    }
}
