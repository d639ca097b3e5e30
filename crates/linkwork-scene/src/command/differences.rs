//! What differs between two scenes that one tree gives, as edits.

use linkwork::connector::Connector;
use linkwork::prelude::*;

use super::before::Before;
use super::change::{Change, Named, body_named};
use crate::catalogue::{Entry, Law};
use crate::fault::Fault;
use crate::format::ConnectorRef;
use crate::parameter::{Start, has_texts, shape};
use crate::read::Node;
use crate::scene::Scene;

/// What makes the scene that was there before the one that is there after.
pub(super) fn differences(
    scene: &Scene,
    before: &Start,
    after: &Start,
    tree: &Node,
    stands: bool,
) -> Result<Vec<Change>, Fault> {
    let (a, b) = (&before.document, &after.document);
    let mut changes = vec![Change::Written(Box::new(after.scene.parameters.clone()))];
    if a.world != b.world {
        changes.push(Change::World(Box::new(b.world.clone())));
    }
    // What uses them and is another then, is set as such.
    if a.functions != b.functions {
        changes.push(Change::Functions(after.scene.functions.clone()));
    }
    let mut is_resized = false;
    for (was, is) in a.bodies.iter().zip(&b.bodies) {
        let (was, is) = (shape(was), shape(is));
        if was != is {
            is_resized = true;
            changes.push(Change::Resize(Box::new(is)));
        }
    }
    let has_text = |list: &str, name: &str| tree.entry(list, name).is_some_and(has_texts);
    let connectors: Vec<_> = b
        .connectors
        .iter()
        .filter(|own| {
            let is_other = a.connectors.iter().all(|other| other != *own);
            is_other
                || (is_resized && has_text("connectors", own.name.as_deref().unwrap_or_default()))
        })
        .cloned()
        .collect();
    let traces: Vec<_> = b
        .traces
        .iter()
        .filter(|own| {
            let is_named = matches!(own.of, ConnectorRef::Name(_));
            let is_other = a.traces.iter().all(|other| other != *own);
            is_other || is_named || (is_resized && has_text("traces", &own.name))
        })
        .cloned()
        .collect();
    if !connectors.is_empty() || is_resized && !traces.is_empty() || a.traces != b.traces {
        changes.push(Change::SetPoints(connectors, traces));
    }
    for own in b.pictures.iter().filter(|own| !a.pictures.contains(own)) {
        changes.push(Change::SetPicture(Box::new(own.clone())));
    }
    // Formulas have parameters in them.
    let block = |start: &Start, name: &str| {
        let world = &start.scene.world;
        let record = world.block_record(world.find_block(name)?).ok()?;
        Some((
            format!("{:?}", record.block()),
            places(world, record.inputs()),
        ))
    };
    for own in &b.quantities {
        if block(before, &own.name) != block(after, &own.name) {
            changes.push(Change::SetQuantity(Box::new(own.clone())));
        }
    }
    for own in b.tables.iter().filter(|own| !a.tables.contains(own)) {
        changes.push(Change::SetTable(Box::new(own.clone())));
    }
    let law = |start: &Start, name: &str| {
        let world = &start.scene.world;
        let record = world.constraint_record(world.find_constraint(name)?).ok()?;
        Some((
            format!("{:?}", record.constraint()),
            places(world, record.connectors()),
        ))
    };
    let joints = Sort {
        add: Change::AddJoint,
        set: Change::SetJoint,
        named: Named::Joint,
        is_other: &|name| {
            law(before, name) != law(after, name) || (is_resized && has_text("joints", name))
        },
    };
    joints.changes(&a.joints, &b.joints, &mut changes);
    let law = |start: &Start, name: &str| {
        let world = &start.scene.world;
        let record = world.behavior_record(world.find_behavior(name)?).ok()?;
        Some((
            format!("{:?}", record.behavior()),
            places(world, record.connectors()),
        ))
    };
    let behaviors = Sort {
        add: Change::AddBehavior,
        set: Change::SetBehavior,
        named: Named::Behavior,
        is_other: &|name| {
            law(before, name) != law(after, name) || (is_resized && has_text("behaviors", name))
        },
    };
    behaviors.changes(&a.behaviors, &b.behaviors, &mut changes);
    if a.view != b.view {
        changes.push(Change::SetView(b.view.clone()));
    }
    if stands {
        changes.extend(moved(scene, before, after)?);
    }
    Ok(changes)
}

/// Bodies where they start now. Once time has passed, taking it back leaves them where they are.
fn moved(scene: &Scene, before: &Start, after: &Start) -> Result<Option<Change>, Fault> {
    let moved = before.moved(after, &scene.world, &scene.world);
    if moved.is_empty() {
        return Ok(None);
    }
    let mut there = scene.world.clone();
    for (name, q, v) in moved {
        let id = body_named(&there, &name)?;
        there.set_q(id, &q)?;
        there.set_v(id, &v)?;
    }
    Ok(Some(Before::change(there, None)))
}

/// Connectors by the names of their bodies: ids are those of one world.
fn places(world: &World, connectors: &[Connector]) -> Vec<String> {
    let told = |own: &Connector| match own.place() {
        Some((body, site)) => format!("{:?} {site:?}", world.body_label(body).unwrap_or_default()),
        None => format!("{own:?}"),
    };
    connectors.iter().map(told).collect()
}

/// How entries of a sort are edited.
struct Sort<'s, L: Law> {
    add: fn(Box<Entry<L>>) -> Change,
    set: fn(Box<Entry<L>>) -> Change,
    named: fn(String) -> Named,
    /// Whether one is set even if its entry says the same.
    is_other: &'s dyn Fn(&str) -> bool,
}

impl<L: Law> Sort<'_, L> {
    fn changes(&self, a: &[Entry<L>], b: &[Entry<L>], changes: &mut Vec<Change>) {
        for own in a
            .iter()
            .filter(|own| b.iter().all(|is| is.name != own.name))
        {
            changes.push(Change::Remove((self.named)(own.name.clone())));
        }
        for own in b {
            let entry = || Box::new(own.clone());
            match a.iter().find(|was| was.name == own.name) {
                None => changes.push((self.add)(entry())),
                Some(was) if was != own || (self.is_other)(&own.name) => {
                    changes.push((self.set)(entry()));
                }
                Some(_) => {}
            }
        }
    }
}
