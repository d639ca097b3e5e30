//! Where two numbers that a row has of its own are best: the nearest point of a surface, and the like.
//!
//! ```text
//!     f(u, v) = ½·|r|²      d² f along (1, 0), (0, 1) and (1, 1)  ⇒  f_uu, f_vv, f_uv
//! ```
//!
//! The least of some places all over the ranges, then Newton's method, halved until f is smaller. What is at an end of
//! its range and wants beyond stays there.

use linkwork::shape::Domain;

use super::foot::Free;
use super::{At, Fit, Foot, dot};

/// Steps of Newton's method, halves of each, and how near is near enough, relative to the ranges.
const STEPS: usize = 30;
const HALVES: usize = 12;
const NEAR: f64 = 1e-9;

impl Fit {
    /// Puts the free numbers of a row where that is least.
    pub(super) fn foot_over(&self, free: [&Free; 2], at: &mut At) -> Foot {
        let wide = free[0].n_places + 1;
        let (mut best, mut least) = (0, f64::INFINITY);
        let beside = self.beside(at);
        for place in 0..self.n_places() {
            let r = self.at_place(place, beside, at);
            let own = dot(r, r);
            if own < least {
                (best, least) = (place, own);
            }
        }
        let steps = [best % wide, best / wide];
        let mut u = [0, 1].map(|k| free[k].place(steps[k]));
        // What goes round is seen along the line through the best place.
        let is_closed = [0, 1].map(|k| {
            let first = best - steps[k] * [1, wide][k];
            let last = first + free[k].n_places * [1, wide][k];
            free[k].is_closed([first, last].map(|place| self.at_place(place, beside, at)))
        });
        let ranges = [0, 1].map(|k| free[k].domain);
        for _ in 0..STEPS {
            let (gradient, hessian) = self.bends_over(u, at);
            // Held at an end that the slope leads beyond.
            let is_held = [0, 1].map(|k| {
                let Domain { from, to, .. } = ranges[k];
                !is_closed[k]
                    && (u[k] <= from && gradient[k] > 0.0 || u[k] >= to && gradient[k] < 0.0)
            });
            let step = newton(gradient, hessian, is_held);
            let Some((next, value)) = self.shorter(u, step, (ranges, is_closed), least, at) else {
                break;
            };
            let moved = [0, 1].map(|k| (next[k] - u[k]).abs() / ranges[k].length());
            (u, least) = (next, value);
            if moved[0].max(moved[1]) <= NEAR {
                break;
            }
        }
        let can_move =
            [0, 1].map(|k| is_closed[k] || (u[k] > ranges[k].from && u[k] < ranges[k].to));
        for k in 0..2 {
            if is_closed[k] {
                u[k] = free[k].wrap(u[k]);
            }
        }
        self.put(u, [0.0; 2], at);
        Foot { u, can_move }
    }

    /// Goes along a step, halved until rows are smaller; none if they never are.
    fn shorter(
        &self,
        u: [f64; 2],
        mut step: [f64; 2],
        (ranges, is_closed): ([Domain; 2], [bool; 2]),
        least: f64,
        at: &mut At,
    ) -> Option<([f64; 2], f64)> {
        for _ in 0..HALVES {
            let next = [0, 1].map(|k| match is_closed[k] {
                true => u[k] + step[k],
                false => (u[k] + step[k]).clamp(ranges[k].from, ranges[k].to),
            });
            self.put(next, [0.0; 2], at);
            let r = self.value(at);
            let value = dot(r, r);
            if value < least {
                return Some((next, value));
            }
            step = step.map(|own| 0.5 * own);
        }
        None
    }

    /// Gradient and second derivatives by both numbers.
    fn bends_over(&self, u: [f64; 2], at: &mut At) -> ([f64; 2], [f64; 3]) {
        let mut along = |going| {
            self.put(u, going, at);
            self.bends(at)
        };
        let [(a, aa), (b, bb), (_, sum)] = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]].map(&mut along);
        ([a, b], [aa, 0.5 * (sum - aa - bb), bb])
    }
}

/// A step downhill: Newton's where second derivatives are positive, else with what makes them so.
fn newton([a, b]: [f64; 2], [aa, ab, bb]: [f64; 3], is_held: [bool; 2]) -> [f64; 2] {
    let alone = |slope: f64, bend: f64| match bend.abs() > 0.0 {
        true => -slope / bend.abs(),
        false => 0.0,
    };
    match is_held {
        [true, true] => [0.0; 2],
        [true, false] => [0.0, alone(b, bb)],
        [false, true] => [alone(a, aa), 0.0],
        [false, false] => {
            let det = aa * bb - ab * ab;
            if aa > 0.0 && det > 1e-12 * aa * bb.abs() {
                return [(ab * b - bb * a) / det, (ab * a - aa * b) / det];
            }
            [alone(a, aa), alone(b, bb)]
        }
    }
}
