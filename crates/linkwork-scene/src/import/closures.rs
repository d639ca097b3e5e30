//! Loop closures in a file beside a model: joints as a scene has them, by the names of links.
//!
//! ```json
//! [{ "name": "coupler", "type": "ball",
//!    "a": { "body": "crank", "point": [0.1, 0, 0] }, "b": { "body": "rocker", "point": [0, 0.2, 0] } }]
//! ```

use std::path::{Path, PathBuf};

use super::xml;
use crate::Fault;
use crate::format::JointEntry;

/// `robot.closures.json` for `robot.urdf`.
pub(super) fn beside(model: &Path) -> PathBuf {
    model.with_extension("closures.json")
}

/// The joints of such a file.
pub(super) fn read(path: &Path) -> Result<Vec<JointEntry>, Fault> {
    let file = path.display().to_string();
    let text = xml::read(path)?;
    let mut deserializer = serde_json::Deserializer::from_str(&text);
    serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let mut fault = Fault::at(error.path().to_string(), error.inner().to_string());
        fault.place = Some((error.inner().line(), error.inner().column()));
        fault
            .in_file(&file)
            .hint("give a list of joints, each with a name, a type, a and b on links")
    })
}
