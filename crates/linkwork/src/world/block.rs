//! Blocks of a world: add, replace, enable, remove, find (Witkin 1990, §4.1).
//!
//! A block takes connectors of bodies and outputs of blocks with smaller ids. There are no cycles, and in the
//! order of ids inputs come first.

use std::sync::Arc;

use super::store::{Record, Slices};
use super::{BlockId, BlockRecord, BodyId, Removed, World};
use crate::block::{Block, MAX_OUTPUTS};
use crate::connector::{Connector, ConnectorKind};
use crate::error::{Error, Item};

impl World {
    /// Adds a function of connectors; its outputs are connectors.
    ///
    /// `inputs` are connectors of bodies, or outputs of existing blocks.
    pub fn add_block(
        &mut self,
        label: &str,
        block: impl Block + 'static,
        inputs: &[Connector],
    ) -> Result<BlockId, Error> {
        self.add_shared_block(label, Arc::new(block), inputs)
    }

    /// [`World::add_block`] for a block that is already shared.
    pub fn add_shared_block(
        &mut self,
        label: &str,
        block: Arc<dyn Block>,
        inputs: &[Connector],
    ) -> Result<BlockId, Error> {
        self.blocks.check_label(label)?;
        let id = self.blocks.next_id();
        self.check_block(id, label, &*block, inputs)?;
        let mut record = BlockRecord {
            id,
            label: label.into(),
            block,
            inputs: inputs.to_vec(),
            enabled: true,
            is_on: true,
            bodies: Vec::new(),
        };
        self.look_behind(&mut record);
        self.touch();
        Ok(self.blocks.add(record, Slices::default(), &mut self.state))
    }

    /// Replaces a block, keeping its id, its label and everything that uses its outputs.
    pub fn replace_block(
        &mut self,
        id: BlockId,
        block: impl Block + 'static,
        inputs: &[Connector],
    ) -> Result<(), Error> {
        self.replace_shared_block(id, Arc::new(block), inputs)
    }

    /// [`World::replace_block`] for a block that is already shared.
    pub fn replace_shared_block(
        &mut self,
        id: BlockId,
        block: Arc<dyn Block>,
        inputs: &[Connector],
    ) -> Result<(), Error> {
        let label = self.block_record(id)?.label.clone();
        self.check_block(id, &label, &*block, inputs)?;
        self.check_readers(id, &label, block.outputs())?;
        self.check_still_moves(id, inputs)?;
        let record = self.blocks.get_mut(id)?;
        record.block = block;
        record.inputs = inputs.to_vec();
        self.look_behind_all();
        self.touch();
        Ok(())
    }

    /// Enables or disables a block. Everything that uses a disabled block is inactive.
    pub fn set_block_enabled(&mut self, id: BlockId, enabled: bool) -> Result<(), Error> {
        self.blocks.get_mut(id)?.set_enabled(enabled);
        self.look_behind_all();
        self.touch();
        Ok(())
    }

    /// Removes a block, and with it the blocks, constraints, behaviors and grips that use it.
    pub fn remove_block(&mut self, id: BlockId) -> Result<Removed, Error> {
        self.blocks.index(id)?;
        self.remove_with(None, Some(id))
    }

    /// All blocks, by id.
    pub fn blocks(&self) -> &[BlockRecord] {
        &self.blocks
    }

    /// The block with this id.
    pub fn block_record(&self, id: BlockId) -> Result<&BlockRecord, Error> {
        self.blocks.get(id)
    }

    /// Position of the block with this id.
    pub(crate) fn block_position(&self, id: BlockId) -> Option<usize> {
        self.blocks.position(id)
    }

    /// The block with this label.
    pub fn find_block(&self, label: &str) -> Option<BlockId> {
        self.blocks.find(label)
    }

    /// Whether the block can be accepted under this id.
    fn check_block(
        &self,
        id: BlockId,
        label: &str,
        block: &dyn Block,
        inputs: &[Connector],
    ) -> Result<(), Error> {
        block
            .validate()
            .map_err(|problem| problem.of(Item::Block, label))?;
        let outputs = block.outputs();
        let refused = |field, problem: String| {
            let problem = Error::field(field, problem);
            Err(problem.of(Item::Block, label))
        };
        if outputs.is_empty() || outputs.len() > MAX_OUTPUTS {
            let n = outputs.len();
            return refused("outputs", format!("are {n}; give 1 to {MAX_OUTPUTS}"));
        }
        if outputs.contains(&ConnectorKind::Vector(0)) {
            return refused("outputs", "contain a vector without numbers".to_owned());
        }
        for (i, input) in inputs.iter().enumerate() {
            if let Some(other) = input.block()
                && let Ok(other) = self.block_record(other)
                && other.id.number() >= id.number()
            {
                let problem = format!(
                    "{i} is an output of block \"{}\", which does not come before it; a block takes \
                     only blocks that were added before",
                    other.label
                );
                return refused("input", problem);
            }
        }
        self.check_inputs(label, [block.inputs(), &[]], inputs)?;
        Ok(())
    }

    /// Refuses a block whose outputs no longer have the kinds that their users take.
    fn check_readers(
        &self,
        id: BlockId,
        block: &str,
        outputs: &[ConnectorKind],
    ) -> Result<(), Error> {
        let constraints = self.constraints.iter().map(as_reader);
        let behaviors = self.behaviors.iter().map(as_reader);
        let blocks = self.blocks.iter().map(as_reader);
        for (label, connectors, kinds) in constraints.chain(behaviors).chain(blocks) {
            for (input, (connector, &expected)) in connectors.iter().zip(kinds).enumerate() {
                let Connector::Output { block: own, output } = *connector else {
                    continue;
                };
                if own != id {
                    continue;
                }
                let given = output_kind(outputs, (output, block), label)?;
                check_kind(label, input, expected, given)?;
            }
        }
        Ok(())
    }

    /// Refuses inputs with which a user of the block could not move any body.
    fn check_still_moves(&self, id: BlockId, inputs: &[Connector]) -> Result<(), Error> {
        if inputs.iter().any(|input| self.moves(input)) {
            return Ok(());
        }
        let mut later = self.clone();
        later.blocks.get_mut(id)?.inputs = inputs.to_vec();
        later.look_behind_all();
        let constraints = later.constraints.iter();
        for record in constraints.filter(|record| self.holds(&record.connectors)) {
            later.check_movable(Item::Constraint, &record.label, &record.connectors)?;
        }
        let behaviors = later.behaviors.iter();
        for record in behaviors.filter(|record| self.holds(&record.connectors)) {
            later.check_movable(Item::Behavior, &record.label, &record.connectors)?;
        }
        Ok(())
    }

    /// Whether any of the connectors is an output of the block.
    fn holds(&self, connectors: &[Connector]) -> bool {
        connectors.iter().any(|own| own.block().is_some())
    }

    /// Notes the bodies that move a block, and whether all its inputs are enabled.
    fn look_behind(&self, record: &mut BlockRecord) {
        let inputs = record.inputs.iter();
        let mut bodies: Vec<BodyId> = inputs
            .clone()
            .flat_map(|input| self.bodies_of(input))
            .copied()
            .collect();
        bodies.sort_unstable();
        bodies.dedup();
        let is_on = |id| self.block_record(id).is_ok_and(|own| own.is_on);
        record.is_on = record.enabled && inputs.filter_map(Connector::block).all(is_on);
        record.bodies = bodies;
    }

    /// The same for all blocks, in the order of their ids.
    pub(super) fn look_behind_all(&mut self) {
        for at in 0..self.blocks.len() {
            let mut record = self.blocks[at].clone();
            self.look_behind(&mut record);
            self.blocks[at] = record;
        }
    }
}

/// A record as a user of connectors: label, connectors, and their required kinds.
pub(super) fn as_reader<R: Record>(record: &R) -> (&str, &[Connector], &[ConnectorKind]) {
    (record.label(), record.connectors(), record.kinds())
}

/// The kind of an output of a block, or an error. `label` is that of its user.
pub(super) fn output_kind(
    outputs: &[ConnectorKind],
    (output, block): (u32, &str),
    label: &str,
) -> Result<ConnectorKind, Error> {
    let kind = outputs.get(output as usize).copied();
    kind.ok_or_else(|| Error::UnknownOutput {
        label: label.to_owned(),
        block: block.to_owned(),
        output: output as usize,
        outputs: outputs.len(),
    })
}

/// Refuses a connector of another kind than the one taken.
pub(super) fn check_kind(
    label: &str,
    input: usize,
    expected: ConnectorKind,
    given: ConnectorKind,
) -> Result<(), Error> {
    if given == expected {
        return Ok(());
    }
    let label = label.to_owned();
    Err(Error::InputKind {
        label,
        input,
        expected,
        given,
    })
}
