//! The tables of `docs/scenes.md`.

use std::fmt::Write;

use super::export::SORTS;
use super::field::{Field, Form};
use super::world;

/// A table of every sort by its word, as Markdown: types, their own fields, and what they are.
pub fn tables() -> Vec<(&'static str, String)> {
    let mut tables = Vec::new();
    for sort in SORTS {
        let mut table = String::from("| `type` | fields | |\n|---|---|---|\n");
        for kind in (sort.types)() {
            let fields: Vec<_> = kind.own().map(told).collect();
            let _ = writeln!(
                table,
                "| `{}` | {} | {} |",
                kind.word,
                fields.join(", "),
                kind.help
            );
        }
        if !sort.common.is_empty() {
            let fields: Vec<_> = sort.common.iter().map(told).collect();
            let _ = writeln!(table, "| all | {} | |", fields.join(", "));
        }
        tables.push((sort.word, table));
    }
    let all = SORTS.iter().flat_map(|sort| {
        let types = (sort.types)();
        let own = types
            .into_iter()
            .flat_map(|kind| kind.own().collect::<Vec<_>>());
        own.chain(sort.common.iter())
    });
    let mut fields: Vec<&Field> = Vec::new();
    for field in all {
        let same =
            |own: &&Field| (own.name, own.unit, own.help) == (field.name, field.unit, field.help);
        if !fields.iter().any(same) {
            fields.push(field);
        }
    }
    fields.sort_by_key(|field| field.name);
    tables.push(("fields", table_of(fields)));
    tables.push(("world", table_of(world::FIELDS.iter().collect())));
    let mut words = String::from("| field | word | |\n|---|---|---|\n");
    for field in world::FIELDS {
        if let Form::Word(own) = field.form {
            for (word, help) in own.words.iter().zip(own.help) {
                let _ = writeln!(words, "| `{}` | `{word}` | {help} |", field.name);
            }
        }
    }
    tables.push(("words", words));
    tables
}

fn table_of(fields: Vec<&Field>) -> String {
    let mut table = String::from("| field | unit | when left out | |\n|---|---|---|---|\n");
    for field in fields {
        let names: Vec<_> = field.names().map(|name| format!("`{name}`")).collect();
        let default = match &*field.default.text() {
            "" => String::new(),
            default => format!("`{default}`"),
        };
        let (names, unit, help) = (names.join(", "), field.unit, field.help);
        let _ = writeln!(table, "| {names} | {unit} | {default} | {help} |");
    }
    table
}

/// A field's name; one that must be there is bold.
fn told(field: &Field) -> String {
    match field.required {
        true => format!("**`{}`**", field.name),
        false => format!("`{}`", field.name),
    }
}
