//! The engine for browsers: WebAssembly, and the JavaScript that loads it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use wasm_bindgen_cli_support::Bindgen;

use crate::setup::{TARGET, ensure_target};
use crate::tools::{at, cargo, root, run, target};
use crate::trim::{pack, trim};

/// The crates that become modules, by the names wasm-bindgen gives their files, and what each may be, packed as servers
/// send it. People wait for the engine before they see anything, and for the importer when they drop a robot.
const MODULES: [(&str, usize); 2] = [
    ("linkwork_wasm", 1_282_000),
    ("linkwork_import_wasm", 953_000),
];

/// What the compiler need not do: it makes the module larger, and steps no faster.
const LEAVE_OUT: [&str; 4] = [
    // Kernels say themselves what is inlined: all else is 39 kB packed.
    "-Cllvm-args=-inline-threshold=5",
    // Loops of unknown length run a few times, over the rows of a joint: copies of their bodies are 14 kB.
    "-Cllvm-args=-unroll-runtime=false",
    // Addresses that are carried from one turn of a loop to the next, instead of being computed: 9 kB.
    "-Cllvm-args=-disable-lsr",
    // Copies of what is computed on one of several ways to a place: 1 kB.
    "-Cllvm-args=-enable-pre=false",
];

/// Builds `web/src/wasm`, and says how large it is. Files that are as they were are not touched, so
/// that the page is not built again for them.
pub(crate) fn build() -> Result<(), String> {
    let root = root()?;
    ensure_target()?;
    let mut command = cargo();
    command
        .arg("build")
        .args(MODULES.map(|(name, _)| format!("--package={}", name.replace('_', "-"))))
        .args(["--profile", "wasm", "--target", TARGET])
        .current_dir(&root)
        // Flags of the host must not leak in. Vectors of two numbers (simd128) make the module larger and
        // the engine no faster: its matrices are small.
        .env_remove("RUSTFLAGS")
        .env("CARGO_ENCODED_RUSTFLAGS", flags(&root));
    run(&mut command)?;
    let target = target()?;
    let fresh = target.join("web");
    for (name, _) in MODULES {
        let module = target.join(TARGET).join(format!("wasm/{name}.wasm"));
        bind(&module, name, &fresh)?;
    }
    replace(&fresh, &root.join("web/src/wasm"))?;
    for (name, _) in MODULES {
        let (bytes, packed) = size(&root, name)?;
        println!("{name}: {bytes} bytes, {packed} gzipped");
    }
    Ok(())
}

/// The flags of the compiler. Folders of this machine are cut from the paths that the module has for messages:
/// it is the same wherever it is built, and smaller.
fn flags(root: &Path) -> String {
    let mut flags = LEAVE_OUT.map(str::to_owned).to_vec();
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    for folder in [Some(root.to_owned()), home].into_iter().flatten() {
        flags.push(format!("--remap-path-prefix={}/=", folder.display()));
    }
    flags.join("\x1f")
}

/// Refuses a module that has grown too large.
pub(crate) fn check_size() -> Result<(), String> {
    for (name, most) in MODULES {
        let (_, packed) = size(&root()?, name)?;
        if packed > most {
            return Err(format!(
                "{name} has {packed} bytes gzipped, more than the {most} of \
                 crates/xtask/src/wasm.rs; find out what it has that it need not have"
            ));
        }
        println!("{name}: {packed} bytes gzipped, {most} are allowed");
    }
    Ok(())
}

/// Writes the JavaScript of a module, and the module without what it has for messages that nobody reads.
fn bind(module: &Path, name: &str, folder: &Path) -> Result<(), String> {
    let fault = |error| format!("wasm-bindgen: {error:#}");
    let mut bindgen = Bindgen::new();
    let output = bindgen
        .input_path(module)
        .web(true)
        // Else the bundler does not see the module.
        .map(|bindgen| bindgen.omit_default_module_path(false).typescript(true))
        .and_then(|bindgen| bindgen.remove_producers_section(true).generate_output());
    let mut output = output.map_err(fault)?;
    trim(output.wasm_mut());
    output.emit(folder).map_err(fault)?;
    let module = folder.join(format!("{name}_bg.wasm"));
    let bytes = fs::read(&module).map_err(at(&module))?;
    fs::write(&module, pack(&bytes)?).map_err(at(&module))
}

/// Puts the files of one folder into another, where they differ.
fn replace(from: &Path, to: &Path) -> Result<(), String> {
    fs::create_dir_all(to).map_err(at(to))?;
    for entry in fs::read_dir(from).map_err(at(from))? {
        let entry = entry.map_err(at(from))?;
        let target = to.join(entry.file_name());
        let bytes = fs::read(entry.path()).map_err(at(from))?;
        if !fs::read(&target).is_ok_and(|old| old == bytes) {
            fs::write(&target, bytes).map_err(at(&target))?;
        }
    }
    Ok(())
}

/// Bytes of a module that was built last, and of the same packed.
fn size(root: &Path, name: &str) -> Result<(usize, usize), String> {
    let module = root.join(format!("web/src/wasm/{name}_bg.wasm"));
    let bytes = fs::read(&module).map_err(at(&module))?;
    let mut zip = GzEncoder::new(Vec::new(), Compression::best());
    let packed = zip.write_all(&bytes).and_then(|()| zip.finish());
    Ok((bytes.len(), packed.map_err(at(&module))?.len()))
}
