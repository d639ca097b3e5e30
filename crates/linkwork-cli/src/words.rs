//! Words of the engine's closed sets as values of options.

use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use linkwork::{Choices, Error};

/// A word and what it is, in one line.
pub(crate) type Choice = (&'static str, &'static str);

pub(crate) fn pairs(choices: Choices) -> impl Iterator<Item = Choice> {
    let words = choices.words.iter().copied();
    words.zip(choices.help.iter().copied())
}

/// A word of one of the engine's closed sets, told with all of them in the help.
pub(crate) fn word<T>(choices: impl Iterator<Item = Choice>) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err = Error> + Clone + Send + Sync + 'static,
{
    let choices =
        choices.map(|(word, help)| PossibleValue::new(word).help(help.trim_end_matches('.')));
    PossibleValuesParser::new(choices).try_map(|word| word.parse())
}

/// At commas, but not at those in brackets or quotes.
pub(crate) fn list(text: &str) -> Vec<&str> {
    let (mut depth, mut is_quoted) = (0_i32, false);
    let parts = text.split(|character| {
        is_quoted ^= character == '"';
        match character {
            _ if is_quoted => {}
            '[' | '{' | '(' => depth += 1,
            ']' | '}' | ')' => depth -= 1,
            _ => {}
        }
        character == ',' && depth == 0 && !is_quoted
    });
    parts
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect()
}
