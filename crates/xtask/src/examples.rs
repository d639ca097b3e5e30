//! The examples of the engine, run one after the other.

use std::path::Path;
use std::process::Command;

use crate::tools::{at, build, built, root};

/// Builds and runs all; what they print is shown only of one that fails.
pub(crate) fn run() -> Result<(), String> {
    build()?;
    let names = names(&root()?.join("crates/linkwork/examples"))?;
    for name in &names {
        let program = built(&format!("examples/{name}"))?;
        let output = Command::new(&program).output().map_err(at(&program))?;
        if !output.status.success() {
            print!("{}", String::from_utf8_lossy(&output.stdout));
            eprint!("{}", String::from_utf8_lossy(&output.stderr));
            return Err(format!("example {name}: {}", output.status));
        }
    }
    println!("{} examples ran: {}", names.len(), names.join(", "));
    Ok(())
}

/// Names of the examples in a folder, sorted.
fn names(folder: &Path) -> Result<Vec<String>, String> {
    let mut names = vec![];
    for entry in folder.read_dir().map_err(at(folder))? {
        let path = entry.map_err(at(folder))?.path();
        if path.extension().is_some_and(|extension| extension == "rs")
            && let Some(name) = path.file_stem().and_then(|stem| stem.to_str())
        {
            names.push(name.to_owned());
        }
    }
    names.sort();
    Ok(names)
}
