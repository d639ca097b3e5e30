//! From text to a document, with mistakes answered by place, cause and advice.

use std::fs::File;
use std::io::Read;
use std::path::{Component, Path};

use crate::export::number_text;
use crate::fault::Fault;
use crate::format::{Document, VERSION};
use crate::parameter::{Parameters, evaluated};
use crate::scene::Scene;

pub(crate) mod node;
pub(crate) mod record;
mod setting;
mod stream;

pub use node::Node;
pub use record::{Record, check_names, field};
pub use setting::{Draft, Misfit, Setting, Variant};

use node::Tree;

/// Longer files are refused unread.
pub const MAX_BYTES: u64 = 256 << 20;

/// Brings a document from one version of the format to the next.
type Upgrade = fn(&mut Node) -> Result<(), Fault>;

/// `UPGRADES[n]` goes from version n + 1 to n + 2.
const UPGRADES: &[Upgrade] = &[];

/// Reads a document.
pub fn parse(text: &str) -> Result<Document, Fault> {
    document(&tree(text)?).map_err(|fault| located(fault, text))
}

/// Gives the bytes of a file that lies beside a scene, by its name.
pub type Beside<'b> = &'b dyn Fn(&str) -> Result<Vec<u8>, Fault>;

/// The same, with what lies in files beside it: rows of tables, pictures.
pub fn parse_beside(text: &str, beside: Beside<'_>) -> Result<Document, Fault> {
    let whole = tree_beside(text, beside).and_then(|tree| document(&tree));
    whole.map_err(|fault| located(fault, text))
}

/// The tree of a document and of the files beside it.
fn tree_beside(text: &str, beside: Beside<'_>) -> Result<Node, Fault> {
    let mut tree = tree(text)?;
    crate::table::fill_in(&mut tree, beside)?;
    crate::picture::fill_in(&mut tree, beside)?;
    Ok(tree)
}

/// Reads files of a folder, and of folders in it: a scene of a stranger reads nothing else.
pub fn in_folder(folder: &Path, name: &str) -> Result<Vec<u8>, Fault> {
    let is_inside = Path::new(name)
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !is_inside {
        let fault = Fault::at("", "does not lie beside the scene");
        return Err(fault.hint("put it into the folder of the scene, and give its name"));
    }
    bytes_of(&folder.join(name))
}

/// The document of a tree, with its texts worked out.
pub(crate) fn document(tree: &Node) -> Result<Document, Fault> {
    document_with(tree, Parameters::of(tree, 0.0)?)
}

/// The same with other parameters than the tree has.
pub(crate) fn document_with(tree: &Node, parameters: Parameters) -> Result<Document, Fault> {
    if parameters.source().is_none() {
        return Document::read(tree);
    }
    let mut document = Document::read(&evaluated(tree, &parameters))?;
    let state = &document.state;
    let time = state.started.unwrap_or(state.time);
    document.parameters = parameters.started(time);
    Ok(document)
}

/// The tree of a document, of the newest version.
fn tree(text: &str) -> Result<Node, Fault> {
    if text.trim().is_empty() {
        let hint = "a scene begins with { \"linkwork\": 1";
        return Err(Fault::at("", "the file is empty").hint(hint));
    }
    if !text.trim_start().starts_with('{') {
        let hint = "a scene is a JSON object: { \"linkwork\": 1, … }";
        return Err(Fault::at("", "is no scene").hint(hint));
    }
    upgraded(Node::parse(text)?, UPGRADES)
}

/// The scene of a text. What is wrong is named by its place in the text.
pub fn load(text: &str) -> Result<Scene, Fault> {
    if let Some(scene) = stream::scene(text, None) {
        return Ok(scene);
    }
    crate::build(&parse(text)?).map_err(|fault| located(fault, text))
}

/// The same, with what lies in files beside it.
pub fn load_beside(text: &str, beside: Beside<'_>) -> Result<Scene, Fault> {
    if let Some(scene) = stream::scene(text, Some(beside)) {
        return Ok(scene);
    }
    crate::build(&parse_beside(text, beside)?).map_err(|fault| located(fault, text))
}

/// A fault with its place in a text that was parsed before.
pub fn located(mut fault: Fault, text: &str) -> Fault {
    let find = || Some(Node::parse(text).ok()?.locate(text, &fault.path));
    fault.place = fault.place.or_else(find);
    fault
}

/// A document of this version or an older one, as of the newest version; refuses one of a newer version.
fn upgraded(mut node: Node, upgrades: &[Upgrade]) -> Result<Node, Fault> {
    let newest = upgrades.len() as u32 + VERSION;
    let Some(version) = node.get("linkwork") else {
        return Err(Fault::at("", "has no \"linkwork\"")
            .hint("a scene says which version of the format it is in: \"linkwork\": 1"));
    };
    let from = match version.tree {
        Tree::Number(number) if number >= 1.0 && number.fract() == 0.0 => number,
        _ => {
            let problem = format!(
                "is {}, which is not a version of the format",
                version.told()
            );
            return Err(Fault::at("linkwork", problem).hint(format!("give {newest}")));
        }
    };
    if from > f64::from(newest) {
        let from = number_text(from);
        let problem = format!("is {from}, but this program reads versions up to {newest}");
        return Err(Fault::at("linkwork", problem).hint("get a newer linkwork"));
    }
    for upgrade in upgrades.iter().skip(from as usize - 1) {
        upgrade(&mut node)?;
    }
    if let Some((_, version)) = node.fields_mut().find(|(key, _)| **key == *"linkwork") {
        version.tree = Tree::Number(newest.into());
    }
    Ok(node)
}

/// Reads JSON of any type, with the path and the place of what is wrong.
pub fn from_json<T: Record>(text: &str) -> Result<T, Fault> {
    let node = Node::parse(text)?;
    T::read(&node).map_err(|mut fault| {
        fault.place = Some(node.locate(text, &fault.path));
        fault
    })
}
/// Reads a text file that is not longer than [`MAX_BYTES`].
pub fn read_text(path: &Path) -> Result<String, Fault> {
    let name = path.display().to_string();
    let text = bytes_of(path).and_then(text_of);
    text.map_err(|fault| fault.in_file(&name))
}

/// The bytes of a file that is not longer than [`MAX_BYTES`].
pub fn bytes_of(path: &Path) -> Result<Vec<u8>, Fault> {
    let refuse = |error: std::io::Error| Fault::at("", error.to_string());
    let file = File::open(path).map_err(refuse)?;
    let length = file.metadata().map_err(refuse)?.len();
    if length > MAX_BYTES {
        return Err(too_long(length));
    }
    bytes_from(file)
}

/// Reads text that is not longer than [`MAX_BYTES`].
pub fn read_from(from: impl Read) -> Result<String, Fault> {
    text_of(bytes_from(from)?)
}

/// Reads bytes that are not more than [`MAX_BYTES`].
pub fn bytes_from(from: impl Read) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    let read = from.take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| Fault::at("", error.to_string()))?;
    match bytes.len() as u64 > MAX_BYTES {
        true => Err(too_long(bytes.len() as u64)),
        false => Ok(bytes),
    }
}

/// The text that bytes are.
pub(crate) fn text_of(mut bytes: Vec<u8>) -> Result<String, Fault> {
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
        let title: Upgrade = |node| {
            for (key, _) in node.fields_mut().filter(|(key, _)| **key == *"title") {
                *key = "name".into();
            }
            Ok(())
        };
        let text = r#"{ "linkwork": 1, "title": "old" }"#;
        let node = upgraded(Node::parse(text).unwrap(), &[title]).unwrap();
        let document = Document::read(&node).unwrap();
        assert_eq!(document.name.as_deref(), Some("old"));
        assert_eq!(document.linkwork, 2);
        let text = r#"{ "linkwork": 3 }"#;
        let newer = upgraded(Node::parse(text).unwrap(), &[title]).unwrap_err();
        assert_eq!(
            newer.to_string(),
            "linkwork: is 3, but this program reads versions up to 2\n  hint: get a newer linkwork"
        );
    }
}
