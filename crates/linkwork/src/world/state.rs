//! The state: all that changes while time passes.

use std::iter::repeat_n;
use std::ops::Range;

/// Time, coordinates, velocities and the last multipliers of a world.
///
/// Bodies and constraints follow each other in the order of their ids.
#[derive(Debug, Default, PartialEq)]
pub struct State {
    /// Time.
    pub t: f64,
    /// Position coordinates, `n_q`.
    pub q: Vec<f64>,
    /// Velocity coordinates, `n_v`.
    pub v: Vec<f64>,
    /// Multipliers of the last solve or the last step, `n_rows`: forces and torques, and the warm
    /// start of the iterative methods.
    pub lambda: Vec<f64>,
    /// Where an iterative method that was cut short while it closed positions goes on, `n_rows`: its last
    /// direction, zero if it was not cut. With it the next steps recover the precision that one lacks.
    pub direction: Vec<f64>,
    /// The sub-step that suited the last step, seconds; zero when that is not known.
    pub substep: f64,
}

impl Clone for State {
    fn clone(&self) -> Self {
        let mut out = Self::default();
        out.clone_from(self);
        out
    }

    /// In the room there is: a step copies states and allocates nothing.
    fn clone_from(&mut self, from: &Self) {
        let Self {
            t,
            q,
            v,
            lambda,
            direction,
            substep,
        } = from;
        (self.t, self.substep) = (*t, *substep);
        self.q.clone_from(q);
        self.v.clone_from(v);
        self.lambda.clone_from(lambda);
        self.direction.clone_from(direction);
    }
}

impl State {
    /// Takes the motion of another state: all but where an iteration goes on.
    pub(crate) fn copy_motion(&mut self, from: &Self) {
        (self.t, self.substep) = (from.t, from.substep);
        self.q.clone_from(&from.q);
        self.v.clone_from(&from.v);
        self.lambda.clone_from(&from.lambda);
    }

    /// Changes places with a trial: time, coordinates, velocities and multipliers.
    pub(crate) fn swap_motion(&mut self, trial: &mut Self) {
        std::mem::swap(&mut self.t, &mut trial.t);
        std::mem::swap(&mut self.q, &mut trial.q);
        std::mem::swap(&mut self.v, &mut trial.v);
        std::mem::swap(&mut self.lambda, &mut trial.lambda);
    }
}

/// What a state has for the rows of a constraint: multipliers and direction.
pub(super) type Rows = [Vec<f64>; 2];

impl State {
    fn rows_mut(&mut self) -> [&mut Vec<f64>; 2] {
        [&mut self.lambda, &mut self.direction]
    }

    /// Puts `n` rows of zeros in place of some.
    pub(super) fn replace_rows(&mut self, rows: Range<usize>, n: usize) {
        for values in self.rows_mut() {
            values.splice(rows.clone(), repeat_n(0.0, n));
        }
    }

    pub(super) fn take_rows(&mut self, rows: Range<usize>) -> Rows {
        self.rows_mut()
            .map(|values| values.drain(rows.clone()).collect())
    }

    pub(super) fn insert_rows(&mut self, row0: usize, rows: &Rows) {
        for (values, rows) in self.rows_mut().into_iter().zip(rows) {
            values.splice(row0..row0, rows.iter().copied());
        }
    }
}
