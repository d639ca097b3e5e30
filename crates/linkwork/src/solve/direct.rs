//! `Direct`: block LDLᵀ over the whole graph, exact for trees and loops.
//!
//! It factors `H` itself (Baraff 1996, eq. 8; Faure 1999, eq. 5; Metaxas 1993, eq. 21 with the other sign of
//! λ): branches leaf by leaf in `branch`, bodies on loops in `core`.
//!
//! Cost: O(bodies) on a forest and on graphs of small treewidth (ladders, narrow meshes); the fill of a
//! minimum-degree order elsewhere. If no pivot is lost, one solve is exact; otherwise `refine` corrects it.

use super::elimination::{Elimination, Order};
use super::refine::Refinement;
use super::{Ask, Base, Meter, Outcome, Solution};
use crate::system::System;
use crate::topology::Topology;

/// The factor and workspace of `Direct`.
#[derive(Clone, Debug, Default)]
pub(super) struct Direct {
    elimination: Elimination,
    bodies_first: Option<Elimination>,
    use_bodies_first: bool,
    may_fall_back: bool,
    refinement: Refinement,
}

impl Direct {
    pub(super) fn new(system: &System, topology: &Topology, order: Order) -> Self {
        Self {
            elimination: Elimination::new(system, topology, order),
            bodies_first: None,
            use_bodies_first: false,
            may_fall_back: order != Order::BodiesFirst,
            refinement: Refinement::new(system, topology.primary()),
        }
    }
}

impl Base for Direct {
    fn n_operations(&self) -> usize {
        self.elimination.n_operations()
    }

    fn refinement(&self) -> &Refinement {
        &self.refinement
    }

    fn factor(&mut self, system: &System) {
        self.use_bodies_first = false;
        self.refinement.begin();
        self.elimination.factor(system);
    }

    fn solve(
        &mut self,
        (system, topology): (&System, &Topology),
        ask: Ask<'_>,
        meter: &mut Meter<'_>,
        out: &mut Solution,
    ) {
        out.iterations = 0;
        let given = (system, ask.force, ask.b);
        self.refinement.aim(ask.care);
        let elimination = match (&mut self.bodies_first, self.use_bodies_first) {
            (Some(other), true) => other,
            _ => &mut self.elimination,
        };
        self.refinement.solve(elimination, given, meter, out);
        // If corrections stall, the order is replaced by one that is regular whenever J is.
        let is_stalled = out.outcome == Outcome::NotConverged && meter.ended().is_none();
        if is_stalled && self.may_fall_back && !self.use_bodies_first {
            let other = self
                .bodies_first
                .get_or_insert_with(|| Elimination::new(system, topology, Order::BodiesFirst));
            other.factor(system);
            self.use_bodies_first = true;
            self.refinement.alter();
            self.refinement.solve(other, given, meter, out);
        }
    }
}
