//! Numbers that look random and are the same everywhere. The bench takes this file too.

#![allow(dead_code)] // Not every binary uses everything.

use linkwork::math::{Vec3, unit};

/// A small generator, from any state.
#[derive(Clone, Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed ^ 0x9E37_79B9_7F4A_7C15)
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn numbers(&mut self, n: usize, size: f64) -> Vec<f64> {
        (0..n).map(|_| self.between(-size, size)).collect()
    }

    pub(crate) fn vector(&mut self, size: f64) -> Vec3 {
        std::array::from_fn(|_| self.between(-size, size))
    }

    pub(crate) fn direction(&mut self) -> Vec3 {
        let vector = self.vector(1.0);
        unit(vector).unwrap_or([1.0, 0.0, 0.0])
    }

    /// True so often.
    pub(crate) fn chance(&mut self, part: f64) -> bool {
        self.between(0.0, 1.0) < part
    }

    /// From 10 to the one power up to 10 to the other.
    pub(crate) fn powers(&mut self, low: f64, high: f64) -> f64 {
        10f64.powf(self.between(low, high))
    }

    /// Often none at all, often all: a number from 0 to `most`.
    pub(crate) fn coefficient(&mut self, most: f64) -> f64 {
        match self.below(6) {
            0 => 0.0,
            1 => most,
            _ => self.between(0.0, most),
        }
    }
}
