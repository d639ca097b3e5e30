//! Bodies that entered or left sensors in a step, from its two end states alone.

use super::{Event, StepReport};
use crate::world::{Sensed, Sensing, World};

/// The buffers.
#[derive(Debug, Default)]
pub(crate) struct Senses {
    sensing: Sensing,
    before: Vec<Sensed>,
    after: Vec<Sensed>,
}

impl Senses {
    /// Notes who is in which sensor before a step.
    pub(super) fn begin(&mut self, world: &World) {
        self.sensing.find(world, &mut self.before);
    }

    /// Compares with the state after the step, and reports the difference.
    pub(super) fn tell(&mut self, world: &World, report: &mut StepReport) {
        self.sensing.find(world, &mut self.after);
        let came = self.after.iter().filter(|own| !self.before.contains(own));
        report.events.extend(came.map(|own| Event::Entered(*own)));
        let left = self.before.iter().filter(|own| !self.after.contains(own));
        report.events.extend(left.map(|own| Event::Left(*own)));
    }
}
