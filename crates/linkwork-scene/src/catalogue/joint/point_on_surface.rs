//! A point of b stays on a surface of a.

use super::super::fields::{AXIS, SIDES, SURFACE};
use super::*;
use crate::catalogue::surface;

pub(super) static TYPE: JointType = JointType {
    kind: Type {
        word: "point-on-surface",
        rank: 130,
        label: "point on a surface",
        help: "A point of b stays on a surface of a.",
        fields: &[SIDES, &[AXIS, SURFACE]],
    },
    build: |scene, entry| {
        let [a, b] = sides(scene, entry)?;
        let a = as_frame(scene, entry, a, &AXIS)?;
        let surface = surface::make(&entry.fields, &SURFACE)?;
        add_law(scene, entry, PointOnSurface { surface }, vec![a, b])
    },
    describe: |held| {
        let PointOnSurface { surface } = held.is()?;
        Some(Fields::default().with(&SURFACE, surface::describe(&**surface)?))
    },
    glyph: Glyph {
        surface: true,
        ..Glyph::MARK
    },
    ..BLANK
};
