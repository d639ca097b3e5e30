//! Bodies of entries.

use super::{quantity, view};
use crate::catalogue::body::{Built, place, set_colliders, set_motion};
use crate::catalogue::fields::{ENABLED, VIEW};
use crate::fault::{Fault, Under};
use crate::format::{BodyEntry, BodyView};
use crate::scene::Scene;

/// Adds a body.
pub(crate) fn add(scene: &mut Scene, entry: &BodyEntry) -> Result<(), Fault> {
    if entry.name == "ground" {
        return Err(Fault::at(
            "name",
            "\"ground\" is the ground, which is always there",
        ));
    }
    if scene.connector(&entry.name).is_some() {
        let problem = format!("\"{}\" is taken by a connector", entry.name);
        return Err(Fault::at("name", problem).hint("a joint could not tell which is meant"));
    }
    quantity::refuse_name(scene, &entry.name)?;
    scene.parameters.check_free("body", &entry.name)?;
    let (body, view) = make(scene, entry)?;
    let world = &mut scene.world;
    let id = world.add_body(&entry.name, body)?;
    let placed = place(world, id, entry).and_then(|()| set_motion(world, id, entry));
    if let Err(fault) = placed {
        world.remove_body(id)?;
        return Err(fault);
    }
    if !entry.fields.or(&ENABLED, true)? {
        world.set_body_enabled(id, false)?;
    }
    if view != BodyView::default() {
        scene.body_views.insert(entry.name.clone(), view);
    }
    if let Err(fault) = set_colliders(scene, id, &entry.fields) {
        scene.world.remove_body(id)?;
        scene.body_views.remove(&entry.name);
        return Err(fault);
    }
    Ok(())
}

/// What an entry says a body is, and what is drawn of it beside its shape: its own parts, unless the
/// hints say others.
pub(crate) fn make(scene: &Scene, entry: &BodyEntry) -> Built {
    let (body, mut view) = entry.make()?;
    if let Some(hints) = entry.fields.get::<&BodyView>(&VIEW)? {
        view::check_body(scene, hints).under("view")?;
        let own = std::mem::replace(&mut view, hints.clone());
        if view.draw.is_empty() {
            view.draw = own.draw;
        }
    }
    Ok((body, view))
}
