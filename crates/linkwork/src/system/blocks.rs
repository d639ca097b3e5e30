//! Blocks: functions of connectors, evaluated once per instant in the order of their ids (Witkin 1990, §4.1).
//!
//! ```text
//!     L = Σ D·L_i      ℓ = γ + Σ D·ℓ_i
//! ```
//!
//! over the inputs. `block_layout` decides which products there are.

#![allow(non_snake_case)] // D, L: the letters of the papers.

use super::connectors::with_inputs;
use super::fill::Filler;
use super::layout::{BlockSource, Layout, ProductFactor};
use crate::block::BlockMut;
use crate::error::BlockFault;
use crate::linalg::MatMut;
use crate::topology::NONE;
use crate::world::{State, World};

/// The first block or constraint of a step that was not finite, and its inputs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fault {
    /// Position of its record in the world.
    record: Option<u32>,
    is_constraint: bool,
    t: f64,
    /// `x`, then `ẋ` of its inputs.
    given: Vec<f64>,
}

impl Fault {
    pub(super) fn size(&mut self, layout: &Layout) {
        let numbers = |inputs: &Vec<u32>| {
            let slots = inputs.iter().map(|&at| &layout.slots[at as usize]);
            slots
                .map(|slot| slot.kind.n_x() + slot.kind.n_x_dot())
                .sum()
        };
        let blocks = layout.blocks.iter().map(|own| &own.inputs);
        let generic = layout.generic_constraints.iter();
        let generic = generic.chain(&layout.bounded_constraints);
        let most = blocks
            .chain(generic.map(|own| &own.slots))
            .map(numbers)
            .max();
        self.given.clear();
        self.given.reserve(most.unwrap_or(0));
        self.record = None;
    }

    pub(super) fn clear(&mut self) {
        self.record = None;
    }

    pub(super) fn is_noted(&self) -> bool {
        self.record.is_some()
    }

    /// Notes the record and the time. If an input is not finite, another record is at fault.
    pub(super) fn take(&mut self, (record, is_constraint): (u32, bool), t: f64) {
        if self.given.iter().all(|number| number.is_finite()) {
            self.record = Some(record);
            (self.is_constraint, self.t) = (is_constraint, t);
        }
    }
}

impl Filler {
    /// The first block that was not finite.
    pub(crate) fn blame(&self, world: &World) -> Option<Box<BlockFault>> {
        let Fault {
            record, t, given, ..
        } = &self.fault;
        let at = (*record)? as usize;
        let is_constraint = self.fault.is_constraint;
        let (label, why) = match is_constraint {
            true => {
                let record = world.constraints().get(at)?;
                // Only a constraint that knows the reason is named here; others are named by their bodies.
                let why = record.constraint.blame(*t, given)?;
                (record.label.to_string(), Some(why))
            }
            false => {
                let record = world.blocks().get(at)?;
                (record.label.to_string(), record.block.blame(*t, given))
            }
        };
        Some(Box::new(BlockFault {
            label,
            is_constraint,
            why,
        }))
    }

    /// Clears the fault at the start of a step.
    pub(crate) fn forget_fault(&mut self) {
        self.fault.clear();
    }

    /// `x`, `ẋ`, `ℓ` and `L` of the outputs of blocks.
    pub(super) fn blocks(&mut self, (world, state): (&World, &State), layout: &Layout) {
        for source in &layout.blocks {
            let record = &world.blocks()[source.record as usize];
            let (n_in, n_out) = (source.n_in as usize, source.n_out as usize);
            let x0 = source.x0 as usize;
            let x_dot0 = source.x_dot0 as usize;
            // Inputs come before outputs in every array.
            let (x_before, x) = self.x.split_at_mut(x0);
            let (x_dot_before, x_dot) = self.x_dot.split_at_mut(x_dot0);
            let (ell_before, ell) = self.ell.split_at_mut(x_dot0);
            let D = &mut self.scratch[..n_out * n_in];
            let mut out = BlockMut {
                x: &mut x[..source.n_x as usize],
                x_dot: &mut x_dot[..n_out],
                gamma: &mut ell[..n_out],
                D: MatMut::new(&mut *D, n_in),
            };
            out.x.fill(0.0);
            out.x_dot.fill(0.0);
            out.gamma.fill(0.0);
            out.D.fill(0.0);
            with_inputs(&source.inputs, layout, x_before, x_dot_before, |inputs| {
                record.block.eval(state.t, inputs, &mut out);
            });
            let written = [&x[..source.n_x as usize], &x_dot[..n_out], &ell[..n_out], D];
            if !written.into_iter().all(is_finite) && self.fault.record.is_none() {
                let inputs = &source.inputs;
                note(&mut self.fault, inputs, layout, (x_before, x_dot_before));
                self.fault.take((source.record, false), state.t);
            }
            let mut column = 0;
            for &(start, n) in &source.runs {
                let own = &ell_before[start as usize..][..n as usize];
                for (row, ell) in ell[..n_out].iter_mut().enumerate() {
                    let d = &D[row * n_in + column..][..own.len()];
                    *ell += d.iter().zip(own).map(|(d, l)| d * l).sum::<f64>();
                }
                column += own.len();
            }
            self.products(source, layout);
        }
    }

    /// `L = Σ D·L_i` of one block, whose `D` was written.
    fn products(&mut self, source: &BlockSource, layout: &Layout) {
        let n_in = source.n_in as usize;
        let products = &layout.products[source.product0 as usize..][..source.n_products as usize];
        for product in products {
            let (before, L) = self.L.split_at_mut(product.into as usize);
            let n_into = product.n_into as usize;
            let L = &mut L[..product.n_rows as usize * n_into];
            if product.is_first {
                L.fill(0.0);
            }
            let n_cols = product.n_cols as usize;
            let places = (product.map != NONE)
                .then(|| &layout.input_columns[product.map as usize..][..n_cols]);
            for (i, out) in L.chunks_exact_mut(n_into).enumerate() {
                let start = (product.row as usize + i) * n_in + product.column as usize;
                let d = &self.scratch[start..start + product.n_own as usize];
                match product.factor {
                    ProductFactor::Identity => add(out, 1.0, d, places),
                    ProductFactor::Dense(from) => {
                        let rows = before[from as usize..].chunks_exact(n_cols);
                        for (d, row) in d.iter().zip(rows).filter(|(d, _)| **d != 0.0) {
                            add(out, *d, row, places);
                        }
                    }
                    ProductFactor::Diagonal(from) => {
                        let own = &before[from as usize..][..n_cols];
                        for (k, (d, l)) in d.iter().zip(own).enumerate() {
                            let place = places.map_or(k, |places| places[k] as usize);
                            out[place] += d * l;
                        }
                    }
                }
            }
        }
    }
}

fn is_finite(numbers: &[f64]) -> bool {
    numbers.iter().all(|number| number.is_finite())
}

/// `out ← out + factor·row`, at given columns.
#[inline]
fn add(out: &mut [f64], factor: f64, row: &[f64], places: Option<&[u32]>) {
    match places {
        None => out
            .iter_mut()
            .zip(row)
            .for_each(|(out, entry)| *out += factor * entry),
        Some(places) => {
            for (entry, &place) in row.iter().zip(places) {
                out[place as usize] += factor * entry;
            }
        }
    }
}

/// Notes the inputs of a record that is not finite.
pub(super) fn note(
    fault: &mut Fault,
    inputs: &[u32],
    layout: &Layout,
    (x, x_dot): (&[f64], &[f64]),
) {
    fault.given.clear();
    let slots = || inputs.iter().map(|&slot| &layout.slots[slot as usize]);
    for slot in slots() {
        let own = &x[slot.x0 as usize..][..slot.kind.n_x()];
        fault.given.extend_from_slice(own);
    }
    for slot in slots() {
        let own = &x_dot[slot.x_dot0 as usize..][..slot.kind.n_x_dot()];
        fault.given.extend_from_slice(own);
    }
}
