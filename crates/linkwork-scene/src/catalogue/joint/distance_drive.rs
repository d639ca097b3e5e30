//! The distance of two points is a function of time.

use super::super::fields::{FUNCTION, SIDES};
use super::*;

pub(super) static TYPE: JointType = JointType {
    kind: Type {
        word: "distance-drive",
        rank: 250,
        label: "distance drive",
        help: "The distance of two points is a function of time.",
        fields: &[SIDES, &[FUNCTION]],
    },
    build: |scene, entry| {
        let sides = sides(scene, entry)?;
        let function = function::make(&entry.fields, &FUNCTION)?;
        add_law(scene, entry, DistanceDrive { function }, sides.to_vec())
    },
    describe: |held| {
        let DistanceDrive { function } = held.is()?;
        Some(Fields::default().with(&FUNCTION, function::describe(&**function)?))
    },
    planar: true,
    glyph: Glyph {
        link: "drive",
        ..Glyph::holding("")
    },
    ..BLANK
};
