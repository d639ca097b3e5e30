//! Where the number that a row has of its own is best: the nearest point of a curve, and the like.
//!
//! ```text
//!     f(u) = ½·|r(u)|²      f′ = r·r_u      f″ = r_u·r_u + r·r_uu
//! ```
//!
//! The least of some places all over the range, then Newton's method between its neighbors. Nothing is remembered, so where
//! a row is does not depend on how the others came to where they are.

use linkwork::shape::{Domain, ShapeMap};
use linkwork_formula::{JetMut, Motion, Scope};

use super::{At, Fit, MOST_PARTS, told_in};
use crate::fault::Fault;
use crate::formula::names::Names;
use crate::scene::Scene;

/// Places that are tried: so many for each part of a curve, and at the least and at the most.
const PER_PART: usize = 4;
const FEWEST: usize = 32;
const MOST: usize = 128;
/// All of them, with both ends.
pub(super) const MOST_PLACES: usize = MOST + 1;
/// Steps of Newton's method, and how near is near enough, relative to the range.
const STEPS: usize = 40;
const NEAR: f64 = 1e-14;
/// Ends whose differences are as near to each other as this are one place.
const CLOSED: f64 = 1e-9;

/// A number that each row has of its own.
#[derive(Clone, Debug)]
pub(super) struct Free {
    pub(super) input: u16,
    domain: Domain,
    /// Whether the range was typed: whether it goes round is then seen at its ends.
    is_typed: bool,
    n_places: usize,
}

impl Free {
    pub(super) fn new(input: u16, domain: Domain, is_typed: bool, n_parts: usize) -> Self {
        Self {
            input,
            domain,
            is_typed,
            n_places: (PER_PART * n_parts).clamp(FEWEST, MOST),
        }
    }

    /// The same on another curve, unless its range was typed.
    pub(super) fn follow(&mut self, map: &dyn ShapeMap) {
        if let Some(domain) = map.domains().first().filter(|_| !self.is_typed) {
            *self = Self::new(self.input, *domain, false, map.n_parts());
        }
    }

    /// A place that is tried.
    fn place(&self, k: usize) -> f64 {
        let Domain { from, to, .. } = self.domain;
        from + k as f64 * ((to - from) / self.n_places as f64)
    }
}

/// The name of a free number, and its range if there is one: `u`, or `u in 0..tau`.
pub(super) fn declared(
    scene: &Scene,
    text: &str,
) -> Result<(Option<String>, Option<Domain>), Fault> {
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
        return Ok((Some(name.to_owned()), None));
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
    Ok((Some(name.to_owned()), Some(Domain { from, to, closed })))
}

impl Fit {
    /// Finds points of curves at all places that are tried.
    pub(super) fn try_places(&self, at: &mut At) {
        let Some(free) = &self.free else {
            return;
        };
        for (k, own) in self.along.iter().enumerate() {
            if own.at != free.input {
                continue;
            }
            let first = usize::from(own.point);
            for place in 0..=free.n_places {
                at.x[usize::from(free.input)] = free.place(place);
                self.place(own, at, None, |_, _, _| {});
                let point = &at.x[first..first + own.map.dimension()];
                at.tried[k][place][..point.len()].copy_from_slice(point);
            }
        }
    }

    /// Puts the free number of a row where that is least; whether it could go further in both directions.
    pub(super) fn foot(&self, free: &Free, at: &mut At) -> (f64, bool) {
        at.by_u[usize::from(free.input)] = 1.0;
        let Domain { from, to, .. } = free.domain;
        let n = free.n_places;
        let wide = (to - from) / n as f64;
        let mut ends = [[0.0; MOST_PARTS]; 2];
        let mut squares = [0.0; MOST_PLACES];
        let mut best = 0;
        for k in 0..=n {
            let r = self.tried(free, k, at);
            ends[usize::from(k > 0)] = r;
            squares[k] = r.iter().map(|own| own * own).sum::<f64>();
            if squares[k] < squares[best] {
                best = k;
            }
        }
        let is_closed = match free.is_typed {
            true => {
                let apart = (0..MOST_PARTS).map(|k| (ends[0][k] - ends[1][k]).abs());
                let size = ends
                    .iter()
                    .flatten()
                    .fold(0.0f64, |most, own| most.max(own.abs()));
                apart.fold(0.0, f64::max) <= CLOSED * size
            }
            false => free.domain.closed,
        };
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
            let (slope, bend) = self.slopes(free, u, at);
            if slope > 0.0 {
                high = u;
            } else {
                low = u;
            }
            let newton = u - slope / bend;
            let next = match bend > 0.0 && newton >= low && newton <= high {
                true => newton,
                false => 0.5 * (low + high),
            };
            let step = (next - u).abs();
            u = next;
            if step.is_nan() || step <= NEAR * (to - from) {
                break;
            }
        }
        let can_move = is_closed || (u > from && u < to);
        if is_closed {
            let turns = ((u - from) / (to - from)).floor();
            u -= turns * (to - from);
        }
        self.put(free, u, at);
        (u, can_move)
    }

    /// Puts the free number somewhere, and points of curves with it.
    fn put(&self, free: &Free, u: f64, at: &mut At) {
        at.x[usize::from(free.input)] = u;
        for own in self.along.iter().filter(|own| own.at == free.input) {
            self.place(own, at, Some(free), |_, _, _| {});
        }
    }

    /// Differences at a place that is tried.
    fn tried(&self, free: &Free, place: usize, at: &mut At) -> [f64; MOST_PARTS] {
        at.x[usize::from(free.input)] = free.place(place);
        for (k, own) in self.along.iter().enumerate() {
            if own.at == free.input {
                let (first, d) = (usize::from(own.point), own.map.dimension());
                at.x[first..first + d].copy_from_slice(&at.tried[k][place][..d]);
            }
        }
        let tape = self.law.tape();
        let mut r = [0.0; MOST_PARTS];
        tape.value(&at.x[..tape.n_inputs()], &mut r[..tape.n_outputs()]);
        r
    }

    /// f′ and f″.
    fn slopes(&self, free: &Free, u: f64, at: &mut At) -> (f64, f64) {
        self.put(free, u, at);
        let tape = self.law.tape();
        let (n, m) = (tape.n_inputs(), tape.n_outputs());
        let [mut r, mut r1, mut r2] = [[0.0; MOST_PARTS]; 3];
        tape.jet(
            Motion {
                x: &at.x[..n],
                x1: &at.by_u[..n],
                x2: &at.by_uu[..n],
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
