//! A path that was drawn, and points along it.

use crate::fault::Fault;
use crate::table;

/// A path has at most so many points; a hand draws some hundreds.
const MOST_POINTS: usize = 100_000;
/// Ends nearer to each other than this part of the path's length are one point: nobody closes a loop exactly by hand.
const NEARLY_CLOSED: f64 = 0.12;

/// A path of the plane, in meters.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    points: Vec<[f64; 2]>,
    is_closed: bool,
}

impl Path {
    /// A path through points in the order in which they are drawn. Whether it is closed is said, or told from its ends.
    pub fn new(points: &[[f64; 2]], is_closed: Option<bool>) -> Result<Self, Fault> {
        let refuse = |problem: String, hint: &str| Err(Fault::at("path", problem).hint(hint));
        if let Some(at) = points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
            return refuse(
                format!("has a point, number {}, that is not finite", at + 1),
                "give two numbers for each point",
            );
        }
        if points.len() > MOST_POINTS {
            return refuse(
                format!("has {} points", points.len()),
                "give at most 100,000; a few hundred are enough",
            );
        }
        let mut points = points.to_vec();
        points.dedup();
        let ends = match (points.first(), points.last()) {
            (Some(first), Some(last)) => distance(*first, *last),
            _ => 0.0,
        };
        let drawn: f64 = points.windows(2).map(|w| distance(w[0], w[1])).sum();
        let is_closed = is_closed.unwrap_or(ends < NEARLY_CLOSED * drawn);
        if is_closed && ends == 0.0 && points.len() > 1 {
            points.pop();
        }
        if points.len() < 5 {
            return refuse(
                format!("has {} different points", points.len()),
                "draw a longer path: a four-bar has nine measures",
            );
        }
        let path = Self { points, is_closed };
        let size = path.size();
        if !(size.is_finite() && size > f64::MIN_POSITIVE.sqrt() && drawn.is_finite()) {
            return refuse(
                "has no size, or one that is not finite".to_owned(),
                "draw it in meters",
            );
        }
        Ok(path)
    }

    /// A path of a table (`docs/fits.md`): x and y in its first two columns, whose names may be left out.
    pub fn read(text: &str, is_closed: Option<bool>) -> Result<Self, Fault> {
        let csv = table::read_csv_named(text, &["x", "y"])?;
        if csv.columns.len() != 2 {
            let problem = format!("has {} columns, but a point has two", csv.columns.len());
            return Err(Fault::at("", problem).hint("write x, y on each line, in meters"));
        }
        let points = csv.rows.iter().enumerate().map(|(at, row)| {
            let [Some(x), Some(y)] = [row[0].0, row[1].0] else {
                let fault = Fault::at("", format!("has a gap in row {}", at + 1));
                return Err(fault.hint("write x, y on each line, in meters"));
            };
            Ok([x, y])
        });
        Self::new(&points.collect::<Result<Vec<_>, Fault>>()?, is_closed)
    }

    /// Whether it ends where it begins.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Its points.
    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    /// The diagonal of its box.
    pub fn size(&self) -> f64 {
        size(&self.points)
    }

    /// The middle of its box.
    pub(super) fn center(&self) -> [f64; 2] {
        let [least, most] = corners(&self.points);
        [0, 1].map(|k| 0.5 * (least[k] + most[k]))
    }

    /// The same about the origin, of size one.
    pub(super) fn of_size_one(&self) -> Self {
        let (center, size) = (self.center(), self.size());
        let map = |point: &[f64; 2]| [0, 1].map(|k| (point[k] - center[k]) / size);
        Self {
            points: self.points.iter().map(map).collect(),
            is_closed: self.is_closed,
        }
    }

    /// `n` points at equal lengths along it; a closed one begins where it ends.
    pub(super) fn spread(&self, n: usize) -> Vec<[f64; 2]> {
        let places: Vec<f64> = (0..self.points.len()).map(|at| at as f64).collect();
        let spread = spread(&self.points, &places, self.is_closed, n);
        spread.into_iter().map(|(point, _)| point).collect()
    }
}

/// `n` points at equal lengths along a path of points, each with what belongs to it: `values` between its points go on
/// evenly. The way back to the first point of a closed path has the values up to one more step.
pub(super) fn spread(
    points: &[[f64; 2]],
    values: &[f64],
    is_closed: bool,
    n: usize,
) -> Vec<([f64; 2], f64)> {
    let count = points.len();
    let n_edges = if is_closed { count } else { count - 1 };
    let end = |edge: usize| points[(edge + 1) % count];
    let value_of_end = |edge: usize| match values.get(edge + 1) {
        Some(value) => *value,
        None => 2.0 * values[edge] - values[edge - 1],
    };
    let length: f64 = (0..n_edges)
        .map(|edge| distance(points[edge], end(edge)))
        .sum();
    let n_steps = if is_closed { n } else { n - 1 };
    let (mut edge, mut before) = (0, 0.0);
    let at = |k: usize| length * k as f64 / n_steps as f64;
    (0..n)
        .map(|k| {
            loop {
                let own = distance(points[edge], end(edge));
                let part = (at(k) - before) / own;
                // The last edge takes what round-off leaves.
                if part <= 1.0 || edge + 1 == n_edges {
                    let part = if own > 0.0 { part.clamp(0.0, 1.0) } else { 0.0 };
                    let mix = |a: f64, b: f64| a + part * (b - a);
                    let point = [0, 1].map(|x| mix(points[edge][x], end(edge)[x]));
                    return (point, mix(values[edge], value_of_end(edge)));
                }
                before += own;
                edge += 1;
            }
        })
        .collect()
}

pub(super) fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    libm::hypot(b[0] - a[0], b[1] - a[1])
}

/// The diagonal of the box around points.
pub(super) fn size(points: &[[f64; 2]]) -> f64 {
    let [least, most] = corners(points);
    distance(least, most)
}

/// The corners of the box around points.
pub(super) fn corners(points: &[[f64; 2]]) -> [[f64; 2]; 2] {
    let mut least = [f64::INFINITY; 2];
    let mut most = [f64::NEG_INFINITY; 2];
    for point in points {
        for k in 0..2 {
            least[k] = least[k].min(point[k]);
            most[k] = most[k].max(point[k]);
        }
    }
    [least, most]
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;

    #[test]
    fn points_are_spread_evenly() {
        let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0], [0.0, 0.5]];
        let path = Path::new(&square, Some(true)).unwrap();
        let points = path.spread(12);
        assert_eq!(points[0], [0.0, 0.0]);
        assert_eq!(points[6], [2.0, 1.0]);
        for pair in points.windows(2) {
            assert!((distance(pair[0], pair[1]) - 0.5).abs() < 1e-12);
        }
        let open = Path::new(&square, Some(false)).unwrap().spread(12);
        assert_eq!(open[11], [0.0, 0.5]);
    }

    #[test]
    fn loops_drawn_by_hand_are_closed() {
        let loop_of = |turn: f64| -> Vec<[f64; 2]> {
            let angle = |k: usize| turn * k as f64 / 40.0;
            (0..=40)
                .map(|k| [libm::cos(angle(k)), libm::sin(angle(k))])
                .collect()
        };
        assert!(Path::new(&loop_of(0.97 * TAU), None).unwrap().is_closed());
        assert!(!Path::new(&loop_of(0.8 * TAU), None).unwrap().is_closed());
        assert!(Path::new(&loop_of(TAU), None).unwrap().is_closed());
    }

    #[test]
    fn paths_are_read_from_tables() {
        let text = "x [mm];y\n# by hand\n0;0\n1000; 0\n\n2000;0.5\n1000;1\n0;1\n";
        let without = "0,0\n1,0\n2,0.5\n1,1\n0,1\n";
        for text in [text, without] {
            let path = Path::read(text, None).unwrap();
            assert_eq!(path.points()[2], [2.0, 0.5]);
            assert_eq!(path.points().len(), 5);
        }
        let fault = Path::read("0,0\n1,one\n", None).unwrap_err();
        assert_eq!(fault.place, Some((2, 3)));
        assert!(Path::read("x,y\nx,y\n0,0\n", None).is_err());
        assert!(Path::read("0,0,0\n", None).is_err());
        assert!(Path::read("0,0\n1,\n2,2\n", None).is_err());
    }

    #[test]
    fn what_is_no_path_is_refused() {
        let nan = [[0.0, f64::NAN], [1.0, 0.0]];
        assert!(
            Path::new(&nan, None)
                .unwrap_err()
                .problem
                .contains("number 1")
        );
        let dot = [[1.0, 1.0]; 50];
        assert!(
            Path::new(&dot, None)
                .unwrap_err()
                .problem
                .contains("1 different")
        );
        let far: Vec<[f64; 2]> = (0..9).map(|k| [k as f64 * 1e308, 0.0]).collect();
        assert!(Path::new(&far, None).is_err());
    }
}
