//! Soft rows in a RATTLE step: springs of any stiffness, stable at any step size.
//!
//! Over a step, `c` changes from c₀ to c₁, and the spring exerts an impulse μ before the flight and ν after it:
//!
//! ```text
//!     e = c₀ + φ·(c₁ − c₀)          φ = ½ + s/2 + τ/h
//!     e + (2α/h)·μ = 0              before: implicit in c₁
//!     e + s·(h/2)·J·v₁ + (2α/h)·ν = 0     after: implicit in v₁
//! ```
//!
//! With s = 0 both halves are the mean force (trapezoid): second order, energy is conserved, damping τ
//! dissipates. With s = 1 both are backward Euler, which keeps springs much stiffer than the step from ringing
//! and becomes the hard row as α → 0. The blend is `s = x²/(16² + x²)` with `x = (h·ω)²` and ω the row's own
//! frequency. The numerical damping rate is about `s·h·ω²`: vibrations that a step resolves keep their energy
//! (`h·ω = ½` to 1e-4 in a step), and a spring of 1 kHz at 60 frames a second does not ring.
//!
//! A soft row on rates is a damper, explicit before the flight (`ċ + s·J·y + (2α/h)·μ = 0` with a
//! small s, s = x/(4 + x), x = h times its own rate of decay) and implicit after it.

use super::Springs;
use crate::springs::tolerances::{LEAST_S, LEAST_S_OF_RATES};
use crate::system::{SoftRow, System};

/// `x²/(16² + x²)`, for all x ≥ 0.
fn blend(x: f64) -> f64 {
    let inverse = 16.0 / x;
    1.0 / (1.0 + inverse * inverse)
}

/// A soft row during one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct SoftNow {
    pub(super) row: usize,
    pub(super) source: SoftRow,
    s: f64,
    phi: f64,
    /// `c` at the start of the step.
    pub(super) c_start: f64,
}

impl SoftNow {
    pub(super) fn of(source: &SoftRow) -> Self {
        Self {
            row: source.row as usize,
            source: *source,
            s: 1.0,
            phi: 1.0,
            c_start: 0.0,
        }
    }

    fn e(&self, c: f64) -> f64 {
        self.c_start + self.phi * (c - self.c_start)
    }
}

impl Springs {
    /// Notes the start values of soft rows, and writes their `C` for the half before the flight.
    pub(super) fn soften_positions(&mut self, system: &mut System, h: f64) {
        if self.soft.is_empty() {
            return;
        }
        self.inverse.factor(system);
        for soft in &mut self.soft {
            let SoftRow { alpha, tau, .. } = soft.source;
            system.compliance[soft.row] = 0.0;
            let (constraint, i) = (soft.source.constraint, soft.source.of_constraint as usize);
            let mobility = self
                .inverse
                .mobility(system, constraint, i, &mut self.scratch);
            soft.c_start = system.c[soft.row];
            system.compliance[soft.row] = if soft.source.position_level {
                soft.s = blend(h * h * mobility / alpha).max(LEAST_S);
                soft.phi = 0.5 + 0.5 * soft.s + self.damping * tau / h;
                2.0 * alpha / (soft.phi * h * h)
            } else {
                let x = h.abs() * mobility / alpha;
                let part = if x.is_finite() { x / (4.0 + x) } else { 1.0 };
                soft.s = part.max(LEAST_S_OF_RATES);
                2.0 * alpha / (soft.s * h)
            };
        }
    }

    /// Right-hand side of soft rows in the prediction.
    pub(super) fn soft_prediction(&self, system: &System, h: f64, b: &mut [f64]) {
        for soft in &self.soft {
            let row = soft.row;
            b[row] = if soft.source.position_level {
                -soft.c_start / (soft.phi * h) - system.c_dot[row] - 0.5 * h * system.gamma[row]
            } else {
                -system.c_dot[row] / soft.s
            };
        }
    }

    /// Right-hand side of soft rows in a correction, for `c` of the trial.
    pub(super) fn soft_correction(&self, c: &[f64], h: f64, impulse: &[f64], b: &mut [f64]) {
        for soft in &self.soft {
            let row = soft.row;
            b[row] = if soft.source.position_level {
                let left = soft.e(c[row]) + 2.0 * soft.source.alpha * impulse[row] / h;
                -left / (soft.phi * h)
            } else {
                0.0
            };
        }
    }

    /// Residual of `e + (2α/h)·μ = 0`, as an error of `c` in meters.
    pub(super) fn soft_gap(&self, system: &System, h: f64, impulse: &[f64]) -> f64 {
        let mut gap = 0.0f64;
        for soft in self.soft.iter().filter(|soft| soft.source.position_level) {
            let row = soft.row;
            let left = soft.e(system.c[row]) + 2.0 * soft.source.alpha * impulse[row] / h;
            let left = system.row_scale[row] * (left / soft.phi).abs();
            // NaN counts as an infinite error.
            gap = if left <= gap { gap } else { left };
        }
        gap
    }

    /// Writes `C` for the half after the flight.
    pub(super) fn soften_velocities(&self, system: &mut System, h: f64) {
        for soft in &self.soft {
            system.compliance[soft.row] = if soft.source.position_level {
                4.0 * soft.source.alpha / (soft.s * h * h)
            } else {
                2.0 * soft.source.alpha / h
            };
        }
    }

    /// Right-hand side of soft rows in the half after the flight.
    pub(super) fn soft_velocity(&self, system: &System, h: f64, b: &mut [f64]) {
        for soft in self.soft.iter().filter(|soft| soft.source.position_level) {
            let row = soft.row;
            b[row] = -2.0 * soft.e(system.c[row]) / (soft.s * h) - system.c_dot[row];
        }
    }

    /// Writes `C` for a step along its middle: `e + (2α/h)·μ = 0`, and half of what dampers do,
    /// `ċ + (4α/h)·μ = 0`; the other half is done at the end.
    pub(super) fn soften_middle(&self, system: &mut System, h: f64) {
        for soft in &self.soft {
            system.compliance[soft.row] = if soft.source.position_level {
                2.0 * soft.source.alpha / (soft.phi * h * h)
            } else {
                4.0 * soft.source.alpha / h
            };
        }
    }

    /// Right-hand side of soft rows in a correction of such a step; the trial is at its end.
    pub(crate) fn ask_middle(
        &self,
        (middle, trial): (&System, &System),
        h: f64,
        impulse: &[f64],
        b: &mut [f64],
    ) {
        self.soft_correction(&trial.c, h, impulse, b);
        for soft in self.soft.iter().filter(|soft| !soft.source.position_level) {
            let row = soft.row;
            b[row] = -middle.c_dot[row] - 4.0 * soft.source.alpha * impulse[row] / h;
        }
    }

    /// Right-hand side of soft rows with multipliers `lambda` in a displacement: backward Euler, `c₁ + τ·(c₁ −
    /// c₀)/h + α·λ = 0`.
    pub(crate) fn soft_displacement(&self, system: &System, h: f64, lambda: &[f64], b: &mut [f64]) {
        for soft in &self.soft {
            let (row, tau) = (soft.row, soft.source.tau);
            let pushed = system.compliance[row] * h * h * lambda[row];
            b[row] = if soft.source.position_level {
                tau / (h + tau) * soft.c_start - system.c[row] - pushed
            } else {
                -h * system.c_dot[row] - pushed
            };
        }
    }

    /// Right-hand side of soft rows at an iterate of an implicit step: as above, with λ unknown.
    pub(crate) fn soft_rest(&self, system: &System, h: f64, b: &mut [f64]) {
        for soft in &self.soft {
            let (row, tau) = (soft.row, soft.source.tau);
            b[row] = if soft.source.position_level {
                tau / (h + tau) * soft.c_start - system.c[row]
            } else {
                0.0
            };
        }
    }

    /// `Σ c²/2α`.
    pub(super) fn soft_energy(&self, system: &System) -> f64 {
        let stores = |soft: &&SoftNow| soft.source.position_level && !soft.source.tells_energy;
        let springs = self.soft.iter().filter(stores);
        let each =
            |soft: &SoftNow| 0.5 * system.c[soft.row] * system.c[soft.row] / soft.source.alpha;
        springs.map(each).sum::<f64>() + system.energy
    }

    /// Soft rows over a whole step, backward Euler: `c₁ + α·Λ/h² = 0`.
    pub(crate) fn soften_displacements(&self, system: &mut System, h: f64) {
        for soft in &self.soft {
            let SoftRow { alpha, tau, .. } = soft.source;
            system.compliance[soft.row] = if soft.source.position_level {
                alpha / (h * (h + tau))
            } else {
                alpha / h
            };
        }
    }
}
