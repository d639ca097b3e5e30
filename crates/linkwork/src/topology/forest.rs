//! The spanning forest: which constraints are primary, which close loops (Baraff 1996, §7 and §8).

use super::incidence::{Incidence, Turn};
use super::order::sort_indices;
use super::plan::NONE;

/// Splits constraints into a spanning forest and the loops that close it, in their order.
///
/// The ground is one node: each tree may be connected to it by one constraint; a second closes a loop. Loops
/// are also constraints of more than two bodies, constraints with more rows than one of their bodies has
/// degrees of freedom, and second constraints on opaque bodies. Absorbed constraints close no loop, and riders
/// go with their joint. Constraints that prefer the forest come first; those that prefer loops are never in it
/// (Faure 1999, fig. 2).
pub(super) fn split(incidence: &Incidence) -> (Vec<u32>, Vec<u32>) {
    let n = incidence.bodies.len();
    let ground = n as u32;
    let mut sets = DisjointSets::new(n + 1);
    let mut held = vec![false; n];
    let (mut forest, mut loops) = (Vec::new(), Vec::new());
    let mut riders = Vec::new();
    for asks in [true, false] {
        for c in 0..incidence.constraints.len() as u32 {
            let node = &incidence.constraints[c as usize];
            if (node.turn == Turn::First) != asks {
                continue;
            }
            let bodies = incidence.bodies_of(c);
            if node.absorbed {
                forest.push(c);
                continue;
            }
            if node.rides_on != NONE {
                riders.push((c, node.rides_on));
                continue;
            }
            let fits = node.turn != Turn::Never
                && bodies.len() <= 2
                && bodies.iter().all(|&b| {
                    let body = &incidence.bodies[b as usize];
                    node.n_rows <= body.n_v && (body.foldable || !held[b as usize])
                });
            let other = bodies.get(1).copied().unwrap_or(ground);
            if fits && sets.join(bodies[0], other) {
                for &b in bodies {
                    held[b as usize] = true;
                }
                forest.push(c);
            } else {
                loops.push(c);
            }
        }
    }
    sort_indices(&mut loops);
    let n_loops = loops.len();
    for (c, joint) in riders {
        match loops[..n_loops].binary_search(&joint) {
            Ok(_) => loops.push(c),
            Err(_) => forest.push(c),
        }
    }
    sort_indices(&mut forest);
    sort_indices(&mut loops);
    (forest, loops)
}

/// Union-find with path halving. The lower index is the representative, so the result does not depend on the
/// order.
pub(super) struct DisjointSets {
    leader: Vec<u32>,
}

impl DisjointSets {
    pub(super) fn new(n: usize) -> Self {
        Self {
            leader: (0..n as u32).collect(),
        }
    }

    pub(super) fn find(&mut self, mut i: u32) -> u32 {
        while self.leader[i as usize] != i {
            let above = self.leader[self.leader[i as usize] as usize];
            self.leader[i as usize] = above;
            i = above;
        }
        i
    }

    /// Joins the sets of `i` and `j`; false if they were one already.
    pub(super) fn join(&mut self, i: u32, j: u32) -> bool {
        let (i, j) = (self.find(i), self.find(j));
        self.leader[i.max(j) as usize] = i.min(j);
        i != j
    }
}
