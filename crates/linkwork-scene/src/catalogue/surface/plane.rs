//! The plane across the frame's x.

use super::*;

mirror!(PlaneSurface {});

pub(super) static TYPE: SurfaceType = SurfaceType::of::<PlaneSurface>(Type::new(
    10,
    "plane",
    "The plane across the frame's x.",
    &[PlaneSurface::FIELDS],
));
