//! The names in a text, and the same text with another name.

use crate::lexer::{Lexer, Token};
use crate::problem::Span;

/// Every name in a text that stands for something of the world around it, with its place: not what follows a dot, and
/// not what is called. As far as the text can be read.
pub fn names(text: &str) -> Vec<(&str, Span)> {
    let mut found: Vec<(&str, Span)> = Vec::new();
    let Ok(mut lexer) = Lexer::new(text, 0) else {
        return found;
    };
    let (mut is_part, mut is_last_name) = (false, false);
    while lexer.next().is_ok() && lexer.token != Token::End {
        if is_last_name && lexer.token == Token::Sign('(') {
            found.pop();
        }
        is_last_name = false;
        if let (Token::Name(name) | Token::Quoted(name), false) = (lexer.token, is_part) {
            // A degree sign is not written as its name.
            let is_written = lexer.span.of(text) != "°";
            is_last_name = is_written && matches!(lexer.token, Token::Name(_));
            if is_written {
                found.push((name, lexer.span));
            }
        }
        is_part = lexer.token == Token::Sign('.');
    }
    found
}

/// The text with another name for something.
pub fn renamed(text: &str, from: &str, to: &str) -> String {
    let (mut out, mut at) = (String::new(), 0);
    for (_, span) in names(text).into_iter().filter(|(name, _)| *name == from) {
        out += &text[at..usize::from(span.start)];
        out += to;
        at = usize::from(span.end);
    }
    out + &text[at..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_world() {
        let text = "L/2 + 'bar 2'.L - sin(L*w) + L(3) + 30°";
        let found: Vec<_> = names(text).into_iter().map(|own| own.0).collect();
        assert_eq!(found, ["L", "bar 2", "L", "w"]);
        assert_eq!(
            renamed(text, "L", "reach"),
            "reach/2 + 'bar 2'.L - sin(reach*w) + L(3) + 30°"
        );
        assert_eq!(renamed("2L + 'L'", "L", "length"), "2length + length");
        // What cannot be read is left alone.
        assert_eq!(renamed("L + | + L", "L", "m"), "m + | + L");
    }
}
