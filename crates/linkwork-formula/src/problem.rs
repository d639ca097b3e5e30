//! What is wrong with a text, where, and what may have been meant.

use std::borrow::Cow;
use std::fmt;

use crate::messages::{Say, TEXTS};

/// A part of a text, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// Which text: those of one [`crate::Scope`] are numbered as they come.
    pub source: u16,
    /// Where it begins.
    pub start: u16,
    /// Where it ends.
    pub end: u16,
}

impl Span {
    /// From the start of this to the end of another.
    pub(crate) fn to(self, last: Self) -> Self {
        Self {
            end: last.end.max(self.end),
            ..self
        }
    }

    /// The part of its text; empty if it is of another one.
    pub fn of(self, text: &str) -> &str {
        let range = usize::from(self.start)..usize::from(self.end);
        text.get(range).unwrap_or_default()
    }

    /// Line and column, from one, columns in characters.
    pub fn place(self, text: &str) -> (usize, usize) {
        let before = text.get(..usize::from(self.start)).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        (line, before[start..].chars().count() + 1)
    }

    /// Its line, and under it a mark of its width.
    pub fn marked(self, text: &str) -> String {
        let at = usize::from(self.start).min(text.len());
        let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let end = text[at..].find('\n').map_or(text.len(), |n| at + n);
        let wide = |from: usize, to: usize| text.get(from..to).map_or(0, |s| s.chars().count());
        let mark = wide(at, usize::from(self.end).min(end)).max(1);
        let line = &text[start..end];
        // A tab is as wide as the line shows it.
        let blank = |c| if c == '\t' { '\t' } else { ' ' };
        let mut out = String::from(line);
        out.push('\n');
        out.extend(text[start..at].chars().map(blank));
        out.extend(std::iter::repeat_n('^', mark));
        out
    }
}

/// A part of a text, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced.
    pub span: Span,
    /// What stands there then.
    pub with: String,
}

/// A mistake in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to do about it, in words.
    pub hint: Option<String>,
    /// Ways to mend it, each by itself: what a page has buttons for.
    pub edits: Vec<Edit>,
    /// A name that is not known, and could become a number: `name = 1`.
    pub unknown: Option<String>,
}

/// What was asked for, or what is wrong: one pointer, so that passing it on costs little code.
pub(crate) type Checked<T> = Result<T, Box<Problem>>;

impl Problem {
    /// A mistake of the list, with what it names.
    pub(crate) fn say(span: Span, say: Say, with: &[&str]) -> Box<Self> {
        let [message, hint] = TEXTS[say as usize];
        let mut with = with.iter();
        let mut filled = |text: &str| {
            let mut out = String::new();
            for (k, part) in text.split('#').enumerate() {
                if k > 0 {
                    out.push_str(&brief(with.next().unwrap_or(&"")));
                }
                out.push_str(part);
            }
            out
        };
        let message = filled(message);
        let hint = Some(filled(hint)).filter(|hint| !hint.is_empty());
        Box::new(Self {
            span,
            message,
            hint,
            ..Self::default()
        })
    }

    /// The same with a way to mend it.
    pub(crate) fn edit(mut self: Box<Self>, span: Span, with: String) -> Box<Self> {
        self.edits.push(Edit { span, with });
        self
    }

    /// Line, column, what is wrong, what to do, and the marked line of the text.
    pub fn show(&self, text: &str) -> String {
        let (line, column) = self.span.place(text);
        let mut out = format!("line {line}, column {column}: {self}");
        for line in self.span.marked(text).lines() {
            out.push_str("\n  ");
            out.push_str(line);
        }
        out
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(hint) = &self.hint {
            f.write_str("; ")?;
            f.write_str(hint)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problem {}

/// A part of a text as messages have it: of what is very long the beginning.
pub fn brief(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MOST_TOLD) {
        Some((end, _)) => [&text[..end], "…"].concat().into(),
        None => text.into(),
    }
}

/// So many characters of a text are told in a message.
const MOST_TOLD: usize = 200;

/// A number for people: four digits.
pub(crate) fn short(x: f64) -> String {
    let (mut front, mut power) = (x.abs(), 0);
    if x == 0.0 || !x.is_finite() {
        return x.to_string();
    }
    while front >= 10.0 {
        (front, power) = (front / 10.0, power + 1);
    }
    while front < 1.0 {
        (front, power) = (front * 10.0, power - 1);
    }
    let digits = libm::round(front * 1e3) / 1e3;
    let (digits, tail) = match power {
        -4..7 => (digits * libm::pow(10.0, f64::from(power)), String::new()),
        _ => (digits, ["e", &power.to_string()].concat()),
    };
    // 0.03 is not 3·0.01 in binary digits.
    let digits = libm::round(digits * 1e8) / 1e8;
    [if x < 0.0 { "-" } else { "" }, &digits.to_string(), &tail].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: u16, end: u16) -> Span {
        Span {
            source: 0,
            start,
            end,
        }
    }

    #[test]
    fn places_are_counted_in_characters() {
        let text = "a = 1\nü\t= tt*2\n";
        let at = text.find("tt").unwrap() as u16;
        assert_eq!(span(at, at + 2).place(text), (2, 5));
        assert_eq!(span(at, at + 2).marked(text), "ü\t= tt*2\n \t  ^^");
        assert_eq!(span(at, at + 2).of(text), "tt");
        // What is long is told in part.
        assert_eq!(brief("ü").as_ref(), "ü");
        assert_eq!(brief(&"ü".repeat(500)).chars().count(), MOST_TOLD + 1);
        // The end of a text, and a place beyond it.
        let end = text.len() as u16;
        assert_eq!(span(end, end).marked(text), "\n^");
        assert_eq!(span(999, 1000).marked("a"), "a\n ^");
        assert_eq!(span(999, 1000).of("a"), "");
    }

    #[test]
    fn numbers_are_short() {
        for (x, words) in [
            (-0.030000000000000027, "-0.03"),
            (2.0 / 3.0, "0.6667"),
            (1234567.0, "1235000"),
            (0.0, "0"),
            (-1.5e200, "-1.5e200"),
            (1.0 / 3e9, "3.333e-10"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(short(x), words);
        }
    }
}
