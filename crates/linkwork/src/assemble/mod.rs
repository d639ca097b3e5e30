//! Assembling: from a world at one instant to the numbers of its equations.

mod fill;
mod layout;
mod system;

pub(crate) use fill::Assembler;
pub use fill::Motion;
pub(crate) use layout::Layout;
pub use system::System;
pub(crate) use system::{BallJoint, FrameJoint, JacobianKind, MassBlock, Side};

impl System {
    /// Writes the right-hand side `b` of a motion: what `J·y + C·λ` must be.
    pub(crate) fn right_hand_side(&self, motion: Motion, b: &mut [f64]) {
        match motion {
            Motion::Acceleration => negate(&self.gamma, b),
            Motion::Velocity => negate(&self.c_dot, b),
            Motion::Displacement => {
                for (row, b) in b.iter_mut().enumerate() {
                    *b = if self.velocity_level[row] {
                        0.0
                    } else {
                        -self.c[row]
                    };
                }
            }
        }
        if self.has_soft_rows {
            for (b, soft) in b.iter_mut().zip(&self.soft_b) {
                *b += soft;
            }
        }
    }
}

fn negate(from: &[f64], to: &mut [f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = -from;
    }
}
