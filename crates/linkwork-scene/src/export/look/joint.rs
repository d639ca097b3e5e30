//! What is drawn of joints and behaviors: type, ends, axes, and the path a point follows.

use linkwork::math::{Vec3, add, scale, unit};
use linkwork::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::Shown;
use crate::build;
use crate::describe::{behavior_law, joint_law};
use crate::format::{
    AxesEntry, BehaviorEntry, BehaviorKind, JointEntry, JointKind, Numbers, PathEntry, PathKind,
    SurfaceEntry,
};

/// A joint, where it is at this moment.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct JointLook {
    /// Its name.
    pub name: String,
    /// What a file calls it; none if a program made it.
    #[serde(rename = "type")]
    pub kind: Option<JointKind>,
    /// Whether it acts.
    pub enabled: bool,
    /// The ends that are points or frames.
    pub ends: Vec<EndLook>,
    /// Its axis, world, if its first end is a frame: what it turns about, slides along, or the normal of
    /// its plane.
    pub axis: Option<Vec3>,
    /// The second axis of a universal joint, fixed to its second end, world.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub axis_b: Option<Vec3>,
    /// Advance of a screw, m/rad.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pitch: Option<f64>,
    /// Stiffness of a spring, N/m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<f64>,
    /// Damping of a spring, N·s/m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damping: Option<f64>,
    /// Points along the path its point follows, world.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<Vec3>,
    /// The surface of its first end that a point of the other stays on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surface: Option<SurfaceLook>,
}

/// A surface in the frame of a connector.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SurfaceLook {
    /// What it is, and how large.
    #[serde(flatten)]
    pub surface: SurfaceEntry,
    /// The axes x, y and z of the frame, world.
    pub axes: [Vec3; 3],
}

/// A force that acts somewhere, at this moment.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BehaviorLook {
    /// Its name.
    pub name: String,
    /// What a file calls it.
    #[serde(rename = "type")]
    pub kind: BehaviorKind,
    /// Whether it acts.
    pub enabled: bool,
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
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct EndLook {
    /// The place of the body in [`super::Look::bodies`]; none for the ground.
    pub body: Option<usize>,
    /// Position, m: in the world, but of a skin's corner on the body.
    pub point: Vec3,
}

pub(super) fn joint(
    world: &World,
    shown: &Shown,
    record: &ConstraintRecord,
    extent: f64,
) -> JointLook {
    let connectors = record.connectors();
    let law = joint_law(record);
    let kind = law.as_ref().map(|law| law.kind);
    let number = |of: fn(&JointEntry) -> Option<f64>| law.as_ref().and_then(of);
    let axis_b = connectors
        .get(1)
        .filter(|_| kind == Some(JointKind::Universal));
    let path = law.as_ref().and_then(|law| law.path.as_ref());
    JointLook {
        name: record.label().to_owned(),
        kind,
        enabled: record.enabled(),
        ends: ends(world, shown, connectors),
        axis: connectors
            .first()
            .and_then(|connector| axis(world, connector, kind)),
        axis_b: axis_b.and_then(|connector| column(world, connector, 1)),
        pitch: number(|law| law.pitch),
        stiffness: number(|law| law.stiffness),
        damping: number(|law| law.damping.as_ref().and_then(first)),
        surface: surface(world, connectors, law.as_ref()),
        path: path.map_or_else(Vec::new, |path| along(path, world.state().t, extent)),
    }
}

/// A behavior; none if it acts everywhere, as a field does.
pub(super) fn behavior(
    world: &World,
    shown: &Shown,
    record: &BehaviorRecord,
) -> Option<BehaviorLook> {
    let connectors = record.connectors();
    let law = behavior_law(record)?;
    let on = connectors.first()?;
    Some(BehaviorLook {
        name: record.label().to_owned(),
        kind: law.kind,
        enabled: record.enabled(),
        ends: ends(world, shown, connectors),
        axis: axis(world, on, Some(JointKind::Hinge)),
        force: force(world, on, &law),
        turns: is_own(&law),
        stiffness: law.stiffness,
        damping: law.damping,
    })
}

fn ends(world: &World, shown: &Shown, connectors: &[Connector]) -> Vec<EndLook> {
    let connectors = connectors.iter();
    connectors
        .filter_map(|connector| end(world, shown, connector))
        .collect()
}

/// Where a connector is; a direction and a number are nowhere.
pub(super) fn end(world: &World, shown: &Shown, connector: &Connector) -> Option<EndLook> {
    let kind = world.connector_value(connector).ok()?.kind;
    if matches!(kind, ConnectorKind::Direction3 | ConnectorKind::Scalar) {
        return None;
    }
    Some(EndLook {
        body: shown.get(&connector.body).copied(),
        point: world.position_world(connector).ok()?,
    })
}

/// The x axis of a frame; in the plane z, for what turns.
fn axis(world: &World, connector: &Connector, kind: Option<JointKind>) -> Option<Vec3> {
    use JointKind::{KnifeEdge, LengthDrive, Prismatic, Slot};
    let slides = matches!(kind, Some(Prismatic | Slot | LengthDrive | KnifeEdge));
    let value = world.connector_value(connector).ok()?;
    match value.kind {
        ConnectorKind::Frame3 => column(world, connector, 0),
        ConnectorKind::Frame2 if slides => {
            let (sin, cos) = libm::sincos(value.x[2]);
            Some([cos, sin, 0.0])
        }
        ConnectorKind::Frame2 | ConnectorKind::Point2 => Some([0.0, 0.0, 1.0]),
        _ => None,
    }
}

/// An axis of a frame in space, world. Its output is the origin, then the rotation by rows.
fn column(world: &World, connector: &Connector, k: usize) -> Option<Vec3> {
    let value = world.connector_value(connector).ok()?;
    let is_frame = value.kind == ConnectorKind::Frame3;
    is_frame.then(|| [value.x[3 + k], value.x[6 + k], value.x[9 + k]])
}

/// The surface a point stays on; what touches has a shape of its own.
fn surface(
    world: &World,
    connectors: &[Connector],
    law: Option<&JointEntry>,
) -> Option<SurfaceLook> {
    let law = law.filter(|law| law.kind == JointKind::PointOnSurface)?;
    let axis = |k| column(world, connectors.first()?, k);
    Some(SurfaceLook {
        surface: law.surface.clone()?,
        axes: [axis(0)?, axis(1)?, axis(2)?],
    })
}

/// A constant force in world axes.
fn force(world: &World, on: &Connector, law: &BehaviorEntry) -> Option<Vec3> {
    let force = match law.force.as_ref()?.0[..] {
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
    law.kind == BehaviorKind::Wrench && law.axes == Some(AxesEntry::Connector)
}

fn first(numbers: &Numbers) -> Option<f64> {
    numbers.0.first().copied()
}

/// Points along a path, near enough to each other for a smooth curve. A line has no end: a piece of it.
fn along(entry: &PathEntry, time: f64, extent: f64) -> Vec<Vec3> {
    const MOST: usize = 2000;
    let Ok(path) = build::motion::path(entry) else {
        return Vec::new();
    };
    let times: Vec<f64> = match (entry.kind, &entry.keyframes) {
        (PathKind::Line, _) => {
            let Some(way) = unit(path.velocity(time)) else {
                return Vec::new();
            };
            let ends = [-2.0 * extent, 2.0 * extent];
            return ends
                .map(|far| add(path.position(time), scale(far, way)))
                .to_vec();
        }
        (PathKind::Circle, _) => {
            let period = 1.0 / entry.frequency.unwrap_or(1.0);
            (0..=96).map(|k| f64::from(k) / 96.0 * period).collect()
        }
        (PathKind::Keyframes, Some(keyframes)) => {
            let knots: Vec<f64> = keyframes.iter().filter_map(first).collect();
            let n = (MOST / knots.len().max(1)).clamp(1, 16);
            let between =
                |pair: &[f64], k: usize| pair[0] + (pair[1] - pair[0]) * k as f64 / n as f64;
            let pairs = knots.windows(2);
            let times = pairs.flat_map(|pair| (0..n).map(move |k| between(pair, k)));
            times.chain(knots.last().copied()).collect()
        }
        (PathKind::Keyframes, None) => Vec::new(),
    };
    let points = times.into_iter().map(|t| path.position(t));
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
        let kind = Some(JointKind::Universal);
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
