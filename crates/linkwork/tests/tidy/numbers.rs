//! Numbers that steer a layer are in its table, `tolerances.rs`.

use crate::source::{line, sources};

/// Files with numbers of another kind, and what they are.
const OTHERS: [(&str, &str); 8] = [
    ("math/elliptic.rs", "where a series ends"),
    ("integrate/radau.rs", "a coefficient of the method"),
    ("body/soft/green.rs", "coefficients of the forms"),
    ("assembly/perturb.rs", "the golden ratio"),
    ("body/numbers.rs", "what numbers are by default"),
    ("connector/turns.rs", "the only one of its layer"),
    ("constraint/contract.rs", "of a check for tests"),
    ("block/contract.rs", "of a check for tests"),
];

#[test]
fn numbers_that_steer_are_in_tables() {
    let mut wrong = vec![];
    for source in sources() {
        let (path, code) = (&source.path, source.code());
        let is_other = OTHERS.iter().any(|(own, _)| own == path);
        if is_other || path.ends_with("tolerances.rs") || path.contains("/contract/") {
            continue;
        }
        for (at, text) in code.match_indices("const ") {
            let begins = code[..at].rsplit('\n').next().unwrap_or_default();
            let is_item = begins.is_empty() || begins.starts_with("pub");
            let rest = code[at + text.len()..]
                .split('=')
                .next()
                .unwrap_or_default();
            if is_item && rest.trim_end().ends_with(": f64") {
                wrong.push(format!("src/{path}:{}: {}", line(&code, at), rest.trim()));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "belongs into the table of its layer:\n{}",
        wrong.join("\n")
    );
    for (path, _) in OTHERS {
        let is_there = sources().iter().any(|own| own.path == path);
        assert!(is_there, "{path} is gone");
    }
}
