//! From a document to a scene.
//!
//! Every function here adds one entry to a scene and speaks of paths within that entry; whoever
//! walks a list puts the list's path in front. Commands add single entries by the same functions.

use std::borrow::Cow;
use std::collections::BTreeMap;

use linkwork::output::ConstraintError;
use linkwork::prelude::*;
use linkwork::world::{ConstraintRecord, Touching, Turns, Unfinished};

use crate::catalogue::body::at_rest;
use crate::catalogue::fields::ENABLED;
use crate::catalogue::joint::motor::Late;
use crate::catalogue::{WorldEntry, joint};
use crate::fault::{Fault, Under};
use crate::format::{BehaviorEntry, BodyEntry, Document, JointEntry, StateEntry, TraceEntry};
use crate::formula;
use crate::picture;
use crate::scene::{Scene, Trace};
use crate::table;

pub(crate) mod body;
pub(crate) mod connector;
pub(crate) mod hand;
pub(crate) mod quantity;
pub(crate) mod view;

/// Builds what a document describes.
///
/// Where a document gives no velocity at all, the scene starts with the least motion that its drives
/// ask for.
pub fn build(document: &Document) -> Result<Scene, Fault> {
    let mut bodies = document.bodies.iter().map(|own| Ok(Cow::Borrowed(own)));
    let mut joints = document.joints.iter().map(|own| Ok(Cow::Borrowed(own)));
    with(document, &mut bodies, &mut joints)
}

/// Entries, of one's own or not, as they come.
type Entries<'e, 'd, T> = &'e mut dyn Iterator<Item = Result<Cow<'d, T>, Fault>>;

/// Builds what a document describes, but with these bodies and joints.
pub(crate) fn with(
    document: &Document,
    bodies: Entries<'_, '_, BodyEntry>,
    joints: Entries<'_, '_, JointEntry>,
) -> Result<Scene, Fault> {
    let mut scene = Scene::from(World::new());
    scene.name.clone_from(&document.name);
    scene.why.clone_from(&document.why);
    scene.parameters = document.parameters.clone();
    set_world(&mut scene, &document.world).under("world")?;
    // Bodies may have pictures on them.
    each("pictures", &document.pictures, |entry| {
        picture::add(&mut scene, entry)
    })?;
    let mut is_at_rest = true;
    for (at, entry) in bodies.enumerate() {
        let path = format!("bodies[{at}]");
        let entry = entry.under(&path)?;
        body::add(&mut scene, &entry).under(&path)?;
        is_at_rest &= at_rest(&entry.fields);
    }
    each("connectors", &document.connectors, |entry| {
        connector::add(&mut scene, entry)
    })?;
    each("tables", &document.tables, |entry| {
        table::add(&mut scene, entry)
    })?;
    scene.functions = quantity::functions(&document.functions).under("functions")?;
    quantity::add_all(&mut scene, &document.quantities)?;
    formula::check_functions(&scene).under("functions")?;
    // Motors come where they were, so that sums have their order.
    let state = &document.state;
    let (mut motors, now) = (Late::default(), state.started.unwrap_or(state.time));
    for (at, entry) in joints.enumerate() {
        let path = format!("joints[{at}]");
        let (bare, motor) = joint::motor::apart(entry.under(&path)?.as_ref());
        joint::add(&mut scene, &bare).under(&path)?;
        if let Some(motor) = motor {
            let id = scene.world.find_constraint(&bare.name);
            motors.push(path, id.ok_or_else(|| Fault::at("", "is gone"))?, motor);
        }
        motors.put(&mut scene.world, false, false, now)?;
    }
    motors.put(&mut scene.world, false, true, now)?;
    each("behaviors", &document.behaviors, |entry| {
        behavior(&mut scene, entry)?;
        motors.put(&mut scene.world, true, false, now)
    })?;
    motors.put(&mut scene.world, true, true, now)?;
    each("traces", &document.traces, |entry| trace(&mut scene, entry))?;
    each("hands", &document.hands, |entry| {
        hand::add(&mut scene, entry)
    })?;
    view::check(&scene, &document.view).under("view")?;
    scene.view.clone_from(&document.view);
    set_state(&mut scene.world, &document.state).under("state")?;
    if is_at_rest && state.places.is_empty() {
        set_in_motion(&mut scene.world)?;
    }
    Ok(scene)
}

/// Whether a document gives no velocity at all.
pub(crate) fn is_at_rest(document: &Document) -> bool {
    document.bodies.iter().all(|body| at_rest(&body.fields))
}

/// Sets gravity, dynamics and how steps are taken, of a scene that has no gravity yet.
fn set_world(scene: &mut Scene, entry: &WorldEntry) -> Result<(), Fault> {
    scene.options = entry.options()?;
    scene.world.set_dynamics(entry.dynamics()?);
    if let Some(acceleration_world) = entry.gravity()? {
        let law = Gravity { acceleration_world };
        scene.world.add_behavior("gravity", law, &[])?;
    }
    scene.world.set_colliders(GROUND, entry.ground()?)?;
    Ok(())
}

/// Adds a behavior.
pub(crate) fn behavior(scene: &mut Scene, entry: &BehaviorEntry) -> Result<(), Fault> {
    let (law, connectors) = entry.make(scene)?;
    let world = &mut scene.world;
    let id = world.add_shared_behavior(&entry.name, law, &connectors)?;
    if !entry.fields.or(&ENABLED, true)? {
        world.set_behavior_enabled(id, false)?;
    }
    Ok(())
}

/// Adds a trace.
pub(crate) fn trace(scene: &mut Scene, entry: &TraceEntry) -> Result<(), Fault> {
    if scene.traces.iter().any(|own| own.name == entry.name) {
        return Err(Fault::at("name", format!("\"{}\" is taken", entry.name)));
    }
    check_color(entry.color.as_deref())?;
    let of = connector::resolve(scene, &entry.of).under("of")?;
    scene.world.position_world(&of)?;
    scene.traces.push(Trace {
        name: entry.name.clone(),
        of,
        color: entry.color.clone(),
    });
    Ok(())
}

fn each<T>(
    list: &str,
    entries: &[T],
    mut add: impl FnMut(&T) -> Result<(), Fault>,
) -> Result<(), Fault> {
    for (at, entry) in entries.iter().enumerate() {
        add(entry).under(&format!("{list}[{at}]"))?;
    }
    Ok(())
}

fn set_state(world: &mut World, entry: &StateEntry) -> Result<(), Fault> {
    let mut state = world.state().clone();
    (state.t, state.substep) = (entry.time, entry.substep);
    set_rows(world, "multipliers", &entry.multipliers, &mut state.lambda)?;
    for (what, entries, begin) in [
        (
            "directions",
            &entry.directions,
            Unfinished::along as fn(_) -> _,
        ),
        ("held", &entry.held, Unfinished::holding),
    ] {
        if !entries.is_empty() {
            let mut rows = vec![0.0; state.lambda.len()];
            set_rows(world, what, entries, &mut rows)?;
            state.unfinished = begin(rows);
        }
    }
    for (name, values) in &entry.turns {
        let record = named_joint(world, "turns", name)?;
        let turns = &mut state.turns.joints[record.angle_range()];
        check_turns(("turns", name), values)?;
        set(("turns", name), "the joint has {} angles", values, turns)?;
    }
    for (name, values) in &entry.behavior_turns {
        let path = ("behavior_turns", name.as_str());
        let Some(id) = world.find_behavior(name) else {
            return Err(Fault::at(joined(path), "no behavior has this name"));
        };
        let record = world.behavior_record(id)?;
        let turns = &mut state.turns.springs[record.angle_range()];
        check_turns(path, values)?;
        set(path, "the behavior has {} angles", values, turns)?;
    }
    for (key, numbers) in &entry.touching {
        state.touching.push(touching(key, numbers)?);
    }
    state.touching.sort_by_key(|own| own.key);
    world.set_state(state)?;
    for (name, own) in &entry.places {
        let path = format!("places.{name}");
        let id = connector::body(world, name).under(&path)?;
        world
            .set_q(id, &own.q)
            .map_err(|error| Fault::from(error).under("q").under(&path))?;
        world
            .set_v(id, &own.v)
            .map_err(|error| Fault::from(error).under("v").under(&path))?;
    }
    Ok(())
}

/// Where something touched: "a b part", and point, normal and force, and perhaps a moment.
fn touching(key: &str, numbers: &[f64]) -> Result<Touching, Fault> {
    let parts: Vec<u32> = key.split(' ').filter_map(|own| own.parse().ok()).collect();
    let (vectors, left) = numbers.as_chunks();
    let (Ok(key), [point, normal, force, moment @ ..], []) = (parts.try_into(), vectors, left)
    else {
        return Err(Fault::at(
            joined(("touching", key)),
            "is not three counts and nine or twelve numbers",
        ));
    };
    let own = Touching::new(key, *point, *normal, *force);
    Ok(match moment {
        [moment] => own.with_moment(*moment),
        _ => own,
    })
}

fn set_rows(
    world: &World,
    what: &str,
    entries: &BTreeMap<String, Vec<f64>>,
    out: &mut [f64],
) -> Result<(), Fault> {
    for (name, values) in entries {
        let rows = named_joint(world, what, name)?.row_range();
        set(
            (what, name),
            "the joint has {} rows",
            values,
            &mut out[rows],
        )?;
    }
    Ok(())
}

fn joined((what, name): (&str, &str)) -> String {
    format!("{what}.{name}")
}

fn check_turns(path: (&str, &str), counts: &[f64]) -> Result<(), Fault> {
    let problem = Turns::problem(counts);
    problem.map_or(Ok(()), |problem| Err(Fault::at(joined(path), problem)))
}

fn named_joint<'a>(
    world: &'a World,
    what: &str,
    name: &str,
) -> Result<&'a ConstraintRecord, Fault> {
    let Some(id) = world.find_constraint(name) else {
        return Err(Fault::at(joined((what, name)), "no joint has this name"));
    };
    Ok(world.constraint_record(id)?)
}

/// Sets the numbers of a joint or behavior, which `has` so many.
fn set(path: (&str, &str), has: &str, values: &[f64], out: &mut [f64]) -> Result<(), Fault> {
    if values.len() != out.len() {
        let has = has.replace("{}", &out.len().to_string());
        let problem = format!("has {} numbers, but {has}", values.len());
        return Err(Fault::at(joined(path), problem));
    }
    out.copy_from_slice(values);
    Ok(())
}

/// Gives a world the velocities that its drives ask for, and no others: as a scene starts that gives no
/// velocity.
pub fn start(world: &mut World) -> Result<(), Fault> {
    let mut state = world.state().clone();
    state.v.fill(0.0);
    world.set_state(state)?;
    set_in_motion(world)
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

/// A color is `#rrggbb`.
fn check_color(color: Option<&str>) -> Result<(), Fault> {
    let is_color = |text: &str| {
        let digits = text.strip_prefix('#');
        digits.is_some_and(|d| d.len() == 6 && d.bytes().all(|b| b.is_ascii_hexdigit()))
    };
    match color {
        Some(text) if !is_color(text) => {
            Err(Fault::at("color", format!("is \"{text}\"")).hint("give one such as \"#3366cc\""))
        }
        _ => Ok(()),
    }
}
