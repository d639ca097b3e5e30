//! A sphere about the frame's origin.

use super::super::fields::RADIUS;
use super::*;

pub(super) static TYPE: SurfaceType = SurfaceType {
    kind: Type {
        word: "sphere",
        rank: 20,
        label: "sphere",
        help: "A sphere about the frame's origin.",
        fields: &[&[RADIUS]],
    },
    build: |fields| {
        let radius = fields.need(&RADIUS)?;
        Ok(Arc::new(SphereSurface { radius }))
    },
    describe: |surface| {
        let SphereSurface { radius } = surface.downcast_ref()?;
        Some(Fields::default().with(&RADIUS, *radius))
    },
};
