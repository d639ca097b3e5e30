//! A log of commands, done again: edits, drags and steps as somebody made them.

use std::path::Path;

use linkwork_scene::command::{Command, Line, Session, Step, lines};
use linkwork_scene::{Fault, Scene, read};

use super::watch::Watch;
use crate::failure::Failure;

/// A log of commands.
#[derive(Debug)]
pub(crate) struct Log {
    file: String,
    lines: Vec<(usize, Line)>,
}

impl Log {
    /// Reads a log, all of it, before anything is done.
    pub(crate) fn read(file: &str) -> Result<Self, Failure> {
        let text = read::read_text(Path::new(file)).map_err(Failure::Scene)?;
        let lines: Result<Vec<_>, Fault> = lines(&text).collect();
        Ok(Self {
            file: file.to_owned(),
            lines: lines.map_err(|fault| Failure::Scene(fault.in_file(file)))?,
        })
    }

    /// The scene in its first line.
    pub(crate) fn scene(&self) -> Result<Scene, Failure> {
        match self.lines.first() {
            Some((number, Line::Scene(document))) => {
                let built = linkwork_scene::build(document);
                built.map_err(|fault| Failure::Scene(self.in_line(fault, *number)))
            }
            _ => {
                let fault = Fault::at("", "does not begin with a scene").in_file(&self.file);
                let hint = "say which it was: linkwork run SCENE --replay LOG";
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

    /// Does everything again, step by step, and gives the scene it leads to. Hashes in the log are
    /// compared.
    pub(crate) fn replay(&self, scene: Scene, watch: &mut Watch) -> Result<Scene, Failure> {
        let mut session = Session::new(scene).map_err(Failure::Scene)?;
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
        Ok(session.scene().clone())
    }

    fn in_line(&self, mut fault: Fault, number: usize) -> Fault {
        fault.place = Some((number, fault.place.map_or(1, |(_, column)| column)));
        fault.in_file(&self.file)
    }
}
