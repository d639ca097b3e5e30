//! A scalar output held at a value, such as a troid's area (Witkin 1990, §3.2).

use super::{Constraint, RowUnit, Rows};
use crate::connector::{ConnectorKind, Input, takes};
use crate::error::Error;

/// Holds one scalar output at `value`: `c = x − value`. The row counts as square meters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScalarEquals {
    /// The value, in the output's SI unit.
    pub value: f64,
}

impl Constraint for ScalarEquals {
    takes!([Scalar], rows: [SquareMeter]);

    fn validate(&self) -> Result<(), Error> {
        Error::require_finite("value", &self.value)
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        out.c[0] = inputs[0].x[0] - self.value;
        out.c_dot[0] = inputs[0].x_dot[0];
        out.dc_dx(0).set(0, 0, 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::check_constraint;

    #[test]
    fn keeps_the_contract() {
        check_constraint(&ScalarEquals { value: 0.3 }, 1).unwrap();
        assert!(ScalarEquals { value: f64::NAN }.validate().is_err());
    }
}
