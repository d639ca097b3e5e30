//! Where in a text a path of its document is.

/// One step into a document.
enum Step<'p> {
    Field(&'p str),
    Entry(usize),
}

/// `joints[3].a.body` as steps.
fn steps(path: &str) -> Option<Vec<Step<'_>>> {
    let mut steps = Vec::new();
    for part in path.split('.') {
        let (name, mut rest) = part.split_at(part.find('[').unwrap_or(part.len()));
        if !name.is_empty() {
            steps.push(Step::Field(name));
        }
        while let Some(inner) = rest.strip_prefix('[') {
            let (number, after) = inner.split_once(']')?;
            steps.push(Step::Entry(number.parse().ok()?));
            rest = after;
        }
    }
    Some(steps)
}

/// Line and column, from one, of the value at a path; of the nearest there is, where a step leads
/// nowhere. The text is JSON that was parsed before.
pub(super) fn locate(text: &str, path: &str) -> Option<(usize, usize)> {
    let mut cursor = Cursor {
        text: text.as_bytes(),
        at: 0,
    };
    cursor.skip_space();
    for step in steps(path)? {
        let before = cursor.at;
        if cursor.enter(&step).is_none() {
            cursor.at = before;
            break;
        }
    }
    let before = text.get(..cursor.at)?;
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = before.matches('\n').count() + 1;
    Some((line, before[line_start..].chars().count() + 1))
}

struct Cursor<'t> {
    text: &'t [u8],
    at: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// Goes over one byte and the space after it.
    fn pass(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)?;
        self.skip_space();
        Some(())
    }

    /// Goes over a string; gives what is between its quotes.
    fn string(&mut self) -> Option<(usize, usize)> {
        (self.peek()? == b'"').then_some(())?;
        let start = self.at + 1;
        self.at = start;
        loop {
            match self.peek()? {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        Some((start, self.at - 1))
    }

    /// Goes over a value: to the comma or bracket that ends it.
    fn value(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            match self.peek()? {
                b'"' => {
                    self.string()?;
                    continue;
                }
                b'[' | b'{' => depth += 1,
                b']' | b'}' | b',' if depth == 0 => return Some(()),
                b']' | b'}' => depth -= 1,
                _ => {}
            }
            self.at += 1;
        }
    }

    fn enter(&mut self, step: &Step<'_>) -> Option<()> {
        match step {
            Step::Entry(number) => {
                self.pass(b'[')?;
                for _ in 0..*number {
                    self.value()?;
                    self.pass(b',')?;
                }
            }
            Step::Field(name) => {
                self.pass(b'{')?;
                loop {
                    let (start, end) = self.string()?;
                    self.skip_space();
                    self.pass(b':')?;
                    if self.text.get(start..end)? == name.as_bytes() {
                        break;
                    }
                    self.value()?;
                    self.pass(b',')?;
                }
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::locate;

    #[test]
    fn paths_are_found_in_texts() {
        let text =
            "{\n  \"a\": [1, {\"b\\\"\": [], \"c\": \"x],\"},\n    {\"c\": { \"d\": 2 }}]\n}";
        assert_eq!(locate(text, ""), Some((1, 1)));
        assert_eq!(locate(text, "a"), Some((2, 8)));
        assert_eq!(locate(text, "a[1].c"), Some((2, 29)));
        assert_eq!(locate(text, "a[2].c.d"), Some((3, 18)));
        // What is not there is where it should be.
        assert_eq!(locate(text, "a[2].e"), Some((3, 5)));
        assert_eq!(locate(text, "a[7]"), Some((2, 8)));
        assert_eq!(locate("{", "a.b"), Some((1, 1)));
    }
}
