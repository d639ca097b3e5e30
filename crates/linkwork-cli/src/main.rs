//! The command line of Linkwork: check, run, assemble and import scenes, and open the lab.
//!
//! Exit codes: 0 success, 1 usage, 2 scene, 3 simulation, 130 interrupted. Standard output has only
//! what was asked for; messages for people go to standard error.

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

mod assemble;
mod check;
mod closing;
mod completions;
mod failure;
mod fit;
mod format;
mod import;
mod inputs;
mod interrupt;
mod lab;
mod man;
mod minimize;
mod numbers;
mod output;
mod progress;
mod run;
mod scenes;
mod schema;
mod search;
mod solver;
mod source;
mod sweep;
mod synthesize;
mod words;

use failure::Failure;

/// What `linkwork` alone says.
const TOUR: &str = "\
Linkwork: interactive constrained dynamics.

  linkwork scenes                                  list the library
  linkwork check four-bar                          degrees of freedom, redundant rows
  linkwork run four-bar --csv motion.csv           five seconds of motion as a table
  linkwork run four-bar --plot forces.svg --plot-columns 'joint.*.force.magnitude'
  linkwork sweep four-bar --over world.gravity.1=-9.81,-1.62 --measure energy.kinetic:max
  linkwork format four-bar > mine.json             a scene as a file, to start from
  linkwork assemble mine.json -o closed.json       close joints that are open
  linkwork synthesize path.csv -o linkage.json     a four-bar that draws a path
  linkwork minimize least-tin                      minimize objectives
  linkwork fit fit-ellipse points.csv              fit a curve to points
  linkwork import robot.urdf -o robot.json         convert a robot to a scene
  linkwork lab four-bar                            run it and drag it in a browser

SCENE is a file, - for standard input, or a library name such as chain:100.
`linkwork COMMAND --help` has examples.
";

const AFTER_HELP: &str = "\
Examples:
  linkwork check four-bar
  linkwork run chain:100 --seconds 10 --plot energy.svg

Exit codes: 0 success, 1 usage error (bad arguments, a file that cannot be written), 2 scene error
(missing, malformed, impossible), 3 simulation error (step refused, not assembled, joints that
contradict each other or are open at the end), 130 interrupted.";

/// Interactive constrained dynamics.
#[derive(Debug, Parser)]
#[command(name = "linkwork", version, after_help = AFTER_HELP, max_term_width = 100)]
struct Arguments {
    /// Print only errors to standard error.
    #[arg(long, short, global = true)]
    quiet: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Scenes(scenes::Arguments),
    Check(check::Arguments),
    Run(Box<run::Arguments>),
    Sweep(Box<sweep::Arguments>),
    Assemble(assemble::Arguments),
    Synthesize(synthesize::Arguments),
    Minimize(minimize::Arguments),
    Fit(fit::Arguments),
    Import(import::Arguments),
    Format(format::Arguments),
    Schema(schema::Arguments),
    Lab(lab::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(answer) => {
            // Help and version are answers too; clap would exit with 2 for the rest.
            let _ = answer.print();
            return ExitCode::from(u8::from(answer.use_stderr()));
        }
    };
    interrupt::listen();
    match perform(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if failure != Failure::PipeClosed {
                output::say(&failure);
            }
            failure.exit_code()
        }
    }
}

fn perform(arguments: &Arguments) -> Result<(), Failure> {
    let quiet = arguments.quiet;
    match &arguments.command {
        None => output::print(TOUR),
        Some(Command::Scenes(own)) => scenes::perform(own),
        Some(Command::Check(own)) => check::perform(own, quiet),
        Some(Command::Run(own)) => run::perform(own, quiet),
        Some(Command::Sweep(own)) => sweep::perform(own, quiet),
        Some(Command::Assemble(own)) => assemble::perform(own, quiet),
        Some(Command::Synthesize(own)) => synthesize::perform(own, quiet),
        Some(Command::Minimize(own)) => minimize::perform(own, quiet),
        Some(Command::Fit(own)) => fit::perform(own, quiet),
        Some(Command::Import(own)) => import::perform(own, quiet),
        Some(Command::Format(own)) => format::perform(own),
        Some(Command::Schema(own)) => schema::perform(own),
        Some(Command::Lab(own)) => lab::perform(own, quiet),
        Some(Command::Completions(own)) => completions::perform(own, Arguments::command()),
        Some(Command::Man(own)) => man::perform(own, Arguments::command(), quiet),
    }
}
