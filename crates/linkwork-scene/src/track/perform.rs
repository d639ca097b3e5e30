//! From a performance to a path: a point was led while time ran, and is to go that way again.

use super::fit::{Ends, fit};
use crate::build::connector;
use crate::catalogue::fields::{A, ENABLED, PATH};
use crate::catalogue::joint::JointType;
use crate::catalogue::path::{PathType, resting};
use crate::catalogue::{Fields, Law};
use crate::command::{Command, Rewind, Session};
use crate::describe::joint_of;
use crate::fault::{Fault, Under};
use crate::format::{ConnectorRef, JointEntry};
use crate::read::record::record;

record! {
    /// A point that was led.
    pub struct Performance {
        /// What the new path is called.
        pub name: String,
        /// The point.
        pub of: ConnectorRef,
        /// When it began to be led, s.
        pub from: f64,
        /// When it was let go, s.
        pub until: f64,
        /// Keys a second: 10 at most.
        pub keys_per_second: f64,
        /// Priority of the new joint.
        pub priority: u8,
        /// Other takes of the same point: they do not act any more.
        #[serde(default)]
        pub instead_of: Vec<String>,
    }
}

/// The command that goes back to where the performance began and lets the point follow the way it was led.
pub fn perform(session: &Session, of: &Performance) -> Result<Command, Fault> {
    let scene = session.scene();
    let place = connector::resolve(scene, &of.of).under("of")?;
    let is_planar = connector::in_plane(&scene.world, &place);
    let mut samples = Vec::new();
    session.watch_film(of.from, of.until, |scene| {
        if let Ok(at) = scene.world.position_world(&place) {
            samples.push((scene.world.state().t, at));
        }
    })?;
    let knots = fit(&samples, of.keys_per_second, Ends::Rest)?;
    let n = if is_planar { 2 } else { 3 };
    let rows = knots.iter().map(|(t, x)| {
        let mut row = vec![*t];
        row.extend(&x[..n]);
        row
    });
    let missing = || Fault::at("", "there are no paths");
    let path = PathType::find("keyframes").ok_or_else(missing)?;
    let kind = JointType::find("trajectory").ok_or_else(missing)?;
    let fields = Fields::default()
        .with(&A, of.of.clone())
        .with(&PATH, (path, resting(rows.collect())));
    let mut take = JointEntry::new(kind, fields).of_priority(of.priority);
    of.name.clone_into(&mut take.name);
    let mut commands = Vec::new();
    if of.from < scene.world.state().t {
        commands.push(Command::Rewind(Rewind { time: of.from }));
    }
    for name in &of.instead_of {
        commands.push(enable(session, name, false).under("instead_of")?);
    }
    commands.push(Command::Join(Box::new(take)));
    Ok(Command::Together(commands))
}

/// The command that lets one take act, and none of the others.
pub fn choose(session: &Session, take: &str, others: &[String]) -> Result<Command, Fault> {
    let others = others.iter().filter(|own| *own != take);
    let mut commands = Vec::new();
    for name in others {
        commands.push(enable(session, name, false)?);
    }
    commands.push(enable(session, take, true)?);
    Ok(Command::Together(commands))
}

fn enable(session: &Session, name: &str, on: bool) -> Result<Command, Fault> {
    let scene = session.scene();
    let found = scene.world.find_constraint(name);
    let missing = || Fault::at("", format!("no joint is called \"{name}\""));
    let mut entry = joint_of(
        scene,
        scene.world.constraint_record(found.ok_or_else(missing)?)?,
    )?;
    match on {
        true => drop(entry.fields.take(&ENABLED)),
        false => entry.fields.set(&ENABLED, false),
    }
    Ok(Command::SetJoint(Box::new(entry.in_order())))
}
