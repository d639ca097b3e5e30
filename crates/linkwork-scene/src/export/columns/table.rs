//! What each sort of thing has that can be a column.

use super::source::Kind;

/// A quantity.
pub(super) struct Row {
    pub(super) name: &'static str,
    /// What must be there for it.
    pub(super) needs: u16,
    /// Its source, and where in it it begins.
    pub(super) kind: Kind,
    pub(super) first: usize,
    pub(super) axes: Axes,
    pub(super) unit: &'static str,
    /// What it is.
    pub(super) about: &'static str,
}

/// Components of a quantity.
#[derive(Clone, Copy)]
pub(super) enum Axes {
    /// A number.
    One,
    /// x, y, z.
    Xyz,
    /// The same; of what is in the plane x and y.
    Place,
    /// w, x, y, z.
    Wxyz,
}

/// Declares a table.
macro_rules! rows {
    ($(#[doc = $doc:literal])* $table:ident: $($name:literal if $needs:expr, $kind:ident $first:literal $axes:ident $unit:literal $about:expr;)*) => {
        $(#[doc = $doc])*
        pub(super) const $table: &[Row] = &[$(Row {
            name: $name,
            needs: $needs,
            kind: Kind::$kind,
            first: $first,
            axes: Axes::$axes,
            unit: $unit,
            about: $about,
        }),*];
    };
}

pub(super) const ANGLE: &str = "its angle, counting turns";
pub(super) const SPIN: &str = "the rate of its angle, an angular speed";
const SIZE: &str = "its magnitude";

rows! { TIME:
    "" if 0, Time 0 One "s" "time";
}

rows! { ENERGY:
    "total" if 0, Energy 0 One "J" "all energy";
    "kinetic" if 0, Energy 1 One "J" "½·vᵀ·M·v of all bodies";
    "potential" if 0, Energy 2 One "J" "of weights, springs and other behaviors";
    "elastic" if 0, Energy 3 One "J" "in deformed bodies and soft joints";
}

rows! { MOMENTUM:
    "linear" if 0, Momentum 0 Xyz "kg·m/s" "linear momentum";
    "angular" if 0, Momentum 3 Xyz "kg·m²/s" "angular momentum about the origin";
}

rows! { CENTER:
    "" if 0, CenterOfMass 0 Xyz "m" "center of mass of all bodies";
}

// What bodies have.
pub(super) const FRAME: u16 = 1;
pub(super) const TURNS_IN_PLANE: u16 = 2;
pub(super) const TURNS: u16 = 4;
pub(super) const MOVES: u16 = 8;
pub(super) const COLLIDES: u16 = 16;
pub(super) const SENSES: u16 = 32;
rows! { BODY:
    "position" if 0, Pose 0 Place "m" "where its origin is";
    "quaternion" if FRAME, Pose 3 Wxyz "1" "its rotation, a unit quaternion";
    "angle" if TURNS_IN_PLANE, Turn 0 One "rad" ANGLE;
    "spin" if TURNS_IN_PLANE, Turn 1 One "rad/s" SPIN;
    "velocity" if 0, Motion 0 Place "m/s" "velocity of its center of mass (of its origin, if it has no mass)";
    "angular_velocity" if TURNS, Motion 3 Xyz "rad/s" "angular velocity, world axes";
    "speed" if 0, Motion 9 One "m/s" "the magnitude of its velocity";
    "angular_speed" if TURNS, Motion 10 One "rad/s" "the magnitude of its angular velocity";
    "center_of_mass" if 0, Motion 6 Place "m" "where its center of mass is";
    "acceleration" if MOVES, Acceleration 0 Place "m/s²" "acceleration of its center of mass";
    "angular_acceleration" if MOVES | TURNS, Acceleration 3 Xyz "rad/s²" "angular acceleration, world axes";
    "contact.force" if COLLIDES, Contact 0 Xyz "N" "force of all that touches it, of the last step, world axes";
    "contact.force.magnitude" if COLLIDES, Contact 3 One "N" SIZE;
    "contact.points" if COLLIDES, Contact 4 One "1" "how many points touch it";
    "sensor.count" if SENSES, Sensor 0 One "1" "how many bodies are in it, the ground among them";
}

// What joints have.
pub(super) const HELD: u16 = 1;
pub(super) const BY_ANGLE: u16 = 2;
pub(super) const ALONG: u16 = 4;
pub(super) const BETWEEN: u16 = 8;
pub(super) const TURNED: u16 = 16;
pub(super) const SLID: u16 = 32;
pub(super) const MOTOR: u16 = 64;
pub(super) const OF_THREE: u16 = 128;
pub(super) const TWO_AXES: u16 = 256;
pub(super) const IN_PLANE: u16 = 512;
rows! { JOINT:
    "force" if 0, Reaction 0 Xyz "N" "force on its second body, world axes";
    "force.magnitude" if 0, Reaction 6 One "N" SIZE;
    "torque" if HELD, Reaction 3 Xyz "N·m" "torque on its second body about the connector, world axes";
    "torque.magnitude" if HELD, Reaction 7 One "N·m" SIZE;
    "error" if HELD, Errors 0 One "m" "distance by which it is open: the largest gap of its hard rows";
    "angle_error" if HELD, Errors 1 One "rad" "largest angle error of its hard rows";
    "angle" if BY_ANGLE, Angle 0 One "rad" ANGLE;
    "spin" if BY_ANGLE, Angle 1 One "rad/s" SPIN;
    "angle_b" if TWO_AXES, AngleB 0 One "rad" "its angle about axis_b, within a turn";
    "spin_b" if TWO_AXES, AngleB 1 One "rad/s" "the rate of that angle, an angular speed";
    "position.y" if IN_PLANE, InPlane 0 One "m" "where b is along y of a, whose x is the normal: a distance";
    "position.z" if IN_PLANE, InPlane 1 One "m" "where b is along z of a, whose x is the normal: a distance";
    "speed.y" if IN_PLANE, InPlane 2 One "m/s" "the rate of its position along y";
    "speed.z" if IN_PLANE, InPlane 3 One "m/s" "the rate of its position along z";
    "position" if ALONG, Length 0 One "m" "its position along the axis, a distance";
    "speed" if ALONG, Length 1 One "m/s" "the rate of its position";
    "distance" if BETWEEN, Distance 0 One "m" "distance of its two ends, its length";
    "speed" if BETWEEN, Distance 1 One "m/s" "the rate of its length";
    "motor.torque" if TURNED, Motor 0 One "N·m" "torque of its motor about the axis";
    "motor.force" if SLID, Motor 0 One "N" "force of its motor along the axis";
    "motor.power" if MOTOR, Motor 1 One "W" "power of its motor";
    "power" if HELD, Power 0 One "W" "power it puts into its bodies";
    "on_first.force" if HELD, OnFirst 0 Xyz "N" "force on its first body, world axes";
    "on_first.torque" if HELD, OnFirst 3 Xyz "N·m" "torque on its first body about the connector, world axes";
    "on_middle.force" if OF_THREE, OnMiddle 0 Xyz "N" "force on the second of its three sides, world axes";
    "on_middle.torque" if OF_THREE, OnMiddle 3 Xyz "N·m" "torque on the second of its three sides about the connector, world axes";
    "about.origin" if HELD, About 0 Xyz "N·m" "torque on its second body about this point, world axes";
}

rows! { OBJECTIVE:
    "value" if 0, Objective 0 One "" "what it makes small";
    "slope" if 0, Objective 1 One "" "its slope: the largest of its derivatives";
}

rows! { FIT:
    "rms" if 0, Fit 0 One "" "root mean square of its errors over the rows of its table";
    "largest" if 0, Fit 1 One "" "its largest error over the rows of its table";
}

// What behaviors do that act somewhere.
pub(super) const SOMEWHERE: u16 = 1;
rows! { BEHAVIOR:
    "force" if SOMEWHERE, Action 0 Xyz "N" "force on its last side, world axes";
    "force.magnitude" if SOMEWHERE, Action 6 One "N" SIZE;
    "torque" if SOMEWHERE, Action 3 Xyz "N·m" "torque on its last side about the connector, world axes";
    "torque.magnitude" if SOMEWHERE, Action 7 One "N·m" SIZE;
    "power" if 0, Action 8 One "W" "power it puts into bodies";
}

// What connectors are.
pub(super) const POINT: u16 = 1;
pub(super) const DIRECTION: u16 = 2;
pub(super) const SCALAR: u16 = 4;
rows! { CONNECTOR:
    "direction" if DIRECTION, Output 0 Xyz "1" "where it points";
    "value" if SCALAR, Output 0 One "" "its output";
    "rate" if SCALAR, Output 3 One "" "the rate of its output";
    "position" if POINT, Output 0 Place "m" "where it is";
    "velocity" if POINT, Output 3 Place "m/s" "its velocity";
}
