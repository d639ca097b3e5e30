//! The report of a step: how exact the reached state is.

use super::tolerances::GIVES_WAY;
use super::{Ended, Event, GaveWay, StepReport};
use crate::equations::{Limit, Motion, Soft};
use crate::frame::Frame;
use crate::simulator::Simulator;
use crate::world::{ConstraintId, World};

/// Measures the state that was reached.
pub(super) fn account(frame: &mut Frame<'_, '_>, dt: f64) -> StepReport {
    // If a solve corrected the velocities, its residual is their rate error.
    let rate_error = if frame.is_measured() {
        frame.measured.rates_left
    } else {
        frame.fill(Motion::Velocity, Soft::Rows);
        frame.system().rate_gap()
    };
    frame.see_turns();
    frame.state.turns.settle();
    frame.state.unfinished.tidy();
    let system = frame.equations.system();
    let (position_error, angle_error) = system.errors();
    let mut report = StepReport {
        dt,
        rate_error,
        position_error,
        angle_error,
        effort: frame.equations.effort,
        substeps: frame.log.substeps,
        refused: frame.log.refused,
        rungs: frame.log.rungs,
        is_starved: frame.log.is_starved,
        stiffest: frame.log.stiffest,
        blows: frame.log.blows,
        law_error: frame.log.law_error,
        overrun: frame.log.overrun,
        ..StepReport::default()
    };
    // Solves that a step needs after its budget ended are not counted, so that a budget of this number ends at
    // the same place. Only direct solves may follow; iterative ones keep to the budget.
    debug_assert!(
        !frame.method.is_iterative() || frame.meter.counted() == frame.meter.iterations()
    );
    report.effort.iterations = frame.meter.iterations();
    let mut worst = 0.0;
    for &(row, scale) in &system.rows.hard {
        let error = scale * system.c[row as usize].abs();
        if error > worst {
            worst = error;
            report.worst = Some(constraint_of_row(frame.world, row as usize));
        }
    }
    report.ended = match frame.meter.ended() {
        Some(Limit::Iterations) => Ended::Iterations,
        Some(Limit::Deadline) => Ended::Deadline,
        None if worst.max(frame.log.overrun) > frame.tolerance => Ended::Open,
        None => Ended::Tolerance,
    };
    if system.rows.has_lower() || !frame.world.grips().is_empty() {
        for record in frame.world.constraints() {
            let rows = record.row_range();
            let is_hand = frame.world.is_hand(record.id());
            let gives_way = |row: &usize| {
                let rows = &system.rows;
                rows.lower_priority(*row).is_some() || is_hand && rows.is_bounded(*row)
            };
            let lower = rows.filter(gives_way);
            let errors = lower.map(|row| system.row_scale[row] * system.c[row]);
            let error = errors.map(|error| error * error).sum::<f64>().sqrt();
            if error > GIVES_WAY * frame.tolerance {
                let constraint = record.id();
                report.gave_way.push(GaveWay { constraint, error });
            }
        }
    }
    report
}

fn constraint_of_row(world: &World, row: usize) -> ConstraintId {
    let records = world.constraints();
    let at = records.partition_point(|record| record.row_range().end <= row);
    records[at].id()
}

impl Simulator {
    /// Applies the events of the committed state: joints that close or break.
    pub(super) fn apply_events(&mut self, world: &mut World, report: &mut StepReport) {
        for at in 0..world.constraints().len() {
            if world.finish_closing(at) {
                let constraint = world.constraints()[at].id();
                report.events.push(Event::Closed { constraint });
            }
        }
        for at in 0..world.constraints().len() {
            if let Some((constraint, force, torque)) = world.overload(at) {
                report.events.push(Event::Broke {
                    constraint,
                    force,
                    torque,
                });
                world.break_joint(constraint);
            }
        }
    }
}
