//! Light bodies in loops, for which `Direct` lays all loops over the trees.
//!
//! The core divides by the mass of each body before its neighbors are eliminated. It loses digits by the ratio
//! of masses across its joints, as between a link and a carrier between two joints, or an armature and its
//! link; and by the ratio of a body's mass, at the characteristic length, to its moments of inertia, if it is
//! nearly a point. Trees do not, because they divide by a body with everything that hangs on it. Decided when a
//! factor is laid out, from masses alone.

use crate::solve::tolerances::TOO_LIGHT;
use crate::system::{MassBlock, System};
use crate::topology::Topology;

/// Largest number of rows laid over the trees, which form a dense matrix.
const MAX_ROWS: usize = 300;

/// Whether a core has a joint between a body and one that is too light beside it.
#[cold]
pub(super) fn are_in_loops(system: &System, topology: &Topology) -> bool {
    let mut found = false;
    for part in topology.components() {
        let plan = &part.plans.direct;
        if plan.core.nodes.is_empty() {
            continue;
        }
        let mut is_core = vec![false; system.bodies.len()];
        for &body in &part.bodies {
            is_core[body as usize] = true;
        }
        for branch in &plan.branches {
            is_core[part.bodies[branch.body as usize] as usize] = false;
        }
        let length2 = system.characteristic_length * system.characteristic_length;
        for &body in &part.bodies {
            if let MassBlock::Rigid(at) = system.bodies[body as usize].mass {
                let rigid = &system.rigid[at as usize];
                let [x, y, z, ..] = rigid.inertia_world;
                let is_point = x + y + z < TOO_LIGHT * rigid.mass * length2;
                found |= is_core[body as usize] && is_point;
            }
        }
        for &c in &part.constraints {
            // Rotors are in the order of their constraints.
            let at = system.rotors.partition_point(|rotor| rotor.constraint < c);
            let rotor = system.rotors.get(at).filter(|rotor| rotor.constraint == c);
            let (mut least, mut most) = (f64::INFINITY, rotor.map_or(0.0, |own| own.inertia));
            system.for_each_side(c, false, |body, _| {
                if is_core[body as usize]
                    && let MassBlock::Rigid(at) = system.bodies[body as usize].mass
                {
                    let rigid = &system.rigid[at as usize];
                    let [x, y, z, ..] = rigid.inertia_world;
                    let own = if rotor.is_some() {
                        x + y + z
                    } else {
                        rigid.mass
                    };
                    (least, most) = (least.min(own), most.max(own));
                }
            });
            found |= least < TOO_LIGHT * most;
        }
    }
    found && topology.n_loop_rows() <= MAX_ROWS
}
