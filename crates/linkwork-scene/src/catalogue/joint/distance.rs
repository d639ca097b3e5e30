//! Two points stay a distance apart.

use super::super::fields::{DISTANCE, SIDES};
use super::*;

pub(super) static TYPE: JointType = JointType {
    kind: Type {
        word: "distance",
        rank: 100,
        label: "distance",
        help: "Two points stay a distance apart.",
        fields: &[SIDES, &[DISTANCE]],
    },
    build: |scene, entry| {
        let length = entry.fields.need(&DISTANCE)?;
        let sides = sides(scene, entry)?;
        add_law(scene, entry, Distance { length }, sides.to_vec())
    },
    describe: |held| {
        let Distance { length } = held.is().filter(|_| held.spring().is_none())?;
        Some(Fields::default().with(&DISTANCE, *length))
    },
    planar: true,
    glyph: Glyph {
        link: "bar",
        ..Glyph::holding("")
    },
    palette: true,
    ..BLANK
};
