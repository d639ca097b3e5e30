//! Native and browser give the same bits: every scene of the library is stepped in both, side by side.

use std::fmt::Write;
use std::process::{Command, Output, Stdio};
use std::thread;

use crate::setup::ensure_node;
use crate::tools::{build, built, is_built, root};
use crate::wasm;

/// Steps of a scene; `LINKWORK_SAME_BITS_STEPS` asks for others, whatever they cost.
const STEPS: &str = "1000";

/// The work after which a scene is left: unknowns that were solved for. Dear scenes, which settle lower priorities in
/// every step or have dozens of contacts, took nine tenths of the time of 1,000 steps each.
const WORK: &str = "3e6";

/// Compares state hashes after every step.
pub(crate) fn run() -> Result<(), String> {
    let arguments = arguments(std::env::var("LINKWORK_SAME_BITS_STEPS").ok())?;
    if !is_built() {
        wasm::build()?;
        build()?;
    }
    ensure_node()?;
    let root = root()?;
    let mut node = Command::new("node");
    node.arg("web/tests/same-bits.mjs").current_dir(&root);
    let mut native = Command::new(built("examples/same_bits")?);
    let (browser, native) = thread::scope(|scope| {
        let browser = scope.spawn(|| lines(node.args(&arguments)));
        let native = lines(native.args(&arguments));
        (browser.join(), native)
    });
    let browser = browser.map_err(|_| "node was not waited for")??;
    let native = native?;
    let (n_scenes, n_steps) = compare(&native, &browser)?;
    println!(
        "{n_scenes} scenes, {n_steps} steps in all: native and WebAssembly have the same bits"
    );
    Ok(())
}

/// What both sides are told: steps of a scene, and the work after which it is left.
fn arguments(asked: Option<String>) -> Result<[String; 2], String> {
    match asked {
        Some(steps) if steps.parse::<usize>().is_err() => Err(format!(
            "LINKWORK_SAME_BITS_STEPS is {steps:?}; give a number"
        )),
        Some(steps) => Ok([steps, "1e300".to_owned()]),
        None => Ok([STEPS.to_owned(), WORK.to_owned()]),
    }
}

/// What a program prints on its standard output.
fn lines(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stderr(Stdio::inherit()).output();
    let Output { status, stdout, .. } =
        output.map_err(|error| format!("{name} did not start ({error})"))?;
    match status.success() {
        true => Ok(String::from_utf8_lossy(&stdout).into_owned()),
        false => Err(format!("{name}: {status}")),
    }
}

/// Counts scenes and steps; an error names the scenes that differ.
fn compare(native: &str, browser: &str) -> Result<(usize, usize), String> {
    let mut others = browser.lines();
    let (mut differing, mut n_scenes, mut n_steps) = (String::new(), 0, 0);
    for line in native.lines() {
        let other = others.next().unwrap_or_default();
        let name = line.split(' ').next().unwrap_or_default();
        (n_scenes, n_steps) = (
            n_scenes + 1,
            n_steps + line.split(' ').count().saturating_sub(2),
        );
        if let Some(step) = first_difference(line, other) {
            let _ = write!(differing, "\n  {name}: from step {step} on");
        }
    }
    if !differing.is_empty() {
        return Err(format!(
            "bits differ between native and WebAssembly:{differing}"
        ));
    }
    if others.next().is_some() {
        return Err("WebAssembly has more scenes than the library".to_owned());
    }
    match n_scenes {
        0 => Err("no scene was stepped".to_owned()),
        _ => Ok((n_scenes, n_steps)),
    }
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
    fn scenes_that_differ_are_named_and_none_may_be_missing() {
        assert_eq!(compare("x a b\ny a b c", "x a b\ny a b c"), Ok((2, 3)));
        let message = compare("x a b\ny a b", "x a b\ny a c").unwrap_err();
        assert!(message.ends_with("\n  y: from step 1 on"), "{message}");
        assert!(compare("x a b\ny a b", "x a b").is_err());
        assert!(compare("x a b", "x a b\ny a b").is_err());
        assert!(compare("", "").is_err());
    }

    #[test]
    fn steps_may_be_asked_for() {
        assert_eq!(arguments(Some("20".to_owned())).unwrap()[0], "20");
        assert_eq!(arguments(None).unwrap()[0], STEPS);
        assert!(arguments(Some("many".to_owned())).is_err());
    }
}
