//! The speed at which hands lead bodies to their goals.
//!
//! Within the step, but not faster than their strength can stop it again:
//!
//! ```text
//!     ċ = −c/h      or, where that is slower,      ċ = −√(2·a·‖c‖)·c/‖c‖      a half of what a hand can do
//! ```
//!
//! Otherwise what a hand pulls from far away would pass it and come back.

use super::super::tolerances::BRAKE;
use super::over::Over;
use crate::linalg::bounded::Set;
use crate::linalg::krylov::norm;
use crate::linalg::size;
use crate::system::System;

/// What hands ask for in a step, by bounded rows.
#[derive(Debug, Default)]
pub(super) struct Lead {
    /// How fast the row is to close, m/s.
    rate: Vec<f64>,
    /// What is still open where the step ends, m.
    rest: Vec<f64>,
    gap: Vec<f64>,
}

impl Lead {
    pub(super) fn size(&mut self, n: usize) {
        size(&mut self.rate, n);
        size(&mut self.rest, n);
        self.gap.reserve(n);
    }

    /// Asks at the place where `system` was filled, for a step of `h` seconds.
    pub(super) fn ask(&mut self, system: &System, over: &Over, h: f64) {
        for group in &over.groups {
            if !matches!(group.set, Set::Ball { .. }) {
                continue;
            }
            let chosen = &over.chosen[group.rows()];
            self.gap.clear();
            let gaps = chosen.iter().map(|&at| system.bounded[at].gap(system));
            self.gap.extend(gaps);
            let far = norm(&self.gap);
            let part = (h * (2.0 * BRAKE / far).sqrt()).min(1.0);
            for (&at, gap) in chosen.iter().zip(&self.gap) {
                self.rate[at] = part * gap / h;
                self.rest[at] = (1.0 - part) * gap;
            }
        }
    }

    pub(super) fn rate(&self, at: usize) -> f64 {
        self.rate[at]
    }

    pub(super) fn rest(&self, at: usize) -> f64 {
        self.rest[at]
    }

    /// How far hands that are strong enough are from where they shall be at the end of the step, m.
    pub(super) fn open(&self, probe: &System, over: &Over) -> f64 {
        let mut worst = 0.0f64;
        for group in &over.groups {
            let Set::Ball { most } = group.set else {
                continue;
            };
            if norm(&over.impulse[group.rows()]) < 0.999 * most {
                for &at in &over.chosen[group.rows()] {
                    let off = probe.bounded[at].gap(probe) - self.rest[at];
                    worst = worst.max(off.abs());
                }
            }
        }
        worst
    }
}
