//! The user's hands: grab, drag, release (Faure 1998, §4.1).
//!
//! A grip is a [`Tracker`] and a joint between it and what is held. Moving the goal is not an edit, so nothing
//! is recompiled during a drag. The kind of joint makes the three drags:
//!
//! | drag     | the joint to the hand                         | what gives way                          |
//! |----------|-----------------------------------------------|-----------------------------------------|
//! | `Force`  | soft: a damped spring, implicit                | the spring                              |
//! | `Follow` | hard, below every exact constraint             | the goal, in least squares              |
//! | `Pin`    | exact                                          | lower priorities, and at last the joints to the ground |
//!
//! In worlds with momentum and bounded forces (limits, contact), the force of hands that follow or pin is
//! bounded too: at most a hundred times the weight of what hangs on them. They give way to floors.

use std::sync::Arc;

use super::{
    BodyId, BodyRecord, ConstraintId, ConstraintRecord, Dynamics, GripId, Revision, World,
};
use crate::body::{Pose, Tracker};
use crate::connector::{Connector, ConnectorKind, Site};
use crate::constraint::{Constraint, FramePair, RowUnit, ScalarDifference};
use crate::error::{Error, Item};
use crate::id::Id;
use crate::math::{IDENTITY_QUAT, IDENTITY3, quat_from_matrix};

/// The kind of a drag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Drag {
    /// Pulls with a damped spring; joints stay exact.
    Force {
        /// N/m; for rotation, the same stiffness at the radius of gyration.
        stiffness: f64,
        /// N·s/m.
        damping: f64,
    },
    /// The held point goes to the goal as far as joints allow, in least squares.
    Follow,
    /// The held point is at the goal. Constraints of lower priorities give way, and last the joints that hold
    /// the mechanism to the ground.
    Pin,
}

/// Priority of a goal that is followed.
const FOLLOW_PRIORITY: u8 = 1;
/// Priority of joints to the ground of what is pinned: the last of all.
pub(crate) const LAST_PRIORITY: u8 = 255;

/// The record of a grip.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GripRecord {
    pub(crate) id: GripId,
    pub(crate) hand: BodyId,
    pub(crate) constraint: ConstraintId,
    pub(crate) held: Connector,
    pub(crate) drag: Drag,
    pub(crate) is_number: bool,
}

impl GripRecord {
    /// The id.
    pub fn id(&self) -> GripId {
        self.id
    }
    /// The body that stands for the hand.
    pub fn hand(&self) -> BodyId {
        self.hand
    }
    /// The joint between hand and what is held; reports name it.
    pub fn constraint(&self) -> ConstraintId {
        self.constraint
    }
    /// What is held.
    pub fn held(&self) -> &Connector {
        &self.held
    }
    /// The kind of drag.
    pub fn drag(&self) -> Drag {
        self.drag
    }
    /// Whether it holds a number, which has no position.
    pub fn is_number(&self) -> bool {
        self.is_number
    }

    /// Largest motion of the hand along an axis, from its coordinates before and now.
    pub(crate) fn way(&self, before: &[f64], now: &[f64]) -> f64 {
        if self.is_number {
            return (Tracker::number(now) - Tracker::number(before)).abs();
        }
        let moved = (0..3).map(|k| (now[k] - before[k]).abs());
        moved.fold(0.0, f64::max)
    }
}

impl World {
    /// Grabs a point, a frame with its orientation, or a number, where it is now.
    ///
    /// ```
    /// use linkwork::prelude::*;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut world = World::new();
    /// world.set_dynamics(Dynamics::FirstOrder);
    /// let arm = world.add_body("arm", Rod { length: 1.0, radius: 0.01, mass: 1.0 })?;
    /// world.join("shoulder", Ball, GROUND.at([-0.5, 0.0, 0.0]), arm.at([-0.5, 0.0, 0.0]))?;
    /// let tip = arm.at([0.5, 0.0, 0.0]);
    /// let grip = world.grab(tip.clone(), Drag::Follow)?;
    /// let mut simulator = Simulator::new();
    /// for frame in 1..=60 {
    ///     let angle = f64::from(frame) / 60.0;
    ///     world.drag(grip, [angle.cos() - 0.5, angle.sin(), 0.0])?;
    ///     simulator.step(&mut world, &StepOptions::interactive(1.0 / 60.0))?;
    /// }
    /// world.release(grip)?;
    /// let reached = world.position_world(&tip)?;
    /// assert!((reached[1] - 1.0f64.sin()).abs() < 1e-3);
    /// # Ok(()) }
    /// ```
    pub fn grab(&mut self, held: Connector, drag: Drag) -> Result<GripId, Error> {
        let mut label = format!("hand {}", self.next_grip);
        while self.find_body(&label).is_some() || self.find_constraint(&label).is_some() {
            label.push('\'');
        }
        self.grab_as(&label, held, drag)
    }

    /// [`World::grab`] by a hand with a name.
    pub fn grab_as(&mut self, label: &str, held: Connector, drag: Drag) -> Result<GripId, Error> {
        let label = label.to_owned();
        check_drag(drag, &label)?;
        let value = self.connector_value(&held)?;
        if !self.moves(&held) {
            let item = Item::Grip;
            return Err(Error::NothingToMove { item, label });
        }
        let Some((joint, site, pose, angle)) = hold(value.kind, &value.x) else {
            let problem = format!("is a {}; grab a point, a frame or a number", value.kind);
            let problem = Error::field("connector", problem);
            return Err(problem.of(Item::Grip, &label));
        };
        let hand = self.add_body(&label, Tracker)?;
        let q = self.body_record(hand)?.q_range();
        Tracker::put(&mut self.state.q[q], &pose, angle);
        let own = Connector::new(hand, site);
        let constraint = match self.add_shared_constraint(&label, joint, &[own, held]) {
            Ok(constraint) => constraint,
            Err(problem) => {
                self.remove_body(hand)?;
                return Err(problem);
            }
        };
        let id = GripId::new(self.next_grip, self.tag);
        self.next_grip += 1;
        self.grips.push(GripRecord {
            id,
            hand,
            constraint,
            held,
            drag,
            is_number: value.kind == ConnectorKind::Scalar,
        });
        self.set_drag(id, drag)?;
        Ok(id)
    }

    /// Moves the goal of a grip; what is held moves there during the next step.
    pub fn drag(&mut self, grip: GripId, goal_world: [f64; 3]) -> Result<(), Error> {
        let hand = self.grip_record(grip)?.hand;
        let q = &self.state.q[self.body_record(hand)?.q_range()];
        let rotation = [q[10], q[11], q[12], q[13]];
        self.drag_frame(
            grip,
            Pose {
                position: goal_world,
                rotation,
            },
        )
    }

    /// Moves the goal of a grip, with its orientation.
    pub fn drag_frame(&mut self, grip: GripId, goal_world: Pose) -> Result<(), Error> {
        let record = self.grip_record(grip)?;
        let hand = record.hand;
        if record.is_number {
            let problem = "is a place, but a number is held; use `drag_scalar`";
            return Err(Error::field("goal", problem).of(Item::Grip, self.body_label(hand)?));
        }
        self.set_goal(hand, goal_world)
    }

    /// Moves the goal of a grip that holds a number: a slider, which pulls whatever the number depends on
    /// (Witkin 1990, §5.3).
    pub fn drag_scalar(&mut self, grip: GripId, goal: f64) -> Result<(), Error> {
        let record = self.grip_record(grip)?;
        let (hand, is_number) = (record.hand, record.is_number);
        let own = self.body_record(hand)?;
        let problem = match is_number {
            true => Error::require_finite("goal", &goal),
            false => Err(Error::field(
                "goal",
                "is a number, but a place is held; use `drag` or `drag_frame`",
            )),
        };
        problem.map_err(|problem| problem.of(Item::Grip, &own.label))?;
        let q = own.q_range();
        Tracker::aim_at_number(&mut self.state.q[q], goal);
        Ok(())
    }

    /// Sets the goal of a [`Tracker`], which it reaches at the end of the next step.
    pub fn set_goal(&mut self, tracker: BodyId, goal_world: Pose) -> Result<(), Error> {
        let record = self.body_record(tracker)?;
        let invalid = |problem: Error| problem.of(Item::Body, &record.label);
        if record.body.n_q() != crate::body::Body::n_q(&Tracker) || record.body.n_v() > 0 {
            let problem = "can only be set on a tracker; set the pose of other bodies";
            return Err(invalid(Error::field("goal", problem)));
        }
        goal_world.validate().map_err(invalid)?;
        let q = record.q_range();
        Tracker::aim(&mut self.state.q[q], &goal_world);
        Ok(())
    }

    /// Changes the kind of drag while the grip holds.
    pub fn set_drag(&mut self, grip: GripId, drag: Drag) -> Result<(), Error> {
        let record = self.grip_record(grip)?.clone();
        let label = self.constraint_record(record.constraint)?.label.clone();
        check_drag(drag, &label)?;
        let radius = self.gyration_radius(&record.held);
        let square = radius.map_or(1.0, |radius| radius * radius);
        let units = self.constraint_record(record.constraint)?.rows().to_vec();
        let n = units.len();
        let (compliance, damping) = match drag {
            Drag::Force { stiffness, damping } => {
                let per = |unit: &RowUnit| match unit {
                    RowUnit::Radian => square,
                    _ => 1.0,
                };
                let soft = units.iter().map(|unit| 1.0 / (stiffness * per(unit)));
                let damp = units.iter().map(|unit| damping * per(unit));
                (soft.collect(), damp.collect())
            }
            _ => (vec![0.0; n], vec![0.0; n]),
        };
        self.set_compliance(record.constraint, &compliance)?;
        self.set_damping(record.constraint, &damping)?;
        let priority = if drag == Drag::Follow {
            FOLLOW_PRIORITY
        } else {
            0
        };
        self.set_priority(record.constraint, priority)?;
        if let Some(own) = self.grips.iter_mut().find(|own| own.id == grip) {
            own.drag = drag;
        }
        Ok(())
    }

    /// Removes the grip. What was held keeps its position and velocity.
    pub fn release(&mut self, grip: GripId) -> Result<(), Error> {
        let record = self.grip_record(grip)?.clone();
        self.grips.retain(|own| own.id != grip);
        self.remove_body(record.hand)?;
        Ok(())
    }

    /// All grips, by id.
    pub fn grips(&self) -> &[GripRecord] {
        &self.grips
    }

    /// The grip with this id.
    pub fn grip_record(&self, grip: GripId) -> Result<&GripRecord, Error> {
        let found = self.grips.iter().find(|record| record.id == grip);
        found.ok_or_else(|| grip.unknown(self.tag, self.next_grip))
    }

    /// Whether a constraint is the joint between a hand and what it holds.
    pub(crate) fn is_hand(&self, constraint: ConstraintId) -> bool {
        self.grips.iter().any(|grip| grip.constraint == constraint)
    }

    /// Whether hands that lead have bounded forces: in worlds with momentum and other bounded forces.
    pub(crate) fn hands_are_bounded(&self) -> bool {
        let leads = |grip: &GripRecord| !matches!(grip.drag, Drag::Force { .. });
        let is_bounded = |record: &ConstraintRecord| {
            let own = &record.constraint;
            record.enabled && own.bound().is_some()
        };
        let collides = |record: &BodyRecord| record.enabled && !record.colliders.is_empty();
        self.dynamics() == Dynamics::SecondOrder
            && self.grips.iter().any(leads)
            && (!self.ground_colliders().is_empty()
                || self.bodies().iter().any(collides)
                || self.constraints().iter().any(is_bounded))
    }

    /// The key for which equations are compiled.
    pub(crate) fn compiled_as(&self) -> (Revision, bool) {
        (self.revision(), self.hands_are_bounded())
    }
}

/// The joint for a connector of this kind, its site on the hand, and the hand's goal: a pose, or a number.
fn hold(kind: ConnectorKind, x: &[f64]) -> Option<(Arc<dyn Constraint>, Site, Pose, f64)> {
    let at = |rotation| Pose {
        position: [x[0], x[1], x[2]],
        rotation,
    };
    Some(match kind {
        ConnectorKind::Point3 => (
            Arc::new(FramePair::ball()),
            Site::Point([0.0; 3]),
            at(IDENTITY_QUAT),
            0.0,
        ),
        ConnectorKind::Frame3 => {
            let rotation = [[x[3], x[4], x[5]], [x[6], x[7], x[8]], [x[9], x[10], x[11]]];
            let site = Site::Frame {
                origin: [0.0; 3],
                rotation: IDENTITY3,
            };
            let pose = at(quat_from_matrix(&rotation));
            (Arc::new(FramePair::weld()), site, pose, 0.0)
        }
        ConnectorKind::Point2 => (
            Arc::new(FramePair::ball()),
            Site::Point2([0.0; 2]),
            Pose::in_plane([x[0], x[1]], 0.0),
            0.0,
        ),
        ConnectorKind::Frame2 => {
            let site = Site::Frame2 {
                origin: [0.0; 2],
                angle: 0.0,
            };
            let pose = Pose::in_plane([x[0], x[1]], x[2]);
            (Arc::new(FramePair::weld()), site, pose, x[2])
        }
        ConnectorKind::Scalar => (
            Arc::new(ScalarDifference::zero()),
            Site::Scalar(0),
            Pose::at([0.0; 3]),
            x[0],
        ),
        _ => return None,
    })
}

fn check_drag(drag: Drag, label: &str) -> Result<(), Error> {
    let check = || match drag {
        Drag::Force { stiffness, damping } => {
            Error::require_positive("stiffness", &stiffness)?;
            Error::require_not_negative("damping", &damping)
        }
        _ => Ok(()),
    };
    check().map_err(|problem| problem.of(Item::Grip, label))
}
