//! The layout of the outputs of blocks, and of the products that make their `L`.
//!
//! An output depends on every body that an input depends on. Blocks that nothing active reads are left out; of
//! the others, only outputs that are read get an `L`.

use super::compile::Builder;
use super::jacobian::union;
use super::layout::{BlockSource, NamedBy, Product, ProductFactor, SiteName, Slot, SlotSide};
use crate::block::rates;
use crate::connector::Connector;
use crate::topology::NONE;
use crate::world::{BlockId, BlockRecord, World};

impl Builder<'_> {
    /// Lays out the blocks that constraints and behaviors read, and the blocks that these read.
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

    /// Lays out a block. `read` has a bit for each output that is read.
    fn block(&mut self, position: usize, record: &BlockRecord, read: u64) {
        let mut inputs = Vec::with_capacity(record.inputs.len());
        for (k, input) in record.inputs.iter().enumerate() {
            let slot = match input {
                Connector::Site { body, .. } => {
                    let at = self.world.body_position(*body);
                    let name = SiteName {
                        by: NamedBy::Block,
                        connector: k as u16,
                        record: position as u32,
                    };
                    self.intern(at.map_or(NONE, |at| at as u32), name)
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
            runs: self.runs_of(&inputs),
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
            let target = self.output_side(body, columns.as_deref(), n_rows);
            let first = self.layout.products.len();
            for &(side, column, n_own) in &parts {
                let side = self.layout.sides[side as usize];
                if side.body != body {
                    continue;
                }
                let map = self.map_columns(&side, columns.as_deref());
                let product = Product {
                    factor: match side.is_identity {
                        true => ProductFactor::Identity,
                        false => ProductFactor::Dense(side.l0),
                    },
                    n_cols: side.n_cols,
                    into: target.l0,
                    n_into: target.n_cols,
                    is_first: self.layout.products.len() == first,
                    map,
                    row,
                    n_rows,
                    column,
                    n_own,
                };
                let last = self.layout.products[first..].last_mut();
                if !last.is_some_and(|last| last.take_in(&product)) {
                    self.layout.products.push(product);
                }
            }
        }
    }

    /// Makes the side of an output on a body, over all of its columns or some.
    fn output_side(&mut self, body: u32, columns: Option<&[u32]>, n_rows: u32) -> SlotSide {
        let mut side = SlotSide {
            body,
            l0: self.layout.n_l as u32,
            is_identity: false,
            n_cols: 0,
            columns: NONE,
        };
        match columns {
            Some(columns) => {
                side.columns = self.layout.slot_columns.len() as u32;
                side.n_cols = columns.len() as u32;
                self.layout.slot_columns.extend(columns);
            }
            None => {
                let record = self.record_of[body as usize];
                let own = &self.world.bodies()[record as usize];
                side.n_cols = own.body.n_v() as u32;
            }
        }
        self.layout.n_l += (n_rows * side.n_cols) as usize;
        self.layout.sides.push(side);
        side
    }

    /// The ranges of the rates of inputs; adjacent ones are joined.
    fn runs_of(&self, inputs: &[u32]) -> Vec<(u32, u32)> {
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for &slot in inputs {
            let slot = &self.layout.slots[slot as usize];
            let (start, n) = (slot.x_dot0, slot.kind.n_x_dot() as u32);
            match runs.last_mut() {
                Some(last) if last.0 + last.1 == start => last.1 += n,
                _ => runs.push((start, n)),
            }
        }
        runs
    }
}

impl Product {
    /// Merges with the next product if both are of scalars with one column, adjacent in all arrays.
    fn take_in(&mut self, next: &Self) -> bool {
        let (ProductFactor::Dense(own) | ProductFactor::Diagonal(own), ProductFactor::Dense(other)) =
            (self.factor, next.factor)
        else {
            return false;
        };
        let is_diagonal = matches!(self.factor, ProductFactor::Diagonal(_))
            || (self.n_cols, self.n_own) == (1, 1);
        let follows = own + self.n_cols == other
            && self.column + self.n_own == next.column
            && self.map != NONE
            && self.map + self.n_cols == next.map;
        if !is_diagonal || (next.n_cols, next.n_own) != (1, 1) || !follows {
            return false;
        }
        self.factor = ProductFactor::Diagonal(own);
        self.n_cols += 1;
        self.n_own += 1;
        true
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
    // Users of a block come after it.
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
