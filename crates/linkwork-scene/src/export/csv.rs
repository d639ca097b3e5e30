//! Tables as comma-separated values (RFC 4180).
//!
//! Numbers are written in the shortest form that reads back as the same bits. Lines end with a line
//! feed. What is not a number is an empty cell.

use std::fmt::Write as _;
use std::io::{self, Write};

/// Writes rows of numbers under a header.
///
/// ```
/// # fn main() -> std::io::Result<()> {
/// use linkwork_scene::export::CsvWriter;
/// let mut csv = CsvWriter::new(Vec::new(), ["time", "a, b"])?;
/// csv.row(&[0.1, f64::NAN])?;
/// assert_eq!(csv.finish()?, b"time,\"a, b\"\n0.1,\n");
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct CsvWriter<W> {
    out: W,
    line: String,
}

impl<W: Write> CsvWriter<W> {
    /// Writes the header.
    pub fn new<S: AsRef<str>>(out: W, header: impl IntoIterator<Item = S>) -> io::Result<Self> {
        let line = String::new();
        let mut csv = Self { out, line };
        for (at, name) in header.into_iter().enumerate() {
            if at > 0 {
                csv.line.push(',');
            }
            push_quoted(&mut csv.line, name.as_ref());
        }
        csv.end_line()?;
        Ok(csv)
    }

    /// Writes a row.
    pub fn row(&mut self, values: &[f64]) -> io::Result<()> {
        for (at, &value) in values.iter().enumerate() {
            if at > 0 {
                self.line.push(',');
            }
            push_number(&mut self.line, value);
        }
        self.end_line()
    }

    /// Flushes, and gives back what was written to.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }

    fn end_line(&mut self) -> io::Result<()> {
        self.line.push('\n');
        self.out.write_all(self.line.as_bytes())?;
        self.line.clear();
        Ok(())
    }
}

/// In quotes where a comma, a quote or the end of a line is in it; quotes are doubled.
pub fn push_quoted(line: &mut String, name: &str) {
    if !name.contains([',', '"', '\n', '\r']) {
        line.push_str(name);
        return;
    }
    line.push('"');
    line.push_str(&name.replace('"', "\"\""));
    line.push('"');
}

/// The shortest form that reads back as the same bits; plain where that is short, else with an
/// exponent. Nothing for what is not a number.
pub fn push_number(line: &mut String, value: f64) {
    let size = value.abs();
    // Writing to a string does not fail.
    let _ = if value.is_nan() {
        Ok(())
    } else if size == 0.0 || size.is_infinite() || (1e-5..1e16).contains(&size) {
        write!(line, "{value}")
    } else {
        write!(line, "{value:e}")
    };
}

/// The same as a text of its own.
pub(crate) fn number_text(value: f64) -> String {
    let mut text = String::new();
    push_number(&mut text, value);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back_as_the_same_bits() {
        let (tiny, huge) = (f64::from_bits(1), f64::MAX);
        for value in [
            0.1,
            -0.0,
            0.0,
            1.0 / 3.0,
            1e-7,
            1e22,
            tiny,
            huge,
            f64::INFINITY,
            -2.5e-300,
        ] {
            let mut line = String::new();
            push_number(&mut line, value);
            let back: f64 = line.parse().unwrap();
            assert_eq!(back.to_bits(), value.to_bits(), "{line}");
            assert!(line.len() <= 24, "{line}");
        }
    }

    #[test]
    fn headers_are_quoted_where_they_must_be() {
        let csv = CsvWriter::new(Vec::new(), ["a", "b\"c", "d,e", "f g"]).unwrap();
        assert_eq!(csv.finish().unwrap(), b"a,\"b\"\"c\",\"d,e\",f g\n");
    }
}
