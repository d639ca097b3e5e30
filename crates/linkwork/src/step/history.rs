//! The last states: enough to reproduce what happened just before something went wrong.

use super::StepReport;
use crate::world::{State, World};

/// How many steps are remembered unless another number is asked for.
const REMEMBERED: usize = 32;

/// A step that was taken: from where, how long, at what cost.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Past {
    /// The state before the step.
    pub state: State,
    /// The step.
    pub dt: f64,
    /// Iterations it used: a budget of as many replays it.
    pub iterations: usize,
}

/// A ring of the last steps since the last edit.
#[derive(Clone, Debug)]
pub struct History {
    ring: Vec<Past>,
    /// At most so many.
    most: usize,
    next: usize,
    n: usize,
}

impl Default for History {
    fn default() -> Self {
        Self::of(REMEMBERED)
    }
}

impl History {
    /// Of so many steps at most.
    pub(crate) fn of(most: usize) -> Self {
        Self {
            ring: Vec::new(),
            most,
            next: 0,
            n: 0,
        }
    }

    /// The remembered steps, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Past> {
        let start = (self.next + self.ring.len() - self.n) % self.ring.len().max(1);
        (0..self.n).map(move |k| &self.ring[(start + k) % self.ring.len()])
    }

    /// Forgets everything, and makes room for states like the world's.
    pub(super) fn size(&mut self, world: &World) {
        self.ring.resize_with(self.most, Past::default);
        for Past { state, .. } in &mut self.ring {
            state.make_room(world.state());
            state.unfinished.make_room(world.state().lambda.len());
        }
        (self.next, self.n) = (0, 0);
    }

    pub(super) fn push(&mut self, state: &State, dt: f64, report: &StepReport) {
        let Some(past) = self.ring.get_mut(self.next) else {
            return;
        };
        past.state.clone_from(state);
        past.dt = dt;
        past.iterations = report.effort.iterations;
        self.next = (self.next + 1) % self.most;
        self.n = (self.n + 1).min(self.most);
    }
}
