//! `linkwork assemble`: close joints that are open.

use std::ops::ControlFlow;

use clap::Args;
use linkwork::assembly::{AssemblyOutcome, AssemblyReport};
use linkwork::prelude::*;
use linkwork_scene::Fault;
use serde::Serialize;

use crate::closing::{CONTRADICTORY, contradictory, is_rounding, listed};
use crate::failure::Failure;
use crate::interrupt;
use crate::numbers::{count, names, positive, power, short};
use crate::output::{self, Form};
use crate::progress::Progress;
use crate::search::SearchArguments;

const AFTER_HELP: &str = "\
Examples:
  linkwork assemble torn.json -o closed.json
  linkwork assemble torn.json                      check whether it closes, write nothing
  linkwork assemble torn.json -o nearest.json --anyway
  linkwork assemble crowd --method normal-cg --solve-iterations 30 --iterations 6 --tolerance 0.02

Parts move until every joint holds. The ground and bodies with prescribed motion stay, time does
not pass, and velocities are made consistent. If joints contradict each other, the result is the
pose with the smallest errors in least squares; the joints that stay open are named, the exit code
is 3, and no file is written unless --anyway is given.";

/// Move parts until every joint holds.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP, allow_negative_numbers = true)]
pub(crate) struct Arguments {
    #[command(flatten)]
    search: SearchArguments,
    /// Largest gap of a closed joint, m.
    #[arg(
        long,
        value_name = "METERS",
        default_value = power(AssembleOptions::default().tolerance),
        value_parser = positive
    )]
    tolerance: f64,
    /// Largest number of displacement solves.
    #[arg(
        long,
        value_name = "N",
        default_value_t = AssembleOptions::default().max_iterations as u32,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    iterations: u32,
}

/// The report as JSON.
#[derive(Serialize)]
struct Report<'r> {
    outcome: &'static str,
    iterations: usize,
    restarts: usize,
    position_error: f64,
    angle_error: f64,
    rate_error: f64,
    open: Vec<Open<'r>>,
}

#[derive(Serialize)]
struct Open<'r> {
    joint: &'r str,
    position: f64,
    angle: f64,
}

pub(crate) fn perform(arguments: &Arguments, quiet: bool) -> Result<(), Failure> {
    let search = &arguments.search;
    let (mut scene, file) = search.begin(&[], || search.open())?;
    let options = AssembleOptions::default()
        .with_tolerance(arguments.tolerance)
        .with_max_iterations(arguments.iterations as usize)
        .by(search.solver.over(Method::Direct)?);
    let before = scene.world.state().q.clone();
    let mut progress = Progress::endless("assembling", quiet);
    let report = Simulator::new().assemble_with(&mut scene.world, &options, &mut |on_way| {
        progress.at(on_way.iteration as u64, || {
            let (gap, angle) = (short(on_way.position_error), short(on_way.angle_error));
            format!("{}: open by {gap} m, {angle} rad", on_way.iteration)
        });
        match interrupt::is_asked() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })?;
    drop(progress);
    if report.outcome == AssemblyOutcome::Interrupted {
        return Err(Failure::interrupted());
    }

    let gave_way = report.outcome == AssemblyOutcome::GaveWay;
    let is_rounded =
        report.outcome == AssemblyOutcome::LeastSquares && is_rounding(&report.residuals);
    let is_closed = gave_way || is_rounded || report.outcome == AssemblyOutcome::Assembled;
    search.write(&scene, file, is_closed)?;
    match search.report {
        Form::Json => output::print_json(&json(&report))?,
        Form::Text if is_closed && !quiet => {
            // Limits are met when joints are closed, by displacements that nobody counts.
            let way = match (report.iterations, scene.world.state().q == before) {
                (0, true) => "assembled as it is".to_owned(),
                (0, false) => "assembled by moving joints into their limits".to_owned(),
                (n, _) => format!("assembled in {}", count(n, "displacement", "displacements")),
            };
            output::say(format!(
                "{way}: every joint holds to {} m, {} rad",
                short(report.position_error),
                short(report.angle_error),
            ));
            if is_rounded {
                output::say(
                    "  closer they contradict each other: the numbers of the file are rounded",
                );
            } else if gave_way {
                output::say(format!(
                    "  gave way, of lower priority, in least squares: {}",
                    listed(&contradictory(&report)).join(", ")
                ));
            } else if !report.residuals.is_empty() {
                let lower = report.residuals.iter().map(|own| own.label.as_str());
                let lower: Vec<&str> = lower.collect();
                output::say(format!("  not met, of lower priority: {}", names(&lower)));
            }
        }
        Form::Text => {}
    }
    match is_closed {
        true => Ok(()),
        false => Err(Failure::Simulation(in_words(&report, arguments))),
    }
}

/// What stays open, by name.
fn in_words(report: &AssemblyReport, arguments: &Arguments) -> Fault {
    let search = &arguments.search;
    let scene = &search.scene;
    let mut text = match report.outcome {
        AssemblyOutcome::LeastSquares => {
            format!("{scene}: the joints contradict each other; at best these stay open:")
        }
        _ => format!(
            "{scene}: not assembled after {}; these stay open:",
            count(report.iterations, "displacement", "displacements")
        ),
    };
    text += " ";
    text += &listed(&report.residuals).join(", ");
    Fault::at("", text).hint(match (report.outcome, &search.output) {
        (AssemblyOutcome::LeastSquares, _) => CONTRADICTORY,
        (_, Some(_)) if search.anyway => "the file has the pose reached so far: assemble it again",
        _ => "give more --iterations, or place the parts nearer to a closed pose",
    })
}

fn json(report: &AssemblyReport) -> Report<'_> {
    Report {
        outcome: match report.outcome {
            AssemblyOutcome::Assembled => "assembled",
            AssemblyOutcome::GaveWay => "gave-way",
            AssemblyOutcome::LeastSquares => "least-squares",
            AssemblyOutcome::Failed => "failed",
            AssemblyOutcome::Interrupted => "interrupted",
        },
        iterations: report.iterations,
        restarts: report.restarts,
        position_error: report.position_error,
        angle_error: report.angle_error,
        rate_error: report.rate_error,
        open: report
            .residuals
            .iter()
            .map(|open| Open {
                joint: &open.label,
                position: open.position,
                angle: open.angle,
            })
            .collect(),
    }
}
