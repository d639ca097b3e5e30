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
    let words = RESERVED.into_iter().chain(CONSTANTS.map(|own| own.0));
    assert!(words.into_iter().all(|own| meaning(own).is_some()));
    // Functions stand before a bracket: a number may be called so too.
    assert_eq!(meaning("length"), None);
}

fn tables() -> [(&'static str, String); 2] {
    let mut constants = String::from("| constant | | |\n|---|---|---|\n");
    for (name, value, help) in CONSTANTS {
        constants += &format!("| `{name}` | {value} | {help} |\n");
    }
    let mut functions = String::from("| function | |\n|---|---|\n");
    for function in FUNCTIONS {
        functions += &format!("| `{}` | {} |\n", function.form, function.help);
    }
    [("constants", constants), ("functions", functions)]
}

#[test]
fn the_page_has_the_words_of_the_language() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formulas.md");
    let kept = std::fs::read_to_string(path).unwrap();
    let mut text = kept.clone();
    for (name, table) in tables() {
        let mark = format!("<!-- {name} -->\n");
        let start = text.find(&mark).unwrap() + mark.len();
        let end = start + text[start..].find("<!-- end -->").unwrap();
        text.replace_range(start..end, &table);
    }
    if std::env::var_os("LINKWORK_BLESS").is_some() {
        std::fs::write(path, &text).unwrap();
        return;
    }
    let advice = "run the test once with LINKWORK_BLESS=1 to write the new tables";
    assert_eq!(kept, text, "{advice}");
    for word in RESERVED {
        assert!(kept.contains(&format!("`{word}`")), "{word}");
    }
}

/// What the page shows compiles, and what it says is refused is.
#[test]
fn the_page_is_true() {
    let page = include_str!("../../../../docs/formulas.md");
    let start = page.find("```text\n").unwrap() + 8;
    let example = &page[start..start + page[start..].find("```").unwrap()];
    let mut names = crate::world();
    names.push((
        "crank.tip",
        linkwork_formula::Named::Input(linkwork_formula::Kind::Vector2, 4),
    ));
    let mut scope = linkwork_formula::Scope::new(&mut names);
    let lines = scope
        .compile(example)
        .unwrap_or_else(|problems| panic!("{}", problems[0].show(example)));
    assert_eq!(lines.len(), 8);
    for refused in ["1/2x", "x/5mm", "x^-2x"] {
        let problem = crate::problem(refused);
        assert_eq!(
            (problem.message.as_str(), problem.edits.len()),
            ("can be read in two ways", 2)
        );
    }
}
