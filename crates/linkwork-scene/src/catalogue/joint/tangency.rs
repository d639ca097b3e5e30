//! A surface of a and a surface of b touch.

use super::*;

use crate::catalogue::surface;

const SURFACE_B: Field = Field::new(
    "surface_b",
    Form::Entry(&surface::SORT),
    "The surface of b.",
)
.required();

mirror!(Tangency {
    surface_a: SURFACE,
    surface_b: SURFACE_B
});

pub(super) static TYPE: JointType = JointType {
    sides: |scene, entry| framed(scene, entry, &[AXIS, AXIS]),
    ..JointType::of::<Tangency>(Type::new(
        140,
        "tangency",
        "A surface of a and a surface of b touch.",
        &[SIDES, &[AXIS], Tangency::FIELDS],
    ))
};
