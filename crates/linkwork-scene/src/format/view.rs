//! Hands, traces, and hints for viewers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::{ConnectorRef, Numbers, PartEntry, is_default};

/// A point whose path is recorded.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TraceEntry {
    /// Its name.
    pub name: String,
    /// The point.
    pub of: ConnectorRef,
    /// Its colour, `"#rrggbb"`.
    pub colour: Option<String>,
}

/// How a hand holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DragKind {
    /// Pulls with a damped spring: `stiffness`, `damping`.
    Force,
    /// What is held goes where the goal is as far as the joints let it.
    Follow,
    /// What is held is at the goal; joints of lower levels, and at last those to the ground, give
    /// way.
    Pin,
}

/// How a hand holds, with numbers.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = super::kinds::restrict_drag)]
pub struct DragEntry {
    /// How.
    #[serde(rename = "type")]
    pub kind: DragKind,
    /// N/m.
    pub stiffness: Option<f64>,
    /// N·s/m; 0 when left out.
    pub damping: Option<f64>,
}

/// A hand that holds something.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HandEntry {
    /// Its name.
    pub name: String,
    /// The point or frame it holds.
    pub held: ConnectorRef,
    /// How.
    pub drag: DragEntry,
    /// Where it pulls to, world coordinates, m; where the held point is, when left out.
    pub goal: Option<Numbers>,
    /// The rotation it pulls to, of a held frame.
    pub quaternion: Option<[f64; 4]>,
    /// The hand's coordinates as the engine keeps them; written by `save`.
    pub q: Option<Vec<f64>>,
}

/// Hints for viewers about the whole scene.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ViewEntry {
    /// Where to look from.
    pub camera: Option<CameraEntry>,
    /// Which way is up; against gravity when left out.
    pub up: Option<[f64; 3]>,
    /// Whether the scene is seen flat, along z.
    #[serde(default, skip_serializing_if = "is_default")]
    pub flat: bool,
    /// Surfaces drawn over bodies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skins: Vec<SkinEntry>,
}

/// A smooth surface whose corners are points of bodies. Both of its sides are seen.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SkinEntry {
    /// Its name.
    pub name: String,
    /// Its colour, `"#rrggbb"`.
    pub colour: Option<String>,
    /// The corners.
    pub vertices: Vec<SkinVertex>,
    /// Triangles: indices of corners.
    pub triangles: Vec<[u32; 3]>,
}

/// A point of a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SkinVertex {
    /// The body's name.
    pub body: String,
    /// The point in the body's coordinates, m: three numbers, or two in the plane.
    pub point: Numbers,
}

/// A camera.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CameraEntry {
    /// Where it is, m.
    pub eye: [f64; 3],
    /// What it looks at, m.
    pub target: [f64; 3],
}

/// Hints for viewers about one body.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodyView {
    /// Its colour, `"#rrggbb"`.
    pub colour: Option<String>,
    /// Not drawn.
    #[serde(default, skip_serializing_if = "is_default")]
    pub hidden: bool,
    /// What is drawn in place of its shape. Masses are not read here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub draw: Vec<PartEntry>,
    /// Lines drawn on it; they deform with a sheet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drawing: Vec<StrokeEntry>,
}

/// A line through points of a body.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StrokeEntry {
    /// The points in the body's coordinates, m: three numbers each, or two in the plane.
    pub points: Vec<Numbers>,
    /// Its colour, `"#rrggbb"`.
    pub colour: Option<String>,
}
