//! Bodies of entries.

use std::f64::consts::PI;
use std::sync::Arc;

use linkwork::math::{Vec3, complete_basis, norm, quat_from_matrix, scale, sub, transpose, unit};
use linkwork::prelude::*;

use super::place::{Turn, exactly, pose};
use super::{angle, check_fields, motion, view};
use crate::fault::Fault;
use crate::format::{BodyEntry, BodyKind, BodyView, Numbers, PartEntry, PartKind};
use crate::scene::Scene;

/// Adds a body.
pub(crate) fn add(scene: &mut Scene, entry: &BodyEntry) -> Result<(), Fault> {
    if entry.name == "ground" {
        return Err(Fault::at(
            "name",
            "\"ground\" is the ground, which is always there",
        ));
    }
    let (body, mut view) = make(entry)?;
    let world = &mut scene.world;
    let id = world.add_body(&entry.name, body)?;
    let placed = place(world, id, entry).and_then(|()| set_motion(world, id, entry));
    if let Err(fault) = placed {
        world.remove_body(id)?;
        return Err(fault);
    }
    if !entry.enabled {
        world.set_body_enabled(id, false)?;
    }
    if let Some(own) = &entry.view {
        view = seen(view, own);
    }
    if view != BodyView::default() {
        scene.body_views.insert(entry.name.clone(), view);
    }
    Ok(())
}

/// What is drawn of a body: its own parts, unless the hints say others.
pub(crate) fn seen(own: BodyView, hints: &BodyView) -> BodyView {
    let mut view = hints.clone();
    if view.draw.is_empty() {
        view.draw = own.draw;
    }
    view
}

/// What an entry says a body is, and what there is to draw beside its shape.
pub(crate) fn make(entry: &BodyEntry) -> Result<(Arc<dyn Body>, BodyView), Fault> {
    check_fields(entry)?;
    if let Some(hints) = &entry.view {
        view::check_body(hints).map_err(|fault| fault.under("view"))?;
    }
    let mut view = BodyView::default();
    let mass = |measure: f64| mass_of(entry.mass, entry.density, measure);
    let body: Arc<dyn Body> = match entry.kind {
        BodyKind::Rod
        | BodyKind::Box
        | BodyKind::Sphere
        | BodyKind::Cylinder
        | BodyKind::Disc
        | BodyKind::Mesh => {
            let length = rod_length(entry)?;
            let solid = Measures {
                length,
                ..Measures::from(entry)
            };
            Arc::new(RigidBody::of(solid.solid()?)?)
        }
        BodyKind::Compound => {
            let parts = need(entry.parts.as_ref(), "parts", "a list of solids")?;
            let mut placed = Vec::new();
            for (at, part) in parts.iter().enumerate() {
                let one = || -> Result<_, Fault> {
                    check_fields(part)?;
                    let solid = Measures::from(part).solid()?;
                    let pose = pose(part.position, &Turn::from(part))?;
                    Ok((solid.mass_properties()?, pose))
                };
                placed.push(one().map_err(|fault| fault.under(&format!("parts[{at}]")))?);
            }
            view.draw.clone_from(parts);
            Arc::new(RigidBody::new(MassProperties::combine(&placed)?))
        }
        BodyKind::Rigid => Arc::new(RigidBody::new(MassProperties {
            mass: need(entry.mass, "mass", "in kg")?,
            com_body: optional(&entry.com, "com")?,
            inertia_body: inertia(need(
                entry.inertia.as_ref(),
                "inertia",
                "[xx, yy, zz] in kg·m²",
            )?)?,
        })),
        BodyKind::Particle => Arc::new(Particle {
            mass: need(entry.mass, "mass", "in kg")?,
        }),
        BodyKind::PlanarRod => {
            let length = need(rod_length(entry)?, "length", "in m, or \"from\" and \"to\"")?;
            let mass = mass(length)?;
            Arc::new(PlanarRod { length, mass }.body()?)
        }
        BodyKind::PlanarBox => {
            let size: [f64; 2] =
                exactly("size", need(entry.size.as_ref(), "size", "[x, y] in m")?)?;
            let mass = mass(size[0] * size[1])?;
            Arc::new(PlanarBox { size, mass }.body()?)
        }
        BodyKind::PlanarDisc => {
            let radius = need(entry.radius, "radius", "in m")?;
            let mass = mass(PI * radius * radius)?;
            Arc::new(PlanarDisc { radius, mass }.body()?)
        }
        BodyKind::Planar => {
            let inertia = need(entry.inertia.as_ref(), "inertia", "one number in kg·m²")?;
            Arc::new(PlanarBody {
                mass: need(entry.mass, "mass", "in kg")?,
                inertia: exactly::<1>("inertia", inertia)?[0],
                com_body: optional(&entry.com, "com")?,
                outline: None,
            })
        }
        BodyKind::Troid => Arc::new(troid(entry)?),
        BodyKind::Kinematic => {
            let start = pose(position3(entry)?, &Turn::from(entry))?;
            let entry = need(
                entry.motion.as_ref(),
                "motion",
                "such as {\"type\": \"fixed\"}",
            )?;
            Arc::new(motion::kinematic(entry, start).map_err(|fault| fault.under("motion"))?)
        }
        BodyKind::Tracker => Arc::new(Tracker),
    };
    Ok((body, view))
}

/// A field that must be there.
pub(super) fn need<T>(value: Option<T>, field: &str, what: &str) -> Result<T, Fault> {
    value.ok_or_else(|| Fault::missing(field, what))
}

fn optional<const N: usize>(numbers: &Option<Numbers>, field: &str) -> Result<[f64; N], Fault> {
    match numbers {
        Some(numbers) => exactly(field, numbers),
        None => Ok([0.0; N]),
    }
}

fn inertia(numbers: &Numbers) -> Result<[f64; 6], Fault> {
    match *numbers.0.as_slice() {
        [xx, yy, zz] => Ok([xx, yy, zz, 0.0, 0.0, 0.0]),
        [xx, yy, zz, xy, xz, yz] => Ok([xx, yy, zz, xy, xz, yz]),
        ref other => Err(Fault::at("inertia", format!("has {} numbers", other.len()))
            .hint("give [xx, yy, zz] or [xx, yy, zz, xy, xz, yz]")),
    }
}

/// The mass that is given, or that of a density.
fn mass_of(mass: Option<f64>, density: Option<f64>, measure: f64) -> Result<f64, Fault> {
    match (mass, density) {
        (Some(_), Some(_)) => {
            Err(Fault::at("density", "is given beside \"mass\"").hint("give one of the two"))
        }
        (Some(mass), None) => Ok(mass),
        (None, Some(density)) => {
            Error::require_positive("density", &density)?;
            Ok(density * measure)
        }
        (None, None) => Err(Fault::at("", "has neither \"mass\" nor \"density\"").hint(
            "give \"mass\" in kg, or \"density\" in kg/m³ (steel 7850, aluminium 2700, wood 600)",
        )),
    }
}

/// The measures of a solid, of a body or of a part.
struct Measures<'e> {
    kind: PartKind,
    length: Option<f64>,
    radius: Option<f64>,
    thickness: Option<f64>,
    size: Option<&'e Numbers>,
    vertices: Option<&'e Vec<Vec3>>,
    triangles: Option<&'e Vec<[u32; 3]>>,
    mass: Option<f64>,
    density: Option<f64>,
}

impl<'e> From<&'e BodyEntry> for Measures<'e> {
    fn from(entry: &'e BodyEntry) -> Self {
        Self {
            kind: match entry.kind {
                BodyKind::Box => PartKind::Box,
                BodyKind::Sphere => PartKind::Sphere,
                BodyKind::Cylinder => PartKind::Cylinder,
                BodyKind::Disc => PartKind::Disc,
                BodyKind::Mesh => PartKind::Mesh,
                _ => PartKind::Rod,
            },
            length: entry.length,
            radius: entry.radius,
            thickness: entry.thickness,
            size: entry.size.as_ref(),
            vertices: entry.vertices.as_ref(),
            triangles: entry.triangles.as_ref(),
            mass: entry.mass,
            density: entry.density,
        }
    }
}

impl<'e> From<&'e PartEntry> for Measures<'e> {
    fn from(entry: &'e PartEntry) -> Self {
        Self {
            kind: entry.kind,
            length: entry.length,
            radius: entry.radius,
            thickness: entry.thickness,
            size: entry.size.as_ref(),
            vertices: entry.vertices.as_ref(),
            triangles: entry.triangles.as_ref(),
            mass: entry.mass,
            density: entry.density,
        }
    }
}

impl Measures<'_> {
    fn solid(&self) -> Result<Solid, Fault> {
        let radius = || {
            let what = "in m; without a radius a bar has no inertia about its own axis";
            need(self.radius, "radius", what)
        };
        let length = || need(self.length, "length", "in m, or \"from\" and \"to\"");
        let mass = |volume: f64| mass_of(self.mass, self.density, volume);
        Ok(match self.kind {
            PartKind::Rod => {
                let (length, radius) = (length()?, radius()?);
                let mass = mass(PI * radius * radius * length)?;
                Rod {
                    length,
                    radius,
                    mass,
                }
                .into()
            }
            PartKind::Cylinder => {
                let (length, radius) = (length()?, radius()?);
                let mass = mass(PI * radius * radius * length)?;
                Cylinder {
                    radius,
                    length,
                    mass,
                }
                .into()
            }
            PartKind::Box => {
                let size: Vec3 = exactly("size", need(self.size, "size", "[x, y, z] in m")?)?;
                let mass = mass(size[0] * size[1] * size[2])?;
                Cuboid { size, mass }.into()
            }
            PartKind::Sphere => {
                let radius = need(self.radius, "radius", "in m")?;
                let mass = mass(4.0 / 3.0 * PI * radius * radius * radius)?;
                Sphere { radius, mass }.into()
            }
            PartKind::Disc => {
                let radius = need(self.radius, "radius", "in m")?;
                let thickness = need(self.thickness, "thickness", "in m")?;
                let mass = mass(PI * radius * radius * thickness)?;
                Disc {
                    radius,
                    thickness,
                    mass,
                }
                .into()
            }
            PartKind::Mesh => {
                let mut mesh = TriangleMesh {
                    vertices: need(self.vertices, "vertices", "a list of points")?.clone(),
                    triangles: need(self.triangles, "triangles", "a list of three indices each")?
                        .clone(),
                    density: 1.0,
                };
                let volume = mesh.mass_properties()?.mass;
                mesh.density = match (self.mass, self.density) {
                    (None, Some(density)) => density,
                    _ => mass(volume)? / volume,
                };
                mesh.into()
            }
        })
    }
}

/// The length of a rod: as given, or between its ends.
fn rod_length(entry: &BodyEntry) -> Result<Option<f64>, Fault> {
    let Some((from, to)) = ends(entry)? else {
        return Ok(entry.length);
    };
    if entry.length.is_some() {
        return Err(Fault::at("length", "follows from \"from\" and \"to\"").hint("leave it out"));
    }
    if from == to {
        return Err(Fault::at("to", "is where \"from\" is").hint("give the two ends of the rod"));
    }
    Ok(Some(norm(sub(to, from))))
}

fn is_planar(kind: BodyKind) -> bool {
    use BodyKind::{Planar, PlanarBox, PlanarDisc, PlanarRod, Troid};
    matches!(kind, PlanarRod | PlanarBox | PlanarDisc | Planar | Troid)
}

/// A position of the entry as three numbers: two in the plane, three in space.
fn three(entry: &BodyEntry, field: &str, numbers: &Numbers) -> Result<Vec3, Fault> {
    if is_planar(entry.kind) {
        let [x, y] = exactly(field, numbers)?;
        return Ok([x, y, 0.0]);
    }
    exactly(field, numbers)
}

fn position3(entry: &BodyEntry) -> Result<Option<Vec3>, Fault> {
    let position = entry.position.as_ref();
    position
        .map(|position| three(entry, "position", position))
        .transpose()
}

fn ends(entry: &BodyEntry) -> Result<Option<(Vec3, Vec3)>, Fault> {
    match (&entry.from, &entry.to) {
        (None, None) => Ok(None),
        (Some(from), Some(to)) => Ok(Some((three(entry, "from", from)?, three(entry, "to", to)?))),
        (Some(_), None) => Err(Fault::missing("to", "where the other end is")),
        (None, Some(_)) => Err(Fault::missing("from", "where the other end is")),
    }
}

fn troid(entry: &BodyEntry) -> Result<Troid, Fault> {
    let mass = need(entry.mass, "mass", "in kg")?;
    let sheet = match &entry.size {
        Some(size) => Sheet::rectangle(exactly("size", size)?, mass)?,
        None => Sheet {
            mass,
            com_body: optional(&entry.com, "com")?,
            second_moments_body: need(
                entry.second_moments,
                "size",
                "[x, y] in m (or \"area\" and \"second_moments\")",
            )?,
            area: need(entry.area, "area", "in m²")?,
        },
    };
    Ok(Troid {
        sheet,
        stiffness: entry.stiffness.unwrap_or(0.0),
        area_stiffness: entry.area_stiffness.unwrap_or(0.0),
        damping: entry.damping.unwrap_or(0.0),
    })
}

/// Puts a body where its entry says.
pub(crate) fn place(world: &mut World, id: BodyId, entry: &BodyEntry) -> Result<(), Fault> {
    let turn = Turn::from(entry);
    let is_posed = entry.position.is_some() || entry.from.is_some() || is_turned(entry);
    if let Some(q) = &entry.q {
        if is_posed {
            return Err(Fault::at("q", "is given beside a pose").hint("give one of the two"));
        }
        world
            .set_q(id, q)
            .map_err(|error| Fault::from(error).under("q"))?;
        return Ok(());
    }
    if entry.kind == BodyKind::Kinematic || !is_posed {
        return Ok(());
    }
    if let Some((from, to)) = ends(entry)? {
        if entry.position.is_some() || is_turned(entry) {
            let problem = "is given beside a pose, which follows from \"from\" and \"to\"";
            return Err(Fault::at("from", problem));
        }
        let Some(x) = unit(sub(to, from)) else {
            return Err(Fault::at("to", "is where \"from\" is"));
        };
        if is_planar(entry.kind) {
            let angle = libm::atan2(x[1], x[0]);
            return put_in_plane(world, id, middle(from, to), angle);
        }
        let (y, z) = complete_basis(x);
        let pose = Pose {
            position: middle(from, to),
            rotation: quat_from_matrix(&transpose(&[x, y, z])),
        };
        world.set_pose(id, pose)?;
        return Ok(());
    }
    let position = position3(entry)?;
    if is_planar(entry.kind) {
        let by = angle("angle", entry.angle, entry.angle_deg)?.unwrap_or(0.0);
        return put_in_plane(world, id, position.unwrap_or([0.0; 3]), by);
    }
    let pose = pose(position, &turn)?;
    world.set_pose(id, pose)?;
    Ok(())
}

fn is_turned(entry: &BodyEntry) -> bool {
    entry.quaternion.is_some()
        || entry.axis.is_some()
        || entry.angle.is_some()
        || entry.angle_deg.is_some()
        || entry.euler_deg.is_some()
}

/// A pose does not count turns; the angle of a body of the plane does.
fn put_in_plane(world: &mut World, id: BodyId, position: Vec3, angle: f64) -> Result<(), Fault> {
    world.set_pose(id, Pose::in_plane([position[0], position[1]], angle))?;
    let body: &dyn std::any::Any = world.body_record(id)?.body();
    if let Some(planar) = body.downcast_ref::<PlanarBody>() {
        let (sin, cos) = libm::sincos(angle);
        let [x, y] = planar.com_body;
        let lever = [cos * x - sin * y, sin * x + cos * y];
        let q = [position[0] + lever[0], position[1] + lever[1], angle];
        world.set_q(id, &q)?;
    }
    Ok(())
}

/// Sets a body moving as its entry says.
pub(crate) fn set_motion(world: &mut World, id: BodyId, entry: &BodyEntry) -> Result<(), Fault> {
    let parts =
        entry.velocity.is_some() || entry.angular_velocity.is_some() || entry.spin.is_some();
    if let Some(v) = &entry.v {
        if parts {
            return Err(Fault::at("v", "is given beside a velocity").hint("give one of the two"));
        }
        world
            .set_v(id, v)
            .map_err(|error| Fault::from(error).under("v"))?;
        return Ok(());
    }
    if !parts {
        return Ok(());
    }
    let velocity = |n: usize| match &entry.velocity {
        Some(velocity) if velocity.0.len() != n => {
            let problem = format!("has {} numbers", velocity.0.len());
            Err(Fault::at("velocity", problem).hint(format!("give {n}")))
        }
        Some(velocity) => Ok(velocity.0.clone()),
        None => Ok(vec![0.0; n]),
    };
    let mut v = match entry.kind {
        kind if is_planar(kind) => velocity(2)?,
        _ => velocity(3)?,
    };
    match entry.kind {
        BodyKind::Particle => {}
        kind if is_planar(kind) => v.push(entry.spin.unwrap_or(0.0)),
        _ => v.extend(entry.angular_velocity.unwrap_or([0.0; 3])),
    }
    world.set_v(id, &v)?;
    Ok(())
}

fn middle(from: Vec3, to: Vec3) -> Vec3 {
    scale(0.5, linkwork::math::add(from, to))
}

/// The coordinates of a body that is put somewhere, and its number of velocities.
pub(crate) fn put(
    world: &World,
    id: BodyId,
    position: &Numbers,
    quaternion: Option<[f64; 4]>,
    angle: Option<f64>,
) -> Result<(Vec<f64>, usize), Fault> {
    if id == GROUND {
        return Err(Fault::at("body", "the ground stays where it is"));
    }
    // On a copy: whether it fits shows when it is done.
    let mut world = world.clone();
    if super::connector::is_planar(&world, id) {
        let [x, y] = exactly("position", position)?;
        let q = world.q(id)?;
        let now = if q.len() == 3 { q[2] } else { 0.0 };
        put_in_plane(&mut world, id, [x, y, 0.0], angle.unwrap_or(now))?;
    } else {
        let mut pose = Pose::at(exactly("position", position)?);
        let now = world.pose(id)?.map(|pose| pose.rotation);
        if let Some(rotation) = quaternion.or(now) {
            pose.rotation = rotation;
        }
        world.set_pose(id, pose)?;
    }
    Ok((world.q(id)?.to_vec(), world.v(id)?.len()))
}
