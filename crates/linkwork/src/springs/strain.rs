//! Strains of bodies in a step: sheets of any stiffness, stable at any step size.
//!
//! A strain s of stiffness k and damping d exerts an impulse μ before the flight and ν after it, by the rule of
//! soft rows (`soft`), between the trapezoid and backward Euler:
//!
//! ```text
//!     μ = −(h/2)·(k·s₀ + K·Δs)            K = k·(1 + β)/2 + d/h,   Δs = s₁ − s₀
//!     ν = −(h/2)·(k·(s₀ + (1 + β)/2·Δs + β·(h/2)·S·v₁) + d·((1 − ρ)·Δs/h + ρ·S·v₁))
//!     β = x/(16 + x),  x = (h·ω)²          ρ = x/(4 + x),  x = h times its own rate of decay
//! ```
//!
//! Both are eliminated within the body: they add `w·SᵀS` to its mass and a force along S. μ acts along S of the
//! start, like the impulses of joints, and is corrected with them until it agrees with s₁.

use super::Springs;
use super::stage::strain_mobility;
use crate::system::{MassBlock, Strain, System};
use crate::world::{State, World};

/// A strain during one step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StrainNow {
    /// β and ρ: the backward Euler parts of stiffness and damping.
    pub(super) beta: f64,
    rho: f64,
    /// `s` at the start of the step.
    start: f64,
    /// `μ`.
    pub(super) impulse: f64,
}

impl StrainNow {
    /// `K`, with a part of the damping.
    pub(super) fn stiffness(&self, strain: &Strain, part: f64, h: f64) -> f64 {
        0.5 * strain.stiffness * (1.0 + self.beta) + part * strain.damping / h
    }

    /// `k·s₀ + K·Δs`.
    pub(super) fn asked(&self, strain: &Strain, damping: f64, h: f64) -> f64 {
        let stiffness = self.stiffness(strain, damping, h);
        strain.stiffness * self.start + stiffness * (strain.value - self.start)
    }
}

impl Springs {
    /// Notes the start values of strains, and adds their terms for the half before the flight to `M`.
    pub(super) fn strengthen_positions(&mut self, system: &mut System, h: f64) {
        if self.strains.is_empty() {
            return;
        }
        self.inverse.factor(system);
        for (at, now) in self.strains.iter_mut().enumerate() {
            let mobility = strain_mobility(&self.inverse, system, at, &mut self.scratch);
            let strain = system.strains[at].now;
            let blend = |x: f64, of: f64| if x.is_finite() { x / (of + x) } else { 1.0 };
            *now = StrainNow {
                beta: blend(h * h * mobility * strain.stiffness, 16.0),
                rho: blend(h.abs() * mobility * strain.damping, 4.0),
                start: strain.value,
                impulse: 0.0,
            };
        }
        let (strains, damping) = (&self.strains, self.damping);
        system.strengthen_each(|at, now| 0.5 * h * h * strains[at].stiffness(now, damping, h));
    }

    /// Forces of strains in the prediction: `w·b`, `b = −ṡ − (h/2)·γ − …` as for soft rows.
    pub(super) fn strain_prediction(&mut self, system: &System, h: f64, force: &mut [f64]) {
        for (at, now) in self.strains.iter_mut().enumerate() {
            let (strain, weight) = (system.strains[at].now, system.strains[at].weight);
            let push = -0.5 * h * strain.stiffness * now.start
                - weight * (strain.rate + 0.5 * h * strain.gamma);
            now.impulse = push;
            system.add_strain_force(at, push, force);
        }
    }

    /// Forces of strains in a correction: the difference of `μ` and the law at the trial.
    pub(super) fn strain_correction(
        &mut self,
        system: &System,
        trial: &System,
        h: f64,
        force: &mut [f64],
    ) {
        force.fill(0.0);
        for (at, now) in self.strains.iter_mut().enumerate() {
            let push = -0.5 * h * now.asked(&trial.strains[at].now, self.damping, h) - now.impulse;
            now.impulse += push;
            system.add_strain_force(at, push, force);
        }
    }

    /// Updates `μ` after a solve.
    pub(crate) fn take_strain_impulses(&mut self, system: &System, motion: &[f64]) {
        for (at, now) in self.strains.iter_mut().enumerate() {
            now.impulse -= system.strains[at].weight * system.strain_motion(at, motion);
        }
    }

    /// Error of the strains at the trial for `μ`, in meters. Strains of a small part of a body have the weight
    /// `local`.
    pub(super) fn strain_gap(&self, trial: &System, h: f64, local: f64) -> f64 {
        let mut gap = 0.0f64;
        for (strain, now) in trial.strains.iter().zip(&self.strains) {
            let stiffness = now.stiffness(&strain.now, self.damping, h);
            if stiffness == 0.0 {
                continue;
            }
            let left = now.asked(&strain.now, self.damping, h) + 2.0 * now.impulse / h;
            let part = if strain.is_local() { local } else { 1.0 };
            let left = part * trial.characteristic_length * (left / stiffness).abs();
            // NaN counts as an infinite error.
            gap = if left <= gap { gap } else { left };
        }
        gap
    }

    /// Adds the terms of strains for the half after the flight to `M`.
    pub(super) fn strengthen_velocities(&self, system: &mut System, h: f64) {
        system.strengthen_each(|at, strain| {
            let now = &self.strains[at];
            let stiffness = 0.5 * now.beta * h * strain.stiffness;
            let damping = now.rho * self.damping * strain.damping;
            0.5 * h * (stiffness + damping)
        });
    }

    /// `ν` without the part of the solve, for which `M` has the terms of this half.
    pub(super) fn strain_velocity(&self, system: &System, h: f64, kick: &[f64], force: &mut [f64]) {
        for (at, now) in self.strains.iter().enumerate() {
            let strain = system.strains[at].now;
            let damping = (1.0 - now.rho) * self.damping;
            // Without the kick, which the trial includes a second time: it was subtracted with M alone.
            let rate = strain.rate - system.strain_motion(at, kick);
            let push = 0.5 * h * now.asked(&strain, damping, h) + system.strains[at].weight * rate;
            system.add_strain_force(at, -push, force);
        }
    }

    /// Tensions of strains, from their impulses.
    fn note_pull(&mut self, h: f64) {
        for (pull, now) in self.pull.iter_mut().zip(&self.strains) {
            *pull = -2.0 * now.impulse / h;
        }
    }

    /// Whether vibration under tension is faster than the step: `h²·Gₖₖ > Mₖₖ` for some coordinate.
    pub(crate) fn find_taut_strains(
        &mut self,
        at: (&World, &State),
        system: &System,
        h: f64,
    ) -> bool {
        if self.strains.is_empty() {
            return false;
        }
        self.note_pull(h);
        self.find_taut(at, system, h)
    }

    /// The same at the start of the step, by the tensions there. `M` includes the terms of the first half.
    pub(crate) fn find_taut_start(
        &mut self,
        at: (&World, &State),
        system: &System,
        h: f64,
    ) -> bool {
        if self.strains.is_empty() {
            return false;
        }
        for (pull, own) in self.pull.iter_mut().zip(&system.strains) {
            *pull = -own.now.push();
        }
        self.find_taut(at, system, h)
    }

    fn find_taut(&mut self, at: (&World, &State), system: &System, h: f64) -> bool {
        let diagonal = &mut self.scratch;
        diagonal.fill(0.0);
        system.for_each_tension(at, &self.pull, &mut |body, row, column, value| {
            if row == column {
                diagonal[system.v_range(body).start + row] += h * h * value;
            }
        });
        (0..system.bodies.len()).any(|body| {
            let block = &system.bodies[body];
            let n = block.n_v as usize;
            let stiffness = &diagonal[system.v_range(body as u32)];
            match block.mass {
                MassBlock::Dense(offset) => {
                    let mut entries = stiffness.iter().enumerate();
                    entries.any(|(k, stiffness)| {
                        *stiffness > system.mass[offset as usize + k * (n + 1)]
                    })
                }
                MassBlock::Patterned { pattern, offset } => {
                    let mut entries = system.patterns[pattern as usize].sparse.diagonal();
                    entries.any(|(at, k)| stiffness[k] > system.mass[offset as usize + at])
                }
                _ => false,
            }
        })
    }

    /// Adds the terms of strains for a step along its middle to `M`, with their geometric stiffness.
    pub(super) fn strengthen_middle(&mut self, at: (&World, &State), system: &mut System, h: f64) {
        self.note_pull(h);
        system.strengthen_tension(at, &self.pull, 0.25 * h * h);
        let (strains, damping) = (&self.strains, self.damping);
        system.strengthen_each(|at, now| 0.5 * h * h * strains[at].stiffness(now, damping, h));
    }

    /// Notes the start values of strains, for a backward Euler step.
    pub(crate) fn note_strains(&mut self, system: &System) {
        for (now, strain) in self.strains.iter_mut().zip(&system.strains) {
            *now = StrainNow {
                beta: 1.0,
                rho: 1.0,
                start: strain.now.value,
                impulse: 0.0,
            };
        }
    }

    /// Backward Euler for a displacement, `over` a time: `Λ = −over·(k·s + d·Δs/h)`, written to `force`.
    pub(crate) fn strain_rest(&self, system: &mut System, h: f64, over: f64, force: &mut [f64]) {
        for (at, now) in self.strains.iter().enumerate() {
            let strain = system.strains[at].now;
            let damping = strain.damping / h;
            let push = strain.stiffness * strain.value + damping * (strain.value - now.start);
            system.add_strain_force(at, -over * push, force);
            system.strengthen(at, over * (strain.stiffness + damping));
        }
    }

    /// Forces of strains with the present impulses in a displacement of Faure's scheme: backward Euler.
    pub(crate) fn strain_displacement(&mut self, system: &System, h: f64, force: &mut [f64]) {
        force.fill(0.0);
        for (at, now) in self.strains.iter_mut().enumerate() {
            let strain = system.strains[at].now;
            let damping = strain.damping * (strain.value - now.start);
            let push = -h * (h * strain.stiffness * strain.value + damping) - now.impulse;
            now.impulse += push;
            system.add_strain_force(at, push, force);
        }
    }

    /// Forces that restore strains while a displacement closes joints: rotated along straight lines, a sheet
    /// would grow.
    pub(crate) fn strain_closing(&self, system: &System, force: &mut [f64]) {
        force.fill(0.0);
        for (at, now) in self.strains.iter().enumerate() {
            let strain = &system.strains[at];
            let push = strain.weight * (now.start - strain.now.value);
            system.add_strain_force(at, push, force);
        }
    }

    /// Energy stored by strains at the filled state: `Σ k·s²/2`.
    pub(super) fn strain_energy(&self, system: &System) -> f64 {
        let each = |strain: &Strain| 0.5 * strain.stiffness * strain.value * strain.value;
        system.strains.iter().map(|strain| each(&strain.now)).sum()
    }
}
