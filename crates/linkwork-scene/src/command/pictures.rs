//! Changes of pictures. Formulas that read them are read again.

use std::sync::Arc;

use super::change::{Change, all};
use super::quantities;
use crate::fault::Fault;
use crate::format::{BodyView, PictureEntry};
use crate::picture::{self, Picture};
use crate::scene::Scene;

/// Adds a picture.
pub(super) fn add(scene: &mut Scene, entry: &PictureEntry) -> Result<Change, Fault> {
    let before = scene.pictures.clone();
    picture::add(scene, entry)?;
    Ok(Change::Pictures(before))
}

/// Makes a picture another one, in its place.
pub(super) fn set(scene: &mut Scene, entry: &PictureEntry) -> Result<Change, Fault> {
    let before = scene.pictures.clone();
    picture::replace(scene, entry)?;
    read_again(scene, before)
}

/// Removes a picture that no formula reads and that is on no body.
pub(super) fn remove(scene: &mut Scene, name: &str) -> Result<Change, Fault> {
    let at = picture::place(scene, name)?;
    let mut views = scene.body_views.iter();
    let is_on = |view: &BodyView| view.picture.as_ref().is_some_and(|own| own.name == name);
    if let Some((body, _)) = views.find(|(_, view)| is_on(view)) {
        let fault = Fault::at("", format!("is on \"{body}\""));
        return Err(fault.hint("take it off first"));
    }
    let before = scene.pictures.clone();
    scene.pictures.remove(at);
    read_again(scene, before).map_err(|fault| fault.hint("remove first what reads the picture"))
}

/// Reads every formula again, or leaves the pictures as they were.
fn read_again(scene: &mut Scene, before: Vec<Arc<Picture>>) -> Result<Change, Fault> {
    match quantities::again(scene).and_then(|changes| all(scene, changes)) {
        Ok(back) => Ok(Change::All(vec![Change::Pictures(before), back])),
        Err(fault) => {
            scene.pictures = before;
            Err(fault)
        }
    }
}
