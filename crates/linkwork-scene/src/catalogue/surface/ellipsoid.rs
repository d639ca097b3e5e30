//! An ellipsoid about the frame's origin.

use super::*;

const SEMI_AXES: Field = Field::vector("semi_axes", "m", "Semi-axes along x, y, z.").required();

mirror!(EllipsoidSurface {
    semi_axes: SEMI_AXES
});

pub(super) static TYPE: SurfaceType = SurfaceType::of::<EllipsoidSurface>(Type::new(
    40,
    "ellipsoid",
    "An ellipsoid about the frame's origin.",
    &[EllipsoidSurface::FIELDS],
));
