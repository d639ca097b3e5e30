//! How exact a state is, and what it cost.

use linkwork::prelude::*;
use linkwork_scene::Scene;
use serde::Serialize;

use crate::laboratory::force;

/// The certificate of a state. Lengths are in metres, energies in joules.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Certificate {
    /// Time, s.
    pub time: f64,
    /// Rows of all constraints that act, hands included.
    pub rows: usize,
    /// Independent loops of the mechanism.
    pub loops: usize,
    /// Iterations of the last step.
    pub iterations: usize,
    /// Sub-steps of the last step.
    pub substeps: usize,
    /// Sub-steps of the last step that only the damping last resort could take.
    pub last_resorts: usize,
    /// What ended the last step.
    pub ended: &'static str,
    /// Largest gap of the exact level, as the last step left it or as the last edit did: metres, a
    /// radian counts as a metre. While something is pinned, what gave way for it is not exact.
    pub residual: f64,
    /// The joint that gap is in.
    pub worst: Option<String>,
    /// What gave way in the last step: joints of lower levels and how far they are open.
    pub gave_way: Vec<GaveWayHere>,
    /// What hands do.
    pub hands: Vec<HandHere>,
    /// What happened in the last step: joints that broke or closed, in words.
    pub events: Vec<String>,
    /// Energy at this moment.
    pub energy: EnergyHere,
    /// Edits that can be taken back.
    pub undo: usize,
    /// Edits that can be done again.
    pub redo: usize,
}

/// A joint that gave way.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GaveWayHere {
    /// Its name.
    pub joint: String,
    /// How far it is open, m.
    pub error: f64,
}

/// A hand that holds something.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HandHere {
    /// Its name.
    pub name: String,
    /// The force it pulled with in the last step, world axes, N.
    pub force: [f64; 3],
}

/// Energy, by where it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EnergyHere {
    /// Of motion.
    pub kinetic: f64,
    /// Of weights and explicit springs.
    pub potential: f64,
    /// In springs and deformed bodies.
    pub elastic: f64,
    /// All of it.
    pub total: f64,
}

/// What happened, in words.
fn told(event: &Event, name: &impl Fn(ConstraintId) -> Result<String, Error>) -> Option<String> {
    match event {
        Event::Broke {
            constraint,
            force,
            torque,
        } => {
            let joint = name(*constraint).ok()?;
            Some(format!("{joint} broke at {force:.3} N and {torque:.3} N·m"))
        }
        Event::Closed { constraint } => Some(format!("{} closed", name(*constraint).ok()?)),
        _ => None,
    }
}

impl Certificate {
    /// The certificate of a scene as it is; `step` if it was stepped to.
    pub(crate) fn of(
        scene: &Scene,
        step: Option<&StepReport>,
        loops: usize,
        (undo, redo): (usize, usize),
    ) -> Result<Self, Error> {
        let world = &scene.world;
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
            let record = world.constraint_record(id);
            record.map(|record| record.label().to_owned())
        };
        // What gave way may have been let go since.
        let gave_way = step.gave_way.iter().filter_map(|gave| {
            Some(GaveWayHere {
                joint: name(gave.constraint).ok()?,
                error: gave.error,
            })
        });
        let hands = world.grips().iter().map(|grip| {
            Ok(HandHere {
                name: world.body_label(grip.hand())?.to_owned(),
                force: force(world, grip.constraint())?,
            })
        });
        Ok(Self {
            hands: hands.collect::<Result<_, Error>>()?,
            events: step
                .events
                .iter()
                .filter_map(|own| told(own, &name))
                .collect(),
            time: world.state().t,
            rows,
            loops,
            iterations: step.effort.iterations,
            substeps: step.substeps,
            last_resorts: step.last_resorts(),
            ended: match step.ended {
                Ended::Tolerance => "tolerance",
                Ended::Open => "open",
                Ended::Iterations => "iterations",
                Ended::Deadline => "deadline",
            },
            residual,
            // It may have been removed by what the step brought about.
            worst: worst.and_then(|id| name(id).ok()),
            gave_way: gave_way.collect(),
            energy: EnergyHere {
                kinetic: energy.kinetic,
                potential: energy.potential,
                elastic: energy.elastic,
                total: energy.total(),
            },
            undo,
            redo,
        })
    }
}
