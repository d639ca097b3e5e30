//! Convex polygons of the plane.

use crate::error::Error;

/// A convex polygon in the plane z = 0, counterclockwise, its boundary moved outward by a radius.
///
/// Two points with a radius are a rod.
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    points: Vec<[f64; 2]>,
    radius: f64,
}

impl Polygon {
    /// From its corners, counterclockwise. Two corners need a radius.
    pub fn new(points: Vec<[f64; 2]>, radius: f64) -> Result<Self, Error> {
        Error::require_not_negative("radius", &radius)?;
        for point in &points {
            Error::require_finite("points", point)?;
        }
        let n = points.len();
        let problem = if n < 2 {
            "are fewer than two; give the corners of a convex polygon"
        } else if n == 2 && radius == 0.0 {
            "are two, which bound no area; give a radius, or a third corner"
        } else if n > 10_000 {
            "are more than 10000; give fewer corners"
        } else if !turns_left(&points) {
            "do not form a convex polygon; give its corners counterclockwise, without duplicates and without corners on a straight side"
        } else {
            return Ok(Self { points, radius });
        };
        Err(Error::field("points", problem))
    }

    /// Its corners.
    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    /// How far the boundary is moved outward.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

/// Whether every corner turns left, and all of them together one full turn.
fn turns_left(points: &[[f64; 2]]) -> bool {
    let n = points.len();
    let edge = |k: usize| {
        let ([x, y], [u, v]) = (points[k % n], points[(k + 1) % n]);
        [u - x, v - y]
    };
    let length = |[x, y]: [f64; 2]| (x * x + y * y).sqrt();
    let mut falls = 0;
    for k in 0..n {
        let (d, e) = (edge(k), edge(k + 1));
        let (across, sine) = (length(d) * length(e), d[0] * e[1] - d[1] * e[0]);
        let straight = n > 2 && sine <= 1e-9 * across;
        if across == 0.0 || !across.is_finite() || straight {
            return false;
        }
        // One turn: of a closed polygon that turns left, only one corner goes from down to up.
        let up = |e: [f64; 2]| e[1] > 0.0 || e[1] == 0.0 && e[0] > 0.0;
        falls += usize::from(!up(d) && up(e));
    }
    falls == 1
}
