//! Bodies: what they are made of, where they are, how they move.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::view::BodyView;
use super::{MotionEntry, Numbers, is_yes, yes};

/// What a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BodyKind {
    /// A bar along x: `length` and `radius`, or `from`, `to` and `radius`.
    Rod,
    /// A block: `size`.
    Box,
    /// A ball: `radius`.
    Sphere,
    /// A cylinder along x: `radius`, `length`.
    Cylinder,
    /// A wheel whose axle is x: `radius`, `thickness`.
    Disc,
    /// A solid bounded by triangles: `vertices`, `triangles`.
    Mesh,
    /// Several solids as one body: `parts`.
    Compound,
    /// Any rigid body: `mass`, `inertia`, and `com` if it is not at the origin.
    Rigid,
    /// A point mass: `mass`.
    Particle,
    /// A bar of the plane along x: `length`, or `from` and `to`.
    PlanarRod,
    /// A rectangle of the plane: `size`.
    PlanarBox,
    /// A disc of the plane: `radius`.
    PlanarDisc,
    /// Any rigid body of the plane: `mass`, `inertia`, and `com` if it is not at the origin.
    Planar,
    /// A sheet of the plane that deforms linearly: `size`, or `area`, `second_moments` and `com`.
    Troid,
    /// A body whose motion is prescribed: `motion`.
    Kinematic,
    /// A body that follows goals set by commands.
    Tracker,
}

/// A body.
///
/// Its pose is `position` and one of `quaternion`, `axis` with `angle`, `euler_deg`; in the plane
/// `position` and `angle`. `from` and `to` place a rod by its ends.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = super::kinds::restrict_body)]
pub struct BodyEntry {
    /// Its name.
    pub name: String,
    /// What it is.
    #[serde(rename = "type")]
    pub kind: BodyKind,
    /// Length along x, m.
    pub length: Option<f64>,
    /// Radius, m.
    pub radius: Option<f64>,
    /// Thickness along x, m.
    pub thickness: Option<f64>,
    /// Lengths of the edges along x, y (and z), m.
    pub size: Option<Numbers>,
    /// World position of the end at −x of a rod, m.
    pub from: Option<Numbers>,
    /// World position of the end at +x of a rod, m.
    pub to: Option<Numbers>,
    /// Corners of a mesh, m.
    pub vertices: Option<Vec<[f64; 3]>>,
    /// Triangles of a mesh: indices of corners, counter-clockwise as seen from outside.
    pub triangles: Option<Vec<[u32; 3]>>,
    /// The solids of a compound body.
    pub parts: Option<Vec<PartEntry>>,
    /// Mass, kg.
    pub mass: Option<f64>,
    /// Mass per volume, kg/m³ (per area in the plane, kg/m²; per length of a planar rod, kg/m).
    pub density: Option<f64>,
    /// Centre of mass in the body's coordinates, m.
    pub com: Option<Numbers>,
    /// Inertia about the centre of mass, kg·m²: `[xx, yy, zz]`, or `[xx, yy, zz, xy, xz, yz]` with
    /// the entries of the matrix; in the plane one number.
    pub inertia: Option<Numbers>,
    /// Area of a sheet at rest, m².
    pub area: Option<f64>,
    /// Second moments of mass of a sheet about its centre of mass, kg·m²: `[xx, yy, xy]`.
    pub second_moments: Option<[f64; 3]>,
    /// Resistance of a sheet to strain, N/m.
    pub stiffness: Option<f64>,
    /// Resistance of a sheet to a change of area, N/m.
    pub area_stiffness: Option<f64>,
    /// Resistance of a sheet to the rate of strain, N·s/m.
    pub damping: Option<f64>,
    /// How a kinematic body moves.
    pub motion: Option<MotionEntry>,
    /// Where the origin of the body is, world coordinates, m.
    pub position: Option<Numbers>,
    /// Its rotation as a unit quaternion w, x, y, z.
    pub quaternion: Option<[f64; 4]>,
    /// The axis it is turned about by `angle` or `angle_deg`.
    pub axis: Option<[f64; 3]>,
    /// The angle it is turned by: about `axis`, or in the plane.
    pub angle: Option<f64>,
    /// The angle it is turned by, in degrees.
    pub angle_deg: Option<f64>,
    /// Its rotation by turns about the fixed axes x, then y, then z, in degrees.
    pub euler_deg: Option<[f64; 3]>,
    /// Velocity of the centre of mass, m/s.
    pub velocity: Option<Numbers>,
    /// Angular velocity, world axes, rad/s.
    pub angular_velocity: Option<[f64; 3]>,
    /// Angular velocity in the plane, rad/s.
    pub spin: Option<f64>,
    /// All coordinates as the engine keeps them, in place of a pose.
    pub q: Option<Vec<f64>>,
    /// All velocities as the engine keeps them.
    pub v: Option<Vec<f64>>,
    /// Whether it takes part.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub enabled: bool,
    /// Hints for viewers.
    pub view: Option<BodyView>,
}

/// What a part of a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PartKind {
    /// A bar along x: `length`, `radius`.
    Rod,
    /// A block: `size`.
    Box,
    /// A ball: `radius`.
    Sphere,
    /// A cylinder along x: `radius`, `length`.
    Cylinder,
    /// A wheel whose axle is x: `radius`, `thickness`.
    Disc,
    /// A solid bounded by triangles: `vertices`, `triangles`.
    Mesh,
}

/// A solid that is a part of a body, or only drawn with it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = super::kinds::restrict_part)]
pub struct PartEntry {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: PartKind,
    /// Length along x, m.
    pub length: Option<f64>,
    /// Radius, m.
    pub radius: Option<f64>,
    /// Thickness along x, m.
    pub thickness: Option<f64>,
    /// Lengths of the edges, m.
    pub size: Option<Numbers>,
    /// Corners of a mesh, m.
    pub vertices: Option<Vec<[f64; 3]>>,
    /// Triangles of a mesh: indices of corners.
    pub triangles: Option<Vec<[u32; 3]>>,
    /// Mass, kg.
    pub mass: Option<f64>,
    /// Mass per volume, kg/m³.
    pub density: Option<f64>,
    /// Where its origin is on the body, m.
    pub position: Option<[f64; 3]>,
    /// Its rotation as a unit quaternion w, x, y, z.
    pub quaternion: Option<[f64; 4]>,
    /// The axis it is turned about by `angle` or `angle_deg`.
    pub axis: Option<[f64; 3]>,
    /// The angle it is turned by.
    pub angle: Option<f64>,
    /// The angle it is turned by, in degrees.
    pub angle_deg: Option<f64>,
    /// Its rotation by turns about the fixed axes x, then y, then z, in degrees.
    pub euler_deg: Option<[f64; 3]>,
    /// Its colour, `"#rrggbb"`.
    pub colour: Option<String>,
}
