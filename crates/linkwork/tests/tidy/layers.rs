//! Which module of the engine may use which.

use crate::source::{line, sources, uses, words};

/// What a module may use of the crate.
enum Rule {
    /// These, and itself.
    Only(&'static [&'static str]),
    /// Everything but these.
    AllBut(&'static [&'static str]),
}

use Rule::{AllBut, Only};

/// Everything that works on a world from outside.
const ABOVE_WORLD: [&str; 10] = [
    "topology",
    "assemble",
    "solve",
    "equations",
    "integrate",
    "stabilize",
    "step",
    "simulator",
    "diagnose",
    "output",
];

/// The same, and the world itself.
const ABOVE_PARTS: [&str; 11] = [
    "world",
    "topology",
    "assemble",
    "solve",
    "equations",
    "integrate",
    "stabilize",
    "step",
    "simulator",
    "diagnose",
    "output",
];

const RULES: [(&str, Rule); 15] = [
    ("math", Only(&["linalg"])),
    ("linalg", Only(&["math"])),
    ("topology", Only(&[])),
    ("body", AllBut(&ABOVE_PARTS)),
    ("connector", AllBut(&ABOVE_PARTS)),
    ("constraint", AllBut(&ABOVE_PARTS)),
    ("behavior", AllBut(&ABOVE_PARTS)),
    ("world", AllBut(&ABOVE_WORLD)),
    (
        "assemble",
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
            "equations",
            "integrate",
            "stabilize",
            "step",
            "simulator",
            "diagnose",
            "output",
        ]),
    ),
    // One instant: no time step, no part of the world by its kind.
    (
        "equations",
        Only(&["world", "topology", "assemble", "solve"]),
    ),
    // Not how λ is found, nor what a constraint or a force is.
    (
        "integrate",
        Only(&[
            "world",
            "assemble",
            "equations",
            "stabilize",
            "math",
            "words",
        ]),
    ),
    // Not which integrator moved the bodies.
    (
        "stabilize",
        Only(&["world", "assemble", "equations", "linalg", "error", "words"]),
    ),
    // The table of contents: what it calls, not what that is made of.
    (
        "step",
        Only(&[
            "world",
            "assemble",
            "equations",
            "integrate",
            "stabilize",
            "simulator",
            "error",
            "words",
        ]),
    ),
    ("output", AllBut(&["topology", "assemble", "simulator"])),
];

/// Names a module may use against the rules: user, module, name.
const EXCEPTIONS: [(&str, &str, &str); 20] = [
    // `body.at([…])` is written on the id.
    ("connector", "world", "BodyId"),
    // Shapes are descriptions that turn into bodies.
    ("body", "world", "IntoBody"),
    // A method is chosen and passed on. M⁻¹ alone is no solve.
    ("integrate", "solve", "Method"),
    ("integrate", "solve", "MassInverse"),
    // How a solve ended decides what may be done with it.
    ("integrate", "solve", "Outcome"),
    ("stabilize", "solve", "Method"),
    ("step", "solve", "Method"),
    // Angles are told from lengths.
    ("integrate", "constraint", "RowUnit"),
    // What was asked for, and what is reported.
    ("integrate", "step", "Interactive"),
    ("integrate", "step", "Precise"),
    ("integrate", "step", "StepReport"),
    ("stabilize", "step", "StepReport"),
    // A world on its way: what integrators and rules share.
    ("stabilize", "integrate", "Stage"),
    // Its budget is asked for in between and within solves.
    ("integrate", "solve", "Meter"),
    ("integrate", "solve", "Lower"),
    ("stabilize", "solve", "Meter"),
    ("stabilize", "solve", "Lower"),
    ("step", "solve", "Meter"),
    ("step", "solve", "Limit"),
    // `Simulator::assemble` is a whole way of its own.
    ("stabilize", "simulator", "Simulator"),
];

fn allowed(user: &str, module: &str, name: &str) -> bool {
    let Some((_, rule)) = RULES.iter().find(|(of, _)| *of == user) else {
        return true;
    };
    let by_rule = match rule {
        Only(modules) => module == user || modules.contains(&module),
        AllBut(modules) => !modules.contains(&module),
    };
    by_rule || EXCEPTIONS.contains(&(user, module, name))
}

#[test]
fn modules_use_only_what_they_may() {
    let mut wrong = vec![];
    for source in sources() {
        let code = source.code();
        for (at, module, name) in uses(&code, "crate") {
            if !allowed(source.module(), &module, &name) {
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
    assert!(allowed("solve", "topology", "Plan"));
    assert!(!allowed("solve", "body", "Body"));
    assert!(allowed("connector", "world", "BodyId"));
    assert!(!allowed("constraint", "world", "BodyId"));
    assert!(!allowed("math", "error", "Error"));
    assert!(!allowed("topology", "linalg", "MatMut"));
    assert!(allowed("output", "world", "World"));
    assert!(!allowed("output", "assemble", "System"));
    assert!(!allowed("world", "step", "StepOptions"));
    assert!(!allowed("assemble", "solve", "Method"));
    assert!(!allowed("solve", "step", "Budget"));
    assert!(!allowed("equations", "integrate", "Stage"));
    assert!(allowed("integrate", "equations", "Equations"));
    assert!(!allowed("integrate", "solve", "Factor"));
    assert!(allowed("stabilize", "integrate", "Stage"));
    assert!(!allowed("stabilize", "integrate", "Integrator"));
    assert!(!allowed("step", "topology", "Topology"));
}
