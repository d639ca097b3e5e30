//! What of bodies collides: their solids, or the parts that are drawn of them.

use std::sync::Arc;

use linkwork::body::{Body, Outline, ShapeBody, Solid, Troid};
use linkwork::collide::{Polygon, Polyhedron, Shape, Triangles};
use linkwork::math::{Vec3, quat_to_matrix};
use linkwork::prelude::*;
use linkwork::world::Collider;

use super::super::fields::*;
use super::height_field::{HEIGHTS, SPACING};
use super::mesh::{CONVEX, TRIANGLES, VERTICES};
use super::{PartType, as_own, mesh, planar_of, pose, troid};
use crate::catalogue::{Entry, Fields, Law, Type, Value};
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
        || deformed(body).is_some()
        || is_drawn()
}

/// What a body that may deform collides as: all of it.
fn deformed(body: &dyn Body) -> Option<Result<Shape, Fault>> {
    if let Some((map, _)) = as_own(body).and_then(ShapeBody::as_superquadric) {
        return Some(Ok(Shape::Superquadric(*map.born())));
    }
    if body.skin().is_some() {
        return Some(Ok(Shape::Nodes));
    }
    let troid: &Troid = as_own(body)?;
    let shape = polygon(troid::outline(troid), 0.0);
    Some(shape.map_err(|fault| {
        match &troid.outline {
            None => fault,
            Some(_) => Fault::at("outline", "is not convex, and what collides must be")
                .hint("leave corners out, or \"collide\""),
        }
    }))
}

/// What collides of a body, as its entry says or as bodies do.
pub(crate) fn colliders(
    scene: &mut Scene,
    id: BodyId,
    fields: &Fields,
) -> Result<Vec<Collider>, Fault> {
    let [groups, not_with] = group_bits(scene, id, fields)?;
    let shapes = match fields.get::<&[(&'static Type, Fields)]>(&SHAPES)? {
        Some(parts) => {
            let parts = parts.iter().enumerate();
            let is_flat = planar_of(scene.world.body_record(id)?.body()).is_some();
            let parts = parts.map(|(at, (kind, fields))| {
                let kind = PartType::find(kind.word);
                let kind = kind.ok_or_else(|| Fault::at("type", "is no solid"));
                kind.and_then(|kind| part(kind, fields, is_flat))
                    .under(&format!("shapes[{at}]"))
            });
            parts.collect::<Result<Vec<_>, _>>()?
        }
        None => own_shapes(scene, id, fields.or(&CONVEX, true)?)?,
    };
    if shapes.is_empty() {
        return Err(Fault::at("collide", "finds no shape in this body")
            .hint("give it \"shapes\", parts to draw in \"view\", or another type"));
    }
    let friction = fields.or(&SURFACE_FRICTION, DEFAULT_FRICTION)?;
    let rolling = fields.or(&ROLLING_FRICTION, 0.0)?;
    let spinning = fields.or(&SPINNING_FRICTION, 0.0)?;
    let stiffness = fields.or(&CONTACT_STIFFNESS, f64::INFINITY)?;
    let damping = fields.or(&CONTACT_DAMPING, 0.0)?;
    if damping > 0.0 && stiffness.is_infinite() {
        return Err(Fault::at(CONTACT_DAMPING.name, "needs a stiffness")
            .hint("give \"contact_stiffness\" too, N/m"));
    }
    let restitution = fields.or(&BOUNCE, 0.0)?;
    let with_joined = fields.or(&WITH_JOINED, false)?;
    let is_sensor = fields.or(&SENSOR, false)?;
    let collider = |(shape, pose): (Shape, Pose)| {
        let mut own = Collider::new(shape).placed(pose);
        (own.friction, own.restitution) = (friction, restitution);
        (own.rolling_friction, own.spinning_friction) = (rolling, spinning);
        (own.stiffness, own.damping) = (stiffness, damping);
        own.is_sensor = is_sensor;
        (own.groups, own.not_with) = (groups, not_with);
        own.with_joined = with_joined;
        own
    };
    Ok(shapes.into_iter().map(collider).collect())
}

pub(crate) const DEFAULT_FRICTION: f64 = 0.5;

/// The groups that a body is in, and those that it does not collide with.
fn group_bits(scene: &mut Scene, id: BodyId, fields: &Fields) -> Result<[u32; 2], Fault> {
    let (mut groups, mut not_with) = (1, 0);
    if let Some(name) = fields.get::<&str>(&GROUP)? {
        let bit = group_bit(scene, name).under(GROUP.name)?;
        (groups, not_with) = (groups | bit, bit);
    }
    for name in fields.or::<&[String]>(&MEMBER_OF, &[])? {
        groups |= group_bit(scene, name).under(MEMBER_OF.name)?;
    }
    for name in fields.or::<&[String]>(&NOT_WITH, &[])? {
        let bit = group_bit(scene, name).under(NOT_WITH.name)?;
        not_with |= bit;
        // A body of this name, if it is there already, learns that it is named.
        if let Some(other) = scene.world.find_body(name).filter(|other| *other != id) {
            let mut colliders = scene.world.colliders(other)?.to_vec();
            if colliders.iter().any(|own| own.groups & bit == 0) {
                colliders.iter_mut().for_each(|own| own.groups |= bit);
                scene.world.set_colliders(other, colliders)?;
            }
        }
    }
    let own = scene.world.body_record(id)?.label();
    if let Some(at) = scene.groups.iter().position(|name| name == own) {
        groups |= 2 << at;
    }
    Ok([groups, not_with])
}

/// How a body that collides is written.
pub(crate) fn describe_colliders(
    scene: &Scene,
    id: BodyId,
    name: &str,
    fields: Fields,
) -> Result<Fields, Fault> {
    let all = scene.world.colliders(id)?;
    let Some(own) = all.first() else {
        return Ok(fields);
    };
    let names = |bits: u32| {
        let all = scene.groups.iter().enumerate();
        all.filter(move |(at, _)| bits & (2 << at) != 0)
            .map(|(_, name)| name.clone())
    };
    let group = names(own.groups & own.not_with).next();
    let is_other = |own: &String| own != name && Some(own) != group.as_ref();
    let member_of: Vec<String> = names(own.groups).filter(is_other).collect();
    let not_with: Vec<String> = names(own.not_with)
        .filter(|own| Some(own) != group.as_ref())
        .collect();
    let is_own = |is_convex: bool| {
        own_shapes(scene, id, is_convex).is_ok_and(|shapes| {
            let mut pairs = shapes.iter().zip(all);
            let same = |((shape, pose), own): (&(Shape, Pose), &Collider)| {
                (shape, pose) == (&own.shape, &own.pose_body)
            };
            shapes.len() == all.len() && pairs.all(same)
        })
    };
    let is_hollow = matches!(own.shape, Shape::Mesh(_)) && !is_own(true) && is_own(false);
    let shapes = match is_hollow || is_own(true) {
        true => None,
        false => Some(all.iter().map(describe_part).collect::<Option<Vec<_>>>()),
    };
    let shapes = match shapes {
        Some(None) => {
            let problem = format!("a file has no words for a shape of \"{name}\"");
            return Err(Fault::at("", problem));
        }
        shapes => shapes.flatten(),
    };
    let some = |names: Vec<String>| (!names.is_empty()).then_some(names);
    Ok((fields.with(&COLLIDE, true))
        .with_some(&SHAPES, shapes.map(Value::Entries))
        .unless(&CONVEX, !is_hollow, true)
        .unless(&SURFACE_FRICTION, own.friction, DEFAULT_FRICTION)
        .unless(&ROLLING_FRICTION, own.rolling_friction, 0.0)
        .unless(&SPINNING_FRICTION, own.spinning_friction, 0.0)
        .unless(&CONTACT_STIFFNESS, own.stiffness, f64::INFINITY)
        .unless(&CONTACT_DAMPING, own.damping, 0.0)
        .unless(&BOUNCE, own.restitution, 0.0)
        .with_some(&GROUP, group)
        .with_some(&MEMBER_OF, some(member_of))
        .with_some(&NOT_WITH, some(not_with))
        .unless(&WITH_JOINED, own.with_joined, false)
        .unless(&SENSOR, own.is_sensor, false))
}

/// A shape as the part that gives it, to the last bit.
fn describe_part(own: &Collider) -> Option<(&'static Type, Fields)> {
    let (word, fields) = match &own.shape {
        Shape::Sphere { radius } => ("sphere", Fields::default().with(&RADIUS, *radius)),
        Shape::Box { half } => {
            let size = half.map(|half| 2.0 * half).to_vec();
            ("box", Fields::default().with(&SIZE, size))
        }
        Shape::Cylinder {
            half_length,
            radius,
        } => {
            let fields = Fields::default().with(&LENGTH, 2.0 * half_length);
            ("cylinder", fields.with(&RADIUS, *radius))
        }
        Shape::Capsule {
            half_length,
            radius,
        } => {
            let fields = Fields::default().with(&LENGTH, length_of(*half_length, *radius));
            ("rod", fields.with(&RADIUS, *radius))
        }
        Shape::Hull(hull) => {
            let fans = (0..hull.n_faces()).flat_map(|face| {
                let corners = hull.face(face);
                (2..corners.len()).map(move |k| [corners[0], corners[k - 1], corners[k]])
            });
            let vertices = hull.vertices().to_vec();
            let fields = Fields::default().with(&VERTICES, vertices);
            ("mesh", fields.with(&TRIANGLES, fans.collect::<Vec<_>>()))
        }
        Shape::Mesh(own) => {
            let fields = Fields::default().with(&VERTICES, own.vertices().to_vec());
            let fields = fields.with(&TRIANGLES, own.triangles().to_vec());
            ("mesh", fields.with(&CONVEX, false))
        }
        Shape::HeightField(own) => {
            let fields = Fields::default().with(&HEIGHTS, own.rows().to_vec());
            let fields = fields.with(&SPACING, own.spacing().to_vec());
            ("height-field", fields)
        }
        Shape::Disc { radius } => ("sphere", Fields::default().with(&RADIUS, *radius)),
        Shape::Polygon(own) => describe_polygon(own)?,
        _ => return None,
    };
    let Pose { position, rotation } = own.pose_body;
    let fields = fields.unless(&POSITION, position.to_vec(), vec![0.0; 3]);
    let turned = rotation.to_vec();
    let fields = fields.unless(&QUATERNION, turned, vec![1.0, 0.0, 0.0, 0.0]);
    Some((PartType::find(word)?.kind(), fields))
}

/// A solid with this shadow: a rod, a block, or else a prism.
fn describe_polygon(own: &Polygon) -> Option<(&'static str, Fields)> {
    let (points, radius) = (own.points(), own.radius());
    if let ([_, [half, _]], true) = (points, radius > 0.0) {
        let fields = Fields::default().with(&LENGTH, length_of(*half, radius));
        return Some(("rod", fields.with(&RADIUS, radius)));
    }
    if radius != 0.0 {
        return None;
    }
    let half = points.get(2).copied()?;
    if points == corners(half) {
        let [x, y] = half.map(|half| 2.0 * half);
        let fields = Fields::default().with(&SIZE, vec![x, y, x.min(y)]);
        return Some(("box", fields));
    }
    let reach = points.iter().flatten().fold(0.0f64, |a, x| a.max(x.abs()));
    let n = points.len();
    let layer = |z: f64| points.iter().map(move |[x, y]| [*x, *y, z]);
    let vertices: Vec<Vec3> = layer(-0.1 * reach).chain(layer(0.1 * reach)).collect();
    let at = |layer: usize, k: usize| (layer * n + k % n) as u32;
    let caps = (2..n).flat_map(|k| {
        [
            [at(0, 0), at(0, k), at(0, k - 1)],
            [at(1, 0), at(1, k - 1), at(1, k)],
        ]
    });
    let sides = (0..n).flat_map(|k| {
        [
            [at(0, k), at(0, k + 1), at(1, k + 1)],
            [at(0, k), at(1, k + 1), at(1, k)],
        ]
    });
    let triangles: Vec<[u32; 3]> = caps.chain(sides).collect();
    let fields = Fields::default().with(&VERTICES, vertices);
    Some(("mesh", fields.with(&TRIANGLES, triangles)))
}

/// The length of a rod whose round ends leave so much: the one that gives it back.
fn length_of(half_length: f64, radius: f64) -> f64 {
    let about = 2.0 * (half_length + radius);
    let near = [about, about.next_up(), about.next_down()];
    let near = near
        .into_iter()
        .chain([about.next_up().next_up(), about.next_down().next_down()]);
    let gives = |length: &f64| 0.5 * length - radius == half_length;
    near.into_iter().find(gives).unwrap_or(about)
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
        return Err(Fault::at("", problem));
    }
    Ok(2 << at)
}

/// The shapes of a body where its entry says none, in its frame.
fn own_shapes(scene: &Scene, id: BodyId, is_convex: bool) -> Result<Vec<(Shape, Pose)>, Fault> {
    let record = scene.world.body_record(id)?;
    let view = scene.body_views.get(record.label());
    shapes(record.body(), view, is_convex)
}

/// A part, whatever it weighs. On a body of the plane it is its shadow.
fn part(kind: &PartType, fields: &Fields, is_flat: bool) -> Result<(Shape, Pose), Fault> {
    if let Some(surface) = (kind.surface)(fields)? {
        if is_flat {
            return Err(
                Fault::at("", "is a surface in space, on a body of the plane")
                    .hint("give solids, whose shadows collide"),
            );
        }
        return Ok((surface, pose(fields)?));
    }
    if !is_flat && let Some(hull) = mesh::hull(fields)? {
        return Ok((hull, pose(fields)?));
    }
    let is_weighed = fields.has(&MASS) || fields.has(&DENSITY);
    let weighed = match is_weighed {
        true => fields.clone(),
        false => fields.clone().with(&DENSITY, 1.0),
    };
    let solid = kind.weighed(&weighed)?;
    match is_flat {
        true => shadow(&solid, pose(fields)?),
        false => Ok((shape(&solid)?, pose(fields)?)),
    }
}

/// The shadow of a part along z. What is round about z is a disc; all else may only be turned about z.
fn shadow(solid: &Solid, pose: Pose) -> Result<(Shape, Pose), Fault> {
    let [_, about_x, about_y, _] = pose.rotation;
    let [_, _, up] = quat_to_matrix(pose.rotation).map(|[x, ..]| x);
    let is_upright = 1.0 - up.abs() < 1e-12;
    let disc = |radius: f64| Ok((Shape::Disc { radius }, Pose::at(pose.position)));
    let own = match solid {
        Solid::Sphere(own) => return disc(own.radius),
        Solid::Disc(own) if is_upright => return disc(own.radius),
        Solid::Cylinder(own) if is_upright => return disc(own.radius),
        Solid::Rod(own) if is_upright => return disc(own.radius),
        _ if about_x != 0.0 || about_y != 0.0 => {
            return Err(Fault::at("", "is turned out of the plane")
                .hint("turn it about z, or give a sphere for a disc"));
        }
        Solid::Rod(own) if own.length > 2.0 * own.radius => {
            let half = 0.5 * own.length - own.radius;
            polygon(vec![[-half, 0.0], [half, 0.0]], own.radius)?
        }
        Solid::Rod(own) => rectangle([own.length, 2.0 * own.radius])?,
        Solid::Cylinder(own) => rectangle([own.length, 2.0 * own.radius])?,
        Solid::Disc(own) => rectangle([own.thickness, 2.0 * own.radius])?,
        Solid::Cuboid(own) => rectangle([own.size[0], own.size[1]])?,
        Solid::Mesh(own) => polygon(around(&own.vertices), 0.0)?,
        _ => return Err(Fault::at("collide", "knows no shape of this solid")),
    };
    Ok((own, pose))
}

/// The corners of the shadow of points, counterclockwise (Andrew 1979).
fn around(points: &[Vec3]) -> Vec<[f64; 2]> {
    let mut points: Vec<[f64; 2]> = points.iter().map(|[x, y, _]| [*x, *y]).collect();
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    points.dedup();
    let mut corners: Vec<[f64; 2]> = Vec::new();
    let back = points.iter().rev().skip(1);
    let n = points.len();
    let mut least = 2;
    for (at, &[x, y]) in points.iter().chain(back).enumerate() {
        if at == n {
            least = corners.len() + 1;
        }
        while let [.., [p, q], [r, s]] = corners[..]
            && corners.len() >= least
            && (r - p) * (y - q) - (s - q) * (x - p)
                <= 1e-9 * libm::hypot(r - p, s - q) * libm::hypot(x - r, y - s)
        {
            corners.pop();
        }
        corners.push([x, y]);
    }
    // The first point came back.
    corners.pop();
    corners
}

fn shapes(
    body: &dyn Body,
    view: Option<&BodyView>,
    is_convex: bool,
) -> Result<Vec<(Shape, Pose)>, Fault> {
    let here = Pose::at([0.0; 3]);
    if let Some(solid) = body.as_rigid().and_then(RigidBody::solid) {
        let shape = match solid {
            Solid::Mesh(own) if !is_convex => {
                Shape::Mesh(Arc::new(Triangles::new(&own.vertices, &own.triangles)?))
            }
            _ => shape(solid)?,
        };
        return Ok(vec![(shape, here)]);
    }
    if let Some(outline) = planar_of(body).and_then(|own| own.outline) {
        return Ok(vec![(flat(&outline)?, here)]);
    }
    if let Some(own) = deformed(body) {
        return Ok(vec![(own?, here)]);
    }
    let parts = view.map_or(&[][..], |view| &view.draw);
    let is_flat = planar_of(body).is_some();
    let one = |own: &Entry<PartType>| part(own.kind, &own.fields, is_flat);
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
    match outline {
        Outline::Rod(own) => {
            let radius = HALF_WIDTH * own.length;
            let half = 0.5 * own.length - radius;
            polygon(vec![[-half, 0.0], [half, 0.0]], radius)
        }
        Outline::Disc(own) => Ok(Shape::Disc { radius: own.radius }),
        Outline::Box(own) => rectangle(own.size),
        _ => Err(Fault::at("collide", "knows no shape of this body")),
    }
}

fn polygon(points: Vec<[f64; 2]>, radius: f64) -> Result<Shape, Fault> {
    Ok(Shape::Polygon(Arc::new(Polygon::new(points, radius)?)))
}

fn rectangle(size: [f64; 2]) -> Result<Shape, Fault> {
    polygon(corners(size.map(|edge| 0.5 * edge)), 0.0)
}

fn corners([x, y]: [f64; 2]) -> Vec<[f64; 2]> {
    vec![[-x, -y], [x, -y], [x, y], [-x, y]]
}
