//! The last states: enough to reproduce what happened just before something went wrong.

use super::StepReport;
use crate::world::{State, World};

/// How many steps are remembered.
const REMEMBERED: usize = 32;

/// A step that was taken: from where, how long, at what cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Past {
    /// The state before the step.
    pub state: State,
    /// The step.
    pub dt: f64,
    /// Iterations it used: a budget of as many replays it.
    pub iterations: usize,
}

/// A ring of the last steps since the last edit.
#[derive(Clone, Debug, Default)]
pub struct History {
    ring: Vec<Past>,
    next: usize,
    n: usize,
}

impl History {
    /// The remembered steps, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Past> {
        let start = (self.next + self.ring.len() - self.n) % self.ring.len().max(1);
        (0..self.n).map(move |k| &self.ring[(start + k) % self.ring.len()])
    }

    pub(super) fn size(&mut self, world: &World) {
        let state = world.state().clone();
        let past = Past {
            state,
            ..Past::default()
        };
        self.ring.clear();
        self.ring.resize(REMEMBERED, past);
        (self.next, self.n) = (0, 0);
    }

    pub(super) fn push(&mut self, state: &State, dt: f64, report: &StepReport) {
        let past = &mut self.ring[self.next];
        copy(state, &mut past.state);
        past.dt = dt;
        past.iterations = report.effort.iterations;
        self.next = (self.next + 1) % REMEMBERED;
        self.n = (self.n + 1).min(REMEMBERED);
    }
}

/// Copies a state into another's room; what is derived for `Clone` would take new room every time.
pub(super) fn copy(from: &State, to: &mut State) {
    let State {
        t,
        q,
        v,
        lambda,
        substep,
    } = from;
    (to.t, to.substep) = (*t, *substep);
    to.q.clone_from(q);
    to.v.clone_from(v);
    to.lambda.clone_from(lambda);
}
