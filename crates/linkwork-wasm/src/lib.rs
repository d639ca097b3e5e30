//! Linkwork in a browser: a scene under commands, as a JavaScript class.
//!
//! What crosses the border is text (JSON, in the words of scene files and logs) and numbers. Errors are
//! texts for people. There is no clock and no randomness in here: a deadline is a function of the
//! caller, and what it allowed is in the log.

use wasm_bindgen::prelude::*;

mod certificate;
mod laboratory;
mod study;
mod synthesis;

pub use certificate::{Certificate, EndedBy, Energies, HandPull, JointEvent, OpenJoint, RungTaken};
pub use laboratory::{Laboratory, Quantity};
pub use study::{Findings, Redundant};
pub use synthesis::{Linkage, linkages};

// What is used of JavaScript. The crate that declares all of it, js-sys, takes longer to compile than this one.
#[wasm_bindgen]
extern "C" {
    /// Numbers of the page.
    #[wasm_bindgen(typescript_type = "Float64Array")]
    #[derive(Debug)]
    pub type Float64Array;

    #[wasm_bindgen(method, getter)]
    fn length(this: &Float64Array) -> u32;

    #[wasm_bindgen(method)]
    fn set(this: &Float64Array, numbers: &[f64]);

    /// A function of the page.
    #[wasm_bindgen(typescript_type = "Function")]
    #[derive(Debug)]
    pub type Function;

    #[wasm_bindgen(method, catch)]
    fn call(this: &Function, context: &JsValue) -> Result<JsValue, JsValue>;
}

/// A scene under commands.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Lab(Laboratory);

#[wasm_bindgen]
impl Lab {
    /// Opens a scene of the library by its name, such as `four-bar` or `chain:12`, or the text of a
    /// scene file.
    pub fn open(name_or_text: &str) -> Result<Lab, JsError> {
        Ok(Self(Laboratory::open(name_or_text).map_err(error)?))
    }

    /// Applies a command, a line of a log: `{"drag": {"hand": "hand", "goal": [0, 1, 0]}}`. Gives the
    /// report after it. If it fails, nothing has changed.
    pub fn apply(&mut self, command: &str) -> Result<String, JsError> {
        self.0.apply(command).map_err(error)
    }

    /// Goes to where objectives are least while time stands, and says how that ended, as JSON.
    pub fn minimize(&mut self) -> Result<String, JsError> {
        self.0.minimize().map_err(error)
    }

    /// Closes what an edit has opened, while time stands; what an undo gave back stays as it was.
    pub fn settle(&mut self) -> Result<(), JsError> {
        self.0.settle().map_err(error)
    }

    /// Lets a frame pass, of the scene's length when `dt` is left out. A deadline is asked now and then
    /// whether time is up; what it allowed is logged, so that a replay is exact.
    pub fn step(&mut self, dt: Option<f64>, deadline: Option<Function>) -> Result<(), JsError> {
        let Some(deadline) = deadline else {
            return self.0.step(dt).map_err(error);
        };
        let mut is_over = || is_over(&deadline);
        self.0.step_until(dt, &mut is_over).map_err(error)
    }

    /// Lets hands move what they hold while time stands, under a deadline like that of a step.
    pub fn pose(&mut self, deadline: &Function) -> Result<(), JsError> {
        let mut is_over = || is_over(deadline);
        self.0.pose_until(&mut is_over).map_err(error)
    }

    /// Where bodies are: the affine map `x = A·X + t` of each in the order of `describe`, twelve numbers,
    /// the rows of `[A t]`.
    pub fn affine_poses(&mut self) -> Vec<f64> {
        self.0.affine_poses().to_vec()
    }

    /// The same into an array of the caller; false, and nothing written, if it has another length.
    pub fn affine_poses_into(&mut self, target: &Float64Array) -> bool {
        fill(target, self.0.affine_poses())
    }

    /// What to draw, as JSON: bodies and their shapes, joints and where they are at this moment, hints.
    pub fn describe(&self) -> Result<String, JsError> {
        self.0.describe().map_err(error)
    }

    /// The entry of something as a file would say it now, as JSON: `kind` is "body", "joint", "behavior",
    /// "world" or "view"; the last two have no name.
    pub fn entry(&self, kind: &str, name: &str) -> Result<String, JsError> {
        self.0.entry(kind, name).map_err(error)
    }

    /// Parameters, texts, relations and numbers, as JSON.
    pub fn formulas(&self) -> Result<String, JsError> {
        self.0.formulas().map_err(error)
    }

    /// What a text that is typed comes to, or what is wrong with it, as JSON. A text that begins with `=` is a number,
    /// any other a relation.
    pub fn check(&self, typed: &str) -> Result<String, JsError> {
        self.0.check(typed).map_err(error)
    }

    /// Where on bodies things can be fastened, as JSON.
    pub fn places(&self) -> Result<String, JsError> {
        self.0.places().map_err(error)
    }

    /// Every quantity that can be watched, as JSON: name, unit, what it is.
    pub fn quantities(&self) -> Result<String, JsError> {
        self.0.quantities().map_err(error)
    }

    /// Watches quantities from now on: a list of names, as JSON. Gives the columns, as JSON.
    pub fn watch(&mut self, names: &str) -> Result<String, JsError> {
        self.0.watch(names).map_err(error)
    }

    /// Rows of what is watched, one for each step since the last call, one after another.
    pub fn watched(&mut self) -> Vec<f64> {
        self.0.watched()
    }

    /// Quantities of one number each: a list of names, as JSON. As they are now, or in what `show` showed.
    pub fn values(&self, names: &str, is_shown: bool) -> Result<Vec<f64>, JsError> {
        self.0.values(names, is_shown).map_err(error)
    }

    /// Forces of joints on their last bodies, world axes, N: three numbers for each joint in the order of
    /// `describe`.
    pub fn forces(&mut self) -> Result<Vec<f64>, JsError> {
        self.0.forces().map_err(error)
    }

    /// Where bodies touched at the end of the last step, world axes: six numbers for each place, the point, m, and
    /// the force on the second body, N.
    pub fn contacts(&self) -> Vec<f64> {
        self.0.contacts()
    }

    /// What can still move, what is held twice, what contradicts, as JSON.
    pub fn diagnose(&mut self) -> Result<String, JsError> {
        self.0.diagnose().map_err(error)
    }

    /// Poses along a motion that is left, `amount` from −1 to 1; of the last diagnosis.
    pub fn wiggle(&mut self, motion: usize, amount: f64) -> Result<Vec<f64>, JsError> {
        self.0.wiggle(motion, amount).map_err(error)
    }

    /// Poses at the last frame of the film that is not later than a time. It only shows: nothing changes.
    pub fn show(&mut self, time: f64) -> Result<Vec<f64>, JsError> {
        self.0.show(time).map_err(error)
    }

    /// Tables and pictures, as JSON; of what is shown of the film, or of the present.
    pub fn data(&self, is_shown: bool) -> Result<String, JsError> {
        self.0.data(is_shown).map_err(error)
    }

    /// A picture as a data URI, of the same.
    pub fn picture(&self, name: &str, is_shown: bool) -> Result<String, JsError> {
        self.0.picture(name, is_shown).map_err(error)
    }

    /// The command that puts the table of a file (CSV, TRC, PLY, XYZ) into the scene, as JSON. Where points pull
    /// bodies, they are those of the file from now on.
    pub fn give_table(&self, name: &str, file: &str, bytes: Vec<u8>) -> Result<String, JsError> {
        self.0.give_table(name, file, bytes).map_err(error)
    }

    /// A number for each corner of `affine_poses`, to color it by: of what `show` showed, or of the present. `by` is
    /// one of the `shades` of `describe`.
    pub fn shades(&self, by: &str, is_shown: bool) -> Result<Vec<f64>, JsError> {
        self.0.shades(by, is_shown).map_err(error)
    }

    /// Points that pull bodies, eight numbers each: the joint by its place in `describe`, the point, the place that it
    /// belongs to, how far it is off.
    pub fn points(&self, is_shown: bool) -> Vec<f64> {
        self.0.points(is_shown)
    }

    /// Everything that has key frames, as JSON.
    pub fn tracks(&self) -> Result<String, JsError> {
        self.0.tracks().map_err(error)
    }

    /// The command that does something to a key; both as JSON.
    pub fn key_edit(&self, said: &str) -> Result<String, JsError> {
        self.0.key_edit(said).map_err(error)
    }

    /// The command that makes a path of a point that was led; both as JSON.
    pub fn perform(&self, said: &str) -> Result<String, JsError> {
        self.0.perform(said).map_err(error)
    }

    /// The command that lets the first of these joints act, and none of the others; both as JSON.
    pub fn choose_take(&self, names: &str) -> Result<String, JsError> {
        self.0.choose_take(names).map_err(error)
    }

    /// The scene as the text of a file.
    pub fn save(&self) -> Result<String, JsError> {
        self.0.save().map_err(error)
    }

    /// Everything that was done since the scene was opened, as JSON lines that can be replayed.
    pub fn log(&self) -> Result<String, JsError> {
        self.0.log().map_err(error)
    }

    /// A fingerprint of the state: 16 hexadecimal digits, equal for equal bits.
    pub fn state_hash(&self) -> String {
        self.0.state_hash()
    }

    /// How exact the present state is and what it cost, as JSON.
    pub fn report(&mut self) -> Result<String, JsError> {
        self.0.report().map_err(error)
    }

    /// Every type of body, joint, behavior and so on, with its fields, as JSON: what forms, menus and the
    /// palette are made of.
    pub fn catalogue() -> Result<String, JsError> {
        laboratory::catalogue().map_err(error)
    }

    /// Four-bars that follow a drawn path, best first, as JSON: x and y of its points in turn. It takes a second.
    pub fn linkages(points: &[f64], name: &str) -> Result<String, JsError> {
        let found = linkages(points, name).map_err(error)?;
        laboratory::json(&found).map_err(error)
    }

    /// Every scene of the library, as JSON.
    pub fn library() -> Result<String, JsError> {
        laboratory::library().map_err(error)
    }
}

/// Copies numbers into an array of the same length.
fn fill(target: &Float64Array, numbers: &[f64]) -> bool {
    let fits = target.length() as usize == numbers.len();
    if fits {
        target.set(numbers);
    }
    fits
}

fn error(text: String) -> JsError {
    JsError::new(&text)
}

/// A deadline that throws is a deadline that has passed.
fn is_over(deadline: &Function) -> bool {
    let answer = deadline.call(&JsValue::NULL);
    answer.map_or(true, |answer| answer.is_truthy())
}
