//! Quantities of entries, and the functions that formulas share.

use std::sync::Arc;

use linkwork::prelude::*;
use linkwork::world::BlockRecord;
use linkwork_formula::Expression;

use crate::fault::{Fault, Under};
use crate::format::QuantityEntry;
use crate::formula::{self, Shared};
use crate::scene::Scene;

/// Adds a quantity.
pub(crate) fn add(scene: &mut Scene, entry: &QuantityEntry) -> Result<(), Fault> {
    check_name(scene, &entry.name).under("name")?;
    let (quantity, inputs) = formula::quantity(scene, &entry.is, entry.direction)?;
    let world = &mut scene.world;
    let id = world.add_shared_block(&entry.name, Arc::new(quantity), &inputs)?;
    if entry.enabled == Some(false) {
        world.set_block_enabled(id, false)?;
    }
    Ok(())
}

/// Adds all, each after those that it uses, wherever they stand.
pub(crate) fn add_all(scene: &mut Scene, entries: &[QuantityEntry]) -> Result<(), Fault> {
    let mut open: Vec<(usize, &QuantityEntry)> = entries.iter().enumerate().collect();
    while !open.is_empty() {
        let waits = |(_, own): &(usize, &QuantityEntry)| {
            let used = Expression::parse(&own.is).map(|own| own.names());
            let used = used.unwrap_or_default();
            let is_used = |(_, other): &(usize, &QuantityEntry)| {
                used.iter().any(|(path, _)| {
                    let rest = path.strip_prefix(&*other.name);
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
                })
            };
            open.iter().any(is_used)
        };
        let Some(at) = open.iter().position(|own| !waits(own)) else {
            let (at, _) = open[0];
            let names: Vec<String> = open
                .iter()
                .map(|own| format!("\"{}\"", own.1.name))
                .collect();
            let problem = match &names[..] {
                [_] => "is worked out of itself".to_owned(),
                names => format!("depends on itself, through {}", names.join(", ")),
            };
            return Err(Fault::at("is", problem).under(&format!("quantities[{at}]")));
        };
        let (index, entry) = open.remove(at);
        add(scene, entry).under(&format!("quantities[{index}]"))?;
    }
    Ok(())
}

/// A name has one meaning among bodies, connectors and quantities.
fn check_name(scene: &Scene, name: &str) -> Result<(), Fault> {
    let by = if name.is_empty() {
        return Err(Fault::at("", "is empty").hint("give it a name"));
    } else if scene.connector(name).is_some() {
        "a connector"
    } else if name == "ground" || scene.world.find_body(name).is_some() {
        "a body"
    } else {
        return Ok(());
    };
    let problem = format!("\"{name}\" is taken by {by}");
    Err(Fault::at("", problem).hint("the name would be ambiguous in formulas"))
}

/// Refuses the name of a quantity, for something else that formulas know by its name.
pub(crate) fn refuse_name(scene: &Scene, name: &str) -> Result<(), Fault> {
    match scene.world.find_block(name) {
        Some(_) => {
            let problem = format!("\"{name}\" is taken by a quantity");
            Err(Fault::at("name", problem).hint("the name would be ambiguous in formulas"))
        }
        None => Ok(()),
    }
}

/// The quantity with this name.
pub(crate) fn named(world: &World, name: &str) -> Result<BlockId, Fault> {
    world.find_block(name).ok_or_else(|| {
        let known = world.blocks().iter().map(BlockRecord::label);
        Fault::at("", format!("no quantity is called \"{name}\"")).meant(name, known)
    })
}

/// The functions of a list.
pub(crate) fn functions(texts: &[String]) -> Result<Vec<Shared>, Fault> {
    let all = texts.iter().enumerate();
    all.map(|(at, text)| Shared::read(text).under(&format!("[{at}]")))
        .collect()
}
