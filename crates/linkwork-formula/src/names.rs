//! The names in a text, and the same text with another name.

use crate::catalogue::{FUNCTIONS, meaning};
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

/// A path of names in a text: `door.handle.x`, each with its place.
type Path<'t> = Vec<(&'t str, Span)>;

/// Every path of names in a text, but for functions of the language. As far as the text can be read.
fn paths(text: &str) -> Vec<Path<'_>> {
    let mut found: Vec<Path<'_>> = Vec::new();
    let Ok(mut lexer) = Lexer::new(text, 0) else {
        return found;
    };
    // Whether the last token was a name, and whether a dot after it leads on.
    let (mut is_name, mut leads_on, mut is_part) = (false, false, false);
    while lexer.next().is_ok() && lexer.token != Token::End {
        let is_called = lexer.token == Token::Sign('(');
        let is_builtin = |path: &Path<'_>| FUNCTIONS.iter().any(|own| path[0].0 == own.name);
        if is_name && is_called && found.last().is_some_and(is_builtin) {
            found.pop();
        }
        match lexer.token {
            // A degree sign is not written as its name.
            Token::Name(name) | Token::Quoted(name) if lexer.span.of(text) != "°" => {
                match found.last_mut().filter(|_| leads_on) {
                    Some(path) => path.push((name, lexer.span)),
                    None if is_part => {}
                    None => found.push(vec![(name, lexer.span)]),
                }
                is_name = leads_on || !is_part;
                (leads_on, is_part) = (false, false);
            }
            token => {
                is_part = token == Token::Sign('.');
                leads_on = is_part && is_name;
                is_name = false;
            }
        }
    }
    found
}

/// The text with another name for something that may have dots in its name, as formulas know it: the longest name that
/// there is counts, and `is_other` knows the others. None if no formula can have the new name.
pub fn renamed_path(
    text: &str,
    from: &str,
    to: &str,
    is_other: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let (mut out, mut at) = (String::new(), 0);
    for path in paths(text) {
        let parts: Vec<&str> = path.iter().map(|own| own.0).collect();
        let mut heads = (1..=parts.len()).rev().map(|n| (n, parts[..n].join(".")));
        let Some((n, head)) = heads.find(|(_, own)| own == from || is_other(own)) else {
            continue;
        };
        if head == from {
            out += &text[at..usize::from(path[0].1.start)];
            out += &written(to)?;
            at = usize::from(path[n - 1].1.end);
        }
    }
    Some(out + &text[at..])
}

/// How a name stands in a formula: bare if it is one there and means nothing else, or between quotes.
fn written(name: &str) -> Option<String> {
    let quoted = format!("'{name}'");
    let is_it = |text: &&str| match &paths(text)[..] {
        [path] => {
            let parts: Vec<&str> = path.iter().map(|own| own.0).collect();
            let is_whole =
                path[0].1.start == 0 && text.len() == usize::from(path[parts.len() - 1].1.end);
            parts.join(".") == name && is_whole
        }
        _ => false,
    };
    let mut ways = [name, &quoted].into_iter();
    let way = ways.find(|text| is_it(text) && meaning(text).is_none());
    way.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_dots_in_its_name_is_renamed() {
        let renamed = |text: &str, from: &str, to: &str| {
            renamed_path(text, from, to, &|own| own == "door.handle" || own == "u").unwrap()
        };
        assert_eq!(
            renamed("door.x + 2door.handle.x - (a + b).door", "door", "gate"),
            "gate.x + 2door.handle.x - (a + b).door"
        );
        assert_eq!(
            renamed("norm(door.handle - 'bar 2'.tip)", "bar 2", "rod"),
            "norm(door.handle - rod.tip)"
        );
        assert_eq!(
            renamed("egg(u) + egg . x", "egg", "my egg"),
            "'my egg'(u) + 'my egg' . x"
        );
        assert_eq!(renamed("foot.left.x", "foot.left", "toe"), "toe.x");
        assert_eq!(renamed("norm(norm)", "norm", "n"), "norm(n)");
        assert_eq!(renamed("a + 2a.x", "a", "b.c"), "b.c + 2b.c.x");
        assert_eq!(renamed("a + 2a.x", "a", "pi"), "'pi' + 2'pi'.x");
        assert_eq!(renamed("a", "a", " b"), "' b'");
        assert_eq!(renamed("u + 30°", "u", "v"), "v + 30°");
        // A name that is a part of a longer one, or of something else, is not it.
        assert_eq!(renamed("a.door + doors", "door", "gate"), "a.door + doors");
        assert_eq!(renamed_path("door.x", "door", "it's", &|_| false), None);
        assert_eq!(renamed_path("t", "door", "it's", &|_| false).unwrap(), "t");
    }

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
