//! Armatures in a RATTLE step: each rotor is a body with one coordinate φ that is eliminated.
//!
//! It starts with the rate `w = J(q)·v`. Impulses μ before the flight and ν after it act on the bodies and,
//! with opposite sign, on the rotor:
//!
//! ```text
//!     (φ(q′) − φ(q))/h = w − μ/a          each correction: J·δ + δμ/a = −residual
//!     J(q′)·v′ + ν/a = w − μ/a
//! ```
//!
//! C = 1/a in both halves, independent of h: the factor of one step serves the next.

use super::Springs;
use crate::system::{RotorRow, System};

/// A rotor during one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct RotorNow {
    row: usize,
    inertia: f64,
    /// φ and w at the start of the step.
    start: f64,
    rate: f64,
}

impl RotorNow {
    pub(super) fn of(source: &RotorRow) -> Self {
        Self {
            row: source.row as usize,
            inertia: source.inertia,
            start: 0.0,
            rate: 0.0,
        }
    }

    /// Residual of the half before the flight.
    fn residual(&self, trial: &System, h: f64, impulse: &[f64]) -> f64 {
        let moved = (trial.c[self.row] - self.start) / h;
        moved - self.rate + impulse[self.row] / self.inertia
    }
}

impl Springs {
    /// Notes the start values of rotors.
    pub(super) fn note_rotors(&mut self, system: &System) {
        for rotor in &mut self.rotors {
            rotor.start = system.c[rotor.row];
            rotor.rate = system.c_dot[rotor.row];
        }
    }

    /// Right-hand side of rotors in the prediction.
    pub(super) fn rotor_prediction(&mut self, system: &System, h: f64, b: &mut [f64]) {
        self.note_rotors(system);
        for rotor in &self.rotors {
            b[rotor.row] = -0.5 * h * system.gamma[rotor.row];
        }
    }

    /// Right-hand side of rotors in a correction.
    pub(super) fn rotor_correction(&self, trial: &System, h: f64, impulse: &[f64], b: &mut [f64]) {
        for rotor in &self.rotors {
            b[rotor.row] = -rotor.residual(trial, h, impulse);
        }
    }

    /// Largest residual of rotors, meters.
    pub(super) fn rotor_gap(&self, trial: &System, h: f64, impulse: &[f64]) -> f64 {
        let mut gap = 0.0f64;
        for rotor in &self.rotors {
            let left = (h * rotor.residual(trial, h, impulse)).abs();
            let left = trial.row_scale[rotor.row] * left;
            // NaN counts as an infinite error.
            gap = if left <= gap { gap } else { left };
        }
        gap
    }

    /// Right-hand side of rotors in the half after the flight. `impulse` are those before it.
    pub(super) fn rotor_velocity(&self, system: &System, impulse: &[f64], b: &mut [f64]) {
        for rotor in &self.rotors {
            let row = rotor.row;
            b[row] = rotor.rate - impulse[row] / rotor.inertia - system.c_dot[row];
        }
    }

    /// Right-hand side of rotors at an iterate of an implicit step: `φ(q′) + Λ/a = φ(q) + h·w`.
    pub(crate) fn rotor_rest(&self, system: &System, h: f64, b: &mut [f64]) {
        for rotor in &self.rotors {
            b[rotor.row] = rotor.start + h * rotor.rate - system.c[rotor.row];
        }
    }
}
