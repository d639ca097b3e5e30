//! Joints that are pairs of frames: what they share.

use std::sync::Arc;

use linkwork::connector::{Connector, ConnectorKind, Site};
use linkwork::constraint::{Constraint, FramePair};
use linkwork::math::Vec3;
use linkwork::prelude::*;
use linkwork::world::ConstraintRecord;

use super::bounded::read_range;
use super::{DRY_FRICTION, Held, JointType, LIMITS, fit, motor, no_counterpart, sides};
use crate::build::connector::in_plane;
use crate::catalogue::fields::ARMATURE;
use crate::catalogue::{Entry, Field, Fields};
use crate::fault::{Fault, Under};
use crate::scene::Scene;

type Join = fn(&mut World, &str, [Connector; 2], &[Vec3]) -> Result<ConstraintId, Error>;

/// A pair of frames as a type of joint.
pub(super) struct Pair {
    /// [`World::join`] by axes of the world.
    pub(super) join: Join,
    /// The law in space, and in the plane if it is there.
    pub(super) law: fn() -> FramePair,
    pub(super) in_plane: Option<fn() -> FramePair>,
    /// The axes that points need. Frames bring their own.
    pub(super) axes: &'static [Field],
}

impl Pair {
    /// Adds the joint of an entry.
    pub(super) fn add(
        &self,
        scene: &mut Scene,
        entry: &Entry<JointType>,
    ) -> Result<ConstraintId, Fault> {
        let mut connectors = sides(scene, entry)?;
        let planar = connectors.iter().any(in_plane);
        let law = match planar {
            true => self.in_plane.ok_or_else(|| no_counterpart(entry))?(),
            false => (self.law)(),
        };
        // Who brings frames on every side that needs one needs no axis.
        let law: Arc<dyn Constraint> = Arc::new(law);
        fit(&mut connectors, law.inputs_of(planar));
        let mut sides = connectors.iter().zip(law.inputs_of(planar));
        let needs_axis = sides.any(|(connector, kind)| {
            let is_frame = matches!(connector.site, Site::Frame { .. } | Site::Frame2 { .. });
            matches!(kind, ConnectorKind::Frame3 | ConnectorKind::Frame2) && !is_frame
        });
        let (world, name) = (&mut scene.world, &entry.name);
        if !needs_axis {
            return Ok(world.add_shared_constraint(name, law, &connectors)?);
        }
        let axis = |field: &Field| {
            let what = "a direction of the world, such as [0, 0, 1]";
            let axis: Option<Vec3> = entry.fields.get(field)?;
            axis.ok_or_else(|| Fault::missing(field.name, what))
        };
        let axes: Vec<Vec3> = self.axes.iter().map(axis).collect::<Result<_, _>>()?;
        Ok((self.join)(world, name, connectors, &axes)?)
    }

    /// Whether a law is this pair; one of the plane is where the type is.
    pub(super) fn describe(&self, kind: &JointType, held: &Held<'_>) -> Option<Fields> {
        let own = match held.in_plane {
            true => self.in_plane.filter(|_| kind.planar)?(),
            false => (self.law)(),
        };
        (*held.is::<FramePair>()? == own).then(Fields::default)
    }
}

/// Adds what an entry has on its coordinate: armature, limits, friction and motor, or nothing of it.
pub(super) fn put_on_coordinate(
    world: &mut World,
    id: ConstraintId,
    entry: &Entry<JointType>,
) -> Result<(), Fault> {
    let mut added = Vec::new();
    let result = add_all(world, id, entry, &mut added);
    if result.is_err() {
        for own in added {
            world.remove_constraint(own)?;
        }
    }
    result
}

fn add_all(
    world: &mut World,
    id: ConstraintId,
    entry: &Entry<JointType>,
    added: &mut Vec<ConstraintId>,
) -> Result<(), Fault> {
    let fields = &entry.fields;
    let mut add = |what: &str, law: Arc<dyn Constraint>| {
        let name = format!("{} {what}", entry.name);
        law.validate().under(what)?;
        added.push(add_beside(world, id, &name, law).under(what)?);
        Ok::<(), Fault>(())
    };
    let inertia = fields.or(&ARMATURE, 0.0)?;
    if let Some(law) = entry.kind.armature.filter(|_| inertia > 0.0) {
        add("armature", law(inertia))?;
    }
    if let Some(bounds) = entry.kind.bounds {
        if let Some(range) = fields.get::<&Fields>(&LIMITS)? {
            add(
                "limits",
                (bounds.limits)(read_range(range).under("limits")?),
            )?;
        }
        let friction = fields.or(&DRY_FRICTION, 0.0)?;
        if friction > 0.0 {
            add("friction", (bounds.friction)(friction))?;
        }
    }
    if let (_, Some(said)) = motor::apart(entry) {
        let now = world.state().t;
        motor::put(world, id, &said, now)?;
    }
    Ok(())
}

/// Adds a law on the coordinate of a joint, along the frames that this has.
fn add_beside(
    world: &mut World,
    id: ConstraintId,
    name: &str,
    law: Arc<dyn Constraint>,
) -> Result<ConstraintId, Fault> {
    let record = world.constraint_record(id)?;
    let planar = record.connectors().iter().any(in_plane);
    let connectors = beside(world, record, law.inputs_of(planar))?;
    Ok(world.add_shared_constraint(name, law, &connectors)?)
}

/// The sides of what acts on the coordinate of a joint and takes these.
pub(super) fn beside(
    world: &World,
    record: &ConstraintRecord,
    takes: &[ConnectorKind],
) -> Result<Vec<Connector>, Fault> {
    let mut connectors = record.connectors().to_vec();
    // What pushes in place of the joint comes after.
    connectors.truncate(takes.len());
    for (connector, kind) in connectors.iter_mut().zip(takes) {
        if *kind == ConnectorKind::Frame2 {
            *connector = world.planar_frame_on(*connector, 0.0)?;
        }
    }
    fit(&mut connectors, takes);
    Ok(connectors)
}
