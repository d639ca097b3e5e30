//! Lemke's method: the law where friction has one direction, as in the plane, is a linear complementarity problem.
//!
//! With the impulse along a row in two parts that push, `r = r₀ + p − m`, and a speed γ by which each bound gives way
//! (Stewart, Trinkle 1996; a row between bounds has one too):
//!
//! ```text
//!     normal        0 ≤ u              ⟂  r_n ≥ 0
//!     across        0 ≤ γ ± u_t        ⟂  p, m ≥ 0
//!     bound         0 ≤ μ·r_n − p − m  ⟂  γ ≥ 0           between:  0 ≤ most − least − p  ⟂  γ ≥ 0
//! ```
//!
//! that is `0 ≤ y = M·x + q ⟂ x ≥ 0`. An artificial variable is added to all of y, large enough to make x = 0 an
//! answer. Then the complement of the variable that left last enters the basis, and the one that reaches zero first
//! leaves, until the artificial variable does. M is copositive: except for round-off, this ends without an answer only
//! if there is none. Rows may repeat each other, and no start is needed. Impulses are in units of 1/√w, so that pivots
//! compare.

use super::Answer;
use super::law::{Group, Law};
use super::set::Set;
use crate::linalg::dense::dot;
use crate::linalg::tolerances::{BOUNDED_PIVOT, BOUNDED_PIVOTS, BOUNDED_TIES};

/// A variable of x.
#[derive(Clone, Copy, Debug)]
enum Variable {
    /// A part of the impulse along a row: its sign, and the bound that it shares.
    Push {
        row: usize,
        sign: f64,
        bound: Option<usize>,
    },
    /// How fast a bound gives way, and what it allows: so much, and a part of a normal impulse.
    Bound { most: f64, normal: (usize, f64) },
}

/// The buffers of a solve.
#[derive(Debug, Default)]
pub(super) struct Complementarity {
    variables: Vec<Variable>,
    /// r₀, and 1/√w of each row.
    first: Vec<f64>,
    unit: Vec<f64>,
    g: Vec<f64>,
    /// `basic = T·others`: the last column but one is that of the variable that is added, the last one q.
    table: Vec<f64>,
    /// Who is in each row and column: x from 0 on, y from n on, and what is added.
    basic: Vec<usize>,
    others: Vec<usize>,
    tried: Vec<f64>,
    u: Vec<f64>,
}

impl Complementarity {
    /// Finds impulses, if no set has more than one row that slips together.
    pub(super) fn solve(&mut self, law: &mut Law<'_>, response: &[f64], answer: &mut Answer<'_>) {
        if self.list(law.groups).is_none() {
            return;
        }
        self.u.resize(law.n_rows(), 0.0);
        for tie in BOUNDED_TIES {
            self.fill(law.groups, response, law.rate);
            self.pivot_until_solved(answer, tie);
            self.read();
            if answer.take(law, &mut self.tried, &mut self.u) <= answer.enough {
                break;
            }
        }
    }

    /// Lists the variables. None if a set is not one of this problem.
    fn list(&mut self, groups: &[Group]) -> Option<()> {
        self.variables.clear();
        self.first.clear();
        for group in groups {
            self.first.resize(group.start + group.n, 0.0);
            match group.set {
                Set::Nothing => {}
                Set::Between { least, most } => self.list_row(group.start, least, most),
                Set::Ball { most } if group.n == 1 => self.list_row(group.start, -most, most),
                Set::Ball { .. } => return None,
                Set::Cone { .. } | Set::Cones(_) => {
                    let normal = self.variables.len();
                    self.push(group.start, 1.0, None);
                    for (rows, mu) in group.set.slips(group.n) {
                        if rows.len() > 1 {
                            return None;
                        }
                        let bound = Some(self.variables.len() + 2);
                        self.push(group.start + rows.start, 1.0, bound);
                        self.push(group.start + rows.start, -1.0, bound);
                        let (most, normal) = (0.0, (normal, mu));
                        self.variables.push(Variable::Bound { most, normal });
                    }
                }
            }
        }
        Some(())
    }

    fn push(&mut self, row: usize, sign: f64, bound: Option<usize>) {
        self.variables.push(Variable::Push { row, sign, bound });
    }

    /// A row between bounds, from one of them on; or in two parts if it has none.
    fn list_row(&mut self, row: usize, least: f64, most: f64) {
        let (is_below, is_above) = (least.is_finite(), most.is_finite());
        let (first, sign) = match (is_below, is_above) {
            (true, _) => (least, 1.0),
            (false, true) => (most, -1.0),
            (false, false) => (0.0, 1.0),
        };
        self.first[row] = first;
        let bound = (is_below && is_above).then_some(self.variables.len() + 1);
        self.push(row, sign, bound);
        if is_below && is_above {
            let (most, normal) = (most - least, (0, 0.0));
            self.variables.push(Variable::Bound { most, normal });
        }
        if !is_below && !is_above {
            self.push(row, -1.0, None);
        }
    }

    /// `y = M·x + z + q`.
    fn fill(&mut self, groups: &[Group], response: &[f64], rate: &[f64]) {
        let (n, n_rows) = (self.variables.len(), rate.len());
        self.unit.clear();
        for group in groups {
            let unit = 1.0 / group.mobility.sqrt();
            self.unit.extend((0..group.n).map(|_| unit));
        }
        self.g.clear();
        for row in 0..n_rows {
            let response = &response[row * n_rows..(row + 1) * n_rows];
            self.g.push(rate[row] + dot(response, &self.first));
        }
        self.table.clear();
        self.table.resize(n * (n + 2), 0.0);
        for (at, own) in self.variables.iter().enumerate() {
            let out = &mut self.table[at * (n + 2)..(at + 1) * (n + 2)];
            out[n] = 1.0;
            match *own {
                Variable::Push { row, sign, bound } => {
                    for (out, other) in out.iter_mut().zip(&self.variables) {
                        if let Variable::Push {
                            row: b, sign: s, ..
                        } = *other
                        {
                            let w = response[row * n_rows + b];
                            *out = sign * s * w * self.unit[row] * self.unit[b];
                        }
                    }
                    if let Some(bound) = bound {
                        out[bound] += 1.0;
                    }
                    out[n + 1] = sign * self.g[row] * self.unit[row];
                }
                Variable::Bound { most, normal } => {
                    out[normal.0] += normal.1;
                    for (other, variable) in self.variables.iter().enumerate() {
                        match *variable {
                            Variable::Push { row, bound, .. } if bound == Some(at) => {
                                out[other] -= 1.0;
                                out[n + 1] = most / self.unit[row];
                            }
                            _ => {}
                        }
                    }
                }
            }
        }
        self.basic.clear();
        self.basic.extend(n..2 * n);
        self.others.clear();
        self.others.extend(0..n);
        self.others.push(2 * n);
    }

    /// Pivots until the variable that was added leaves. Where round-off keeps a little of it, nothing ends the last
    /// way: what was found is judged by the law, like any other answer.
    fn pivot_until_solved(&mut self, answer: &mut Answer<'_>, tie: f64) {
        let n = self.variables.len();
        let added = 2 * n;
        let q = |row: usize| self.table[row * (n + 2) + n + 1];
        let size = (0..n).fold(0.0f64, |most, row| most.max(q(row).abs()));
        let least = (0..n).min_by(|&a, &b| q(a).total_cmp(&q(b)));
        let mut first = least.filter(|&row| q(row) < 0.0);
        let mut column = n;
        for _ in 0..BOUNDED_PIVOTS * n {
            let Some(row) = first else { return };
            answer.steps += 1;
            let left = self.basic[row];
            self.pivot(row, column);
            if left == added {
                return;
            }
            let enters = if left < n { left + n } else { left - n };
            let found = self.others.iter().position(|&other| other == enters);
            let Some(found) = found else { return };
            column = found;
            first = self.first_at_zero(column, tie * size);
        }
    }

    /// The row that reaches zero first as what is in a column grows: of those within `tie` the variable that was added,
    /// or that with the largest pivot.
    fn first_at_zero(&self, column: usize, tie: f64) -> Option<usize> {
        let n = self.variables.len();
        let ways = || {
            (0..n).filter_map(|row| {
                let own = &self.table[row * (n + 2)..(row + 1) * (n + 2)];
                let fall = -own[column];
                (fall > BOUNDED_PIVOT).then(|| (row, own[n + 1].max(0.0) / fall, fall))
            })
        };
        let least = ways().fold(f64::INFINITY, |least, (_, way, _)| least.min(way));
        let mut first: Option<(usize, f64)> = None;
        for (row, way, fall) in ways() {
            if way > least + tie {
                continue;
            }
            let fall = if self.basic[row] == 2 * n {
                f64::INFINITY
            } else {
                fall
            };
            if first.is_none_or(|(_, most)| fall > most) {
                first = Some((row, fall));
            }
        }
        first.map(|(row, _)| row)
    }

    /// What is in a row and what is in a column change places.
    fn pivot(&mut self, row: usize, column: usize) {
        let width = self.variables.len() + 2;
        let (above, rest) = self.table.split_at_mut(row * width);
        let (own, below) = rest.split_at_mut(width);
        let inverse = 1.0 / own[column];
        own[column] = -1.0;
        own.iter_mut().for_each(|own| *own *= -inverse);
        for other in above
            .chunks_exact_mut(width)
            .chain(below.chunks_exact_mut(width))
        {
            let part = other[column];
            if part == 0.0 {
                continue;
            }
            other[column] = 0.0;
            for (other, own) in other.iter_mut().zip(&*own) {
                *other += part * own;
            }
        }
        std::mem::swap(&mut self.basic[row], &mut self.others[column]);
    }

    /// The impulses of x.
    fn read(&mut self) {
        let n = self.variables.len();
        self.tried.clear();
        self.tried.extend_from_slice(&self.first);
        for (at, &of) in self.basic.iter().enumerate() {
            if let Some(&Variable::Push { row, sign, .. }) = self.variables.get(of) {
                self.tried[row] += sign * self.unit[row] * self.table[at * (n + 2) + n + 1];
            }
        }
    }
}
