//! What the README of the repository and that of the engine both have.

use crate::source::read;

/// The first block of Rust in a document.
fn example(document: &str) -> String {
    let text = read(document);
    let (_, rest) = text.split_once("```rust\n").unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

/// The engine's is compiled and run as a test in documents; a package has no other.
#[test]
fn the_ten_lines_are_those_that_are_tested() {
    assert_eq!(example("README.md"), example("crates/linkwork/README.md"));
}
