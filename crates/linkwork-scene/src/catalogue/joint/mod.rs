//! Joints, springs, drives and other constraints.

use std::any::Any;
use std::sync::Arc;

use linkwork::behavior::Behavior;
use linkwork::connector::{Connector, ConnectorKind, Site};
use linkwork::constraint::{
    AngleArmature, AngleLimit, AngleServo, BallOnPlane, Closing, ConeLimit, Constraint, Coupling,
    Directions, DiscOnPlane, DistanceDrive, DriveFunction, FramePair, Inerter, JointCoordinate,
    KnifeEdge, LengthArmature, LengthLimit, LengthServo, PointOnSurface, PointOnTrajectory,
    PushedLike, RollingBall, RollingDisc, ScalarEquals, SpinRelation, Tangency,
};
use linkwork::math::{Vec3, complete_basis, transpose, unit};
use linkwork::prelude::*;
use linkwork::world::{BreakLimit, ConstraintRecord, PlanarSlide, PointInSlot, PointOnPlane, Tree};

use super::field::{InLab, Role, Start};
use super::fields::*;
use super::glyph::{Glyph, Link, Sign};
use super::mirror::{Mirror, mirror};
use super::offer::Offer;
use super::words::words;
use super::{Entry, Field, Fields, Form, Law, Sort, Type, Value, law};
use crate::build::connector::{in_plane, is_in_plane, is_planar, point_at, resolve, resolve_body};
use crate::fault::{Fault, Under};
use crate::format::ConnectorRef;
use crate::scene::Scene;

mod beside;
mod bounded;
mod curves;
mod directed;
mod ends;
pub(crate) mod motor;
mod pair;
mod pushes;

use beside::Beside;
pub(crate) use bounded::RATCHET;
use bounded::ServoParts;
use directed::DIRECTED;
use ends::{as_frame, as_point, fit, framed, framed_along_x, listed, side, sides};
use pair::Pair;
use pushes::PUSHES;

/// All that is known of a type of joint.
pub struct JointType {
    pub(super) kind: Type,
    /// What a law that is no pair of frames holds.
    sides: fn(&Scene, &Entry<JointType>) -> Result<Vec<Connector>, Fault>,
    /// Adds the constraint of an entry; what all joints have is set by [`add`].
    build: fn(&mut Scene, &Entry<JointType>) -> Result<ConstraintId, Fault>,
    /// The fields of a law; none if it is of another type.
    describe: fn(&Held<'_>) -> Option<Fields>,
    /// The pair of frames it is, if it is one: builds and describes it.
    pair: Option<Pair>,
    /// Its coordinates.
    coordinates: &'static [Driven],
    /// What moves it as its motor says.
    drive: Option<Drive>,
    /// The law of "armature", by its inertia.
    armature: Option<fn(f64) -> Arc<dyn Constraint>>,
    /// The laws of "limits", "friction" and "ratchet".
    bounds: Option<Bounds>,
    /// The type of limits of its only coordinate, if it has one.
    limited_by: Option<&'static str>,
    /// Whether its rows are soft by their law: it takes no compliance.
    pub(super) soft: bool,
    /// Whether it is there in the plane.
    pub(super) planar: bool,
    /// How it is drawn.
    pub(crate) glyph: Glyph,
    /// Where it needs frames.
    pub(super) frames: Framed,
    /// Its place among the joints by which two places are joined that are brought together; leave room.
    pub(super) joins: Option<u32>,
    /// What it leads through time.
    pub(super) drives: Option<Driven>,
    /// The palette's buttons that put it between two places.
    pub(super) offers: &'static [Offer],
}

/// What is needed to drive a joint.
#[derive(Clone, Copy)]
struct Drive {
    /// The type that drives it.
    kind: &'static str,
    /// Makes its law.
    law: fn(Arc<dyn DriveFunction>) -> Arc<dyn Constraint>,
    /// The type that drives it with so much and no more, and its law.
    servo_kind: &'static str,
    servo: fn(ServoParts) -> Arc<dyn Constraint>,
    /// The field of the most it may take, and that of the other sort of motor.
    most: (Field, Field),
}

/// Makes the laws that bound the coordinates of a joint, of its fields.
type Bounds = fn(&Fields) -> Result<Vec<Beside>, Fault>;

words! {
    /// A coordinate of a joint, which a drive leads through time.
    pub enum Driven {
        /// An angle.
        Angle = "angle",
        /// A length.
        Length = "length",
    }
}

words! {
    /// Where a joint needs frames on both sides, or directions; elsewhere points do.
    pub enum Framed {
        /// Nowhere.
        Never = "never",
        /// In space.
        InSpace = "in-space",
        /// In the plane too.
        Always = "always",
        /// It needs directions, which have no place.
        Directed = "directed",
    }
}

/// A type with nothing said of it yet.
const BLANK: JointType = JointType {
    kind: Type::new(0, "", "", &[]),
    sides: |scene, entry| framed(scene, entry, &[]),
    build: |_, _| Err(Fault::at("type", "cannot be built")),
    describe: |_| None,
    pair: None,
    coordinates: &[],
    drive: None,
    armature: None,
    bounds: None,
    limited_by: None,
    soft: false,
    planar: false,
    glyph: Glyph::MARK,
    frames: Framed::Always,
    joins: None,
    drives: None,
    offers: &[],
};

impl JointType {
    /// The type of a pair of frames.
    const fn pair(kind: Type, pair: Pair) -> Self {
        Self {
            kind,
            pair: Some(pair),
            ..BLANK
        }
    }

    /// The type that drives it.
    pub(super) fn driven_by(&self) -> Option<&'static str> {
        self.drive.map(|drive| drive.kind)
    }

    /// Whether what a field says is a joint beside it.
    pub(crate) fn has_beside(&self, field: &Field) -> bool {
        self.bounds.is_some() || field.name == ARMATURE.name
    }

    /// The type that limits its coordinate.
    pub(super) fn limited_by(&self) -> Option<&'static str> {
        self.limited_by
    }

    /// Whether a motor turns it.
    fn turns(&self) -> bool {
        self.drive.is_some_and(|drive| drive.kind == "angle-drive")
    }

    /// What it holds, as its fields.
    fn sides_of(&self, connectors: Vec<ConnectorRef>) -> Fields {
        let has = |field: Field| self.kind.own().any(|own| own.name == field.name);
        match (has(CONNECTORS), has(A)) {
            (true, _) => Fields::default().with(&CONNECTORS, connectors),
            (false, true) => Fields::of([A, B], connectors),
            // A formula names what it reads.
            (false, false) => Fields::default(),
        }
    }

    /// Whether its entry says what it holds by connectors.
    pub(crate) fn has_sides(&self) -> bool {
        let mut own = self.kind.own();
        own.any(|own| own.name == CONNECTORS.name || own.name == A.name)
    }

    /// The type of a struct of the engine's.
    const fn of<T: Mirror + Constraint>(kind: Type) -> Self {
        Self {
            kind,
            build: |scene, entry| {
                let connectors = (entry.kind.sides)(scene, entry)?;
                let law = T::read(&entry.fields)?;
                add_law(scene, entry, Arc::new(law), connectors)
            },
            describe: |held| held.is::<T>()?.write(),
            ..BLANK
        }
    }
}

pub(crate) const LIMITS: Field = Field::new(
    "limits",
    Form::Fields(beside::LIMITED),
    "The range of its coordinates, a joint called \"NAME limits\". For a distance: the range of its length.",
)
.lab(&InLab::role(Role::Kept));
pub(crate) const DRY_FRICTION: Field = Field::number(
    "friction",
    "N·m or N",
    "Dry friction on its coordinate, a joint called \"NAME friction\".",
)
.not_negative()
.default("0")
.lab(&InLab::role(Role::Kept));
/// What a joint has on its coordinate besides a motor.
const ON_COORDINATE: &[Field] = &[LIMITS, DRY_FRICTION, RATCHET];
const COMPLIANCE: Field = Field::numbers(
    "compliance",
    "m/N",
    "Compliance of each row, m/N or rad/(N·m): one number for all, or one for each row; 0 is hard.",
)
.not_negative()
.default("0")
.lab(&InLab::parts(&[]));
const ROW_DAMPING: Field = Field::numbers(
    "damping",
    "N·s/m",
    "Damping of soft rows, N·s/m or N·m·s/rad: one number for all, or one for each row.",
)
.not_negative()
.default("0")
.lab(&InLab {
    parts: &[],
    start: Some(Start::Damping),
    after: "compliance",
    ..InLab::PLAIN
});
const PRIORITY: Field = Field::new(
    "priority",
    Form::Count(u8::MAX as u64),
    "0 is exact, higher numbers give way in least squares.",
)
.was("level")
.default("0")
.lab(&InLab {
    hint: "0 is exact",
    ..InLab::PLAIN
});
const WEIGHT: Field = Field::number(
    "weight",
    "",
    "Its weight where not all constraints of its priority can be met; at priority 0, where iterations are cut short.",
)
    .positive_by_law()
    .default("1")
    .lab(&InLab {
        after: "priority",
        ..InLab::PLAIN
    });
const TREE: Field = Field::new(
    "tree",
    Form::Word(&Tree::CHOICES),
    "Whether the methods of forests take it in the tree, exactly, or with the loops.",
)
.default("\"automatic\"");
const BREAKING: InLab = InLab {
    otherwise: "never",
    ..InLab::called("breaks at")
};
const FORCE: Field = Field::number("force", "N", "Largest force.")
    .positive_by_law()
    .lab(&BREAKING);
const TORQUE: Field = Field::number("torque", "N·m", "Largest torque.")
    .positive_by_law()
    .lab(&BREAKING);
const BREAKS_AT: Field = Field::new(
    "breaks_at",
    Form::Fields(&[FORCE, TORQUE]),
    "The load at which it breaks.",
);
const CLOSE_OVER: Field = Field::number(
    "close_over",
    "s",
    "The time over which an open joint is closed, instead of at once.",
)
.lab(&InLab {
    role: Role::Kept,
    start: Some(Start::Closing),
    ..InLab::PLAIN
});
const START: Field = Field::number("start", "s", "When it was made.").required();
const DURATION: Field = Field::number("duration", "s", "How long it takes.").required();
const ERRORS: Field = Field::new("errors", Form::List, "Its rows then.").required();
const RATES: Field = Field::new("rates", Form::List, "Their rates then.").required();
const CLOSING: Field = Field::new(
    "closing",
    Form::Fields(&[START, DURATION, ERRORS, RATES]),
    "The initial error of a joint that is closing; written by \"save\".",
)
.lab(&InLab::role(Role::Kept));
/// What pairs of frames take besides: they can be closed slowly.
const CLOSES: &[Field] = &[CLOSE_OVER, CLOSING];

pub(crate) static SORT: Sort = Sort {
    word: "joint",
    help: "A joint or other constraint. \"a\" and \"b\" are connectors. With \"at\" they are bodies, joined \
           at that point of the world. \"axis\" and \"normal\" are in world axes at the moment of joining; \
           connectors that are frames bring their own.",
    entry: "JointEntry",
    named: true,
    common: &[
        COMPLIANCE,
        ROW_DAMPING,
        PRIORITY,
        WEIGHT,
        TREE,
        PUSHES,
        BREAKS_AT,
        ENABLED,
    ],
    types: || JointType::all().iter().map(|own| own.kind()).collect(),
};

law!(JointType, "joint", SORT);

/// A law that is to be described, and how it is held.
pub(crate) struct Held<'w> {
    law: &'w dyn Constraint,
    in_plane: bool,
    compliance: &'w [f64],
}

impl Held<'_> {
    /// The law as one of the engine's own.
    fn is<T: Any>(&self) -> Option<&T> {
        let law: &dyn Any = self.law;
        law.downcast_ref()
    }

    /// A soft distance is a spring, if its stiffness gives the same bits: its length and its stiffness.
    fn spring(&self) -> Option<(f64, f64)> {
        let Distance { length } = self.is()?;
        match *self.compliance {
            [soft] if soft > 0.0 && 1.0 / (1.0 / soft) == soft => Some((*length, 1.0 / soft)),
            _ => None,
        }
    }
}

/// A joint as a file has it, without its sides; none if it is of a program's making.
pub(crate) fn describe(record: &ConstraintRecord) -> Option<Entry<JointType>> {
    let closing = record.constraint().as_closing();
    let law = closing.map_or(record.constraint(), |closing| &*closing.joint);
    let pushed = law.as_pushed_like();
    let held = pushed.map_or((law, record.in_plane()), PushedLike::holds);
    let mut entry = describe_law(held, record.compliance())?;
    if let Some(pushed) = pushed {
        let other = describe_law(pushed.pushes(), &[])?;
        entry.fields.set(&PUSHES, (other.kind, other.fields));
    }
    record.label().clone_into(&mut entry.name);
    if !entry.kind.soft
        && let Some(compliance) = rows(record.compliance())
    {
        entry.fields.set(&COMPLIANCE, compliance);
    }
    if entry.kind.soft || entry.fields.has(&COMPLIANCE) {
        let damping = rows(record.damping());
        entry.fields = entry.fields.with_some(&ROW_DAMPING, damping);
    }
    Some(entry)
}

fn describe_law(
    (law, in_plane): (&dyn Constraint, bool),
    compliance: &[f64],
) -> Option<Entry<JointType>> {
    let held = Held {
        law,
        in_plane,
        compliance,
    };
    let mut all = JointType::all().iter();
    all.find_map(|kind| {
        let fields = match &kind.pair {
            Some(pair) => pair.describe(kind, &held),
            None => (kind.describe)(&held),
        };
        Some(Entry::new(*kind, fields?))
    })
}

/// Numbers that are all equal as one, others as a list, zeros as nothing.
fn rows(numbers: &[f64]) -> Option<Value> {
    match numbers {
        [] => None,
        all if all.iter().all(|number| *number == 0.0) => None,
        [first, rest @ ..] if rest.iter().all(|number| number == first) => Some((*first).into()),
        all => Some(all.into()),
    }
}

impl Entry<JointType> {
    /// The same with its sides, and all that any constraint has.
    pub(crate) fn held(
        mut self,
        mut connectors: Vec<ConnectorRef>,
        record: &ConstraintRecord,
    ) -> Self {
        let law = record.constraint();
        let law = law.as_closing().map_or(law, |closing| &*closing.joint);
        if let Some(pushed) = law.as_pushed_like() {
            let others = connectors.split_off(pushed.n_held());
            pushes::held(&mut self.fields, others);
        }
        let sides = self.kind.sides_of(connectors);
        let finite = |limit: f64| Some(limit).filter(|limit| limit.is_finite());
        let limit = record.break_limit().map(|limit| {
            let limits = Fields::default().with_some(&FORCE, finite(limit.force));
            limits.with_some(&TORQUE, finite(limit.torque))
        });
        let closing = record.constraint().as_closing().map(|closing| {
            let fields = Fields::default().with(&START, closing.start);
            let fields = fields.with(&DURATION, closing.duration);
            fields
                .with(&ERRORS, closing.c_start.clone())
                .with(&RATES, closing.c_dot_start.clone())
        });
        self.fields = (sides.and(self.fields))
            .unless(&PRIORITY, record.priority(), 0)
            .unless(&WEIGHT, record.weight(), 1.0)
            .unless(&TREE, record.tree().name(), Tree::default().name())
            .with_some(&BREAKS_AT, limit)
            .with_some(&CLOSING, closing)
            .unless(&ENABLED, record.enabled(), true);
        self
    }

    /// The same with a priority.
    pub(crate) fn of_priority(mut self, priority: u8) -> Self {
        self.fields = self.fields.unless(&PRIORITY, priority, 0);
        self
    }

    /// All connectors it names, to be changed.
    pub fn sides_mut(&mut self) -> Vec<&mut ConnectorRef> {
        let mut all = Vec::new();
        add_sides(&mut self.fields, &mut all);
        all
    }
}

fn add_sides<'f>(fields: &'f mut Fields, all: &mut Vec<&'f mut ConnectorRef>) {
    for value in fields.values_mut() {
        match value {
            Value::Connector(own) => all.push(own),
            Value::Connectors(own) => all.extend(own),
            Value::Entry(_, own) => add_sides(own, all),
            _ => {}
        }
    }
}

/// Adds a joint; nothing stays when any of it is refused.
pub(crate) fn add(scene: &mut Scene, entry: &Entry<JointType>) -> Result<(), Fault> {
    let other = pushes::find(scene, entry)?;
    let id = build(scene, entry)?;
    let world = &mut scene.world;
    let pushed = other.map_or(Ok(()), |other| pushes::put(world, id, other));
    let added = pushed.and_then(|()| finish(scene, id, entry));
    if added.is_err() {
        scene.world.remove_constraint(id)?;
    }
    added
}

/// Adds the law of an entry, and nothing else that it says.
fn build(scene: &mut Scene, entry: &Entry<JointType>) -> Result<ConstraintId, Fault> {
    match &entry.kind.pair {
        Some(pair) => pair.add(scene, entry),
        None => (entry.kind.build)(scene, entry),
    }
}

/// Softness, priority and the rest of what any constraint has.
fn finish(scene: &mut Scene, id: ConstraintId, entry: &Entry<JointType>) -> Result<(), Fault> {
    let world = &mut scene.world;
    let (fields, soft) = (&entry.fields, entry.kind.soft);
    let n_rows = world.constraint_record(id)?.rows().len();
    let rows = |numbers: &[f64]| match numbers {
        [one] => vec![*one; n_rows],
        many => many.to_vec(),
    };
    if let Some(compliance) = fields.get(&COMPLIANCE)? {
        if soft {
            return Err(
                Fault::at("compliance", "follows from its other numbers").hint("leave it out")
            );
        }
        world.set_compliance(id, &rows(compliance))?;
    }
    let is_rotor = world
        .constraint_record(id)?
        .constraint()
        .inertia()
        .is_some();
    if is_rotor && fields.has(&ROW_DAMPING) {
        return Err(
            Fault::at("damping", "of a rotor is none").hint("use the behavior \"friction\"")
        );
    }
    if let Some(damping) = fields.get(&ROW_DAMPING)?.filter(|_| !soft) {
        let soft = world.constraint_record(id)?.compliance();
        if soft.iter().all(|compliance| *compliance == 0.0) {
            let hint = "give \"compliance\" too, or use the behavior \"friction\"";
            return Err(Fault::at("damping", "acts on soft rows only, and none is").hint(hint));
        }
        world.set_damping(id, &rows(damping))?;
    }
    if let Some(priority) = fields.get::<u64>(&PRIORITY)?.filter(|own| *own > 0) {
        world.set_priority(id, priority as u8)?;
    }
    if let Some(weight) = fields.get(&WEIGHT)? {
        world.set_weight(id, weight)?;
    }
    if let Some(tree) = fields.get::<&str>(&TREE)? {
        world.set_tree(id, tree.parse()?)?;
    }
    if let Some(limits) = fields.get::<&Fields>(&BREAKS_AT)? {
        let limit = BreakLimit {
            force: limits.or(&FORCE, f64::INFINITY)?,
            torque: limits.or(&TORQUE, f64::INFINITY)?,
        };
        let set = world.set_break_limit(id, Some(limit));
        set.under("breaks_at")?;
    }
    match (fields.get(&CLOSE_OVER)?, fields.get(&CLOSING)?) {
        (Some(_), Some(_)) => {
            return Err(Fault::at("closing", "is given beside \"close_over\""));
        }
        (Some(seconds), None) => world.close_over(id, seconds)?,
        (None, Some(closing)) => {
            close(world, id, closing).under("closing")?;
        }
        (None, None) => {}
    }
    if !fields.or(&ENABLED, true)? {
        world.set_constraint_enabled(id, false)?;
    }
    // Last, because nothing after it can fail and leave it behind.
    pair::put_on_coordinate(scene, id, entry)
}

/// Goes on closing a joint that was saved while it closed.
fn close(world: &mut World, id: ConstraintId, fields: &Fields) -> Result<(), Fault> {
    let record = world.constraint_record(id)?;
    let connectors = record.connectors().to_vec();
    let closing = Closing {
        joint: record.shared_constraint(),
        c_start: fields.need::<&[f64]>(&ERRORS)?.to_vec(),
        c_dot_start: fields.need::<&[f64]>(&RATES)?.to_vec(),
        start: fields.need(&START)?,
        duration: fields.need(&DURATION)?,
    };
    closing.validate()?;
    world.replace_constraint(id, closing, &connectors)?;
    Ok(())
}

/// Adds a law that is no pair of frames.
fn add_law(
    scene: &mut Scene,
    entry: &Entry<JointType>,
    law: Arc<dyn Constraint>,
    mut connectors: Vec<Connector>,
) -> Result<ConstraintId, Fault> {
    let planar = connectors.iter().any(|own| in_plane(&scene.world, own));
    if planar && !entry.kind.planar {
        return Err(no_counterpart(entry));
    }
    fit(&mut connectors, law.inputs_of(planar));
    Ok(scene
        .world
        .add_shared_constraint(&entry.name, law, &connectors)?)
}

/// Such a joint is not there in the plane.
fn no_counterpart(entry: &Entry<JointType>) -> Fault {
    let problem = format!("\"{}\" has no counterpart in the plane", entry.word());
    let others = JointType::all().iter();
    let others = others.filter(|own| own.planar && own.joins.is_some());
    let others: Vec<_> = others.map(|own| own.kind.word).collect();
    Fault::at("type", problem).hint(format!("in the plane there are {}", others.join(", ")))
}
