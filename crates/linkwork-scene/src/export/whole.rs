//! Files in one piece: what is written is put in place whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

/// A file that appears under its name only when it is complete; `-` is the standard output.
/// What is there and is no file (a pipe, a device) is written to as it is.
///
/// It is written under another name in the same folder and renamed by [`WholeFile::finish`], so that
/// whoever reads finds what was there before or what is there now. Dropped unfinished, it leaves
/// nothing.
///
/// ```no_run
/// use std::io::Write;
/// # fn main() -> std::io::Result<()> {
/// let mut file = linkwork_scene::export::WholeFile::create("run.csv")?;
/// file.write_all(b"time\n0\n")?;
/// file.finish()
/// # }
/// ```
#[derive(Debug)]
pub struct WholeFile(Target);

#[derive(Debug)]
enum Target {
    Output(BufWriter<Stdout>),
    Stream(BufWriter<File>, PathBuf),
    File(Temporary),
}

/// A file under another name.
#[derive(Debug)]
struct Temporary {
    /// None once it was closed.
    out: Option<BufWriter<File>>,
    own: PathBuf,
    wanted: PathBuf,
}

impl WholeFile {
    /// Begins a file; errors name it.
    pub fn create(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref();
        if path == Path::new("-") {
            let out = BufWriter::new(io::stdout());
            return Ok(Self(Target::Output(out)));
        }
        let of_path = |problem| named(path, &problem);
        match fs::metadata(path) {
            Ok(present) if present.is_dir() => {
                let problem = "is a folder; name a file in it";
                let problem = io::Error::new(io::ErrorKind::IsADirectory, problem);
                return Err(of_path(problem));
            }
            Ok(present) if !present.is_file() => {
                let stream = OpenOptions::new().write(true).open(path).map_err(of_path)?;
                let out = BufWriter::new(stream);
                return Ok(Self(Target::Stream(out, path.to_owned())));
            }
            _ => {}
        }
        // A link stays a link: what it leads to is replaced.
        let wanted = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let (own, file) = begin(&wanted).map_err(of_path)?;
        let out = Some(BufWriter::new(file));
        Ok(Self(Target::File(Temporary { out, own, wanted })))
    }

    /// Puts the file in place.
    pub fn finish(mut self) -> io::Result<()> {
        match self.0 {
            Target::Output(_) | Target::Stream(..) => self.flush(),
            Target::File(mut file) => {
                let problem = |problem| named(&file.wanted, &problem);
                if let Some(out) = file.out.take() {
                    let written = out.into_inner().map_err(io::IntoInnerError::into_error);
                    written.and_then(|file| file.sync_all()).map_err(problem)?;
                }
                fs::rename(&file.own, &file.wanted).map_err(problem)
            }
        }
    }

    fn named(&self, problem: &io::Error) -> io::Error {
        let path = match &self.0 {
            Target::Output(_) => Path::new("standard output"),
            Target::Stream(_, path) => path,
            Target::File(file) => &file.wanted,
        };
        named(path, problem)
    }

    fn out(&mut self) -> io::Result<&mut dyn Write> {
        match &mut self.0 {
            Target::Output(out) => Ok(out),
            Target::Stream(out, _) => Ok(out),
            Target::File(Temporary { out: Some(out), .. }) => Ok(out),
            Target::File(_) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }
}

/// Errors name the file.
impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out()?.write(bytes);
        written.map_err(|problem| self.named(&problem))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.out()?.flush();
        flushed.map_err(|problem| self.named(&problem))
    }
}

impl Drop for Temporary {
    /// After a rename there is nothing left under this name.
    fn drop(&mut self) {
        self.out = None;
        let _ = fs::remove_file(&self.own);
    }
}

/// A new file next to the one that is wanted, with the rights that one has.
fn begin(wanted: &Path) -> io::Result<(PathBuf, File)> {
    let name = wanted.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    for attempt in 0.. {
        let mut own = OsString::from(".");
        own.push(name);
        own.push(format!(".{}-{attempt}.part", std::process::id()));
        let own = wanted.with_file_name(own);
        match OpenOptions::new().write(true).create_new(true).open(&own) {
            Ok(file) => {
                if let Ok(present) = fs::metadata(wanted) {
                    let _ = file.set_permissions(present.permissions());
                }
                return Ok((own, file));
            }
            Err(problem) if problem.kind() == io::ErrorKind::AlreadyExists && attempt < 1000 => {}
            Err(problem) => return Err(problem),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

fn named(path: &Path, problem: &io::Error) -> io::Error {
    io::Error::new(problem.kind(), format!("{}: {problem}", path.display()))
}
