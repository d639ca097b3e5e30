//! Steps every scene of the library natively and prints its state hashes, as
//! `web/tests/same-bits.mjs` does in WebAssembly: `cargo xtask same-bits` compares the two.
//!
//! Arguments: steps of a scene, the seconds after which it is left, and the steps it takes however long they are.

#![allow(clippy::print_stdout)] // Talks to another program on standard output.

use std::time::Instant;

use linkwork_scene::library;
use linkwork_wasm::Laboratory;

fn main() -> Result<(), String> {
    let [steps, seconds, fewest] = numbers()?;
    for listing in library::list() {
        // A line at a time: the other side goes on with it.
        println!("{}", hashes(listing.small, steps, seconds, fewest));
    }
    Ok(())
}

fn numbers() -> Result<[f64; 3], String> {
    let numbers: Result<Vec<f64>, _> = std::env::args().skip(1).map(|own| own.parse()).collect();
    let numbers = numbers.map_err(|error| error.to_string())?;
    let three = numbers.try_into();
    three.map_err(|_| "say how many steps, how many seconds, and the fewest steps".to_owned())
}

/// Hashes of the state before the first step and after each, or what is said instead.
fn hashes(name: &str, steps: f64, seconds: f64, fewest: f64) -> String {
    let mut lab = match Laboratory::open(name) {
        Ok(lab) => lab,
        Err(problem) => return format!("{name} {}", one_word(&problem)),
    };
    let mut line = format!("{name} {}", lab.state_hash());
    let start = Instant::now();
    for step in 0..steps as usize {
        if step as f64 >= fewest && start.elapsed().as_secs_f64() > seconds {
            break;
        }
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
