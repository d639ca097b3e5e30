//! A constraint that is held by the force of another one (Baraff 1996, §8: K ≠ Jᵀ).
//!
//! One constraint is the condition, with rows `J` over its connectors. Another one, over connectors of its
//! own and with as many rows, gives only the directions of the force: `K = J_otherᵀ`, so that
//!
//! ```text
//!     J·y = b      M·y = f + J_otherᵀ·λ
//! ```
//!
//! A winch that holds a bridge at an angle, or a floor that pushes slantwise because things slide on it, are
//! of this kind. Such a force may do work.

use std::sync::Arc;

use super::{Constraint, Level, MAX_ROWS, RowUnit, Rows};
use crate::connector::{ConnectorKind, Counter, Input};
use crate::error::Error;

/// A constraint, and the one that pushes in its place. Its connectors are those of the first, then those of
/// the second.
#[derive(Clone, Debug)]
pub struct PushedLike {
    holds: Arc<dyn Constraint>,
    pushes: Arc<dyn Constraint>,
    in_plane: [bool; 2],
    inputs: Vec<ConnectorKind>,
}

impl PushedLike {
    /// What is held, and what pushes; each with whether its connectors are in the plane.
    pub fn new(
        (holds, in_plane): (Arc<dyn Constraint>, bool),
        (pushes, pushes_in_plane): (Arc<dyn Constraint>, bool),
    ) -> Self {
        let mut inputs = holds.inputs_of(in_plane).to_vec();
        inputs.extend_from_slice(pushes.inputs_of(pushes_in_plane));
        Self {
            holds,
            pushes,
            in_plane: [in_plane, pushes_in_plane],
            inputs,
        }
    }

    /// What is held, and whether it is in the plane.
    pub fn holds(&self) -> (&dyn Constraint, bool) {
        (&*self.holds, self.in_plane[0])
    }

    /// What pushes, and whether it is in the plane.
    pub fn pushes(&self) -> (&dyn Constraint, bool) {
        (&*self.pushes, self.in_plane[1])
    }

    /// How many connectors belong to what is held: they come first.
    pub fn n_held(&self) -> usize {
        self.holds.inputs_of(self.in_plane[0]).len()
    }
}

impl Constraint for PushedLike {
    fn inputs(&self) -> &[ConnectorKind] {
        &self.inputs
    }

    fn rows(&self) -> &[RowUnit] {
        self.holds.rows_of(self.in_plane[0])
    }

    fn level(&self) -> Level {
        self.holds.level()
    }

    fn validate(&self) -> Result<(), Error> {
        self.holds.validate()?;
        self.pushes.validate()?;
        let (n, m) = (
            self.rows().len(),
            self.pushes.rows_of(self.in_plane[1]).len(),
        );
        if n != m {
            let problem = format!("has {m} rows; what it holds has {n}, and each needs one");
            return Err(Error::field("pushes", problem));
        }
        for part in [&self.holds, &self.pushes] {
            if part.pushes_elsewhere() || part.inertia().is_some() {
                let problem = "must be between constraints that push along their own rows";
                return Err(Error::field("pushes", problem));
            }
        }
        Ok(())
    }

    fn eval(&self, t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        let (held, n) = (self.n_held(), out.n_rows());
        let (kinds, other_kinds) = out.kinds.split_at(held);
        let at = n * kinds.iter().map(|kind| kind.n_x_dot()).sum::<usize>();
        let (from, first) = (out.turns.from, out.turns.first);
        let mut rows = Rows {
            energy: None,
            c: &mut *out.c,
            c_dot: &mut *out.c_dot,
            gamma: &mut *out.gamma,
            dc_dx: &mut out.dc_dx[..at],
            push: &mut [],
            kinds,
            turns: Counter {
                from,
                into: out.turns.into.as_deref_mut(),
                first,
            },
        };
        self.holds.eval(t, &inputs[..held], &mut rows);
        // Of what pushes only the directions count.
        let mut unused = [[0.0; MAX_ROWS]; 3];
        let [c, c_dot, gamma] = &mut unused;
        let mut rows = Rows {
            energy: None,
            c: &mut c[..n],
            c_dot: &mut c_dot[..n],
            gamma: &mut gamma[..n],
            dc_dx: &mut out.push[at..],
            push: &mut [],
            kinds: other_kinds,
            turns: Counter {
                from,
                into: out.turns.into.as_deref_mut(),
                first: first + self.holds.n_angles(),
            },
        };
        self.pushes.eval(t, &inputs[held..], &mut rows);
    }

    fn pushes_elsewhere(&self) -> bool {
        true
    }

    fn n_angles(&self) -> usize {
        self.holds.n_angles() + self.pushes.n_angles()
    }

    // Both may be on the same bodies.
    fn allows_same_body(&self) -> bool {
        true
    }

    fn as_pushed_like(&self) -> Option<&PushedLike> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::contract::{Seeded, Spread, evaluate};
    use crate::constraint::{
        AngleArmature, AngleDrive, Constant, Distance, FramePair, KnifeEdge, PushedAlong,
        ScalarEquals, check_constraint,
    };

    fn all() -> Vec<PushedLike> {
        let angle = AngleDrive::new(Constant { value: 0.3 });
        let bar = Distance { length: 1.2 };
        let space = |own: Arc<dyn Constraint>| (own, false);
        let plane = |own: Arc<dyn Constraint>| (own, true);
        vec![
            PushedLike::new(space(Arc::new(angle.clone())), space(Arc::new(bar))),
            PushedLike::new(
                space(Arc::new(FramePair::hinge())),
                space(Arc::new(FramePair::hinge())),
            ),
            PushedLike::new(
                plane(Arc::new(FramePair::ball())),
                plane(Arc::new(FramePair::ball())),
            ),
            PushedLike::new(
                space(Arc::new(ScalarEquals::area(0.2))),
                plane(Arc::new(bar)),
            ),
            PushedLike::new(space(Arc::new(KnifeEdge {})), space(Arc::new(angle))),
        ]
    }

    #[test]
    fn keeps_the_contract_and_pushes_along_the_rows_of_the_other() {
        for (seed, constraint) in all().into_iter().enumerate() {
            check_constraint(&constraint, seed as u64).unwrap();
            let motions = Seeded::new(7).motions(constraint.inputs(), Spread::default());
            let inputs: Vec<_> = motions.iter().map(|motion| motion.at(0.0)).collect();
            let rows = evaluate(&constraint, 0.0, &inputs);
            let held = constraint.n_held();
            // `evaluate` asks a constraint in the plane by the kinds it is given.
            let own = evaluate(&*constraint.holds, 0.0, &inputs[..held]);
            let other = evaluate(&*constraint.pushes, 0.0, &inputs[held..]);
            let (at, n) = (own.dc_dx.len(), rows.c.len());
            assert_eq!((&rows.c, &rows.c_dot), (&own.c, &own.c_dot));
            assert_eq!(rows.dc_dx[..at], own.dc_dx);
            assert!(rows.dc_dx[at..].iter().all(|j| *j == 0.0));
            assert!(rows.push[..at].iter().all(|k| *k == 0.0));
            assert_eq!(rows.push[at..], other.dc_dx);
            assert_eq!(n, constraint.rows().len());
        }
    }

    #[test]
    fn refuses_other_numbers_of_rows_and_what_has_forces_of_its_own() {
        let ball = || -> (Arc<dyn Constraint>, bool) { (Arc::new(FramePair::ball()), false) };
        let problem = |holds, pushes| {
            let error = PushedLike::new(holds, pushes).validate().unwrap_err();
            assert_eq!(error.field_name(), Some("pushes"));
            error.to_string()
        };
        let hinge: Arc<dyn Constraint> = Arc::new(FramePair::hinge());
        assert!(problem(ball(), (hinge, false)).contains("5 rows; what it holds has 3"));
        let armature: Arc<dyn Constraint> = Arc::new(AngleArmature { inertia: 1.0 });
        problem((armature.clone(), false), (armature, false));
        let along = PushedAlong {
            constraint: FramePair::point_on_plane(),
            direction: [1.0, 0.0, 0.0],
        };
        let along: Arc<dyn Constraint> = Arc::new(along);
        problem((along.clone(), false), (along, false));
    }
}
