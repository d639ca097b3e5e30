//! Where on bodies things are fastened: ends of bars, middles, corners, rims, and wherever a joint holds
//! already.

use std::f64::consts::PI;

use linkwork::connector::Site;
use linkwork::prelude::*;
use serde::Serialize;

use super::look::{as_soft, as_superquadric, drawn};
use crate::describe;
use crate::format::BodyEntry;
use crate::scene::{ByBody, Scene};

/// A place where something can be fastened.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Place {
    /// The body's place in [`Look::bodies`](super::Look::bodies); none for the ground.
    pub body: Option<usize>,
    /// What it is called: that of a connector, or a word such as "end".
    pub name: String,
    /// Where on the body, in its own coordinates, m; z is zero in the plane. On a curve its parameter, and zeros; on a
    /// surface latitude, longitude, and zero.
    pub point: [f64; 3],
}

/// Two places nearer than this fraction of the body's size are one.
const SAME: f64 = 1e-6;

/// All places of a scene.
pub fn places(scene: &Scene) -> Vec<Place> {
    let world = &scene.world;
    let mut all = Vec::new();
    // By body first: of thousands, nobody waits until each has looked through all joints.
    let mut of_joints = ByBody::new(world);
    for joint in world.constraints() {
        for own in joint.connectors() {
            if let Some((body, site)) = own.place() {
                of_joints.push(world, body, (joint.label(), site));
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
        let is_solid = record.is_some_and(|own| as_superquadric(own.body()).is_some());
        let point = if is_solid { on_surface } else { point };
        for (name, own) in scene.connectors.iter().filter(|(_, own)| own.is_on(id)) {
            if let Some(point) = own.site().and_then(point) {
                add(name, point);
            }
        }
        let domains = record
            .and_then(|own| own.body().shape())
            .map(|own| own.domains());
        let entry = || record.and_then(|record| describe::body_entry(scene, record).ok());
        if let Some([domain]) = domains {
            // Of a curve a place is its parameter.
            add("start", [domain.from, 0.0, 0.0]);
            if !domain.closed {
                add("end", [domain.to, 0.0, 0.0]);
            }
        } else if let Some(soft) = record.and_then(|own| as_soft(own.body())) {
            for (name, axis, sign) in ENDS {
                let along = |x: &&[f64; 3]| sign * x[axis];
                let far = soft.vertices().iter();
                if let Some(x) = far.max_by(|a, b| along(a).total_cmp(&along(b))) {
                    add(name, *x);
                }
            }
        } else if is_solid {
            for (name, u, v) in SPOTS {
                add(name, [u, v, 0.0]);
            }
        } else {
            for (name, point) in entry().iter().flat_map(BodyEntry::places) {
                add(name, point);
            }
        }
        for (label, site) in of_joints.of(world, id) {
            if let Some(point) = point(site) {
                add(label, point);
            }
        }
    }
    all
}

/// The farthest nodes along each axis, both ways.
const ENDS: [(&str, usize, f64); 6] = [
    ("top", 2, 1.0),
    ("bottom", 2, -1.0),
    ("side", 0, 1.0),
    ("side", 1, 1.0),
    ("side", 0, -1.0),
    ("side", 1, -1.0),
];

/// Tips and sides of a surface, by latitude and longitude.
const SPOTS: [(&str, f64, f64); 6] = [
    ("top", 0.5 * PI, 0.0),
    ("bottom", -0.5 * PI, 0.0),
    ("side", 0.0, 0.0),
    ("side", 0.0, 0.5 * PI),
    ("side", 0.0, -PI),
    ("side", 0.0, -0.5 * PI),
];

fn on_surface(site: &Site) -> Option<[f64; 3]> {
    match site {
        Site::Surface([u, v]) | Site::SurfaceFrame([u, v]) => Some([*u, *v, 0.0]),
        _ => None,
    }
}

fn point(site: &Site) -> Option<[f64; 3]> {
    match site {
        Site::Point(point) | Site::Frame { origin: point, .. } => Some(*point),
        Site::Curve(u) | Site::Curve2(u) => Some([*u, 0.0, 0.0]),
        Site::Surface([u, v]) => Some([*u, *v, 0.0]),
        Site::Point2([x, y]) | Site::Frame2 { origin: [x, y], .. } => Some([*x, *y, 0.0]),
        _ => None,
    }
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
