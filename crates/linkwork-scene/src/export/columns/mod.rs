//! Columns: quantities of a scene by name.
//!
//! | name                                                   | what                                   |
//! |--------------------------------------------------------|----------------------------------------|
//! | `time`                                                 | s                                      |
//! | `energy.total`, `.kinetic`, `.potential`, `.elastic`   | J                                      |
//! | `momentum.linear`, `.angular`, `center_of_mass`        | vectors                                |
//! | `body.NAME.position`, `.quaternion`, `.velocity`, `.acceleration`, … | of a body; `.angle`, `.spin` in the plane |
//! | `joint.NAME.force`, `.torque`, `.error`, `.multipliers`, … | of a joint, on its second body     |
//! | `joint.NAME.on_first.force`, `.on_first.torque`        | the same on its first body             |
//! | `joint.NAME.on_middle.force`, `.on_middle.torque`      | the same on the second of three, such as a wheel of a gear |
//! | `joint.NAME.about.origin`, `joint.NAME.about.POINT`    | torque about the origin, or about a trace or connector |
//! | `joint.NAME.angle`, `.spin`, `.position`, `.speed`, `.distance` | its coordinates and their rates |
//! | `=FORMULA`                                             | a number of the scene's names: `=norm(bob) - 1` |
//! | `joint.NAME.value`, `.slope`, `.rms`, `.largest`       | of an objective; of a fit, how far it is from its table |
//! | `joint.NAME.motor.torque` (`.force`), `.motor.power`, `.power` | of its motor, and of all its rows |
//! | `behavior.NAME.force`, `.torque`, `.power`             | of a behavior, on its last side        |
//! | `body.NAME.contact.force`, `.contact.points`           | of all that touches a body             |
//! | `contact.A.B.force`, `.points`                         | of what touches, of A on B; A or B may be `ground` |
//! | `hand.NAME.force`                                      | of a hand, on what it holds            |
//! | `trace.NAME.position`, `connector.NAME.velocity`       | of a point                             |
//! | `quantity.NAME.value`, `.rate`, `.position`, …          | of a quantity: a number, a point or a direction |
//! | `step.iterations`, `step.position_error`, `step.rungs`, … | of the last step                    |
//!
//! A vector is as many columns as it has components; a component may be asked for by itself, as in
//! `body.crank.position.x`. `*` stands for any characters of one part: `joint.*.force`. A name that
//! is not made of letters, digits, `_` and `-` is written in quotes: `body."left arm".position`.
//! What stands at the beginning of names stands for all of them: `energy`, `body.crank`. A whole name stands for
//! itself alone: `joint.A.force` are its components, and not `joint.A.force.magnitude`.

mod begin;
mod catalogue;
pub(crate) mod name;
mod source;
mod table;

use std::collections::{HashMap, HashSet};
use std::f64::consts::TAU;

use linkwork::diagnose::Diagnosis;
use linkwork::prelude::*;
use linkwork::solve::Solution;
use linkwork::system::Motion;

use self::catalogue::{Extent, ITEMS, Quantity, WHOLES};
use self::name::Segment;
use self::source::{Kind, Moment, Source};
use crate::fault::{Fault, meant};
use crate::formula;
use crate::scene::Scene;

/// A quantity that can be asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnInfo {
    /// Its name; of a vector, without component.
    pub name: String,
    /// Its unit; of a list with several, all of them.
    pub unit: String,
    /// What it is, in a few words.
    pub about: &'static str,
}

/// A column: one number in each row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its full name, such as `body.crank.position.x`.
    pub name: String,
    /// Its unit; "1" for pure numbers, empty where it is not known.
    pub unit: &'static str,
}

/// Which multipliers forces of joints are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reactions {
    /// Those the last step, or its last sub-step, was taken with. They lag behind the row by a part
    /// of it: at the peak of a four-bar that passes its tightest place, 7 % at steps of 10 ms and
    /// 0.7 % at 1 ms. Before the first step there are none, and those of the instant are taken.
    OfStep,
    /// Those of the instant of each row, exactly; it takes one more solve.
    #[default]
    OfInstant,
}

/// Quantities of a scene, to be sampled row by row.
///
/// ```
/// use linkwork_scene::{Scene, export::Columns};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let scene = Scene::from(linkwork_scene::scene("four-bar")?);
/// let mut columns = Columns::parse(&scene, &["time", "body.crank.position"])?;
/// assert_eq!(columns.header()[1], "body.crank.position.x");
/// let mut row = Vec::new();
/// columns.sample(&scene, None, &mut row);
/// assert_eq!(row.len(), 4);
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Columns {
    columns: Vec<Column>,
    /// Where in `values` each column is.
    at: Vec<usize>,
    /// What is evaluated, and where in `values` it begins.
    sources: Vec<(Source, usize)>,
    values: Vec<f64>,
    /// Of each source that is an angle in space: where it was last seen.
    seen: Vec<Option<Seen>>,
    reactions: Reactions,
    simulator: Simulator,
    /// Of the instant.
    lambda: Vec<f64>,
    troubles: Vec<Trouble>,
}

/// Where an angle was last seen.
#[derive(Clone, Copy, Debug)]
struct Seen {
    of: ConstraintId,
    t: f64,
    angle: f64,
    rate: f64,
}

/// A formula of a column that came to no number.
#[derive(Clone, Debug, PartialEq)]
pub struct Trouble {
    /// What was typed.
    pub formula: String,
    /// The first time, in seconds.
    pub time: f64,
    /// The operation, and its place in the text.
    pub why: String,
}

/// What is sampled when nothing is asked for, as far as it is there.
const DEFAULT: [&str; 5] = [
    "time",
    "energy.total",
    "step.position_error",
    "body.*.position",
    "body.*.angle",
];

impl Columns {
    /// The columns with these names, in this order, each once. With no names a few that tell most:
    /// time, total energy, the gap of joints, positions (in the plane angles too).
    pub fn parse(scene: &Scene, names: &[&str]) -> Result<Self, Fault> {
        let mut choice = ColumnsChoice::new(names)?;
        choice.look(scene);
        choice.finish()
    }

    /// What every fault of a column's name advises.
    pub const ADVICE: &str = "List the columns of the scene to see all names.";

    /// All quantities of a scene.
    pub fn list(scene: &Scene) -> Vec<ColumnInfo> {
        let mut list = Vec::new();
        let wholes = WHOLES.iter().flat_map(|head| catalogue::of_whole(head));
        list.extend(wholes.map(|quantity| quantity.info()));
        for item in ITEMS {
            for name in catalogue::names(scene, item) {
                let all = Extent::of(item, true, false);
                let quantities = catalogue::of_item(scene, item, name, all);
                list.extend(quantities.iter().map(Quantity::info));
            }
        }
        list
    }

    /// The same with other reactions.
    pub fn with_reactions(mut self, reactions: Reactions) -> Self {
        self.reactions = reactions;
        self
    }

    /// The columns with their units, in the order of a row.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The names of the columns, in the order of a row.
    pub fn header(&self) -> Vec<String> {
        let names = self.columns.iter().map(|column| column.name.clone());
        names.collect()
    }

    /// Whether a column is made of multipliers, such as a force of a joint.
    pub fn has_forces(&self) -> bool {
        self.sources.iter().any(|(own, _)| own.kind.needs_lambda())
    }

    /// The names of the columns that rigid statics leaves open where the scene is: shares of what several rows bear
    /// together ([`Diagnosis::leaves_open`]).
    pub fn undetermined(&self, scene: &Scene, diagnosis: &Diagnosis) -> Vec<&str> {
        let mut is_open = vec![false; self.values.len()];
        let of_forces = |(own, _): &&(Source, usize)| own.kind.needs_lambda();
        for (source, start) in self.sources.iter().filter(of_forces) {
            let found = diagnosis.leaves_open(source.n, |lambda, out| {
                let moment = Moment {
                    scene,
                    report: None,
                    lambda,
                    motion: &[],
                };
                source.evaluate(moment, out);
            });
            is_open[*start..*start + source.n].copy_from_slice(&found);
        }
        let columns = self.columns.iter().zip(&self.at);
        let open = columns.filter(|(_, at)| is_open[**at]);
        open.map(|(column, _)| column.name.as_str()).collect()
    }

    /// Writes a row in place of what `out` held: the scene as it is, with the report of the step that
    /// led there.
    ///
    /// Before the first step (no report, no multipliers) forces of joints are those of the instant, and what is bounded
    /// pushes as in the first step.
    /// The scene's own multipliers are left alone, so sampling changes no bit of a run. What is no
    /// longer in the scene is not a number.
    pub fn sample(&mut self, scene: &Scene, report: Option<&StepReport>, out: &mut Vec<f64>) {
        let state = scene.world.state();
        let needs = |what: fn(Kind) -> bool| self.sources.iter().any(|(own, _)| what(own.kind));
        let is_first = report.is_none() && state.lambda.iter().all(|&lambda| lambda == 0.0);
        let is_unknown = is_first && state.touching.is_empty() && needs(Kind::needs_forces);
        let begun = if is_unknown {
            begin::begin(scene)
        } else {
            None
        };
        let scene = begun.as_ref().unwrap_or(scene);
        let state = scene.world.state();
        let of_instant = self.reactions == Reactions::OfInstant || is_first;
        let of_instant = of_instant && needs(Kind::needs_lambda);
        let (mut lambda, mut motion): (&[f64], &[f64]) = (&state.lambda, &[]);
        if (of_instant || needs(Kind::needs_motion))
            && let Some(solution) = instant(&mut self.simulator, scene)
        {
            if of_instant {
                self.lambda.clone_from(&solution.lambda);
                keep_bounded(&scene.world, &mut self.lambda);
                lambda = &self.lambda;
            }
            if scene.world.dynamics() == Dynamics::SecondOrder {
                motion = &solution.motion;
            }
        }
        let moment = Moment {
            scene,
            report,
            lambda,
            motion,
        };
        evaluate(
            &self.sources,
            &mut self.values,
            &mut self.seen,
            moment,
            |_| true,
        );
        for (source, start) in &self.sources {
            let is_new = || self.troubles.iter().all(|own| own.formula != source.of);
            if source.kind == Kind::Typed
                && !self.values[*start].is_finite()
                && is_new()
                && let Some(why) = formula::trouble(scene, &source.of)
            {
                self.troubles.push(Trouble {
                    formula: source.of.clone(),
                    time: state.t,
                    why,
                });
            }
        }
        out.clear();
        out.extend(self.at.iter().map(|&at| self.values[at]));
    }

    /// The formulas that came to no finite number in some row, and why they first did.
    pub fn troubles(&self) -> &[Trouble] {
        &self.troubles
    }

    /// Angles go on from the full turns that others have counted.
    pub fn after(mut self, scene: &Scene, before: &Self) -> Self {
        let seen = before.seen.iter().flatten();
        let of = |(own, _): &(Source, usize)| {
            let id = own.angle_of(&scene.world)?;
            seen.clone().find(|seen| seen.of == id).copied()
        };
        self.seen = self.sources.iter().map(of).collect();
        self
    }

    /// Counts the full turns of angles on, at a step that no row is written of.
    pub fn follow(&mut self, scene: &Scene) {
        let moment = Moment {
            scene,
            report: None,
            lambda: &[],
            motion: &[],
        };
        let is_angle = |source: &Source| source.kind == Kind::Angle;
        evaluate(
            &self.sources,
            &mut self.values,
            &mut self.seen,
            moment,
            is_angle,
        );
    }
}

/// Works out the numbers of those sources that are wanted.
fn evaluate(
    sources: &[(Source, usize)],
    values: &mut [f64],
    seen: &mut Vec<Option<Seen>>,
    moment: Moment<'_>,
    is_wanted: impl Fn(&Source) -> bool,
) {
    seen.resize(sources.len(), None);
    for ((source, start), seen) in sources.iter().zip(seen) {
        let values = &mut values[*start..*start + source.n];
        let world = &moment.scene.world;
        if is_wanted(source)
            && source.evaluate(moment, values)
            && let Some(of) = source.angle_of(world)
        {
            unwrap(seen, of, world.state().t, values);
        }
    }
}

/// Bounded rows push an instant with what they pushed the last step with: it does not solve for them.
fn keep_bounded(world: &World, lambda: &mut [f64]) {
    for record in world.constraints() {
        if record.constraint().bound().is_some() {
            let rows = record.row_range();
            lambda[rows.clone()].copy_from_slice(&world.state().lambda[rows]);
        }
    }
}

/// Takes an angle to the turn nearest to where it was last seen, moved on with the mean of its rates then and now:
/// turns are counted from the first row on, and anew where time went back.
///
/// That is the right turn while `|Δφ − h·(ω + ω′)/2| < π`: so while the rate stays within a range of π/h in a step of
/// h.
fn unwrap(seen: &mut Option<Seen>, of: ConstraintId, t: f64, values: &mut [f64]) {
    if let Some(seen) = seen.filter(|seen| seen.of == of && seen.t <= t) {
        let wanted = seen.angle + 0.5 * (t - seen.t) * (seen.rate + values[1]);
        let turns = libm::round((wanted - values[0]) / TAU);
        if turns.is_finite() {
            values[0] += turns * TAU;
        }
    }
    if values[0].is_finite() {
        let [angle, rate] = [values[0], values[1]];
        *seen = Some(Seen { of, t, angle, rate });
    }
}

/// Motion and multipliers of this instant: of `M·v̇ = f + Jᵀ·λ`, or of `D·v = f + Jᵀ·λ` where bodies have no
/// momentum. Where forces make nothing, joints carry nothing.
fn instant<'a>(simulator: &'a mut Simulator, scene: &'a Scene) -> Option<&'a Solution> {
    let world = &scene.world;
    let motion = match world.dynamics() {
        Dynamics::SecondOrder => Motion::Acceleration,
        Dynamics::FirstOrder => Motion::Flow,
        Dynamics::Assembly => return None,
    };
    simulator.prepare(world, motion, scene.options.method);
    Some(simulator.solve_prepared())
}

impl Quantity {
    fn info(&self) -> ColumnInfo {
        let mut units: Vec<&str> = self.parts.iter().map(|part| part.1).collect();
        units.dedup();
        ColumnInfo {
            name: name::join(self.path.iter().map(String::as_str)),
            unit: units.join(", "),
            about: self.about,
        }
    }

    /// The full name of one of its components.
    fn name_of(&self, part: &str) -> String {
        let path = self.path.iter().map(String::as_str);
        name::join(path.chain([part].into_iter().filter(|part| !part.is_empty())))
    }

    /// Which of its components are asked for. A name that is the whole name of another of the quantities `beside` it
    /// asks for that one.
    fn chosen(&self, wanted: &[Segment], beside: &[Self]) -> impl Iterator<Item = usize> {
        let n = self.path.len();
        let begins_so = wanted.iter().zip(&self.path).all(|(w, own)| w.matches(own));
        let component = wanted.get(n).cloned();
        let is_others = || {
            let begin = self.path.get(..wanted.len()).filter(|_| wanted.len() < n);
            beside.iter().any(|own| Some(&own.path[..]) == begin)
        };
        let fits = begins_so && wanted.len() <= n + 1 && !is_others();
        let parts = self.parts.iter().enumerate().filter(move |(_, (part, _))| {
            fits && component
                .as_ref()
                .is_none_or(|c| !part.is_empty() && c.matches(part))
        });
        parts.map(|(k, _)| k)
    }
}

/// Columns of a scene that changes: names are looked for in every scene that is shown.
///
/// What one of them has not is not a number there. Columns that only later scenes have come last.
#[derive(Debug)]
pub struct ColumnsChoice {
    columns: Columns,
    names: HashSet<String>,
    /// Where the values of a source begin, by what it is of and of what kind it is.
    known: HashMap<(Vec<String>, Kind), usize>,
    wanted: Vec<Wanted>,
}

/// What is asked for.
#[derive(Debug)]
struct Wanted {
    segments: Vec<Segment>,
    /// The formula that it is.
    typed: Option<String>,
    /// Its name, until a scene has it; none of what need not be there.
    name: Option<String>,
    /// Why no scene so far has it.
    fault: Option<Fault>,
}

impl ColumnsChoice {
    /// Asks for columns with these names; with none for a few that tell most.
    pub fn new(names: &[&str]) -> Result<Self, Fault> {
        let mut wanted = Vec::new();
        // A scene without bodies still has a time.
        let default = DEFAULT.iter().filter(|_| names.is_empty());
        let default = default.map(|name| (name, None));
        let asked = names.iter().map(|name| (name, Some(name.trim())));
        for (text, name) in default.chain(asked) {
            let name = name.map(|name| format!("column {name}"));
            let typed = text
                .trim()
                .strip_prefix('=')
                .map(|own| own.trim().to_owned());
            let segments = match typed {
                Some(_) => Vec::new(),
                None => name::split(text)
                    .map_err(|problem| Fault::at(name.clone().unwrap_or_default(), problem))?,
            };
            wanted.push(Wanted {
                segments,
                typed,
                name,
                fault: None,
            });
        }
        let columns = Columns {
            columns: Vec::new(),
            at: Vec::new(),
            sources: Vec::new(),
            values: Vec::new(),
            seen: Vec::new(),
            reactions: Reactions::default(),
            simulator: Simulator::new(),
            lambda: Vec::new(),
            troubles: Vec::new(),
        };
        Ok(Self {
            columns,
            names: HashSet::new(),
            known: HashMap::new(),
            wanted,
        })
    }

    /// Takes what a scene has and those before had not.
    pub fn look(&mut self, scene: &Scene) {
        let mut wanted = std::mem::take(&mut self.wanted);
        for own in &mut wanted {
            let is_there = match &own.typed {
                Some(text) => match formula::number(scene, text) {
                    Ok(_) => self.type_in(text),
                    Err(fault) => {
                        let path = own.name.clone().unwrap_or_default();
                        own.fault = own.name.as_ref().map(|_| Fault { path, ..fault });
                        false
                    }
                },
                None => self.gather(scene, &own.segments),
            };
            if is_there {
                (own.name, own.fault) = (None, None);
            } else if let (Some(name), None) = (&own.name, &own.fault) {
                own.fault = Some(missing(scene, name, &own.segments));
            }
        }
        self.wanted = wanted;
    }

    /// The columns; a fault if a name stood for nothing in any scene.
    pub fn finish(self) -> Result<Columns, Fault> {
        match self.wanted.into_iter().find_map(|own| own.fault) {
            Some(fault) => Err(fault),
            None => Ok(self.columns),
        }
    }

    /// Adds a formula.
    fn type_in(&mut self, text: &str) -> bool {
        let name = format!("={text}");
        if self.names.insert(name.clone()) {
            let source = Source {
                kind: Kind::Typed,
                of: text.to_owned(),
                place: None,
                n: 1,
            };
            let Columns {
                columns,
                at,
                sources,
                values,
                ..
            } = &mut self.columns;
            at.push(values.len());
            sources.push((source, values.len()));
            values.push(0.0);
            columns.push(Column { name, unit: "" });
        }
        true
    }

    /// Adds what the segments of a name stand for; true if there is anything.
    fn gather(&mut self, scene: &Scene, wanted: &[Segment]) -> bool {
        let fits = |at: usize, text: &str| wanted.get(at).is_none_or(|w| w.matches(text));
        let mut found = false;
        for head in WHOLES.into_iter().filter(|head| fits(0, head)) {
            found |= self.add_parts(&catalogue::of_whole(head), wanted, 1);
        }
        for item in ITEMS.into_iter().filter(|item| fits(0, item)) {
            let names = catalogue::names(scene, item).into_iter();
            // There are as many points as people like: they are only looked for where they may be meant.
            let extent = Extent::of(item, fits(2, "about"), wanted[0].text() == item);
            for name in names.filter(|name| fits(1, name)) {
                let quantities = catalogue::of_item(scene, item, name, extent);
                found |= self.add_parts(&quantities, wanted, 2);
            }
        }
        found
    }

    /// Adds the components of quantities that are asked for; true if there are any. The first
    /// `n_of` segments of their names say what they are of.
    fn add_parts(&mut self, quantities: &[Quantity], wanted: &[Segment], n_of: usize) -> bool {
        let mut found = false;
        for quantity in quantities {
            for part in quantity.chosen(wanted, quantities) {
                found = true;
                let (component, unit) = &quantity.parts[part];
                let name = quantity.name_of(component);
                if self.names.insert(name.clone()) {
                    let start = self.start_of(quantity, n_of);
                    self.columns.at.push(start + quantity.first + part);
                    self.columns.columns.push(Column { name, unit });
                }
            }
        }
        found
    }

    fn start_of(&mut self, quantity: &Quantity, n_of: usize) -> usize {
        // What is about a point is of that point too.
        let kind = quantity.source.kind;
        let n_of = match kind {
            Kind::About => quantity.path.len(),
            Kind::Between => n_of + 1,
            _ => n_of,
        };
        let of = quantity.path[..n_of].to_vec();
        let Columns {
            sources, values, ..
        } = &mut self.columns;
        *self.known.entry((of, kind)).or_insert_with(|| {
            let start = values.len();
            values.resize(start + quantity.source.n, 0.0);
            sources.push((quantity.source.clone(), start));
            start
        })
    }
}

/// A name that stands for nothing.
fn missing(scene: &Scene, path: &str, wanted: &[Segment]) -> Fault {
    let (problem, meant) = nothing(scene, wanted);
    let hint = meant.map_or(String::new(), |meant| meant + " ");
    Fault::at(path, problem).hint(hint + Columns::ADVICE)
}

/// Why a name stands for nothing, and what was probably meant.
fn nothing(scene: &Scene, wanted: &[Segment]) -> (String, Option<String>) {
    let heads = || WHOLES.iter().chain(&ITEMS).copied();
    let mut fitting = heads().filter(|head| wanted[0].matches(head));
    let Some(head) = fitting.next() else {
        let first = wanted[0].text();
        let problem = format!("no column begins with \"{first}\"");
        let meant = containing(scene, first).or_else(|| meant(first, heads()));
        return (problem, meant);
    };
    if ITEMS.contains(&head) {
        return nothing_of(
            scene,
            head,
            wanted.get(1),
            wanted.get(2..).unwrap_or_default(),
        );
    }
    let what = texts(&wanted[1..]);
    let problem = format!("\"{head}\" has no \"{what}\"");
    let meant = nearest_quantity(&catalogue::of_whole(head), 1, &what);
    (problem, meant)
}

/// The same, of bodies, joints and so on: what was asked `of` them.
fn nothing_of(
    scene: &Scene,
    item: &str,
    wanted: Option<&Segment>,
    of: &[Segment],
) -> (String, Option<String>) {
    let names = catalogue::names(scene, item);
    let Some(wanted) = wanted.filter(|_| !names.is_empty()) else {
        return (format!("the scene has no {}", plural(item)), None);
    };
    let asked = wanted.text();
    let Some(name) = names.iter().copied().find(|name| wanted.matches(name)) else {
        return (
            format!("no {item} is called \"{asked}\""),
            meant(asked, names),
        );
    };
    let what = texts(of);
    let problem = if wanted.has_wildcard() {
        format!("no {item} that matches \"{asked}\" has \"{what}\"")
    } else {
        format!("{item} \"{name}\" has no \"{what}\"")
    };
    let known = names.into_iter().filter(|name| wanted.matches(name));
    let all = Extent::of(item, true, true);
    let quantities = known.flat_map(|name| catalogue::of_item(scene, item, name, all));
    let quantities: Vec<Quantity> = quantities.collect();
    (problem, nearest_quantity(&quantities, 2, &what))
}

/// The columns that have this word in their names, or else in what they are, the first few.
fn containing(scene: &Scene, word: &str) -> Option<String> {
    const SHOWN: usize = 4;
    let all = Columns::list(scene);
    let is_named = |own: &ColumnInfo| own.name.split('.').skip(1).any(|own| own == word);
    let is_told = |own: &ColumnInfo| {
        let mut words = own.about.split([' ', ',', ':']);
        words.any(|own| own == word)
    };
    let of = |is_it: &dyn Fn(&ColumnInfo) -> bool| {
        let own = all.iter().filter(|own| is_it(own));
        own.map(|own| own.name.as_str()).collect::<Vec<_>>()
    };
    let named = of(&is_named);
    let names = if named.is_empty() {
        of(&is_told)
    } else {
        named
    };
    let shown = names.get(..SHOWN.min(names.len()))?.join(", ");
    match names.len() {
        0 => None,
        n if n > SHOWN => Some(format!("did you mean {shown} or {} more?", n - SHOWN)),
        _ => Some(format!("did you mean {shown}?")),
    }
}

fn texts(segments: &[Segment]) -> String {
    let texts: Vec<&str> = segments.iter().map(Segment::text).collect();
    texts.join(".")
}

/// The quantity, or component of one, that was probably meant; names are compared without their
/// first segments.
fn nearest_quantity(quantities: &[Quantity], without: usize, what: &str) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    for quantity in quantities {
        let path = || quantity.path[without..].iter().map(String::as_str);
        names.push(name::join(path()));
        let parts = quantity.parts.iter().map(|part| part.0.as_str());
        let parts = parts.filter(|part| !part.is_empty());
        names.extend(parts.map(|part| name::join(path().chain([part]))));
    }
    meant(what, names.iter().map(String::as_str))
}

fn plural(item: &str) -> String {
    match item.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => format!("{item}s"),
    }
}
