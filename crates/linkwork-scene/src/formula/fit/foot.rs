//! Where the number that a row has of its own is best: the nearest point of a curve, and the like.
//!
//! ```text
//!     f(u) = ½·|r(u)|²      f′ = r·r_u      f″ = r_u·r_u + r·r_uu
//! ```
//!
//! The least of some places all over the range, then Newton's method between its neighbors. Nothing is remembered, so where
//! a row is does not depend on how the others came to where they are.

use linkwork::shape::Domain;
use linkwork_formula::{JetMut, Motion, Scope};

use super::{At, Fit, Foot, MOST_FREE, MOST_PARTS, told_in};
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
pub(super) const MOST_PLACES: usize = (OVER + 1) * (OVER + 1);
/// Steps of Newton's method, and how near is near enough, relative to the range: the error of what follows a step of
/// Newton's is that of its square.
const STEPS: usize = 40;
const NEAR: f64 = 1e-14;
const NEAR_BEFORE: f64 = 1e-9;
/// Ends whose differences are as near to each other as this are one place.
const CLOSED: f64 = 1e-9;

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
        let Domain { from, to, .. } = self.domain;
        from + k as f64 * ((to - from) / self.n_places as f64)
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
    /// Finds points of curves and surfaces at all places that are tried.
    pub(super) fn try_places(&self, at: &mut At) {
        for k in 0..self.along.len() {
            if !self.is_free(&self.along[k]) {
                continue;
            }
            let own = &self.along[k];
            let (first, d) = (usize::from(own.point), own.map.dimension());
            for place in 0..self.n_places() {
                self.go_to(place, at);
                self.place(k, at, [0.0; MOST_FREE]);
                at.tried[k][place][..d].copy_from_slice(&at.x[first..first + d]);
            }
        }
    }

    /// How many places are tried.
    pub(super) fn n_places(&self) -> usize {
        self.free.iter().map(|own| own.n_places + 1).product()
    }

    /// Free numbers of a place that is tried.
    fn go_to(&self, place: usize, at: &mut At) {
        let mut left = place;
        for free in &self.free {
            let n = free.n_places + 1;
            at.x[usize::from(free.input)] = free.place(left % n);
            left /= n;
        }
    }

    /// Puts the free number of a row where that is least.
    pub(super) fn foot(&self, free: &Free, at: &mut At) -> Foot {
        let Domain { from, to, .. } = free.domain;
        let n = free.n_places;
        let wide = (to - from) / n as f64;
        let mut ends = [[0.0; MOST_PARTS]; 2];
        let mut squares = [0.0; MOST + 1];
        let mut best = 0;
        for k in 0..=n {
            let r = self.tried(k, at);
            ends[usize::from(k > 0)] = r;
            squares[k] = r.iter().map(|own| own * own).sum::<f64>();
            if squares[k] < squares[best] {
                best = k;
            }
        }
        let is_closed = free.is_closed(ends);
        let at_best = free.place(best);
        let (mut low, mut high) = (at_best - wide, at_best + wide);
        if !is_closed {
            (low, high) = (low.max(from), high.min(to));
        }
        let mut u = at_best;
        // From the top of the parabola through its neighbors, where there are any.
        if best > 0 && best < n {
            let [left, middle, right] = [squares[best - 1], squares[best], squares[best + 1]];
            let bend = left - 2.0 * middle + right;
            if bend > 0.0 {
                u += (0.5 * wide * (left - right) / bend).clamp(-wide, wide);
            }
        }
        for _ in 0..STEPS {
            self.put([u, 0.0], [1.0, 0.0], at);
            let (slope, bend) = self.bends(at);
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
        let can_move = is_closed || (u > from && u < to);
        if is_closed {
            u = free.wrap(u);
        }
        self.put([u, 0.0], [1.0, 0.0], at);
        Foot {
            u: [u, 0.0],
            can_move: [can_move, false],
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
        let tape = self.law.tape();
        let mut r = [0.0; MOST_PARTS];
        tape.value(&at.x[..tape.n_inputs()], &mut r[..tape.n_outputs()]);
        r
    }

    /// f′ and f″ along where free numbers go.
    pub(super) fn bends(&self, at: &At) -> (f64, f64) {
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
        let slope = (0..m).map(|k| r[k] * r1[k]).sum();
        let bend = (0..m).map(|k| r1[k] * r1[k] + r[k] * r2[k]).sum();
        (slope, bend)
    }
}
