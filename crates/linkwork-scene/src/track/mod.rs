//! Tracks: what follows key frames, as rows of a time line, and what people do with their keys.
//!
//! A track is no thing of its own. It is a joint or a body whose entry has key frames somewhere: the path of a point,
//! the function of a drive or a motor, the motion of a body. An edit of a key gives the command that sets the entry.

use linkwork::prelude::*;
use linkwork::world::GripRecord;
use serde::Serialize;

use crate::catalogue::fields::ENABLED;
use crate::catalogue::function::FunctionType;
use crate::catalogue::joint::motor;
use crate::catalogue::path::PathType;
use crate::catalogue::{Fields, Law, Value};
use crate::command::Command;
use crate::describe::{body_entry, joint_of};
use crate::fault::Fault;
use crate::format::{BodyEntry, ConnectorRef, JointEntry};
use crate::read::record::record;
use crate::scene::Scene;

pub mod fit;
pub mod perform;
pub(crate) mod rest;

/// What has key frames.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Track {
    /// "joint" or "body".
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// The body whose point it leads, if it leads one.
    pub body: Option<String>,
    /// That point, on the body.
    pub point: Option<Vec<f64>>,
    /// Whether it acts.
    pub enabled: bool,
    /// Whether it goes round.
    pub repeats: bool,
    /// Whether it rests beyond its ends.
    pub rests: bool,
    /// Time and values of each key, in order.
    pub keys: Vec<Vec<f64>>,
}

record! {
    /// What is done to a key, or to all of them.
    #[derive(Default)]
    pub struct KeyEdit {
        /// "joint" or "body".
        pub kind: String,
        /// Its name.
        pub name: String,
        /// Which key, from 0; a new one when left out.
        pub key: Option<usize>,
        /// When it is.
        pub time: Option<f64>,
        /// What it says; of a new one what the curve is there when left out.
        pub values: Option<Vec<f64>>,
        /// Whether the key goes.
        pub remove: Option<bool>,
    }
}

/// Something with key frames.
enum Entry {
    Joint(Box<JointEntry>),
    Body(Box<BodyEntry>),
}

impl Entry {
    fn of(scene: &Scene, kind: &str, name: &str) -> Result<Self, Fault> {
        let world = &scene.world;
        let missing = || Fault::at("name", format!("no {kind} is called \"{name}\""));
        match kind {
            "joint" => {
                let id = world.find_constraint(name).ok_or_else(missing)?;
                let entry = joint_of(scene, world.constraint_record(id)?)?;
                Ok(Self::Joint(Box::new(entry)))
            }
            "body" => {
                let id = world.find_body(name).filter(|own| *own != GROUND);
                let record = world.body_record(id.ok_or_else(missing)?)?;
                Ok(Self::Body(Box::new(body_entry(scene, record)?)))
            }
            _ => Err(Fault::at(
                "kind",
                format!("there are no tracks of \"{kind}\""),
            )),
        }
    }

    fn fields_mut(&mut self) -> &mut Fields {
        match self {
            Self::Joint(own) => &mut own.fields,
            Self::Body(own) => &mut own.fields,
        }
    }

    fn command(self) -> Command {
        match self {
            Self::Joint(own) => Command::SetJoint(own),
            Self::Body(own) => Command::SetBody(own),
        }
    }
}

/// The key frames in an entry, however deep they are.
fn keyframes(fields: &mut Fields) -> Option<&mut Fields> {
    fields.values_mut().find_map(|value| match value {
        Value::Entry(kind, own) => match kind.word == "keyframes" {
            true => Some(own),
            false => keyframes(own),
        },
        Value::Fields(own) => keyframes(own),
        _ => None,
    })
}

fn rows(fields: &mut Fields) -> Option<&mut Vec<Vec<f64>>> {
    fields.values_mut().find_map(|value| match value {
        Value::Rows(rows) => Some(rows),
        _ => None,
    })
}

fn is_said(fields: &Fields, name: &str) -> bool {
    fields.value(name) == Some(&Value::Flag(true))
}

/// Everything in a scene that has key frames, in the order of the scene.
pub fn tracks(scene: &Scene) -> Vec<Track> {
    let world = &scene.world;
    let hands: Vec<_> = world.grips().iter().map(GripRecord::constraint).collect();
    let joints = world.constraints().iter();
    let joints = joints.filter(|record| !hands.contains(&record.id()));
    // A motor is a part of its joint.
    let joints = joints.filter(|record| motor::driven(world, record).is_none());
    let joints = joints.filter_map(|record| {
        let mut entry = joint_of(scene, record).ok()?;
        let led = led(scene, entry.fields.value("a"));
        track("joint", &entry.name.clone(), &mut entry.fields, led)
    });
    let bodies = world.bodies().iter().filter_map(|record| {
        let mut entry = body_entry(scene, record).ok()?;
        track("body", record.label(), &mut entry.fields, None)
    });
    joints.chain(bodies).collect()
}

/// The point that a path leads.
fn led(scene: &Scene, of: Option<&Value>) -> Option<(String, Vec<f64>)> {
    let Some(Value::Connector(of)) = of else {
        return None;
    };
    match of {
        ConnectorRef::Inline(own) => {
            let point = own.point.as_ref().map(|own| own.0.clone());
            Some((own.body.clone(), point.unwrap_or_else(|| vec![0.0; 3])))
        }
        ConnectorRef::Name(name) => {
            let (id, site) = scene.connector(name)?.place()?;
            let point = match site {
                linkwork::connector::Site::Point(own) => own.to_vec(),
                linkwork::connector::Site::Point2(own) => own.to_vec(),
                _ => return None,
            };
            Some((scene.world.body_label(id).ok()?.to_owned(), point))
        }
    }
}

fn track(
    kind: &'static str,
    name: &str,
    fields: &mut Fields,
    led: Option<(String, Vec<f64>)>,
) -> Option<Track> {
    let enabled = fields.or(&ENABLED, true).unwrap_or(true);
    let own = keyframes(fields)?;
    let (repeats, rests) = (is_said(own, "repeat"), is_said(own, "rest"));
    let keys = rows(own)?.clone();
    // A drive has a value, a path a point.
    let led = led.filter(|_| keys.first().is_some_and(|row| row.len() > 2));
    let (body, point) = led.unzip();
    Some(Track {
        kind,
        name: name.to_owned(),
        body,
        point,
        enabled,
        repeats,
        rests,
        keys,
    })
}

/// The command that does it.
pub fn edit(scene: &Scene, edit: &KeyEdit) -> Result<Command, Fault> {
    let mut entry = Entry::of(scene, &edit.kind, &edit.name)?;
    let none = || Fault::at("name", format!("\"{}\" has no key frames", edit.name));
    let own = keyframes(entry.fields_mut()).ok_or_else(none)?;
    let repeats = is_said(own, "repeat");
    let new = match edit.key {
        Some(_) => None,
        None => {
            let time = edit.time.ok_or_else(|| Fault::at("time", "is missing"))?;
            Some(value_at(own, time)?)
        }
    };
    let keys = rows(own).ok_or_else(none)?;
    let last = keys.len().saturating_sub(1);
    let key = match (edit.key, new) {
        (Some(key), _) if key > last => {
            let problem = format!("is {key}; there are {} keys", last + 1);
            return Err(Fault::at("key", problem));
        }
        (Some(key), _) => key,
        (None, new) => {
            let row = new.unwrap_or_default();
            let at = keys.partition_point(|own| own[0] < row[0]);
            keys.insert(at, row);
            at
        }
    };
    if let Some(time) = edit.time {
        keys[key][0] = time;
    }
    if let Some(values) = &edit.values {
        if values.len() + 1 != keys[key].len() {
            let problem = format!(
                "has {} numbers; a key has {}",
                values.len(),
                keys[key].len() - 1
            );
            return Err(Fault::at("values", problem));
        }
        keys[key][1..].copy_from_slice(values);
    }
    if edit.remove == Some(true) {
        keys.remove(key);
    }
    // A curve that goes round ends where it begins: both keys are one.
    if repeats && let (Some(first), Some(end)) = (keys.first().cloned(), keys.last_mut()) {
        match edit.key == Some(last) && edit.remove != Some(true) {
            true => {
                let values = end[1..].to_vec();
                keys[0][1..].copy_from_slice(&values);
            }
            false => end[1..].copy_from_slice(&first[1..]),
        }
    }
    Ok(entry.command())
}

/// A key on the curve.
fn value_at(own: &Fields, time: f64) -> Result<Vec<f64>, Fault> {
    let missing = || Fault::at("", "there are no key frames");
    let Some(Value::Rows(keys)) = own.value("keyframes") else {
        return Err(missing());
    };
    let n = keys.first().map_or(0, Vec::len);
    let mut row = vec![time];
    match n {
        2 => {
            let law = FunctionType::find("keyframes").ok_or_else(missing)?;
            row.push((law.build)(own)?.value(time));
        }
        _ => {
            let law = PathType::find("keyframes").ok_or_else(missing)?;
            let point = (law.build)(own)?.position(time);
            row.extend(&point[..n.saturating_sub(1)]);
        }
    }
    Ok(row)
}
