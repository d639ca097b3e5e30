//! Steps every scene of the library natively and prints its state hashes, as
//! `web/tests/same-bits.mjs` does in WebAssembly: `cargo xtask same-bits` compares the two.
//!
//! Arguments: steps of a scene, then `NAME=STEPS` for those that take others.

#![allow(clippy::print_stdout)] // Talks to another program on standard output.

use linkwork_scene::library;
use linkwork_wasm::Laboratory;

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    for listing in library::list() {
        let steps = steps(listing.name, &arguments)?;
        println!("{}", hashes(listing.small, steps));
    }
    Ok(())
}

fn steps(name: &str, arguments: &[String]) -> Result<usize, String> {
    let own = |argument: &String| {
        let (scene, steps) = argument.split_once('=')?;
        (scene == name).then(|| steps.to_owned())
    };
    let steps = arguments.iter().find_map(own);
    let steps = steps.or_else(|| arguments.first().cloned());
    let steps = steps.ok_or("say how many steps")?;
    steps
        .parse()
        .map_err(|_| format!("{steps:?} is no number of steps"))
}

/// Hashes of the state before the first step and after each, or what is said instead.
fn hashes(name: &str, steps: usize) -> String {
    let mut lab = match Laboratory::open(name) {
        Ok(lab) => lab,
        Err(problem) => return format!("{name} {}", one_word(&problem)),
    };
    let mut line = format!("{name} {}", lab.state_hash());
    for _ in 0..steps {
        let said = match lab.step(None) {
            Ok(()) => lab.state_hash(),
            Err(problem) => one_word(&problem),
        };
        line.push(' ');
        line += &said;
    }
    line
}

/// A refusal must be the same too.
fn one_word(problem: &str) -> String {
    problem.split_whitespace().collect::<Vec<_>>().join("_")
}
