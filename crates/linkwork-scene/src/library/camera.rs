//! A camera that sees all of a world as it starts.

use linkwork::math::{Vec3, add, norm, scale, sub, unit};
use linkwork::prelude::*;

use crate::format::CameraEntry;

/// How far the camera is, in radii of what it sees.
const DISTANCE: f64 = 2.6;

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
    let digits = 10f64.powi((2.0 - radius.log10()).ceil().clamp(0.0, 9.0) as i32);
    let short = |x: Vec3| x.map(|x| (x * digits).round() / digits + 0.0);
    Ok(CameraEntry {
        eye: short(add(target, scale(DISTANCE * radius, way))),
        target: short(target),
    })
}

/// Where bodies are and where they are joined.
fn points(world: &World) -> Result<Vec<Vec3>, linkwork::Error> {
    let mut points = Vec::new();
    for record in world.bodies() {
        let q = world.q(record.id())?;
        let (mass, centre) = record.body().centre_of_mass(q);
        if mass > 0.0 {
            points.push(centre);
        }
    }
    for record in world.constraints() {
        for connector in record.connectors() {
            // A direction or a number is nowhere.
            if let Ok(point) = world.position_world(connector) {
                points.push(point);
            }
        }
    }
    Ok(points)
}
