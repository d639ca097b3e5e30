//! Data of an iteration that was cut short, for the next frame.
//!
//! Empty unless an iterative method used up its budget. The next frames continue with it, and so recover the
//! precision that a single frame lacks (`docs/adr/0017-iterations-go-on.md`).

use crate::linalg::clone_in_room;

/// One number for each row, or none, and their meaning.
#[derive(Debug, Default, PartialEq)]
pub struct Unfinished {
    what: What,
    rows: Vec<f64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum What {
    #[default]
    Nothing,
    /// The last direction of an iteration that closes positions.
    Direction,
    /// ℓ, the force that priority 0 holds against a lower one (`docs/adr/0051-priorities-by-gradients.md`).
    Held,
}

clone_in_room!(Unfinished { what, rows });

impl Unfinished {
    /// An iteration that continues along `rows`, one number for each row.
    pub fn along(rows: Vec<f64>) -> Self {
        let what = What::Direction;
        Self { what, rows }
    }

    /// The force `rows` that priority 0 holds, one number for each row.
    pub fn holding(rows: Vec<f64>) -> Self {
        let what = What::Held;
        Self { what, rows }
    }

    /// Whether no iteration was cut short.
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|&number| number == 0.0)
    }

    /// The direction along which to continue; empty if there is none.
    pub fn direction(&self) -> &[f64] {
        self.of(What::Direction)
    }

    /// The force that priority 0 holds; empty if unknown.
    pub fn held(&self) -> &[f64] {
        self.of(What::Held)
    }

    /// Its numbers, of either meaning.
    pub fn rows(&self) -> &[f64] {
        &self.rows
    }

    /// Its numbers, mutable.
    pub fn rows_mut(&mut self) -> &mut [f64] {
        &mut self.rows
    }

    /// Takes the meaning of another, for `n_rows` rows; numbers with another meaning become zero.
    pub fn begin_like(&mut self, other: &Self, n_rows: usize) {
        match other.what {
            What::Nothing => self.clear(),
            what => {
                self.begin(what, n_rows);
            }
        }
    }

    /// Removes all data.
    pub(crate) fn clear(&mut self) {
        self.what = What::Nothing;
        self.rows.clear();
    }

    /// Removes numbers that are all zero.
    pub(crate) fn tidy(&mut self) {
        if self.is_empty() {
            self.clear();
        }
    }

    /// The direction of `n_rows` rows, zero if there was none, for a solve that continues.
    pub(crate) fn go_on(&mut self, n_rows: usize) -> &mut [f64] {
        self.begin(What::Direction, n_rows)
    }

    /// The force that priority 0 holds, zero if unknown.
    pub(crate) fn hold(&mut self, n_rows: usize) -> &mut [f64] {
        self.begin(What::Held, n_rows)
    }

    /// The list that grows and shrinks with the rows of a world, if any.
    pub(super) fn list(&mut self) -> Option<&mut Vec<f64>> {
        (self.what != What::Nothing).then_some(&mut self.rows)
    }

    /// Makes room for so many rows.
    pub(crate) fn make_room(&mut self, n_rows: usize) {
        self.clear();
        self.rows.reserve(n_rows);
    }

    fn of(&self, what: What) -> &[f64] {
        if self.what == what { &self.rows } else { &[] }
    }

    fn begin(&mut self, what: What, n_rows: usize) -> &mut [f64] {
        if self.what != what {
            self.clear();
        }
        self.what = what;
        self.rows.resize(n_rows, 0.0);
        &mut self.rows
    }
}
