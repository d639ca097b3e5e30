//! Gears, differentials and their like: a linear relation between spins.
//!
//! Inputs: any number of wheels and, last, the carrier that holds their axles. Wheel k turns about
//! x of its own frame:
//!
//! ```text
//!     ċ = Σ coefficient_k · x_k·(ω_k − ω_carrier) = 0
//!     γ = −Σ coefficient_k · ω_carrier·(ω_k × x_k)
//! ```
//!
//! | mechanism                                | coefficients                             |
//! |------------------------------------------|------------------------------------------|
//! | wheels in outer mesh, axes alike         | teeth_a, teeth_b                         |
//! | wheel inside a ring, belt or chain       | teeth_a, −teeth_b                        |
//! | differential: half shafts in its case    | 1, 1                                     |
//! | planetary set: sun and ring in the carrier | teeth_sun, teeth_ring                  |
//!
//! A condition on rates: it says how fast the wheels turn, not where their teeth stand.

use super::{Constraint, Level, RowUnit, Rows};
use crate::connector::{ConnectorKind, Input};
use crate::error::Error;
use crate::math::{Vec3, column, cross, dot, scale, sub};

/// A linear relation between the spins of wheels relative to their carrier.
///
/// The carrier may be the ground, and one body may be several inputs (the ring of a planetary set
/// may be its carrier's own frame; then it contributes nothing).
#[derive(Clone, Debug, PartialEq)]
pub struct SpinRelation {
    coefficients: Vec<f64>,
    /// One per wheel and one for the carrier, in space and in the plane.
    kinds: [Vec<ConnectorKind>; 2],
}

impl SpinRelation {
    /// The relation with these coefficients, one per wheel, between frames in space or in the plane.
    pub fn new(coefficients: &[f64]) -> Self {
        let kinds = [ConnectorKind::Frame3, ConnectorKind::Frame2];
        Self {
            coefficients: coefficients.to_vec(),
            kinds: kinds.map(|kind| vec![kind; coefficients.len() + 1]),
        }
    }

    /// Two wheels in outer mesh, with these numbers of teeth (or radii): inputs wheel a, wheel b,
    /// carrier. Their axes x point to the same side; a negative number means inner mesh or belt.
    pub fn gear(teeth_a: f64, teeth_b: f64) -> Self {
        Self::new(&[teeth_a, teeth_b])
    }

    /// A differential: inputs left shaft, right shaft, case. The case turns at the mean of the
    /// shafts' spins, `ω_left + ω_right = 2·ω_case`.
    pub fn differential() -> Self {
        Self::new(&[1.0, 1.0])
    }

    /// The coefficients, one per wheel.
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }
}

impl Constraint for SpinRelation {
    fn inputs(&self) -> &[ConnectorKind] {
        &self.kinds[0]
    }

    fn inputs_in_plane(&self) -> &[ConnectorKind] {
        &self.kinds[1]
    }

    fn rows(&self) -> &[RowUnit] {
        &[RowUnit::Radian]
    }

    fn level(&self) -> Level {
        Level::Velocity
    }

    fn is_relative(&self) -> bool {
        true
    }

    fn validate(&self) -> Result<(), Error> {
        Error::require_finite("coefficients", &self.coefficients)?;
        if self.coefficients.iter().all(|&c| c == 0.0) {
            return Err(Error::field(
                "coefficients",
                "are all zero or none; give at least one other than zero",
            ));
        }
        Ok(())
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        let n = self.coefficients.len();
        let carrier = &inputs[n];
        if carrier.kind.is_planar() {
            for (k, &coefficient) in self.coefficients.iter().enumerate() {
                out.c_dot[0] += coefficient * (inputs[k].x_dot[2] - carrier.x_dot[2]);
                out.dc_dx(k).set(0, 2, coefficient);
                out.dc_dx(n).add(0, 2, -coefficient);
            }
            return;
        }
        let omega_carrier = carrier.omega();
        for (k, &coefficient) in self.coefficients.iter().enumerate() {
            let omega = inputs[k].omega();
            let axis: Vec3 = column(&inputs[k].rotation(), 0);
            out.c_dot[0] += coefficient * dot(axis, sub(omega, omega_carrier));
            // ẋ_k·(ω_k − ω_carrier) with ẋ_k = ω_k × x_k.
            out.gamma[0] -= coefficient * dot(omega_carrier, cross(omega, axis));
            out.dc_dx(k).set3(0, 3, scale(coefficient, axis));
            for j in 0..3 {
                out.dc_dx(n).add(0, 3 + j, -coefficient * axis[j]);
            }
        }
    }

    fn allows_same_body(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::check_constraint;
    use crate::constraint::contract::{InputMotion, evaluate};

    #[test]
    fn every_relation_keeps_the_contract() {
        for (seed, relation) in (0..).zip([
            SpinRelation::gear(20.0, 35.0),
            SpinRelation::differential(),
            SpinRelation::new(&[1.0, -0.5, 2.0]),
            SpinRelation::new(&[3.0]),
        ]) {
            check_constraint(&relation, seed).unwrap_or_else(|v| panic!("{relation:?}: {v}"));
        }
    }

    /// Spins that a workshop manual gives.
    #[test]
    fn known_ratios() {
        let spinning = |spin: f64| {
            let mut motion = InputMotion::at_rest(ConnectorKind::Frame3, [0.0; 3]);
            motion.spin = [spin, 0.0, 0.0];
            motion.at(0.0)
        };
        let check = |relation: &SpinRelation, spins: [f64; 3]| {
            let rows = evaluate(relation, 0.0, &spins.map(spinning));
            assert!(rows.c_dot[0].abs() < 1e-12, "{relation:?} {spins:?}");
        };
        check(&SpinRelation::gear(20.0, 40.0), [2.0, -1.0, 0.0]);
        check(&SpinRelation::gear(20.0, -40.0), [2.0, 1.0, 0.0]);
        check(&SpinRelation::differential(), [3.0, 1.0, 2.0]);
        // Planetary set, sun 30 and ring 70 teeth, ring held: carrier turns at 0.3 of the sun.
        check(&SpinRelation::gear(30.0, 70.0), [1.0, 0.0, 0.3]);
    }

    #[test]
    fn no_relation_is_refused() {
        assert!(SpinRelation::new(&[]).validate().is_err());
        assert!(SpinRelation::new(&[0.0, 0.0]).validate().is_err());
        assert!(SpinRelation::new(&[1.0, f64::NAN]).validate().is_err());
    }
}
