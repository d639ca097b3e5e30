//! The world: what the user described, and the state (Witkin 1990, §4.2).
//!
//! Everything is ordered by id, and ids only grow: adding, removing and restoring in any order
//! gives the same order and so the same bits. An edit either succeeds or leaves the world exactly
//! as it was. Nothing here depends on topology or solvers.

use std::ops::Range;
use std::sync::Arc;

use crate::body::Pose;
use crate::error::{Error, Item};
use crate::math::Vec3;

mod block;
mod check;
mod collider;
mod dynamics;
mod edit;
mod grip;
mod join;
mod joined;
mod motion;
mod query;
mod record;
mod removal;
mod sensor;
mod state;
mod store;
mod tolerances;
mod touched;
mod tree;
mod unfinished;

use store::Store;

pub use crate::connector::Turns;
pub use crate::id::{BehaviorId, BlockId, BodyId, ConstraintId, GROUND, GripId};
pub(crate) use crate::id::{Revision, WorldTag};
pub use collider::{Collider, RayHit};
pub use dynamics::{BreakLimit, Dynamics};
pub(crate) use grip::LAST_PRIORITY;
pub use grip::{Drag, GripRecord};
pub use join::{
    Ball, Cylindrical, Hinge, Joint, PlanarSlide, PointInSlot, PointOnPlane, Prismatic, Universal,
    Weld,
};
pub(crate) use joined::Joined;
pub use query::ConnectorValue;
pub use record::{BehaviorRecord, BlockRecord, BodyRecord, ConstraintRecord};
pub use removal::Removed;
pub(crate) use sensor::Sensing;
pub use sensor::{Overlap, Sensed};
pub use state::{State, Touching};
pub use tree::Tree;
pub use unfinished::Unfinished;

/// Bodies, constraints, behaviors, blocks, and their state.
#[derive(Clone, Debug)]
pub struct World {
    tag: WorldTag,
    revision: Revision,
    bodies: Store<BodyRecord>,
    constraints: Store<ConstraintRecord>,
    behaviors: Store<BehaviorRecord>,
    blocks: Store<BlockRecord>,
    ground_colliders: Arc<[Collider]>,
    dynamics: Dynamics,
    grips: Vec<GripRecord>,
    next_grip: u64,
    state: State,
}

/// A whole world at one moment: all records and the state.
#[derive(Clone, Debug)]
pub struct Snapshot(World);

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

impl World {
    /// An empty world, without gravity.
    pub fn new() -> Self {
        let tag = WorldTag::fresh();
        Self {
            tag,
            revision: Revision::fresh(),
            bodies: Store::new(tag),
            constraints: Store::new(tag),
            behaviors: Store::new(tag),
            blocks: Store::new(tag),
            ground_colliders: Arc::default(),
            dynamics: Dynamics::default(),
            grips: Vec::new(),
            next_grip: 1,
            state: State::default(),
        }
    }

    /// A world with a [`Gravity`](crate::behavior::Gravity) behavior labeled "gravity".
    pub fn with_gravity(acceleration_world: Vec3) -> Result<Self, Error> {
        let mut world = Self::new();
        world.add_behavior(
            "gravity",
            crate::behavior::Gravity { acceleration_world },
            &[],
        )?;
        Ok(world)
    }

    /// Everything at this moment.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(self.clone())
    }

    /// Restores everything to `snapshot`, which must be of this world or a clone of it. Ids given out since are
    /// not used again.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        if snapshot.0.tag != self.tag {
            return Err(Error::ForeignSnapshot);
        }
        let later = std::mem::replace(self, snapshot.0.clone());
        self.bodies.skip_numbers_of(&later.bodies);
        self.constraints.skip_numbers_of(&later.constraints);
        self.behaviors.skip_numbers_of(&later.behaviors);
        self.blocks.skip_numbers_of(&later.blocks);
        self.next_grip = self.next_grip.max(later.next_grip);
        Ok(())
    }

    /// Time, coordinates, velocities, multipliers.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Replaces the whole state. Its parts must have the present lengths, be finite, and be valid coordinates
    /// of the bodies.
    pub fn set_state(&mut self, mut state: State) -> Result<(), Error> {
        Error::require_length("state.q", state.q.len(), self.state.q.len())?;
        Error::require_length("state.v", state.v.len(), self.state.v.len())?;
        let n_rows = self.state.lambda.len();
        Error::require_length("state.lambda", state.lambda.len(), n_rows)?;
        if !state.unfinished.is_empty() {
            let n_unfinished = state.unfinished.rows().len();
            Error::require_length("state.unfinished", n_unfinished, n_rows)?;
            self.check_multipliers(state.unfinished.rows())?;
        }
        state.unfinished.tidy();
        let finite = |values: &[f64]| values.iter().all(|value| value.is_finite());
        let not_finite = |what, label: &str| Error::NotFinite {
            what,
            label: label.to_owned(),
        };
        if !state.t.is_finite() || !state.substep.is_finite() {
            return Err(not_finite("time", "world"));
        }
        for record in self.bodies.iter() {
            if !finite(&state.q[record.q_range()]) || !finite(&state.v[record.v_range()]) {
                return Err(not_finite("state", &record.label));
            }
            record
                .body
                .check_q(&mut state.q[record.q_range()])
                .map_err(|problem| problem.of(Item::Body, &record.label))?;
        }
        self.check_multipliers(&state.lambda)?;
        self.check_turns(&state.turns)?;
        let touches = |own: &Touching| {
            let numbers = [own.point_world, own.normal_world, own.force_world];
            finite(numbers.as_flattened()) && finite(&own.moment_world)
        };
        if !state.touching.iter().all(touches) {
            return Err(not_finite("touching", "world"));
        }
        if state.turns != self.state.turns {
            // Equations are keyed by coordinates and time alone.
            self.touch();
        }
        self.state = state;
        Ok(())
    }

    fn check_turns(&self, turns: &Turns) -> Result<(), Error> {
        turns.check_lengths(&self.state.turns)?;
        let wrong = |counts: &[f64], item, label: &str| {
            let problem = Turns::problem(counts)?;
            Some(Error::field("turns", problem).of(item, label))
        };
        let mut joints = self.constraints.iter().map(|record| {
            let counts = &turns.joints[record.angle_range()];
            wrong(counts, Item::Constraint, &record.label)
        });
        let mut springs = self.behaviors.iter().map(|record| {
            let counts = &turns.springs[record.angle_range()];
            wrong(counts, Item::Behavior, &record.label)
        });
        let problem = joints.find_map(|problem| problem);
        let problem = problem.or_else(|| springs.find_map(|problem| problem));
        problem.map_or(Ok(()), Err)
    }

    fn check_multipliers(&self, lambda: &[f64]) -> Result<(), Error> {
        for record in self.constraints.iter() {
            if !lambda[record.row_range()].iter().all(|l| l.is_finite()) {
                return Err(Error::NotFinite {
                    what: "multipliers",
                    label: record.label.to_string(),
                });
            }
        }
        Ok(())
    }

    /// Keeps multipliers, such as [`Solution::lambda`](crate::solve::Solution), as the warm start of
    /// the next iterative solve.
    pub fn set_lambda(&mut self, lambda: &[f64]) -> Result<(), Error> {
        Error::require_length("state.lambda", lambda.len(), self.state.lambda.len())?;
        self.check_multipliers(lambda)?;
        self.state.lambda.copy_from_slice(lambda);
        Ok(())
    }

    /// Sets the time.
    pub fn set_time(&mut self, t: f64) -> Result<(), Error> {
        if !t.is_finite() {
            return Err(Error::NotFinite {
                what: "time",
                label: "world".into(),
            });
        }
        if !self.state.touching.is_empty() && t != self.state.t {
            // Bodies with prescribed motion move to that time.
            let mut later = self.state.clone();
            later.t = t;
            self.keep_unmoved_touching(&self.state, &mut later);
            self.state.touching = later.touching;
        }
        self.state.t = t;
        Ok(())
    }

    /// Puts a body frame at a pose.
    pub fn set_pose(&mut self, body: BodyId, pose: Pose) -> Result<(), Error> {
        let record = self.body_record(body)?;
        let mut q = self.state.q[record.q_range()].to_vec();
        record
            .body
            .q_from_pose(&pose, &mut q)
            .map_err(|invalid| invalid.of(Item::Body, &record.label))?;
        let range = record.q_range();
        self.put(body, range, &q);
        Ok(())
    }

    /// Sets a body's coordinates.
    pub fn set_q(&mut self, body: BodyId, q: &[f64]) -> Result<(), Error> {
        let record = self.body_record(body)?;
        let mut q = q.to_vec();
        check::check_length(record, "position", q.len(), record.body.n_q())?;
        record
            .body
            .check_q(&mut q)
            .map_err(|invalid| invalid.of(Item::Body, &record.label))?;
        let range = record.q_range();
        self.put(body, range, &q);
        Ok(())
    }

    /// Moves a body to valid coordinates.
    fn put(&mut self, body: BodyId, range: Range<usize>, q: &[f64]) {
        if self.state.q[range.clone()] != *q && !self.state.touching.is_empty() {
            self.forget_touching(body);
        }
        self.state.q[range].copy_from_slice(q);
    }

    /// Sets a body's velocities.
    pub fn set_v(&mut self, body: BodyId, v: &[f64]) -> Result<(), Error> {
        let record = self.body_record(body)?;
        check::check_length(record, "velocity", v.len(), record.body.n_v())?;
        crate::error::Error::require_finite("velocity", v)
            .map_err(|invalid| invalid.of(Item::Body, &record.label))?;
        let range = record.v_range();
        self.state.v[range].copy_from_slice(v);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Particle;

    #[test]
    fn a_state_that_does_not_fit_is_refused() {
        let mut world = World::new();
        let bob = world.add_body("bob", Particle { mass: 1.0 }).unwrap();
        let (hook, bob) = (GROUND.at([0.0; 3]), bob.at([0.0; 3]));
        world.join("hook", Ball, hook, bob).unwrap();
        let before = world.state().clone();
        let problem = |change: fn(&mut State)| {
            let mut world = world.clone();
            let mut state = before.clone();
            change(&mut state);
            let problem = world.set_state(state).unwrap_err();
            assert_eq!(world.state(), &before);
            problem.to_string()
        };
        let short = problem(|state| state.v.truncate(2));
        assert!(short.starts_with("state.v: this world has 3 numbers, but 2 were given"));
        assert!(problem(|state| state.t = f64::NAN).starts_with("time of \"world\""));
        assert!(problem(|state| state.q[1] = f64::NAN).starts_with("state of \"bob\""));
        assert!(problem(|state| state.lambda[0] = f64::NAN).contains("\"hook\""));
    }
}
