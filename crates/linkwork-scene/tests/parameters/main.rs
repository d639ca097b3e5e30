//! Parameters: named numbers, texts over them, and what follows when they change.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)] // A panic is how a test fails.

mod edits;
mod library;
mod mistakes;
mod settings;
mod texts;

use linkwork_scene::command::{Command, Session};
use linkwork_scene::{Fault, Scene, load};

/// A crank and a rocker in the plane, whose proportions are parameters.
const LINKAGE: &str = r#"{ "linkwork": 1,
  "parameters": {
    "crank": 0.4,
    "base": { "value": 1, "range": [0.5, 2], "help": "between the pivots" },
    "coupler": "=base*1.2",
    "w": "=30rpm"
  },
  "world": { "gravity": ["=0*crank", "=-g0", 0] },
  "bodies": [
    { "name": "arm", "type": "planar-rod", "from": [0, 0], "to": ["=crank", 0], "mass": "=2crank" },
    { "name": "link", "type": "planar-rod", "from": ["=crank", 0], "to": ["=crank + coupler*cos(50deg)", "=coupler*sin(50deg)"], "mass": 1 },
    { "name": "box", "type": "planar-box", "size": ["=base/10", 0.2], "mass": 1, "position": ["=2base", "=-5mm"], "angle_deg": "=10*3" }
  ],
  "connectors": [ { "name": "end", "body": "link", "point": ["=coupler/2", 0] } ],
  "joints": [
    { "name": "O", "type": "hinge", "a": "ground", "b": "arm", "at": [0, 0], "motor": { "speed": "=w" } },
    { "name": "A", "type": "hinge", "a": "arm", "b": "link", "at": ["=crank", 0] },
    { "name": "far", "type": "formula", "is": "norm(end) <= 2base + crank" },
    { "name": "tie", "type": "distance", "a": "end", "b": { "body": "ground", "point": ["=crank + coupler*cos(50deg)", "=coupler*sin(50deg) + base"] }, "length": "=base" }
  ],
  "traces": [ { "name": "path", "of": "end" } ] }"#;

fn scene(text: &str) -> Result<Scene, String> {
    load(text).map_err(|fault| fault.to_string())
}

fn session(text: &str) -> Session {
    Session::new(load(text).unwrap()).unwrap()
}

fn apply(session: &mut Session, command: &str) -> Result<(), String> {
    let command: Command = command.parse().map_err(|fault: Fault| fault.to_string())?;
    let applied = session.apply(&command);
    applied.map(drop).map_err(|fault| fault.to_string())
}

/// What a body's entry says of a field now.
fn body(scene: &Scene, name: &str) -> linkwork_scene::format::BodyEntry {
    let document = linkwork_scene::describe(scene).unwrap();
    let found = document.bodies.into_iter().find(|own| own.name == name);
    found.unwrap()
}

fn hash(session: &Session) -> String {
    format!("{:016x}", session.scene().world.state_hash())
}
