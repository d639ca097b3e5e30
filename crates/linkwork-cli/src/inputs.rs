//! Files that the command has read. No output may take their place, but for a scene that is written over
//! itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::failure::Failure;

/// What a file was read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// The scene, which some commands change in place.
    Scene,
    /// Anything else: a table or picture beside the scene, a log, a model, data.
    Other,
}

/// One program does one command: what it has read is known to all of it.
static READ: Mutex<Vec<(PathBuf, Input)>> = Mutex::new(Vec::new());

fn all() -> MutexGuard<'static, Vec<(PathBuf, Input)>> {
    READ.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Remembers that a file is read. Pipes and devices are no files that an output could replace.
pub(crate) fn remember(path: &Path, what: Input) {
    if path.is_file() {
        all().push((one_path(path), what));
    }
}

/// Refuses an output that would take the place of a file that was read.
pub(crate) fn spare(output: &str, is_scene: bool) -> Result<(), Failure> {
    let path = one_path(Path::new(output));
    let is_taken =
        |(own, what): &(PathBuf, Input)| *own == path && !(is_scene && *what == Input::Scene);
    match output != "-" && all().iter().any(is_taken) {
        true => {
            let problem = format!("{output}: would be overwritten, but it is read too");
            Err(Failure::usage(problem).hint("give the output another name"))
        }
        false => Ok(()),
    }
}

/// The same for all names of a file, whether it exists or will: without links and dots.
pub(crate) fn one_path(path: &Path) -> PathBuf {
    let by_folder = || {
        let folder = match path.parent()? {
            folder if folder.as_os_str().is_empty() => Path::new("."),
            folder => folder,
        };
        Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
    };
    let present = fs::canonicalize(path).ok();
    present
        .or_else(by_folder)
        .unwrap_or_else(|| path.to_owned())
}
