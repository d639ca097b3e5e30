//! What looks at every step of a run: the account, the requirement, the files, the bar.

use linkwork::prelude::*;
use linkwork_scene::Scene;

use super::recording::Recording;
use super::summary::{Summary, label};
use crate::failure::Failure;
use crate::interrupt;
use crate::numbers::short;
use crate::progress::Progress;

/// Looks at every step.
#[derive(Debug)]
pub(crate) struct Watch {
    pub(crate) summary: Summary,
    pub(crate) recording: Recording,
    pub(crate) progress: Progress,
    /// How well joints must be closed, m and rad.
    pub(crate) require: Option<f64>,
}

impl Watch {
    /// Takes a step that was made.
    pub(crate) fn step(&mut self, scene: &Scene, report: &StepReport) -> Result<(), Failure> {
        interrupt::check()?;
        let world = &scene.world;
        self.summary.step(world, report);
        if let Some(tolerance) = self.require {
            let required = report.require(tolerance);
            required.map_err(|error| not_closed(&error, world))?;
        }
        self.recording.step(scene, report)?;
        let t = world.state().t;
        self.progress
            .at(self.summary.n_steps(), || format!("{} s", short(t)));
        Ok(())
    }
}

/// A step that was refused, with the time it was tried at, in a run that began at `start`.
pub(crate) fn refused(error: StepError, world: &World, start: f64) -> Failure {
    let at = short(world.state().t);
    let seconds = world.state().t - start;
    match Failure::from(error) {
        Failure::Simulation(fault) => Failure::simulation(format!("at {at} s: {}", fault.problem))
            .hint(format!(
                "`linkwork check` tells whether joints contradict each other; a smaller --dt may \
                 help; --seconds {seconds} --save before.json keeps the last good state"
            )),
        other => other,
    }
}

/// Joints that are open by more than `--require` allows.
fn not_closed(error: &StepError, world: &World) -> Failure {
    let StepError::NotClosed {
        constraint,
        error,
        tolerance,
    } = error
    else {
        return Failure::simulation(error.to_string());
    };
    let joint = constraint.and_then(|id| label(world, id));
    let joint = joint.map_or("a joint".to_owned(), |joint| format!("\"{joint}\""));
    let at = short(world.state().t);
    let problem = format!("at {at} s {joint} is open by {error:.1e}, more than {tolerance:e}");
    Failure::simulation(problem).hint("a smaller --dt or --preset precise closes better")
}
