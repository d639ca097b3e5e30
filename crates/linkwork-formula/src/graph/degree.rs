//! Whether a formula is affine in some of its inputs.

use super::{At, Graph};
use crate::op::Op;

impl Graph {
    /// Whether no derivative of the nodes by these inputs depends on these inputs: `x = A·q + b`. What is linear
    /// only after a rearrangement does not count.
    pub fn is_affine(&self, of: &[At], inputs: &[u16]) -> bool {
        // 0: does not depend on them; 1: affine; 2: more.
        let mut degrees: Vec<u8> = Vec::new();
        for entry in &self.nodes {
            let degree = |k: usize| {
                let operand = [entry.a, entry.b, entry.c][k];
                let is_operand = k < entry.op.n_operands();
                let degree = degrees.get(usize::from(operand)).copied();
                degree.filter(|_| is_operand).unwrap_or(0)
            };
            let [a, b, c] = [degree(0), degree(1), degree(2)];
            let most = a.max(b).max(c);
            degrees.push(match entry.op {
                Op::Input => u8::from(inputs.contains(&entry.a)),
                Op::Add | Op::Subtract | Op::Negate => most,
                Op::Multiply => (a + b).min(2),
                Op::Divide if b == 0 => a,
                Op::Choose if c == 0 => most,
                _ if most > 0 => 2,
                _ => 0,
            });
        }
        of.iter().all(|at| degrees[usize::from(*at)] < 2)
    }
}
