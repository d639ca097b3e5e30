//! What the JavaScript class does, without JavaScript: runs and is tested on any machine.

use linkwork::prelude::*;
use linkwork::simulator::Standing;
use linkwork::world::GripRecord;
use linkwork_scene::command::{Command, Minimize, Outcome, Session, Step};
use linkwork_scene::describe::{self, Item};
use linkwork_scene::export::{self, Columns, Shade};
use linkwork_scene::format::TableEntry;
use linkwork_scene::points;
use linkwork_scene::read::{Node, Record};
use linkwork_scene::track::{self, perform};
use linkwork_scene::{Scene, library, write};
use serde::Serialize;

use crate::certificate::Certificate;
use crate::study::Study;

/// A session, and what a viewer asks of it. Every error is a text for people.
#[derive(Debug)]
pub struct Laboratory {
    session: Session,
    /// Of the last step, if nothing was edited since.
    step: Option<StepReport>,
    /// Whether bodies were put elsewhere since the last step: where they touched then says nothing.
    is_put: bool,
    /// Independent loops, since the last edit.
    n_loops: Option<usize>,
    poses: Vec<f64>,
    watch: Option<Watch>,
    /// Of the present pose; none since something changed.
    study: Option<Study>,
    /// The scene at a frame of the film, as long as nothing changes.
    shown: Option<Box<Scene>>,
}

/// What is recorded at every step, and asked for anew after an edit.
#[derive(Debug)]
struct Watch {
    names: Vec<String>,
    columns: Columns,
    row: Vec<f64>,
    rows: Vec<f64>,
}

/// The most numbers that wait to be fetched.
const MOST_WATCHED: usize = 1 << 20;

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
            is_put: false,
            n_loops: None,
            poses: Vec::new(),
            watch: None,
            study: None,
            shown: None,
        })
    }

    /// Applies a command and gives the report after it.
    pub fn apply(&mut self, command: &str) -> Result<String, String> {
        self.perform_command(&command.parse().map_err(text)?)?;
        self.report()
    }

    /// Goes to where objectives are least, and says how that ended: see [`export::Minimum`].
    pub fn minimize(&mut self) -> Result<String, String> {
        let minimize = Command::Minimize(Minimize::default());
        let outcome = self.perform_command(&minimize)?;
        json(&outcome.minimum.as_ref().map(export::minimum))
    }

    fn perform_command(&mut self, command: &Command) -> Result<Outcome, String> {
        let mut outcome = self.session.apply(command).map_err(text)?;
        // Hands are no part of the mechanism, and weights are no part of its shape: they leave its loops alone.
        let is_edit = !matches!(
            command,
            Command::Weigh(_)
                | Command::Grab(_)
                | Command::Drag(_)
                | Command::Hold(_)
                | Command::Release(_)
                | Command::Pose(_)
                | Command::Step(_)
        );
        if is_edit {
            (self.step, self.n_loops) = (None, None);
            self.look_again();
        }
        self.is_put = match command {
            Command::Step(_) => false,
            Command::Pose(_) => true,
            _ => self.is_put || is_edit,
        };
        (self.study, self.shown) = (None, None);
        if let Some(step) = outcome.step.take() {
            self.happened(step);
        }
        Ok(outcome)
    }

    /// Closes what an edit has opened, while time stands and nothing else would. What an edit that was taken back
    /// left open was open before it.
    pub fn settle(&mut self) -> Result<(), String> {
        const OPEN: f64 = 1e-6;
        if !self.session.is_given_back() && self.certificate()?.residual_m > OPEN {
            self.apply(r#"{"assemble": {}}"#)?;
        }
        Ok(())
    }

    /// Lets a frame pass.
    pub fn step(&mut self, dt: Option<f64>) -> Result<(), String> {
        let outcome = self.session.apply(&Command::Step(frame(dt)));
        if let Some(step) = outcome.map_err(text)?.step {
            self.happened(step);
        }
        self.is_put = false;
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
        self.is_put = false;
        Ok(())
    }

    /// Lets hands move what they hold while time stands, until a deadline says stop.
    pub fn pose_until(&mut self, is_over: &mut dyn FnMut() -> bool) -> Result<(), String> {
        let step = self.session.pose_until(is_over);
        self.happened(step.map_err(text)?);
        self.is_put = true;
        Ok(())
    }

    /// What is watched may be there again under its name.
    fn look_again(&mut self) {
        let Some(watch) = &mut self.watch else { return };
        let names: Vec<&str> = watch.names.iter().map(String::as_str).collect();
        let scene = self.session.scene();
        match Columns::parse(scene, &names) {
            Ok(columns) if columns.columns() == watch.columns.columns() => {
                watch.columns = columns.after(scene, &watch.columns);
            }
            _ => {}
        }
    }

    /// Joints that broke or closed are others now.
    fn happened(&mut self, step: StepReport) {
        if !step.events.is_empty() {
            self.n_loops = None;
        }
        (self.study, self.shown) = (None, None);
        if let Some(watch) = &mut self.watch {
            let scene = self.session.scene();
            watch.columns.sample(scene, Some(&step), &mut watch.row);
            if watch.rows.len() < MOST_WATCHED {
                watch.rows.append(&mut watch.row);
            }
        }
        self.step = Some(step);
    }

    /// Where bodies are: see [`export::affine_poses`].
    pub fn affine_poses(&mut self) -> &[f64] {
        export::affine_poses(self.session.scene(), &mut self.poses);
        &self.poses
    }

    /// What to draw: see [`export::Look`].
    pub fn describe(&self) -> Result<String, String> {
        json(&export::look(self.session.scene()))
    }

    /// The entry of something, as a file would say it now.
    pub fn entry(&self, kind: &str, name: &str) -> Result<String, String> {
        let item = match kind {
            "body" => Item::Body(name),
            "joint" => Item::Joint(name),
            "behavior" => Item::Behavior(name),
            "table" => Item::Table(name),
            "picture" => Item::Picture(name),
            "world" => Item::World,
            "view" => Item::View,
            _ => return Err(format!("there are no entries of \"{kind}\"")),
        };
        describe::entry(self.scene(), item).map_err(text)
    }

    /// Parameters, texts, relations and numbers: see [`export::Formulas`].
    pub fn formulas(&self) -> Result<String, String> {
        json(&export::formulas(self.scene()))
    }

    /// Tables and pictures, of what is shown or of the present: see [`export::Data`].
    pub fn data(&self, is_shown: bool) -> Result<String, String> {
        json(&export::data(self.seen(is_shown)))
    }

    /// A picture as a file has it, a data URI; of what is shown or of the present.
    pub fn picture(&self, name: &str, is_shown: bool) -> Result<String, String> {
        let text = export::picture_text(self.seen(is_shown), name);
        text.map(str::to_owned)
            .ok_or_else(|| format!("no picture is called \"{name}\""))
    }

    /// The command that puts the table of a file into the scene: see [`points::given`]. `file` is what the file is
    /// called.
    pub fn give_table(&self, name: &str, file: &str, bytes: Vec<u8>) -> Result<String, String> {
        let sheet = linkwork_scene::table::read_data(file, bytes).map_err(text)?;
        let entry = TableEntry {
            name: name.to_owned(),
            columns: sheet.columns,
            rows: sheet.rows,
            file: None,
        };
        json(&points::given(self.scene(), entry).map_err(text)?)
    }

    /// The frame of the film that was shown last, if that is wanted and nothing has changed since; else the present.
    fn seen(&self, is_shown: bool) -> &Scene {
        let shown = self.shown.as_deref().filter(|_| is_shown);
        shown.unwrap_or_else(|| self.scene())
    }

    /// A number for each corner, to color it by: see [`export::shades`].
    pub fn shades(&self, by: &str, is_shown: bool) -> Result<Vec<f64>, String> {
        let shade = Shade::find(by).ok_or_else(|| format!("there is no \"{by}\""))?;
        let mut out = Vec::new();
        export::shades(self.seen(is_shown), shade, &mut out);
        Ok(out)
    }

    /// Points that pull bodies: see [`points::point_lines`].
    pub fn points(&self, is_shown: bool) -> Vec<f64> {
        let mut out = Vec::new();
        points::point_lines(self.seen(is_shown), &mut out);
        out
    }

    /// What a text that is typed comes to: see [`export::Checked`]. A text that begins with `=` is a number, any other
    /// a relation.
    pub fn check(&self, typed: &str) -> Result<String, String> {
        json(&match typed.starts_with('=') {
            true => export::check_number(self.scene(), typed),
            false => export::check_relation(self.scene(), typed),
        })
    }

    /// Where on bodies things can be fastened: see [`export::Place`].
    pub fn places(&self) -> Result<String, String> {
        json(&export::places(self.scene()))
    }

    /// Every quantity that can be watched.
    pub fn quantities(&self) -> Result<String, String> {
        let list = Columns::list(self.scene()).into_iter();
        let list = list.map(|own| Quantity {
            name: own.name,
            unit: own.unit,
            about: own.about,
        });
        json(&list.collect::<Vec<_>>())
    }

    /// Watches quantities from now on, by name, as a list in JSON; time comes first. Gives the columns.
    /// What is no longer in the scene is watched as not a number.
    pub fn watch(&mut self, names: &str) -> Result<String, String> {
        let mut names: Vec<String> = read(names)?;
        if names.is_empty() {
            self.watch = None;
            return json::<[Quantity; 0]>(&[]);
        }
        names.insert(0, "time".to_owned());
        let asked: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut columns = Columns::parse(self.scene(), &asked).map_err(text)?;
        if let Some(before) = &self.watch {
            columns = columns.after(self.scene(), &before.columns);
        }
        let header: Vec<Quantity> = columns
            .columns()
            .iter()
            .map(|own| Quantity {
                name: own.name.clone(),
                unit: own.unit.to_owned(),
                about: "",
            })
            .collect();
        self.watch = Some(Watch {
            names,
            columns,
            row: Vec::new(),
            rows: Vec::new(),
        });
        json(&header)
    }

    /// Rows of what is watched since the last call, one after another.
    pub fn watched(&mut self) -> Vec<f64> {
        let rows = self.watch.as_mut().map(|watch| &mut watch.rows);
        rows.map(std::mem::take).unwrap_or_default()
    }

    /// Quantities of one number each, by name, as they are now or in the frame of the film that was shown last. NaN for
    /// what the scene does not have.
    pub fn values(&self, names: &str, is_shown: bool) -> Result<Vec<f64>, String> {
        let names: Vec<String> = read(names)?;
        let seen = self.seen(is_shown);
        let is_there = |name: &&str| Columns::parse(seen, &[name]).is_ok();
        let known: Vec<&str> = names.iter().map(String::as_str).filter(is_there).collect();
        let mut row = Vec::new();
        let mut columns = Columns::parse(seen, &known).map_err(text)?;
        columns.sample(seen, self.step.as_ref().filter(|_| !is_shown), &mut row);
        let value = |name: &String| {
            let at = columns.columns().iter().position(|own| own.name == *name);
            at.map_or(f64::NAN, |at| row[at])
        };
        Ok(names.iter().map(value).collect())
    }

    /// Forces of joints on their last bodies, three numbers each, in the order of
    /// [`export::Look::joints`].
    pub fn forces(&self) -> Result<Vec<f64>, String> {
        let world = &self.scene().world;
        let hands: Vec<ConstraintId> = world.grips().iter().map(GripRecord::constraint).collect();
        let mut forces = Vec::new();
        for record in world.constraints() {
            if !hands.contains(&record.id()) {
                forces.extend(force(world, record.id()).map_err(text)?);
            }
        }
        Ok(forces)
    }

    /// Where bodies touched at the end of the last step: of each place the point, then the force on the second body,
    /// six numbers. None if they were put elsewhere since.
    pub fn contacts(&self) -> Vec<f64> {
        let all = self.scene().world.state().touching.iter();
        let all = all.filter(|_| !self.is_put);
        let numbers = all.flat_map(|own| own.point_world.into_iter().chain(own.force_world));
        numbers.collect()
    }

    /// What can still move, what is held twice, what contradicts: see [`Findings`](crate::Findings).
    pub fn diagnose(&mut self) -> Result<String, String> {
        let study = Study::of(self.scene()).map_err(text)?;
        json(&self.study.insert(study).findings)
    }

    /// Poses along a motion of the last diagnosis, if nothing has changed since.
    pub fn wiggle(&mut self, motion: usize, amount: f64) -> Result<Vec<f64>, String> {
        let Some(study) = &mut self.study else {
            return Err("the scene has moved since it was diagnosed".to_owned());
        };
        study.wiggle(motion, amount, &mut self.poses)?;
        Ok(self.poses.clone())
    }

    /// Poses at the last frame of the film that is not later than a time. It only shows: nothing changes.
    pub fn show(&mut self, time: f64) -> Result<Vec<f64>, String> {
        let state = self.session.frame(time).map_err(text)?;
        let scene = self.session.scene();
        let shown = self.shown.get_or_insert_with(|| Box::new(scene.clone()));
        shown.world.set_state(state).map_err(text)?;
        export::affine_poses(shown, &mut self.poses);
        Ok(self.poses.clone())
    }

    /// Everything that has key frames: see [`track::Track`].
    pub fn tracks(&self) -> Result<String, String> {
        json(&track::tracks(self.scene()))
    }

    /// The command that does something to a key: see [`track::KeyEdit`].
    pub fn key_edit(&self, said: &str) -> Result<String, String> {
        json(&track::edit(self.scene(), &read(said)?).map_err(text)?)
    }

    /// The command that makes a path of a performance: see [`track::perform::Performance`].
    pub fn perform(&self, said: &str) -> Result<String, String> {
        json(&perform::perform(&self.session, &read(said)?).map_err(text)?)
    }

    /// The command that lets the first of these joints act, and none of the others.
    pub fn choose_take(&self, names: &str) -> Result<String, String> {
        let names: Vec<String> = read(names)?;
        let take = names.first().ok_or("there is no take")?;
        json(&perform::choose(&self.session, take, &names).map_err(text)?)
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
        json(&self.certificate()?)
    }

    fn certificate(&mut self) -> Result<Certificate, String> {
        let n_loops = match self.n_loops {
            Some(n_loops) => n_loops,
            None => n_loops(&self.scene().world),
        };
        self.n_loops = Some(n_loops);
        Certificate::of(&self.session, self.step.as_ref(), n_loops).map_err(text)
    }
}

/// Force of a joint on its last body at the last step, world axes.
pub(crate) fn force(world: &World, id: ConstraintId) -> Result<[f64; 3], Error> {
    let options = ReactionOptions::default();
    Ok(world.reaction(id, &world.state().lambda, options)?.force)
}

/// A quantity that can be watched, or a column of one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Quantity {
    /// Its name, such as `energy.total`.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// What it is, in a few words; empty for columns.
    pub about: &'static str,
}

/// Every type with its fields, as JSON.
pub(crate) fn catalogue() -> Result<String, String> {
    json(&linkwork_scene::catalogue::export())
}

/// Every scene of the library, as JSON.
pub(crate) fn library() -> Result<String, String> {
    json(&library::list().collect::<Vec<_>>())
}

fn n_loops(world: &World) -> usize {
    let standings = Simulator::new().standings(world);
    let closing = standings.iter().filter(|own| **own == Standing::ClosesLoop);
    closing.count()
}

fn frame(dt: Option<f64>) -> Step {
    Step {
        dt,
        ..Step::default()
    }
}

pub(crate) fn json<T: Serialize + ?Sized>(value: &T) -> Result<String, String> {
    write::json(value).map_err(text)
}

/// By the scenes' reader: another one is 17 kB of the browser's module.
fn read<T: Record>(said: &str) -> Result<T, String> {
    let said = Node::parse(said).and_then(|node| T::read(&node));
    said.map_err(text)
}

pub(crate) fn text(error: impl std::fmt::Display) -> String {
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
        let before = lab.affine_poses().to_vec();
        lab.apply(r#"{"drag": {"hand": "hand", "goal": [0.0, 1.0, 0.0]}}"#)
            .unwrap();
        for _ in 0..60 {
            lab.step(None).unwrap();
        }
        let after = report(&mut lab);
        assert!(after["residual_m"].as_f64().unwrap() < 1e-6, "{after}");
        assert_eq!(after["loops"], 1);
        assert_eq!(before.len(), 36);
        assert!(
            (lab.affine_poses()[27] - before[27]).abs() > 0.01,
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
    fn what_is_held_while_time_stands_moves_and_is_put_back() {
        let mut lab = Laboratory::open("four-bar").unwrap();
        let before = lab.affine_poses().to_vec();
        let grab = r#"{"grab": {"name": "hand", "held": {"body": "crank", "point": [0.5, 0, 0]},
            "drag": {"type": "follow"}}}"#;
        lab.apply(grab).unwrap();
        for k in 1..=20 {
            let angle = std::f64::consts::FRAC_PI_3 + 0.05 * f64::from(k);
            let goal = [angle.cos(), angle.sin(), 0.0];
            lab.apply(&format!(
                r#"{{"drag": {{"hand": "hand", "goal": {goal:?}}}}}"#
            ))
            .unwrap();
            lab.apply(r#"{"pose": {}}"#).unwrap();
        }
        let posed = report(&mut lab);
        assert_eq!((&posed["time_s"], &posed["undo"]), (&0.0.into(), &1.into()));
        assert!(posed["residual_m"].as_f64().unwrap() < 1e-6, "{posed}");
        let after = lab.affine_poses().to_vec();
        assert!((after[27] - before[27]).abs() > 0.01, "the rocker follows");
        assert!(lab.scene().world.state().v.iter().all(|v| *v == 0.0));
        lab.apply(r#"{"release": "hand"}"#).unwrap();
        let hash = lab.state_hash();
        lab.apply(r#""undo""#).unwrap();
        assert_eq!(lab.affine_poses(), before);
        lab.apply(r#""redo""#).unwrap();
        assert_eq!(lab.affine_poses(), after);
        let replayed = linkwork_scene::command::replay(&lab.log().unwrap()).unwrap();
        let again = format!("{:016x}", replayed.scene().world.state_hash());
        assert_eq!(
            (again.as_str(), lab.state_hash()),
            (hash.as_str(), hash.clone())
        );
    }

    #[test]
    fn a_crank_that_grows_takes_its_pin_along() {
        let mut lab = Laboratory::open("four-bar").unwrap();
        let mut entry: Value = serde_json::from_str(&lab.entry("body", "crank").unwrap()).unwrap();
        let length = entry["size"][0].as_f64().unwrap();
        entry["size"][0] = (1.1 * length).into();
        for place in [
            "position",
            "quaternion",
            "q",
            "v",
            "velocity",
            "angular_velocity",
        ] {
            entry.as_object_mut().unwrap().remove(place);
        }
        lab.apply(&serde_json::json!({ "resize": entry }).to_string())
            .unwrap();
        let pin: Value = serde_json::from_str(&lab.entry("joint", "B").unwrap()).unwrap();
        let x = pin["a"]["point"][0].as_f64().unwrap();
        assert!((x - 0.55 * length).abs() < 1e-12, "{pin}");
        lab.apply(r#"{"assemble": {}}"#).unwrap();
        assert!(report(&mut lab)["residual_m"].as_f64().unwrap() < 1e-6);
        lab.apply(r#""undo""#).unwrap();
        let pin: Value = serde_json::from_str(&lab.entry("joint", "B").unwrap()).unwrap();
        let x = pin["a"]["point"][0].as_f64().unwrap();
        assert!((x - 0.5 * length).abs() < 1e-12, "{pin}");
    }

    #[test]
    fn values_are_those_of_the_frame_that_is_shown() {
        let names =
            r#"["body.crank.speed", "body.crank.angular_speed", "joint.A.force", "joint.Z.error"]"#;
        let mut lab = Laboratory::open("four-bar").unwrap();
        let before = lab.values(names, false).unwrap();
        for _ in 0..20 {
            lab.step(None).unwrap();
        }
        let after = lab.values(names, false).unwrap();
        let world = &lab.scene().world;
        let crank = world
            .body_record(world.find_body("crank").unwrap())
            .unwrap();
        let [x, y, z, .., spin] = world.state().v[crank.v_range()] else {
            panic!("a crank has six velocities");
        };
        assert_eq!(after[0], (x * x + y * y + z * z).sqrt());
        assert!((after[1] - spin.abs()).abs() < 1e-12 && after[0] != before[0]);
        // A vector is not one number, and there is no joint Z.
        assert!(after[2].is_nan() && after[3].is_nan());
        lab.show(0.0).unwrap();
        assert_eq!(lab.values(names, true).unwrap()[..2], before[..2]);
        assert_eq!(lab.values(names, false).unwrap()[..2], after[..2]);
    }

    /// Edits, another choice of curves and another name leave the full turns of a hinge alone that nothing else counts.
    #[test]
    fn turns_that_are_watched_go_on() {
        let scene = r#"{"linkwork": 1, "bodies": [{"name": "wheel", "type": "sphere", "radius": 0.1, "mass": 1,
            "angular_velocity": [0, 0, 30]}], "joints": [{"name": "axle", "type": "hinge", "a": "ground", "b": "wheel",
            "at": [0, 0, 0], "axis": [0, 0, 1]}]}"#;
        let mut lab = Laboratory::open(scene).unwrap();
        lab.watch(r#"["joint.axle.angle"]"#).unwrap();
        let angle = |lab: &mut Laboratory| {
            for _ in 0..20 {
                lab.step(None).unwrap();
            }
            let turned = *lab.watched().last().unwrap();
            let expected = 30.0 * lab.scene().world.state().t;
            assert!((turned - expected).abs() < 1e-6, "{turned} {expected}");
        };
        angle(&mut lab);
        lab.apply(r#"{"set_view": {"flat": true}}"#).unwrap();
        angle(&mut lab);
        lab.watch(r#"["energy.total", "joint.axle.angle"]"#)
            .unwrap();
        angle(&mut lab);
        let rename = r#"{"rename": {"kind": "joint", "name": "axle", "to": "hub"}}"#;
        lab.apply(rename).unwrap();
        lab.watch(r#"["joint.hub.angle"]"#).unwrap();
        angle(&mut lab);
    }

    #[test]
    fn what_is_watched_has_a_row_for_each_step() {
        let mut lab = Laboratory::open("four-bar").unwrap();
        let columns = lab.watch(r#"["energy.total", "joint.D.force"]"#).unwrap();
        let columns: Value = serde_json::from_str(&columns).unwrap();
        assert_eq!(columns[0]["name"], "time");
        assert_eq!(columns[2]["name"], "joint.D.force.x");
        assert_eq!(columns[2]["unit"], "N");
        for _ in 0..3 {
            lab.step(None).unwrap();
        }
        let rows = lab.watched();
        assert_eq!(rows.len(), 3 * 5);
        assert!((rows[10] - 3.0 / 60.0).abs() < 1e-12);
        assert!(lab.watched().is_empty());
        let refused = lab.watch(r#"["energy.totl"]"#).unwrap_err();
        assert!(refused.contains("total"), "{refused}");
        let forces = lab.forces().unwrap();
        assert_eq!(forces.len(), 3 * 4);
        assert!(forces.iter().any(|force| force.abs() > 1e-3));
    }

    #[test]
    fn a_four_bar_of_hinges_has_one_motion_and_three_repetitions() {
        let mut lab = Laboratory::open("four-bar").unwrap();
        let found: Value = serde_json::from_str(&lab.diagnose().unwrap()).unwrap();
        assert_eq!(found["mobility"], 1, "{found}");
        assert_eq!(found["closure"], "closed");
        let rows = found["redundant"].as_array().unwrap().iter();
        let rows: u64 = rows.map(|own| own["rows"].as_u64().unwrap()).sum();
        assert_eq!(rows, 3, "{found}");
        let still = lab.wiggle(0, 0.0).unwrap();
        let moved = lab.wiggle(0, 1.0).unwrap();
        assert_eq!(still, lab.affine_poses());
        let most = still.iter().zip(&moved).map(|(a, b)| (a - b).abs());
        assert!(most.fold(0.0, f64::max) > 0.01);
        assert!(lab.wiggle(1, 1.0).is_err());
        lab.step(None).unwrap();
        assert!(lab.wiggle(0, 1.0).is_err(), "it has moved");
    }

    #[test]
    fn the_film_is_shown_and_nothing_changes() {
        let mut lab = Laboratory::open("puppet-show").unwrap();
        let start = lab.affine_poses().to_vec();
        for _ in 0..30 {
            lab.step(None).unwrap();
        }
        let (now, hash) = (lab.affine_poses().to_vec(), lab.state_hash());
        assert_eq!(lab.show(0.0).unwrap(), start);
        assert_eq!(lab.show(9.0).unwrap(), now);
        assert_eq!(lab.affine_poses(), &now[..]);
        assert_eq!(lab.state_hash(), hash);
        let told = report(&mut lab);
        assert_eq!(told["film_from_s"], 0.0);
        assert_eq!(told["film_until_s"], told["time_s"]);
        assert!(
            lab.show(-1.0)
                .unwrap_err()
                .contains("the film reaches from 0 s")
        );
        // What is done to a key is a command, and only that changes the scene.
        let edit = r#"{"kind": "joint", "name": "tap", "key": 1, "time": 1.1}"#;
        let command = lab.key_edit(edit).unwrap();
        assert!(command.starts_with(r#"{"set_joint":"#), "{command}");
        lab.apply(&command).unwrap();
        let tracks: Value = serde_json::from_str(&lab.tracks().unwrap()).unwrap();
        assert_eq!(tracks[3]["keys"][1][0], 1.1);
    }

    #[test]
    fn points_and_colors_are_those_of_what_is_shown() {
        let mut lab = Laboratory::open("arm").unwrap();
        let start = lab.points(false);
        assert_eq!(start.len(), 8 * 24);
        for _ in 0..12 {
            lab.step(None).unwrap();
        }
        let now = lab.points(false);
        assert_ne!(now, start);
        lab.show(0.0).unwrap();
        assert_eq!(lab.points(true), start);
        assert_eq!(lab.points(false), now);
        let corners = lab.affine_poses().len() - 12 * 4;
        for by in ["strain", "displacement", "residual"] {
            assert_eq!(3 * lab.shades(by, true).unwrap().len(), corners);
        }
        assert!(lab.shades("mood", false).unwrap_err().contains("mood"));
    }

    #[test]
    fn a_file_of_points_becomes_a_command() {
        let mut lab = Laboratory::open("fit-cloud").unwrap();
        let text = b"0 0 0\n0.1 0 0\n0 0.1 0\n".to_vec();
        let command = lab.give_table("new", "new.xyz", text).unwrap();
        lab.apply(&command).unwrap();
        assert_eq!(lab.points(false).len(), 3 * 8);
        let refused = lab.give_table("new", "new.trc", b"text".to_vec());
        assert!(refused.unwrap_err().contains("TRC"));
    }

    #[test]
    fn the_library_lists_every_scene() {
        let listed: Value = serde_json::from_str(&library().unwrap()).unwrap();
        assert_eq!(listed.as_array().unwrap().len(), library::list().count());
    }

    const BALL: &str = r#"{"linkwork": 1, "world": {"gravity": [0, -9.81, 0], "floor": 0},
        "bodies": [
            {"name": "ball", "type": "sphere", "radius": 0.5, "mass": 2, "position": [0, 0.5, 0], "collide": true},
            {"name": "box", "type": "box", "size": [1, 1, 1], "mass": 1, "position": [3, 1, 0]},
            {"name": "speck", "type": "particle", "mass": 1, "position": [6, 1, 0]}]}"#;

    #[test]
    fn a_ball_on_the_floor_says_where_it_touches_and_how_hard() {
        let mut lab = Laboratory::open(BALL).unwrap();
        assert!(lab.contacts().is_empty());
        for _ in 0..3 {
            lab.step(None).unwrap();
        }
        let [x, y, _, _, force, _] = lab.contacts()[..] else {
            panic!("{:?}", lab.contacts())
        };
        assert!(x.abs() < 1e-9 && y.abs() < 1e-9, "{x} {y}");
        assert!((force - 2.0 * 9.81).abs() < 1e-6, "{force}");
        lab.apply(r#"{"put": {"body": "ball", "position": [0, 2, 0]}}"#)
            .unwrap();
        assert!(lab.contacts().is_empty());
    }

    #[test]
    fn everything_with_a_shape_collides_and_one_undo_takes_it_back() {
        let mut lab = Laboratory::open(BALL).unwrap();
        let collides = |lab: &Laboratory| {
            let look: Value = serde_json::from_str(&lab.describe().unwrap()).unwrap();
            [0, 1, 2].map(|k| look["bodies"][k]["collides"].as_bool())
        };
        let before = [Some(true), Some(false), None];
        assert_eq!(collides(&lab), before);
        lab.apply(r#"{"collide": {"on": true}}"#).unwrap();
        assert_eq!(collides(&lab), [Some(true), Some(true), None]);
        lab.apply(r#"{"collide": {"on": false}}"#).unwrap();
        assert_eq!(collides(&lab), [Some(false), Some(false), None]);
        lab.apply(r#""undo""#).unwrap();
        lab.apply(r#""undo""#).unwrap();
        assert_eq!(collides(&lab), before);
        assert_eq!(report(&mut lab)["undo"], 0);
        let replayed = linkwork_scene::command::replay(&lab.log().unwrap()).unwrap();
        let hash = format!("{:016x}", replayed.scene().world.state_hash());
        assert_eq!(hash, lab.state_hash());
    }
}
