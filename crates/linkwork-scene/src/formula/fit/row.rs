//! A row of the table where its free numbers are: what is left of its wish, and the slopes of that.
//!
//! ```text
//!     r_q = ∂r/∂q + Σ (∂r/∂x)·L      r_u = ∂r/∂u + Σ (∂r/∂x)·x_u      x a point of a curve or surface
//! ```

use linkwork::constraint::MAX_ROWS;
use linkwork::shape::{Of, Parameters, ShapeValue};
use linkwork_formula::{JetMut, Motion};

use super::{At, Fit, Foot, Is, MOST_ALONG, MOST_FREE, MOST_PARTS};
use crate::formula::each::Along;

/// A row where its free number is best.
#[derive(Default)]
pub(super) struct Row {
    pub(super) r: [f64; MOST_PARTS],
    /// The slopes of each component by what is sought.
    pub(super) slopes: [[f64; MAX_ROWS]; MOST_PARTS],
    pub(super) by_u: [[f64; MOST_PARTS]; MOST_FREE],
    /// What the second rate of each component is where free numbers go somewhere.
    pub(super) bend: [f64; MOST_PARTS],
}

impl Row {
    /// Of so many numbers, all of it zero.
    fn clear(&mut self, n: usize) {
        for slopes in &mut self.slopes {
            slopes[..n].fill(0.0);
        }
        (self.by_u, self.bend) = Default::default();
    }
}

impl Fit {
    /// Whether a point moves with a free number.
    pub(super) fn is_free(&self, own: &Along) -> bool {
        self.free.iter().any(|free| own.at.contains(&free.input))
    }

    /// Puts a point of a curve or surface where its place is, while free numbers go somewhere.
    pub(super) fn place(&self, along: usize, at: &mut At, going: [f64; MOST_FREE]) {
        let own = &self.along[along];
        let value = own.map.motion(&own.motion(&at.x, self.rate_of(own, going)));
        self.put_point(own, &value, at);
    }

    /// How the place of a point moves while free numbers go somewhere.
    pub(super) fn rate_of(&self, own: &Along, going: [f64; MOST_FREE]) -> Parameters {
        let mut rate = [0.0; 3];
        for (rate, input) in rate.iter_mut().zip(&own.at) {
            let mut free = self.free.iter().zip(going);
            let going = free.find(|(free, _)| free.input == *input);
            *rate = going.map_or(0.0, |own| own.1);
        }
        rate
    }

    /// Makes a point an input of the tape.
    pub(super) fn put_point(&self, own: &Along, value: &ShapeValue, at: &mut At) {
        for d in 0..own.map.dimension() {
            let input = usize::from(own.point) + d;
            (at.x[input], at.x1[input], at.x2[input]) = (value.x[d], value.x_dot[d], value.ell[d]);
        }
    }

    /// The differences of a row where free numbers are, their slopes, and how they bend while free numbers go
    /// somewhere.
    pub(super) fn differences(&self, at: &mut At, going: [f64; MOST_FREE], row: &mut Row) {
        row.clear(self.places.len());
        // Points first, with slopes by the numbers of their curves.
        let mut by_place = [[[0.0; 3]; 3]; MOST_ALONG];
        for (k, own) in self.along.iter().enumerate() {
            let motion = own.motion(&at.x, self.rate_of(own, going));
            let entries = &mut at.by_number[k];
            for row in &mut entries[..own.map.dimension()] {
                row[..own.map.n_numbers()].fill(0.0);
            }
            let value = own.map.eval(Of::Point, &motion, &mut |d, number, value| {
                entries[d][number] = value;
            });
            by_place[k] = value.x_u;
            self.put_point(own, &value, at);
        }
        let tape = self.law.tape();
        let m = tape.n_outputs();
        for (free, going) in self.free.iter().zip(going) {
            at.x1[usize::from(free.input)] = going;
        }
        if self.has_plain_slopes() {
            row.r = self.plain(&at.x, at.rest, &at.entries);
            row.bend = self.plain(&at.x2, [0.0; MOST_PARTS], &at.entries);
        } else {
            self.slopes(at, row);
        }
        let before = self.law.columns_before();
        let mut entries = at.entries.iter();
        for part in 0..m {
            for (&input, &slope) in tape.pattern(part).iter().zip(&mut entries) {
                match self.inputs[usize::from(input)] {
                    Is::Given => {}
                    Is::Free(k) => row.by_u[k][part] += slope,
                    Is::Connector => {
                        for (rate, own) in self.law.rates_of(input, &at.x) {
                            if let Some(column) = self.row_of[rate].filter(|_| own != 0.0) {
                                row.slopes[part][column] += own * slope;
                            }
                        }
                    }
                    Is::Along(k, d) => {
                        let own = &self.along[k];
                        let first = before[own.connector];
                        let columns = &self.row_of[first..first + own.map.n_numbers()];
                        for (column, value) in columns.iter().zip(&at.by_number[k][d]) {
                            if let Some(column) = *column {
                                row.slopes[part][column] += slope * value;
                            }
                        }
                        for (free, by_u) in self.free.iter().zip(&mut row.by_u) {
                            if let Some(place) = own.at.iter().position(|at| *at == free.input) {
                                by_u[part] += slope * by_place[k][place][d];
                            }
                        }
                    }
                }
            }
        }
    }

    /// Whether slopes were found once for all rows.
    pub(super) fn has_plain_slopes(&self) -> bool {
        self.is_plain && !self.free.is_empty()
    }

    /// Finds the slopes that serve all rows, where points were put.
    pub(super) fn find_plain_slopes(&self, at: &mut At) {
        let mut row = Row::default();
        self.slopes(at, &mut row);
        let all = self.plain(&at.x, [0.0; MOST_PARTS], &at.entries);
        (0..MOST_PARTS).for_each(|part| at.rest[part] = row.r[part] - all[part]);
    }

    /// `rest + Σ slope·x` of each difference.
    pub(super) fn plain(
        &self,
        x: &[f64],
        rest: [f64; MOST_PARTS],
        slopes: &[f64],
    ) -> [f64; MOST_PARTS] {
        let (tape, mut slopes) = (self.law.tape(), slopes.iter());
        let mut out = rest;
        for (part, out) in out.iter_mut().enumerate().take(tape.n_outputs()) {
            for (input, slope) in tape.pattern(part).iter().zip(&mut slopes) {
                *out += slope * x[usize::from(*input)];
            }
        }
        out
    }

    /// Differences, how they bend, and their slopes by inputs of the tape.
    fn slopes(&self, at: &mut At, row: &mut Row) {
        let tape = self.law.tape();
        let (n, m) = (tape.n_inputs(), tape.n_outputs());
        tape.jet(
            Motion {
                x: &at.x[..n],
                x1: &at.x1[..n],
                x2: &at.x2[..n],
            },
            JetMut {
                y: &mut row.r[..m],
                y1: &mut [],
                y2: &mut row.bend[..m],
                rows: &mut at.entries[..tape.n_entries()],
            },
        );
    }

    /// Takes what free numbers can do out of the slopes: `J = (1 − Σ n·nᵀ)·r_q`, n orthonormal along r_u.
    pub(super) fn without_free(&self, foot: &Foot, row: &mut Row) {
        let mut taken = [[0.0; MOST_PARTS]; MOST_FREE];
        for k in (0..self.free.len()).filter(|k| foot.can_move[*k]) {
            let mut own = row.by_u[k];
            let whole = dot(own, own);
            for before in &taken[..k] {
                let along = dot(own, *before);
                (0..MOST_PARTS).for_each(|part| own[part] -= along * before[part]);
            }
            // What two do alike is taken once.
            let square = dot(own, own);
            if square <= f64::MIN_POSITIVE || square <= PARALLEL * whole {
                continue;
            }
            let length = square.sqrt();
            taken[k] = own.map(|part| part / length);
            for column in 0..self.places.len() {
                let along: f64 = (0..MOST_PARTS)
                    .map(|part| taken[k][part] * row.slopes[part][column])
                    .sum();
                for part in 0..MOST_PARTS {
                    row.slopes[part][column] -= taken[k][part] * along;
                }
            }
        }
    }
}

/// Slopes of which less than this part is left beside those of another number are along them.
const PARALLEL: f64 = 1e-20;

pub(super) fn dot(a: [f64; MOST_PARTS], b: [f64; MOST_PARTS]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
