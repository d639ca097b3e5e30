//! The point of a curve that is nearest to a point.

use super::{Of, ShapeMap, ShapeMotion};
use crate::math::{Vec3, dot, sub};

/// Places that are tried in each part, and halvings after that.
const N_TRIED: usize = 8;
const N_REFINED: usize = 60;

/// The parameter of the nearest point; none if the shape is no curve. Of several that are equally near, the first.
pub fn nearest_on_curve(map: &dyn ShapeMap, q: &[f64], x: Vec3) -> Option<f64> {
    let [domain] = map.domains() else {
        return None;
    };
    let square = |u: f64| {
        let motion = ShapeMotion::at([u, 0.0, 0.0], q, q);
        let way = sub(map.eval(Of::Point, &motion, &mut |_, _, _| {}).x, x);
        dot(way, way)
    };
    let n = N_TRIED * map.n_parts();
    let step = domain.length() / n as f64;
    let (mut best, mut least) = (domain.from, f64::INFINITY);
    for k in 0..=n {
        let u = domain.from + step * k as f64;
        let own = square(u);
        if own < least {
            (best, least) = (u, own);
        }
    }
    // By thirds between the neighbors, which a closed curve has beyond its ends too.
    let (mut low, mut high) = (best - step, best + step);
    if !domain.closed {
        (low, high) = (low.max(domain.from), high.min(domain.to));
    }
    for _ in 0..N_REFINED {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if square(a) < square(b) {
            high = b;
        } else {
            low = a;
        }
    }
    let u = 0.5 * (low + high);
    // An end or a place that was tried may be nearer by round-off, and has fewer digits.
    Some(if square(u) < least { u } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Spline;

    #[test]
    fn nearest_points_are_at_right_angles_or_ends() {
        let points = [[0.0, 0.0], [1.0, 0.5], [2.0, -0.5], [3.0, 0.0], [3.5, 1.0]];
        let spline = Spline::in_plane(&points, 3, false);
        let mut q = vec![0.0; spline.n_numbers()];
        spline.start(&mut q);
        assert_eq!(nearest_on_curve(&spline, &q, [-1.0, -0.5, 0.0]), Some(0.0));
        for x in [[1.0, 1.0, 0.0], [2.0, -1.0, 0.0], [2.4, 0.6, 0.0]] {
            let u = nearest_on_curve(&spline, &q, x).unwrap();
            let motion = ShapeMotion::at([u, 0.0, 0.0], &q, &q);
            let at = |of: Of| spline.eval(of, &motion, &mut |_, _, _| {}).x;
            let way = sub(at(Of::Point), x);
            assert!(dot(way, at(Of::Tangent(0))).abs() < 1e-6, "{u}");
        }
    }
}
