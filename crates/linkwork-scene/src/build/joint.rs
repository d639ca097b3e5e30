//! Joints, springs, drives and other constraints of entries.

use std::f64::consts::TAU;
use std::sync::Arc;

use linkwork::math::{Vec3, complete_basis, transpose, unit};
use linkwork::prelude::*;

use super::body::need;
use super::connector::{is_in_plane, is_planar, point_at, resolve, resolve_body};
use super::{check_fields, motion};
use crate::fault::Fault;
use crate::format::kinds::Kind;
use crate::format::{
    ClosingEntry, ConnectorRef, JointEntry, JointKind, Numbers, SurfaceEntry, SurfaceKind,
};
use crate::scene::Scene;

/// Adds a joint; nothing stays when any of it is refused.
pub(crate) fn add(scene: &mut Scene, entry: &JointEntry) -> Result<(), Fault> {
    check_fields(entry)?;
    if entry.limits.is_some() {
        return Err(Fault::at("limits", "the engine has no joint limits yet")
            .hint("leave \"limits\" out; nothing will stop the joint"));
    }
    let id = make(scene, entry)?;
    let added = finish(&mut scene.world, id, entry);
    if added.is_err() {
        scene.world.remove_constraint(id)?;
    }
    added
}

/// The constraint itself.
fn make(scene: &mut Scene, entry: &JointEntry) -> Result<ConstraintId, Fault> {
    if let Some(pair) = pair_of(entry)? {
        let (a, b) = sides(scene, entry)?;
        return add_pair(&mut scene.world, entry, &*pair, a, b);
    }
    let kind = entry.kind;
    let (law, connectors): (Arc<dyn Constraint>, Vec<Connector>) = match kind {
        JointKind::Spring => {
            let (a, b) = sides(scene, entry)?;
            let damping = entry.damping.as_ref().map(|damping| damping.0.as_slice());
            let damping = match damping {
                None => 0.0,
                Some([damping]) => *damping,
                Some(_) => return Err(Fault::at("damping", "of a spring is one number")),
            };
            let spring = Spring {
                stiffness: need(entry.stiffness, "stiffness", "in N/m")?,
                rest_length: entry.rest_length.unwrap_or(0.0),
                damping,
            };
            let (a, b) = (as_point(a), as_point(b));
            return Ok(scene.world.add_spring(&entry.name, spring, a, b)?);
        }
        JointKind::Gear => gear(scene, entry)?,
        JointKind::Coupling => super::coupling::coupling(scene, entry)?,
        JointKind::Trajectory | JointKind::KnifeEdge | JointKind::Scalar => {
            one_sided(scene, entry)?
        }
        _ => two_sided(scene, entry)?,
    };
    Ok(scene
        .world
        .add_shared_constraint(&entry.name, law, &connectors)?)
}

/// Softness, level and the rest of what any constraint has.
fn finish(world: &mut World, id: ConstraintId, entry: &JointEntry) -> Result<(), Fault> {
    let n_rows = world.constraint_record(id)?.rows().len();
    let rows = |numbers: &Numbers| match numbers.0.as_slice() {
        [one] => vec![*one; n_rows],
        many => many.to_vec(),
    };
    if let Some(compliance) = &entry.compliance {
        if entry.kind == JointKind::Spring {
            return Err(
                Fault::at("compliance", "of a spring is 1/\"stiffness\"").hint("leave it out")
            );
        }
        world.set_compliance(id, &rows(compliance))?;
    }
    if let Some(damping) = &entry.damping
        && entry.kind != JointKind::Spring
    {
        let soft = world.constraint_record(id)?.compliance();
        if soft.iter().all(|compliance| *compliance == 0.0) {
            let hint = "give \"compliance\" too, or use the behavior \"friction\"";
            return Err(Fault::at("damping", "acts on soft rows only, and none is").hint(hint));
        }
        world.set_damping(id, &rows(damping))?;
    }
    if entry.level > 0 {
        world.set_priority(id, entry.level)?;
    }
    if let Some(weight) = entry.weight {
        world.set_weight(id, weight)?;
    }
    if let Some(limit) = entry.breaks_at {
        let limit = BreakLimit {
            force: limit.force.unwrap_or(f64::INFINITY),
            torque: limit.torque.unwrap_or(f64::INFINITY),
        };
        let set = world.set_break_limit(id, Some(limit));
        set.map_err(|error| Fault::from(error).under("breaks_at"))?;
    }
    match (entry.close_over, &entry.closing) {
        (Some(_), Some(_)) => {
            return Err(Fault::at("closing", "is given beside \"close_over\""));
        }
        (Some(seconds), None) => world.close_over(id, seconds)?,
        (None, Some(closing)) => {
            close(world, id, closing).map_err(|fault| fault.under("closing"))?;
        }
        (None, None) => {}
    }
    if !entry.enabled {
        world.set_constraint_enabled(id, false)?;
    }
    // Last, because nothing after it can fail and leave it behind.
    if let Some(function) = &entry.drive {
        add_drive(world, id, entry, function).map_err(|fault| fault.under("drive"))?;
    }
    Ok(())
}

/// Goes on closing a joint that was saved while it closed.
fn close(world: &mut World, id: ConstraintId, entry: &ClosingEntry) -> Result<(), Fault> {
    let record = world.constraint_record(id)?;
    let connectors = record.connectors().to_vec();
    let closing = Closing {
        joint: record.shared_constraint(),
        c_start: entry.errors.clone(),
        c_dot_start: entry.rates.clone(),
        start: entry.start,
        duration: entry.duration,
    };
    closing.validate()?;
    world.replace_constraint(id, closing, &connectors)?;
    Ok(())
}

/// Drives the joint along the frames it has.
fn add_drive(
    world: &mut World,
    id: ConstraintId,
    entry: &JointEntry,
    function: &crate::format::FunctionEntry,
) -> Result<(), Fault> {
    let name = format!("{} drive", entry.name);
    let function = motion::function(function)?;
    let mut connectors = world.constraint_record(id)?.connectors().to_vec();
    let planar = in_plane(&connectors[0]);
    let law: Arc<dyn Constraint> = match entry.kind {
        JointKind::Hinge => {
            if planar {
                for connector in &mut connectors {
                    *connector = world.planar_frame_on(connector.clone(), 0.0)?;
                }
            }
            Arc::new(AngleDrive { function })
        }
        _ => Arc::new(LengthDrive { function }),
    };
    fit(&mut connectors, law.inputs_of(planar));
    world.add_shared_constraint(&name, law, &connectors)?;
    Ok(())
}

/// The two connectors of an entry.
fn sides(scene: &Scene, entry: &JointEntry) -> Result<(Connector, Connector), Fault> {
    let a = need(entry.a.as_ref(), "a", "what it joins")?;
    let b = need(entry.b.as_ref(), "b", "what it joins \"a\" to")?;
    let under = |side: &'static str| move |fault: Fault| fault.under(side);
    if let Some(at) = &entry.at {
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
        return Ok((point(on_a)?, point(on_b)?));
    }
    let mut sides = (
        resolve(scene, a).map_err(under("a"))?,
        resolve(scene, b).map_err(under("b"))?,
    );
    // "ground" by name is in the plane when the other side is.
    let is_plain_ground = |reference: &ConnectorRef| matches!(reference, ConnectorRef::Name(name) if name == "ground");
    if is_plain_ground(a) && in_plane(&sides.1) {
        sides.0 = GROUND.at([0.0; 2]);
    }
    if is_plain_ground(b) && in_plane(&sides.0) {
        sides.1 = GROUND.at([0.0; 2]);
    }
    Ok(sides)
}

fn in_plane(connector: &Connector) -> bool {
    matches!(connector.site, Site::Point2(_) | Site::Frame2 { .. })
}

fn is_frame(connector: &Connector) -> bool {
    matches!(connector.site, Site::Frame { .. } | Site::Frame2 { .. })
}

/// A joint of a frame pair, whose axes are those of the entry.
trait PairJoint {
    /// [`World::join`] with it.
    fn join(
        &self,
        world: &mut World,
        name: &str,
        a: Connector,
        b: Connector,
    ) -> Result<ConstraintId, Error>;
    fn pair(&self) -> FramePair;
}

impl<J: Joint + Copy> PairJoint for J {
    fn join(
        &self,
        world: &mut World,
        name: &str,
        a: Connector,
        b: Connector,
    ) -> Result<ConstraintId, Error> {
        world.join(name, *self, a, b)
    }
    fn pair(&self) -> FramePair {
        Joint::pair(self)
    }
}

/// Where no axis is given, and frames bring their own.
const NO_AXIS: Vec3 = [f64::NAN; 3];

fn pair_of(entry: &JointEntry) -> Result<Option<Box<dyn PairJoint>>, Fault> {
    let axis_world = entry.axis.unwrap_or(NO_AXIS);
    let normal_world = entry.normal.unwrap_or(NO_AXIS);
    Ok(Some(match entry.kind {
        JointKind::Ball => Box::new(Ball),
        JointKind::Hinge => Box::new(Hinge { axis_world }),
        JointKind::Universal => Box::new(Universal {
            axis_a_world: axis_world,
            axis_b_world: entry.axis_b.unwrap_or(NO_AXIS),
        }),
        JointKind::Cylindrical => Box::new(Cylindrical { axis_world }),
        JointKind::Prismatic => Box::new(Prismatic { axis_world }),
        JointKind::Planar => Box::new(PlanarSlide { normal_world }),
        JointKind::Slot => Box::new(PointInSlot { axis_world }),
        JointKind::PointOnPlane => Box::new(PointOnPlane { normal_world }),
        JointKind::Weld => Box::new(Weld),
        _ => return Ok(None),
    }))
}

/// The same joint between bodies of the plane.
fn planar_pair(kind: JointKind, joint: &dyn PairJoint) -> Result<FramePair, Fault> {
    Ok(match kind {
        JointKind::Hinge => FramePair::ball(),
        JointKind::Ball | JointKind::Prismatic | JointKind::Slot | JointKind::Weld => joint.pair(),
        other => {
            let problem = format!("\"{}\" has no counterpart in the plane", other.word());
            return Err(Fault::at("type", problem)
                .hint("in the plane there are hinge, prismatic, slot, weld and distance"));
        }
    })
}

fn add_pair(
    world: &mut World,
    entry: &JointEntry,
    joint: &dyn PairJoint,
    a: Connector,
    b: Connector,
) -> Result<ConstraintId, Fault> {
    let planar = in_plane(&a) || in_plane(&b);
    // Who brings frames on every side that needs one needs no axis; else the axis is in the entry.
    let mut connectors = [a, b];
    let law: Arc<dyn Constraint> = Arc::new(match planar {
        true => planar_pair(entry.kind, joint)?,
        false => joint.pair(),
    });
    fit(&mut connectors, law.inputs_of(planar));
    let needs_axis = connectors
        .iter()
        .zip(law.inputs_of(planar))
        .any(|(connector, kind)| {
            matches!(kind, ConnectorKind::Frame3 | ConnectorKind::Frame2) && !is_frame(connector)
        });
    let has_no_axis = matches!(entry.kind, JointKind::Ball | JointKind::Weld)
        || (planar && entry.kind == JointKind::Hinge);
    if !needs_axis {
        return Ok(world.add_shared_constraint(&entry.name, law, &connectors)?);
    }
    let (field, given) = match entry.kind {
        JointKind::Planar | JointKind::PointOnPlane => ("normal", entry.normal),
        _ => ("axis", entry.axis),
    };
    if given.is_none() && !has_no_axis {
        return Err(Fault::missing(
            field,
            "a direction of the world, such as [0, 0, 1]",
        ));
    }
    if entry.kind == JointKind::Universal && entry.axis_b.is_none() {
        return Err(Fault::missing(
            "axis_b",
            "the direction fixed to b, across \"axis\"",
        ));
    }
    let [a, b] = connectors;
    Ok(joint.join(world, &entry.name, a, b)?)
}

/// Takes frames for points where points are wanted.
fn fit(connectors: &mut [Connector], kinds: &[ConnectorKind]) {
    for (connector, kind) in connectors.iter_mut().zip(kinds) {
        if matches!(kind, ConnectorKind::Point3 | ConnectorKind::Point2) {
            *connector = as_point(connector.clone());
        }
    }
}

fn as_point(connector: Connector) -> Connector {
    match connector.site {
        Site::Frame { origin, .. } => connector.body.at(origin),
        Site::Frame2 { origin, .. } => connector.body.at(origin),
        _ => connector,
    }
}

/// Takes a point for a frame whose x is along a direction of the world.
fn as_frame(
    world: &World,
    connector: Connector,
    field: &str,
    axis: Option<Vec3>,
) -> Result<Connector, Fault> {
    match connector.site {
        Site::Point(_) => {}
        _ => return Ok(connector),
    }
    let Some(axis) = axis else {
        return Err(Fault::missing(
            field,
            "a direction of the world, or frames as connectors",
        ));
    };
    let Some(x) = unit(axis) else {
        return Err(Fault::at(field, "has no direction").hint("give a vector other than zero"));
    };
    let (y, z) = complete_basis(x);
    Ok(world.frame_on(connector, &transpose(&[x, y, z]))?)
}

/// Constraints of two connectors that are no frame pairs.
fn two_sided(
    scene: &Scene,
    entry: &JointEntry,
) -> Result<(Arc<dyn Constraint>, Vec<Connector>), Fault> {
    let (mut a, mut b) = sides(scene, entry)?;
    let world = &scene.world;
    let planar = in_plane(&a) || in_plane(&b);
    let function = || {
        let function = need(
            entry.function.as_ref(),
            "function",
            "what it is as time passes",
        )?;
        motion::function(function).map_err(|fault| fault.under("function"))
    };
    let radius = || need(entry.radius, "radius", "in m");
    let axis_or = |normal: Option<Vec3>| normal.or(entry.axis);
    let law: Arc<dyn Constraint> = match (entry.kind, planar) {
        (JointKind::Distance, _) => Arc::new(Distance {
            length: need(entry.length, "length", "in m")?,
        }),
        (JointKind::DistanceDrive, _) => Arc::new(DistanceDrive {
            function: function()?,
        }),
        (JointKind::AngleDrive, false) => {
            a = as_frame(world, a, "axis", entry.axis)?;
            b = as_frame(world, b, "axis", entry.axis)?;
            Arc::new(AngleDrive {
                function: function()?,
            })
        }
        (JointKind::AngleDrive, true) => {
            a = world.planar_frame_on(a, 0.0)?;
            b = world.planar_frame_on(b, 0.0)?;
            Arc::new(AngleDrive {
                function: function()?,
            })
        }
        (JointKind::LengthDrive, false) => {
            a = as_frame(world, a, "axis", entry.axis)?;
            Arc::new(LengthDrive {
                function: function()?,
            })
        }
        (JointKind::LengthDrive, true) => {
            let along = entry.axis.map_or(0.0, |[x, y, _]| libm::atan2(y, x));
            a = world.planar_frame_on(a, along)?;
            Arc::new(LengthDrive {
                function: function()?,
            })
        }
        (JointKind::Screw, false) => {
            a = as_frame(world, a, "axis", entry.axis)?;
            b = as_frame(world, b, "axis", entry.axis)?;
            let pitch = match (entry.pitch, entry.lead) {
                (Some(pitch), None) => pitch,
                (None, Some(lead)) => lead / TAU,
                (None, None) => {
                    return Err(Fault::missing("lead", "the advance per turn in m"));
                }
                (Some(_), Some(_)) => {
                    return Err(Fault::at("lead", "is given beside \"pitch\""));
                }
            };
            Arc::new(Screw { pitch })
        }
        (JointKind::PointOnSurface, false) => {
            a = as_frame(world, a, "axis", entry.axis)?;
            let surface = need(entry.surface.as_ref(), "surface", "of a")?;
            let surface = surface_of(surface).map_err(|fault| fault.under("surface"))?;
            Arc::new(PointOnSurface { surface })
        }
        (JointKind::Tangency, false) => {
            a = as_frame(world, a, "axis", entry.axis)?;
            b = as_frame(world, b, "axis", entry.axis)?;
            let surface_a = need(entry.surface.as_ref(), "surface", "of a")?;
            let surface_b = need(entry.surface_b.as_ref(), "surface_b", "of b")?;
            Arc::new(Tangency {
                surface_a: surface_of(surface_a).map_err(|fault| fault.under("surface"))?,
                surface_b: surface_of(surface_b).map_err(|fault| fault.under("surface_b"))?,
            })
        }
        (JointKind::BallOnPlane | JointKind::RollingBall, false) => {
            a = as_frame(world, a, "normal", entry.normal)?;
            b = as_frame(world, b, "normal", axis_or(entry.normal))?;
            let radius = radius()?;
            match entry.kind {
                JointKind::BallOnPlane => Arc::new(BallOnPlane { radius }),
                _ => Arc::new(RollingBall { radius }),
            }
        }
        (JointKind::DiscOnPlane | JointKind::RollingDisc, false) => {
            a = as_frame(world, a, "normal", entry.normal)?;
            b = as_frame(world, b, "axis_b", entry.axis_b)?;
            let radius = radius()?;
            match entry.kind {
                JointKind::DiscOnPlane => Arc::new(DiscOnPlane { radius }),
                _ => Arc::new(RollingDisc { radius }),
            }
        }
        (other, _) => {
            let problem = format!("\"{}\" has no counterpart in the plane", other.word());
            return Err(Fault::at("type", problem));
        }
    };
    let mut connectors = vec![a, b];
    fit(&mut connectors, law.inputs_of(planar));
    Ok((law, connectors))
}

/// Constraints of one connector.
fn one_sided(
    scene: &Scene,
    entry: &JointEntry,
) -> Result<(Arc<dyn Constraint>, Vec<Connector>), Fault> {
    let a = need(entry.a.as_ref(), "a", "what it holds")?;
    let a = resolve(scene, a).map_err(|fault| fault.under("a"))?;
    let planar = in_plane(&a);
    let law: Arc<dyn Constraint> = match entry.kind {
        JointKind::Trajectory => {
            let path = need(
                entry.path.as_ref(),
                "path",
                "where the point is as time passes",
            )?;
            let trajectory = motion::path(path).map_err(|fault| fault.under("path"))?;
            Arc::new(PointOnTrajectory { trajectory })
        }
        JointKind::KnifeEdge => Arc::new(KnifeEdge),
        _ => Arc::new(ScalarEquals {
            value: need(entry.value, "value", "in the unit of the number")?,
        }),
    };
    let mut connectors = vec![a];
    fit(&mut connectors, law.inputs_of(planar));
    Ok((law, connectors))
}

fn gear(scene: &Scene, entry: &JointEntry) -> Result<(Arc<dyn Constraint>, Vec<Connector>), Fault> {
    let what = "frames of the wheels, then of their carrier";
    let list = need(entry.connectors.as_ref(), "connectors", what)?;
    let coefficients = need(
        entry.coefficients.as_ref(),
        "coefficients",
        "one for each wheel",
    )?;
    if list.len() != coefficients.len() + 1 {
        let problem = format!(
            "has {} entries, but there are {} coefficients",
            list.len(),
            coefficients.len()
        );
        return Err(Fault::at("connectors", problem).hint("list the wheels, then their carrier"));
    }
    let mut connectors = Vec::new();
    for (at, reference) in list.iter().enumerate() {
        let path = format!("connectors[{at}]");
        let connector = resolve(scene, reference).map_err(|fault| fault.under(&path))?;
        connectors.push(connector);
    }
    if connectors.iter().any(in_plane) {
        for connector in &mut connectors {
            if connector.body == GROUND && !in_plane(connector) {
                *connector = GROUND.at([0.0; 2]);
            }
            *connector = scene.world.planar_frame_on(connector.clone(), 0.0)?;
        }
        return Ok((Arc::new(SpinRelation::new(coefficients)), connectors));
    }
    for connector in &mut connectors {
        *connector = as_frame(&scene.world, connector.clone(), "axis", entry.axis)?;
    }
    Ok((Arc::new(SpinRelation::new(coefficients)), connectors))
}

fn surface_of(entry: &SurfaceEntry) -> Result<Arc<dyn Surface>, Fault> {
    check_fields(entry)?;
    let radius = || need(entry.radius, "radius", "in m");
    Ok(match entry.kind {
        SurfaceKind::Plane => Arc::new(PlaneSurface),
        SurfaceKind::Sphere => Arc::new(SphereSurface { radius: radius()? }),
        SurfaceKind::Cylinder => Arc::new(CylinderSurface { radius: radius()? }),
        SurfaceKind::Ellipsoid => Arc::new(EllipsoidSurface {
            semi_axes: need(entry.semi_axes, "semi_axes", "[x, y, z] in m")?,
        }),
        SurfaceKind::Torus => Arc::new(TorusSurface {
            major: need(entry.major, "major", "in m")?,
            minor: need(entry.minor, "minor", "in m")?,
        }),
    })
}
