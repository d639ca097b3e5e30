//! Tables as JSON lines: one object for each row.
//!
//! Numbers are those of [`super::csv`]. JSON has neither infinities nor what is not a number: both are
//! `null`.

use std::io::{self, Write};

use super::csv::push_number;

/// Writes rows of numbers as objects whose keys are the names of the columns.
///
/// ```
/// # fn main() -> std::io::Result<()> {
/// use linkwork_scene::export::JsonLinesWriter;
/// let mut lines = JsonLinesWriter::new(Vec::new(), ["time", "body.\"a b\".q.0"]);
/// lines.row(&[0.1, f64::NAN])?;
/// assert_eq!(lines.finish()?, b"{\"time\":0.1,\"body.\\\"a b\\\".q.0\":null}\n");
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct JsonLinesWriter<W> {
    out: W,
    /// What stands before each value: `{"time":` and the like.
    before: Vec<String>,
    line: String,
}

impl<W: Write> JsonLinesWriter<W> {
    /// Writes nothing yet.
    pub fn new<S: AsRef<str>>(out: W, header: impl IntoIterator<Item = S>) -> Self {
        let key = |(at, name): (usize, S)| {
            let name = serde_json::Value::from(name.as_ref());
            format!("{}{name}:", if at == 0 { '{' } else { ',' })
        };
        Self {
            out,
            before: header.into_iter().enumerate().map(key).collect(),
            line: String::new(),
        }
    }

    /// Writes a row; one value for each name.
    pub fn row(&mut self, values: &[f64]) -> io::Result<()> {
        if self.before.is_empty() {
            self.line.push('{');
        }
        for (before, &value) in self.before.iter().zip(values) {
            self.line.push_str(before);
            if value.is_finite() {
                push_number(&mut self.line, value);
            } else {
                self.line.push_str("null");
            }
        }
        self.line.push_str("}\n");
        self.out.write_all(self.line.as_bytes())?;
        self.line.clear();
        Ok(())
    }

    /// Flushes, and gives back what was written to.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}
