//! Scenes for Linkwork: the file format, and a library of named scenes for tests, benchmarks, examples
//! and users.
//!
//! ```
//! let scene = linkwork_scene::scene("ladder:6,96")?;
//! assert_eq!(scene.bodies().len(), 1248);
//! # Ok::<(), linkwork_scene::SceneError>(())
//! ```

pub mod build;
pub mod builders;
pub mod catalogue;
pub mod characters;
pub mod command;
pub mod describe;
pub mod export;
mod fault;
pub mod faure;
pub mod format;
pub mod formula;
pub mod library;
pub mod mechanisms;
pub mod parameter;
pub mod picture;
pub mod piles;
pub mod points;
pub mod read;
mod scene;
mod strings;
pub mod synthesis;
pub mod table;
pub mod track;
pub mod write;

pub use build::build;
pub use describe::describe;
pub use fault::{Fault, nearest};
pub use library::{SceneError, scene, scenes};
pub use read::{load, parse};
pub use scene::{FRAME, Scene, Trace};

/// The text of a scene: loading it gives the same scene, to the last bit of its state.
pub fn save(scene: &Scene) -> Result<String, Fault> {
    write::text(&describe(scene)?)
}

/// The JSON Schema of the format, for editors.
pub fn schema() -> String {
    let mut definitions = serde_json::Map::new();
    let root = <format::Document as read::Record>::schema(&mut definitions);
    let mut schema = serde_json::json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Document",
    });
    schema["$ref"] = root["$ref"].clone();
    definitions["Document"]["properties"]["linkwork"]["const"] = format::VERSION.into();
    schema["$defs"] = definitions.into();
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}

/// The README's example is tested like any other.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
