//! The scene format, version 1: what a file may say, as types.
//!
//! These are not the engine's types: a file speaks of names, shapes and degrees, the engine of ids,
//! masses and radians. [`crate::build()`] goes from here to a world, [`crate::describe()`] comes back.
//! What has a `type` is an [`Entry`] of the [`crate::catalogue`], which has every type and its fields.
//! The rest are records: structs whose fields are read one by one.
//!
//! Units are SI; angles are in radians unless the field ends in `_deg`.

use std::collections::BTreeMap;

use crate::catalogue::{BehaviorType, BodyType, DragType, Entry, JointType, PartType, WorldEntry};
use crate::parameter::Parameters;
use crate::read::record::record;

mod connector;
pub(crate) mod numbers;
mod picture;
mod quantity;
mod table;
mod view;

pub use connector::{ConnectorEntry, ConnectorRef};
pub use numbers::Numbers;
pub use picture::{FilmEntry, PictureEntry};
pub use quantity::QuantityEntry;
pub use table::{Cell, TableEntry};
pub use view::{
    BodyView, CameraEntry, HandEntry, SkinEntry, SkinVertex, StrokeEntry, TraceEntry, ViewEntry,
};

/// A body.
pub type BodyEntry = Entry<BodyType>;
/// A solid that is a part of a body, or only drawn with it.
pub type PartEntry = Entry<PartType>;
/// A joint or other constraint.
pub type JointEntry = Entry<JointType>;
/// A behavior.
pub type BehaviorEntry = Entry<BehaviorType>;
/// How a hand holds, with numbers.
pub type DragEntry = Entry<DragType>;

/// The version this crate writes.
pub const VERSION: u32 = 1;

record! {
    /// A scene file.
    #[derive(Default)]
    pub struct Document {
        /// Where editors find the schema of this format; not read.
        #[serde(rename = "$schema")]
        pub schema: Option<String>,
        /// Version of the format: 1.
        pub linkwork: u32,
        /// What to call the scene.
        pub name: Option<String>,
        /// One line: what the scene is for.
        pub why: Option<String>,
        /// Named numbers. Any number of an entry may be a text over them: `"=L/2 + 5mm"`.
        #[serde(default, skip_serializing_if = "Parameters::is_empty")]
        pub parameters: Parameters,
        /// Gravity, order of dynamics, and how steps are taken.
        #[serde(default, skip_serializing_if = "is_default")]
        pub world: WorldEntry,
        /// The bodies. "ground" is always there and is not listed.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub bodies: Vec<BodyEntry>,
        /// Points, frames and directions on bodies, by name.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub connectors: Vec<ConnectorEntry>,
        /// Functions that all formulas share, such as "r(w) = 1 + w^2".
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub functions: Vec<String>,
        /// Numbers, points and directions that are worked out of others.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub quantities: Vec<QuantityEntry>,
        /// Data in columns with names.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub tables: Vec<TableEntry>,
        /// Pictures that formulas read.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub pictures: Vec<PictureEntry>,
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
}

record! {
    /// The part of a state that is in no other entry.
    #[derive(Default)]
    pub struct StateEntry {
        /// Time, s.
        #[serde(default, skip_serializing_if = "is_default")]
        pub time: f64,
        /// When bodies were where their entries say, if they are elsewhere by now, s.
        pub started: Option<f64>,
        /// Where bodies are and how they move, if their entries say where they start: written by "save" where numbers
        /// are texts.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        pub places: BTreeMap<String, PlaceEntry>,
        /// The sub-step that suited the last step, s; 0 when that is not known.
        #[serde(default, skip_serializing_if = "is_default")]
        pub substep: f64,
        /// Multipliers of the last step by joint, one number for each row: forces in N, torques in N·m.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        pub multipliers: BTreeMap<String, Vec<f64>>,
        /// Where an iterative method that was cut short goes on, by joint, one number for each row.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        pub directions: BTreeMap<String, Vec<f64>>,
        /// What joints hold against those of a lower priority, where such a method brings both together, by joint.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        pub held: BTreeMap<String, Vec<f64>>,
        /// Full turns made by joint, one whole number for each angle that it measures in space. Without them
        /// a joint is taken to be at the turn nearest to closed.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        pub turns: BTreeMap<String, Vec<f64>>,
        /// Full turns made by behavior, one whole number for each angle that it measures in space.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        pub behavior_turns: BTreeMap<String, Vec<f64>>,
        /// What touched at the end of the last step, by the places of both colliders and the number of the part: where,
        /// along which normal and with which force, three numbers each; and with which moment, where rolling or
        /// spinning is resisted.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        pub touching: BTreeMap<String, Vec<f64>>,
    }
}

record! {
    /// Where a body is and how it moves.
    pub struct PlaceEntry {
        /// Its coordinates, as the engine keeps them.
        pub q: Vec<f64>,
        /// Its velocities, as the engine keeps them.
        pub v: Vec<f64>,
    }
}

pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
