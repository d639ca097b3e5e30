//! What is checked: rows over inputs that move. A vector of numbers moves as so many scalars.

use super::motion::Sample;
use crate::connector::{ConnectorKind, Input};
use crate::constraint::{Evaluation, Level};

/// Rows over inputs: those of a constraint, or the outputs of a block.
pub(crate) struct Law<'a> {
    /// What it takes.
    pub(crate) kinds: &'a [ConnectorKind],
    pub(crate) level: Level,
    /// Whether its force acts along directions of its own.
    pub(crate) pushes: bool,
    pub(crate) eval: &'a dyn Fn(f64, &[Input<'_>]) -> Evaluation,
}

/// The kinds of the motions that inputs of these kinds are moved by.
pub(crate) fn moved_as(kinds: &[ConnectorKind]) -> Vec<ConnectorKind> {
    let mut out = Vec::new();
    for &kind in kinds {
        match kind {
            ConnectorKind::Vector(n) => out.extend((0..n).map(|_| ConnectorKind::Scalar)),
            kind => out.push(kind),
        }
    }
    out
}

impl Law<'_> {
    /// All that is written at one instant, with a column for each motion's rate.
    pub(super) fn evaluate(&self, t: f64, samples: &[Sample]) -> Evaluation {
        let mut values = Vec::new();
        let mut rest = samples;
        for &kind in self.kinds {
            let n = match kind {
                ConnectorKind::Vector(n) => n as usize,
                _ => 1,
            };
            let (own, others) = rest.split_at(n);
            rest = others;
            let x = own.iter().flat_map(|own| &own.x[..own.kind.n_x()]);
            let x_dot = own.iter().flat_map(|own| &own.x_dot[..own.kind.n_x_dot()]);
            let x: Vec<f64> = x.copied().collect();
            let x_dot: Vec<f64> = x_dot.copied().collect();
            values.push((kind, x, x_dot));
        }
        let inputs = values.iter().map(|(kind, x, x_dot)| Input {
            kind: *kind,
            x,
            x_dot,
        });
        let inputs: Vec<Input<'_>> = inputs.collect();
        let mut now = (self.eval)(t, &inputs);
        let n_rows = now.c.len();
        for part in [&mut now.dc_dx, &mut now.push] {
            self.split_vectors(n_rows, part);
        }
        now
    }

    /// Turns the columns of a vector's numbers into inputs of their own.
    fn split_vectors(&self, n_rows: usize, part: &mut [f64]) {
        if part.is_empty() {
            return;
        }
        let mut start = 0;
        for &kind in self.kinds {
            let size = n_rows * kind.n_x_dot();
            if let ConnectorKind::Vector(n) = kind {
                let n = n as usize;
                let by_rows = part[start..start + size].to_vec();
                for (at, out) in part[start..start + size].iter_mut().enumerate() {
                    *out = by_rows[at % n_rows * n + at / n_rows];
                }
            }
            start += size;
        }
    }
}
