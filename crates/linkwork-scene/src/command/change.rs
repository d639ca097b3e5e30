//! Changes that undo each other.
//!
//! Applying a [`Change`] gives the change that takes it back, in whatever state the world is by
//! then: that is the whole of undo and redo.

use std::any::Any;
use std::ops::Range;
use std::sync::Arc;

use linkwork::behavior::Behavior;
use linkwork::body::Body;
use linkwork::connector::Connector;
use linkwork::constraint::Constraint;
use linkwork::prelude::*;
use linkwork::world::{
    BehaviorRecord, BodyRecord, BreakLimit, Collider, ConstraintRecord, Removed, State, Touching,
    Tree,
};

use super::before::Before;
use super::parameters::{self, Rewrite};
use super::quantities::{self, OldQuantity};
use super::rename::{self, NamedKind, Rename};
use super::{motors, pictures, resize, tables};
use crate::build::{self, body, connector, quantity};
use crate::catalogue::body::{
    colliders, has_shape, place as place_body, set_colliders, set_motion,
};
use crate::catalogue::fields::{ARMATURE, ENABLED};
use crate::catalogue::joint::{DRY_FRICTION, LIMITS, RATCHET, motor};
use crate::catalogue::{Fields, WorldEntry, behavior, joint};
use crate::fault::{Fault, Under};
use crate::format::{
    BehaviorEntry, BodyEntry, BodyView, ConnectorEntry, JointEntry, PictureEntry, QuantityEntry,
    TableEntry, TraceEntry, ViewEntry,
};
use crate::formula::{self, Fit, FormulaForce, Relation, Shared};
use crate::parameter::Parameters;
use crate::picture::Picture;
use crate::points::{self, PointPull};
use crate::scene::{Scene, Trace};

/// Something with a name.
#[derive(Clone, Debug)]
pub(super) enum Named {
    Body(String),
    Joint(String),
    Behavior(String),
    Connector(String),
    Quantity(String),
    Trace(String),
}

/// What is done, and can be taken back.
#[derive(Clone, Debug)]
pub(super) enum Change {
    AddBody(Box<BodyEntry>),
    AddJoint(Box<JointEntry>),
    AddBehavior(Box<BehaviorEntry>),
    AddConnector(Box<ConnectorEntry>),
    AddQuantity(Box<QuantityEntry>),
    AddTable(Box<TableEntry>),
    AddPicture(Box<PictureEntry>),
    AddTrace(Box<TraceEntry>),
    Remove(Named),
    /// Removes a joint and its motor.
    Detach(String),
    /// Gives a joint without a motor one.
    AddMotor(String, Fields),
    Restore(Box<Gone>),
    SetBody(Box<BodyEntry>),
    Resize(Box<BodyEntry>),
    /// Named connectors and traces are these.
    Points(Vec<(String, Connector)>, Vec<Trace>),
    SetJoint(Box<JointEntry>),
    SetBehavior(Box<BehaviorEntry>),
    SetQuantity(Box<QuantityEntry>),
    SetTable(Box<TableEntry>),
    RemoveTable(String),
    /// The tables are these; what goes through them stays as it is.
    Tables(Vec<Arc<TableEntry>>),
    SetPicture(Box<PictureEntry>),
    RemovePicture(String),
    /// The pictures are these; formulas stay as they are.
    Pictures(Vec<Arc<Picture>>),
    /// Formulas share these functions, and are read again.
    SetFunctions(Vec<String>),
    /// The functions are these; formulas stay as they are.
    Functions(Vec<Shared>),
    /// The body of this name is this one again.
    Body(Box<OldBody>),
    Joint(Box<OldJoint>),
    Behavior(Box<OldBehavior>),
    Quantity(Box<OldQuantity>),
    World(Box<WorldEntry>),
    Options(Box<StepOptions>, Dynamics),
    /// Lets every body collide that has a shape, or none.
    Collide(bool),
    /// What collides of the bodies of these names, or of the ground.
    Colliders(Vec<(String, Vec<Collider>)>),
    /// What the scene is called.
    Name(Option<String>),
    /// Another name for something, wherever it is named.
    Rename(Rename),
    /// Another name for something, and nothing else.
    Call(Rename),
    SetView(ViewEntry),
    View(ViewEntry),
    /// Parameters and what is written over them, and all that follows.
    Rewrite(Box<Rewrite>),
    /// Parameters and what is written over them, and nothing else.
    Written(Box<Parameters>),
    /// Connectors and traces of these names are these.
    SetPoints(Vec<ConnectorEntry>, Vec<TraceEntry>),
    Place {
        body: String,
        q: Vec<f64>,
        v: Vec<f64>,
    },
    /// The state is that of before.
    State(Box<Before>),
    /// What touched, while time stands.
    Touching(Vec<Touching>),
    /// All of them, in this order.
    All(Vec<Change>),
}

/// What a removal took out.
#[derive(Clone, Debug)]
pub(super) struct Gone {
    name: Named,
    removed: Removed,
    view: Option<BodyView>,
    /// With the places they had in their lists.
    connectors: Vec<(usize, (String, Connector))>,
    traces: Vec<(usize, Trace)>,
}

#[derive(Clone, Debug)]
pub(super) struct OldBody {
    name: String,
    body: Arc<dyn Body>,
    enabled: bool,
    view: Option<BodyView>,
    colliders: Vec<Collider>,
    /// Where it was, if the change moved it.
    place: Option<(Vec<f64>, Vec<f64>)>,
}

#[derive(Clone, Debug)]
pub(super) struct OldJoint {
    name: String,
    pub(super) law: Arc<dyn Constraint>,
    pub(super) connectors: Vec<Connector>,
    compliance: Vec<f64>,
    damping: Vec<f64>,
    priority: u8,
    weight: f64,
    tree: Tree,
    break_limit: Option<BreakLimit>,
    pub(super) enabled: bool,
    /// The multipliers it had, where an iteration goes on, and its full turns; a joint that is new keeps
    /// those of its rows of the old one if they are as many.
    pub(super) rows: Option<[Vec<f64>; 3]>,
}

#[derive(Clone, Debug)]
pub(super) struct OldBehavior {
    name: String,
    law: Arc<dyn Behavior>,
    pub(super) connectors: Vec<Connector>,
    enabled: bool,
    /// Its full turns; one that is new has made none.
    turns: Vec<f64>,
}

impl Change {
    /// Does it; says what takes it back. The scene is as before when it fails.
    pub(super) fn apply(self, scene: &mut Scene) -> Result<Change, Fault> {
        match self {
            Self::AddBody(entry) => {
                body::add(scene, &entry)?;
                Ok(Self::Remove(Named::Body(entry.name)))
            }
            Self::AddJoint(entry) => add_joint(scene, &entry),
            Self::AddBehavior(entry) => {
                build::behavior(scene, &entry)?;
                Ok(Self::Remove(Named::Behavior(entry.name)))
            }
            Self::AddConnector(entry) => {
                connector::add(scene, &entry)?;
                Ok(Self::Remove(Named::Connector(
                    entry.name.unwrap_or_default(),
                )))
            }
            Self::AddQuantity(entry) => {
                quantity::add(scene, &entry)?;
                Ok(Self::Remove(Named::Quantity(entry.name)))
            }
            Self::AddTrace(entry) => {
                build::trace(scene, &entry)?;
                Ok(Self::Remove(Named::Trace(entry.name)))
            }
            Self::Remove(name) => remove(scene, name),
            Self::Detach(name) => motors::detach(scene, name),
            Self::AddMotor(joint, said) => motors::add(&mut scene.world, &joint, &said),
            Self::Restore(gone) => restore(scene, *gone),
            Self::SetBody(entry) => set_body(scene, &entry),
            Self::Resize(entry) => {
                let changes = resize::changes(scene, entry)?;
                all(scene, changes)
            }
            Self::Points(connectors, traces) => Ok(Self::Points(
                std::mem::replace(&mut scene.connectors, connectors),
                std::mem::replace(&mut scene.traces, traces),
            )),
            Self::SetJoint(entry) => set_joint(scene, &entry),
            Self::SetBehavior(entry) => set_behavior(scene, &entry),
            Self::SetQuantity(entry) => quantities::set(scene, &entry),
            Self::AddTable(entry) => tables::add(scene, &entry),
            Self::SetTable(entry) => tables::set(scene, &entry),
            Self::RemoveTable(name) => tables::remove(scene, &name),
            Self::Tables(tables) => Ok(Self::Tables(std::mem::replace(&mut scene.tables, tables))),
            Self::AddPicture(entry) => pictures::add(scene, &entry),
            Self::SetPicture(entry) => pictures::set(scene, &entry),
            Self::RemovePicture(name) => pictures::remove(scene, &name),
            Self::Pictures(pictures) => Ok(Self::Pictures(std::mem::replace(
                &mut scene.pictures,
                pictures,
            ))),
            Self::SetFunctions(texts) => quantities::set_functions(scene, &texts),
            Self::Functions(functions) => Ok(Self::Functions(std::mem::replace(
                &mut scene.functions,
                functions,
            ))),
            Self::Quantity(old) => quantities::swap(scene, *old),
            Self::Body(old) => swap_body(scene, *old),
            Self::Joint(old) => swap_joint(scene, *old),
            Self::Behavior(old) => swap_behavior(scene, *old),
            Self::World(entry) => set_world(scene, &entry),
            Self::Options(step, dynamics) => {
                let before = (scene.options, scene.world.dynamics());
                scene.options = *step;
                scene.world.set_dynamics(dynamics);
                Ok(Self::Options(Box::new(before.0), before.1))
            }
            Self::Collide(on) => collide(scene, on),
            Self::Colliders(all) => {
                let world = &mut scene.world;
                let mut before = Vec::with_capacity(all.len());
                for (name, colliders) in all {
                    let id = connector::body(world, &name)?;
                    before.push((name, world.colliders(id)?.to_vec()));
                    world.set_colliders(id, colliders)?;
                }
                Ok(Self::Colliders(before))
            }
            Self::Name(name) => Ok(Self::Name(std::mem::replace(&mut scene.name, name))),
            Self::Rename(own) => rename::rename(scene, &own),
            Self::Call(own) => rename::call(scene, own),
            Self::SetView(view) => {
                build::view::check(scene, &view)?;
                Self::View(view).apply(scene)
            }
            Self::View(view) => Ok(Self::View(std::mem::replace(&mut scene.view, view))),
            Self::Rewrite(rewrite) => {
                let changes = parameters::changes(scene, &rewrite)?;
                all(scene, changes).map_err(parameters::outside)
            }
            Self::Written(parameters) => {
                let before = std::mem::replace(&mut scene.parameters, *parameters);
                Ok(Self::Written(Box::new(before)))
            }
            Self::SetPoints(connectors, traces) => set_points(scene, &connectors, &traces),
            Self::Place { body, q, v } => place(scene, body, &q, &v),
            Self::State(before) => before.apply(&mut scene.world),
            Self::Touching(touching) => {
                let mut state = scene.world.state().clone();
                let before = std::mem::replace(&mut state.touching, touching);
                scene.world.set_state(state)?;
                Ok(Self::Touching(before))
            }
            Self::All(changes) => all(scene, changes),
        }
    }
}

/// Puts named connectors and traces where these entries say.
fn set_points(
    scene: &mut Scene,
    connectors: &[ConnectorEntry],
    traces: &[TraceEntry],
) -> Result<Change, Fault> {
    let before = Change::Points(scene.connectors.clone(), scene.traces.clone());
    let mut set = || -> Result<(), Fault> {
        for entry in connectors {
            let site = connector::site(scene, entry)?;
            scene.world.connector_value(&site)?;
            let mut all = scene.connectors.iter_mut();
            if let Some((_, own)) = all.find(|(name, _)| entry.name.as_ref() == Some(name)) {
                *own = site;
            }
        }
        for entry in traces {
            let of = connector::resolve(scene, &entry.of)?;
            let mut all = scene.traces.iter_mut();
            if let Some(own) = all.find(|own| own.name == entry.name) {
                own.of = of;
            }
        }
        Ok(())
    };
    match set() {
        Ok(()) => Ok(before),
        Err(fault) => {
            before.apply(scene)?;
            Err(fault)
        }
    }
}

/// All or none.
pub(super) fn all(scene: &mut Scene, changes: Vec<Change>) -> Result<Change, Fault> {
    let mut back = Vec::new();
    for (at, change) in changes.into_iter().enumerate() {
        match change.apply(scene) {
            Ok(inverse) => back.push(inverse),
            Err(fault) => {
                while let Some(inverse) = back.pop() {
                    inverse.apply(scene)?;
                }
                return Err(fault.under(&format!("[{at}]")));
            }
        }
    }
    back.reverse();
    Ok(Change::All(back))
}

/// A joint brings its motor with it: both go when it is taken back.
fn add_joint(scene: &mut Scene, entry: &JointEntry) -> Result<Change, Fault> {
    let world = &scene.world;
    let (joints, behaviors) = (world.constraints().len(), world.behaviors().len());
    joint::add(scene, entry)?;
    let mut back = Vec::new();
    for record in &scene.world.behaviors()[behaviors..] {
        back.push(Change::Remove(Named::Behavior(record.label().to_owned())));
    }
    for record in scene.world.constraints()[joints..].iter().rev() {
        back.push(Change::Remove(Named::Joint(record.label().to_owned())));
    }
    Ok(Change::All(back))
}

/// What reads the formulas of joints and behaviors again, with another name for something.
pub(super) fn formulas_again(
    scene: &Scene,
    renamed: Option<&Rename>,
) -> Result<Vec<Change>, Fault> {
    let world = &scene.world;
    let mut changes = Vec::new();
    let formula = |text: &str| match renamed {
        Some(own) => own.formula(scene, text),
        None => Ok(text.to_owned()),
    };
    let word = |kind, name: &mut String| {
        if let Some(own) = renamed {
            *name = own.word(kind, name);
        }
    };
    for record in world.constraints() {
        let law: &dyn Any = record.constraint();
        let named = |fault: Fault| fault.under(&format!("joints.{}", record.label()));
        let (law, compliance, connectors): (Arc<dyn Constraint>, _, _) =
            if let Some(own) = law.downcast_ref::<Relation>() {
                let text = formula(own.text())?;
                let (law, connectors) = formula::relation(scene, &text).map_err(named)?;
                let compliance = law.compliance();
                (Arc::new(law), compliance, connectors)
            } else if let Some(own) = law.downcast_ref::<Fit>() {
                let mut said = own.said().clone();
                if let Some(renamed) = renamed {
                    said.text = renamed.in_fit(scene, own)?;
                }
                word(NamedKind::Table, &mut said.table);
                let (law, connectors) = formula::fit(scene, said).map_err(named)?;
                let compliance = law.compliance();
                (Arc::new(law), compliance, connectors)
            } else if let Some(own) = law.downcast_ref::<PointPull>() {
                let mut said = own.said().clone();
                word(NamedKind::Body, &mut said.body);
                word(NamedKind::Table, &mut said.table);
                let (law, connectors) = points::pull(scene, said).map_err(named)?;
                let compliance = law.compliance();
                (Arc::new(law), compliance, connectors)
            } else {
                continue;
            };
        if let Some(own) = renamed {
            own.check(record.connectors(), &connectors).map_err(named)?;
        }
        let mut new = old_joint(world, record.label(), record.id())?;
        if compliance.len() != new.compliance.len() {
            new.damping = vec![0.0; compliance.len()];
            (new.compliance, new.rows) = (compliance, None);
        }
        (new.law, new.connectors) = (law, connectors);
        changes.push(Change::Joint(Box::new(new)));
    }
    for record in world.behaviors() {
        let named = |fault: Fault| fault.under(&format!("behaviors.{}", record.label()));
        let law: &dyn Any = record.behavior();
        let mut new = old_behavior(world, record);
        let Some(own) = law.downcast_ref::<FormulaForce>() else {
            continue;
        };
        let on = (!own.is_energy()).then(|| record.connectors()[0]);
        let text = formula(own.text())?;
        let (law, connectors) = formula::force(scene, on, &text).map_err(named)?;
        (new.law, new.connectors) = (Arc::new(law), connectors);
        if let Some(own) = renamed {
            own.check(record.connectors(), &new.connectors)
                .map_err(named)?;
        }
        changes.push(Change::Behavior(Box::new(new)));
    }
    Ok(changes)
}

pub(super) fn joint_named(world: &World, name: &str) -> Result<ConstraintId, Fault> {
    world.find_constraint(name).ok_or_else(|| {
        let known = world.constraints().iter().map(ConstraintRecord::label);
        unknown("joint", name, known)
    })
}

pub(super) fn behavior_named(world: &World, name: &str) -> Result<BehaviorId, Fault> {
    world.find_behavior(name).ok_or_else(|| {
        let known = world.behaviors().iter().map(BehaviorRecord::label);
        unknown("behavior", name, known)
    })
}

pub(super) fn body_named(world: &World, name: &str) -> Result<BodyId, Fault> {
    match connector::body(world, name)? {
        GROUND => Err(Fault::at("", "the ground cannot be changed")),
        body => Ok(body),
    }
}

fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> Fault {
    Fault::at("", format!("no {what} is called \"{name}\"")).meant(name, known)
}

/// Takes the entries that `goes` out of a list, with their places.
fn take<T>(list: &mut Vec<T>, goes: impl Fn(&T) -> bool) -> Vec<(usize, T)> {
    let mut taken = Vec::new();
    for at in (0..list.len()).rev() {
        if goes(&list[at]) {
            taken.push((at, list.remove(at)));
        }
    }
    taken.reverse();
    taken
}

/// Whether a trace is of a quantity that is gone.
fn is_orphan(world: &World, trace: &Trace) -> bool {
    let block = trace.of.block();
    block.is_some_and(|block| world.block_record(block).is_err())
}

fn remove(scene: &mut Scene, name: Named) -> Result<Change, Fault> {
    let mut gone = Gone {
        name: name.clone(),
        removed: Removed::default(),
        view: None,
        connectors: Vec::new(),
        traces: Vec::new(),
    };
    let world = &mut scene.world;
    match &name {
        Named::Body(name) => {
            let id = body_named(world, name)?;
            gone.removed = world.remove_body(id)?;
            gone.view = scene.body_views.remove(name);
            gone.connectors = take(&mut scene.connectors, |(_, own)| own.is_on(id));
            gone.traces = take(&mut scene.traces, |trace| {
                trace.of.is_on(id) || is_orphan(world, trace)
            });
        }
        Named::Joint(name) => gone.removed = world.remove_constraint(joint_named(world, name)?)?,
        Named::Behavior(name) => {
            gone.removed = world.remove_behavior(behavior_named(world, name)?)?;
        }
        Named::Quantity(name) => {
            gone.removed = world.remove_block(quantity::named(world, name)?)?;
            gone.traces = take(&mut scene.traces, |trace| is_orphan(world, trace));
        }
        Named::Connector(name) => {
            gone.connectors = take(&mut scene.connectors, |(own, _)| own == name);
            if gone.connectors.is_empty() {
                let known = scene.connectors.iter().map(|(own, _)| own.as_str());
                return Err(unknown("connector", name, known));
            }
            // Formulas have it by its name.
            if let Err(fault) = quantities::check(scene) {
                for (at, own) in gone.connectors {
                    scene.connectors.insert(at, own);
                }
                return Err(fault.hint("change first what reads the connector"));
            }
        }
        Named::Trace(name) => {
            gone.traces = take(&mut scene.traces, |trace| trace.name == *name);
            if gone.traces.is_empty() {
                let known = scene.traces.iter().map(|trace| trace.name.as_str());
                return Err(unknown("trace", name, known));
            }
        }
    }
    Ok(Change::Restore(Box::new(gone)))
}

fn restore(scene: &mut Scene, gone: Gone) -> Result<Change, Fault> {
    for (_, (name, _)) in &gone.connectors {
        if scene.connector(name).is_some() {
            return Err(Fault::at(
                "",
                format!("a connector \"{name}\" has been made since"),
            ));
        }
    }
    for (_, trace) in &gone.traces {
        if scene.traces.iter().any(|own| own.name == trace.name) {
            let problem = format!("a trace \"{}\" has been made since", trace.name);
            return Err(Fault::at("", problem));
        }
    }
    scene.world.restore_removed(&gone.removed)?;
    if let (Named::Body(name), Some(view)) = (&gone.name, gone.view) {
        scene.body_views.insert(name.clone(), view);
    }
    for (at, own) in gone.connectors {
        scene.connectors.insert(at.min(scene.connectors.len()), own);
    }
    for (at, trace) in gone.traces {
        scene.traces.insert(at.min(scene.traces.len()), trace);
    }
    Ok(Change::Remove(gone.name))
}

fn set_body(scene: &mut Scene, entry: &BodyEntry) -> Result<Change, Fault> {
    let id = body_named(&scene.world, &entry.name).under("name")?;
    let (new, view) = body::make(scene, entry)?;
    let before = old_body(scene, &entry.name, id, true)?;
    if (new.n_q(), new.n_v()) != (before.body.n_q(), before.body.n_v()) {
        let problem = format!(
            "\"{}\" cannot become this: its coordinates differ",
            entry.name
        );
        return Err(Fault::at("type", problem).hint("remove it and add another"));
    }
    scene.world.replace_body(id, new)?;
    let moved = place_body(&mut scene.world, id, entry)
        .and_then(|()| set_motion(&mut scene.world, id, entry));
    if let Err(fault) = moved {
        swap_body(scene, before)?;
        return Err(fault);
    }
    let enabled = entry.fields.or(&ENABLED, true)?;
    scene.world.set_body_enabled(id, enabled)?;
    set_view(
        scene,
        &entry.name,
        (view != BodyView::default()).then_some(view),
    );
    if let Err(fault) = set_colliders(scene, id, &entry.fields) {
        swap_body(scene, before)?;
        return Err(fault);
    }
    let stays = before.place.as_ref().is_some_and(|(q, v)| {
        scene.world.q(id).is_ok_and(|own| own == q) && scene.world.v(id).is_ok_and(|own| own == v)
    });
    Ok(Change::Body(Box::new(OldBody {
        // What did not move is left where it will be by then.
        place: before.place.clone().filter(|_| !stays),
        ..before
    })))
}

fn old_body(scene: &Scene, name: &str, id: BodyId, with_place: bool) -> Result<OldBody, Fault> {
    let record = scene.world.body_record(id)?;
    let place = (scene.world.q(id)?.to_vec(), scene.world.v(id)?.to_vec());
    Ok(OldBody {
        name: name.to_owned(),
        body: record.shared_body(),
        enabled: record.enabled(),
        view: scene.body_views.get(name).cloned(),
        colliders: record.colliders().to_vec(),
        place: with_place.then_some(place),
    })
}

fn set_view(scene: &mut Scene, name: &str, view: Option<BodyView>) {
    match view {
        Some(view) => scene.body_views.insert(name.to_owned(), view),
        None => scene.body_views.remove(name),
    };
}

fn swap_body(scene: &mut Scene, old: OldBody) -> Result<Change, Fault> {
    let id = body_named(&scene.world, &old.name)?;
    let now = old_body(scene, &old.name, id, old.place.is_some())?;
    scene.world.replace_body(id, old.body)?;
    if let Some((q, v)) = &old.place {
        scene.world.set_q(id, q)?;
        scene.world.set_v(id, v)?;
    }
    scene.world.set_body_enabled(id, old.enabled)?;
    set_view(scene, &old.name, old.view);
    scene.world.set_colliders(id, old.colliders)?;
    Ok(Change::Body(Box::new(now)))
}

/// Builds the new joint beside the old one, then puts it in its place: the id stays.
fn set_joint(scene: &mut Scene, entry: &JointEntry) -> Result<Change, Fault> {
    let id = joint_named(&scene.world, &entry.name).under("name")?;
    for field in [&ARMATURE, &LIMITS, &DRY_FRICTION, &RATCHET] {
        if entry.fields.has(field) && entry.kind.has_beside(field) {
            let hint = format!("set the joint \"{} {}\"", entry.name, field.name);
            return Err(Fault::at(field.name, "is a joint of its own").hint(hint));
        }
    }
    if scene
        .world
        .grips()
        .iter()
        .any(|grip| grip.constraint() == id)
    {
        return Err(Fault::at("name", "is a hand").hint("use \"hold\""));
    }
    let before = motor::of(&scene.world, scene.world.constraint_record(id)?);
    let (mut beside, said) = motor::apart(entry);
    beside.name = free_name(&scene.world, &entry.name);
    joint::add(scene, &beside)?;
    let beside = joint_named(&scene.world, &beside.name)?;
    let mut new = old_joint(&scene.world, &entry.name, beside)?;
    new.rows = None;
    scene.world.remove_constraint(beside)?;
    let back = swap_joint(scene, new)?;
    let motor = motors::changes(&scene.world, &entry.name, before, said);
    match motor.and_then(|changes| all(scene, changes)) {
        Ok(motor) => Ok(Change::All(vec![motor, back])),
        Err(fault) => {
            back.apply(scene)?;
            Err(fault)
        }
    }
}

fn free_name(world: &World, name: &str) -> String {
    let mut free = format!("{name}'");
    while world.find_constraint(&free).is_some() {
        free.push('\'');
    }
    free
}

pub(super) fn old_joint(world: &World, name: &str, id: ConstraintId) -> Result<OldJoint, Fault> {
    let record = world.constraint_record(id)?;
    Ok(OldJoint {
        name: name.to_owned(),
        law: record.shared_constraint(),
        connectors: record.connectors().to_vec(),
        compliance: record.compliance().to_vec(),
        damping: record.damping().to_vec(),
        priority: record.priority(),
        weight: record.weight(),
        tree: record.tree(),
        break_limit: record.break_limit(),
        enabled: record.enabled(),
        rows: Some([
            world.state().lambda[record.row_range()].to_vec(),
            unfinished_of(world.state(), record.row_range()),
            world.state().turns.joints[record.angle_range()].to_vec(),
        ]),
    })
}

/// What an iteration goes on with in these rows; empty where there is none.
fn unfinished_of(state: &State, rows: Range<usize>) -> Vec<f64> {
    let rows = state.unfinished.rows().get(rows);
    rows.unwrap_or_default().to_vec()
}

fn swap_joint(scene: &mut Scene, old: OldJoint) -> Result<Change, Fault> {
    let world = &mut scene.world;
    let id = joint_named(world, &old.name)?;
    let now = old_joint(world, &old.name, id)?;
    world.replace_shared_constraint(id, old.law, &old.connectors)?;
    world.set_compliance(id, &old.compliance)?;
    world.set_damping(id, &old.damping)?;
    world.set_priority(id, old.priority)?;
    world.set_weight(id, old.weight)?;
    world.set_tree(id, old.tree)?;
    world.set_break_limit(id, old.break_limit)?;
    world.set_constraint_enabled(id, old.enabled)?;
    if let Some([lambda, unfinished, turns]) = &old.rows {
        let mut state = world.state().clone();
        let record = world.constraint_record(id)?;
        let rows = record.row_range();
        state.lambda[rows.clone()].copy_from_slice(lambda);
        if let Some(own) = state.unfinished.rows_mut().get_mut(rows)
            && own.len() == unfinished.len()
        {
            own.copy_from_slice(unfinished);
        }
        state.turns.joints[record.angle_range()].copy_from_slice(turns);
        world.set_state(state)?;
    }
    Ok(Change::Joint(Box::new(now)))
}

fn set_behavior(scene: &mut Scene, entry: &BehaviorEntry) -> Result<Change, Fault> {
    let (law, connectors) = entry.make(scene)?;
    swap_behavior(
        scene,
        OldBehavior {
            name: entry.name.clone(),
            law,
            connectors,
            enabled: entry.fields.or(&ENABLED, true)?,
            turns: Vec::new(),
        },
    )
}

fn swap_behavior(scene: &mut Scene, old: OldBehavior) -> Result<Change, Fault> {
    let world = &mut scene.world;
    let id = behavior_named(world, &old.name).under("name")?;
    let now = old_behavior(world, world.behavior_record(id)?);
    world.replace_shared_behavior(id, old.law, &old.connectors)?;
    world.set_behavior_enabled(id, old.enabled)?;
    if !old.turns.is_empty() {
        let mut state = world.state().clone();
        let angles = world.behavior_record(id)?.angle_range();
        state.turns.springs[angles].copy_from_slice(&old.turns);
        world.set_state(state)?;
    }
    Ok(Change::Behavior(Box::new(now)))
}

pub(super) fn old_behavior(world: &World, record: &BehaviorRecord) -> OldBehavior {
    OldBehavior {
        name: record.label().to_owned(),
        law: record.shared_behavior(),
        connectors: record.connectors().to_vec(),
        enabled: record.enabled(),
        turns: world.state().turns.springs[record.angle_range()].to_vec(),
    }
}

fn set_world(scene: &mut Scene, entry: &WorldEntry) -> Result<Change, Fault> {
    let step = entry.options()?;
    let mut changes = vec![Change::Options(Box::new(step), entry.dynamics()?)];
    changes.extend(gravity(scene, entry.gravity()?)?);
    let ground = entry.ground()?;
    if ground != scene.world.colliders(GROUND)? {
        changes.push(Change::Colliders(vec![("ground".to_owned(), ground)]));
    }
    all(scene, changes)
}

/// Bodies that collide already keep what their entries say of it.
fn collide(scene: &mut Scene, on: bool) -> Result<Change, Fault> {
    let mut changed = Vec::new();
    let bodies: Vec<BodyId> = scene.world.bodies().iter().map(BodyRecord::id).collect();
    for id in bodies {
        let record = scene.world.body_record(id)?;
        let name = record.label().to_owned();
        let is_due = record.colliders().is_empty() == on
            && (!on || has_shape(record.body(), scene.body_views.get(&name)));
        if is_due {
            let own = match on {
                true => colliders(scene, id, &Fields::default()).under(&name)?,
                false => Vec::new(),
            };
            changed.push((name, own));
        }
    }
    Change::Colliders(changed).apply(scene)
}

/// Gravity that goes is disabled, not removed: when it comes back it is where it was, and sums have
/// their order.
fn gravity(scene: &Scene, acceleration: Option<[f64; 3]>) -> Result<Option<Change>, Fault> {
    const NAME: &str = "gravity";
    let Some(id) = scene.world.find_behavior(NAME) else {
        return Ok(acceleration.map(|acceleration| {
            let mut entry = behavior::gravity(acceleration);
            NAME.clone_into(&mut entry.name);
            Change::AddBehavior(Box::new(entry))
        }));
    };
    let record = scene.world.behavior_record(id)?;
    let mut law = record.shared_behavior();
    let mut connectors = record.connectors().to_vec();
    if let Some(acceleration_world) = acceleration {
        law = Arc::new(Gravity { acceleration_world });
        connectors.clear();
    }
    Ok(Some(Change::Behavior(Box::new(OldBehavior {
        name: NAME.to_owned(),
        law,
        connectors,
        enabled: acceleration.is_some(),
        turns: Vec::new(),
    }))))
}

fn place(scene: &mut Scene, body: String, q: &[f64], v: &[f64]) -> Result<Change, Fault> {
    let world = &mut scene.world;
    let id = body_named(world, &body)?;
    let (q_before, v_before) = (world.q(id)?.to_vec(), world.v(id)?.to_vec());
    world.set_q(id, q)?;
    world.set_v(id, v)?;
    Ok(Change::Place {
        body,
        q: q_before,
        v: v_before,
    })
}
