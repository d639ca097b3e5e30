//! What curves have: direction, length, area.
//!
//! ```text
//!     length = ∫ ‖x′‖ du        area = ½·∮ x × x′ du
//! ```
//!
//! A curve that closes smoothly is summed at equal distances, which gains digits with every point. Any other one is
//! cut into panels with Gauss's points.

use std::sync::Arc;

use super::{Function, Scope};
use crate::catalogue::{Builtin, Call};
use crate::graph::{At, Value};
use crate::op::Op;
use crate::problem::{Checked, Problem, Span};
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
        let span = self.called.unwrap_or(tree.span(with[0]));
        let curve = match self.function(tree, with[0])? {
            Some(function) if function.sort == Sort::Curve => function,
            _ => {
                let problem = Problem::new(span, &[builtin.name, " takes the name of a curve"]);
                let form = "curve egg(u in 0..tau) = [2cos(u), sin(u)]";
                return Err(problem.hint(&["such as that of ", form]));
            }
        };
        let open = self.open(&curve, span)?;
        if builtin.call == Call::Tangent {
            let at = self.scalar(tree, with[1])?;
            let x_u = self.substituted(open.x_u, open.temporary, at);
            return Ok(self.unit(x_u));
        }
        let [low, high] = curve.ranges[0].map(|end| self.graph.constant(end));
        let ends = match with {
            [_, low, high] => [self.scalar(tree, *low)?, self.scalar(tree, *high)?],
            [_] => [low, high],
            _ => {
                let problem = Problem::new(span, &[builtin.name, " does not take 2"]);
                return Err(problem.hint(&["write length(curve, from, to)"]));
            }
        };
        let is_closed = with.len() == 1 && self.is_closed(&open, ends);
        if builtin.call == Call::Length {
            let speed = self.norm(open.x_u);
            return Ok(Value::scalar(self.integral(speed, &open, ends, is_closed)));
        }
        if open.x.parts().len() != 2 {
            let problem = Problem::new(span, &["is a curve in space: it has no area"]);
            return Err(problem);
        }
        let swept = self.cross_in_plane(open.x, open.x_u);
        let mut twice = self.integral(swept, &open, ends, is_closed);
        if !is_closed {
            let [first, last] = ends.map(|end| self.substituted(open.x, open.temporary, end));
            let chord = self.cross_in_plane(last, first);
            twice = self.graph.binary(Op::Add, twice, chord);
        }
        let half = self.graph.constant(0.5);
        Ok(Value::scalar(self.graph.binary(Op::Multiply, half, twice)))
    }

    fn open(&mut self, curve: &Arc<Function>, span: Span) -> Checked<Open> {
        let (index, temporary) = self.temporary();
        let x = self.expand(curve, &[Value::scalar(temporary)], span)?;
        let x_u = self.slope(x, index, None);
        Ok(Open { temporary, x, x_u })
    }

    /// Whether the curve ends where it begins, in the same direction, whatever the numbers it depends on.
    fn is_closed(&mut self, open: &Open, ends: [At; 2]) -> bool {
        let both = [open.x, open.x_u];
        let nodes = both.map(|value| ends.map(|end| self.substituted(value, open.temporary, end)));
        let all = nodes.iter().flatten().flat_map(Value::at);
        let last = all.max().unwrap_or(0);
        // Two places that nothing has a reason to know.
        [0.618_033_988_749_895, 0.414_213_562_373_095]
            .into_iter()
            .all(|step| {
                let input = |k: u32| 0.7 + (f64::from(k % 1000) * step) % 1.0;
                let values = self.graph.values(last, input);
                nodes.iter().all(|[first, last]| {
                    let mut pairs = first.parts().iter().zip(last.parts());
                    pairs.all(|(a, b)| {
                        let (a, b) = (values[*a as usize], values[*b as usize]);
                        (a - b).abs() <= 1e-9 * (1.0 + a.abs())
                    })
                })
            })
    }

    /// The integral of a node over the parameter.
    fn integral(&mut self, of: At, open: &Open, [low, high]: [At; 2], is_closed: bool) -> At {
        let way = self.graph.binary(Op::Subtract, high, low);
        let mut sum = crate::graph::ZERO;
        for (place, weight) in points(is_closed) {
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

/// Places in [0, 1] and weights that add up to one.
fn points(is_closed: bool) -> Vec<(f64, f64)> {
    if is_closed {
        let weight = 1.0 / N_POINTS as f64;
        return (0..N_POINTS).map(|k| (k as f64 * weight, weight)).collect();
    }
    let n_panels = N_POINTS / (2 * GAUSS.len());
    let wide = 1.0 / n_panels as f64;
    let panel = |k: usize| {
        let middle = (k as f64 + 0.5) * wide;
        let both =
            move |[x, w]: [f64; 2]| [-x, x].map(|x| (middle + 0.5 * wide * x, 0.5 * wide * w));
        GAUSS.into_iter().flat_map(both)
    };
    (0..n_panels).flat_map(panel).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_summed_exactly() {
        // Eight points are exact up to degree 15.
        for degree in 0..=15 {
            let sum: f64 = points(false).iter().map(|(x, w)| w * x.powi(degree)).sum();
            assert!(
                (sum - 1.0 / f64::from(degree + 1)).abs() < 1e-15,
                "{degree}: {sum}"
            );
        }
        let sum: f64 = points(true).iter().map(|(_, w)| w).sum();
        assert_eq!(sum, 1.0);
    }
}
