//! A session as JSON lines: the scene it began with, its commands, and the hash of where it ended.
//!
//! ```text
//!     {"scene": { "linkwork": 1, … }}
//!     {"join": {"name": "pin", "type": "hinge", …}}
//!     {"step": {"dt": 0.01, "count": 100}}
//!     {"hash": "00d2f1…"}
//! ```

use serde::Serialize;

use super::{Command, Session};
use crate::fault::{Fault, Under};
use crate::format::Document;
use crate::parameter::merged;
use crate::read::{self, Node, Record};
use crate::scene::Scene;
use crate::write::json;

/// A line of a log.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    /// What the session began with.
    Scene(Box<Document>),
    /// The state's hash at this point, 16 hexadecimal digits: a replay must agree.
    Hash(String),
    /// Something that was done.
    #[serde(untagged)]
    Command(Command),
}

/// The lines of a log with their numbers, from one; empty ones are passed over. Only the first may
/// have a scene.
pub fn lines(log: &str) -> impl Iterator<Item = Result<(usize, Line), Fault>> {
    let lines = (1..).zip(log.lines());
    let lines = lines.filter(|(_, line)| !line.trim().is_empty());
    let mut is_first = true;
    lines.map(move |(number, line)| {
        let may_have_scene = std::mem::take(&mut is_first);
        let read = Line::read(line);
        let checked = read.and_then(|line| match &line {
            Line::Scene(_) if !may_have_scene => {
                let problem = "a log has one scene, in its first line";
                Err(Fault::at("scene", problem).hint("put what follows into a log of its own"))
            }
            Line::Command(Command::Step(step)) => {
                step.frames().under("step")?;
                Ok(line)
            }
            _ => Ok(line),
        });
        match checked {
            Ok(line) => Ok((number, line)),
            Err(fault) => Err(in_line(fault, number)),
        }
    })
}

impl Line {
    fn read(text: &str) -> Result<Self, Fault> {
        let node = Node::parse(text)?;
        let read = if let Some(own) = node.get("scene") {
            read::document(own)
                .map(|own| Self::Scene(Box::new(own)))
                .under("scene")
        } else if let Some(own) = node.get("hash") {
            String::read(own).map(Self::Hash).under("hash")
        } else {
            Command::read(&node).map(Self::Command)
        };
        read.map_err(|mut fault| {
            fault.place = Some(node.locate(text, &fault.path));
            fault
        })
    }
}

impl Session {
    /// The session as a log.
    pub fn to_log(&self) -> Result<String, Fault> {
        let document = merged(&crate::describe(self.start())?)?;
        let mut lines = json(&Node::object(vec![("scene", document)]))?;
        for command in self.log() {
            lines.push('\n');
            lines += &json(command)?;
        }
        let hash = Line::Hash(format!("{:016x}", self.scene().world.state_hash()));
        lines.push('\n');
        lines += &json(&hash)?;
        lines.push('\n');
        Ok(lines)
    }
}

/// Replays a log that has its scene in its first line.
pub fn replay(log: &str) -> Result<Session, Fault> {
    match lines(log).next().transpose()? {
        None => Err(Fault::at("", "the log is empty")),
        Some((number, Line::Scene(document))) => {
            let scene = crate::build(&document).map_err(|fault| in_line(fault, number))?;
            replay_on(scene, log)
        }
        Some((number, _)) => Err(in_line(Fault::at("", "has no scene before it"), number)),
    }
}

/// Replays a log on a scene; the scene in the log, if there is one, is passed over.
pub fn replay_on(scene: Scene, log: &str) -> Result<Session, Fault> {
    let mut session = Session::new(scene)?;
    for line in lines(log) {
        let (number, line) = line?;
        match line {
            Line::Scene(_) => Ok(()),
            Line::Command(command) => session.apply(&command).map(drop),
            Line::Hash(wanted) => session.check_hash(&wanted),
        }
        .map_err(|fault| in_line(fault, number))?;
    }
    Ok(session)
}

impl Session {
    /// Whether the state has this hash, as a log says.
    pub fn check_hash(&self, wanted: &str) -> Result<(), Fault> {
        let state = self.scene().world.state();
        let hash = format!("{:016x}", state.hash());
        // Logs of version 0.1 have another hash of the same state.
        if hash == wanted || format!("{:016x}", state.hash_0_1()) == wanted {
            return Ok(());
        }
        let problem = format!("the state's hash is {hash}, the log has {wanted}");
        let hint = "the log was made by another version, or the scene is another one";
        Err(Fault::at("hash", problem).hint(hint))
    }
}

/// A line of the log is a document of its own; the fault is at that line of the log.
fn in_line(mut fault: Fault, number: usize) -> Fault {
    let column = fault.place.map_or(1, |(_, column)| column);
    fault.place = Some((number, column));
    fault
}
