//! A superquadric, what deforms it, and what undoes that, over any number.
//!
//! ```text
//!     e = (C_u^ε₁·C_v^ε₂, C_u^ε₁·S_v^ε₂, S_u^ε₁)      a point is r·e, with ζ = r·e₃ and z = a₃·ζ
//!     taper   x = a₁·e₁·(1 + t₁ζ)      y = a₂·e₂·(1 + t₂ζ)
//!     twist   (x, y) turned by τ·ζ
//!     shear   x += h₁·z                y += h₂·z
//!     bend    k = b/a₃                 (x, y) += k·(z²/2)·sinc²(κz/2)·(1 − k·(x, y))
//!                                      z ← z·sinc(κz)·(1 − k·(x, y))
//! ```
//!
//! (Metaxas 1993, eq. 3–6; the bend is Barr's circle about the middle.) It is entire in k: written with sinc there is
//! no direction to choose, and no 0/0 where nothing is bent. b is the angle from the middle to a tip.

use super::super::number::Number;
use crate::shape::tolerances::ON_AXIS;
use std::ops::Mul;

/// A shape, as sizes, exponents, tapers, shears, twist and bends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form<T> {
    pub(crate) a: [T; 3],
    pub(crate) e: [T; 2],
    pub(crate) taper: [T; 2],
    pub(crate) shear: [T; 2],
    pub(crate) twist: T,
    pub(crate) bend: [T; 2],
    /// `b/a₃` and `b·b`.
    k: [T; 2],
    square: T,
    parts: Parts,
}

/// Which deformations there are; the others are left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Parts {
    taper: bool,
    shear: bool,
    twist: bool,
    bend: bool,
}

impl Parts {
    /// Those whose coordinates are not zero, or free.
    pub(crate) fn of(is_there: impl Fn(usize) -> bool) -> Self {
        Self {
            taper: is_there(5) || is_there(6),
            shear: is_there(7) || is_there(8),
            twist: is_there(9),
            bend: is_there(10) || is_there(11),
        }
    }
}

/// `sign(c)·|c|^e`.
pub(crate) fn signed_power<T: Number>(c: T, e: T) -> T {
    if c.value().abs() < ON_AXIS {
        return if e.value() == 1.0 {
            c
        } else {
            T::constant(0.0)
        };
    }
    let power = c.abs().power(e);
    if c.value() < 0.0 { -power } else { power }
}

/// The point `r·e(u, v)` of the primitive, in units of its sizes.
pub(crate) fn unit<T: Number>([r, u, v]: [T; 3], e: [T; 2]) -> [T; 3] {
    let ((sin_u, cos_u), (sin_v, cos_v)) = (u.sine_and_cosine(), v.sine_and_cosine());
    // Round-off may take u past a pole.
    let around = match cos_u.value() > 0.0 {
        true => r * signed_power(cos_u, e[0]),
        false => T::constant(0.0),
    };
    [
        around * signed_power(cos_v, e[1]),
        around * signed_power(sin_v, e[1]),
        r * signed_power(sin_u, e[0]),
    ]
}

/// Where `r`, u and v of a point of the primitive are.
pub(crate) fn parameters(x: [f64; 3], e: [f64; 2]) -> [f64; 3] {
    let r = gauge(x, e);
    if r == 0.0 {
        return [0.0; 3];
    }
    let [x, y, z] = x.map(|x| x / r);
    let root = |x: f64, e: f64| signed_power(x, 1.0 / e);
    let v = libm::atan2(root(y, e[1]), root(x, e[1]));
    // C_u^ε₁ is what the larger of x and y says, free of cancellation.
    let (sin, cos) = libm::sincos(v);
    let around = match cos.abs() > sin.abs() {
        true => x.abs() / signed_power(cos.abs(), e[1]),
        false => y.abs() / signed_power(sin.abs(), e[1]),
    };
    [r, libm::atan2(root(z, e[0]), root(around, e[0])), v]
}

/// `F^(ε₁/2)` of a point in units of the sizes: of degree one, 1 on the surface, less inside.
pub(crate) fn gauge<T: Number>(x: [T; 3], e: [T; 2]) -> T {
    let largest = x.iter().fold(0.0f64, |m, x| m.max(x.value().abs()));
    if largest == 0.0 {
        return T::constant(0.0);
    }
    // Relative to the largest, so that high powers neither overflow nor vanish. Zero has no power with a derivative.
    let guard = |x: T| if x.value() < 1e-12 { x + 1e-12 } else { x };
    let [x, y, z] = x.map(|x| x.abs() * (1.0 / largest));
    let outer = e[0].recip() * 2.0;
    let inner = e[1].recip() * 2.0;
    let around = guard(x).power(inner) + guard(y).power(inner);
    let sum = around.power(e[1] * e[0].recip()) + guard(z).power(outer);
    sum.power(e[0] * 0.5) * largest
}

impl<T: Number> Form<T> {
    /// Coordinates as they are used, in the order of [`Superquadric::NAMES`](super::Superquadric::NAMES).
    pub(crate) fn new(own: &[T; 12], parts: Parts) -> Self {
        let bend = [own[10], own[11]];
        let small = own[2].recip();
        Self {
            a: [own[0], own[1], own[2]],
            e: [own[3], own[4]],
            taper: [own[5], own[6]],
            shear: [own[7], own[8]],
            twist: own[9],
            bend,
            k: bend.map(|b| b * small),
            square: bend[0] * bend[0] + bend[1] * bend[1],
            parts,
        }
    }

    /// The same over another number.
    pub(crate) fn map<U>(&self, as_other: impl Fn(T) -> U + Copy) -> Form<U> {
        Form {
            a: self.a.map(as_other),
            e: self.e.map(as_other),
            taper: self.taper.map(as_other),
            shear: self.shear.map(as_other),
            twist: as_other(self.twist),
            bend: self.bend.map(as_other),
            k: self.k.map(as_other),
            square: as_other(self.square),
            parts: self.parts,
        }
    }

    /// Before it is bent: (x, y, z). A point that does not move with the numbers is told by plain ones.
    fn straight<X: Copy>(&self, x: [X; 3]) -> [T; 3]
    where
        T: Mul<X, Output = T>,
    {
        let zeta = x[2];
        let z = self.a[2] * zeta;
        let (mut p, mut q) = (self.a[0] * x[0], self.a[1] * x[1]);
        if self.parts.taper {
            p = p * (self.taper[0] * zeta + 1.0);
            q = q * (self.taper[1] * zeta + 1.0);
        }
        if self.parts.twist {
            let (sin, cos) = (self.twist * zeta).sine_and_cosine();
            (p, q) = (cos * p - sin * q, sin * p + cos * q);
        }
        if self.parts.shear {
            (p, q) = (p + self.shear[0] * z, q + self.shear[1] * z);
        }
        [p, q, z]
    }

    /// `1 − k·(x, y)`: by how much bending leaves room for what is at this place; none where it is not positive.
    pub(crate) fn room(&self, x: [T; 3]) -> T {
        let [p, q, _] = self.straight(x);
        -(self.k[0] * p + self.k[1] * q) + 1.0
    }

    /// A point of the primitive, deformed.
    pub(crate) fn deform<X: Copy>(&self, x: [X; 3]) -> [T; 3]
    where
        T: Mul<X, Output = T>,
    {
        let [p, q, z] = self.straight(x);
        if !self.parts.bend {
            return [p, q, z];
        }
        let k = self.k;
        let angle = self.square * x[2] * x[2];
        let room = -(k[0] * p + k[1] * q) + 1.0;
        let half = (angle * 0.25).sinc_of_square();
        let aside = z * z * half * half * room * 0.5;
        [
            p + k[0] * aside,
            q + k[1] * aside,
            z * angle.sinc_of_square() * room,
        ]
    }

    /// The point of the primitive that is at `p`: everything of [`Form::deform`] is undone in closed form.
    ///
    /// With `δ = 1 − k·(x′, y′)`: `z = (z′/δ)·atanc(κ²z′²/δ²)`, `(x, y) = (x′, y′) − k·z′²/(δ + √(δ² + κ²z′²))`.
    pub(crate) fn undeform(&self, p: [T; 3]) -> [T; 3] {
        let (k, small) = (self.k, self.a[2].recip());
        let square = k[0] * k[0] + k[1] * k[1];
        let room = -(k[0] * p[0] + k[1] * p[1]) + 1.0;
        let radius = (square * p[2] * p[2] + room * room).sqrt();
        let (z, back) = match room.value() > 0.0 {
            true => {
                let slope = p[2] * room.recip();
                let z = slope * (square * slope * slope).atanc_of_square();
                (z, p[2] * p[2] * (room + radius).recip())
            }
            // Beyond a quarter of the circle; κ is not zero there.
            false => {
                let kappa = square.sqrt();
                let z = (kappa * p[2]).angle_from(room) * kappa.recip();
                (z, (radius - room) * square.recip())
            }
        };
        let [x, y] = [0, 1].map(|i: usize| p[i] - k[i] * back - self.shear[i] * z);
        let zeta = z * small;
        let (sin, cos) = (self.twist * zeta).sine_and_cosine();
        let (x, y) = (cos * x + sin * y, cos * y - sin * x);
        let wide = |i: usize| (self.a[i] * (self.taper[i] * zeta + 1.0)).recip();
        [x * wide(0), y * wide(1), zeta]
    }
}
