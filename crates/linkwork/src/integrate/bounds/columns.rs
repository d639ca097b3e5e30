//! Responses to a unit impulse of each bounded row: answers to impulses are sums of these, products in place of a
//! solve.
//!
//! ```text
//!     (y, λ) = (y, λ) without bounded impulses + Σ rᵢ·(yᵢ, λᵢ)
//! ```
//!
//! The responses yᵢ are found anyway, for W. They are exact to 1e-9 of what they do (`solve::tolerances::RESPONDED`),
//! which is enough for predictions and corrections of the first half: where they leave joints open, the next correction
//! closes them. Velocities at the end of a step are solved for.

use crate::equations::Equations;
use crate::frame::Frame;

/// Responses of the rows of one island, if all chosen rows are of it.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// Motion and multipliers of each row, row after row.
    columns: Vec<f64>,
    n_rows: usize,
    /// Motion and multipliers without bounded impulses, and then with them.
    sum: Vec<f64>,
}

impl Columns {
    pub(super) fn clear(&mut self) {
        self.columns.clear();
        self.n_rows = 0;
    }

    /// Adds the response to a unit impulse of the next row.
    pub(super) fn add(&mut self, motion: &[f64], lambda: &[f64]) {
        self.columns.extend_from_slice(motion);
        self.columns.extend_from_slice(lambda);
        self.n_rows += 1;
    }

    /// Begins with the last answer of the equations, in which no bounded impulse acts.
    pub(super) fn begin(&mut self, equations: &Equations) {
        let solution = equations.solution();
        self.sum.clear();
        self.sum.extend_from_slice(&solution.motion);
        self.sum.extend_from_slice(&solution.lambda);
    }

    /// Begins with nothing.
    pub(super) fn begin_anew(&mut self) {
        self.sum.fill(0.0);
    }

    /// Adds the responses to these impulses to the answer of the equations. False if responses are not known, or do not
    /// add up: iterations that may end early, priorities, forces along other rows.
    pub(super) fn superpose(&mut self, frame: &mut Frame<'_, '_>, impulses: &[f64]) -> bool {
        let system = frame.equations.system();
        let adds_up = !frame.method.is_iterative()
            && !system.rows.has_lower()
            && !system.constraints.iter().any(|own| own.pushes);
        if !adds_up || self.n_rows != impulses.len() || frame.meter.ended().is_some() {
            return false;
        }
        let Some(n) = self.columns.len().checked_div(self.n_rows) else {
            return false;
        };
        for (r, column) in impulses.iter().zip(self.columns.chunks_exact(n)) {
            for (sum, column) in self.sum.iter_mut().zip(column) {
                *sum += r * column;
            }
        }
        frame.equations.compose(|motion, lambda| {
            let (own, pushes) = self.sum.split_at(motion.len());
            motion.copy_from_slice(own);
            lambda.copy_from_slice(pushes);
        });
        true
    }
}
