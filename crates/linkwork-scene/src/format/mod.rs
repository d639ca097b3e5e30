//! The scene format, version 1: what a file may say, as types.
//!
//! These are not the engine's types: a file speaks of names, shapes and degrees, the engine of ids,
//! masses and radians. [`crate::build()`] goes from here to a world, [`crate::describe()`] comes back.
//! Every entry is flat: a `name`, a `type`, and fields. Which fields a type takes is in
//! [`kinds`]; the same tables check files and make the published schema.
//!
//! Units are SI; angles are in radians unless the field ends in `_deg`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

mod behavior;
mod body;
mod connector;
mod joint;
pub mod kinds;
mod motion;
mod numbers;
mod options;
mod view;

pub use behavior::{AxesEntry, BehaviorEntry, BehaviorKind};
pub use body::{BodyEntry, BodyKind, PartEntry, PartKind};
pub use connector::{ConnectorEntry, ConnectorRef};
pub use joint::{
    BreakEntry, ClosingEntry, CoordinateEntry, JointEntry, JointKind, SurfaceEntry, SurfaceKind,
};
pub use motion::{FunctionEntry, FunctionKind, MotionEntry, MotionKind, PathEntry, PathKind};
pub use numbers::Numbers;
pub use options::{
    DynamicsKind, IntegratorKind, MethodKind, PresetKind, StabilizationEntry, StabilizationKind,
    WorldEntry,
};
pub use view::{
    BodyView, CameraEntry, DragEntry, DragKind, HandEntry, SkinEntry, SkinVertex, StrokeEntry,
    TraceEntry, ViewEntry,
};

/// The version this crate writes.
pub const VERSION: u32 = 1;

/// A scene file.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Where editors find the schema of this format; not read.
    #[serde(rename = "$schema")]
    pub schema: Option<String>,
    /// Version of the format: 1.
    #[schemars(extend("const" = VERSION))]
    pub linkwork: u32,
    /// What to call the scene.
    pub name: Option<String>,
    /// One line: what the scene is for.
    pub why: Option<String>,
    /// Gravity, order of dynamics, and how steps are taken.
    #[serde(default, skip_serializing_if = "is_default")]
    pub world: WorldEntry,
    /// The bodies. "ground" is always there and is not listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bodies: Vec<BodyEntry>,
    /// Points, frames and directions on bodies, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub connectors: Vec<ConnectorEntry>,
    /// Joints, springs, drives and other constraints.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<JointEntry>,
    /// Forces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub behaviors: Vec<BehaviorEntry>,
    /// Points whose path is recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub traces: Vec<TraceEntry>,
    /// Hands that hold something.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hands: Vec<HandEntry>,
    /// Hints for viewers; the engine does not read them.
    #[serde(default, skip_serializing_if = "is_default")]
    pub view: ViewEntry,
    /// What is neither a pose nor a velocity: time and what the last step left.
    #[serde(default, skip_serializing_if = "is_default")]
    pub state: StateEntry,
}

/// The part of a state that is in no other entry.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StateEntry {
    /// Time, s.
    #[serde(default, skip_serializing_if = "is_default")]
    pub time: f64,
    /// The sub-step that suited the last step, s; 0 when that is not known.
    #[serde(default, skip_serializing_if = "is_default")]
    pub substep: f64,
    /// Multipliers of the last step by joint, one number for each row: forces in N, torques in N·m.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub multipliers: BTreeMap<String, Vec<f64>>,
    /// Where an iterative method that was cut short goes on, by joint, one number for each row.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub directions: BTreeMap<String, Vec<f64>>,
}

pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

pub(crate) fn yes() -> bool {
    true
}

pub(crate) fn is_yes(value: &bool) -> bool {
    *value
}
