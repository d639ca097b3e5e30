//! A formula as a constraint: an equation, an inequality, a wish, or something that is made small.

use linkwork::connector::{ConnectorKind, Input};
use linkwork::constraint::{Bound, Constraint, MAX_ROWS, RowUnit, Rows, energy_rows};
use linkwork::linalg::MatMut;
use linkwork::prelude::*;

use super::second::{self, Second};
use super::tape::{MOST_OUTPUTS, OverConnectors};

/// What a relation asks of its differences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sense {
    /// `left == right`: they are zero.
    Zero,
    /// `left <= right`: they are not above zero.
    AtMost,
    /// `left ~ right weight w`: `½·w·|left − right|²` is small.
    Least(f64),
    /// `minimize E`: squares in E are rows, the rest are rows of its second derivatives.
    Minimize,
}

/// A relation between numbers of connectors, as it was typed.
#[derive(Clone, Debug)]
pub struct Relation {
    text: Box<str>,
    law: OverConnectors,
    sense: Sense,
    units: [RowUnit; MOST_OUTPUTS],
    /// Of rows that must hold: those that are curved.
    curved: Vec<(usize, Second)>,
    /// Of what is made small: weights of squares, and the rest.
    weights: Vec<f64>,
    rest: Option<Rest>,
    constant: f64,
}

/// What is no sum of squares of an energy, and the rates it depends on: as many rows.
#[derive(Clone, Debug)]
struct Rest {
    second: Second,
    /// Connector and column of each row.
    places: Vec<(usize, usize)>,
    /// The row of each rate.
    row_of: Vec<Option<usize>>,
}

impl Relation {
    pub(super) fn new(text: &str, law: OverConnectors, sense: Sense) -> Self {
        Self {
            text: text.into(),
            law,
            sense,
            units: [RowUnit::Number; MOST_OUTPUTS],
            curved: Vec::new(),
            weights: Vec::new(),
            rest: None,
            constant: 0.0,
        }
    }

    /// With second derivatives of rows.
    pub(super) fn curved(mut self, rows: Vec<(usize, Second)>) -> Self {
        self.curved = rows;
        self
    }

    /// With weights of squares, and what is no square.
    pub(super) fn least(mut self, weights: Vec<f64>, rest: Option<Second>, constant: f64) -> Self {
        (self.weights, self.constant) = (weights, constant);
        self.rest = rest.map(|second| {
            let rates = second.rates(&self.law);
            let mut row_of = vec![None; self.law.n_rates()];
            let before = self.law.columns_before();
            let mut places = Vec::new();
            for (row, &rate) in rates.iter().enumerate() {
                row_of[rate] = Some(row);
                let connector = before.partition_point(|start| *start <= rate) - 1;
                places.push((connector, rate - before[connector]));
            }
            Rest {
                second,
                places,
                row_of,
            }
        });
        self
    }

    /// What was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it asks for.
    pub fn sense(&self) -> Sense {
        self.sense
    }

    /// How many rows it has.
    pub(super) fn n_rows(&self) -> usize {
        let squares = match self.sense {
            Sense::Minimize => self.weights.len(),
            _ => self.law.n_outputs(),
        };
        squares + self.rest.as_ref().map_or(0, |rest| rest.places.len())
    }

    /// How compliant each row is: nothing if it must hold.
    pub fn compliance(&self) -> Vec<f64> {
        let n = self.n_rows();
        match self.sense {
            Sense::Zero | Sense::AtMost => vec![0.0; n],
            Sense::Least(weight) => vec![1.0 / weight; n],
            Sense::Minimize => {
                // w·r² is ½·r²/α.
                let squares = self.weights.iter().map(|w| 0.5 / w);
                let mut all: Vec<f64> = squares.collect();
                all.resize(n, 1.0);
                all
            }
        }
    }

    fn is_planar(&self) -> bool {
        let flat =
            |kind: &ConnectorKind| matches!(kind, ConnectorKind::Point2 | ConnectorKind::Frame2);
        self.law.kinds().iter().any(flat)
    }

    /// Rows of what is no sum of squares, behind those of squares. Returns the energy of it.
    fn eval_rest(&self, rest: &Rest, t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) -> f64 {
        let n = rest.places.len();
        let mut own = Gathered {
            row_of: &rest.row_of,
            n,
            gradient: [0.0; MAX_ROWS],
            hessian: [0.0; MAX_ROWS * MAX_ROWS],
        };
        let x = self.law.gather(t, inputs);
        let energy = rest.second.eval(&self.law, &x, &mut own);
        let (c, j) = (&mut own.gradient[..n], &mut own.hessian[..n * n]);
        // Rows of nonsense are told by their energy.
        if c.iter().chain(&*j).all(|entry| entry.is_finite()) {
            energy_rows(c, j);
        } else {
            c.fill(f64::NAN);
        }
        let first = self.weights.len();
        for (row, c) in c.iter().enumerate() {
            out.c[first + row] = *c;
        }
        for (k, &(input, column)) in rest.places.iter().enumerate() {
            let rate = inputs[input].x_dot[column];
            let mut columns = out.dc_dx(input);
            for row in 0..n {
                columns.add(first + row, column, j[row * n + k]);
            }
            for row in 0..n {
                out.c_dot[first + row] += j[row * n + k] * rate;
            }
        }
        energy
    }
}

/// A gradient and second derivatives over some rates.
struct Gathered<'r> {
    row_of: &'r [Option<usize>],
    n: usize,
    gradient: [f64; MAX_ROWS],
    hessian: [f64; MAX_ROWS * MAX_ROWS],
}

impl second::Into for Gathered<'_> {
    fn gradient(&mut self, column: usize, slope: f64) {
        if let Some(row) = self.row_of[column] {
            self.gradient[row] += slope;
        }
    }

    fn second(&mut self, row: usize, column: usize, entry: f64) {
        if let (Some(row), Some(column)) = (self.row_of[row], self.row_of[column]) {
            self.hessian[row * self.n + column] += entry;
        }
    }
}

/// Second derivatives times a force, over all rates.
struct Curved<'a, 'm> {
    lambda: f64,
    out: &'a mut MatMut<'m>,
}

impl second::Into for Curved<'_, '_> {
    fn gradient(&mut self, _column: usize, _slope: f64) {}

    fn second(&mut self, row: usize, column: usize, entry: f64) {
        self.out.add(row, column, self.lambda * entry);
    }
}

impl Constraint for Relation {
    fn inputs(&self) -> &[ConnectorKind] {
        self.law.kinds()
    }

    fn inputs_in_plane(&self) -> &[ConnectorKind] {
        match self.is_planar() {
            true => self.law.kinds(),
            false => &[],
        }
    }

    fn rows(&self) -> &[RowUnit] {
        &self.units[..self.n_rows()]
    }

    fn validate(&self) -> Result<(), Error> {
        match self.sense {
            Sense::Least(weight) => Error::require_positive("weight", &weight),
            _ => Ok(()),
        }
    }

    fn eval(&self, t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        // A stop holds c ≥ 0.
        let sign = if self.sense == Sense::AtMost {
            -1.0
        } else {
            1.0
        };
        // Behind its squares an energy has itself, which is no row.
        let n = match self.sense {
            Sense::Minimize => self.weights.len(),
            _ => self.law.n_outputs(),
        };
        let values = self.law.run(t, inputs, |row, input, column, slope| {
            if row < n {
                let mut columns = out.dc_dx(input);
                columns.add(row, column, sign * slope);
            }
        });
        for row in 0..n {
            out.c[row] = sign * values.y[row];
            out.c_dot[row] = sign * values.rate[row];
            out.gamma[row] = sign * values.second[row];
        }
        if self.sense == Sense::Minimize {
            let mut energy = self.constant;
            for (weight, root) in self.weights.iter().zip(&values.y) {
                energy += weight * root * root;
            }
            if let Some(rest) = &self.rest {
                energy += self.eval_rest(rest, t, inputs, out);
            }
            out.energy = Some(energy);
        }
    }

    fn allows_same_body(&self) -> bool {
        true
    }

    fn bound(&self) -> Option<Bound> {
        (self.sense == Sense::AtMost).then_some(Bound::Stop { restitution: 0.0 })
    }

    fn is_objective(&self) -> bool {
        matches!(self.sense, Sense::Least(_) | Sense::Minimize)
    }

    fn tells_energy(&self) -> bool {
        self.sense == Sense::Minimize
    }

    fn is_curved(&self) -> bool {
        !self.curved.is_empty()
    }

    fn curvature(&self, t: f64, inputs: &[Input<'_>], lambda: &[f64], out: &mut MatMut<'_>) {
        let sign = if self.sense == Sense::AtMost {
            -1.0
        } else {
            1.0
        };
        let x = self.law.gather(t, inputs);
        for (row, second) in &self.curved {
            let lambda = sign * lambda[*row];
            if lambda != 0.0 {
                second.eval(&self.law, &x, &mut Curved { lambda, out });
            }
        }
    }

    fn blame(&self, t: f64, given: &[f64]) -> Option<String> {
        self.law.blame(t, given, &self.text)
    }
}
