//! Armatures: inertia on the coordinate of a joint.
//!
//! A rotor of reflected inertia a on the coordinate φ has the energy `½·a·φ̇²`, whatever else the bodies do.
//! Its row is no condition. With `φ̇ = J·v` it says how the rotor follows:
//!
//! ```text
//!     J·v̇ + λ/a = −γ      the torque λ that accelerates the bodies does not accelerate the rotor
//! ```
//!
//! That adds `a·Jᵀ·J` to the mass, over both bodies of the joint. `c` is φ, counted over full turns. In
//! steps the rotor is a body of one coordinate that is eliminated (`springs::rotor`).

use super::drive::{apart_row, length_row, turn_row};
use super::{Constraint, RowUnit, Rows};
use crate::connector::{ConnectorKind, Input, takes};
use crate::error::Error;

/// An armature on one output of its two connectors; `$output` writes the output's row. Of `$n_angles` in
/// space turns are counted.
macro_rules! armature {
    (
        $(#[$doc:meta])* $name:ident: $of:literal,
        $space:expr, $plane:expr, $unit:ident, $output:ident, $n_angles:literal
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name {
            #[doc = $of]
            pub inertia: f64,
        }

        impl Constraint for $name {
            takes!($space, in_plane: $plane, rows: [$unit]);

            fn validate(&self) -> Result<(), Error> {
                Error::require_positive("inertia", &self.inertia)?;
                Error::require_positive("inertia", &(1.0 / self.inertia))
            }

            fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
                let in_plane = inputs[0].kind.is_planar();
                $output(in_plane, inputs, out);
                if !in_plane && $n_angles > 0 {
                    out.c[0] += out.full_turns(0, out.c[0], out.c_dot[0], 0.0);
                }
            }

            fn n_angles(&self) -> usize {
                $n_angles
            }

            fn inertia(&self) -> Option<f64> {
                Some(self.inertia)
            }

            fn is_relative(&self) -> bool {
                true
            }
        }
    };
}

armature!(
    /// Inertia on the angle of frame b about x of frame a; in the plane, from frame a to frame b.
    AngleArmature: "Moment of inertia, kg·m².",
    [Frame3, Frame3], [Frame2, Frame2], Radian, turn_row, 1
);

armature!(
    /// Inertia on the position of a point along x of frame a.
    LengthArmature: "Mass, kg.",
    [Frame3, Point3], [Frame2, Point2], Meter, length_row, 0
);

armature!(
    /// Inertia on the distance between two points: an inerter.
    Inerter: "Mass, kg.",
    [Point3, Point3], [Point2, Point2], Meter, apart_row, 0
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::contract::{Seeded, Spread};
    use crate::constraint::{check_constraint, check_constraint_at};

    #[test]
    fn every_armature_keeps_the_contract() {
        check_constraint(&AngleArmature { inertia: 0.3 }, 1).unwrap();
        check_constraint(&LengthArmature { inertia: 0.3 }, 2).unwrap();
        // Not where its points meet, which is where `c` is zero.
        let inerter = Inerter { inertia: 0.3 };
        for seed in 0..5 {
            let motions = Seeded::new(seed).motions(inerter.inputs(), Spread::default());
            check_constraint_at(&inerter, 0.0, &motions).unwrap();
        }
    }

    #[test]
    fn wrong_inertias_are_refused() {
        for inertia in [0.0, -1.0, f64::INFINITY, f64::NAN, 1e-320] {
            assert!(AngleArmature { inertia }.validate().is_err(), "{inertia}");
        }
    }
}
