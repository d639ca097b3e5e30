//! `linkwork minimize`: minimize objectives.

use std::any::Any;

use clap::Args;
use linkwork::body::Numbers;
use linkwork::prelude::*;
use linkwork::step::{Found, MinimizeOptions, MinimizeReport};
use linkwork_scene::Scene;
use serde::Serialize;

use crate::failure::Failure;
use crate::numbers::{count, exact, positive, power, short};
use crate::output::{self, Form};
use crate::search::SearchArguments;
use crate::solver::SolverArguments;

const AFTER_HELP: &str = "\
Examples:
  linkwork minimize least-tin
  linkwork minimize beam-from-log --report json
  linkwork minimize fit.json -o fitted.json

Minimizes wishes (left ~ right) and objectives (minimize E), while joints hold and limits are kept. Time does not
pass. The result counts as a minimum only if its slope was measured to be zero; else the exit code is 3, and no file is
written unless --anyway is given.";

/// Minimize objectives.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP, allow_negative_numbers = true)]
pub(crate) struct Arguments {
    #[command(flatten)]
    search: SearchArguments,
    #[command(flatten)]
    minimum: MinimumArguments,
}

/// When a minimum is one, and how long it is looked for.
#[derive(Debug, Args)]
pub(crate) struct MinimumArguments {
    /// The largest remaining slope, apart from slopes that joints and limits balance.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = power(MinimizeOptions::default().tolerance),
        value_parser = positive
    )]
    tolerance: f64,
    /// Largest number of steps.
    #[arg(
        long,
        value_name = "N",
        default_value_t = MinimizeOptions::default().max_iterations as u32,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    iterations: u32,
}

impl MinimumArguments {
    /// Brings a scene to where its objectives are least.
    pub(crate) fn seek(
        &self,
        scene: &mut Scene,
        solver: &SolverArguments,
    ) -> Result<MinimizeReport, Failure> {
        Ok(Simulator::new().minimize(&mut scene.world, &self.options(solver)?)?)
    }

    /// How a minimum is looked for.
    pub(crate) fn options(&self, solver: &SolverArguments) -> Result<MinimizeOptions, Failure> {
        Ok(MinimizeOptions::default()
            .with_tolerance(self.tolerance)
            .with_max_iterations(self.iterations as usize)
            .by(solver.over(Method::Direct)?))
    }
}

/// The report as JSON.
#[derive(Serialize)]
pub(crate) struct Report {
    outcome: &'static str,
    iterations: usize,
    refused: usize,
    slope: f64,
    steepest: f64,
    position_error: f64,
    numbers: Vec<Named>,
    objectives: Vec<Goal>,
    at_bounds: Vec<Bound>,
}

#[derive(Serialize)]
struct Named {
    name: String,
    value: f64,
}

#[derive(Serialize)]
struct Goal {
    joint: String,
    value: f64,
    slope: f64,
}

#[derive(Serialize)]
struct Bound {
    joint: String,
    force: f64,
}

pub(crate) fn perform(arguments: &Arguments, quiet: bool) -> Result<(), Failure> {
    let search = &arguments.search;
    let (mut scene, file) = search.begin(&[], || search.open())?;
    if scene.world.objectives()?.is_empty() {
        let failure = Failure::simulation("this scene has no objective");
        return Err(failure.hint("add a joint of type formula, such as minimize p.x^2 or p.x ~ 1"));
    }
    let report = arguments.minimum.seek(&mut scene, &search.solver)?;
    search.write(&scene, file, report.found == Found::Minimum)?;
    let told = told(&scene.world, &report)?;
    match search.report {
        Form::Json => output::print_json(&told)?,
        Form::Text => output::print(&text(&told))?,
    }
    ended(&report, quiet)
}

/// How a search ended, in words, and whether that is a failure.
pub(crate) fn ended(report: &MinimizeReport, quiet: bool) -> Result<(), Failure> {
    let steps = count(report.iterations, "step", "steps");
    let (slope, open) = (short(report.slope), short(report.position_error));
    match report.found {
        Found::Minimum => {
            if !quiet {
                output::say(format!(
                    "a minimum after {steps}: the remaining slope is {slope}"
                ));
            }
            Ok(())
        }
        Found::Spent => Err(Failure::simulation(format!(
            "no minimum within {steps}: the remaining slope is {slope}"
        ))
        .hint("give more --iterations; bound numbers that grow without end, as p.x in -10..10")),
        Found::Stalled => Err(Failure::simulation(format!(
            "steps no longer help after {steps}; the remaining slope is {slope}"
        ))
        .hint("give a larger --tolerance, or look for corners: abs, min, max and norm have them")),
        _ => Err(Failure::simulation(format!(
            "joints and inequalities contradict each other: they are open by {open}"
        ))),
    }
}

fn outcome(found: Found) -> &'static str {
    match found {
        Found::Minimum => "minimum",
        Found::Stalled => "stalled",
        Found::Spent => "spent",
        _ => "open",
    }
}

pub(crate) fn told(world: &World, report: &MinimizeReport) -> Result<Report, Failure> {
    let label = |id| {
        let record = world.constraint_record(id);
        record.map_or_else(|_| String::new(), |own| own.label().to_owned())
    };
    let mut numbers = Vec::new();
    for record in world.bodies() {
        let values = &world.state().q[record.q_range()];
        let mut tell = |name: &str, value: f64| {
            let name = format!("{}.{name}", record.label());
            numbers.push(Named { name, value });
        };
        let body: &dyn Any = record.body();
        if let Some(own) = body.downcast_ref::<Numbers>() {
            for (number, value) in own.numbers().iter().zip(values) {
                tell(&number.name, *value);
            }
        } else if let Some(map) = record.body().shape() {
            for (at, value) in values.iter().enumerate().take(map.n_numbers()) {
                if let Some(name) = map.name(at) {
                    tell(name, *value);
                }
            }
        }
    }
    let objectives = world.objectives()?;
    let objectives = objectives.iter().map(|own| Goal {
        joint: label(own.constraint),
        value: own.value,
        slope: own.slope,
    });
    let at_bounds = world.at_bounds();
    let at_bounds = at_bounds.iter().map(|own| Bound {
        joint: label(own.constraint),
        force: own.force,
    });
    Ok(Report {
        outcome: outcome(report.found),
        iterations: report.iterations,
        refused: report.refused,
        slope: report.slope,
        steepest: report.steepest,
        position_error: report.position_error,
        numbers,
        objectives: objectives.collect(),
        at_bounds: at_bounds.collect(),
    })
}

/// Numbers as they are, so that they can be taken on.
pub(crate) fn text(report: &Report) -> String {
    let mut text = String::new();
    for own in &report.numbers {
        text += &format!("{} = {}\n", own.name, exact(own.value));
    }
    for own in &report.objectives {
        let (value, slope) = (exact(own.value), short(own.slope));
        text += &format!("objective {}: {value}, its own slope {slope}\n", own.joint);
    }
    for own in &report.at_bounds {
        text += &format!(
            "at its bound: {}, pushing with {}\n",
            own.joint,
            short(own.force)
        );
    }
    text
}
