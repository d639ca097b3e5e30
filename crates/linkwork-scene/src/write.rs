//! From a document to text: one entry a line, numbers as short as they can be and still exact.

use std::io;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use crate::fault::Fault;
use crate::format::Document;

/// Lines begin at this depth of brackets and above; what is deeper stays on its line.
const LINES: usize = 2;

/// The text of a document. The same document gives the same text.
pub fn text(document: &Document) -> Result<String, Fault> {
    let mut out = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut out, OneEntryALine::default());
    let written = document.serialize(&mut serializer);
    written.map_err(|error| Fault::at("", error.to_string()))?;
    out.push(b'\n');
    String::from_utf8(out).map_err(|error| Fault::at("", error.to_string()))
}

#[derive(Default)]
struct OneEntryALine {
    depth: usize,
    /// Whether the innermost bracket holds anything yet.
    has_value: bool,
}

impl OneEntryALine {
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

impl Formatter for OneEntryALine {
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
        out.write_all(b": ")
    }
    fn end_object_value<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }
}
