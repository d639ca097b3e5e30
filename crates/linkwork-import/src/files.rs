//! Where the files of a model are: on disk, or with whoever asks.

use std::cell::RefCell;
use std::fmt;
use std::io::{Error, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

/// Files of a model that are not on disk, such as those of a browser. Paths have `/` between their parts.
pub trait Files {
    /// The paths of all files.
    fn paths(&self) -> Vec<String>;
    /// How many bytes a file has.
    fn size(&self, path: &str) -> u64;
    /// What is in a file, or why it cannot be read.
    fn read(&self, path: &str) -> Result<Vec<u8>, String>;
}

/// The files that were read from disk.
pub(crate) type Read = Rc<RefCell<Vec<PathBuf>>>;

/// Where files are looked for.
#[derive(Clone)]
pub(crate) enum Source {
    Disk(Read),
    /// These and no others.
    Given(Rc<dyn Files>),
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Disk(_) => "Disk",
            Self::Given(_) => "Given",
        })
    }
}

impl Default for Source {
    fn default() -> Self {
        Self::Disk(Read::default())
    }
}

impl Source {
    /// The files that were read so far; none of those that are given.
    pub(crate) fn read_so_far(&self) -> Vec<PathBuf> {
        match self {
            Self::Disk(read) => read.borrow().clone(),
            Self::Given(_) => Vec::new(),
        }
    }

    /// A folder by its one path, without links and dots.
    pub(crate) fn folder(&self, path: &Path) -> Result<PathBuf, Error> {
        match self {
            Self::Disk(_) => path.canonicalize(),
            Self::Given(_) => plain(path).ok_or_else(missing),
        }
    }

    /// A file by its one path.
    pub(crate) fn file(&self, path: &Path) -> Result<PathBuf, Error> {
        match self {
            Self::Disk(_) => path.canonicalize(),
            Self::Given(files) => {
                let path = plain(path).ok_or_else(missing)?;
                let is_there = files.paths().iter().any(|own| Path::new(own) == path);
                is_there.then_some(path).ok_or_else(missing)
            }
        }
    }

    pub(crate) fn is_file(&self, path: &Path) -> bool {
        match self {
            Self::Disk(_) => path.is_file(),
            Self::Given(_) => self.file(path).is_ok(),
        }
    }

    /// The first of the given files whose path ends so; on disk nobody looks everywhere.
    pub(crate) fn ending(&self, end: &Path) -> Option<PathBuf> {
        let Self::Given(files) = self else {
            return None;
        };
        let mut paths = files.paths();
        paths.sort_by_key(|own| (own.len(), own.clone()));
        let mut paths = paths.into_iter().map(PathBuf::from);
        paths.find(|own| own.ends_with(end))
    }

    /// How many bytes a file has; none if it is something else.
    pub(crate) fn size(&self, path: &Path) -> Result<Option<u64>, Error> {
        match self {
            Self::Disk(_) => {
                let about = std::fs::metadata(path)?;
                Ok(about.is_file().then_some(about.len()))
            }
            Self::Given(files) => Ok(Some(files.size(&name(&self.file(path)?)))),
        }
    }

    pub(crate) fn read(&self, path: &Path) -> Result<Vec<u8>, Error> {
        match self {
            Self::Disk(read) => {
                read.borrow_mut().push(path.to_owned());
                std::fs::read(path)
            }
            Self::Given(files) => {
                let path = self.file(path)?;
                files.read(&name(&path)).map_err(Error::other)
            }
        }
    }
}

fn name(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn missing() -> Error {
    Error::from(ErrorKind::NotFound)
}

/// A path without dots; none if it leads out of what is given.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                if !plain.pop() {
                    return None;
                }
            }
            Component::Normal(part) => plain.push(part),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(plain)
}
