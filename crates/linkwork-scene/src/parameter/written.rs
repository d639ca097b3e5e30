//! A scene as it was written, as far as it still is what was written.
//!
//! The tree that a scene was built from gives a scene again: where bodies start. Whatever an edit has changed since
//! differs between the two, and is written as numbers: first field by field, then, where that does not give the scene
//! there is, whole entries. What is written so always gives the scene there is; where bodies are now is in the state.

use std::collections::{BTreeMap, HashMap};

use super::{Parameters, Start};
use crate::catalogue::body::POSE_FIELDS;
use crate::describe;
use crate::fault::Fault;
use crate::format::{BodyEntry, Document, VERSION};
use crate::read::node::{Node, Tree};
use crate::read::{self};
use crate::scene::Scene;
use crate::write::json;

/// The lists of a document whose entries may have texts.
pub(crate) const LISTS: [&str; 8] = [
    "bodies",
    "connectors",
    "quantities",
    "tables",
    "pictures",
    "joints",
    "behaviors",
    "traces",
];

/// Fields of a joint that are joints of their own in a scene.
const BESIDE: [&str; 4] = ["limits", "friction", "ratchet", "armature"];

/// So often something is found that is no longer as it was written.
const MOST_ROUNDS: usize = 6;

/// How an entry is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// As it was, but for the fields that were changed.
    Patched,
    /// As numbers.
    Plain,
}

/// Entries that are not written as they were: by list and name; world and view are lists of one without a name.
#[derive(Default)]
struct Forms {
    forms: BTreeMap<(&'static str, String), Form>,
    is_all_plain: bool,
}

impl Forms {
    fn of(&self, list: &'static str, name: &str) -> Option<Form> {
        match self.is_all_plain {
            true => Some(Form::Plain),
            false => self.forms.get(&(list, name.to_owned())).copied(),
        }
    }

    /// What was found to be otherwise is written with less of what it was.
    fn demote(&mut self, list: &'static str, name: &str) {
        let form = match self.of(list, name) {
            None => Form::Patched,
            Some(_) => Form::Plain,
        };
        self.forms.insert((list, name.to_owned()), form);
    }

    fn plain(&mut self, list: &'static str, name: &str) {
        self.forms.insert((list, name.to_owned()), Form::Plain);
    }
}

/// A document as a tree of numbers.
pub(crate) fn tree_of(document: &Document) -> Result<Node, Fault> {
    Node::parse(&json(document)?)
}

/// A scene as a tree, without its state and hands; none if it has nothing but numbers.
pub(crate) fn written(scene: &Scene) -> Result<Option<Node>, Fault> {
    let Some(source) = scene.parameters.source() else {
        return Ok(None);
    };
    let live = describe::plain(scene)?;
    let live_tree = tree_of(&live)?;
    let mut forms = Forms::default();
    let mut start: Option<Node> = None;
    for round in 0..=MOST_ROUNDS {
        forms.is_all_plain |= round == MOST_ROUNDS;
        let parts = Parts {
            live: &live_tree,
            source: &source.tree,
            start: start.as_ref(),
            forms: &forms,
        };
        let tree = parts.composed(&scene.parameters)?;
        match Start::of(&tree, source.time) {
            _ if forms.is_all_plain => return Ok(Some(tree)),
            Ok(own) => {
                let wrong = differing(&own.document, &live);
                if wrong.is_empty() {
                    return Ok(Some(tree));
                }
                for (list, name) in wrong {
                    forms.demote_one(&source.tree, list, &name);
                }
                start = Some(tree_of(&own.document)?);
            }
            Err(fault) => match entry_at(&tree, &fault.path) {
                Some((list, name)) => forms.plain(list, &name),
                None => forms.is_all_plain = true,
            },
        }
    }
    Ok(None)
}

impl Forms {
    /// A joint that is there beside another, or is not, is that other's.
    fn demote_one(&mut self, source: &Node, list: &'static str, name: &str) {
        if source.entry(list, name).is_some() || name.is_empty() {
            return self.demote(list, name);
        }
        match owner(source, name).filter(|_| list == "joints") {
            Some(owner) => self.plain(list, owner),
            None => self.is_all_plain = true,
        }
    }
}

/// The joint of a tree that another joint comes with: "pin" of "pin limits".
fn owner<'n>(tree: &Node, name: &'n str) -> Option<&'n str> {
    let ends = name.rmatch_indices(' ').map(|(at, _)| &name[..at]);
    let mut owners = ends.filter(|owner| {
        let own = tree.entry("joints", owner);
        own.is_some_and(|own| BESIDE.iter().any(|field| own.get(field).is_some()))
    });
    owners.next()
}

/// The entry that a path leads into.
fn entry_at(tree: &Node, path: &str) -> Option<(&'static str, String)> {
    let end = path.find(['[', '.']).unwrap_or(path.len());
    let list = LISTS.into_iter().chain(["world", "view"]);
    let list = list.into_iter().find(|own| *own == &path[..end])?;
    let Some(rest) = path[end..].strip_prefix('[') else {
        return Some((list, String::new()));
    };
    let number: usize = rest[..rest.find(']')?].parse().ok()?;
    let entry = tree.get(list)?.entries().ok()?.get(number)?;
    Some((list, entry.name()?.to_owned()))
}

/// What a document is put together of.
struct Parts<'n> {
    /// As the scene is, in numbers.
    live: &'n Node,
    /// As it was written.
    source: &'n Node,
    /// As what was written gives it, in numbers.
    start: Option<&'n Node>,
    forms: &'n Forms,
}

impl Parts<'_> {
    fn composed(&self, parameters: &Parameters) -> Result<Node, Fault> {
        let number = |own: u32| Node::made(Tree::Number(own.into()));
        let mut fields = vec![("linkwork", number(VERSION))];
        for name in ["name", "why"] {
            fields.extend(self.live.get(name).map(|own| (name, own.clone())));
        }
        if !parameters.is_empty() {
            fields.push(("parameters", Node::parse(&json(parameters)?)?));
        }
        fields.extend(self.single("world"));
        // Texts over names, not over parameters alone: they are what was typed.
        let functions = self.live.get("functions");
        fields.extend(functions.map(|own| ("functions", own.clone())));
        for list in LISTS {
            let entries = self.list(list);
            if !entries.is_empty() {
                fields.push((list, Node::made(Tree::List(entries.into()))));
            }
        }
        fields.extend(self.single("view"));
        Ok(Node::object(fields))
    }

    fn single(&self, name: &'static str) -> Option<(&'static str, Node)> {
        let empty = || Node::object(Vec::new());
        let of = |tree: &Node| tree.get(name).cloned().unwrap_or_else(empty);
        let own = match self.forms.of(name, "") {
            None => self.source.get(name)?.clone(),
            Some(Form::Plain) => self.live.get(name)?.clone(),
            Some(Form::Patched) => {
                let start = self.start.map_or_else(empty, of);
                patched(&of(self.source), &start, &of(self.live))
            }
        };
        Some((name, own))
    }

    fn list(&self, list: &'static str) -> Vec<Node> {
        let entries = |tree: &Node| match tree.get(list).map(|own| own.tree.clone()) {
            Some(Tree::List(entries)) => entries.into_vec(),
            _ => Vec::new(),
        };
        let written = entries(self.source);
        let written: HashMap<_, _> = written
            .iter()
            .filter_map(|own| Some((own.name()?, own)))
            .collect();
        let mut all = Vec::new();
        for live in entries(self.live) {
            let name = live.name().unwrap_or_default();
            let start = self.start.and_then(|tree| tree.entry(list, name));
            match (written.get(name), self.forms.of(list, name)) {
                (Some(own), None) => all.push((*own).clone()),
                (Some(own), Some(Form::Patched)) => match start {
                    Some(start) => all.push(patched(own, start, &live)),
                    None => all.push(live),
                },
                (Some(_), Some(Form::Plain)) => all.push(match start {
                    Some(start) if list == "bodies" => placed(&live, start),
                    _ => live,
                }),
                (None, _) => {
                    // It comes with another.
                    let owner = owner(self.source, name).filter(|_| list == "joints");
                    let comes =
                        owner.is_some_and(|own| self.forms.of(list, own) != Some(Form::Plain));
                    if !comes {
                        all.push(live);
                    }
                }
            }
        }
        all
    }
}

/// What was written, with the fields that are otherwise than they start.
fn patched(written: &Node, start: &Node, live: &Node) -> Node {
    let mut own = written.clone();
    let names = start.inner().chain(live.inner()).filter_map(|(key, _)| key);
    for name in names.filter(|name| !POSE_FIELDS.contains(&&***name)) {
        let (before, now) = (start.get(name), live.get(name));
        let is_same = match (before, now) {
            (Some(before), Some(now)) => before.says_the_same(now),
            (before, now) => before.is_none() && now.is_none(),
        };
        if !is_same {
            own.set(name, now.cloned());
        }
    }
    own
}

/// A body as it is, where it starts.
fn placed(live: &Node, start: &Node) -> Node {
    let mut own = live.clone();
    for name in POSE_FIELDS {
        own.set(name, start.get(name).cloned());
    }
    own
}

/// The same without where it is and how it moves.
pub(crate) fn shape(entry: &BodyEntry) -> BodyEntry {
    let mut own = entry.clone();
    own.fields.retain(|name| !POSE_FIELDS.contains(&name));
    own
}

/// What two scenes have otherwise, or only one of them.
fn differing(a: &Document, b: &Document) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    let bodies = |own: &Document| own.bodies.iter().map(shape).collect::<Vec<_>>();
    compare(
        "bodies",
        &bodies(a),
        &bodies(b),
        |own| &own.name,
        &mut found,
    );
    compare(
        "connectors",
        &a.connectors,
        &b.connectors,
        |own| own.name.as_deref().unwrap_or_default(),
        &mut found,
    );
    compare(
        "quantities",
        &a.quantities,
        &b.quantities,
        |own| &own.name,
        &mut found,
    );
    compare("tables", &a.tables, &b.tables, |own| &own.name, &mut found);
    compare(
        "pictures",
        &a.pictures,
        &b.pictures,
        |own| &own.name,
        &mut found,
    );
    compare("joints", &a.joints, &b.joints, |own| &own.name, &mut found);
    compare(
        "behaviors",
        &a.behaviors,
        &b.behaviors,
        |own| &own.name,
        &mut found,
    );
    compare("traces", &a.traces, &b.traces, |own| &own.name, &mut found);
    if a.world != b.world {
        found.push(("world", String::new()));
    }
    if a.view != b.view {
        found.push(("view", String::new()));
    }
    found
}

pub(crate) fn compare<T: PartialEq>(
    list: &'static str,
    a: &[T],
    b: &[T],
    name: impl Fn(&T) -> &str,
    found: &mut Vec<(&'static str, String)>,
) {
    let known: HashMap<&str, &T> = b.iter().map(|own| (name(own), own)).collect();
    let mut n_met = 0;
    for own in a {
        let other = known.get(name(own));
        n_met += usize::from(other.is_some());
        if other.is_none_or(|other| *other != own) {
            found.push((list, name(own).to_owned()));
        }
    }
    if n_met < known.len() {
        let met: HashMap<&str, ()> = a.iter().map(|own| (name(own), ())).collect();
        let missing = b.iter().filter(|own| !met.contains_key(name(own)));
        found.extend(missing.map(|own| (list, name(own).to_owned())));
    }
}

/// A document as a tree in which its texts stand, but for those whose entries a program has changed.
pub(crate) fn merged(document: &Document) -> Result<Node, Fault> {
    let mut tree = tree_of(document)?;
    let Some(source) = document.parameters.source() else {
        return Ok(tree);
    };
    let mut own = source.tree.clone();
    own.set("linkwork", Some(Node::made(Tree::Number(VERSION.into()))));
    let parameters = document.parameters.clone();
    let own = read::document_with(&own, parameters)?;
    let mut changed = Vec::new();
    compare(
        "bodies",
        &document.bodies,
        &own.bodies,
        |own| &own.name,
        &mut changed,
    );
    compare(
        "connectors",
        &document.connectors,
        &own.connectors,
        |own| own.name.as_deref().unwrap_or_default(),
        &mut changed,
    );
    compare(
        "quantities",
        &document.quantities,
        &own.quantities,
        |own| &own.name,
        &mut changed,
    );
    compare(
        "pictures",
        &document.pictures,
        &own.pictures,
        |own| &own.name,
        &mut changed,
    );
    compare(
        "tables",
        &document.tables,
        &own.tables,
        |own| &own.name,
        &mut changed,
    );
    compare(
        "joints",
        &document.joints,
        &own.joints,
        |own| &own.name,
        &mut changed,
    );
    compare(
        "behaviors",
        &document.behaviors,
        &own.behaviors,
        |own| &own.name,
        &mut changed,
    );
    compare(
        "traces",
        &document.traces,
        &own.traces,
        |own| &own.name,
        &mut changed,
    );
    for (key, node) in tree.fields_mut() {
        if let Some(list) = LISTS.into_iter().find(|list| **list == **key)
            && let Tree::List(entries) = &mut node.tree
        {
            for entry in entries {
                let name = entry.name().unwrap_or_default();
                let is_changed = changed.iter().any(|own| own.0 == list && own.1 == name);
                if let Some(own) = source.tree.entry(list, name).filter(|_| !is_changed) {
                    *entry = own.clone();
                }
            }
        }
        let is_same = match &**key {
            "world" => document.world == own.world,
            "view" => document.view == own.view,
            _ => false,
        };
        if let Some(own) = source.tree.get(key).filter(|_| is_same) {
            *node = own.clone();
        }
    }
    Ok(tree)
}
