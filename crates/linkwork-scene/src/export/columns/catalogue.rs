//! Every quantity of a scene: its name, its unit, what it is, and where its numbers come from.

use std::any::Any;

use linkwork::connector::{Connector, ConnectorKind};
use linkwork::constraint::{FramePair, RowUnit};
use linkwork::prelude::*;
use linkwork::step::Rung;
use linkwork::world::{BehaviorRecord, BlockRecord, BodyRecord, ConstraintRecord, GripRecord};

use super::source::{Kind, Source};
use super::table::{
    self, ALONG, ANGLE, Axes, BEHAVIOR, BETWEEN, BODY, BY_ANGLE, COLLIDES, CONNECTOR, DIRECTION,
    FIT, FRAME, HELD, IN_PLANE, JOINT, MOTOR, MOVES, OBJECTIVE, OF_THREE, POINT, Row, SCALAR,
    SENSES, SLID, SOMEWHERE, SPIN, TURNED, TURNS, TURNS_IN_PLANE, TWO_AXES,
};
use crate::catalogue::Driven;
use crate::catalogue::joint::motor;
use crate::points::turn;
use crate::scene::{Scene, table_of};

/// A number or a vector with a name.
#[derive(Clone, Debug)]
pub(super) struct Quantity {
    /// Segments of its name.
    pub(super) path: Vec<String>,
    /// What it is.
    pub(super) about: &'static str,
    /// Where its numbers come from, and which of them is its first.
    pub(super) source: Source,
    pub(super) first: usize,
    /// Names of its components (empty for a number) and their units.
    pub(super) parts: Vec<(String, &'static str)>,
}

/// How many quantities of an item are meant, of those that come in great numbers.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    /// Torques of a joint about every point that has a name.
    points: bool,
    /// Forces between all bodies that collide, and not only those that touch now.
    pairs: bool,
}

impl Extent {
    pub(super) fn of(item: &str, points: bool, pairs: bool) -> Self {
        Self {
            points: points && item == "joint",
            pairs: pairs && item == "contact",
        }
    }
}

/// What stands first in names of something of which a scene has several.
pub(super) const ITEMS: [&str; 8] = [
    "body",
    "joint",
    "behavior",
    "hand",
    "trace",
    "connector",
    "quantity",
    "contact",
];
/// What stands first in other names.
pub(super) const WHOLES: [&str; 5] = ["time", "energy", "momentum", "center_of_mass", "step"];

const XYZ: [&str; 3] = ["x", "y", "z"];
const WXYZ: [&str; 4] = ["w", "x", "y", "z"];

/// The names of all items of a kind, such as all bodies.
pub(super) fn names<'a>(scene: &'a Scene, item: &str) -> Vec<&'a str> {
    let world = &scene.world;
    match item {
        "body" => {
            let is_hand = |id| world.grips().iter().any(|grip| grip.hand() == id);
            let bodies = world.bodies().iter();
            let bodies = bodies.filter(|body| !is_hand(body.id()));
            bodies.map(BodyRecord::label).collect()
        }
        "joint" => {
            let joints = world.constraints().iter();
            let is_hand = |id| world.grips().iter().any(|grip| grip.constraint() == id);
            let joints = joints.filter(|joint| !is_hand(joint.id()));
            joints.map(ConstraintRecord::label).collect()
        }
        "hand" => {
            let joints = world.grips().iter().map(GripRecord::constraint);
            let joints = joints.filter_map(|id| world.constraint_record(id).ok());
            joints.map(ConstraintRecord::label).collect()
        }
        "behavior" => {
            let behaviors = world.behaviors().iter();
            behaviors.map(BehaviorRecord::label).collect()
        }
        "trace" => scene.traces.iter().map(|own| own.name.as_str()).collect(),
        "connector" => scene.connectors.iter().map(|own| own.0.as_str()).collect(),
        "quantity" => world.blocks().iter().map(BlockRecord::label).collect(),
        "contact" => colliding(world),
        _ => Vec::new(),
    }
}

/// The names of all that collides, the ground first.
fn colliding(world: &World) -> Vec<&str> {
    let collides = |id| {
        let colliders = world.colliders(id).unwrap_or_default();
        colliders.iter().any(|own| !own.is_sensor)
    };
    let ground = Some("ground").filter(|_| collides(GROUND));
    let bodies = world.bodies().iter().filter(|own| collides(own.id()));
    ground
        .into_iter()
        .chain(bodies.map(BodyRecord::label))
        .collect()
}

/// The quantities of the scene as a whole that begin with `head`.
pub(super) fn of_whole(head: &str) -> Vec<Quantity> {
    let mut list = List::under(&[head], "");
    let rows = match head {
        "time" => table::TIME,
        "energy" => table::ENERGY,
        "momentum" => table::MOMENTUM,
        "center_of_mass" => table::CENTER,
        _ => &[],
    };
    list.rows(rows, 0, 3);
    if head == "step" {
        for (at, (name, unit, about)) in STEP.into_iter().enumerate() {
            list.add(name, (Kind::Step, at), axes(&[""], unit), about);
        }
        let rungs = axes(&Rung::ALL.map(Rung::name), "1");
        let about = "how often the last step took each rung of the ladder";
        list.add("rungs", (Kind::Step, STEP.len()), rungs, about);
    }
    list.quantities
}

/// Numbers of a step: name, unit, and what it is.
const STEP: [(&str, &str, &str); 12] = [
    ("iterations", "1", "iterations the last step took"),
    ("substeps", "1", "sub-steps the last step was split into"),
    ("refused", "1", "tries the last step refused"),
    (
        "last_resorts",
        "1",
        "sub-steps only the damping last resort could take",
    ),
    ("factors", "1", "factorizations of the last step"),
    ("solves", "1", "solves of the last step"),
    ("blows", "1", "how often something hit a stop or a body"),
    (
        "position_error",
        "m",
        "largest gap of exact joints, a distance",
    ),
    ("angle_error", "rad", "largest angle error of exact joints"),
    ("rate_error", "m/s", "largest rate error of exact joints"),
    (
        "law_error",
        "m/s",
        "error of the law of contacts, limits, motors and friction",
    ),
    (
        "overrun",
        "m",
        "how far something is beyond its limit, or inside another body",
    ),
];

/// The quantities of one item, such as a body.
pub(super) fn of_item(scene: &Scene, item: &str, name: &str, extent: Extent) -> Vec<Quantity> {
    let mut list = List::under(&[item, name], name);
    let world = &scene.world;
    match item {
        "body" => {
            let id = world.find_body(name);
            if let Some(record) = id.and_then(|id| world.body_record(id).ok()) {
                list.body(world, record);
            }
        }
        "joint" | "hand" => {
            let id = world.find_constraint(name);
            if let Some(record) = id.and_then(|id| world.constraint_record(id).ok()) {
                list.joint(world, record, item == "hand");
                if extent.points {
                    list.about(scene);
                }
            }
        }
        "behavior" => {
            let id = world.find_behavior(name);
            if let Some(record) = id.and_then(|id| world.behavior_record(id).ok()) {
                let acts = !record.connectors().is_empty();
                list.rows(BEHAVIOR, if acts { SOMEWHERE } else { 0 }, 3);
            }
        }
        "trace" => {
            let trace = scene.traces.iter().find(|trace| trace.name == name);
            list.connector(world, trace.map(|trace| trace.of));
        }
        "quantity" => {
            let quantity = world.find_block(name);
            list.connector(world, quantity.map(|own| own.output(0)));
        }
        "contact" => list.contacts(world, name, extent.pairs),
        _ => list.connector(world, scene.connector(name).copied()),
    }
    list.quantities
}

/// Names of components, empty for a number, and their units.
type Parts = Vec<(String, &'static str)>;

fn axes(names: &[&str], unit: &'static str) -> Parts {
    let parts = names.iter().map(|&name| (name.to_owned(), unit));
    parts.collect()
}

fn counted(units: impl Iterator<Item = &'static str>) -> Parts {
    let parts = units.enumerate();
    parts.map(|(k, unit)| (k.to_string(), unit)).collect()
}

/// Quantities whose names begin alike, of something of this name or at this place.
struct List {
    under: Vec<String>,
    of: String,
    place: Option<Connector>,
    quantities: Vec<Quantity>,
}

impl List {
    fn under(segments: &[&str], of: &str) -> Self {
        Self {
            under: segments.iter().map(|&segment| segment.to_owned()).collect(),
            of: of.to_owned(),
            place: None,
            quantities: Vec::new(),
        }
    }

    /// Adds a quantity by its name after the others' beginning: where its numbers begin, and their parts.
    fn add(&mut self, name: &str, (kind, first): (Kind, usize), parts: Parts, about: &'static str) {
        let names = name.split('.').filter(|name| !name.is_empty());
        let names = names.map(str::to_owned);
        self.quantities.push(Quantity {
            path: self.under.iter().cloned().chain(names).collect(),
            about,
            source: Source {
                kind,
                of: self.of.clone(),
                place: self.place,
                n: kind.len().unwrap_or(parts.len()),
            },
            first,
            parts,
        });
    }

    /// Adds the rows of a table whose needs are met; of places, so many coordinates.
    fn rows(&mut self, rows: &[Row], has: u16, n: usize) {
        for row in rows.iter().filter(|row| row.needs & !has == 0) {
            let names: &[&str] = match row.axes {
                Axes::One => &[""],
                Axes::Xyz => &XYZ,
                Axes::Place => &XYZ[..n],
                Axes::Wxyz => &WXYZ,
            };
            let parts = axes(names, row.unit);
            self.add(row.name, (row.kind, row.first), parts, row.about);
        }
    }

    fn body(&mut self, world: &World, record: &BodyRecord) {
        let is_there = |connector: &Connector| world.connector_value(connector).is_ok();
        let offers_frame = is_there(&record.id().frame_at([0.0; 3]));
        let is_plane = !offers_frame && is_there(&record.id().at([0.0; 2]));
        let turns_in_plane = is_plane && is_there(&record.id().frame2([0.0; 2], 0.0));
        let q = &world.state().q[record.q_range()];
        let (n_q, n_v) = (q.len(), record.v_range().len());
        let has = |what: u16, is: bool| if is { what } else { 0 };
        let has = has(FRAME, record.body().pose(world.state().t, q).is_some())
            | has(TURNS_IN_PLANE, turns_in_plane)
            | has(TURNS, offers_frame || turns_in_plane)
            | has(MOVES, n_v > 0 && record.body().center_of_mass(q).0 > 0.0)
            | has(
                COLLIDES,
                record.colliders().iter().any(|own| !own.is_sensor),
            )
            | has(SENSES, record.colliders().iter().any(|own| own.is_sensor));
        // A body of the plane has z = 0.
        self.rows(BODY, has, if is_plane { 2 } else { 3 });
        let own = [
            (
                "q",
                Kind::Coordinates,
                n_q,
                "all its coordinates as the engine keeps them",
            ),
            (
                "v",
                Kind::Velocities,
                n_v,
                "all its velocities as the engine keeps them",
            ),
        ];
        for (name, kind, n, about) in own.into_iter().filter(|own| own.2 > 0) {
            self.add(name, (kind, 0), counted(std::iter::repeat_n("", n)), about);
        }
    }

    /// What one body does to others by touching them: to those that touch it now, or to all that collide.
    fn contacts(&mut self, world: &World, name: &str, with_all: bool) {
        let touches = |other: &str| {
            let label = |id: BodyId| match world.body_record(id) {
                Ok(record) => record.label().to_owned(),
                Err(_) => "ground".to_owned(),
            };
            let all = world.state().touching.iter();
            let mut pairs = all.filter_map(|own| world.touching_bodies(own));
            pairs.any(|[a, b]| label(a) == name && label(b) == other)
        };
        for other in colliding(world) {
            if other == name || !(with_all || touches(other)) {
                continue;
            }
            self.of = format!("{name}\n{other}");
            self.under.push(other.to_owned());
            let about = "force of the first on the second, of the last step, world axes";
            self.add("force", (Kind::Between, 0), axes(&XYZ, "N"), about);
            let about = "its magnitude";
            self.add(
                "force.magnitude",
                (Kind::Between, 3),
                axes(&[""], "N"),
                about,
            );
            let about = "how many points of them touch";
            self.add("points", (Kind::Between, 4), axes(&[""], "1"), about);
            self.under.pop();
        }
    }

    /// Of a hand, only what it pulls with.
    fn joint(&mut self, world: &World, record: &ConstraintRecord, is_hand: bool) {
        if is_hand {
            self.rows(JOINT, 0, 3);
            if let Some(force) = self.quantities.first_mut() {
                force.about = "force on what it holds, world axes";
            }
            return;
        }
        let coordinates = motor::coordinates(record);
        let (turns, slides) = (
            coordinates.contains(&Driven::Angle),
            coordinates.contains(&Driven::Length),
        );
        let inputs = record.inputs();
        let are_points = |kind: ConnectorKind| inputs == [kind; 2].as_slice();
        // A spring without length is a soft joint of two points.
        let is_soft = record.compliance().iter().all(|alpha| *alpha > 0.0);
        let is_between = (are_points(ConnectorKind::Point3) || are_points(ConnectorKind::Point2))
            && (is_soft || record.rows() == [RowUnit::Meter].as_slice());
        let law: &dyn Any = record.constraint();
        let is_pair = |own: FramePair| law.downcast_ref() == Some(&own);
        let (has_two, is_flat) = (
            is_pair(FramePair::universal()),
            is_pair(FramePair::planar()),
        );
        let mut has = HELD;
        for (what, is) in [
            (BY_ANGLE, turns || has_two || is_flat),
            (TWO_AXES, has_two),
            (IN_PLANE, is_flat),
            (ALONG, slides),
            (BETWEEN, is_between),
        ] {
            has |= if is { what } else { 0 };
        }
        if motor::of(world, record).is_some() {
            has |= if turns { MOTOR | TURNED } else { MOTOR | SLID };
        }
        if record.connectors().len() == 3 {
            has |= OF_THREE;
        }
        self.rows(JOINT, has, 3);
        if record.constraint().is_objective() {
            self.rows(OBJECTIVE, 0, 3);
        }
        if table_of(law).is_some() {
            self.rows(FIT, 0, 3);
        }
        if !turns && !is_between && turn(world, record).is_some() {
            let about = "the angle between its bodies";
            self.add("turn", (Kind::JointTurn, 0), axes(&[""], "rad"), about);
        }
        let n = record.n_angles();
        if n > 0 {
            for (name, first, unit, about) in
                [("angle", 0, "rad", ANGLE), ("spin", n, "rad/s", SPIN)]
            {
                let parts = match n {
                    1 => axes(&[""], unit),
                    _ => counted(std::iter::repeat_n(unit, n)),
                };
                self.add(name, (Kind::Angles, first), parts, about);
                if let Some(last) = self.quantities.last_mut() {
                    last.source.n = 2 * n;
                }
            }
        }
        // λ·c is an energy.
        let units = record.rows().iter().map(|unit| match unit {
            RowUnit::Meter => "N",
            RowUnit::Radian => "N·m",
            RowUnit::SquareMeter => "N/m",
            RowUnit::Number => "J",
            _ => "",
        });
        let about = "its multipliers, one for each row";
        self.add("multipliers", (Kind::Multipliers, 0), counted(units), about);
    }

    /// Torques of a joint about points that have names.
    fn about(&mut self, scene: &Scene) {
        let Some(origin) = self
            .quantities
            .iter()
            .find(|own| own.source.kind == Kind::About)
        else {
            return;
        };
        let origin = origin.clone();
        let traces = scene.traces.iter().map(|own| (&own.name, own.of));
        let points = traces.chain(scene.connectors.iter().map(|own| (&own.0, own.1)));
        for (name, connector) in points {
            if name != "origin" && scene.world.position_world(&connector).is_ok() {
                let mut own = origin.clone();
                own.path.pop();
                own.path.push(name.clone());
                own.source.place = Some(connector);
                self.quantities.push(own);
            }
        }
    }

    fn connector(&mut self, world: &World, connector: Option<Connector>) {
        self.place = connector;
        let value = connector.and_then(|connector| world.connector_value(&connector).ok());
        if let Some(value) = value {
            let (has, n) = match value.kind {
                ConnectorKind::Direction3 => (DIRECTION, 3),
                ConnectorKind::Scalar => (SCALAR, 1),
                kind => (POINT, kind.n_position()),
            };
            self.rows(CONNECTOR, has, n);
        }
    }
}
