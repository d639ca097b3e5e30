//! A torus about the frame's x.

use super::*;

const MAJOR: Field = Field::number("major", "m", "From the axis to the middle of the tube.")
    .positive()
    .required();
const MINOR: Field = Field::number("minor", "m", "Radius of the tube.")
    .positive()
    .required();

pub(super) static TYPE: SurfaceType = SurfaceType {
    kind: Type {
        word: "torus",
        rank: 50,
        label: "torus",
        help: "A torus about the frame's x.",
        fields: &[&[MAJOR, MINOR]],
    },
    build: |fields| {
        let (major, minor) = (fields.need(&MAJOR)?, fields.need(&MINOR)?);
        Ok(Arc::new(TorusSurface { major, minor }))
    },
    describe: |surface| {
        let TorusSurface { major, minor } = surface.downcast_ref()?;
        Some(Fields::default().with(&MAJOR, *major).with(&MINOR, *minor))
    },
};
