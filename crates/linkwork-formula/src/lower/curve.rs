//! What curves have: direction, length, area.
//!
//! ```text
//!     length = ∫ ‖x′‖ du        area = ½·∮ x × x′ du
//! ```
//!
//! A curve that closes smoothly is summed at equal distances, which gains digits with every point. Any other one is
//! cut into panels with Gauss's points.

use super::Scope;
use crate::catalogue::{Builtin, Call};
use crate::graph::{At, Value};
use crate::messages::Say;
use crate::op::Op;
use crate::problem::{Checked, Problem};
use crate::tree::{NodeId, Sort, Tree};

/// Points of the sums.
const N_POINTS: usize = 32;

/// Points and weights of Gauss and Legendre on [−1, 1], the positive half of eight (Abramowitz, Stegun 1964, 25.4).
const GAUSS: [[f64; 2]; 4] = [
    [0.183_434_642_495_649_8, 0.362_683_783_378_362],
    [0.525_532_409_916_329, 0.313_706_645_877_887_3],
    [0.796_666_477_413_626_7, 0.222_381_034_453_374_48],
    [0.960_289_856_497_536_3, 0.101_228_536_290_376_26],
];

/// A curve over a parameter that stands for itself.
struct Open {
    temporary: At,
    x: Value,
    x_u: Value,
}

impl Scope<'_> {
    /// `tangent`, `length`, `area`.
    pub(super) fn measure(
        &mut self,
        tree: &Tree,
        builtin: &Builtin,
        with: &[NodeId],
    ) -> Checked<Value> {
        let span = self.span(tree, with[0]);
        let Some(curve) = self
            .function(tree, with[0])?
            .filter(|own| own.sort == Sort::Curve)
        else {
            return Err(Problem::say(span, Say::NotACurve, &[builtin.name]));
        };
        let (index, temporary) = self.temporary();
        self.expanded(span)?;
        let x = self.expand(&curve, &[Value::scalar(temporary)], span)?;
        let x_u = self.slope(x, index);
        let open = Open { temporary, x, x_u };
        if builtin.call == Call::Tangent {
            let at = self.scalar(tree, with[1])?;
            let x_u = self.substituted(open.x_u, open.temporary, at);
            let norm = Value::scalar(self.norm(x_u));
            return self.each(Op::Divide, x_u, norm, span);
        }
        let ends = match with {
            [_, low, high] => [self.scalar(tree, *low)?, self.scalar(tree, *high)?],
            [_] => curve.ranges[0].map(|end| self.graph.constant(end)),
            _ => {
                let words = [builtin.name, "2", "length(curve, from, to)"];
                return Err(Problem::say(span, Say::DoesNotTake, &words));
            }
        };
        let is_closed = with.len() == 1 && self.compare_ends(&open, ends);
        if builtin.call == Call::Length {
            let speed = self.norm(open.x_u);
            return Ok(Value::scalar(self.integral(speed, &open, ends, is_closed)));
        }
        if open.x.len() != 2 {
            return Err(Problem::say(span, Say::NoArea, &[]));
        }
        let [swept, ..] = self.cross(open.x, open.x_u).at();
        let mut twice = self.integral(swept, &open, ends, is_closed);
        if !is_closed {
            let [first, last] = ends.map(|end| self.substituted(open.x, open.temporary, end));
            let [chord, ..] = self.cross(last, first).at();
            twice = self.graph.binary(Op::Add, twice, chord);
        }
        let half = self.graph.constant(0.5);
        Ok(Value::scalar(self.graph.binary(Op::Multiply, half, twice)))
    }

    /// Whether the curve ends where it begins, in the same direction, whatever the numbers it depends on: tried at
    /// a place that nothing has a reason to know.
    fn compare_ends(&mut self, open: &Open, ends: [At; 2]) -> bool {
        let mut is_closed = true;
        for value in [open.x, open.x_u] {
            let [first, last] = ends.map(|end| self.substituted(value, open.temporary, end).at());
            for (a, b) in first.into_iter().zip(last) {
                let input = |k: u16| 0.7 + (f64::from(k % 1000) * 0.618_033_988_749_895) % 1.0;
                let values = self.graph.values(a.max(b), input);
                let (a, b) = (values[a as usize], values[b as usize]);
                is_closed &= (a - b).abs() <= 1e-9 * (1.0 + a.abs());
            }
        }
        is_closed
    }

    /// The integral of a node over the parameter.
    fn integral(&mut self, of: At, open: &Open, [low, high]: [At; 2], is_closed: bool) -> At {
        let way = self.graph.binary(Op::Subtract, high, low);
        let mut sum = crate::graph::ZERO;
        for k in 0..N_POINTS {
            let [place, weight] = point(k, is_closed);
            let graph = &mut self.graph;
            let place = graph.constant(place);
            let part = graph.binary(Op::Multiply, way, place);
            let at = graph.binary(Op::Add, low, part);
            let mut roots = [of];
            graph.substitute(&mut roots, open.temporary, at);
            let weight = graph.constant(weight);
            let term = graph.binary(Op::Multiply, weight, roots[0]);
            sum = graph.binary(Op::Add, sum, term);
        }
        self.graph.binary(Op::Multiply, sum, way)
    }
}

/// A place in [0, 1] and its weight; weights add up to one.
fn point(k: usize, is_closed: bool) -> [f64; 2] {
    if is_closed {
        let weight = 1.0 / N_POINTS as f64;
        return [k as f64 * weight, weight];
    }
    let wide = 2.0 * GAUSS.len() as f64 / N_POINTS as f64;
    let middle = ((k / 2 / GAUSS.len()) as f64 + 0.5) * wide;
    let [x, weight] = GAUSS[k / 2 % GAUSS.len()];
    let x = if k.is_multiple_of(2) { -x } else { x };
    [middle + 0.5 * wide * x, 0.5 * wide * weight]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_summed_exactly() {
        // Eight points are exact up to degree 15.
        for degree in 0..=15 {
            let points = (0..N_POINTS).map(|k| point(k, false));
            let sum: f64 = points.map(|[x, w]| w * x.powi(degree)).sum();
            assert!(
                (sum - 1.0 / f64::from(degree + 1)).abs() < 1e-15,
                "{degree}: {sum}"
            );
        }
        let sum: f64 = (0..N_POINTS).map(|k| point(k, true)[1]).sum();
        assert_eq!(sum, 1.0);
    }
}
