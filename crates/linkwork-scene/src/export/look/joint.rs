//! What is drawn of joints and behaviors: type, ends, axes, and the path a point follows.

use std::any::Any;

use linkwork::connector::{Connector, ConnectorKind};
use linkwork::constraint::{AngleLimit, LengthLimit};
use linkwork::math::{Vec3, add, scale, unit};
use linkwork::prelude::*;
use linkwork::simulator::Standing;
use linkwork::world::{BehaviorRecord, ConstraintRecord};
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::implicit::mesh;
use super::{MeshLook, Shown, extent};
use crate::catalogue::fields::{PATH, SURFACE};
use crate::catalogue::joint::motor;
use crate::catalogue::path::Drawn;
use crate::catalogue::{
    Entry, Fields, JointType, PathType, SurfaceType, Value, behavior, joint, surface,
};
use crate::format::BehaviorEntry;

/// A joint, where it is at this moment.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JointLook {
    /// Its number, whatever it is called.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// What a file calls it; none if a program made it.
    #[serialize_always]
    #[serde(rename = "type")]
    pub kind: Option<&'static str>,
    /// Whether it acts.
    pub enabled: bool,
    /// The joint whose motor it is.
    pub motor_of: Option<String>,
    /// The ends that are points, frames, or directions of bodies.
    pub ends: Vec<EndLook>,
    /// The body that it holds in the spanning forest, by its place in [`super::Look::bodies`].
    pub holds: Option<usize>,
    /// Whether it closes a loop.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub closes_loop: bool,
    /// Its weight, if it is not 1.
    pub weight: Option<f64>,
    /// Its axis, world, if its first end is a frame or a direction: what it turns about, slides along, the normal of
    /// its plane, or the direction.
    #[serialize_always]
    pub axis: Option<Vec3>,
    /// The second axis of a universal joint or the direction of b, fixed to its second end, world.
    pub axis_b: Option<Vec3>,
    /// Advance of a screw, m/rad.
    pub pitch: Option<f64>,
    /// Stiffness of a spring, N/m.
    pub stiffness: Option<f64>,
    /// Damping of a spring, N·s/m.
    pub damping: Option<f64>,
    /// Points along the path its point follows, world.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<Vec3>,
    /// The surface of its first end that a point of the other stays on.
    pub surface: Option<SurfaceLook>,
    /// Of a limit: the range of an angle about its axis, or of a position along it from its first end.
    pub range: Option<RangeLook>,
}

/// A range with stops at its ends.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RangeLook {
    /// The least it may be, rad or m; none if it has no end.
    pub lower: Option<f64>,
    /// The most it may be.
    pub upper: Option<f64>,
    /// What it is at this moment, over full turns.
    pub now: f64,
    /// Of an angle: the directions on the first and the second body between which it is, world.
    pub between: Option<[Vec3; 2]>,
}

/// A surface in the frame of a connector.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SurfaceLook {
    /// What it is, and how large.
    #[serde(flatten)]
    pub surface: Value,
    /// The axes x, y and z of the frame, world.
    pub axes: [Vec3; 3],
    /// Of a formula: its triangles, as far as the scene reaches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<MeshLook>,
}

/// What files say of a surface is described with the format.
#[cfg(feature = "schema")]
impl schemars::JsonSchema for SurfaceLook {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "SurfaceLook".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let axes = generator.subschema_for::<[Vec3; 3]>();
        let mesh = generator.subschema_for::<MeshLook>();
        schemars::json_schema!({
            "description": "A surface in the frame of a connector, whose axes x, y and z are in the world.",
            "allOf": [
                { "$ref": "#/$defs/SurfaceEntry" },
                { "type": "object", "properties": { "axes": axes, "mesh": mesh }, "required": ["axes"] },
            ]
        })
    }
}

/// A force that acts somewhere, at this moment.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BehaviorLook {
    /// Its number, whatever it is called.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// What a file calls it.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Whether it acts.
    pub enabled: bool,
    /// The joint whose motor it is.
    pub motor_of: Option<String>,
    /// What it acts on.
    pub ends: Vec<EndLook>,
    /// The axis it acts about, world, if its first end is a frame.
    pub axis: Option<Vec3>,
    /// A constant force, world, N.
    pub force: Option<Vec3>,
    /// Whether the force turns with its body.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub turns: bool,
    /// N/m or N·m/rad.
    pub stiffness: Option<f64>,
    /// N·s/m or N·m·s/rad.
    pub damping: Option<f64>,
}

/// An end of a joint, or a point of a body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EndLook {
    /// The place of the body in [`super::Look::bodies`]; none for the ground.
    pub body: Option<usize>,
    /// Position, m: in the world, but of a skin's corner on the body.
    pub point: Vec3,
}

pub(super) fn joint_look(
    world: &World,
    shown: &Shown,
    (record, standing): (&ConstraintRecord, Standing),
    extent: f64,
) -> JointLook {
    let connectors = record.connectors();
    let law = joint::describe(record);
    let glyph = law.as_ref().map(|law| law.kind.glyph);
    let number = |name| law.as_ref().and_then(|law| first(&law.fields, name));
    let axis_b = connectors
        .get(1)
        .filter(|_| glyph.is_some_and(|glyph| glyph.second_axis));
    let path = law.as_ref().and_then(|law| law.fields.entry(&PATH));
    JointLook {
        id: record.id().number(),
        name: record.label().to_owned(),
        kind: law.as_ref().map(Entry::word),
        enabled: record.enabled(),
        motor_of: motor::driven(world, record).and_then(|id| label(world, id)),
        ends: ends(world, shown, connectors),
        holds: match standing {
            Standing::Holds(body) => shown.binary_search(&body).ok(),
            _ => None,
        },
        closes_loop: standing == Standing::ClosesLoop,
        weight: (record.weight() != 1.0).then_some(record.weight()),
        // A direction of the ground is not shown: what is shown goes with its body.
        axis: connectors
            .iter()
            .find(|connector| end(world, shown, connector).is_some())
            .and_then(|connector| axis(world, connector, glyph.is_some_and(|glyph| glyph.slides))),
        axis_b: axis_b.and_then(|connector| column(world, connector, 1)),
        pitch: number("pitch"),
        stiffness: number("stiffness"),
        damping: number("damping"),
        surface: law
            .as_ref()
            .and_then(|law| surface_look(world, connectors, law)),
        range: range(world, record),
        path: path.map_or_else(Vec::new, |path| along(path, world.state().t, extent)),
    }
}

/// A behavior; none if it acts everywhere, as a field does.
pub(super) fn behavior_look(
    world: &World,
    shown: &Shown,
    record: &BehaviorRecord,
) -> Option<BehaviorLook> {
    let connectors = record.connectors();
    let law = behavior::describe(record)?;
    let on = connectors.first()?;
    Some(BehaviorLook {
        id: record.id().number(),
        name: record.label().to_owned(),
        kind: law.word(),
        enabled: record.enabled(),
        motor_of: motor::turned(world, record).and_then(|id| label(world, id)),
        ends: ends(world, shown, connectors),
        axis: axis(world, on, false),
        force: force(world, on, &law),
        turns: is_own(&law),
        stiffness: first(&law.fields, "stiffness"),
        damping: first(&law.fields, "damping"),
    })
}

fn label(world: &World, joint: ConstraintId) -> Option<String> {
    let record = world.constraint_record(joint).ok()?;
    Some(record.label().to_owned())
}

fn ends(world: &World, shown: &Shown, connectors: &[Connector]) -> Vec<EndLook> {
    let connectors = connectors.iter();
    connectors
        .filter_map(|connector| end(world, shown, connector))
        .collect()
}

/// Where a connector is. A direction is shown at the origin of its body; the ground's and a number are nowhere.
pub(super) fn end(world: &World, shown: &Shown, connector: &Connector) -> Option<EndLook> {
    let kind = world.connector_value(connector).ok()?.kind;
    let on = connector.body();
    let body = on.and_then(|on| shown.binary_search(&on).ok());
    let point = match kind {
        ConnectorKind::Scalar => return None,
        ConnectorKind::Direction3 => body.and(world.pose(on?).ok()?)?.position,
        _ => world.position_world(connector).ok()?,
    };
    Some(EndLook { body, point })
}

/// The x axis of a frame, or a direction; in the plane z, for what turns.
fn axis(world: &World, connector: &Connector, slides: bool) -> Option<Vec3> {
    let value = world.connector_value(connector).ok()?;
    match value.kind {
        ConnectorKind::Frame3 | ConnectorKind::Direction3 => column(world, connector, 0),
        ConnectorKind::Frame2 if slides => {
            let (sin, cos) = libm::sincos(value.x[2]);
            Some([cos, sin, 0.0])
        }
        ConnectorKind::Frame2 | ConnectorKind::Point2 => Some([0.0, 0.0, 1.0]),
        _ => None,
    }
}

/// An axis of a frame in space, world, or a direction. A frame's output is the origin, then the rotation by rows.
fn column(world: &World, connector: &Connector, k: usize) -> Option<Vec3> {
    let value = world.connector_value(connector).ok()?;
    match value.kind {
        ConnectorKind::Frame3 => Some([value.x[3 + k], value.x[6 + k], value.x[9 + k]]),
        ConnectorKind::Direction3 => Some([value.x[0], value.x[1], value.x[2]]),
        _ => None,
    }
}

/// The range of a limit on an angle or a position.
fn range(world: &World, record: &ConstraintRecord) -> Option<RangeLook> {
    let law: &dyn Any = record.constraint();
    let (lower, upper, turns) = match (law.downcast_ref(), law.downcast_ref()) {
        (Some(AngleLimit { lower, upper, .. }), None) => (*lower, *upper, true),
        (None, Some(LengthLimit { lower, upper, .. })) => (*lower, *upper, false),
        _ => return None,
    };
    let connectors = record.connectors();
    let (c, _) = world.constraint_values(record.id()).ok()?;
    // The first row is `φ − lower`, or `upper − φ` where it has no lower end.
    let first = *c.first()?;
    let now = if lower.is_finite() {
        lower + first
    } else {
        upper - first
    };
    let zero = |at: usize| zero(world, connectors.get(at)?);
    Some(RangeLook {
        lower: lower.is_finite().then_some(lower),
        upper: upper.is_finite().then_some(upper),
        now,
        between: if turns {
            Some([zero(0)?, zero(1)?])
        } else {
            None
        },
    })
}

/// From where the angles of a frame are counted: its y axis; in the plane, its x axis.
fn zero(world: &World, connector: &Connector) -> Option<Vec3> {
    column(world, connector, 1).or_else(|| axis(world, connector, true))
}

/// How far a surface without an end is drawn, in extents of the scene.
const REACH: f64 = 1.25;

/// The surface a point stays on; what touches has a shape of its own.
fn surface_look(
    world: &World,
    connectors: &[Connector],
    law: &Entry<JointType>,
) -> Option<SurfaceLook> {
    let (kind, fields) = law
        .fields
        .entry(&SURFACE)
        .filter(|_| law.kind.glyph.surface)?;
    let kind: &'static SurfaceType = kind;
    let axis = |k| column(world, connectors.first()?, k);
    let own = surface::make(&law.fields, &SURFACE).ok();
    let own = own.filter(|_| kind.is_formula);
    Some(SurfaceLook {
        surface: (kind, fields.clone()).into(),
        axes: [axis(0)?, axis(1)?, axis(2)?],
        mesh: own.map(|own| mesh(&*own, REACH * extent(world))),
    })
}

/// A constant force in world axes.
fn force(world: &World, on: &Connector, law: &BehaviorEntry) -> Option<Vec3> {
    let force = match *law.get::<&[f64]>("force")? {
        [x, y] => [x, y, 0.0],
        [x, y, z] => [x, y, z],
        _ => return None,
    };
    if !is_own(law) {
        return Some(force);
    }
    let mut sum = [0.0; 3];
    for (k, part) in force.into_iter().enumerate() {
        sum = add(sum, scale(part, column(world, on, k)?));
    }
    Some(sum)
}

/// Whether a wrench is constant in the axes of its connector.
fn is_own(law: &BehaviorEntry) -> bool {
    law.get("axes") == Some("connector")
}

/// The first number of a field.
fn first(fields: &Fields, name: &str) -> Option<f64> {
    match fields.value(name)? {
        Value::Number(number) => Some(*number),
        Value::List(numbers) => numbers.first().copied(),
        _ => None,
    }
}

/// Points along a path, near enough to each other for a smooth curve. A line has no end: a piece of it.
fn along((kind, fields): (&PathType, &Fields), time: f64, extent: f64) -> Vec<Vec3> {
    let Ok(path) = (kind.build)(fields) else {
        return Vec::new();
    };
    let points: Vec<Vec3> = match kind.drawn {
        Drawn::Straight => {
            let Some(way) = unit(path.velocity(time)) else {
                return Vec::new();
            };
            let ends = [-2.0 * extent, 2.0 * extent];
            ends.map(|far| add(path.position(time), scale(far, way)))
                .to_vec()
        }
        Drawn::At(times) => times(fields)
            .into_iter()
            .map(|t| path.position(t))
            .collect(),
    };
    let points = points.into_iter();
    points
        .filter(|point| point.iter().all(|x| x.is_finite()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::look;
    use super::*;
    use crate::library;

    #[test]
    fn both_axes_of_a_universal_joint_are_told_and_are_square() {
        let look = look(&library::open("stewart").unwrap());
        let kind = Some("universal");
        let joint = look.joints.iter().find(|joint| joint.kind == kind).unwrap();
        let (a, b) = (joint.axis.unwrap(), joint.axis_b.unwrap());
        let dot: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
        assert!(dot.abs() < 1e-12, "{a:?} {b:?}");
        assert!((linkwork::math::norm(b) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_path_goes_through_its_keyframes_and_closes() {
        let look = look(&library::open("puppet").unwrap());
        let hand = look.joints.iter().find(|joint| joint.name == "hand path");
        let path = &hand.unwrap().path;
        assert_eq!(path.len(), 4 * 16 + 1);
        assert_eq!(path.first(), path.last());
        for keyframe in [[0.98, 1.5, 0.0], [0.8, 2.0, 0.0], [0.95, 1.75, 0.0]] {
            let near = |point: &&Vec3| (0..3).all(|k| (point[k] - keyframe[k]).abs() < 1e-12);
            assert!(path.iter().any(|point| near(&point)), "{keyframe:?}");
        }
    }

    #[test]
    fn rails_of_the_plane_lie_along_what_slides() {
        let text = r#"{"linkwork": 1, "bodies": [
            {"name": "block", "type": "planar-box", "size": [1, 1], "mass": 1, "angle_deg": 90}],
            "joints": [{"name": "rail", "type": "prismatic",
                "a": {"body": "ground", "point": [0, 0], "angle_deg": 90}, "b": {"body": "block", "point": [0, 0], "angle": 0}}]}"#;
        let look = look(&crate::load(text).unwrap());
        let [x, y, z] = look.joints[0].axis.unwrap();
        assert!(x.abs() < 1e-15 && y == 1.0 && z == 0.0, "{x} {y} {z}");
    }

    #[test]
    fn the_range_of_a_limit_is_told_and_what_it_is_counted_between() {
        let hinge = |more: &str| {
            let text = format!(
                r#"{{"linkwork": 1, "bodies": [{{"name": "arm", "type": "rod", "length": 1, "radius": 0.05, "mass": 1,
                "position": [0.3, 0.4, 0], "axis": [0, 0, 1], "angle_deg": 30}}], "joints": [{{"name": "pin",
                "a": "ground", "b": "arm", "at": [0, 0, 0], "axis": [0, 0, 1], {more}}}]}}"#
            );
            let look = look(&crate::load(&text).unwrap());
            (look.joints[1].range.unwrap(), look.joints[1].axis.unwrap())
        };
        let limits = r#""limits": {"lower_deg": -40, "upper_deg": 50}"#;
        let (range, axis) = hinge(&format!(r#""type": "hinge", {limits}"#));
        let [zero, arm] = range.between.unwrap();
        let angle = libm::atan2(
            linkwork::math::dot(axis, linkwork::math::cross(zero, arm)),
            linkwork::math::dot(zero, arm),
        );
        assert!((angle - range.now).abs() < 1e-12, "{range:?}");
        assert!((range.lower.unwrap() + 40f64.to_radians()).abs() < 1e-12);
        let (range, axis) = hinge(r#""type": "prismatic", "limits": {"upper": 0.2}"#);
        assert_eq!((range.lower, range.upper), (None, Some(0.2)));
        assert!(range.between.is_none() && range.now.abs() < 1e-12);
        assert!((axis[2] - 1.0).abs() < 1e-12, "{axis:?}");
    }

    #[test]
    fn the_surfaces_of_a_bead_on_a_wire_are_told() {
        let look = look(&library::open("bead-on-wire").unwrap());
        let surfaces = look
            .joints
            .iter()
            .filter_map(|joint| joint.surface.as_ref());
        let words: Vec<_> = surfaces
            .map(|own| serde_json::to_value(own).unwrap())
            .collect();
        assert_eq!(words.len(), 2);
        assert!(words.iter().all(|own| own["type"].is_string()), "{words:?}");
        assert!(words.iter().all(|own| own["axes"][2][0].is_number()));
    }

    #[test]
    fn springs_and_forces_are_seen_and_fields_are_not() {
        let puppet = look(&library::open("puppet").unwrap());
        let names: Vec<&str> = puppet
            .behaviors
            .iter()
            .map(|own| own.name.as_str())
            .collect();
        assert_eq!(
            names,
            ["left band", "right band", "sleeve band", "elbow band"]
        );
        let band = &puppet.behaviors[0];
        assert_eq!((band.stiffness, band.damping), (Some(20.0), Some(10.0)));
        assert_eq!(band.ends[1].body, Some(5));
        let weeds = look(&library::open("sea-weeds").unwrap());
        let lift = weeds.behaviors.iter().find_map(|own| own.force);
        assert_eq!(lift, Some([0.0, 0.3, 0.0]));
    }
}
