//! A sphere about the frame's origin.

use super::*;

mirror!(SphereSurface { radius: RADIUS });

pub(super) static TYPE: SurfaceType = SurfaceType::of::<SphereSurface>(Type::new(
    20,
    "sphere",
    "A sphere about the frame's origin.",
    &[SphereSurface::FIELDS],
));
