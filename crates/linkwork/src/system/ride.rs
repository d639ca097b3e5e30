//! Decides which constraints ride on a joint (`solve/branch/rider.rs` eliminates them with it). As with
//! absorption, this depends only on the description of the world.
//!
//! A constraint rides if it is a single soft row of priority 0 that acts along `J`, between the two bodies of a
//! joint with one degree of freedom, and depends only on their relative motion: the armature of a hinge, its
//! spring, its damper. The joint leaves one number of that motion, so the row adds one number to the joint's
//! block and closes no loop.

use super::compile::Builder;
use super::layout::Slot;
use super::numbers::{JacobianKind, System};
use crate::linalg::order::{Key, sort};
use crate::world::ConstraintRecord;

/// A key for a pair of bodies in any order; `NONE` for bodies without coordinates.
fn pair_of(a: u32, b: u32) -> u64 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    u64::from(high) << 32 | u64::from(low)
}

impl Builder<'_> {
    /// Notes the last constraint of the incidence, if it can ride on a joint.
    pub(super) fn note_rider(&mut self, record: &ConstraintRecord) {
        if record.compliance.len() != 1 || !record.constraint.is_relative() {
            return;
        }
        let c = self.layout.incidence.constraints.len() - 1;
        let slots = || {
            self.slots
                .iter()
                .map(|&slot| &self.layout.slots[slot as usize])
        };
        // An output of a block may change without relative motion of its bodies.
        if slots().any(|slot| slot.at.is_none()) {
            return;
        }
        let bodies = || slots().map(Slot::body);
        let Some(a) = bodies().next() else { return };
        let Some(b) = bodies().find(|&b| b != a) else {
            return;
        };
        let is_primary = self.layout.incidence.constraints[c].primary;
        if is_primary && bodies().all(|own| own == a || own == b) {
            self.riders.push((pair_of(a, b), c as u32));
        }
    }

    /// Finds the joints that constraints ride on.
    pub(super) fn seat_riders(&mut self, system: &System) {
        if self.riders.is_empty() {
            return;
        }
        let nodes = &mut self.layout.incidence.constraints;
        let mut joints: Vec<Key> = Vec::new();
        for (c, constraint) in system.constraints.iter().enumerate() {
            let bodies = match constraint.jacobian {
                JacobianKind::Frame(at) if constraint.n_rows == 5 => {
                    let frame = &system.frames[at as usize];
                    (frame.a, frame.b)
                }
                JacobianKind::Pin(at) => {
                    let pin = &system.pins[at as usize];
                    (pin.a, pin.b)
                }
                _ => continue,
            };
            if nodes[c].primary {
                joints.push((pair_of(bodies.0, bodies.1), c as u32));
            }
        }
        sort(&mut joints);
        for &(pair, c) in &self.riders {
            let at = joints.partition_point(|joint| joint.0 < pair);
            let node = &mut nodes[c as usize];
            if let Some(&(found, joint)) = joints.get(at)
                && found == pair
                && !node.absorbed
            {
                node.rides_on = joint;
            }
        }
    }
}
