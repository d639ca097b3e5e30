//! A scene under commands.

use linkwork::assembly::AssemblyReport;
use linkwork::error::BlockFault;
use linkwork::prelude::*;
use linkwork::step::{Ended, Event, History, MinimizeOptions, MinimizeReport};
use linkwork::world::{GripId, GripRecord, State};

use super::before::{Before, Part};
use super::change::{Change, Named, joint_named};
use super::film::Film;
use super::parameters::{self, Rewrite};
use super::rename::{NamedKind, Rename};
use super::rewind::{Frame, Leaving};
use super::{Assemble, Command, Minimize, Posing, Put, Step};
use crate::build::{self, connector, hand};
use crate::catalogue::body;
use crate::fault::{Fault, Under};
use crate::read::Setting;
use crate::scene::Scene;

/// A scene, the commands it was given, and what takes them back.
#[derive(Debug)]
pub struct Session {
    scene: Scene,
    /// The scene as it was at the beginning of the log.
    start: Scene,
    simulator: Simulator,
    log: Vec<Command>,
    undo: Stack,
    redo: Stack,
    /// Whether hands have moved things since the last other command, while time stood.
    posing: bool,
    /// What was done last while time stands, which an assembly is a part of.
    last: Option<Last>,
    /// Where time left its start, and what it went through since.
    film: Film,
}

/// What takes edits back, the last one first.
#[derive(Debug, Default)]
struct Stack {
    changes: Vec<Change>,
    /// How many of them are from before time passed.
    n_past: usize,
}

/// What was done last to the scene.
#[derive(Clone, Copy, Debug)]
struct Last {
    /// An edit was taken back, not made.
    is_undone: bool,
    /// The state is what it was before.
    is_given_back: bool,
}

impl Stack {
    /// Adds to what takes the last edit back: this comes first.
    fn extend(&mut self, first: Change) {
        if let Some(last) = self.changes.last_mut() {
            let then = std::mem::replace(last, Change::All(Vec::new()));
            *last = Change::All(vec![first, then]);
        }
    }

    fn clear(&mut self) {
        *self = Self::default();
    }

    /// What is there from now on is from before time passed.
    fn outlive_time(&mut self) {
        for change in &mut self.changes[self.n_past..] {
            change.outlive_time();
        }
        self.n_past = self.changes.len();
    }
}

/// The most frames of one command: a line of a log cannot go on for ever.
const MAX_COUNT: u64 = 1_000_000;

/// What came of a command.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Of a step, or of the last of several.
    pub step: Option<StepReport>,
    /// Of an assembly.
    pub assembly: Option<AssemblyReport>,
    /// Of a search for a minimum.
    pub minimum: Option<MinimizeReport>,
}

impl Outcome {
    fn of_step(report: StepReport) -> Self {
        Self {
            step: Some(report),
            ..Self::default()
        }
    }
}

impl Session {
    /// Begins with a scene.
    pub fn new(scene: Scene) -> Result<Self, Fault> {
        // A file lists hands after all bodies. The session starts as its log's file will.
        let scene = match scene.world.grips().is_empty() {
            true => scene,
            false => crate::build(&crate::describe(&scene)?)?,
        };
        Ok(Self {
            start: scene.clone(),
            scene,
            simulator: Simulator::new(),
            log: Vec::new(),
            undo: Stack::default(),
            redo: Stack::default(),
            posing: false,
            last: None,
            film: Film::default(),
        })
    }

    /// The scene as it is now.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The scene as it was at the beginning of the log.
    pub fn start(&self) -> &Scene {
        &self.start
    }

    /// The commands so far, in order; those that failed are not among them.
    pub fn log(&self) -> &[Command] {
        &self.log
    }

    /// How many edits can be taken back, and how many done again.
    pub fn depth(&self) -> (usize, usize) {
        (self.undo.changes.len(), self.redo.changes.len())
    }

    /// Whether the last command took an edit back, or did it again, and the state is what it was before. What is
    /// open then was open before, and closing it would change what was given back.
    pub fn is_given_back(&self) -> bool {
        self.last.is_some_and(|last| last.is_given_back)
    }

    /// Whether time has left its start, so that there is somewhere to go back to.
    pub fn has_left(&self) -> bool {
        let now = self.scene.world.state().t;
        self.film.left_at().is_some_and(|left| left != now)
    }

    /// From when to when there is a film; the present is a part of it.
    pub fn film(&self) -> [f64; 2] {
        let now = self.scene.world.state().t;
        let [from, until] = self.film.reach().unwrap_or([now; 2]);
        [from.min(now), until.max(now)]
    }

    /// The state that `rewind` would bring back.
    pub fn frame(&self, time: f64) -> Result<State, Fault> {
        let world = &self.scene.world;
        Ok(match self.shot(time)? {
            Some(frame) => self.film.state_for(frame, world),
            None => world.state().clone(),
        })
    }

    /// Calls `sees` with the scene at each frame from one time to another, up to the present.
    pub fn watch_film(
        &self,
        from: f64,
        until: f64,
        mut sees: impl FnMut(&Scene),
    ) -> Result<(), Fault> {
        let mut scene = self.scene.clone();
        let now = scene.world.state().t;
        let frames = self.film.between(from, until);
        for frame in frames.filter(|(_, frame)| frame.t < now) {
            let state = self.film.state_for(frame, &self.scene.world);
            scene.world.set_state(state)?;
            sees(&scene);
        }
        if from <= now && now <= until {
            sees(&self.scene);
        }
        Ok(())
    }

    /// The frame of a time; none if it is the present.
    fn shot(&self, time: f64) -> Result<Option<Frame<'_>>, Fault> {
        let now = self.scene.world.state().t;
        let [from, until] = self.film();
        if time.is_nan() || time < from {
            let problem = format!("is {time} s; the film reaches from {from} s to {until} s");
            return Err(Fault::at("time", problem).hint("\"reset\" goes back to the start"));
        }
        let found = self.film.at(time);
        let is_present = now <= time && found.is_none_or(|(_, frame)| frame.t <= now);
        Ok(found.filter(|_| !is_present))
    }

    /// The last steps, for a reproduction.
    pub fn history(&self) -> &History {
        self.simulator.history()
    }

    /// Applies a command and logs it. If it fails, nothing has changed.
    pub fn apply(&mut self, command: &Command) -> Result<Outcome, Fault> {
        let outcome = self.perform(command).under(command.word())?;
        self.log.push(command.clone());
        let is_pose = matches!(command, Command::Pose(_));
        let goes_on = is_pose || matches!(command, Command::Drag(_) | Command::Hold(_));
        self.posing = is_pose || (self.posing && goes_on);
        Ok(outcome)
    }

    /// Steps until a deadline says stop; the log keeps what it allowed, so that a replay is exact.
    pub fn step_until(
        &mut self,
        step: &Step,
        deadline: &mut dyn FnMut() -> bool,
    ) -> Result<StepReport, Fault> {
        let options = self.step_options(step);
        self.film.note(&self.scene.world);
        let (leaving, before) = (self.leaving(), self.scene.world.state().t);
        let world = &mut self.scene.world;
        let report = self.simulator.step_until(world, &options, deadline);
        let report = report.map_err(|error| Self::refusal(&error))?;
        let events = timed(world, &report.events);
        self.time_passed(
            leaving,
            before,
            Film::default(),
            &events.collect::<Vec<_>>(),
        );
        let mut logged = step.clone();
        logged.count = None;
        if report.ended == Ended::Deadline {
            logged.iterations = Some(report.effort.iterations);
        }
        self.log.push(Command::Step(logged));
        self.posing = false;
        Ok(report)
    }

    /// Poses until a deadline says stop; the log keeps what it allowed, so that a replay is exact.
    pub fn pose_until(&mut self, deadline: &mut dyn FnMut() -> bool) -> Result<StepReport, Fault> {
        let report = self.pose(None, deadline)?;
        let iterations = (report.ended == Ended::Deadline).then_some(report.effort.iterations);
        self.log.push(Command::Pose(Posing { iterations }));
        self.posing = true;
        Ok(report)
    }

    /// A step that was refused, in the words of files.
    pub fn refusal(error: &Error) -> Fault {
        match error {
            Error::Option { option, problem } => Fault::at(*option, problem.clone()),
            Error::NonFinite {
                body,
                stage,
                constraint,
                behavior,
                block,
            } => {
                let what = match body {
                    Some(body) => format!("body \"{body}\""),
                    None => "the state".to_owned(),
                };
                let from = match block.as_deref() {
                    Some(BlockFault {
                        label,
                        why,
                        is_constraint,
                        ..
                    }) => {
                        let what = if *is_constraint { "joint" } else { "quantity" };
                        match why {
                            Some(why) => format!("{what} \"{label}\": {why}"),
                            None => format!("{what} \"{label}\""),
                        }
                    }
                    None => format!("its {stage}"),
                };
                let mut problem = format!("step refused: {what} is not finite, from {from}");
                let is_told = block.as_ref().is_some_and(|own| own.is_constraint);
                if let Some(joint) = constraint.as_ref().filter(|_| !is_told) {
                    problem += &format!(", near joint \"{joint}\"");
                }
                if let Some(behavior) = behavior {
                    problem += &too_stiff(behavior);
                }
                Fault::at("", problem + "; the scene keeps its last state")
            }
            Error::TooFast {
                body,
                behavior,
                spring,
            } => {
                let what = match (body, spring) {
                    (_, Some(spring)) => format!("spring \"{spring}\" vibrates"),
                    (Some(body), None) => format!("body \"{body}\" is"),
                    (None, None) => "the motion is".to_owned(),
                };
                let mut problem =
                    format!("step refused: {what} too fast for a frame of this length");
                if let Some(behavior) = behavior {
                    problem += &too_stiff(behavior);
                }
                let fault = Fault::at("", problem + "; the scene keeps its last state");
                fault.hint("take shorter steps; check forces, masses and speeds")
            }
            Error::EnergyGrew {
                body,
                energy,
                behavior,
            } => {
                let what = match body {
                    Some(body) => format!("body \"{body}\""),
                    None => "the scene".to_owned(),
                };
                let mut problem = match energy.is_finite() {
                    true => format!(
                        "step refused: {what} would have gained {energy:.1e} J that nothing put in"
                    ),
                    false => format!("step refused: the motion of {what} would not be finite"),
                };
                if let Some(behavior) = behavior {
                    problem += &too_stiff(behavior);
                }
                let fault = Fault::at("", problem + "; the scene keeps its last state");
                fault.hint("take shorter steps; check stiffness, damping, masses and speeds")
            }
            _ => Fault::at("", error.to_string()),
        }
    }

    fn perform(&mut self, command: &Command) -> Result<Outcome, Fault> {
        self.film.note(&self.scene.world);
        if let Some(change) = self.edit(command)? {
            let touched = self.scene.world.state().touching.clone();
            let mut back = change.apply(&mut self.scene)?;
            back = parameters::follow(&mut self.scene, command, back)?;
            // What the edit moved or renumbered has touched again once it is taken back.
            if touched != self.scene.world.state().touching {
                back = Change::All(vec![back, Change::Touching(touched)]);
            }
            self.done(back, self.posing);
            if !matches!(command, Command::Reset | Command::Rewind(_)) {
                self.film.drop_after(self.scene.world.state().t);
            }
            return Ok(Outcome::default());
        }
        if let Command::Typed(node) = command {
            let command = parameters::worked_out(&self.scene, node)?;
            return self.perform(&command);
        }
        match command {
            Command::Undo => self.turn_back(true)?,
            Command::Redo => self.turn_back(false)?,
            Command::Weigh(weigh) => {
                let world = &mut self.scene.world;
                let id = joint_named(world, &weigh.joint).under("joint")?;
                world.set_weight(id, weigh.weight)?;
            }
            Command::Grab(entry) => hand::add(&mut self.scene, entry)?,
            Command::Drag(to) => {
                let grip = self.grip(&to.hand).under("hand")?;
                hand::aim(&mut self.scene.world, grip, &to.goal.0, to.quaternion)?;
            }
            Command::Hold(hold) => {
                let grip = self.grip(&hold.hand).under("hand")?;
                let drag = hold.drag.make().under("drag")?;
                self.scene.world.set_drag(grip, drag)?;
            }
            Command::Release(hand) => {
                let grip = self.grip(hand)?;
                self.scene.world.release(grip)?;
            }
            Command::Pose(posing) => {
                let report = self.pose(posing.iterations, &mut || false)?;
                return Ok(Outcome::of_step(report));
            }
            Command::Step(step) => return self.step(step),
            Command::Assemble(assemble) => return self.assemble(assemble),
            Command::Minimize(minimize) => return self.minimize(minimize),
            _ => {}
        }
        Ok(Outcome::default())
    }

    /// The change a command asks for; `None` if it is no edit.
    fn edit(&self, command: &Command) -> Result<Option<Change>, Fault> {
        if let Command::Typed(node) = command {
            return self.edit(&parameters::worked_out(&self.scene, node)?);
        }
        Ok(Some(match command.clone() {
            Command::AddBody(entry) => Change::AddBody(entry),
            Command::RemoveBody(name) => Change::Remove(Named::Body(name)),
            Command::SetBody(entry) => Change::SetBody(entry),
            Command::Resize(entry) => Change::Resize(entry),
            Command::Join(entry) => Change::AddJoint(entry),
            Command::Detach(name) => Change::Detach(name),
            Command::SetJoint(entry) => Change::SetJoint(entry),
            Command::AddBehavior(entry) => Change::AddBehavior(entry),
            Command::RemoveBehavior(name) => Change::Remove(Named::Behavior(name)),
            Command::SetBehavior(entry) => Change::SetBehavior(entry),
            Command::AddConnector(entry) => Change::AddConnector(entry),
            Command::RemoveConnector(name) => Change::Remove(Named::Connector(name)),
            Command::AddQuantity(entry) => Change::AddQuantity(entry),
            Command::RemoveQuantity(name) => Change::Remove(Named::Quantity(name)),
            Command::SetQuantity(entry) => Change::SetQuantity(entry),
            Command::SetFunctions(texts) => Change::SetFunctions(texts),
            Command::AddTable(entry) => Change::AddTable(entry),
            Command::RemoveTable(name) => Change::RemoveTable(name),
            Command::SetTable(entry) => Change::SetTable(entry),
            Command::AddPicture(entry) => Change::AddPicture(entry),
            Command::RemovePicture(name) => Change::RemovePicture(name),
            Command::SetPicture(entry) => Change::SetPicture(entry),
            Command::AddTrace(entry) => Change::AddTrace(entry),
            Command::RemoveTrace(name) => Change::Remove(Named::Trace(name)),
            Command::SetWorld(entry) => Change::World(entry),
            Command::SetName(name) => Change::Name((!name.is_empty()).then_some(name)),
            Command::Rename(own) => Change::Rename(own),
            Command::SetView(view) => Change::SetView(view),
            Command::SetParameter(own) => self.rewrite(parameters::Edit::Set(vec![own])),
            Command::RenameParameter(own) => Change::Rename(Rename {
                kind: NamedKind::Parameter,
                name: own.name,
                to: own.to,
            }),
            Command::RemoveParameter(own) => self.rewrite(parameters::Edit::Remove(own)),
            Command::SetField(own) => {
                let setting = Setting::of(&own.field, own.to.tree()).under("field")?;
                self.rewrite(parameters::Edit::Field(setting))
            }
            Command::Collide(own) => Change::Collide(own.on),
            Command::Put(put) => self.put(&put)?,
            Command::Reset => match &self.film.start {
                Some(_) if self.has_left() => self.film.changes_to_start(&self.scene)?,
                _ => return Err(Fault::at("", "time is at its start")),
            },
            Command::Rewind(to) => match self.shot(to.time)? {
                Some(frame) => self.film.changes(frame, &self.scene.world)?,
                None => return Err(Fault::at("time", "is the present")),
            },
            Command::Together(commands) => {
                let mut changes = Vec::new();
                for (at, command) in commands.iter().enumerate() {
                    let here = format!("[{at}]");
                    match self.edit(command).under(&here)? {
                        Some(change) => changes.push(change),
                        None => {
                            let problem = format!("\"{}\" is no edit", command.word());
                            return Err(Fault::at(here, problem));
                        }
                    }
                }
                Change::All(changes)
            }
            _ => return Ok(None),
        }))
    }

    fn rewrite(&self, edit: parameters::Edit) -> Change {
        let stands = !self.has_left();
        Change::Rewrite(Box::new(Rewrite { edit, stands }))
    }

    fn put(&self, put: &Put) -> Result<Change, Fault> {
        let world = &self.scene.world;
        let id = connector::body(world, &put.body).under("body")?;
        let (q, n_v) = body::put(world, id, &put.position.0, put.quaternion, put.angle)?;
        Ok(Change::Place {
            body: put.body.clone(),
            q,
            v: vec![0.0; n_v],
        })
    }

    fn grip(&self, name: &str) -> Result<GripId, Fault> {
        let world = &self.scene.world;
        let held = world.grips().iter();
        let found = held
            .clone()
            .find(|grip| world.body_label(grip.hand()) == Ok(name));
        found.map(GripRecord::id).ok_or_else(|| {
            let known = held.filter_map(|grip| world.body_label(grip.hand()).ok());
            Fault::at("", format!("no hand is called \"{name}\"")).meant(name, known)
        })
    }

    fn step_options(&self, step: &Step) -> StepOptions {
        let mut options = self.scene.options;
        options.dt = step.dt.unwrap_or(options.dt);
        if let Some(iterations) = step.iterations {
            options.budget.ends_at = iterations;
        }
        options
    }

    /// Several steps are all taken, or none.
    fn step(&mut self, step: &Step) -> Result<Outcome, Fault> {
        let options = self.step_options(step);
        let count = step.frames()?;
        let before = (count > 1).then(|| self.scene.world.clone());
        let mut outcome = Outcome::default();
        let (leaving, mut events) = (self.leaving(), Vec::new());
        let (since, mut taken) = (self.scene.world.state().t, Film::default());
        for k in 0..count {
            if k > 0 {
                taken.note(&self.scene.world);
            }
            match self.simulator.step(&mut self.scene.world, &options) {
                Ok(report) => {
                    events.extend(timed(&self.scene.world, &report.events));
                    outcome = Outcome::of_step(report.clone());
                }
                Err(error) => {
                    if let Some(before) = before {
                        self.scene.world = before;
                    }
                    return Err(Self::refusal(&error));
                }
            }
        }
        if count > 0 {
            self.time_passed(leaving, since, taken, &events);
        }
        Ok(outcome)
    }

    /// What to remember if time leaves its start now.
    fn leaving(&self) -> Option<Leaving> {
        (!self.has_left()).then(|| Leaving::of(&self.scene))
    }

    /// Time has passed since `before`, through what was `taken`.
    fn time_passed(
        &mut self,
        leaving: Option<Leaving>,
        before: f64,
        taken: Film,
        events: &[(f64, Event)],
    ) {
        if let Some(start) = leaving {
            self.film.leave(start);
        }
        self.film.go_on(before, taken, events);
        self.undo.outlive_time();
        self.redo.outlive_time();
        self.last = None;
    }

    /// Something was done that `back` takes back; it may be a part of what was done before.
    fn done(&mut self, back: Change, is_part: bool) {
        match is_part {
            true => self.undo.extend(back),
            false => self.undo.changes.push(back),
        }
        self.redo.clear();
        self.turned(Last {
            is_undone: false,
            is_given_back: false,
        });
    }

    fn turned(&mut self, last: Last) {
        self.last = Some(last);
        if self.has_left() {
            self.film.note_bodies(&self.scene.world);
        }
    }

    fn turn_back(&mut self, is_undone: bool) -> Result<(), Fault> {
        let (from, to, what) = match is_undone {
            true => (&mut self.undo, &mut self.redo, "undo"),
            false => (&mut self.redo, &mut self.undo, "redo"),
        };
        let Some(change) = from.changes.last() else {
            return Err(Fault::at("", format!("there is nothing to {what}")));
        };
        let back = change.clone().apply(&mut self.scene)?;
        from.changes.pop();
        to.changes.push(back);
        let is_given_back = from.changes.len() >= from.n_past;
        from.n_past = from.n_past.min(from.changes.len());
        self.turned(Last {
            is_undone,
            is_given_back,
        });
        Ok(())
    }

    /// A step of pure assembly that ends at the time it began.
    fn pose(
        &mut self,
        iterations: Option<usize>,
        deadline: &mut dyn FnMut() -> bool,
    ) -> Result<StepReport, Fault> {
        let options = self.step_options(&Step {
            iterations,
            ..Step::default()
        });
        self.film.note(&self.scene.world);
        let before = self.scene.world.clone();
        let world = &mut self.scene.world;
        let (t, dynamics) = (world.state().t, world.dynamics());
        let mut step = || -> Result<StepReport, Fault> {
            world.set_time(t - options.dt)?;
            world.set_dynamics(Dynamics::Assembly);
            let report = self.simulator.step_until(world, &options, deadline);
            let report = report.map_err(|error| Self::refusal(&error))?;
            world.set_dynamics(dynamics);
            world.set_time(t)?;
            rest_hands(world, options.dt)?;
            build::set_in_motion(world)?;
            Ok(report)
        };
        let report = step().inspect_err(|_| self.scene.world = before.clone())?;
        self.film.drop_after(t);
        if !self.posing {
            self.done(Before::change(before, Some(Part::Places)), false);
        }
        Ok(report)
    }

    fn assemble(&mut self, assemble: &Assemble) -> Result<Outcome, Fault> {
        let mut options = AssembleOptions::default().by(self.scene.options.method);
        options.max_iterations = assemble.iterations.unwrap_or(options.max_iterations);
        let before = self.scene.world.clone();
        let report = self.simulator.assemble(&mut self.scene.world, &options);
        let report = report.map_err(|error| Fault::at("", error.to_string()))?;
        if before.state() != self.scene.world.state() {
            self.film.drop_after(before.state().t);
            match self.last {
                Some(last) if last.is_undone => self.redo.extend(Before::change(before, None)),
                Some(_) => self.undo.extend(Before::change(before, None)),
                None => self.done(Before::change(before, Some(Part::Places)), false),
            }
        }
        Ok(Outcome {
            assembly: Some(report),
            ..Outcome::default()
        })
    }

    /// Goes to a minimum while time stands: one edit.
    fn minimize(&mut self, minimize: &Minimize) -> Result<Outcome, Fault> {
        let mut options = MinimizeOptions::default().by(self.scene.options.method);
        options.max_iterations = minimize.iterations.unwrap_or(options.max_iterations);
        if self.scene.world.objectives()?.is_empty() {
            let hint = "add a joint of type formula, such as minimize p.x^2 or p.x ~ 1";
            return Err(Fault::at("", "nothing is to be made small").hint(hint));
        }
        let before = self.scene.world.clone();
        let report = self.simulator.minimize(&mut self.scene.world, &options);
        let report = report.map_err(|error| Self::refusal(&error))?;
        if before.state() != self.scene.world.state() {
            self.done(Before::change(before, Some(Part::Places)), false);
        }
        Ok(Outcome {
            minimum: Some(report),
            ..Outcome::default()
        })
    }
}

impl Step {
    /// How many frames it lasts, if one command may last as long.
    pub(super) fn frames(&self) -> Result<u64, Fault> {
        let count = self.count.unwrap_or(1);
        if count > MAX_COUNT {
            let problem = format!("is {count}, more than the {MAX_COUNT} of one command");
            return Err(Fault::at("count", problem).hint("give several commands"));
        }
        Ok(count)
    }
}

/// What happened in a step, and when.
fn timed<'e>(world: &World, events: &'e [Event]) -> impl Iterator<Item = (f64, Event)> + 'e {
    let now = world.state().t;
    events.iter().map(move |event| (now, event.clone()))
}

/// Hands that have arrived go no further: what they hold is at rest.
fn rest_hands(world: &mut World, dt: f64) -> Result<(), Fault> {
    let mut state = world.state().clone();
    for grip in world.grips() {
        let hand = world.body_record(grip.hand())?;
        hand.body().begin_step(&mut state.q[hand.q_range()], dt);
    }
    Ok(world.set_state(state)?)
}

fn too_stiff(behavior: &str) -> String {
    format!(
        ", under behavior \"{behavior}\" (a force that is too stiff for the step? a joint of type \
         \"spring\" never is)"
    )
}
