//! The matrix of loops by forward sweeps alone: Rosenthal's saving (Baraff 1996, §10).
//!
//! ```text
//!     J_a·M̂⁻¹·J_bᵀ = (L⁻¹·J_aᵀ)ᵀ·D⁻¹·(L⁻¹·J_bᵀ)
//! ```
//!
//! A column is one forward sweep from the bodies of its loop to their roots; an entry is a product over the
//! steps that two columns share. There is no backward sweep, and bodies off these paths are not visited. The
//! factor is the one used by responses, so both give the same matrix, with a proximal term too.
//!
//! Many loops with long paths have many products; responses are then cheaper. Operations are counted when a
//! factor is laid out.

use std::ops::Range;

use super::elimination::Elimination;
use super::tolerances::PRODUCTS_PER_STEP;
use crate::linalg::dense::dot;
use crate::system::System;

/// Paths of loops to the roots, and the results of the columns' sweeps on them.
#[derive(Clone, Debug, Default)]
pub(super) struct Products {
    /// The steps of all loops, ascending for each, and the start of each loop's range.
    steps: Vec<u32>,
    first: Vec<usize>,
    /// The loop of each column.
    loop_of: Vec<u32>,
    /// Offset of the numbers of each step, with the end of the last.
    place: Vec<usize>,
    /// `D⁻¹·e` of one column, over all steps; zero elsewhere.
    by_d: Vec<f64>,
    /// End of `e` of each column.
    end: Vec<usize>,
    e: Vec<f64>,
}

impl Products {
    /// Lays them out for loops in the order of their first steps; `None` if responses are cheaper.
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
        // Steps saved, and products needed instead.
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
                // A product with each column so far and with itself; an entry costs as much as 16 products.
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

    /// The range of the numbers of a step.
    fn places(&self, step: u32) -> Range<usize> {
        self.place[step as usize]..self.place[step as usize + 1]
    }

    /// Writes the entries of a column with all columns before it, for its force.
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

    /// The product of the present column, whose numbers begin at `first`, with another, from their common root
    /// on. Adjacent steps are one product.
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
