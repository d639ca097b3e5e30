//! Rows that are laid over a factor of other rows: what two of the five methods do with a dense matrix
//! (`dense`) and two by iterations (`iterated`), over free bodies (`normal`) or the spanning forest
//! (`forest`).

use std::ops::Range;

use super::mass::MassInverse;
use super::refine::RowFactor;
use crate::linalg::blocks::Blocks;
use crate::linalg::krylov::{self, Layout};
use crate::system::System;

/// A factor over which rows are laid. It solves for its own rows in linear time.
pub(super) trait Underlay: RowFactor + Send + Sync {
    fn factor(&mut self, system: &System);

    /// Its own constraints.
    fn constraints(&self) -> &[u32] {
        &[]
    }

    /// The inverse masses of the system that was factored.
    fn inverse(&self) -> &MassInverse;

    /// Whether iterations are scaled by the own response of each constraint.
    fn is_scaled(&self) -> bool {
        false
    }

    /// Prepares [`respond_alone`](Self::respond_alone), after a factor.
    fn weigh_bodies(&mut self, _: &System) {}

    /// `f ← Z·f`: the response of a body to a force on itself.
    fn respond_alone(&self, system: &System, body: u32, f: &mut [f64]) {
        self.inverse().apply(system, body, f);
    }

    /// Mobility of row `i` of constraint `c` with free bodies. `entry` is its mobility over this underlay,
    /// `force` is scratch.
    fn mobility(
        &self,
        system: &System,
        (c, i): (u32, usize),
        _entry: f64,
        force: &mut [f64],
    ) -> f64 {
        self.inverse().mobility(system, c, i, force)
    }

    /// Lays out the work of `fill` for these rows.
    fn expect_fill(&mut self, _system: &System, _over: &Rows) {}

    /// Writes `J·M̂⁻¹·Jᵀ` of the rows laid over, row-major, without their scales.
    fn fill(&mut self, system: &System, over: &Rows, a: &mut [f64]);

    /// The largest error `b − J·M⁻¹·f` of a constraint without constraint forces. `errors` are those of the
    /// rows laid over, with its own rows in effect.
    fn size(
        &mut self,
        system: &System,
        given: (Option<&[f64]>, Option<&[f64]>),
        over: &Rows,
        errors: &[f64],
    ) -> f64;
}

/// An underlay, and the remaining constraints, which are laid over it.
pub(super) type Laid = (Box<dyn Underlay>, Vec<u32>);

/// Constraints and their rows, scaled to meters.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    constraints: Vec<u32>,
    /// First row of each constraint, with the end of the last.
    start: Vec<usize>,
    scale: Vec<f64>,
    /// The constraints in use are the first ones.
    n_used: usize,
}

impl Rows {
    /// All rows of these constraints, all in use, each constraint with a weight.
    pub(super) fn new(
        system: &System,
        constraints: Vec<u32>,
        weight: impl Fn(&System, u32) -> f64,
    ) -> Self {
        let mut start = Vec::with_capacity(constraints.len() + 1);
        let mut scale = Vec::new();
        for &c in &constraints {
            start.push(scale.len());
            let (rows, weight) = (system.row_range(c), weight(system, c));
            scale.extend(rows.map(|row| system.row_scale[row] * weight));
        }
        start.push(scale.len());
        Self {
            n_used: constraints.len(),
            constraints,
            start,
            scale,
        }
    }

    /// Uses only the first constraints.
    pub(super) fn use_first(&mut self, n: usize) {
        self.n_used = n;
    }

    /// The constraints in use.
    pub(super) fn constraints(&self) -> &[u32] {
        &self.constraints[..self.n_used]
    }

    /// Number of rows in use.
    pub(super) fn len(&self) -> usize {
        self.start[self.n_used]
    }

    pub(super) fn start(&self) -> &[usize] {
        &self.start
    }

    pub(super) fn scale(&self) -> &[f64] {
        &self.scale
    }

    /// The constraints in use, with weights of their rows.
    pub(super) fn layout<'a>(&'a self, weight: &'a [f64], blocks: &'a Blocks) -> Layout<'a> {
        Layout {
            start: &self.start[..=self.n_used],
            weight,
            blocks,
        }
    }

    /// The largest error of a constraint.
    pub(super) fn largest(&self, errors: &[f64]) -> f64 {
        krylov::largest(&self.start[..=self.n_used], errors)
    }

    /// The constraints in use and the ranges of their rows.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, Range<usize>)> {
        let places = self.start.windows(2).map(|ends| ends[0]..ends[1]);
        self.constraints().iter().copied().zip(places)
    }

    /// `x ← scale·(b − J·y)`.
    pub(super) fn errors(&self, system: &System, b: Option<&[f64]>, y: &[f64], x: &mut [f64]) {
        for (c, places) in self.iter() {
            let x = &mut x[places.clone()];
            system.constraint_motion(c, y, x);
            let rows = system.row_range(c).zip(&self.scale[places]);
            for (x, (row, scale)) in x.iter_mut().zip(rows) {
                *x = (b.map_or(0.0, |b| b[row]) - *x) * scale;
            }
        }
    }

    /// `λ = scale·x`, `f ← f + Jᵀ·λ`.
    pub(super) fn push(&self, system: &System, x: &[f64], lambda: &mut [f64], f: &mut [f64]) {
        for (c, places) in self.iter() {
            let lambda = &mut lambda[system.row_range(c)];
            let scaled = x[places.clone()].iter().zip(&self.scale[places]);
            for (lambda, (x, scale)) in lambda.iter_mut().zip(scaled) {
                *lambda = scale * x;
            }
            system.add_constraint_force(c, lambda, f);
        }
    }

    /// `x ← λ/scale`; zero without `λ`.
    pub(super) fn gather(&self, system: &System, lambda: Option<&[f64]>, x: &mut [f64]) {
        let Some(lambda) = lambda else {
            x.fill(0.0);
            return;
        };
        for ((x, scale), row) in x.iter_mut().zip(&self.scale).zip(self.rows(system)) {
            *x = lambda[row] / scale;
        }
    }

    /// `λ ← scale·x`, zero in all other rows.
    pub(super) fn scatter(&self, system: &System, x: &[f64], lambda: &mut [f64]) {
        lambda.fill(0.0);
        for ((x, scale), row) in x.iter().zip(&self.scale).zip(self.rows(system)) {
            lambda[row] = scale * x;
        }
    }

    fn rows(&self, system: &System) -> impl Iterator<Item = usize> {
        self.constraints().iter().flat_map(|&c| system.row_range(c))
    }
}

/// `to ← from`, zero without it.
pub(super) fn copy_or_zero(from: Option<&[f64]>, to: &mut [f64]) {
    match from {
        Some(from) => to.copy_from_slice(from),
        None => to.fill(0.0),
    }
}
