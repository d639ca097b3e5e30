//! The project's own commands: `cargo ci`, or `cargo xtask <command>`.
//!
//! Needs nothing but Rust: no dependencies, no shell.

#![allow(clippy::print_stdout)] // A command-line tool talks on standard output.

use std::process::ExitCode;

mod ci;

const USAGE: &str = "usage: cargo xtask <command>

commands:
  ci    every check a change must pass (also: cargo ci)";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["ci"] => ci::run(),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        [] => Err(USAGE.to_owned()),
        _ => Err(format!(
            "unknown command: {}\n\n{USAGE}",
            arguments.join(" ")
        )),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("\n{message}");
            ExitCode::FAILURE
        }
    }
}
