//! Constraints through their trait, and the chain rule from derivatives by connectors to rows over velocities
//! (Witkin 1990, eq. 6 and 7).
//!
//! ```text
//!     J = Σ (∂c/∂x)·L      γ ← γ + Σ (∂c/∂x)·ℓ      K = Σ push·L, where forces act elsewhere
//! ```

#![allow(non_snake_case)] // D, L: the letters of the papers.

use super::blocks::note;
use super::connectors::with_inputs;
use super::fill::Filler;
use super::layout::{GenericConstraint, Layout};
use super::numbers::System;
use crate::connector::{ConnectorKind, Counter};
use crate::constraint::Rows;
use crate::topology::NONE;
use crate::world::{State, World};

impl Filler {
    pub(super) fn generic_constraints(
        &mut self,
        (world, state): (&World, &State),
        layout: &Layout,
        system: &mut System,
    ) {
        system.energy = 0.0;
        let constraints = layout.generic_constraints.iter();
        for generic in constraints.chain(&layout.bounded_constraints) {
            let record = &world.constraints()[generic.record as usize];
            let constraint = &*record.constraint;
            let kinds = record.inputs();
            let n_rows = record.rows().len();
            let n_x_dot: usize = kinds.iter().map(|kind| kind.n_x_dot()).sum();
            let rows = record.row_range();
            let pushes = generic.pushes;
            let push = if pushes { n_rows * n_x_dot } else { 0 };
            let mut out = Rows::new(
                kinds,
                &mut system.c[rows.clone()],
                &mut system.c_dot[rows.clone()],
                &mut system.gamma[rows.clone()],
                &mut self.scratch[..n_rows * n_x_dot],
                &mut self.push_scratch[..push],
            );
            out.turns = Counter {
                from: Some((&state.turns, state.t)),
                into: Some(&mut system.turns),
                first: record.angle0,
            };
            with_inputs(&generic.slots, layout, &self.x, &self.x_dot, |inputs| {
                constraint.eval(state.t, inputs, &mut out);
            });
            system.energy += out.energy.unwrap_or(0.0);
            let numbers = out.c.iter().chain(&*out.c_dot).chain(&out.energy);
            let is_finite = numbers.into_iter().all(|c| c.is_finite());
            if !is_finite && !self.fault.is_noted() {
                let given = (&self.x[..], &self.x_dot[..]);
                note(&mut self.fault, &generic.slots, layout, given);
                self.fault.take((generic.record, true), state.t);
            }
            self.chain_rule(layout, generic, kinds, n_rows, system);
        }
    }

    /// `J = Σ (∂c/∂x)·L` (Witkin 1990, eq. 6), and `γ ← γ + Σ (∂c/∂x)·ℓ`.
    fn chain_rule(
        &self,
        layout: &Layout,
        generic: &GenericConstraint,
        kinds: &[ConnectorKind],
        n_rows: usize,
        system: &mut System,
    ) {
        let (row0, pushes) = (generic.row0 as usize, generic.pushes);
        for &(block, _) in &generic.block_of_side {
            let block = &system.blocks[block as usize];
            let range =
                block.offset as usize..block.offset as usize + n_rows * block.n_cols as usize;
            if pushes {
                system.push[range.clone()].fill(0.0);
            }
            system.jacobian[range].fill(0.0);
        }
        let mut start = 0;
        let mut blocks = generic.block_of_side.iter();
        for (input, kind) in kinds.iter().enumerate() {
            let n = kind.n_x_dot();
            let part = start * n_rows..(start + n) * n_rows;
            start += n;
            let slot = &layout.slots[generic.slots[input] as usize];
            let ell = &self.ell[slot.x_dot0 as usize..][..n];
            for (i, row) in self.scratch[part.clone()].chunks_exact(n).enumerate() {
                system.gamma[row0 + i] += row.iter().zip(ell).map(|(d, l)| d * l).sum::<f64>();
            }
            for (side, &(block, map)) in layout.sides_of(slot).iter().zip(&mut blocks) {
                let block = system.blocks[block as usize];
                let places = (map != NONE)
                    .then(|| &layout.input_columns[map as usize..][..side.n_cols as usize]);
                let target = Target {
                    offset: block.offset,
                    n_cols: block.n_cols,
                    places,
                };
                let D = &self.scratch[part.clone()];
                if side.is_identity {
                    target.add(D, n, &mut system.jacobian);
                    if pushes {
                        target.add(&self.push_scratch[part.clone()], n, &mut system.push);
                    }
                    continue;
                }
                let L = &self.L[side.l0 as usize..][..n * side.n_cols as usize];
                target.add_product(D, L, n, &mut system.jacobian);
                if pushes {
                    target.add_product(&self.push_scratch[part.clone()], L, n, &mut system.push);
                }
            }
        }
    }
}

/// A block of `J` as the target of a product.
struct Target<'a> {
    offset: u32,
    n_cols: u32,
    places: Option<&'a [u32]>,
}

impl Target<'_> {
    /// `block ← block + D`, with `D` of `n` columns.
    fn add(&self, D: &[f64], n: usize, into: &mut [f64]) {
        for (i, d) in D.chunks_exact(n).enumerate() {
            let start = self.offset as usize + i * self.n_cols as usize;
            let row = &mut into[start..start + self.n_cols as usize];
            match self.places {
                None => row.iter_mut().zip(d).for_each(|(out, d)| *out += d),
                Some(places) => {
                    for (d, &place) in d.iter().zip(places) {
                        row[place as usize] += d;
                    }
                }
            }
        }
    }

    /// `block ← block + D·L`, with `D` of `n` columns.
    fn add_product(&self, D: &[f64], L: &[f64], n: usize, into: &mut [f64]) {
        let n_cols = L.len() / n;
        for (i, d) in D.chunks_exact(n).enumerate() {
            let start = self.offset as usize + i * self.n_cols as usize;
            let row = &mut into[start..start + self.n_cols as usize];
            for (d, l) in d.iter().zip(L.chunks_exact(n_cols)) {
                if *d == 0.0 {
                    continue;
                }
                match self.places {
                    None => row.iter_mut().zip(l).for_each(|(out, l)| *out += d * l),
                    Some(places) => {
                        for (l, &place) in l.iter().zip(places) {
                            row[place as usize] += d * l;
                        }
                    }
                }
            }
        }
    }
}
