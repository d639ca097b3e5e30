//! Which fields each type of entry takes: one table for checking files and for the schema.

use schemars::Schema;
use serde::Serialize;
use serde_json::{Value, json};

use super::{
    BehaviorEntry, BehaviorKind, BodyEntry, BodyKind, DragEntry, DragKind, FunctionEntry,
    FunctionKind, JointEntry, JointKind, MotionEntry, MotionKind, PartEntry, PartKind, PathEntry,
    PathKind, StabilizationEntry, StabilizationKind, SurfaceEntry, SurfaceKind,
};
use crate::write;

/// A type of entry: what an entry of that type may say.
pub trait Kind: Copy + Serialize + 'static {
    /// Every type.
    const ALL: &'static [Self];
    /// Fields every entry of this sort takes.
    const COMMON: &'static [&'static str];

    /// Fields that entries of this type take besides.
    fn takes(self) -> &'static [&'static str];

    /// The type as a file says it.
    fn word(self) -> String {
        let quoted = write::json(&self).unwrap_or_default();
        quoted.trim_matches('"').to_owned()
    }
}

/// An entry with a type.
pub trait Typed: Serialize {
    /// Its types.
    type Kind: Kind;

    /// Its type.
    fn kind(&self) -> Self::Kind;
}

macro_rules! kind {
    ($entry:ident, $kind:ident, $restrict:ident, common $common:expr, $($name:ident => $takes:expr,)*) => {
        impl Kind for $kind {
            const ALL: &'static [Self] = &[$(Self::$name),*];
            const COMMON: &'static [&'static str] = &$common;

            fn takes(self) -> &'static [&'static str] {
                match self {
                    $(Self::$name => &$takes,)*
                }
            }
        }

        impl Typed for $entry {
            type Kind = $kind;

            fn kind(&self) -> $kind {
                self.kind
            }
        }

        pub(super) fn $restrict(schema: &mut Schema) {
            restrict::<$kind>(schema);
        }
    };
}

/// Adds to a schema: if the type is this, the fields are those.
fn restrict<K: Kind>(schema: &mut Schema) {
    let cases: Vec<Value> = K::ALL
        .iter()
        .map(|kind| {
            // Limits are a field, so that they can be refused by name; no file should have them.
            let mut names: Vec<&str> = [&["type"], K::COMMON, kind.takes()].concat();
            names.retain(|name| *name != "limits");
            json!({
                "if": { "properties": { "type": { "const": kind.word() } }, "required": ["type"] },
                "then": { "propertyNames": { "enum": names } }
            })
        })
        .collect();
    schema.insert("allOf".to_owned(), Value::Array(cases));
}

kind! {
    BodyEntry, BodyKind, restrict_body,
    common ["name", "enabled", "view"],
    Rod => ["length", "radius", "from", "to", "mass", "density", "position", "quaternion", "axis", "angle", "angle_deg", "euler_deg", "velocity", "angular_velocity", "q", "v"],
    Box => ["size", "mass", "density", "position", "quaternion", "axis", "angle", "angle_deg", "euler_deg", "velocity", "angular_velocity", "q", "v"],
    Sphere => ["radius", "mass", "density", "position", "quaternion", "axis", "angle", "angle_deg", "euler_deg", "velocity", "angular_velocity", "q", "v"],
    Cylinder => ["radius", "length", "from", "to", "mass", "density", "position", "quaternion", "axis", "angle", "angle_deg", "euler_deg", "velocity", "angular_velocity", "q", "v"],
    Disc => ["radius", "thickness", "mass", "density", "position", "quaternion", "axis", "angle", "angle_deg", "euler_deg", "velocity", "angular_velocity", "q", "v"],
    Mesh => ["vertices", "triangles", "mass", "density", "position", "quaternion", "axis", "angle", "angle_deg", "euler_deg", "velocity", "angular_velocity", "q", "v"],
    Compound => ["parts", "position", "quaternion", "axis", "angle", "angle_deg", "euler_deg", "velocity", "angular_velocity", "q", "v"],
    Rigid => ["mass", "com", "inertia", "position", "quaternion", "axis", "angle", "angle_deg", "euler_deg", "velocity", "angular_velocity", "q", "v"],
    Particle => ["mass", "position", "velocity", "q", "v"],
    PlanarRod => ["length", "from", "to", "mass", "density", "position", "angle", "angle_deg", "velocity", "spin", "q", "v"],
    PlanarBox => ["size", "mass", "density", "position", "angle", "angle_deg", "velocity", "spin", "q", "v"],
    PlanarDisc => ["radius", "mass", "density", "position", "angle", "angle_deg", "velocity", "spin", "q", "v"],
    Planar => ["mass", "com", "inertia", "position", "angle", "angle_deg", "velocity", "spin", "q", "v"],
    Troid => ["size", "mass", "com", "area", "second_moments", "stiffness", "area_stiffness", "damping", "position", "angle", "angle_deg", "q", "v"],
    Kinematic => ["motion", "position", "quaternion", "axis", "angle", "angle_deg", "euler_deg"],
    Tracker => ["position", "quaternion", "axis", "angle", "angle_deg", "euler_deg", "q"],
}

kind! {
    PartEntry, PartKind, restrict_part,
    common ["mass", "density", "position", "quaternion", "axis", "angle", "angle_deg", "euler_deg", "colour"],
    Rod => ["length", "radius"],
    Box => ["size"],
    Sphere => ["radius"],
    Cylinder => ["radius", "length"],
    Disc => ["radius", "thickness"],
    Mesh => ["vertices", "triangles"],
}

kind! {
    JointEntry, JointKind, restrict_joint,
    common ["name", "limits", "compliance", "damping", "level", "weight", "breaks_at", "enabled"],
    Ball => ["a", "b", "at", "close_over", "closing"],
    Hinge => ["a", "b", "at", "axis", "drive", "close_over", "closing"],
    Universal => ["a", "b", "at", "axis", "axis_b", "close_over", "closing"],
    Cylindrical => ["a", "b", "at", "axis", "close_over", "closing"],
    Prismatic => ["a", "b", "at", "axis", "drive", "close_over", "closing"],
    Planar => ["a", "b", "at", "normal", "close_over", "closing"],
    Slot => ["a", "b", "at", "axis", "close_over", "closing"],
    PointOnPlane => ["a", "b", "at", "normal", "close_over", "closing"],
    Weld => ["a", "b", "at", "close_over", "closing"],
    Distance => ["a", "b", "length"],
    Screw => ["a", "b", "at", "axis", "pitch", "lead"],
    Spring => ["a", "b", "stiffness", "rest_length"],
    PointOnSurface => ["a", "b", "axis", "surface"],
    Tangency => ["a", "b", "axis", "surface", "surface_b"],
    Trajectory => ["a", "path"],
    Gear => ["connectors", "axis", "coefficients"],
    Coupling => ["connectors", "coefficients", "coordinates"],
    BallOnPlane => ["a", "b", "normal", "radius"],
    DiscOnPlane => ["a", "b", "normal", "axis_b", "radius"],
    RollingBall => ["a", "b", "normal", "radius"],
    RollingDisc => ["a", "b", "normal", "axis_b", "radius"],
    KnifeEdge => ["a"],
    AngleDrive => ["a", "b", "at", "axis", "function"],
    LengthDrive => ["a", "b", "at", "axis", "function"],
    DistanceDrive => ["a", "b", "function"],
    Scalar => ["a", "value"],
}

kind! {
    SurfaceEntry, SurfaceKind, restrict_surface,
    common [],
    Plane => [],
    Sphere => ["radius"],
    Cylinder => ["radius"],
    Ellipsoid => ["semi_axes"],
    Torus => ["major", "minor"],
}

kind! {
    FunctionEntry, FunctionKind, restrict_function,
    common [],
    Constant => ["value", "value_deg"],
    Ramp => ["start", "start_deg", "rate", "rate_deg"],
    Sine => ["amplitude", "amplitude_deg", "frequency", "phase", "phase_deg", "offset", "offset_deg"],
    Keyframes => ["keyframes"],
}

kind! {
    PathEntry, PathKind, restrict_path,
    common [],
    Line => ["start", "velocity"],
    Circle => ["center", "axis", "radius", "frequency", "phase", "phase_deg"],
    Keyframes => ["keyframes", "repeat"],
}

kind! {
    MotionEntry, MotionKind, restrict_motion,
    common [],
    Fixed => [],
    Spin => ["point", "axis", "rate", "rate_deg"],
    Sine => ["amplitude", "swing", "frequency", "phase", "phase_deg"],
    Path => ["path"],
}

kind! {
    BehaviorEntry, BehaviorKind, restrict_behavior,
    common ["name", "enabled"],
    Gravity => ["acceleration"],
    Force => ["on", "force"],
    Wrench => ["on", "force", "torque", "axes"],
    Motor => ["a", "b", "joint", "torque"],
    TorsionSpring => ["a", "b", "joint", "stiffness", "damping", "rest_angle", "rest_angle_deg"],
    Friction => ["a", "b", "joint", "linear", "angular"],
    Drag => ["on", "linear", "angular"],
    ExplicitSpring => ["a", "b", "stiffness", "rest_length", "damping"],
}

kind! {
    DragEntry, DragKind, restrict_drag,
    common [],
    Force => ["stiffness", "damping"],
    Follow => [],
    Pin => [],
}

kind! {
    StabilizationEntry, StabilizationKind, restrict_stabilization,
    common [],
    None => [],
    Post => ["iterations"],
    Feedback => ["stiffness", "damping"],
    Baumgarte => ["alpha", "beta"],
    Displacement => ["iterations"],
}
