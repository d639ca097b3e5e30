//! Whether joints that are open can be closed: a copy is assembled to find out.

use std::ops::ControlFlow;

use linkwork::assembly::{AssemblyOutcome, AssemblyReport, ConstraintResidual};
use linkwork::prelude::*;
use linkwork_scene::Scene;
use linkwork_scene::read::Variant;

use crate::failure::Failure;
use crate::interrupt;
use crate::numbers::{escaped, short};

/// What to do about joints that contradict each other.
pub(crate) const CONTRADICTORY: &str = "check the lengths and places of these joints, or give one a \"priority\" or a \"compliance\" \
     to let it give way";

/// What joints may be open by at best, m or rad: files round their numbers, and joints that repeat each other
/// are written with what is left. That is no contradiction.
pub(crate) const ROUNDING: f64 = 1e-6;

/// Whether joints contradict each other by no more than rounding.
pub(crate) fn is_rounding(residuals: &[ConstraintResidual]) -> bool {
    let mut sizes = residuals.iter().map(|own| own.position.max(own.angle));
    sizes.all(|size| size <= ROUNDING)
}

/// What becomes of a world when its parts are brought together.
#[derive(Debug)]
pub(crate) enum Closing {
    /// Every joint of priority 0 holds, as in this copy; of lower priority these gave way, at best.
    Closes(Box<World>, Vec<ConstraintResidual>),
    /// In no pose do all joints hold; at best these stay open.
    Contradicts(Vec<ConstraintResidual>),
    /// Neither was found.
    Unknown,
}

impl Closing {
    /// Of a world, which stays as it is.
    pub(crate) fn of(world: &World) -> Result<Self, Failure> {
        let mut nearer = world.clone();
        let options = AssembleOptions::default();
        let report = Simulator::new().assemble_with(&mut nearer, &options, &mut |_| {
            match interrupt::is_asked() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })?;
        Ok(match report.outcome {
            AssemblyOutcome::Assembled => Self::Closes(Box::new(nearer), Vec::new()),
            AssemblyOutcome::GaveWay => Self::Closes(Box::new(nearer), contradictory(&report)),
            AssemblyOutcome::LeastSquares if is_rounding(&report.residuals) => {
                Self::Closes(Box::new(nearer), Vec::new())
            }
            AssemblyOutcome::LeastSquares => Self::Contradicts(report.residuals),
            AssemblyOutcome::Failed => Self::Unknown,
            AssemblyOutcome::Interrupted => return Err(Failure::interrupted()),
        })
    }
}

/// The scene that settings made, with its joints closed where they opened them.
pub(crate) fn closed(variant: Variant) -> Result<Scene, Failure> {
    let mut scene = variant.scene;
    let errors = scene.world.constraint_errors()?;
    if !errors
        .iter()
        .any(|own| own.priority == 0 && own.size() > ROUNDING)
    {
        return Ok(scene);
    }
    match Closing::of(&scene.world)? {
        Closing::Closes(world, _) => scene.world = *world,
        Closing::Contradicts(residuals) => {
            let open = listed(&residuals).join(", ");
            let problem = format!(
                "with these values no pose closes all joints; at best these stay open: {open}"
            );
            return Err(Failure::simulation(problem).hint(CONTRADICTORY));
        }
        Closing::Unknown => {
            let problem = "with these values no pose was found that closes all joints";
            return Err(Failure::simulation(problem));
        }
    }
    if variant.is_at_rest {
        linkwork_scene::build::start(&mut scene.world).map_err(Failure::Scene)?;
    }
    Ok(scene)
}

/// Joints that gave way in an assembly; next to their squares those of the others are round-off.
pub(crate) fn contradictory(report: &AssemblyReport) -> Vec<ConstraintResidual> {
    let size = |own: &ConstraintResidual| own.position.max(own.angle);
    let largest = report.residuals.iter().map(size).fold(0.0, f64::max);
    let open = report.residuals.iter();
    open.filter(|own| size(own) > 1e-6 * largest)
        .cloned()
        .collect()
}

/// Joints with what they are open by, the first of them: `"D" by 0.1 m`.
pub(crate) fn listed(residuals: &[ConstraintResidual]) -> Vec<String> {
    const SHOWN: usize = 12;
    let mut list: Vec<String> = residuals
        .iter()
        .take(SHOWN)
        .map(|open| gap(&open.label, open.position, open.angle))
        .collect();
    if residuals.len() > SHOWN {
        list.push(format!("and {} more", residuals.len() - SHOWN));
    }
    list
}

/// `"D" by 0.1 m and 2 degrees`; what is round-off beside the rest is left out.
pub(crate) fn gap(joint: &str, position: f64, angle: f64) -> String {
    const ROUND_OFF: f64 = 1e-6;
    let least = ROUND_OFF * position.max(angle);
    let mut parts = Vec::new();
    if position > least || angle == 0.0 {
        parts.push(format!("{} m", short(position)));
    }
    if angle > least {
        parts.push(format!("{} degrees", short(angle.to_degrees())));
    }
    format!("\"{}\" by {}", escaped(joint), parts.join(" and "))
}
