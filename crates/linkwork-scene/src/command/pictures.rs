//! Changes of pictures. Formulas that read them are read again.

use std::sync::Arc;

use super::change::{Change, all};
use super::quantities;
use crate::fault::Fault;
use crate::format::PictureEntry;
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

/// Removes a picture that no formula reads.
pub(super) fn remove(scene: &mut Scene, name: &str) -> Result<Change, Fault> {
    let at = picture::place(scene, name)?;
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
