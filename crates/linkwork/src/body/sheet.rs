//! Distributions of mass over planar sheets: rectangles, points, and polygons.

use crate::error::{Error, check_fields};

/// A distribution of mass over a sheet, in body coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheet {
    /// Mass.
    pub mass: f64,
    /// Center of mass.
    pub com_body: [f64; 2],
    /// Second moments of mass about the center of mass: `[xx, yy, xy]`.
    pub second_moments_body: [f64; 3],
    /// Area at rest.
    pub area: f64,
}

impl Sheet {
    /// A uniform rectangle centered at the origin.
    pub fn rectangle(size: [f64; 2], mass: f64) -> Result<Self, Error> {
        let [width, height] = size;
        Error::require_positive("size", &width)?;
        Error::require_positive("size", &height)?;
        let sheet = Self {
            mass,
            com_body: [0.0; 2],
            second_moments_body: [
                mass * width * width / 12.0,
                mass * height * height / 12.0,
                0.0,
            ],
            area: width * height,
        };
        sheet.validate()?;
        Ok(sheet)
    }

    /// Point masses `(position, mass)` on a massless sheet of the given area.
    pub fn points(points: &[([f64; 2], f64)], area: f64) -> Result<Self, Error> {
        for (position, mass) in points {
            Error::require_finite("points", position)?;
            Error::require_positive("mass", mass)?;
        }
        if points.len() < 3 {
            return Err(Error::field(
                "points",
                format!("has {} entries; give at least three", points.len()),
            ));
        }
        let mass: f64 = points.iter().map(|(_, m)| m).sum();
        let mean = |k: usize| points.iter().map(|(x, m)| m * x[k]).sum::<f64>() / mass;
        let com_body = [mean(0), mean(1)];
        let moment = |j: usize, k: usize| {
            points
                .iter()
                .map(|(x, m)| m * (x[j] - com_body[j]) * (x[k] - com_body[k]))
                .sum()
        };
        let sheet = Self {
            mass,
            com_body,
            second_moments_body: [moment(0, 0), moment(1, 1), moment(0, 1)],
            area,
        };
        sheet.validate()?;
        Ok(sheet)
    }

    /// A uniform sheet cut out along a polygon, whose corners go round once in either direction. By Green's theorem,
    /// with `wₖ = xₖ·yₖ₊₁ − xₖ₊₁·yₖ` and coordinates about the first corner:
    ///
    /// ```text
    ///     A = ½·Σ w      A·x̄ = ⅙·Σ (xₖ + xₖ₊₁)·w      ∫x² = 1/12·Σ (xₖ² + xₖ·xₖ₊₁ + xₖ₊₁²)·w
    ///     ∫x·y = 1/24·Σ (xₖ·yₖ₊₁ + 2·xₖ·yₖ + 2·xₖ₊₁·yₖ₊₁ + xₖ₊₁·yₖ)·w
    /// ```
    pub fn polygon(corners: &[[f64; 2]], mass: f64) -> Result<Self, Error> {
        for corner in corners {
            Error::require_finite("outline", corner)?;
        }
        if corners.len() < 3 {
            let problem = format!("has {} corners; give at least three", corners.len());
            return Err(Error::field("outline", problem));
        }
        if let Some([a, b]) = crossing(corners) {
            let problem = format!("crosses itself: the edges from corners {a} and {b}, from 1");
            return Err(Error::field("outline", problem));
        }
        let first = corners[0];
        let (mut twice, mut sum, mut square) = (0.0, [0.0; 2], [0.0; 3]);
        for (k, corner) in corners.iter().enumerate() {
            let next = corners[(k + 1) % corners.len()];
            let [a, b] = [corner, &next].map(|own| [own[0] - first[0], own[1] - first[1]]);
            let w = a[0] * b[1] - b[0] * a[1];
            twice += w;
            for k in 0..2 {
                sum[k] += (a[k] + b[k]) * w / 6.0;
                square[k] += (a[k] * a[k] + a[k] * b[k] + b[k] * b[k]) * w / 12.0;
            }
            let mixed = a[0] * b[1] + 2.0 * a[0] * a[1] + 2.0 * b[0] * b[1] + b[0] * a[1];
            square[2] += mixed * w / 24.0;
        }
        let area = 0.5 * twice;
        if area == 0.0 {
            return Err(Error::field("outline", "has no area; spread its corners"));
        }
        let mean = sum.map(|own| own / area);
        let about = [mean[0] * mean[0], mean[1] * mean[1], mean[0] * mean[1]];
        let moment = |k: usize| mass * (square[k] / area - about[k]);
        let sheet = Self {
            mass,
            com_body: [first[0] + mean[0], first[1] + mean[1]],
            second_moments_body: [moment(0), moment(1), moment(2)],
            area: area.abs(),
        };
        sheet.validate()?;
        Ok(sheet)
    }

    /// `Ok` when everything is finite and the mass spreads in both directions.
    pub fn validate(&self) -> Result<(), Error> {
        check_fields!(self, positive: mass, area; finite: com_body, second_moments_body)?;
        let [xx, yy, xy] = self.second_moments_body;
        let (trace, determinant) = (xx + yy, xx * yy - xy * xy);
        if !(xx > 0.0 && yy > 0.0 && determinant > 1e-14 * trace * trace) {
            return Err(Error::field(
                "second_moments_body",
                format!(
                    "are xx {xx:e}, yy {yy:e}, xy {xy:e}: the mass lies on a line or a point; \
                     spread it in both directions"
                ),
            ));
        }
        Ok(())
    }
}

/// The first two edges of a polygon that cross or touch without being neighbors: the numbers of their first corners,
/// from one.
fn crossing(corners: &[[f64; 2]]) -> Option<[usize; 2]> {
    let n = corners.len();
    let edge = |k: usize| [corners[k], corners[(k + 1) % n]];
    // The side of a line on which a point is.
    let side = |[a, b]: [[f64; 2]; 2], p: [f64; 2]| {
        (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
    };
    let meets = |a: [[f64; 2]; 2], b: [[f64; 2]; 2]| {
        let parts = [side(a, b[0]), side(a, b[1]), side(b, a[0]), side(b, a[1])];
        let is_apart = |k: usize| {
            let ([a0, a1], [b0, b1]) = ([a[0][k], a[1][k]], [b[0][k], b[1][k]]);
            a0.max(a1) < b0.min(b1) || b0.max(b1) < a0.min(a1)
        };
        parts[0] * parts[1] <= 0.0 && parts[2] * parts[3] <= 0.0 && !is_apart(0) && !is_apart(1)
    };
    let pairs = (0..n).flat_map(|a| (a + 2..n).map(move |b| [a, b]));
    let mut others = pairs.filter(|[a, b]| (b + 1) % n != *a);
    let found = others.find(|[a, b]| meets(edge(*a), edge(*b)));
    found.map(|own| own.map(|k| k + 1))
}
