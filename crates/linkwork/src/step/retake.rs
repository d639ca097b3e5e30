//! A frame that gained energy nobody put in is taken again in parts, or refused.
//!
//! Each part is a frame of the same scheme on a copy of the world, and is checked in the same way. Hands move
//! in a straight line through all parts. This work is not counted as iterations: a step that is replayed with a
//! budget repeats it.

use super::tolerances::PARTS;
use super::{Span, StepOptions, StepReport};
use crate::equations::Meter;
use crate::error::Error;
use crate::frame::Gain;
use crate::simulator::Simulator;
use crate::world::World;

impl Simulator {
    /// Takes the frame again, into the simulator's own state. The report includes that of the first try.
    pub(super) fn retake(
        &mut self,
        world: &World,
        options: &StepOptions,
        (first, mut gain): (StepReport, Gain),
    ) -> Result<StepReport, Error> {
        for n in PARTS {
            match self.take_parts(world, options, n) {
                Ok(mut report) => {
                    add(&mut report, &first);
                    report.dt = options.dt;
                    report.retaken = n;
                    // One more than was counted, so that a budget of this number does not end the first try.
                    report.effort.iterations = first.effort.iterations + 1;
                    return Ok(report);
                }
                Err(Some(of_part)) => gain = of_part,
                Err(None) => {}
            }
        }
        Err(self.energy_grew(world, gain))
    }

    /// The frame in `n` parts. An error is the gain of a part, or nothing if a part was not finite.
    fn take_parts(
        &mut self,
        world: &World,
        options: &StepOptions,
        n: usize,
    ) -> Result<StepReport, Option<Gain>> {
        let mut copy = world.clone();
        let mut sum = StepReport::default();
        for part in 0..n {
            let left = (n - part) as f64 / n as f64;
            let span = Span {
                dt: options.dt / n as f64,
                lead: options.dt * left,
            };
            let may_be_cut = options.method.is_iterative();
            let meter = Meter::unlimited();
            let (mut report, gain) = self.take(&copy, options, span, meter, may_be_cut);
            if let Some(gain) = gain {
                return Err(Some(gain));
            }
            if self.refusal(&copy).is_some() {
                return Err(None);
            }
            copy.commit(&mut self.state);
            add(&mut report, &sum);
            // Counts of all parts are added; those of the first try are not.
            report.blows += sum.blows;
            report.law_error = report.law_error.max(sum.law_error);
            sum = report;
        }
        self.state.clone_from(copy.state());
        self.state.t = world.state().t + options.dt;
        Ok(sum)
    }
}

/// Adds the cost of another part.
fn add(report: &mut StepReport, other: &StepReport) {
    let (effort, more) = (&mut report.effort, &other.effort);
    effort.fills += more.fills;
    effort.factors += more.factors;
    effort.solves += more.solves;
    report.substeps += other.substeps;
    report.refused += other.refused;
    for (rung, cause, n) in other.rungs.iter() {
        (0..n).for_each(|_| report.rungs.count(rung, cause));
    }
}
