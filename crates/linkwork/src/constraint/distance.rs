//! Two points a fixed distance apart: the dumbbell of Witkin 1990, §3.
//!
//! ```text
//!     d = p_b − p_a,  n = d/|d|:     c = |d| − length     ċ = n·ḋ     γ = (|ḋ|² − (n·ḋ)²)/|d|
//! ```
//!
//! Singular when the points coincide: no direction is defined there. The row then points along the
//! first axis and leaves γ out, so that all is finite and a solver can move the points apart.

use super::tolerances::COINCIDENT;
use super::{Constraint, RowUnit, Rows};
use crate::connector::{ConnectorKind, Input, takes};
use crate::error::Error;

/// Keeps two points, in space or in the plane, `length` apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// The distance, greater than zero.
    pub length: f64,
}

/// Writes `|p_b − p_a|`, its rate, `γ` and `∂c/∂x` into the only row.
pub(super) fn distance_row(inputs: &[Input<'_>], out: &mut Rows<'_>) {
    match inputs[0].kind.is_planar() {
        true => distance_row_of::<2>(inputs, out),
        false => distance_row_of::<3>(inputs, out),
    }
}

fn distance_row_of<const N: usize>(inputs: &[Input<'_>], out: &mut Rows<'_>) {
    let (mut d, mut d_dot) = ([0.0; N], [0.0; N]);
    for k in 0..N {
        d[k] = inputs[1].x[k] - inputs[0].x[k];
        d_dot[k] = inputs[1].x_dot[k] - inputs[0].x_dot[k];
    }
    let dot = |a: &[f64; N], b: &[f64; N]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let distance = dot(&d, &d).sqrt();
    let apart = distance > COINCIDENT;
    let mut n = [0.0; N];
    if apart {
        n = d.map(|d_k| d_k / distance);
    } else {
        n[0] = 1.0;
    }
    let rate = dot(&n, &d_dot);
    out.c[0] = distance;
    out.c_dot[0] = rate;
    if apart {
        // |ḋ|² − ċ² as the square of what is across n, which cannot turn negative.
        let across: f64 = (0..N).map(|k| d_dot[k] - rate * n[k]).map(|w| w * w).sum();
        out.gamma[0] = across / distance;
    }
    for k in 0..N {
        out.dc_dx(0).set(0, k, -n[k]);
        out.dc_dx(1).set(0, k, n[k]);
    }
}

impl Constraint for Distance {
    takes!([Point3; 2], in_plane: [Point2; 2], rows: [Meter]);

    fn validate(&self) -> Result<(), Error> {
        if self.length == 0.0 {
            return Err(Error::field(
                "length",
                "is zero; to keep two points together use a ball joint (a pin in the plane)",
            ));
        }
        Error::require_positive("length", &self.length)
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        distance_row(inputs, out);
        out.c[0] -= self.length;
    }

    fn rest_length(&self) -> Option<f64> {
        Some(self.length)
    }

    fn allows_same_body(&self) -> bool {
        // Two nodes of a deformable body, or two points of a troid.
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::check_constraint;
    use crate::constraint::contract::{InputMotion, evaluate};

    #[test]
    fn keeps_the_contract() {
        check_constraint(&Distance { length: 0.7 }, 1).unwrap();
    }

    #[test]
    fn coincident_points_give_finite_rows() {
        let mut a = InputMotion::at_rest(ConnectorKind::Point3, [0.1, 0.2, 0.3]);
        let b = a;
        a.velocity = [1.0, 2.0, 3.0];
        let rows = evaluate(&Distance { length: 0.5 }, 0.0, &[a.at(0.0), b.at(0.0)]);
        assert_eq!((rows.c[0], rows.c_dot[0], rows.gamma[0]), (-0.5, -1.0, 0.0));
        assert_eq!(rows.dc_dx, [-1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn a_length_of_zero_is_refused_with_advice() {
        let invalid = Distance { length: 0.0 }.validate().unwrap_err();
        assert!(invalid.to_string().contains("ball joint"));
        assert!(Distance { length: -1.0 }.validate().is_err());
        assert!(Distance { length: f64::NAN }.validate().is_err());
    }
}
