//! Changes of quantities, and of the functions that formulas share.

use std::any::Any;
use std::sync::Arc;

use linkwork::block::Block;
use linkwork::connector::{Connector, ConnectorKind};
use linkwork::world::BlockRecord;

use super::change::{Change, all, formulas_again};
use super::rename::Rename;
use crate::build::quantity;
use crate::fault::{Fault, Under};
use crate::format::QuantityEntry;
use crate::formula::{self, Quantity};
use crate::scene::Scene;

/// What a quantity was.
#[derive(Clone, Debug)]
pub(super) struct OldQuantity {
    name: String,
    block: Arc<dyn Block>,
    pub(super) inputs: Vec<Connector>,
    enabled: bool,
}

pub(super) fn old_quantity(record: &BlockRecord) -> OldQuantity {
    OldQuantity {
        name: record.label().to_owned(),
        block: record.shared_block(),
        inputs: record.inputs().to_vec(),
        enabled: record.enabled(),
    }
}

/// Makes a quantity another one.
pub(super) fn set(scene: &mut Scene, entry: &QuantityEntry) -> Result<Change, Fault> {
    quantity::named(&scene.world, &entry.name).under("name")?;
    let (block, inputs) = formula::quantity(scene, &entry.is, entry.direction)?;
    let new = OldQuantity {
        name: entry.name.clone(),
        block: Arc::new(block),
        inputs,
        enabled: entry.enabled.unwrap_or(true),
    };
    let back = swap(scene, new)?;
    // Objectives have the formulas of quantities in them.
    match formulas_again(scene, None).and_then(|changes| all(scene, changes)) {
        Ok(formulas) => Ok(Change::All(vec![formulas, back])),
        Err(fault) => {
            back.apply(scene)?;
            Err(fault)
        }
    }
}

/// The quantity of this name is this one.
pub(super) fn swap(scene: &mut Scene, old: OldQuantity) -> Result<Change, Fault> {
    let world = &mut scene.world;
    let id = quantity::named(world, &old.name)?;
    let now = old_quantity(world.block_record(id)?);
    world.replace_shared_block(id, old.block, &old.inputs)?;
    world.set_block_enabled(id, old.enabled)?;
    Ok(Change::Quantity(Box::new(now)))
}

/// Sets the functions and reads every formula again; all or nothing.
pub(super) fn set_functions(scene: &mut Scene, texts: &[String]) -> Result<Change, Fault> {
    let functions = quantity::functions(texts)?;
    let before = std::mem::replace(&mut scene.functions, functions);
    let done = formula::check_functions(scene).and_then(|()| {
        let changes = again(scene)?;
        all(scene, changes)
    });
    match done {
        Ok(back) => Ok(Change::All(vec![Change::Functions(before), back])),
        Err(fault) => {
            scene.functions = before;
            Err(fault)
        }
    }
}

/// What reads the formulas of quantities again, with another name for something.
pub(super) fn blocks_again(scene: &Scene, renamed: &Rename) -> Result<Vec<Change>, Fault> {
    let mut changes = Vec::new();
    for record in scene.world.blocks() {
        let block: &dyn Any = record.block();
        let Some(own) = block.downcast_ref::<Quantity>() else {
            continue;
        };
        let named = |fault: Fault| fault.under(&format!("quantities.{}", record.label()));
        let text = renamed.formula(scene, own.text())?;
        let is_direction = own.kind() == ConnectorKind::Direction3;
        let (block, inputs) = formula::quantity(scene, &text, is_direction).map_err(named)?;
        renamed.check(record.inputs(), &inputs).map_err(named)?;
        changes.push(Change::Quantity(Box::new(OldQuantity {
            name: record.label().to_owned(),
            block: Arc::new(block),
            inputs,
            enabled: record.enabled(),
        })));
    }
    Ok(changes)
}

/// Refuses a scene in which a formula cannot be read.
pub(super) fn check(scene: &Scene) -> Result<(), Fault> {
    for record in scene.world.blocks() {
        let block: &dyn Any = record.block();
        if let Some(own) = block.downcast_ref::<Quantity>() {
            let is_direction = own.kind() == ConnectorKind::Direction3;
            formula::quantity(scene, own.text(), is_direction)
                .map_err(|fault| fault.under(&format!("quantities.{}", record.label())))?;
        }
    }
    formulas_again(scene, None).map(|_| ())
}

/// What reads every formula of a scene again.
pub(super) fn again(scene: &Scene) -> Result<Vec<Change>, Fault> {
    let mut changes = Vec::new();
    for record in scene.world.blocks() {
        let block: &dyn Any = record.block();
        if let Some(own) = block.downcast_ref::<Quantity>() {
            let entry = QuantityEntry {
                name: record.label().to_owned(),
                is: own.text().to_owned(),
                direction: own.kind() == ConnectorKind::Direction3,
                enabled: (!record.enabled()).then_some(false),
            };
            changes.push(Change::SetQuantity(Box::new(entry)));
        }
    }
    changes.extend(formulas_again(scene, None)?);
    Ok(changes)
}
