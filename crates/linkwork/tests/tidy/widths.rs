//! Comments are at most 120 characters wide, in Rust and in TypeScript.

use std::fs;
use std::path::Path;

use crate::source::root;

const WIDTH: usize = 120;

/// Folders with sources of our own.
const FOLDERS: [&str; 4] = ["crates", "bench/src", "web/src", "web/tests"];

/// What is generated, or fetched.
const FOREIGN: [&str; 5] = ["border.ts", "target", "node_modules", "page", "wasm"];

/// Line numbers of comments that are too wide. A row of a table cannot be broken.
fn wide(text: &str) -> Vec<usize> {
    let is_wide = |line: &str| {
        let comment = line.trim_start();
        let is_comment = ["//", "/*", "* "]
            .iter()
            .any(|mark| comment.starts_with(mark));
        let is_row = comment.trim_start_matches(['/', '!', ' ']).starts_with('|');
        is_comment && !is_row && line.chars().count() > WIDTH
    };
    let lines = text.lines().zip(1..);
    lines
        .filter(|(line, _)| is_wide(line))
        .map(|(_, number)| number)
        .collect()
}

fn visit(path: &Path, wrong: &mut Vec<String>) {
    let name = path.file_name().unwrap().to_string_lossy();
    if FOREIGN.contains(&&*name) {
        return;
    }
    if path.is_dir() {
        for entry in path.read_dir().unwrap() {
            visit(&entry.unwrap().path(), wrong);
        }
    } else if [".rs", ".ts", ".tsx"].iter().any(|end| name.ends_with(end)) {
        let text = fs::read_to_string(path).unwrap();
        wrong.extend(
            wide(&text)
                .iter()
                .map(|line| format!("{}:{line}", path.display())),
        );
    }
}

#[test]
fn comments_are_not_too_wide() {
    let mut wrong = vec![];
    for folder in FOLDERS {
        visit(&root().join(folder), &mut wrong);
    }
    assert!(
        wrong.is_empty(),
        "wrap these at {WIDTH} characters:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn wide_comments_are_found() {
    let long = "word ".repeat(30);
    let text =
        format!("// short\n//! {long}\nlet a = \"{long}\";\n/// | {long} | b |\n  /// {long}");
    assert_eq!(wide(&text), [2, 5]);
}
