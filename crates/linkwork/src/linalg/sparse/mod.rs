//! Symmetric positive definite matrices of a fixed pattern: `A = L·Lᵀ`, panel by panel in a fixed order.
//!
//! The pattern of `L` is found once. Columns that follow each other and have (almost) the same rows are a *panel*: a
//! dense trapezoid, column by column, in which a factor runs through memory without looking anything up. Values of `A`
//! lie where those of `L` will (zero where only `L` has an entry, or a panel), so a factor is made in place. Rows are
//! told by their index in `A`, not by their place in the order: a solve permutes nothing. A factor costs `Σ nⱼ²`
//! operations over the columns' entries `nⱼ`, a solve `4·Σ nⱼ`.

mod strip;
mod symbolic;

use strip::{AnyStrip, STRIP, Strip};
use symbolic::Symbolic;

/// Columns with the same rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Panel {
    /// Its first place in the order, and how many columns it has.
    first: u32,
    width: u32,
    /// Its rows: where they begin in `Sparse::rows`, and how many; its own columns come first.
    row0: u32,
    n_rows: u32,
    /// Where its values begin, and where those who change it do in `Sparse::updates`.
    value0: u32,
    update0: u32,
}

impl Panel {
    /// Where the values of a column begin.
    fn column(&self, c: usize) -> usize {
        self.value0 as usize + c * self.n_rows as usize
    }
}

/// An earlier panel that changes a later one: its rows from `from` on; those up to `to` are columns of the later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Update {
    panel: u32,
    from: u32,
    to: u32,
    /// Where it is told which of the later panel's rows its rows are.
    map: u32,
}

/// The order and the pattern of a factor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sparse {
    /// The index that goes k-th, the place of each index, and the panel of each place.
    order: Vec<u32>,
    place: Vec<u32>,
    panel_of: Vec<u32>,
    panels: Vec<Panel>,
    /// The index of each panel's rows, by ascending place.
    rows: Vec<u32>,
    updates: Vec<Update>,
    maps: Vec<u32>,
    n_values: usize,
}

impl Sparse {
    /// The factor of a matrix with the diagonal and these other entries, each named once or more, in an order of
    /// indices that makes the same entries of `L` as this one.
    pub(crate) fn new(n: usize, entries: &[(u32, u32)], order: Vec<u32>) -> Self {
        debug_assert_eq!(order.len(), n);
        let Symbolic { order, panels } = Symbolic::new(entries, order);
        let mut sparse = Self {
            place: vec![0; n],
            order,
            ..Self::default()
        };
        for (at, &index) in sparse.order.iter().enumerate() {
            sparse.place[index as usize] = at as u32;
        }
        for (first, width, rows) in panels {
            let panel = Panel {
                first,
                width,
                row0: sparse.rows.len() as u32,
                n_rows: rows.len() as u32,
                value0: sparse.n_values as u32,
                update0: 0,
            };
            sparse.n_values += (width * panel.n_rows) as usize;
            let at = sparse.panels.len() as u32;
            sparse.panel_of.resize((first + width) as usize, at);
            let indices = rows.iter().map(|&row| sparse.order[row as usize]);
            sparse.rows.extend(indices);
            sparse.panels.push(panel);
        }
        sparse.find_updates();
        sparse
    }

    /// Who changes whom, by the later panel.
    fn find_updates(&mut self) {
        let mut of: Vec<Vec<Update>> = vec![Vec::new(); self.panels.len()];
        for (at, panel) in self.panels.iter().enumerate() {
            let rows = self.rows_of(panel);
            let place = |row: usize| self.place[rows[row] as usize];
            let mut from = panel.width as usize;
            while from < rows.len() {
                let later = self.panel_of[place(from) as usize] as usize;
                let Panel { first, width, .. } = self.panels[later];
                let mut to = from + 1;
                while to < rows.len() && place(to) < first + width {
                    to += 1;
                }
                of[later].push(Update {
                    panel: at as u32,
                    from: from as u32,
                    to: to as u32,
                    map: 0,
                });
                from = to;
            }
        }
        for (later, mut own) in of.into_iter().enumerate() {
            self.panels[later].update0 = self.updates.len() as u32;
            for update in &mut own {
                update.map = self.maps.len() as u32;
                let earlier = &self.panels[update.panel as usize];
                let rows = &self.rows_of(earlier)[update.from as usize..];
                let mut at = 0;
                let theirs = self.rows_of(&self.panels[later]);
                let mut map = Vec::with_capacity(rows.len());
                for &row in rows {
                    while theirs[at] != row {
                        at += 1;
                    }
                    map.push(at as u32);
                }
                self.maps.extend(map);
            }
            self.updates.extend(own);
        }
    }

    fn rows_of(&self, panel: &Panel) -> &[u32] {
        &self.rows[panel.row0 as usize..][..panel.n_rows as usize]
    }

    /// Numbers of the matrix, and of its factor.
    pub(crate) fn n_values(&self) -> usize {
        self.n_values
    }

    /// Numbers that a factor needs besides.
    pub(crate) fn n_work(&self) -> usize {
        self.order.len()
    }

    /// Where an entry is, if the pattern has it.
    pub(crate) fn position(&self, i: u32, j: u32) -> Option<u32> {
        let (a, b) = (self.place[i as usize], self.place[j as usize]);
        let (column, row) = (a.min(b), a.max(b));
        let panel = &self.panels[self.panel_of[column as usize] as usize];
        let start = panel.column((column - panel.first) as usize) as u32;
        if row < panel.first + panel.width {
            return Some(start + row - panel.first);
        }
        let rows = self.rows_of(panel);
        let at = rows.partition_point(|&own| self.place[own as usize] < row);
        let found = rows
            .get(at)
            .is_some_and(|&own| self.place[own as usize] == row);
        found.then_some(start + at as u32)
    }

    /// Where the entries of a dense block over some indices are: its lower triangle, row by row.
    pub(crate) fn positions(&self, indices: &[u32], out: &mut Vec<u32>) {
        for (a, &i) in indices.iter().enumerate() {
            for &j in &indices[..=a] {
                let Some(position) = self.position(i, j) else {
                    unreachable!("patterns are made of all blocks that are added to them")
                };
                out.push(position);
            }
        }
    }

    /// `A ← A + w·rᵀ·r`, with the positions of the row's indices.
    pub(crate) fn add_square(positions: &[u32], row: &[f64], weight: f64, values: &mut [f64]) {
        let mut positions = positions.iter();
        for (a, r) in row.iter().enumerate() {
            let left = weight * r;
            for (r, &position) in row[..=a].iter().zip(&mut positions) {
                values[position as usize] += left * r;
            }
        }
    }

    /// The place of each diagonal value, in the order of the elimination, and whose it is.
    pub(crate) fn diagonal(&self) -> impl Iterator<Item = (usize, usize)> {
        self.columns().map(|(own, at)| (at, own[0] as usize))
    }

    /// The columns in turn: their rows from the diagonal on, and where the values of these begin.
    fn columns(&self) -> impl Iterator<Item = (&[u32], usize)> {
        self.panels.iter().flat_map(|panel| {
            let rows = self.rows_of(panel);
            (0..panel.width as usize).map(move |c| (&rows[c..], panel.column(c) + c))
        })
    }

    /// Each value's place, row and column.
    #[cfg(test)]
    pub(crate) fn entries(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        self.columns().flat_map(|(rows, at)| {
            let column = rows[0] as usize;
            let rows = rows.iter().enumerate();
            rows.map(move |(k, &row)| (at + k, row as usize, column))
        })
    }

    /// Writes the diagonal to `out`, by index; false where there is anything else.
    pub(crate) fn take_diagonal(&self, values: &[f64], out: &mut [f64]) -> bool {
        for panel in &self.panels {
            for c in 0..panel.width as usize {
                let column = &values[panel.column(c)..][c..panel.n_rows as usize];
                if column[1..].iter().any(|value| *value != 0.0) {
                    return false;
                }
                out[self.order[panel.first as usize + c] as usize] = column[0];
            }
        }
        true
    }

    /// Factors in place. A pivot that is not positive is replaced by a tiny one, as dense blocks do.
    pub(crate) fn factor(&self, values: &mut [f64], work: &mut [f64]) {
        for (at, panel) in self.panels.iter().enumerate() {
            let next = self.panels.get(at + 1);
            let end = next.map_or(self.updates.len(), |next| next.update0 as usize);
            let (before, own) = values.split_at_mut(panel.value0 as usize);
            let n = panel.n_rows as usize;
            for update in &self.updates[panel.update0 as usize..end] {
                self.update(update, before, n, own, work);
            }
            for c in 0..panel.width as usize {
                let (left, column) = own.split_at_mut(c * n);
                let column = &mut column[c..n];
                subtract(left, n, c, column);
                let inverse = 1.0 / column[0].max(f64::MIN_POSITIVE).sqrt();
                column.iter_mut().for_each(|value| *value *= inverse);
            }
        }
    }

    /// Takes off what an earlier panel changes, column by column.
    fn update(&self, update: &Update, before: &[f64], n: usize, own: &mut [f64], work: &mut [f64]) {
        let earlier = &self.panels[update.panel as usize];
        let (m, width) = (earlier.n_rows as usize, earlier.width as usize);
        let left = &before[earlier.value0 as usize..][..m * width];
        let map = &self.maps[update.map as usize..][..m - update.from as usize];
        for c in 0..(update.to - update.from) as usize {
            let sum = &mut work[..map.len() - c];
            sum.fill(0.0);
            if !subtract(left, m, update.from as usize + c, sum) {
                continue;
            }
            let column = &mut own[map[c] as usize * n..][..n];
            for (&row, sum) in map[c..].iter().zip(sum) {
                column[row as usize] += *sum;
            }
        }
    }

    /// `x ← A⁻¹·x` with a factor.
    pub(crate) fn solve(&self, values: &[f64], x: &mut [f64]) {
        for panel in &self.panels {
            self.for_each_strip(panel, values, false, |strip| strip.forward(x));
        }
        for panel in self.panels.iter().rev() {
            self.for_each_strip(panel, values, true, |strip| strip.backward(x));
        }
    }

    /// `out ← A·y`.
    pub(crate) fn multiply(&self, values: &[f64], y: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for panel in &self.panels {
            self.for_each_strip(panel, values, false, |strip| strip.multiply(y, out));
        }
    }

    /// Goes through the columns of a panel, a few at once, from either end.
    fn for_each_strip(
        &self,
        panel: &Panel,
        values: &[f64],
        is_backward: bool,
        mut see: impl FnMut(AnyStrip<'_>),
    ) {
        let (rows, n) = (self.rows_of(panel), panel.n_rows as usize);
        let width = panel.width as usize;
        let values = &values[panel.value0 as usize..][..width * n];
        let mut see = |first: usize, count: usize| {
            let (rows, values) = (&rows[first..], &values[first * n + first..]);
            see(match count {
                1 => AnyStrip::One(Strip::new(rows, values, n)),
                2 => AnyStrip::Two(Strip::new(rows, values, n)),
                3 => AnyStrip::Three(Strip::new(rows, values, n)),
                _ => AnyStrip::Four(Strip::new(rows, values, n)),
            });
        };
        let count = width.div_ceil(STRIP);
        for k in 0..count {
            let first = STRIP * if is_backward { count - 1 - k } else { k };
            see(first, STRIP.min(width - first));
        }
    }
}

/// `column ← column − Σ Lᵣₖ·L_{r.., k}` over the columns of `left`, which have `n` rows each; `column` begins at row r.
/// False if all of row r is zero.
fn subtract(left: &[f64], n: usize, r: usize, column: &mut [f64]) -> bool {
    let mut strips = left.chunks_exact(STRIP * n);
    let mut is_changed = false;
    for strip in &mut strips {
        is_changed |= subtract_strip::<STRIP>(strip, n, r, column);
    }
    let rest = strips.remainder();
    is_changed
        | match rest.len() / n {
            0 => false,
            1 => subtract_strip::<1>(rest, n, r, column),
            2 => subtract_strip::<2>(rest, n, r, column),
            _ => subtract_strip::<3>(rest, n, r, column),
        }
}

/// The same for `K` columns.
#[inline(always)]
fn subtract_strip<const K: usize>(strip: &[f64], n: usize, r: usize, column: &mut [f64]) -> bool {
    let m = column.len();
    let columns: [&[f64]; K] = std::array::from_fn(|k| &strip[k * n + r..][..m]);
    let heads = columns.map(|column| column[0]);
    if heads.iter().all(|head| *head == 0.0) {
        return false;
    }
    for i in 0..m {
        let mut sum = heads[0] * columns[0][i];
        for k in 1..K {
            sum += heads[k] * columns[k][i];
        }
        column[i] -= sum;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::small;

    /// A closed band with a chord, which is diagonally dominant.
    fn closed(n: u32) -> Vec<(u32, u32)> {
        let mut entries: Vec<(u32, u32)> = (0..n).map(|i| (i, (i + 1) % n)).collect();
        entries.extend((0..n).map(|i| ((i + 2) % n, i)));
        entries.push((1, n / 2));
        entries
    }

    /// 0, n − 1, 1, n − 2, …
    fn folded(n: u32) -> Vec<u32> {
        (0..n)
            .map(|k| if k % 2 == 0 { k / 2 } else { n - 1 - k / 2 })
            .collect()
    }

    #[test]
    fn factors_agree_with_dense_ones_in_any_order() {
        let n = 23;
        let natural: Vec<u32> = (0..n).collect();
        let backward: Vec<u32> = (0..n).rev().collect();
        for order in [natural, backward, folded(n)] {
            let sparse = Sparse::new(n as usize, &closed(n), order);
            let n = n as usize;
            let mut values = vec![0.0; sparse.n_values()];
            for (i, j) in closed(n as u32) {
                let at = sparse.position(i, j).unwrap() as usize;
                values[at] = -0.3 - 0.01 * f64::from(i);
            }
            for (at, i) in sparse.diagonal() {
                values[at] = 5.0 + 0.1 * i as f64;
            }
            let mut positions = Vec::new();
            sparse.positions(&[3, 4, 5], &mut positions);
            Sparse::add_square(&positions, &[1.0, -2.0, 0.5], 0.7, &mut values);
            let mut dense = vec![0.0; n * n];
            for (at, i, j) in sparse.entries() {
                (dense[i * n + j], dense[j * n + i]) = (values[at], values[at]);
            }
            let y: Vec<f64> = (0..n).map(|i| libm::sin(i as f64)).collect();
            let mut out = vec![f64::NAN; n];
            sparse.multiply(&values, &y, &mut out);
            for i in 0..n {
                let sum: f64 = (0..n).map(|j| dense[i * n + j] * y[j]).sum();
                assert!((out[i] - sum).abs() < 1e-13);
            }
            sparse.factor(&mut values, &mut vec![0.0; sparse.n_work()]);
            small::cholesky(n, &mut dense);
            let (mut a, mut b) = (y.clone(), y);
            sparse.solve(&values, &mut a);
            small::cholesky_solve(n, &dense, &mut b);
            for (a, b) in a.iter().zip(b) {
                assert!((a - b).abs() < 1e-14);
            }
        }
        assert_eq!(folded(5), [0, 4, 1, 3, 2]);
    }

    #[test]
    fn a_closed_band_folded_stays_a_band() {
        let n = 200;
        let ring: Vec<(u32, u32)> = (0..n).map(|i| (i, (i + 1) % n)).collect();
        let natural = Sparse::new(n as usize, &ring, (0..n).collect());
        let folded = Sparse::new(n as usize, &ring, folded(n));
        // The natural order carries a full last row along. Panels have room for zeros, one a column here.
        assert!(natural.n_values() <= 4 * n as usize);
        assert!(folded.n_values() <= 4 * n as usize);
        assert_eq!(folded.position(0, n / 2), None);
    }
}
