//! Where the number that a row has of its own is best: the nearest point of a curve, and the like.
//!
//! ```text
//!     f(u) = ½·|r(u)|²      f′ = r·r_u      f″ = r_u·r_u + r·r_uu
//! ```
//!
//! The least of some places all over the range, then Newton's method between its neighbors. Nothing is remembered, so
//! where a row is does not depend on how the others came to where they are. Where places do the same in all rows,
//! `shared.rs` finds where to begin, and the first step of Newton's method is mostly the last.

use linkwork::shape::Domain;
use linkwork_formula::{JetMut, Motion, Scope};

use super::{At, Fit, Foot, MOST_FREE, MOST_PARTS, Row, dot, told_in};
use crate::fault::Fault;
use crate::formula::names::Names;
use crate::scene::Scene;

/// Places that are tried: so many for each part of a curve, and at the least and at the most.
const PER_PART: usize = 4;
const FEWEST: usize = 32;
const MOST: usize = 128;
/// Along each parameter of a surface.
const OVER: usize = 10;
/// All of them, with both ends.
pub(super) const MOST_PLACES: usize = MOST + 1;
/// Steps of Newton's method, and how near is near enough, relative to the range: the error of what follows a step of
/// Newton's is that of its square.
const STEPS: usize = 40;
const NEAR: f64 = 1e-14;
const NEAR_BEFORE: f64 = 1e-9;
/// Ends whose differences are as near to each other as this are one place.
const CLOSED: f64 = 1e-9;

/// Where Newton's method begins, and between what it stays.
pub(super) struct Begin {
    pub(super) u: f64,
    low: f64,
    high: f64,
    is_closed: bool,
}

/// A number that each row has of its own.
#[derive(Clone, Debug)]
pub(super) struct Free {
    pub(super) input: u16,
    pub(super) domain: Domain,
    /// Whether the range was typed: whether it goes round is then seen at its ends.
    is_typed: bool,
    pub(super) n_places: usize,
}

impl Free {
    /// Places along each parameter of a surface.
    pub(super) const OVER: usize = OVER;

    pub(super) fn new(input: u16, domain: Domain, is_typed: bool, n_places: usize) -> Self {
        Self {
            input,
            domain,
            is_typed,
            n_places,
        }
    }

    /// Places along a curve of so many parts.
    pub(super) fn along(n_parts: usize) -> usize {
        (PER_PART * n_parts).clamp(FEWEST, MOST)
    }

    /// The same on another curve, unless its range was typed.
    pub(super) fn follow(&mut self, domain: Domain) {
        if !self.is_typed {
            self.domain = domain;
        }
    }

    /// A place that is tried.
    pub(super) fn place(&self, k: usize) -> f64 {
        match k == self.n_places {
            true => self.domain.to,
            false => self.domain.from + k as f64 * self.wide(),
        }
    }

    /// How far places that are tried are from each other.
    pub(super) fn wide(&self) -> f64 {
        self.domain.length() / self.n_places as f64
    }

    /// Begins at a place that is tried, between its neighbors.
    pub(super) fn begin(&self, best: usize, is_closed: bool) -> Begin {
        let Domain { from, to, .. } = self.domain;
        let (u, wide) = (self.place(best), self.wide());
        let (mut low, mut high) = (u - wide, u + wide);
        if !is_closed {
            (low, high) = (low.max(from), high.min(to));
        }
        Begin {
            u,
            low,
            high,
            is_closed,
        }
    }

    /// In the range, if it goes round.
    fn wrapped(&self, u: f64, is_closed: bool) -> f64 {
        match is_closed {
            true => self.wrap(u),
            false => u,
        }
    }

    /// Whether the range goes round; differences at its ends tell it where it was typed.
    pub(super) fn is_closed(&self, ends: [[f64; MOST_PARTS]; 2]) -> bool {
        if !self.is_typed {
            return self.domain.closed;
        }
        let apart = (0..MOST_PARTS).map(|k| (ends[0][k] - ends[1][k]).abs());
        let size = ends.iter().flatten();
        let size = size.fold(0.0f64, |most, own| most.max(own.abs()));
        apart.fold(0.0, f64::max) <= CLOSED * size
    }

    /// Back into the range, round as often as it takes.
    pub(super) fn wrap(&self, u: f64) -> f64 {
        let Domain { from, to, .. } = self.domain;
        u - ((u - from) / (to - from)).floor() * (to - from)
    }
}

/// The name of a free number, and its range if there is one: `u`, or `u in 0..tau`.
pub(super) fn declared(scene: &Scene, text: &str) -> Result<(String, Option<Domain>), Fault> {
    let (name, range) = match text.split_once(" in ") {
        Some((name, range)) => (name.trim(), Some(range)),
        None => (text.trim(), None),
    };
    let is_name = name.starts_with(|letter: char| letter.is_alphabetic())
        && name
            .chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_');
    if !is_name {
        let hint = "write \"u\", or \"u in 0..tau\"";
        return Err(Fault::at("", format!("\"{name}\" is no name")).hint(hint));
    }
    let Some(range) = range else {
        return Ok((name.to_owned(), None));
    };
    let Some((from, to)) = range.split_once("..") else {
        let hint = format!("write \"{name} in 0..tau\"");
        return Err(Fault::at("", format!("\"{range}\" is no range")).hint(hint));
    };
    let number = |text: &str| {
        let mut names = Names::of(scene);
        let mut scope = Scope::new(&mut names);
        let value = scope
            .expression(text)
            .map_err(|problem| told_in(problem, text))?;
        let number = match *value.parts() {
            [at] => scope.graph().value(at),
            _ => None,
        };
        number.ok_or_else(|| Fault::at("", format!("\"{text}\" is no constant number")))
    };
    let (from, to) = (number(from)?, number(to)?);
    if !(from.is_finite() && to.is_finite() && from < to) {
        let fault = Fault::at("", format!("goes from {from} to {to}"));
        return Err(fault.hint("the first must be the lesser"));
    }
    let closed = false;
    Ok((name.to_owned(), Some(Domain { from, to, closed })))
}

impl Fit {
    /// Finds points of curves and surfaces, or differences, at all places that are tried.
    pub(super) fn try_places(&self, at: &mut At) {
        if self.is_shared && !self.free.is_empty() {
            return self.share_places(at);
        }
        for place in 0..self.n_places() {
            self.go_to(place, at);
            let u = self.free_numbers(at);
            self.put(u, [0.0; MOST_FREE], at);
            self.keep_points(place, at);
        }
    }

    /// Keeps where points are at a place that is tried.
    pub(super) fn keep_points(&self, place: usize, at: &mut At) {
        for (k, own) in self.along.iter().enumerate() {
            let (first, d) = (usize::from(own.point), own.map.dimension());
            at.tried[k][place][..d].copy_from_slice(&at.x[first..first + d]);
        }
    }

    /// How many places are tried.
    pub(super) fn n_places(&self) -> usize {
        self.free.iter().map(|own| own.n_places + 1).product()
    }

    /// Free numbers of a place that is tried.
    pub(super) fn go_to(&self, place: usize, at: &mut At) {
        let mut left = place;
        for free in &self.free {
            let n = free.n_places + 1;
            at.x[usize::from(free.input)] = free.place(left % n);
            left /= n;
        }
    }

    /// Puts the free number of a row where that is least, and tells the row there.
    pub(super) fn foot(&self, free: &Free, at: &mut At, row: &mut Row) -> Foot {
        let Domain { from, to, .. } = free.domain;
        let begin = match self.is_shared {
            true => self.begin_shared(free, at),
            false => self.begin_tried(free, at),
        };
        let (mut u, is_closed) = (begin.u, begin.is_closed);
        let is_end = |u: f64| !is_closed && (u <= from || u >= to);
        let leads_out = |u: f64, slope: f64| is_end(u) && slope * (u - 0.5 * (from + to)) <= 0.0;
        if self.is_shared {
            self.go_to_place([u, 0.0], at);
            self.differences(at, [1.0, 0.0], row);
            let slope = dot(row.r, row.by_u[0]);
            let bend = dot(row.by_u[0], row.by_u[0]) + dot(row.r, row.bend);
            let step = -slope / bend;
            if leads_out(u, slope) {
                return Foot::alone(u, false);
            }
            let is_near = bend > 0.0 && step.abs() <= NEAR_BEFORE * (to - from);
            if is_near && !is_end(u + step) {
                // What is left of the way changes the row by so little that its slopes tell it.
                for part in 0..MOST_PARTS {
                    row.r[part] += step * row.by_u[0][part];
                    row.by_u[0][part] += step * row.bend[part];
                }
                return Foot::alone(free.wrapped(u + step, is_closed), true);
            }
        }
        let (mut low, mut high) = (begin.low, begin.high);
        for _ in 0..STEPS {
            self.put([u, 0.0], [1.0, 0.0], at);
            let (slope, bend) = self.bends(at);
            if leads_out(u, slope) {
                break;
            }
            if slope > 0.0 {
                high = u;
            } else {
                low = u;
            }
            let newton = u - slope / bend;
            let is_newton = bend > 0.0 && newton >= low && newton <= high;
            let next = if is_newton {
                newton
            } else {
                0.5 * (low + high)
            };
            let step = (next - u).abs();
            u = next;
            let near = if is_newton { NEAR_BEFORE } else { NEAR };
            if step.is_nan() || step <= near * (to - from) {
                break;
            }
        }
        let can_move = !is_end(u);
        u = free.wrapped(u, is_closed);
        self.go_to_place([u, 0.0], at);
        self.differences(at, [0.0; MOST_FREE], row);
        Foot::alone(u, can_move)
    }

    /// Where to begin in a row: the least of the places that are tried.
    fn begin_tried(&self, free: &Free, at: &mut At) -> Begin {
        let n = free.n_places;
        let mut ends = [[0.0; MOST_PARTS]; 2];
        let mut squares = [0.0; MOST + 1];
        let mut best = 0;
        for k in 0..=n {
            let r = self.tried(k, at);
            ends[usize::from(k > 0)] = r;
            squares[k] = dot(r, r);
            if squares[k] < squares[best] {
                best = k;
            }
        }
        let mut begin = free.begin(best, free.is_closed(ends));
        // From the top of the parabola through its neighbors, where there are any.
        if best > 0 && best < n {
            let [left, middle, right] = [squares[best - 1], squares[best], squares[best + 1]];
            let bend = left - 2.0 * middle + right;
            if bend > 0.0 {
                let wide = free.wide();
                begin.u += (0.5 * wide * (left - right) / bend).clamp(-wide, wide);
            }
        }
        begin
    }

    /// Free numbers somewhere, and nothing with them yet.
    pub(super) fn go_to_place(&self, u: [f64; MOST_FREE], at: &mut At) {
        for (free, u) in self.free.iter().zip(u) {
            at.x[usize::from(free.input)] = u;
        }
    }

    /// Puts free numbers somewhere, and points with them, while they go somewhere.
    pub(super) fn put(&self, u: [f64; MOST_FREE], going: [f64; MOST_FREE], at: &mut At) {
        for ((free, u), going) in self.free.iter().zip(u).zip(going) {
            let input = usize::from(free.input);
            (at.x[input], at.x1[input]) = (u, going);
        }
        for k in 0..self.along.len() {
            if self.is_free(&self.along[k]) {
                self.place(k, at, going);
            }
        }
    }

    /// Differences at a place that is tried.
    pub(super) fn tried(&self, place: usize, at: &mut At) -> [f64; MOST_PARTS] {
        self.go_to(place, at);
        for (k, own) in self.along.iter().enumerate() {
            if self.is_free(own) {
                let (first, d) = (usize::from(own.point), own.map.dimension());
                at.x[first..first + d].copy_from_slice(&at.tried[k][place][..d]);
            }
        }
        self.value(at)
    }

    /// Differences where everything was put.
    pub(super) fn value(&self, at: &At) -> [f64; MOST_PARTS] {
        if self.has_plain_slopes() {
            return self.plain(&at.x, at.rest, &at.entries);
        }
        let tape = self.law.tape();
        let mut r = [0.0; MOST_PARTS];
        tape.value(&at.x[..tape.n_inputs()], &mut r[..tape.n_outputs()]);
        r
    }

    /// Differences, their rates and second rates along where free numbers go.
    pub(super) fn jet(&self, at: &At) -> [[f64; MOST_PARTS]; 3] {
        let tape = self.law.tape();
        let (n, m) = (tape.n_inputs(), tape.n_outputs());
        let [mut r, mut r1, mut r2] = [[0.0; MOST_PARTS]; 3];
        tape.jet(
            Motion {
                x: &at.x[..n],
                x1: &at.x1[..n],
                x2: &at.x2[..n],
            },
            JetMut {
                y: &mut r[..m],
                y1: &mut r1[..m],
                y2: &mut r2[..m],
                rows: &mut [],
            },
        );
        [r, r1, r2]
    }

    /// f′ and f″ along where free numbers go.
    pub(super) fn bends(&self, at: &At) -> (f64, f64) {
        let [r, r1, r2] = self.jet(at);
        (dot(r, r1), dot(r1, r1) + dot(r, r2))
    }

    /// Free numbers as they are.
    pub(super) fn free_numbers(&self, at: &At) -> [f64; MOST_FREE] {
        let mut u = [0.0; MOST_FREE];
        for (u, free) in u.iter_mut().zip(&self.free) {
            *u = at.x[usize::from(free.input)];
        }
        u
    }
}
