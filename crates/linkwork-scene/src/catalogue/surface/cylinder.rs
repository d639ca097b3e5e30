//! A cylinder about the frame's x.

use super::super::fields::RADIUS;
use super::*;

pub(super) static TYPE: SurfaceType = SurfaceType {
    kind: Type {
        word: "cylinder",
        rank: 30,
        label: "cylinder",
        help: "A cylinder about the frame's x.",
        fields: &[&[RADIUS]],
    },
    build: |fields| {
        let radius = fields.need(&RADIUS)?;
        Ok(Arc::new(CylinderSurface { radius }))
    },
    describe: |surface| {
        let CylinderSurface { radius } = surface.downcast_ref()?;
        Some(Fields::default().with(&RADIUS, *radius))
    },
};
