//! What joints hold: connectors of their entries, as their laws need them.

use super::*;

/// The two connectors of an entry.
pub(super) fn sides(scene: &Scene, entry: &Entry<JointType>) -> Result<[Connector; 2], Fault> {
    let (a, b): (&ConnectorRef, &ConnectorRef) = (entry.fields.need(&A)?, entry.fields.need(&B)?);
    let under = |side: &'static str| move |fault: Fault| fault.under(side);
    if let Some(at) = entry.fields.get::<&[f64]>(&AT)? {
        let body = |side, reference| resolve_body(scene, reference).map_err(under(side));
        let (on_a, on_b) = (body("a", a)?, body("b", b)?);
        let world = &scene.world;
        let apart = |one, other| is_planar(world, one) && !is_in_plane(world, other);
        if apart(on_a, on_b) || apart(on_b, on_a) {
            let problem =
                "joins a body of the plane and one in space, which do not meet in a joint";
            return Err(Fault::at("", problem).hint("make both planar, or neither"));
        }
        let point = |body| point_at(&scene.world, body, at);
        return Ok([point(on_a)?, point(on_b)?]);
    }
    let mut sides = [
        resolve(scene, a).map_err(under("a"))?,
        resolve(scene, b).map_err(under("b"))?,
    ];
    // "ground" by name is in the plane when the other side is.
    let is_plain_ground = |reference: &ConnectorRef| matches!(reference, ConnectorRef::Name(name) if name == "ground");
    for (own, other) in [(0, 1), (1, 0)] {
        if is_plain_ground([a, b][own]) && in_plane(&scene.world, &sides[other]) {
            sides[own] = GROUND.at([0.0; 2]);
        }
    }
    Ok(sides)
}

/// The two connectors of an entry; points are taken for frames along these axes, one for each side.
pub(super) fn framed(
    scene: &Scene,
    entry: &Entry<JointType>,
    axes: &[Field],
) -> Result<Vec<Connector>, Fault> {
    let mut connectors = sides(scene, entry)?.to_vec();
    for (connector, axis) in connectors.iter_mut().zip(axes) {
        *connector = as_frame(scene, entry, *connector, axis)?;
    }
    Ok(connectors)
}

/// The same where b is measured along x of a, which is the axis in the plane too.
pub(super) fn framed_along_x(
    scene: &Scene,
    entry: &Entry<JointType>,
) -> Result<Vec<Connector>, Fault> {
    let mut sides = framed(scene, entry, &[AXIS])?;
    let [x, y, _] = entry.fields.or(&AXIS, [1.0, 0.0, 0.0])?;
    sides[0] = scene.world.planar_frame_on(sides[0], libm::atan2(y, x))?;
    Ok(sides)
}

/// The only connector of an entry.
pub(super) fn side(scene: &Scene, entry: &Entry<JointType>) -> Result<Vec<Connector>, Fault> {
    let a: &ConnectorRef = entry.fields.need(&A)?;
    Ok(vec![resolve(scene, a).under("a")?])
}

/// All connectors of an entry that lists them.
pub(super) fn listed(scene: &Scene, entry: &Entry<JointType>) -> Result<Vec<Connector>, Fault> {
    let list: &[ConnectorRef] = entry.fields.need(&CONNECTORS)?;
    let list = list.iter().enumerate().map(|(at, reference)| {
        let under = |fault: Fault| fault.under(&format!("connectors[{at}]"));
        resolve(scene, reference).map_err(under)
    });
    list.collect()
}

/// Takes frames for points where points are wanted.
pub(super) fn fit(connectors: &mut [Connector], kinds: &[ConnectorKind]) {
    for (connector, kind) in connectors.iter_mut().zip(kinds) {
        if matches!(kind, ConnectorKind::Point3 | ConnectorKind::Point2) {
            *connector = as_point(*connector);
        }
    }
}

pub(super) fn as_point(connector: Connector) -> Connector {
    match connector.place() {
        Some((body, Site::Frame { origin, .. })) => body.at(origin),
        Some((body, Site::Frame2 { origin, .. })) => body.at(origin),
        Some((body, Site::SurfaceFrame([u, v]))) => body.surface(u, v),
        _ => connector,
    }
}

/// Takes a point for a frame whose x is along a direction of the world.
pub(super) fn as_frame(
    scene: &Scene,
    entry: &Entry<JointType>,
    connector: Connector,
    field: &Field,
) -> Result<Connector, Fault> {
    let axis = entry.fields.get::<Vec3>(field)?;
    frame_along(scene, connector, axis, field)
}

/// The same, with the direction that a field says or stands for.
pub(super) fn frame_along(
    scene: &Scene,
    connector: Connector,
    axis: Option<Vec3>,
    field: &Field,
) -> Result<Connector, Fault> {
    if !connector.site().is_some_and(Site::is_point_in_space) {
        return Ok(connector);
    }
    let Some(axis) = axis else {
        let what = "a direction of the world, or frames as connectors";
        return Err(Fault::missing(field.name, what));
    };
    let Some(x) = unit(axis) else {
        return Err(Fault::at(field.name, "has no direction").hint("give a vector other than zero"));
    };
    let (y, z) = complete_basis(x);
    Ok(scene.world.frame_on(connector, &transpose(&[x, y, z]))?)
}
