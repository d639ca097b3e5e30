//! Numbers that carry derivatives, so that a shape is written once and differentiated by arithmetic.
//!
//! ```text
//!     Jet<N>   value and N partial derivatives             J = ∂x/∂q
//!     Taylor   value, first and second rate along a motion ẋ = J·q̇ and ℓ = J̇·q̇
//!     Slope<T> value and derivative along one direction, both numbers of their own
//! ```
//!
//! Operations on jets are calls: written out, a shape over jets would be most of the engine.

use std::ops::{Add, Mul, Neg, Sub};

/// What a shape is computed with.
pub(crate) trait Number:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + Mul<f64, Output = Self>
    + Add<f64, Output = Self>
{
    /// A number that does not change.
    fn constant(value: f64) -> Self;
    /// Without its derivatives.
    fn value(self) -> f64;
    /// `g(self)` of a function with these derivatives at its value: g, g′, g″, g‴.
    fn lift(self, g: [f64; 4]) -> Self;

    fn recip(self) -> Self {
        let r = 1.0 / self.value();
        let square = r * r;
        self.lift([r, -square, 2.0 * square * r, -6.0 * square * square])
    }

    fn exponential(self) -> Self {
        self.lift([libm::exp(self.value()); 4])
    }

    fn logarithm(self) -> Self {
        let x = self.value();
        let r = 1.0 / x;
        self.lift([libm::log(x), r, -r * r, 2.0 * r * r * r])
    }

    fn sqrt(self) -> Self {
        let x = self.value();
        let s = x.sqrt();
        let first = 0.5 / s;
        let second = -0.5 * first / x;
        self.lift([s, first, second, -1.5 * second / x])
    }

    fn sine_and_cosine(self) -> (Self, Self) {
        let (sin, cos) = libm::sincos(self.value());
        (
            self.lift([sin, cos, -sin, -cos]),
            self.lift([cos, -sin, -cos, sin]),
        )
    }

    fn hyperbolic_tangent(self) -> Self {
        let t = libm::tanh(self.value());
        let d = 1.0 - t * t;
        self.lift([t, d, -2.0 * t * d, 2.0 * d * (3.0 * t * t - 1.0)])
    }

    fn abs(self) -> Self {
        if self.value() < 0.0 { -self } else { self }
    }

    /// `self^power` of a base that is not negative.
    fn power(self, power: Self) -> Self {
        if self.value() <= 0.0 {
            return Self::constant(0.0);
        }
        (self.logarithm() * power).exponential()
    }

    /// `sin(√y)/√y`, entire in y: `2y·f′ = cos √y − f`, and so on.
    fn sinc_of_square(self) -> Self {
        let y = self.value();
        if y < 1.0 {
            return self.lift(polynomial(&SINC, y));
        }
        let x = y.sqrt();
        let (sin, cos) = libm::sincos(x);
        let f = sin / x;
        let first = (cos - f) / (2.0 * y);
        let second = -(0.5 * f + 3.0 * first) / (2.0 * y);
        self.lift([f, first, second, -(0.5 * first + 5.0 * second) / (2.0 * y)])
    }

    /// `atan(√y)/√y` for y ≥ 0: `2y·f′ = 1/(1 + y) − f`, and so on.
    fn atanc_of_square(self) -> Self {
        let y = self.value();
        if y < 0.1 {
            return self.lift(polynomial(&ATANC, y));
        }
        let x = y.sqrt();
        let f = libm::atan(x) / x;
        let r = 1.0 / (1.0 + y);
        let first = (r - f) / (2.0 * y);
        let second = -(r * r + 3.0 * first) / (2.0 * y);
        self.lift([
            f,
            first,
            second,
            (2.0 * r * r * r - 5.0 * second) / (2.0 * y),
        ])
    }

    /// The angle of `(x, y) = (other, self)`, by the quotient that is less than one.
    fn angle_from(self, other: Self) -> Self {
        let (y, x) = (self.value(), other.value());
        let (quotient, sign) = match x.abs() > y.abs() {
            true => (self * other.recip(), 1.0),
            false => (other * self.recip(), -1.0),
        };
        let t = quotient.value();
        let d = 1.0 / (1.0 + t * t);
        let second = -2.0 * t * d * d;
        let third = d * d * d * (6.0 * t * t - 2.0);
        let turned = quotient.lift([libm::atan(t), d, second, third]) * sign;
        turned + (libm::atan2(y, x) - turned.value())
    }
}

/// `Σ (−y)ⁿ/(2n + 1)!`.
const SINC: [f64; 12] = {
    let (mut own, mut n) = ([1.0; 12], 1);
    while n < 12 {
        let m = 2.0 * n as f64;
        own[n] = -own[n - 1] / (m * (m + 1.0));
        n += 1;
    }
    own
};

/// `Σ (−y)ⁿ/(2n + 1)`.
const ATANC: [f64; 18] = {
    let (mut own, mut n) = ([1.0; 18], 0);
    while n < 18 {
        let sign = if n % 2 == 0 { 1.0 } else { -1.0 };
        own[n] = sign / (2.0 * n as f64 + 1.0);
        n += 1;
    }
    own
};

/// A polynomial and its first three derivatives.
fn polynomial(coefficients: &[f64], y: f64) -> [f64; 4] {
    let mut out = [0.0; 4];
    for &own in coefficients.iter().rev() {
        out[3] = out[3] * y + 3.0 * out[2];
        out[2] = out[2] * y + 2.0 * out[1];
        out[1] = out[1] * y + out[0];
        out[0] = out[0] * y + own;
    }
    out
}

impl Number for f64 {
    fn constant(value: f64) -> Self {
        value
    }
    fn value(self) -> f64 {
        self
    }
    fn lift(self, g: [f64; 4]) -> Self {
        g[0]
    }
}

fn product<T: Number>(a: [T; 3], b: [T; 3]) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Of length one.
pub(crate) fn normal<T: Number>(a: [T; 3]) -> [T; 3] {
    let by = product(a, a).sqrt().recip();
    a.map(|a| a * by)
}

/// Orthonormal axes of which the first is along the first vector, and the first two span the plane of both.
pub(crate) fn orthonormal<T: Number>([a, b]: [[T; 3]; 2]) -> [[T; 3]; 3] {
    let x = normal(a);
    let along = product(x, b);
    let y = normal(std::array::from_fn(|k| b[k] - x[k] * along));
    let z = [
        x[1] * y[2] - x[2] * y[1],
        x[2] * y[0] - x[0] * y[2],
        x[0] * y[1] - x[1] * y[0],
    ];
    [x, y, z]
}

/// A value and its partial derivatives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jet<const N: usize> {
    pub(crate) v: f64,
    pub(crate) d: [f64; N],
}

impl<const N: usize> Jet<N> {
    /// The variable number `k`.
    pub(crate) fn variable(v: f64, k: usize) -> Self {
        let mut d = [0.0; N];
        d[k] = 1.0;
        Self { v, d }
    }
}

impl<const N: usize> Number for Jet<N> {
    fn constant(v: f64) -> Self {
        Self { v, d: [0.0; N] }
    }
    fn value(self) -> f64 {
        self.v
    }
    #[inline(never)]
    fn lift(mut self, g: [f64; 4]) -> Self {
        self.v = g[0];
        self.d.iter_mut().for_each(|d| *d *= g[1]);
        self
    }
}

impl<const N: usize> Add for Jet<N> {
    type Output = Self;
    #[inline(never)]
    fn add(mut self, other: Self) -> Self {
        self.v += other.v;
        self.d.iter_mut().zip(other.d).for_each(|(d, o)| *d += o);
        self
    }
}

impl<const N: usize> Sub for Jet<N> {
    type Output = Self;
    #[inline(never)]
    fn sub(mut self, other: Self) -> Self {
        self.v -= other.v;
        self.d.iter_mut().zip(other.d).for_each(|(d, o)| *d -= o);
        self
    }
}

impl<const N: usize> Mul for Jet<N> {
    type Output = Self;
    #[inline(never)]
    fn mul(mut self, other: Self) -> Self {
        for (d, o) in self.d.iter_mut().zip(other.d) {
            *d = *d * other.v + self.v * o;
        }
        self.v *= other.v;
        self
    }
}

impl<const N: usize> Neg for Jet<N> {
    type Output = Self;
    fn neg(self) -> Self {
        self * -1.0
    }
}

impl<const N: usize> Mul<f64> for Jet<N> {
    type Output = Self;
    fn mul(mut self, factor: f64) -> Self {
        self.v *= factor;
        self.d.iter_mut().for_each(|d| *d *= factor);
        self
    }
}

impl<const N: usize> Add<f64> for Jet<N> {
    type Output = Self;
    fn add(mut self, other: f64) -> Self {
        self.v += other;
        self
    }
}

/// A value, its rate and its second rate.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Taylor {
    pub(crate) v: f64,
    pub(crate) d: f64,
    pub(crate) dd: f64,
}

impl Taylor {
    /// What moves evenly.
    pub(crate) fn moving(v: f64, d: f64) -> Self {
        Self { v, d, dd: 0.0 }
    }
}

impl Number for Taylor {
    fn constant(v: f64) -> Self {
        Self::moving(v, 0.0)
    }
    fn value(self) -> f64 {
        self.v
    }
    fn lift(self, g: [f64; 4]) -> Self {
        Self {
            v: g[0],
            d: g[1] * self.d,
            dd: g[2] * self.d * self.d + g[1] * self.dd,
        }
    }
}

impl Add for Taylor {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            v: self.v + other.v,
            d: self.d + other.d,
            dd: self.dd + other.dd,
        }
    }
}

impl Sub for Taylor {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Taylor {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self {
            v: self.v * other.v,
            d: self.d * other.v + self.v * other.d,
            dd: self.dd * other.v + 2.0 * self.d * other.d + self.v * other.dd,
        }
    }
}

impl Neg for Taylor {
    type Output = Self;
    fn neg(self) -> Self {
        self * -1.0
    }
}

impl Mul<f64> for Taylor {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self {
            v: self.v * factor,
            d: self.d * factor,
            dd: self.dd * factor,
        }
    }
}

impl Add<f64> for Taylor {
    type Output = Self;
    fn add(mut self, other: f64) -> Self {
        self.v += other;
        self
    }
}

/// A number and its derivative along one direction, which has derivatives of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slope<T> {
    pub(crate) at: T,
    pub(crate) along: T,
}

impl Slope<f64> {
    /// A number that does not change along.
    pub(crate) fn from_constant(value: f64) -> Self {
        Self::constant(value)
    }
}

impl<T: Number> Number for Slope<T> {
    fn constant(value: f64) -> Self {
        Self {
            at: T::constant(value),
            along: T::constant(0.0),
        }
    }
    fn value(self) -> f64 {
        self.at.value()
    }
    fn lift(self, g: [f64; 4]) -> Self {
        // Slopes of slopes, which would need g⁗, there are none.
        Self {
            at: self.at.lift(g),
            along: self.along * self.at.lift([g[1], g[2], g[3], f64::NAN]),
        }
    }
}

impl<T: Number> Add for Slope<T> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            at: self.at + other.at,
            along: self.along + other.along,
        }
    }
}

impl<T: Number> Sub for Slope<T> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self {
            at: self.at - other.at,
            along: self.along - other.along,
        }
    }
}

impl<T: Number> Mul for Slope<T> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self {
            at: self.at * other.at,
            along: self.along * other.at + self.at * other.along,
        }
    }
}

impl<T: Number> Neg for Slope<T> {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            at: -self.at,
            along: -self.along,
        }
    }
}

impl<T: Number> Mul<f64> for Slope<T> {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self {
            at: self.at * factor,
            along: self.along * factor,
        }
    }
}

impl<T: Number> Add<f64> for Slope<T> {
    type Output = Self;
    fn add(self, other: f64) -> Self {
        Self {
            at: self.at + other,
            along: self.along,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every function against differences of its value, and of its derivatives.
    #[test]
    fn functions_have_their_derivatives() {
        type Own = Slope<Taylor>;
        type Function = fn(Own) -> Own;
        let functions: [(&str, Function); 9] = [
            ("recip", Number::recip),
            ("exp", Number::exponential),
            ("ln", Number::logarithm),
            ("sqrt", Number::sqrt),
            ("sin", |x| x.sine_and_cosine().0),
            ("tanh", Number::hyperbolic_tangent),
            ("sinc", Number::sinc_of_square),
            ("atanc", Number::atanc_of_square),
            ("atan2", |x| x.angle_from(Own::constant(-0.4))),
        ];
        for (name, function) in functions {
            for x in [0.03, 0.0999, 0.1001, 0.7, 0.9999, 1.0001, 2.3] {
                // x + s·1 with s = 0.3·t moving: mixed derivatives up to the third.
                let at = |t: f64| {
                    let moving = Own {
                        at: Taylor::moving(x + 0.3 * t, 0.3),
                        along: Taylor::constant(1.0),
                    };
                    function(moving)
                };
                let (h, here) = (1e-3 * x, at(0.0));
                let rate = |of: &dyn Fn(Own) -> f64| {
                    let far = of(at(2.0 * h)) - of(at(-2.0 * h));
                    (8.0 * (of(at(h)) - of(at(-h))) - far) / (12.0 * h)
                };
                let pairs = [
                    (here.at.d, rate(&|y| y.at.v)),
                    (here.at.dd, rate(&|y| y.at.d)),
                    (here.along.v * 0.3, rate(&|y| y.at.v)),
                    (here.along.d, rate(&|y| y.along.v)),
                    (here.along.dd, rate(&|y| y.along.d)),
                ];
                for (given, found) in pairs {
                    let error = (given - found).abs() / (1.0 + given.abs());
                    assert!(error < 1e-8, "{name} at {x}: {given} {found}");
                }
            }
        }
    }
}
