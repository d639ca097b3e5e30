//! The library: scenes by name, each with what it is for and what must hold of it.
//!
//! A scene is a file of `scenes/`, embedded, or a builder that takes numbers. Files are of two
//! sorts: written by hand, as examples of the format, and derived, with numbers that were computed from
//! closed forms.
//!
//! Without the feature `library-files` no file is embedded: all scenes are listed, and those that are
//! files are opened by their texts, from wherever the program has them.

use std::fmt;

use linkwork::world::World;
use serde::Serialize;

use crate::fault::{Fault, meant};
use crate::load;
use crate::scene::Scene;

mod camera;
mod holds;
mod looks;
mod skin;
mod table;

pub use holds::Holds;

use table::{Entry, SCENES, Source};

/// Why a scene could not be built.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SceneError {
    /// No scene has this name.
    UnknownName {
        /// The name that was asked for.
        name: String,
    },
    /// The numbers after the name are not what the scene takes.
    BadParameters {
        /// The whole name that was asked for.
        name: String,
        /// How to write it.
        usage: &'static str,
    },
    /// The scene is a file, and this program has none of the library's: it was built without the
    /// feature `library-files`.
    NoFile {
        /// The name of the scene.
        name: &'static str,
    },
    /// The engine refused a part of the scene.
    Engine(linkwork::Error),
    /// The scene's file is not right.
    File(Fault),
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownName { name } => {
                write!(f, "no scene is called \"{name}\"; ")?;
                let kind = name.split(':').next().unwrap_or_default();
                let known = SCENES.iter().map(Entry::name);
                if let Some(hint) = meant(kind, known) {
                    return f.write_str(&hint);
                }
                f.write_str("there are")?;
                for entry in SCENES {
                    write!(f, " {}", entry.usage)?;
                }
                Ok(())
            }
            Self::BadParameters { name, usage } => {
                write!(f, "scene \"{name}\": wrong numbers; write {usage}")
            }
            Self::NoFile { name } => write!(
                f,
                "scene \"{name}\" is a file, and this program does not have the files of the library; \
                 open the text of scenes/{name}.json"
            ),
            Self::Engine(error) => error.fmt(f),
            Self::File(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for SceneError {}

impl From<linkwork::Error> for SceneError {
    fn from(error: linkwork::Error) -> Self {
        Self::Engine(error)
    }
}

/// Where a scene comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A file of `scenes/`, written by hand.
    File,
    /// A file of `scenes/`, written from a builder.
    DerivedFile,
    /// A builder that takes numbers.
    Builder,
}

/// What the library says about a scene.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Listing {
    /// Its name.
    pub name: &'static str,
    /// How to write it, with its numbers.
    pub usage: &'static str,
    /// One line: what it is for.
    pub why: &'static str,
    /// Where it comes from.
    pub kind: Kind,
    /// What must hold of it, and is tested.
    pub holds: Holds,
    /// For how long that is tested, s.
    pub seconds: f64,
    /// The scene to test, or to show, where numbers are free: one that is small.
    pub small: &'static str,
}

/// Every scene of the library, in the order in which to show them.
pub fn list() -> impl Iterator<Item = Listing> {
    SCENES.iter().map(|entry| Listing {
        name: entry.name(),
        usage: entry.usage,
        why: entry.why(),
        kind: match entry.source {
            Source::Builder(..) => Kind::Builder,
            Source::File { derived: true } => Kind::DerivedFile,
            Source::File { derived: false } => Kind::File,
        },
        holds: entry.holds,
        seconds: entry.seconds,
        small: entry.small,
    })
}

/// Every scene's name and how to write it with numbers.
pub fn scenes() -> impl Iterator<Item = (&'static str, &'static str)> {
    SCENES.iter().map(|entry| (entry.name(), entry.usage))
}

/// The world of the scene `name`, such as `chain:1000`, `ladder:6,96` or `four-bar`.
pub fn scene(name: &str) -> Result<World, SceneError> {
    let (entry, numbers) = find(name)?;
    match entry.source {
        Source::File { .. } => Ok(loaded(entry)?.world),
        Source::Builder(build, _) => Ok(build(&numbers)?),
    }
}

/// The scene `name`, with its hints for viewers, traces and options.
///
/// ```
/// let scene = linkwork_scene::library::open("jansen")?;
/// assert_eq!(scene.traces[0].name, "foot");
/// # Ok::<(), linkwork_scene::SceneError>(())
/// ```
pub fn open(name: &str) -> Result<Scene, SceneError> {
    let (entry, numbers) = find(name)?;
    match entry.source {
        Source::File { .. } => loaded(entry),
        Source::Builder(build, why) => {
            let mut scene = looks::dressed(entry.name(), build(&numbers)?)?;
            scene.name = Some(name.to_owned());
            scene.why = Some(why.to_owned());
            Ok(scene)
        }
    }
}

/// The text of a scene that is a file; none of one that a builder makes.
pub fn text(name: &str) -> Result<Option<&'static str>, SceneError> {
    let (entry, _) = find(name)?;
    match entry.source {
        Source::File { .. } => text_of(entry).map(Some),
        Source::Builder(..) => Ok(None),
    }
}

fn text_of(entry: &Entry) -> Result<&'static str, SceneError> {
    let name = entry.name();
    let text = entry.file().and_then(|file| file.text);
    text.ok_or(SceneError::NoFile { name })
}

fn loaded(entry: &Entry) -> Result<Scene, SceneError> {
    let name = entry.name();
    let text = text_of(entry)?;
    let file = format!("scenes/{name}.json");
    load(text).map_err(|fault| SceneError::File(fault.in_file(&file)))
}

/// The entry of a name and the numbers that are given with it, or those of the entry.
fn find(name: &str) -> Result<(&'static Entry, Vec<usize>), SceneError> {
    let (kind, numbers) = match name.split_once(':') {
        Some((kind, numbers)) => (kind, Some(numbers)),
        None => (name, None),
    };
    let Some(entry) = SCENES.iter().find(|entry| entry.name() == kind) else {
        return Err(SceneError::UnknownName {
            name: name.to_owned(),
        });
    };
    let bad = || SceneError::BadParameters {
        name: name.to_owned(),
        usage: entry.usage,
    };
    let parse = |number: &str| {
        let number = number.trim().parse().ok();
        number.filter(|n| (1..=1_000_000).contains(n))
    };
    let numbers: Vec<usize> = match numbers {
        Some(numbers) => numbers
            .split(',')
            .map(parse)
            .collect::<Option<_>>()
            .ok_or_else(bad)?,
        None => entry.defaults.to_vec(),
    };
    let n_wanted = entry
        .usage
        .split_once(':')
        .map_or(0, |(_, numbers)| numbers.split(',').count());
    match numbers.len() == n_wanted {
        true => Ok((entry, numbers)),
        false => Err(bad()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_files_their_scenes_are_listed_and_refused_in_words() {
        for listing in list() {
            let said = open(listing.small).err().map(|error| error.to_string());
            let is_refused = cfg!(not(feature = "library-files")) && listing.kind != Kind::Builder;
            let name = listing.name;
            let refusal = format!(
                "scene \"{name}\" is a file, and this program does not have the files of the \
                 library; open the text of scenes/{name}.json"
            );
            assert_eq!(said, is_refused.then_some(refusal));
        }
    }

    #[test]
    #[cfg(feature = "library-files")]
    fn every_scene_is_built_by_its_name() {
        for (name, usage) in scenes() {
            let numbers = ["", ":3", ":3,2"][usage.matches([':', ',']).count()];
            let world = scene(&format!("{name}{numbers}")).unwrap();
            assert!(!world.bodies().is_empty(), "{name}");
        }
        assert_eq!(scene("catenary").unwrap().bodies().len(), 10);
    }

    #[test]
    fn wrong_names_and_numbers_are_refused() {
        let refused = |name: &str| scene(name).unwrap_err().to_string();
        let far = refused("zzz");
        assert!(far.starts_with("no scene is called \"zzz\"; there are chain:N"));
        let near = "no scene is called \"four-bra\"; did you mean \"four-bar\"?";
        assert_eq!(refused("four-bra"), near);
        assert!(refused("lader:3,4").ends_with("did you mean \"ladder\"?"));
        let wrong = "scene \"chain\": wrong numbers; write chain:N";
        assert_eq!(refused("chain"), wrong);
        for name in [
            "chain:",
            "chain:0",
            "chain:1,2",
            "ladder:3",
            "four-bar:3",
            "scissor:x",
        ] {
            assert!(refused(name).contains("wrong numbers"), "{name}");
        }
    }

    #[test]
    fn names_are_kebab_case_and_their_own() {
        let mut seen = std::collections::BTreeSet::new();
        for scene in list() {
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(scene.name.chars().all(plain), "{}", scene.name);
            assert!(seen.insert(scene.name), "{} twice", scene.name);
            assert!(scene.usage.starts_with(scene.name), "{}", scene.name);
            assert!(!scene.why.is_empty() && !scene.why.contains('\n'));
        }
    }
}
