//! Filling in the report: how exact the state is that was reached.

use super::{Ended, Event, GaveWay, StepReport};
use crate::assemble::{Motion, Soft};
use crate::integrate::Stage;
use crate::simulator::Simulator;
use crate::solve::Limit;
use crate::world::{ConstraintId, World};

impl Stage<'_, '_> {
    /// Measures the state that was reached.
    pub(super) fn account(&mut self) {
        // Where the last solve put velocities right, its residual is what is left of them.
        let rate_error = if self.is_measured() {
            self.equations.solution.residual.rows
        } else {
            let at = (self.world, &self.work.state);
            self.equations.fill(at, Motion::Velocity, Soft::Rows);
            self.work.rate_gap(&self.equations.system)
        };
        let (system, work) = (&self.equations.system, &self.work);
        let report = &mut *self.report;
        report.rate_error = rate_error;
        report.effort = self.equations.effort;
        // What had to follow the end is not counted: a budget of as many ends at the same place. Only
        // direct solves may follow; iterations keep what they were given.
        debug_assert!(
            !self.method.is_iterative() || self.meter.counted() == self.meter.iterations()
        );
        report.effort.iterations = self.meter.iterations();
        report.ended = match self.meter.ended() {
            None => Ended::Tolerance,
            Some(Limit::Iterations) => Ended::Iterations,
            Some(Limit::Deadline) => Ended::Deadline,
        };
        let mut worst = 0.0;
        for &(row, scale) in &work.exact_rows {
            let c = system.c[row as usize].abs();
            if work.is_angle[row as usize] {
                report.angle_error = report.angle_error.max(c);
            } else {
                report.position_error = report.position_error.max(scale * c);
            }
            if scale * c > worst {
                worst = scale * c;
                report.worst = Some(constraint_of_row(self.world, row as usize));
            }
        }
        if report.ended == Ended::Tolerance && worst > self.tolerance {
            report.ended = Ended::Open;
        }
        if work.has_lower_levels {
            for record in self.world.constraints() {
                let mut square = 0.0;
                for row in record.row_range() {
                    if work.is_lower[row] && !system.velocity_level[row] {
                        let error = system.row_scale[row] * system.c[row];
                        square += error * error;
                    }
                }
                let error = square.sqrt();
                if error > 100.0 * self.tolerance {
                    let constraint = record.id();
                    report.gave_way.push(GaveWay { constraint, error });
                }
            }
        }
    }
}

fn constraint_of_row(world: &World, row: usize) -> ConstraintId {
    let records = world.constraints();
    let at = records.partition_point(|record| record.row_range().end <= row);
    records[at].id()
}

impl Simulator {
    /// What the state that was committed brings about: joints that close or break.
    pub(super) fn happen(&mut self, world: &mut World, report: &mut StepReport) {
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
