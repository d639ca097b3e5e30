//! Removing records, and restoring them with the same ids, order and state.

use super::block::{check_kind, output_kind};
use super::check::connector_kind;
use super::store::{Record, Taken};
use super::{
    BehaviorId, BehaviorRecord, BlockId, BlockRecord, BodyId, BodyRecord, ConstraintId,
    ConstraintRecord, GROUND, GripRecord, World,
};
use crate::body::{Body, Ground};
use crate::connector::{Connector, ConnectorKind};
use crate::error::Error;

/// Removed records with their state. [`World::restore_removed`] restores them with the same ids and order.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Removed {
    bodies: Vec<Taken<BodyRecord>>,
    constraints: Vec<Taken<ConstraintRecord>>,
    behaviors: Vec<Taken<BehaviorRecord>>,
    blocks: Vec<Taken<BlockRecord>>,
    grips: Vec<GripRecord>,
}

fn labels<R: Record>(taken: &[Taken<R>]) -> impl Iterator<Item = &str> {
    taken.iter().map(|(record, _)| &**record.label())
}

impl Removed {
    /// Labels of the removed constraints.
    pub fn constraint_labels(&self) -> impl Iterator<Item = &str> {
        labels(&self.constraints)
    }

    /// Labels of the removed behaviors.
    pub fn behavior_labels(&self) -> impl Iterator<Item = &str> {
        labels(&self.behaviors)
    }

    /// Labels of the removed blocks.
    pub fn block_labels(&self) -> impl Iterator<Item = &str> {
        labels(&self.blocks)
    }

    fn extend(&mut self, more: Self) {
        self.bodies.extend(more.bodies);
        self.constraints.extend(more.constraints);
        self.behaviors.extend(more.behaviors);
        self.blocks.extend(more.blocks);
    }
}

impl World {
    /// Removes a body, and with it the blocks, constraints, behaviors and grips on it.
    pub fn remove_body(&mut self, id: BodyId) -> Result<Removed, Error> {
        self.bodies.index(id)?;
        self.remove_with(Some(id), None)
    }

    /// Removes an existing body or block, and everything that uses it.
    pub(super) fn remove_with(
        &mut self,
        body: Option<BodyId>,
        block: Option<BlockId>,
    ) -> Result<Removed, Error> {
        let mut blocks: Vec<BlockId> = block.into_iter().collect();
        let is_gone = |blocks: &[BlockId], own: &Connector| match own {
            Connector::Site { body: own, .. } => body == Some(*own),
            Connector::Output { block, .. } => blocks.contains(block),
        };
        // Users of a block come after it.
        for record in self.blocks.iter() {
            let mut inputs = record.inputs.iter();
            if !blocks.contains(&record.id) && inputs.any(|own| is_gone(&blocks, own)) {
                blocks.push(record.id);
            }
        }
        let hangs = |own: &Connector| is_gone(&blocks, own);
        let state = &mut self.state;
        let mut removed = Removed {
            constraints: self.constraints.take_where(hangs, state),
            behaviors: self.behaviors.take_where(hangs, state),
            ..Removed::default()
        };
        for block in blocks.iter().rev() {
            let index = self.blocks.index(*block)?;
            removed.blocks.push(self.blocks.take(index, state));
        }
        if let Some(body) = body {
            let index = self.bodies.index(body)?;
            let take = |world: &mut Self| world.bodies.take(index, &mut world.state);
            removed.bodies.push(self.recount_touching(body, take));
        }
        self.touch();
        let is_dropped = |grip: &GripRecord| hangs(&grip.held) || body == Some(grip.hand);
        let grips: Vec<GripRecord> = self.grips.extract_if(.., |own| is_dropped(own)).collect();
        for grip in grips {
            if body != Some(grip.hand) {
                let hand = self.remove_body(grip.hand)?;
                removed.extend(hand);
            }
            removed.grips.push(grip);
        }
        Ok(removed)
    }

    /// Removes a constraint; with its grip, if it is a grip's joint.
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

    /// Restores removed records with the same ids, order and state.
    pub fn restore_removed(&mut self, removed: &Removed) -> Result<(), Error> {
        self.bodies.check_restorable(&removed.bodies)?;
        self.blocks.check_restorable(&removed.blocks)?;
        self.check_connectors(removed, &removed.blocks)?;
        self.constraints.check_restorable(&removed.constraints)?;
        self.check_connectors(removed, &removed.constraints)?;
        self.behaviors.check_restorable(&removed.behaviors)?;
        self.check_connectors(removed, &removed.behaviors)?;
        for taken in removed.bodies.iter().cloned() {
            self.recount_touching(taken.0.id, |world| {
                world.bodies.put_back(taken, &mut world.state);
            });
        }
        for taken in removed.blocks.iter().cloned() {
            self.blocks.put_back(taken, &mut self.state);
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
        self.look_behind_all();
        self.touch();
        Ok(())
    }

    /// Checks that every connector still fits: bodies and blocks may have been removed or replaced since.
    fn check_connectors<R: Record>(
        &self,
        removed: &Removed,
        taken: &[Taken<R>],
    ) -> Result<(), Error> {
        for (record, _) in taken {
            let connectors = record.connectors().iter().zip(record.kinds());
            for (input, (connector, &expected)) in connectors.enumerate() {
                let given = self.kind_with(removed, connector, record.label())?;
                check_kind(record.label(), input, expected, given)?;
            }
        }
        Ok(())
    }

    /// The kind of a connector on an existing or restored record. `label` is that of its user.
    fn kind_with(
        &self,
        removed: &Removed,
        connector: &Connector,
        label: &str,
    ) -> Result<ConnectorKind, Error> {
        match connector {
            Connector::Site { body: id, site } => {
                let ground: &dyn Body = &Ground;
                let mut back = removed.bodies.iter().map(|(body, _)| body);
                let (body, body_label) = match back.find(|body| body.id == *id) {
                    _ if *id == GROUND => (ground, "ground"),
                    Some(own) => (own.body(), own.label()),
                    None => {
                        let own = self.body_record(*id)?;
                        (own.body(), own.label())
                    }
                };
                connector_kind(body, body_label, label, site)
            }
            Connector::Output { block: id, output } => {
                let mut back = removed.blocks.iter().map(|(block, _)| block);
                let block = match back.find(|block| block.id == *id) {
                    Some(block) => block,
                    None => self.block_record(*id)?,
                };
                output_kind(block.outputs(), (*output, &block.label), label)
            }
        }
    }
}
