//! Splines: `x(u) = Σ Rᵢ(u)·Pᵢ`, the control points P being the numbers (Witkin 1990, §5.2).
//!
//! Rᵢ are B-splines of degree 1 to 5 on even knots, clamped at the ends of an open curve, periodic on a closed one, u
//! from 0 to 1. Degree 1 is a polyline; as many points as the degree and one more, open, are a Bézier curve. With
//! weights `Rᵢ = wᵢ·Nᵢ/Σ w·N` (NURBS): still linear in the points.
//!
//! ```text
//!     Nᵢ,ₖ = (u − tᵢ)/(tᵢ₊ₖ − tᵢ)·Nᵢ,ₖ₋₁ + (tᵢ₊ₖ₊₁ − u)/(tᵢ₊ₖ₊₁ − tᵢ₊₁)·Nᵢ₊₁,ₖ₋₁
//!     N′ᵢ,ₖ = k·(Nᵢ,ₖ₋₁/(tᵢ₊ₖ − tᵢ) − Nᵢ₊₁,ₖ₋₁/(tᵢ₊ₖ₊₁ − tᵢ₊₁))
//! ```
//!
//! Beyond the ends of an open curve its last polynomials go on.

use super::{Domain, Of, Parameters, ShapeMap, ShapeMotion, ShapeValue};
use crate::error::Error;
use crate::math::Vec3;

/// The highest degree.
pub const MAX_DEGREE: usize = 5;
/// Basis functions that are not zero at one place.
const MAX_LOCAL: usize = MAX_DEGREE + 1;
/// Derivatives that motion along a tangent takes.
const N_ORDERS: usize = 4;

/// Values and three derivatives of the basis functions of one span.
type Local = [[f64; MAX_LOCAL]; N_ORDERS];

/// A curve with control points.
#[derive(Clone, Debug, PartialEq)]
pub struct Spline {
    points: Vec<Vec3>,
    dimension: usize,
    degree: usize,
    domain: [Domain; 1],
    /// None if all are one.
    weights: Option<Vec<f64>>,
}

impl Spline {
    fn new(points: Vec<Vec3>, dimension: usize, degree: usize, closed: bool) -> Self {
        Self {
            points,
            dimension,
            degree,
            domain: [Domain {
                from: 0.0,
                to: 1.0,
                closed,
            }],
            weights: None,
        }
    }

    /// A curve of the plane.
    pub fn in_plane(points: &[[f64; 2]], degree: usize, closed: bool) -> Self {
        let points = points.iter().map(|&[x, y]| [x, y, 0.0]).collect();
        Self::new(points, 2, degree, closed)
    }

    /// A curve in space.
    pub fn in_space(points: &[Vec3], degree: usize, closed: bool) -> Self {
        Self::new(points.to_vec(), 3, degree, closed)
    }

    /// A rational spline: each point pulls with its weight.
    #[must_use]
    pub fn with_weights(mut self, weights: Vec<f64>) -> Self {
        self.weights = Some(weights);
        self
    }

    /// Where the control points are at birth; in the plane z is zero.
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    /// The degree of its polynomials.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// Whether its ends meet.
    pub fn is_closed(&self) -> bool {
        self.domain[0].closed
    }

    /// The weights, unless all are one.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// How many polynomials it is made of.
    pub fn n_spans(&self) -> usize {
        match self.is_closed() {
            true => self.points.len(),
            false => self.points.len() - self.degree,
        }
    }

    /// tⱼ, with those before the beginning at negative places of a closed curve.
    fn knot(&self, j: usize) -> f64 {
        let t = (j as f64 - self.degree as f64) / self.n_spans() as f64;
        match self.is_closed() {
            true => t,
            false => t.clamp(0.0, 1.0),
        }
    }

    /// The span of a place, and the place; on a closed curve turned back into its range.
    fn span(&self, u: f64) -> (usize, f64) {
        let n = self.n_spans();
        let u = match self.is_closed() {
            true => u - u.floor(),
            false => u,
        };
        let span = (u * n as f64).floor().clamp(0.0, n as f64 - 1.0);
        (self.degree + span as usize, u)
    }

    /// The first of the `degree + 1` points that a place depends on.
    fn first(&self, span: usize) -> usize {
        span - self.degree
    }

    fn point(&self, first: usize, k: usize) -> usize {
        match first + k {
            point if point >= self.points.len() => point - self.points.len(),
            point => point,
        }
    }

    /// Basis functions of a degree over a span.
    fn basis(&self, degree: usize, span: usize, u: f64) -> [f64; MAX_LOCAL] {
        let mut n = [0.0; MAX_LOCAL];
        n[0] = 1.0;
        for k in 1..=degree {
            let mut carried = 0.0;
            for r in 0..k {
                let (left, right) = (self.knot(span + 1 + r - k), self.knot(span + 1 + r));
                let part = n[r] / (right - left);
                n[r] = carried + (right - u) * part;
                carried = (u - left) * part;
            }
            n[k] = carried;
        }
        n
    }

    /// Values and derivatives of the basis functions at a place, and the first point they belong to.
    fn local(&self, u: f64) -> (usize, Local) {
        let (span, u) = self.span(u);
        let p = self.degree;
        let mut local = [[0.0; MAX_LOCAL]; N_ORDERS];
        for (order, out) in local.iter_mut().enumerate().take(p + 1) {
            let mut n = self.basis(p - order, span, u);
            for degree in p - order + 1..=p {
                // From functions of one degree less: places span − degree + 1 to span become one more.
                let mut next = [0.0; MAX_LOCAL];
                for r in 0..degree {
                    let i = span + 1 + r - degree;
                    let part = degree as f64 * n[r] / (self.knot(i + degree) - self.knot(i));
                    next[r + 1] += part;
                    next[r] -= part;
                }
                n = next;
            }
            *out = n;
        }
        let first = self.first(span);
        if let Some(weights) = &self.weights {
            self.divide(first, weights, &mut local);
        }
        (first, local)
    }

    /// The numbers that a derivative along an axis depends on, ascending, and its slope by each.
    pub(crate) fn derivative(&self, order: usize, u: f64, axis: usize) -> (Vec<u32>, Vec<f64>) {
        let (first, local) = self.local(u);
        let number = |k: usize| (self.point(first, k) * self.dimension + axis) as u32;
        let mut rows: Vec<(u32, f64)> = (0..=self.degree)
            .map(|k| (number(k), local[order][k]))
            .collect();
        if let Some(turn) = rows.windows(2).position(|pair| pair[1].0 < pair[0].0) {
            rows.rotate_left(turn + 1);
        }
        rows.into_iter().unzip()
    }

    /// `R = A/W`: `R⁽ᵏ⁾ = (A⁽ᵏ⁾ − Σ C(k, j)·W⁽ʲ⁾·R⁽ᵏ⁻ʲ⁾)/W`.
    fn divide(&self, first: usize, weights: &[f64], local: &mut Local) {
        const BINOMIAL: [[f64; 4]; 4] = [
            [1.0, 0.0, 0.0, 0.0],
            [1.0, 1.0, 0.0, 0.0],
            [1.0, 2.0, 1.0, 0.0],
            [1.0, 3.0, 3.0, 1.0],
        ];
        let mut sums = [0.0; N_ORDERS];
        for (order, row) in local.iter_mut().enumerate() {
            for (k, n) in row.iter_mut().enumerate().take(self.degree + 1) {
                *n *= weights[self.point(first, k)];
                sums[order] += *n;
            }
        }
        for order in 0..N_ORDERS {
            for k in 0..=self.degree {
                let mut rest = local[order][k];
                for j in 1..=order {
                    rest -= BINOMIAL[order][j] * sums[j] * local[order - j][k];
                }
                local[order][k] = rest / sums[0];
            }
        }
    }
}

impl ShapeMap for Spline {
    fn n_numbers(&self) -> usize {
        self.points.len() * self.dimension
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn domains(&self) -> &[Domain] {
        &self.domain
    }

    fn validate(&self) -> Result<(), Error> {
        if !(1..=MAX_DEGREE).contains(&self.degree) {
            let problem = format!("is {}; give 1 to {MAX_DEGREE}", self.degree);
            return Err(Error::field("degree", problem));
        }
        let least = match self.is_closed() {
            true => (self.degree + 1).max(3),
            false => self.degree + 1,
        };
        let n = self.points.len();
        if n < least {
            let curve = if self.is_closed() {
                "a closed"
            } else {
                "an open"
            };
            let problem = format!(
                "are {n}; {curve} curve of degree {} takes {least}",
                self.degree
            );
            return Err(Error::field("points", problem));
        }
        for point in &self.points {
            Error::require_finite("points", point)?;
        }
        if let Some(weights) = &self.weights {
            if weights.len() != n {
                let problem = format!("are {} for {n} points; give one for each", weights.len());
                return Err(Error::field("weights", problem));
            }
            for weight in weights {
                Error::require_positive("weights", weight)?;
            }
        }
        Ok(())
    }

    fn start(&self, q: &mut [f64]) {
        for (q, point) in q.chunks_exact_mut(self.dimension).zip(&self.points) {
            q.copy_from_slice(&point[..self.dimension]);
        }
    }

    fn is_linear(&self) -> bool {
        true
    }

    fn numbers_of(&self, u: Parameters) -> Option<Vec<u32>> {
        let (span, _) = self.span(u[0]);
        let first = self.first(span);
        let mut points: Vec<usize> = (0..=self.degree).map(|k| self.point(first, k)).collect();
        // Ascending where it goes round the end.
        if let Some(turn) = points.windows(2).position(|pair| pair[1] < pair[0]) {
            points.rotate_left(turn + 1);
        }
        let d = self.dimension;
        let numbers = points.iter().flat_map(|&point| point * d..point * d + d);
        Some(numbers.map(|number| number as u32).collect())
    }

    fn place_of(&self, u: Parameters, number: usize) -> usize {
        let (span, _) = self.span(u[0]);
        let first = self.first(span);
        let (point, axis) = (number / self.dimension, number % self.dimension);
        // Points behind the end come first.
        let wrapped = (first + self.degree + 1).saturating_sub(self.points.len());
        let place = match point < wrapped {
            true => point,
            false => point - first + wrapped,
        };
        place * self.dimension + axis
    }

    fn n_parts(&self) -> usize {
        self.n_spans()
    }

    fn eval(
        &self,
        of: Of,
        motion: &ShapeMotion<'_>,
        entry: &mut dyn FnMut(usize, usize, f64),
    ) -> ShapeValue {
        let order = match of {
            Of::Point => 0,
            Of::Tangent(_) => 1,
            Of::Along(_) => return ShapeValue::default(),
        };
        let (first, local) = self.local(motion.u[0]);
        let (w, d) = (motion.u_dot[0], self.dimension);
        let none = [0.0; MAX_LOCAL];
        let n = |more: usize| local.get(order + more).unwrap_or(&none);
        let mut out = ShapeValue::default();
        for k in 0..=self.degree {
            let at = d * self.point(first, k);
            for row in 0..d {
                let (q, v) = (motion.q[at + row], motion.v[at + row]);
                entry(row, at + row, n(0)[k]);
                out.x[row] += n(0)[k] * q;
                out.x_u[0][row] += n(1)[k] * q;
                out.x_dot[row] += n(0)[k] * v;
                out.ell[row] += w * (2.0 * n(1)[k] * v + w * n(2)[k] * q);
            }
        }
        for row in 0..d {
            out.x_dot[row] += w * out.x_u[0][row];
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(spline: &Spline, of: Of, u: f64) -> Vec3 {
        let mut q = vec![0.0; spline.n_numbers()];
        spline.start(&mut q);
        let motion = ShapeMotion::at([u, 0.0, 0.0], &q, &q);
        spline.eval(of, &motion, &mut |_, _, _| {}).x
    }

    const ROUGH: [[f64; 2]; 7] = [
        [0.0, 0.0],
        [1.0, 0.2],
        [1.5, 1.0],
        [0.7, 1.6],
        [-0.4, 1.2],
        [-0.9, 0.7],
        [-0.6, -0.3],
    ];

    #[test]
    fn bases_sum_to_one_and_derivatives_are_differences() {
        for closed in [false, true] {
            for degree in 1..=MAX_DEGREE {
                let plain = Spline::in_plane(&ROUGH, degree, closed);
                let heavy = plain
                    .clone()
                    .with_weights(vec![1.0, 2.0, 0.5, 1.0, 3.0, 1.0, 0.7]);
                for spline in [plain, heavy] {
                    spline.validate().unwrap();
                    for u in [0.013, 0.29, 0.5123, 0.77, 0.986] {
                        let (_, local) = spline.local(u);
                        let sums = local.map(|row| row.iter().sum::<f64>());
                        assert!((sums[0] - 1.0).abs() < 1e-14);
                        assert!(sums[1..].iter().all(|sum| sum.abs() < 1e-9), "{sums:?}");
                        let h = 1e-4;
                        for order in 1..N_ORDERS {
                            let at = |u: f64| spline.local(u).1[order - 1];
                            for k in 0..=degree {
                                let slope = (8.0 * (at(u + h)[k] - at(u - h)[k])
                                    - (at(u + 2.0 * h)[k] - at(u - 2.0 * h)[k]))
                                    / (12.0 * h);
                                let size = 1.0 + local[order][k].abs();
                                let error = (slope - local[order][k]).abs() / size;
                                assert!(error < 1e-5, "{closed} {degree} {order}: {error:.1e}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn ends_of_open_curves_are_their_points_and_closed_ones_go_round() {
        let open = Spline::in_plane(&ROUGH, 3, false);
        assert_eq!(place(&open, Of::Point, 0.0)[..2], ROUGH[0]);
        let end = place(&open, Of::Point, 1.0);
        assert!((end[0] - ROUGH[6][0]).abs() < 1e-15 && (end[1] - ROUGH[6][1]).abs() < 1e-15);
        let closed = Spline::in_plane(&ROUGH, 3, true);
        for k in 0..2 {
            let (a, b) = (
                place(&closed, Of::Point, 0.0),
                place(&closed, Of::Point, 1.0),
            );
            assert!((a[k] - b[k]).abs() < 1e-15);
            let tangent = |u: f64| place(&closed, Of::Tangent(0), u)[k];
            assert!((tangent(1e-9) - tangent(1.0 - 1e-9)).abs() < 1e-6);
        }
        assert_eq!(closed.n_spans(), 7);
        let numbers = closed.numbers_of([0.9, 0.0, 0.0]).unwrap();
        assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]));
    }

    /// A Bézier curve by de Casteljau, and a quarter of a circle by weights.
    #[test]
    fn bezier_curves_and_circles_are_special_cases() {
        let points = [[0.0, 0.0], [1.0, 2.0], [3.0, 2.0], [4.0, -1.0]];
        let bezier = Spline::in_plane(&points, 3, false);
        for u in [0.2, 0.5, 0.9] {
            let mut own = points.to_vec();
            while own.len() > 1 {
                let mix = |a: [f64; 2], b: [f64; 2]| [0, 1].map(|k| a[k] + u * (b[k] - a[k]));
                own = own.windows(2).map(|pair| mix(pair[0], pair[1])).collect();
            }
            let x = place(&bezier, Of::Point, u);
            assert!((x[0] - own[0][0]).abs() < 1e-14 && (x[1] - own[0][1]).abs() < 1e-14);
        }
        let quarter = Spline::in_plane(&[[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], 2, false)
            .with_weights(vec![1.0, 0.5f64.sqrt(), 1.0]);
        for u in [0.0, 0.1, 0.37, 0.8, 1.0] {
            let [x, y, _] = place(&quarter, Of::Point, u);
            assert!((x * x + y * y - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn what_is_no_spline_is_refused() {
        let problem = |spline: Spline| spline.validate().unwrap_err().to_string();
        assert!(problem(Spline::in_plane(&ROUGH, 0, false)).contains("degree is 0"));
        assert!(problem(Spline::in_plane(&ROUGH, 6, false)).contains("degree is 6"));
        assert!(problem(Spline::in_plane(&ROUGH[..3], 3, true)).contains("takes 4"));
        let weights = Spline::in_plane(&ROUGH, 3, true).with_weights(vec![1.0]);
        assert!(problem(weights).contains("1 for 7 points"));
        let weights = Spline::in_plane(&ROUGH, 3, true).with_weights(vec![0.0; 7]);
        assert!(problem(weights).contains("weights"));
    }
}
