//! Connectors for traits: `x`, `ẋ`, `L`, `ℓ` in flat arrays, one slot per site.

use super::fill::Filler;
use super::layout::{Layout, SiteAt, Slot};
use super::space::copy_space;
use crate::body::{Body, Ground};
use crate::connector::{ConnectorKind, ConnectorMut, Input, MAX_INPUTS};
use crate::linalg::MatMut;
use crate::topology::NONE;
use crate::world::{State, World};

impl Filler {
    /// `x`, `ẋ`, `L`, `ℓ` of connectors that constraints and behaviors read through their traits.
    pub(super) fn generic_connectors(
        &mut self,
        (world, state): (&World, &State),
        layout: &Layout,
        slots: &[u32],
    ) {
        for &slot in slots {
            let slot = &layout.slots[slot as usize];
            let (n_x, n_x_dot) = (slot.kind.n_x(), slot.kind.n_x_dot());
            let (x0, xd0) = (slot.x0 as usize, slot.x_dot0 as usize);
            // A site depends on one body, or on none.
            let side = layout.sides_of(slot).first();
            if side.is_some_and(|side| side.is_identity) {
                self.coordinates((world, state), slot);
                continue;
            }
            let (l0, n_cols) = side.map_or((0, 0), |side| (side.l0 as usize, side.n_cols as usize));
            let l = l0..l0 + n_x_dot * n_cols;
            let mut out = ConnectorMut {
                x: &mut self.x[x0..x0 + n_x],
                x_dot: &mut self.x_dot[xd0..xd0 + n_x_dot],
                L: MatMut::new(&mut self.L[l], n_cols),
                ell: &mut self.ell[xd0..xd0 + n_x_dot],
            };
            if slot.space != NONE {
                let source = &layout.space[slot.space as usize];
                // Connectors read by traits are shared.
                let place = source.shared as usize;
                let frame = (source.frame != NONE).then(|| &self.frames[place]);
                copy_space(&self.points[place], frame, n_cols, &mut out);
                continue;
            }
            out.x.fill(0.0);
            out.x_dot.fill(0.0);
            out.ell.fill(0.0);
            out.L.fill(0.0);
            evaluate((world, state), slot, &mut out);
        }
    }

    /// All coordinates of a body: `x = q`, `ẋ = v`; `L = 1` is not stored.
    fn coordinates(&mut self, (world, state): (&World, &State), slot: &Slot) {
        let record = &world.bodies()[slot.record() as usize];
        let n = slot.kind.n_x();
        self.x[slot.x0 as usize..][..n].copy_from_slice(&state.q[record.q_range()]);
        self.x_dot[slot.x_dot0 as usize..][..n].copy_from_slice(&state.v[record.v_range()]);
        self.ell[slot.x_dot0 as usize..][..n].fill(0.0);
    }
}

/// A connector through its body's trait.
pub(super) fn evaluate((world, state): (&World, &State), slot: &Slot, out: &mut ConnectorMut<'_>) {
    let Some(SiteAt { record, name, .. }) = slot.at else {
        return;
    };
    let site = name.site(world);
    if record == NONE {
        Ground.connector(site, state.t, &[], &[], out);
        return;
    }
    let record = &world.bodies()[record as usize];
    let (q, v) = (&state.q[record.q_range()], &state.v[record.v_range()]);
    record.body.connector(site, state.t, q, v, out);
}

/// Gathers the inputs of a constraint, behavior or block, on the stack: nothing is allocated.
pub(super) fn with_inputs(
    slots: &[u32],
    layout: &Layout,
    x: &[f64],
    x_dot: &[f64],
    mut read: impl FnMut(&[Input<'_>]),
) {
    let input = |slot: u32| {
        let slot = &layout.slots[slot as usize];
        Input {
            kind: slot.kind,
            x: &x[slot.x0 as usize..][..slot.kind.n_x()],
            x_dot: &x_dot[slot.x_dot0 as usize..][..slot.kind.n_x_dot()],
        }
    };
    match slots.len() {
        n if n <= FEW => gather::<FEW>(slots, input, read),
        n if n <= SOME => gather::<SOME>(slots, input, read),
        // Compiled once for all laws with many inputs: they are rare, and the module stays small.
        n if n <= MANY => gather::<MANY>(slots, &input as &dyn Fn(u32) -> _, &mut read as Reader),
        _ => gather::<MAX_INPUTS>(slots, &input as &dyn Fn(u32) -> _, &mut read as Reader),
    }
}

/// Number of inputs on the stack; most laws have few.
const FEW: usize = 4;
const SOME: usize = 16;
const MANY: usize = 64;

type Reader<'r> = &'r mut dyn FnMut(&[Input<'_>]);

#[inline]
fn gather<'a, const ROOM: usize>(
    slots: &[u32],
    input: impl Fn(u32) -> Input<'a>,
    mut read: impl FnMut(&[Input<'_>]),
) {
    let mut inputs = [Input {
        kind: ConnectorKind::Scalar,
        x: &[],
        x_dot: &[],
    }; ROOM];
    for (place, &slot) in inputs.iter_mut().zip(slots) {
        *place = input(slot);
    }
    read(&inputs[..slots.len()]);
}
