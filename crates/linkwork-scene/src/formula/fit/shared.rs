//! Where rows begin to look for their free number, if places do the same in all rows: `r = a(u) + b` with b of the row.
//!
//! ```text
//!     rₖ, r′ₖ, r″ₖ of a(uₖ), once for all rows      |r(u) − r(uₖ)| ≤ way from uₖ to u
//! ```
//!
//! The least of all places is looked for along the curve, and what is too near to a place that is far away is passed
//! over. Between two places a(u) is close to the polynomial of degree five with the same values and derivatives at
//! both.

use super::foot::{Begin, Free};
use super::{At, Fit, MOST_FREE, MOST_PARTS, dot};

/// Steps of Newton's method on the polynomial.
const STEPS: usize = 4;
/// What round-off may do to the length of a way.
const ROUND_OFF: f64 = 1e-9;

/// Differences at a place that is tried: a, a′ and a″, and the way along the curve's chords to it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shared {
    r: [f64; MOST_PARTS],
    r1: [f64; MOST_PARTS],
    r2: [f64; MOST_PARTS],
    way: f64,
}

impl Fit {
    /// Finds differences at all places that are tried, where columns are zero.
    pub(super) fn share_places(&self, at: &mut At) {
        let mut going = [0.0; MOST_FREE];
        // Rates along the only free number; with two of them nothing is asked of rates.
        going[0] = if self.free.len() == 1 { 1.0 } else { 0.0 };
        for k in 0..self.n_places() {
            self.go_to(k, at);
            let u = self.free_numbers(at);
            self.put(u, going, at);
            if k == 0 {
                self.keep_points(0, at);
                if self.is_plain {
                    self.find_plain_slopes(at);
                }
            }
            let [r, r1, r2] = self.jet(at);
            let before = at.shared[k.saturating_sub(1)];
            let apart = minus(r, before.r);
            let way = match k {
                0 => 0.0,
                _ => before.way + dot(apart, apart).sqrt(),
            };
            at.shared[k] = Shared { r, r1, r2, way };
        }
    }

    /// What a row has beside what places do, if that is the same in all rows.
    pub(super) fn beside(&self, at: &mut At) -> [f64; MOST_PARTS] {
        match self.is_shared {
            true => minus(self.tried(0, at), at.shared[0].r),
            false => [0.0; MOST_PARTS],
        }
    }

    /// Differences of a row at a place that is tried.
    pub(super) fn at_place(
        &self,
        place: usize,
        beside: [f64; MOST_PARTS],
        at: &mut At,
    ) -> [f64; MOST_PARTS] {
        match self.is_shared {
            true => plus(at.shared[place].r, beside),
            false => self.tried(place, at),
        }
    }

    /// Where to begin in a row.
    pub(super) fn begin_shared(&self, free: &Free, at: &mut At) -> Begin {
        let b = self.beside(at);
        let places = &at.shared[..=free.n_places];
        let best = nearest(places, b);
        let ends = [places[0].r, places[free.n_places].r];
        let is_closed = free.is_closed(ends.map(|own| plus(own, b)));
        let mut begin = free.begin(best, is_closed);
        let own = places[best];
        // Downhill, to the neighbor on that side.
        let slope = dot(plus(own.r, b), own.r1);
        let n = free.n_places;
        let (first, is_back) = match (slope > 0.0, best) {
            (true, 0) if is_closed => (n - 1, true),
            (true, 0) => return begin,
            (true, _) => (best - 1, true),
            (false, last) if last == n && is_closed => (0, false),
            (false, last) if last == n => return begin,
            (false, _) => (best, false),
        };
        let between = Between::new(&places[first], &places[first + 1], b, free.wide());
        let part = between.least(is_back);
        begin.u += free.wide() * if is_back { part - 1.0 } else { part };
        begin
    }
}

/// The place that is nearest to −b: `|a(uⱼ) + b| ≥ |a(uₖ) + b| − way between them`, so that places too near to a far
/// one are passed over.
fn nearest(places: &[Shared], b: [f64; MOST_PARTS]) -> usize {
    let (mut best, mut least) = (0, f64::INFINITY);
    let mut k = 0;
    while k < places.len() {
        let r = plus(places[k].r, b);
        let far = dot(r, r).sqrt();
        if far < least {
            (best, least) = (k, far);
        }
        let reach = places[k].way + (far - least) * (1.0 - ROUND_OFF);
        k += 1;
        while k < places.len() && places[k].way < reach {
            k += 1;
        }
    }
    best
}

/// The polynomial between two places, over 0 to 1: its coefficients, the constant first.
struct Between {
    p: [[f64; MOST_PARTS]; 6],
}

impl Between {
    fn new(from: &Shared, to: &Shared, b: [f64; MOST_PARTS], wide: f64) -> Self {
        let mut p = [[0.0; MOST_PARTS]; 6];
        for part in 0..MOST_PARTS {
            let (x, d, e) = (
                from.r[part],
                wide * from.r1[part],
                0.5 * wide * wide * from.r2[part],
            );
            // What is left at the other end of value, slope and half of the second derivative.
            let left = to.r[part] - x - d - e;
            let slope = wide * to.r1[part] - d - 2.0 * e;
            let bend = 0.5 * wide * wide * to.r2[part] - e;
            p[0][part] = x + b[part];
            (p[1][part], p[2][part]) = (d, e);
            p[3][part] = 10.0 * left - 4.0 * slope + bend;
            p[4][part] = -15.0 * left + 7.0 * slope - 2.0 * bend;
            p[5][part] = 6.0 * left - 3.0 * slope + bend;
        }
        Self { p }
    }

    /// Where its square is least near the end that is nearer, by Newton's method; at that end if that leads out.
    fn least(&self, is_back: bool) -> f64 {
        let start = if is_back { 1.0 } else { 0.0 };
        let mut s = start;
        for _ in 0..STEPS {
            let [mut r, mut r1, mut r2] = [[0.0; MOST_PARTS]; 3];
            for p in self.p.iter().rev() {
                for part in 0..MOST_PARTS {
                    r2[part] = r2[part] * s + r1[part];
                    r1[part] = r1[part] * s + r[part];
                    r[part] = r[part] * s + p[part];
                }
            }
            let (slope, bend) = (dot(r, r1), dot(r1, r1) + 2.0 * dot(r, r2));
            let next = s - slope / bend;
            if !(bend > 0.0 && (0.0..=1.0).contains(&next)) {
                return start;
            }
            let step = (next - s).abs();
            s = next;
            // The next step is of the square of this one.
            if step < 1e-6 {
                break;
            }
        }
        s
    }
}

fn plus(a: [f64; MOST_PARTS], b: [f64; MOST_PARTS]) -> [f64; MOST_PARTS] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn minus(a: [f64; MOST_PARTS], b: [f64; MOST_PARTS]) -> [f64; MOST_PARTS] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
