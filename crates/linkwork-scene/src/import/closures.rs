//! Loop closures in a file beside a model: joints as a scene has them, by the names of links.
//!
//! ```json
//! [{ "name": "coupler", "type": "ball",
//!    "a": { "body": "crank", "point": [0.1, 0, 0] }, "b": { "body": "rocker", "point": [0, 0.2, 0] } }]
//! ```
//!
//! The list may also stand in an object, as in a scene: `{ "joints": [ … ] }`.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::xml;
use crate::Fault;
use crate::format::JointEntry;
use crate::read::from_json;

/// `robot.closures.json` for `robot.urdf`.
pub(super) fn beside(model: &Path) -> PathBuf {
    model.with_extension("closures.json")
}

/// The list in an object.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Joints {
    joints: Vec<JointEntry>,
}

/// The joints of such a file.
pub(super) fn read(path: &Path) -> Result<Vec<JointEntry>, Fault> {
    let file = path.display().to_string();
    let text = xml::read(path)?;
    let joints = match text.trim_start().starts_with('{') {
        true => from_json(&text).map(|own: Joints| own.joints),
        false => from_json(&text),
    };
    joints.map_err(|mut fault| {
        let form = "give a list of joints, each with a name, a type, a and b on links";
        fault.hint.get_or_insert_with(|| form.to_owned());
        fault.in_file(&file)
    })
}
