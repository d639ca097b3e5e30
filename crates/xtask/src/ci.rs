//! Every check a change must pass, in two lanes: Rust and the browser.
//!
//! The module for browsers is built by itself (another profile, another folder), so the lints of Rust run
//! beside it. The page is in the program that the tests start: the tests are built after it.
//!
//! Nothing is compiled twice in the development profile. A build of one package alone chooses other features
//! of the same crates than a build of all, and compiles them again; so all is built at once, but for this
//! program, which is alone when `cargo ci` starts it. What is packed is checked with what the lints left, but for
//! the few crates that have fewer features there.

use crate::lanes::{self, Lane, Program, Step};
use crate::setup::has_nextest;
use crate::tools::root;

/// Runs all checks.
pub(crate) fn run() -> Result<(), String> {
    let root = root()?;
    let has_nextest = has_nextest();
    if !has_nextest {
        println!(
            "cargo-nextest is not installed: tests run with `cargo test`, which is slower \
             (cargo install cargo-nextest --locked)"
        );
    }
    lanes::run(&[rust(has_nextest), browser()], &root)?;
    println!("all checks passed");
    Ok(())
}

fn cargo(name: &'static str, arguments: &[&'static str]) -> Step {
    Step::new(name, Program::Cargo, arguments)
}

fn xtask(name: &'static str, arguments: &[&'static str]) -> Step {
    Step::new(name, Program::Xtask, arguments)
}

/// What needs only Rust, cheapest first.
fn rust(has_nextest: bool) -> Lane {
    // The baseline of the bench is checked here, and compiled nowhere: it takes longer than the engine.
    let lint =
        "clippy --quiet --workspace --all-targets --features linkwork-bench/faer -- -D warnings";
    let test = match has_nextest {
        // Tests that take long are named; of the others only failures are.
        true => {
            "nextest run --workspace --exclude xtask --cargo-quiet --show-progress none \
             --status-level slow --final-status-level fail"
        }
        false => "test --quiet --workspace --exclude xtask --lib --bins --tests",
    };
    Lane {
        name: "rust",
        steps: vec![
            Step {
                component: Some("rustfmt"),
                ..cargo("format", &["fmt", "--all", "--check"])
            },
            xtask("licenses", &["licenses"]),
            Step {
                component: Some("clippy"),
                ..cargo("lint", &words(lint))
            },
            Step {
                after: Some(PAGE),
                // The program, which the browser's lane waits for: its tests want it with the features of all. (Built
                // by itself it has others, and is compiled again.)
                ..cargo(
                    PROGRAM,
                    &words("test --quiet --workspace --exclude xtask --no-run --test command_line"),
                )
            },
            Step {
                // Programs, examples and tests: whatever else is run below.
                ..cargo(
                    BUILD,
                    &words("test --quiet --workspace --exclude xtask --no-run"),
                )
            },
            cargo("tests", &words(test)),
            cargo("tests of xtask", &words("test --quiet --package xtask")),
            built(xtask("packages", &["package"])),
            cargo(
                "tests in documents",
                &words("test --quiet --workspace --exclude xtask --doc"),
            ),
            built(xtask("examples", &["examples"])),
            Step {
                environment: Some(("RUSTDOCFLAGS", "-D warnings")),
                ..cargo(DOCUMENTS, &["doc", "--quiet", "--workspace", "--no-deps"])
            },
        ],
    }
}

/// Steps that others wait for.
const PAGE: &str = "page of the lab";
const PROGRAM: &str = "program";
const BUILD: &str = "build";
const DOCUMENTS: &str = "documents";

/// What needs WebAssembly, node or a browser.
fn browser() -> Lane {
    let mut steps = vec![
        xtask(PAGE, &["page"]),
        xtask("size of the module", &["wasm-size"]),
    ];
    let check = ["run", "--silent", "check"];
    steps.push(Step::new("lint of the page", Program::Npm, &check));
    let unit = ["run", "--silent", "test"];
    steps.push(Step::new("parts of the lab", Program::Npm, &unit));
    steps.push(Step {
        after: Some(PROGRAM),
        ..built(xtask("lab in a browser", &["web-test", "rest"]))
    });
    steps.push(Step {
        after: Some(BUILD),
        ..built(xtask("same bits in browsers", &["same-bits"]))
    });
    steps.push(Step {
        // Alone on the machine.
        after: Some(DOCUMENTS),
        ..built(xtask("speed of the lab", &["web-test", "speed"]))
    });
    Lane {
        name: "browser",
        steps,
    }
}

/// A step that need not ask cargo whether everything is built: it was, and cargo would wait for the other
/// lane.
fn built(step: Step) -> Step {
    Step {
        environment: Some((crate::tools::BUILT, "1")),
        ..step
    }
}

fn words(line: &'static str) -> Vec<&'static str> {
    line.split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(lane: &Lane) -> Vec<String> {
        lane.steps.iter().map(Step::command_line).collect()
    }

    #[test]
    fn the_command_to_repeat_is_the_one_that_runs() {
        assert_eq!(
            lines(&rust(false)),
            [
                "cargo fmt --all --check",
                "cargo xtask licenses",
                "cargo clippy --quiet --workspace --all-targets --features linkwork-bench/faer -- -D warnings",
                "cargo test --quiet --workspace --exclude xtask --no-run --test command_line",
                "cargo test --quiet --workspace --exclude xtask --no-run",
                "cargo test --quiet --workspace --exclude xtask --lib --bins --tests",
                "cargo test --quiet --package xtask",
                "LINKWORK_BUILT=\"1\" cargo xtask package",
                "cargo test --quiet --workspace --exclude xtask --doc",
                "LINKWORK_BUILT=\"1\" cargo xtask examples",
                "RUSTDOCFLAGS=\"-D warnings\" cargo doc --quiet --workspace --no-deps",
            ]
        );
        assert!(lines(&rust(true))[5].starts_with("cargo nextest run --workspace"));
    }

    #[test]
    fn the_lane_of_the_browser_lints_the_page() {
        assert_eq!(
            lines(&browser()),
            [
                "cargo xtask page",
                "cargo xtask wasm-size",
                "cd web && npm run --silent check",
                "cd web && npm run --silent test",
                "LINKWORK_BUILT=\"1\" cargo xtask web-test rest",
                "LINKWORK_BUILT=\"1\" cargo xtask same-bits",
                "LINKWORK_BUILT=\"1\" cargo xtask web-test speed",
            ]
        );
    }

    #[test]
    fn what_is_waited_for_is_a_step() {
        let lanes = [rust(true), browser()];
        let steps: Vec<_> = lanes.iter().flat_map(|lane| &lane.steps).collect();
        for after in steps.iter().filter_map(|step| step.after) {
            assert!(steps.iter().any(|step| step.name == after), "{after}");
        }
    }
}
