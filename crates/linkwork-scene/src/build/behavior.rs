//! Behaviors of entries.

use std::sync::Arc;

use linkwork::math::{Vec3, complete_basis, transpose};
use linkwork::prelude::*;

use super::body::need;
use super::connector::resolve;
use super::place::exactly;
use super::{angle, check_fields};
use crate::fault::{Fault, meant};
use crate::format::{AxesEntry, BehaviorEntry, BehaviorKind, ConnectorRef};
use crate::scene::Scene;

/// Adds a behavior.
pub(crate) fn add(scene: &mut Scene, entry: &BehaviorEntry) -> Result<(), Fault> {
    let (law, connectors) = make(scene, entry)?;
    let world = &mut scene.world;
    let id = world.add_shared_behavior(&entry.name, law, &connectors)?;
    if !entry.enabled {
        world.set_behavior_enabled(id, false)?;
    }
    Ok(())
}

/// The behavior an entry describes, and what it acts on.
pub(crate) fn make(
    scene: &Scene,
    entry: &BehaviorEntry,
) -> Result<(Arc<dyn Behavior>, Vec<Connector>), Fault> {
    check_fields(entry)?;
    let mut connectors = connectors(scene, entry)?;
    let planar = connectors
        .iter()
        .any(|connector| matches!(connector.site, Site::Point2(_) | Site::Frame2 { .. }));
    let stiffness = || need(entry.stiffness, "stiffness", "in N/m or N·m/rad");
    let damping = entry.damping.unwrap_or(0.0);
    let (linear, angular) = (entry.linear.unwrap_or(0.0), entry.angular.unwrap_or(0.0));
    let rest_angle = angle("rest_angle", entry.rest_angle, entry.rest_angle_deg)?.unwrap_or(0.0);
    let force = || need(entry.force.as_ref(), "force", "in N");
    let torque = || need(entry.torque.as_ref(), "torque", "in N·m");
    let law: Arc<dyn Behavior> = match (entry.kind, planar) {
        (BehaviorKind::Gravity, _) => Arc::new(Gravity {
            acceleration_world: need(entry.acceleration, "acceleration", "[x, y, z] in m/s²")?,
        }),
        (BehaviorKind::Force, false) => Arc::new(PointForce {
            force_world: exactly("force", force()?)?,
        }),
        (BehaviorKind::Force, true) => {
            let [x, y] = exactly("force", force()?)?;
            Arc::new(PointForce {
                force_world: [x, y, 0.0],
            })
        }
        (BehaviorKind::Wrench, false) => {
            let three = |numbers: &Option<_>, field| match numbers {
                Some(numbers) => exactly(field, numbers),
                None => Ok([0.0; 3]),
            };
            Arc::new(ConstantForce {
                force: three(&entry.force, "force")?,
                torque: three(&entry.torque, "torque")?,
                axes: match entry.axes.unwrap_or_default() {
                    AxesEntry::World => Axes::World,
                    AxesEntry::Connector => Axes::Frame,
                },
            })
        }
        (BehaviorKind::Wrench, true) => {
            return Err(
                Fault::at("type", "\"wrench\" has no counterpart in the plane")
                    .hint("use \"force\" and \"motor\""),
            );
        }
        (BehaviorKind::Motor, _) => {
            let [torque] = exactly("torque", torque()?)?;
            Arc::new(Motor { torque })
        }
        (BehaviorKind::TorsionSpring, _) => Arc::new(TorsionSpring {
            stiffness: stiffness()?,
            rest_angle,
            damping,
        }),
        (BehaviorKind::Friction, _) => Arc::new(JointFriction { angular, linear }),
        (BehaviorKind::Drag, _) => Arc::new(ViscousDrag { linear, angular }),
        (BehaviorKind::ExplicitSpring, _) => Arc::new(Spring {
            stiffness: stiffness()?,
            rest_length: entry.rest_length.unwrap_or(0.0),
            damping,
        }),
    };
    for (connector, kind) in connectors.iter_mut().zip(law.inputs_of(planar)) {
        *connector = fitted(&scene.world, connector.clone(), *kind)?;
    }
    Ok((law, connectors))
}

fn connectors(scene: &Scene, entry: &BehaviorEntry) -> Result<Vec<Connector>, Fault> {
    let side = |name: &'static str, reference: &Option<ConnectorRef>| {
        let reference = need(reference.as_ref(), name, "what it acts on")?;
        resolve(scene, reference).map_err(|fault| fault.under(name))
    };
    match entry.kind {
        BehaviorKind::Gravity => Ok(Vec::new()),
        BehaviorKind::Force | BehaviorKind::Wrench | BehaviorKind::Drag => {
            Ok(vec![side("on", &entry.on)?])
        }
        _ => match &entry.joint {
            None => Ok(vec![side("a", &entry.a)?, side("b", &entry.b)?]),
            Some(_) if entry.a.is_some() || entry.b.is_some() => {
                Err(Fault::at("joint", "brings its own sides").hint("leave \"a\" and \"b\" out"))
            }
            Some(name) => {
                let Some(id) = scene.world.find_constraint(name) else {
                    let known = scene
                        .world
                        .constraints()
                        .iter()
                        .map(ConstraintRecord::label);
                    let mut fault = Fault::at("joint", format!("no joint is called \"{name}\""));
                    fault.hint = meant(name, known);
                    return Err(fault);
                };
                let connectors = scene.world.constraint_record(id)?.connectors();
                if connectors.len() != 2 {
                    let problem = format!("\"{name}\" has {} sides", connectors.len());
                    return Err(Fault::at("joint", problem).hint("give \"a\" and \"b\""));
                }
                Ok(connectors.to_vec())
            }
        },
    }
}

/// A frame taken for its point, or a point for a frame parallel to its body's.
fn fitted(world: &World, connector: Connector, kind: ConnectorKind) -> Result<Connector, Fault> {
    const Z: Vec3 = [0.0, 0.0, 1.0];
    let body = connector.body;
    Ok(match (connector.site.clone(), kind) {
        (Site::Frame { origin, .. }, ConnectorKind::Point3) => body.at(origin),
        (Site::Frame2 { origin, .. }, ConnectorKind::Point2) => body.at(origin),
        (Site::Point2(_), ConnectorKind::Frame2) => world.planar_frame_on(connector, 0.0)?,
        (Site::Point(_), ConnectorKind::Frame3) => {
            let (x, y) = complete_basis(Z);
            world.frame_on(connector, &transpose(&[x, y, Z]))?
        }
        _ => connector,
    })
}
