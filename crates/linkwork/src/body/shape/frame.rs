//! The rigid frame in front of a shape (Metaxas 1993, eq. 1, 2 and 9–11): a solid that deforms where it is.
//!
//! ```text
//!     x = c + R·p(u; q_s)      v = (ċ, ω, q̇_s)      L = [1, −[r]×, R·J]      r = R·p
//!     ẋ = ċ + ω × r + R·ṗ      ℓ = ω × (ω × r) + 2·ω × R·ṗ + R·ℓ_p
//! ```
//!
//! q is (c, quaternion, q_s), and behind that the rest of each strain that yields.

use super::points::AT_ONCE;
use super::{MAX_VELOCITIES, ShapeBody};
use crate::body::tolerances::LIKE_A_RADIAN;
use crate::body::{Body, Momentum, check_quaternion};
use crate::error::Error;
use crate::math::{
    IDENTITY_QUAT, Mat3, Vec3, add, cross, left_jacobian_inverse, mat_vec, norm, quat_conjugate,
    quat_exp, quat_log, quat_mul, quat_normalize, quat_to_matrix, scale,
};
use crate::shape::{MAX_MATERIAL, Of, Parameters, ShapeMotion, ShapeValue};

/// Coordinates and velocities of a frame.
pub(super) const FRAME_Q: usize = 7;
pub(super) const FRAME_V: usize = 6;

/// Where a frame is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) origin: Vec3,
    pub(super) rotation: Mat3,
}

impl Frame {
    fn of(q: &[f64]) -> Self {
        Self {
            origin: [q[0], q[1], q[2]],
            rotation: quat_to_matrix([q[3], q[4], q[5], q[6]]),
        }
    }

    /// A point of the frame, in the world.
    pub(super) fn place(&self, p: Vec3) -> Vec3 {
        add(self.origin, mat_vec(&self.rotation, p))
    }

    /// What the map gave of a point, in the world.
    fn carry(&self, v: &[f64], value: &mut ShapeValue) {
        let omega = [v[3], v[4], v[5]];
        let r = mat_vec(&self.rotation, value.x);
        let moved = mat_vec(&self.rotation, value.x_dot);
        let bent = mat_vec(&self.rotation, value.ell);
        value.x = add(self.origin, r);
        value.x_dot = add([v[0], v[1], v[2]], add(cross(omega, r), moved));
        let turning = cross(omega, add(cross(omega, r), scale(2.0, moved)));
        value.ell = add(turning, bent);
    }

    /// `L` over all velocities: the columns of numbers turned, those of the frame filled in.
    fn carry_rows(&self, r: Vec3, n: usize, l: &mut [f64]) {
        for column in FRAME_V..n {
            let own = [l[column], l[n + column], l[2 * n + column]];
            let turned = mat_vec(&self.rotation, own);
            for axis in 0..3 {
                l[axis * n + column] = turned[axis];
            }
        }
        for (axis, row) in l.chunks_exact_mut(n).take(3).enumerate() {
            row[axis] = 1.0;
        }
        (l[4], l[5]) = (r[2], -r[1]);
        (l[n + 3], l[n + 5]) = (-r[2], r[0]);
        (l[2 * n + 3], l[2 * n + 4]) = (r[1], -r[0]);
    }
}

impl ShapeBody {
    /// The same behind a rigid frame: the map then says where points are in that frame.
    pub(super) fn n_frame(&self) -> (usize, usize) {
        match self.is_framed {
            true => (FRAME_Q, FRAME_V),
            false => (0, 0),
        }
    }

    pub(super) fn frame_at(&self, q: &[f64]) -> Option<Frame> {
        self.is_framed.then(|| Frame::of(q))
    }

    /// The numbers of the shape among all coordinates.
    pub fn numbers<'a>(&self, q: &'a [f64]) -> &'a [f64] {
        let from = self.n_frame().0;
        &q[from..from + self.map.n_numbers()]
    }

    /// The rates of the numbers among all velocities.
    pub(super) fn rates<'a>(&self, v: &'a [f64]) -> &'a [f64] {
        let from = self.n_frame().1;
        &v[from..from + self.map.n_numbers()]
    }

    /// Where a material point is.
    pub(super) fn place(&self, frame: Option<&Frame>, u: Parameters, q: &[f64]) -> Vec3 {
        let p = self.map.place(u, self.numbers(q));
        match frame {
            Some(frame) => frame.place(p),
            None => p,
        }
    }

    /// A point that the map put at `p` with these rows, in the world; its `L` over all velocities into `l`.
    pub(super) fn carry(
        &self,
        frame: Option<&Frame>,
        p: Vec3,
        rows: &[f64],
        l: &mut [f64],
    ) -> Vec3 {
        let Some(frame) = frame else {
            l.copy_from_slice(rows);
            return p;
        };
        let (n, n_numbers) = (self.n_v(), self.map.n_numbers());
        l.fill(0.0);
        for axis in 0..3 {
            let own = &rows[axis * n_numbers..(axis + 1) * n_numbers];
            l[axis * n + FRAME_V..(axis + 1) * n].copy_from_slice(own);
        }
        let r = mat_vec(&frame.rotation, p);
        frame.carry_rows(r, n, l);
        add(frame.origin, r)
    }

    /// A point of the shape, how it moves, and its `L` into zeros.
    pub(super) fn eval(
        &self,
        u: Parameters,
        (q, v): (&[f64], &[f64]),
        l: &mut [f64],
    ) -> ShapeValue {
        let n = self.n_v();
        let (numbers, rates) = (self.numbers(q), self.rates(v));
        let Some(frame) = self.frame_at(q) else {
            let motion = ShapeMotion::at(u, numbers, rates);
            return self
                .map
                .eval(Of::Point, &motion, &mut |axis, number, value| {
                    l[axis * n + number] = value;
                });
        };
        let mut material = [0.0; MAX_MATERIAL];
        let material = &mut material[..self.map.n_material()];
        self.map.material(u, material);
        let mut value = ShapeValue::default();
        let mut see = |own: &ShapeValue| value = *own;
        self.map.each_motion(numbers, rates, material, &mut see);
        let mut see = |p, rows: &[f64]| {
            self.carry(Some(&frame), p, rows, &mut l[..3 * n]);
        };
        self.map.each_row(numbers, material, &mut see);
        frame.carry(v, &mut value);
        value
    }

    /// `−Σ m·Lᵀ·ℓ`: accelerations first, a few at a time, then rows.
    pub(super) fn push_inertia(&self, q: &[f64], v: &[f64], f: &mut [f64]) {
        let Some(frame) = self.frame_at(q) else {
            return;
        };
        let (numbers, rates) = (self.numbers(q), self.rates(v));
        let n = self.n_v();
        let mut l = [0.0; 3 * MAX_VELOCITIES];
        let l = &mut l[..3 * n];
        let mut accelerations = [[0.0; 3]; AT_ONCE];
        for (points, material) in self.chunks() {
            let mut out = accelerations.iter_mut();
            let mut see = |value: &ShapeValue| {
                let mut value = *value;
                frame.carry(v, &mut value);
                if let Some(out) = out.next() {
                    *out = value.ell;
                }
            };
            self.map.each_motion(numbers, rates, material, &mut see);
            let mut own = points.iter().zip(&accelerations);
            let mut see = |p: Vec3, rows: &[f64]| {
                let Some((point, acceleration)) = own.next() else {
                    return;
                };
                self.carry(Some(&frame), p, rows, l);
                for (l, a) in l.chunks_exact(n).zip(acceleration) {
                    for (f, l) in f.iter_mut().zip(l) {
                        *f -= point.mass * a * l;
                    }
                }
            };
            self.map.each_row(numbers, material, &mut see);
        }
    }

    /// Linear and angular momentum from how the points move.
    pub(super) fn framed_momentum(&self, q: &[f64], v: &[f64]) -> Momentum {
        let mut out = Momentum::default();
        let Some(frame) = self.frame_at(q) else {
            return out;
        };
        let mut masses = self.points.iter();
        let mut see = |value: &ShapeValue| {
            let Some(point) = masses.next() else { return };
            let mut value = *value;
            frame.carry(v, &mut value);
            let part = scale(point.mass, value.x_dot);
            out.linear = add(out.linear, part);
            out.angular = add(out.angular, cross(value.x, part));
        };
        let (numbers, rates) = (self.numbers(q), self.rates(v));
        self.map
            .each_motion(numbers, rates, &self.material, &mut see);
        out
    }

    pub(super) fn displace_framed(&self, q: &mut [f64], dq: &[f64]) {
        for k in 0..3 {
            q[k] += dq[k];
        }
        let turned = quat_mul(quat_exp([dq[3], dq[4], dq[5]]), [q[3], q[4], q[5], q[6]]);
        q[3..7].copy_from_slice(&quat_normalize(turned));
        for (q, dq) in q[FRAME_Q..].iter_mut().zip(&dq[FRAME_V..]) {
            *q += dq;
        }
    }

    /// The displacement between two places, turns included.
    pub(super) fn find_way(&self, from: &[f64], to: &[f64], dq: &mut [f64]) {
        if self.is_framed {
            let turn = |q: &[f64]| [q[3], q[4], q[5], q[6]];
            let turn = quat_mul(turn(to), quat_conjugate(turn(from)));
            dq[3..FRAME_V].copy_from_slice(&quat_log(turn));
            for k in 0..3 {
                dq[k] = to[k] - from[k];
            }
        }
        let behind = self.n_frame().1;
        let numbers = self.numbers(from).iter().zip(self.numbers(to));
        for (dq, (from, to)) in dq[behind..].iter_mut().zip(numbers) {
            *dq = to - from;
        }
    }

    pub(super) fn framed_chart_rate(dq: &[f64], v: &[f64], rate: &mut [f64]) {
        rate.copy_from_slice(v);
        let turn = left_jacobian_inverse([dq[3], dq[4], dq[5]]);
        rate[3..6].copy_from_slice(&mat_vec(&turn, [v[3], v[4], v[5]]));
    }

    /// Turns and changes of shape are cut alike.
    pub(super) fn framed_turn_of(dq: &[f64]) -> f64 {
        let changes = dq[FRAME_V..].iter().map(|dq| dq.abs() / LIKE_A_RADIAN);
        changes.fold(norm([dq[3], dq[4], dq[5]]), f64::max)
    }

    pub(super) fn check_frame(&self, q: &mut [f64]) -> Result<(), Error> {
        Error::require_finite("position", q)?;
        let length = check_quaternion([q[3], q[4], q[5], q[6]])?;
        // What has length one to the last bits stays as it is.
        if (length - 1.0).abs() > 4.0 * f64::EPSILON {
            let unit = quat_normalize([q[3], q[4], q[5], q[6]]);
            q[3..7].copy_from_slice(&unit);
        }
        // Where it folds over, it is a state too: steps may lead there.
        Ok(())
    }

    /// A frame at the origin, the shape and the rest it is born with.
    pub(super) fn start_framed(&self, q: &mut [f64]) {
        q[..3].fill(0.0);
        q[3..FRAME_Q].copy_from_slice(&IDENTITY_QUAT);
        self.start_behind(q);
    }

    /// The shape and its rest at birth.
    pub(super) fn start_behind(&self, q: &mut [f64]) {
        let n = self.map.n_numbers();
        let (numbers, rest) = q[FRAME_Q..].split_at_mut(n);
        numbers.copy_from_slice(&self.born);
        for (rest, strain) in rest.iter_mut().zip(&self.strains) {
            *rest = strain.rest;
        }
    }
}
