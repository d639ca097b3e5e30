//! Bodies that entered or left sensors in a step: a difference of two states, nothing is remembered.

use super::{Event, StepReport};
use crate::world::{Sensed, Sensing, World};

/// The room for it.
#[derive(Debug, Default)]
pub(crate) struct Senses {
    sensing: Sensing,
    before: Vec<Sensed>,
    after: Vec<Sensed>,
}

impl Senses {
    /// Looks before a step.
    pub(super) fn begin(&mut self, world: &World) {
        self.sensing.find(world, &mut self.before);
    }

    /// Looks after it, and tells the difference.
    pub(super) fn tell(&mut self, world: &World, report: &mut StepReport) {
        self.sensing.find(world, &mut self.after);
        let came = self.after.iter().filter(|own| !self.before.contains(own));
        report.events.extend(came.map(|own| Event::Entered(*own)));
        let left = self.before.iter().filter(|own| !self.after.contains(own));
        report.events.extend(left.map(|own| Event::Left(*own)));
    }
}
