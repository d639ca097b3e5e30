//! Joints, springs, drives and other constraints.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ConnectorRef, FunctionEntry, Numbers, PathEntry, is_default, is_yes, yes};

/// What a joint is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum JointKind {
    /// Two points stay together. In the plane: a pin.
    Ball,
    /// The bodies turn about `axis`. In the plane: a pin.
    Hinge,
    /// The bodies turn about `axis`, fixed to a, and about `axis_b`, fixed to b.
    Universal,
    /// The bodies slide along and turn about `axis`.
    Cylindrical,
    /// The bodies slide along `axis`.
    Prismatic,
    /// The bodies slide in a plane and turn about its `normal`.
    Planar,
    /// A point of b slides along a line of a, `axis`.
    Slot,
    /// A point of b slides in a plane of a, `normal`.
    PointOnPlane,
    /// The bodies move as one.
    Weld,
    /// Two points stay `length` apart.
    Distance,
    /// The bodies slide along `axis` as they turn about it: `pitch` or `lead`.
    Screw,
    /// A spring with a damper between two points, as stiff as you like.
    Spring,
    /// A point of b stays on a `surface` of a.
    PointOnSurface,
    /// A `surface` of a and a `surface_b` of b touch.
    Tangency,
    /// A point of a follows a `path`.
    Trajectory,
    /// Spins of `connectors` (wheels, then their carrier) are related by `coefficients`.
    Gear,
    /// The joint between the last two of four `connectors` follows the one between the first two:
    /// its coordinate is a polynomial of the other's, with `coefficients` from the constant on.
    Coupling,
    /// A ball of b, `radius`, stays on the plane of a (its frame's x is the normal).
    BallOnPlane,
    /// The rim of a thin disc of b, `radius`, stays on the plane of a.
    DiscOnPlane,
    /// A ball of b rolls on the plane of a without slip.
    RollingBall,
    /// A thin disc of b rolls on the plane of a without slip.
    RollingDisc,
    /// The origin of a frame does not move along the frame's y.
    KnifeEdge,
    /// The angle from a to b is a `function` of time.
    AngleDrive,
    /// The position of b along a's x is a `function` of time.
    LengthDrive,
    /// The distance of two points is a `function` of time.
    DistanceDrive,
    /// A number of body a, such as the area of a troid, has a `value`.
    Scalar,
}

/// A coordinate of two frames, from the first to the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CoordinateEntry {
    /// The angle about the first frame's x, in space.
    Angle,
    /// The displacement along the first frame's x, in space.
    Length,
    /// The angle in the plane.
    PlanarAngle,
}

/// A joint or other constraint.
///
/// `a` and `b` are connectors. With `at` they are bodies, joined at that point of the world; the
/// sites on both sides are computed. `axis` and `normal` are in world axes at the moment of joining;
/// connectors that are frames bring their own, and need none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = super::kinds::restrict_joint)]
pub struct JointEntry {
    /// Its name.
    pub name: String,
    /// What it is.
    #[serde(rename = "type")]
    pub kind: JointKind,
    /// The first side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub a: Option<ConnectorRef>,
    /// The second side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub b: Option<ConnectorRef>,
    /// All sides of a joint that has more than two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connectors: Option<Vec<ConnectorRef>>,
    /// The point of the world where two bodies are joined, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Numbers>,
    /// The joint's axis, world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<[f64; 3]>,
    /// The axis fixed to b, perpendicular to `axis`, world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis_b: Option<[f64; 3]>,
    /// The plane's normal, world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normal: Option<[f64; 3]>,
    /// Distance, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<f64>,
    /// Advance of a screw per radian, m; negative for a left-handed thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pitch: Option<f64>,
    /// Advance of a screw per turn, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead: Option<f64>,
    /// Stiffness of a spring, N/m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<f64>,
    /// Length at which a spring rests, m; 0 for one that pulls its ends together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest_length: Option<f64>,
    /// Radius, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// The surface of a.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surface: Option<SurfaceEntry>,
    /// The surface of b.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surface_b: Option<SurfaceEntry>,
    /// The path of a point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<PathEntry>,
    /// What is driven, as a function of time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<FunctionEntry>,
    /// Drives a hinge's angle or a prismatic joint's length too, by a joint called "NAME drive".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drive: Option<FunctionEntry>,
    /// `Σ coefficient·spin = 0`, spins relative to the carrier: teeth of two gears, `[1, 1]` for a
    /// differential. Of a coupling: `[offset, ratio]`, then those of higher powers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coefficients: Option<Vec<f64>>,
    /// What a coupling couples, of the leading joint and of the one that follows; angles when left
    /// out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coordinates: Option<[CoordinateEntry; 2]>,
    /// The value a number has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Joint limits. Not there yet: a file that has them is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Numbers>,
    /// How soft each row is, in m/N or rad/(N·m): one number for all, or one for each row; 0 is hard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compliance: Option<Numbers>,
    /// Damping of soft rows, N·s/m or N·m·s/rad: one number for all, or one for each row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<Numbers>,
    /// Priority: 0 is exact, higher numbers give way in least squares.
    #[serde(default, skip_serializing_if = "is_default")]
    pub level: u8,
    /// Weight within a level that cannot be met; 1 when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// What it bears before it breaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub breaks_at: Option<BreakEntry>,
    /// Closes what does not meet yet over so many seconds, instead of at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub close_over: Option<f64>,
    /// Where a joint that is closing came from; written by `save`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closing: Option<ClosingEntry>,
    /// Whether it acts.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub enabled: bool,
}

/// What a joint bears.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BreakEntry {
    /// Largest force, N.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<f64>,
    /// Largest torque, N·m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torque: Option<f64>,
}

/// A joint on its way from where it was made to closed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClosingEntry {
    /// When it was made, s.
    pub start: f64,
    /// How long it takes, s.
    pub duration: f64,
    /// Its rows then.
    pub errors: Vec<f64>,
    /// Their rates then.
    pub rates: Vec<f64>,
}

/// What a surface is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SurfaceKind {
    /// The plane across the frame's x.
    Plane,
    /// A sphere about the frame's origin: `radius`.
    Sphere,
    /// A cylinder about the frame's x: `radius`.
    Cylinder,
    /// An ellipsoid: `semi_axes`.
    Ellipsoid,
    /// A torus about the frame's x: `major`, `minor`.
    Torus,
}

/// A smooth surface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = super::kinds::restrict_surface)]
pub struct SurfaceEntry {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: SurfaceKind,
    /// Radius, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// Semi-axes along x, y, z, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub semi_axes: Option<[f64; 3]>,
    /// From the axis to the middle of the tube, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub major: Option<f64>,
    /// Radius of the tube, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minor: Option<f64>,
}
