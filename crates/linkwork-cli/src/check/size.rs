//! How large bodies are, and how far from them their joints sit.

use std::any::Any;

use linkwork::body::{Outline, PlanarBody, Solid};
use linkwork::connector::{Connector, Site};
use linkwork::math::{Vec3, norm, sub};
use linkwork::prelude::*;
use linkwork::world::BodyRecord;

/// The radius of a body's shape about its origin, m, where it has one.
pub(crate) fn radius(record: &BodyRecord) -> Option<f64> {
    let body: &dyn Any = record.body();
    if let Some(rigid) = body.downcast_ref::<RigidBody>() {
        return Some(match rigid.solid()? {
            Solid::Rod(rod) => norm([0.5 * rod.length, rod.radius, 0.0]),
            Solid::Cuboid(cuboid) => 0.5 * norm(cuboid.size),
            Solid::Sphere(sphere) => sphere.radius,
            Solid::Cylinder(own) => norm([0.5 * own.length, own.radius, 0.0]),
            Solid::Disc(disc) => norm([0.5 * disc.thickness, disc.radius, 0.0]),
            _ => return None,
        });
    }
    let planar = body.downcast_ref::<PlanarBody>()?;
    Some(match planar.outline? {
        Outline::Rod(rod) => 0.5 * rod.length,
        Outline::Disc(disc) => disc.radius,
        Outline::Box(own) => 0.5 * norm([own.size[0], own.size[1], 0.0]),
        _ => return None,
    })
}

/// How far outside of a body's shape a point of it is, m; zero inside.
pub(crate) fn outside(record: &BodyRecord, site: &Site) -> Option<f64> {
    let [x, y, z] = match *site {
        Site::Point(point) | Site::Frame { origin: point, .. } => point,
        Site::Point2([x, y]) | Site::Frame2 { origin: [x, y], .. } => [x, y, 0.0],
        _ => return None,
    };
    let beyond = |distance: f64, reach: f64| (distance.abs() - reach).max(0.0);
    // Shapes are centered at the origin of their body; bars, cylinders and discs lie along x.
    let of_bar = |half: f64, radius: f64| {
        let from_axis = norm([y, z, 0.0]);
        norm([beyond(x, half), beyond(from_axis, radius), 0.0])
    };
    let of_box = |size: Vec3| {
        let [a, b, c] = size.map(|edge| 0.5 * edge);
        norm([beyond(x, a), beyond(y, b), beyond(z, c)])
    };
    let of_ball = |radius: f64| beyond(norm([x, y, z]), radius);
    let body: &dyn Any = record.body();
    if let Some(rigid) = body.downcast_ref::<RigidBody>() {
        return Some(match rigid.solid()? {
            Solid::Rod(rod) => of_bar(0.5 * rod.length, rod.radius),
            Solid::Cuboid(cuboid) => of_box(cuboid.size),
            Solid::Sphere(sphere) => of_ball(sphere.radius),
            Solid::Cylinder(own) => of_bar(0.5 * own.length, own.radius),
            Solid::Disc(disc) => of_bar(0.5 * disc.thickness, disc.radius),
            _ => return None,
        });
    }
    let planar = body.downcast_ref::<PlanarBody>()?;
    Some(match planar.outline? {
        Outline::Rod(rod) => of_bar(0.5 * rod.length, 0.0),
        Outline::Disc(disc) => of_ball(disc.radius),
        Outline::Box(own) => of_box([own.size[0], own.size[1], 0.0]),
        _ => return None,
    })
}

/// How far a point or frame sits from the center of mass of its body, m.
pub(crate) fn reach(world: &World, connector: &Connector) -> Option<f64> {
    let (body, site) = connector.place()?;
    let has_place = matches!(
        site,
        Site::Point(_) | Site::Frame { .. } | Site::Point2(_) | Site::Frame2 { .. }
    );
    let record = world.body_record(body).ok().filter(|_| has_place)?;
    let (_, center): (f64, Vec3) = record.body().center_of_mass(world.q(body).ok()?);
    let place = world.position_world(connector).ok()?;
    Some(norm(sub(place, center)))
}

/// The middle one.
pub(crate) fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
