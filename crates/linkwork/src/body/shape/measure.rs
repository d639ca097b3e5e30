//! The length and the area of a curve, as sums over points of Gauss in each of its parts.
//!
//! ```text
//!     length  ∫ |x_u| du           with t = x_u/|x_u|:  rate t·ẋ_u,  second rate t·ẍ_u + |P·ẋ_u|²/|x_u|
//!     area    ½·∮ (x·y_u − y·x_u) du
//! ```

use super::ShapeBody;
use crate::connector::ConnectorMut;
use crate::math::{dot, scale, sub};
use crate::shape::{Of, ShapeMap, ShapeMotion, gauss_legendre};

/// Points of Gauss: at least so many in each part, and so many in all, but no more in a part than the most. A Bézier
/// curve is one part, however it winds.
const LEAST: usize = 4;
const MOST: usize = 32;
const IN_ALL: usize = 64;

/// Places along a curve and their weights in integrals; none of a shape that is no curve.
pub(super) fn places(map: &dyn ShapeMap) -> Vec<(f64, f64)> {
    let [domain] = map.domains() else {
        return Vec::new();
    };
    let step = domain.length() / map.n_parts() as f64;
    let gauss = gauss_legendre(IN_ALL.div_ceil(map.n_parts()).clamp(LEAST, MOST));
    let parts = 0..map.n_parts();
    let each = parts.flat_map(|part| {
        let from = domain.from + step * part as f64;
        let places = gauss.iter();
        places.map(move |(x, weight)| (from + 0.5 * step * (1.0 + x), 0.5 * step * weight))
    });
    each.collect()
}

impl ShapeBody {
    pub(super) fn fill_length(&self, q: &[f64], v: &[f64], out: &mut ConnectorMut<'_>) {
        for &(u, weight) in &self.places {
            let motion = ShapeMotion::at([u, 0.0, 0.0], q, v);
            let value = self.map.eval(Of::Tangent(0), &motion, &mut |_, _, _| {});
            let length = dot(value.x, value.x).sqrt();
            if length == 0.0 {
                continue;
            }
            let t = scale(1.0 / length, value.x);
            let rate = dot(t, value.x_dot);
            let across = sub(value.x_dot, scale(rate, t));
            out.x[0] += weight * length;
            out.x_dot[0] += weight * rate;
            out.ell[0] += weight * (dot(t, value.ell) + dot(across, across) / length);
            let l = &mut out.L;
            self.map
                .eval(Of::Tangent(0), &motion, &mut |row, number, value| {
                    l.add(0, number, weight * t[row] * value);
                });
        }
    }

    pub(super) fn fill_area(&self, q: &[f64], v: &[f64], out: &mut ConnectorMut<'_>) {
        for &(u, weight) in &self.places {
            let motion = ShapeMotion::at([u, 0.0, 0.0], q, v);
            let point = self.map.eval(Of::Point, &motion, &mut |_, _, _| {});
            let along = self.map.eval(Of::Tangent(0), &motion, &mut |_, _, _| {});
            let half = 0.5 * weight;
            let cross = |a: [f64; 3], b: [f64; 3]| a[0] * b[1] - a[1] * b[0];
            out.x[0] += half * cross(point.x, along.x);
            out.x_dot[0] += half * (cross(point.x_dot, along.x) + cross(point.x, along.x_dot));
            out.ell[0] += half
                * (cross(point.ell, along.x)
                    + 2.0 * cross(point.x_dot, along.x_dot)
                    + cross(point.x, along.ell));
            let l = &mut out.L;
            self.map
                .eval(Of::Point, &motion, &mut |row, number, value| {
                    let by = [along.x[1], -along.x[0], 0.0][row];
                    l.add(0, number, half * value * by);
                });
            self.map
                .eval(Of::Tangent(0), &motion, &mut |row, number, value| {
                    let by = [-point.x[1], point.x[0], 0.0][row];
                    l.add(0, number, half * value * by);
                });
        }
    }
}
