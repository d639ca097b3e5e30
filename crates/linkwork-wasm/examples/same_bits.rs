//! Steps every scene of the library natively and prints its state hashes, as
//! `web/tests/same-bits.mjs` does in WebAssembly: `cargo xtask same-bits` compares the two.
//!
//! Arguments: steps of a scene, and the work after which it is left (`Laboratory::work`).

#![allow(clippy::print_stdout)] // Talks to another program on standard output.

use linkwork_scene::library;
use linkwork_wasm::Laboratory;

fn main() -> Result<(), String> {
    let [steps, work] = numbers()?;
    for listing in library::list() {
        println!("{}", hashes(listing.small, steps as usize, work));
    }
    Ok(())
}

fn numbers() -> Result<[f64; 2], String> {
    let numbers: Result<Vec<f64>, _> = std::env::args().skip(1).map(|own| own.parse()).collect();
    let numbers = numbers.map_err(|error| error.to_string())?;
    let two = numbers.try_into();
    two.map_err(|_| "say how many steps, and how much work".to_owned())
}

/// Hashes of the state before the first step and after each, or what is said instead.
fn hashes(name: &str, steps: usize, work: f64) -> String {
    let mut lab = match Laboratory::open(name) {
        Ok(lab) => lab,
        Err(problem) => return format!("{name} {}", one_word(&problem)),
    };
    let mut line = format!("{name} {}", lab.state_hash());
    let mut done = 0.0;
    for _ in 0..steps {
        let said = match lab.step(None) {
            Ok(()) => lab.state_hash(),
            Err(problem) => one_word(&problem),
        };
        line.push(' ');
        line += &said;
        done += lab.work();
        if done > work {
            break;
        }
    }
    line
}

/// A refusal must be the same too.
fn one_word(problem: &str) -> String {
    problem.split_whitespace().collect::<Vec<_>>().join("_")
}
