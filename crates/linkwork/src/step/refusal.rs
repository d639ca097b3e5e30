//! Steps that are refused: invalid options, results that are not finite, energy that nobody put in.

use super::tolerances::{LEAST_TOLERANCE, LONGEST, SHORTEST};
use super::{Scheme, StepOptions};
use crate::equations::{Motion, Soft, Terms};
use crate::error::Error;
use crate::frame::Gain;
use crate::simulator::Simulator;
use crate::world::{BodyRecord, World};

impl StepOptions {
    /// Refuses invalid options.
    pub(super) fn validate(&self) -> Result<(), Error> {
        let dt = self.dt;
        require(
            dt.is_finite() && dt > SHORTEST && dt <= LONGEST,
            "dt",
            || format!("is {dt:?}; give seconds, more than {SHORTEST:?} and at most {LONGEST}"),
        )?;
        let tolerance = self.budget.tolerance;
        require(
            tolerance.is_finite() && tolerance > 0.0,
            "budget.tolerance",
            || format!("is {tolerance}; give meters, more than zero"),
        )?;
        require(
            self.budget.max_iterations > 0,
            "budget.max_iterations",
            || "is 0; a step needs at least one".into(),
        )?;
        if let Scheme::Precise(precise) = &self.scheme
            && let Some(tolerance) = precise.tolerance
        {
            require(
                tolerance.is_finite() && tolerance >= LEAST_TOLERANCE,
                "precise.tolerance",
                || format!("is {tolerance}; give a number of at least {LEAST_TOLERANCE:e}"),
            )?;
        }
        Ok(())
    }
}

fn require(
    holds: bool,
    option: &'static str,
    problem: impl FnOnce() -> String,
) -> Result<(), Error> {
    if holds {
        return Ok(());
    }
    let problem = problem();
    Err(Error::Option { option, problem })
}

impl Simulator {
    /// The error for a frame that gained energy nobody put in.
    pub(super) fn energy_grew(&self, world: &World, gain: Gain) -> Error {
        let body = gain.body.map(|at| &world.bodies()[at]);
        Error::EnergyGrew {
            body: body.map(|record| record.label.to_string()),
            energy: gain.energy,
            behavior: body.and_then(|body| behavior_on(world, body)),
        }
    }

    /// The error for a frame that did not reach its end.
    #[cold]
    fn too_fast(&self, world: &World) -> Error {
        if let Some((body, behavior)) = self.log.outruns {
            return Error::TooFast {
                body: Some(world.bodies()[body].label.to_string()),
                behavior: Some(world.behaviors()[behavior].label.to_string()),
                spring: None,
            };
        }
        let (mut fastest, mut most) = (None, 0.0);
        for record in world.bodies() {
            for v in &self.state.v[record.v_range()] {
                if v.abs() > most {
                    (fastest, most) = (Some(record), v.abs());
                }
            }
        }
        let body = fastest.map(|record| record.label.to_string());
        let spring = self.log.stiffest.and_then(|own| own.label(world));
        Error::TooFast {
            body,
            behavior: None,
            spring: spring.map(str::to_owned),
        }
    }

    /// Why the reached state cannot be committed, or `None`.
    pub(super) fn refusal(&mut self, world: &World) -> Option<Error> {
        let state = &self.state;
        let finite = |values: &[f64]| values.iter().all(|value| value.is_finite());
        // A velocity whose square overflows has no finite energy.
        let has_energy = |v: &[f64]| v.iter().all(|v| (v * v).is_finite());
        let is_good = |record: &BodyRecord| {
            finite(&state.q[record.q_range()]) && has_energy(&state.v[record.v_range()])
        };
        if state.t.is_finite() && finite(&state.q) && has_energy(&state.v) && finite(&state.lambda)
        {
            return None;
        }
        let body = world.bodies().iter().position(|record| !is_good(record));
        if finite(&state.q) && finite(&state.v) && !state.t.is_finite() {
            return Some(self.too_fast(world));
        }
        // The first number that is not finite at the present state.
        let at = (world, world.state());
        let terms = Terms::new(Motion::Acceleration, Soft::Explicit, 0.0);
        self.equations.fill(at, terms);
        let system = self.equations.system();
        let rows_are_good = |range: std::ops::Range<usize>| {
            finite(&system.c[range.clone()])
                && finite(&system.c_dot[range.clone()])
                && finite(&system.gamma[range])
        };
        let constraints = world.constraints().iter();
        let bad_rows = constraints
            .clone()
            .find(|record| !rows_are_good(record.row_range()));
        let bad_force = world
            .bodies()
            .iter()
            .position(|record| !finite(&system.force[record.v_range()]));
        let block = self.equations.blame(world);
        let (stage, body) = match (&bad_rows, bad_force) {
            _ if block.is_some() => ("blocks", body),
            (Some(_), _) => ("constraints", body),
            (None, Some(at)) => ("forces", Some(at)),
            (None, None) => ("motion", body),
        };
        let body = body.map(|at| &world.bodies()[at]);
        let touching = body.and_then(|body| {
            constraints
                .clone()
                .filter(|record| !finite(&self.state.lambda[record.row_range()]))
                .chain(constraints.clone())
                .find(|record| world.touches(&record.connectors, body.id))
        });
        Some(Error::NonFinite {
            body: body.map(|record| record.label.to_string()),
            stage,
            constraint: bad_rows.or(touching).map(|record| record.label.to_string()),
            behavior: body.and_then(|body| behavior_on(world, body)),
            block,
        })
    }
}

/// The first behavior that acts on a body.
fn behavior_on(world: &World, body: &BodyRecord) -> Option<String> {
    let mut behaviors = world.behaviors().iter().filter(|record| record.enabled);
    let on_it = behaviors.find(|record| world.touches(&record.connectors, body.id));
    on_it.map(|record| record.label.to_string())
}
