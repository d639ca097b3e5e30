//! Scenes for Linkwork: parametric builders, by name, for tests, benches and examples.
//!
//! ```
//! let scene = linkwork_scene::scene("ladder:6,96")?;
//! assert_eq!(scene.bodies().len(), 1248);
//! # Ok::<(), linkwork_scene::SceneError>(())
//! ```

pub mod build;
pub mod builders;
pub mod characters;
pub mod command;
pub mod describe;
pub mod export;
mod fault;
pub mod faure;
pub mod format;
pub mod import;
pub mod mechanisms;
pub mod read;
mod scene;
mod strings;
pub mod write;

pub use build::build;
pub use describe::describe;
pub use fault::{Fault, nearest};
pub use read::{load, parse};
pub use scene::{FRAME, Scene, Trace};

use std::fmt;

use linkwork::world::World;

/// The text of a scene: loading it gives the same scene, to the last bit of its state.
pub fn save(scene: &Scene) -> Result<String, Fault> {
    write::text(&describe(scene)?)
}

/// The JSON Schema of the format, for editors.
pub fn schema() -> String {
    let schema = schemars::schema_for!(format::Document);
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}

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
                for (name, usage, _, _) in SCENES {
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

/// Name, how to write it, numbers to take when none are given, and the builder, of every scene.
const SCENES: &[(&str, &str, &[usize], Build)] = &[
    ("chain", "chain:N", &[], |p| builders::chain(p[0])),
    ("chain-hinge", "chain-hinge:N", &[], |p| {
        builders::chain_hinge(p[0])
    }),
    ("tree", "tree:N", &[], |p| builders::tree(p[0])),
    ("ladder", "ladder:P,M", &[], |p| {
        builders::ladder(p[0], p[1], 1.0)
    }),
    ("ladder3", "ladder3:P,M", &[], |p| {
        builders::ladder(p[0], p[1], 3.0)
    }),
    ("hub", "hub:N", &[], |p| builders::hub(p[0])),
    ("grid", "grid:W,H", &[], |p| builders::grid(p[0], p[1])),
    ("four-bar", "four-bar", &[], |_| mechanisms::four_bar()),
    ("bricard", "bricard", &[], |_| mechanisms::bricard()),
    ("bennett", "bennett", &[], |_| mechanisms::bennett()),
    ("sarrus", "sarrus", &[], |_| mechanisms::sarrus()),
    ("andrews", "andrews", &[], |_| mechanisms::andrews()),
    ("andrews-3d", "andrews-3d", &[], |_| {
        mechanisms::andrews_3d()
    }),
    ("catenary", "catenary:N", &[10], |p| {
        mechanisms::catenary(p[0], 1.5, 1.0)
    }),
    ("dumbbell", "dumbbell", &[], |_| mechanisms::dumbbell()),
    ("baraff-fig2", "baraff-fig2", &[], |_| {
        mechanisms::baraff_fig2()
    }),
    ("heavy-top", "heavy-top", &[], |_| mechanisms::heavy_top()),
    ("double-pendulum", "double-pendulum", &[], |_| {
        mechanisms::double_pendulum()
    }),
    ("n-four-bar", "n-four-bar:N", &[2], |p| {
        mechanisms::n_four_bar(p[0])
    }),
    ("peaucellier", "peaucellier", &[], |_| {
        mechanisms::peaucellier()
    }),
    ("peaucellier-driven", "peaucellier-driven", &[], |_| {
        mechanisms::peaucellier_driven()
    }),
    ("scissor", "scissor:N", &[4], |p| mechanisms::scissor(p[0])),
    ("scissor-driven", "scissor-driven:N", &[4], |p| {
        mechanisms::scissor_driven(p[0])
    }),
    ("jansen", "jansen", &[], |_| mechanisms::jansen()),
    ("chebyshev", "chebyshev", &[], |_| {
        mechanisms::chebyshev_lambda()
    }),
    ("hoecken", "hoecken", &[], |_| {
        mechanisms::chebyshev_lambda()
    }),
    ("chebyshev-crossed", "chebyshev-crossed", &[], |_| {
        mechanisms::chebyshev_crossed()
    }),
    ("watt", "watt", &[], |_| mechanisms::watt()),
    ("pantograph", "pantograph:RATIO", &[3], |p| {
        mechanisms::pantograph(p[0])
    }),
    ("scotch-yoke", "scotch-yoke", &[], |_| {
        mechanisms::scotch_yoke()
    }),
    ("hooke", "hooke", &[], |_| mechanisms::hooke()),
    ("double-hooke", "double-hooke", &[], |_| {
        mechanisms::double_hooke()
    }),
    ("umbrella", "umbrella:K", &[8], |p| {
        mechanisms::umbrella(p[0])
    }),
    ("stewart", "stewart", &[], |_| mechanisms::stewart()),
    ("plate-on-strings", "plate-on-strings", &[], |_| {
        mechanisms::plate_on_strings()
    }),
    ("humanoid", "humanoid", &[], |_| characters::humanoid()),
    (
        "humanoid-on-strings",
        "humanoid-on-strings:PERCENT",
        &[0],
        |p| characters::humanoid_on_strings(p[0]),
    ),
    ("crowd", "crowd:N", &[12], |p| characters::crowd(p[0])),
    ("three-characters", "three-characters", &[], |_| {
        characters::three_characters()
    }),
    (
        "three-characters-torn",
        "three-characters-torn",
        &[],
        |_| characters::three_characters_torn(),
    ),
    ("bar-between-discs", "bar-between-discs", &[], |_| {
        faure::bar_between_discs()
    }),
    ("structure-56", "structure-56", &[], |_| {
        faure::structure_56()
    }),
    ("sheet", "sheet:N", &[10], |p| faure::sheet(p[0], 0.0)),
    ("shaken-plate", "shaken-plate", &[], |_| {
        faure::shaken_plate()
    }),
    ("sea-weeds", "sea-weeds", &[], |_| faure::sea_weeds()),
    ("string-pendulum", "string-pendulum", &[], |_| {
        faure::string_pendulum()
    }),
];

/// Every scene's name and how to write it with numbers.
pub fn scenes() -> impl Iterator<Item = (&'static str, &'static str)> {
    SCENES.iter().map(|(name, usage, _, _)| (*name, *usage))
}

/// Builds the scene `name`, such as `chain:1000`, `ladder:6,96` or `four-bar`.
pub fn scene(name: &str) -> Result<World, SceneError> {
    let (kind, numbers) = match name.split_once(':') {
        Some((kind, numbers)) => (kind, Some(numbers)),
        None => (name, None),
    };
    let known = SCENES.iter().find(|(known, _, _, _)| *known == kind);
    let Some((_, usage, defaults, build)) = known else {
        return Err(SceneError::UnknownName {
            name: name.to_owned(),
        });
    };
    let bad = || SceneError::BadParameters {
        name: name.to_owned(),
        usage,
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
        None => defaults.to_vec(),
    };
    let n_wanted = usage
        .split_once(':')
        .map_or(0, |(_, numbers)| numbers.split(',').count());
    if numbers.len() != n_wanted {
        return Err(bad());
    }
    Ok(build(&numbers)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
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
        assert!(refused("rope").starts_with("no scene is called \"rope\"; there are chain"));
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
}
