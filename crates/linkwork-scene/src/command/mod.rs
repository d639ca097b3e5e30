//! Every edit of a scene as a value: the undo stack, the log, the bug report and the test case.
//!
//! A [`Command`] is what somebody wants; a [`Session`] applies it, can take edits back, and keeps a
//! log. Replaying the log gives the same state to the last bit.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::catalogue::WorldEntry;
use crate::fault::Fault;
use crate::format::{
    BehaviorEntry, BodyEntry, ConnectorEntry, DragEntry, HandEntry, JointEntry, Numbers,
    PictureEntry, QuantityEntry, TableEntry, TraceEntry, ViewEntry, is_default,
};
use crate::parameter::{Given, has_texts};
use crate::read::node::Tree;
use crate::read::record::{define, record, unknown};
use crate::read::{Node, Record, from_json};

mod before;
mod change;
mod differences;
mod film;
mod log;
mod motors;
pub(crate) mod parameters;
mod pictures;
mod quantities;
mod rename;
pub(crate) mod resize;
mod rewind;
mod session;
mod tables;

pub use log::{Line, lines, replay, replay_on};
pub use rename::{NamedKind, Rename};
pub use session::{Outcome, Session};

/// Declares the commands: each with its word in logs.
macro_rules! commands {
    ($(#[doc = $about:literal])+ {
        $($(#[doc = $help:literal])+ $name:ident $(($type:ty))? = $word:literal,)*
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Command {
            $($(#[doc = $help])+ $name $(($type))?,)*
            /// Any of them with texts in place of numbers, which are worked out when it is applied.
            #[serde(untagged)]
            Typed(Box<Node>),
        }

        impl Command {
            /// The words of all commands.
            pub const WORDS: &[&str] = &[$($word),*];

            /// The word a log has for it.
            pub fn word(&self) -> &'static str {
                match self {
                    $(commands!(@pattern $name $(($type))?) => $word,)*
                    Self::Typed(node) => {
                        let is_its = |word: &&&str| node.get(word).is_some();
                        Self::WORDS.iter().find(is_its).copied().unwrap_or_default()
                    }
                }
            }

            fn read_as(word: &str, inside: Option<&Node>) -> Result<Self, Fault> {
                match word {
                    $($word => commands!(@read $word, inside, $name $(($type))?),)*
                    _ => Err(unknown("command", word, Self::WORDS.iter().copied())),
                }
            }

            fn schemas(definitions: &mut Map<String, Value>) -> Vec<Value> {
                vec![$({
                    let mut own = commands!(@schema $word, definitions, $(($type))?);
                    own["description"] = json!(concat!($($help),+).trim());
                    own
                }),*]
            }
        }
    };
    (@pattern $name:ident) => { Self::$name };
    (@pattern $name:ident ($type:ty)) => { Self::$name(_) };
    (@read $word:literal, $inside:ident, $name:ident) => {
        match $inside {
            None => Ok(Self::$name),
            Some(_) => Err(Fault::at("", concat!("the command \"", $word, "\" stands alone"))),
        }
    };
    (@read $word:literal, $inside:ident, $name:ident ($type:ty)) => {
        match $inside {
            Some(own) => match <$type>::read(own) {
                Ok(own) => Ok(Self::$name(own)),
                Err(fault) => Err(fault.under($word)),
            },
            None => Err(Fault::at("", concat!("the command \"", $word, "\" says nothing more"))),
        }
    };
    (@schema $word:literal, $definitions:ident,) => { json!({ "const": $word }) };
    (@schema $word:literal, $definitions:ident, ($type:ty)) => {
        json!({
            "type": "object",
            "properties": { $word: <$type>::schema($definitions) },
            "required": [$word],
            "additionalProperties": false,
        })
    };
}

commands! {
    /// Something to be done to a scene.
    ///
    /// In a log each is a line, such as `{"join": {"name": "pin", "type": "hinge", …}}`.
    {
        /// Adds a body.
        AddBody(Box<BodyEntry>) = "add_body",
        /// Removes a body, and what holds on to it.
        RemoveBody(String) = "remove_body",
        /// Makes a body another one with as many coordinates. It stays where it is unless the entry says
        /// where.
        SetBody(Box<BodyEntry>) = "set_body",
        /// The same, and what sits on the body keeps its place relative to the body's size: a bar that
        /// grows takes the joints at its ends along.
        Resize(Box<BodyEntry>) = "resize",
        /// Adds a joint.
        Join(Box<JointEntry>) = "join",
        /// Removes a joint.
        Detach(String) = "detach",
        /// Makes a joint another one, in its place.
        SetJoint(Box<JointEntry>) = "set_joint",
        /// Adds a behavior.
        AddBehavior(Box<BehaviorEntry>) = "add_behavior",
        /// Removes a behavior.
        RemoveBehavior(String) = "remove_behavior",
        /// Makes a behavior another one, in its place.
        SetBehavior(Box<BehaviorEntry>) = "set_behavior",
        /// Names a connector.
        AddConnector(Box<ConnectorEntry>) = "add_connector",
        /// Forgets the name of a connector; what uses it stays.
        RemoveConnector(String) = "remove_connector",
        /// Adds a quantity: a number, point or direction that a formula works out of others.
        AddQuantity(Box<QuantityEntry>) = "add_quantity",
        /// Removes a quantity, and what holds on to it.
        RemoveQuantity(String) = "remove_quantity",
        /// Makes a quantity another one, in its place: what holds on to it stays.
        SetQuantity(Box<QuantityEntry>) = "set_quantity",
        /// Sets the functions that all formulas share; every formula is read again.
        SetFunctions(Vec<String>) = "set_functions",
        /// Adds a table: data that formulas go through row by row.
        AddTable(Box<TableEntry>) = "add_table",
        /// Removes a table, and the joints that go through it.
        RemoveTable(String) = "remove_table",
        /// Makes a table another one, in its place: what goes through it stays.
        SetTable(Box<TableEntry>) = "set_table",
        /// Adds a picture that formulas read.
        AddPicture(Box<PictureEntry>) = "add_picture",
        /// Removes a picture that no formula reads.
        RemovePicture(String) = "remove_picture",
        /// Makes a picture another one, or blurs it otherwise; formulas go on with it.
        SetPicture(Box<PictureEntry>) = "set_picture",
        /// Records the path of a point.
        AddTrace(Box<TraceEntry>) = "add_trace",
        /// Records it no longer.
        RemoveTrace(String) = "remove_trace",
        /// Sets gravity, the order of dynamics, preset, method and budget.
        SetWorld(Box<WorldEntry>) = "set_world",
        /// Calls the scene by another name; an empty one is none.
        SetName(String) = "set_name",
        /// Calls a body, a joint or anything else with a name otherwise, wherever it is named.
        Rename(Rename) = "rename",
        /// Sets hints for viewers.
        SetView(ViewEntry) = "set_view",
        /// Gives a parameter another value, or makes one. Everything that depends on it follows.
        SetParameter(SetParameter) = "set_parameter",
        /// Calls a parameter by another name, in all texts too.
        RenameParameter(RenameParameter) = "rename_parameter",
        /// Removes a parameter.
        RemoveParameter(RemoveParameter) = "remove_parameter",
        /// Makes one number of the scene another, or a text over parameters. What sits on a body that grows moves
        /// along.
        SetField(SetField) = "set_field",
        /// Lets every body collide that has a shape, or none of them.
        Collide(Collide) = "collide",
        /// Puts a body somewhere, and stops it unless the entry says how it moves.
        Put(Put) = "put",
        /// Several edits as one: all or none, and undone together.
        Together(Vec<Command>) = "together",
        /// Takes the last edit back. While time stands, the state is again what it was before the edit, to the
        /// last bit; if time has passed since, the edit is taken back in the present state.
        Undo = "undo",
        /// Does again what was taken back.
        Redo = "redo",
        /// Says what a joint counts where iterations are cut short, without touching anything else. No edit:
        /// undo leaves it alone.
        Weigh(Weigh) = "weigh",
        /// A hand takes hold of something.
        Grab(Box<HandEntry>) = "grab",
        /// Moves the goal of a hand.
        Drag(DragTo) = "drag",
        /// A hand holds on in another way.
        Hold(Hold) = "hold",
        /// A hand lets go.
        Release(String) = "release",
        /// Lets hands move what they hold while time stands: joints are closed, forces do nothing, and
        /// everything rests afterwards but for what drives ask. Undone as one edit until something else is
        /// done; an edit while the hands still hold on is a part of it.
        Pose(Posing) = "pose",
        /// Lets time pass.
        Step(Step) = "step",
        /// Closes all joints. While time stands after an edit, or after one was taken back, it is a part of that.
        Assemble(Assemble) = "assemble",
        /// Goes to where what wishes and objectives make small is least, as far as joints and limits allow; time
        /// stands, and it is one edit.
        Minimize(Minimize) = "minimize",
        /// Brings back the state in which time last left its start. Edits made since stay: what was added is
        /// where it was put, and what broke is whole.
        Reset = "reset",
        /// Brings back the state of a frame: the film has the frames that time went through, as far back as there is
        /// room for. Edits stay, as after a reset. What is later is forgotten with the next step or edit.
        Rewind(Rewind) = "rewind",
    }
}

impl Record for Command {
    fn read(node: &Node) -> Result<Self, Fault> {
        match &node.tree {
            Tree::Text(word) => Self::read_as(word, None),
            Tree::Object(fields) => match &**fields {
                [(word, inside)] if has_texts(inside) && !Self::takes_texts(word) => {
                    if !Self::WORDS.contains(&&**word) {
                        return Self::read_as(word, Some(inside));
                    }
                    Ok(Self::Typed(Box::new(node.clone())))
                }
                [(word, inside)] => Self::read_as(word, Some(inside)),
                _ => Err(Fault::at("", "is not one command").hint("give one a line")),
            },
            _ => Err(node.wrong("a command, such as {\"step\": {}}")),
        }
    }

    fn schema(definitions: &mut Map<String, Value>) -> Value {
        define(
            definitions,
            "Command",
            &|definitions| json!({ "description": "Something to be done to a scene.", "oneOf": Self::schemas(definitions) }),
        )
    }
}

impl Command {
    /// Whether texts are what a command is about.
    fn takes_texts(word: &str) -> bool {
        matches!(word, "set_parameter" | "set_field")
    }
}

impl std::str::FromStr for Command {
    type Err = Fault;

    /// Reads a line of a log.
    fn from_str(text: &str) -> Result<Self, Fault> {
        from_json(text)
    }
}

record! {
    /// What a parameter is.
    pub struct SetParameter {
        /// Its name.
        pub name: String,
        /// A number, or an expression of other parameters that begins with `=`.
        pub value: Given,
        /// From where to where its slider goes; as it is when left out.
        pub range: Option<[f64; 2]>,
        /// One line; as it is when left out.
        pub help: Option<String>,
    }
}

record! {
    /// Another name for a parameter.
    pub struct RenameParameter {
        /// Its name.
        pub name: String,
        /// Its new name.
        pub to: String,
    }
}

record! {
    /// A parameter that goes.
    pub struct RemoveParameter {
        /// Its name.
        pub name: String,
        /// Whether what depends on it keeps the values it has; else it is refused if anything does.
        #[serde(default, skip_serializing_if = "is_default")]
        pub keep_values: bool,
    }
}

record! {
    /// One number of a scene.
    pub struct SetField {
        /// Where: `bodies.crank.length`, `joints.pin.a.point[0]`, `world.gravity[1]`.
        pub field: String,
        /// A number, or a text that begins with `=`.
        pub to: Given,
    }
}

record! {
    /// Whether bodies collide.
    pub struct Collide {
        /// Whether they do. Those that collide already stay as they are.
        pub on: bool,
    }
}

record! {
    /// Where a body is put.
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
}

record! {
    /// Where a hand goes.
    pub struct DragTo {
        /// The hand.
        pub hand: String,
        /// World position, m; of a number, what it shall be.
        pub goal: Numbers,
        /// Rotation, of a held frame.
        pub quaternion: Option<[f64; 4]>,
    }
}

record! {
    /// What a joint counts.
    pub struct Weigh {
        /// The joint.
        pub joint: String,
        /// Its weight within its priority.
        pub weight: f64,
    }
}

record! {
    /// How a hand holds on.
    pub struct Hold {
        /// The hand.
        pub hand: String,
        /// How.
        pub drag: DragEntry,
    }
}

record! {
    /// How time passes.
    #[derive(Default)]
    pub struct Step {
        /// Length of a frame, s; that of the scene when left out.
        pub dt: Option<f64>,
        /// How many frames; one when left out.
        pub count: Option<u64>,
        /// Iterations each may spend: what a deadline allowed.
        pub iterations: Option<usize>,
    }
}

record! {
    /// Where time goes back to.
    pub struct Rewind {
        /// The time, s: the last frame that is not later comes back.
        pub time: f64,
    }
}

record! {
    /// How hands move what they hold while time stands.
    #[derive(Default)]
    pub struct Posing {
        /// Iterations it may spend: what a deadline allowed.
        pub iterations: Option<usize>,
    }
}

record! {
    /// How a minimum is looked for.
    #[derive(Default)]
    pub struct Minimize {
        /// Steps it may try.
        pub iterations: Option<usize>,
    }
}

record! {
    /// How joints are closed.
    #[derive(Default)]
    pub struct Assemble {
        /// Iterations it may spend.
        pub iterations: Option<usize>,
    }
}
