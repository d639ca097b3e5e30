//! Free to slide along one axis.

use super::*;

pub(super) static TYPE: JointType = JointType {
    planar: true,
    glyph: Glyph::sliding(Sign::Block),
    coordinates: &[Driven::Length],
    drive: Some(Drive {
        kind: "length-drive",
        law: |function| Arc::new(LengthDrive { function }),
        servo_kind: "length-servo",
        servo: |(function, gain, least, most)| {
            Arc::new(LengthServo {
                function,
                gain,
                least,
                most,
            })
        },
        most: (MAX_FORCE, MAX_TORQUE),
    }),
    bounds: Some(beside::on_length),
    limited_by: Some("length-limit"),
    armature: Some(|inertia| Arc::new(LengthArmature { inertia })),
    joins: Some(50),
    ..JointType::pair(
        Type::new(
            50,
            "prismatic",
            "Free to slide along one axis.",
            &[
                SIDES_AT,
                &[AXIS, MOTOR, DRIVE, ARMATURE],
                ON_COORDINATE,
                CLOSES,
            ],
        )
        .called("slider"),
        Pair {
            join: |world, name, [a, b], axes| {
                let axis_world = axes[0];
                world.join(name, Prismatic { axis_world }, a, b)
            },
            law: FramePair::prismatic,
            in_plane: Some(FramePair::prismatic),
            axes: &[AXIS],
        },
    )
};
