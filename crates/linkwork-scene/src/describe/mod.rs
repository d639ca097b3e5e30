//! From a scene to a document: what any world says about itself, as a file.
//!
//! The engine keeps bodies, constraints and behaviors as trait objects; those of its own are
//! recognized here by their types. What a program added of its own making is refused by name: the
//! format has no words for it.

use std::any::Any;
use std::collections::BTreeMap;
use std::ops::Range;

use linkwork::connector::{Connector, ConnectorKind, Site};
use linkwork::prelude::*;
use linkwork::world::{
    BehaviorRecord, BlockRecord, BodyRecord, ConstraintRecord, GripRecord, Touching,
};

use crate::build::asks_for_motion;
use crate::catalogue::fields::{ENABLED, MOTOR, V, VIEW};
use crate::catalogue::joint::motor::{self, Part};
use crate::catalogue::{WorldEntry, behavior, body, drag, joint};
use crate::fault::Fault;
use crate::format::{
    BehaviorEntry, BodyEntry, ConnectorEntry, ConnectorRef, Document, HandEntry, JointEntry,
    PlaceEntry, QuantityEntry, StateEntry, TraceEntry, VERSION, ViewEntry,
};
use crate::formula::Quantity;
use crate::parameter::{self, Start};
use crate::picture;
use crate::read;
use crate::scene::{ByBody, Scene};
use crate::table;
use crate::write::json;

/// Describes a scene: building the document gives the same world, to the last bit of its state. Entries in which
/// numbers are texts are as they were written, as far as they still say what is there.
pub fn describe(scene: &Scene) -> Result<Document, Fault> {
    let live = plain(scene)?;
    let (Some(source), Some(tree)) = (scene.parameters.source(), parameter::written(scene)?) else {
        return Ok(live);
    };
    let mut document = read::document(&tree)?;
    document.parameters = document.parameters.started(source.time);
    (document.hands, document.state) = (live.hands, live.state);
    let world = &scene.world;
    let start = Start::of(&tree, source.time)?;
    if !start.is_at(world) || document.state.time.to_bits() != source.time.to_bits() {
        document.state.started = Some(source.time);
        let hands: Vec<BodyId> = world.grips().iter().map(GripRecord::hand).collect();
        for record in world.bodies() {
            if !hands.contains(&record.id()) {
                let (q, v) = (
                    world.q(record.id())?.to_vec(),
                    world.v(record.id())?.to_vec(),
                );
                let name = record.label().to_owned();
                document.state.places.insert(name, PlaceEntry { q, v });
            }
        }
    }
    Ok(document)
}

/// Describes a scene in numbers.
pub(crate) fn plain(scene: &Scene) -> Result<Document, Fault> {
    let world = &scene.world;
    let names = Names::of(scene);
    let hands: Vec<BodyId> = world.grips().iter().map(GripRecord::hand).collect();
    let grips: Vec<ConstraintId> = world.grips().iter().map(GripRecord::constraint).collect();
    let mut document = Document {
        linkwork: VERSION,
        name: scene.name.clone(),
        why: scene.why.clone(),
        world: world_entry(scene),
        view: view(scene),
        state: state(world),
        ..Document::default()
    };
    let bodies = || {
        let all = world.bodies().iter();
        all.filter(|record| !hands.contains(&record.id()))
    };
    for record in bodies() {
        document.bodies.push(body_entry(scene, record)?);
    }
    // A document without velocities starts as its drives ask; one that rests against them says so.
    let at_rest = world.state().v.iter().all(|v| v.to_bits() == 0);
    if at_rest && asks_for_motion(world)? {
        let mut bodies = bodies().zip(&mut document.bodies);
        if let Some((record, entry)) = bodies.find(|(record, _)| !record.v_range().is_empty()) {
            entry.fields.set(&V, vec![0.0; record.v_range().len()]);
            *entry = entry.clone().in_order();
        }
    }
    for (name, connector) in &scene.connectors {
        document.connectors.push(ConnectorEntry {
            name: Some(name.clone()),
            ..site(world, connector)?
        });
    }
    document.functions = scene.functions.iter().map(|own| own.text.clone()).collect();
    for record in world.blocks() {
        document.quantities.push(quantity_entry(record)?);
    }
    let pictures = scene.pictures.iter();
    document.pictures = pictures.map(|own| own.entry.clone()).collect();
    document.tables = scene.tables.iter().map(|own| (**own).clone()).collect();
    // A motor is in the entry of its joint. Where it does not come there by itself, it says after what it comes.
    let mut motors: Vec<(ConstraintId, Part, Option<String>)> = Vec::new();
    let mut before: Option<&ConstraintRecord> = None;
    let joints = world.constraints().iter();
    for record in joints.filter(|record| !grips.contains(&record.id())) {
        if let Some(joint) = motor::driven(world, record) {
            let after = before.filter(|own| own.id() != joint);
            let after = after.map(|own| own.label().to_owned());
            motors.push((joint, Part::Drive(record.id()), after));
        } else {
            document.joints.push(joint_entry(world, &names, record)?);
        }
        before = Some(record);
    }
    // Torques come with their joints, before all other behaviors.
    let mut last: Option<ConstraintId> = None;
    let mut before = None;
    let behaviors = world.behaviors().iter();
    for record in behaviors.filter(|record| !is_gravity(world, record)) {
        let mut name = record.label().to_owned();
        if let Some(joint) = motor::turned(world, record) {
            name = motor::torque_name(world.constraint_record(joint)?.label());
            let comes_by_itself = last < Some(joint);
            let after = before.filter(|_| !comes_by_itself);
            motors.push((joint, Part::Torque(record.id()), after));
            last = last.max(Some(joint));
        } else {
            document
                .behaviors
                .push(behavior_entry(world, &names, record)?);
            last = world.constraints().last().map(ConstraintRecord::id);
        }
        before = Some(name);
    }
    for (joint, part, after) in motors {
        let record = world.constraint_record(joint)?;
        let fields = motor::fields(world, record, part, after.as_deref())?;
        let mut entries = document.joints.iter_mut();
        if let Some(entry) = entries.find(|entry| entry.name == record.label()) {
            entry.fields.set(&MOTOR, fields);
            *entry = entry.clone().in_order();
        }
    }
    for trace in &scene.traces {
        document.traces.push(TraceEntry {
            name: trace.name.clone(),
            of: names.reference(world, &trace.of)?,
            color: trace.color.clone(),
        });
    }
    for grip in world.grips() {
        document.hands.push(hand(world, &names, grip)?);
    }
    Ok(document)
}

/// Hints about the scene, without skins on bodies that are gone: undoing brings back both.
fn view(scene: &Scene) -> ViewEntry {
    let mut view = scene.view.clone();
    let is_there = |name: &str| name == "ground" || scene.world.find_body(name).is_some();
    view.skins
        .retain(|skin| skin.vertices.iter().all(|vertex| is_there(&vertex.body)));
    view
}

/// Something of a scene that has an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item<'n> {
    /// The body of this name.
    Body(&'n str),
    /// The joint of this name.
    Joint(&'n str),
    /// The behavior of this name.
    Behavior(&'n str),
    /// The quantity of this name.
    Quantity(&'n str),
    /// The table of this name.
    Table(&'n str),
    /// The picture of this name.
    Picture(&'n str),
    /// World options.
    World,
    /// Hints for viewers.
    View,
}

/// The entry of one thing, as a file would say it now: JSON.
pub fn entry(scene: &Scene, item: Item<'_>) -> Result<String, Fault> {
    let world = &scene.world;
    let names = Names::of(scene);
    let missing =
        |what: &str, name: &str| Err(Fault::at("", format!("no {what} is called \"{name}\"")));
    match item {
        Item::Body(name) => match world.find_body(name).filter(|&id| id != GROUND) {
            Some(id) => json(&body_entry(scene, world.body_record(id)?)?),
            None => missing("body", name),
        },
        Item::Joint(name) => match world.find_constraint(name) {
            Some(id) => json(&joint_of(scene, world.constraint_record(id)?)?),
            None => missing("joint", name),
        },
        Item::Behavior(name) => match world.find_behavior(name) {
            Some(id) => {
                let record = world.behavior_record(id)?;
                json(&behavior_entry(world, &names, record)?)
            }
            None => missing("behavior", name),
        },
        Item::Quantity(name) => match world.find_block(name) {
            Some(id) => json(&quantity_entry(world.block_record(id)?)?),
            None => missing("quantity", name),
        },
        Item::Table(name) => json(&**table::named(scene, name)?),
        Item::Picture(name) => json(&scene.pictures[picture::place(scene, name)?].entry),
        Item::World => json(&world_entry(scene)),
        Item::View => json(&view(scene)),
    }
}

/// What a program made has no words in a file.
fn no_words(what: &str, name: &str) -> Fault {
    let problem = format!("a file has no words for the {what} \"{name}\", which a program made");
    Fault::at("", problem)
}

/// One body's entry.
pub(crate) fn body_entry(scene: &Scene, record: &BodyRecord) -> Result<BodyEntry, Fault> {
    let (world, name) = (&scene.world, record.label());
    let mut entry = body::describe(record.body()).ok_or_else(|| no_words("body", name))?;
    name.clone_into(&mut entry.name);
    entry.write_pose(record.body(), world.q(record.id())?);
    entry.write_motion(record.body(), world.q(record.id())?, world.v(record.id())?);
    let fields = entry.fields.unless(&ENABLED, record.enabled(), true);
    let fields = body::describe_colliders(scene, record.id(), name, fields)?;
    entry.fields = fields.with_some(&VIEW, scene.body_views.get(name).cloned());
    Ok(entry.in_order())
}

/// One joint's entry, with its motor.
pub(crate) fn joint_of(scene: &Scene, record: &ConstraintRecord) -> Result<JointEntry, Fault> {
    let world = &scene.world;
    let mut entry = joint_entry(world, &Names::of(scene), record)?;
    if let Some(part) = motor::of(world, record) {
        let fields = motor::fields(world, record, part, None)?;
        entry.fields.set(&MOTOR, fields);
    }
    Ok(entry.in_order())
}

/// One quantity's entry.
fn quantity_entry(record: &BlockRecord) -> Result<QuantityEntry, Fault> {
    let block: &dyn Any = record.block();
    let own: Option<&Quantity> = block.downcast_ref();
    let own = own.ok_or_else(|| no_words("quantity", record.label()))?;
    Ok(QuantityEntry {
        name: record.label().to_owned(),
        is: own.text().to_owned(),
        direction: own.kind() == ConnectorKind::Direction3,
        enabled: (!record.enabled()).then_some(false),
    })
}

/// One joint's entry.
fn joint_entry(
    world: &World,
    names: &Names<'_>,
    record: &ConstraintRecord,
) -> Result<JointEntry, Fault> {
    let entry = joint::describe(record).ok_or_else(|| no_words("joint", record.label()))?;
    let connectors = match entry.kind.has_sides() {
        true => names.references(world, record.connectors())?,
        false => Vec::new(),
    };
    Ok(entry.held(connectors, record).in_order())
}

/// One behavior's entry.
fn behavior_entry(
    world: &World,
    names: &Names<'_>,
    record: &BehaviorRecord,
) -> Result<BehaviorEntry, Fault> {
    let entry = behavior::describe(record).ok_or_else(|| no_words("behavior", record.label()))?;
    let mut entry = entry.on(names.references(world, record.connectors())?);
    entry.fields = entry.fields.unless(&ENABLED, record.enabled(), true);
    Ok(entry.in_order())
}

/// The world's own gravity: the first behavior, of that name.
fn is_gravity(world: &World, record: &BehaviorRecord) -> bool {
    let first = world.behaviors().first();
    record.label() == "gravity"
        && record.enabled()
        && first.is_some_and(|first| first.id() == record.id())
        && gravity_of(record).is_some()
}

fn gravity_of(record: &BehaviorRecord) -> Option<&Gravity> {
    let law: &dyn Any = record.behavior();
    law.downcast_ref()
}

fn world_entry(scene: &Scene) -> WorldEntry {
    let world = &scene.world;
    let first = world.behaviors().first();
    let gravity = first
        .filter(|record| is_gravity(world, record))
        .and_then(gravity_of);
    let gravity = gravity.map(|gravity| gravity.acceleration_world);
    let ground = world.colliders(GROUND).unwrap_or_default();
    WorldEntry::describe(gravity, ground, world.dynamics(), &scene.options)
}

fn state(world: &World) -> StateEntry {
    let state = world.state();
    let rows = |values: &[f64]| {
        let records = world.constraints().iter();
        let rows = records.map(|record| (record.label(), record.row_range()));
        by_name(rows, values, |value| value.to_bits() != 0)
    };
    let joints = world.constraints().iter();
    let joints = joints.map(|record| (record.label(), record.angle_range()));
    let behaviors = world.behaviors().iter();
    let behaviors = behaviors.map(|record| (record.label(), record.angle_range()));
    StateEntry {
        time: state.t,
        started: None,
        places: BTreeMap::new(),
        substep: state.substep,
        multipliers: rows(&state.lambda),
        directions: rows(state.unfinished.direction()),
        held: rows(state.unfinished.held()),
        turns: by_name(joints, &state.turns.joints, f64::is_finite),
        behavior_turns: by_name(behaviors, &state.turns.springs, f64::is_finite),
        touching: state.touching.iter().map(touching).collect(),
    }
}

fn touching(own: &Touching) -> (String, Vec<f64>) {
    let [a, b, part] = own.key;
    let mut numbers = [own.point_world, own.normal_world, own.force_world].concat();
    if own.moment_world != [0.0; 3] {
        numbers.extend(own.moment_world);
    }
    (format!("{a} {b} {part}"), numbers)
}

/// The numbers of each joint or behavior of which some are worth writing.
fn by_name<'a>(
    parts: impl Iterator<Item = (&'a str, Range<usize>)>,
    values: &[f64],
    is_written: fn(f64) -> bool,
) -> BTreeMap<String, Vec<f64>> {
    // One by one: to collect a map is to sort, which is 5 kB of the browser's module.
    let mut all = BTreeMap::new();
    for (name, range) in parts {
        let part = values.get(range).unwrap_or_default();
        if part.iter().any(|&value| is_written(value)) {
            all.insert(name.to_owned(), part.to_vec());
        }
    }
    all
}

fn hand(world: &World, names: &Names<'_>, grip: &GripRecord) -> Result<HandEntry, Fault> {
    let name = world.body_label(grip.hand())?;
    Ok(HandEntry {
        name: name.to_owned(),
        held: names.reference(world, grip.held())?,
        drag: drag::describe(grip.drag()).ok_or_else(|| no_words("hand", name))?,
        goal: None,
        quaternion: None,
        q: Some(world.q(grip.hand())?.to_vec()),
    })
}

/// Connectors that have names, by the body they sit on.
struct Names<'s>(ByBody<&'s (String, Connector)>);

impl<'s> Names<'s> {
    fn of(scene: &'s Scene) -> Self {
        let mut names = ByBody::new(&scene.world);
        for own in &scene.connectors {
            if let Some(body) = own.1.body() {
                names.push(&scene.world, body, own);
            }
        }
        Self(names)
    }

    fn references(
        &self,
        world: &World,
        connectors: &[Connector],
    ) -> Result<Vec<ConnectorRef>, Fault> {
        let connectors = connectors.iter();
        connectors
            .map(|connector| self.reference(world, connector))
            .collect()
    }

    /// A connector by its name, or written out if it has none.
    fn reference(&self, world: &World, connector: &Connector) -> Result<ConnectorRef, Fault> {
        if let Some(body) = connector.body() {
            let mut named = self.0.of(world, body).iter();
            if let Some((name, _)) = named.find(|(_, own)| same(own, connector)) {
                return Ok(ConnectorRef::Name(name.clone()));
            }
        }
        if let Some(block) = connector.block() {
            return Ok(ConnectorRef::Name(
                world.block_record(block)?.label().to_owned(),
            ));
        }
        Ok(ConnectorRef::Inline(Box::new(site(world, connector)?)))
    }
}

/// Equal to the last bit: a zero with a sign is another zero.
pub(crate) fn same(a: &Connector, b: &Connector) -> bool {
    format!("{a:?}") == format!("{b:?}")
}

/// A connector written out.
fn site(world: &World, connector: &Connector) -> Result<ConnectorEntry, Fault> {
    let Some((body, site)) = connector.place() else {
        return Err(Fault::at("", "a file has no words for this connector"));
    };
    let mut entry = ConnectorEntry {
        body: world.body_label(body)?.to_owned(),
        ..ConnectorEntry::default()
    };
    if let Site::Scalar(index) = &site {
        entry.scalar = body::scalar_name(world.body_record(body)?.body(), *index);
    }
    match &site {
        Site::Scalar(_) if entry.scalar.is_some() => {}
        Site::Point(point) => entry.point = Some((*point).into()),
        Site::Point2(point) => entry.point = Some((*point).into()),
        Site::Frame { origin, rotation } => {
            entry.point = Some((*origin).into());
            entry.rotation = Some(*rotation);
        }
        Site::Frame2 { origin, angle } => {
            entry.point = Some((*origin).into());
            entry.angle = Some(*angle);
        }
        Site::Curve(u) | Site::Curve2(u) => entry.curve = Some(*u),
        Site::Tangent(u) => entry.tangent = Some(*u),
        Site::Surface(u) => entry.surface = Some(*u),
        Site::SurfaceFrame(u) => {
            entry.surface = Some(*u);
            entry.framed = Some(true);
        }
        Site::Interior(u) => entry.interior = Some(*u),
        // All that a shape is: its body alone.
        Site::Coordinates if world.body_record(body)?.body().shape().is_some() => {}
        Site::Direction(direction) => entry.direction = Some(*direction),
        other => {
            let problem = format!("a file has no words for a {other} of \"{}\"", entry.body);
            return Err(Fault::at("", problem));
        }
    }
    Ok(entry)
}
