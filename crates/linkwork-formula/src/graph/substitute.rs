//! The same formulas with something else in the place of an input.

use super::{At, Graph};

impl Graph {
    /// Nodes in which `to` stands for the node `from`. What does not depend on it stays.
    pub(crate) fn substitute(&mut self, roots: &mut [At], from: At, to: At) {
        let last = roots.iter().copied().max().unwrap_or(0);
        let mut new: Vec<At> = (0..=last).collect();
        if from <= last {
            new[from as usize] = to;
        }
        // Only what the roots need is made again.
        let mut is_needed = vec![false; new.len()];
        for &root in &*roots {
            is_needed[root as usize] = true;
        }
        for at in (from..=last).rev() {
            if is_needed[at as usize] {
                for operand in self.entry(at).operands() {
                    is_needed[operand as usize] = true;
                }
            }
        }
        let outer = self.span;
        for at in from + 1..=last {
            let entry = self.entry(at);
            let changed = |operand: At| new[operand as usize] != operand;
            if !is_needed[at as usize] || !entry.operands().any(changed) {
                continue;
            }
            self.span = self.spans[at as usize];
            self.work += 1;
            // What is no operand stays as it is.
            let mut operands = [entry.a, entry.b, entry.c];
            for operand in operands.iter_mut().take(entry.op.n_operands()) {
                *operand = new[*operand as usize];
            }
            new[at as usize] = self.again(entry.op, operands);
        }
        self.span = outer;
        for root in roots {
            *root = new[*root as usize];
        }
    }
}
