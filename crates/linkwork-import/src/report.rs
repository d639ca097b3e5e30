//! What an import made of a model: what it read, what it approximated, what it refused.

use std::collections::BTreeSet;
use std::fmt;

use linkwork_scene::Fault;

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
    /// Mesh files that were looked for and are not there, as the model names them. What became of their bodies is in
    /// the lists above.
    pub missing: Vec<String>,
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

impl ImportReport {
    /// The report with the first names of long lists only.
    pub fn brief(&self) -> Self {
        let brief = |list: &[String]| list.iter().map(|line| shortened(line)).collect();
        Self {
            read: brief(&self.read),
            approximated: brief(&self.approximated),
            refused: brief(&self.refused),
            missing: self.missing.clone(),
        }
    }
}

/// So many names of a list are told in brief.
const N_NAMES: usize = 3;

/// A line with the first names of its list.
fn shortened(line: &str) -> String {
    for separator in ["\", \"", "), "] {
        // A quotation mark or a bracket stays with the name before it.
        let mut ends = line.match_indices(separator).map(|(at, _)| at + 1);
        let rest = ends.clone().count();
        if rest > N_NAMES
            && let Some(end) = ends.nth(N_NAMES - 1)
        {
            let closing = if line.ends_with(')') && separator == "\", \"" {
                ")"
            } else {
                ""
            };
            return format!("{} and {} more{closing}", &line[..end], rest + 1 - N_NAMES);
        }
    }
    line.to_owned()
}

/// Collects what is said, together by kind, in the order of first mention.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    read: Vec<(String, Vec<String>)>,
    approximated: Vec<(String, Vec<String>)>,
    refused: Vec<(String, Vec<String>)>,
    /// Whose mass is lost, and why.
    lost: Vec<(String, Vec<String>)>,
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

    /// `name` has a mass that is not in the scene: `kind` says why.
    pub(crate) fn lose(&mut self, kind: &str, name: impl Into<String>) {
        let name = name.into();
        add(&mut self.lost, kind, name.clone());
        add(&mut self.refused, kind, name);
    }

    /// Whether mass of `name` is lost.
    pub(crate) fn is_lost(&self, name: &str) -> bool {
        let mut names = self.lost.iter().flat_map(|(_, names)| names);
        names.any(|own| own == name)
    }

    /// A fault where mass is lost, with the files that are missing.
    pub(crate) fn nothing_lost(
        &self,
        missing: &BTreeSet<String>,
        advice: &str,
    ) -> Result<(), Fault> {
        if self.lost.is_empty() {
            return Ok(());
        }
        let n: usize = self.lost.iter().map(|(_, names)| names.len()).sum();
        let (kind, names) = &self.lost[0];
        let problem = match n {
            1 => "a body would lose its mass".to_owned(),
            _ => format!("{n} bodies would lose their mass"),
        };
        let mut problem = format!("{problem}: \"{}\": {kind}", names[0]);
        if missing.len() > 1 {
            let files: Vec<String> = missing.iter().cloned().collect();
            let line = format!("{} files are not there: {}", files.len(), quoted(&files));
            problem += &format!("; {}", shortened(&line));
        }
        Err(Fault::at("", problem).hint(advice))
    }

    /// The report, with everything of the model that nobody asked for.
    pub(crate) fn finish(self, model: &Element, missing: BTreeSet<String>) -> ImportReport {
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
            missing: missing.into_iter().collect(),
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
