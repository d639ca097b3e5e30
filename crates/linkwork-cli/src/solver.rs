//! How multipliers are found: the options of `run` and `assemble`.

use clap::Args;
use linkwork::prelude::*;
use linkwork::solve::Krylov;

use crate::failure::Failure;
use crate::words::{pairs, word};

/// The solver, and how long it may iterate.
#[derive(Debug, Default, Args)]
pub(crate) struct SolverArguments {
    /// The solver.
    #[arg(long, value_parser = word::<Method>(pairs(Method::CHOICES)))]
    method: Option<Method>,
    /// Largest number of iterations of one solve of an iterative method.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    solve_iterations: Option<u64>,
}

impl SolverArguments {
    /// The scene's method with what was given in its place.
    pub(crate) fn over(&self, scene: Method) -> Result<Method, Failure> {
        // As scene files mean it: an iterative method starts from the last multipliers, and keeps
        // the scene's numbers for one.
        let krylov = scene
            .krylov()
            .unwrap_or(Krylov::default().with_warm_start(true));
        let mut method = self.method.map_or(scene, |method| method.stopping(krylov));
        if let Some(most) = self.solve_iterations {
            let Some(krylov) = method.krylov() else {
                let problem =
                    format!("--solve-iterations: the method \"{method}\" does not iterate");
                let hint = format!("give --method {} too", Method::ITERATIVE.join(" or "));
                return Err(Failure::usage(problem).hint(hint));
            };
            let most = usize::try_from(most).unwrap_or(usize::MAX);
            method = method.stopping(krylov.with_max_iterations(most));
        }
        Ok(method)
    }
}
