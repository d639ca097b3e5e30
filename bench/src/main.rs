//! Linkwork measured: its five methods against each other, against a sparse Cholesky, and beside
//! the published numbers. See `bench/README.md`.

#![allow(clippy::print_stdout)] // A command-line tool talks on standard output.

mod diagnosis;
mod faer_baseline;
mod papers;
mod scaling;
mod solve;
mod table;
mod timing;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

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
    /// Prints published times beside ours, and the ratios the engine is held to.
    Papers,
    /// Counts operations and times of growing scenes.
    Scaling,
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
        Command::Papers => papers::run(),
        Command::Scaling => scaling::run(),
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
