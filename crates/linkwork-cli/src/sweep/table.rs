//! The table of a sweep: rows as they come in a file beside it, and the whole in order once all are there.
//!
//! `FILE.part` begins with a line that says of which sweep it is. Each row is one line, written at once; a
//! line that was cut off when the power went is dropped. So whatever ends a sweep, the same command goes on
//! where it stopped.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use linkwork_scene::export::WholeFile;

use crate::failure::Failure;
use crate::output;

/// Rows of a sweep, and where they go.
#[derive(Debug)]
pub(crate) struct Table {
    header: String,
    /// Rows by variant: all of a file, those that cannot be written yet of a stream.
    rows: BTreeMap<usize, String>,
    to: To,
}

#[derive(Debug)]
enum To {
    /// The standard output, a pipe or a device: rows in order, as soon as they can be.
    Stream { next: usize, out: WholeFile },
    File {
        wanted: String,
        part: PathBuf,
        out: File,
    },
}

impl Table {
    /// Begins a table, or goes on with the rows of the same sweep.
    pub(crate) fn begin(path: &str, header: String, sweep: u64) -> Result<Self, Failure> {
        // What cannot be written is said before the work.
        let out = output::begin(path)?;
        let mut table = Self {
            header,
            rows: BTreeMap::new(),
            to: To::Stream { next: 0, out },
        };
        let is_stream = path == "-" || fs::metadata(path).is_ok_and(|own| !own.is_file());
        if let To::Stream { out, .. } = &mut table.to
            && is_stream
        {
            out.write_all(table.header.as_bytes())?;
            out.flush()?;
            return Ok(table);
        }
        let part = PathBuf::from(format!("{path}.part"));
        let mark = format!("# rows of the linkwork sweep {sweep:016x}, as they came\n");
        let length = table.keep(&part, &mark)?;
        let opened = OpenOptions::new()
            .create(true)
            .write(true)
            .truncate(false)
            .open(&part);
        let begun = opened.and_then(|mut out| {
            use io::Seek;
            out.set_len(length)?;
            out.seek(io::SeekFrom::End(0))?;
            if length == 0 {
                out.write_all(mark.as_bytes())?;
                out.write_all(table.header.as_bytes())?;
            }
            Ok(out)
        });
        let out = begun.map_err(|error| unwritten(&part, &error))?;
        let wanted = path.to_owned();
        table.to = To::File { wanted, part, out };
        Ok(table)
    }

    /// Takes the whole rows of an earlier try of the same sweep; gives the bytes that stay.
    fn keep(&mut self, part: &Path, mark: &str) -> Result<u64, Failure> {
        let bytes = match fs::read(part) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
            Err(error) => {
                let name = part.display();
                return Err(Failure::usage(format!("{name}: cannot read: {error}")));
            }
        };
        let text = String::from_utf8_lossy(&bytes);
        let begin = format!("{mark}{}", self.header);
        let Some(rows) = text.strip_prefix(begin.as_str()) else {
            if begin.starts_with(text.as_ref()) {
                return Ok(0);
            }
            let problem = format!("{} has rows of another sweep", part.display());
            return Err(Failure::usage(problem).hint(
                "the scene, an option or this program is another one since; remove the file, or give another --csv",
            ));
        };
        let mut length = begin.len();
        for line in rows
            .split_inclusive('\n')
            .filter(|line| line.ends_with('\n'))
        {
            let variant = line.split(',').next().and_then(|own| own.parse().ok());
            let Some(variant) = variant else { break };
            self.rows.insert(variant, line.to_owned());
            length += line.len();
        }
        Ok(length as u64)
    }

    /// Whether the row of a variant is there.
    pub(crate) fn has(&self, variant: usize) -> bool {
        self.rows.contains_key(&variant)
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = &str> {
        self.rows.values().map(String::as_str)
    }

    /// Takes a row, a line with its end.
    pub(crate) fn take(&mut self, variant: usize, row: String) -> Result<(), Failure> {
        match &mut self.to {
            To::Stream { next, out } => {
                self.rows.insert(variant, row);
                while let Some(row) = self.rows.remove(next) {
                    out.write_all(row.as_bytes())?;
                    *next += 1;
                }
                out.flush()?;
            }
            To::File { out, part, .. } => {
                let written = out.write_all(row.as_bytes());
                written.map_err(|error| unwritten(part, &error))?;
                self.rows.insert(variant, row);
            }
        }
        Ok(())
    }

    /// Where the rows are that came before an interruption.
    pub(crate) fn part(&self) -> Option<String> {
        match &self.to {
            To::Stream { .. } => None,
            To::File { part, .. } => Some(part.display().to_string()),
        }
    }

    /// Puts the whole table in place.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let (wanted, part, out) = match self.to {
            To::Stream { out, .. } => return Ok(out.finish()?),
            To::File { wanted, part, out } => (wanted, part, out),
        };
        let mut file = output::begin(&wanted)?;
        file.write_all(self.header.as_bytes())?;
        for row in self.rows.values() {
            file.write_all(row.as_bytes())?;
        }
        file.finish()?;
        drop(out);
        fs::remove_file(&part).map_err(|error| unwritten(&part, &error))
    }
}

fn unwritten(path: &Path, error: &io::Error) -> Failure {
    Failure::usage(format!("cannot write: {}: {error}", path.display()))
}
