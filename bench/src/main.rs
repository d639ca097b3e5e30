//! Linkwork measured: its five methods against each other, against a sparse Cholesky, and beside
//! the published numbers; its ways to step against each other. See `bench/README.md`.

#![allow(clippy::print_stdout)] // A command-line tool talks on standard output.

#[cfg_attr(not(feature = "faer"), path = "without_baseline.rs")]
mod baseline;
mod bits;
mod compare;
mod contact;
mod curves;
mod diagnosis;
mod drive;
mod fits;
mod formulas;
mod json;
mod library;
mod load;
#[path = "../../crates/linkwork/tests/common/numbers.rs"]
mod numbers;
mod papers;
mod plot;
mod points;
mod preset;
mod rows;
mod scaling;
mod shells;
mod snap;
mod solids;
mod solve;
mod step;
mod table;
mod targets;
mod throws;
mod timing;
mod work_precision;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use linkwork::step::StepOptions;

/// Measures Linkwork.
#[derive(Parser)]
#[command(name = "linkwork-bench")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Times one solve of scenes, by methods.
    Solve {
        /// A scene by name, such as ladder:6,96. Repeat for several.
        #[arg(long, required = true)]
        scene: Vec<String>,
        /// "all", or a list such as direct,faer,forest-krylov:1e-3.
        #[arg(long, default_value = "all")]
        method: String,
        /// How the bodies move.
        #[arg(long, value_enum, default_value = "allowed")]
        velocities: solve::Velocities,
        /// One JSON array instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// Drives scenes from their start: what a step costs, and what it keeps.
    Step {
        /// A scene by name, such as ladder3:12,1. Repeat for several.
        #[arg(long, required = true)]
        scene: Vec<String>,
        #[arg(long, default_value = "interactive", help = preset::USAGE)]
        preset: String,
        /// "all", or a list such as direct,forest-krylov:1e-3.
        #[arg(long, default_value = "direct")]
        method: String,
        /// The step, in seconds; 1/60 will do too.
        #[arg(long, default_value = "0.001", value_parser = step::parse_seconds)]
        dt: f64,
        /// How long to drive.
        #[arg(long, default_value = "2", value_parser = step::parse_seconds)]
        seconds: f64,
        /// How closed constraints must be, in meters; else what the engine takes for good.
        #[arg(long)]
        tolerance: Option<f64>,
        /// One JSON array instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// Writes error against cost over step sizes, as CSV and as a plot.
    WorkPrecision {
        /// A scene by name, such as ladder3:12,1.
        #[arg(long)]
        scene: String,
        #[arg(long, default_value = "all", help = preset::USAGE)]
        preset: String,
        /// How long to drive; error is taken at the end.
        #[arg(long, default_value = "1", value_parser = step::parse_seconds)]
        seconds: f64,
        /// The folder to write to.
        #[arg(long, default_value = "target/work-precision")]
        out: std::path::PathBuf,
    },
    /// Times the removal and the making of a joint in large scenes.
    Snap {
        /// A scene by name. Repeat for several.
        #[arg(long, default_values = snap::SCENES)]
        scene: Vec<String>,
    },
    /// Times the reading and writing of scenes, and counts the memory they hold.
    Load {
        /// A scene by name. Repeat for several.
        #[arg(long, default_values = ["chain:10000", "ladder:6,770"])]
        scene: Vec<String>,
        /// One JSON array instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// Prints what stepping and editing are held to.
    Targets,
    /// Prints published times beside ours, and the ratios the engine is held to.
    Papers,
    /// Counts operations and times of growing scenes.
    Scaling,
    /// Fingerprints the state of every library scene after many steps: t, q, v, λ, sub-step.
    Bits {
        /// Steps of each scene with its own options.
        #[arg(long, default_value_t = 1000)]
        steps: usize,
        /// Other schemes, methods, budgets, dynamics and hands too, for 40 steps each.
        #[arg(long)]
        wide: bool,
        /// Only this scene. Repeat for several.
        #[arg(long)]
        scene: Vec<String>,
        /// A file with recorded lines: say which runs differ, and fail if any does.
        #[arg(long)]
        against: Option<std::path::PathBuf>,
    },
    /// Runs every library scene for a minute under each preset, and fails where energy or joints were not kept
    /// as docs/presets.md promises and no report says so.
    Library {
        /// Only these scenes.
        scene: Vec<String>,
        /// How long.
        #[arg(long, default_value = "60", value_parser = step::parse_seconds)]
        seconds: f64,
        /// Only this preset. Repeat for several.
        #[arg(long)]
        preset: Vec<String>,
        /// A run that costs more is cut: unknowns that were solved for.
        #[arg(long, default_value_t = library::LIMIT)]
        limit: u64,
        /// A file to write the lines to.
        #[arg(long)]
        record: Option<std::path::PathBuf>,
        /// A file with recorded lines: say which runs differ, and fail if any does.
        #[arg(long)]
        against: Option<std::path::PathBuf>,
    },
    /// Runs two builds of this program in turns on every row of papers and targets, and fails where the
    /// second is more than 3 % slower.
    Compare {
        /// The program to compare with.
        old: std::path::PathBuf,
        /// The program that must not be slower.
        new: std::path::PathBuf,
    },
    /// Takes turns for compare: one for each line on the standard input.
    #[command(hide = true)]
    Rows {
        /// Only these rows.
        row: Vec<String>,
    },
    /// Lets bodies touch: penetration, energy, rest, what is left of the law, and cost.
    Contact {
        /// Only scenes with this in their name. Repeat for several.
        #[arg(long)]
        scene: Vec<String>,
        /// The step, in seconds; 1/60 will do too.
        #[arg(long, default_value = "1/60", value_parser = step::parse_seconds)]
        dt: f64,
        /// How impulses are found: newton or pivoting.
        #[arg(long, default_value = "newton")]
        solver: linkwork::solve::ContactSolver,
    },
    /// Throws random bodies on a floor, and fails where a throw is refused, ends in no number, or makes energy.
    Throws {
        /// How many. One is shown frame by frame.
        #[arg(long, default_value_t = 10_000)]
        count: u64,
        /// The first seed; the others follow it.
        #[arg(long, default_value_t = 0)]
        seed: u64,
        /// How many threads; the result does not depend on it.
        #[arg(long, default_value_t = 1)]
        threads: u64,
        /// A file to write the table to.
        #[arg(long)]
        record: Option<std::path::PathBuf>,
    },
    /// Times frames of splines that are pulled.
    Curves,
    /// Times M and steps of solids that deform.
    Solids,
    /// Times frames of fits to tables.
    Fits,
    /// Times factors of soft shells, and frames of a balloon on a string.
    Shells {
        /// For how long the balloon is stepped, s.
        #[arg(long, default_value_t = 10.0)]
        seconds: f64,
        /// Balloons of more nodes are not stepped.
        #[arg(long, default_value_t = 320)]
        nodes: usize,
    },
    /// Finds forty random superquadrics from points, of each sort.
    Points,
    /// Times typed formulas against the same ones by hand.
    Formulas,
    /// Times the diagnosis of scenes.
    Diagnose {
        /// A scene by name, such as chain:1000. Repeat for several.
        #[arg(long, required = true)]
        scene: Vec<String>,
    },
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Solve {
            scene,
            method,
            velocities,
            json,
        } => solve::run(&scene, &method, velocities, json),
        Command::Step {
            scene,
            preset,
            method,
            dt,
            seconds,
            tolerance,
            json,
        } => {
            let span = step::Span {
                dt,
                seconds,
                tolerance,
            };
            step::run(&scene, &preset, &method, span, json)
        }
        Command::WorkPrecision {
            scene,
            preset,
            seconds,
            out,
        } => work_precision::run(&scene, &preset, seconds, &out),
        Command::Snap { scene } => snap::run(&scene),
        Command::Load { scene, json } => load::run(&scene, json),
        Command::Targets => targets::run(),
        Command::Papers => papers::run(),
        Command::Scaling => scaling::run(),
        Command::Bits {
            steps,
            wide,
            scene,
            against,
        } => bits::run(steps, wide, &scene, against.as_deref()),
        Command::Library {
            scene,
            seconds,
            preset,
            limit,
            record,
            against,
        } => library::run(&library::Asked {
            seconds,
            limit,
            presets: &preset,
            scenes: &scene,
            record: record.as_deref(),
            against: against.as_deref(),
        }),
        Command::Compare { old, new } => compare::run(&old, &new),
        Command::Rows { row } => rows::run(&row),
        Command::Contact { scene, dt, solver } => {
            let options = StepOptions::interactive(dt).with_contact_solver(solver);
            Ok(contact::run(&scene, &options))
        }
        Command::Throws {
            count,
            seed,
            threads,
            record,
        } => throws::run(&throws::Asked {
            count,
            seed,
            threads,
            record: record.as_deref(),
        }),
        Command::Curves => curves::run(),
        Command::Solids => solids::run(),
        Command::Fits => fits::run(),
        Command::Shells { seconds, nodes } => shells::run(seconds, nodes),
        Command::Points => points::run(),
        Command::Formulas => formulas::run(),
        Command::Diagnose { scene } => diagnosis::run(&scene),
    };
    match result {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
