//! Where in a text something is: from a path such as `joints[3].a.body` to line and column.
//!
//! Building works on a document, which has forgotten its text; a fault it finds has a path, and this
//! finds the place again. The text is JSON that was read before: what is not is answered with the
//! last place that was found.

/// Line and column, from one, of the value at `path`, or of the nearest around it that is there.
pub(crate) fn locate(text: &str, path: &str) -> Option<(usize, usize)> {
    if path.is_empty() {
        return None;
    }
    let mut cursor = Cursor { text, at: 0 };
    cursor.skip_space();
    let mut found = None;
    let mut rest = path;
    while !rest.is_empty() {
        match cursor.enter(rest) {
            Some(left) => rest = left,
            None => break,
        }
        found = Some(cursor.at);
    }
    found.map(|at| line_and_column(text, at))
}

fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = 1 + before.matches('\n').count();
    (line, 1 + before[start..].chars().count())
}

/// A place in a text, always at the beginning of a token.
struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Cursor<'t> {
    /// Goes from a value to the part of it that the path begins with, and gives the rest of the path.
    fn enter<'p>(&mut self, path: &'p str) -> Option<&'p str> {
        if let Some(index) = path.strip_prefix('[') {
            let (index, rest) = index.split_once(']')?;
            self.enter_item(index.parse().ok()?)?;
            return Some(rest.strip_prefix('.').unwrap_or(rest));
        }
        self.enter_field(path)
    }

    fn enter_item(&mut self, index: usize) -> Option<()> {
        self.take('[')?;
        for _ in 0..index {
            self.skip_value()?;
            self.take(',')?;
        }
        (self.peek()? != ']').then_some(())
    }

    /// Names of fields may have dots in them, so each is compared with the whole path.
    fn enter_field<'p>(&mut self, path: &'p str) -> Option<&'p str> {
        self.take('{')?;
        loop {
            let name = self.string()?;
            self.take(':')?;
            match path.strip_prefix(name) {
                Some("") => return Some(""),
                Some(rest) if rest.starts_with('.') => return Some(&rest[1..]),
                Some(rest) if rest.starts_with('[') => return Some(rest),
                _ => {}
            }
            self.skip_value()?;
            self.take(',')?;
        }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn take(&mut self, wanted: char) -> Option<()> {
        (self.peek()? == wanted).then(|| {
            self.at += wanted.len_utf8();
            self.skip_space();
        })
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    /// What is between quotes, as it is written.
    fn string(&mut self) -> Option<&'t str> {
        let inside = self.text[self.at..].strip_prefix('"')?;
        let mut is_escaped = false;
        let end = inside.find(|character| {
            let ends = character == '"' && !is_escaped;
            is_escaped = character == '\\' && !is_escaped;
            ends
        })?;
        self.at += end + 2;
        self.skip_space();
        Some(&inside[..end])
    }

    /// Without recursion: files may be nested as deep as they like.
    fn skip_value(&mut self) -> Option<()> {
        let mut depth = 0;
        loop {
            match self.peek()? {
                '"' => {
                    self.string()?;
                }
                open @ ('[' | '{') => {
                    self.take(open)?;
                    depth += 1;
                    continue;
                }
                close @ (']' | '}') => {
                    self.take(close)?;
                    depth -= 1;
                }
                between @ (',' | ':') => {
                    self.take(between)?;
                    continue;
                }
                _ => {
                    let rest = &self.text[self.at..];
                    let ends = |c: char| c.is_whitespace() || ",:]}".contains(c);
                    self.at += rest.find(ends).unwrap_or(rest.len());
                    self.skip_space();
                }
            }
            if depth == 0 {
                return Some(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{
  "linkwork": 1,
  "why": "a \"b\" {[",
  "joints": [
    { "name": "A", "at": [0, [], {}] },
    { "name": "B",
      "a": { "body": "cranc" } }
  ],
  "state": { "multipliers": { "x.y": [1, 2] } }
}"#;

    #[test]
    fn paths_are_found() {
        for (path, place) in [
            ("linkwork", (2, 15)),
            ("joints[0].at[1]", (5, 30)),
            ("joints[1]", (6, 5)),
            ("joints[1].a.body", (7, 22)),
            ("state.multipliers.x.y[1]", (9, 42)),
        ] {
            assert_eq!(locate(TEXT, path), Some(place), "{path}");
        }
    }

    #[test]
    fn what_is_not_there_is_found_as_near_as_can_be() {
        assert_eq!(locate(TEXT, "joints[1].axis"), Some((6, 5)));
        assert_eq!(locate(TEXT, "joints[0].at[7]"), Some((5, 26)));
        assert_eq!(locate(TEXT, "bodies[0]"), None);
        assert_eq!(locate(TEXT, ""), None);
        assert_eq!(locate("not JSON", "joints[1]"), None);
    }
}
