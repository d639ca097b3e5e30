//! The surface of a superquadric by its normals, and its gauge: the functions that contact needs.
//!
//! The point of the primitive whose normal is along m, with `p = 2/(2 − ε₂)`, `s = 2/(2 − ε₁)`:
//!
//! ```text
//!     Q = (|m₁|^p + |m₂|^p)^(1/p)      H = (Q^s + |m₃|^s)^(1/s)
//!     e = ((Q/H)^(s−1)·(m₁/Q)^(p−1), (Q/H)^(s−1)·(m₂/Q)^(p−1), (m₃/H)^(s−1))      signed powers
//! ```
//!
//! H is the support function, and e its gradient. A linear map of the primitive (size, shear) has `h(n) = H(Fᵀ·n)`.

use super::super::number::{Jet, Number};
use super::SuperquadricForm;
use super::deform::{gauge, signed_power};
use crate::math::Vec3;
use crate::shape::tolerances::NOTHING;

impl SuperquadricForm {
    /// Whether it is a linear image of the primitive, and so convex.
    pub(crate) fn is_convex(&self) -> bool {
        self.taper == [0.0; 2] && self.twist == 0.0 && self.bend == [0.0; 2]
    }

    /// The point of the surface where the primitive's normal is along m.
    pub(crate) fn facing<T: Number>(&self, m: [T; 3]) -> [T; 3] {
        self.form().map(T::constant).deform(facing(m, self.e))
    }

    /// The point of the surface in a direction of the primitive from its middle.
    pub(crate) fn toward<T: Number>(&self, d: [T; 3]) -> [T; 3] {
        let out = gauge(d, self.e.map(T::constant)).recip();
        self.form().map(T::constant).deform(d.map(|d| d * out))
    }

    /// Of a convex one: the point that is farthest along n.
    pub(crate) fn support<T: Number>(&self, [x, y, z]: [T; 3]) -> [T; 3] {
        let ([a, b, c], [h, i]) = (self.a, self.shear);
        self.facing([x * a, y * b, (z + x * h + y * i) * c])
    }

    /// The gauge of a point: 1 on the surface, less inside.
    pub(crate) fn gauge_at<T: Number>(&self, p: [T; 3]) -> T {
        let form = self.form().map(T::constant);
        gauge(form.undeform(p), form.e)
    }

    /// The gauge of a point, and its gradient.
    pub(crate) fn gauge_and_slope(&self, p: Vec3) -> (f64, Vec3) {
        let g = self.gauge_at::<Jet<3>>(std::array::from_fn(|k| Jet::variable(p[k], k)));
        (g.v, g.d)
    }

    /// A box about the origin that holds all of it: taper widens it, twist turns it, shear and bend move its ends.
    pub(crate) fn reach(&self) -> Vec3 {
        let [a, b, c] = self.a;
        let (mut x, mut y) = (
            a * (1.0 + self.taper[0].abs()),
            b * (1.0 + self.taper[1].abs()),
        );
        if self.twist != 0.0 {
            (x, y) = (libm::hypot(x, y), libm::hypot(x, y));
        }
        (x, y) = (x + self.shear[0].abs() * c, y + self.shear[1].abs() * c);
        // 1 − k·(x, y) is at most this, and (z²/2)·sinc² at most a₃²/2.
        let [k, l] = self.bend.map(|bend| bend.abs() / c);
        let room = 1.0 + k * x + l * y;
        let aside = 0.5 * c * c * room;
        [x + k * aside, y + l * aside, c * room]
    }
}

/// The point of the primitive whose normal is along m.
fn facing<T: Number>(m: [T; 3], e: [f64; 2]) -> [T; 3] {
    let [s, p] = e.map(|e| e / (2.0 - e));
    let around = length([m[0], m[1]], p + 1.0);
    let all = length([around, m[2]], s + 1.0);
    let (small, whole) = (around.recip(), all.recip());
    let ring = signed_power(around * whole, T::constant(s));
    let [x, y] = [m[0], m[1]].map(|m| ring * signed_power(m * small, T::constant(p)));
    [x, y, signed_power(m[2] * whole, T::constant(s))]
}

/// `(|a|^p + |b|^p)^(1/p)`.
fn length<T: Number>([a, b]: [T; 2], p: f64) -> T {
    if a.value().abs().max(b.value().abs()) < NOTHING {
        return T::constant(NOTHING);
    }
    if p == 2.0 {
        return (a * a + b * b).sqrt();
    }
    let sum = a.abs().power(T::constant(p)) + b.abs().power(T::constant(p));
    sum.power(T::constant(1.0 / p))
}
