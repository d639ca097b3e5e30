//! Forces of a frame with blows.
//!
//! A blow takes no time, so the forces of the last sub-step do not contain it: a ball would bounce on a body that never
//! carries it, and no blow would break a joint. In frames with blows, forces are therefore means over the frame,
//!
//! ```text
//!     F = Σ (h·f of each sub-step + impulse of each blow)/dt
//! ```
//!
//! so that momentum changes by F·dt. Without blows they are those of the last sub-step, of second order.

use crate::frame::Frame;
use crate::world::{State, Touching};

/// The impulses of a frame so far.
#[derive(Debug, Default)]
pub(super) struct Pushed {
    rows: Vec<f64>,
    /// By key.
    touching: Vec<Touching>,
    /// Of one blow.
    pub(super) struck: Vec<Touching>,
}

impl Pushed {
    /// Makes room for so many rows that push.
    pub(super) fn reserve(&mut self, n: usize) {
        self.touching.reserve(n);
        self.struck.reserve(n);
    }

    pub(super) fn begin(&mut self, n_rows: usize) {
        self.rows.clear();
        self.rows.resize(n_rows, 0.0);
        self.touching.clear();
    }

    /// Adds the impulses of a state's forces in `h` seconds.
    pub(super) fn add(&mut self, state: &State, h: f64) {
        self.add_rows(&state.lambda, h);
        for own in &state.touching {
            add_touching(&mut self.touching, own, h);
        }
    }

    /// Adds the impulses of rows, times a number.
    pub(super) fn add_rows(&mut self, lambda: &[f64], times: f64) {
        for (sum, lambda) in self.rows.iter_mut().zip(lambda) {
            *sum += times * lambda;
        }
    }

    /// The impulse of a row.
    pub(super) fn add_row(&mut self, row: usize, impulse: f64) {
        self.rows[row] += impulse;
    }

    /// Adds the impulses of a blow.
    pub(super) fn add_struck(&mut self) {
        for own in &self.struck {
            add_touching(&mut self.touching, own, 1.0);
        }
    }

    /// Replaces the forces of the state by means over `dt` seconds.
    pub(super) fn spread(&self, frame: &mut Frame<'_, '_>, dt: f64) {
        for (lambda, sum) in frame.state.lambda.iter_mut().zip(&self.rows) {
            *lambda = sum / dt;
        }
        let touching = &mut frame.state.touching;
        touching.clear();
        touching.extend(self.touching.iter().map(|own| own.times(1.0 / dt)));
    }
}

/// Adds to what has the same key, or puts it where it belongs by its key. Places are the last ones.
fn add_touching(sum: &mut Vec<Touching>, own: &Touching, times: f64) {
    let new = own.times(times);
    match sum.binary_search_by_key(&own.key, |known| known.key) {
        Ok(at) => sum[at] = new.plus(&sum[at]),
        Err(at) => sum.insert(at, new),
    }
}
