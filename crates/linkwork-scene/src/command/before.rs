//! The state as it was before something moved: what undo gives back while time stands.

use std::ops::Range;

use linkwork::prelude::*;
use linkwork::world::{State, Touching};

use super::change::Change;
use crate::fault::Fault;

/// A world whose state is to be given back to whatever is still there of it.
#[derive(Clone, Debug)]
pub(super) struct Before {
    world: World,
    part: Part,
    /// What is left of it once time has passed: none if it is no more than what an edit has led to.
    later: Option<Part>,
}

/// What is given back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Part {
    /// Everything, to the last bit.
    All,
    /// Where things are and how they move; hands, time and forces are those of the present.
    Places,
}

impl Before {
    /// `later` is what undo gives back of it when time has passed since.
    pub(super) fn change(world: World, later: Option<Part>) -> Change {
        Change::State(Box::new(Self {
            world,
            part: Part::All,
            later,
        }))
    }

    /// Gives it back; says what takes that back.
    pub(super) fn apply(self, world: &mut World) -> Result<Change, Fault> {
        let now = world.clone();
        let state = state_of(&self.world, self.world.state(), world, self.part);
        world.set_state(state)?;
        Ok(Self::change(now, self.later))
    }
}

/// The state of a world, with what it has in common with an earlier one as it was `then`.
pub(super) fn state_of(earlier: &World, then: &State, world: &World, part: Part) -> State {
    let all = part == Part::All;
    let mut state = world.state().clone();
    if all {
        (state.t, state.substep) = (then.t, then.substep);
        let n_rows = state.lambda.len();
        state.unfinished.begin_like(&then.unfinished, n_rows);
    }
    let is_hand = |id| world.grips().iter().any(|grip| grip.hand() == id);
    for record in world.bodies() {
        if let Ok(old) = earlier.body_record(record.id())
            && (all || !is_hand(record.id()))
        {
            copy(&mut state.q, record.q_range(), &then.q, old.q_range());
            copy(&mut state.v, record.v_range(), &then.v, old.v_range());
        }
    }
    for record in world.constraints() {
        let Ok(old) = earlier.constraint_record(record.id()) else {
            continue;
        };
        let (to, from) = (record.row_range(), old.row_range());
        if all {
            copy(&mut state.lambda, to.clone(), &then.lambda, from.clone());
            if !then.unfinished.rows().is_empty() {
                let (now, then) = (state.unfinished.rows_mut(), then.unfinished.rows());
                copy(now, to, then, from);
            }
        }
        let (to, from) = (record.angle_range(), old.angle_range());
        copy(&mut state.turns.joints, to, &then.turns.joints, from);
    }
    for record in world.behaviors() {
        if let Ok(old) = earlier.behavior_record(record.id()) {
            let (to, from) = (record.angle_range(), old.angle_range());
            copy(&mut state.turns.springs, to, &then.turns.springs, from);
        }
    }
    state.touching.clear();
    if all {
        // Colliders have numbers: only what has the same is the same.
        let same = |own: &&Touching| earlier.touching_bodies(own) == world.touching_bodies(own);
        let touched = then.touching.iter().filter(same);
        state.touching.extend(touched.copied());
    }
    state
}

/// What has become something else since, with other numbers, keeps those of the present.
pub(super) fn copy(to: &mut [f64], at: Range<usize>, from: &[f64], range: Range<usize>) {
    if at.len() == range.len() {
        to[at].copy_from_slice(&from[range]);
    }
}

impl Change {
    /// Time passes: states of before are no longer what undo is about.
    pub(super) fn outlive_time(&mut self) {
        match self {
            Self::State(before) => match before.later {
                Some(part) => before.part = part,
                None => *self = Self::All(Vec::new()),
            },
            Self::Touching(_) => *self = Self::All(Vec::new()),
            Self::All(changes) => {
                for change in changes {
                    change.outlive_time();
                }
            }
            _ => {}
        }
    }
}
