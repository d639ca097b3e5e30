//! The position of b along a's x is a function of time.

use super::super::fields::{AXIS, FUNCTION, SIDES_AT};
use super::*;

pub(super) static TYPE: JointType = JointType {
    kind: Type {
        word: "length-drive",
        rank: 240,
        label: "length drive",
        help: "The position of b along a's x is a function of time.",
        fields: &[SIDES_AT, &[AXIS, FUNCTION]],
    },
    build: |scene, entry| {
        let [a, b] = sides(scene, entry)?;
        let (world, planar) = (&scene.world, in_plane(&a) || in_plane(&b));
        let along = || Ok::<_, Fault>(entry.fields.get::<Vec3>(&AXIS)?.unwrap_or([1.0, 0.0, 0.0]));
        let a = match planar {
            true => {
                let [x, y, _] = along()?;
                world.planar_frame_on(a, libm::atan2(y, x))?
            }
            false => as_frame(scene, entry, a, &AXIS)?,
        };
        let function = function::make(&entry.fields, &FUNCTION)?;
        add_law(scene, entry, LengthDrive { function }, vec![a, b])
    },
    describe: |held| {
        let LengthDrive { function } = held.is()?;
        Some(Fields::default().with(&FUNCTION, function::describe(&**function)?))
    },
    planar: true,
    glyph: Glyph {
        sign: "",
        link: "drive",
        slides: true,
        ..Glyph::MARK
    },
    ..BLANK
};
