//! In place of the baseline where faer is not compiled in: it takes longer to compile than the engine.

use std::convert::Infallible;

use linkwork::system::System;

use crate::timing::Candidate;

/// Whether the baseline is there.
pub(crate) const IS_THERE: bool = false;

/// There is none.
pub(crate) struct FaerBaseline(Infallible);

impl FaerBaseline {
    pub(crate) fn new(_: &System) -> Result<Self, String> {
        Err("faer is not compiled in; run with `cargo run --release -p linkwork-bench --features faer -- …`".into())
    }

    pub(crate) fn residual(&self) -> Option<f64> {
        match self.0 {}
    }
}

impl Candidate for FaerBaseline {
    fn assemble(&mut self) {
        match self.0 {}
    }

    fn factor(&mut self) {
        match self.0 {}
    }

    fn solve(&mut self) {
        match self.0 {}
    }
}
