//! Every quantity of a scene: its name, its unit, what it is, and where its numbers come from.

use linkwork::connector::{Connector, ConnectorKind};
use linkwork::constraint::RowUnit;
use linkwork::prelude::*;
use linkwork::step::Rung;
use linkwork::world::{BehaviorRecord, BodyRecord, ConstraintRecord, GripRecord};

use super::source::Source;
use crate::catalogue::Driven;
use crate::catalogue::joint::motor;
use crate::scene::Scene;

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
    /// Whether it must be asked for by its whole name.
    pub(super) is_shy: bool,
}

/// What stands first in names of something of which a scene has several.
pub(super) const ITEMS: [&str; 6] = ["body", "joint", "behavior", "hand", "trace", "connector"];
/// What stands first in other names.
pub(super) const WHOLES: [&str; 5] = ["time", "energy", "momentum", "centre_of_mass", "step"];

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
        _ => Vec::new(),
    }
}

/// The quantities of the scene as a whole that begin with `head`.
pub(super) fn of_whole(head: &str) -> Vec<Quantity> {
    let mut list = List::under(&[head]);
    match head {
        "time" => list.add("", (Source::Time, 0), one("s"), "time"),
        "energy" => {
            let about = [
                ("total", "all energy"),
                ("kinetic", "½·vᵀ·M·v of all bodies"),
                ("potential", "of weights, springs and other behaviors"),
                ("elastic", "in deformed bodies and soft joints"),
            ];
            for (at, (name, about)) in about.into_iter().enumerate() {
                list.add(name, (Source::Energy, at), one("J"), about);
            }
        }
        "momentum" => {
            let (linear, angular) = (axes(&XYZ, "kg·m/s"), axes(&XYZ, "kg·m²/s"));
            list.add("linear", (Source::Momentum, 0), linear, "linear momentum");
            let about = "angular momentum about the origin";
            list.add("angular", (Source::Momentum, 3), angular, about);
        }
        "centre_of_mass" => {
            let about = "center of mass of all bodies";
            list.add("", (Source::CenterOfMass, 0), axes(&XYZ, "m"), about);
        }
        "step" => {
            for (at, (name, unit, about)) in STEP.into_iter().enumerate() {
                list.add(name, (Source::Step, at), one(unit), about);
            }
            let rungs = axes(&Rung::ALL.map(Rung::name), "1");
            let about = "how often the last step took each rung of the ladder";
            list.add("rungs", (Source::Step, STEP.len()), rungs, about);
        }
        _ => {}
    }
    list.quantities
}

/// Numbers of a step: name, unit, and what it is.
const STEP: [(&str, &str, &str); 9] = [
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
    (
        "position_error",
        "m",
        "largest gap of exact joints, a distance",
    ),
    ("angle_error", "rad", "largest angle error of exact joints"),
    ("rate_error", "m/s", "largest rate error of exact joints"),
];

/// The quantities of one item, such as a body; with those `about` points that have names, if they are asked for.
pub(super) fn of_item(scene: &Scene, item: &str, name: &str, about: bool) -> Vec<Quantity> {
    let mut list = List::under(&[item, name]);
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
                list.joint(record, item == "hand");
                if item == "joint" {
                    list.coordinates(world, record);
                    list.about(scene, name, about);
                }
            }
        }
        "behavior" => {
            let id = world.find_behavior(name);
            if let Some(record) = id.and_then(|id| world.behavior_record(id).ok()) {
                list.behavior(record);
            }
        }
        "trace" => {
            let trace = scene.traces.iter().find(|trace| trace.name == name);
            if let Some(trace) = trace {
                list.connector(world, &trace.of);
            }
        }
        _ => {
            if let Some(connector) = scene.connector(name) {
                list.connector(world, connector);
            }
        }
    }
    list.quantities
}

/// Quantities that must be asked for by their whole names: others say the same.
const SHY: [&str; 3] = ["magnitude", "on_first", "about"];

/// Names of components, empty for a number, and their units.
type Parts = Vec<(String, &'static str)>;

fn one(unit: &'static str) -> Parts {
    axes(&[""], unit)
}

fn axes(names: &[&str], unit: &'static str) -> Parts {
    let parts = names.iter().map(|&name| (name.to_owned(), unit));
    parts.collect()
}

fn counted(units: impl Iterator<Item = &'static str>) -> Parts {
    let parts = units.enumerate();
    parts.map(|(k, unit)| (k.to_string(), unit)).collect()
}

/// Quantities whose names begin alike.
struct List {
    under: Vec<String>,
    quantities: Vec<Quantity>,
}

impl List {
    fn under(segments: &[&str]) -> Self {
        Self {
            under: segments.iter().map(|&segment| segment.to_owned()).collect(),
            quantities: Vec::new(),
        }
    }

    /// Adds a quantity by its name after the others' beginning: where its numbers begin, and their parts.
    fn add(
        &mut self,
        name: &str,
        (source, first): (Source, usize),
        parts: Parts,
        about: &'static str,
    ) {
        let names = name.split('.').filter(|name| !name.is_empty());
        let names = names.map(str::to_owned);
        self.quantities.push(Quantity {
            path: self.under.iter().cloned().chain(names).collect(),
            about,
            source,
            first,
            parts,
            is_shy: SHY.iter().any(|own| name.contains(own)),
        });
    }

    /// The last one must be asked for by its whole name.
    fn make_shy(&mut self) {
        if let Some(last) = self.quantities.last_mut() {
            last.is_shy = true;
        }
    }

    fn body(&mut self, world: &World, record: &BodyRecord) {
        let own = || record.label().to_owned();
        let is_there = |connector: &Connector| world.connector_value(connector).is_ok();
        let offers_frame = is_there(&record.id().frame_at([0.0; 3]));
        let is_plane = !offers_frame && is_there(&record.id().at([0.0; 2]));
        let turns_in_plane = is_plane && is_there(&record.id().frame2([0.0; 2], 0.0));
        // A body of the plane has z = 0.
        let xyz = if is_plane { &XYZ[..2] } else { &XYZ[..] };
        let q = &world.state().q[record.q_range()];
        let has_frame = record.body().pose(world.state().t, q).is_some();
        let (pose, turn, motion) = (
            |at| (Source::Pose(own()), at),
            |at| (Source::Turn(own()), at),
            |at| (Source::Motion(own()), at),
        );
        self.add("position", pose(0), axes(xyz, "m"), "where its origin is");
        if has_frame {
            let about = "its rotation, a unit quaternion";
            self.add("quaternion", pose(3), axes(&WXYZ, "1"), about);
        }
        if turns_in_plane {
            let about = "its angle, counting turns";
            self.add("angle", turn(0), one("rad"), about);
            self.add("spin", turn(1), one("rad/s"), "the rate of its angle");
        }
        let about = "velocity of its center of mass (of its origin, if it has no mass)";
        self.add("velocity", motion(0), axes(xyz, "m/s"), about);
        if offers_frame || turns_in_plane {
            let about = "angular velocity, world axes";
            self.add("angular_velocity", motion(3), axes(&XYZ, "rad/s"), about);
        }
        let about = "speed of its center of mass: the magnitude of its velocity";
        self.add("speed", motion(9), one("m/s"), about);
        self.make_shy();
        let about = "where its center of mass is";
        self.add("centre_of_mass", motion(6), axes(xyz, "m"), about);
        let (mass, _) = record.body().center_of_mass(q);
        if mass > 0.0 && !record.v_range().is_empty() {
            let source = |at| (Source::Acceleration(own()), at);
            let about = "acceleration of its center of mass";
            self.add("acceleration", source(0), axes(xyz, "m/s²"), about);
            if offers_frame || turns_in_plane {
                let about = "angular acceleration, world axes";
                self.add(
                    "angular_acceleration",
                    source(3),
                    axes(&XYZ, "rad/s²"),
                    about,
                );
            }
        }
        let parts = |n| counted(std::iter::repeat_n("", n));
        let (n_q, n_v) = (record.q_range().len(), record.v_range().len());
        if n_q > 0 {
            let source = (Source::Coordinates(own(), n_q), 0);
            let about = "all its coordinates as the engine keeps them";
            self.add("q", source, parts(n_q), about);
        }
        if n_v > 0 {
            let source = (Source::Velocities(own(), n_v), 0);
            let about = "all its velocities as the engine keeps them";
            self.add("v", source, parts(n_v), about);
        }
    }

    /// Of a hand, only what it pulls with.
    fn joint(&mut self, record: &ConstraintRecord, is_hand: bool) {
        let own = || record.label().to_owned();
        let reaction = |at| (Source::Reaction(own()), at);
        let about = match is_hand {
            true => "force on what it holds, world axes",
            false => "force on its second body, world axes",
        };
        self.add("force", reaction(0), axes(&XYZ, "N"), about);
        self.add("force.magnitude", reaction(6), one("N"), "its magnitude");
        if is_hand {
            return;
        }
        let about = "torque on its second body about the connector, world axes";
        self.add("torque", reaction(3), axes(&XYZ, "N·m"), about);
        self.add("torque.magnitude", reaction(7), one("N·m"), "its magnitude");
        let errors = |at| (Source::Errors(own()), at);
        let about = "distance by which it is open: the largest gap of its hard rows";
        self.add("error", errors(0), one("m"), about);
        let about = "largest angle error of its hard rows";
        self.add("angle_error", errors(1), one("rad"), about);
        let n = record.n_angles();
        if n > 0 {
            let angles = |at| (Source::Angles(own(), n), at);
            let parts = |unit| match n {
                1 => one(unit),
                _ => counted(std::iter::repeat_n(unit, n)),
            };
            let about = "its angle, counting turns";
            self.add("angle", angles(0), parts("rad"), about);
            self.add("spin", angles(n), parts("rad/s"), "the rate of its angle");
        }
        // λ·c is an energy.
        let units = record.rows().iter().map(|unit| match unit {
            RowUnit::Meter => "N",
            RowUnit::Radian => "N·m",
            RowUnit::SquareMeter => "N/m",
            RowUnit::Number => "J",
            _ => "",
        });
        let parts = counted(units);
        let source = (Source::Multipliers(own(), parts.len()), 0);
        let about = "its multipliers, one for each row";
        self.add("multipliers", source, parts, about);
        let source = (Source::Power(own()), 0);
        self.add("power", source, one("W"), "power it puts into its bodies");
        let on_first = |at| (Source::OnFirst(own()), at);
        let about = "force on its first body, world axes";
        self.add("on_first.force", on_first(0), axes(&XYZ, "N"), about);
        let about = "torque on its first body about the connector, world axes";
        self.add("on_first.torque", on_first(3), axes(&XYZ, "N·m"), about);
    }

    /// What a joint leaves free, and its motor.
    fn coordinates(&mut self, world: &World, record: &ConstraintRecord) {
        let own = || record.label().to_owned();
        let coordinates = motor::coordinates(record);
        for coordinate in coordinates {
            match coordinate {
                Driven::Angle => {
                    let angle = |at| (Source::Angle(own()), at);
                    let about = "its angle, counting turns";
                    self.add("angle", angle(0), one("rad"), about);
                    let about = "the rate of its angle, an angular speed";
                    self.add("spin", angle(1), one("rad/s"), about);
                }
                Driven::Length => {
                    let length = |at| (Source::Length(own()), at);
                    let about = "its position along the axis, a distance";
                    self.add("position", length(0), one("m"), about);
                    self.add("speed", length(1), one("m/s"), "the rate of its position");
                }
            }
        }
        let inputs = record.inputs();
        let are_points = |kind: ConnectorKind| inputs == [kind; 2].as_slice();
        let is_between = are_points(ConnectorKind::Point3) || are_points(ConnectorKind::Point2);
        if is_between && record.rows() == [RowUnit::Meter].as_slice() {
            let distance = |at| (Source::Distance(own()), at);
            let about = "distance of its two ends, its length";
            self.add("distance", distance(0), one("m"), about);
            self.add("speed", distance(1), one("m/s"), "the rate of its length");
        }
        if motor::of(world, record).is_some() {
            let of = |at| (Source::Motor(own()), at);
            let slides = coordinates == [Driven::Length].as_slice();
            let (name, unit, about) = match slides {
                true => ("motor.force", "N", "force of its motor along the axis"),
                false => ("motor.torque", "N·m", "torque of its motor about the axis"),
            };
            self.add(name, of(0), one(unit), about);
            self.add("motor.power", of(1), one("W"), "power of its motor");
        }
    }

    /// Torques of a joint about points.
    fn about(&mut self, scene: &Scene, joint: &str, all: bool) {
        let about = "torque on its second body about this point, world axes";
        let mut add = |point: &str, connector: Option<Connector>| {
            let source = Source::About(joint.to_owned(), connector);
            self.add("about", (source, 0), axes(&XYZ, "N·m"), about);
            if let Some(last) = self.quantities.last_mut() {
                last.path.push(point.to_owned());
            }
        };
        add("origin", None);
        let traces = scene.traces.iter().map(|own| (&own.name, own.of));
        let points = traces.chain(scene.connectors.iter().map(|own| (&own.0, own.1)));
        for (name, connector) in points.filter(|_| all) {
            if name != "origin" && scene.world.position_world(&connector).is_ok() {
                add(name, Some(connector));
            }
        }
    }

    fn behavior(&mut self, record: &BehaviorRecord) {
        let of = |at| (Source::Action(record.label().to_owned()), at);
        if !record.connectors().is_empty() {
            let about = "force on its last side, world axes";
            self.add("force", of(0), axes(&XYZ, "N"), about);
            self.add("force.magnitude", of(6), one("N"), "its magnitude");
            let about = "torque on its last side about the connector, world axes";
            self.add("torque", of(3), axes(&XYZ, "N·m"), about);
            self.add("torque.magnitude", of(7), one("N·m"), "its magnitude");
        }
        self.add("power", of(8), one("W"), "power it puts into bodies");
    }

    fn connector(&mut self, world: &World, connector: &Connector) {
        let Ok(value) = world.connector_value(connector) else {
            return;
        };
        let output = |at| (Source::Output(*connector), at);
        match value.kind {
            ConnectorKind::Direction3 => {
                self.add("direction", output(0), axes(&XYZ, "1"), "where it points");
            }
            ConnectorKind::Scalar => {
                self.add("value", output(0), one(""), "its output");
                self.add("rate", output(3), one(""), "the rate of its output");
            }
            kind => {
                let xyz = &XYZ[..kind.n_position()];
                self.add("position", output(0), axes(xyz, "m"), "where it is");
                self.add("velocity", output(3), axes(xyz, "m/s"), "its velocity");
            }
        }
    }
}
