//! Pictures of a scene: PNG, as numbers over the plane that formulas read.

mod blur;
mod data;
mod field;
mod film;
mod inflate;
mod png;

use std::sync::Arc;

use linkwork_formula::Field;

use crate::fault::{Fault, Under};
use crate::format::PictureEntry;
use crate::read::node::Tree;
use crate::read::{Beside, Node};
use crate::scene::Scene;

pub(crate) use data::encoded;
pub use field::PictureField;
pub(crate) use film::set as set_film;
pub use png::Gray;

/// How far a picture may be blurred, pixels.
const MOST_BLUR: f64 = 64.0;

/// A picture or a film, and what formulas read of it.
#[derive(Clone, Debug)]
pub struct Picture {
    /// As a file says it.
    pub entry: PictureEntry,
    frames: Vec<Arc<Gray>>,
    brightness: Arc<dyn Field>,
    edges: Arc<dyn Field>,
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
        let frames = match &entry.film {
            None => vec![Self::gray(&entry.png, before).under("png")?],
            Some(film) => film::check(entry, film).under("film")?.frames(before)?,
        };
        let scale = entry.width / frames[0].width as f64;
        let field = |pixels: Gray| PictureField::new(pixels, entry.position, scale);
        let (mut brightness, mut edges) = (Vec::new(), Vec::new());
        for gray in &frames {
            let blurred = blur::blurred(gray, entry.blur);
            edges.push(field(blur::edges(&blurred)));
            brightness.push(field(blurred));
        }
        Ok(Self {
            entry: entry.clone(),
            frames,
            brightness: film::of(entry.film.as_ref(), brightness),
            edges: film::of(entry.film.as_ref(), edges),
        })
    }

    /// The pixels of a text, used again if there are any of it.
    fn gray(text: &str, before: Option<&Self>) -> Result<Arc<Gray>, Fault> {
        let known = before.and_then(|own| own.frames.get(own.texts().position(|own| own == text)?));
        match known {
            Some(known) => Ok(known.clone()),
            None => Ok(Arc::new(png::read(&data::decoded(text)?)?)),
        }
    }

    /// The texts of its pictures.
    fn texts(&self) -> impl Iterator<Item = &String> {
        let film = self.entry.film.as_ref();
        let one = film.is_none().then_some(&self.entry.png);
        one.into_iter()
            .chain(film.into_iter().flat_map(|own| &own.png))
    }

    /// The text of the picture that is shown at a time.
    pub fn shown(&self, t: f64) -> &str {
        match &self.entry.film {
            None => &self.entry.png,
            Some(film) => &film.png[film::frame(film, t)],
        }
    }

    /// Of a film: from when to when the picture holds that is shown at a time.
    pub(crate) fn holds(&self, t: f64) -> Option<[Option<f64>; 2]> {
        self.entry.film.as_ref().map(|film| film::holds(film, t))
    }

    /// What a name behind the picture's is: brightness, or edges.
    pub(crate) fn field(&self, part: Option<&str>) -> Option<Arc<dyn Field>> {
        match part {
            None | Some("gray" | "grey") => Some(self.brightness.clone()),
            Some("edge") => Some(self.edges.clone()),
            Some(_) => None,
        }
    }

    /// Its pixels as they are, from 0 to 1; of a film, those of its first picture.
    pub fn pixels(&self) -> &Gray {
        &self.frames[0]
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
pub(crate) fn fill_in(tree: &mut Node, beside: Beside<'_>) -> Result<(), Fault> {
    let mut fields = tree.fields_mut();
    let Some((_, list)) = fields.find(|(key, _)| **key == *"pictures") else {
        return Ok(());
    };
    let Tree::List(entries) = &mut list.tree else {
        return Ok(());
    };
    for (at, entry) in entries.iter_mut().enumerate() {
        let films = entry
            .fields_mut()
            .filter(|(key, _)| **key == *"film")
            .map(|own| &mut own.1);
        for film in films {
            film::fill_in(film, beside).under(&format!("pictures[{at}].film"))?;
        }
        let Some(name) = entry.get("file").and_then(Node::text).map(str::to_owned) else {
            continue;
        };
        let text = text_of(&name, beside).under(&format!("pictures[{at}].file"))?;
        entry.set("file", None);
        entry.set("png", Some(text));
    }
    Ok(())
}

/// A file as a text in the tree of a scene.
fn text_of(name: &str, beside: Beside<'_>) -> Result<Node, Fault> {
    let bytes = beside(name).map_err(|fault| Fault {
        problem: format!("{name}: {}", fault.problem),
        ..fault
    })?;
    Ok(Node::made(Tree::Text(encoded(&bytes).into())))
}
