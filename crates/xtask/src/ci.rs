//! Every check a change must pass, in order; stops at the first that fails.

use std::path::Path;
use std::time::Instant;

use crate::setup::ensure_component;
use crate::tools::{cannot_start, cargo, root};

/// One check: a cargo command.
#[derive(Clone, Debug)]
struct Step {
    name: String,
    arguments: Vec<String>,
    /// Set for this step only.
    environment: Option<(&'static str, &'static str)>,
    /// The component `rustup` would have to add for this step.
    component: Option<&'static str>,
    /// Whether what the command prints is shown only when it fails.
    silent: bool,
}

impl Step {
    fn new(name: &str, arguments: &[&str]) -> Self {
        Self {
            name: name.to_owned(),
            arguments: arguments.iter().map(|&a| a.to_owned()).collect(),
            environment: None,
            component: None,
            silent: false,
        }
    }

    /// The command line that repeats this step by hand.
    fn command_line(&self) -> String {
        let command = format!("cargo {}", self.arguments.join(" "));
        match self.environment {
            Some((name, value)) => format!("{name}=\"{value}\" {command}"),
            None => command,
        }
    }
}

/// Runs all checks.
pub(crate) fn run() -> Result<(), String> {
    let root = root()?;
    let examples = examples(&root.join("crates/linkwork/examples"))?;
    let steps = steps(&examples);
    let start = Instant::now();
    for (index, step) in steps.iter().enumerate() {
        println!(
            "[{}/{}] {}: {}",
            index + 1,
            steps.len(),
            step.name,
            step.command_line()
        );
        let step_start = Instant::now();
        perform(step, &root).map_err(|cause| {
            format!(
                "{} failed: {cause}\nrepeat it with: {}",
                step.name,
                step.command_line()
            )
        })?;
        println!("      {:.1} s", step_start.elapsed().as_secs_f64());
    }
    println!("total {:.1} s", start.elapsed().as_secs_f64());
    println!("all checks passed");
    Ok(())
}

/// The checks, cheapest first; but the tests want the page, which is in the program they test.
fn steps(examples: &[String]) -> Vec<Step> {
    let mut steps = vec![
        Step {
            component: Some("rustfmt"),
            ..Step::new("format", &["fmt", "--all", "--check"])
        },
        Step {
            component: Some("clippy"),
            ..Step::new(
                "lint",
                &[
                    "clippy",
                    "--quiet",
                    "--workspace",
                    "--all-targets",
                    "--",
                    "-D",
                    "warnings",
                ],
            )
        },
        Step::new("page of the lab", &["xtask", "page"]),
        Step::new("size of the module", &["xtask", "wasm-size"]),
        Step::new("test", &["test", "--quiet", "--workspace"]),
        Step::new(
            "examples",
            &["build", "--quiet", "--workspace", "--examples"],
        ),
    ];
    for example in examples {
        let arguments = ["run", "--quiet", "--package", "linkwork", "--example"];
        let mut step = Step::new(&format!("example {example}"), &arguments);
        step.arguments.push(example.clone());
        step.silent = true;
        steps.push(step);
    }
    steps.push(Step {
        environment: Some(("RUSTDOCFLAGS", "-D warnings")),
        ..Step::new("doc", &["doc", "--quiet", "--workspace", "--no-deps"])
    });
    steps.push(Step::new("same bits in browsers", &["xtask", "same-bits"]));
    steps.push(Step::new("lab in a browser", &["xtask", "web-test"]));
    steps
}

fn perform(step: &Step, root: &Path) -> Result<(), String> {
    if let Some(component) = step.component {
        ensure_component(component, &step.arguments[0])?;
    }
    let mut command = cargo();
    command.args(&step.arguments).current_dir(root);
    if let Some((name, value)) = step.environment {
        command.env(name, value);
    }
    if step.silent {
        let output = command.output().map_err(cannot_start)?;
        if !output.status.success() {
            print!("{}", String::from_utf8_lossy(&output.stdout));
            eprint!("{}", String::from_utf8_lossy(&output.stderr));
            return Err(output.status.to_string());
        }
        return Ok(());
    }
    let status = command.status().map_err(cannot_start)?;
    if status.success() {
        Ok(())
    } else {
        Err(status.to_string())
    }
}

/// Names of the examples in a folder, sorted; none if there is no such folder.
fn examples(folder: &Path) -> Result<Vec<String>, String> {
    if !folder.exists() {
        return Ok(vec![]);
    }
    let unreadable = |error| format!("cannot read {}: {error}", folder.display());
    let mut names = vec![];
    for entry in folder.read_dir().map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "rs")
            && let Some(name) = path.file_stem().and_then(|stem| stem.to_str())
        {
            names.push(name.to_owned());
        }
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_to_repeat_is_the_one_that_runs() {
        let steps = steps(&["four_bar".to_owned()]);
        let lines: Vec<_> = steps.iter().map(Step::command_line).collect();
        assert_eq!(
            lines,
            [
                "cargo fmt --all --check",
                "cargo clippy --quiet --workspace --all-targets -- -D warnings",
                "cargo xtask page",
                "cargo xtask wasm-size",
                "cargo test --quiet --workspace",
                "cargo build --quiet --workspace --examples",
                "cargo run --quiet --package linkwork --example four_bar",
                "RUSTDOCFLAGS=\"-D warnings\" cargo doc --quiet --workspace --no-deps",
                "cargo xtask same-bits",
                "cargo xtask web-test",
            ]
        );
    }
}
