//! The tests of the lab: its parts under node, and the whole in a browser.

use crate::page;
use crate::setup::{ensure_chromium, npm};
use crate::tools::{build, built, is_built, root, run};

/// Builds the lab and tests its parts, then the whole.
pub(crate) fn run_all() -> Result<(), String> {
    page::build()?;
    let web = root()?.join("web");
    for script in ["check", "test"] {
        run(npm().args(["run", "--silent", script]).current_dir(&web))?;
    }
    run_in_browser(Part::All)
}

/// Tests of the whole that are run together.
pub(crate) enum Part {
    All,
    /// Those that count pictures until something is seen: other work on the machine makes them fail.
    Speed,
    Rest,
}

/// Tests the whole in a browser.
pub(crate) fn run_in_browser(part: Part) -> Result<(), String> {
    ensure_chromium()?;
    if !is_built() {
        page::build()?;
        build()?;
    }
    let mut test = npm();
    test.args(["run", "--silent", "e2e"])
        .env("LINKWORK_CLI", built("linkwork")?)
        .current_dir(root()?.join("web"));
    match part {
        Part::All => {}
        Part::Speed => drop(test.args(["--", "speed"])),
        Part::Rest => drop(test.env("LINKWORK_E2E_WITHOUT", "speed")),
    }
    run(&mut test)
}
