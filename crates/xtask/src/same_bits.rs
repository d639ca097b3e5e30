//! Native and browser give the same bits: every scene of the library is stepped in both.

use std::fmt::Write;
use std::process::{Command, Stdio};

use linkwork_scene::library;
use linkwork_wasm::Laboratory;

use crate::setup::ensure_node;
use crate::tools::root;
use crate::wasm;

/// Steps of each scene; `LINKWORK_SAME_BITS_STEPS` asks for others.
const STEPS: usize = 1000;

/// Compares state hashes after every step.
pub(crate) fn run() -> Result<(), String> {
    let steps = match std::env::var("LINKWORK_SAME_BITS_STEPS") {
        Ok(steps) => steps
            .parse()
            .map_err(|_| format!("LINKWORK_SAME_BITS_STEPS is {steps:?}; give a number"))?,
        Err(_) => STEPS,
    };
    wasm::build()?;
    ensure_node()?;
    let node = Command::new("node")
        .args(["web/tests/same-bits.mjs", &steps.to_string()])
        .current_dir(root()?)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("node did not start ({error})"))?;
    if !node.status.success() {
        return Err(format!("web/tests/same-bits.mjs: {}", node.status));
    }
    let browser = String::from_utf8_lossy(&node.stdout);
    let mut browser = browser.lines();
    let (mut differing, mut n_scenes) = (String::new(), 0);
    for listing in library::list() {
        let native = hashes(listing.small, steps);
        let theirs = browser.next().unwrap_or_default();
        n_scenes += 1;
        if let Some(step) = first_difference(&native, theirs) {
            let _ = write!(differing, "\n  {}: from step {step} on", listing.small);
        }
    }
    if !differing.is_empty() {
        return Err(format!(
            "bits differ between native and WebAssembly:{differing}"
        ));
    }
    if browser.next().is_some() {
        return Err("WebAssembly has more scenes than the library".to_owned());
    }
    println!("{n_scenes} scenes, {steps} steps each: native and WebAssembly have the same bits");
    Ok(())
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

/// The step at which two lines begin to differ; the first word is the name of the scene.
fn first_difference(native: &str, browser: &str) -> Option<usize> {
    if native == browser {
        return None;
    }
    let mut browser = browser.split(' ');
    let same = native
        .split(' ')
        .take_while(|&word| browser.next() == Some(word));
    Some(same.count().saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_that_differs_is_named() {
        assert_eq!(first_difference("chain a b c", "chain a b c"), None);
        assert_eq!(first_difference("chain a b c", "chain a x c"), Some(1));
        assert_eq!(first_difference("chain a b c", "chain a b"), Some(2));
        assert_eq!(first_difference("chain a b c", ""), Some(0));
    }

    #[test]
    fn hashes_are_one_for_each_step_and_the_start() {
        let line = hashes("four-bar", 3);
        let words: Vec<_> = line.split(' ').collect();
        assert_eq!((words.len(), words[0]), (5, "four-bar"));
        assert!(words[1..].iter().all(|word| word.len() == 16), "{line}");
        assert_eq!(one_word("no scene\n here"), "no_scene_here");
    }
}
