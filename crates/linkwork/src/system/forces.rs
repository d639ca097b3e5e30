//! Behaviors through their trait: a force f on a connector is the generalized force `Lᵀ·f`.

#![allow(non_snake_case)] // L: the letter of the papers.

use super::connectors::with_inputs;
use super::fill::Filler;
use super::layout::Layout;
use super::numbers::System;
use crate::behavior::Forces;
use crate::connector::Counter;
use crate::world::{State, World};

impl Filler {
    /// `Q = Lᵀ·f` (Witkin 1990, eq. 8), f as it will be `ahead` of the state.
    pub(super) fn behaviors(
        &mut self,
        (world, state): (&World, &State),
        layout: &Layout,
        system: &mut System,
    ) {
        let t = state.t + system.ahead;
        for generic in &layout.generic_behaviors {
            let record = &world.behaviors()[generic.record as usize];
            let (behavior, kinds) = (&*record.behavior, record.inputs());
            let n: usize = kinds.iter().map(|kind| kind.n_x_dot()).sum();
            let mut forces = Forces::new(kinds, &mut self.scratch[..n]);
            forces.turns = Counter {
                from: Some((&state.turns, state.t)),
                into: Some(&mut system.turns),
                first: state.turns.joints.len() + record.angle0,
            };
            with_inputs(&generic.slots, layout, &self.x, &self.x_dot, |inputs| {
                behavior.eval(t, inputs, &mut forces);
            });
            let mut start = 0;
            for &slot in &generic.slots {
                let slot = &layout.slots[slot as usize];
                let force = &self.scratch[start..start + slot.kind.n_x_dot()];
                start += force.len();
                for side in layout.sides_of(slot) {
                    let v0 = system.bodies[side.body as usize].v0 as usize;
                    if side.is_identity {
                        for (k, force) in force.iter().enumerate() {
                            system.force[v0 + k] += force;
                        }
                        continue;
                    }
                    let n_cols = side.n_cols as usize;
                    let L = self.L[side.l0 as usize..][..force.len() * n_cols].chunks_exact(n_cols);
                    for (row, force) in L.zip(force) {
                        for (k, entry) in row.iter().enumerate() {
                            let column = layout.columns_of(side).map_or(k, |c| c[k] as usize);
                            system.force[v0 + column] += entry * force;
                        }
                    }
                }
            }
        }
    }
}
