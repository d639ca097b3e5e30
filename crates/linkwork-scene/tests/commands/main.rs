//! Commands: edits as values, taken back, logged, replayed.

#![allow(clippy::unwrap_used)]

mod bounds;
mod film;
mod motors;
mod random;
mod rename;
mod reset;
mod resize;
mod touched;
mod tracks;
mod undo;

use linkwork_scene::command::{Command, Session};
use linkwork_scene::{Scene, scene};

/// A session on a library scene.
pub(crate) fn session(name: &str) -> Session {
    Session::new(Scene::from(scene(name).unwrap())).unwrap()
}

/// A command as a log has it.
pub(crate) fn command(line: &str) -> Command {
    line.parse()
        .unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// Applies commands as a log has them.
pub(crate) fn apply(session: &mut Session, lines: &[&str]) {
    for line in lines {
        session
            .apply(&command(line))
            .unwrap_or_else(|fault| panic!("{line}: {fault}"));
    }
}
