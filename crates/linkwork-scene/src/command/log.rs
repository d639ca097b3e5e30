//! A session as JSON lines: the scene it began with, its commands, and the hash of where it ended.
//!
//! ```text
//!     {"scene": { "linkwork": 1, … }}
//!     {"join": {"name": "pin", "type": "hinge", …}}
//!     {"step": {"dt": 0.01, "count": 100}}
//!     {"hash": "00d2f1…"}
//! ```

use serde::{Deserialize, Serialize};

use super::{Command, Session};
use crate::fault::Fault;
use crate::format::Document;
use crate::read::from_json;
use crate::scene::Scene;

/// A line that is no command.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Mark {
    /// What the session began with.
    Scene(Box<Document>),
    /// The state's hash at this point, 16 hexadecimal digits: a replay must agree.
    Hash(String),
}

impl Session {
    /// The session as a log.
    pub fn to_log(&self) -> Result<String, Fault> {
        let json = |error: serde_json::Error| Fault::at("", error.to_string());
        let document = Box::new(crate::describe(self.start())?);
        let mut lines = serde_json::to_string(&Mark::Scene(document)).map_err(json)?;
        for command in self.log() {
            lines.push('\n');
            lines += &serde_json::to_string(command).map_err(json)?;
        }
        let hash = Mark::Hash(format!("{:016x}", self.scene().world.state_hash()));
        lines.push('\n');
        lines += &serde_json::to_string(&hash).map_err(json)?;
        lines.push('\n');
        Ok(lines)
    }
}

/// Replays a log that has its scene in its first line.
pub fn replay(log: &str) -> Result<Session, Fault> {
    let Some((line, rest)) = first_line(log) else {
        return Err(Fault::at("", "the log is empty"));
    };
    let first: Mark = from_json(line).map_err(|fault| in_line(fault, 1))?;
    match first {
        Mark::Scene(document) => {
            let scene = crate::build(&document).map_err(|fault| in_line(fault, 1))?;
            run(Session::new(scene)?, rest, 2)
        }
        Mark::Hash(_) => Err(in_line(Fault::at("", "has no scene before it"), 1)),
    }
}

/// Replays a log on a scene; the scene in the log, if there is one, is passed over.
pub fn replay_on(scene: Scene, log: &str) -> Result<Session, Fault> {
    let has_scene = first_line(log).is_some_and(|(line, _)| line.starts_with("{\"scene\""));
    let session = Session::new(scene)?;
    match first_line(log) {
        Some((_, rest)) if has_scene => run(session, rest, 2),
        _ => run(session, log, 1),
    }
}

fn first_line(log: &str) -> Option<(&str, &str)> {
    match log.split_once('\n') {
        Some(split) => Some(split),
        None if log.is_empty() => None,
        None => Some((log, "")),
    }
}

fn run(mut session: Session, lines: &str, first: usize) -> Result<Session, Fault> {
    for (number, line) in (first..).zip(lines.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        if line.trim_start().starts_with("{\"hash\"") {
            let Mark::Hash(wanted) = from_json(line).map_err(|fault| in_line(fault, number))?
            else {
                continue;
            };
            let hash = format!("{:016x}", session.scene().world.state_hash());
            if hash != wanted {
                let problem = format!("the state's hash is {hash}, the log has {wanted}");
                let hint = "the log was made by another version, or the scene is another one";
                return Err(in_line(Fault::at("hash", problem).hint(hint), number));
            }
            continue;
        }
        let command: Command = from_json(line).map_err(|fault| in_line(fault, number))?;
        session
            .apply(&command)
            .map_err(|fault| in_line(fault, number))?;
    }
    Ok(session)
}

/// A line of the log is a document of its own; the fault is at that line of the log.
fn in_line(mut fault: Fault, number: usize) -> Fault {
    let column = fault.place.map_or(1, |(_, column)| column);
    fault.place = Some((number, column));
    fault
}
