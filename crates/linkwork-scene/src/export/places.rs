//! Where on bodies things are fastened: ends of bars, middles, corners, rims, and wherever a joint holds
//! already.

use std::collections::BTreeMap;

use linkwork::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use super::look::drawn;
use crate::describe;
use crate::format::{BodyEntry, BodyKind, Numbers};
use crate::scene::Scene;

/// A place where something can be fastened.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Place {
    /// The body's place in [`Look::bodies`](super::Look::bodies); none for the ground.
    pub body: Option<usize>,
    /// What it is called: that of a connector, or a word such as "end".
    pub name: String,
    /// Where on the body, in its own coordinates, m; z is zero in the plane.
    pub point: [f64; 3],
}

/// Two places nearer than this fraction of the body's size are one.
const SAME: f64 = 1e-6;

/// All places of a scene.
pub fn places(scene: &Scene) -> Vec<Place> {
    let world = &scene.world;
    let mut all = Vec::new();
    // By body first: of thousands, nobody waits until each has looked through all joints.
    let mut of_joints = BTreeMap::<_, Vec<_>>::new();
    for joint in world.constraints() {
        for own in joint.connectors() {
            if let Some(point) = point(&own.site) {
                of_joints
                    .entry(own.body)
                    .or_default()
                    .push((joint.label(), point));
            }
        }
    }
    let bodies = drawn(world).enumerate();
    let bodies = bodies.map(|(order, record)| (Some(order), record.id(), Some(record)));
    for (order, id, record) in bodies.chain([(None, GROUND, None)]) {
        let start = all.len();
        let mut add = |name: &str, point: [f64; 3]| {
            let size = point.iter().fold(1e-3f64, |m, x| m.max(x.abs()));
            let is_same =
                |own: &Place| (0..3).all(|k| (own.point[k] - point[k]).abs() < SAME * size);
            if !all[start..].iter().any(is_same) {
                all.push(Place {
                    body: order,
                    name: name.to_owned(),
                    point,
                });
            }
        };
        for (name, own) in scene.connectors.iter().filter(|(_, own)| own.body == id) {
            if let Some(point) = point(&own.site) {
                add(name, point);
            }
        }
        let entry = record.and_then(|record| describe::body(scene, record).ok());
        for (name, point) in entry.iter().flat_map(of_kind) {
            add(name, point);
        }
        for &(label, point) in of_joints.get(&id).into_iter().flatten() {
            add(label, point);
        }
    }
    all
}

fn point(site: &Site) -> Option<[f64; 3]> {
    match site {
        Site::Point(point) | Site::Frame { origin: point, .. } => Some(*point),
        Site::Point2([x, y]) | Site::Frame2 { origin: [x, y], .. } => Some([*x, *y, 0.0]),
        _ => None,
    }
}

/// Places of a body because of what it is.
fn of_kind(entry: &BodyEntry) -> Vec<(&'static str, [f64; 3])> {
    let mut places = Vec::new();
    let along = |places: &mut Vec<_>, half: f64| {
        places.push(("start", [-half, 0.0, 0.0]));
        places.push(("end", [half, 0.0, 0.0]));
    };
    let [x, y, z] = match &entry.size {
        Some(Numbers(size)) => [0, 1, 2].map(|k: usize| 0.5 * size.get(k).copied().unwrap_or(0.0)),
        None => [0.0; 3],
    };
    let radius = entry.radius.unwrap_or(0.0);
    match entry.kind {
        BodyKind::Rod | BodyKind::Cylinder | BodyKind::PlanarRod => {
            along(&mut places, 0.5 * entry.length.unwrap_or(0.0));
        }
        BodyKind::Box => {
            for (k, half) in [x, y, z].into_iter().enumerate() {
                for sign in [-1.0, 1.0] {
                    let mut point = [0.0; 3];
                    point[k] = sign * half;
                    places.push(("face", point));
                }
            }
            for corner in 0..8 {
                let sign = |bit: usize| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
                places.push(("corner", [sign(0) * x, sign(1) * y, sign(2) * z]));
            }
        }
        BodyKind::PlanarBox | BodyKind::Troid => {
            for (s, t) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                places.push(("corner", [s * x, t * y, 0.0]));
            }
            for (s, t) in [(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)] {
                places.push(("edge", [s * x, t * y, 0.0]));
            }
        }
        BodyKind::Disc => {
            for (s, t) in [(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)] {
                places.push(("rim", [0.0, s * radius, t * radius]));
            }
        }
        BodyKind::PlanarDisc => {
            for (s, t) in [(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)] {
                places.push(("rim", [s * radius, t * radius, 0.0]));
            }
        }
        BodyKind::Sphere => {
            for k in 0..3 {
                for sign in [-1.0, 1.0] {
                    let mut point = [0.0; 3];
                    point[k] = sign * radius;
                    places.push(("pole", point));
                }
            }
        }
        _ => {}
    }
    places.push(("middle", [0.0; 3]));
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    #[test]
    fn a_block_has_its_places_once_though_joints_hold_there() {
        let scene = library::open("four-bar").unwrap();
        let all = places(&scene);
        let crank: Vec<_> = all.iter().filter(|own| own.body == Some(0)).collect();
        let names: Vec<_> = crank.iter().map(|own| own.name.as_str()).collect();
        let faces = names.iter().filter(|name| **name == "face").count();
        assert_eq!((names.len(), faces, names[14]), (15, 6, "middle"));
        let ground: Vec<_> = all.iter().filter(|own| own.body.is_none()).collect();
        assert_eq!(ground.len(), 2);
    }

    #[test]
    fn every_scene_has_places_for_all_its_bodies() {
        for listing in library::list() {
            let scene = library::open(listing.small).unwrap();
            let all = places(&scene);
            for order in 0..super::super::look(&scene).bodies.len() {
                assert!(
                    all.iter().any(|own| own.body == Some(order)),
                    "{}",
                    listing.name
                );
            }
        }
    }
}
