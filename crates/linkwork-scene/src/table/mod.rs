//! Tables of a scene: data in columns with names, read from files or written in the scene.

mod csv;
mod ply;
mod trc;
mod xyz;

use std::sync::Arc;

use crate::fault::{Fault, Under};
use crate::format::{Cell, TableEntry};
use crate::read::node::Tree;
use crate::read::{Node, text_of};
use crate::scene::Scene;

pub(crate) use csv::read_csv_named;
pub use csv::{Sheet, read_csv};

/// A table has at most so many columns, rows, and numbers in all.
const MOST_COLUMNS: usize = 1_024;
const MOST_ROWS: usize = 100_000;
const MOST_CELLS: usize = 4_000_000;

/// Reads a file of data, by how it begins or what it is called: PLY, TRC, XYZ, or else CSV.
pub fn read_data(name: &str, bytes: Vec<u8>) -> Result<Sheet, Fault> {
    let is_called = |end: &str| name.to_ascii_lowercase().ends_with(end);
    if ply::is_ply(&bytes) || is_called(".ply") {
        return ply::read_ply(&bytes);
    }
    let text = text_of(bytes).map_err(|fault| Fault {
        hint: Some("known are CSV, TRC, XYZ and PLY files".to_owned()),
        ..fault
    })?;
    if trc::is_trc(&text) || is_called(".trc") {
        trc::read_trc(&text)
    } else if is_called(".xyz") {
        xyz::read_xyz(&text)
    } else {
        read_csv(&text)
    }
}

/// Refuses more rows than a table may have.
fn check_count(n: usize) -> Result<(), Fault> {
    if n <= MOST_ROWS {
        return Ok(());
    }
    let problem = format!("has {n} rows, more than the {MOST_ROWS} of one table");
    Err(Fault::at("", problem).hint("leave out all but some of them, such as every tenth"))
}

/// Refuses a table that is none.
pub(crate) fn check(entry: &TableEntry) -> Result<(), Fault> {
    if entry.name.is_empty() {
        return Err(Fault::at("name", "is empty").hint("give it a name"));
    }
    if entry.file.is_some() {
        let hint = "open the scene from its folder, or give \"columns\" and \"rows\"";
        return Err(Fault::at("file", "is not at hand here").hint(hint));
    }
    let n = entry.columns.len();
    if n == 0 || n > MOST_COLUMNS {
        let problem = format!("are {n}; give 1 to {MOST_COLUMNS}");
        return Err(Fault::at("columns", problem));
    }
    for (at, name) in entry.columns.iter().enumerate() {
        let path = format!("columns[{at}]");
        if name.trim().is_empty() {
            return Err(Fault::at(path, "is empty").hint("give each column a name"));
        }
        if entry.columns[..at].contains(name) {
            return Err(Fault::at(path, format!("\"{name}\" is there twice")));
        }
    }
    if entry.rows.is_empty() || entry.rows.len() > MOST_ROWS {
        let problem = format!("are {}; give 1 to {MOST_ROWS}", entry.rows.len());
        return Err(Fault::at("rows", problem));
    }
    if n * entry.rows.len() > MOST_CELLS {
        let (rows, all) = (entry.rows.len(), n * entry.rows.len());
        let problem = format!("are {rows} of {n} numbers, {all} in all; give {MOST_CELLS} at most");
        return Err(Fault::at("rows", problem));
    }
    for (at, row) in entry.rows.iter().enumerate() {
        if row.len() != n {
            let problem = format!("has {} numbers for {n} columns", row.len());
            let hint = "give one for each column; null is a gap";
            return Err(Fault::at(format!("rows[{at}]"), problem).hint(hint));
        }
    }
    Ok(())
}

/// Adds a table.
pub(crate) fn add(scene: &mut Scene, entry: &TableEntry) -> Result<(), Fault> {
    check(entry)?;
    if scene.tables.iter().any(|own| own.name == entry.name) {
        return Err(Fault::at("name", format!("\"{}\" is taken", entry.name)));
    }
    scene.tables.push(Arc::new(entry.clone()));
    Ok(())
}

/// The table of this name.
pub(crate) fn named<'s>(scene: &'s Scene, name: &str) -> Result<&'s Arc<TableEntry>, Fault> {
    let found = scene.tables.iter().find(|own| own.name == name);
    found.ok_or_else(|| {
        let known = scene.tables.iter().map(|own| own.name.as_str());
        Fault::at("", format!("no table is called \"{name}\"")).meant(name, known)
    })
}

/// Puts the rows of files in the place of their names, in the tree of a scene: what is built and saved has rows.
/// `beside` gives the bytes of a file.
pub(crate) fn fill_in(
    tree: &mut Node,
    beside: &dyn Fn(&str) -> Result<Vec<u8>, Fault>,
) -> Result<(), Fault> {
    let mut fields = tree.fields_mut();
    let Some((_, list)) = fields.find(|(key, _)| **key == *"tables") else {
        return Ok(());
    };
    let Tree::List(entries) = &mut list.tree else {
        return Ok(());
    };
    for (at, entry) in entries.iter_mut().enumerate() {
        let Some(name) = entry.get("file").and_then(Node::text).map(str::to_owned) else {
            continue;
        };
        let path = format!("tables[{at}].file");
        if entry.get("rows").is_some() || entry.get("columns").is_some() {
            let fault = Fault::at(path, "stands beside \"columns\" or \"rows\"");
            return Err(fault.hint("give the file, or what is in it"));
        }
        let sheet = beside(&name).and_then(|bytes| read_data(&name, bytes));
        let sheet = sheet.map_err(|fault| {
            let place = fault
                .place
                .map_or(String::new(), |own| format!(":{}:{}", own.0, own.1));
            let mut told = Fault::at("", format!("{name}{place}: {}", fault.problem));
            told.hint = fault.hint;
            told
        });
        let sheet = sheet.under(&path)?;
        entry.set("file", None);
        put(entry, &sheet);
    }
    Ok(())
}

/// Gives the tree of a table these columns and rows.
fn put(entry: &mut Node, sheet: &Sheet) {
    let text = |own: &String| Node::made(Tree::Text(own.as_str().into()));
    let cell = |own: &Cell| Node::made(own.0.map_or(Tree::Null, Tree::Number));
    let row = |own: &Vec<Cell>| Node::made(Tree::List(own.iter().map(cell).collect()));
    let columns = sheet.columns.iter().map(text).collect();
    let rows = sheet.rows.iter().map(row).collect();
    entry.set("columns", Some(Node::made(Tree::List(columns))));
    entry.set("rows", Some(Node::made(Tree::List(rows))));
}

/// Puts data in the place of a table, in the tree of a scene: of this name, or the only one, or the one that joints go
/// through.
pub(crate) fn replace(tree: &mut Node, name: Option<&str>, sheet: &Sheet) -> Result<(), Fault> {
    let list = |name: &str| match tree.get(name).map(|own| &own.tree) {
        Some(Tree::List(entries)) => entries.to_vec(),
        _ => Vec::new(),
    };
    let (mut tables, joints) = (list("tables"), list("joints"));
    let meant = joints
        .iter()
        .find_map(|own| own.get("for").and_then(Node::text));
    let name = match (name, &tables[..]) {
        (Some(name), _) => name.to_owned(),
        (None, [one]) => one.name().unwrap_or_default().to_owned(),
        (None, []) => meant.unwrap_or("data").to_owned(),
        (None, many) => {
            let names: Vec<&str> = many.iter().filter_map(Node::name).collect();
            let fault = Fault::at("", format!("the scene has {} tables", many.len()));
            return Err(fault.hint(format!("say which it is: --table {}", names.join(" or "))));
        }
    };
    let at = tables.iter().position(|own| own.name() == Some(&name));
    let mut entry = Node::object(vec![("name", Node::made(Tree::Text(name.into())))]);
    put(&mut entry, sheet);
    match at {
        Some(at) => tables[at] = entry,
        None => tables.push(entry),
    }
    tree.set("tables", Some(Node::made(Tree::List(tables.into()))));
    Ok(())
}
