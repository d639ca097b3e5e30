//! Dense blocks of `J`: for a constraint behind its trait, one block per body it touches, over the
//! union of the columns that its connectors on that body depend on.

use super::compile::Builder;
use super::layout::GenericConstraint;
use super::numbers::{JacobianBlock, JacobianKind, System};
use crate::topology::{NONE, sort_indices};

impl Builder<'_> {
    /// Makes the blocks of the constraint at `position`, whose slots were found; its index is `NONE` if it is bounded.
    pub(super) fn generic_constraint(
        &mut self,
        position: usize,
        index: u32,
        system: &mut System,
    ) -> JacobianKind {
        let slots = self.slots.clone();
        let record = &self.world.constraints()[position];
        let n_rows = record.rows().len();
        for &slot in &slots {
            self.need_generic(slot);
        }
        // One block per body: the union of what its connectors depend on.
        let first = system.blocks.len();
        let mut unions: Vec<Option<Vec<u32>>> = Vec::new();
        for &slot in &slots {
            let slot = &self.layout.slots[slot as usize];
            if slot.body == NONE {
                continue;
            }
            let columns = self.layout.columns_of(slot).map(<[u32]>::to_vec);
            let blocks = &system.blocks[first..];
            match blocks.iter().position(|block| block.body == slot.body) {
                None => {
                    system.blocks.push(JacobianBlock {
                        body: slot.body,
                        offset: 0,
                        n_cols: 0,
                        columns: NONE,
                    });
                    unions.push(columns);
                }
                Some(at) => {
                    unions[at] = match (unions[at].take(), columns) {
                        (Some(mut mine), Some(theirs)) => {
                            mine.extend(theirs);
                            sort_indices(&mut mine);
                            mine.dedup();
                            Some(mine)
                        }
                        _ => None,
                    };
                }
            }
        }
        for (block, columns) in system.blocks[first..].iter_mut().zip(&unions) {
            block.offset = system.jacobian.len() as u32;
            match columns {
                None => block.n_cols = system.bodies[block.body as usize].n_v,
                Some(columns) => {
                    block.columns = system.columns.len() as u32;
                    block.n_cols = columns.len() as u32;
                    system.columns.extend(columns);
                }
            }
            system
                .jacobian
                .resize(system.jacobian.len() + n_rows * block.n_cols as usize, 0.0);
        }
        let mut block_of_input = Vec::with_capacity(slots.len());
        let mut n_x_dot = 0;
        for &slot in &slots {
            let slot = &self.layout.slots[slot as usize];
            n_x_dot += slot.kind.n_x_dot();
            let at = system.blocks[first..]
                .iter()
                .position(|block| block.body == slot.body);
            let Some(at) = at else {
                block_of_input.push((NONE, NONE));
                continue;
            };
            // Where the connector's columns sit among the block's, unless they are the same.
            let map = match (self.layout.columns_of(slot), &unions[at]) {
                (Some(mine), Some(union)) if mine != union.as_slice() => {
                    let start = self.layout.input_columns.len() as u32;
                    let places = mine.iter().map(|c| union.partition_point(|u| u < c) as u32);
                    let places: Vec<u32> = places.collect();
                    self.layout.input_columns.extend(places);
                    start
                }
                (Some(mine), None) => {
                    let start = self.layout.input_columns.len() as u32;
                    let places = mine.to_vec();
                    self.layout.input_columns.extend(places);
                    start
                }
                _ => NONE,
            };
            block_of_input.push(((first + at) as u32, map));
        }
        self.layout.n_scratch = self.layout.n_scratch.max(n_rows * n_x_dot);
        let constraints = match index {
            NONE => &mut self.layout.bounded_constraints,
            _ => &mut self.layout.generic_constraints,
        };
        constraints.push(GenericConstraint {
            record: position as u32,
            constraint: index,
            row0: record.row0 as u32,
            pushes: record.constraint.pushes_elsewhere(),
            slots,
            block_of_input,
        });
        JacobianKind::Blocks {
            first: first as u32,
            n: (system.blocks.len() - first) as u32,
        }
    }
}
