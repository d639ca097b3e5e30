//! Pictures of a scene: PNG, as numbers over the plane that formulas read.

mod blur;
mod data;
mod field;
mod inflate;
mod png;

use std::sync::Arc;

use crate::fault::{Fault, Under};
use crate::format::PictureEntry;
use crate::read::Node;
use crate::read::node::Tree;
use crate::scene::Scene;

pub(crate) use data::encoded;
pub use field::PictureField;
pub use png::Grey;

/// How far a picture may be blurred, pixels.
const MOST_BLUR: f64 = 64.0;

/// A picture, and what formulas read of it.
#[derive(Clone, Debug)]
pub struct Picture {
    /// As a file says it.
    pub entry: PictureEntry,
    grey: Arc<Grey>,
    brightness: Arc<PictureField>,
    edges: Arc<PictureField>,
}

impl Picture {
    /// The picture of an entry. Pixels of the one that was there before are used again if they are the same.
    fn of(entry: &PictureEntry, before: Option<&Self>) -> Result<Self, Fault> {
        if entry.name.is_empty() {
            return Err(Fault::at("name", "is empty").hint("give it a name"));
        }
        if entry.file.is_some() {
            let hint = "open the scene from its folder, or give \"png\"";
            return Err(Fault::at("file", "is not at hand here").hint(hint));
        }
        if !(entry.width.is_finite() && entry.width > 0.0) {
            let problem = format!("is {}; give meters, more than zero", entry.width);
            return Err(Fault::at("width", problem));
        }
        if !(0.0..=MOST_BLUR).contains(&entry.blur) {
            let problem = format!("is {}; give pixels from 0 to {MOST_BLUR}", entry.blur);
            return Err(Fault::at("blur", problem));
        }
        let grey = match before.filter(|own| own.entry.png == entry.png) {
            Some(own) => own.grey.clone(),
            None => Arc::new(
                data::decoded(&entry.png)
                    .and_then(|own| png::read(&own))
                    .under("png")?,
            ),
        };
        let blurred = blur::blurred(&grey, entry.blur);
        let scale = entry.width / grey.width as f64;
        let at = |pixels: Grey| Arc::new(PictureField::new(pixels, entry.position, scale));
        Ok(Self {
            entry: entry.clone(),
            edges: at(blur::edges(&blurred)),
            brightness: at(blurred),
            grey,
        })
    }

    /// What a name behind the picture's is: brightness, or edges.
    pub(crate) fn field(&self, part: Option<&str>) -> Option<Arc<PictureField>> {
        match part {
            None | Some("grey") => Some(self.brightness.clone()),
            Some("edge") => Some(self.edges.clone()),
            Some(_) => None,
        }
    }

    /// Its pixels as they are, from 0 to 1.
    pub fn pixels(&self) -> &Grey {
        &self.grey
    }
}

/// Adds a picture.
pub(crate) fn add(scene: &mut Scene, entry: &PictureEntry) -> Result<(), Fault> {
    if scene
        .pictures
        .iter()
        .any(|own| own.entry.name == entry.name)
    {
        return Err(Fault::at("name", format!("\"{}\" is taken", entry.name)));
    }
    scene.pictures.push(Arc::new(Picture::of(entry, None)?));
    Ok(())
}

/// Makes a picture another one, in its place. Formulas still read the old one.
pub(crate) fn replace(scene: &mut Scene, entry: &PictureEntry) -> Result<(), Fault> {
    let at = place(scene, &entry.name).under("name")?;
    scene.pictures[at] = Arc::new(Picture::of(entry, Some(&scene.pictures[at]))?);
    Ok(())
}

/// Where the picture of this name is among all.
pub(crate) fn place(scene: &Scene, name: &str) -> Result<usize, Fault> {
    let found = scene.pictures.iter().position(|own| own.entry.name == name);
    found.ok_or_else(|| {
        let known = scene.pictures.iter().map(|own| own.entry.name.as_str());
        Fault::at("", format!("no picture is called \"{name}\"")).meant(name, known)
    })
}

/// Puts pictures of files in the place of their names, in the tree of a scene. `beside` gives the bytes of a file.
pub(crate) fn fill_in(
    tree: &mut Node,
    beside: &dyn Fn(&str) -> Result<Vec<u8>, Fault>,
) -> Result<(), Fault> {
    let mut fields = tree.fields_mut();
    let Some((_, list)) = fields.find(|(key, _)| **key == *"pictures") else {
        return Ok(());
    };
    let Tree::List(entries) = &mut list.tree else {
        return Ok(());
    };
    for (at, entry) in entries.iter_mut().enumerate() {
        let Some(name) = entry.get("file").and_then(Node::text).map(str::to_owned) else {
            continue;
        };
        let bytes = beside(&name).map_err(|fault| Fault {
            problem: format!("{name}: {}", fault.problem),
            ..fault
        });
        let bytes = bytes.under(&format!("pictures[{at}].file"))?;
        entry.set("file", None);
        let text = encoded(&bytes);
        entry.set("png", Some(Node::made(Tree::Text(text.into()))));
    }
    Ok(())
}
