//! What a viewer draws: shapes once after an edit, poses after every step.

use std::any::Any;
use std::f64::consts::PI;

use linkwork::body::{Body, ShapeBody, SoftBody, Troid};
use linkwork::collide::Shape;
use linkwork::connector::Site;
use linkwork::math::{
    IDENTITY3, Vec3, add, norm, quat_normalize, quat_to_matrix, scale, sub, unit,
};
use linkwork::prelude::*;
use linkwork::shape::{Of, ShapeMotion};
use linkwork::world::{BodyRecord, GripRecord};
use serde::Serialize;

use super::shade::{ShadeLook, shade_looks};
use crate::build::connector::{is_flat_curve, is_planar};
use crate::build::view::point;
use crate::catalogue::body;
use crate::format::{BodyView, CameraEntry, SkinEntry, StrokeEntry, is_default};
use crate::scene::Scene;

use super::outline;

mod implicit;
mod joint;
mod part;

pub use joint::{BehaviorLook, EndLook, JointLook, RangeLook, SurfaceLook};
pub(crate) use part::Proportions;
pub use part::{PartLook, ShapeLook};
pub(super) use part::{drawn_parts, parts};

/// The place of every body that is drawn.
type Shown = Vec<BodyId>;

/// Everything a viewer draws of a scene, where it is at this moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    #[cfg_attr(feature = "schema", schemars(schema_with = "camera"))]
    pub camera: Option<CameraEntry>,
    /// How far the scene reaches, m.
    pub extent: f64,
    /// The floor that things stand on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor: Option<FloorLook>,
    /// What is drawn of the ground.
    pub ground: Vec<PartLook>,
    /// The bodies, in the order of [`affine_poses`].
    pub bodies: Vec<BodyLook>,
    /// The joints.
    pub joints: Vec<JointLook>,
    /// Forces that act somewhere.
    pub behaviors: Vec<BehaviorLook>,
    /// Points whose path is drawn.
    pub traces: Vec<TraceLook>,
    /// Surfaces drawn over bodies.
    pub skins: Vec<SkinLook>,
    /// What bodies can be colored by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shades: Vec<ShadeLook>,
}

/// What files say of a camera is described with the format.
#[cfg(feature = "schema")]
fn camera(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "anyOf": [{ "$ref": "#/$defs/CameraEntry" }, { "type": "null" }] })
}

/// A plane that nothing passes through.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FloorLook {
    /// A point of it, world.
    pub point: Vec3,
    /// Out of it, world.
    pub normal: Vec3,
}

/// A body.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BodyLook {
    /// Its number, whatever it is called.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// What a file calls it; none if a program made it.
    #[serde(rename = "type")]
    pub kind: Option<&'static str>,
    /// Whether it moves in the plane: a hand holds a point of two numbers.
    pub planar: bool,
    /// Whether it has frames, which turn with it.
    pub turns: bool,
    /// Whether it deforms linearly: its affine pose is more than a rotation and a translation.
    pub deforms: bool,
    /// Whether it has velocities: what has none cannot be dragged.
    pub movable: bool,
    /// Whether it takes part.
    pub enabled: bool,
    /// Whether it collides; none if it has no shape to collide with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collides: Option<bool>,
    /// Its mass, kg.
    pub mass: f64,
    /// `"#rrggbb"`, if hints say so.
    pub color: Option<String>,
    /// Its shapes.
    pub parts: Vec<PartLook>,
    /// How many corners of its own it sends beside its affine pose: points along a curve, or over a surface. They come
    /// after all poses, three numbers each, world.
    #[serde(skip_serializing_if = "is_default")]
    pub corners: usize,
    /// Of a curve: the range of the parameter of these points, which lie evenly in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curve: Option<[f64; 2]>,
    /// Of a surface: how many steps of latitude, from bottom to top, and of longitude, all the way round from −π, its
    /// corners are apart. They come ring by ring, the last of a ring where the first is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rings: Option<[usize; 2]>,
    /// Of what is made of nodes: they are its corners.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<MeshLook>,
    /// Of a surface by a formula: the ranges of its parameters, in place of latitude and longitude; it has no poles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<[[f64; 2]; 2]>,
    /// What is drawn on it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub drawing: Vec<StrokeLook>,
    /// The picture that lies on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<SheetPictureLook>,
}

/// A picture on a sheet: triangles in the body's coordinates, which are moved by its map, and where their corners are
/// in the picture.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SheetPictureLook {
    /// The picture's name, by which its pixels are asked for.
    pub name: String,
    /// Corners in the body's coordinates, m.
    pub corners: Vec<[f64; 2]>,
    /// Where they are in the picture: from 0 to 1 to the right and upward, beyond where there is nothing of it.
    pub places: Vec<[f64; 2]>,
    /// Indices of corners, counter-clockwise.
    pub triangles: Vec<[u32; 3]>,
}

/// Triangles over shared corners.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MeshLook {
    /// Where its corners are, in the frame of the surface; of a body of nodes, where they were at birth, which are the
    /// coordinates of its points.
    pub vertices: Vec<Vec3>,
    /// Three corners each, counter-clockwise as seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// A line on a body.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StrokeLook {
    /// Points in the body's coordinates, m.
    pub points: Vec<Vec3>,
    /// `"#rrggbb"`, if hints say so.
    pub color: Option<String>,
}

/// A point whose path is drawn.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TraceLook {
    /// Its name.
    pub name: String,
    /// `"#rrggbb"`, if hints say so.
    pub color: Option<String>,
    /// Where it is.
    pub at: EndLook,
}

/// A surface over bodies.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SkinLook {
    /// Its name.
    pub name: String,
    /// `"#rrggbb"`, if hints say so.
    pub color: Option<String>,
    /// The corners, in the coordinates of their bodies.
    pub vertices: Vec<EndLook>,
    /// Indices of corners.
    pub triangles: Vec<[u32; 3]>,
}

/// What is drawn of a scene. Hands are left out: they come and go while somebody drags.
pub fn look(scene: &Scene) -> Look {
    let world = &scene.world;
    let extent = extent(world);
    let shown: Shown = drawn(world).map(BodyRecord::id).collect();
    let grips: Vec<ConstraintId> = world.grips().iter().map(GripRecord::constraint).collect();
    let standings = Simulator::new().standings(world);
    let joints = world.constraints().iter().zip(standings);
    let joints = joints.filter(|(record, _)| !grips.contains(&record.id()));
    let traces = scene.traces.iter().filter_map(|trace| {
        Some(TraceLook {
            name: trace.name.clone(),
            color: trace.color.clone(),
            at: joint::end(world, &shown, &trace.of)?,
        })
    });
    let ground = scene.body_views.get("ground");
    let ground = ground.map(drawn_parts).unwrap_or_default();
    let bodies = drawn(world).enumerate();
    Look {
        name: scene.name.clone(),
        why: scene.why.clone(),
        frame: scene.options.dt,
        up: up(scene),
        flat: scene.view.flat,
        camera: scene.view.camera.clone(),
        extent,
        floor: floor(world),
        ground,
        bodies: bodies
            .map(|(order, record)| body_look(scene, record, Proportions { extent, order }))
            .collect(),
        joints: joints
            .map(|of| joint::joint_look(world, &shown, of, extent))
            .collect(),
        behaviors: (world.behaviors().iter())
            .filter_map(|record| joint::behavior_look(world, &shown, record))
            .collect(),
        traces: traces.collect(),
        skins: (scene.view.skins.iter())
            .filter_map(|entry| skin(world, &shown, entry))
            .collect(),
        shades: shade_looks(scene),
    }
}

/// Where bodies are: of each the map `x = A·X + t` from its own coordinates to the world, twelve numbers,
/// the rows of `[A t]`, in the order of [`Look::bodies`]. Of a body of the plane, z is left alone. Then the corners of
/// those that have any, three numbers each.
pub fn affine_poses(scene: &Scene, out: &mut Vec<f64>) {
    out.clear();
    for record in drawn(&scene.world) {
        out.extend(affine_pose(&scene.world, record).as_flattened());
    }
    for record in drawn(&scene.world) {
        corners(&scene.world, record, Corners::Now, out);
    }
}

/// Which corners are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Corners {
    /// Where they are, world.
    Now,
    /// Where they were when the body was born, in its own coordinates.
    AtBirth,
}

/// Corners along a part of a curve at least.
const CORNERS_OF_PART: usize = 6;
/// Corners of a curve at least: one that fills a window has no edges that can be seen.
const FEWEST_CORNERS: usize = 96;
/// Corners of a curve at most.
const MOST_CORNERS: usize = 2000;

/// Steps of latitude and longitude of a surface.
const RINGS: [usize; 2] = [20, 32];

/// The superquadric that a body is.
pub(super) fn as_superquadric(body: &dyn Body) -> Option<&ShapeBody> {
    let body: &dyn std::any::Any = body;
    let own: &ShapeBody = body.downcast_ref()?;
    own.as_superquadric().map(|_| own)
}

/// The body of nodes that a body is.
pub(super) fn as_soft(body: &dyn Body) -> Option<&SoftBody> {
    let body: &dyn std::any::Any = body;
    body.downcast_ref()
}

/// Steps of a surface that a body is.
fn rings(body: &dyn Body) -> Option<[usize; 2]> {
    let is_surface = as_superquadric(body).is_some() || over(body).is_some();
    is_surface.then_some(RINGS)
}

/// The ranges of the parameters of a surface by a formula.
fn over(body: &dyn Body) -> Option<[[f64; 2]; 2]> {
    match body.shape()?.domains() {
        [u, v] => Some([u, v].map(|own| [own.from, own.to])),
        _ => None,
    }
}

/// How many corners a body sends: points along a curve, over a surface, or its nodes.
pub(super) fn corners_of(body: &dyn Body) -> usize {
    if let Some(soft) = as_soft(body) {
        return soft.n_nodes();
    }
    if rings(body).is_some() {
        return (RINGS[0] + 1) * (RINGS[1] + 1);
    }
    match body.shape().map(|shape| (shape, shape.domains())) {
        Some((shape, [_])) => {
            // Every end of a part is a corner.
            let n_parts = shape.n_parts().max(1);
            let of_part = FEWEST_CORNERS.div_ceil(n_parts).max(CORNERS_OF_PART);
            (of_part * n_parts + 1).min(MOST_CORNERS)
        }
        _ => 0,
    }
}

/// Triangles over the corners of a body, counter-clockwise as seen from outside; none if it is no surface.
pub(super) fn triangles_of(body: &dyn Body) -> Option<Vec<[u32; 3]>> {
    match as_soft(body) {
        Some(soft) => Some(soft.triangles().to_vec()),
        None => rings(body).map(|rings| ring_triangles(rings, over(body).is_some())),
    }
}

/// Two triangles for each step of latitude and longitude. A pole is one corner, and the last of a ring is its first; a
/// sheet has neither poles nor rings.
fn ring_triangles([n_u, n_v]: [usize; 2], is_sheet: bool) -> Vec<[u32; 3]> {
    let round = |i: usize, j: usize| if i == 0 || i == n_u { 0 } else { j % n_v };
    let corner = |i: usize, j: usize| {
        let j = if is_sheet { j } else { round(i, j) };
        (i * (n_v + 1) + j) as u32
    };
    let mut all = Vec::with_capacity(2 * n_u * n_v);
    for i in 0..n_u {
        for j in 0..n_v {
            let [a, b] = [corner(i, j), corner(i, j + 1)];
            let [c, d] = [corner(i + 1, j + 1), corner(i + 1, j)];
            // At the poles one of the two has no area.
            if i > 0 || is_sheet {
                all.push([a, b, c]);
            }
            if i < n_u - 1 || is_sheet {
                all.push([a, c, d]);
            }
        }
    }
    all
}

/// Corners of a body.
pub(super) fn corners(world: &World, record: &BodyRecord, which: Corners, out: &mut Vec<f64>) {
    let body = record.body();
    let mut q = world.state().q[record.q_range()].to_vec();
    if let Some(soft) = as_soft(body) {
        return match which {
            Corners::Now => out.extend(&q),
            Corners::AtBirth => out.extend(soft.vertices().as_flattened()),
        };
    }
    if let Some(own) = as_superquadric(body) {
        return surface(world, record, own, which, out);
    }
    let Some(shape) = body.shape() else { return };
    if which == Corners::AtBirth {
        shape.start(&mut q);
    }
    if let Some([u, v]) = over(body) {
        let at =
            |[from, to]: [f64; 2], k: usize, n: usize| from + (to - from) * k as f64 / n as f64;
        let rows = (0..=RINGS[0]).map(|i| at(u, i, RINGS[0]));
        let all = rows.flat_map(|u| (0..=RINGS[1]).map(move |j| [u, at(v, j, RINGS[1]), 0.0]));
        all.for_each(|u| out.extend(shape.place(u, &q)));
        return;
    }
    let [domain] = shape.domains() else { return };
    let n = corners_of(body);
    for k in 0..n {
        let u = domain.from + domain.length() * k as f64 / (n - 1) as f64;
        let motion = ShapeMotion::at([u, 0.0, 0.0], &q, &q);
        let place = shape.eval(Of::Point, &motion, &mut |_, _, _| {});
        out.extend(place.x);
    }
}

/// Corners over the surface of a superquadric.
fn surface(
    world: &World,
    record: &BodyRecord,
    own: &ShapeBody,
    which: Corners,
    out: &mut Vec<f64>,
) {
    let mut q = own.numbers(&world.state().q[record.q_range()]).to_vec();
    let mut rows = [
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
    ];
    match which {
        Corners::Now => rows = affine_pose(world, record),
        Corners::AtBirth => own.map().start(&mut q),
    }
    let [n_u, n_v] = RINGS;
    for i in 0..=n_u {
        let u = PI * (i as f64 / n_u as f64 - 0.5);
        for j in 0..=n_v {
            let v = 2.0 * PI * (j as f64 / n_v as f64 - 0.5);
            let p = own.map().place([1.0, u, v], &q);
            out.extend(rows.map(|row| row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3]));
        }
    }
}

pub(super) fn affine_pose(world: &World, record: &BodyRecord) -> [[f64; 4]; 3] {
    let (body, state) = (record.body(), world.state());
    // What has points of the plane and no frames says by three of them how it is deformed.
    let place = |point: [f64; 2]| world.position_world(&record.id().at(point)).ok();
    let corners = || Some([place([0.0, 0.0])?, place([1.0, 0.0])?, place([0.0, 1.0])?]);
    if let Some([t, x, y]) = (!has_frames(body)).then(corners).flatten() {
        let row = |k: usize| [x[k] - t[k], y[k] - t[k], 0.0, t[k]];
        return [row(0), row(1), [0.0, 0.0, 1.0, t[2]]];
    }
    let q = &state.q[record.q_range()];
    let pose = body.pose(state.t, q);
    let pose = pose.unwrap_or_else(|| Pose::at(body.center_of_mass(q).1));
    let rows = quat_to_matrix(quat_normalize(pose.rotation));
    [0, 1, 2].map(|k| [rows[k][0], rows[k][1], rows[k][2], pose.position[k]])
}

fn offers(body: &dyn Body, site: &Site) -> bool {
    matches!(body.connector_kind(site), Ok(Some(_)))
}

fn has_frames(body: &dyn Body) -> bool {
    let in_space = Site::Frame {
        origin: [0.0; 3],
        rotation: IDENTITY3,
    };
    let in_plane = Site::Frame2 {
        origin: [0.0; 2],
        angle: 0.0,
    };
    // Those of a shell are on it.
    as_soft(body).is_some() || offers(body, &in_space) || offers(body, &in_plane)
}

/// Whether a body has points of the plane, and no frames that turn with it.
pub(super) fn deforms(body: &dyn Body) -> bool {
    !has_frames(body) && offers(body, &Site::Point2([1.0; 2]))
}

/// All bodies but hands.
pub(super) fn drawn(world: &World) -> impl Iterator<Item = &BodyRecord> {
    let hands: Vec<BodyId> = world.grips().iter().map(GripRecord::hand).collect();
    let bodies = world.bodies().iter();
    bodies.filter(move |record| !hands.contains(&record.id()))
}

fn body_look(scene: &Scene, record: &BodyRecord, like: Proportions) -> BodyLook {
    let view = scene.body_views.get(record.label());
    let state = scene.world.state();
    let q = &state.q[record.q_range()];
    let own = record.body();
    let turns = has_frames(own);
    let kind = body::describe(own);
    BodyLook {
        id: record.id().number(),
        name: record.label().to_owned(),
        kind: kind.map(|kind| kind.word()),
        planar: is_planar(&scene.world, record.id()) || is_flat_curve(&scene.world, record.id()),
        turns,
        deforms: deforms(own),
        movable: !record.v_range().is_empty(),
        enabled: record.enabled(),
        collides: body::has_shape(own, view).then(|| !record.colliders().is_empty()),
        mass: record.body().center_of_mass(q).0,
        color: view.and_then(|view| view.color.clone()),
        parts: parts(own, view, like),
        corners: corners_of(own),
        curve: match own.shape().map(|shape| shape.domains()) {
            Some([domain]) => Some([domain.from, domain.to]),
            _ => None,
        },
        rings: rings(own),
        over: over(own),
        mesh: as_soft(own).map(|soft| MeshLook {
            vertices: soft.vertices().to_vec(),
            triangles: soft.triangles().to_vec(),
        }),
        drawing: view.map(drawing).unwrap_or_default(),
        picture: view.and_then(|view| on_sheet(scene, own, view)),
    }
}

/// The first plane of the ground that collides.
fn floor(world: &World) -> Option<FloorLook> {
    let mut planes = world.colliders(GROUND).ok()?.iter();
    let pose = planes
        .find(|own| matches!(own.shape, Shape::Plane))?
        .pose_body;
    let rows = quat_to_matrix(pose.rotation);
    Some(FloorLook {
        point: pose.position,
        normal: [rows[0][0], rows[1][0], rows[2][0]],
    })
}

/// What hints say, else against gravity, else y.
pub(super) fn up(scene: &Scene) -> Vec3 {
    let mut gravity = [0.0; 3];
    for record in scene.world.behaviors().iter().filter(|own| own.enabled()) {
        if let Some(field) = record.behavior().as_uniform_field() {
            gravity = add(gravity, field);
        }
    }
    let up = scene.view.up.and_then(unit);
    up.or_else(|| unit(scale(-1.0, gravity)))
        .unwrap_or([0.0, 1.0, 0.0])
}

/// How far bodies reach from the middle of all of them; one meter if they do not. Where some have joints, those that
/// have none do not count: as they fall, everything else would be drawn larger and larger.
pub(super) fn extent(world: &World) -> f64 {
    let state = world.state();
    let bodies = world.bodies();
    // By numbers, which grow with every body; that of the ground is 0.
    let most = bodies.last().map_or(0, |own| own.id().number());
    let mut joined = vec![false; most as usize + 1];
    let mut is_any = false;
    for record in world.constraints() {
        let ends = record.connectors().iter();
        for body in ends.flat_map(|end| world.bodies_of(end)) {
            joined[body.number() as usize] = true;
            is_any |= *body != GROUND;
        }
    }
    let mut places = Vec::new();
    for record in bodies {
        if is_any && !joined[record.id().number() as usize] {
            continue;
        }
        let q = &state.q[record.q_range()];
        let pose = record.body().pose(state.t, q);
        let place = pose.map_or_else(|| record.body().center_of_mass(q).1, |pose| pose.position);
        places.push((place, record.body().gyration_radius().unwrap_or(0.0)));
    }
    let share = 1.0 / places.len().max(1) as f64;
    let sum = places
        .iter()
        .fold([0.0; 3], |sum, (place, _)| add(sum, *place));
    let middle = scale(share, sum);
    let reach = |(place, radius): &(Vec3, f64)| norm(sub(*place, middle)) + radius;
    let extent = places.iter().map(reach).fold(0.0, f64::max);
    if extent > 0.0 { extent } else { 1.0 }
}

/// The picture on a body that is a sheet.
fn on_sheet(scene: &Scene, body: &dyn Body, view: &BodyView) -> Option<SheetPictureLook> {
    let own = view.picture.as_ref().filter(|_| !view.hidden)?;
    let body: &dyn Any = body;
    let corners = body::outline(body.downcast_ref::<Troid>()?);
    let mut pictures = scene.pictures.iter();
    let picture = pictures.find(|picture| picture.entry.name == own.name)?;
    let pixels = picture.pixels();
    let width = own.width.unwrap_or(picture.entry.width);
    let size = [width, width * pixels.height as f64 / pixels.width as f64];
    let place = |corner: &[f64; 2]| [0, 1].map(|k| 0.5 + (corner[k] - own.position[k]) / size[k]);
    Some(SheetPictureLook {
        name: own.name.clone(),
        places: corners.iter().map(place).collect(),
        triangles: outline::triangles(&corners),
        corners,
    })
}

/// What is drawn on a body; points that are no points were refused when they were read.
fn drawing(view: &BodyView) -> Vec<StrokeLook> {
    let strokes = view.drawing.iter().filter(|_| !view.hidden);
    let stroke = |stroke: &StrokeEntry| StrokeLook {
        points: stroke
            .points
            .iter()
            .filter_map(|of| point(of).ok())
            .collect(),
        color: stroke.color.clone(),
    };
    strokes.map(stroke).collect()
}

/// A skin; none if one of its bodies is gone.
fn skin(world: &World, shown: &Shown, entry: &SkinEntry) -> Option<SkinLook> {
    let mut vertices = Vec::with_capacity(entry.vertices.len());
    for vertex in &entry.vertices {
        let body = match vertex.body.as_str() {
            "ground" => None,
            name => Some(shown.binary_search(&world.find_body(name)?).ok()?),
        };
        let point = point(&vertex.point).ok()?;
        vertices.push(EndLook { body, point });
    }
    Some(SkinLook {
        name: entry.name.clone(),
        color: entry.color.clone(),
        vertices,
        triangles: entry.triangles.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    /// How many numbers [`affine_poses`] has for each body.
    const SLOT: usize = 12;

    #[test]
    fn every_scene_has_a_look_and_as_many_poses() {
        let mut out = Vec::new();
        for listing in library::list() {
            let scene = library::open(listing.small).unwrap();
            let look = look(&scene);
            affine_poses(&scene, &mut out);
            let n_corners: usize = look.bodies.iter().map(|body| body.corners).sum();
            let n = SLOT * look.bodies.len() + 3 * n_corners;
            assert_eq!(out.len(), n, "{}", listing.name);
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
        assert_eq!((hinge.name.as_str(), hinge.kind), ("D", Some("hinge")));
        assert_eq!(hinge.ends[0].body, None);
        assert_eq!(hinge.ends[1].body, Some(2));
        assert_eq!(hinge.ends[0].point, [4.0, 0.0, 0.0]);
        assert_eq!(hinge.axis, Some([0.0, 0.0, 1.0]));
    }

    #[test]
    fn maps_take_points_of_bodies_where_the_engine_has_them() {
        for listing in library::list() {
            let scene = library::open(listing.small).unwrap();
            let mut out = Vec::new();
            affine_poses(&scene, &mut out);
            for (record, map) in drawn(&scene.world).zip(out.chunks(SLOT)) {
                let [x, y] = [0.3, -0.2];
                let in_plane = scene.world.position_world(&record.id().at([x, y]));
                let in_space = scene.world.position_world(&record.id().at([x, y, 0.0]));
                // What moves in space and is turned out of the plane offers points of both.
                let Ok(wanted) = in_space.or(in_plane) else {
                    continue;
                };
                for (row, wanted) in map.chunks(4).zip(wanted) {
                    let found = row[0] * x + row[1] * y + row[3];
                    let name = listing.name;
                    assert!((found - wanted).abs() < 1e-12, "{name} {}", record.label());
                }
            }
        }
    }

    #[test]
    fn what_deforms_has_points_and_no_frames() {
        let look = look(&library::open("puppet").unwrap());
        let sheet = look.bodies.iter().find(|body| body.kind == Some("troid"));
        let sheet = sheet.unwrap();
        assert!(sheet.planar && sheet.deforms && !sheet.turns);
        let look = super::look(&library::open("four-bar").unwrap());
        assert!(look.bodies.iter().all(|body| body.turns && !body.deforms));
    }

    #[test]
    fn the_floor_is_across_gravity_at_its_height() {
        let text =
            r#"{"linkwork": 1, "world": {"gravity": [0, 0, -9.81], "floor": -0.25}, "bodies": []}"#;
        let floor = look(&crate::load(text).unwrap()).floor.unwrap();
        assert!((floor.normal[2] - 1.0).abs() < 1e-12, "{floor:?}");
        assert!((floor.point[2] + 0.25).abs() < 1e-12, "{floor:?}");
        assert_eq!(look(&library::open("four-bar").unwrap()).floor, None);
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
