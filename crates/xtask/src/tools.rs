//! Programs this one starts, and where the repository is.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The cargo that runs this program.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")))
}

/// Whether a command starts and ends well; what it prints is dropped.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Says what is run, and runs it to its end.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    println!("      {}", line(command));
    let status = command.status();
    let status = status.map_err(|error| format!("{name} did not start ({error})"))?;
    match status.success() {
        true => Ok(()),
        false => Err(format!("{name} failed: {status}")),
    }
}

/// A command as one would type it, from the root of the repository.
fn line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem();
    let words = program.into_iter().chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    let line = words.join(" ");
    let folder = command.get_current_dir().and_then(Path::file_name);
    match folder {
        Some(folder) if folder == "web" => format!("cd web && {line}"),
        _ => line,
    }
}

/// The root of the repository, two folders above this package.
pub(crate) fn root() -> Result<PathBuf, String> {
    let package = std::env::var_os("CARGO_MANIFEST_DIR")
        .ok_or("run this through cargo: `cargo ci` or `cargo xtask ci`")?;
    let root = Path::new(&package).ancestors().nth(2);
    root.map(Path::to_owned)
        .ok_or_else(|| "the package does not lie in crates/xtask".to_owned())
}

/// What went wrong with a file.
pub(crate) fn at(path: &Path) -> impl Fn(std::io::Error) -> String + '_ {
    move |error| format!("{}: {error}", path.display())
}

/// Where cargo puts what it builds.
pub(crate) fn target() -> Result<PathBuf, String> {
    let root = root()?;
    let own = std::env::var_os("CARGO_TARGET_DIR");
    Ok(own.map_or_else(|| root.join("target"), |own| root.join(own)))
}

/// Says that the page, programs and examples are built already.
pub(crate) const BUILT: &str = "LINKWORK_BUILT";

pub(crate) fn is_built() -> bool {
    std::env::var_os(BUILT).is_some()
}

/// Builds the command line and all examples, unless [`BUILT`] says that they are. With all packages and
/// examples, crates have the features that they have in tests, and are not compiled again.
pub(crate) fn build() -> Result<(), String> {
    if is_built() {
        return Ok(());
    }
    let mut command = cargo();
    command
        .args(["build", "--quiet", "--workspace", "--exclude", "xtask"])
        .args(["--bin", "linkwork", "--examples"])
        .current_dir(root()?);
    run(&mut command)
}

/// A program of the development profile, by its path there without an extension.
pub(crate) fn built(path: &str) -> Result<PathBuf, String> {
    let name = format!("{path}{}", std::env::consts::EXE_SUFFIX);
    Ok(target()?.join("debug").join(name))
}
