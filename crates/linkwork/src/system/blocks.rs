//! Blocks: functions of connectors, evaluated once per instant in the order of their ids (Witkin 1990, §4.1).
//!
//! ```text
//!     L = Σ D·L_i      ℓ = γ + Σ D·ℓ_i
//! ```
//!
//! over the inputs. An output moves with every body that an input moves with. Blocks that nothing active reads are
//! left out; of the others, only outputs that are read get an `L`.

#![allow(non_snake_case)] // D, L: the letters of the papers.

use super::compile::Builder;
use super::connectors::with_inputs;
use super::fill::Filler;
use super::jacobian::union;
use super::layout::{BlockSource, Layout, Product, Slot, SlotSide};
use crate::block::{BlockMut, rates};
use crate::connector::Connector;
use crate::linalg::MatMut;
use crate::topology::NONE;
use crate::world::{BlockId, BlockRecord, State, World};

/// The first block of a step that was not finite, and what it had been given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fault {
    /// Position of its record in the world.
    record: Option<u32>,
    t: f64,
    /// `x`, then `ẋ` of its inputs.
    given: Vec<f64>,
}

impl Fault {
    pub(super) fn size(&mut self, layout: &Layout) {
        let numbers = |block: &BlockSource| {
            let slots = block.inputs.iter().map(|&at| &layout.slots[at as usize]);
            slots
                .map(|slot| slot.kind.n_x() + slot.kind.n_x_dot())
                .sum()
        };
        let most = layout.blocks.iter().map(numbers).max();
        self.given.clear();
        self.given.reserve(most.unwrap_or(0));
        self.record = None;
    }

    pub(super) fn clear(&mut self) {
        self.record = None;
    }
}

impl Filler {
    /// The label of the block that was not finite first, and why, if it knows.
    pub(crate) fn blame(&self, world: &World) -> Option<(String, Option<String>)> {
        let record = world.blocks().get(self.fault.record? as usize)?;
        let why = record.block.blame(self.fault.t, &self.fault.given);
        Some((record.label.clone(), why))
    }

    /// A step begins: nothing was wrong yet.
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
            let written = x[..source.n_x as usize].iter().chain(&x_dot[..n_out]);
            let mut written = written.chain(&ell[..n_out]).chain(&*D);
            if !written.all(|number| number.is_finite()) && self.fault.record.is_none() {
                note(&mut self.fault, source, layout, (x_before, x_dot_before));
                self.fault.t = state.t;
            }
            let mut column = 0;
            for &slot in &source.inputs {
                let slot = &layout.slots[slot as usize];
                let own = &ell_before[slot.x_dot0 as usize..][..slot.kind.n_x_dot()];
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
        let mut into = NONE;
        for product in products {
            let (from, target) = (
                &layout.sides[product.from as usize],
                &layout.sides[product.into as usize],
            );
            let n_cols = target.n_cols as usize;
            let (before, L) = self.L.split_at_mut(target.l0 as usize);
            let L = &mut L[..product.n_rows as usize * n_cols];
            // Products into one side follow each other.
            if into != product.into {
                L.fill(0.0);
                into = product.into;
            }
            let n_own = from.n_cols as usize;
            let places = (product.map != NONE)
                .then(|| &layout.input_columns[product.map as usize..][..n_own]);
            for (i, out) in L.chunks_exact_mut(n_cols).enumerate() {
                let start = (product.row as usize + i) * n_in + product.column as usize;
                let d = &self.scratch[start..start + product.n_own as usize];
                if from.is_identity {
                    add(out, 1.0, d, places);
                    continue;
                }
                let rows = before[from.l0 as usize..].chunks_exact(n_own);
                for (d, row) in d.iter().zip(rows) {
                    if *d != 0.0 {
                        add(out, *d, row, places);
                    }
                }
            }
        }
    }
}

/// `out ← out + factor·row`, at some places.
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

/// Notes a block that is not finite, and what it was given.
fn note(fault: &mut Fault, source: &BlockSource, layout: &Layout, (x, x_dot): (&[f64], &[f64])) {
    fault.given.clear();
    let slots = || {
        source
            .inputs
            .iter()
            .map(|&slot| &layout.slots[slot as usize])
    };
    for slot in slots() {
        let own = &x[slot.x0 as usize..][..slot.kind.n_x()];
        fault.given.extend_from_slice(own);
    }
    for slot in slots() {
        let own = &x_dot[slot.x_dot0 as usize..][..slot.kind.n_x_dot()];
        fault.given.extend_from_slice(own);
    }
    // What was given nonsense is not to blame.
    if fault.given.iter().all(|number| number.is_finite()) {
        fault.record = Some(source.record);
    }
}

impl Builder<'_> {
    /// Lays out the blocks that constraints and behaviors read, and those that these are built on.
    pub(super) fn blocks(&mut self) {
        let world = self.world;
        self.block_slots.clear();
        self.block_slots.resize(world.blocks().len(), NONE);
        if world.blocks().is_empty() {
            return;
        }
        let read = read(world);
        for (position, record) in world.blocks().iter().enumerate() {
            if read[position] != 0 {
                self.block(position, record, read[position]);
            }
        }
    }

    /// The slot of an output of a block that was laid out.
    pub(super) fn slot_of_output(&self, block: BlockId, output: u32) -> u32 {
        let position = self.world.block_position(block);
        match position.map(|position| self.block_slots[position]) {
            Some(first) if first != NONE => first + output,
            _ => unreachable!("blocks that are read are laid out first"),
        }
    }

    /// Lays out a block, of which the outputs in `read` are read.
    fn block(&mut self, position: usize, record: &BlockRecord, read: u64) {
        let mut inputs = Vec::with_capacity(record.inputs.len());
        for input in &record.inputs {
            let slot = match input {
                Connector::Site { body, site } => {
                    let at = self.world.body_position(*body);
                    self.intern(at.map_or(NONE, |at| at as u32), site)
                }
                Connector::Output { block, output } => self.slot_of_output(*block, *output),
            };
            self.need_generic(slot);
            inputs.push(slot);
        }
        let outputs = record.block.outputs();
        let n_x: usize = outputs.iter().map(|kind| kind.n_x()).sum();
        let (n_in, n_out) = (rates(record.block.inputs()), rates(outputs));
        let source = BlockSource {
            record: position as u32,
            n_in: n_in as u32,
            x0: self.layout.n_x as u32,
            n_x: n_x as u32,
            x_dot0: self.layout.n_x_dot as u32,
            n_out: n_out as u32,
            product0: self.layout.products.len() as u32,
            n_products: 0,
            inputs,
        };
        self.block_slots[position] = self.layout.slots.len() as u32;
        let mut row = 0;
        for (k, &kind) in outputs.iter().enumerate() {
            let side0 = self.layout.sides.len();
            if read >> k & 1 == 1 {
                self.output_sides(&source.inputs, (row, kind.n_x_dot() as u32));
            }
            row += kind.n_x_dot() as u32;
            self.layout.slots.push(Slot {
                at: None,
                kind,
                space: NONE,
                x0: self.layout.n_x as u32,
                x_dot0: self.layout.n_x_dot as u32,
                side0: side0 as u32,
                n_sides: (self.layout.sides.len() - side0) as u32,
            });
            self.layout.n_x += kind.n_x();
            self.layout.n_x_dot += kind.n_x_dot();
        }
        let n_products = self.layout.products.len() as u32 - source.product0;
        self.layout.n_scratch = self.layout.n_scratch.max(n_in * n_out);
        self.layout.blocks.push(BlockSource {
            n_products,
            ..source
        });
    }

    /// Makes the sides of an output, the union of those of the inputs, and the products that fill them. `row` is
    /// its first row in `D`.
    fn output_sides(&mut self, inputs: &[u32], (row, n_rows): (u32, u32)) {
        // Sides of inputs, and the first column of each in `D`.
        let (mut parts, mut column) = (Vec::new(), 0);
        for &slot in inputs {
            let slot = &self.layout.slots[slot as usize];
            let n_own = slot.kind.n_x_dot() as u32;
            let sides = slot.side0..slot.side0 + slot.n_sides;
            parts.extend(sides.map(|side| (side, column, n_own)));
            column += n_own;
        }
        let mut targets: Vec<(u32, Option<Vec<u32>>)> = Vec::new();
        for &(side, ..) in &parts {
            let side = &self.layout.sides[side as usize];
            let columns = self.layout.columns_of(side).map(<[u32]>::to_vec);
            match targets.iter().position(|(body, _)| *body == side.body) {
                None => targets.push((side.body, columns)),
                Some(at) => targets[at].1 = union(targets[at].1.take(), columns),
            }
        }
        for (body, columns) in targets {
            let into = self.layout.sides.len() as u32;
            let mut target = SlotSide {
                body,
                l0: self.layout.n_l as u32,
                is_identity: false,
                n_cols: 0,
                columns: NONE,
            };
            match &columns {
                Some(columns) => {
                    target.columns = self.layout.slot_columns.len() as u32;
                    target.n_cols = columns.len() as u32;
                    self.layout.slot_columns.extend(columns);
                }
                None => {
                    let record = self.record_of[body as usize];
                    let own = &self.world.bodies()[record as usize];
                    target.n_cols = own.body.n_v() as u32;
                }
            }
            self.layout.n_l += (n_rows * target.n_cols) as usize;
            self.layout.sides.push(target);
            for &(from, column, n_own) in &parts {
                let side = self.layout.sides[from as usize];
                if side.body != body {
                    continue;
                }
                let map = self.map_columns(&side, columns.as_deref());
                self.layout.products.push(Product {
                    from,
                    into,
                    map,
                    row,
                    n_rows,
                    column,
                    n_own,
                });
            }
        }
    }
}

/// Which outputs of every block are read, a bit for each: by what is active, and by blocks that are read.
fn read(world: &World) -> Vec<u64> {
    let mut read = vec![0u64; world.blocks().len()];
    let mut note = |connector: &Connector| {
        if let Connector::Output { block, output } = connector
            && let Some(position) = world.block_position(*block)
        {
            read[position] |= 1 << output;
        }
    };
    let constraints = world.constraints().iter();
    let constraints = constraints.map(|record| (record.enabled, &record.connectors));
    let behaviors = world.behaviors().iter();
    let behaviors = behaviors.map(|record| (record.enabled, &record.connectors));
    for (enabled, connectors) in constraints.chain(behaviors) {
        if enabled && world.all_enabled(connectors) {
            connectors.iter().for_each(&mut note);
        }
    }
    // What takes a block comes after it.
    for position in (0..read.len()).rev() {
        if read[position] == 0 {
            continue;
        }
        for input in &world.blocks()[position].inputs {
            if let Connector::Output { block, output } = input
                && let Some(position) = world.block_position(*block)
            {
                read[position] |= 1 << output;
            }
        }
    }
    read
}
