//! Another name for something, wherever it is named.
//!
//! What is built on a body, a joint or a quantity knows it by its id, so nothing that moves is touched: names are
//! labels. They stand in formulas, in looks, in groups and in what a scene was written as. A formula is read again with
//! the new name, and must take what it took before.

use std::sync::Arc;

use linkwork::connector::Connector;
use linkwork::prelude::*;
use linkwork::world::{ConstraintRecord, GripRecord};
use linkwork_formula::renamed_path;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::change::{Change, behavior_named, body_named, formulas_again, joint_named};
use super::parameters::check_rename;
use super::quantities;
use crate::build::{connector, quantity};
use crate::catalogue::joint::motor;
use crate::fault::{Fault, Under};
use crate::formula::{Fit, Shared, check_functions};
use crate::parameter::Parameters;
use crate::picture;
use crate::read::Record;
use crate::read::node::{Node, Tree};
use crate::read::record::{define, record, unknown};
use crate::scene::Scene;
use crate::table;

record! {
    /// Another name for something.
    pub struct Rename {
        /// What it is.
        pub kind: NamedKind,
        /// Its name.
        pub name: String,
        /// Its new name.
        pub to: String,
    }
}

/// What has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NamedKind {
    /// A body.
    Body,
    /// A joint, with its motor and what bounds it.
    Joint,
    /// A behavior.
    Behavior,
    /// A named connector.
    Connector,
    /// A quantity.
    Quantity,
    /// A table.
    Table,
    /// A picture.
    Picture,
    /// A trace.
    Trace,
    /// A parameter.
    Parameter,
}

impl NamedKind {
    const ALL: [(Self, &str, &str); 9] = [
        (Self::Body, "body", "bodies"),
        (Self::Joint, "joint", "joints"),
        (Self::Behavior, "behavior", "behaviors"),
        (Self::Connector, "connector", "connectors"),
        (Self::Quantity, "quantity", "quantities"),
        (Self::Table, "table", "tables"),
        (Self::Picture, "picture", "pictures"),
        (Self::Trace, "trace", "traces"),
        (Self::Parameter, "parameter", "parameters"),
    ];

    fn words() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().map(|own| own.1)
    }

    fn word(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// Its list in a file.
    fn list(self) -> &'static str {
        Self::ALL[self as usize].2
    }

    /// Whether formulas find it by its name.
    fn is_in_formulas(self) -> bool {
        self.is_place() || matches!(self, Self::Picture | Self::Parameter)
    }

    /// Whether sides of joints and formulas find it by its name alone, among others of these kinds.
    fn is_place(self) -> bool {
        matches!(self, Self::Body | Self::Connector | Self::Quantity)
    }
}

impl Record for NamedKind {
    fn read(node: &Node) -> Result<Self, Fault> {
        let word = String::read(node)?;
        let found = Self::ALL.iter().find(|own| own.1 == word);
        let found = found.map(|own| own.0);
        found.ok_or_else(|| unknown("kind", &word, Self::words()))
    }

    fn schema(definitions: &mut Map<String, Value>) -> Value {
        define(
            definitions,
            "NamedKind",
            &|_| json!({ "description": "What has a name.", "enum": Self::words().collect::<Vec<_>>() }),
        )
    }
}

/// Another name for something and for what goes with it; all or nothing.
pub(super) fn rename(scene: &mut Scene, own: &Rename) -> Result<Change, Fault> {
    let mut all = vec![own.clone()];
    check(scene, own)?;
    if own.kind == NamedKind::Joint {
        all.extend(beside(&scene.world, own)?);
    }
    for own in &all[1..] {
        check_free(scene, own)?;
    }
    let mut back = Vec::new();
    let done = perform(scene, &all, &mut back);
    back.reverse();
    let back = Change::All(back);
    match done {
        Ok(()) => Ok(back),
        Err(fault) => {
            back.apply(scene)?;
            Err(fault)
        }
    }
}

fn perform(scene: &mut Scene, all: &[Rename], back: &mut Vec<Change>) -> Result<(), Fault> {
    for own in all {
        back.push(call(scene, own.clone())?);
    }
    // Parameters have their names there: formulas that are read again find them.
    if let Some(source) = scene.parameters.source() {
        let mut tree = source.tree.clone();
        for own in all {
            tree = own.tree(scene, &tree, &mut Vec::new())?;
        }
        let parameters = Box::new(Parameters::of(&tree, source.time)?);
        back.push(Change::Written(parameters).apply(scene)?);
    }
    let own = &all[0];
    match own.kind.is_in_formulas() || own.kind == NamedKind::Table {
        true => read_again(scene, own, back),
        false => Ok(()),
    }
}

/// Refuses what is not there, and a name that something else has.
fn check(scene: &Scene, own: &Rename) -> Result<(), Fault> {
    let Rename { kind, name, to } = own;
    let world = &scene.world;
    let found = match kind {
        NamedKind::Body => body_named(world, name).map(drop),
        NamedKind::Joint => joint_named(world, name).map(drop),
        NamedKind::Behavior => behavior_named(world, name).map(drop),
        NamedKind::Quantity => quantity::named(world, name).map(drop),
        NamedKind::Table => table::named(scene, name).map(drop),
        NamedKind::Picture => picture::place(scene, name).map(drop),
        NamedKind::Connector => there(name, scene.connectors.iter().map(|own| &own.0), "connector"),
        NamedKind::Parameter => return check_rename(scene, name, to),
        NamedKind::Trace => there(name, scene.traces.iter().map(|own| &own.name), "trace"),
    };
    found.under("name")?;
    let is_hand = |grip: &GripRecord| {
        let id = grip.constraint();
        world
            .constraint_record(id)
            .is_ok_and(|own| own.label() == name)
    };
    if *kind == NamedKind::Joint && world.grips().iter().any(is_hand) {
        return Err(Fault::at("name", "is a hand"));
    }
    // The gravity of the world is known by its name.
    let places = [("name", name), ("to", to)];
    if let Some((place, _)) = places.iter().find(|own| own.1 == "gravity")
        && *kind == NamedKind::Behavior
    {
        let problem = "\"gravity\" is what the world's gravity is called";
        return Err(Fault::at(*place, problem).hint("set it with the world"));
    }
    if to.trim().is_empty() {
        return Err(Fault::at("to", "is empty").hint("give it a name"));
    }
    check_free(scene, own)
}

fn there<'n>(
    name: &str,
    mut all: impl Iterator<Item = &'n String> + Clone,
    what: &str,
) -> Result<(), Fault> {
    let known = all.clone().map(String::as_str);
    match all.any(|own| own == name) {
        true => Ok(()),
        false => Err(Fault::at("", format!("no {what} is called \"{name}\"")).meant(name, known)),
    }
}

/// Refuses a name that is taken, or that would mean something else.
fn check_free(scene: &Scene, own: &Rename) -> Result<(), Fault> {
    let Rename { kind, to, .. } = own;
    let world = &scene.world;
    let is_connector = scene.connector(to).is_some();
    let is_body = to == "ground" || world.find_body(to).is_some();
    let by = match kind {
        NamedKind::Joint if world.find_constraint(to).is_some() => NamedKind::Joint,
        NamedKind::Behavior if world.find_behavior(to).is_some() => NamedKind::Behavior,
        NamedKind::Table if table::named(scene, to).is_ok() => NamedKind::Table,
        NamedKind::Picture if picture::place(scene, to).is_ok() => NamedKind::Picture,
        NamedKind::Trace if scene.traces.iter().any(|own| own.name == *to) => NamedKind::Trace,
        _ if !kind.is_place() => return Ok(()),
        _ if is_body => NamedKind::Body,
        _ if is_connector => NamedKind::Connector,
        _ if world.find_block(to).is_some() => NamedKind::Quantity,
        _ => {
            let free = scene.parameters.check_free(kind.word(), to);
            free.map_err(|fault| Fault {
                path: "to".to_owned(),
                ..fault
            })?;
            return check_group(scene, own);
        }
    };
    let problem = format!("\"{to}\" is taken by a {}", by.word());
    Err(Fault::at("to", problem).hint("choose another name"))
}

/// A body of the name of a group is a member of it.
fn check_group(scene: &Scene, own: &Rename) -> Result<(), Fault> {
    let group = scene.groups.iter().position(|name| *name == own.to);
    let Some(bit) = group
        .filter(|_| own.kind == NamedKind::Body)
        .map(|at| 2_u32 << at)
    else {
        return Ok(());
    };
    let mut bodies = scene.world.bodies().iter();
    match bodies.any(|body| {
        body.colliders()
            .iter()
            .any(|own| (own.groups | own.not_with) & bit != 0)
    }) {
        true => {
            let problem = format!("\"{}\" is the name of a group of bodies", own.to);
            Err(Fault::at("to", problem).hint("choose another name"))
        }
        false => Ok(()),
    }
}

/// What goes with a joint: its motor, and what bounds its coordinate, which are joints of their own between the same
/// bodies.
fn beside(world: &World, own: &Rename) -> Result<Vec<Rename>, Fault> {
    const BESIDE: [&str; 7] = [
        "armature",
        "friction",
        "friction b",
        "limits",
        "limits b",
        "ratchet",
        "slide limits",
    ];
    let record = world.constraint_record(joint_named(world, &own.name)?)?;
    let bodies = |record: &ConstraintRecord| -> Vec<BodyId> {
        let places = record.connectors().iter().filter_map(Connector::place);
        places.map(|own| own.0).collect()
    };
    let mut all = Vec::new();
    let mut add = |kind, name: &str, to| {
        let name = name.to_owned();
        all.push(Rename { kind, name, to });
    };
    for what in BESIDE {
        let name = format!("{} {what}", own.name);
        let found = world.find_constraint(&name);
        let found = found.and_then(|id| world.constraint_record(id).ok());
        if found.is_some_and(|other| bodies(other) == bodies(record)) {
            add(NamedKind::Joint, &name, format!("{} {what}", own.to));
        }
    }
    match motor::of(world, record) {
        Some(motor::Part::Drive(id)) => {
            let name = world.constraint_record(id)?.label();
            add(NamedKind::Joint, name, motor::drive_name(&own.to));
        }
        Some(motor::Part::Torque(id)) => {
            let name = world.behavior_record(id)?.label();
            add(NamedKind::Behavior, name, motor::torque_name(&own.to));
        }
        None => {}
    }
    Ok(all)
}

/// Calls it otherwise, and nothing else: formulas are as they were.
pub(super) fn call(scene: &mut Scene, own: Rename) -> Result<Change, Fault> {
    let Rename { kind, name, to } = &own;
    let world = &mut scene.world;
    let swap = |own: &mut String| {
        if own == name {
            own.clone_from(to);
        }
    };
    match kind {
        NamedKind::Body => {
            world.set_body_label(connector::body(world, name)?, to)?;
            if let Some(view) = scene.body_views.remove(name) {
                scene.body_views.insert(to.clone(), view);
            }
            let corners = scene
                .view
                .skins
                .iter_mut()
                .flat_map(|own| &mut own.vertices);
            corners.for_each(|own| swap(&mut own.body));
            for group in &mut scene.groups {
                // A group of the new name that nobody is in makes room.
                match group == to {
                    true => group.clone_from(name),
                    false => swap(group),
                }
            }
        }
        NamedKind::Joint => world.set_constraint_label(joint_named(world, name)?, to)?,
        NamedKind::Behavior => world.set_behavior_label(behavior_named(world, name)?, to)?,
        NamedKind::Quantity => world.set_block_label(quantity::named(world, name)?, to)?,
        NamedKind::Connector => scene.connectors.iter_mut().for_each(|own| swap(&mut own.0)),
        NamedKind::Trace => scene.traces.iter_mut().for_each(|own| swap(&mut own.name)),
        // They have their names where they are written.
        NamedKind::Parameter => {}
        NamedKind::Table => {
            let own = scene.tables.iter_mut().filter(|own| own.name == *name);
            own.for_each(|own| Arc::make_mut(own).name.clone_from(to));
        }
        NamedKind::Picture => {
            let own = scene
                .pictures
                .iter_mut()
                .filter(|own| own.entry.name == *name);
            own.for_each(|own| Arc::make_mut(own).entry.name.clone_from(to));
            let views = scene.body_views.values_mut();
            let own = views.filter_map(|own| own.picture.as_mut());
            own.for_each(|own| swap(&mut own.name));
        }
    }
    Ok(Change::Call(Rename {
        kind: own.kind,
        name: own.to,
        to: own.name,
    }))
}

/// Reads every formula again, with the new name.
fn read_again(scene: &mut Scene, own: &Rename, back: &mut Vec<Change>) -> Result<(), Fault> {
    let mut functions = Vec::with_capacity(scene.functions.len());
    for shared in &scene.functions {
        functions.push(Shared::read(&own.formula(scene, &shared.text)?)?);
    }
    back.push(Change::Functions(functions).apply(scene)?);
    check_functions(scene).under("functions")?;
    for change in quantities::blocks_again(scene, own)? {
        back.push(change.apply(scene)?);
    }
    for change in formulas_again(scene, Some(own))? {
        back.push(change.apply(scene)?);
    }
    Ok(())
}

impl Rename {
    /// A formula with the new name.
    pub(super) fn formula(&self, scene: &Scene, text: &str) -> Result<String, Fault> {
        match self.kind.is_in_formulas() {
            true => self.renamed(scene, text, &|_| false),
            false => Ok(text.to_owned()),
        }
    }

    /// The formula of a fit with the new name, which may be that of its table.
    pub(super) fn in_fit(&self, scene: &Scene, fit: &Fit) -> Result<String, Fault> {
        let said = fit.said();
        match self.kind == NamedKind::Table && said.table == self.name {
            true => self.renamed(scene, &said.text, &|_| false),
            false if self.kind == NamedKind::Table => Ok(said.text.clone()),
            false => self.renamed(scene, &said.text, &|name| fit.is_of_row(name)),
        }
    }

    fn renamed(
        &self,
        scene: &Scene,
        text: &str,
        is_local: &dyn Fn(&str) -> bool,
    ) -> Result<String, Fault> {
        let world = &scene.world;
        let is_other = |name: &str| {
            is_local(name)
                || scene.connector(name).is_some()
                || world.find_body(name).is_some()
                || world.find_block(name).is_some()
        };
        let renamed = renamed_path(text, &self.name, &self.to, &is_other);
        renamed.ok_or_else(|| {
            let problem = format!("\"{}\" cannot stand in a formula, and one has it", self.to);
            Fault::at("to", problem).hint("leave out quotes and ends of lines")
        })
    }

    /// The name of something of this kind, by now.
    pub(super) fn word(&self, kind: NamedKind, name: &str) -> String {
        match self.kind == kind && self.name == name {
            true => self.to.clone(),
            false => name.to_owned(),
        }
    }

    /// What a scene was written as, with the new name; `path` leads there. Where it is not all that is needed, what is
    /// there is written in its place.
    fn tree<'n>(
        &self,
        scene: &Scene,
        node: &'n Node,
        path: &mut Vec<&'n str>,
    ) -> Result<Node, Fault> {
        let tree = match &node.tree {
            Tree::Text(text) => match path[..] {
                ["functions"] | ["joints" | "behaviors" | "quantities", "is"] => {
                    Tree::Text(self.formula(scene, text)?.into())
                }
                // Functions of time know parameters, and nothing else of a scene.
                [.., "is"] if self.kind == NamedKind::Parameter => {
                    Tree::Text(self.formula(scene, text)?.into())
                }
                _ if self.kind == NamedKind::Parameter && text.starts_with('=') => {
                    Tree::Text(format!("={}", self.formula(scene, &text[1..])?).into())
                }
                _ if self.is_named_at(path) => Tree::Text(self.word(self.kind, text).into()),
                _ => return Ok(node.clone()),
            },
            Tree::List(entries) => {
                let entries = entries.iter().map(|own| self.tree(scene, own, path));
                Tree::List(entries.collect::<Result<_, _>>()?)
            }
            Tree::Object(fields) => {
                let mut all = Vec::with_capacity(fields.len());
                for (key, own) in fields {
                    let is_own = **path == ["parameters"] && self.kind == NamedKind::Parameter;
                    path.push(key);
                    let own = self.tree(scene, own, path)?;
                    all.push(match is_own && **key == *self.name {
                        true => (self.to.as_str().into(), own),
                        false => (key.clone(), own),
                    });
                    path.pop();
                }
                Tree::Object(all.into())
            }
            _ => return Ok(node.clone()),
        };
        Ok(Node::made(tree))
    }

    /// Whether a text of a file is the name of something of this kind.
    fn is_named_at(&self, path: &[&str]) -> bool {
        let is_side = matches!(
            path,
            [
                "joints" | "behaviors" | "traces",
                ..,
                "a" | "b" | "on" | "of" | "connectors"
            ]
        );
        match (self.kind, path) {
            (_, [list, "name"]) => *list == self.kind.list(),
            (NamedKind::Body, [.., "body" | "group" | "member_of" | "not_with"])
            | (NamedKind::Joint, [.., "joint" | "after"])
            | (NamedKind::Behavior, [.., "after"])
            | (NamedKind::Table, ["joints", "for"])
            | (NamedKind::Picture, [.., "picture", "name"]) => true,
            _ => self.kind.is_place() && is_side,
        }
    }

    /// Refuses formulas that would mean something else with the new name.
    pub(super) fn check(&self, before: &[Connector], after: &[Connector]) -> Result<(), Fault> {
        match before == after {
            true => Ok(()),
            false => {
                let problem = format!("\"{}\" means something else in a formula", self.to);
                Err(Fault::at("to", problem).hint("choose another name"))
            }
        }
    }
}
