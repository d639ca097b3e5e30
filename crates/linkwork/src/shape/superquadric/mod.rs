//! Superquadrics: size, exponents, taper, shear, twist and bend as generalized coordinates (Metaxas 1993, eq. 3–6).
//!
//! ```text
//!     q_s = (ln a₁, ln a₂, ln a₃; y with ε = 1 + 0.9·tanh(y/2); y with t = 0.98·tanh y; h₁, h₂; τ; b₁, b₂)
//! ```
//!
//! No coordinate has a bound to be policed. Each is free, and then a number of the map, or held. A point is told by
//! (r, u, v): r is 1 on the surface, u the latitude, v the longitude of the primitive.

mod deform;
mod displaced;
mod distance;
mod field;
mod levels;
mod map;
mod modes;
mod moments;
mod support;
#[cfg(test)]
mod tests;

use super::number::{Jet, Number, Slope, Taylor};
use super::{Of, Parameters, ShapeMap, ShapeMotion};
use crate::error::{Error, Shown};
use crate::math::Vec3;
use crate::shape::tolerances::{EXPONENT_RANGE, MOST_TAPER};
use deform::{Form, Parts, gauge, unit};
use moments::Detail;
use std::f64::consts::PI;

pub(crate) use displaced::solve;
pub use distance::Distance;
pub use field::{DisplacementFields, MOST_FIELDS};

/// How many coordinates a superquadric has.
pub const N_COORDINATES: usize = 12;
/// Numbers and parameters.
const N_PARTIALS: usize = N_COORDINATES + 3;

/// A superquadric as users see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SuperquadricForm {
    /// Half its extent along each axis, meters.
    pub a: Vec3,
    /// Exponents, between 0.1 (a box) and 1.9 (an octahedron is 2); 1 is round.
    pub e: [f64; 2],
    /// By which part it is wider at the top than in the middle, along x and along y, between −0.98 and 0.98.
    pub taper: [f64; 2],
    /// How far x and y lean with z.
    pub shear: [f64; 2],
    /// How far the top is turned against the middle, radians.
    pub twist: f64,
    /// How far a tip is bent against the middle, radians, about y and about −x.
    pub bend: [f64; 2],
}

impl SuperquadricForm {
    /// A solid that is not deformed.
    pub fn new(a: Vec3, e: [f64; 2]) -> Self {
        Self {
            a,
            e,
            taper: [0.0; 2],
            shear: [0.0; 2],
            twist: 0.0,
            bend: [0.0; 2],
        }
    }

    fn values(&self) -> [f64; N_COORDINATES] {
        let Self {
            a: [a, b, c],
            e: [e, f],
            taper: [t, s],
            shear: [h, i],
            twist,
            bend: [k, l],
        } = *self;
        [a, b, c, e, f, t, s, h, i, twist, k, l]
    }

    fn form(&self) -> Form<f64> {
        let values = self.values();
        Form::new(&values, Parts::of(|own| values[own] != 0.0))
    }

    /// Volume, cubic meters.
    pub fn volume(&self) -> f64 {
        moments::volume(&self.form())
    }

    /// A point of its surface, in its own frame, by latitude and longitude.
    pub fn surface_point(&self, u: f64, v: f64) -> Vec3 {
        self.form().deform(unit([1.0, u, v], self.e))
    }

    /// Whether there is such a solid, and it does not pass through itself.
    pub fn validate(&self) -> Result<(), Error> {
        Error::require_finite("a", &self.a)?;
        for a in self.a {
            Error::require_positive("a", &a)?;
        }
        for e in self.e {
            if !(e > 0.1 && e < 1.9) {
                let problem = format!(
                    "has the exponent {}; give more than 0.1 and less than 1.9",
                    Shown(e)
                );
                return Err(Error::field("e", problem));
            }
        }
        for taper in self.taper {
            if !taper.is_finite() || taper.abs() >= MOST_TAPER {
                let problem = format!("is {}; give tapers between −0.98 and 0.98", Shown(taper));
                return Err(Error::field("taper", problem));
            }
        }
        Error::require_finite("shear", &self.shear)?;
        Error::require_finite("twist", &self.twist)?;
        check_bend(&self.form())
    }
}

/// Bends end before the tips meet, and before the inner side turns over.
fn check_bend(form: &Form<f64>) -> Result<(), Error> {
    let most = libm::hypot(form.bend[0], form.bend[1]);
    if !most.is_finite() || most >= PI {
        let problem = format!("turns a tip by {most} rad; give less than π");
        return Err(Error::field("bend", problem));
    }
    let least = surface(16, 32).map(|[u, v]| form.room(unit([1.0, u, v], form.e)));
    let least = least.fold(f64::INFINITY, f64::min);
    if least > 0.0 {
        return Ok(());
    }
    let problem = "folds its inner side over; bend it less, or make it longer or thinner";
    Err(Error::field("bend", problem))
}

/// A grid over the surface.
fn surface(n_u: usize, n_v: usize) -> impl Iterator<Item = [f64; 2]> {
    (0..=n_u).flat_map(move |i| {
        let u = PI * (i as f64 / n_u as f64 - 0.5);
        (0..n_v).map(move |j| [u, 2.0 * PI * (j as f64 / n_v as f64 - 0.5)])
    })
}

/// A coordinate as it is used: a size, an exponent, a taper …
fn value_of<T: Number>(coordinate: usize, y: T) -> T {
    match coordinate {
        0..3 => y.exponential(),
        3..5 => (y * 0.5).hyperbolic_tangent() * EXPONENT_RANGE + 1.0,
        5..7 => y.hyperbolic_tangent() * MOST_TAPER,
        _ => y,
    }
}

/// The coordinate that is used as `value`.
fn coordinate_of(coordinate: usize, value: f64) -> f64 {
    match coordinate {
        0..3 => libm::log(value),
        3..5 => 2.0 * libm::atanh((value - 1.0) / EXPONENT_RANGE),
        5..7 => libm::atanh(value / MOST_TAPER),
        _ => value,
    }
}

/// The shape map of a superquadric.
#[derive(Clone, Debug, PartialEq)]
pub struct Superquadric {
    born: SuperquadricForm,
    values: [f64; N_COORDINATES],
    /// The place of each coordinate among the numbers, if it is free.
    numbers: [Option<u8>; N_COORDINATES],
    coordinates: Vec<u8>,
    parts: Parts,
    /// Displacements beside the global shape, and points with volumes where they are looked at.
    fields: DisplacementFields,
    solid: Vec<(Parameters, f64)>,
}

impl Superquadric {
    /// What the coordinates are called.
    pub const NAMES: [&'static str; N_COORDINATES] = [
        "a1", "a2", "a3", "e1", "e2", "taper1", "taper2", "shear1", "shear2", "twist", "bend1",
        "bend2",
    ];

    /// A superquadric of which these coordinates are free: places in [`Superquadric::NAMES`].
    pub fn new(born: SuperquadricForm, free: &[usize]) -> Result<Self, Error> {
        born.validate()?;
        let mut numbers = [None; N_COORDINATES];
        for &coordinate in free {
            let Some(own) = numbers.get_mut(coordinate) else {
                let problem = format!("names coordinate {coordinate}; there are {N_COORDINATES}");
                return Err(Error::field("free", problem));
            };
            *own = Some(0);
        }
        let is_free = |own: &usize| numbers[*own].is_some();
        let coordinates: Vec<u8> = (0..N_COORDINATES)
            .filter(is_free)
            .map(|own| own as u8)
            .collect();
        for (at, own) in coordinates.iter().enumerate() {
            numbers[*own as usize] = Some(at as u8);
        }
        let values = born.values();
        Ok(Self {
            born,
            values,
            numbers,
            coordinates,
            parts: Parts::of(|own| numbers[own].is_some() || values[own] != 0.0),
            fields: DisplacementFields::default(),
            solid: Vec::new(),
        })
    }

    /// What it is born as.
    pub fn born(&self) -> &SuperquadricForm {
        &self.born
    }

    /// The free coordinates, ascending: places in [`Superquadric::NAMES`].
    pub fn coordinates(&self) -> impl Iterator<Item = usize> {
        self.coordinates.iter().map(|own| usize::from(*own))
    }

    /// The number that a coordinate is, if it is free.
    pub fn number_of(&self, coordinate: usize) -> Option<usize> {
        self.numbers.get(coordinate)?.map(usize::from)
    }

    /// The number that makes a free coordinate, told by its place among the numbers, this value; and how fast the value
    /// changes with it.
    pub fn number_from(&self, at: usize, value: f64) -> (f64, f64) {
        let coordinate = usize::from(self.coordinates[at]);
        let number = coordinate_of(coordinate, value);
        (number, value_of(coordinate, Taylor::moving(number, 1.0)).d)
    }

    /// What the shape is at these numbers.
    pub fn at(&self, q: &[f64]) -> SuperquadricForm {
        let form = self.form(|number| q[number]);
        SuperquadricForm {
            a: form.a,
            e: form.e,
            taper: form.taper,
            shear: form.shear,
            twist: form.twist,
            bend: form.bend,
        }
    }

    /// The numbers that make the free coordinates those of `form`.
    pub fn numbers_at(&self, form: &SuperquadricForm, q: &mut [f64]) {
        let values = form.values();
        for (q, own) in q.iter_mut().zip(self.coordinates()) {
            *q = coordinate_of(own, values[own]);
        }
    }

    fn form<T: Number>(&self, number: impl Fn(usize) -> T) -> Form<T> {
        let own: [T; N_COORDINATES] = std::array::from_fn(|own| match self.numbers[own] {
            Some(at) => value_of(own, number(usize::from(at))),
            None => T::constant(self.values[own]),
        });
        Form::new(&own, self.parts)
    }

    /// A point of a form, told as [`ShapeMap::material`] tells it.
    fn deform_at<T: Number>(&self, point: Vec3, form: &Form<T>) -> [T; 3] {
        match self.has_free_exponents() {
            true => form.deform(unit(point.map(T::constant), form.e)),
            false => form.deform(point),
        }
    }

    fn jets(&self, q: &[f64]) -> Form<Jet<N_PARTIALS>> {
        self.form(|number| Jet::variable(q[number], number))
    }

    fn rates(&self, motion: &ShapeMotion<'_>) -> Form<Taylor> {
        self.form(|number| Taylor::moving(motion.q[number], motion.v[number]))
    }

    fn has_free_exponents(&self) -> bool {
        self.numbers[3].is_some() || self.numbers[4].is_some()
    }

    /// Points of a solid, (r, u, v), and the volume at birth that each stands for: volume and second moments are exact.
    /// They are 20 where exponents are held, 125 with modes, and 96 to 512 where exponents are free.
    pub fn solid_points(&self) -> Result<Vec<(Parameters, f64)>, Error> {
        let detail = match self.fields.is_affine() {
            _ if self.has_free_exponents() => Detail::Exponents,
            true => Detail::Levels,
            false => Detail::Modes,
        };
        moments::solid(&self.born.form(), detail)
    }

    fn fill_volume(&self, q: &[f64], v: &[f64], entry: &mut dyn FnMut(usize, f64)) -> [f64; 3] {
        if !self.fields.is_empty() {
            return self.fill_displaced_volume(q, v, entry);
        }
        let jet = moments::volume(&self.jets(q));
        for (number, value) in jet.d.iter().take(self.n_numbers()).enumerate() {
            entry(number, *value);
        }
        let motion = ShapeMotion::at([0.0; 3], q, v);
        let rate = moments::volume(&self.rates(&motion));
        [rate.v, rate.d, rate.dd]
    }

    /// The gauge of a point given in the frame of the body: of degree one from the middle of the primitive outward, 1
    /// on the surface. With its gradient.
    pub fn gauge(&self, q: &[f64], p: Vec3) -> (f64, Vec3) {
        let form = self.form(|number| Jet::<3>::constant(q[number]));
        let p = std::array::from_fn(|k| Jet::variable(p[k], k));
        let g = gauge(form.undeform(p), form.e);
        (g.v, g.d)
    }

    /// The direction of the primitive that is along `d` at birth, where this material point is.
    fn direction(&self, u: Parameters, d: Vec3) -> Vec3 {
        let form = self.born.form();
        let p = form.deform(unit(u, self.born.e));
        let moved = std::array::from_fn(|k| Slope {
            at: p[k],
            along: d[k],
        });
        let form = form.map(Slope::<f64>::from_constant);
        form.undeform(moved).map(|x| x.along)
    }

    /// A point, or a vector along it, of a form.
    fn eval_as<T: Number>(&self, of: Of, u: [T; 3], fixed: Parameters, form: &Form<T>) -> [T; 3] {
        let slope = |own: T| Slope {
            at: own,
            along: T::constant(0.0),
        };
        match of {
            Of::Point => form.deform(unit(u, form.e)),
            Of::Tangent(k) => {
                let mut u = u.map(slope);
                u[k].along = T::constant(1.0);
                let lifted = form.map(slope);
                lifted.deform(unit(u, lifted.e)).map(|x| x.along)
            }
            Of::Along(d) => {
                // The point moves with the exponents; the direction is one of the primitive, which does not.
                let direction = self.direction(fixed, d).map(T::constant);
                let at = unit(u, form.e);
                let moved = std::array::from_fn(|k| Slope {
                    at: at[k],
                    along: direction[k],
                });
                form.map(slope).deform(moved).map(|x| x.along)
            }
        }
    }
}
