//! Numbers: variables without a place, such as the lengths of a design or the unknowns of an optimization
//! (Witkin 1990, §5.3).
//!
//! ```text
//!     x = q      ẋ = v      M = diag(mass)      D = diag(drag)
//! ```

#![allow(non_snake_case)] // D, M: the letters of the papers.

use super::{Body, MassKind, Momentum, Pose};
use crate::connector::{ConnectorKind, ConnectorMut, Site};
use crate::error::Error;
use crate::math::Vec3;

/// A named number that constraints, forces and hands move.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Number {
    /// Its name.
    pub name: String,
    /// Its initial value.
    pub start: f64,
    /// Inertia in worlds with momentum: kg per square of its unit in meters.
    pub mass: f64,
    /// Resistance to motion in worlds without momentum.
    pub drag: f64,
}

/// The default mass of a number: one kilogram, for a number in meters.
const MASS: f64 = 1.0;
/// Its default drag, with which numbers reach their targets within a few frames.
const DRAG: f64 = 1e-4;

impl Number {
    /// A number, easy to move.
    pub fn new(name: impl Into<String>, start: f64) -> Self {
        Self {
            name: name.into(),
            start,
            mass: MASS,
            drag: DRAG,
        }
    }

    /// The same, with another mass.
    #[must_use]
    pub fn with_mass(mut self, mass: f64) -> Self {
        self.mass = mass;
        self
    }

    /// The same, with another drag.
    #[must_use]
    pub fn with_drag(mut self, drag: f64) -> Self {
        self.drag = drag;
        self
    }
}

/// A body of numbers: no place, no weight, no size. `Site::Scalar(i)` is number i, `Site::Coordinates` all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    numbers: Vec<Number>,
}

impl Numbers {
    /// These numbers, in this order.
    pub fn new(numbers: impl IntoIterator<Item = Number>) -> Self {
        Self {
            numbers: numbers.into_iter().collect(),
        }
    }

    /// The numbers.
    pub fn numbers(&self) -> &[Number] {
        &self.numbers
    }

    /// The index of the number with this name.
    pub fn find(&self, name: &str) -> Option<u32> {
        let at = self.numbers.iter().position(|own| own.name == name)?;
        u32::try_from(at).ok()
    }

    fn write(&self, out: &mut [f64], value: impl Fn(&Number) -> f64) {
        for (out, number) in out.iter_mut().zip(&self.numbers) {
            *out = value(number);
        }
    }
}

impl Body for Numbers {
    fn n_q(&self) -> usize {
        self.numbers.len()
    }

    fn n_v(&self) -> usize {
        self.numbers.len()
    }

    fn validate(&self) -> Result<(), Error> {
        if self.numbers.is_empty() {
            return Err(Error::field("numbers", "are none; give at least one"));
        }
        for (at, number) in self.numbers.iter().enumerate() {
            let of_number = |problem: Error| {
                Error::field(
                    "numbers",
                    format!("contain \"{}\", whose {problem}", number.name),
                )
            };
            if number.name.is_empty() {
                return Err(Error::field(
                    "numbers",
                    "contain one without a name; name it",
                ));
            }
            if self.numbers[..at].iter().any(|own| own.name == number.name) {
                let problem = format!(
                    "contain \"{}\" twice; name one of them differently",
                    number.name
                );
                return Err(Error::field("numbers", problem));
            }
            Error::require_finite("start", &number.start).map_err(of_number)?;
            Error::require_positive("mass", &number.mass).map_err(of_number)?;
            Error::require_positive("drag", &number.drag).map_err(of_number)?;
        }
        Ok(())
    }

    fn initial_q(&self, q: &mut [f64]) {
        self.write(q, |number| number.start);
    }

    fn mass_kind(&self) -> MassKind {
        MassKind::Diagonal
    }

    fn mass(&self, _q: &[f64], M: &mut [f64]) {
        self.write(M, |number| number.mass);
    }

    fn drag_metric(&self, _q: &[f64], D: &mut [f64]) {
        self.write(D, |number| number.drag);
    }

    fn uniform_field(&self, _q: &[f64], _acceleration_world: Vec3, _f: &mut [f64]) {}

    fn center_of_mass(&self, _q: &[f64]) -> (f64, Vec3) {
        (0.0, [0.0; 3])
    }

    fn momentum(&self, _q: &[f64], _v: &[f64]) -> Momentum {
        Momentum::default()
    }

    fn pose(&self, _t: f64, _q: &[f64]) -> Option<Pose> {
        None
    }

    fn offers(&self) -> &'static str {
        "its numbers, one by one as scalars or all together as a vector"
    }

    fn connector_kind(&self, site: &Site) -> Result<Option<ConnectorKind>, Error> {
        let n = self.numbers.len();
        match site {
            Site::Scalar(index) if (*index as usize) < n => Ok(Some(ConnectorKind::Scalar)),
            Site::Scalar(index) => {
                let problem = format!("is number {index}; there are {n}, from 0");
                Err(Error::field("scalar", problem))
            }
            Site::Coordinates => Ok(Some(ConnectorKind::Vector(n as u32))),
            _ => Ok(None),
        }
    }

    fn columns(&self, site: &Site) -> Option<Vec<u32>> {
        match site {
            Site::Scalar(index) => Some(vec![*index]),
            _ => None,
        }
    }

    fn connector(&self, site: &Site, _t: f64, q: &[f64], v: &[f64], out: &mut ConnectorMut<'_>) {
        if let Site::Scalar(index) = site {
            let at = *index as usize;
            (out.x[0], out.x_dot[0]) = (q[at], v[at]);
            out.L.set(0, 0, 1.0);
            return;
        }
        out.x.copy_from_slice(q);
        out.x_dot.copy_from_slice(v);
        for k in 0..q.len() {
            out.L.set(k, k, 1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::check_body;

    fn three() -> Numbers {
        Numbers::new([
            Number::new("a", 0.6),
            Number::new("b", -2.0).with_mass(3.0),
            Number::new("c", 0.0).with_drag(0.5),
        ])
    }

    #[test]
    fn keep_the_contract() {
        let sites = [Site::Scalar(0), Site::Scalar(2), Site::Coordinates];
        check_body(&three(), &sites, 1).unwrap();
        assert_eq!(three().find("c"), Some(2));
        assert_eq!(three().find("d"), None);
    }

    #[test]
    fn what_is_no_number_is_refused_by_name() {
        let problem = |numbers: Numbers| numbers.validate().unwrap_err().to_string();
        let mut twice = three();
        twice.numbers[2].name = "a".into();
        assert!(problem(twice).contains("\"a\" twice"));
        assert!(problem(Numbers::new([])).contains("none"));
        let nan = Number::new("x", f64::NAN);
        assert!(problem(Numbers::new([nan])).contains("\"x\", whose start"));
        let massless = Number::new("x", 1.0).with_mass(0.0);
        assert!(problem(Numbers::new([massless])).contains("\"x\", whose mass"));
        let easy = Number::new("x", 1.0).with_drag(-1.0);
        assert!(problem(Numbers::new([easy])).contains("\"x\", whose drag"));
        let beyond = three().connector_kind(&Site::Scalar(3)).unwrap_err();
        assert!(beyond.to_string().contains("number 3"), "{beyond}");
        assert_eq!(three().connector_kind(&Site::Point([0.0; 3])), Ok(None));
    }
}
