//! Bodies as entries.

use linkwork::prelude::*;

use super::{is, motion};
use crate::fault::Fault;
use crate::format::{BodyEntry, BodyKind};

/// A body of a type, and nothing else said.
fn blank(name: &str, kind: BodyKind) -> BodyEntry {
    BodyEntry {
        name: name.to_owned(),
        kind,
        length: None,
        radius: None,
        thickness: None,
        size: None,
        from: None,
        to: None,
        vertices: None,
        triangles: None,
        parts: None,
        mass: None,
        density: None,
        com: None,
        inertia: None,
        area: None,
        second_moments: None,
        stiffness: None,
        area_stiffness: None,
        damping: None,
        motion: None,
        position: None,
        quaternion: None,
        axis: None,
        angle: None,
        angle_deg: None,
        euler_deg: None,
        velocity: None,
        angular_velocity: None,
        spin: None,
        q: None,
        v: None,
        enabled: true,
        view: None,
    }
}

pub(super) fn entry(world: &World, record: &BodyRecord) -> Result<BodyEntry, Fault> {
    let mut entry = made_of(record)?;
    entry.enabled = record.enabled();
    place(&mut entry, record, world.q(record.id())?);
    motion_of(&mut entry, world.v(record.id())?);
    Ok(entry)
}

/// What a file calls it.
pub(super) fn kind(record: &BodyRecord) -> Option<BodyKind> {
    made_of(record).ok().map(|entry| entry.kind)
}

fn made_of(record: &BodyRecord) -> Result<BodyEntry, Fault> {
    let (name, body) = (record.label(), record.body());
    if let Some(rigid) = is::<RigidBody>(body) {
        return Ok(match rigid.solid() {
            Some(solid) => solid_entry(name, solid),
            None => rigid_entry(name, rigid.properties()),
        });
    }
    if let Some(Particle { mass }) = is(body) {
        let mut entry = blank(name, BodyKind::Particle);
        entry.mass = Some(*mass);
        return Ok(entry);
    }
    if let Some(planar) = is::<PlanarBody>(body) {
        return Ok(planar_entry(name, planar));
    }
    if let Some(troid) = is::<Troid>(body) {
        return Ok(troid_entry(name, troid));
    }
    if let Some(kinematic) = is::<Kinematic>(body) {
        let mut entry = blank(name, BodyKind::Kinematic);
        let (motion, pose) = motion::prescribed(name, kinematic.motion())?;
        entry.motion = Some(motion);
        entry.position = Some(pose.position.into());
        entry.quaternion = Some(pose.rotation);
        return Ok(entry);
    }
    if is::<Tracker>(body).is_some() {
        return Ok(blank(name, BodyKind::Tracker));
    }
    let problem = format!("a file has no words for the body \"{name}\", which a program made");
    Err(Fault::at("", problem))
}

fn solid_entry(name: &str, solid: &Solid) -> BodyEntry {
    let kind = match solid {
        Solid::Rod(_) => BodyKind::Rod,
        Solid::Cuboid(_) => BodyKind::Box,
        Solid::Sphere(_) => BodyKind::Sphere,
        Solid::Cylinder(_) => BodyKind::Cylinder,
        Solid::Disc(_) => BodyKind::Disc,
        _ => BodyKind::Mesh,
    };
    let mut entry = blank(name, kind);
    match solid {
        Solid::Rod(rod) => {
            (entry.length, entry.radius) = (Some(rod.length), Some(rod.radius));
            entry.mass = Some(rod.mass);
        }
        Solid::Cuboid(cuboid) => {
            entry.size = Some(cuboid.size.into());
            entry.mass = Some(cuboid.mass);
        }
        Solid::Sphere(sphere) => {
            entry.radius = Some(sphere.radius);
            entry.mass = Some(sphere.mass);
        }
        Solid::Cylinder(cylinder) => {
            (entry.radius, entry.length) = (Some(cylinder.radius), Some(cylinder.length));
            entry.mass = Some(cylinder.mass);
        }
        Solid::Disc(disc) => {
            (entry.radius, entry.thickness) = (Some(disc.radius), Some(disc.thickness));
            entry.mass = Some(disc.mass);
        }
        Solid::Mesh(mesh) => {
            entry.vertices = Some(mesh.vertices.clone());
            entry.triangles = Some(mesh.triangles.clone());
            entry.density = Some(mesh.density);
        }
        _ => {}
    }
    entry
}

fn rigid_entry(name: &str, properties: &MassProperties) -> BodyEntry {
    let mut entry = blank(name, BodyKind::Rigid);
    entry.mass = Some(properties.mass);
    if properties.com_body != [0.0; 3] {
        entry.com = Some(properties.com_body.into());
    }
    let inertia = properties.inertia_body;
    entry.inertia = Some(match inertia[3..] == [0.0; 3] {
        true => inertia[..3].into(),
        false => inertia.into(),
    });
    entry
}

fn planar_entry(name: &str, planar: &PlanarBody) -> BodyEntry {
    let mut entry = match planar.outline {
        Some(Outline::Rod(rod)) => {
            let mut entry = blank(name, BodyKind::PlanarRod);
            entry.length = Some(rod.length);
            entry
        }
        Some(Outline::Disc(disc)) => {
            let mut entry = blank(name, BodyKind::PlanarDisc);
            entry.radius = Some(disc.radius);
            entry
        }
        Some(Outline::Box(rectangle)) => {
            let mut entry = blank(name, BodyKind::PlanarBox);
            entry.size = Some(rectangle.size.into());
            entry
        }
        _ => {
            let mut entry = blank(name, BodyKind::Planar);
            entry.inertia = Some(planar.inertia.into());
            if planar.com_body != [0.0; 2] {
                entry.com = Some(planar.com_body.into());
            }
            entry
        }
    };
    entry.mass = Some(planar.mass);
    entry
}

fn troid_entry(name: &str, troid: &Troid) -> BodyEntry {
    let mut entry = blank(name, BodyKind::Troid);
    let sheet = &troid.sheet;
    entry.mass = Some(sheet.mass);
    // A rectangle has second moments m·w²/12; it is one if its size gives the same bits.
    let [xx, yy, _] = sheet.second_moments_body;
    let size = [xx, yy].map(|moment| (12.0 * moment / sheet.mass).sqrt());
    if Sheet::rectangle(size, sheet.mass).as_ref() == Ok(sheet) {
        entry.size = Some(size.into());
    } else {
        entry.com = Some(sheet.com_body.into());
        entry.area = Some(sheet.area);
        entry.second_moments = Some(sheet.second_moments_body);
    }
    let some = |value: f64| (value != 0.0).then_some(value);
    entry.stiffness = some(troid.stiffness);
    entry.area_stiffness = some(troid.area_stiffness);
    entry.damping = some(troid.damping);
    entry
}

/// Writes the pose, if it gives the coordinates to the last bit, else the coordinates.
fn place(entry: &mut BodyEntry, record: &BodyRecord, q: &[f64]) {
    let body = record.body();
    match entry.kind {
        BodyKind::Kinematic => {}
        BodyKind::Particle => entry.position = Some(q.into()),
        BodyKind::PlanarRod | BodyKind::PlanarBox | BodyKind::PlanarDisc => {
            entry.position = Some(q[..2].into());
            if q[2].to_bits() != 0 {
                entry.angle = Some(q[2]);
            }
        }
        BodyKind::Planar | BodyKind::Troid | BodyKind::Tracker => entry.q = Some(q.to_vec()),
        _ => {
            let mut again = [0.0; 7];
            let exact = body.pose(0.0, q).is_some_and(|pose| {
                let same =
                    |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits());
                body.q_from_pose(&pose, &mut again).is_ok() && same(&again, q)
            });
            match body.pose(0.0, q) {
                Some(pose) if exact => {
                    entry.position = Some(pose.position.into());
                    if pose.rotation != [1.0, 0.0, 0.0, 0.0]
                        || pose.rotation[1..].iter().any(|w| w.is_sign_negative())
                    {
                        entry.quaternion = Some(pose.rotation);
                    }
                }
                _ => entry.q = Some(q.to_vec()),
            }
        }
    }
}

fn motion_of(entry: &mut BodyEntry, v: &[f64]) {
    if v.iter().all(|v| v.to_bits() == 0) {
        return;
    }
    match entry.kind {
        BodyKind::Particle => entry.velocity = Some(v.into()),
        BodyKind::PlanarRod | BodyKind::PlanarBox | BodyKind::PlanarDisc | BodyKind::Planar => {
            entry.velocity = Some(v[..2].into());
            entry.spin = Some(v[2]);
        }
        BodyKind::Troid => entry.v = Some(v.to_vec()),
        _ => {
            entry.velocity = Some(v[..3].into());
            entry.angular_velocity = Some([v[3], v[4], v[5]]);
        }
    }
}
