//! The project's own commands: `cargo ci`, or `cargo xtask <command>`.
//!
//! `ci` and `wasm` need nothing but Rust; what runs in a browser needs node.

#![allow(clippy::print_stdout)] // A command-line tool talks on standard output.

use std::process::ExitCode;

mod ci;
mod lab;
mod same_bits;
mod tools;
mod wasm;
mod web_test;

const USAGE: &str = "usage: cargo xtask <command>

commands:
  ci          every check a change must pass (also: cargo ci)
  lab         builds the lab and serves it on this machine (also: cargo lab)
  serve PORT  serves the lab that was built last
  wasm        builds the engine for browsers into web/src/wasm (also: cargo wasm)
  same-bits   steps every scene natively and in WebAssembly and compares every bit
  web-test    tests of the lab, in node and in a browser";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["ci"] => ci::run(),
        ["lab"] => lab::build_and_serve(),
        ["serve", port] => lab::serve_on(port),
        ["wasm"] => wasm::build(),
        ["same-bits"] => same_bits::run(),
        ["web-test"] => web_test::run_all(),
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
