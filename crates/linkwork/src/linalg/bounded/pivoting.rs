//! Pivoting: one row after the other is driven to its law, while those before it keep theirs (Baraff 1994, after
//! Dantzig). What Baraff 1996, §8 leaves the multipliers of contacts and limits to; for comparison, in place of
//! Newton's methods.
//!
//! Every row holds one number θ, and the impulses follow from these numbers:
//!
//! | it holds  | θ         | the paper's set                                            |
//! |-----------|-----------|------------------------------------------------------------|
//! | impulse   | r         | none: it was not driven, or its contact is open            |
//! | rate      | u         | C: u = 0, whatever impulse that takes within its bounds    |
//! | bound     | r − bound | NC: at a bound, u goes the way that keeps it there         |
//!
//! To drive row d, its θ moves and those of all others stay: `Δr = R·e_d` with `R = ∂r/∂θ`, and `Δu = W·Δr`. That goes
//! on until u_d = 0 or r_d is at a bound; or until another row comes to the end of what it holds, and holds something
//! else from there on. With `l = ∂(what row i holds then)/∂θ`,
//!
//! ```text
//!     R ← R − R·e_i·(l − e_i)ᵀ/l_i
//! ```
//!
//! which is all the algebra there is, n² operations a pivot. Without friction, and if impulses can stop what
//! approaches, it ends: no row that was driven is lost again.
//!
//! Friction, also of Baraff 1994, is a row whose bounds follow the normal impulse, `−μ·r_n ≤ r_t ≤ μ·r_n`. Its law is
//! on rates here, so what is static friction there covers sliding too. It need not end: a row that cannot be driven is
//! left, and the residual says so.
//!
//! Deviation: bounds across are those of a box, in each of the two directions of a contact in space, where the law, and
//! the residual, have a cone. In the plane they are the same.

use super::law::{Law, Response, multiply};
use super::{Answer, Set};
use crate::linalg::dense::dot;
use crate::linalg::tolerances::{PIVOT_AIM, PIVOT_LOST, PIVOTS_A_ROW, PIVOTS_AT_LEAST};

/// What a row holds while another one is driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    Impulse,
    Rate,
    Least,
    Most,
}

/// What bounds the impulse of a row.
#[derive(Clone, Copy, Debug)]
enum Bounds {
    Fixed {
        least: f64,
        most: f64,
    },
    /// So many times the impulse of that row.
    Friction {
        friction: f64,
        normal: usize,
    },
}

/// The buffers of a solve.
#[derive(Debug, Default)]
pub(super) struct Pivoting {
    bounds: Vec<Bounds>,
    holds: Vec<Holds>,
    /// Rows that could not be driven.
    is_left: Vec<bool>,
    /// Impulses and rates, and how they change.
    r: Vec<f64>,
    u: Vec<f64>,
    dr: Vec<f64>,
    du: Vec<f64>,
    /// `R`, row-major.
    slope: Vec<f64>,
    l: Vec<f64>,
    /// Errors of rates below this are none, m/s.
    aim: f64,
}

impl Pivoting {
    /// Finds impulses from nothing. `is_over` is asked after each row, with the number of pivots so far.
    pub(super) fn solve(
        &mut self,
        law: &Law<'_>,
        answer: &mut Answer<'_>,
        is_over: &mut dyn FnMut(usize) -> bool,
    ) {
        let Response::Dense(w) = &law.response else {
            return;
        };
        self.begin(law);
        self.aim = PIVOT_AIM * answer.enough;
        // Without friction each row is driven once.
        for _ in 0..self.most() {
            let Some(row) = self.find_wrong() else {
                break;
            };
            if !self.drive(w, row, &mut answer.steps) {
                self.is_left[row.0] = true;
            }
            self.find_rates(w, law.rate);
            if is_over(answer.steps) {
                break;
            }
        }
        self.end(w, law, answer);
    }

    /// Rows that are driven, and pivots of each, at most.
    fn most(&self) -> usize {
        PIVOTS_AT_LEAST + PIVOTS_A_ROW * self.r.len()
    }

    /// Drives a row to its law; whether it got there.
    fn drive(&mut self, w: &[f64], row: (usize, f64), n_pivots: &mut usize) -> bool {
        for _ in 0..self.most() {
            *n_pivots += 1;
            match self.pivot(w, row) {
                Some(false) => {}
                Some(true) => return true,
                None => return false,
            }
        }
        false
    }

    /// No impulses, or what is nearest to none, which every row holds.
    fn begin(&mut self, law: &Law<'_>) {
        let n = law.n_rows();
        self.bounds.clear();
        self.r.clear();
        for group in law.groups {
            if let Set::Ball { most } = group.set {
                // A box in place of a ball, as for friction.
                let (least, n) = (-most, self.r.len());
                self.bounds
                    .resize(n + group.n, Bounds::Fixed { least, most });
                self.r.resize(n + group.n, 0.0);
                continue;
            }
            let (least, most) = match group.set {
                Set::Nothing | Set::Ball { .. } => (0.0, 0.0),
                Set::Between { least, most } => (least, most),
                Set::Cone { .. } | Set::Cones(_) => (0.0, f64::INFINITY),
            };
            self.bounds.push(Bounds::Fixed { least, most });
            self.r.push(0.0f64.max(least).min(most));
            for row in 1..group.n {
                let friction = match group.set {
                    Set::Cone { friction } => friction,
                    Set::Cones(cones) => cones.coefficient(row),
                    _ => 0.0,
                };
                self.bounds.push(Bounds::Friction {
                    friction,
                    normal: group.start,
                });
                self.r.push(0.0);
            }
        }
        self.holds.clear();
        self.holds.resize(n, Holds::Impulse);
        self.is_left.clear();
        self.is_left.resize(n, false);
        for buffer in [&mut self.u, &mut self.dr, &mut self.du, &mut self.l] {
            buffer.resize(n, 0.0);
        }
        self.slope.clear();
        self.slope.resize(n * n, 0.0);
        for row in 0..n {
            self.slope[row * n + row] = 1.0;
        }
        if let Response::Dense(w) = &law.response {
            self.find_rates(w, law.rate);
        }
    }

    /// `u ← W·r + g`.
    fn find_rates(&mut self, w: &[f64], rate: &[f64]) {
        multiply(w, &self.r, &mut self.u);
        for (u, g) in self.u.iter_mut().zip(rate) {
            *u += g;
        }
    }

    /// Least and most of a row's impulse, as functions of all impulses.
    fn bounds(&self, row: usize, r: &[f64]) -> (f64, f64) {
        match self.bounds[row] {
            Bounds::Fixed { least, most } => (least, most),
            Bounds::Friction { friction, normal } => {
                let most = friction * r[normal];
                (-most, most)
            }
        }
    }

    /// How the same change with them.
    fn bounds_change(&self, row: usize) -> (f64, f64) {
        match self.bounds[row] {
            Bounds::Fixed { .. } => (0.0, 0.0),
            Bounds::Friction { .. } => self.bounds(row, &self.dr),
        }
    }

    /// A row whose law is broken, and which way its impulse must go: first of all that push, then of friction.
    fn find_wrong(&self) -> Option<(usize, f64)> {
        let n = self.r.len();
        let is_friction = |row: &usize| matches!(self.bounds[*row], Bounds::Friction { .. });
        let pushes = (0..n).filter(|row| !is_friction(row));
        let mut rows = pushes.chain((0..n).filter(is_friction));
        rows.find_map(|row| {
            if self.is_left[row] {
                return None;
            }
            let ((least, most), r, u) = (self.bounds(row, &self.r), self.r[row], self.u[row]);
            // What holds a bound is there, but for round-off.
            match self.holds[row] {
                Holds::Impulse | Holds::Least if u < -self.aim && r < most => Some((row, 1.0)),
                Holds::Impulse | Holds::Most if u > self.aim && r > least => Some((row, -1.0)),
                _ => None,
            }
        })
    }

    /// Drives a row until something comes to the end of what it holds: whether that is the row itself. None if nothing
    /// does, or if that row has nothing else to hold.
    fn pivot(&mut self, w: &[f64], (driven, sign): (usize, f64)) -> Option<bool> {
        let n = self.r.len();
        for (row, dr) in self.dr.iter_mut().enumerate() {
            *dr = sign * self.slope[row * n + driven];
        }
        multiply(w, &self.dr, &mut self.du);
        let (step, row, holds) = self.first_end(w, driven, sign)?;
        for k in 0..n {
            self.r[k] += step * self.dr[k];
            self.u[k] += step * self.du[k];
        }
        self.hold(w, row, holds)?;
        Some(row == driven)
    }

    /// How far the driven row can go, which row ends it, and what that holds then.
    fn first_end(&self, w: &[f64], driven: usize, sign: f64) -> Option<(f64, usize, Holds)> {
        let n = self.r.len();
        let mut first: Option<(f64, usize, Holds)> = None;
        let mut note = |way: f64, speed: f64, row: usize, holds: Holds| {
            let step = way.max(0.0) / speed;
            if speed > 0.0 && step.is_finite() && first.is_none_or(|(least, ..)| step < least) {
                first = Some((step, row, holds));
            }
        };
        // What does not move beside what it could do by itself does not move.
        let moves = |row: usize| {
            let alone = (w[row * n + row] * w[driven * n + driven]).sqrt();
            self.du[row].abs() > PIVOT_LOST * alone
        };
        if moves(driven) {
            note(
                -sign * self.u[driven],
                sign * self.du[driven],
                driven,
                Holds::Rate,
            );
        }
        for row in 0..n {
            let (r, dr, u, du) = (self.r[row], self.dr[row], self.u[row], self.du[row]);
            match self.holds[row] {
                Holds::Least if row != driven && moves(row) => note(u, -du, row, Holds::Rate),
                Holds::Most if row != driven && moves(row) => note(-u, du, row, Holds::Rate),
                _ if row == driven || self.holds[row] == Holds::Rate => {
                    let (least, most) = self.bounds(row, &self.r);
                    let (d_least, d_most) = self.bounds_change(row);
                    note(most - r, dr - d_most, row, Holds::Most);
                    note(r - least, d_least - dr, row, Holds::Least);
                }
                _ => {}
            }
        }
        first
    }

    /// Lets a row hold something else from here on. None if that does not tell the impulses any more.
    fn hold(&mut self, w: &[f64], row: usize, holds: Holds) -> Option<()> {
        let n = self.r.len();
        let l = &mut self.l;
        let slope_of = |row: usize| &self.slope[row * n..(row + 1) * n];
        let w_of = &w[row * n..(row + 1) * n];
        match holds {
            Holds::Rate => {
                l.fill(0.0);
                for (k, w) in w_of.iter().enumerate().filter(|(_, w)| **w != 0.0) {
                    for (l, slope) in l.iter_mut().zip(slope_of(k)) {
                        *l += w * slope;
                    }
                }
            }
            _ => l.copy_from_slice(slope_of(row)),
        }
        let bound = match holds {
            Holds::Least => -1.0,
            Holds::Most => 1.0,
            _ => 0.0,
        };
        if let Bounds::Friction { friction, normal } = self.bounds[row] {
            for (l, slope) in l.iter_mut().zip(slope_of(normal)) {
                *l -= bound * friction * slope;
            }
        }
        let pivot = l[row];
        let least = match holds {
            Holds::Rate => PIVOT_LOST * w_of[row],
            _ => 0.0,
        };
        if pivot.abs() <= least || !pivot.is_finite() {
            return None;
        }
        l[row] -= 1.0;
        for slope in self.slope.chunks_exact_mut(n.max(1)) {
            let part = slope[row] / pivot;
            if part != 0.0 {
                for (slope, l) in slope.iter_mut().zip(&*l) {
                    *slope -= part * l;
                }
            }
        }
        self.holds[row] = holds;
        let (least, most) = self.bounds(row, &self.r);
        match holds {
            Holds::Rate => self.u[row] = 0.0,
            Holds::Least => self.r[row] = least,
            Holds::Most => self.r[row] = most,
            Holds::Impulse => self.r[row] = 0.0,
        }
        self.open(w, row)
    }

    /// Where a normal pushes no more, there is no friction.
    fn open(&mut self, w: &[f64], normal: usize) -> Option<()> {
        if self.holds[normal] != Holds::Least {
            return Some(());
        }
        for row in normal + 1..self.r.len() {
            match self.bounds[row] {
                Bounds::Friction { normal: of, .. } if of == normal => {
                    if self.holds[row] != Holds::Impulse {
                        self.hold(w, row, Holds::Impulse)?;
                    }
                }
                _ => break,
            }
        }
        Some(())
    }

    /// Takes what was found, unless others left less of the law: rates that are held become zero once more, which the
    /// pivots left to round-off.
    fn end(&mut self, w: &[f64], law: &Law<'_>, answer: &mut Answer<'_>) {
        let n = self.r.len();
        for _ in 0..2 {
            self.find_rates(w, law.rate);
            for row in 0..n {
                self.l[row] = match self.holds[row] {
                    Holds::Rate => self.u[row],
                    _ => 0.0,
                };
            }
            for (r, slope) in self.r.iter_mut().zip(self.slope.chunks_exact(n.max(1))) {
                *r -= dot(slope, &self.l);
            }
        }
        for row in 0..n {
            let (least, most) = self.bounds(row, &self.r);
            self.r[row] = self.r[row].max(least).min(most);
        }
        self.find_rates(w, law.rate);
        let residual = law.residual(&self.r, &self.u);
        if residual < answer.residual || !answer.residual.is_finite() {
            answer.impulse.copy_from_slice(&self.r);
            answer.left.copy_from_slice(&self.u);
            answer.residual = residual;
        }
    }
}
