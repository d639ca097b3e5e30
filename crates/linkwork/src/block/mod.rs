//! Blocks: functions of connectors whose outputs are connectors again (Witkin 1990, §4.1).
//!
//! ```text
//!     x = f(inputs, t)      ẋ = Σ D·ẋ_i + ∂x/∂t      ẍ = Σ D·ẍ_i + γ
//! ```
//!
//! A block sees the values of its inputs, not the bodies behind them. The engine applies the chain rule:
//! `L = Σ D·L_i` over every body that an input moves with, `ℓ = γ + Σ D·ℓ_i`. So a joint, a spring or a hand holds
//! the middle of two points, or an area, as it holds a point of a body.
//!
//! [`World::add_block`](crate::world::World::add_block) adds one, [`BlockId::output`] is the connector. Your own
//! blocks implement [`Block`] and are tested with [`check_block`]; see the example `custom_block`.

#![allow(non_snake_case)] // D: the letter of the papers.

use std::any::Any;
use std::fmt;

use crate::connector::{Connector, ConnectorKind, Input};
use crate::error::Error;
use crate::id::BlockId;
use crate::linalg::MatMut;

mod contract;

pub use contract::{BlockViolation, check_block, check_block_at};

/// A block has at most so many outputs.
pub const MAX_OUTPUTS: usize = 64;

/// A function of connector outputs (Witkin 1990, §4.1).
pub trait Block: Any + fmt::Debug + Send + Sync {
    /// The kinds of connector it takes, in order; none for a function of time.
    fn inputs(&self) -> &[ConnectorKind];

    /// The kinds of its outputs, in order.
    fn outputs(&self) -> &[ConnectorKind];

    /// Whether the parameters make sense. Called when the block is added or replaced.
    fn validate(&self) -> Result<(), Error>;

    /// Writes `x`, `ẋ`, `γ` and `D` of all outputs. Derivatives must be exact.
    fn eval(&self, t: f64, inputs: &[Input<'_>], out: &mut BlockMut<'_>);

    /// Why what it writes is not finite, in words, if it knows: when a step is refused, the error says so. `given` is
    /// what it had been given: `x` of all inputs, one after the other, then their `ẋ`.
    fn blame(&self, _t: f64, _given: &[f64]) -> Option<String> {
        None
    }
}

/// Where a block writes its outputs, one after the other. All storage is zeroed beforehand.
#[derive(Debug)]
pub struct BlockMut<'a> {
    /// Outputs, `Σ n_x`.
    pub x: &'a mut [f64],
    /// Their rates, `Σ n_x_dot`.
    pub x_dot: &'a mut [f64],
    /// The part of their second rates that does not depend on those of the inputs, `Σ n_x_dot`.
    pub gamma: &'a mut [f64],
    /// `∂ẋ/∂ẋ_i`: a row for each number of `x_dot`, a column for each number of the inputs' rates, one input
    /// after the other.
    pub D: MatMut<'a>,
}

impl BlockId {
    /// One of its outputs, from zero: a connector like any other.
    pub fn output(self, output: usize) -> Connector {
        Connector::Output {
            block: self,
            output: u32::try_from(output).unwrap_or(u32::MAX),
        }
    }
}

/// All that a block writes at one instant.
#[derive(Clone, Debug)]
pub(crate) struct Evaluation {
    pub(crate) x: Vec<f64>,
    pub(crate) x_dot: Vec<f64>,
    pub(crate) gamma: Vec<f64>,
    pub(crate) D: Vec<f64>,
    /// Columns of `D`.
    pub(crate) n_in: usize,
}

impl Evaluation {
    pub(crate) fn of(block: &dyn Block, t: f64, inputs: &[Input<'_>]) -> Self {
        let n_in = rates(block.inputs());
        let n_out = rates(block.outputs());
        let n_x: usize = block.outputs().iter().map(|kind| kind.n_x()).sum();
        let mut now = Self {
            x: vec![0.0; n_x],
            x_dot: vec![0.0; n_out],
            gamma: vec![0.0; n_out],
            D: vec![0.0; n_out * n_in],
            n_in,
        };
        let mut out = BlockMut {
            x: &mut now.x,
            x_dot: &mut now.x_dot,
            gamma: &mut now.gamma,
            D: MatMut::new(&mut now.D, n_in),
        };
        block.eval(t, inputs, &mut out);
        now
    }
}

/// How many numbers the rates of connectors of these kinds have.
pub(crate) fn rates(kinds: &[ConnectorKind]) -> usize {
    kinds.iter().map(|kind| kind.n_x_dot()).sum()
}
