//! A camera that sees all of a world as it starts.

use linkwork::body::{Outline, PlanarBody, Solid};
use linkwork::connector::Connector;
use linkwork::math::{Vec3, add, norm, scale, sub, unit};
use linkwork::prelude::*;
use linkwork::world::BodyRecord;

use crate::format::CameraEntry;

/// How far the camera is, in radii of what it sees.
const DISTANCE: f64 = 2.4;

/// Looks at everything from a direction.
pub(super) fn from(world: &World, direction: Vec3) -> Result<CameraEntry, linkwork::Error> {
    let points = points(world)?;
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for point in &points {
        for k in 0..3 {
            low[k] = low[k].min(point[k]);
            high[k] = high[k].max(point[k]);
        }
    }
    if points.is_empty() {
        (low, high) = ([-1.0; 3], [1.0; 3]);
    }
    let target = scale(0.5, add(low, high));
    let radius = 0.5 * norm(sub(high, low));
    let radius = if radius > 0.0 { radius } else { 1.0 };
    let way = unit(direction).unwrap_or([0.0, 0.0, 1.0]);
    // As few digits as make sense at this size: a file is read by people too.
    let digits = libm::pow(10.0, (2.0 - libm::log10(radius)).ceil().clamp(0.0, 9.0));
    let short = |x: Vec3| x.map(|x| (x * digits).round() / digits + 0.0);
    Ok(CameraEntry {
        eye: short(add(target, scale(DISTANCE * radius, way))),
        target: short(target),
    })
}

/// Where bodies are and how far they reach, where they are joined, and where they will swing to.
fn points(world: &World) -> Result<Vec<Vec3>, linkwork::Error> {
    let mut points = Vec::new();
    for record in world.bodies() {
        let (mass, center) = record.body().center_of_mass(world.q(record.id())?);
        if mass > 0.0 {
            points.push(center);
        }
        for corner in corners(record) {
            points.push(world.position_world(&corner)?);
        }
    }
    let mut pivots: Vec<Vec3> = Vec::new();
    for record in world.constraints() {
        for connector in record.connectors() {
            // A direction or a number is nowhere.
            let Ok(point) = world.position_world(connector) else {
                continue;
            };
            points.push(point);
            let turns = record.row_range().len() < 6;
            if connector.is_on(GROUND) && turns && !pivots.contains(&point) {
                pivots.push(point);
            }
        }
    }
    // What hangs on one point swings about it.
    if let [pivot] = pivots[..] {
        let far = |point: &Vec3| norm(sub(*point, pivot));
        let reach = points.iter().map(far).fold(0.0, f64::max);
        let flat = points.iter().all(|point| point[2] == pivot[2]);
        for k in 0..if flat { 2 } else { 3 } {
            for side in [-reach, reach] {
                let mut point = pivot;
                point[k] += side;
                points.push(point);
            }
        }
    }
    Ok(points)
}

/// Points on a body's shape that tell how far it reaches.
fn corners(record: &BodyRecord) -> Vec<Connector> {
    let id = record.id();
    let body: &dyn std::any::Any = record.body();
    if let Some(PlanarBody {
        outline: Some(outline),
        ..
    }) = body.downcast_ref()
    {
        let [x, y] = match outline {
            Outline::Rod(rod) => [0.5 * rod.length, 0.0],
            Outline::Box(plate) => plate.size.map(|edge| 0.5 * edge),
            _ => return Vec::new(),
        };
        return vec![id.at([x, y]), id.at([-x, -y])];
    }
    let half = match body.downcast_ref().and_then(RigidBody::solid) {
        Some(Solid::Rod(rod)) => [0.5 * rod.length, rod.radius, rod.radius],
        Some(Solid::Cuboid(cuboid)) => cuboid.size.map(|edge| 0.5 * edge),
        Some(Solid::Cylinder(solid)) => [0.5 * solid.length, solid.radius, solid.radius],
        _ => return Vec::new(),
    };
    let sign = |corner: usize, k: usize| if corner >> k & 1 == 0 { -1.0 } else { 1.0 };
    let corner = |corner: usize| id.at([0, 1, 2].map(|k| sign(corner, k) * half[k]));
    (0..8).map(corner).collect()
}
