//! Native and browser give the same bits: every scene of the library is stepped in both, side by side.
//!
//! Native code goes ahead; WebAssembly takes as many steps of each scene as it did.

use std::fmt::Write;
use std::io::{BufRead, BufReader, Write as _};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;

use crate::setup::ensure_node;
use crate::tools::{build, built, is_built, root};
use crate::wasm;

/// Steps of a scene; `LINKWORK_SAME_BITS_STEPS` asks for others, however long they take.
const STEPS: &str = "1000";

/// Seconds after which a scene is left. A quarter of the scenes took nine tenths of the time of 1,000 steps each: fits
/// of hundreds of points, soft bodies, dozens of contacts. What they cost no count of solves tells.
const SECONDS: &str = "1";

/// Steps that every scene takes: a second of most. What falls has landed.
const FEWEST: &str = "60";

/// Compares state hashes after every step.
pub(crate) fn run() -> Result<(), String> {
    let arguments = arguments(std::env::var("LINKWORK_SAME_BITS_STEPS").ok())?;
    if !is_built() {
        wasm::build()?;
        build()?;
    }
    ensure_node()?;
    let root = root()?;
    let mut native = Command::new(built("examples/same_bits")?);
    let (native, native_lines) = start(native.args(&arguments).stdin(Stdio::null()))?;
    let mut node = Command::new("node");
    node.arg("web/tests/same-bits.mjs").current_dir(&root);
    let (mut node, node_lines) = start(node.stdin(Stdio::piped()))?;
    let (native_text, browser_text) = thread::scope(|scope| {
        let asked = node.stdin.take();
        let ahead = scope.spawn(move || {
            let (mut asked, mut text) = (asked.ok_or("node takes no words")?, String::new());
            for line in native_lines.lines() {
                let line = line.map_err(|error| error.to_string())?;
                // One that has ended is told of below.
                let _ = writeln!(asked, "{}", request(&line));
                text += &line;
                text.push('\n');
            }
            Ok(text)
        });
        let lines: Result<Vec<String>, _> = node_lines.lines().collect();
        let ahead: Result<_, String> = ahead.join().map_err(|_| "native code was not read")?;
        let lines = lines.map_err(|error| error.to_string())?;
        Ok::<_, String>((ahead?, lines.join("\n")))
    })?;
    end("same_bits", native)?;
    end("node", node)?;
    let found = compare(&native_text, &browser_text)?;
    println!("{found}: native and WebAssembly have the same bits");
    Ok(())
}

/// What native code is told: steps of a scene, seconds after which it is left, the fewest steps.
fn arguments(asked: Option<String>) -> Result<[String; 3], String> {
    match asked {
        Some(steps) if steps.parse::<usize>().is_err() => Err(format!(
            "LINKWORK_SAME_BITS_STEPS is {steps:?}; give a number"
        )),
        Some(steps) => Ok([steps.clone(), SECONDS.to_owned(), steps]),
        None => Ok([STEPS, SECONDS, FEWEST].map(str::to_owned)),
    }
}

/// What WebAssembly is told after a line of native code: the scene, and how often to step it.
fn request(line: &str) -> String {
    let name = line.split(' ').next().unwrap_or_default();
    format!("{name} {}", n_steps(line))
}

/// Steps in a line: it begins with the name of the scene and the hash before the first.
fn n_steps(line: &str) -> usize {
    line.split(' ').count().saturating_sub(2)
}

/// A program, and what it prints on its standard output.
fn start(command: &mut Command) -> Result<(Child, BufReader<ChildStdout>), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let child = command.stdout(Stdio::piped()).spawn();
    let mut child = child.map_err(|error| format!("{name} did not start ({error})"))?;
    let lines = child.stdout.take();
    let lines = lines.ok_or_else(|| format!("{name} prints nothing"))?;
    Ok((child, BufReader::new(lines)))
}

fn end(name: &str, mut child: Child) -> Result<(), String> {
    let status = child.wait().map_err(|error| error.to_string())?;
    match status.success() {
        true => Ok(()),
        false => Err(format!("{name}: {status}")),
    }
}

/// Counts scenes and steps; an error names the scenes that differ.
fn compare(native: &str, browser: &str) -> Result<String, String> {
    let mut others = browser.lines();
    let mut differing = String::new();
    for line in native.lines() {
        let other = others.next().unwrap_or_default();
        let name = line.split(' ').next().unwrap_or_default();
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
    let steps = || native.lines().map(n_steps);
    match steps().min() {
        None => Err("no scene was stepped".to_owned()),
        Some(fewest) => Ok(format!(
            "{} scenes, {} steps in all, {fewest} or more of each",
            steps().count(),
            steps().sum::<usize>()
        )),
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
        let found = compare("x a b\ny a b c", "x a b\ny a b c").unwrap();
        assert_eq!(found, "2 scenes, 3 steps in all, 1 or more of each");
        let message = compare("x a b\ny a b", "x a b\ny a c").unwrap_err();
        assert!(message.ends_with("\n  y: from step 1 on"), "{message}");
        assert!(compare("x a b\ny a b", "x a b").is_err());
        assert!(compare("x a b", "x a b\ny a b").is_err());
        assert!(compare("", "").is_err());
    }

    #[test]
    fn steps_may_be_asked_for_and_are_taken_however_long_they_are() {
        let asked = arguments(Some("20".to_owned())).unwrap();
        assert_eq!((asked[0].as_str(), asked[2].as_str()), ("20", "20"));
        assert_eq!(arguments(None).unwrap(), [STEPS, SECONDS, FEWEST]);
        assert!(arguments(Some("many".to_owned())).is_err());
    }

    #[test]
    fn the_other_side_takes_as_many_steps() {
        assert_eq!(request("chain a b c"), "chain 2");
        assert_eq!(request("chain It_is_open"), "chain 0");
    }
}
