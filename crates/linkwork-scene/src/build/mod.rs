//! From a document to a scene.
//!
//! Every function here adds one entry to a scene and speaks of paths within that entry; whoever
//! walks a list puts the list's path in front. Commands add single entries by the same functions.

use std::collections::BTreeMap;

use linkwork::prelude::*;
use serde::de::IgnoredAny;

use crate::fault::Fault;
use crate::format::kinds::{Kind, Typed};
use crate::format::{Document, StateEntry, TraceEntry};
use crate::read::from_json;
use crate::scene::{Scene, Trace};
use crate::write::json;

pub(crate) mod behavior;
pub(crate) mod body;
pub(crate) mod connector;
mod coupling;
pub(crate) mod hand;
pub(crate) mod joint;
pub(crate) mod motion;
pub(crate) mod options;
pub(crate) mod place;
pub(crate) mod view;

/// Builds what a document describes.
///
/// Where a document gives no velocity at all, the scene starts with the least motion that its drives
/// ask for.
pub fn build(document: &Document) -> Result<Scene, Fault> {
    let mut scene = Scene::from(World::new());
    scene.name.clone_from(&document.name);
    scene.why.clone_from(&document.why);
    options::set(&mut scene, &document.world).map_err(|fault| fault.under("world"))?;
    each("bodies", &document.bodies, |entry| {
        body::add(&mut scene, entry)
    })?;
    each("connectors", &document.connectors, |entry| {
        connector::add(&mut scene, entry)
    })?;
    each("joints", &document.joints, |entry| {
        joint::add(&mut scene, entry)
    })?;
    each("behaviors", &document.behaviors, |entry| {
        behavior::add(&mut scene, entry)
    })?;
    each("traces", &document.traces, |entry| trace(&mut scene, entry))?;
    each("hands", &document.hands, |entry| {
        hand::add(&mut scene, entry)
    })?;
    view::check(&scene, &document.view).map_err(|fault| fault.under("view"))?;
    scene.view.clone_from(&document.view);
    set_state(&mut scene.world, &document.state).map_err(|fault| fault.under("state"))?;
    let at_rest = document.bodies.iter().all(|body| {
        body.v.is_none()
            && body.velocity.is_none()
            && body.angular_velocity.is_none()
            && body.spin.is_none()
    });
    if at_rest {
        set_in_motion(&mut scene.world)?;
    }
    Ok(scene)
}

/// Adds a trace.
pub(crate) fn trace(scene: &mut Scene, entry: &TraceEntry) -> Result<(), Fault> {
    if scene.traces.iter().any(|own| own.name == entry.name) {
        return Err(Fault::at("name", format!("\"{}\" is taken", entry.name)));
    }
    check_colour(&entry.colour)?;
    let of = connector::resolve(scene, &entry.of).map_err(|fault| fault.under("of"))?;
    scene.world.position_world(&of)?;
    scene.traces.push(Trace {
        name: entry.name.clone(),
        of,
        colour: entry.colour.clone(),
    });
    Ok(())
}

fn each<T>(
    list: &str,
    entries: &[T],
    mut add: impl FnMut(&T) -> Result<(), Fault>,
) -> Result<(), Fault> {
    for (at, entry) in entries.iter().enumerate() {
        add(entry).map_err(|fault| fault.under(&format!("{list}[{at}]")))?;
    }
    Ok(())
}

fn set_state(world: &mut World, entry: &StateEntry) -> Result<(), Fault> {
    let mut state = world.state().clone();
    (state.t, state.substep) = (entry.time, entry.substep);
    set_rows(world, "multipliers", &entry.multipliers, &mut state.lambda)?;
    set_rows(world, "directions", &entry.directions, &mut state.direction)?;
    world.set_state(state)?;
    Ok(())
}

fn set_rows(
    world: &World,
    what: &str,
    entries: &BTreeMap<String, Vec<f64>>,
    out: &mut [f64],
) -> Result<(), Fault> {
    for (name, values) in entries {
        let path = format!("{what}.{name}");
        let Some(id) = world.find_constraint(name) else {
            return Err(Fault::at(path, "no joint has this name"));
        };
        let rows = world.constraint_record(id)?.row_range();
        if rows.len() != values.len() {
            let problem = format!(
                "has {} numbers, but the joint has {} rows",
                values.len(),
                rows.len()
            );
            return Err(Fault::at(path, problem));
        }
        out[rows].copy_from_slice(values);
    }
    Ok(())
}

/// Gives a world at rest the velocities its drives ask for, and no others.
pub(crate) fn set_in_motion(world: &mut World) -> Result<(), Fault> {
    if !asks_for_motion(world)? {
        return Ok(());
    }
    let mut simulator = Simulator::new();
    let correction = simulator.velocity_correction(world, Method::Direct);
    let v = correction.motion.clone();
    if v.iter().all(|v| v.is_finite()) {
        let mut state = world.state().clone();
        state.v = v;
        world.set_state(state)?;
    }
    Ok(())
}

/// Whether a constraint asks for velocities that the bodies do not have.
pub(crate) fn asks_for_motion(world: &World) -> Result<bool, Fault> {
    const ENOUGH: f64 = 1e-12;
    let rate = |error: &ConstraintError| {
        let rate = error.position_rate.max(error.angle_rate);
        rate.max(error.other_rate)
    };
    let errors = world.constraint_errors()?;
    Ok(errors.iter().any(|error| rate(error) > ENOUGH))
}

/// Refuses fields that entries of this type do not take.
fn check_fields<E: Typed>(entry: &E) -> Result<(), Fault> {
    let kind = entry.kind();
    check_given(&json(entry)?, E::Kind::COMMON, kind.takes(), &|| {
        kind.word()
    })
}

/// Refuses fields of a text that are neither common nor taken. Not for every type of entry anew.
fn check_given(
    text: &str,
    common: &[&str],
    takes: &[&str],
    word: &dyn Fn() -> String,
) -> Result<(), Fault> {
    let fields: BTreeMap<String, IgnoredAny> = from_json(text)?;
    let is_known =
        |field: &str| field == "type" || common.contains(&field) || takes.contains(&field);
    match fields.keys().find(|field| !is_known(field)) {
        None => Ok(()),
        Some(field) => {
            let word = word();
            let problem = format!("does not belong to the type \"{word}\"");
            let known = takes.join(", ");
            let hint = crate::fault::meant(field, takes.iter().copied());
            let hint = hint.unwrap_or_else(|| match known.is_empty() {
                true => format!("\"{word}\" takes nothing else"),
                false => format!("\"{word}\" takes {known}"),
            });
            Err(Fault::at(field.as_str(), problem).hint(hint))
        }
    }
}

/// A colour is `#rrggbb`.
fn check_colour(colour: &Option<String>) -> Result<(), Fault> {
    let is_colour = |text: &str| {
        let digits = text.strip_prefix('#');
        digits.is_some_and(|d| d.len() == 6 && d.bytes().all(|b| b.is_ascii_hexdigit()))
    };
    match colour {
        Some(text) if !is_colour(text) => {
            Err(Fault::at("colour", format!("is \"{text}\"")).hint("give one such as \"#3366cc\""))
        }
        _ => Ok(()),
    }
}

/// A field in radians, or the same in degrees; not both.
fn angle(name: &str, radians: Option<f64>, degrees: Option<f64>) -> Result<Option<f64>, Fault> {
    match (radians, degrees) {
        (Some(_), Some(_)) => {
            let problem = format!("is given as \"{name}\" too");
            Err(Fault::at(format!("{name}_deg"), problem).hint("give one of the two"))
        }
        (radians, None) => Ok(radians),
        (None, Some(degrees)) => Ok(Some(degrees.to_radians())),
    }
}
