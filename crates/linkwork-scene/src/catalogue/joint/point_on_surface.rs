//! A point of b stays on a surface of a.

use super::*;
use crate::catalogue::surface;

mirror!(PointOnSurface { surface: SURFACE });

pub(super) static TYPE: JointType = JointType {
    sides: |scene, entry| {
        let mut sides = sides(scene, entry)?;
        let mut axis = entry.fields.get(&AXIS)?;
        if axis.is_none() {
            // What a formula of x, y and z says, it says in world axes: the frame along x has them.
            let surface = surface::make(&entry.fields, &SURFACE)?;
            let known = surface::describe(&*surface);
            axis = known.and_then(|(kind, _)| kind.is_formula.then_some([1.0, 0.0, 0.0]));
        }
        sides[0] = ends::frame_along(scene, sides[0], axis, &AXIS)?;
        Ok(sides.to_vec())
    },
    glyph: Glyph {
        surface: true,
        ..Glyph::MARK
    },
    ..JointType::of::<PointOnSurface>(
        Type::new(
            130,
            "point-on-surface",
            "A point of b stays on a surface of a.",
            &[SIDES, &[AXIS], PointOnSurface::FIELDS],
        )
        .called("point on a surface"),
    )
};
