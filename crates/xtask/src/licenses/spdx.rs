//! License expressions, such as `(MIT OR Apache-2.0) AND Unicode-3.0`.

/// What may be shipped, the simplest to keep first: each asks for its text, none for more than that.
const ALLOWED: [&str; 7] = [
    "MIT",
    "ISC",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "Zlib",
    "Apache-2.0",
    "Unicode-3.0",
];

/// The licenses that are kept to meet an expression: those of the first choice that is allowed. None if none is.
pub(super) fn choose(expression: &str) -> Option<Vec<String>> {
    let rank = |license: &String| ALLOWED.iter().position(|own| own == license);
    let choices = choices(expression)?.into_iter();
    let allowed = choices.filter_map(|choice| {
        let ranks: Option<Vec<usize>> = choice.iter().map(rank).collect();
        Some((ranks?, choice))
    });
    allowed.min().map(|(_, choice)| choice)
}

/// Every choice that an expression offers: licenses that are to be kept together. None if it is no expression.
fn choices(expression: &str) -> Option<Vec<Vec<String>>> {
    // A slash is what `OR` was written as.
    let spaced = expression.replace('/', " OR ");
    let spaced = spaced.replace('(', " ( ").replace(')', " ) ");
    let mut words: Vec<&str> = spaced.split_whitespace().rev().collect();
    let found = any_of(&mut words)?;
    words.is_empty().then_some(found)
}

/// Words are taken from the end.
fn any_of(words: &mut Vec<&str>) -> Option<Vec<Vec<String>>> {
    let mut found = all_of(words)?;
    while words.pop_if(|word| *word == "OR").is_some() {
        found.extend(all_of(words)?);
    }
    Some(found)
}

fn all_of(words: &mut Vec<&str>) -> Option<Vec<Vec<String>>> {
    let mut found = one(words)?;
    while words.pop_if(|word| *word == "AND").is_some() {
        let more = one(words)?;
        let pairs = found.iter().flat_map(|a| more.iter().map(move |b| (a, b)));
        found = pairs.map(|(a, b)| [&a[..], &b[..]].concat()).collect();
    }
    Some(found)
}

fn one(words: &mut Vec<&str>) -> Option<Vec<Vec<String>>> {
    let mut license = match words.pop()? {
        "(" => {
            let found = any_of(words)?;
            return (words.pop() == Some(")")).then_some(found);
        }
        ")" | "OR" | "AND" | "WITH" => return None,
        license => license.to_owned(),
    };
    if words.pop_if(|word| *word == "WITH").is_some() {
        license = format!("{license} WITH {}", words.pop()?);
    }
    Some(vec![vec![license]])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(expression: &str) -> Option<String> {
        choose(expression).map(|licenses| licenses.join(" and "))
    }

    #[test]
    fn the_simplest_choice_that_is_allowed_is_taken() {
        for (expression, expected) in [
            ("MIT", "MIT"),
            ("MIT/Apache-2.0", "MIT"),
            ("Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT", "MIT"),
            ("GPL-3.0-only OR Apache-2.0", "Apache-2.0"),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", "MIT and Unicode-3.0"),
            ("0BSD OR (MIT AND (Zlib OR ISC))", "MIT and ISC"),
        ] {
            assert_eq!(
                chosen(expression).as_deref(),
                Some(expected),
                "{expression}"
            );
        }
    }

    #[test]
    fn what_is_not_allowed_is_refused() {
        for expression in [
            "GPL-3.0-only",
            "MIT AND GPL-3.0-only",
            "(MIT OR Apache-2.0) AND MPL-2.0",
            "Apache-2.0 WITH LLVM-exception",
            "",
            "MIT OR",
            "(MIT",
            "MIT Apache-2.0",
            "SEE LICENSE IN LICENSE.txt",
        ] {
            assert_eq!(chosen(expression), None, "{expression}");
        }
    }
}
