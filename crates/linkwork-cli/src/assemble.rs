//! `linkwork assemble`: close joints that are open.

use std::ops::ControlFlow;

use clap::Args;
use linkwork::prelude::*;
use linkwork_scene::Fault;
use serde::Serialize;

use crate::closing::{CONTRADICTORY, listed};
use crate::failure::Failure;
use crate::numbers::{count, names, positive, short};
use crate::output::{self, Form};
use crate::progress::Progress;
use crate::{interrupt, source};

const AFTER_HELP: &str = "\
Examples:
  linkwork assemble torn.json -o closed.json
  linkwork assemble torn.json                      see whether it closes, write nothing
  linkwork assemble torn.json -o nearest.json --anyway

Parts move until every joint holds; the ground and bodies with prescribed motion stay, time stands
still, velocities are made consistent. Where joints contradict each other the answer is the pose in
which their errors are smallest together, and what stays open is named: exit code 3, and no file
unless --anyway is given.";

/// Bring parts together until every joint holds.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP, allow_negative_numbers = true)]
pub(crate) struct Arguments {
    /// A file, - for the standard input, or a name of the library.
    scene: String,
    /// The file to write the assembled scene to; - is the standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<String>,
    /// Write the file even if joints stay open.
    #[arg(long, requires = "output")]
    anyway: bool,
    /// Joints closed to this hold, m.
    #[arg(long, value_name = "METRES", default_value = "1e-9", value_parser = positive)]
    tolerance: f64,
    /// At most so many displacements.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    iterations: u32,
    /// How to report.
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Text)]
    report: Form,
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
    let on_output = (arguments.report == Form::Json).then_some("-");
    let to = arguments.output.as_deref();
    output::check_distinct(&[("--output", to), ("--report json", on_output)])?;
    let mut scene = source::open(&arguments.scene)?;
    let file = to.map(output::begin).transpose()?;

    let options = AssembleOptions::default()
        .with_tolerance(arguments.tolerance)
        .with_max_iterations(arguments.iterations as usize);
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
        return Err(Failure::Interrupted);
    }

    let is_closed = report.outcome == AssemblyOutcome::Assembled;
    if let Some(file) = file.filter(|_| is_closed || arguments.anyway) {
        output::fill(file, &linkwork_scene::save(&scene).map_err(Failure::Scene)?)?;
    }
    match arguments.report {
        Form::Json => output::print_json(&json(&report))?,
        Form::Text if is_closed && !quiet => {
            output::say(format!(
                "assembled in {}: every joint holds to {} m, {} rad",
                count(report.iterations, "displacement", "displacements"),
                short(report.position_error),
                short(report.angle_error),
            ));
            let lower: Vec<&str> = report
                .residuals
                .iter()
                .map(|own| own.label.as_str())
                .collect();
            if !lower.is_empty() {
                output::say(format!(
                    "  of lower priorities, not reached: {}",
                    names(&lower)
                ));
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
    let scene = &arguments.scene;
    let mut text = match report.outcome {
        AssemblyOutcome::LeastSquares => format!(
            "{scene}: the joints contradict each other; nearest to closed, these stay open:"
        ),
        _ => format!(
            "{scene}: not assembled after {}; these stay open:",
            count(report.iterations, "displacement", "displacements")
        ),
    };
    for open in listed(&report.residuals) {
        text += &format!("\n  {open}");
    }
    Fault::at("", text).hint(match (report.outcome, &arguments.output) {
        (AssemblyOutcome::LeastSquares, _) => CONTRADICTORY,
        (_, Some(_)) if arguments.anyway => "what was reached is in the file: assemble that again",
        _ => "give more --iterations, or place the parts nearer to where they belong",
    })
}

fn json(report: &AssemblyReport) -> Report<'_> {
    Report {
        outcome: match report.outcome {
            AssemblyOutcome::Assembled => "assembled",
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
