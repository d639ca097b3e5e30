//! Removals, and putting back what they took: same ids, same order, same state.

use super::check::connector_kind;
use super::store::{Record, Taken};
use super::{
    BehaviorId, BehaviorRecord, BodyId, BodyRecord, ConstraintId, ConstraintRecord, GROUND,
    GripRecord, World,
};
use crate::error::Error;

/// What a removal took out, with its state: [`World::restore_removed`] puts it back under the same
/// ids, in the same order.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Removed {
    bodies: Vec<Taken<BodyRecord>>,
    constraints: Vec<Taken<ConstraintRecord>>,
    behaviors: Vec<Taken<BehaviorRecord>>,
    grips: Vec<GripRecord>,
}

fn labels<R: Record>(taken: &[Taken<R>]) -> impl Iterator<Item = &str> {
    taken.iter().map(|(record, _)| record.label())
}

impl Removed {
    /// Labels of the constraints that went.
    pub fn constraint_labels(&self) -> impl Iterator<Item = &str> {
        labels(&self.constraints)
    }

    /// Labels of the behaviors that went.
    pub fn behavior_labels(&self) -> impl Iterator<Item = &str> {
        labels(&self.behaviors)
    }
}

impl World {
    /// Removes a body, and with it the constraints, behaviors and hands that hold on to it.
    pub fn remove_body(&mut self, id: BodyId) -> Result<Removed, Error> {
        let index = self.bodies.index(id)?;
        let mut removed = self.recount_touching(id, |world| {
            let state = &mut world.state;
            Removed {
                constraints: world.constraints.take_where(|c| c.body == id, state),
                behaviors: world.behaviors.take_where(|c| c.body == id, state),
                bodies: vec![world.bodies.take(index, state)],
                grips: Vec::new(),
            }
        });
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
        let index = self.constraints.index(id)?;
        if let Some(grip) = self.grips.iter().find(|grip| grip.constraint == id) {
            return self.remove_body(grip.hand);
        }
        self.touch();
        Ok(Removed {
            constraints: vec![self.constraints.take(index, &mut self.state)],
            ..Removed::default()
        })
    }

    /// Removes a behavior.
    pub fn remove_behavior(&mut self, id: BehaviorId) -> Result<Removed, Error> {
        let index = self.behaviors.index(id)?;
        self.touch();
        Ok(Removed {
            behaviors: vec![self.behaviors.take(index, &mut self.state)],
            ..Removed::default()
        })
    }

    /// Puts back what a removal took out: same ids, same order, same state.
    pub fn restore_removed(&mut self, removed: &Removed) -> Result<(), Error> {
        self.bodies.check_restorable(&removed.bodies)?;
        self.constraints.check_restorable(&removed.constraints)?;
        self.check_sites(removed, &removed.constraints)?;
        self.behaviors.check_restorable(&removed.behaviors)?;
        self.check_sites(removed, &removed.behaviors)?;
        for taken in removed.bodies.iter().cloned() {
            self.recount_touching(taken.0.id, |world| {
                world.bodies.put_back(taken, &mut world.state);
            });
        }
        for taken in removed.constraints.iter().cloned() {
            self.constraints.put_back(taken, &mut self.state);
        }
        for taken in removed.behaviors.iter().cloned() {
            self.behaviors.put_back(taken, &mut self.state);
        }
        for grip in &removed.grips {
            let at = self.grips.partition_point(|other| other.id < grip.id);
            self.grips.insert(at, grip.clone());
        }
        self.touch();
        Ok(())
    }

    /// Bodies may have been removed or replaced since: every connector must still fit its own.
    fn check_sites<R: Record>(&self, removed: &Removed, taken: &[Taken<R>]) -> Result<(), Error> {
        for (record, _) in taken {
            let connectors = record.connectors().iter();
            for connector in connectors.filter(|connector| connector.body != GROUND) {
                let mut back = removed.bodies.iter().map(|(body, _)| body);
                let body = match back.find(|body| body.id == connector.body) {
                    Some(body) => body,
                    None => self.body_record(connector.body)?,
                };
                connector_kind(&*body.body, &body.label, record.label(), &connector.site)?;
            }
        }
        Ok(())
    }
}
