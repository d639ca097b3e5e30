//! Fields that several types take, each written once.

use super::field::{Field, Form, InLab, Measure, Role, Start};
use super::{body, function, path, surface};

/// The axis of a joint, or the normal of its plane.
const ALONG: InLab = InLab {
    role: Role::Side,
    ..InLab::start(Start::Axis)
};
/// A direction across that.
const ACROSS: InLab = InLab {
    role: Role::Side,
    ..InLab::start(Start::Across)
};

const fn direction(name: &'static str, help: &'static str) -> Field {
    Field::new(name, Form::Fixed(3), help)
}

// Sizes and masses of bodies.
pub(crate) const LENGTH: Field = Field::number("length", "m", "Length along x.")
    .positive()
    .lab(&InLab::measure(Measure::Along));
pub(crate) const RADIUS: Field = Field::number("radius", "m", "Radius.")
    .positive()
    .required()
    .lab(&InLab::measure(Measure::Radius));
pub(crate) const FROM: Field = Field::numbers("from", "m", "World position of the end at −x.")
    .lab(&InLab::role(Role::Position));
pub(crate) const TO: Field =
    Field::numbers("to", "m", "World position of the end at +x.").lab(&InLab::role(Role::Position));
pub(crate) const SIZE: Field =
    Field::numbers("size", "m", "Lengths of the edges along x, y (and z).")
        .positive()
        .lab(&InLab::measure(Measure::Edges));
pub(crate) const MASS: Field = Field::number("mass", "kg", "Mass.").positive();
pub(crate) const DENSITY: Field =
    Field::number("density", "kg/m³", "Mass per volume, in place of a mass.").positive();
pub(crate) const AREA_DENSITY: Field =
    Field::number("density", "kg/m²", "Mass per area, in place of a mass.").positive();
pub(crate) const LINE_DENSITY: Field =
    Field::number("density", "kg/m", "Mass per length, in place of a mass.").positive();
pub(crate) const COM: Field =
    Field::numbers("com", "m", "Center of mass in the body's coordinates.")
        .lab(&InLab::called("center of mass"))
        .default("[0, 0, 0]");
pub(crate) const INERTIA: Field = Field::numbers(
    "inertia",
    "kg·m²",
    "Inertia about the center of mass: [xx, yy, zz], or [xx, yy, zz, xy, xz, yz]; in the plane one number.",
)
.lab(&InLab::parts(&["xx", "yy", "zz", "xy", "xz", "yz"]));

// Where bodies are and how they move.
pub(crate) const POSITION: Field = Field::numbers("position", "m", "Where the origin is.")
    .default("[0, 0, 0]")
    .lab(&InLab::role(Role::Position));
pub(crate) const QUATERNION: Field = Field::new(
    "quaternion",
    Form::Fixed(4),
    "Rotation as a unit quaternion w, x, y, z.",
)
.lab(&InLab::role(Role::Turn));
pub(crate) const TURN_AXIS: Field =
    direction("axis", "Rotation axis for \"angle\" or \"angle_deg\".")
        .lab(&InLab::role(Role::Turn));
pub(crate) const ANGLE: Field = Field::angle(
    "angle",
    "angle_deg",
    "Rotation angle about \"axis\", or in the plane.",
)
.lab(&InLab::role(Role::Turn));
pub(crate) const EULER: Field = Field::vector(
    "euler_deg",
    "°",
    "Rotation by turns about the fixed axes x, then y, then z.",
)
.lab(&InLab::role(Role::Turn));
pub(crate) const VELOCITY: Field =
    Field::numbers("velocity", "m/s", "Velocity of the center of mass.")
        .lab(&InLab::role(Role::Motion));
pub(crate) const ANGULAR_VELOCITY: Field =
    Field::vector("angular_velocity", "rad/s", "Angular velocity, world axes.")
        .lab(&InLab::role(Role::Motion));
pub(crate) const SPIN: Field = Field::number("spin", "rad/s", "Angular velocity in the plane.")
    .lab(&InLab::role(Role::Motion));
pub(crate) const Q: Field = Field::new(
    "q",
    Form::List,
    "All coordinates as the engine keeps them, in place of a pose.",
)
.lab(&InLab::role(Role::Position));
pub(crate) const VALUES: Field = Field::new("values", Form::List, "The numbers.");
pub(crate) const V: Field = Field::new("v", Form::List, "All velocities as the engine keeps them.")
    .lab(&InLab::role(Role::Motion));
pub(crate) const ENABLED: Field =
    Field::new("enabled", Form::Flag, "Whether it takes part.").default("true");
pub(crate) const VIEW: Field = Field::new("view", Form::View, "Hints for viewers.");
pub(crate) const COLLIDE: Field = Field::new(
    "collide",
    Form::Flag,
    "Whether it collides with other bodies and the floor.",
)
.default("false");
pub(crate) const SURFACE_FRICTION: Field = Field::number(
    "friction",
    "",
    "Coefficient of friction. Between two bodies the geometric mean counts.",
)
.not_negative()
.default("0.5")
.lab(&InLab {
    after: "collide",
    ..InLab::PLAIN
});
pub(crate) const ROLLING_FRICTION: Field = Field::number(
    "rolling_friction",
    "m",
    "The arm of the normal force that resists rolling: a ball of radius r stays on slopes below arm/r. Between two bodies the larger one counts.",
)
.not_negative()
.default("0")
.lab(&InLab {
    after: "collide",
    label: Some("rolling friction"),
    ..InLab::PLAIN
});
pub(crate) const SPINNING_FRICTION: Field = Field::number(
    "spinning_friction",
    "m",
    "The arm of the normal force that resists spinning on a spot, in one cone with sliding friction: a body that spins fast slides with little resistance. Between two bodies the larger one counts.",
)
.not_negative()
.default("0")
.lab(&InLab {
    after: "collide",
    label: Some("spinning friction"),
    ..InLab::PLAIN
});
pub(crate) const CONTACT_STIFFNESS: Field = Field::number(
    "contact_stiffness",
    "N/m",
    "Stiffness of its surface at each point of contact; hard when left out. Two bodies act as springs in series.",
)
.positive()
.lab(&InLab {
    after: "collide",
    label: Some("contact stiffness"),
    otherwise: "hard",
    ..InLab::PLAIN
});
pub(crate) const CONTACT_DAMPING: Field = Field::number(
    "contact_damping",
    "N·s/m",
    "Damping of a soft contact at each point of contact. The contact never pulls.",
)
.not_negative()
.default("0")
.lab(&InLab {
    after: "contact_stiffness",
    label: Some("contact damping"),
    ..InLab::PLAIN
});
pub(crate) const BOUNCE: Field = Field::number(
    "restitution",
    "",
    "Coefficient of restitution, from 0 to 1. Between two bodies the larger one counts.",
)
.not_negative()
.default("0")
.lab(&InLab {
    after: "collide",
    ..InLab::PLAIN
});
pub(crate) const GROUP: Field = Field::new(
    "group",
    Form::Text,
    "A name: bodies of one group do not collide with each other.",
)
.lab(&InLab {
    after: "collide",
    ..InLab::PLAIN
});
pub(crate) const SHAPES: Field = Field::new(
    "shapes",
    Form::Entries(&body::PARTS_SORT),
    "The solids that collide, in place of its own shape and the drawn one. Meshes collide as their convex hulls unless \"convex\" is false, parts of planar bodies as their shadows along z.",
)
.lab(&InLab {
    after: "collide",
    ..InLab::role(Role::Kept)
});
pub(crate) const MEMBER_OF: Field = Field::new(
    "member_of",
    Form::Texts,
    "Names of groups that others name in \"not_with\"; its own name is one.",
)
.lab(&InLab {
    after: "collide",
    ..InLab::role(Role::Kept)
});
pub(crate) const NOT_WITH: Field = Field::new(
    "not_with",
    Form::Texts,
    "Names of bodies and of groups that it does not collide with.",
)
.lab(&InLab {
    after: "collide",
    ..InLab::role(Role::Kept)
});
pub(crate) const WITH_JOINED: Field = Field::new(
    "with_joined",
    Form::Flag,
    "Whether it also collides with the bodies that it is joined to.",
)
.default("false")
.lab(&InLab {
    after: "collide",
    label: Some("with joined"),
    ..InLab::PLAIN
});
pub(crate) const SENSOR: Field = Field::new(
    "sensor",
    Form::Flag,
    "Whether it only reports the colliding bodies in it and exerts no force.",
)
.default("false")
.lab(&InLab {
    after: "collide",
    ..InLab::PLAIN
});
pub(crate) const COLOR: Field =
    Field::new("color", Form::Text, "Its color, \"#rrggbb\".").was("colour");
pub(crate) const PARTS: Field = Field::new(
    "parts",
    Form::Entries(&body::PARTS_SORT),
    "A list of solids.",
)
.required();

/// The pose of a body in space.
pub(crate) const POSE: &[Field] = &[POSITION, QUATERNION, TURN_AXIS, ANGLE, EULER];
/// The pose of a body of the plane.
pub(crate) const PLANAR_POSE: &[Field] = &[POSITION, ANGLE];
/// How a body moves in space, and the engine's numbers.
pub(crate) const MOVING: &[Field] = &[VELOCITY, ANGULAR_VELOCITY, Q, V];
/// How a body moves in the plane, and the engine's numbers.
pub(crate) const PLANAR_MOVING: &[Field] = &[VELOCITY, SPIN, Q, V];

// Sides and axes of joints and behaviors.
pub(crate) const A: Field = Field::new("a", Form::Connector, "The first side.").required();
pub(crate) const B: Field = Field::new("b", Form::Connector, "The second side.").required();
pub(crate) const CONNECTORS: Field =
    Field::new("connectors", Form::Connectors, "All sides.").required();
pub(crate) const AT: Field = Field::numbers(
    "at",
    "m",
    "The point of the world where two bodies are joined.",
)
.lab(&InLab::role(Role::Side));
pub(crate) const AXIS: Field = direction("axis", "Its axis, world.").lab(&ALONG);
pub(crate) const AXIS_B: Field = direction(
    "axis_b",
    "The axis fixed to b, perpendicular to the other, world.",
)
.lab(&ACROSS);
pub(crate) const NORMAL: Field = direction("normal", "The normal of the plane, world.").lab(&ALONG);
pub(crate) const SIDES: &[Field] = &[A, B];
pub(crate) const SIDES_AT: &[Field] = &[A, B, AT];

// Laws.
pub(crate) const DISTANCE: Field = Field::number("length", "m", "Distance.")
    .positive_by_law()
    .required()
    .lab(&InLab::start(Start::Gap));
pub(crate) const STIFFNESS: Field = Field::number("stiffness", "N/m", "Stiffness.")
    .not_negative()
    .required()
    .lab(&InLab::start(Start::Stiffness));
pub(crate) const REST_LENGTH: Field =
    Field::number("rest_length", "m", "Length at which it rests.")
        .not_negative()
        .default("0")
        .lab(&InLab::start(Start::Gap));
pub(crate) const DAMPING: Field = Field::number("damping", "N·s/m", "Damping.")
    .not_negative()
    .default("0")
    .lab(&InLab::start(Start::Damping));
pub(crate) const TURN_STIFFNESS: Field = Field::number("stiffness", "N·m/rad", "Stiffness.")
    .not_negative()
    .required();
pub(crate) const TURN_DAMPING: Field = Field::number("damping", "N·m·s/rad", "Damping.")
    .not_negative()
    .default("0");
pub(crate) const LINEAR: Field = Field::number("linear", "N·s/m", "Force per velocity.")
    .not_negative()
    .default("0")
    .lab(&InLab::called("against sliding"));
pub(crate) const ANGULAR: Field =
    Field::number("angular", "N·m·s/rad", "Torque per angular velocity.")
        .not_negative()
        .default("0")
        .lab(&InLab::called("against turning"));
pub(crate) const SURFACE: Field =
    Field::new("surface", Form::Entry(&surface::SORT), "The surface of a.").required();
pub(crate) const PATH: Field = Field::new(
    "path",
    Form::Entry(&path::SORT),
    "The position of the point as a function of time.",
)
.required();
pub(crate) const FUNCTION: Field = Field::new(
    "function",
    Form::Entry(&function::SORT),
    "Its value as a function of time.",
)
.required();
pub(crate) const SPEED: Field = Field::angle(
    "speed",
    "speed_deg",
    "The rate of its coordinate, rad/s or m/s.",
)
.in_unit("");
pub(crate) const START_AT: Field = Field::angle(
    "start",
    "start_deg",
    "With a speed: the coordinate at t = 0. When left out, it starts where it is.",
)
.in_unit("");
pub(crate) const LED: Field = Field::new(
    "position",
    Form::Entry(&function::SORT),
    "Its coordinate as a function of time.",
);
pub(crate) const GAIN: Field = Field::number(
    "gain",
    "1/s",
    "With a position: the rate at which it reduces its error.",
)
.not_negative();
pub(crate) const MOTOR_TORQUE: Field =
    Field::number("torque", "N·m", "A constant torque on b, about the axis.");
pub(crate) const MOTOR_FORCE: Field =
    Field::number("force", "N", "A constant force on b, along the axis.");
pub(crate) const MAX_TORQUE: Field = Field::number(
    "max_torque",
    "N·m",
    "The most that a speed or a position may take, of what turns; then it gives way.",
)
.not_negative();
pub(crate) const MAX_FORCE: Field =
    Field::number("max_force", "N", "The same of what slides.").not_negative();
pub(crate) const ZERO: Field = Field::number(
    "zero",
    "rad",
    "In the plane: by how much frame b is turned on its body; written by \"save\".",
)
.default("0");
pub(crate) const AFTER: Field = Field::new(
    "after",
    Form::Text,
    "After which joint or behavior the engine has it; written by \"save\".",
);
pub(crate) const MOTOR: Field = Field::new(
    "motor",
    Form::Fields(&[
        SPEED,
        START_AT,
        LED,
        GAIN,
        MOTOR_TORQUE,
        MOTOR_FORCE,
        MAX_TORQUE,
        MAX_FORCE,
        ZERO,
        AFTER,
        ENABLED,
    ]),
    "What moves it: a speed, a position, or a torque (a force on a slider).",
)
.lab(&InLab::role(Role::Kept));
pub(crate) const DRIVE: Field = Field::new(
    "drive",
    Form::Entry(&function::SORT),
    "The position of a motor, as older files have it.",
)
.lab(&InLab::role(Role::Kept));
pub(crate) const ARMATURE: Field = Field::number(
    "armature",
    "kg·m² or kg",
    "Inertia on its coordinate, a joint called \"NAME armature\".",
)
.not_negative()
.default("0")
.lab(&InLab::role(Role::Kept));
pub(crate) const COEFFICIENTS: Field = Field::new("coefficients", Form::List, "Coefficients.")
    .required()
    .lab(&InLab {
        parts: &[],
        ..InLab::called("ratio")
    });
pub(crate) const ITERATIONS: Field = Field::new(
    "iterations",
    Form::Count(u32::MAX as u64),
    "Largest number of corrections of positions.",
)
.default("10");

// Time.
pub(crate) const FREQUENCY: Field =
    Field::number("frequency", "Hz", "Periods per second.").required();
pub(crate) const PHASE: Field = Field::angle("phase", "phase_deg", "Angle at t = 0.")
    .default("0")
    .lab(&InLab::role(Role::Kept));
