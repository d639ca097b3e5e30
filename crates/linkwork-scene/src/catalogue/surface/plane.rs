//! The plane across the frame's x.

use super::*;

pub(super) static TYPE: SurfaceType = SurfaceType {
    kind: Type {
        word: "plane",
        rank: 10,
        label: "plane",
        help: "The plane across the frame's x.",
        fields: &[],
    },
    build: |_| Ok(Arc::new(PlaneSurface)),
    describe: |surface| surface.is::<PlaneSurface>().then(Fields::default),
};
