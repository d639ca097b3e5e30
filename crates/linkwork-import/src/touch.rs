//! Contact of a robot: shapes of its links, colliding pairs, the floor.
//!
//! Links that are joined do not meet. Those that carriers are between are kept apart by name, and so are pairs that a
//! model excludes, sorts of shapes whose bits do not match, and links that are in each other where the robot starts.

use std::collections::BTreeMap;

use linkwork::body::Pose;
use linkwork::collide::Polyhedron;
use linkwork::math::{Vec3, column, dot, norm, scale};
use linkwork::prelude::GROUND;
use linkwork::world::Overlap;
use linkwork_scene::Fault;
use linkwork_scene::catalogue::{Law, Value};
use linkwork_scene::format::{Document, PartEntry};
use serde_json::json;

use crate::FloorAt;
use crate::document::Writer;
use crate::entries::entry;
use crate::mesh::Surface;
use crate::model::Model;
use crate::place::{HERE, matrix, point, then};
use crate::report::Notes;

/// What of a link collides.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touch {
    /// Shapes in its frame.
    pub(crate) solids: Vec<PartEntry>,
    /// Coulomb's coefficient, the largest of its shapes; none if nobody said one.
    pub(crate) friction: Option<f64>,
    /// Arms that resist rolling and spinning, the largest of its shapes, m.
    pub(crate) turning: [f64; 2],
    /// The sorts of its shapes, and those that they meet: bits, as an MJCF has them.
    pub(crate) masks: [u32; 2],
}

impl Touch {
    /// Adds shapes; whether their bits are those that were there.
    pub(crate) fn add(&mut self, other: Self) -> bool {
        if other.solids.is_empty() {
            return true;
        }
        let same = self.solids.is_empty() || self.masks == other.masks;
        self.solids.extend(other.solids);
        self.friction = match (self.friction, other.friction) {
            (Some(own), Some(other)) => Some(own.max(other)),
            (own, other) => own.or(other),
        };
        for (own, other) in self.turning.iter_mut().zip(other.turning) {
            *own = own.max(other);
        }
        self.masks = [
            self.masks[0] | other.masks[0],
            self.masks[1] | other.masks[1],
        ];
        same
    }
}

/// A floor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Floor {
    /// Along the direction against gravity.
    pub(crate) height: f64,
    pub(crate) friction: Option<f64>,
    pub(crate) turning: [f64; 2],
    pub(crate) masks: [u32; 2],
}

/// Fields of the arms that resist rolling and spinning.
const TURNING: [&str; 2] = ["rolling_friction", "spinning_friction"];

/// The corners that a hull keeps: the farthest in so many directions.
const MOST_CORNERS: u32 = 64;

/// The convex hull of a surface as a part, or why there is none; and whether corners were left out.
pub(crate) fn hull(surface: &Surface, pose: &Pose) -> Result<(PartEntry, bool), String> {
    let all = surface.vertices();
    let is_reduced = all.len() > MOST_CORNERS as usize;
    let points = if is_reduced {
        farthest(all)
    } else {
        all.to_vec()
    };
    let hull = Polyhedron::new(&points).map_err(|error| error.to_string())?;
    let fans = (0..hull.n_faces()).flat_map(|face| {
        let corners = hull.face(face);
        (2..corners.len()).map(move |k| [corners[0], corners[k - 1], corners[k]])
    });
    let part = json!({
        "type": "mesh",
        "vertices": hull.vertices(),
        "triangles": fans.collect::<Vec<_>>(),
        "position": pose.position,
        "quaternion": pose.rotation,
    });
    let part = entry(part).map_err(|fault| fault.to_string())?;
    Ok((part, is_reduced))
}

/// The points that are farthest in evenly spread directions.
fn farthest(points: &[Vec3]) -> Vec<Vec3> {
    let turn = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let mut kept: Vec<usize> = Vec::new();
    for k in 0..MOST_CORNERS {
        let z = 1.0 - (2.0 * f64::from(k) + 1.0) / f64::from(MOST_CORNERS);
        let (across, angle) = ((1.0 - z * z).sqrt(), turn * f64::from(k));
        let way = [across * libm::cos(angle), across * libm::sin(angle), z];
        let mut best = 0;
        for (at, own) in points.iter().enumerate() {
            if dot(way, *own) > dot(way, points[best]) {
                best = at;
            }
        }
        kept.push(best);
    }
    kept.sort_unstable();
    kept.dedup();
    kept.into_iter().map(|at| points[at]).collect()
}

/// The direction against gravity; without any, as the engine has it.
pub(crate) fn up(gravity: Vec3) -> Vec3 {
    match norm(gravity) {
        0.0 => [0.0, 1.0, 0.0],
        size => scale(-1.0 / size, gravity),
    }
}

/// How many groups a scene can have.
const MOST_GROUPS: usize = 31;

/// Who does not meet whom, by names of groups.
#[derive(Default)]
pub(crate) struct Apart {
    member_of: BTreeMap<String, Vec<String>>,
    not_with: BTreeMap<String, Vec<String>>,
    groups: Vec<String>,
}

impl Apart {
    /// Whether there is room for a group.
    fn make_room(&mut self, group: &str) -> bool {
        if self.groups.iter().any(|own| own == group) {
            return true;
        }
        if self.groups.len() == MOST_GROUPS {
            return false;
        }
        self.groups.push(group.to_owned());
        true
    }

    fn add(list: &mut BTreeMap<String, Vec<String>>, body: &str, group: &str) {
        let own = list.entry(body.to_owned()).or_default();
        if !own.iter().any(|known| known == group) {
            own.push(group.to_owned());
        }
    }

    /// Two bodies do not meet.
    fn pair(&mut self, a: &str, b: &str, notes: &mut Notes) {
        // The one whose name is a group already.
        let (a, b) = match self.groups.iter().any(|own| own == a) {
            true => (b, a),
            false => (a, b),
        };
        match self.make_room(b) {
            true => Self::add(&mut self.not_with, a, b),
            false => notes.refuse("exclusions beyond 31 groups", format!("{a} and {b}")),
        }
    }

    /// Keeps links apart that are in each other where the robot starts: shapes are drawn generously around joints, and
    /// what joints hold there no contact can drive apart.
    pub(crate) fn keep_overlaps(
        mut self,
        document: &mut Document,
        notes: &mut Notes,
    ) -> Result<(), Fault> {
        // Whoever builds the scene is told what is wrong with it.
        let Ok(scene) = linkwork_scene::build(document) else {
            return Ok(());
        };
        let of_robot = |own: &&Overlap| own.collide && !own.bodies.contains(&GROUND);
        let overlaps = scene.world.overlaps();
        let overlaps: Vec<&Overlap> = overlaps.iter().filter(of_robot).collect();
        let count = |body| {
            let own = overlaps.iter().filter(|own| own.bodies.contains(&body));
            own.count()
        };
        for overlap in &overlaps {
            // Few groups: whoever is in many others is one.
            let [mut a, mut b] = overlap.bodies;
            if count(a) > count(b) {
                std::mem::swap(&mut a, &mut b);
            }
            let [Ok(a), Ok(b)] = [a, b].map(|id| scene.world.body_label(id)) else {
                continue;
            };
            self.pair(a, b, notes);
            let kind = "do not collide with each other: they overlap where the robot starts";
            notes.approximate(kind, format!("{b} and {a}"));
        }
        self.write(document)
    }

    /// Writes who is apart from whom.
    fn write(&self, document: &mut Document) -> Result<(), Fault> {
        for body in &mut document.bodies {
            for (field, list) in [("member_of", &self.member_of), ("not_with", &self.not_with)] {
                if let Some(names) = list.get(&body.name) {
                    body.set(field, names.clone())?;
                }
            }
        }
        Ok(())
    }
}

/// Lets bodies collide, and says where the floor is. Returns who is kept apart.
pub(crate) fn write_touch(
    writer: &mut Writer<'_>,
    floor: Option<FloorAt>,
    notes: &mut Notes,
) -> Result<Apart, Fault> {
    let model = writer.model;
    let mut bodies: Vec<(usize, String)> = Vec::new();
    for (index, link) in model.links.iter().enumerate() {
        if link.touch.solids.is_empty() {
            continue;
        }
        match writer.body_of(index) {
            Some(name) => bodies.push((index, name)),
            None => notes.refuse("shapes that collide of a link without mass", &link.name),
        }
    }
    let mut apart = Apart::default();
    sorts(model, &bodies, &mut apart, notes);
    for [a, b] in &model.excluded {
        let stands = [a, b].map(|own| writer.stand(Some(*own), &HERE).map(|(name, _)| name));
        if let [Some(a), Some(b)] = stands
            && [&a, &b]
                .iter()
                .all(|own| bodies.iter().any(|(_, body)| body == *own))
            && a != b
        {
            apart.pair(&a, &b, notes);
        }
    }
    for (index, name) in &bodies {
        let parent = model.links[*index].parent;
        let parent =
            parent.and_then(|own| Some(bodies.iter().find(|(at, _)| *at == own)?.1.clone()));
        if let (true, Some(parent)) = (writer.has_carriers(*index), parent) {
            apart.pair(name, &parent, notes);
        }
    }
    for (index, name) in &bodies {
        let touch = &model.links[*index].touch;
        let drawn = &model.links[*index].draw;
        let Some(body) = writer
            .document
            .bodies
            .iter_mut()
            .find(|own| own.name == *name)
        else {
            continue;
        };
        body.set("collide", true)?;
        if !same_solids(&touch.solids, drawn) {
            let parts = touch.solids.iter();
            let parts = parts.map(|own| (own.kind.kind(), own.fields.clone()));
            body.set("shapes", Value::Entries(parts.collect()))?;
        }
        if let Some(friction) = touch.friction {
            body.set("friction", friction)?;
        }
        for (field, arm) in TURNING.into_iter().zip(touch.turning) {
            if arm > 0.0 {
                body.set(field, arm)?;
            }
        }
    }
    apart.write(&mut writer.document)?;
    notes.count(bodies.len(), "body that collides", "bodies that collide");
    let asked = match floor {
        None => model.floor.map(|own| own.height),
        Some(FloorAt::Height(height)) => Some(height),
        Some(FloorAt::Lowest) => {
            let up = up(model.gravity);
            let of_robot = bodies.iter();
            let of_robot = of_robot.filter(|(index, _)| model.links[*index].mass.is_some());
            let lowest = of_robot.flat_map(|(index, _)| {
                let pose = writer.pose_of(*index);
                let solids = model.links[*index].touch.solids.iter();
                solids.filter_map(move |own| lowest(own, &pose, up))
            });
            let height = lowest.fold(f64::INFINITY, f64::min);
            if !height.is_finite() {
                let problem = "nothing collides, so there is no shape to put a floor below";
                let hint = "name the folder of its mesh files (--meshes DIR), or give a height";
                return Err(Fault::at("floor", problem).hint(hint));
            }
            Some(height)
        }
    };
    if let Some(height) = asked {
        let world = &mut writer.world;
        world["floor"] = json!(height);
        if let Some(friction) = model.floor.and_then(|own| own.friction) {
            world["floor_friction"] = json!(friction);
        }
        let turning = model.floor.map_or([0.0; 2], |own| own.turning);
        for (field, arm) in TURNING.into_iter().zip(turning) {
            if arm > 0.0 {
                world[format!("floor_{field}")] = json!(arm);
            }
        }
        notes.read(&format!("floor at {height}"), "");
    }
    Ok(apart)
}

/// Whether parts that are drawn are those that collide, colors apart.
fn same_solids(solids: &[PartEntry], drawn: &[PartEntry]) -> bool {
    let plain = |own: &PartEntry| {
        let mut value = json!(own);
        if let Some(fields) = value.as_object_mut() {
            fields.remove("color");
        }
        value
    };
    solids.len() == drawn.len() && solids.iter().zip(drawn).all(|(a, b)| plain(a) == plain(b))
}

/// Keeps sorts of shapes apart whose bits do not match.
fn sorts(model: &Model, bodies: &[(usize, String)], apart: &mut Apart, notes: &mut Notes) {
    let mut masks: Vec<[u32; 2]> = Vec::new();
    for (index, _) in bodies {
        let own = model.links[*index].touch.masks;
        if !masks.contains(&own) {
            masks.push(own);
        }
    }
    let meet = |a: [u32; 2], b: [u32; 2]| a[0] & b[1] != 0 || b[0] & a[1] != 0;
    for (j, other) in masks.iter().enumerate() {
        let not: Vec<[u32; 2]> = masks[..=j]
            .iter()
            .filter(|own| !meet(**own, *other))
            .copied()
            .collect();
        if not.is_empty() {
            continue;
        }
        let group = format!("shapes {} {}", other[0], other[1]);
        if !apart.make_room(&group) {
            notes.refuse("groups of shapes beyond 31", group);
            continue;
        }
        for (index, name) in bodies {
            let own = model.links[*index].touch.masks;
            if own == *other {
                Apart::add(&mut apart.member_of, name, &group);
            }
            if not.contains(&own) {
                Apart::add(&mut apart.not_with, name, &group);
            }
        }
    }
    if let Some(floor) = &model.floor {
        for (index, name) in bodies {
            if !meet(model.links[*index].touch.masks, floor.masks) {
                notes.approximate("meets the floor, though its bits do not match", name);
            }
        }
    }
}

/// The lowest point of a part of a body that stands at `pose`.
fn lowest(part: &PartEntry, pose: &Pose, up: Vec3) -> Option<f64> {
    let own = Pose {
        position: part.get("position").unwrap_or([0.0; 3]),
        rotation: part.get("quaternion").unwrap_or(HERE.rotation),
    };
    let pose = then(pose, &own);
    let axes = matrix(&pose);
    let along = |k: usize| dot(column(&axes, k), up).abs();
    let below = match part.word() {
        "sphere" => part.get::<f64>("radius")?,
        "box" => {
            let size: [f64; 3] = part.get("size")?;
            (0..3).map(|k| 0.5 * size[k] * along(k)).sum()
        }
        "cylinder" | "rod" => {
            let (length, radius): (f64, f64) = (part.get("length")?, part.get("radius")?);
            match part.word() {
                "rod" => (0.5 * length - radius) * along(0) + radius,
                _ => 0.5 * length * along(0) + radius * (1.0 - along(0) * along(0)).max(0.0).sqrt(),
            }
        }
        "mesh" => {
            let vertices: &[Vec3] = part.get("vertices")?;
            let heights = vertices.iter().map(|own| dot(point(&pose, *own), up));
            return heights.reduce(f64::min);
        }
        _ => return None,
    };
    Some(dot(pose.position, up) - below)
}
