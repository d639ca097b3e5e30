//! Free flight of a shape: RATTLE for its material points on the manifold `x(q)`, so that momentum stays.
//!
//! ```text
//!     Σ m·L(q)ᵀ·(x(q′) − x(q)) + F·(q′ − q) = h·p        p = M(q)·v
//!     p′ = Σ m·L(q′)ᵀ·(x(q′) − x(q))/h + F·(q′ − q)/h    v′ = M(q′)⁻¹·p′
//! ```
//!
//! q′ is found with the factor of M(q). Linear momentum is kept because `Σ m·L` moves all points alike along a
//! translation, angular momentum because `Σ m·x × x′` is that of the points before and after. Parts are so short that
//! nothing turns by more than [`MOST_TURN`]. L(q) of the points is kept on the stack while it is used again.

use super::frame::FRAME_Q;
use super::points::{AT_ONCE, Row};
use super::{MAX_VELOCITIES, ShapeBody};
use crate::body::Body;
use crate::body::tolerances::{CLOSED, MOST_PARTS, MOST_TURN};
use crate::linalg::small::{cholesky, cholesky_solve};
use crate::math::{Vec3, norm};

/// The most corrections of a part of a flight.
const MOST_CORRECTIONS: usize = 40;
/// How many numbers of places and L are kept: 64 kB. Of more points they are computed again.
const MOST_KEPT: usize = 8192;

type Numbers = [f64; MAX_VELOCITIES];

impl ShapeBody {
    pub(super) fn fly(&self, q: &mut [f64], v: &mut [f64], h: f64, dq: &mut [f64]) {
        if let Some(still) = &self.still {
            return still.fly(q, v, h);
        }
        if self.is_straight() {
            for ((q, dq), v) in q.iter_mut().zip(dq).zip(v) {
                *dq = h * *v;
                *q += *dq;
            }
            return;
        }
        let turn = h.abs() * self.turning_rate(q, v);
        let n_parts = (turn / MOST_TURN).ceil().clamp(1.0, MOST_PARTS);
        // From the origin: round-off of places far away, over a short h, would be speed.
        let mut origin = [0.0; 3];
        if self.is_framed {
            origin.copy_from_slice(&q[..3]);
            q[..3].fill(0.0);
        }
        for _ in 0..n_parts as usize {
            self.fly_part(q, v, h / n_parts, dq);
        }
        if self.is_framed {
            for (q, from) in q.iter_mut().zip(origin) {
                *q += from;
            }
        }
    }

    /// How fast something turns: of a frame ω, or a change of its shape; else ℓ over ẋ.
    fn turning_rate(&self, q: &[f64], v: &[f64]) -> f64 {
        if self.is_framed {
            return Self::framed_turn_of(v);
        }
        let (mut bend, mut speed) = (0.0f64, 0.0f64);
        self.for_each_point(q, v, |_, value, _| {
            (bend, speed) = (bend.max(norm(value.ell)), speed.max(norm(value.x_dot)));
        });
        if speed > 0.0 { bend / speed } else { 0.0 }
    }

    fn fly_part(&self, q: &mut [f64], v: &mut [f64], h: f64, dq: &mut [f64]) {
        let n = v.len();
        let mut mass = [0.0; MAX_VELOCITIES * MAX_VELOCITIES];
        let mass = &mut mass[..n * n];
        let mut start = [0.0; 2 * MAX_VELOCITIES + FRAME_Q];
        let start = &mut start[..q.len()];
        start.copy_from_slice(q);
        let mut room = [0.0; MOST_KEPT];
        let each = 3 * (1 + n);
        let mut kept = room.get_mut(..each * self.points.len());
        self.keep(start, kept.as_deref_mut(), mass);
        let mut momentum: Numbers = [0.0; MAX_VELOCITIES];
        for (p, row) in momentum.iter_mut().zip(mass.chunks_exact(n)) {
            *p = row.iter().zip(&*v).map(|(m, v)| m * v).sum();
        }
        cholesky(n, mass);
        for (dq, v) in dq.iter_mut().zip(&*v) {
            *dq = h * v;
        }
        self.displace(q, dq);
        let mut before = f64::INFINITY;
        for _ in 0..MOST_CORRECTIONS {
            match kept.as_deref() {
                Some(kept) => self.push_kept(kept, start, q, dq),
                None => self.push_between(start, start, q, dq),
            }
            for (k, dq) in dq.iter_mut().enumerate() {
                *dq = h * momentum[k] - *dq;
            }
            cholesky_solve(n, mass, dq);
            self.displace(q, dq);
            let size = self.size_of(dq, q, v, h);
            // Round-off stops it, at the latest where corrections no longer shrink.
            if size <= CLOSED || (size < 1e-12 && size >= before) {
                break;
            }
            before = size;
        }
        match kept {
            Some(kept) => self.arrive(kept, start, q, (mass, dq)),
            None => {
                self.push_between(q, start, q, dq);
                self.fill_mass(q, mass);
            }
        }
        cholesky(n, mass);
        cholesky_solve(n, mass, dq);
        for (v, dq) in v.iter_mut().zip(dq) {
            *v = *dq / h;
        }
    }

    /// A correction beside what it corrects: of a frame beside its size and one radian.
    fn size_of(&self, dq: &[f64], q: &[f64], v: &[f64], h: f64) -> f64 {
        let mut size = 0.0f64;
        for (k, dq) in dq.iter().enumerate() {
            let scale = match self.is_framed {
                true if k < 3 => self.size.max(q[k].abs()),
                true => 1.0,
                false => q[k].abs().max(1e-300),
            };
            size = size.max(dq.abs() / (h * v[k]).abs().max(scale));
        }
        size
    }

    /// `F·(to − from)`.
    fn push_floor(&self, from: &[f64], to: &[f64], out: &mut [f64]) {
        let (from, to) = (self.numbers(from), self.numbers(to));
        let behind = self.n_frame().1;
        out[..behind].fill(0.0);
        for (k, out) in out[behind..].iter_mut().enumerate() {
            *out = self.floor[k] * (to[k] - from[k]);
        }
    }

    /// `Σ m·L(at)ᵀ·(x(to) − x(from)) + F·(to − from)`, a few points at a time.
    fn push_between(&self, at: &[f64], from: &[f64], to: &[f64], out: &mut [f64]) {
        self.push_floor(from, to, out);
        let (n, frame) = (self.n_v(), self.frame_at(at));
        let mut l = [0.0; 3 * MAX_VELOCITIES];
        let l = &mut l[..3 * n];
        let (mut ends, mut starts) = ([[0.0; 3]; AT_ONCE], [[0.0; 3]; AT_ONCE]);
        for (points, material) in self.chunks() {
            for (q, places) in [(to, &mut ends), (from, &mut starts)] {
                let (frame, mut places) = (self.frame_at(q), places.iter_mut());
                let mut see = |p: Vec3| {
                    if let Some(place) = places.next() {
                        *place = frame.as_ref().map_or(p, |frame| frame.place(p));
                    }
                };
                self.map.each_place(self.numbers(q), material, &mut see);
            }
            let mut moved = points.iter().zip(ends.iter().zip(&starts));
            let mut see = |p: Vec3, rows: &[f64]| {
                let Some((point, (end, start))) = moved.next() else {
                    return;
                };
                self.carry(frame.as_ref(), p, rows, l);
                for axis in 0..self.map.dimension() {
                    let push = point.mass * (end[axis] - start[axis]);
                    Row::Full(l, n).add_to(axis, push, out);
                }
            };
            self.map.each_row(self.numbers(at), material, &mut see);
        }
    }

    /// M, and places and `L` of all points, one behind the other, if there is room.
    fn keep(&self, q: &[f64], kept: Option<&mut [f64]>, mass: &mut [f64]) {
        let Some(kept) = kept else {
            return self.fill_mass(q, mass);
        };
        mass.fill(0.0);
        let mut kept = kept.chunks_exact_mut(3 * (1 + self.n_v()));
        self.for_each_row(q, |own, x, row| {
            if let (Row::Full(l, _), Some(kept)) = (row, kept.next()) {
                self.add_mass(own, l, mass);
                kept[..3].copy_from_slice(&x);
                kept[3..].copy_from_slice(l);
            }
        });
        self.finish_mass(mass);
    }

    /// [`ShapeBody::push_between`] with what was kept at the start.
    fn push_kept(&self, kept: &[f64], from: &[f64], to: &[f64], out: &mut [f64]) {
        self.push_floor(from, to, out);
        let (n, frame) = (self.n_v(), self.frame_at(to));
        let mut kept = self.points.iter().zip(kept.chunks_exact(3 * (1 + n)));
        let mut see = |p: Vec3| {
            let Some((point, kept)) = kept.next() else {
                return;
            };
            let there = frame.as_ref().map_or(p, |frame| frame.place(p));
            let (x, l) = kept.split_at(3);
            for axis in 0..self.map.dimension() {
                let push = point.mass * (there[axis] - x[axis]);
                Row::Full(l, n).add_to(axis, push, out);
            }
        };
        self.map
            .each_place(self.numbers(to), &self.material, &mut see);
    }

    /// M and what was pushed, both with L where the flight ends, from what was kept where it began.
    fn arrive(&self, kept: &[f64], from: &[f64], to: &[f64], out: (&mut [f64], &mut [f64])) {
        let (mass, push) = out;
        self.push_floor(from, to, push);
        mass.fill(0.0);
        let mut kept = kept.chunks_exact(3 * (1 + self.n_v()));
        self.for_each_row(to, |own, x, row| {
            if let (Row::Full(l, n), Some(kept)) = (row, kept.next()) {
                self.add_mass(own, l, mass);
                for axis in 0..self.map.dimension() {
                    let moved = own * (x[axis] - kept[axis]);
                    Row::Full(l, n).add_to(axis, moved, push);
                }
            }
        });
        self.finish_mass(mass);
    }
}
