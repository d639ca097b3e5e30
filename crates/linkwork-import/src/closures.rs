//! Loop closures in a file beside a model: joints as a scene has them, by the names of links.
//!
//! ```json
//! [{ "name": "coupler", "type": "ball",
//!    "a": { "body": "crank", "point": [0.1, 0, 0] }, "b": { "body": "rocker", "point": [0, 0.2, 0] } }]
//! ```
//!
//! The list may also stand in an object, as in a scene: `{ "joints": [ … ] }`.

use std::path::{Path, PathBuf};

use linkwork_scene::Fault;
use linkwork_scene::format::{Document, JointEntry};
use linkwork_scene::read::{Node, Record, check_names, field, from_json};
use serde_json::{Map, Value, json};

use crate::files::Source;
use crate::model::Model;
use crate::xml;

/// `robot.closures.json` for `robot.urdf`.
pub(crate) fn beside(model: &Path) -> PathBuf {
    model.with_extension("closures.json")
}

/// The list in an object.
struct Joints(Vec<JointEntry>);

impl Record for Joints {
    fn read(node: &Node) -> Result<Self, Fault> {
        check_names(node, &["joints"])?;
        field(node, &["joints"], Record::left_out).map(Self)
    }

    fn schema(definitions: &mut Map<String, Value>) -> Value {
        let joints = Vec::<JointEntry>::schema(definitions);
        json!({ "type": "object", "properties": { "joints": joints } })
    }
}

/// The joints of such a file.
pub(crate) fn read(source: &Source, path: &Path) -> Result<Vec<JointEntry>, Fault> {
    let file = path.display().to_string();
    let text = xml::read(source, path)?;
    let joints = match text.trim_start().starts_with('{') {
        true => from_json(&text).map(|Joints(own)| own),
        false => from_json(&text),
    };
    joints.map_err(|mut fault| {
        let form = "give a list of joints, each with a name, a type, a and b on links";
        fault.hint.get_or_insert_with(|| form.to_owned());
        fault.in_file(&file)
    })
}

/// A fault of the file where one of its joints, which are the last of the scene, cannot be built.
pub(crate) fn check(document: &Document, model: &Model) -> Result<(), Fault> {
    if model.extra.is_empty() {
        return Ok(());
    }
    let Err(fault) = linkwork_scene::build(document) else {
        return Ok(());
    };
    let n_before = document.joints.len() - model.extra.len();
    let at = fault.path.strip_prefix("joints[");
    let at = at.and_then(|path| path.split_once(']'));
    let own = at.and_then(|(number, rest)| {
        let number: usize = number.parse().ok()?;
        let joint = model.extra.get(number.checked_sub(n_before)?)?;
        Some(format!("closure \"{}\"{rest}", joint.name))
    });
    match own {
        Some(path) => Err(Fault { path, ..fault }.in_file(&model.extra_file)),
        // Whoever builds the scene is told of the others.
        None => Ok(()),
    }
}
