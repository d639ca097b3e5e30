//! What commands write: texts on the standard output, and files that appear whole or not at all.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use clap::ValueEnum;
use linkwork_scene::export::WholeFile;
use serde::Serialize;

use crate::failure::Failure;
use crate::inputs::{self, one_path};
use crate::numbers::escaped;

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Text, on standard error.
    Text,
    /// One JSON object, on standard output.
    Json,
}

/// Writes to the standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    fill(begin("-")?, text)
}

/// Writes words for people to the standard error. Where that is closed or full nobody reads them:
/// no reason to end otherwise.
pub(crate) fn say(words: impl fmt::Display) {
    let words = words.to_string();
    let lines: Vec<String> = words.lines().map(escaped).collect();
    let _ = writeln!(io::stderr().lock(), "{}", lines.join("\n"));
}

/// Writes one JSON object, over several lines, to the standard output.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(io::Error::from)?;
    print(&(text + "\n"))
}

/// Begins a file; `-` is the standard output. What is there stays until [`WholeFile::finish`]. Files that
/// were read are refused.
pub(crate) fn begin(path: &str) -> Result<WholeFile, Failure> {
    inputs::spare(path, false)?;
    Ok(WholeFile::create(path)?)
}

/// Begins a file for what became of the scene, which may be the file of the scene.
pub(crate) fn begin_scene(path: &str) -> Result<WholeFile, Failure> {
    inputs::spare(path, true)?;
    Ok(WholeFile::create(path)?)
}

/// Writes a text to a file that was begun, and puts it in place.
pub(crate) fn fill(mut file: WholeFile, text: &str) -> Result<(), Failure> {
    file.write_all(text.as_bytes())?;
    Ok(file.finish()?)
}

/// Writes a whole file.
pub(crate) fn write(path: &str, text: &str) -> Result<(), Failure> {
    fill(begin(path)?, text)
}

/// Refuses two outputs of one name: the second would replace the first, or both would mix.
pub(crate) fn check_distinct(outputs: &[(&str, Option<&str>)]) -> Result<(), Failure> {
    let given = outputs
        .iter()
        .filter_map(|(option, path)| path.map(|path| (option, path)));
    let given: Vec<_> = given.collect();
    let place = |path: &str| one_path(Path::new(path));
    for (at, (option, path)) in given.iter().enumerate() {
        let is_same = |own: &str| (own == "-") == (*path == "-") && place(own) == place(path);
        if let Some((other, _)) = given[..at].iter().find(|(_, own)| is_same(own)) {
            let place = match *path {
                "-" => "standard output",
                path => path,
            };
            let problem = format!("{other} and {option} both write to {place}");
            return Err(Failure::usage(problem).hint("give one of them another file"));
        }
    }
    Ok(())
}
