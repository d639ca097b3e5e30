//! Connectors of entries.

use linkwork::connector::{Connector, ConnectorKind, Site};
use linkwork::math::{Mat3, mat_t_vec, quat_normalize, quat_to_matrix, sub, unit};
use linkwork::prelude::*;
use linkwork::shape::nearest_on_curve;
use linkwork::world::{BlockRecord, BodyRecord};

use super::quantity;
use crate::catalogue::body::{euler, scalar_index, scalars};
use crate::fault::{Fault, Under};
use crate::format::numbers::exactly;
use crate::format::{ConnectorEntry, ConnectorRef};
use crate::scene::Scene;

/// Adds a connector to the scene's list.
pub(crate) fn add(scene: &mut Scene, entry: &ConnectorEntry) -> Result<(), Fault> {
    let Some(name) = &entry.name else {
        return Err(Fault::missing("name", "what joints call it"));
    };
    if scene.connector(name).is_some() {
        return Err(Fault::at(
            "name",
            format!("\"{name}\" is taken by another connector"),
        ));
    }
    if name == "ground" || scene.world.find_body(name).is_some() {
        let problem = format!("\"{name}\" is taken by a body");
        return Err(Fault::at("name", problem).hint("the name would be ambiguous in joints"));
    }
    quantity::refuse_name(scene, name)?;
    scene.parameters.check_free("connector", name)?;
    let connector = site(scene, entry)?;
    scene.world.connector_value(&connector)?;
    scene.connectors.push((name.clone(), connector));
    Ok(())
}

/// The body with this name.
pub(crate) fn body(world: &World, name: &str) -> Result<BodyId, Fault> {
    if name == "ground" {
        return Ok(GROUND);
    }
    let Some(id) = world.find_body(name) else {
        let known = world.bodies().iter().map(BodyRecord::label);
        let fault = Fault::at("", format!("no body is called \"{name}\""));
        return Err(fault.meant(name, known.chain(["ground"])));
    };
    // Hands come and go; nothing is built on them.
    if world.grips().iter().any(|grip| grip.hand() == id) {
        return Err(Fault::at("", format!("\"{name}\" is a hand, not a body")));
    }
    Ok(id)
}

/// The connector a joint refers to.
pub(crate) fn resolve(scene: &Scene, reference: &ConnectorRef) -> Result<Connector, Fault> {
    match reference {
        ConnectorRef::Inline(entry) if entry.name.is_some() => {
            Err(Fault::at("name", "belongs in the list \"connectors\"")
                .hint("leave it out, or list the connector and give its name here"))
        }
        ConnectorRef::Inline(entry) => site(scene, entry),
        ConnectorRef::Name(name) => {
            if let Some(connector) = scene.connector(name) {
                return Ok(*connector);
            }
            if let Ok(body) = body(&scene.world, name) {
                return Ok(origin(&scene.world, body));
            }
            if let Some(quantity) = scene.world.find_block(name) {
                return Ok(quantity.output(0));
            }
            let known = scene.connectors.iter().map(|(name, _)| name.as_str());
            let bodies = scene.world.bodies().iter().map(BodyRecord::label);
            let quantities = scene.world.blocks().iter().map(BlockRecord::label);
            let problem = format!("no connector and no body is called \"{name}\"");
            Err(Fault::at("", problem).meant(name, known.chain(bodies).chain(quantities)))
        }
    }
}

/// The bodies a joint at a point of the world refers to.
pub(crate) fn resolve_body(scene: &Scene, reference: &ConnectorRef) -> Result<BodyId, Fault> {
    match reference {
        ConnectorRef::Name(name) => body(&scene.world, name),
        ConnectorRef::Inline(entry) => {
            let plain = ConnectorEntry {
                body: entry.body.clone(),
                ..ConnectorEntry::default()
            };
            if **entry != plain {
                return Err(Fault::at("", "says where, and so does \"at\"")
                    .hint("give a body here, or leave \"at\" out"));
            }
            body(&scene.world, &entry.body).under("body")
        }
    }
}

/// Whether a body lives in the plane only.
pub(crate) fn is_planar(world: &World, body: BodyId) -> bool {
    let Ok(record) = world.body_record(body) else {
        return false;
    };
    let offers = |site: Site| matches!(record.body().connector_kind(&site), Ok(Some(_)));
    offers(Site::Point2([0.0; 2])) && !offers(Site::Point([0.0; 3]))
}

/// Whether a body is a curve of the plane.
pub(crate) fn is_flat_curve(world: &World, body: BodyId) -> bool {
    let shape = world.body_record(body).ok();
    let shape = shape.and_then(|record| record.body().shape());
    shape.is_some_and(|shape| shape.dimension() == 2)
}

/// Whether a connector is in the plane.
pub(crate) fn in_plane(world: &World, connector: &Connector) -> bool {
    match connector.site() {
        Some(site) => site.is_planar(),
        None => kind_of(world, connector).is_some_and(ConnectorKind::is_planar),
    }
}

/// What an output of a quantity is.
pub(crate) fn kind_of(world: &World, connector: &Connector) -> Option<ConnectorKind> {
    let &Connector::Output { block, output } = connector else {
        return None;
    };
    let record = world.block_record(block).ok()?;
    record.outputs().get(output as usize).copied()
}

/// Whether a body, or the ground, has points of the plane.
pub(crate) fn is_in_plane(world: &World, body: BodyId) -> bool {
    let Ok(record) = world.body_record(body) else {
        return body == GROUND;
    };
    let has_points = matches!(
        record.body().connector_kind(&Site::Point2([0.0; 2])),
        Ok(Some(_))
    );
    has_points || is_flat_curve(world, body)
}

/// The point that a shape is, if it has no parameters.
pub(crate) fn lone_point(world: &World, body: BodyId) -> Option<Connector> {
    let shape = world.body_record(body).ok()?.body().shape()?;
    shape.domains().is_empty().then(|| match shape.dimension() {
        2 => body.curve2(0.0),
        _ => body.curve(0.0),
    })
}

/// A shape as a whole, since it has no origin: all of its numbers, or the point if it is only one.
fn whole(world: &World, body: BodyId) -> Option<Connector> {
    world.body_record(body).ok()?.body().shape()?;
    Some(lone_point(world, body).unwrap_or_else(|| body.coordinates()))
}

/// A body by its name: its origin, and of a shape all that it is.
fn origin(world: &World, body: BodyId) -> Connector {
    if let Some(whole) = whole(world, body) {
        return whole;
    }
    if is_planar(world, body) {
        return body.at([0.0; 2]);
    }
    body.at([0.0; 3])
}

/// The point of a body that is now at a point of the world.
pub(crate) fn point_at(world: &World, body: BodyId, at: &[f64]) -> Result<Connector, Fault> {
    if let Some(connector) = curve_at(world, body, at)? {
        return Ok(connector);
    }
    if at.len() == 2 {
        let x: [f64; 2] = exactly("at", at)?;
        if !is_in_plane(world, body) {
            let problem = "has 2 numbers, but joins a body in space";
            return Err(Fault::at("at", problem).hint("give 3"));
        }
        return planar_point_at(world, body, x);
    }
    let x = exactly("at", at)?;
    if is_planar(world, body) {
        let problem = "has 3 numbers, but joins a body of the plane";
        return Err(Fault::at("at", problem).hint("give 2"));
    }
    if body == GROUND {
        return Ok(body.at(x));
    }
    let Some(pose) = world.pose(body)? else {
        // A particle is nothing but its position.
        let position = world.position_world(&body.at([0.0; 3]))?;
        return Ok(body.at(sub(x, position)));
    };
    if world.body_record(body)?.body().moves_as_one() {
        let rot_world_body = quat_to_matrix(pose.rotation);
        return Ok(body.at(mat_t_vec(&rot_world_body, sub(x, pose.position))));
    }
    // What deforms is held by the matter that is there now.
    Ok(world.point_of(body, x)?)
}

/// The point of a curve that is nearest to a point of the world; none if the body is no curve.
fn curve_at(world: &World, body: BodyId, at: &[f64]) -> Result<Option<Connector>, Fault> {
    let shape = world.body_record(body).ok();
    let Some(shape) = shape.and_then(|record| record.body().shape()) else {
        return Ok(None);
    };
    let n = shape.dimension();
    if at.len() != n {
        let problem = format!(
            "has {} numbers, but joins a curve of {n} coordinates",
            at.len()
        );
        return Err(Fault::at("at", problem).hint(format!("give {n}")));
    }
    let x = [0, 1, 2].map(|k: usize| at.get(k).copied().unwrap_or(0.0));
    let u = nearest_on_curve(&**shape, world.q(body)?, x).unwrap_or(0.0);
    Ok(Some(match n {
        2 => body.curve2(u),
        _ => body.curve(u),
    }))
}

fn planar_point_at(world: &World, body: BodyId, x: [f64; 2]) -> Result<Connector, Fault> {
    if body == GROUND {
        return Ok(body.at(x));
    }
    // Points of planar bodies and of troids are affine in their coordinates: x = t + A·X.
    let value = |point: [f64; 2]| -> Result<[f64; 2], Fault> {
        let value = world.connector_value(&body.at(point))?.x;
        Ok([value[0], value[1]])
    };
    let (t, e1, e2) = (value([0.0, 0.0])?, value([1.0, 0.0])?, value([0.0, 1.0])?);
    let (a, b) = ([e1[0] - t[0], e1[1] - t[1]], [e2[0] - t[0], e2[1] - t[1]]);
    let d = [x[0] - t[0], x[1] - t[1]];
    let det = a[0] * b[1] - a[1] * b[0];
    if det == 0.0 {
        return Err(Fault::at(
            "at",
            "cannot be found on a sheet that is folded flat",
        ));
    }
    let point = [
        (d[0] * b[1] - d[1] * b[0]) / det,
        (a[0] * d[1] - a[1] * d[0]) / det,
    ];
    Ok(body.at(point))
}

/// The connector an entry describes.
pub(crate) fn site(scene: &Scene, entry: &ConnectorEntry) -> Result<Connector, Fault> {
    let world = &scene.world;
    let body = body(world, &entry.body).under("body")?;
    let by = angle(entry)?;
    let rotation = rotation(entry)?;
    let ways = [
        by.is_some(),
        rotation.is_some(),
        entry.direction.is_some(),
        entry.scalar.is_some(),
        entry.curve.is_some(),
        entry.tangent.is_some(),
        entry.surface.is_some(),
        entry.interior.is_some(),
    ];
    if ways.iter().filter(|way| **way).count() > 1 {
        let hint = "a connector is a point, a frame, a direction or a number";
        return Err(Fault::at("", "is more than one thing").hint(hint));
    }
    if let Some(direction) = entry.direction {
        refuse_point(entry)?;
        if unit(direction).is_none() {
            let fault = Fault::at("direction", "has no direction");
            return Err(fault.hint("give a vector other than zero"));
        }
        return Ok(body.direction(direction));
    }
    if let Some(scalar) = &entry.scalar {
        refuse_point(entry)?;
        let own = world.body_record(body).ok();
        let own = own.and_then(|record| scalar_index(record.body(), scalar));
        let Some(index) = own else {
            let offers = scalars().map(|(word, name, _)| format!("a {word} offers \"{name}\""));
            let problem = format!("\"{}\" does not offer \"{scalar}\"", entry.body);
            let hint = offers.collect::<Vec<_>>().join(", ");
            return Err(Fault::at("scalar", problem).hint(hint));
        };
        return Ok(body.scalar(index));
    }
    if entry.framed == Some(true) && entry.surface.is_none() {
        let hint = "a frame elsewhere has \"axis\", \"quaternion\", \"euler_deg\" or \"rotation\"";
        return Err(Fault::at("framed", "is for points of a \"surface\"").hint(hint));
    }
    if let Some([u, v]) = entry.surface {
        refuse_point(entry)?;
        return Ok(match entry.framed {
            Some(true) => body.surface_frame(u, v),
            _ => body.surface(u, v),
        });
    }
    if let Some([r, u, v]) = entry.interior {
        refuse_point(entry)?;
        return Ok(body.interior(r, u, v));
    }
    if let Some(u) = entry.tangent {
        refuse_point(entry)?;
        return Ok(body.tangent(u));
    }
    if let Some(u) = entry.curve {
        refuse_point(entry)?;
        return Ok(match is_flat_curve(world, body) {
            true => body.curve2(u),
            false => body.curve(u),
        });
    }
    if entry.point.is_none()
        && !ways.contains(&true)
        && let Some(whole) = whole(world, body)
    {
        return Ok(whole);
    }
    let in_plane = match &entry.point {
        Some(point) => point.0.len() == 2,
        None => by.is_some() || is_planar(world, body),
    };
    let point = entry.point.as_ref();
    if in_plane {
        let point = point.map_or(Ok([0.0; 2]), |point| exactly("point", &point.0))?;
        if rotation.is_some() {
            let problem = "has a rotation in space and a point of the plane";
            return Err(Fault::at("", problem).hint("a frame of the plane has an \"angle\""));
        }
        return Ok(match by {
            Some(angle) => body.frame2(point, angle),
            None => body.at(point),
        });
    }
    let point = point.map_or(Ok([0.0; 3]), |point| exactly("point", &point.0))?;
    if by.is_some() {
        return Err(Fault::at("angle", "is for frames of the plane")
            .hint("in space give \"axis\", \"quaternion\", \"euler_deg\" or \"rotation\""));
    }
    Ok(match (rotation, entry.axis) {
        (Some(_), Some(axis)) => body.frame_along(point, axis),
        (Some(rotation), None) => body.frame(point, rotation),
        _ => body.at(point),
    })
}

/// An angle in radians or in degrees; not both.
fn angle(entry: &ConnectorEntry) -> Result<Option<f64>, Fault> {
    match (entry.angle, entry.angle_deg) {
        (Some(_), Some(_)) => {
            Err(Fault::at("angle_deg", "is given as \"angle\" too").hint("give one of the two"))
        }
        (radians, degrees) => Ok(radians.or(degrees.map(f64::to_radians))),
    }
}

fn refuse_point(entry: &ConnectorEntry) -> Result<(), Fault> {
    match entry.point {
        Some(_) => Err(Fault::at("point", "is given, but this has no place").hint("leave it out")),
        None => Ok(()),
    }
}

fn rotation(entry: &ConnectorEntry) -> Result<Option<Mat3>, Fault> {
    let given = [
        entry.axis.map(|_| linkwork::math::IDENTITY3),
        entry.quaternion.map(|q| quat_to_matrix(quat_normalize(q))),
        entry
            .euler_deg
            .map(|degrees| quat_to_matrix(euler(degrees))),
        entry.rotation,
    ];
    if given.iter().flatten().count() > 1 {
        let hint = "give one of \"axis\", \"quaternion\", \"euler_deg\", \"rotation\"";
        return Err(Fault::at("", "is turned in more than one way").hint(hint));
    }
    let names = ["axis", "quaternion", "euler_deg", "rotation"];
    for (name, rotation) in names.into_iter().zip(given) {
        let is_turn = entry.axis.is_none_or(|axis| unit(axis).is_some());
        let is_finite = |rotation: Mat3| rotation.as_flattened().iter().all(|x| x.is_finite());
        if let Some(rotation) = rotation {
            return match is_turn && is_finite(rotation) {
                true => Ok(Some(rotation)),
                false => {
                    Err(Fault::at(name, "says no direction")
                        .hint("give finite numbers, not all zero"))
                }
            };
        }
    }
    Ok(None)
}
