//! Paths named in the documents exist.

use crate::source::{engine, read, root};
use crate::tags::papers;

/// Documents whose paths are checked.
const DOCUMENTS: [&str; 4] = [
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "README.md",
    "docs/notation.md",
];

/// What stands between single backticks, outside fenced blocks.
pub(crate) fn quoted(text: &str) -> Vec<String> {
    let mut quoted = vec![];
    let mut fenced = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            quoted.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
        }
    }
    quoted
}

/// Whether a quoted text means a file or folder of this repository.
pub(crate) fn looks_like_path(text: &str) -> bool {
    const ENDINGS: [&str; 8] = [".rs", ".md", ".toml", ".cff", ".json", ".csv", "/", "/run"];
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    // Files of the page are often called by their names alone.
    let of_page = text.ends_with(".ts") && text.contains('/');
    let named = of_page
        || ENDINGS.iter().any(|ending| text.ends_with(ending))
        || text.starts_with("LICENSE-");
    named && text.len() > 1 && text.chars().all(plain) && text.contains(char::is_alphabetic)
}

/// Whether a path exists, seen from the repository or from the engine's crate.
pub(crate) fn exists(path: &str) -> bool {
    root().join(path).exists() || engine().join(path).exists()
}

#[test]
fn paths_in_the_documents_exist() {
    let mut missing = vec![];
    for document in DOCUMENTS {
        for path in quoted(&read(document)) {
            if looks_like_path(&path) && !exists(&path) {
                missing.push(format!("{document}: `{path}` does not exist"));
            }
        }
    }
    for row in papers().iter().flat_map(|paper| &paper.rows) {
        for path in row
            .files
            .iter()
            .filter(|path| row.implemented() && !exists(path))
        {
            missing.push(format!(
                "docs/papers.md: {}: `{path}` does not exist",
                row.place
            ));
        }
    }
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
}

#[test]
fn every_decision_is_in_the_architecture() {
    let architecture = read("ARCHITECTURE.md");
    for entry in root().join("docs/adr").read_dir().unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(
            architecture.contains(&format!("`docs/adr/{name}`")),
            "ARCHITECTURE.md does not list docs/adr/{name}"
        );
    }
}

#[test]
fn paths_are_told_from_other_quotations() {
    for path in [
        "src/body/mod.rs",
        "docs/adr/",
        "README.md",
        "LICENSE-MIT",
        ".ci/run",
    ] {
        assert!(looks_like_path(path), "{path}");
    }
    for other in [
        "cargo ci",
        "world",
        "/",
        "src/<name>.rs",
        "a::b",
        "+Jᵀλ",
        "c / d",
        "1.0/2.0",
    ] {
        assert!(!looks_like_path(other), "{other}");
    }
}
