//! Every quantity of a scene: its name, its unit, what it is, and where its numbers come from.

use linkwork::prelude::*;

use super::source::{BodyRef, JointRef, Source};
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
pub(super) const ITEMS: [&str; 5] = ["body", "joint", "hand", "trace", "connector"];
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
        "trace" => scene.traces.iter().map(|own| own.name.as_str()).collect(),
        "connector" => scene.connectors.iter().map(|own| own.0.as_str()).collect(),
        _ => Vec::new(),
    }
}

/// The quantities of the scene as a whole that begin with `head`.
pub(super) fn of_whole(head: &str) -> Vec<Quantity> {
    let mut list = List::under(&[head]);
    match head {
        "time" => list.number("", Source::Time, 0, "s", "time"),
        "energy" => {
            let about = [
                ("total", "all energy"),
                ("kinetic", "½·vᵀ·M·v of all bodies"),
                ("potential", "of weights, springs and other behaviors"),
                ("elastic", "in deformed bodies and soft joints"),
            ];
            for (at, (name, about)) in about.into_iter().enumerate() {
                list.number(name, Source::Energy, at, "J", about);
            }
        }
        "momentum" => {
            let (linear, angular) = ("linear momentum", "angular momentum about the origin");
            list.vector("linear", Source::Momentum, 0, "kg·m/s", &XYZ, linear);
            list.vector("angular", Source::Momentum, 3, "kg·m²/s", &XYZ, angular);
        }
        "centre_of_mass" => {
            let about = "center of mass of all bodies";
            list.vector("", Source::CenterOfMass, 0, "m", &XYZ, about);
        }
        "step" => {
            let about = [
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
                ("position_error", "m", "largest gap of exact joints"),
                ("angle_error", "rad", "largest angle error of exact joints"),
                ("rate_error", "m/s", "largest rate error of exact joints"),
            ];
            for (at, (name, unit, about)) in about.into_iter().enumerate() {
                list.number(name, Source::Step, at, unit, about);
            }
        }
        _ => {}
    }
    list.quantities
}

/// The quantities of one item, such as a body.
pub(super) fn of_item(scene: &Scene, item: &str, name: &str) -> Vec<Quantity> {
    let list = List::under(&[item, name]);
    let world = &scene.world;
    let joint = || {
        let id = world.find_constraint(name)?;
        let record = world.constraint_record(id).ok()?;
        let label = name.to_owned();
        Some((JointRef { label, id }, record))
    };
    let found = match item {
        "body" => world.find_body(name).and_then(|id| {
            let record = world.body_record(id).ok()?;
            Some(body(list, scene, record))
        }),
        "joint" => joint().map(|(joint, record)| of_joint(list, joint, record)),
        "hand" => joint().map(|(joint, _)| hand(list, joint)),
        "trace" => {
            let trace = scene.traces.iter().find(|trace| trace.name == name);
            trace.map(|trace| connector(list, scene, &trace.of))
        }
        "connector" => {
            let found = scene.connector(name);
            found.map(|found| connector(list, scene, found))
        }
        _ => None,
    };
    found.unwrap_or_default()
}

fn body(mut list: List, scene: &Scene, record: &BodyRecord) -> Vec<Quantity> {
    let world = &scene.world;
    let own = || BodyRef {
        label: record.label().to_owned(),
        id: record.id(),
    };
    let is_there = |connector: &Connector| world.connector_value(connector).is_ok();
    let offers_frame = is_there(&record.id().frame_at([0.0; 3]));
    let is_plane = !offers_frame && is_there(&record.id().at([0.0; 2]));
    let turns_in_plane = is_plane && is_there(&record.id().frame2([0.0; 2], 0.0));
    // A body of the plane has z = 0.
    let axes = if is_plane { &XYZ[..2] } else { &XYZ[..] };
    let q = &world.state().q[record.q_range()];
    let has_frame = record.body().pose(world.state().t, q).is_some();

    let about = "where its origin is";
    list.vector("position", Source::Pose(own()), 0, "m", axes, about);
    if has_frame {
        let about = "its rotation, a unit quaternion";
        list.vector("quaternion", Source::Pose(own()), 3, "1", &WXYZ, about);
    }
    if turns_in_plane {
        let about = "its angle, counting turns";
        list.number("angle", Source::Turn(own()), 0, "rad", about);
        let about = "the rate of its angle";
        list.number("spin", Source::Turn(own()), 1, "rad/s", about);
    }
    let motion = || Source::Motion(own());
    let about = "velocity of its center of mass (of its origin, if it has no mass)";
    list.vector("velocity", motion(), 0, "m/s", axes, about);
    if offers_frame || turns_in_plane {
        let about = "angular velocity, world axes";
        list.vector("angular_velocity", motion(), 3, "rad/s", &XYZ, about);
    }
    let about = "where its center of mass is";
    list.vector("centre_of_mass", motion(), 6, "m", axes, about);
    let counted = |n: usize| (0..n).map(|k| (k.to_string(), "")).collect::<Vec<_>>();
    let (n_q, n_v) = (record.q_range().len(), record.v_range().len());
    if n_q > 0 {
        let about = "all its coordinates as the engine keeps them";
        list.list("q", Source::Coordinates(own(), n_q), counted(n_q), about);
    }
    if n_v > 0 {
        let about = "all its velocities as the engine keeps them";
        list.list("v", Source::Velocities(own(), n_v), counted(n_v), about);
    }
    list.quantities
}

fn of_joint(mut list: List, joint: JointRef, record: &ConstraintRecord) -> Vec<Quantity> {
    let reaction = Source::Reaction(joint.clone());
    let about = "force on its second body, world axes";
    list.vector("force", reaction.clone(), 0, "N", &XYZ, about);
    list.magnitude("force", reaction.clone(), 6, "N");
    let about = "torque on its second body about the connector, world axes";
    list.vector("torque", reaction.clone(), 3, "N·m", &XYZ, about);
    list.magnitude("torque", reaction, 7, "N·m");
    let errors = Source::Errors(joint.clone());
    let about = "largest gap of its hard rows";
    list.number("error", errors.clone(), 0, "m", about);
    let about = "largest angle error of its hard rows";
    list.number("angle_error", errors, 1, "rad", about);
    // λ·c is an energy.
    let unit = |unit: &RowUnit| match unit {
        RowUnit::Meter => "N",
        RowUnit::Radian => "N·m",
        RowUnit::SquareMeter => "N/m",
        RowUnit::Number => "J",
        _ => "",
    };
    let rows = record.rows().iter().enumerate();
    let parts: Vec<_> = rows.map(|(k, row)| (k.to_string(), unit(row))).collect();
    let about = "its multipliers, one for each row";
    list.list(
        "multipliers",
        Source::Multipliers(joint, parts.len()),
        parts,
        about,
    );
    list.quantities
}

fn hand(mut list: List, joint: JointRef) -> Vec<Quantity> {
    let reaction = Source::Reaction(joint);
    let about = "force on what it holds, world axes";
    list.vector("force", reaction.clone(), 0, "N", &XYZ, about);
    list.magnitude("force", reaction, 6, "N");
    list.quantities
}

fn connector(mut list: List, scene: &Scene, connector: &Connector) -> Vec<Quantity> {
    let Ok(value) = scene.world.connector_value(connector) else {
        return Vec::new();
    };
    let output = || Source::Output(*connector);
    match value.kind {
        ConnectorKind::Direction3 => {
            list.vector("direction", output(), 0, "1", &XYZ, "where it points");
        }
        ConnectorKind::Scalar => {
            list.number("value", output(), 0, "", "its output");
            list.number("rate", output(), 3, "", "the rate of its output");
        }
        kind => {
            let axes = &XYZ[..kind.n_position()];
            list.vector("position", output(), 0, "m", axes, "where it is");
            list.vector("velocity", output(), 3, "m/s", axes, "its velocity");
        }
    }
    list.quantities
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

    fn path(&self, names: &[&str]) -> Vec<String> {
        let names = names.iter().filter(|name| !name.is_empty());
        let names = names.map(|&name| name.to_owned());
        self.under.iter().cloned().chain(names).collect()
    }

    fn number(
        &mut self,
        name: &str,
        source: Source,
        first: usize,
        unit: &'static str,
        about: &'static str,
    ) {
        self.quantities.push(Quantity {
            path: self.path(&[name]),
            about,
            source,
            first,
            parts: vec![(String::new(), unit)],
            is_shy: false,
        });
    }

    fn magnitude(&mut self, of: &str, source: Source, first: usize, unit: &'static str) {
        self.quantities.push(Quantity {
            path: self.path(&[of, "magnitude"]),
            about: "its magnitude",
            source,
            first,
            parts: vec![(String::new(), unit)],
            is_shy: true,
        });
    }

    fn vector(
        &mut self,
        name: &str,
        source: Source,
        first: usize,
        unit: &'static str,
        components: &[&str],
        about: &'static str,
    ) {
        let components = components.iter().map(|&name| (name.to_owned(), unit));
        self.quantities.push(Quantity {
            path: self.path(&[name]),
            about,
            source,
            first,
            parts: components.collect(),
            is_shy: false,
        });
    }

    fn list(
        &mut self,
        name: &str,
        source: Source,
        parts: Vec<(String, &'static str)>,
        about: &'static str,
    ) {
        self.quantities.push(Quantity {
            path: self.path(&[name]),
            about,
            source,
            first: 0,
            parts,
            is_shy: false,
        });
    }
}
