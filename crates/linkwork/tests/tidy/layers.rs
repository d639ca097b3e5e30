//! Which crate may depend on which, and which module of the engine may use which.

use crate::source::{line, read, root, sources, uses, words};

/// Our crates, and which of ours each may depend on. Robots are imported by the command line and by a module of its
/// own in browsers.
const CRATES: [(&str, &[&str]); 7] = [
    ("linkwork", &[]),
    ("linkwork-formula", &[]),
    ("linkwork-scene", &["linkwork", "linkwork-formula"]),
    ("linkwork-import", &["linkwork", "linkwork-scene"]),
    (
        "linkwork-cli",
        &["linkwork", "linkwork-scene", "linkwork-import"],
    ),
    ("linkwork-wasm", &["linkwork", "linkwork-scene"]),
    (
        "linkwork-import-wasm",
        &["linkwork-scene", "linkwork-import"],
    ),
];

/// Names under `[dependencies]` of a manifest.
fn dependencies(manifest: &str) -> Vec<&str> {
    let lines = manifest
        .lines()
        .skip_while(|line| *line != "[dependencies]");
    let lines = lines.skip(1).take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| line.split(['.', ' ', '=']).next());
    names.collect()
}

#[test]
fn crates_depend_one_way() {
    for folder in root().join("crates").read_dir().unwrap() {
        let name = folder.unwrap().file_name().into_string().unwrap();
        if !name.starts_with("linkwork") {
            continue;
        }
        let (_, may) = CRATES.iter().find(|(own, _)| *own == name).unwrap();
        let manifest = read(&format!("crates/{name}/Cargo.toml"));
        for other in dependencies(&manifest) {
            let is_ours = other.starts_with("linkwork");
            assert!(
                !is_ours || may.contains(&other),
                "{name} depends on {other}"
            );
        }
    }
    // What formulas cost a page is what is in that crate.
    assert_eq!(
        dependencies(&read("crates/linkwork-formula/Cargo.toml"))
            .join(" ")
            .trim(),
        "libm"
    );
    let manifest =
        "[dependencies]\nlibm.workspace = true\nglam = \"1\"\n\n[lints]\nworkspace = true";
    assert!(dependencies(manifest).starts_with(&["libm", "glam"]));
    assert!(!dependencies(manifest).contains(&"workspace"));
}

/// What a module may use of the crate.
enum Rule {
    /// These, and itself.
    Only(&'static [&'static str]),
    /// Everything but these.
    AllBut(&'static [&'static str]),
}

use Rule::{AllBut, Only};

/// Everything that works on a world from outside.
const ABOVE_WORLD: [&str; 13] = [
    "topology",
    "system",
    "solve",
    "equations",
    "springs",
    "frame",
    "integrate",
    "stabilize",
    "assembly",
    "step",
    "simulator",
    "diagnose",
    "output",
];

/// The same, and the world itself.
const ABOVE_PARTS: [&str; 14] = [
    "world",
    "topology",
    "system",
    "solve",
    "equations",
    "springs",
    "frame",
    "integrate",
    "stabilize",
    "assembly",
    "step",
    "simulator",
    "diagnose",
    "output",
];

const RULES: [(&str, Rule); 20] = [
    ("math", Only(&["linalg"])),
    ("linalg", Only(&["math"])),
    ("topology", Only(&[])),
    // A map knows no body.
    ("shape", Only(&["math", "error", "linalg"])),
    ("body", AllBut(&ABOVE_PARTS)),
    ("connector", AllBut(&ABOVE_PARTS)),
    ("constraint", AllBut(&ABOVE_PARTS)),
    ("behavior", AllBut(&ABOVE_PARTS)),
    ("block", AllBut(&ABOVE_PARTS)),
    ("world", AllBut(&ABOVE_WORLD)),
    (
        "system",
        AllBut(&[
            "solve",
            "equations",
            "integrate",
            "stabilize",
            "step",
            "simulator",
            "diagnose",
            "output",
        ]),
    ),
    (
        "solve",
        AllBut(&[
            "world",
            "body",
            "connector",
            "constraint",
            "behavior",
            "block",
            "equations",
            "integrate",
            "stabilize",
            "step",
            "simulator",
            "diagnose",
            "output",
        ]),
    ),
    // One instant: no time step, no part of the world by its kind. It hands on what schemes may see of
    // solves: not how λ is found.
    ("equations", Only(&["world", "topology", "system", "solve"])),
    // Soft rows and strains during one sub-step. Tension needs a world with more rows.
    (
        "springs",
        Only(&[
            "math",
            "constraint",
            "world",
            "system",
            "equations",
            "linalg",
        ]),
    ),
    // What stabilizations and schemes work on.
    ("frame", Only(&["world", "system", "equations", "springs"])),
    // Not which integrator moved the bodies.
    (
        "stabilize",
        Only(&["world", "system", "equations", "frame", "linalg", "words"]),
    ),
    // Not what a constraint or a force is.
    (
        "integrate",
        Only(&[
            "world",
            "system",
            "equations",
            "springs",
            "frame",
            "stabilize",
            "linalg",
            "words",
        ]),
    ),
    (
        "assembly",
        Only(&[
            "world",
            "system",
            "equations",
            "frame",
            "stabilize",
            "linalg",
            "error",
        ]),
    ),
    // The table of contents: what it calls, not what that is made of.
    (
        "step",
        Only(&[
            "world",
            "equations",
            "frame",
            "integrate",
            "stabilize",
            "assembly",
            "simulator",
            "error",
        ]),
    ),
    ("output", AllBut(&["topology", "system", "simulator"])),
];

fn allowed(user: &str, module: &str) -> bool {
    let Some((_, rule)) = RULES.iter().find(|(of, _)| *of == user) else {
        return true;
    };
    match rule {
        Only(modules) => module == user || modules.contains(&module),
        AllBut(modules) => !modules.contains(&module),
    }
}

#[test]
fn modules_use_only_what_they_may() {
    let mut wrong = vec![];
    for source in sources() {
        let code = source.code();
        for (at, module, name) in uses(&code, "crate") {
            if !allowed(source.module(), &module) {
                let (line, user) = (line(&code, at), source.module());
                wrong.push(format!(
                    "src/{}:{line}: `{user}` must not use crate::{module}::{name}",
                    source.path
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn topology_holds_integers_only() {
    for source in sources()
        .iter()
        .filter(|source| source.module() == "topology")
    {
        let code = source.code();
        for float in ["f64", "f32"] {
            if let Some(at) = words(&code, float).next() {
                panic!(
                    "src/{}:{}: {float} in topology",
                    source.path,
                    line(&code, at)
                );
            }
        }
    }
}

#[test]
fn the_rules_say_what_they_should() {
    assert!(allowed("solve", "topology"));
    assert!(!allowed("solve", "body"));
    assert!(!allowed("connector", "world"));
    assert!(!allowed("constraint", "world"));
    assert!(!allowed("block", "world"));
    assert!(!allowed("solve", "block"));
    assert!(!allowed("math", "error"));
    assert!(!allowed("topology", "linalg"));
    assert!(allowed("output", "world"));
    assert!(!allowed("output", "system"));
    assert!(!allowed("world", "step"));
    assert!(!allowed("system", "solve"));
    assert!(!allowed("solve", "step"));
    assert!(!allowed("equations", "integrate"));
    assert!(allowed("integrate", "equations"));
    assert!(!allowed("integrate", "solve"));
    assert!(allowed("integrate", "stabilize"));
    assert!(!allowed("stabilize", "integrate"));
    assert!(!allowed("integrate", "step"));
    assert!(!allowed("step", "topology"));
}
