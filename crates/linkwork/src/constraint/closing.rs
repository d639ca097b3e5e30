//! A joint that closes over time: its error is led to zero instead of being closed at once.
//!
//! ```text
//!     c(x, t) = c_joint(x) − s(τ)·c_start − r(τ)·ċ_start      τ = (t − start)/duration
//!     s = 1 − τ³·(10 − 15·τ + 6·τ²)                 from one to nothing, at rest at both ends
//!     r = duration·(τ − 6·τ³ + 8·τ⁴ − 3·τ⁵)         from rate one to nothing
//! ```
//!
//! Positions and velocities are led without a jump, and accelerations where they were none between
//! the two; after the end it is the joint itself.

use std::sync::Arc;

use super::{Constraint, Level, RowUnit, Rows};
use crate::connector::{ConnectorKind, Input};
use crate::error::{Error, check_fields};

/// A joint on its way from where it was made to closed.
#[derive(Clone, Debug)]
pub struct Closing {
    /// The joint it becomes.
    pub joint: Arc<dyn Constraint>,
    /// Its rows where it was made.
    pub c_start: Vec<f64>,
    /// Their rates then.
    pub c_dot_start: Vec<f64>,
    /// When it was made.
    pub start: f64,
    /// How long it takes.
    pub duration: f64,
}

impl Closing {
    /// When it is closed.
    pub fn end(&self) -> f64 {
        self.start + self.duration
    }

    pub(crate) fn wrong_length() -> Error {
        Error::field("c_start", "must have one number for each row")
    }

    /// What is left of the error and of its first rate, each with its rates.
    fn left(&self, t: f64) -> ([f64; 3], [f64; 3]) {
        let tau = ((t - self.start) / self.duration).clamp(0.0, 1.0);
        let (rest, per) = (1.0 - tau, 1.0 / self.duration);
        let s = [
            1.0 - tau * tau * tau * (10.0 - tau * (15.0 - 6.0 * tau)),
            -30.0 * tau * tau * rest * rest * per,
            -60.0 * tau * rest * (1.0 - 2.0 * tau) * per * per,
        ];
        let r = [
            self.duration * tau * (1.0 - tau * tau * (6.0 - tau * (8.0 - 3.0 * tau))),
            1.0 - tau * tau * (18.0 - tau * (32.0 - 15.0 * tau)),
            tau * (-36.0 + tau * (96.0 - 60.0 * tau)) * per,
        ];
        (s, r)
    }
}

impl Constraint for Closing {
    fn inputs(&self) -> &[ConnectorKind] {
        self.joint.inputs()
    }

    fn rows(&self) -> &[RowUnit] {
        self.joint.rows()
    }

    fn inputs_in_plane(&self) -> &[ConnectorKind] {
        self.joint.inputs_in_plane()
    }

    fn rows_in_plane(&self) -> &[RowUnit] {
        self.joint.rows_in_plane()
    }

    fn validate(&self) -> Result<(), Error> {
        self.joint.validate()?;
        if self.joint.level() == Level::Velocity {
            let problem = "is a condition on rates; there is nothing to close";
            return Err(Error::field("joint", problem));
        }
        if self.joint.inertia().is_some() {
            let problem = "is an armature; there is nothing to close";
            return Err(Error::field("joint", problem));
        }
        let n = self.c_start.len();
        let fits = n == self.rows().len() || n == self.rows_in_plane().len();
        if !fits || self.c_dot_start.len() != n {
            return Err(Self::wrong_length());
        }
        check_fields!(self, finite: c_start, c_dot_start, start; positive: duration)
    }

    fn eval(&self, t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        self.joint.eval(t, inputs, out);
        let (s, r) = self.left(t);
        for (row, (c, c_dot)) in self.c_start.iter().zip(&self.c_dot_start).enumerate() {
            out.c[row] -= s[0] * c + r[0] * c_dot;
            out.c_dot[row] -= s[1] * c + r[1] * c_dot;
            out.gamma[row] -= s[2] * c + r[2] * c_dot;
        }
    }

    fn pushes_elsewhere(&self) -> bool {
        self.joint.pushes_elsewhere()
    }

    fn n_angles(&self) -> usize {
        self.joint.n_angles()
    }

    fn allows_same_body(&self) -> bool {
        self.joint.allows_same_body()
    }

    fn as_closing(&self) -> Option<&Closing> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::contract::{Seeded, Spread};
    use crate::constraint::{FramePair, check_constraint_at};

    #[test]
    fn keeps_the_contract_while_it_closes() {
        for joint in [FramePair::ball(), FramePair::hinge(), FramePair::weld()] {
            let n = joint.rows().len();
            let closing = Closing {
                joint: Arc::new(joint),
                c_start: (0..n).map(|row| 0.1 + 0.05 * row as f64).collect(),
                c_dot_start: (0..n).map(|row| 0.3 - 0.2 * row as f64).collect(),
                start: 0.25,
                duration: 2.0,
            };
            for (seed, t) in [0.3, 0.8, 1.7].into_iter().enumerate() {
                let motions = Seeded::new(seed as u64).motions(closing.inputs(), Spread::default());
                check_constraint_at(&closing, t, &motions).unwrap();
            }
        }
    }
}
