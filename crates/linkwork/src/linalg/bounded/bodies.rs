//! How rows respond to each other through free bodies: block-sparse, one block per body.
//!
//! ```text
//!     W = G·M⁻¹·Gᵀ + C      M block diagonal, C of rows that give way by themselves
//! ```
//!
//! W is never formed. The solvers need `(W + K⁻¹)·x = b` with a small block K for each group. By the identity of
//! Woodbury, `x = K·(b − G·y)` with
//!
//! ```text
//!     (M + Gᵀ·K·G)·y = Gᵀ·K·b
//! ```
//!
//! This matrix has one block of at most 6×6 for each body and for each pair of bodies that touch. It is factored by
//! blocks in an order of least degree: `L·U` with inverses on the diagonal, since K need not be symmetric. The work is
//! proportional to the number of bodies where few of them touch each other.

use super::set::MOST_ROWS;

/// Most velocities of a body.
pub(crate) const MOST_V: usize = 6;

type Block = [f64; MOST_V * MOST_V];
type Row = [f64; MOST_V];

const ZERO: Block = [0.0; MOST_V * MOST_V];

/// A body of a group, and where the group's rows on it are.
#[derive(Clone, Copy, Debug)]
struct Side {
    body: u32,
    first: u32,
}

/// Where a group's sides are, and its rows.
#[derive(Clone, Copy, Debug)]
struct Sides {
    first: u32,
    n: u32,
    row0: u32,
    n_rows: u32,
}

/// A block of the factor left of the diagonal, and its mirror image above it.
#[derive(Clone, Copy, Debug)]
struct Pair {
    lower: Block,
    upper: Block,
}

/// Bodies, and the rows on them.
#[derive(Debug, Default)]
pub(crate) struct Bodies {
    inverse_mass: Vec<Block>,
    mass: Vec<Block>,
    sides: Vec<Side>,
    /// `G`, side by side.
    rows: Vec<Row>,
    groups: Vec<Sides>,
    /// C of each row.
    compliance: Vec<f64>,
    /// The order: which body is eliminated when, and the reverse.
    order: Vec<u32>,
    place: Vec<u32>,
    /// Neighbors of each body that is left.
    neighbors: Vec<Vec<u32>>,
    /// Places after each place that it shares a block with, ascending, and where they begin; the blocks.
    later: Vec<u32>,
    first_pair: Vec<u32>,
    pairs: Vec<Pair>,
    diagonal: Vec<Block>,
    y: Vec<Row>,
}

impl Bodies {
    /// No bodies, no rows.
    pub(crate) fn clear(&mut self) {
        self.inverse_mass.clear();
        self.mass.clear();
        self.sides.clear();
        self.rows.clear();
        self.groups.clear();
        self.compliance.clear();
    }

    /// A body by its mass and its inverse, row-major with six columns; what is beyond its velocities is 1.
    pub(crate) fn add_body(&mut self, mass: Block, inverse: Block) {
        self.mass.push(mass);
        self.inverse_mass.push(inverse);
    }

    /// Begins a group of `n` rows, each of which gives way by `compliance`.
    pub(crate) fn add_group(&mut self, n: usize, compliance: f64) {
        self.groups.push(Sides {
            first: self.sides.len() as u32,
            n: 0,
            row0: self.compliance.len() as u32,
            n_rows: n as u32,
        });
        let n = self.compliance.len() + n;
        self.compliance.resize(n, compliance);
    }

    /// The first row of the last group gives way by `compliance`.
    pub(crate) fn give_way(&mut self, compliance: f64) {
        if let Some(group) = self.groups.last() {
            self.compliance[group.row0 as usize] = compliance;
        }
    }

    /// Row `k` of the last group has this column on a body.
    pub(crate) fn add(&mut self, k: usize, body: u32, column: usize, value: f64) {
        let Some(group) = self.groups.last_mut() else {
            return;
        };
        let own = &mut self.sides[group.first as usize..];
        let at = own.iter().position(|side| side.body == body);
        let at = at.unwrap_or_else(|| {
            group.n += 1;
            let first = self.rows.len();
            self.sides.push(Side {
                body,
                first: first as u32,
            });
            let n = first + group.n_rows as usize;
            self.rows.resize(n, [0.0; MOST_V]);
            group.n as usize - 1
        });
        let side = self.sides[group.first as usize + at];
        self.rows[side.first as usize + k][column] += value;
    }

    /// How much a row gives way by itself.
    pub(super) fn compliance(&self, row: usize) -> f64 {
        self.compliance[row]
    }

    /// The mean of what the rows of a group do to themselves.
    pub(crate) fn mobility(&self, group: usize) -> f64 {
        let own = self.groups[group];
        let mut sum = 0.0;
        for side in self.sides_of(&own) {
            let inverse = &self.inverse_mass[side.body as usize];
            for row in self.rows_of(&own, side) {
                let moved = times(inverse, row);
                sum += dot(row, &moved);
            }
        }
        sum / f64::from(own.n_rows.max(1))
    }

    fn sides_of(&self, group: &Sides) -> &[Side] {
        &self.sides[group.first as usize..(group.first + group.n) as usize]
    }

    fn rows_of(&self, group: &Sides, side: &Side) -> &[Row] {
        &self.rows[side.first as usize..(side.first + group.n_rows) as usize]
    }

    /// `out ← W·x`.
    pub(crate) fn respond(&mut self, x: &[f64], out: &mut [f64]) {
        self.gather(x);
        for (y, inverse) in self.y.iter_mut().zip(&self.inverse_mass) {
            *y = times(inverse, y);
        }
        self.scatter(out);
        for ((out, c), x) in out.iter_mut().zip(&self.compliance).zip(x) {
            *out += c * x;
        }
    }

    /// `y ← Gᵀ·x`.
    fn gather(&mut self, x: &[f64]) {
        self.y.clear();
        self.y.resize(self.mass.len(), [0.0; MOST_V]);
        for group in &self.groups {
            let own = &self.sides[group.first as usize..(group.first + group.n) as usize];
            for side in own {
                let mut y = self.y[side.body as usize];
                let rows = &self.rows[side.first as usize..(side.first + group.n_rows) as usize];
                for (row, x) in rows.iter().zip(&x[group.row0 as usize..]) {
                    for (y, j) in y.iter_mut().zip(row) {
                        *y += j * x;
                    }
                }
                self.y[side.body as usize] = y;
            }
        }
    }

    /// `out ← G·y`.
    fn scatter(&self, out: &mut [f64]) {
        for group in &self.groups {
            for k in 0..group.n_rows as usize {
                let sides = self.sides_of(group).iter();
                let moved = sides.map(|side| {
                    let row = &self.rows[side.first as usize + k];
                    dot(row, &self.y[side.body as usize])
                });
                out[group.row0 as usize + k] = moved.sum();
            }
        }
    }

    /// How the rows of a group respond to each other.
    pub(super) fn own_response(&self, group: usize) -> [[f64; MOST_ROWS]; MOST_ROWS] {
        let own = self.groups[group];
        let mut out = [[0.0; MOST_ROWS]; MOST_ROWS];
        for side in self.sides_of(&own) {
            let inverse = &self.inverse_mass[side.body as usize];
            let rows = self.rows_of(&own, side);
            for (k, out) in out[..own.n_rows as usize].iter_mut().enumerate() {
                let moved = times(inverse, &rows[k]);
                for (out, row) in out.iter_mut().zip(rows) {
                    *out += dot(row, &moved);
                }
            }
        }
        for (k, out) in out[..own.n_rows as usize].iter_mut().enumerate() {
            out[k] += self.compliance[own.row0 as usize + k];
        }
        out
    }

    /// Moves all bodies by impulses.
    pub(super) fn begin_sweeps(&mut self, x: &[f64]) {
        self.gather(x);
        for (y, inverse) in self.y.iter_mut().zip(&self.inverse_mass) {
            *y = times(inverse, y);
        }
    }

    /// `W·x` on the rows of a group, for the impulses by which bodies were moved.
    pub(super) fn rates_of(&self, group: usize, x: &[f64], out: &mut [f64; MOST_ROWS]) {
        let own = self.groups[group];
        for (k, out) in out[..own.n_rows as usize].iter_mut().enumerate() {
            let row = own.row0 as usize + k;
            let sides = self.sides_of(&own).iter();
            let moved = sides.map(|side| {
                let row = &self.rows[side.first as usize + k];
                dot(row, &self.y[side.body as usize])
            });
            *out = moved.sum::<f64>() + self.compliance[row] * x[row];
        }
    }

    /// Moves bodies by more impulse of one group.
    pub(super) fn push(&mut self, group: usize, change: &[f64; MOST_ROWS]) {
        let own = self.groups[group];
        for side in &self.sides[own.first as usize..(own.first + own.n) as usize] {
            let mut f = [0.0; MOST_V];
            let rows = &self.rows[side.first as usize..(side.first + own.n_rows) as usize];
            for (row, x) in rows.iter().zip(change) {
                for (f, j) in f.iter_mut().zip(row) {
                    *f += j * x;
                }
            }
            let moved = times(&self.inverse_mass[side.body as usize], &f);
            for (y, moved) in self.y[side.body as usize].iter_mut().zip(moved) {
                *y += moved;
            }
        }
    }

    /// Finds the order of elimination, once all groups are known.
    pub(crate) fn analyze(&mut self) {
        let n = self.mass.len();
        self.neighbors.iter_mut().for_each(Vec::clear);
        if self.neighbors.len() < n {
            self.neighbors.resize_with(n, Vec::new);
        }
        for group in &self.groups {
            let own = &self.sides[group.first as usize..(group.first + group.n) as usize];
            for (i, a) in own.iter().enumerate() {
                for b in &own[..i] {
                    insert(&mut self.neighbors[a.body as usize], b.body);
                    insert(&mut self.neighbors[b.body as usize], a.body);
                }
            }
        }
        self.order.clear();
        self.place.clear();
        self.place.resize(n, u32::MAX);
        self.later.clear();
        self.first_pair.clear();
        for at in 0..n as u32 {
            // The one with the fewest neighbors; of several the first.
            let left = (0..n).filter(|&body| self.place[body] == u32::MAX);
            let Some(body) = left.min_by_key(|&body| self.neighbors[body].len()) else {
                break;
            };
            self.order.push(body as u32);
            self.place[body] = at;
            self.first_pair.push(self.later.len() as u32);
            let own = std::mem::take(&mut self.neighbors[body]);
            for (i, &a) in own.iter().enumerate() {
                self.later.push(a);
                let others = &mut self.neighbors[a as usize];
                if let Ok(gone) = others.binary_search(&(body as u32)) {
                    others.remove(gone);
                }
                for (k, &b) in own.iter().enumerate() {
                    if k != i {
                        insert(&mut self.neighbors[a as usize], b);
                    }
                }
            }
            self.neighbors[body] = own;
        }
        self.first_pair.push(self.later.len() as u32);
        for later in &mut self.later {
            *later = self.place[*later as usize];
        }
        for at in 0..n {
            let range = self.first_pair[at] as usize..self.first_pair[at + 1] as usize;
            insertion_sort(&mut self.later[range]);
        }
        let none = Pair {
            lower: ZERO,
            upper: ZERO,
        };
        self.pairs.resize(self.later.len(), none);
    }

    /// Factors `M + Gᵀ·K·G`, with K of each group row by row, one after the other.
    pub(super) fn factor(&mut self, stiffnesses: &[f64]) {
        self.diagonal.clear();
        self.diagonal
            .extend(self.order.iter().map(|&body| self.mass[body as usize]));
        for pair in &mut self.pairs {
            (pair.lower, pair.upper) = (ZERO, ZERO);
        }
        let mut first = 0;
        for at in 0..self.groups.len() {
            let group = self.groups[at];
            let m = group.n_rows as usize;
            let stiffness = &stiffnesses[first..first + m * m];
            first += m * m;
            for i in 0..group.n as usize {
                let a = self.sides[group.first as usize + i];
                // Aᵀ·K, by columns.
                let mut left = [[0.0; MOST_V]; MOST_ROWS];
                for (column, left) in left[..m].iter_mut().enumerate() {
                    for (k, row) in self.rows[a.first as usize..][..m].iter().enumerate() {
                        for (left, j) in left.iter_mut().zip(row) {
                            *left += j * stiffness[k * m + column];
                        }
                    }
                }
                for k in 0..group.n as usize {
                    let b = self.sides[group.first as usize + k];
                    let (place_a, place_b) =
                        (self.place[a.body as usize], self.place[b.body as usize]);
                    let block = if i == k {
                        &mut self.diagonal[place_a as usize]
                    } else {
                        let (early, late) = (place_a.min(place_b), place_a.max(place_b));
                        let Some(pair) = self.find(early, late) else {
                            continue;
                        };
                        let pair = &mut self.pairs[pair];
                        // Rows of the later one, columns of the earlier one: lower.
                        if place_a > place_b {
                            &mut pair.lower
                        } else {
                            &mut pair.upper
                        }
                    };
                    for (left, right) in left[..m].iter().zip(&self.rows[b.first as usize..]) {
                        for (r, left) in left.iter().enumerate() {
                            for (c, right) in right.iter().enumerate() {
                                block[r * MOST_V + c] += left * right;
                            }
                        }
                    }
                }
            }
        }
        self.eliminate();
    }

    /// The block of two places.
    fn find(&self, early: u32, late: u32) -> Option<usize> {
        let first = self.first_pair[early as usize] as usize;
        let own = &self.later[first..self.first_pair[early as usize + 1] as usize];
        own.binary_search(&late).ok().map(|at| first + at)
    }

    fn eliminate(&mut self) {
        for at in 0..self.order.len() {
            let inverse = inverse(&self.diagonal[at]);
            self.diagonal[at] = inverse;
            let range = self.first_pair[at] as usize..self.first_pair[at + 1] as usize;
            for i in range.clone() {
                let (later, lower) = (self.later[i], self.pairs[i].lower);
                let left = product(&lower, &inverse);
                for k in range.clone() {
                    let (other, upper) = (self.later[k], self.pairs[k].upper);
                    let block = if later == other {
                        &mut self.diagonal[later as usize]
                    } else {
                        let (early, late) = (later.min(other), later.max(other));
                        let Some(pair) = self.find(early, late) else {
                            continue;
                        };
                        let pair = &mut self.pairs[pair];
                        if later > other {
                            &mut pair.lower
                        } else {
                            &mut pair.upper
                        }
                    };
                    subtract_product(block, &left, &upper);
                }
                self.pairs[i].lower = left;
            }
        }
    }

    /// Solves `(M + Gᵀ·K·G)·y = Gᵀ·a` on the factor; `out ← G·y`.
    pub(crate) fn solve(&mut self, a: &[f64], out: &mut [f64]) {
        self.gather(a);
        for at in 0..self.order.len() {
            let own = self.y[self.order[at] as usize];
            let range = self.first_pair[at] as usize..self.first_pair[at + 1] as usize;
            for (pair, &later) in self.pairs[range.clone()].iter().zip(&self.later[range]) {
                let later = &mut self.y[self.order[later as usize] as usize];
                let moved = times(&pair.lower, &own);
                for (later, moved) in later.iter_mut().zip(moved) {
                    *later -= moved;
                }
            }
        }
        for at in (0..self.order.len()).rev() {
            let body = self.order[at] as usize;
            let mut own = self.y[body];
            let range = self.first_pair[at] as usize..self.first_pair[at + 1] as usize;
            for (pair, &later) in self.pairs[range.clone()].iter().zip(&self.later[range]) {
                let later = &self.y[self.order[later as usize] as usize];
                let moved = times(&pair.upper, later);
                for (own, moved) in own.iter_mut().zip(moved) {
                    *own -= moved;
                }
            }
            self.y[body] = times(&self.diagonal[at], &own);
        }
        self.scatter(out);
    }
}

/// Puts a short list into ascending order.
fn insertion_sort(list: &mut [u32]) {
    for k in 1..list.len() {
        let mut at = k;
        while at > 0 && list[at - 1] > list[at] {
            list.swap(at - 1, at);
            at -= 1;
        }
    }
}

/// Puts a number into an ascending list, once.
#[inline(never)]
fn insert(list: &mut Vec<u32>, value: u32) {
    if let Err(at) = list.binary_search(&value) {
        list.insert(at, value);
    }
}

fn dot(a: &Row, b: &Row) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[inline(never)]
fn times(block: &Block, x: &Row) -> Row {
    let mut out = [0.0; MOST_V];
    for (out, row) in out.iter_mut().zip(block.chunks_exact(MOST_V)) {
        *out = row.iter().zip(x).map(|(b, x)| b * x).sum();
    }
    out
}

#[inline(never)]
fn product(a: &Block, b: &Block) -> Block {
    let mut out = ZERO;
    for (out, row) in out.chunks_exact_mut(MOST_V).zip(a.chunks_exact(MOST_V)) {
        for (a, b) in row.iter().zip(b.chunks_exact(MOST_V)) {
            for (out, b) in out.iter_mut().zip(b) {
                *out += a * b;
            }
        }
    }
    out
}

#[inline(never)]
fn subtract_product(out: &mut Block, a: &Block, b: &Block) {
    for (out, row) in out.chunks_exact_mut(MOST_V).zip(a.chunks_exact(MOST_V)) {
        for (a, b) in row.iter().zip(b.chunks_exact(MOST_V)) {
            for (out, b) in out.iter_mut().zip(b) {
                *out -= a * b;
            }
        }
    }
}

/// The inverse by elimination with row pivots. What has none is left out.
#[inline(never)]
pub(crate) fn inverse(block: &Block) -> Block {
    let mut a = *block;
    let mut out = ZERO;
    for k in 0..MOST_V {
        out[k * MOST_V + k] = 1.0;
    }
    for k in 0..MOST_V {
        let pivot = (k..MOST_V).max_by(|&i, &j| {
            let (i, j) = (a[i * MOST_V + k].abs(), a[j * MOST_V + k].abs());
            i.total_cmp(&j)
        });
        let pivot = pivot.unwrap_or(k);
        if pivot != k {
            for c in 0..MOST_V {
                a.swap(k * MOST_V + c, pivot * MOST_V + c);
                out.swap(k * MOST_V + c, pivot * MOST_V + c);
            }
        }
        let own = a[k * MOST_V + k];
        let scale = if own == 0.0 { 0.0 } else { 1.0 / own };
        for c in 0..MOST_V {
            a[k * MOST_V + c] *= scale;
            out[k * MOST_V + c] *= scale;
        }
        for r in 0..MOST_V {
            let factor = a[r * MOST_V + k];
            if r == k || factor == 0.0 {
                continue;
            }
            for c in 0..MOST_V {
                a[r * MOST_V + c] -= factor * a[k * MOST_V + c];
                out[r * MOST_V + c] -= factor * out[k * MOST_V + c];
            }
        }
    }
    out
}
