//! Behaviors: forces.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::{ConnectorRef, Numbers, is_yes, yes};

/// What a behavior is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BehaviorKind {
    /// A uniform field: `acceleration`. The world's `gravity` is one, called "gravity".
    Gravity,
    /// A constant `force` on a point.
    Force,
    /// A constant `force` and `torque` on a frame, in `axes` of the world or of the body.
    Wrench,
    /// A constant `torque` about a's x, on b and against a.
    Motor,
    /// A spring with a damper about a's x. It is an explicit force: not for great stiffness.
    TorsionSpring,
    /// Viscous friction about and along a's x.
    Friction,
    /// Viscous drag on a frame: `linear`, `angular`.
    Drag,
    /// A spring with a damper as an explicit force. The joint "spring" may be as stiff as you like.
    ExplicitSpring,
}

/// The axes in which a wrench is constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AxesEntry {
    /// The world's: a weight.
    #[default]
    World,
    /// The connector's own: a thruster.
    Connector,
}

/// A behavior.
///
/// What acts between two frames takes `a` and `b`, or the name of a `joint` whose frames it uses.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = super::kinds::restrict_behavior)]
pub struct BehaviorEntry {
    /// Its name.
    pub name: String,
    /// What it is.
    #[serde(rename = "type")]
    pub kind: BehaviorKind,
    /// What a force, wrench or drag acts on.
    pub on: Option<ConnectorRef>,
    /// The first side.
    pub a: Option<ConnectorRef>,
    /// The second side.
    pub b: Option<ConnectorRef>,
    /// The joint whose frames are the two sides.
    pub joint: Option<String>,
    /// Acceleration of a field, m/s².
    pub acceleration: Option<[f64; 3]>,
    /// Force, N.
    pub force: Option<Numbers>,
    /// Torque, N·m: one number about a's x, three on a frame in space.
    pub torque: Option<Numbers>,
    /// Axes of a wrench; "world" when left out.
    pub axes: Option<AxesEntry>,
    /// Stiffness, N/m or N·m/rad.
    pub stiffness: Option<f64>,
    /// Damping, N·s/m or N·m·s/rad.
    pub damping: Option<f64>,
    /// Length at which a spring rests, m.
    pub rest_length: Option<f64>,
    /// Angle at which a torsion spring rests, rad.
    pub rest_angle: Option<f64>,
    /// Angle at which a torsion spring rests, degrees.
    pub rest_angle_deg: Option<f64>,
    /// Force per velocity, N·s/m.
    pub linear: Option<f64>,
    /// Torque per angular velocity, N·m·s/rad.
    pub angular: Option<f64>,
    /// Whether it acts.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub enabled: bool,
}
