//! Options, progress and report of an assembly.

use super::Finish;
use crate::equations::{Method, Motion, Soft};
use crate::error::Error;
use crate::frame::Frame;
use crate::linalg::order::{Key, sort};
use crate::system::RowClass;
use crate::world::{ConstraintId, State};

/// Options of an assembly.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct AssembleOptions {
    /// Largest gap of a closed constraint, in meters (angles times a typical length).
    pub tolerance: f64,
    /// At most so many displacements. On the way to limits, each of them, and each restart, may be followed by 52 more
    /// that are not counted: they close joints and push back what is beyond a stop.
    pub max_iterations: usize,
    /// The method that solves for displacements.
    pub method: Method,
}

impl AssembleOptions {
    /// The same options with another tolerance.
    pub const fn with_tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// The same options with another number of displacements.
    pub const fn with_max_iterations(self, max_iterations: usize) -> Self {
        Self {
            max_iterations,
            ..self
        }
    }

    /// The same options with another method.
    pub const fn by(self, method: Method) -> Self {
        Self { method, ..self }
    }
}

impl Default for AssembleOptions {
    fn default() -> Self {
        Self {
            tolerance: 1e-9,
            max_iterations: 200,
            method: Method::Direct,
        }
    }
}

/// How an assembly ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssemblyOutcome {
    /// Every constraint of priority 0 holds to the tolerance.
    Assembled,
    /// Every constraint of priority 0 holds. Those of lower priority contradict each other or are out of reach,
    /// and are met in least squares as far as priority 0 allows.
    GaveWay,
    /// Constraints contradict each other and are met in least squares, with `‖Jᵀ·c‖ ≤ 1e-6·‖c‖` in meters. No
    /// other start led to a better pose.
    LeastSquares,
    /// The largest number of iterations was reached first.
    Failed,
    /// The caller's `progress` stopped the assembly.
    Interrupted,
}

/// The progress of an assembly.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AssemblyProgress<'a> {
    /// Displacements so far; increases by one from call to call.
    pub iteration: usize,
    /// Largest gap of priority 0, meters.
    pub position_error: f64,
    /// Largest angle error of priority 0, radians.
    pub angle_error: f64,
    /// The present state. Errors may increase for a while, and parts may be displaced for another start.
    pub state: &'a State,
}

/// The remaining error of one constraint.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ConstraintResidual {
    /// The constraint.
    pub constraint: ConstraintId,
    /// Its label.
    pub label: String,
    /// Largest error of its rows that are not angles, in meters.
    pub position: f64,
    /// Largest error of its angle rows, radians.
    pub angle: f64,
}

/// The report of an assembly.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AssemblyReport {
    /// How it ended.
    pub outcome: AssemblyOutcome,
    /// Number of displacements tried.
    pub iterations: usize,
    /// Number of further starts.
    pub restarts: usize,
    /// Largest gap of priority 0, meters.
    pub position_error: f64,
    /// Largest angle error of priority 0, radians.
    pub angle_error: f64,
    /// Largest rate error of priority 0, in meters per second.
    pub rate_error: f64,
    /// Constraints of all priorities that are open beyond the tolerance, the largest error (in meters)
    /// first.
    pub residuals: Vec<ConstraintResidual>,
}

impl AssembleOptions {
    /// Refuses invalid options.
    pub(crate) fn validate(&self) -> Result<(), Error> {
        let tolerance = self.tolerance;
        let (option, problem) = if !(tolerance.is_finite() && tolerance > 0.0) {
            let problem = format!("is {tolerance}; give meters, more than zero");
            ("tolerance", problem)
        } else if self.max_iterations == 0 {
            let problem = "is 0; an assembly needs at least one";
            ("max_iterations", problem.to_owned())
        } else {
            return Ok(());
        };
        Err(Error::Option { option, problem })
    }
}

impl Frame<'_, '_> {
    /// Why nothing can be assembled from the start: a constraint error that is not finite.
    pub(crate) fn not_finite(&self) -> Option<Error> {
        let system = self.equations.system();
        let is_bad = |row: usize| !system.c[row].is_finite() || !system.c_dot[row].is_finite();
        let mut records = self.world.constraints().iter();
        let record = records.find(|record| record.row_range().any(is_bad))?;
        let connectors = record.connectors.iter();
        let mut bodies = connectors.flat_map(|own| self.world.bodies_of(own));
        let body = bodies.find_map(|id| self.world.body_record(*id).ok());
        Some(Error::NonFinite {
            body: body.map(|body| body.label.to_string()),
            stage: "constraints",
            constraint: Some(record.label.to_string()),
            behavior: None,
            block: self.equations.blame(self.world),
        })
    }

    /// The report, with the remaining errors by constraint.
    pub(crate) fn assembly_report(&mut self, ended: Finish) -> AssemblyReport {
        self.fill_probe(Motion::Velocity, Soft::Explicit);
        let system = self.equations.probe();
        let (position_error, angle_error) = system.errors();
        let mut outcome = ended.outcome;
        let (mut open, mut keys) = (vec![], Vec::<Key>::new());
        for record in self.world.constraints() {
            let (mut position, mut angle, mut size) = (0.0f64, 0.0f64, 0.0f64);
            let rows = record.row_range();
            for (row, alpha) in rows.zip(record.compliance()) {
                if system.velocity_level[row] || *alpha > 0.0 {
                    continue;
                }
                // Of a limit only a violation counts.
                let c = match system.rows.class(row) {
                    RowClass::Bounded => (-system.c[row]).max(0.0),
                    _ => system.c[row].abs(),
                };
                let scale = system.row_scale[row];
                size = size.max(scale * c);
                if system.rows.is_angle(row) {
                    angle = angle.max(c);
                } else {
                    position = position.max(scale * c);
                }
            }
            if size > self.tolerance {
                // Everything holds but a limit: limits and joints contradict each other.
                let is_closed = matches!(
                    outcome,
                    AssemblyOutcome::Assembled | AssemblyOutcome::GaveWay
                );
                if is_closed && record.constraint.bound().is_some() {
                    outcome = AssemblyOutcome::LeastSquares;
                }
                // The largest first; equal ones in the order of their ids.
                keys.push((!size.to_bits(), open.len() as u32));
                open.push((record, position, angle));
            }
        }
        sort(&mut keys);
        let residual = |&(_, at): &Key| {
            let (record, position, angle) = open[at as usize];
            ConstraintResidual {
                constraint: record.id,
                label: record.label.to_string(),
                position,
                angle,
            }
        };
        AssemblyReport {
            outcome,
            iterations: ended.iterations,
            restarts: ended.restarts,
            position_error,
            angle_error,
            rate_error: system.rate_gap(),
            residuals: keys.iter().map(residual).collect(),
        }
    }
}
