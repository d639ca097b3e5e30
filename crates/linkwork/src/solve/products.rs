//! The matrix of loops by forward sweeps alone: Rosenthal's saving (Baraff 1996, §10).
//!
//! ```text
//!     J_a·M̂⁻¹·J_bᵀ = (L⁻¹·J_aᵀ)ᵀ·D⁻¹·(L⁻¹·J_bᵀ)
//! ```
//!
//! A column is one forward sweep from the bodies of its loop to their roots; an entry is a product over the
//! steps that two columns share. Nothing is swept back, and what no loop hangs on is never visited. The factor
//! is that of the responses themselves, so where it is proximal both ways give the same matrix too.
//!
//! Many loops on long ways have many products: then responses are cheaper. Operations are counted when a factor
//! is laid out.

use std::ops::Range;

use super::elimination::Elimination;
use super::rows::Rows;
use super::tolerances::PRODUCTS_PER_STEP;
use crate::linalg::dense::dot;
use crate::system::System;
use crate::topology::NONE;

/// Ways of loops to the roots, and what the columns of the matrix leave on them.
#[derive(Clone, Debug, Default)]
pub(super) struct Products {
    /// For each loop its steps, ascending; and where their numbers are, without the gaps between neighbors.
    paths: Vec<Vec<u32>>,
    runs: Vec<Vec<Range<usize>>>,
    /// Where the numbers of each step begin, and where all end.
    place: Vec<usize>,
    /// `D⁻¹·e` of one column, over all steps; zero elsewhere.
    by_d: Vec<f64>,
    /// Where `e` of each column ends, steps one after the other.
    end: Vec<usize>,
    e: Vec<f64>,
}

impl Products {
    /// Lays them out for loops in the order in which they touch the elimination, unless responses are cheaper.
    pub(super) fn new(system: &System, elimination: &Elimination, loops: &[u32]) -> Option<Self> {
        if elimination.has_core() || loops.is_empty() {
            return None;
        }
        let (branches, step_of) = (elimination.branches(), elimination.steps_of_bodies(system));
        let mut out = Self {
            place: vec![0],
            ..Self::default()
        };
        let mut n_numbers = 0;
        for step in 0..branches.len() as u32 {
            n_numbers += branches.n_left(step);
            out.place.push(n_numbers);
        }
        // Steps that are not swept, and products in their place.
        let (mut saved, mut products, mut end) = (0, 0, 0);
        for &c in loops {
            let mut heads = Vec::new();
            system.for_each_side(c, false, |body, _| heads.push(step_of[body as usize]));
            let first = heads.iter().copied().min().filter(|&first| first != NONE);
            let path = branches.path(heads);
            let n_rows = system.row_range(c).len();
            saved += n_rows
                * (2 * (branches.len() - first.map_or(0, |first| first as usize)) - path.len());
            let mut runs: Vec<Range<usize>> = Vec::new();
            for &step in &path {
                let places = out.places(step);
                match runs.last_mut() {
                    _ if places.is_empty() => {}
                    Some(last) if last.end == places.start => last.end = places.end,
                    _ => runs.push(places),
                }
            }
            let width: usize = runs.iter().map(Range::len).sum();
            for _ in 0..n_rows {
                end += width;
                out.end.push(end);
                // With each column so far, this one too; the entry itself costs as much as 16 of them.
                products += end + 16 * out.end.len();
            }
            out.paths.push(path);
            out.runs.push(runs);
        }
        if products > PRODUCTS_PER_STEP * saved {
            return None;
        }
        out.by_d = vec![0.0; n_numbers];
        out.e = vec![0.0; end];
        Some(out)
    }

    /// Where the numbers of a step are.
    fn places(&self, step: u32) -> Range<usize> {
        self.place[step as usize]..self.place[step as usize + 1]
    }

    /// Writes `J·M̂⁻¹·Jᵀ` of the rows. `force` is zero, and zero again afterwards.
    pub(super) fn fill(
        &mut self,
        system: &System,
        elimination: &mut Elimination,
        rows: &Rows,
        force: &mut [f64],
        a: &mut [f64],
    ) {
        let n = rows.len();
        let mut unit = [0.0; super::MAX_ROWS];
        for (at, (c, columns)) in rows.iter().enumerate() {
            for (i, column) in columns.clone().enumerate() {
                unit[i] = 1.0;
                system.add_constraint_force(c, &unit[..columns.len()], force);
                elimination.sweep_along(system, &self.paths[at], force);
                // Take the force out again: it is the same numbers, so what is left is zero.
                unit[i] = -1.0;
                system.add_constraint_force(c, &unit[..columns.len()], force);
                unit[i] = 0.0;
                let mut end = self.end[column];
                for &step in self.paths[at].iter().rev() {
                    let places = self.places(step);
                    let e = &mut self.e[end - places.len()..end];
                    end -= places.len();
                    let by_d = &mut self.by_d[places];
                    elimination.branches().left(system, step, e, by_d);
                }
                let first = self.runs[at].first().map_or(0, |run| run.start);
                for (other_at, (_, others)) in rows.iter().take(at + 1).enumerate() {
                    for other in others.start..others.end.min(column + 1) {
                        let value = self.product(other_at, self.end[other], first);
                        a[other * n + column] = value;
                        a[column * n + other] = value;
                    }
                }
                for run in &self.runs[at] {
                    self.by_d[run.clone()].fill(0.0);
                }
            }
        }
    }

    /// Of the column at hand, whose numbers begin at `first`, with another one, whose numbers end at `end`.
    /// From the root, which all have in common.
    fn product(&self, at: usize, mut end: usize, first: usize) -> f64 {
        let mut sum = 0.0;
        for run in self.runs[at].iter().rev() {
            let shared = run.start.max(first)..run.end;
            if shared.is_empty() {
                break;
            }
            sum += dot(&self.e[end - shared.len()..end], &self.by_d[shared]);
            end -= run.len();
        }
        sum
    }
}
