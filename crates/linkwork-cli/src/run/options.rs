//! How steps are taken: the scene's options, and what the command line says otherwise.

use clap::Args;
use linkwork::integrate::Integrator;
use linkwork::prelude::*;
use linkwork::solve::ContactSolver;
use linkwork::stabilize::Stabilization;
use linkwork::step::Scheme;

use crate::failure::Failure;
use crate::numbers::{positive, step};
use crate::solver::SolverArguments;
use crate::words::{Choice, pairs, word};

/// How steps are taken; what is not given is the scene's.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "How steps are taken (default: as the scene says)")]
pub(crate) struct StepArguments {
    /// Length of a step: 0.001, or a fraction such as 1/60.
    #[arg(long, value_name = "SECONDS", value_parser = step)]
    dt: Option<f64>,
    /// How a step is integrated.
    #[arg(long, value_parser = word::<Scheme>(presets()))]
    preset: Option<Scheme>,
    /// An integrator of the papers, in place of a preset.
    #[arg(long, value_parser = word::<Integrator>(pairs(Integrator::CHOICES)), conflicts_with = "preset")]
    integrator: Option<Integrator>,
    /// What keeps joints closed, with --integrator.
    #[arg(long, value_parser = word::<Stabilization>(pairs(Stabilization::CHOICES)), requires = "integrator")]
    stabilization: Option<Stabilization>,
    #[command(flatten)]
    solver: SolverArguments,
    /// The solver of contacts, limits and bounded motors.
    #[arg(long, value_parser = word::<ContactSolver>(pairs(ContactSolver::CHOICES)))]
    contact_solver: Option<ContactSolver>,
    /// Largest gap of a closed joint, m.
    #[arg(long, value_name = "METERS", value_parser = positive)]
    tolerance: Option<f64>,
    /// Largest error of a step of the preset "precise", m or rad.
    #[arg(long, value_name = "ERROR", value_parser = positive)]
    step_tolerance: Option<f64>,
    /// Largest number of iterations of a step.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    iterations: Option<u64>,
}

/// Presets that need nothing else said.
fn presets() -> impl Iterator<Item = Choice> {
    let is_whole = |(word, _): &Choice| *word != "parts";
    pairs(Scheme::CHOICES).filter(is_whole)
}

impl StepArguments {
    /// The scene's options with what was given in their place.
    pub(crate) fn over(&self, scene: &StepOptions) -> Result<StepOptions, Failure> {
        let mut options = *scene;
        options.dt = self.dt.unwrap_or(options.dt);
        if let Some(preset) = self.preset {
            // A scene's own numbers for a preset stay.
            if preset.name() != options.scheme.name() {
                options.scheme = preset;
            }
        }
        if let Some(integrator) = self.integrator {
            options.scheme = Scheme::Parts {
                integrator,
                stabilization: self.stabilization.unwrap_or(Stabilization::DEFAULT),
            };
        }
        if let Some(tolerance) = self.step_tolerance {
            let Scheme::Precise(control) = &mut options.scheme else {
                let problem = "--step-tolerance belongs to the preset \"precise\"";
                return Err(Failure::usage(problem).hint("give --preset precise too"));
            };
            control.tolerance = Some(tolerance);
        }
        options.method = self.solver.over(options.method)?;
        options.contact_solver = self.contact_solver.unwrap_or(options.contact_solver);
        let budget = &mut options.budget;
        budget.tolerance = self.tolerance.unwrap_or(budget.tolerance);
        if let Some(iterations) = self.iterations {
            budget.max_iterations = usize::try_from(iterations).unwrap_or(usize::MAX);
        }
        Ok(options)
    }
}
