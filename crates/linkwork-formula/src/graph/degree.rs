//! Whether a formula is affine in some of its inputs.

use super::{At, Graph};
use crate::op::Op;

impl Graph {
    /// Whether no derivative of the nodes by these inputs depends on these inputs: `x = A·q + b`. What is linear
    /// only after a rearrangement does not count.
    pub fn is_affine(&self, of: &[At], inputs: &[u32]) -> bool {
        let last = of.iter().copied().max().unwrap_or(0) as usize;
        // 0: does not depend on them; 1: affine; 2: more.
        let mut degree = vec![0u8; last + 1];
        for at in 0..=last {
            let entry = self.nodes[at];
            let [a, b, c] = [entry.a, entry.b, entry.c].map(|operand| operand as usize);
            degree[at] = match entry.op {
                Op::Constant => 0,
                Op::Input => u8::from(inputs.contains(&entry.a)),
                Op::Add | Op::Subtract => degree[a].max(degree[b]),
                Op::Multiply => (degree[a] + degree[b]).min(2),
                Op::Negate => degree[a],
                Op::Divide if degree[b] == 0 => degree[a],
                Op::Choose if degree[c] == 0 => degree[a].max(degree[b]),
                _ if entry.operands().any(|operand| degree[operand as usize] > 0) => 2,
                _ => 0,
            };
        }
        of.iter().all(|&at| degree[at as usize] < 2)
    }
}
