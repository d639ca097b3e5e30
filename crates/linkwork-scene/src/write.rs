//! From values to JSON: numbers as short as they can be and still exact.
//!
//! There is one writer with two layouts, not two writers: the code of every entry is in a program once
//! for each.

use std::io;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use crate::fault::Fault;
use crate::format::Document;
use crate::parameter::merged;

/// Lines begin at this depth of brackets and above; what is deeper stays on its line.
const LINES: usize = 2;

/// The text of a document, one entry a line. The same document gives the same text.
pub fn text(document: &Document) -> Result<String, Fault> {
    let mut text = match document.parameters.source() {
        None => written(document, false)?,
        Some(_) => written(&merged(document)?, false)?,
    };
    text.push('\n');
    Ok(text)
}

/// Anything as JSON on one line, without spaces.
pub fn json<T: Serialize + ?Sized>(value: &T) -> Result<String, Fault> {
    written(value, true)
}

fn written<T: Serialize + ?Sized>(value: &T, is_dense: bool) -> Result<String, Fault> {
    let mut serializer = Serializer::with_formatter(Vec::new(), Layout::new(is_dense));
    let outcome = value.serialize(&mut serializer);
    finished(serializer, outcome)
}

/// What has been written. Not for every type anew.
fn finished(
    serializer: Serializer<Vec<u8>, Layout>,
    outcome: serde_json::Result<()>,
) -> Result<String, Fault> {
    outcome.map_err(|error| Fault::at("", error.to_string()))?;
    let text = String::from_utf8(serializer.into_inner());
    text.map_err(|error| Fault::at("", error.to_string()))
}

/// One entry a line, or all on one line without spaces.
struct Layout {
    is_dense: bool,
    depth: usize,
    /// Whether the innermost bracket holds anything yet.
    has_value: bool,
}

impl Layout {
    fn new(is_dense: bool) -> Self {
        Self {
            is_dense,
            depth: 0,
            has_value: false,
        }
    }

    fn open<W: ?Sized + io::Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.has_value = false;
        out.write_all(bracket)
    }

    fn close<W: ?Sized + io::Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        let breaks = self.depth <= LINES && self.has_value;
        self.depth -= 1;
        self.has_value = true;
        match breaks {
            _ if self.is_dense => {}
            true => self.new_line(out)?,
            false if bracket == b"}" => out.write_all(b" ")?,
            false => {}
        }
        out.write_all(bracket)
    }

    fn next<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        first: bool,
        pad: bool,
    ) -> io::Result<()> {
        if !first {
            out.write_all(b",")?;
        }
        match self.depth <= LINES {
            _ if self.is_dense => Ok(()),
            true => self.new_line(out),
            false if !first || pad => out.write_all(b" "),
            false => Ok(()),
        }
    }

    fn new_line<W: ?Sized + io::Write>(&self, out: &mut W) -> io::Result<()> {
        out.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| out.write_all(b"  "))
    }
}

impl Formatter for Layout {
    fn begin_array<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"[")
    }
    fn end_array<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"]")
    }
    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.next(out, first, false)
    }
    fn end_array_value<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }
    fn begin_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"{")
    }
    fn end_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"}")
    }
    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.next(out, first, true)
    }
    fn begin_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(if self.is_dense { b":" } else { b": " })
    }
    fn end_object_value<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// As serde_json's own writer has it.
    #[test]
    fn a_line_is_dense() {
        let text = r#"{"a":[],"b":{},"c":[1,[2.5,-0.0]],"d":{"e":null,"f":"\"ü\n"},"g":1e-300}"#;
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(json(&value).unwrap(), text);
        assert_eq!(json(&f64::NAN).unwrap(), "null");
    }
}
