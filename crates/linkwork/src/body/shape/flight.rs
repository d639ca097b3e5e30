//! Free flight of a shape: RATTLE for its material points on the manifold `x(q)`, so that momentum stays.
//!
//! ```text
//!     Σ m·L(q)ᵀ·(x(q′) − x(q)) + F·(q′ − q) = h·p        p = M(q)·v
//!     p′ = Σ m·L(q′)ᵀ·(x(q′) − x(q))/h + F·(q′ − q)/h    v′ = M(q′)⁻¹·p′
//! ```
//!
//! q′ is found with the factor of M(q). Linear momentum is kept because `Σ m·L` moves all points alike along a
//! translation, angular momentum because `Σ m·x × x′` is that of the points before and after. Parts are so short that
//! nothing turns by more than [`MOST_TURN`].

use super::ShapeBody;
use super::points::Row;
use crate::linalg::small::{cholesky, cholesky_solve};
use crate::math::{Vec3, norm, sub};
use crate::shape::{MAX_NUMBERS, Of, ShapeMotion};

/// How far a part of a flight may turn, radians.
const MOST_TURN: f64 = 0.25;
/// Parts of a flight at most, corrections of each, and when they are small enough, relative to the flight.
const MOST_PARTS: f64 = 64.0;
const MOST_CORRECTIONS: usize = 40;
const CLOSED: f64 = 1e-15;

type Numbers = [f64; MAX_NUMBERS];

impl ShapeBody {
    pub(super) fn fly(&self, q: &mut [f64], v: &mut [f64], h: f64, dq: &mut [f64]) {
        if self.map.is_linear() {
            for ((q, dq), v) in q.iter_mut().zip(dq).zip(v) {
                *dq = h * *v;
                *q += *dq;
            }
            return;
        }
        // ℓ over ẋ is the rate of turning.
        let (mut bend, mut speed) = (0.0f64, 0.0f64);
        self.for_each_point(q, v, |_, value, _| {
            (bend, speed) = (bend.max(norm(value.ell)), speed.max(norm(value.x_dot)));
        });
        let turn = if speed > 0.0 {
            h.abs() * bend / speed
        } else {
            0.0
        };
        let n_parts = (turn / MOST_TURN).ceil().clamp(1.0, MOST_PARTS);
        for _ in 0..n_parts as usize {
            self.fly_part(q, v, h / n_parts, dq);
        }
    }

    fn fly_part(&self, q: &mut [f64], v: &mut [f64], h: f64, dq: &mut [f64]) {
        let n = q.len();
        let mut mass = [0.0; MAX_NUMBERS * MAX_NUMBERS];
        let mass = &mut mass[..n * n];
        let mut start: Numbers = [0.0; MAX_NUMBERS];
        let start = &mut start[..n];
        start.copy_from_slice(q);
        let mut momentum: Numbers = [0.0; MAX_NUMBERS];
        self.fill_mass(start, mass);
        for (p, row) in momentum.iter_mut().zip(mass.chunks_exact(n)) {
            *p = row.iter().zip(&*v).map(|(m, v)| m * v).sum();
        }
        cholesky(n, mass);
        for (q, v) in q.iter_mut().zip(&*v) {
            *q += h * v;
        }
        let mut before = f64::INFINITY;
        for _ in 0..MOST_CORRECTIONS {
            self.push_between(start, start, q, dq);
            let mut size = 0.0f64;
            for (k, dq) in dq.iter_mut().enumerate() {
                *dq = h * momentum[k] - *dq;
            }
            cholesky_solve(n, mass, dq);
            for (k, dq) in dq.iter().enumerate() {
                q[k] += dq;
                size = size.max(dq.abs() / (h * v[k]).abs().max(q[k].abs()).max(1e-300));
            }
            // Round-off stops it, at the latest where corrections no longer shrink.
            if size <= CLOSED || (size < 1e-12 && size >= before) {
                break;
            }
            before = size;
        }
        self.push_between(q, start, q, dq);
        self.fill_mass(q, mass);
        cholesky(n, mass);
        cholesky_solve(n, mass, dq);
        for ((v, dq), (q, start)) in v.iter_mut().zip(dq).zip(q.iter().zip(start)) {
            *v = *dq / h;
            *dq = q - *start;
        }
    }

    /// `Σ m·L(at)ᵀ·(x(to) − x(from)) + F·(to − from)`.
    fn push_between(&self, at: &[f64], from: &[f64], to: &[f64], out: &mut [f64]) {
        for (k, out) in out.iter_mut().enumerate() {
            *out = self.floor[k] * (to[k] - from[k]);
        }
        let mut point = self.points.iter();
        self.for_each_point(at, at, |mass, _, row: Row<'_>| {
            let Some(point) = point.next() else { return };
            let place = |q: &[f64]| -> Vec3 {
                let motion = ShapeMotion::at(point.u, q, q);
                self.map.eval(Of::Point, &motion, &mut |_, _, _| {}).x
            };
            let moved = sub(place(to), place(from));
            for axis in 0..self.map.dimension() {
                row.add_to(axis, mass * moved[axis], out);
            }
        });
    }
}
