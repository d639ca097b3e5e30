//! What a viewer draws of points: each with a line to the place of the body that it belongs to.

use std::any::Any;

use linkwork::math::Vec3;
use linkwork::prelude::*;
use linkwork::world::{ConstraintRecord, GripRecord};

use super::own::as_pull;
use super::{PointLine, PointPull};
use crate::format::TableEntry;
use crate::formula::{Fit, fit_errors, with_inputs};
use crate::scene::Scene;

/// No place: of a point that is nobody's, and of a row of a table that a formula goes through.
const NOWHERE: Vec3 = [f64::NAN; 3];

/// Points of this moment, eight numbers each: the joint by which they pull, as its place among the joints of
/// [`Look`](crate::export::Look); where the point is; where the place is that it belongs to; how far it is off, m.
/// Points that are nobody's have no place and no distance, which are then not numbers; rows of a table that a formula
/// goes through have no place.
pub fn point_lines(scene: &Scene, out: &mut Vec<f64>) {
    out.clear();
    let world = &scene.world;
    let hands: Vec<ConstraintId> = world.grips().iter().map(GripRecord::constraint).collect();
    let joints = world.constraints().iter();
    let joints = joints.filter(|own| !hands.contains(&own.id()));
    let mut owned: Vec<(&PointPull, f64, Vec<usize>)> = Vec::new();
    for (at, record) in joints.enumerate().filter(|(_, own)| own.enabled()) {
        let at = at as f64;
        let law: &dyn Any = record.constraint();
        if let Some(fit) = law.downcast_ref::<Fit>() {
            rows(world, record, fit.table(), at, out);
        }
        let Some(pull) = as_pull(record) else {
            continue;
        };
        let lines = lines_of(world, record, pull);
        for line in &lines {
            put(at, line.at, line.place, line.error, out);
        }
        let ids = lines.iter().map(|own| own.id);
        let is_same = |other: &PointPull| {
            let (one, other) = (pull.said(), other.said());
            one.table == other.table && one.only == other.only
        };
        match owned.iter_mut().find(|(other, ..)| is_same(other)) {
            Some((_, _, known)) => known.extend(ids),
            None => owned.push((pull, at, ids.collect())),
        }
    }
    for (pull, at, known) in owned {
        let frame = pull.sequence().frame_at(world.state().t);
        for seen in frame.points.iter().filter(|own| !known.contains(&own.id)) {
            put(at, seen.at, NOWHERE, f64::NAN, out);
        }
    }
}

/// The points of a pull.
pub(crate) fn lines_of(
    world: &World,
    record: &ConstraintRecord,
    pull: &PointPull,
) -> Vec<PointLine> {
    let t = world.state().t;
    with_inputs(world, record, |inputs| pull.lines(t, inputs)).unwrap_or_default()
}

/// Rows of a table that say where points are.
fn rows(world: &World, record: &ConstraintRecord, of: &TableEntry, at: f64, out: &mut Vec<f64>) {
    let column = |name: &str| of.columns.iter().position(|own| own == name);
    let Some((x, y)) = column("x").zip(column("y")) else {
        return;
    };
    let z = column("z");
    for own in fit_errors(world, record).unwrap_or_default().rows {
        let row = &of.rows[own.row];
        let place = [Some(x), Some(y), z].map(|of| of.and_then(|of| row[of].0).unwrap_or(0.0));
        put(at, place, NOWHERE, own.error, out);
    }
}

fn put(joint: f64, at: Vec3, place: Vec3, error: f64, out: &mut Vec<f64>) {
    out.push(joint);
    out.extend(at);
    out.extend(place);
    out.push(error);
}
