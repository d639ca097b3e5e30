//! Edits: add, remove, restore, replace, enable. Each succeeds or leaves the world as it was.
//!
//! Building and simulating are one mode (Witkin 1990, §5.1): any edit may come between two steps.

use std::sync::Arc;

use super::{
    BehaviorId, BehaviorRecord, BodyId, BodyRecord, ConstraintId, ConstraintRecord, GROUND,
    Revision, World,
};
use crate::behavior::Behavior;
use crate::body::{Body, Ground};
use crate::connector::{Connector, ConnectorKind, Site};
use crate::constraint::{Constraint, MAX_ROWS};
use crate::error::{Error, Invalid, Item};

/// Something that can become a body: a body, or the description of one such as a rod.
pub trait IntoBody {
    /// The body, or the field that makes it impossible.
    fn into_body(self) -> Result<Arc<dyn Body>, Invalid>;
}

impl<B: Body + 'static> IntoBody for B {
    fn into_body(self) -> Result<Arc<dyn Body>, Invalid> {
        Ok(Arc::new(self))
    }
}

impl IntoBody for Arc<dyn Body> {
    fn into_body(self) -> Result<Arc<dyn Body>, Invalid> {
        Ok(self)
    }
}

/// What a removal took out, with its state: [`World::restore_removed`] puts it back under the same
/// ids, in the same order.
#[derive(Clone, Debug)]
pub struct Removed {
    bodies: Vec<(BodyRecord, Vec<f64>, Vec<f64>)>,
    constraints: Vec<(ConstraintRecord, Vec<f64>)>,
    behaviors: Vec<BehaviorRecord>,
}

impl Removed {
    /// Labels of the constraints that went.
    pub fn constraint_labels(&self) -> impl Iterator<Item = &str> {
        self.constraints
            .iter()
            .map(|(record, _)| record.label.as_str())
    }

    /// Labels of the behaviors that went.
    pub fn behavior_labels(&self) -> impl Iterator<Item = &str> {
        self.behaviors.iter().map(|record| record.label.as_str())
    }
}

impl World {
    /// Adds a body, at the coordinates it is born with and at rest.
    pub fn add_body(&mut self, label: &str, body: impl IntoBody) -> Result<BodyId, Error> {
        self.check_label(Item::Body, label)?;
        let body = checked_body(label, body)?;
        let id = BodyId {
            number: self.next_number[0],
            world: self.tag,
        };
        let mut q = vec![0.0; body.n_q()];
        body.initial_q(&mut q);
        let record = BodyRecord {
            id,
            label: label.to_owned(),
            q0: self.state.q.len(),
            v0: self.state.v.len(),
            body,
            enabled: true,
        };
        self.state.v.resize(record.v0 + record.body.n_v(), 0.0);
        self.state.q.extend_from_slice(&q);
        self.labels[0].insert(record.label.clone(), id.number);
        self.bodies.push(record);
        self.next_number[0] += 1;
        self.revision = Revision::fresh();
        Ok(id)
    }

    /// Adds a body with its frame at `pose`.
    pub fn add_body_at(
        &mut self,
        label: &str,
        body: impl IntoBody,
        pose: crate::body::Pose,
    ) -> Result<BodyId, Error> {
        self.check_label(Item::Body, label)?;
        let body = checked_body(label, body)?;
        body.q_from_pose(&pose, &mut vec![0.0; body.n_q()])
            .map_err(|problem| invalid(Item::Body, label, problem))?;
        let id = self.add_body(label, body)?;
        self.set_pose(id, pose)?;
        Ok(id)
    }

    /// Replaces a body by one with as many coordinates, keeping its state and its joints.
    pub fn replace_body(&mut self, id: BodyId, body: impl IntoBody) -> Result<(), Error> {
        let record = self.body_record(id)?.clone();
        let body = checked_body(&record.label, body)?;
        check_length(&record, "n_q", body.n_q(), record.body.n_q())?;
        check_length(&record, "n_v", body.n_v(), record.body.n_v())?;
        let connectors = self.constraints.iter().map(|c| (&c.label, &c.connectors));
        let behaviors = self.behaviors.iter().map(|b| (&b.label, &b.connectors));
        for (label, connectors) in connectors.chain(behaviors) {
            for connector in connectors.iter().filter(|connector| connector.body == id) {
                connector_kind(&*body, &record.label, label, &connector.site)?;
            }
        }
        let index = self.body_index(id)?;
        self.bodies[index].body = body;
        self.touch();
        Ok(())
    }

    /// Removes a body, and with it the constraints and behaviors that hold on to it.
    pub fn remove_body(&mut self, id: BodyId) -> Result<Removed, Error> {
        let index = self.body_index(id)?;
        let holds = |connectors: &[Connector]| connectors.iter().any(|c| c.body == id);
        let mut removed = Removed {
            bodies: vec![],
            constraints: vec![],
            behaviors: vec![],
        };
        for at in (0..self.constraints.len()).rev() {
            if holds(&self.constraints[at].connectors) {
                removed.constraints.push(self.take_constraint(at));
            }
        }
        for at in (0..self.behaviors.len()).rev() {
            if holds(&self.behaviors[at].connectors) {
                removed.behaviors.push(self.behaviors.remove(at));
            }
        }
        let record = self.bodies.remove(index);
        let q = self.state.q.drain(record.q_range()).collect();
        let v = self.state.v.drain(record.v_range()).collect();
        removed.bodies.push((record, q, v));
        self.touch();
        Ok(removed)
    }

    /// Removes a constraint.
    pub fn remove_constraint(&mut self, id: ConstraintId) -> Result<Removed, Error> {
        let index = self.constraint_index(id)?;
        let constraint = self.take_constraint(index);
        self.touch();
        Ok(Removed {
            bodies: vec![],
            constraints: vec![constraint],
            behaviors: vec![],
        })
    }

    /// Removes a behavior.
    pub fn remove_behavior(&mut self, id: BehaviorId) -> Result<Removed, Error> {
        let index = self.behavior_index(id)?;
        let behavior = self.behaviors.remove(index);
        self.touch();
        Ok(Removed {
            bodies: vec![],
            constraints: vec![],
            behaviors: vec![behavior],
        })
    }

    /// Puts back what a removal took out: same ids, same order, same state.
    pub fn restore_removed(&mut self, removed: &Removed) -> Result<(), Error> {
        for (record, _, _) in &removed.bodies {
            self.check_restorable(Item::Body, &record.label, record.id.world)?;
        }
        // The bodies may have been removed or replaced since.
        let site_fits = |label: &str, connector: &Connector| -> Result<(), Error> {
            if connector.body == GROUND {
                return Ok(());
            }
            let mut back = removed.bodies.iter().map(|(record, _, _)| record);
            let record = match back.find(|record| record.id == connector.body) {
                Some(record) => record,
                None => self.body_record(connector.body)?,
            };
            connector_kind(&*record.body, &record.label, label, &connector.site)?;
            Ok(())
        };
        for (record, _) in &removed.constraints {
            self.check_restorable(Item::Constraint, &record.label, record.id.world)?;
            for connector in &record.connectors {
                site_fits(&record.label, connector)?;
            }
        }
        for record in &removed.behaviors {
            self.check_restorable(Item::Behavior, &record.label, record.id.world)?;
            for connector in &record.connectors {
                site_fits(&record.label, connector)?;
            }
        }
        for (record, q, v) in &removed.bodies {
            let at = self.bodies.partition_point(|other| other.id < record.id);
            let (q0, v0) = match self.bodies.get(at) {
                Some(next) => (next.q0, next.v0),
                None => (self.state.q.len(), self.state.v.len()),
            };
            self.state.q.splice(q0..q0, q.iter().copied());
            self.state.v.splice(v0..v0, v.iter().copied());
            self.bodies.insert(at, record.clone());
            self.touch();
        }
        for (record, lambda) in &removed.constraints {
            let at = self
                .constraints
                .partition_point(|other| other.id < record.id);
            let row0 = self
                .constraints
                .get(at)
                .map_or(self.state.lambda.len(), |next| next.row0);
            self.state.lambda.splice(row0..row0, lambda.iter().copied());
            self.constraints.insert(at, record.clone());
            self.touch();
        }
        for record in &removed.behaviors {
            let at = self.behaviors.partition_point(|other| other.id < record.id);
            self.behaviors.insert(at, record.clone());
        }
        self.touch();
        Ok(())
    }

    /// Enables or disables a body. Constraints and behaviors on a disabled body rest with it.
    pub fn set_body_enabled(&mut self, id: BodyId, enabled: bool) -> Result<(), Error> {
        let index = self.body_index(id)?;
        self.bodies[index].enabled = enabled;
        self.touch();
        Ok(())
    }

    /// Enables or disables a constraint.
    pub fn set_constraint_enabled(&mut self, id: ConstraintId, enabled: bool) -> Result<(), Error> {
        let index = self.constraint_index(id)?;
        self.constraints[index].enabled = enabled;
        self.touch();
        Ok(())
    }

    /// Enables or disables a behavior.
    pub fn set_behavior_enabled(&mut self, id: BehaviorId, enabled: bool) -> Result<(), Error> {
        let index = self.behavior_index(id)?;
        self.behaviors[index].enabled = enabled;
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
        self.check_label(Item::Constraint, label)?;
        self.check_constraint(label, &*constraint, connectors)?;
        let id = ConstraintId {
            number: self.next_number[1],
            world: self.tag,
        };
        let n_rows = constraint.rows().len();
        let row0 = self.state.lambda.len();
        self.state.lambda.resize(row0 + n_rows, 0.0);
        self.constraints.push(ConstraintRecord {
            id,
            label: label.to_owned(),
            connectors: connectors.to_vec(),
            enabled: true,
            priority: 0,
            weight: 1.0,
            compliance: vec![0.0; n_rows],
            row0,
            constraint,
        });
        self.labels[1].insert(label.to_owned(), id.number);
        self.next_number[1] += 1;
        self.revision = Revision::fresh();
        Ok(id)
    }

    /// Replaces a constraint and its connectors, keeping id, label, place and, where the number of
    /// rows allows, compliance and multipliers.
    pub fn replace_constraint(
        &mut self,
        id: ConstraintId,
        constraint: impl Constraint + 'static,
        connectors: &[Connector],
    ) -> Result<(), Error> {
        let index = self.constraint_index(id)?;
        let label = self.constraints[index].label.clone();
        self.check_constraint(&label, &constraint, connectors)?;
        let n_rows = constraint.rows().len();
        let record = &mut self.constraints[index];
        let rows = record.row_range();
        if rows.len() != n_rows {
            let start = rows.start;
            self.state
                .lambda
                .splice(rows, std::iter::repeat_n(0.0, n_rows));
            record.compliance = vec![0.0; n_rows];
            record.row0 = start;
        }
        record.constraint = Arc::new(constraint);
        record.connectors = connectors.to_vec();
        self.touch();
        Ok(())
    }

    /// Sets the compliance of each row (row unit per newton or newton metre); zero is hard.
    pub fn set_compliance(&mut self, id: ConstraintId, compliance: &[f64]) -> Result<(), Error> {
        let index = self.constraint_index(id)?;
        let record = &mut self.constraints[index];
        let n_rows = record.compliance.len();
        let check = || -> Result<(), Invalid> {
            if compliance.len() != n_rows {
                let problem = format!("has {} entries; give {n_rows}", compliance.len());
                return Err(Invalid::new("compliance", problem));
            }
            compliance
                .iter()
                .try_for_each(|&c| Invalid::require_not_negative("compliance", c))
        };
        check().map_err(|problem| invalid(Item::Constraint, &record.label, problem))?;
        record.compliance.copy_from_slice(compliance);
        self.touch();
        Ok(())
    }

    /// Sets the priority level: 0 is exact, higher numbers give way in least squares.
    pub fn set_priority(&mut self, id: ConstraintId, priority: u8) -> Result<(), Error> {
        let index = self.constraint_index(id)?;
        self.constraints[index].priority = priority;
        self.touch();
        Ok(())
    }

    /// Sets the weight within the level, for when the level cannot be met.
    pub fn set_weight(&mut self, id: ConstraintId, weight: f64) -> Result<(), Error> {
        let index = self.constraint_index(id)?;
        let record = &mut self.constraints[index];
        Invalid::require_positive("weight", weight)
            .map_err(|problem| invalid(Item::Constraint, &record.label, problem))?;
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
        self.check_label(Item::Behavior, label)?;
        self.check_behavior(label, &behavior, connectors)?;
        let id = BehaviorId {
            number: self.next_number[2],
            world: self.tag,
        };
        self.behaviors.push(BehaviorRecord {
            id,
            label: label.to_owned(),
            behavior: Arc::new(behavior),
            connectors: connectors.to_vec(),
            enabled: true,
        });
        self.labels[2].insert(label.to_owned(), id.number);
        self.next_number[2] += 1;
        self.revision = Revision::fresh();
        Ok(id)
    }

    /// Replaces a behavior's law, keeping id, label, place and connectors.
    pub fn replace_behavior(
        &mut self,
        id: BehaviorId,
        behavior: impl Behavior + 'static,
    ) -> Result<(), Error> {
        let index = self.behavior_index(id)?;
        let record = &self.behaviors[index];
        self.check_behavior(&record.label, &behavior, &record.connectors)?;
        self.behaviors[index].behavior = Arc::new(behavior);
        self.touch();
        Ok(())
    }

    fn check_constraint(
        &self,
        label: &str,
        constraint: &dyn Constraint,
        connectors: &[Connector],
    ) -> Result<(), Error> {
        constraint
            .validate()
            .map_err(|problem| invalid(Item::Constraint, label, problem))?;
        let n_rows = constraint.rows().len();
        if n_rows == 0 || n_rows > MAX_ROWS {
            let problem = format!("are {n_rows}; give 1 to {MAX_ROWS}, or split the constraint");
            return Err(invalid(
                Item::Constraint,
                label,
                Invalid::new("rows", problem),
            ));
        }
        self.check_inputs(label, constraint.inputs(), connectors)?;
        if let Some(first) = connectors.first()
            && connectors.len() > 1
            && connectors.iter().all(|c| c.body == first.body)
            && let Ok(record) = self.body_record(first.body)
            && record.body.moves_as_one()
        {
            return Err(Error::SameBody {
                label: label.to_owned(),
                body: record.label.clone(),
            });
        }
        if !constraint.allows_same_body() {
            for (i, a) in connectors.iter().enumerate() {
                if connectors[..i]
                    .iter()
                    .any(|b| a.body == b.body && a.body != GROUND)
                {
                    let body = self.body_label(a.body)?.to_owned();
                    return Err(Error::SameBody {
                        label: label.to_owned(),
                        body,
                    });
                }
            }
        }
        let movable = |connector: &Connector| {
            self.body_record(connector.body)
                .is_ok_and(|record| record.body.n_v() > 0)
        };
        if !connectors.iter().any(movable) {
            return Err(Error::NothingToMove {
                label: label.to_owned(),
            });
        }
        Ok(())
    }

    fn check_behavior(
        &self,
        label: &str,
        behavior: &dyn Behavior,
        connectors: &[Connector],
    ) -> Result<(), Error> {
        behavior
            .validate()
            .map_err(|problem| invalid(Item::Behavior, label, problem))?;
        self.check_inputs(label, behavior.inputs(), connectors)
    }

    fn check_inputs(
        &self,
        label: &str,
        kinds: &[ConnectorKind],
        connectors: &[Connector],
    ) -> Result<(), Error> {
        if kinds.len() != connectors.len() {
            let (expected, given) = (kinds.len(), connectors.len());
            return Err(Error::InputCount {
                label: label.to_owned(),
                expected,
                given,
            });
        }
        for (input, (expected, connector)) in kinds.iter().zip(connectors).enumerate() {
            let body: &dyn Body = if connector.body == GROUND {
                &Ground
            } else {
                &*self.body_record(connector.body)?.body
            };
            let body_label = self.body_label(connector.body)?;
            let given = connector_kind(body, body_label, label, &connector.site)?;
            if given != *expected {
                let (label, expected) = (label.to_owned(), *expected);
                return Err(Error::InputKind {
                    label,
                    input,
                    expected,
                    given,
                });
            }
        }
        Ok(())
    }

    fn check_label(&self, item: Item, label: &str) -> Result<(), Error> {
        if label.is_empty() {
            return Err(invalid(
                item,
                label,
                Invalid::new("label", "is empty; name it"),
            ));
        }
        let taken = match item {
            Item::Body => label == "ground" || self.find_body(label).is_some(),
            Item::Constraint => self.find_constraint(label).is_some(),
            Item::Behavior => self.find_behavior(label).is_some(),
        };
        if taken {
            return Err(Error::DuplicateLabel {
                item,
                label: label.to_owned(),
            });
        }
        Ok(())
    }

    fn check_restorable(
        &self,
        item: Item,
        label: &str,
        world: super::WorldTag,
    ) -> Result<(), Error> {
        if world != self.tag {
            return Err(Error::UnknownId {
                item,
                number: 0,
                foreign: true,
                removed: false,
            });
        }
        self.check_label(item, label)
    }

    fn body_index(&self, id: BodyId) -> Result<usize, Error> {
        self.body_record(id)?;
        Ok(self.bodies.partition_point(|record| record.id < id))
    }

    fn take_constraint(&mut self, index: usize) -> (ConstraintRecord, Vec<f64>) {
        let record = self.constraints.remove(index);
        let lambda = self.state.lambda.drain(record.row_range()).collect();
        self.number_rows();
        (record, lambda)
    }

    /// After an edit other than an addition: offsets and labels follow the order of ids, and
    /// caches know that something changed.
    fn touch(&mut self) {
        self.labels[0] = self
            .bodies
            .iter()
            .map(|r| (r.label.clone(), r.id.number))
            .collect();
        self.labels[1] = self
            .constraints
            .iter()
            .map(|r| (r.label.clone(), r.id.number))
            .collect();
        self.labels[2] = self
            .behaviors
            .iter()
            .map(|r| (r.label.clone(), r.id.number))
            .collect();
        let (mut q0, mut v0) = (0, 0);
        for record in &mut self.bodies {
            (record.q0, record.v0) = (q0, v0);
            q0 += record.body.n_q();
            v0 += record.body.n_v();
        }
        self.number_rows();
        self.revision = Revision::fresh();
    }

    fn number_rows(&mut self) {
        let mut row0 = 0;
        for record in &mut self.constraints {
            record.row0 = row0;
            row0 += record.constraint.rows().len();
        }
    }
}

/// The kind of a connector, or why the body refuses the site.
pub(super) fn connector_kind(
    body: &dyn Body,
    body_label: &str,
    label: &str,
    site: &Site,
) -> Result<ConnectorKind, Error> {
    match body.connector_kind(site) {
        Ok(Some(kind)) => Ok(kind),
        Ok(None) => Err(Error::UnsupportedSite {
            label: label.to_owned(),
            body: body_label.to_owned(),
            site: site.to_string(),
            offers: body.offers(),
        }),
        Err(problem) => Err(invalid(Item::Body, body_label, problem)),
    }
}

pub(super) fn invalid(item: Item, label: &str, problem: Invalid) -> Error {
    Error::Invalid {
        item,
        label: label.to_owned(),
        field: problem.field,
        problem: problem.problem,
    }
}

pub(super) fn check_length(
    record: &BodyRecord,
    field: &'static str,
    given: usize,
    expected: usize,
) -> Result<(), Error> {
    if given == expected {
        return Ok(());
    }
    let problem = format!("has {given} numbers; this body takes {expected}");
    Err(invalid(
        Item::Body,
        &record.label,
        Invalid::new(field, problem),
    ))
}

fn checked_body(label: &str, body: impl IntoBody) -> Result<Arc<dyn Body>, Error> {
    let body = body
        .into_body()
        .map_err(|problem| invalid(Item::Body, label, problem))?;
    body.validate()
        .map_err(|problem| invalid(Item::Body, label, problem))?;
    Ok(body)
}
