//! Free to turn about one axis. In the plane: a pin.

use super::*;

pub(super) static TYPE: JointType = JointType {
    planar: true,
    glyph: Glyph {
        bearing: true,
        ..Glyph::meeting(Sign::Pin)
    },
    coordinates: &[Driven::Angle],
    drive: Some(Drive {
        kind: "angle-drive",
        law: |function| Arc::new(AngleDrive { function }),
        servo_kind: "angle-servo",
        servo: |(function, gain, least, most)| {
            Arc::new(AngleServo {
                function,
                gain,
                least,
                most,
            })
        },
        most: (MAX_TORQUE, MAX_FORCE),
    }),
    bounds: Some(beside::on_angle),
    limited_by: Some("angle-limit"),
    armature: Some(|inertia| Arc::new(AngleArmature { inertia })),
    frames: Framed::InSpace,
    joins: Some(20),
    ..JointType::pair(
        Type::new(
            20,
            "hinge",
            "Free to turn about one axis. In the plane: a pin.",
            &[
                SIDES_AT,
                &[AXIS, MOTOR, DRIVE, ARMATURE],
                ON_COORDINATE,
                CLOSES,
            ],
        ),
        Pair {
            join: |world, name, [a, b], axes| {
                let axis_world = axes[0];
                world.join(name, Hinge { axis_world }, a, b)
            },
            law: FramePair::hinge,
            in_plane: Some(FramePair::ball),
            axes: &[AXIS],
        },
    )
};
