//! What no code of the engine and of formulas may call: see `docs/adr/0009-determinism.md`.

use crate::source::{line, read, root, sources_of, uses, without_comments, words};

/// Words that stand for an unordered collection, output, or a debugging aid.
const WORDS: [&str; 8] = [
    "HashMap", "HashSet", "println", "print", "eprintln", "eprint", "dbg", "unsafe",
];

/// Modules of the standard library that reach outside the engine.
const STD_MODULES: [&str; 7] = ["time", "thread", "fs", "io", "net", "env", "process"];

/// Methods of `f64` whose last bits depend on the platform. Use `libm`, or plain products.
const FLOAT_METHODS: [&str; 27] = [
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sin_cos", "sinh", "cosh", "tanh",
    "asinh", "acosh", "atanh", "exp", "exp2", "exp_m1", "ln", "ln_1p", "log", "log2", "log10",
    "powf", "powi", "cbrt", "hypot", "mul_add",
];

/// Offsets and names of all that is forbidden in `code`.
fn forbidden(code: &str) -> Vec<(usize, String)> {
    let mut found = vec![];
    for word in WORDS {
        found.extend(words(code, word).map(|at| (at, word.to_owned())));
    }
    for (at, module, _) in uses(code, "std") {
        if STD_MODULES.contains(&module.as_str()) {
            found.push((at, format!("std::{module}")));
        }
    }
    for method in FLOAT_METHODS {
        for at in words(code, method) {
            let (before, after) = (&code[..at], &code[at + method.len()..]);
            let called = before.ends_with('.') && after.starts_with('(');
            if called || before.ends_with("f64::") {
                found.push((at, format!("f64::{method}")));
            }
        }
    }
    found
}

#[test]
fn the_engine_is_deterministic_and_silent() {
    let mut wrong = vec![];
    // Formulas run in steps.
    for folder in ["linkwork", "linkwork-formula"] {
        for source in sources_of(folder) {
            let code = source.code();
            for (at, name) in forbidden(&code) {
                let line = line(&code, at);
                wrong.push(format!("{folder}/src/{}:{line}: {name}", source.path));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "forbidden in the engine:\n{}",
        wrong.join("\n")
    );
}

/// The crates that cannot forbid unsafe code, because wasm-bindgen's macros write some into them.
const BINDINGS: [&str; 2] = ["linkwork-wasm", "linkwork-import-wasm"];

#[test]
fn every_crate_forbids_unsafe_code() {
    assert!(read("Cargo.toml").contains("unsafe_code = \"forbid\""));
    let crates = root().join("crates").read_dir().unwrap();
    let names = crates.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let names = names.filter(|name| !BINDINGS.contains(&name.as_str()));
    let manifests = names.map(|name| format!("crates/{name}/Cargo.toml"));
    for manifest in manifests.chain(["bench/Cargo.toml".to_owned()]) {
        let inherits = read(&manifest).contains("[lints]\nworkspace = true");
        assert!(
            inherits,
            "{manifest} does not inherit the workspace's lints"
        );
    }
}

#[test]
fn bindings_have_no_unsafe_code_of_their_own_and_all_other_lints() {
    for folder in BINDINGS.map(|name| format!("crates/{name}")) {
        for entry in root().join(&folder).join("src").read_dir().unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let code = without_comments(&read(&format!("{folder}/src/{name}")));
            assert_eq!(words(&code, "unsafe").count(), 0, "{folder}/src/{name}");
        }
        let manifest = read(&format!("{folder}/Cargo.toml"));
        let workspace = read("Cargo.toml");
        let lints = workspace.lines().filter(|line| line.ends_with("\"warn\""));
        for lint in lints {
            assert!(manifest.contains(lint), "{folder}/Cargo.toml has no {lint}");
        }
    }
}

#[test]
fn forbidden_calls_are_found() {
    let names =
        |code| -> Vec<String> { forbidden(code).into_iter().map(|(_, name)| name).collect() };
    assert_eq!(
        names("let s = x.sin(); libm::sin(x); sin * cos"),
        ["f64::sin"]
    );
    assert_eq!(names("angles.map(f64::cos)"), ["f64::cos"]);
    assert_eq!(names("use std::{fmt, time::Instant};"), ["std::time"]);
    assert_eq!(
        names("let m = HashMap::new(); println!()"),
        ["HashMap", "println"]
    );
    assert!(names("out.L.add(0, 0, 1.0); rotation_exp(phi); x.sqrt(); std::fmt::Debug").is_empty());
}
