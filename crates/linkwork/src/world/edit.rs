//! Edits: add, replace, enable, set. Each succeeds or leaves the world as it was.
//!
//! Building and simulating are one mode (Witkin 1990, §5.1): any edit may come between two steps.

use std::borrow::Cow;
use std::sync::Arc;

use super::block::{as_reader, check_kind};
use super::check::{check_length, checked_body, connector_kind};
use super::store::Record;
use super::tolerances::WEIGHTS;
use super::{
    BehaviorId, BehaviorRecord, BlockId, BodyId, BodyRecord, ConstraintId, ConstraintRecord,
    Revision, Tree, World,
};
use crate::behavior::Behavior;
use crate::body::{IntoBody, Pose};
use crate::connector::Connector;
use crate::constraint::Constraint;
use crate::error::{Error, Item, Shown};

impl World {
    /// Adds a body at rest, at its initial coordinates.
    pub fn add_body(&mut self, label: &str, body: impl IntoBody) -> Result<BodyId, Error> {
        self.bodies.check_label(label)?;
        let body = checked_body(label, body)?;
        let (mut q, v) = (vec![0.0; body.n_q()], vec![0.0; body.n_v()]);
        body.initial_q(&mut q);
        let record = BodyRecord {
            id: self.bodies.next_id(),
            label: label.into(),
            body,
            enabled: true,
            colliders: Arc::default(),
            q0: 0,
            v0: 0,
        };
        self.touch();
        Ok(self.bodies.add(record, [q, v, Vec::new()], &mut self.state))
    }

    /// Adds a body with its frame at `pose`.
    pub fn add_body_at(
        &mut self,
        label: &str,
        body: impl IntoBody,
        pose: Pose,
    ) -> Result<BodyId, Error> {
        self.bodies.check_label(label)?;
        let body = checked_body(label, body)?;
        let mut q = vec![0.0; body.n_q()];
        body.initial_q(&mut q);
        body.q_from_pose(&pose, &mut q)
            .map_err(|problem| problem.of(Item::Body, label))?;
        let id = self.add_body(label, body)?;
        self.set_pose(id, pose)?;
        Ok(id)
    }

    /// Replaces a body by one with the same number of coordinates, keeping its state and its joints.
    pub fn replace_body(&mut self, id: BodyId, body: impl IntoBody) -> Result<(), Error> {
        let record = self.body_record(id)?.clone();
        let body = checked_body(&record.label, body)?;
        check_length(&record, "n_q", body.n_q(), record.body.n_q())?;
        check_length(&record, "n_v", body.n_v(), record.body.n_v())?;
        let constraints = self.constraints.iter().map(as_reader);
        let behaviors = self.behaviors.iter().map(as_reader);
        let blocks = self.blocks.iter().map(as_reader);
        for (label, connectors, kinds) in constraints.chain(behaviors).chain(blocks) {
            for (input, (connector, &expected)) in connectors.iter().zip(kinds).enumerate() {
                if let Some(site) = connector.site().filter(|_| connector.is_on(id)) {
                    let given = connector_kind(&*body, &record.label, label, site)?;
                    check_kind(label, input, expected, given)?;
                }
            }
        }
        if let Some(map) = body.shape().or_else(|| body.solid()) {
            for record in self.constraints.iter_mut() {
                for input in 0..record.connectors.len() {
                    if record.connectors[input].is_on(id) {
                        let again = record.constraint.for_map(input, map);
                        record.constraint = again.unwrap_or_else(|| record.constraint.clone());
                    }
                }
            }
        }
        self.bodies.get_mut(id)?.body = body;
        self.touch();
        Ok(())
    }

    /// Gives a body another label. Joints refer to bodies by id and are not affected.
    pub fn set_body_label(&mut self, id: BodyId, label: &str) -> Result<(), Error> {
        self.bodies.set_label(id, label)?;
        self.touch();
        Ok(())
    }

    /// Gives a constraint another label.
    pub fn set_constraint_label(&mut self, id: ConstraintId, label: &str) -> Result<(), Error> {
        self.constraints.set_label(id, label)?;
        self.touch();
        Ok(())
    }

    /// Gives a behavior another label.
    pub fn set_behavior_label(&mut self, id: BehaviorId, label: &str) -> Result<(), Error> {
        self.behaviors.set_label(id, label)?;
        self.touch();
        Ok(())
    }

    /// Gives a block another label.
    pub fn set_block_label(&mut self, id: BlockId, label: &str) -> Result<(), Error> {
        self.blocks.set_label(id, label)?;
        self.touch();
        Ok(())
    }

    /// Enables or disables a body. Constraints and behaviors on a disabled body are inactive.
    pub fn set_body_enabled(&mut self, id: BodyId, enabled: bool) -> Result<(), Error> {
        self.recount_touching(id, |world| {
            world.bodies.get_mut(id)?.set_enabled(enabled);
            world.touch();
            Ok(())
        })
    }

    /// Enables or disables a constraint.
    pub fn set_constraint_enabled(&mut self, id: ConstraintId, enabled: bool) -> Result<(), Error> {
        self.constraints.get_mut(id)?.set_enabled(enabled);
        self.touch();
        Ok(())
    }

    /// Enables or disables a behavior.
    pub fn set_behavior_enabled(&mut self, id: BehaviorId, enabled: bool) -> Result<(), Error> {
        self.behaviors.get_mut(id)?.set_enabled(enabled);
        self.touch();
        Ok(())
    }

    /// Adds a constraint between connectors.
    pub fn add_constraint(
        &mut self,
        label: &str,
        constraint: impl Constraint + 'static,
        connectors: &[Connector],
    ) -> Result<ConstraintId, Error> {
        self.add_shared_constraint(label, Arc::new(constraint), connectors)
    }

    /// [`World::add_constraint`] for a constraint that is already shared.
    pub fn add_shared_constraint(
        &mut self,
        label: &str,
        constraint: Arc<dyn Constraint>,
        connectors: &[Connector],
    ) -> Result<ConstraintId, Error> {
        self.constraints.check_label(label)?;
        let in_plane = self.check_constraint(label, &*constraint, connectors)?;
        let n_rows = constraint.rows_of(in_plane).len();
        let zeros = || vec![0.0; n_rows];
        let record = ConstraintRecord {
            id: self.constraints.next_id(),
            label: label.into(),
            connectors: connectors.to_vec(),
            in_plane,
            enabled: true,
            priority: 0,
            weight: 1.0,
            compliance: compliance(&*constraint, n_rows),
            damping: alike(0.0, n_rows),
            break_limit: None,
            tree: Tree::Automatic,
            row0: 0,
            angle0: 0,
            constraint,
        };
        self.touch();
        let slices = [zeros(), zeros(), vec![f64::INFINITY; record.n_angles()]];
        Ok(self.constraints.add(record, slices, &mut self.state))
    }

    /// Replaces a constraint and its connectors, keeping id, label, place and, where the number of
    /// rows allows, compliance and multipliers.
    pub fn replace_constraint(
        &mut self,
        id: ConstraintId,
        constraint: impl Constraint + 'static,
        connectors: &[Connector],
    ) -> Result<(), Error> {
        self.replace_shared_constraint(id, Arc::new(constraint), connectors)
    }

    /// [`World::replace_constraint`] for a constraint that is already shared.
    pub fn replace_shared_constraint(
        &mut self,
        id: ConstraintId,
        constraint: Arc<dyn Constraint>,
        connectors: &[Connector],
    ) -> Result<(), Error> {
        let index = self.constraints.index(id)?;
        let label = self.constraints[index].label.clone();
        let in_plane = self.check_constraint(&label, &*constraint, connectors)?;
        let record = &mut self.constraints[index];
        let old = record.lengths();
        record.in_plane = in_plane;
        record.constraint = constraint;
        record.connectors = connectors.to_vec();
        let n_rows = record.rows().len();
        if old != record.lengths() || record.constraint.inertia().is_some() {
            record.compliance = compliance(&*record.constraint, n_rows);
            record.damping = alike(0.0, n_rows);
            self.constraints.clear_slices(index, old, &mut self.state);
        }
        // The angles of another joint are counted from zero.
        let angles = self.constraints[index].angle_range();
        self.state.turns.joints[angles].fill(f64::INFINITY);
        self.touch();
        Ok(())
    }

    /// Sets the compliance of each row (row unit per newton or newton meter); zero is hard.
    pub fn set_compliance(&mut self, id: ConstraintId, compliance: &[f64]) -> Result<(), Error> {
        let record = self.constraints.get(id)?;
        if record.constraint.inertia().is_some() && *compliance != *record.compliance {
            let problem = Error::field("compliance", "of an armature is 1/inertia; leave it out");
            return Err(problem.of(Item::Constraint, &record.label));
        }
        self.require_unbounded(id, "compliance", compliance.iter().all(|own| *own == 0.0))?;
        self.set_rows(id, "compliance", compliance, |record| {
            &mut record.compliance
        })
    }

    /// Refuses limits, motors and friction: bounded rows are exact within their bounds.
    fn require_unbounded(
        &self,
        id: ConstraintId,
        field: &'static str,
        is_nothing: bool,
    ) -> Result<(), Error> {
        let record = self.constraints.get(id)?;
        if is_nothing || record.constraint.bound().is_none() {
            return Ok(());
        }
        let problem = Error::field(
            field,
            "has no effect on a limit, a servo or friction; leave it out",
        );
        Err(problem.of(Item::Constraint, &record.label))
    }

    /// Sets the damping of each row, in newtons (or newton meters) per row unit and second. It acts
    /// on soft rows: `λ = −c/compliance − damping·ċ`.
    pub fn set_damping(&mut self, id: ConstraintId, damping: &[f64]) -> Result<(), Error> {
        self.require_unbounded(id, "damping", damping.iter().all(|own| *own == 0.0))?;
        self.set_rows(id, "damping", damping, |record| &mut record.damping)
    }

    fn set_rows(
        &mut self,
        id: ConstraintId,
        field: &'static str,
        values: &[f64],
        of: impl Fn(&mut ConstraintRecord) -> &mut Cow<'static, [f64]>,
    ) -> Result<(), Error> {
        let record = self.constraints.get_mut(id)?;
        let n_rows = record.compliance.len();
        let check = || -> Result<(), Error> {
            if values.len() != n_rows {
                let problem = format!("has {} entries; give {n_rows}", values.len());
                return Err(Error::field(field, problem));
            }
            values
                .iter()
                .try_for_each(|&value| Error::require_not_negative(field, &value))
        };
        check().map_err(|problem| problem.of(Item::Constraint, &record.label))?;
        *of(record) = match values.iter().any(|own| own.to_bits() != 0) {
            true => Cow::Owned(values.to_vec()),
            false => alike(0.0, n_rows),
        };
        self.touch();
        Ok(())
    }

    /// Sets the priority: 0 is exact, higher numbers give way in least squares.
    pub fn set_priority(&mut self, id: ConstraintId, priority: u8) -> Result<(), Error> {
        self.require_unbounded(id, "priority", priority == 0)?;
        self.constraints.get_mut(id)?.priority = priority;
        self.touch();
        Ok(())
    }

    /// Sets the weight within its priority, which counts if not all rows can be met. At priority 0 it decides
    /// which errors are reduced first when iterations are cut short.
    pub fn set_weight(&mut self, id: ConstraintId, weight: f64) -> Result<(), Error> {
        let record = self.constraints.get_mut(id)?;
        let in_range = WEIGHTS.contains(&weight);
        let problem = format!(
            "is {}; give a number from {:e} to {:e}",
            Shown(weight),
            WEIGHTS.start(),
            WEIGHTS.end()
        );
        in_range
            .then_some(())
            .ok_or(Error::field("weight", problem))
            .map_err(|problem| problem.of(Item::Constraint, &record.label))?;
        record.weight = weight;
        self.touch();
        Ok(())
    }

    /// Adds a behavior on connectors (none for a field on every body).
    pub fn add_behavior(
        &mut self,
        label: &str,
        behavior: impl Behavior + 'static,
        connectors: &[Connector],
    ) -> Result<BehaviorId, Error> {
        self.add_shared_behavior(label, Arc::new(behavior), connectors)
    }

    /// [`World::add_behavior`] for a behavior that is already shared.
    pub fn add_shared_behavior(
        &mut self,
        label: &str,
        behavior: Arc<dyn Behavior>,
        connectors: &[Connector],
    ) -> Result<BehaviorId, Error> {
        self.behaviors.check_label(label)?;
        let in_plane = self.check_behavior(label, &*behavior, connectors)?;
        let record = BehaviorRecord {
            id: self.behaviors.next_id(),
            label: label.into(),
            behavior,
            connectors: connectors.to_vec(),
            in_plane,
            enabled: true,
            angle0: 0,
        };
        self.touch();
        let uncounted = vec![f64::INFINITY; record.n_angles()];
        let slices = [Vec::new(), Vec::new(), uncounted];
        Ok(self.behaviors.add(record, slices, &mut self.state))
    }

    /// Replaces a behavior's law, keeping id, label, place and connectors.
    pub fn replace_behavior(
        &mut self,
        id: BehaviorId,
        behavior: impl Behavior + 'static,
    ) -> Result<(), Error> {
        let connectors = self.behavior_record(id)?.connectors.clone();
        self.replace_shared_behavior(id, Arc::new(behavior), &connectors)
    }

    /// Replaces a behavior and what it acts on, keeping id, label and place.
    pub fn replace_shared_behavior(
        &mut self,
        id: BehaviorId,
        behavior: Arc<dyn Behavior>,
        connectors: &[Connector],
    ) -> Result<(), Error> {
        let index = self.behaviors.index(id)?;
        let label = &self.behaviors[index].label;
        let in_plane = self.check_behavior(label, &*behavior, connectors)?;
        let record = &mut self.behaviors[index];
        let old = record.lengths();
        record.in_plane = in_plane;
        record.behavior = behavior;
        record.connectors = connectors.to_vec();
        self.behaviors.clear_slices(index, old, &mut self.state);
        self.touch();
        Ok(())
    }

    /// Records an edit, by which caches know that something changed.
    pub(super) fn touch(&mut self) {
        self.revision = Revision::fresh();
    }
}

/// Default compliance of rows: hard, or `1/a` of an armature.
fn compliance(constraint: &dyn Constraint, n_rows: usize) -> Cow<'static, [f64]> {
    let of_armature = constraint.inertia().map_or(0.0, |inertia| 1.0 / inertia);
    alike(of_armature, n_rows)
}

/// One value for all rows. A few zeros take no memory.
fn alike(value: f64, n_rows: usize) -> Cow<'static, [f64]> {
    const ZEROS: &[f64] = &[0.0; 8];
    let zeros = ZEROS.get(..n_rows).filter(|_| value == 0.0);
    zeros.map_or_else(|| Cow::Owned(vec![value; n_rows]), Cow::Borrowed)
}
