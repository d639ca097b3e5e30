//! The words of the language, and the page about it.

use linkwork_formula::{CONSTANTS, FUNCTIONS, RESERVED, meaning};

#[test]
fn words_are_told_apart() {
    let mut all: Vec<&str> = FUNCTIONS.iter().map(|own| own.name).collect();
    all.extend(CONSTANTS.iter().map(|own| own.0));
    all.extend(RESERVED);
    let n = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), n);
    assert!(
        RESERVED
            .iter()
            .chain(CONSTANTS.iter().map(|own| &own.0))
            .all(|own| meaning(own).is_some())
    );
    // Functions stand before a bracket: a number may be called so too.
    assert_eq!(meaning("length"), None);
}
