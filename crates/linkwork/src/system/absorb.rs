//! Decides which constraints are absorbed by a body (`solve/absorb.rs` absorbs them). The decision depends on
//! the description of the world, not on its state, and holds until the next edit.
//!
//! A constraint can be absorbed if all of its rows are soft and of priority 0, act along `J`, and touch one
//! body, whose block is small or patterned. This pays if a body has more such rows than coordinates; fewer rows
//! make a smaller matrix than the body itself. In a patterned block it always pays, as long as a row has few
//! columns. Rows so stiff that the mass would be lost in round-off stay rows.

use super::compile::Builder;
use super::numbers::{MassBlock, System};
use super::pattern::MAX_COLUMNS;
use crate::system::tolerances::{LONGEST, MOST_STIFF};
use crate::topology::NONE;
use crate::world::ConstraintRecord;

impl Builder<'_> {
    /// Notes the last constraint of the incidence, if it can be absorbed.
    pub(super) fn note_absorbable(&mut self, record: &ConstraintRecord, system: &System) {
        let incidence = &self.layout.incidence;
        let c = incidence.constraints.len() - 1;
        let node = &incidence.constraints[c];
        let &[body] = incidence.bodies_of(c as u32) else {
            return;
        };
        let absorbs = match system.bodies[body as usize].mass {
            // The last block has its rows.
            MassBlock::Patterned { .. } => system
                .blocks
                .last()
                .is_some_and(|block| block.columns != NONE && block.n_cols as usize <= MAX_COLUMNS),
            _ => incidence.bodies[body as usize].foldable,
        };
        if !node.primary || !absorbs {
            return;
        }
        let owner = &self.world.bodies()[self.record_of[body as usize] as usize];
        let q = &self.world.state().q[owner.q_range()];
        let (mass, _) = owner.body.center_of_mass(q);
        let block = &system.bodies[body as usize];
        let mobility = match mass > 0.0 && !matches!(block.mass, MassBlock::Patterned { .. }) {
            true => 1.0 / mass,
            false => block.most_mobile,
        };
        let fits = |(i, &alpha): (usize, &f64)| {
            let scale = system.row_scale[record.row0 + i];
            let weight = LONGEST * (LONGEST / alpha + record.damping[i]);
            alpha > 0.0 && weight * mobility <= MOST_STIFF * scale * scale
        };
        if record.compliance.iter().enumerate().all(fits) {
            self.absorbable.push((c, body));
        }
    }

    /// Selects the constraints whose absorption pays.
    pub(super) fn absorb(&mut self, system: &System) {
        let nodes = &mut self.layout.incidence.constraints;
        let mut n_rows = vec![0; system.bodies.len()];
        for &(c, body) in &self.absorbable {
            n_rows[body as usize] += nodes[c].n_rows;
        }
        for &(c, body) in &self.absorbable {
            let body = body as usize;
            let block = &system.bodies[body];
            let pays = matches!(block.mass, MassBlock::Patterned { .. });
            nodes[c].absorbed = pays || n_rows[body] > block.n_v;
        }
    }
}
