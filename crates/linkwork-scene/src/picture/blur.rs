//! Pictures that are blurred, and their edges. Sums have a fixed order; beyond the border the last pixels go on.

use super::png::Gray;

/// How far a bell reaches, in its widths.
const REACH: f64 = 3.0;

/// Blurred by a bell of this width in pixels, along rows and then along columns.
pub(super) fn blurred(picture: &Gray, width: f64) -> Gray {
    if width < 0.1 {
        return picture.clone();
    }
    let n = (REACH * width).ceil() as usize;
    let bell = |k: usize| libm::exp(-0.5 * (k as f64 / width) * (k as f64 / width));
    let bell: Vec<f64> = (0..=n).map(bell).collect();
    let sum = bell[0] + 2.0 * bell[1..].iter().sum::<f64>();
    let (w, h) = (picture.width, picture.height);
    let mut rows = vec![0.0; w * h];
    for y in 0..h {
        let row = &picture.values[y * w..(y + 1) * w];
        for x in 0..w {
            rows[y * w + x] = weighed(&bell, sum, x, w, |x| row[x]);
        }
    }
    let mut values = vec![0.0; w * h];
    for y in 0..h {
        for x in 0..w {
            values[y * w + x] = weighed(&bell, sum, y, h, |y| rows[y * w + x]);
        }
    }
    Gray { values, ..*picture }
}

fn weighed(bell: &[f64], sum: f64, at: usize, n: usize, of: impl Fn(usize) -> f64) -> f64 {
    let mut total = bell[0] * of(at);
    for (k, weight) in bell.iter().enumerate().skip(1) {
        total += weight * (of(at.saturating_sub(k)) + of((at + k).min(n - 1)));
    }
    total / sum
}

/// How steep a picture is at each pixel, the steepest being 1.
pub(super) fn edges(picture: &Gray) -> Gray {
    let (w, h) = (picture.width, picture.height);
    let at = |x: usize, y: usize| picture.values[y * w + x];
    let mut values = Vec::with_capacity(w * h);
    let mut most = 0.0f64;
    for y in 0..h {
        for x in 0..w {
            let dx = at((x + 1).min(w - 1), y) - at(x.saturating_sub(1), y);
            let dy = at(x, (y + 1).min(h - 1)) - at(x, y.saturating_sub(1));
            let steep = libm::hypot(dx, dy);
            most = most.max(steep);
            values.push(steep);
        }
    }
    if most > 0.0 {
        values.iter_mut().for_each(|own| *own /= most);
    }
    Gray { values, ..*picture }
}
