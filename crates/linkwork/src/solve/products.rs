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
use super::tolerances::PRODUCTS_PER_STEP;
use crate::linalg::dense::dot;
use crate::system::System;

/// Ways of loops to the roots, and what the columns of the matrix leave on them.
#[derive(Clone, Debug, Default)]
pub(super) struct Products {
    /// The steps of all loops, of each ascending, and where those of each begin.
    steps: Vec<u32>,
    first: Vec<usize>,
    /// The loop of each column.
    loop_of: Vec<u32>,
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
        let mut out = Self::default();
        let mut n_numbers = 0;
        out.place.push(0);
        for step in 0..branches.len() as u32 {
            n_numbers += branches.n_left(step);
            out.place.push(n_numbers);
        }
        // Steps that are not swept, and products in their place.
        let (mut saved, mut products, mut end) = (0, 0, 0);
        for (at, &c) in loops.iter().enumerate() {
            let first = out.steps.len();
            out.first.push(first);
            let mut heads = Elimination::steps_at(system, c, &step_of);
            branches.add_path(&mut heads, &mut out.steps);
            let path = &out.steps[first..];
            let start = path.first().map_or(branches.len(), |&step| step as usize);
            let mut width = 0;
            for &step in path {
                width += out.place[step as usize + 1] - out.place[step as usize];
            }
            for _ in system.row_range(c) {
                saved += 2 * (branches.len() - start) - path.len();
                end += width;
                out.end.push(end);
                out.loop_of.push(at as u32);
                // With each column so far, this one too; the entry itself costs as much as 16 of them.
                products += end + 16 * out.end.len();
            }
        }
        out.first.push(out.steps.len());
        if products > PRODUCTS_PER_STEP * saved {
            return None;
        }
        out.by_d.resize(n_numbers, 0.0);
        out.e.resize(end, 0.0);
        Some(out)
    }

    /// The steps of a loop.
    fn path(&self, at: usize) -> &[u32] {
        &self.steps[self.first[at]..self.first[at + 1]]
    }

    /// Where the numbers of a step are.
    fn places(&self, step: u32) -> Range<usize> {
        self.place[step as usize]..self.place[step as usize + 1]
    }

    /// Writes the entries of a column of a loop with all before it, for its force.
    pub(super) fn fill(
        &mut self,
        system: &System,
        elimination: &mut Elimination,
        (at, column): (usize, usize),
        force: &[f64],
        a: &mut [f64],
    ) {
        elimination.sweep_along(system, self.path(at), force);
        let steps = self.first[at]..self.first[at + 1];
        let mut end = self.end[column];
        for k in steps.clone().rev() {
            let places = self.places(self.steps[k]);
            let e = &mut self.e[end - places.len()..end];
            end -= places.len();
            let by_d = &mut self.by_d[places];
            elimination.branches().left(system, self.steps[k], e, by_d);
        }
        let head = self.path(at).first().copied().unwrap_or(0);
        let (n, first) = (self.end.len(), self.place[head as usize]);
        for other in 0..=column {
            let value = self.product(other, first);
            a[other * n + column] = value;
            a[column * n + other] = value;
        }
        for k in steps {
            let places = self.places(self.steps[k]);
            self.by_d[places].fill(0.0);
        }
    }

    /// Of the column at hand, whose numbers begin at `first`, with another one. From the root, which all have in
    /// common; neighbors are one product.
    fn product(&self, column: usize, first: usize) -> f64 {
        let (mut sum, mut end) = (0.0, self.end[column]);
        let mut run = 0..0;
        for &step in self.path(self.loop_of[column] as usize).iter().rev() {
            let places = self.places(step);
            if places.end <= first {
                break;
            }
            if places.end != run.start {
                sum += self.dot(end, run.clone());
                end -= run.len();
                run.end = places.end;
            }
            run.start = places.start;
        }
        sum + self.dot(end, run)
    }

    #[inline(never)]
    fn dot(&self, end: usize, run: Range<usize>) -> f64 {
        dot(&self.e[end - run.len()..end], &self.by_d[run])
    }
}
