//! Observers of every step of a run: the account, the requirement, the files, the progress bar.

use linkwork::prelude::*;
use linkwork::stabilize::Stabilization;
use linkwork::step::{Event, Scheme};
use linkwork_scene::Scene;
use linkwork_scene::export::{EnergyAccount, EnergyDrift};

use super::contacts::Contacts;
use super::doubts::{drifted, grew, is_garbage};
use super::recording::Recording;
use super::requirement::Requirement;
use super::summary::{Summary, label};
use crate::check::warnings::Warning;
use crate::closing::{CONTRADICTORY, Closing};
use crate::failure::Failure;
use crate::interrupt;
use crate::numbers::{escaped, names, short, time};
use crate::progress::Progress;

/// Looks at every step.
#[derive(Debug)]
pub(crate) struct Watch {
    pub(crate) summary: Summary,
    pub(crate) recording: Recording,
    /// What begins and ends.
    pub(crate) contacts: Contacts,
    pub(crate) progress: Progress,
    /// How well joints must be closed, and contacts keep their law.
    pub(crate) requirement: Requirement,
}

impl Watch {
    /// Takes a step that was made.
    pub(crate) fn step(&mut self, scene: &Scene, report: &StepReport) -> Result<(), Failure> {
        let world = &scene.world;
        self.summary.step(world, report);
        self.contacts.step(world);
        if let Err(error) = self.requirement.check(report, &scene.options) {
            return Err(not_closed(&error, report, scene)?);
        }
        if !self.requirement.is_lawful(report, &scene.options) {
            self.summary.miss_law(world, report);
            if let Requirement::To(most) = self.requirement {
                return Err(unlawful(report, most, world));
            }
        }
        self.recording.step(scene, report)?;
        let t = world.state().t;
        self.progress
            .at(self.summary.n_steps(), || format!("{} s", time(t)));
        // After the row of this step.
        interrupt::check()
    }
}

/// Looks after the energy of a run, at some of its steps.
pub(crate) struct EnergyWatch {
    /// None before the first step if drives take hold or open joints close in it.
    account: Option<EnergyAccount>,
    n_steps: u64,
    /// A joint broke or closed, and took or brought energy.
    is_edited: bool,
    /// Steps are those of a preset: they close joints, and are refused where they gain.
    is_preset: bool,
    /// What other steps gained one by one.
    steps: EnergyDrift,
    /// Since when most of the energy in motion is what nothing put in, s.
    garbage_since: Option<f64>,
}

impl EnergyWatch {
    pub(crate) fn new(scene: &Scene, n_steps: u64) -> Result<Self, Failure> {
        let world = &scene.world;
        let account = match holds(world)? {
            true => Some(EnergyAccount::begin(world, n_steps)?),
            false => None,
        };
        Ok(Self {
            account,
            n_steps,
            is_edited: false,
            is_preset: scene.options.scheme.is_preset(),
            steps: EnergyDrift {
                kinetic: world.energy()?.kinetic,
                ..EnergyDrift::default()
            },
            garbage_since: None,
        })
    }

    pub(crate) fn step(&mut self, world: &World, report: &StepReport) -> Result<(), Failure> {
        let is_edit = |event: &Event| !matches!(event, Event::Entered(_) | Event::Left(_));
        self.is_edited |= report.events.iter().any(is_edit);
        match &mut self.account {
            _ if self.is_edited => {}
            // Presets close joints in the first step. What closes them step by step brings energy meanwhile.
            None if self.is_preset || holds(world)? => {
                let n_frames = self.n_steps.saturating_sub(1);
                self.account = Some(EnergyAccount::begin(world, n_frames)?);
            }
            None => {}
            Some(account) => match account.frame(world, report.dt) {
                // Numbers that no world may have, such as 1e20 turns.
                Err(_) if !self.is_preset => self.steps.gain = f64::INFINITY,
                looked => looked?,
            },
        }
        if !self.is_preset {
            self.steps.gain += report.gained;
            self.steps.kinetic = self.steps.kinetic.max(world.energy()?.kinetic);
            let since = self.garbage_since.unwrap_or(world.state().t);
            self.garbage_since = is_garbage(&self.gained(world)).then_some(since);
        }
        Ok(())
    }

    fn drift(&self, world: &World) -> Option<EnergyDrift> {
        let account = self.account.as_ref().filter(|_| !self.is_edited)?;
        account.drift(world)
    }

    /// What was gained, as far as is known: by single steps, or since the start.
    fn gained(&self, world: &World) -> EnergyDrift {
        let since_start = self.drift(world).unwrap_or_default();
        EnergyDrift {
            gain: self.steps.gain.max(since_start.gain),
            ..self.steps
        }
    }

    pub(crate) fn doubt(&self, scene: &Scene) -> Option<Warning> {
        match self.is_preset {
            true => drifted(&self.drift(&scene.world)?, &scene.options.scheme),
            false => grew(&self.gained(&scene.world)),
        }
    }

    /// Fails if the motion is mostly energy that nothing put in, unless nothing is required.
    pub(crate) fn garbage(&self, requirement: Requirement, whose: &str) -> Result<(), Failure> {
        match self.garbage_since {
            Some(since) if requirement != Requirement::Off => {
                let since = time(since);
                let problem = format!(
                    "{whose}: from {since} s on, most of the energy in motion is what nothing put in"
                );
                let hint = "this is no motion of the scene: a shorter --dt or --preset precise may follow it; \
                            --require off accepts it";
                Err(Failure::simulation(problem).hint(hint))
            }
            _ => Ok(()),
        }
    }
}

/// Whether all joints hold, and move as they let each other.
fn holds(world: &World) -> Result<bool, Failure> {
    let fastest = world
        .state()
        .v
        .iter()
        .fold(1.0f64, |most, v| most.max(v.abs()));
    let errors = world.constraint_errors()?;
    let mut hard = errors.iter().filter(|own| own.worst.is_some());
    Ok(hard.all(|own| {
        let open = own.position.max(own.angle).max(own.other);
        let rate = own.position_rate.max(own.angle_rate).max(own.other_rate);
        open <= HOLDS && rate <= HOLDS * fastest
    }))
}

/// What is closed better holds, m and rad, and m/s and rad/s of the fastest motion.
const HOLDS: f64 = 1e-8;

/// Joints that a run left open: its files are written, its exit code is 3.
pub(crate) fn left_open(open: &[String], scene: &Scene, source: &str) -> Result<(), Failure> {
    let Some(first) = open.first() else {
        return Ok(());
    };
    let more = match open.len() - 1 {
        0 => String::new(),
        n => format!(", and {n} more joints"),
    };
    let problem = format!("{source}: open at the end: {first}{more}");
    Err(Failure::simulation(problem).hint(how_to_close(scene)?))
}

/// What closes joints that are open, if anything does.
fn how_to_close(scene: &Scene) -> Result<String, Failure> {
    let closes_none = matches!(
        scene.options.scheme,
        Scheme::Parts {
            stabilization: Stabilization::None,
            ..
        }
    );
    Ok(match Closing::of(&scene.world)? {
        Closing::Contradicts(residuals) => {
            let joints: Vec<&str> = residuals.iter().map(|own| own.label.as_str()).collect();
            let joints = names(&joints);
            format!("no pose closes them all: {joints} contradict each other; {CONTRADICTORY}")
        }
        _ if closes_none => "nothing keeps joints closed: choose another --stabilization".into(),
        _ => "a smaller --dt or --preset precise closes better".into(),
    })
}

/// A step that was refused, with the time it was tried at, in a run that began at `start`.
pub(crate) fn refused(error: Error, world: &World, start: f64) -> Failure {
    let at = time(world.state().t);
    let seconds = seconds(world.state().t - start);
    let mut hint = "a smaller --dt may help".to_owned();
    // Without joints nothing can contradict.
    if !world.constraints().is_empty() {
        hint += "; `linkwork check` says whether joints contradict each other";
    }
    if seconds != "0" {
        hint += &format!("; --seconds {seconds} --save before.json keeps the last good state");
    }
    match Failure::from(error) {
        Failure::Simulation(fault) => {
            Failure::simulation(format!("at {at} s: {}", fault.problem)).hint(hint)
        }
        other => other,
    }
}

/// As --seconds takes them: what is a whole number of steps to 1e-9 is one.
fn seconds(value: f64) -> String {
    let text = format!("{value:.9}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Joints that are open by more than `--require` allows.
fn not_closed(error: &Error, report: &StepReport, scene: &Scene) -> Result<Failure, Failure> {
    let Error::NotClosed {
        constraint,
        error,
        tolerance,
    } = error
    else {
        return Ok(Failure::simulation(error.to_string()));
    };
    let world = &scene.world;
    let joint = constraint.and_then(|id| label(world, id));
    let joint = joint.map_or("a joint".to_owned(), |joint| {
        format!("\"{}\"", escaped(&joint))
    });
    let at = time(world.state().t);
    let unit = match report.angle_error > report.position_error {
        true => "rad",
        false => "m",
    };
    let problem = format!(
        "at {at} s {joint} is open by {} {unit}, more than {tolerance:e}",
        short(*error)
    );
    let hint = how_to_close(scene)?;
    Ok(Failure::simulation(problem).hint(format!("{hint}; --require off continues")))
}

/// A step that left more of the law of contacts than `--require` allows.
fn unlawful(report: &StepReport, most: f64, world: &World) -> Failure {
    let (left, beyond) = (short(report.law_error), short(report.overrun));
    let at = time(world.state().t);
    let problem = format!(
        "at {at} s the law of contacts, limits, motors and friction is missed by {left} m/s and {beyond} m, more than {most:e}"
    );
    let hint = "a shorter --dt may keep it; --require off continues";
    Failure::simulation(problem).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_as_somebody_would_type_them() {
        for (value, text) in [
            (0.0, "0"),
            (0.1 + 0.2, "0.3"),
            (10.0, "10"),
            (1.0 / 60.0, "0.016666667"),
        ] {
            assert_eq!(seconds(value), text);
        }
    }
}
