//! What of bodies collides: their solids, or the parts that are drawn of them.

use std::sync::Arc;

use linkwork::body::{Body, Outline, Solid};
use linkwork::collide::{Polygon, Polyhedron, Shape};
use linkwork::prelude::*;
use linkwork::world::Collider;

use super::super::fields::{BOUNCE, COLLIDE, GROUP, SURFACE_FRICTION, WITH_JOINED};
use super::{PartType, planar_of, pose};
use crate::catalogue::{Entry, Fields};
use crate::fault::{Fault, Under};
use crate::format::BodyView;
use crate::scene::Scene;

/// Half the width of a bar of the plane, which has none, as a part of its length.
const HALF_WIDTH: f64 = 0.03;

/// As many groups as have a bit. The first bit is that of all.
const MOST_GROUPS: usize = 31;

/// Lets a body collide as its entry says.
pub(crate) fn set_colliders(scene: &mut Scene, id: BodyId, fields: &Fields) -> Result<(), Fault> {
    let colliders = match fields.or(&COLLIDE, false)? {
        true => colliders(scene, id, fields)?,
        false => Vec::new(),
    };
    scene.world.set_colliders(id, colliders)?;
    Ok(())
}

/// Whether a body has something to collide with.
pub(crate) fn has_shape(body: &dyn Body, view: Option<&BodyView>) -> bool {
    let is_drawn = || {
        let is_drawn_as = body.as_rigid().is_some() || planar_of(body).is_some();
        is_drawn_as && view.is_some_and(|view| !view.draw.is_empty())
    };
    body.as_rigid().and_then(RigidBody::solid).is_some()
        || planar_of(body).is_some_and(|own| own.outline.is_some())
        || is_drawn()
}

/// What collides of a body, as its entry says or as bodies do.
pub(crate) fn colliders(
    scene: &mut Scene,
    id: BodyId,
    fields: &Fields,
) -> Result<Vec<Collider>, Fault> {
    let group = fields.get::<&str>(&GROUP)?;
    let bit = group.map_or(Ok(0), |name| group_bit(scene, name))?;
    let record = scene.world.body_record(id)?;
    let view = scene.body_views.get(record.label());
    let shapes = shapes(record.body(), view)?;
    if shapes.is_empty() {
        return Err(Fault::at("collide", "finds no shape in this body")
            .hint("give it parts to draw in \"view\", or another type"));
    }
    let friction = fields.or(&SURFACE_FRICTION, DEFAULT_FRICTION)?;
    let restitution = fields.or(&BOUNCE, 0.0)?;
    let with_joined = fields.or(&WITH_JOINED, false)?;
    let collider = |(shape, pose): (Shape, Pose)| {
        let mut own = Collider::new(shape).placed(pose);
        (own.friction, own.restitution) = (friction, restitution);
        (own.groups, own.not_with) = (1 | bit, bit);
        own.with_joined = with_joined;
        own
    };
    Ok(shapes.into_iter().map(collider).collect())
}

pub(crate) const DEFAULT_FRICTION: f64 = 0.5;

/// How a body that collides is written.
pub(crate) fn describe_colliders(scene: &Scene, id: BodyId, fields: Fields) -> Fields {
    let Some(own) = scene.world.colliders(id).ok().and_then(|all| all.first()) else {
        return fields;
    };
    let bit = own.not_with.trailing_zeros() as usize;
    let group = scene.groups.get(bit.wrapping_sub(1)).cloned();
    (fields.with(&COLLIDE, true))
        .unless(&SURFACE_FRICTION, own.friction, DEFAULT_FRICTION)
        .unless(&BOUNCE, own.restitution, 0.0)
        .with_some(&GROUP, group)
        .unless(&WITH_JOINED, own.with_joined, false)
}

/// The bit of a group, which is made where there is none of this name.
fn group_bit(scene: &mut Scene, name: &str) -> Result<u32, Fault> {
    let known = scene.groups.iter().position(|own| own == name);
    let at = known.unwrap_or_else(|| {
        scene.groups.push(name.to_owned());
        scene.groups.len() - 1
    });
    if at >= MOST_GROUPS {
        let problem = format!("is one of more than {MOST_GROUPS} groups");
        return Err(Fault::at("group", problem));
    }
    Ok(2 << at)
}

/// The shapes of a body, in its frame.
fn shapes(body: &dyn Body, view: Option<&BodyView>) -> Result<Vec<(Shape, Pose)>, Fault> {
    let here = Pose::at([0.0; 3]);
    if let Some(solid) = body.as_rigid().and_then(RigidBody::solid) {
        return Ok(vec![(shape(solid)?, here)]);
    }
    if let Some(outline) = planar_of(body).and_then(|own| own.outline) {
        return Ok(vec![(flat(&outline)?, here)]);
    }
    let parts = view.map_or(&[][..], |view| &view.draw);
    let one = |part: &Entry<PartType>| {
        let solid = (part.kind.solid)(&part.fields)?;
        Ok::<_, Fault>((shape(&solid)?, pose(&part.fields)?))
    };
    let parts = parts.iter().enumerate();
    let parts = parts.map(|(at, part)| one(part).under(&format!("view.draw[{at}]")));
    parts.collect()
}

fn shape(solid: &Solid) -> Result<Shape, Fault> {
    Ok(match solid {
        Solid::Rod(own) => match 0.5 * own.length - own.radius {
            // Round ends within its length.
            half_length if half_length > 0.0 => Shape::Capsule {
                half_length,
                radius: own.radius,
            },
            _ => Shape::Cylinder {
                half_length: 0.5 * own.length,
                radius: own.radius,
            },
        },
        Solid::Cuboid(own) => Shape::Box {
            half: own.size.map(|edge| 0.5 * edge),
        },
        Solid::Sphere(own) => Shape::Sphere { radius: own.radius },
        Solid::Cylinder(own) => Shape::Cylinder {
            half_length: 0.5 * own.length,
            radius: own.radius,
        },
        Solid::Disc(own) => Shape::Cylinder {
            half_length: 0.5 * own.thickness,
            radius: own.radius,
        },
        Solid::Mesh(own) => Shape::Hull(Arc::new(Polyhedron::new(&own.vertices)?)),
        _ => return Err(Fault::at("collide", "knows no shape of this solid")),
    })
}

fn flat(outline: &Outline) -> Result<Shape, Fault> {
    let polygon = |points: Vec<[f64; 2]>, radius: f64| {
        Ok::<_, Fault>(Shape::Polygon(Arc::new(Polygon::new(points, radius)?)))
    };
    match outline {
        Outline::Rod(own) => {
            let radius = HALF_WIDTH * own.length;
            let half = 0.5 * own.length - radius;
            polygon(vec![[-half, 0.0], [half, 0.0]], radius)
        }
        Outline::Disc(own) => Ok(Shape::Disc { radius: own.radius }),
        Outline::Box(own) => {
            let [x, y] = own.size.map(|edge| 0.5 * edge);
            polygon(vec![[-x, -y], [x, -y], [x, y], [-x, y]], 0.0)
        }
        _ => Err(Fault::at("collide", "knows no shape of this body")),
    }
}
