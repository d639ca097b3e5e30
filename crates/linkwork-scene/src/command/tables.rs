//! Changes of tables. What goes through their rows is read again.

use std::any::Any;
use std::sync::Arc;

use super::change::{Change, all, formulas_again};
use crate::fault::{Fault, Under};
use crate::format::TableEntry;
use crate::scene::{Scene, table_of};
use crate::table;

/// Adds a table.
pub(super) fn add(scene: &mut Scene, entry: &TableEntry) -> Result<Change, Fault> {
    let before = scene.tables.clone();
    table::add(scene, entry)?;
    Ok(Change::Tables(before))
}

/// Makes a table another one, in its place; fits go through the new rows, or nothing is done.
pub(super) fn set(scene: &mut Scene, entry: &TableEntry) -> Result<Change, Fault> {
    table::check(entry)?;
    table::named(scene, &entry.name).under("name")?;
    let before = scene.tables.clone();
    let mut tables = scene.tables.iter_mut();
    if let Some(own) = tables.find(|own| own.name == entry.name) {
        *own = Arc::new(entry.clone());
    }
    match formulas_again(scene, None).and_then(|changes| all(scene, changes)) {
        Ok(back) => Ok(Change::All(vec![Change::Tables(before), back])),
        Err(fault) => {
            scene.tables = before;
            Err(fault)
        }
    }
}

/// Removes a table, and the joints that go through its rows.
pub(super) fn remove(scene: &mut Scene, name: &str) -> Result<Change, Fault> {
    table::named(scene, name)?;
    let mut changes = Vec::new();
    for record in scene.world.constraints() {
        let law: &dyn Any = record.constraint();
        if table_of(law).is_some_and(|own| own.name == name) {
            changes.push(Change::Detach(record.label().to_owned()));
        }
    }
    let mut tables = scene.tables.clone();
    tables.retain(|own| own.name != name);
    changes.push(Change::Tables(tables));
    all(scene, changes)
}
