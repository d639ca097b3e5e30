//! The tests of the lab: its parts under node, and the whole in a browser.

use crate::page;
use crate::setup::{ensure_chromium, npm};
use crate::tools::{root, run};

/// Builds the lab and tests it.
pub(crate) fn run_all() -> Result<(), String> {
    ensure_chromium()?;
    page::build()?;
    let web = root()?.join("web");
    for script in ["check", "test", "e2e"] {
        run(npm().args(["run", "--silent", script]).current_dir(&web))?;
    }
    Ok(())
}
