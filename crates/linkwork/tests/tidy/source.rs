//! Reading the repository, and Rust source without its comments and tests.

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    engine().join("../..")
}

/// The folder of this crate.
pub(crate) fn engine() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A text file of the repository.
pub(crate) fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// One source file of the engine.
pub(crate) struct Source {
    /// Path relative to `src`, with forward slashes.
    pub(crate) path: String,
    /// The whole text.
    pub(crate) text: String,
}

impl Source {
    /// The top-level module the file belongs to; `lib` for the crate root.
    pub(crate) fn module(&self) -> &str {
        let first = self.path.split('/').next().unwrap_or_default();
        first.strip_suffix(".rs").unwrap_or(first)
    }

    /// The code proper: no comments, no contents of strings, no `#[cfg(test)]` items.
    pub(crate) fn code(&self) -> String {
        without_tests(&without_comments(&self.text))
    }
}

/// All source files of the engine but those that hold only tests, by path.
pub(crate) fn sources() -> Vec<Source> {
    sources_of("linkwork")
}

/// All source files of a crate but those that hold only tests, by path.
pub(crate) fn sources_of(name: &str) -> Vec<Source> {
    let base = root().join("crates").join(name).join("src");
    let mut files = vec![];
    collect(&base, &mut files);
    files.sort();
    let sources: Vec<_> = files
        .iter()
        .map(|file| Source {
            path: relative(file, &base),
            text: fs::read_to_string(file).unwrap(),
        })
        .filter(|source| !source.path.ends_with("tests.rs") && !source.path.contains("/tests/"))
        .collect();
    assert!(!sources.is_empty());
    sources
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn relative(file: &Path, base: &Path) -> String {
    let parts = file.strip_prefix(base).unwrap().components();
    let parts: Vec<_> = parts
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    parts.join("/")
}

/// Line number, from one, of a byte offset.
pub(crate) fn line(text: &str, at: usize) -> usize {
    1 + text[..at].matches('\n').count()
}

/// Replaces comments and the contents of string and character literals by spaces; keeps lines.
pub(crate) fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after_word = out.ends_with(is_word);
        let skip = match c {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => block_comment(rest),
            '"' => string(rest),
            'r' | 'b' if !after_word => raw_string(rest).unwrap_or(0),
            '\'' => character(rest),
            _ => 0,
        };
        if skip == 0 {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        } else {
            let blank = |c| if c == '\n' { '\n' } else { ' ' };
            out.extend(rest[..skip].chars().map(blank));
            rest = &rest[skip..];
        }
    }
    out
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Length of the (nested) block comment that begins `rest`.
fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest[at..].starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

/// Length of the string literal that begins `rest`.
fn string(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Length of the raw string literal that begins `rest`, if one does: `r"…"`, `br#"…"#`.
fn raw_string(rest: &str) -> Option<usize> {
    let body = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'))?;
    let hashes = body.len() - body.trim_start_matches('#').len();
    let inner = body[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = inner.find(&end).map_or(inner.len(), |at| at + end.len());
    Some(rest.len() - inner.len() + length)
}

/// Length of the character literal that begins `rest`, or zero for a lifetime.
fn character(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), Some(_)) => chars
            .find(|&(_, c)| c == '\'')
            .map_or(rest.len(), |(at, _)| at + 1),
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 0,
    }
}

/// Blanks every item marked `#[cfg(test)]`. Expects text without comments.
fn without_tests(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut out = code.to_owned();
    while let Some(start) = out.find(MARK) {
        let body = start + MARK.len();
        let mut depth = 0;
        let mut end = out.len();
        for (at, c) in out[body..].char_indices() {
            depth += i32::from(c == '{') - i32::from(c == '}');
            if depth == 0 && (c == '}' || c == ';') {
                end = body + at + 1;
                break;
            }
        }
        let blank: String = out[start..end]
            .chars()
            .map(|c| if c == '\n' { '\n' } else { ' ' })
            .collect();
        out.replace_range(start..end, &blank);
    }
    out
}

/// Byte offsets at which `word` stands alone in `code`.
pub(crate) fn words<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    code.match_indices(word)
        .map(|(at, _)| at)
        .filter(move |&at| {
            let before = code[..at].chars().next_back();
            let after = code[at + word.len()..].chars().next();
            !before.is_some_and(is_word) && !after.is_some_and(is_word)
        })
}

/// Every path that begins with `root::`, as its first two segments after it, with its offset.
///
/// Knows groups: `root::{a, b::{c, d}}` gives `(a, "")`, `(b, c)`, `(b, d)`.
pub(crate) fn uses(code: &str, root: &str) -> Vec<(usize, String, String)> {
    let mut found = vec![];
    for at in words(code, root) {
        let Some(tree) = code[at + root.len()..].strip_prefix("::") else {
            continue;
        };
        let mut leaves = vec![];
        use_tree(tree, &mut vec![], &mut leaves);
        for leaf in leaves {
            let mut segments = leaf.into_iter();
            let first = segments.next().unwrap_or_default();
            found.push((at, first, segments.next().unwrap_or_default()));
        }
    }
    found
}

/// Reads one use tree, adds its leaves, and returns what follows it.
fn use_tree<'a>(tree: &'a str, prefix: &mut Vec<String>, leaves: &mut Vec<Vec<String>>) -> &'a str {
    let tree = tree.trim_start();
    if let Some(mut rest) = tree.strip_prefix('{') {
        loop {
            rest = rest.trim_start();
            if let Some(after) = rest.strip_prefix('}') {
                return after;
            }
            let before = rest.len();
            rest = use_tree(rest, prefix, leaves).trim_start();
            rest = rest.strip_prefix(',').unwrap_or(rest);
            if rest.len() == before {
                return rest; // Not a use tree after all.
            }
        }
    }
    let length = tree.find(|c| !is_word(c) && c != '*').unwrap_or(tree.len());
    let (segment, mut rest) = tree.split_at(length);
    if segment.is_empty() {
        return rest;
    }
    prefix.push(segment.to_owned());
    if let Some(more) = rest.strip_prefix("::")
        && more.starts_with(|c: char| is_word(c) || c == '{' || c == '*')
    {
        rest = use_tree(more, prefix, leaves);
    } else {
        leaves.push(prefix.clone());
        if let Some(renamed) = rest.trim_start().strip_prefix("as ") {
            rest = renamed.trim_start_matches(is_word);
        }
    }
    prefix.pop();
    rest
}

#[test]
fn comments_strings_and_tests_are_not_code() {
    let source = Source {
        path: "body/rigid.rs".into(),
        text: "a(); // b\n/* c /* d */ */ e(\"f // \\\" g\", 'h', '\\'', r#\"i\"#);\n\
               fn j<'k>() {}\n#[cfg(test)]\nmod tests { fn l() { m(); } }\nn();"
            .into(),
    };
    let words: String = source.code().split_whitespace().collect();
    assert_eq!(words, "a();e(,,,);fnj<'k>(){}n();");
    assert_eq!(source.code().lines().count(), source.text.lines().count());
    assert_eq!(source.module(), "body");
}

#[test]
fn use_trees_are_unfolded() {
    let code = "use crate::a::B;\nuse crate::{c, d::{e, f::g as h}, i::*};\ncrate::j::k(x);";
    let found: Vec<_> = uses(code, "crate")
        .into_iter()
        .map(|(at, first, second)| (line(code, at), format!("{first} {second}")))
        .collect();
    let expected = [
        (1, "a B"),
        (2, "c "),
        (2, "d e"),
        (2, "d f"),
        (2, "i *"),
        (3, "j k"),
    ];
    assert_eq!(found, expected.map(|(line, path)| (line, path.to_owned())));
}
