//! The state of an iteration that was cut short, for the next frame.
//!
//! Only iterative methods leave anything, and only where a budget was spent; otherwise it is empty. The next
//! frames go on with it, and so recover the precision that one of them lacks
//! (`docs/adr/0017-iterations-go-on.md`).

use crate::linalg::clone_in_room;

/// One number for each row, or none; what the numbers are is told with them.
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
    /// An iteration that goes on along `rows`, one number for each row.
    pub fn along(rows: Vec<f64>) -> Self {
        let what = What::Direction;
        Self { what, rows }
    }

    /// Priority 0 holds `rows`, one number for each row.
    pub fn holding(rows: Vec<f64>) -> Self {
        let what = What::Held;
        Self { what, rows }
    }

    /// Whether there is nothing to go on with.
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|&number| number == 0.0)
    }

    /// The direction to go on along; empty if there is none.
    pub fn direction(&self) -> &[f64] {
        self.of(What::Direction)
    }

    /// What priority 0 holds; empty if that is not known.
    pub fn held(&self) -> &[f64] {
        self.of(What::Held)
    }

    /// Its numbers, whatever they are.
    pub fn rows(&self) -> &[f64] {
        &self.rows
    }

    /// The same to be changed.
    pub fn rows_mut(&mut self) -> &mut [f64] {
        &mut self.rows
    }

    /// Becomes what another one is, for so many rows; numbers that were something else become zero.
    pub fn begin_like(&mut self, other: &Self, n_rows: usize) {
        match other.what {
            What::Nothing => self.clear(),
            what => {
                self.begin(what, n_rows);
            }
        }
    }

    /// There is nothing to go on with.
    pub(crate) fn clear(&mut self) {
        self.what = What::Nothing;
        self.rows.clear();
    }

    /// Empty where all numbers are zero.
    pub(crate) fn tidy(&mut self) {
        if self.is_empty() {
            self.clear();
        }
    }

    /// The direction of `n_rows` rows, zero if there was none, for a solve that goes on.
    pub(crate) fn go_on(&mut self, n_rows: usize) -> &mut [f64] {
        self.begin(What::Direction, n_rows)
    }

    /// What priority 0 holds, zero if that was not known.
    pub(crate) fn hold(&mut self, n_rows: usize) -> &mut [f64] {
        self.begin(What::Held, n_rows)
    }

    /// The list that grows and shrinks with the rows of a world, where there is one.
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
