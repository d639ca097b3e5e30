//! Removals, and putting back what they took: same ids, same order, same state.

use super::check::connector_kind;
use super::state::Rows;
use super::{
    BehaviorId, BehaviorRecord, BodyId, BodyRecord, ConstraintId, ConstraintRecord, GROUND,
    GripRecord, World,
};
use crate::connector::Connector;
use crate::error::{Error, Item};

/// What a removal took out, with its state: [`World::restore_removed`] puts it back under the same
/// ids, in the same order.
#[derive(Clone, Debug, Default)]
pub struct Removed {
    bodies: Vec<(BodyRecord, Vec<f64>, Vec<f64>)>,
    constraints: Vec<(ConstraintRecord, Rows)>,
    behaviors: Vec<BehaviorRecord>,
    grips: Vec<GripRecord>,
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
    /// Removes a body, and with it the constraints, behaviors and hands that hold on to it.
    pub fn remove_body(&mut self, id: BodyId) -> Result<Removed, Error> {
        let index = self.body_index(id)?;
        let holds = |connectors: &[Connector]| connectors.iter().any(|c| c.body == id);
        let mut removed = Removed::default();
        for at in (0..self.constraints.len()).rev() {
            if holds(&self.constraints[at].connectors) {
                removed.constraints.push(self.take_constraint(at));
            }
        }
        for at in (0..self.behaviors.len()).rev() {
            if holds(&self.behaviors[at].connectors) {
                removed.behaviors.push(self.take_behavior(at));
            }
        }
        let record = self.bodies.remove(index);
        self.labels[0].remove(&record.label);
        let q = self.state.q.drain(record.q_range()).collect();
        let v = self.state.v.drain(record.v_range()).collect();
        removed.bodies.push((record, q, v));
        self.number_bodies();
        self.touch();
        for grip in self.drop_grips_of(id) {
            if grip.hand != id {
                let hand = self.remove_body(grip.hand)?;
                removed.bodies.extend(hand.bodies);
                removed.constraints.extend(hand.constraints);
                removed.behaviors.extend(hand.behaviors);
            }
            removed.grips.push(grip);
        }
        Ok(removed)
    }

    /// Removes a constraint; if it is a hand's joint, with the hand.
    pub fn remove_constraint(&mut self, id: ConstraintId) -> Result<Removed, Error> {
        let index = self.constraint_index(id)?;
        if let Some(grip) = self.grips.iter().find(|grip| grip.constraint == id) {
            return self.remove_body(grip.hand);
        }
        let constraint = self.take_constraint(index);
        self.touch();
        Ok(Removed {
            constraints: vec![constraint],
            ..Removed::default()
        })
    }

    /// Removes a behavior.
    pub fn remove_behavior(&mut self, id: BehaviorId) -> Result<Removed, Error> {
        let index = self.behavior_index(id)?;
        let behavior = self.take_behavior(index);
        self.touch();
        Ok(Removed {
            behaviors: vec![behavior],
            ..Removed::default()
        })
    }

    /// Puts back what a removal took out: same ids, same order, same state.
    pub fn restore_removed(&mut self, removed: &Removed) -> Result<(), Error> {
        for (record, _, _) in &removed.bodies {
            self.check_restorable(
                Item::Body,
                &record.label,
                (record.id.number, record.id.world),
            )?;
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
            self.check_restorable(
                Item::Constraint,
                &record.label,
                (record.id.number, record.id.world),
            )?;
            for connector in &record.connectors {
                site_fits(&record.label, connector)?;
            }
        }
        for record in &removed.behaviors {
            self.check_restorable(
                Item::Behavior,
                &record.label,
                (record.id.number, record.id.world),
            )?;
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
            self.labels[0].insert(record.label.clone(), record.id.number);
            self.number_bodies();
        }
        for (record, rows) in &removed.constraints {
            let at = self
                .constraints
                .partition_point(|other| other.id < record.id);
            let row0 = self
                .constraints
                .get(at)
                .map_or(self.state.lambda.len(), |next| next.row0);
            self.state.insert_rows(row0, rows);
            self.constraints.insert(at, record.clone());
            self.labels[1].insert(record.label.clone(), record.id.number);
            self.number_rows();
        }
        for record in &removed.behaviors {
            let at = self.behaviors.partition_point(|other| other.id < record.id);
            self.behaviors.insert(at, record.clone());
            self.labels[2].insert(record.label.clone(), record.id.number);
        }
        for grip in &removed.grips {
            let at = self.grips.partition_point(|other| other.id < grip.id);
            self.grips.insert(at, grip.clone());
        }
        self.touch();
        Ok(())
    }

    fn take_constraint(&mut self, index: usize) -> (ConstraintRecord, Rows) {
        let record = self.constraints.remove(index);
        self.labels[1].remove(&record.label);
        let rows = self.state.take_rows(record.row_range());
        self.number_rows();
        (record, rows)
    }

    fn take_behavior(&mut self, index: usize) -> BehaviorRecord {
        let record = self.behaviors.remove(index);
        self.labels[2].remove(&record.label);
        record
    }
}
