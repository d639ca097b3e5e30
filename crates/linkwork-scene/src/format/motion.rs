//! Functions of time, paths and prescribed motions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Numbers;

/// What a function of time is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FunctionKind {
    /// `value`.
    Constant,
    /// `start + rate·t`.
    Ramp,
    /// `offset + amplitude·sin(2π·frequency·t + phase)`.
    Sine,
    /// A smooth curve through `keyframes`, straight on beyond its ends.
    Keyframes,
}

/// A function of time: an angle in radians (fields in `_deg`: degrees) or a length in metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = super::kinds::restrict_function)]
pub struct FunctionEntry {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: FunctionKind,
    /// Value of a constant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Value of a constant, degrees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value_deg: Option<f64>,
    /// Value at t = 0; 0 when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// Value at t = 0, degrees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_deg: Option<f64>,
    /// Change per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Change per second, degrees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_deg: Option<f64>,
    /// Greatest deviation from `offset`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amplitude: Option<f64>,
    /// Greatest deviation from `offset`, degrees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amplitude_deg: Option<f64>,
    /// Periods per second, Hz.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency: Option<f64>,
    /// Angle of the sine at t = 0; 0 when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<f64>,
    /// Angle of the sine at t = 0, degrees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase_deg: Option<f64>,
    /// Mean value; 0 when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<f64>,
    /// Mean value, degrees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset_deg: Option<f64>,
    /// `[time, value]` pairs, at least two, with increasing times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keyframes: Option<Vec<[f64; 2]>>,
}

/// What a path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PathKind {
    /// `start + velocity·t`.
    Line,
    /// A circle at constant speed: `center`, `axis`, `radius`, `frequency`, `phase`.
    Circle,
    /// A smooth curve through `keyframes`, straight on beyond its ends unless it repeats.
    Keyframes,
}

/// A timed curve in the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = super::kinds::restrict_path)]
pub struct PathEntry {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: PathKind,
    /// Position at t = 0, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<[f64; 3]>,
    /// Velocity, m/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<[f64; 3]>,
    /// Centre, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub center: Option<[f64; 3]>,
    /// Axis of the circle; z when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<[f64; 3]>,
    /// Radius, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// Turns per second, Hz.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency: Option<f64>,
    /// Angle at t = 0; 0 when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<f64>,
    /// Angle at t = 0, degrees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase_deg: Option<f64>,
    /// `[time, x, y, z]`, or `[time, x, y]` in the plane; at least two, with increasing times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keyframes: Option<Vec<Numbers>>,
    /// Whether the curve goes round: the last keyframe is the first again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<bool>,
}

/// What a prescribed motion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MotionKind {
    /// Stays where it is.
    Fixed,
    /// Turns about `axis` through `point` at `rate`.
    Spin,
    /// Swings about its pose: `amplitude`, `swing`, `frequency`, `phase`.
    Sine,
    /// Its origin follows `path`; it does not turn.
    Path,
}

/// A prescribed motion of a kinematic body, whose pose is that at t = 0 (of a sine: the middle).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = super::kinds::restrict_motion)]
pub struct MotionEntry {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: MotionKind,
    /// A point on the axis, world coordinates, m; the body's position when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<[f64; 3]>,
    /// Direction of the axis, world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<[f64; 3]>,
    /// Angular rate, rad/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Angular rate, degrees per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_deg: Option<f64>,
    /// How far the origin moves to either side, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amplitude: Option<[f64; 3]>,
    /// How far the body turns to either side: axis × angle, rad.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swing: Option<[f64; 3]>,
    /// Swings per second, Hz.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency: Option<f64>,
    /// Phase at t = 0; 0 when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<f64>,
    /// Phase at t = 0, degrees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase_deg: Option<f64>,
    /// The path of the origin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<PathEntry>,
}
