//! A constraint whose force acts along another direction than its row (Baraff 1996, §8: K ≠ Jᵀ).
//!
//! The row is that of an ordinary one-row constraint; the force `λ` acts on the point of input b
//! along a direction fixed in frame a, and its reaction on frame a at the same place: force
//! `K = (−e, −(p_b − p_a) × e)` on a, `e` on b. A block on a sled driven by a slanted rod, or a
//! contact with sliding friction (`e = n + μ·t`), are of this kind. Such a force may do work.

use super::{Constraint, Level, RowUnit, Rows};
use crate::connector::{ConnectorKind, Input};
use crate::error::Error;
use crate::math::{Vec3, cross, mat_vec, neg, norm, scale, sub};

/// A one-row constraint between a frame and a point or frame, pushing along `direction`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PushedAlong<C> {
    /// What is held; its first input is a frame in space, its second a point or frame in space.
    pub constraint: C,
    /// Along what it pushes input b when its multiplier is positive, in frame a. It need not be a
    /// unit vector: with `n + μ·t` the multiplier is the normal force.
    pub direction: Vec3,
}

impl<C: Constraint> Constraint for PushedAlong<C> {
    fn inputs(&self) -> &[ConnectorKind] {
        self.constraint.inputs()
    }

    fn rows(&self) -> &[RowUnit] {
        self.constraint.rows()
    }

    fn level(&self) -> Level {
        self.constraint.level()
    }

    fn validate(&self) -> Result<(), Error> {
        self.constraint.validate()?;
        let fits = matches!(
            self.inputs(),
            [
                ConnectorKind::Frame3,
                ConnectorKind::Point3 | ConnectorKind::Frame3
            ]
        );
        if !fits || self.rows().len() != 1 || self.constraint.inertia().is_some() {
            return Err(Error::field(
                "constraint",
                "must have one row, between a frame in space and a point or frame in space",
            ));
        }
        Error::require_finite("direction", &self.direction)?;
        Error::require_positive("direction length", &norm(self.direction))
    }

    fn eval(&self, t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        self.constraint.eval(t, inputs, out);
        let direction_world = mat_vec(&inputs[0].rotation(), self.direction);
        let d = sub(inputs[1].position(), inputs[0].position());
        out.push(0).set3(0, 0, neg(direction_world));
        out.push(0)
            .set3(0, 3, scale(-1.0, cross(d, direction_world)));
        out.push(1).set3(0, 0, direction_world);
    }

    fn pushes_elsewhere(&self) -> bool {
        true
    }

    fn n_angles(&self) -> usize {
        self.constraint.n_angles()
    }

    fn allows_same_body(&self) -> bool {
        self.constraint.allows_same_body()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::contract::{Seeded, Spread, evaluate};
    use crate::constraint::{FramePair, check_constraint};

    #[test]
    fn keeps_the_contract_and_pushes_without_net_force_or_torque() {
        let constraint = PushedAlong {
            constraint: FramePair::point_on_plane(),
            direction: [1.0, 0.3, -0.2],
        };
        check_constraint(&constraint, 1).unwrap();

        let motions = Seeded::new(2).motions(constraint.inputs(), Spread::default());
        let rows = evaluate(&constraint, 0.0, &[motions[0].at(0.0), motions[1].at(0.0)]);
        let at = |k: usize| [rows.push[k], rows.push[k + 1], rows.push[k + 2]];
        let (force_a, torque_a, force_b) = (at(0), at(3), at(6));
        let d = sub(motions[1].place, motions[0].place);
        let moment = cross(d, force_b);
        for k in 0..3 {
            assert!((force_a[k] + force_b[k]).abs() < 1e-15);
            assert!((torque_a[k] + moment[k]).abs() < 1e-15);
        }
        assert!((norm(force_b) - norm(constraint.direction)).abs() < 1e-15);
    }

    #[test]
    fn along_the_row_itself_it_pushes_as_usual() {
        let constraint = PushedAlong {
            constraint: FramePair::point_on_plane(),
            direction: [1.0, 0.0, 0.0],
        };
        let motions = Seeded::new(3).motions(constraint.inputs(), Spread::default());
        let rows = evaluate(&constraint, 0.0, &[motions[0].at(0.0), motions[1].at(0.0)]);
        for (push, d) in rows.push.iter().zip(&rows.dc_dx) {
            assert!((push - d).abs() < 1e-15);
        }
    }

    #[test]
    fn refuses_what_it_cannot_push() {
        let hinge = PushedAlong {
            constraint: FramePair::hinge(),
            direction: [1.0, 0.0, 0.0],
        };
        assert_eq!(
            hinge.validate().unwrap_err().field_name(),
            Some("constraint")
        );
        let nowhere = PushedAlong {
            constraint: FramePair::point_on_plane(),
            direction: [0.0; 3],
        };
        assert_eq!(
            nowhere.validate().unwrap_err().field_name(),
            Some("direction length")
        );
    }
}
