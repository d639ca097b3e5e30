//! Every edit of a scene as a value: the undo stack, the log, the bug report and the test case.
//!
//! A [`Command`] is what somebody wants; a [`Session`] applies it, can take edits back, and keeps a
//! log. Replaying the log gives the same state to the last bit.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::fault::Fault;
use crate::format::{
    BehaviorEntry, BodyEntry, ConnectorEntry, DragEntry, HandEntry, JointEntry, Numbers,
    TraceEntry, ViewEntry, WorldEntry,
};
use crate::read::from_json;

mod change;
mod log;
mod resize;
mod session;

pub use log::{Line, lines, replay, replay_on};
pub use session::{Outcome, Session};

/// Something to be done to a scene.
///
/// In a log each is a line, such as `{"join": {"name": "pin", "type": "hinge", …}}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Adds a body.
    AddBody(Box<BodyEntry>),
    /// Removes a body, and what holds on to it.
    RemoveBody(String),
    /// Makes a body another one with as many coordinates. It stays where it is unless the entry says
    /// where.
    SetBody(Box<BodyEntry>),
    /// The same, and what sits on the body keeps its place relative to the body's size: a bar that
    /// grows takes the joints at its ends along.
    Resize(Box<BodyEntry>),
    /// Adds a joint.
    Join(Box<JointEntry>),
    /// Removes a joint.
    Detach(String),
    /// Makes a joint another one, in its place.
    SetJoint(Box<JointEntry>),
    /// Adds a behavior.
    AddBehavior(Box<BehaviorEntry>),
    /// Removes a behavior.
    RemoveBehavior(String),
    /// Makes a behavior another one, in its place.
    SetBehavior(Box<BehaviorEntry>),
    /// Names a connector.
    AddConnector(Box<ConnectorEntry>),
    /// Forgets the name of a connector; what uses it stays.
    RemoveConnector(String),
    /// Records the path of a point.
    AddTrace(Box<TraceEntry>),
    /// Records it no longer.
    RemoveTrace(String),
    /// Sets gravity, the order of dynamics, preset, method and budget.
    SetWorld(Box<WorldEntry>),
    /// Sets hints for viewers.
    SetView(ViewEntry),
    /// Puts a body somewhere, and stops it unless the entry says how it moves.
    Put(Put),
    /// Several edits as one: all or none, and undone together.
    Together(Vec<Command>),
    /// Takes the last edit back, in the present state.
    Undo,
    /// Does again what was taken back.
    Redo,
    /// A hand takes hold of something.
    Grab(Box<HandEntry>),
    /// Moves the goal of a hand.
    Drag(DragTo),
    /// A hand holds on in another way.
    Hold(Hold),
    /// A hand lets go.
    Release(String),
    /// Lets hands move what they hold while time stands: joints are closed, forces do nothing, and
    /// everything rests afterwards but for what drives ask. Undone as one edit until something else is
    /// done.
    Pose(Posing),
    /// Lets time pass.
    Step(Step),
    /// Closes all joints.
    Assemble(Assemble),
}

impl std::str::FromStr for Command {
    type Err = Fault;

    /// Reads a line of a log.
    fn from_str(text: &str) -> Result<Self, Fault> {
        from_json(text)
    }
}

/// Where a body is put.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Put {
    /// The body.
    pub body: String,
    /// World position of its origin, m.
    pub position: Numbers,
    /// Its rotation as a unit quaternion w, x, y, z; as it is when left out.
    pub quaternion: Option<[f64; 4]>,
    /// Its angle, in the plane; as it is when left out.
    pub angle: Option<f64>,
}

/// Where a hand goes.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DragTo {
    /// The hand.
    pub hand: String,
    /// World position, m.
    pub goal: Numbers,
    /// Rotation, of a held frame.
    pub quaternion: Option<[f64; 4]>,
}

/// How a hand holds on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hold {
    /// The hand.
    pub hand: String,
    /// How.
    pub drag: DragEntry,
}

/// How time passes.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Length of a frame, s; that of the scene when left out.
    pub dt: Option<f64>,
    /// How many frames; one when left out.
    pub count: Option<u64>,
    /// Iterations each may spend: what a deadline allowed.
    pub iterations: Option<usize>,
}

/// How hands move what they hold while time stands.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Posing {
    /// Iterations it may spend: what a deadline allowed.
    pub iterations: Option<usize>,
}

/// How joints are closed.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Assemble {
    /// Iterations it may spend.
    pub iterations: Option<usize>,
}
