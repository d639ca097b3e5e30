//! From text to a document, with mistakes answered by place, cause and advice.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::fault::Fault;
use crate::format::{Document, VERSION};
use crate::scene::Scene;

mod explain;
mod locate;
mod objects;
mod whereabouts;

use explain::explain;
use objects::Objects;

/// Longer files are refused unread.
pub const MAX_BYTES: u64 = 256 << 20;

/// Brings a document from one version of the format to the next.
type Upgrade = fn(&mut Value) -> Result<(), Fault>;

/// `UPGRADES[n]` goes from version n + 1 to n + 2.
const UPGRADES: &[Upgrade] = &[];

/// Reads a document.
pub fn parse(text: &str) -> Result<Document, Fault> {
    #[derive(Deserialize)]
    struct Version {
        linkwork: Option<Value>,
    }
    if text.trim().is_empty() {
        let hint = "a scene begins with { \"linkwork\": 1";
        return Err(Fault::at("", "the file is empty").hint(hint));
    }
    if !text.trim_start().starts_with('{') {
        let hint = "a scene is a JSON object: { \"linkwork\": 1, … }";
        return Err(Fault::at("", "is no scene").hint(hint));
    }
    let version: Version = from_json(text)?;
    match version.linkwork {
        None => Err(Fault::at("", "has no \"linkwork\"")
            .hint("a scene says which version of the format it is in: \"linkwork\": 1")),
        Some(Value::Number(version)) if version.as_u64() == Some(VERSION.into()) => from_json(text),
        Some(version) => upgraded(text, &version, UPGRADES),
    }
}

/// The scene of a text. What is wrong is named by its place in the text.
pub fn load(text: &str) -> Result<Scene, Fault> {
    crate::build(&parse(text)?).map_err(|mut fault| {
        fault.place = fault.place.or_else(|| locate::locate(text, &fault.path));
        fault
    })
}

/// Reads a document of an older version; refuses one of a newer version.
fn upgraded(text: &str, version: &Value, upgrades: &[Upgrade]) -> Result<Document, Fault> {
    let newest = upgrades.len() as u64 + 1;
    let Some(from) = version.as_u64().filter(|version| *version >= 1) else {
        let problem = format!("is {version}, which is no version of the format");
        return Err(Fault::at("linkwork", problem).hint(format!("give {newest}")));
    };
    if from > newest {
        let problem = format!("is {from}, but this program reads versions up to {newest}");
        return Err(Fault::at("linkwork", problem).hint("get a newer linkwork"));
    }
    let mut value: Value = from_json(text)?;
    for (upgrade, to) in upgrades.iter().zip(2..).skip(from as usize - 1) {
        upgrade(&mut value)?;
        value["linkwork"] = Value::from(to);
    }
    // By way of a text, so that there is one reader of documents; places in it are nobody's.
    from_json(&value.to_string()).map_err(|fault| Fault {
        place: None,
        ..fault
    })
}

/// Reads JSON of any type, with the path of what is wrong.
pub(crate) fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, Fault> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = T::deserialize(Objects(&mut reader));
    let read = read.and_then(|value| reader.end().map(|()| value));
    read.map_err(|error| explain(&error, text))
}

/// Reads a text file that is not longer than [`MAX_BYTES`].
pub fn read_text(path: &Path) -> Result<String, Fault> {
    let name = path.display().to_string();
    let refuse = |problem: String| Fault::at("", problem).in_file(&name);
    let file = File::open(path).map_err(|error| refuse(error.to_string()))?;
    let length = file
        .metadata()
        .map_err(|error| refuse(error.to_string()))?
        .len();
    if length > MAX_BYTES {
        return Err(too_long(length).in_file(&name));
    }
    read_from(file).map_err(|fault| fault.in_file(&name))
}

/// Reads text that is not longer than [`MAX_BYTES`].
pub fn read_from(from: impl Read) -> Result<String, Fault> {
    let mut bytes = Vec::new();
    let read = from.take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| Fault::at("", error.to_string()))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(too_long(bytes.len() as u64));
    }
    // Some editors put a mark before the text.
    if bytes.starts_with("\u{feff}".as_bytes()) {
        bytes.drain(..3);
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Fault::at("", format!("is not text: byte {at} is not UTF-8")).hint("a scene is a JSON text")
    })
}

fn too_long(bytes: u64) -> Fault {
    let problem = format!("has {bytes} bytes, more than the {MAX_BYTES} that are read");
    Fault::at("", problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first version has nothing to upgrade from; the way is there, and is walked here.
    #[test]
    fn older_versions_are_upgraded() {
        let title: Upgrade = |value| {
            let title = value["title"].take();
            value["name"] = title;
            value.as_object_mut().unwrap().remove("title");
            Ok(())
        };
        let text = r#"{ "linkwork": 1, "title": "old" }"#;
        let document = upgraded(text, &Value::from(1), &[title]).unwrap();
        assert_eq!(document.name.as_deref(), Some("old"));
        assert_eq!(document.linkwork, 2);
        let newer = upgraded(text, &Value::from(3), &[title]).unwrap_err();
        assert_eq!(
            newer.to_string(),
            "linkwork: is 3, but this program reads versions up to 2\n  hint: get a newer linkwork"
        );
    }
}
