//! Branches: bodies that can be eliminated without fill.
//!
//! A *branch* is a body together with the one constraint that connects it to the rest. Eliminating the pair
//! changes the parent's mass matrix and creates no fill. Stripping branches until none is left eliminates a
//! whole forest, as in Baraff 1996, §7. A constraint is claimed by a body whose own branches are loop-free, so
//! its pivot is regular.

use super::plan::{Graph, NONE, PlanOptions, shuffle};

/// A body eliminated together with the constraint that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Branch {
    pub(crate) body: u32,
    /// The constraint that holds it, or `NONE` for a root that nothing holds.
    pub(crate) constraint: u32,
    /// The body it is folded into, or `NONE` when the constraint leads to the ground.
    pub(crate) parent: u32,
    /// The parent's own place among the branches, or `NONE` (core, ground).
    pub(crate) parent_branch: u32,
    /// The first to be folded into its parent: it finds the parent's accumulator empty.
    pub(crate) first_child: bool,
    /// Whether anything is folded into this body.
    pub(crate) has_children: bool,
}

impl Graph<'_> {
    /// Strips leaves until none is left (Baraff 1996, §7.1 and App. A, without recursion).
    pub(super) fn strip(&mut self, options: PlanOptions) -> Vec<Branch> {
        let mut branches: Vec<Branch> = Vec::new();
        let mut starts: Vec<u32> = (0..self.n_bodies()).collect();
        shuffle(&mut starts, options.seed);
        if !options.strip {
            starts.retain(|&b| self.degree[b as usize] == 0);
        }
        // Highest index first: users build from the root outward, so that memory is then traversed in one
        // direction.
        for start in starts.into_iter().rev() {
            let mut body = start;
            while let Some(branch) = self.leaf(body) {
                let at = branches.len() as u32;
                self.body_done[body as usize] = true;
                self.branch_of[body as usize] = at;
                let mut record = branch;
                record.has_children = self.has_children[body as usize];
                if branch.constraint != NONE {
                    self.constraint_done[branch.constraint as usize] = true;
                }
                if branch.parent == NONE {
                    branches.push(record);
                    break;
                }
                self.degree[branch.parent as usize] -= 1;
                record.first_child =
                    !std::mem::replace(&mut self.has_children[branch.parent as usize], true);
                branches.push(record);
                body = branch.parent;
            }
        }
        for branch in &mut branches {
            branch.parent_branch = match branch.parent {
                NONE => NONE,
                parent => self.branch_of[parent as usize],
            };
            if branch.constraint != NONE {
                branch.constraint = self.constraints[branch.constraint as usize];
            }
        }
        branches
    }

    /// The branch that body `b` makes, if at most one constraint still holds it.
    fn leaf(&self, b: u32) -> Option<Branch> {
        if self.body_done[b as usize] || self.degree[b as usize] > 1 {
            return None;
        }
        let mut branch = Branch {
            body: b,
            constraint: NONE,
            parent: NONE,
            parent_branch: NONE,
            first_child: false,
            has_children: false,
        };
        let held = self
            .at_body(b)
            .iter()
            .find(|&&c| !self.constraint_done[c as usize]);
        let Some(&c) = held else { return Some(branch) };
        // More rows than the body has freedoms: singular through this body alone.
        if self.n_rows(c) > self.n_v(b) || self.at_constraint(c).len() > 2 {
            return None;
        }
        branch.constraint = c;
        if let Some(&parent) = self.at_constraint(c).iter().find(|&&other| other != b) {
            if !self.foldable(parent) {
                return None;
            }
            branch.parent = parent;
        }
        Some(branch)
    }
}
