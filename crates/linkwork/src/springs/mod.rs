//! Springs during one sub-step: soft rows between bodies (`soft`), strains within bodies (`strain`), and the
//! rotors of armatures (`rotor`). At the stages of an implicit Runge–Kutta step they are rows (`stage`).
//!
//! Both apply half of their impulse before the flight and half after it, blended between the trapezoidal rule
//! and backward Euler according to their stiffness (`docs/adr/0012-soft-rows-in-rattle.md`). The start values
//! of the sub-step and the impulses of strains are stored here; impulses of soft rows belong to the scheme.

use crate::equations::MassInverse;
use crate::linalg::size;
use crate::system::{Layout, System};
use crate::world::{State, World};
use tolerances::LOCAL;

mod across;
mod rotor;
mod soft;
mod stage;
mod strain;
mod tolerances;
mod unheld;

pub(crate) use across::Across;
use rotor::RotorNow;
use soft::SoftNow;
pub(crate) use stage::{Reached, SpringAt};
use strain::StrainNow;
pub(crate) use unheld::Unheld;

/// Soft rows and strains during one sub-step.
#[derive(Debug, Default)]
pub(crate) struct Springs {
    soft: Vec<SoftNow>,
    strains: Vec<StrainNow>,
    rotors: Vec<RotorNow>,
    inverse: MassInverse,
    /// Scratch, n_v.
    scratch: Vec<f64>,
    /// Tensions of strains, newtons.
    pull: Vec<f64>,
    /// The part of all damping that acts in this sub-step.
    damping: f64,
}

impl Springs {
    /// Sizes the buffers for newly compiled equations.
    pub(crate) fn size(&mut self, layout: &Layout, system: &System) {
        self.soft.clear();
        self.soft.extend(layout.soft_rows.iter().map(SoftNow::of));
        self.rotors.clear();
        self.rotors.extend(system.rotors.iter().map(RotorNow::of));
        self.strains.clear();
        self.strains
            .resize(system.strains.len(), StrainNow::default());
        if system.has_springs() {
            self.inverse = MassInverse::new(system);
            size(&mut self.scratch, system.n_v());
            size(&mut self.pull, system.strains.len());
        }
        self.damping = 1.0;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.soft.is_empty() && self.strains.is_empty()
    }

    pub(crate) fn has_strains(&self) -> bool {
        !self.strains.is_empty()
    }

    /// Notes the start values of a backward Euler step.
    pub(crate) fn note(&mut self, system: &System) {
        self.note_strains(system);
        for soft in &mut self.soft {
            soft.c_start = system.c[soft.row];
        }
        self.note_rotors(system);
    }

    /// Notes the start values, and writes `C` and `M` for the half before the flight. `damping` is the part of
    /// all damping that acts: one, except in compositions that step backward in time.
    pub(crate) fn begin_first_half(&mut self, system: &mut System, h: f64, damping: f64) {
        self.damping = damping;
        self.soften_positions(system, h);
        self.strengthen_positions(system, h);
    }

    /// Writes the prediction's right-hand side of soft rows, and its forces of strains.
    pub(crate) fn predict(&mut self, system: &System, h: f64, b: &mut [f64], force: &mut [f64]) {
        self.soft_prediction(system, h, b);
        self.rotor_prediction(system, h, b);
        self.strain_prediction(system, h, force);
    }

    /// Writes a correction's right-hand side of soft rows with impulses `impulse`, and its forces of strains.
    /// The trial is at the end of the flight.
    pub(crate) fn correct(
        &mut self,
        (system, trial): (&System, &System),
        h: f64,
        impulse: &[f64],
        b: &mut [f64],
        force: &mut [f64],
    ) {
        self.soft_correction(&trial.c, h, impulse, b);
        self.rotor_correction(trial, h, impulse, b);
        self.strain_correction(system, trial, h, force);
    }

    /// Error of the spring laws at the trial for their impulses, meters.
    pub(crate) fn gap(&self, trial: &System, h: f64, impulse: &[f64]) -> f64 {
        self.gap_of(trial, h, impulse, 1.0)
    }

    /// The same for a prediction. An error of a small part of a body affects only that part and is corrected;
    /// otherwise a flapping soft shell would be split into many sub-steps.
    pub(crate) fn surprise(&self, trial: &System, h: f64, impulse: &[f64]) -> f64 {
        self.gap_of(trial, h, impulse, LOCAL)
    }

    fn gap_of(&self, trial: &System, h: f64, impulse: &[f64], local: f64) -> f64 {
        self.soft_gap(trial, h, impulse)
            .max(self.strain_gap(trial, h, local))
            .max(self.rotor_gap(trial, h, impulse))
    }

    /// Writes `C` and `M` for the half after the flight.
    pub(crate) fn begin_second_half(&self, system: &mut System, h: f64) {
        self.soften_velocities(system, h);
        self.strengthen_velocities(system, h);
    }

    /// Writes the right-hand side of springs and rotors for the half after the flight. `impulse` are those
    /// before it; the velocities include `kick` a second time.
    pub(crate) fn finish(
        &self,
        system: &System,
        h: f64,
        (kick, impulse): (&[f64], &[f64]),
        b: &mut [f64],
        force: &mut [f64],
    ) {
        self.rotor_velocity(system, impulse, b);
        self.soft_velocity(system, h, b);
        self.strain_velocity(system, h, kick, force);
    }

    /// Writes `C` and `M` for a step along its middle, at the filled state.
    pub(crate) fn begin_middle(&mut self, at: (&World, &State), system: &mut System, h: f64) {
        self.soften_middle(system, h);
        self.strengthen_middle(at, system, h);
    }

    /// Adds the impulses of strains along the middle, for their values at the end in the trial.
    pub(crate) fn push_along(
        &mut self,
        (middle, trial): (&System, &System),
        h: f64,
        push: &mut [f64],
    ) {
        for (at, now) in self.strains.iter_mut().enumerate() {
            now.impulse = -0.5 * h * now.asked(&trial.strains[at].now, self.damping, h);
            middle.add_strain_force(at, now.impulse, push);
        }
    }

    /// Dissipation of springs at the end of a step along its middle: their backward Euler part, and a part
    /// `filter` of geometric stiffness.
    pub(crate) fn end_middle(
        &self,
        at: (&World, &State),
        system: &mut System,
        h: f64,
        filter: f64,
        push: &mut [f64],
    ) {
        self.soften_velocities(system, h);
        system.strengthen_tension(at, &self.pull, 0.25 * h * h * filter);
        let strains = &self.strains;
        system.strengthen_each(|at, strain| 0.25 * h * h * strains[at].beta * strain.stiffness);
        for at in 0..self.strains.len() {
            let strain = system.strains[at].now;
            system.add_strain_force(at, -system.strains[at].weight * strain.rate, push);
        }
    }

    /// Energy stored by springs at the filled state: `Σ c²/2α + Σ k·s²/2`.
    pub(crate) fn stored_energy(&self, system: &System) -> f64 {
        self.soft_energy(system) + self.strain_energy(system)
    }

    /// The rows of soft rows in the system.
    pub(crate) fn soft_rows(&self) -> impl Iterator<Item = usize> {
        self.soft.iter().map(|soft| soft.row)
    }
}
