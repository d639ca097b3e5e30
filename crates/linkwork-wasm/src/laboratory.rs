//! What the JavaScript class does, without JavaScript: runs and is tested on any machine.

use linkwork::prelude::*;
use linkwork_scene::command::{Command, Session, Step};
use linkwork_scene::{Scene, export, library};
use serde::Serialize;

use crate::certificate::Certificate;

/// A session, and what a viewer asks of it. Every error is a text for people.
#[derive(Debug)]
pub struct Laboratory {
    session: Session,
    /// Of the last step, if nothing was edited since.
    step: Option<StepReport>,
    /// Independent loops, since the last edit.
    n_loops: Option<usize>,
    poses: Vec<f64>,
}

impl Laboratory {
    /// Opens a scene of the library, or the text of a file.
    pub fn open(name_or_text: &str) -> Result<Self, String> {
        // No name of a scene has a bracket, and every file has.
        let scene = match name_or_text.contains('{') {
            true => linkwork_scene::load(name_or_text).map_err(text)?,
            false => library::open(name_or_text).map_err(text)?,
        };
        Ok(Self {
            session: Session::new(scene).map_err(text)?,
            step: None,
            n_loops: None,
            poses: Vec::new(),
        })
    }

    /// Applies a command and gives the report after it.
    pub fn apply(&mut self, command: &str) -> Result<String, String> {
        let command: Command = command.parse().map_err(text)?;
        let outcome = self.session.apply(&command).map_err(text)?;
        // Hands are no part of the mechanism: they leave its loops alone.
        let is_edit = !matches!(
            command,
            Command::Grab(_)
                | Command::Drag(_)
                | Command::Hold(_)
                | Command::Release(_)
                | Command::Step(_)
        );
        if is_edit {
            (self.step, self.n_loops) = (None, None);
        }
        if let Some(step) = outcome.step {
            self.happened(step);
        }
        self.report()
    }

    /// Lets a frame pass.
    pub fn step(&mut self, dt: Option<f64>) -> Result<(), String> {
        let outcome = self.session.apply(&Command::Step(frame(dt)));
        if let Some(step) = outcome.map_err(text)?.step {
            self.happened(step);
        }
        Ok(())
    }

    /// Lets a frame pass, until a deadline says stop.
    pub fn step_until(
        &mut self,
        dt: Option<f64>,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<(), String> {
        let step = self.session.step_until(&frame(dt), is_over);
        self.happened(step.map_err(text)?);
        Ok(())
    }

    /// Joints that broke or closed are others now.
    fn happened(&mut self, step: StepReport) {
        if !step.events.is_empty() {
            self.n_loops = None;
        }
        self.step = Some(step);
    }

    /// Where bodies are: see [`export::poses`].
    pub fn poses(&mut self) -> &[f64] {
        export::poses(self.session.scene(), &mut self.poses);
        &self.poses
    }

    /// What to draw: see [`export::Look`].
    pub fn describe(&self) -> Result<String, String> {
        json(&export::look(self.session.scene()))
    }

    /// The scene as the text of a file.
    pub fn save(&self) -> Result<String, String> {
        linkwork_scene::save(self.session.scene()).map_err(text)
    }

    /// The session as a log.
    pub fn log(&self) -> Result<String, String> {
        self.session.to_log().map_err(text)
    }

    /// Equal for equal bits of the state.
    pub fn state_hash(&self) -> String {
        format!("{:016x}", self.scene().world.state_hash())
    }

    /// The scene as it is now.
    pub fn scene(&self) -> &Scene {
        self.session.scene()
    }

    /// How exact the present state is, and what it cost: see [`Certificate`].
    pub fn report(&mut self) -> Result<String, String> {
        let n_loops = match self.n_loops {
            Some(n_loops) => n_loops,
            None => n_loops(&self.scene().world),
        };
        self.n_loops = Some(n_loops);
        let certificate = Certificate::of(
            self.scene(),
            self.step.as_ref(),
            n_loops,
            self.session.depth(),
        );
        json(&certificate.map_err(text)?)
    }
}

/// Every scene of the library, as JSON.
pub(crate) fn library() -> Result<String, String> {
    json(&library::list().collect::<Vec<_>>())
}

fn n_loops(world: &World) -> usize {
    let mut simulator = Simulator::new();
    simulator.fill(world, Motion::Displacement, &SolveOptions::default());
    simulator.topology().n_loops()
}

fn frame(dt: Option<f64>) -> Step {
    Step {
        dt,
        ..Step::default()
    }
}

fn json(value: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(value).map_err(text)
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn report(lab: &mut Laboratory) -> Value {
        serde_json::from_str(&lab.report().unwrap()).unwrap()
    }

    #[test]
    fn a_four_bar_is_opened_dragged_and_reported() {
        let mut lab = Laboratory::open("four-bar").unwrap();
        let start = report(&mut lab);
        assert_eq!((&start["rows"], &start["loops"]), (&20.into(), &1.into()));
        assert_eq!(start["iterations"], 0);
        let grab = r#"{"grab": {"name": "hand", "held": {"body": "crank", "point": [0.5, 0, 0]},
            "drag": {"type": "follow"}}}"#;
        lab.apply(grab).unwrap();
        let before = lab.poses().to_vec();
        lab.apply(r#"{"drag": {"hand": "hand", "goal": [0.0, 1.0, 0.0]}}"#)
            .unwrap();
        for _ in 0..60 {
            lab.step(None).unwrap();
        }
        let after = report(&mut lab);
        assert!(after["residual"].as_f64().unwrap() < 1e-6, "{after}");
        assert_eq!(after["loops"], 1);
        assert_eq!(before.len(), 21);
        assert!(
            (lab.poses()[15] - before[15]).abs() > 0.01,
            "the rocker follows"
        );
    }

    #[test]
    fn a_log_ends_where_the_session_did() {
        let mut lab = Laboratory::open("jansen").unwrap();
        let mut n_asked = 0;
        for _ in 0..10 {
            lab.step(None).unwrap();
            let mut is_over = || {
                n_asked += 1;
                n_asked % 3 == 0
            };
            lab.step_until(Some(0.01), &mut is_over).unwrap();
        }
        let replayed = linkwork_scene::command::replay(&lab.log().unwrap()).unwrap();
        let hash = format!("{:016x}", replayed.scene().world.state_hash());
        assert_eq!(hash, lab.state_hash());
    }

    #[test]
    fn what_is_saved_opens_again_with_the_same_bits() {
        let mut lab = Laboratory::open("chain:6").unwrap();
        lab.step(None).unwrap();
        let again = Laboratory::open(&lab.save().unwrap()).unwrap();
        assert_eq!(again.state_hash(), lab.state_hash());
    }

    #[test]
    fn mistakes_are_told_in_words_and_change_nothing() {
        let refused = Laboratory::open("four-bra").unwrap_err();
        assert!(refused.ends_with("did you mean \"four-bar\"?"), "{refused}");
        let mut lab = Laboratory::open("four-bar").unwrap();
        let hash = lab.state_hash();
        let refused = lab.apply(r#"{"detach": "Q"}"#).unwrap_err();
        assert_eq!(refused, "detach: no joint is called \"Q\"");
        assert!(
            lab.apply(r#"{"explode": 1}"#)
                .unwrap_err()
                .contains("explode")
        );
        assert!(lab.apply("{").is_err());
        assert!(lab.step(Some(f64::NAN)).is_err());
        assert_eq!(lab.state_hash(), hash);
    }

    #[test]
    fn edits_and_their_undoing_count_loops_anew() {
        let mut lab = Laboratory::open("four-bar").unwrap();
        lab.apply(r#"{"detach": "D"}"#).unwrap();
        let open = report(&mut lab);
        assert_eq!((&open["loops"], &open["undo"]), (&0.into(), &1.into()));
        lab.apply(r#""undo""#).unwrap();
        let closed = report(&mut lab);
        assert_eq!((&closed["loops"], &closed["redo"]), (&1.into(), &1.into()));
    }

    #[test]
    fn the_library_lists_every_scene() {
        let listed: Value = serde_json::from_str(&library().unwrap()).unwrap();
        assert_eq!(listed.as_array().unwrap().len(), library::list().count());
    }
}
