//! What a viewer draws: shapes once after an edit, poses after every step.

use std::collections::BTreeMap;

use linkwork::math::{Vec3, quat_normalize};
use linkwork::prelude::*;
use serde::Serialize;

use super::gltf::appearance::{self, Part, Proportions};
use super::gltf::mesh::Shape;
use super::gltf::{extent, up};
use crate::describe::{body_kind, joint_kind};
use crate::format::{BodyKind, CameraEntry, JointKind};
use crate::scene::Scene;

/// Everything a viewer draws of a scene, where it is at this moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Look {
    /// What the scene is called.
    pub name: Option<String>,
    /// What it is for.
    pub why: Option<String>,
    /// The length of a frame, s.
    pub frame: f64,
    /// Which way is up.
    pub up: Vec3,
    /// Whether the scene is seen flat, along z.
    pub flat: bool,
    /// Where to look from.
    pub camera: Option<CameraEntry>,
    /// How far the scene reaches, m.
    pub extent: f64,
    /// What is drawn of the ground.
    pub ground: Vec<PartLook>,
    /// The bodies, in the order of [`poses`].
    pub bodies: Vec<BodyLook>,
    /// The joints.
    pub joints: Vec<JointLook>,
    /// Points whose path is drawn.
    pub traces: Vec<TraceLook>,
}

/// A body.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BodyLook {
    /// Its name.
    pub name: String,
    /// What a file calls it; none if a program made it.
    #[serde(rename = "type")]
    pub kind: Option<BodyKind>,
    /// Whether it moves in the plane: a hand holds a point of two numbers.
    pub planar: bool,
    /// Whether it has velocities: what has none cannot be dragged.
    pub movable: bool,
    /// Whether it takes part.
    pub enabled: bool,
    /// Its mass, kg.
    pub mass: f64,
    /// `"#rrggbb"`, if hints say so.
    pub colour: Option<String>,
    /// Its shapes.
    pub parts: Vec<PartLook>,
}

/// A shape somewhere on a body.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PartLook {
    /// The shape.
    pub shape: ShapeLook,
    /// Where its origin is on the body, m.
    pub position: Vec3,
    /// Its rotation on the body: w, x, y, z.
    pub quaternion: [f64; 4],
    /// `"#rrggbb"`; the body's when there is none.
    pub colour: Option<String>,
}

/// What can be drawn.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ShapeLook {
    /// Along x.
    Cylinder {
        /// m.
        length: f64,
        /// m.
        radius: f64,
    },
    /// A block.
    Box {
        /// Lengths of the edges, m.
        size: Vec3,
    },
    /// A ball.
    Sphere {
        /// m.
        radius: f64,
    },
    /// Triangles, counter-clockwise as seen from outside.
    Mesh {
        /// Corners, m.
        vertices: Vec<Vec3>,
        /// Indices of corners.
        triangles: Vec<[u32; 3]>,
    },
    /// A parallelogram of the plane z = 0 that deforms with its body.
    Quad {
        /// Corners, counter-clockwise, m.
        corners: [[f64; 2]; 4],
    },
}

/// A joint, where it is at this moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    /// Its axis, world, if its first end is a frame.
    pub axis: Option<Vec3>,
}

/// An end of a joint, or a point of a body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EndLook {
    /// The place of the body in [`Look::bodies`]; none for the ground.
    pub body: Option<usize>,
    /// World position, m.
    pub point: Vec3,
}

/// A point whose path is drawn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TraceLook {
    /// Its name.
    pub name: String,
    /// `"#rrggbb"`, if hints say so.
    pub colour: Option<String>,
    /// Where it is.
    pub at: EndLook,
}

/// Places of bodies in [`Look::bodies`].
type Shown = BTreeMap<BodyId, usize>;

/// What is drawn of a scene. Hands are left out: they come and go while somebody drags.
pub fn look(scene: &Scene) -> Look {
    let world = &scene.world;
    let extent = extent(world);
    let shown: Shown = drawn(world).map(BodyRecord::id).zip(0..).collect();
    let grips: Vec<ConstraintId> = world.grips().iter().map(GripRecord::constraint).collect();
    let joints = world.constraints().iter();
    let joints = joints.filter(|record| !grips.contains(&record.id()));
    let traces = scene.traces.iter().filter_map(|trace| {
        Some(TraceLook {
            name: trace.name.clone(),
            colour: trace.colour.clone(),
            at: end(world, &shown, &trace.of)?,
        })
    });
    let ground = scene.body_views.get("ground");
    let ground = ground.map(appearance::drawn_parts).unwrap_or_default();
    let bodies = drawn(world).enumerate();
    Look {
        name: scene.name.clone(),
        why: scene.why.clone(),
        frame: scene.options.dt,
        up: up(scene),
        flat: scene.view.flat,
        camera: scene.view.camera.clone(),
        extent,
        ground: ground.into_iter().map(PartLook::from).collect(),
        bodies: bodies
            .map(|(order, record)| body(scene, record, Proportions { extent, order }))
            .collect(),
        joints: joints.map(|record| joint(world, &shown, record)).collect(),
        traces: traces.collect(),
    }
}

/// How many numbers [`poses`] has for each body.
const SLOT: usize = 7;

/// Where bodies are: seven numbers each, in the order of [`Look::bodies`].
///
/// Position x, y, z, then the rotation as a unit quaternion w, x, y, z. A sheet that deforms has the
/// six numbers of its map `x = t + A·X` instead, `t₁, t₂, a₁₁, a₁₂, a₂₁, a₂₂`, and a zero.
pub fn poses(scene: &Scene, out: &mut Vec<f64>) {
    let (world, state) = (&scene.world, scene.world.state());
    out.clear();
    for record in drawn(world) {
        let q = &state.q[record.q_range()];
        if is_sheet(record) {
            out.extend(q.iter().take(SLOT - 1));
            out.push(0.0);
            continue;
        }
        let pose = record.body().pose(state.t, q);
        let pose = pose.unwrap_or_else(|| Pose::at(record.body().centre_of_mass(q).1));
        out.extend(pose.position);
        out.extend(quat_normalize(pose.rotation));
    }
}

/// All bodies but hands.
pub(super) fn drawn(world: &World) -> impl Iterator<Item = &BodyRecord> {
    let hands: Vec<BodyId> = world.grips().iter().map(GripRecord::hand).collect();
    let bodies = world.bodies().iter();
    bodies.filter(move |record| !hands.contains(&record.id()))
}

fn is_sheet(record: &BodyRecord) -> bool {
    let body: &dyn std::any::Any = record.body();
    body.is::<Troid>()
}

fn body(scene: &Scene, record: &BodyRecord, like: Proportions) -> BodyLook {
    let view = scene.body_views.get(record.label());
    let any: &dyn std::any::Any = record.body();
    let parts = appearance::parts(record.body(), view, like);
    let q = &scene.world.state().q[record.q_range()];
    BodyLook {
        name: record.label().to_owned(),
        kind: body_kind(record),
        planar: any.is::<PlanarBody>() || any.is::<Troid>(),
        movable: !record.v_range().is_empty(),
        enabled: record.enabled(),
        mass: record.body().centre_of_mass(q).0,
        colour: view.and_then(|view| view.colour.clone()),
        parts: parts.into_iter().map(PartLook::from).collect(),
    }
}

impl From<Part> for PartLook {
    fn from(part: Part) -> Self {
        Self {
            shape: part.shape.into(),
            position: part.pose.position,
            quaternion: part.pose.rotation,
            colour: part.colour,
        }
    }
}

impl From<Shape> for ShapeLook {
    fn from(shape: Shape) -> Self {
        match shape {
            Shape::Cylinder { length, radius } => Self::Cylinder { length, radius },
            Shape::Cuboid(size) => Self::Box { size },
            Shape::Sphere(radius) => Self::Sphere { radius },
            Shape::Triangles(vertices, triangles) => Self::Mesh {
                vertices,
                triangles,
            },
            Shape::Sheet {
                middle,
                half: [a, b],
            } => {
                let corner =
                    |s: f64, t: f64| [0, 1].map(|k: usize| middle[k] + s * a[k] + t * b[k]);
                let signs = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
                Self::Quad {
                    corners: signs.map(|(s, t)| corner(s, t)),
                }
            }
        }
    }
}

fn joint(world: &World, shown: &Shown, record: &ConstraintRecord) -> JointLook {
    let connectors = record.connectors().iter();
    JointLook {
        name: record.label().to_owned(),
        kind: joint_kind(record),
        enabled: record.enabled(),
        ends: connectors
            .filter_map(|connector| end(world, shown, connector))
            .collect(),
        axis: record
            .connectors()
            .first()
            .and_then(|connector| axis(world, connector)),
    }
}

/// Where a connector is; a direction and a number are nowhere.
fn end(world: &World, shown: &Shown, connector: &Connector) -> Option<EndLook> {
    let kind = world.connector_value(connector).ok()?.kind;
    if matches!(kind, ConnectorKind::Direction3 | ConnectorKind::Scalar) {
        return None;
    }
    Some(EndLook {
        body: shown.get(&connector.body).copied(),
        point: world.position_world(connector).ok()?,
    })
}

/// The x axis of a frame in space; z in the plane.
fn axis(world: &World, connector: &Connector) -> Option<Vec3> {
    let value = world.connector_value(connector).ok()?;
    match value.kind {
        ConnectorKind::Frame3 => Some([value.x[3], value.x[6], value.x[9]]),
        ConnectorKind::Frame2 | ConnectorKind::Point2 => Some([0.0, 0.0, 1.0]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    #[test]
    fn every_scene_has_a_look_and_as_many_poses() {
        let mut out = Vec::new();
        for listing in library::list() {
            let scene = library::open(listing.small).unwrap();
            let look = look(&scene);
            poses(&scene, &mut out);
            assert_eq!(out.len(), SLOT * look.bodies.len(), "{}", listing.name);
            assert!(out.iter().all(|x| x.is_finite()), "{}", listing.name);
            assert!(
                look.bodies.iter().all(|body| body.kind.is_some()),
                "{}",
                listing.name
            );
        }
    }

    #[test]
    fn hinges_of_a_four_bar_are_where_they_are() {
        let scene = library::open("four-bar").unwrap();
        let look = look(&scene);
        let hinge = &look.joints[3];
        assert_eq!(
            (hinge.name.as_str(), hinge.kind),
            ("D", Some(JointKind::Hinge))
        );
        assert_eq!(hinge.ends[0].body, None);
        assert_eq!(hinge.ends[1].body, Some(2));
        assert_eq!(hinge.ends[0].point, [4.0, 0.0, 0.0]);
        assert_eq!(hinge.axis, Some([0.0, 0.0, 1.0]));
    }

    #[test]
    fn hands_are_not_among_the_bodies() {
        let mut scene = library::open("four-bar").unwrap();
        let crank = scene.world.find_body("crank").unwrap();
        scene
            .world
            .grab(crank.at([0.5, 0.0, 0.0]), Drag::Follow)
            .unwrap();
        let look = look(&scene);
        assert_eq!(look.bodies.len(), 3);
        assert_eq!(look.joints.len(), 4);
    }
}
