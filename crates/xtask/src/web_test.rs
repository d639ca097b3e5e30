//! The tests of the lab: its parts under node, and the whole in a browser.

use crate::lab;
use crate::tools::{root, run};

/// Builds the lab and tests it. Needs node, and Chromium at `/usr/bin/chromium` or where
/// `LINKWORK_CHROMIUM` says.
pub(crate) fn run_all() -> Result<(), String> {
    lab::build()?;
    let web = root()?.join("web");
    run(lab::npm()
        .args(["run", "--silent", "test"])
        .current_dir(&web))?;
    run(lab::npm()
        .args(["run", "--silent", "e2e"])
        .current_dir(&web))
}
