//! What an import made of a model: what it read, what it approximated, what it refused.

use std::fmt;

use crate::xml::{Element, Unread};

/// What became of a model. Nothing that was met is missing from all three lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportReport {
    /// What was read exactly, in numbers: "25 bodies".
    pub read: Vec<String>,
    /// What is in the scene, but not exactly as the model has it.
    pub approximated: Vec<String>,
    /// What is in the model and not in the scene.
    pub refused: Vec<String>,
}

impl fmt::Display for ImportReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lists = [
            ("read", &self.read),
            ("approximated", &self.approximated),
            ("refused", &self.refused),
        ];
        for (title, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            writeln!(f, "{title}:")?;
            for line in list {
                writeln!(f, "  {line}")?;
            }
        }
        Ok(())
    }
}

/// Collects what is said, together by kind, in the order of first mention.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    read: Vec<(String, Vec<String>)>,
    approximated: Vec<(String, Vec<String>)>,
    refused: Vec<(String, Vec<String>)>,
}

impl Notes {
    /// What `name` has was read exactly: `kind` says how.
    pub(crate) fn read(&mut self, kind: &str, name: impl Into<String>) {
        add(&mut self.read, kind, name.into());
    }

    /// So many of something were read exactly; says nothing of none.
    pub(crate) fn count(&mut self, n: usize, one: &str, many: &str) {
        match n {
            0 => {}
            1 => self.read(&format!("1 {one}"), ""),
            _ => self.read(&format!("{n} {many}"), ""),
        }
    }

    /// What `name` has is approximated: `kind` says what and how.
    pub(crate) fn approximate(&mut self, kind: &str, name: impl Into<String>) {
        add(&mut self.approximated, kind, name.into());
    }

    /// What `name` has is not in the scene: `kind` says what and why.
    pub(crate) fn refuse(&mut self, kind: &str, name: impl Into<String>) {
        add(&mut self.refused, kind, name.into());
    }

    /// The report, with everything of the model that nobody asked for.
    pub(crate) fn finish(self, model: &Element) -> ImportReport {
        let mut unread = Unread::default();
        model.unread(&mut unread);
        let mut refused: Vec<String> = self.refused.iter().map(line).collect();
        for (what, (n, names)) in unread.elements {
            let mut text = format!("{n} {what}: not used");
            if !names.is_empty() {
                text += &format!(" ({})", quoted(&names));
            }
            refused.push(text);
        }
        for (tag, attributes) in unread.attributes {
            let list: Vec<String> = attributes
                .iter()
                .map(|(name, n)| format!("{name} ({n})"))
                .collect();
            refused.push(format!(
                "attributes of <{tag}>: not used: {}",
                list.join(", ")
            ));
        }
        ImportReport {
            read: self.read.iter().map(line).collect(),
            approximated: self.approximated.iter().map(line).collect(),
            refused,
        }
    }
}

fn add(list: &mut Vec<(String, Vec<String>)>, kind: &str, name: String) {
    match list.iter_mut().find(|(own, _)| own == kind) {
        Some((_, names)) => names.push(name),
        None => list.push((kind.to_owned(), vec![name])),
    }
}

fn line((kind, names): &(String, Vec<String>)) -> String {
    let named: Vec<String> = names
        .iter()
        .filter(|name| !name.is_empty())
        .cloned()
        .collect();
    match (named.len(), names.len()) {
        (0, 1) => kind.clone(),
        (0, n) => format!("{kind} ({n} times)"),
        (1, _) => format!("{kind}: {}", quoted(&named)),
        (n, _) => format!("{kind}: {n}: {}", quoted(&named)),
    }
}

fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    names.join(", ")
}
