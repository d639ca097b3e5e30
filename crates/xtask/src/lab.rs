//! `cargo lab`: builds the page, then the command line with the page in it, and opens the lab.

use crate::page;
use crate::tools::{cargo, root, run};

/// Arguments are those of `linkwork lab`.
pub(crate) fn open(arguments: &[&str]) -> Result<(), String> {
    page::build()?;
    let mut command = cargo();
    command
        .args(["run", "--quiet", "--package", "linkwork-cli"])
        .arg("--manifest-path")
        .arg(root()?.join("Cargo.toml"))
        .args(["--", "lab"])
        .args(arguments);
    run(&mut command)
}
