//! A turn at constant rate.

use super::*;

const POINT: Field = Field::vector(
    "point",
    "m",
    "A point on the axis, world; the body's position when left out.",
)
.lab(&InLab::role(Role::Side));
const ABOUT: Field = AXIS.help("Direction of the axis, world.").required();
const RATE: Field = Field::angle("rate", "rate_deg", "Angular rate.")
    .in_unit("rad/s")
    .required()
    .lab(&InLab::called("speed"));

pub(super) static TYPE: MotionType = MotionType {
    kind: Type::new(
        20,
        "spin",
        "Turns about an axis through a point at a constant rate.",
        &[&[POINT, ABOUT, RATE]],
    ),
    build: |fields, start| {
        Ok(Kinematic::new(Spin {
            start,
            point_world: fields.or(&POINT, start.position)?,
            axis_world: fields.need(&ABOUT)?,
            rate: fields.own(&RATE)?,
        }))
    },
    describe: |motion| {
        let spin: &Spin = motion.downcast_ref()?;
        let fields = Fields::default().with(&POINT, spin.point_world);
        let fields = fields.with(&ABOUT, spin.axis_world).with(&RATE, spin.rate);
        Some((fields, spin.start))
    },
};
