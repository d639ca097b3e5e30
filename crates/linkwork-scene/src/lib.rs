//! Scenes for Linkwork: parametric builders, by name, for tests, benches and examples.
//!
//! ```
//! let scene = linkwork_scene::scene("ladder:6,96")?;
//! assert_eq!(scene.bodies().len(), 1248);
//! # Ok::<(), linkwork_scene::SceneError>(())
//! ```

pub mod builders;

use std::fmt;

use linkwork::world::World;

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
    /// The engine refused a part of the scene.
    Engine(linkwork::Error),
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownName { name } => {
                write!(f, "no scene is called \"{name}\"; there are")?;
                for (name, usage, _) in SCENES {
                    write!(f, " {name} ({usage})")?;
                }
                Ok(())
            }
            Self::BadParameters { name, usage } => {
                write!(f, "scene \"{name}\": wrong numbers; write {usage}")
            }
            Self::Engine(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SceneError {}

impl From<linkwork::Error> for SceneError {
    fn from(error: linkwork::Error) -> Self {
        Self::Engine(error)
    }
}

type Build = fn(&[usize]) -> Result<World, linkwork::Error>;

/// Name, how to write it, and the builder, of every parametric scene.
const SCENES: &[(&str, &str, Build)] = &[
    ("chain", "chain:N", |p| builders::chain(p[0])),
    ("chain-hinge", "chain-hinge:N", |p| {
        builders::chain_hinge(p[0])
    }),
    ("tree", "tree:N", |p| builders::tree(p[0])),
    ("ladder", "ladder:P,M", |p| {
        builders::ladder(p[0], p[1], 1.0)
    }),
    ("ladder3", "ladder3:P,M", |p| {
        builders::ladder(p[0], p[1], 3.0)
    }),
    ("hub", "hub:N", |p| builders::hub(p[0])),
    ("grid", "grid:W,H", |p| builders::grid(p[0], p[1])),
];

/// Builds the scene `name`, such as `chain:1000` or `ladder:6,96`.
pub fn scene(name: &str) -> Result<World, SceneError> {
    let (kind, numbers) = name.split_once(':').unwrap_or((name, ""));
    let Some((_, usage, build)) = SCENES.iter().find(|(known, _, _)| *known == kind) else {
        return Err(SceneError::UnknownName {
            name: name.to_owned(),
        });
    };
    let bad = || SceneError::BadParameters {
        name: name.to_owned(),
        usage,
    };
    let numbers: Vec<usize> = numbers
        .split(',')
        .map(|number| {
            number
                .trim()
                .parse()
                .ok()
                .filter(|n| (1..=1_000_000).contains(n))
        })
        .collect::<Option<_>>()
        .ok_or_else(bad)?;
    if numbers.len() != usage.matches(',').count() + 1 {
        return Err(bad());
    }
    Ok(build(&numbers)?)
}
