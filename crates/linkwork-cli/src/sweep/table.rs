//! The table of a sweep: rows as they come in a file beside it, and the whole in order once all are there.
//!
//! `FILE.part` begins with a line that says of which sweep it is. Each row is one line, written at once; a
//! line that is no whole row of the sweep, such as one that was cut off when the power went, is left out and
//! computed again. So whatever ends a sweep, the same command goes on where it stopped. While it runs,
//! `FILE.lock` keeps others away. It says whose it is, so that what a sweep that was killed left keeps nobody away.

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
    /// How many lines of an earlier try are no rows of this sweep.
    n_left_out: usize,
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
        _lock: Lock,
    },
}

/// A file that is there while a sweep works on its rows.
#[derive(Debug)]
struct Lock(PathBuf);

impl Lock {
    fn take(path: PathBuf, wanted: &str) -> Result<Self, Failure> {
        if is_left(&path) {
            fs::remove_file(&path).map_err(|error| unwritten(&path, &error))?;
        }
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                // What says nothing is taken for somebody's.
                let _ = file.write_all(owner(std::process::id()).as_bytes());
                Ok(Self(path))
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let name = path.display();
                let problem = format!("another sweep writes {wanted}: {name} is there");
                let hint = format!(
                    "wait for it, or give another --csv; if that sweep was killed, remove {name} and go on"
                );
                Err(Failure::usage(problem).hint(hint))
            }
            Err(error) => Err(unwritten(&path, &error)),
        }
    }
}

/// A process, and the machine on which its number means it: the start of Linux, and the space of numbers. Elsewhere
/// nothing tells whether it is still there.
fn owner(process: u32) -> String {
    let start = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let space = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    format!("{process} {} {}", start.trim(), space.display())
}

/// Whether the process that made a lock is gone without removing it, as one that was killed.
fn is_left(lock: &Path) -> bool {
    let Ok(text) = fs::read_to_string(lock) else {
        return false;
    };
    let process = text.split(' ').next().and_then(|own| own.parse().ok());
    process.is_some_and(|process: u32| {
        text == owner(process)
            && Path::new("/proc/self").exists()
            && !Path::new(&format!("/proc/{process}")).exists()
    })
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

impl Table {
    /// Begins a table, or goes on with the rows of the same sweep; `variant_of` gives the variant of a line that is
    /// one of its rows.
    pub(crate) fn begin(
        path: &str,
        header: String,
        sweep: u64,
        variant_of: impl Fn(&str) -> Option<usize>,
    ) -> Result<Self, Failure> {
        // What cannot be written is said before the work.
        let out = output::begin(path)?;
        let mut table = Self {
            header,
            rows: BTreeMap::new(),
            n_left_out: 0,
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
        let lock = Lock::take(PathBuf::from(format!("{path}.lock")), path)?;
        let mark = format!("# rows of the linkwork sweep {sweep:016x}, as they came\n");
        table.keep(&part, &mark, variant_of)?;
        // What stays of an earlier try is put in place whole, so that nothing of it can be lost.
        let mut kept = WholeFile::create(&part)?;
        kept.write_all(mark.as_bytes())?;
        write(&mut kept, &table.header, &table.rows)?;
        kept.finish()?;
        let out = OpenOptions::new().append(true).open(&part);
        table.to = To::File {
            wanted: path.to_owned(),
            out: out.map_err(|error| unwritten(&part, &error))?,
            part,
            _lock: lock,
        };
        Ok(table)
    }

    /// Takes the rows of an earlier try of the same sweep.
    fn keep(
        &mut self,
        part: &Path,
        mark: &str,
        variant_of: impl Fn(&str) -> Option<usize>,
    ) -> Result<(), Failure> {
        let bytes = match fs::read(part) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => {
                let name = part.display();
                return Err(Failure::usage(format!("{name}: cannot read: {error}")));
            }
        };
        let text = String::from_utf8_lossy(&bytes);
        let begin = format!("{mark}{}", self.header);
        let Some(rows) = text.strip_prefix(begin.as_str()) else {
            if begin.starts_with(text.as_ref()) {
                return Ok(());
            }
            let problem = format!("{} has rows of another sweep", part.display());
            return Err(Failure::usage(problem).hint(
                "the scene, an option or this program is another one since; remove the file, or give another --csv",
            ));
        };
        for line in rows.split_inclusive('\n') {
            let variant = line.strip_suffix('\n').and_then(&variant_of);
            match variant.filter(|variant| !self.has(*variant)) {
                Some(variant) => {
                    self.rows.insert(variant, line.to_owned());
                }
                None => self.n_left_out += 1,
            }
        }
        Ok(())
    }

    /// How many lines of an earlier try were no rows of this sweep, or repeated one.
    pub(crate) fn n_left_out(&self) -> usize {
        self.n_left_out
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
        match self.to {
            To::Stream { out, .. } => Ok(out.finish()?),
            To::File { wanted, part, .. } => {
                let mut file = output::begin(&wanted)?;
                write(&mut file, &self.header, &self.rows)?;
                file.finish()?;
                fs::remove_file(&part).map_err(|error| unwritten(&part, &error))
            }
        }
    }
}

/// Writes the header and all rows.
fn write(to: &mut WholeFile, header: &str, rows: &BTreeMap<usize, String>) -> io::Result<()> {
    to.write_all(header.as_bytes())?;
    rows.values()
        .try_for_each(|row| to.write_all(row.as_bytes()))
}

fn unwritten(path: &Path, error: &io::Error) -> Failure {
    Failure::usage(format!("cannot write: {}: {error}", path.display()))
}
