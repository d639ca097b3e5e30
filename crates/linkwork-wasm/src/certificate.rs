//! How exact a state is, and what it cost: numbers, which the page puts into words. Units are at the end
//! of names.

use linkwork::prelude::*;
use linkwork::step::{Cause, Ended, Event, Rung};
use linkwork_scene::command::Session;
use serde::Serialize;

use crate::laboratory::force;

/// How exact a state is, and what it cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Certificate {
    /// Time of the scene.
    pub time_s: f64,
    /// Rows of all constraints that act, hands included.
    pub rows: usize,
    /// Independent loops of the mechanism.
    pub loops: usize,
    /// Iterations of the last step.
    pub iterations: usize,
    /// Sub-steps of the last step.
    pub substeps: usize,
    /// How the last step was taken, the best rung first.
    pub rungs: Vec<RungTaken>,
    /// The spring, or the body of springs, that is too stiff for explicit steps.
    pub stiffest: Option<String>,
    /// What ended the last step.
    pub ended: EndedBy,
    /// Largest gap of the exact joints, as the last step left it or as the last edit did; a radian counts
    /// as a meter. While something is pinned, what gave way for it is not exact.
    pub residual_m: f64,
    /// The joint that gap is in.
    pub worst: Option<String>,
    /// Joints of lower priorities that gave way in the last step.
    pub gave_way: Vec<OpenJoint>,
    /// What hands do.
    pub hands: Vec<HandPull>,
    /// What happened in the last step.
    pub events: Vec<JointEvent>,
    /// Energy at this moment.
    pub energy: Energies,
    /// Edits that can be taken back.
    pub undo: usize,
    /// Edits that can be done again.
    pub redo: usize,
    /// Whether time has left its start, to which a reset leads back.
    pub has_left_start: bool,
    /// From when the film reaches, s.
    pub film_from_s: f64,
    /// Until when it reaches.
    pub film_until_s: f64,
}

/// What ended a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EndedBy {
    /// All joints are closed.
    Tolerance,
    /// Joints are open, and more iterations would not close them.
    Open,
    /// The budget of iterations is spent.
    Iterations,
    /// The deadline has passed.
    Deadline,
}

/// How a part of a step was taken, and why so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RungTaken {
    /// How, in a word or two.
    pub rung: &'static str,
    /// The same in one line.
    pub about: &'static str,
    /// Why, in a few words; none if nothing hindered it.
    pub cause: Option<&'static str>,
    /// How often.
    pub count: usize,
    /// Whether it damps: it is taken only where nothing better can be.
    pub damps: bool,
}

impl From<(Rung, Cause, usize)> for RungTaken {
    fn from((rung, cause, count): (Rung, Cause, usize)) -> Self {
        Self {
            rung: rung.label(),
            about: rung.about(),
            cause: (cause != Cause::Regular).then(|| cause.name()),
            count,
            damps: rung.is_last_resort(),
        }
    }
}

/// A joint that gave way.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpenJoint {
    /// Its name.
    pub joint: String,
    /// How far it is open.
    pub error_m: f64,
}

/// A hand that holds something.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HandPull {
    /// Its name.
    pub name: String,
    /// The force it pulled with in the last step, world axes.
    pub force_n: [f64; 3],
}

/// What happened to a joint.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum JointEvent {
    /// It carried too much and no longer acts.
    Broke {
        /// Its name.
        joint: String,
        /// The force it carried.
        force_n: f64,
        /// The torque it carried.
        torque_nm: f64,
    },
    /// It was closing, and is closed.
    Closed {
        /// Its name.
        joint: String,
    },
}

/// Energy, by where it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Energies {
    /// Of motion.
    pub kinetic_j: f64,
    /// Of weights and explicit springs.
    pub potential_j: f64,
    /// In springs and deformed bodies.
    pub elastic_j: f64,
    /// All of it.
    pub total_j: f64,
}

/// An event under the joint's name; none if the joint is gone.
fn named(event: &Event, name: &impl Fn(ConstraintId) -> Option<String>) -> Option<JointEvent> {
    match event {
        Event::Broke {
            constraint,
            force,
            torque,
        } => Some(JointEvent::Broke {
            joint: name(*constraint)?,
            force_n: *force,
            torque_nm: *torque,
        }),
        Event::Closed { constraint } => Some(JointEvent::Closed {
            joint: name(*constraint)?,
        }),
        _ => None,
    }
}

impl Certificate {
    /// The certificate of a session's scene as it is; `step` if it was stepped to.
    pub(crate) fn of(
        session: &Session,
        step: Option<&StepReport>,
        loops: usize,
    ) -> Result<Self, Error> {
        let world = &session.scene().world;
        let (undo, redo) = session.depth();
        let energy = world.energy()?;
        let mut rows = 0;
        for record in world.constraints() {
            if world.is_active(record.id())? {
                rows += record.row_range().len();
            }
        }
        let (residual, worst) = match step {
            Some(step) => (step.position_error.max(step.angle_error), step.worst),
            None => match world.worst_constraint_error()? {
                Some(error) => (error.size(), Some(error.id)),
                None => (0.0, None),
            },
        };
        let step = step.cloned().unwrap_or_default();
        let name = |id: ConstraintId| {
            let record = world.constraint_record(id).ok()?;
            Some(record.label().to_owned())
        };
        // What gave way may have been let go since.
        let gave_way = step.gave_way.iter().filter_map(|gave| {
            Some(OpenJoint {
                joint: name(gave.constraint)?,
                error_m: gave.error,
            })
        });
        let hands = world.grips().iter().map(|grip| {
            Ok(HandPull {
                name: world.body_label(grip.hand())?.to_owned(),
                force_n: force(world, grip.constraint())?,
            })
        });
        let [film_from_s, film_until_s] = session.film();
        Ok(Self {
            hands: hands.collect::<Result<_, Error>>()?,
            events: step
                .events
                .iter()
                .filter_map(|own| named(own, &name))
                .collect(),
            time_s: world.state().t,
            rows,
            loops,
            iterations: step.effort.iterations,
            substeps: step.substeps,
            rungs: step.rungs.iter().map(RungTaken::from).collect(),
            stiffest: step
                .stiffest
                .and_then(|own| own.label(world))
                .map(str::to_owned),
            ended: match step.ended {
                Ended::Tolerance => EndedBy::Tolerance,
                Ended::Open => EndedBy::Open,
                Ended::Iterations => EndedBy::Iterations,
                Ended::Deadline => EndedBy::Deadline,
            },
            residual_m: residual,
            // It may have been removed by what the step brought about.
            worst: worst.and_then(name),
            gave_way: gave_way.collect(),
            energy: Energies {
                kinetic_j: energy.kinetic,
                potential_j: energy.potential,
                elastic_j: energy.elastic,
                total_j: energy.total(),
            },
            undo,
            redo,
            has_left_start: session.has_left(),
            film_from_s,
            film_until_s,
        })
    }
}
