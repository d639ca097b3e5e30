//! What the commands need besides Rust: found, installed where that is possible, or asked for by name.

use std::env;
use std::path::Path;
use std::process::Command;

use crate::tools::{cargo, run, succeeds};

/// What browsers run.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// The oldest node that builds the page.
const NODE: (u32, u32) = (20, 19);

/// Where Debian has Chromium; `web/playwright.config.ts` looks there too.
const CHROMIUM: &str = "/usr/bin/chromium";

/// A component of Rust, such as `clippy`, behind a subcommand of cargo.
pub(crate) fn ensure_component(component: &str, subcommand: &str) -> Result<(), String> {
    let is_there = || succeeds(cargo().args([subcommand, "--version"]));
    if is_there() || (rustup(&["component", "add", component]) && is_there()) {
        return Ok(());
    }
    Err(format!(
        "{component} is not installed; run `rustup component add {component}`, \
         or install the {component} package of your system"
    ))
}

/// The runner of tests that starts those of all programs side by side. It is not installed when missing: it
/// takes longer to build than it saves, and `cargo test` runs the same tests.
pub(crate) fn has_nextest() -> bool {
    succeeds(cargo().args(["nextest", "--version"]))
}

/// The target of browsers.
pub(crate) fn ensure_target() -> Result<(), String> {
    let is_there = || {
        let library = Command::new("rustc")
            .args(["--print", "target-libdir", "--target", TARGET])
            .output();
        library.is_ok_and(|output| {
            let path = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            !path.is_empty() && Path::new(&path).is_dir()
        })
    };
    if is_there() || (rustup(&["target", "add", TARGET]) && is_there()) {
        return Ok(());
    }
    Err(format!(
        "Rust has no {TARGET} here; run `rustup target add {TARGET}`, \
         or install the package of your system that has it"
    ))
}

/// Node and npm.
pub(crate) fn ensure_node() -> Result<(), String> {
    let (major, minor) = NODE;
    let wanted = format!("the lab needs node {major}.{minor} or newer, with npm");
    let has_npm = || succeeds(npm().arg("--version"));
    if node_version().is_none() || !has_npm() {
        apt_install(&["nodejs", "npm"]);
    }
    match node_version() {
        Some(version) if version < NODE => {
            let (major, minor) = version;
            Err(format!(
                "{wanted}; here is {major}.{minor}, install a newer one"
            ))
        }
        Some(_) if has_npm() => Ok(()),
        _ => Err(format!(
            "{wanted}; install both (Debian 13: apt-get install nodejs npm; others: nodejs.org)"
        )),
    }
}

/// Chromium, at its place in Debian or where `LINKWORK_CHROMIUM` says.
pub(crate) fn ensure_chromium() -> Result<(), String> {
    if let Ok(own) = env::var("LINKWORK_CHROMIUM") {
        return match Path::new(&own).is_file() {
            true => Ok(()),
            false => Err(format!(
                "LINKWORK_CHROMIUM is {own:?}, where there is no file"
            )),
        };
    }
    let is_there = || Path::new(CHROMIUM).is_file();
    if !is_there() {
        apt_install(&["chromium"]);
    }
    match is_there() {
        true => Ok(()),
        false => Err(format!(
            "there is no {CHROMIUM}; install Chromium (Debian: apt-get install chromium), \
             or say where one is with LINKWORK_CHROMIUM"
        )),
    }
}

pub(crate) fn npm() -> Command {
    Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" })
}

/// Major and minor, of `v20.19.2`.
fn node_version() -> Option<(u32, u32)> {
    let output = Command::new("node").arg("--version").output().ok()?;
    version(&String::from_utf8_lossy(&output.stdout))
}

fn version(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.trim().strip_prefix('v')?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

fn rustup(arguments: &[&str]) -> bool {
    run(Command::new("rustup").args(arguments)).is_ok()
}

/// Installs packages where that can be done without asking: as root on Debian. What then is missing
/// is missing still, and is told.
fn apt_install(packages: &[&str]) {
    let user = Command::new("id").arg("-u").output();
    let is_root = user.is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    if !is_root || !Path::new("/etc/debian_version").exists() {
        return;
    }
    let mut install = Command::new("apt-get");
    install
        .args(["install", "--yes", "--no-install-recommends"])
        .args(packages)
        .env("DEBIAN_FRONTEND", "noninteractive");
    let done =
        run(Command::new("apt-get").args(["--quiet", "update"])).and_then(|()| run(&mut install));
    if let Err(problem) = done {
        eprintln!("{problem}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(version("v20.19.2\n"), Some((20, 19)));
        assert!(version("v20.9.0") < Some(NODE) && version("v22.0.0") > Some(NODE));
        assert_eq!(version("node: not found"), None);
    }
}
