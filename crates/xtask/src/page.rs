//! The page of the lab: WebAssembly, packages, everything bundled into `crates/linkwork-cli/page`, and the licenses of
//! what others made of it.

use std::fs;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use crate::licenses;
use crate::setup::{ensure_node, npm};
use crate::tools::{at, root, run};
use crate::wasm;

/// Where `web/vite.config.ts` puts the page: in the crate whose program and package have it.
const PAGE: &str = "crates/linkwork-cli/page";

/// What the page is made of, from `web/`.
const SOURCES: [&str; 7] = [
    "src",
    "index.html",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "vite.config.ts",
    "../crates/linkwork-scene/scenes",
];

/// Builds the page, where something it is made of has changed.
pub(crate) fn build() -> Result<(), String> {
    wasm::build()?;
    let root = root()?;
    let web = root.join("web");
    install(&web)?;
    let page = root.join(PAGE);
    let built = fs::metadata(page.join("index.html")).and_then(|built| built.modified());
    let mut changed = SystemTime::UNIX_EPOCH;
    for source in SOURCES {
        let source = web.join(source);
        changed = changed.max(newest(&source).map_err(at(&source))?);
    }
    if !built.is_ok_and(|built| built > changed) {
        run(npm().args(["run", "--silent", "build"]).current_dir(&web))?;
    }
    licenses::write(&page)
}

/// `npm ci`, if the lock file is not the one it was done for.
pub(crate) fn install(web: &Path) -> Result<(), String> {
    ensure_node()?;
    let lock = web.join("package-lock.json");
    let stamp = web.join("node_modules/.lock-of-this-install");
    let wanted = fs::read(&lock).map_err(at(&lock))?;
    if fs::read(&stamp).is_ok_and(|done| done == wanted) {
        return Ok(());
    }
    let mut install = npm();
    install
        .args(["ci", "--no-audit", "--no-fund"])
        .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
        .current_dir(web);
    run(&mut install)?;
    fs::write(&stamp, wanted).map_err(at(&stamp))
}

/// When a file, or anything in a folder, changed last. A folder changes when a file leaves it.
fn newest(path: &Path) -> io::Result<SystemTime> {
    let about = fs::metadata(path)?;
    let mut newest_yet = about.modified()?;
    if about.is_dir() {
        for entry in fs::read_dir(path)? {
            newest_yet = newest_yet.max(newest(&entry?.path())?);
        }
    }
    Ok(newest_yet)
}
