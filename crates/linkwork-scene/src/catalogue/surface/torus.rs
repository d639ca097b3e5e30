//! A torus about the frame's x.

use super::*;

const MAJOR: Field = Field::number("major", "m", "From the axis to the middle of the tube.")
    .positive()
    .required();
const MINOR: Field = Field::number("minor", "m", "Radius of the tube.")
    .positive()
    .required();

mirror!(TorusSurface {
    major: MAJOR,
    minor: MINOR
});

pub(super) static TYPE: SurfaceType = SurfaceType::of::<TorusSurface>(Type::new(
    50,
    "torus",
    "A torus about the frame's x.",
    &[TorusSurface::FIELDS],
));
