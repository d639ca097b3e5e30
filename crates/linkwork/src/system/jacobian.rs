//! Dense blocks of `J`: for a constraint through its trait, one block per body, over the union of the columns
//! that its connectors on that body depend on.

use super::compile::Builder;
use super::layout::{GenericConstraint, SlotSide};
use super::numbers::{JacobianBlock, JacobianKind, System};
use crate::connector::ConnectorKind;
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
        for side in self.sides_of(&slots) {
            let columns = self.layout.columns_of(&side).map(<[u32]>::to_vec);
            let blocks = &system.blocks[first..];
            match blocks.iter().position(|block| block.body == side.body) {
                None => {
                    system.blocks.push(JacobianBlock {
                        body: side.body,
                        offset: 0,
                        n_cols: 0,
                        columns: NONE,
                    });
                    unions.push(columns);
                }
                Some(at) => unions[at] = union(unions[at].take(), columns),
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
        let kinds = slots
            .iter()
            .map(|&slot| self.layout.slots[slot as usize].kind);
        let n_x_dot: usize = kinds.map(ConnectorKind::n_x_dot).sum();
        let mut block_of_side = Vec::with_capacity(slots.len());
        for side in self.sides_of(&slots) {
            let blocks = &system.blocks[first..];
            let at = blocks.iter().position(|block| block.body == side.body);
            let Some(at) = at else {
                unreachable!("every side has a block")
            };
            let map = self.map_columns(&side, unions[at].as_deref());
            block_of_side.push(((first + at) as u32, map));
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
            block_of_side,
        });
        JacobianKind::Blocks {
            first: first as u32,
            n: (system.blocks.len() - first) as u32,
        }
    }

    /// The sides of several slots, one slot after another.
    fn sides_of(&self, slots: &[u32]) -> Vec<SlotSide> {
        let slots = slots.iter().map(|&slot| &self.layout.slots[slot as usize]);
        let sides = slots.flat_map(|slot| self.layout.sides_of(slot));
        sides.copied().collect()
    }

    /// The positions of a side's columns among those of its body in a block (`None`: all), or `NONE` if they
    /// are the same.
    pub(super) fn map_columns(&mut self, side: &SlotSide, union: Option<&[u32]>) -> u32 {
        let Some(mine) = self.layout.columns_of(side) else {
            return NONE;
        };
        let places: Vec<u32> = match union {
            Some(union) if mine == union => return NONE,
            Some(union) => {
                let places = mine.iter().map(|c| union.partition_point(|u| u < c) as u32);
                places.collect()
            }
            None => mine.to_vec(),
        };
        let start = self.layout.input_columns.len() as u32;
        self.layout.input_columns.extend(places);
        start
    }
}

/// The columns of both, ascending; `None` is all.
pub(super) fn union(mine: Option<Vec<u32>>, theirs: Option<Vec<u32>>) -> Option<Vec<u32>> {
    let mut both = mine?;
    both.extend(theirs?);
    sort_indices(&mut both);
    both.dedup();
    Some(both)
}
