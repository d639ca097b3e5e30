//! The report of a frame: poses, shapes, turns of joints, and errors of points.

use std::any::Any;

use linkwork::body::ShapeBody;
use linkwork::math::{mat_t_mul, norm, quat_to_matrix, rotation_log};
use linkwork::prelude::*;
use linkwork::world::{BodyRecord, ConstraintRecord};

use super::own::as_pull;
use crate::formula::fit_errors;
use crate::scene::Scene;

/// What the numbers of [`report_row`] are called.
pub fn report_names(scene: &Scene) -> Vec<String> {
    let mut names = vec!["time".to_owned()];
    tell(scene, &mut |name, _| names.push(name));
    names
}

/// Time, then of each body that is pulled its pose and its shape, of each joint between bodies by which angle they are
/// turned against each other, in radians, and of each pull the root of the mean square error and the number of its
/// points.
pub fn report_row(scene: &Scene) -> Vec<f64> {
    let mut row = vec![scene.world.state().t];
    tell(scene, &mut |_, value| row.push(value));
    row
}

fn tell(scene: &Scene, see: &mut dyn FnMut(String, f64)) {
    let world = &scene.world;
    let pulls = || {
        world
            .constraints()
            .iter()
            .filter(|own| as_pull(own).is_some())
    };
    let is_pulled = |body: &BodyRecord| pulls().any(|own| own.connectors()[0].is_on(body.id()));
    for record in world.bodies().iter().filter(|own| is_pulled(own)) {
        tell_body(world, record, see);
    }
    for record in world.constraints() {
        if let Some(turn) = turn(world, record) {
            see(format!("{}.turn", record.label()), turn);
        }
    }
    for record in pulls() {
        let errors = fit_errors(world, record).unwrap_or_default();
        see(format!("{}.rms", record.label()), errors.rms());
        see(
            format!("{}.points", record.label()),
            errors.rows.len() as f64,
        );
    }
}

fn tell_body(world: &World, record: &BodyRecord, see: &mut dyn FnMut(String, f64)) {
    let name = record.label();
    if let Ok(Some(pose)) = world.pose(record.id()) {
        let axes = ["x", "y", "z"].into_iter().zip(pose.position);
        let turns = ["qw", "qx", "qy", "qz"].into_iter().zip(pose.rotation);
        axes.chain(turns)
            .for_each(|(axis, value)| see(format!("{name}.{axis}"), value));
    }
    let body: &dyn Any = record.body();
    let shape = body
        .downcast_ref::<ShapeBody>()
        .and_then(ShapeBody::as_superquadric);
    let Some((map, _)) = shape else { return };
    for coordinate in map.coordinates() {
        let site = record.id().scalar(coordinate as u32);
        let value = world.connector_value(&site);
        let own = linkwork::shape::Superquadric::NAMES[coordinate];
        see(
            format!("{name}.{own}"),
            value.map_or(f64::NAN, |own| own.x[0]),
        );
    }
}

/// By which angle the two bodies of a joint are turned against each other, radians; none if it joins no two bodies that
/// turn.
pub(crate) fn turn(world: &World, record: &ConstraintRecord) -> Option<f64> {
    let [a, b] = record.connectors() else {
        return None;
    };
    let rotation = |own: BodyId| Some(quat_to_matrix(world.pose(own).ok()??.rotation));
    let (a, b) = (a.body()?, b.body()?);
    let between = mat_t_mul(&rotation(a)?, &rotation(b)?);
    (a != b).then(|| norm(rotation_log(&between)))
}
