//! The engine for browsers: WebAssembly, and the JavaScript that loads it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;
use wasm_bindgen_cli_support::Bindgen;

use crate::tools::{at, cargo, root, run, succeeds};

const TARGET: &str = "wasm32-unknown-unknown";

/// Builds `web/src/wasm`, and says how large it is.
pub(crate) fn build() -> Result<(), String> {
    let root = root()?;
    ensure_target()?;
    let mut command = cargo();
    command
        .args(["build", "--package", "linkwork-wasm"])
        .args(["--profile", "wasm", "--target", TARGET])
        .current_dir(&root)
        // These flags and no others: those of the host must not leak in.
        .env_remove("RUSTFLAGS")
        .env("CARGO_ENCODED_RUSTFLAGS", "-Ctarget-feature=+simd128");
    run(&mut command)?;
    let module = target_folder(&root)
        .join(TARGET)
        .join("wasm/linkwork_wasm.wasm");
    let folder = root.join("web/src/wasm");
    bind(&module, &folder).map_err(|error| format!("wasm-bindgen: {error:#}"))?;
    report(&folder.join("linkwork_wasm_bg.wasm"))
}

fn bind(module: &Path, folder: &Path) -> Result<(), impl std::fmt::Display> {
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(module)
        .web(true)?
        // Else the bundler does not see the module.
        .omit_default_module_path(false)
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(folder)
}

/// Where cargo puts what it builds.
fn target_folder(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |own| root.join(own))
}

fn report(module: &Path) -> Result<(), String> {
    let bytes = fs::read(module).map_err(at(module))?;
    let mut zip = GzEncoder::new(Vec::new(), Compression::best());
    let zipped = zip.write_all(&bytes).and_then(|()| zip.finish());
    let zipped = zipped.map_err(at(module))?.len();
    println!("wasm: {} bytes, {zipped} gzipped", bytes.len());
    Ok(())
}

/// Adds the target with `rustup`, or says what to install.
fn ensure_target() -> Result<(), String> {
    let is_there = || {
        let library = Command::new("rustc")
            .args(["--print", "target-libdir", "--target", TARGET])
            .output();
        library.is_ok_and(|output| {
            let path = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            !path.is_empty() && Path::new(&path).is_dir()
        })
    };
    if is_there() {
        return Ok(());
    }
    println!("{TARGET} is missing; trying `rustup target add {TARGET}`");
    if succeeds(Command::new("rustup").args(["target", "add", TARGET])) && is_there() {
        return Ok(());
    }
    Err(format!(
        "Rust has no {TARGET} here; run `rustup target add {TARGET}`, \
         or install the package of your system that has it"
    ))
}
