//! A body of another size, and what sits on it.

use linkwork::connector::{Connector, Site};
use linkwork::prelude::*;

use super::change::{Change, body_named, old_behavior, old_joint};
use super::quantities::old_quantity;
use crate::catalogue::Value;
use crate::catalogue::body::scale_by;
use crate::describe;
use crate::fault::{Fault, Under};
use crate::format::BodyEntry;
use crate::scene::Scene;

/// Makes a body of a scene another one, and takes along what sits on it.
pub(crate) fn apply(scene: &mut Scene, entry: BodyEntry) -> Result<(), Fault> {
    let applied = Change::Resize(Box::new(entry)).apply(scene);
    applied.map(|_| ()).map_err(|mut fault| {
        // Which of the changes it was says nothing about the entry.
        if let Some((_, path)) = fault
            .path
            .strip_prefix('[')
            .and_then(|own| own.split_once(']'))
        {
            fault.path = path.trim_start_matches('.').to_owned();
        }
        fault
    })
}

/// The body with its new size, and every point on it moved as its size was.
pub(super) fn changes(scene: &Scene, mut entry: Box<BodyEntry>) -> Result<Vec<Change>, Fault> {
    let world = &scene.world;
    let id = body_named(world, &entry.name).under("name")?;
    let before = describe::body_entry(scene, world.body_record(id)?)?;
    let mut changes = Vec::new();
    if let (Some(before), Some(after)) = (
        (before.kind.size)(&before.fields),
        (entry.kind.size)(&entry.fields),
    ) {
        // What has no size along an axis, or none that is one, stays where it is along it.
        let factor = [0, 1, 2].map(|k: usize| {
            let factor = after[k] / before[k];
            if factor.is_finite() { factor } else { 1.0 }
        });
        if factor != [1.0; 3] {
            changes = points(scene, id, factor)?;
            drawn(scene, &mut entry, factor, &mut changes);
        }
    }
    changes.insert(0, Change::SetBody(entry));
    Ok(changes)
}

/// What is drawn of the body and on it grows along, unless the entry says that it looks otherwise now.
fn drawn(scene: &Scene, entry: &mut BodyEntry, factor: [f64; 3], changes: &mut Vec<Change>) {
    let before = scene.body_views.get(&entry.name);
    for value in entry.fields.values_mut() {
        match value {
            Value::View(view) if Some(&**view) == before => {
                for stroke in &mut view.drawing {
                    for point in &mut stroke.points {
                        scale_by(&mut point.0, factor);
                    }
                }
                for part in &mut view.draw {
                    part.stretch(factor);
                }
            }
            _ => {}
        }
    }
    let mut view = scene.view.clone();
    for skin in &mut view.skins {
        for corner in &mut skin.vertices {
            if corner.body == entry.name {
                scale_by(&mut corner.point.0, factor);
            }
        }
    }
    changes.push(Change::View(view));
}

fn points(scene: &Scene, id: BodyId, factor: [f64; 3]) -> Result<Vec<Change>, Fault> {
    let world = &scene.world;
    let scaled = |connectors: &mut Vec<Connector>| {
        let own = connectors.iter_mut().filter(|own| own.is_on(id));
        own.for_each(|own| scale(own, factor));
    };
    let mut changes = Vec::new();
    let is_hand = |id| world.grips().iter().any(|grip| grip.constraint() == id);
    for record in world.constraints() {
        if is_hand(record.id()) || record.connectors().iter().all(|own| !own.is_on(id)) {
            continue;
        }
        let mut joint = old_joint(world, record.label(), record.id())?;
        scaled(&mut joint.connectors);
        changes.push(Change::Joint(Box::new(joint)));
    }
    for record in world.behaviors() {
        if record.connectors().iter().all(|own| !own.is_on(id)) {
            continue;
        }
        let mut behavior = old_behavior(world, record);
        scaled(&mut behavior.connectors);
        changes.push(Change::Behavior(Box::new(behavior)));
    }
    for record in world.blocks() {
        if record.inputs().iter().all(|own| !own.is_on(id)) {
            continue;
        }
        let mut quantity = old_quantity(record);
        scaled(&mut quantity.inputs);
        changes.push(Change::Quantity(Box::new(quantity)));
    }
    let (mut connectors, mut traces) = (scene.connectors.clone(), scene.traces.clone());
    for (_, own) in connectors.iter_mut().filter(|(_, own)| own.is_on(id)) {
        scale(own, factor);
    }
    for trace in traces.iter_mut().filter(|trace| trace.of.is_on(id)) {
        scale(&mut trace.of, factor);
    }
    changes.push(Change::Points(connectors, traces));
    Ok(changes)
}

fn scale(connector: &mut Connector, factor: [f64; 3]) {
    let point: &mut [f64] = match connector.site_mut() {
        Some(Site::Point(point) | Site::Frame { origin: point, .. }) => point,
        Some(Site::Point2(point) | Site::Frame2 { origin: point, .. }) => point,
        _ => return,
    };
    scale_by(point, factor);
}
