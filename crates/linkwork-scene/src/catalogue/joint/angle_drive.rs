//! The angle from a to b is a function of time.

use super::super::fields::{AXIS, FUNCTION, SIDES_AT};
use super::*;

pub(super) static TYPE: JointType = JointType {
    kind: Type {
        word: "angle-drive",
        rank: 230,
        label: "angle drive",
        help: "The angle from a to b is a function of time.",
        fields: &[SIDES_AT, &[AXIS, FUNCTION]],
    },
    build: |scene, entry| {
        let [a, b] = sides(scene, entry)?;
        let (world, planar) = (&scene.world, in_plane(&a) || in_plane(&b));
        let (a, b) = match planar {
            true => (
                world.planar_frame_on(a, 0.0)?,
                world.planar_frame_on(b, 0.0)?,
            ),
            false => (
                as_frame(scene, entry, a, &AXIS)?,
                as_frame(scene, entry, b, &AXIS)?,
            ),
        };
        let function = function::make(&entry.fields, &FUNCTION)?;
        add_law(scene, entry, AngleDrive { function }, vec![a, b])
    },
    describe: |held| {
        let AngleDrive { function } = held.is()?;
        Some(Fields::default().with(&FUNCTION, function::describe(&**function)?))
    },
    planar: true,
    glyph: Glyph {
        sign: "turning",
        ..Glyph::MARK
    },
    ..BLANK
};
