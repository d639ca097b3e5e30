//! Springs during one sub-step: soft rows between bodies (`soft`) and strains inside them (`strain`); and the
//! rotors of armatures (`rotor`). At the stages of an implicit Runge–Kutta step they are rows (`stage`).
//!
//! Both apply half of their impulse before the flight and half after it, blended between the
//! trapezoidal rule and backward Euler according to their stiffness
//! (`docs/adr/0012-soft-rows-in-rattle.md`). The start of the sub-step is noted here. Impulses of soft
//! rows belong to the scheme, those of strains are kept here.

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
    /// Over velocities.
    scratch: Vec<f64>,
    /// What strains pull with, newtons.
    pull: Vec<f64>,
    /// What part of all damping acts in this sub-step.
    damping: f64,
}

impl Springs {
    /// Sizes everything for newly compiled equations.
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

    /// Notes where the step begins, for one that is backward Euler.
    pub(crate) fn note(&mut self, system: &System) {
        self.note_strains(system);
        for soft in &mut self.soft {
            soft.c_start = system.c[soft.row];
        }
        self.note_rotors(system);
    }

    /// Notes where the step begins and writes `C` and `M` for the half before the flight. Of all damping
    /// this part acts: one, but for compositions that go back in time.
    pub(crate) fn begin_first_half(&mut self, system: &mut System, h: f64, damping: f64) {
        self.damping = damping;
        self.soften_positions(system, h);
        self.strengthen_positions(system, h);
    }

    /// What the prediction asks of soft rows, and what strains add to its forces.
    pub(crate) fn predict(&mut self, system: &System, h: f64, b: &mut [f64], force: &mut [f64]) {
        self.soft_prediction(system, h, b);
        self.rotor_prediction(system, h, b);
        self.strain_prediction(system, h, force);
    }

    /// What a correction asks of soft rows that pushed with `impulse`; the forces of strains go to
    /// `force`. The trial is where the flight ended.
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

    /// How far springs at the trial are from what their impulses answer, meters.
    pub(crate) fn gap(&self, trial: &System, h: f64, impulse: &[f64]) -> f64 {
        self.gap_of(trial, h, impulse, 1.0)
    }

    /// The same of a prediction. What a small part of a body is off moves that part only, and is mended by corrections:
    /// a soft shell that flaps would else be cut into many sub-steps.
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

    /// What the half after the flight asks of springs, and of rotors that pushed with `impulse` before it;
    /// `kick` is in the velocities once more.
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

    /// Writes `C` and `M` for a step along its middle, where equations were filled.
    pub(crate) fn begin_middle(&mut self, at: (&World, &State), system: &mut System, h: f64) {
        self.soften_middle(system, h);
        self.strengthen_middle(at, system, h);
    }

    /// Adds what strains push along the middle, being at the end what the trial has.
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

    /// What springs lose where a step along its middle ends: the part that is backward Euler, and a part
    /// `filter` of what tension adds to stiffness.
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

    /// What springs store where the equations were filled: `Σ c²/2α + Σ k·s²/2`.
    pub(crate) fn stored_energy(&self, system: &System) -> f64 {
        self.soft_energy(system) + self.strain_energy(system)
    }

    /// The rows of soft rows in the system.
    pub(crate) fn soft_rows(&self) -> impl Iterator<Item = usize> {
        self.soft.iter().map(|soft| soft.row)
    }
}
