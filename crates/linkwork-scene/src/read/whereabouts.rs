//! What the parser was reading when it stopped: `bodies[3].radius`.
//!
//! The parser only says line and column. The text up to there is walked once more: what is open at its
//! end is the path. This happens once, when something is wrong; a reader that keeps the path of all it
//! reads is half as large again, and browsers have to load it.

use serde_json::error::Category;

/// A bracket that is open.
enum Open {
    /// An object, and the key that was read last.
    Object(Option<String>),
    /// A list, the number of an entry, and whether anything of that entry has been read.
    List(usize, bool),
}

/// Mistakes between two entries: those of the bracket around them.
const BETWEEN: [&str; 7] = [
    "EOF while parsing a list",
    "EOF while parsing an object",
    "expected `,` or `]`",
    "expected `,` or `}`",
    "expected `:`",
    "trailing comma",
    "trailing characters",
];

/// The path of what is wrong with a text; empty for the whole.
pub(super) fn path_to(text: &str, error: &serde_json::Error) -> String {
    let lines = text.split_inclusive('\n').map(str::len);
    let before: usize = lines.take(error.line().saturating_sub(1)).sum();
    // Columns count bytes: a letter may be cut in two.
    let (read, rest) = text
        .as_bytes()
        .split_at(text.len().min(before + error.column()));
    let said = error.to_string();
    let is_between = BETWEEN.iter().any(|words| said.starts_with(words));
    // What offends the grammar is the last letter: it closes nothing.
    let is_grammar = error.classify() == Category::Syntax;
    let mut open = match read {
        [fine @ .., _] if is_grammar => walk(fine),
        _ => walk(read),
    };
    match open.last_mut() {
        Some(_) if is_between => {
            open.pop();
        }
        Some(Open::List(_, is_begun)) => {
            // A bracket of a wrong sort is refused before it is read.
            let is_refused = said.starts_with("invalid type") && next_is_bracket(rest);
            let is_entry = is_grammar && !read.ends_with(b"]");
            *is_begun |= is_entry || is_refused;
        }
        // A key that names no command, or that was there before, is no place.
        Some(Open::Object(key)) => {
            let _ = key.take_if(|key| {
                let is_word = said.starts_with(&format!("unknown variant `{key}`"));
                is_word || key.is_empty() || said.starts_with("duplicate field")
            });
        }
        None => {}
    }
    let mut path = String::new();
    for bracket in open {
        match bracket {
            Open::Object(Some(key)) if path.is_empty() => path = key,
            Open::Object(Some(key)) => path += &format!(".{key}"),
            Open::List(entry, true) => path += &format!("[{entry}]"),
            Open::Object(None) | Open::List(_, false) => {}
        }
    }
    path
}

fn next_is_bracket(text: &[u8]) -> bool {
    matches!(text.trim_ascii_start(), [b'[' | b'{', ..])
}

/// The brackets that are open at the end of a text.
fn walk(text: &[u8]) -> Vec<Open> {
    let mut open = Vec::new();
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'}' | b']' => {
                open.pop();
                continue;
            }
            b',' => {
                match open.last_mut() {
                    Some(Open::Object(key)) => *key = None,
                    Some(Open::List(entry, is_begun)) => (*entry, *is_begun) = (*entry + 1, false),
                    None => {}
                }
                continue;
            }
            b':' | b' ' | b'\t' | b'\r' | b'\n' => continue,
            _ => {}
        }
        // A value begins, or a key.
        let mut string = None;
        if byte == b'"' {
            string = closed_string(&text[at..]);
            at = string.map_or(text.len(), |inner| at + inner.len() + 1);
        }
        match (open.last_mut(), string) {
            (Some(Open::List(_, is_begun)), _) => *is_begun = true,
            (Some(Open::Object(key @ None)), Some(string)) => {
                *key = Some(String::from_utf8_lossy(string).into_owned());
            }
            _ => {}
        }
        match byte {
            b'{' => open.push(Open::Object(None)),
            b'[' => open.push(Open::List(0, false)),
            _ => {}
        }
    }
    open
}

/// What is inside a string that begins here, if it ends.
fn closed_string(text: &[u8]) -> Option<&[u8]> {
    let mut at = 0;
    loop {
        at += match text.get(at)? {
            b'"' => return Some(&text[..at]),
            b'\\' => 2,
            _ => 1,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Command;
    use crate::format::Document;
    use serde::de::DeserializeOwned;

    /// The path a reader finds that keeps the path of all it reads; none if nothing is wrong.
    fn kept<T: DeserializeOwned>(text: &str) -> Option<String> {
        let mut reader = serde_json::Deserializer::from_str(text);
        let error = serde_path_to_error::deserialize::<_, T>(&mut reader).err()?;
        let path = error.path().to_string();
        Some(path.trim_end_matches('?').trim_end_matches('.').to_owned())
    }

    /// Every letter of a text is replaced by others, left out, or is where the text ends. Every path is
    /// found, but may stop early or late on its way: how many there are, and how many of those.
    fn compare<T: DeserializeOwned>(text: &str) -> (usize, usize) {
        let (mut n_wrong, mut n_near) = (0, 0);
        for at in (0..text.len()).filter(|&at| text.is_char_boundary(at)) {
            let rest = text[at..].chars().next().map_or(0, char::len_utf8);
            for by in ["", "x", "\"", ",", "{", "]", "[1]", "1", "END"] {
                let broken = match by {
                    "END" => text[..at].to_owned(),
                    by => format!("{}{by}{}", &text[..at], &text[at + rest..]),
                };
                let Some(path) = kept::<T>(&broken) else {
                    continue;
                };
                let error = serde_json::from_str::<T>(&broken).err().unwrap();
                let found = path_to(&broken, &error);
                let is_near = found.starts_with(&path) || path.starts_with(&found);
                assert!(is_near, "{path:?}, but found {found:?}: {error}\n{broken}");
                n_wrong += 1;
                n_near += usize::from(found != path);
            }
        }
        assert!(n_wrong > text.len());
        (n_wrong, n_near)
    }

    #[test]
    fn paths_of_documents_are_those_a_reader_would_keep() {
        for text in [
            include_str!("../../../../scenes/slider-crank.json"),
            include_str!("../../tests/fuzz/everything.json"),
            "{ \"linkwork\": 1, \"name\": \"Höhe über 0\", \"why\": \"∑ λ\" }",
        ] {
            let (n_wrong, n_near) = compare::<Document>(text);
            assert!(n_near <= n_wrong / 1000, "{n_near} of {n_wrong}");
        }
    }

    /// The word of a command is half a key: the two count it differently.
    #[test]
    fn paths_of_commands_are_those_a_reader_would_keep() {
        let lines = include_str!("../../tests/fuzz/commands.jsonl").lines();
        let counts = lines.map(compare::<Command>);
        let (n_wrong, n_near) = counts.fold((0, 0), |sum, own| (sum.0 + own.0, sum.1 + own.1));
        assert!(n_near <= n_wrong / 20, "{n_near} of {n_wrong}");
    }
}
