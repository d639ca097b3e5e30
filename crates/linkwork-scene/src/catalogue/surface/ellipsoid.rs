//! An ellipsoid about the frame's origin.

use super::*;

const SEMI_AXES: Field = Field::vector("semi_axes", "m", "Semi-axes along x, y, z.").required();

pub(super) static TYPE: SurfaceType = SurfaceType {
    kind: Type {
        word: "ellipsoid",
        rank: 40,
        label: "ellipsoid",
        help: "An ellipsoid about the frame's origin.",
        fields: &[&[SEMI_AXES]],
    },
    build: |fields| {
        let semi_axes = fields.need(&SEMI_AXES)?;
        Ok(Arc::new(EllipsoidSurface { semi_axes }))
    },
    describe: |surface| {
        let EllipsoidSurface { semi_axes } = surface.downcast_ref()?;
        Some(Fields::default().with(&SEMI_AXES, *semi_axes))
    },
};
