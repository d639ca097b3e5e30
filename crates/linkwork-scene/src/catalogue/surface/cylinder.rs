//! A cylinder about the frame's x.

use super::*;

mirror!(CylinderSurface { radius: RADIUS });

pub(super) static TYPE: SurfaceType = SurfaceType::of::<CylinderSurface>(Type::new(
    30,
    "cylinder",
    "A cylinder about the frame's x.",
    &[CylinderSurface::FIELDS],
));
