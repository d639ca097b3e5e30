//! Shape maps: where the material points of a body are, `x(u; q)`, as a function of its numbers q (Witkin 1990, §5.2).
//!
//! ```text
//!     ẋ = L·v + Σ x_u·u̇      ẍ = L·v̇ + Σ x_u·ü + ℓ      L = ∂x/∂q
//! ```
//!
//! The parameters u say which point is meant: one number on a curve, two on a surface, three in a solid, none where the
//! body is one point. A map is told how u and q move and gives x, ẋ, ℓ and L, of the point or of one of the tangents
//! `∂x/∂u`. From that alone [`ShapeBody`](crate::body::ShapeBody) makes mass, weight, momenta, connectors and flight,
//! and joints slide along it.

mod closest;
pub(crate) mod number;
mod quadrature;
mod spline;
mod superquadric;
mod tolerances;

use std::any::Any;
use std::fmt;

use crate::error::Error;
use crate::math::Vec3;

pub use closest::nearest_on_curve;
pub use quadrature::gauss_legendre;
pub use spline::{MAX_DEGREE, Spline};
pub(crate) use superquadric::solve;
pub use superquadric::{
    DisplacementFields, Distance, MOST_FIELDS, N_COORDINATES, Superquadric, SuperquadricForm,
};

/// The numbers of a map that is not linear are at most so many: they lie on the stack.
pub const MAX_NUMBERS: usize = 48;

/// A material point is told by at most so many numbers: [`ShapeMap::material`].
pub const MAX_MATERIAL: usize = 3 * (1 + MOST_FIELDS);

/// The measure of a solid that is its volume; [`ShapeMap::measure`].
pub const VOLUME: u32 = (1 << 24) + 2;

/// Where on a shape; what a shape has no use for is zero.
pub type Parameters = [f64; 3];

/// What of a shape is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Of {
    /// The point, `x`.
    Point,
    /// The tangent along a parameter, `∂x/∂uₖ`.
    Tangent(usize),
    /// The material direction that points along this at birth, carried along by the deformation but not normalized.
    /// Only solids have it: [`ShapeMap::locate`] says which shapes are.
    Along(Vec3),
}

/// How parameters and numbers move.
#[derive(Clone, Copy, Debug)]
pub struct ShapeMotion<'a> {
    /// Parameters, and their rates.
    pub u: Parameters,
    /// See [`ShapeMotion::u`].
    pub u_dot: Parameters,
    /// Numbers, and their rates.
    pub q: &'a [f64],
    /// See [`ShapeMotion::q`].
    pub v: &'a [f64],
}

impl<'a> ShapeMotion<'a> {
    /// At parameters that stay.
    pub fn at(u: Parameters, q: &'a [f64], v: &'a [f64]) -> Self {
        Self {
            u,
            u_dot: [0.0; 3],
            q,
            v,
        }
    }
}

/// What a map gives; in the plane z is zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ShapeValue {
    /// `x`, or a tangent.
    pub x: Vec3,
    /// Its rate.
    pub x_dot: Vec3,
    /// What its second rate is while neither the numbers nor the parameters accelerate.
    pub ell: Vec3,
    /// Its derivative by each parameter.
    pub x_u: [Vec3; 3],
}

/// The range of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Domain {
    /// Where it begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// Whether its end is its beginning.
    pub closed: bool,
}

impl Domain {
    /// How long it is.
    pub fn length(&self) -> f64 {
        self.to - self.from
    }
}

/// A shape with numbers.
pub trait ShapeMap: Any + fmt::Debug + Send + Sync {
    /// How many numbers there are.
    fn n_numbers(&self) -> usize;

    /// 2 in the plane, 3 in space.
    fn dimension(&self) -> usize;

    /// The range of each parameter: as many as the shape has, three at most.
    fn domains(&self) -> &[Domain];

    /// Whether it makes sense.
    fn validate(&self) -> Result<(), Error>;

    /// The numbers at birth.
    fn start(&self, q: &mut [f64]);

    /// Whether numbers make a shape that is nowhere folded over: there derivatives end.
    fn check(&self, _q: &[f64]) -> Result<(), Error> {
        Ok(())
    }

    /// What the user calls a number, if anything.
    fn name(&self, _number: usize) -> Option<&str> {
        None
    }

    /// Whether `x = L(u)·q`: then mass is constant, and there may be any count of numbers.
    fn is_linear(&self) -> bool {
        false
    }

    /// The numbers that a point depends on, ascending; `None` means all.
    fn numbers_of(&self, _u: Parameters) -> Option<Vec<u32>> {
        None
    }

    /// Where a number is among [`ShapeMap::numbers_of`] that place.
    fn place_of(&self, _u: Parameters, number: usize) -> usize {
        number
    }

    /// How many parts the first parameter falls into, in each of which the shape is smooth and simple.
    fn n_parts(&self) -> usize {
        16
    }

    /// The point or a tangent, how it moves, and `L` as `entry(row, number, value)`, each entry once at most.
    fn eval(
        &self,
        of: Of,
        motion: &ShapeMotion<'_>,
        entry: &mut dyn FnMut(usize, usize, f64),
    ) -> ShapeValue;

    /// How a point moves, without `L`.
    fn motion(&self, motion: &ShapeMotion<'_>) -> ShapeValue {
        self.eval(Of::Point, motion, &mut |_, _, _| {})
    }

    /// Where the point is, and nothing else.
    fn place(&self, u: Parameters, q: &[f64]) -> Vec3 {
        let motion = ShapeMotion::at(u, q, q);
        self.eval(Of::Point, &motion, &mut |_, _, _| {}).x
    }

    /// How many numbers tell a material point to the loops below: [`ShapeMap::material`].
    fn n_material(&self) -> usize {
        3
    }

    /// What tells a point whatever the numbers are, in terms that are cheap to go on from. The loops below take it in
    /// place of the parameters, of one point behind the other.
    fn material(&self, u: Parameters, out: &mut [f64]) {
        out.copy_from_slice(&u);
    }

    /// Where many points are, in their order.
    fn each_place(&self, q: &[f64], points: &[f64], see: &mut dyn FnMut(Vec3)) {
        for u in points.as_chunks::<3>().0 {
            see(self.place(*u, q));
        }
    }

    /// Where many points are, in their order, with `L` axis by axis over all numbers. Not for maps of more than
    /// [`MAX_NUMBERS`].
    fn each_row(&self, q: &[f64], points: &[f64], see: &mut dyn FnMut(Vec3, &[f64])) {
        let n = q.len();
        let mut l = [0.0; 3 * MAX_NUMBERS];
        for u in points.as_chunks::<3>().0 {
            l[..3 * n].fill(0.0);
            let motion = ShapeMotion::at(*u, q, q);
            let value = self.eval(Of::Point, &motion, &mut |axis, number, value| {
                l[axis * n + number] = value;
            });
            see(value.x, &l[..3 * n]);
        }
    }

    /// How many points that stay on the shape move, in their order: x, ẋ and ℓ.
    fn each_motion(&self, q: &[f64], v: &[f64], points: &[f64], see: &mut dyn FnMut(&ShapeValue)) {
        for u in points.as_chunks::<3>().0 {
            let motion = ShapeMotion::at(*u, q, v);
            see(&self.eval(Of::Point, &motion, &mut |_, _, _| {}));
        }
    }

    /// Which material point is at a place, of a solid; none where none could be.
    fn locate(&self, _p: Vec3, _q: &[f64]) -> Option<Parameters> {
        None
    }

    /// The outward normal of a solid at a point of its surface.
    fn normal(&self, _u: Parameters, _q: &[f64]) -> Option<Vec3> {
        None
    }

    /// Whether a solid has a number that can be held and driven: its volume, or one of its own by its place in a list.
    fn has_measure(&self, _index: u32) -> Result<bool, Error> {
        Ok(false)
    }

    /// Such a number, its rate, what its second rate is while the numbers do not accelerate, and its derivatives as
    /// `entry(number, value)`.
    fn measure(
        &self,
        _index: u32,
        _q: &[f64],
        _v: &[f64],
        _entry: &mut dyn FnMut(usize, f64),
    ) -> [f64; 3] {
        [0.0; 3]
    }

    /// Why what it gives there is not finite, in words, if it knows.
    fn blame(&self, _u: Parameters, _q: &[f64]) -> Option<String> {
        None
    }
}
