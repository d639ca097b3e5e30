//! A log of commands, done again: edits, drags and steps as somebody made them.

use std::io;
use std::path::Path;

use linkwork_scene::command::{Command, Line, Session, Step, lines};
use linkwork_scene::{Fault, Scene, read, write};

use super::watch::Watch;
use crate::closing::closed;
use crate::failure::Failure;
use crate::inputs::{self, Input};
use crate::source::{Draft, SetArguments};

/// A log of commands.
#[derive(Debug)]
pub(crate) struct Log {
    file: String,
    lines: Vec<(usize, Line)>,
}

impl Log {
    /// Reads a log, all of it, before anything is done.
    pub(crate) fn read(file: &str) -> Result<Self, Failure> {
        let path = Path::new(file);
        inputs::remember(path, Input::Other);
        let (file, text) = match file {
            "-" => ("standard input", read::read_from(io::stdin().lock())),
            _ if !path.exists() => (file, Err(Fault::at("", "no such file"))),
            _ if path.is_dir() => (file, Err(Fault::at("", "is a folder"))),
            _ => (file, read::read_text(path)),
        };
        let refuse = |fault: Fault| Failure::Scene(fault.in_file(file));
        let text = text.map_err(refuse)?;
        let lines: Result<Vec<_>, Fault> = lines(&text).collect();
        Ok(Self {
            file: file.to_owned(),
            lines: lines.map_err(refuse)?,
        })
    }

    /// What to call it.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    /// Whether its first line has a scene.
    pub(crate) fn has_scene(&self) -> bool {
        matches!(self.lines.first(), Some((_, Line::Scene(_))))
    }

    /// Makes its edits on a copy, without letting time pass, and shows every scene that has names
    /// which the next has not, and the last. What cannot be done is said when it is.
    pub(crate) fn rehearse(
        &self,
        scene: &Scene,
        show: &mut dyn FnMut(&Scene),
    ) -> Result<(), Failure> {
        let mut session = Session::new(scene.clone())
            .map_err(|fault| Failure::Scene(fault.in_file(&self.file)))?;
        for (_, line) in &self.lines {
            let Line::Command(command) = line else {
                continue;
            };
            match command {
                Command::Step(_)
                | Command::Assemble(_)
                | Command::Weigh(_)
                | Command::Drag(_)
                | Command::Hold(_) => continue,
                Command::AddBody(_)
                | Command::Join(_)
                | Command::AddBehavior(_)
                | Command::AddConnector(_)
                | Command::AddTrace(_)
                | Command::Put(_)
                | Command::Grab(_) => {}
                _ => show(session.scene()),
            }
            let _ = session.apply(command);
        }
        show(session.scene());
        Ok(())
    }

    /// The scene in its first line, with what is set.
    pub(crate) fn scene(&self, set: &SetArguments) -> Result<Scene, Failure> {
        match self.lines.first() {
            Some((_, Line::Scene(document))) if !set.is_empty() => {
                let text = write::text(document)
                    .map_err(|fault| Failure::Scene(fault.in_file(&self.file)))?;
                closed(Draft::of(&self.file, text)?.variant(set.list())?)
            }
            Some((number, Line::Scene(document))) => {
                let built = linkwork_scene::build(document);
                built.map_err(|fault| Failure::Scene(self.in_line(fault, *number)))
            }
            _ => {
                let fault = Fault::at("", "does not begin with a scene").in_file(&self.file);
                let hint = "name the scene: linkwork run SCENE --replay LOG";
                Err(Failure::Scene(fault.hint(hint)))
            }
        }
    }

    /// How many steps its commands take.
    pub(crate) fn n_steps(&self) -> u64 {
        let count = |(_, line): &(usize, Line)| match line {
            Line::Command(Command::Step(step)) => step.count.unwrap_or(1),
            _ => 0,
        };
        self.lines.iter().map(count).fold(0, u64::saturating_add)
    }

    /// Does everything again, step by step. Hashes in the log are compared. The scene is the one it leads to,
    /// or the one at which it was interrupted.
    pub(crate) fn replay(&self, scene: &mut Scene, watch: &mut Watch) -> Result<(), Failure> {
        let mut session = Session::new(scene.clone())
            .map_err(|fault| Failure::Scene(fault.in_file(&self.file)))?;
        let replayed = self.repeat(&mut session, watch);
        *scene = session.scene().clone();
        replayed
    }

    fn repeat(&self, session: &mut Session, watch: &mut Watch) -> Result<(), Failure> {
        for (number, line) in &self.lines {
            let at_fault = |fault| self.in_line(fault, *number);
            match line {
                Line::Scene(_) => {}
                Line::Hash(wanted) => {
                    let same = session.check_hash(wanted);
                    same.map_err(|fault| Failure::Simulation(at_fault(fault)))?;
                }
                Line::Command(Command::Step(step)) => {
                    let one = Command::Step(Step {
                        count: None,
                        ..step.clone()
                    });
                    let own = session.scene().options.dt;
                    if step.count != Some(0) {
                        watch.summary.add_length(step.dt.unwrap_or(own));
                    }
                    for _ in 0..step.count.unwrap_or(1) {
                        let outcome = session.apply(&one);
                        let outcome =
                            outcome.map_err(|fault| Failure::Simulation(at_fault(fault)))?;
                        if let Some(report) = &outcome.step {
                            watch.step(session.scene(), report)?;
                        }
                    }
                }
                Line::Command(command) => {
                    let applied = session.apply(command);
                    applied.map_err(|fault| Failure::Scene(at_fault(fault)))?;
                }
            }
        }
        Ok(())
    }

    fn in_line(&self, mut fault: Fault, number: usize) -> Fault {
        fault.place = Some((number, fault.place.map_or(1, |(_, column)| column)));
        fault.in_file(&self.file)
    }
}
