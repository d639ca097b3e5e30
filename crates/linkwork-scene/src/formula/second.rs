//! Second derivatives of one number over the rates of connectors.
//!
//! An axis r of a frame in space turns with `δr = θ × r + ½·θ × (θ × r)`, so that beside `Tᵀ·H·T`, T taking rates to
//! inputs, the gradient g by an axis gives
//!
//! ```text
//!     θᵀ·(½·(r·gᵀ + g·rᵀ) − (r·g)·1)·θ / 2
//! ```

use linkwork_formula::{At, Graph, Hessian};

use super::tape::{MOST_INPUTS, OverConnectors};
use crate::fault::Fault;

/// Entries of the largest gradient and its rows: they lie on the stack.
const MOST_ENTRIES: usize = 4200;

/// A number, its gradient and its second derivatives.
#[derive(Clone, Debug)]
pub(super) struct Second {
    hessian: Hessian,
}

/// Where second derivatives go: the gradient by a rate, and by two.
pub(super) trait Into {
    fn gradient(&mut self, column: usize, slope: f64);
    fn second(&mut self, row: usize, column: usize, entry: f64);
}

impl Second {
    /// Of one node.
    pub(super) fn new(graph: &Graph, of: At, n_inputs: usize) -> Result<Self, Fault> {
        let hessian = Hessian::new(graph, of, n_inputs);
        let hessian = hessian.map_err(|problem| Fault::at("is", problem.to_string()))?;
        if hessian.n_entries() > MOST_ENTRIES || hessian.inputs().len() >= MOST_INPUTS {
            let fault = Fault::at("is", "has too many second derivatives");
            return Err(fault.hint("make several formulas of it"));
        }
        Ok(Self { hessian })
    }

    /// Whether it has any.
    pub(super) fn is_curved(&self) -> bool {
        let n = self.hessian.inputs().len();
        (0..n).any(|k| !self.hessian.pattern(k).is_empty())
    }

    /// The rates that it depends on, ascending.
    pub(super) fn rates(&self, law: &OverConnectors) -> Vec<usize> {
        let ones = [1.0; MOST_INPUTS];
        let inputs = self.hessian.inputs().iter();
        let rates = inputs.flat_map(|&input| law.rates_of(input, &ones));
        let mut rates: Vec<usize> = rates.filter(|own| own.1 != 0.0).map(|own| own.0).collect();
        // What depends on a part of a frame depends on all of its turns.
        for (_, turn) in law.axes() {
            if rates.iter().any(|own| (turn..turn + 3).contains(own)) {
                rates.extend(turn..turn + 3);
            }
        }
        rates.sort_unstable();
        rates.dedup();
        rates
    }

    /// The number at inputs x; its derivatives go `into`.
    pub(super) fn eval(&self, law: &OverConnectors, x: &[f64], into: &mut impl Into) -> f64 {
        let inputs = self.hessian.inputs();
        let (mut y, mut rows) = ([0.0; MOST_INPUTS], [0.0; MOST_ENTRIES]);
        let y = &mut y[..inputs.len() + 1];
        self.hessian.eval(
            &x[..law.n_inputs()],
            y,
            &mut rows[..self.hessian.n_entries()],
        );
        let mut gradient = [0.0; MOST_INPUTS];
        let mut at = inputs.len();
        for (k, &input) in inputs.iter().enumerate() {
            gradient[usize::from(input)] = y[k + 1];
            let own = law.rates_of(input, x);
            for (rate, part) in own.into_iter().filter(|own| own.1 != 0.0) {
                into.gradient(rate, part * y[k + 1]);
            }
            for &other in self.hessian.pattern(k) {
                let entry = rows[at];
                at += 1;
                let others = law.rates_of(other, x);
                for (row, part) in own.into_iter().filter(|own| own.1 != 0.0) {
                    for (column, other) in others.into_iter().filter(|own| own.1 != 0.0) {
                        into.second(row, column, part * entry * other);
                    }
                }
            }
        }
        for (first, turn) in law.axes() {
            let (r, g) = (&x[first..first + 3], &gradient[first..first + 3]);
            if g.iter().all(|g| *g == 0.0) {
                continue;
            }
            let along: f64 = r.iter().zip(g).map(|(r, g)| r * g).sum();
            for i in 0..3 {
                for j in 0..3 {
                    let mean = 0.5 * (r[i] * g[j] + g[i] * r[j]);
                    let entry = if i == j { mean - along } else { mean };
                    into.second(turn + i, turn + j, entry);
                }
            }
        }
        y[0]
    }
}
