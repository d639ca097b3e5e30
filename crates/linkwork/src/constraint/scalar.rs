//! Equations of scalars: a number is held at a value, or at a distance from another (Witkin 1990, §3.2).

use std::slice;

use super::{Constraint, RowUnit, Rows};
use crate::connector::{ConnectorKind, Input, takes};
use crate::error::Error;

/// Holds one scalar at `value`: `c = x − value`. As an equation, `x` is an output of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScalarEquals {
    /// The value, in the scalar's SI unit.
    pub value: f64,
    /// The unit, for scaling and reports: square meters for an area, a pure number where nothing is known.
    pub unit: RowUnit,
}

impl ScalarEquals {
    /// A number has a value.
    pub fn number(value: f64) -> Self {
        let unit = RowUnit::Number;
        Self { value, unit }
    }

    /// An area, such as a troid's, has a value, m².
    pub fn area(value: f64) -> Self {
        let unit = RowUnit::SquareMeter;
        Self { value, unit }
    }
}

impl Constraint for ScalarEquals {
    takes!([Scalar]);

    fn rows(&self) -> &[RowUnit] {
        slice::from_ref(&self.unit)
    }

    fn validate(&self) -> Result<(), Error> {
        Error::require_finite("value", &self.value)
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        out.c[0] = inputs[0].x[0] - self.value;
        out.c_dot[0] = inputs[0].x_dot[0];
        out.dc_dx(0).set(0, 0, 1.0);
    }
}

/// Holds two scalars at a difference: `c = x_b − x_a − value`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScalarDifference {
    /// The difference; zero for equal scalars.
    pub value: f64,
    /// The unit, for scaling and reports.
    pub unit: RowUnit,
}

impl ScalarDifference {
    /// Two numbers are equal.
    pub fn zero() -> Self {
        Self {
            value: 0.0,
            unit: RowUnit::Number,
        }
    }
}

impl Constraint for ScalarDifference {
    takes!([Scalar, Scalar]);

    fn rows(&self) -> &[RowUnit] {
        slice::from_ref(&self.unit)
    }

    fn validate(&self) -> Result<(), Error> {
        Error::require_finite("value", &self.value)
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        out.c[0] = inputs[1].x[0] - inputs[0].x[0] - self.value;
        out.c_dot[0] = inputs[1].x_dot[0] - inputs[0].x_dot[0];
        out.dc_dx(0).set(0, 0, -1.0);
        out.dc_dx(1).set(0, 0, 1.0);
    }

    /// Two numbers of one body may be equal.
    fn allows_same_body(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::check_constraint;

    #[test]
    fn keep_the_contract() {
        check_constraint(&ScalarEquals::number(0.3), 1).unwrap();
        let apart = ScalarDifference {
            value: 0.2,
            ..ScalarDifference::zero()
        };
        check_constraint(&apart, 1).unwrap();
        assert!(ScalarEquals::area(f64::NAN).validate().is_err());
        let nan = f64::NAN;
        assert!(
            ScalarDifference {
                value: nan,
                ..apart
            }
            .validate()
            .is_err()
        );
    }

    /// No length of a body turns a number into meters.
    #[test]
    fn numbers_are_not_scaled() {
        let unit = |law: &dyn Constraint| law.rows()[0].in_meters(0.01);
        assert_eq!(unit(&ScalarEquals::number(1.0)), 1.0);
        assert_eq!(unit(&ScalarDifference::zero()), 1.0);
        assert_eq!(unit(&ScalarEquals::area(1.0)), 100.0);
    }
}
