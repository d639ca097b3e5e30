//! Constraints as entries.

use std::any::Any;

use linkwork::prelude::*;

use super::{Names, is, motion, rows};
use crate::fault::Fault;
use crate::format::{
    BreakEntry, ClosingEntry, CoordinateEntry, JointEntry, JointKind, SurfaceEntry, SurfaceKind,
};

fn blank(name: &str, kind: JointKind) -> JointEntry {
    JointEntry {
        name: name.to_owned(),
        kind,
        a: None,
        b: None,
        connectors: None,
        at: None,
        axis: None,
        axis_b: None,
        normal: None,
        length: None,
        pitch: None,
        lead: None,
        stiffness: None,
        rest_length: None,
        radius: None,
        surface: None,
        surface_b: None,
        path: None,
        function: None,
        drive: None,
        coefficients: None,
        coordinates: None,
        value: None,
        limits: None,
        compliance: None,
        damping: None,
        level: 0,
        weight: None,
        breaks_at: None,
        close_over: None,
        closing: None,
        enabled: true,
    }
}

pub(super) fn entry(
    world: &World,
    names: &Names<'_>,
    record: &ConstraintRecord,
) -> Result<JointEntry, Fault> {
    let name = record.label();
    let closing = record.constraint().as_closing();
    let law: &dyn Constraint = closing.map_or(record.constraint(), |closing| &*closing.joint);
    let Some(mut entry) = law_of(record, law) else {
        let problem = format!("a file has no words for the joint \"{name}\", which a program made");
        return Err(Fault::at("", problem));
    };
    let connectors = record.connectors().iter();
    let connectors: Result<Vec<_>, Fault> = connectors
        .map(|connector| names.reference(world, connector))
        .collect();
    let connectors = connectors?;
    if matches!(entry.kind, JointKind::Gear | JointKind::Coupling) {
        entry.connectors = Some(connectors);
    } else {
        let mut connectors = connectors.into_iter();
        (entry.a, entry.b) = (connectors.next(), connectors.next());
    }
    soften(&mut entry, record);
    entry.level = record.priority();
    entry.weight = (record.weight() != 1.0).then_some(record.weight());
    entry.enabled = record.enabled();
    entry.breaks_at = record.break_limit().map(|limit| BreakEntry {
        force: limit.force.is_finite().then_some(limit.force),
        torque: limit.torque.is_finite().then_some(limit.torque),
    });
    entry.closing = closing.map(|closing| ClosingEntry {
        start: closing.start,
        duration: closing.duration,
        errors: closing.c_start.clone(),
        rates: closing.c_dot_start.clone(),
    });
    Ok(entry)
}

/// What it is, without its connectors.
pub(super) fn law(record: &ConstraintRecord) -> Option<JointEntry> {
    let closing = record.constraint().as_closing();
    let law: &dyn Constraint = closing.map_or(record.constraint(), |closing| &*closing.joint);
    let mut entry = law_of(record, law)?;
    soften(&mut entry, record);
    Some(entry)
}

/// Compliance and damping; a soft distance is a spring, if that gives the same bits.
fn soften(entry: &mut JointEntry, record: &ConstraintRecord) {
    if let (JointKind::Distance, [compliance]) = (entry.kind, record.compliance())
        && *compliance > 0.0
        && 1.0 / (1.0 / compliance) == *compliance
    {
        entry.kind = JointKind::Spring;
        entry.stiffness = Some(1.0 / compliance);
        entry.rest_length = entry.length.take();
        entry.damping = rows(record.damping());
        return;
    }
    entry.compliance = rows(record.compliance());
    if entry.compliance.is_some() {
        entry.damping = rows(record.damping());
    }
}

/// The law of a constraint; `None` if it is of a program's making.
fn law_of(record: &ConstraintRecord, law: &dyn Constraint) -> Option<JointEntry> {
    let name = record.label();
    pair(name, record.in_plane(), law)
        .or_else(|| drive(name, law))
        .or_else(|| surface_joint(name, law))
        .or_else(|| other(name, law))
}

fn pair(name: &str, in_plane: bool, law: &dyn Constraint) -> Option<JointEntry> {
    let pair = is::<FramePair>(law)?;
    let (_, kind) = [
        (FramePair::ball(), JointKind::Ball),
        (FramePair::hinge(), JointKind::Hinge),
        (FramePair::universal(), JointKind::Universal),
        (FramePair::cylindrical(), JointKind::Cylindrical),
        (FramePair::prismatic(), JointKind::Prismatic),
        (FramePair::planar(), JointKind::Planar),
        (FramePair::point_in_slot(), JointKind::Slot),
        (FramePair::point_on_plane(), JointKind::PointOnPlane),
        (FramePair::weld(), JointKind::Weld),
    ]
    .into_iter()
    .find(|(known, _)| known == pair)?;
    let kind = match kind {
        // A pin.
        JointKind::Ball if in_plane => JointKind::Hinge,
        JointKind::PointOnPlane if in_plane => return None,
        kind => kind,
    };
    Some(blank(name, kind))
}

fn drive(name: &str, law: &dyn Constraint) -> Option<JointEntry> {
    let (kind, function) = if let Some(AngleDrive { function }) = is(law) {
        (JointKind::AngleDrive, function)
    } else if let Some(LengthDrive { function }) = is(law) {
        (JointKind::LengthDrive, function)
    } else {
        let DistanceDrive { function } = is(law)?;
        (JointKind::DistanceDrive, function)
    };
    let mut entry = blank(name, kind);
    entry.function = Some(motion::function(&**function)?);
    Some(entry)
}

fn surface_joint(name: &str, law: &dyn Constraint) -> Option<JointEntry> {
    if let Some(PointOnSurface { surface: on }) = is(law) {
        let mut entry = blank(name, JointKind::PointOnSurface);
        entry.surface = Some(surface(&**on)?);
        return Some(entry);
    }
    let tangency: &Tangency = is(law)?;
    let mut entry = blank(name, JointKind::Tangency);
    entry.surface = Some(surface(&*tangency.surface_a)?);
    entry.surface_b = Some(surface(&*tangency.surface_b)?);
    Some(entry)
}

fn surface(of: &dyn Any) -> Option<SurfaceEntry> {
    let mut entry = SurfaceEntry {
        kind: SurfaceKind::Plane,
        radius: None,
        semi_axes: None,
        major: None,
        minor: None,
    };
    if is::<PlaneSurface>(of).is_some() {
        return Some(entry);
    }
    if let Some(SphereSurface { radius }) = is(of) {
        (entry.kind, entry.radius) = (SurfaceKind::Sphere, Some(*radius));
    } else if let Some(CylinderSurface { radius }) = is(of) {
        (entry.kind, entry.radius) = (SurfaceKind::Cylinder, Some(*radius));
    } else if let Some(EllipsoidSurface { semi_axes }) = is(of) {
        (entry.kind, entry.semi_axes) = (SurfaceKind::Ellipsoid, Some(*semi_axes));
    } else {
        let TorusSurface { major, minor } = is(of)?;
        entry.kind = SurfaceKind::Torus;
        (entry.major, entry.minor) = (Some(*major), Some(*minor));
    }
    Some(entry)
}

fn other(name: &str, law: &dyn Constraint) -> Option<JointEntry> {
    if let Some(PointOnTrajectory { trajectory }) = is(law) {
        let mut entry = blank(name, JointKind::Trajectory);
        entry.path = Some(motion::path(&**trajectory)?);
        return Some(entry);
    }
    if let Some(Distance { length }) = is(law) {
        let mut entry = blank(name, JointKind::Distance);
        entry.length = Some(*length);
        return Some(entry);
    }
    if let Some(Screw { pitch }) = is(law) {
        let mut entry = blank(name, JointKind::Screw);
        entry.pitch = Some(*pitch);
        return Some(entry);
    }
    if let Some(relation) = is::<SpinRelation>(law) {
        let mut entry = blank(name, JointKind::Gear);
        entry.coefficients = Some(relation.coefficients().to_vec());
        return Some(entry);
    }
    if let Some(coupling) = is::<Coupling>(law) {
        let mut entry = blank(name, JointKind::Coupling);
        entry.coefficients = Some(coupling.coefficients().to_vec());
        let coordinates = [coupling.leading(), coupling.following()];
        entry.coordinates = Some(coordinates.map(|coordinate| match coordinate {
            JointCoordinate::Angle => CoordinateEntry::Angle,
            JointCoordinate::Length => CoordinateEntry::Length,
            JointCoordinate::PlanarAngle => CoordinateEntry::PlanarAngle,
        }));
        return Some(entry);
    }
    if let Some(ScalarEquals { value }) = is(law) {
        let mut entry = blank(name, JointKind::Scalar);
        entry.value = Some(*value);
        return Some(entry);
    }
    if is::<KnifeEdge>(law).is_some() {
        return Some(blank(name, JointKind::KnifeEdge));
    }
    let (kind, radius) = if let Some(BallOnPlane { radius }) = is(law) {
        (JointKind::BallOnPlane, *radius)
    } else if let Some(DiscOnPlane { radius }) = is(law) {
        (JointKind::DiscOnPlane, *radius)
    } else if let Some(RollingBall { radius }) = is(law) {
        (JointKind::RollingBall, *radius)
    } else {
        let RollingDisc { radius } = is(law)?;
        (JointKind::RollingDisc, *radius)
    };
    let mut entry = blank(name, kind);
    entry.radius = Some(radius);
    Some(entry)
}
