//! How steps are taken: the scene's options, and what the command line says otherwise.

use clap::{Args, ValueEnum};
use linkwork::prelude::*;

use crate::failure::Failure;
use crate::numbers::{positive, step};

/// How steps are taken; what is not given is the scene's.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "How steps are taken (else as the scene says)")]
pub(crate) struct StepArguments {
    /// Length of a step: 0.001, or a fraction such as 1/60.
    #[arg(long, value_name = "SECONDS", value_parser = step)]
    dt: Option<f64>,
    /// How a step is integrated.
    #[arg(long, value_enum)]
    preset: Option<Preset>,
    /// An integrator of the papers, in place of a preset.
    #[arg(long, value_enum, conflicts_with = "preset")]
    integrator: Option<IntegratorName>,
    /// What keeps joints closed beside --integrator.
    #[arg(
        long,
        value_enum,
        requires = "integrator",
        default_value = "post",
        hide_default_value = true
    )]
    stabilization: StabilizationName,
    /// How multipliers are found.
    #[arg(long, value_enum)]
    method: Option<MethodName>,
    /// How well joints must be closed, m.
    #[arg(long, value_name = "METRES", value_parser = positive)]
    tolerance: Option<f64>,
    /// Largest error of a step of the preset "precise", m or rad.
    #[arg(long, value_name = "ERROR", value_parser = positive)]
    step_tolerance: Option<f64>,
    /// Iterations a step may spend.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    iterations: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Preset {
    /// For hands and eyes: second order, closed at every step, splits steps where motion whips.
    Interactive,
    /// For numbers: error control inside the step.
    Precise,
    /// Fixed steps of fourth order, symplectic.
    Symplectic4,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum IntegratorName {
    /// Forward Euler.
    Euler,
    /// Semi-implicit Euler.
    SymplecticEuler,
    /// Runge and Kutta's, of fourth order.
    Rk4,
    /// Störmer's.
    Stoermer,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum StabilizationName {
    /// Post-stabilisation.
    #[default]
    Post,
    /// Displacements (Faure 1998).
    Displacement,
    /// None: joints drift.
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MethodName {
    /// Exact, trees and loops in one factor.
    Direct,
    /// Forest exact, loops dense (Baraff 1996).
    ForestDense,
    /// Forest exact, loops iterated (Faure 1999).
    ForestKrylov,
    /// Dense normal equations (Witkin 1990, Metaxas 1993).
    NormalDense,
    /// Conjugate gradients on the normal equations (Faure 1998).
    NormalCg,
}

/// The corrections of positions a stabilisation may make: what scene files take when they do not say.
const CORRECTIONS: usize = 10;

impl StepArguments {
    /// The scene's options with what was given in their place.
    pub(crate) fn over(&self, scene: &StepOptions) -> Result<StepOptions, Failure> {
        let mut options = *scene;
        options.dt = self.dt.unwrap_or(options.dt);
        let dt = options.dt;
        if let Some(preset) = self.preset {
            options.scheme = match (preset, options.scheme) {
                // A scene's own numbers for a preset stay.
                (Preset::Interactive, own @ Scheme::Interactive(_))
                | (Preset::Precise, own @ Scheme::Precise(_)) => own,
                (Preset::Interactive, _) => StepOptions::interactive(dt).scheme,
                (Preset::Precise, _) => StepOptions::precise(dt).scheme,
                (Preset::Symplectic4, _) => Scheme::Symplectic4,
            };
        }
        if let Some(integrator) = self.integrator {
            options.scheme = Scheme::Parts {
                integrator: integrator.named(),
                stabilization: self.stabilization.named(),
            };
        }
        if let Some(tolerance) = self.step_tolerance {
            let Scheme::Precise(control) = &mut options.scheme else {
                let problem = "--step-tolerance belongs to the preset \"precise\"";
                return Err(Failure::usage(problem).hint("give --preset precise too"));
            };
            control.tolerance = Some(tolerance);
        }
        if let Some(method) = self.method {
            options.method = method.named(options.method);
        }
        let budget = &mut options.budget;
        budget.tolerance = self.tolerance.unwrap_or(budget.tolerance);
        if let Some(iterations) = self.iterations {
            budget.max_iterations = usize::try_from(iterations).unwrap_or(usize::MAX);
        }
        Ok(options)
    }
}

impl IntegratorName {
    fn named(self) -> Integrator {
        match self {
            Self::Euler => Integrator::Euler,
            Self::SymplecticEuler => Integrator::SymplecticEuler,
            Self::Rk4 => Integrator::Rk4,
            Self::Stoermer => Integrator::Stoermer,
        }
    }
}

impl StabilizationName {
    fn named(self) -> Stabilization {
        let iterations = CORRECTIONS;
        match self {
            Self::Post => Stabilization::Post { iterations },
            Self::Displacement => Stabilization::Displacement { iterations },
            Self::None => Stabilization::None,
        }
    }
}

impl MethodName {
    /// As scene files mean it: an iterative method starts from the last multipliers, and keeps the
    /// scene's numbers for one.
    fn named(self, scene: Method) -> Method {
        let krylov = match scene {
            Method::ForestKrylov(own) | Method::NormalCg(own) => own,
            _ => Krylov {
                warm_start: true,
                ..Krylov::default()
            },
        };
        match self {
            Self::Direct => Method::Direct,
            Self::ForestDense => Method::ForestDense,
            Self::ForestKrylov => Method::ForestKrylov(krylov),
            Self::NormalDense => Method::NormalDense,
            Self::NormalCg => Method::NormalCg(krylov),
        }
    }
}

/// The words of scene files for a scheme and a method.
pub(crate) fn words(options: &StepOptions) -> (&'static str, &'static str) {
    let preset = match options.scheme {
        Scheme::Interactive(_) => "interactive",
        Scheme::Precise(_) => "precise",
        Scheme::Symplectic4 => "symplectic4",
        Scheme::Parts { .. } => "parts",
    };
    let method = match options.method {
        Method::Direct => "direct",
        Method::ForestDense => "forest-dense",
        Method::ForestKrylov(_) => "forest-krylov",
        Method::NormalDense => "normal-dense",
        Method::NormalCg(_) => "normal-cg",
    };
    (preset, method)
}
