//! A function named as a question changes nothing.

use crate::source::{line, root, sources_of};

/// How the names of questions begin.
const QUESTIONS: [&str; 8] = [
    "is_", "are_", "has_", "can_", "may_", "was_", "needs_", "exceeds_",
];

/// Offsets and names of all functions of `code` that are named as a question and take something they can change.
fn changing(code: &str) -> Vec<(usize, &str)> {
    let mut found = vec![];
    for (at, _) in code.match_indices("fn ") {
        let rest = &code[at + "fn ".len()..];
        let name = rest.split(['(', '<']).next().unwrap_or_default();
        let is_question = QUESTIONS.iter().any(|own| name.starts_with(own));
        let head = rest.split(['{', ';']).next().unwrap_or_default();
        if is_question && head.contains("&mut ") {
            found.push((at, name));
        }
    }
    found
}

#[test]
fn questions_change_nothing() {
    let mut wrong = vec![];
    for entry in root().join("crates").read_dir().unwrap() {
        let folder = entry.unwrap().file_name().into_string().unwrap();
        for source in sources_of(&folder) {
            let code = source.code();
            for (at, name) in changing(&code) {
                wrong.push(format!(
                    "{folder}/src/{}:{}: {name}",
                    source.path,
                    line(&code, at)
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "name what these do:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn questions_that_change_something_are_found() {
    let names = |code| -> Vec<&str> { changing(code).into_iter().map(|(_, name)| name).collect() };
    let code = "fn is_a(&self) -> bool { b(&mut c) }\nfn is_d<'a>(&mut self) -> bool {}\nfn find(&mut self);\n\
                fn are_e(\n    frame: &mut Frame<'_, '_>,\n) -> bool {}";
    assert_eq!(names(code), ["is_d", "are_e"]);
}
