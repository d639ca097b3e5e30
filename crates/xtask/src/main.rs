//! The project's own commands: `cargo ci`, or `cargo xtask <command>`.
//!
//! What they need besides Rust is in `setup.rs`.

#![allow(clippy::print_stdout)] // A command-line tool talks on standard output.

use std::process::ExitCode;

use web_test::Part;

mod ci;
mod examples;
mod lab;
mod lanes;
mod licenses;
mod package;
mod page;
mod same_bits;
mod setup;
mod tools;
mod trim;
mod wasm;
mod web_test;

const USAGE: &str = "usage: cargo xtask <command>

commands:
  ci          every check a change must pass (also: cargo ci)
  examples    runs the examples of the engine
  lab …       builds the lab and opens it; the rest is as for `linkwork lab` (also: cargo lab)
  licenses    lists the licenses of everything that is shipped, and refuses what may not be
  page        builds the page of the lab into crates/linkwork-cli/page
  package     packs the crates that are published, and checks what is in the packages
  wasm        builds the engine for browsers into web/src/wasm (also: cargo wasm)
  wasm-size   refuses a module that is too large
  types       writes web/src/engine/border.ts, what crosses between engine and page; --check only compares
  same-bits   steps every scene natively and in WebAssembly and compares every bit
  web-test    tests of the lab, in node and in a browser (`speed` or `rest`: some of the latter)";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["ci"] => ci::run(),
        ["examples"] => examples::run(),
        ["lab", ref own @ ..] => lab::open(own),
        ["licenses"] => licenses::check(),
        ["page"] => page::build(),
        ["package"] => package::run_all(),
        ["wasm"] => wasm::build(),
        ["wasm-size"] => wasm::check_size(),
        ["types", ref own @ ..] => write_types(own),
        ["same-bits"] => same_bits::run(),
        ["web-test"] => web_test::run_all(),
        ["web-test", "speed"] => web_test::run_in_browser(Part::Speed),
        ["web-test", "rest"] => web_test::run_in_browser(Part::Rest),
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

/// Writes or checks the types of the page. They come from a program of their own, which is compiled
/// with the engine: this one is not.
fn write_types(arguments: &[&str]) -> Result<(), String> {
    let mut command = tools::cargo();
    command.args(["run", "--quiet", "--package", "border", "--"]);
    tools::run(command.args(arguments).current_dir(tools::root()?))
}
