//! Joints that are pairs of frames: what they share.

use std::sync::Arc;

use linkwork::connector::{Connector, ConnectorKind, Site};
use linkwork::constraint::{Constraint, FramePair};
use linkwork::math::{Vec3, mat_mul, neg, quat_to_matrix, transpose};
use linkwork::prelude::*;
use linkwork::world::ConstraintRecord;

use super::beside::{Beside, Frames};
use super::{AXIS, Held, JointType, fit, framed, motor, no_counterpart, sides};
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
        let planar = connectors.iter().any(|own| in_plane(&scene.world, own));
        let law = match planar {
            true => self.in_plane.ok_or_else(|| no_counterpart(entry))?(),
            false => (self.law)(),
        };
        // Who brings frames on every side that needs one needs no axis.
        let law: Arc<dyn Constraint> = Arc::new(law);
        fit(&mut connectors, law.inputs_of(planar));
        let mut sides = connectors.iter().zip(law.inputs_of(planar));
        let needs_axis = sides.any(|(connector, kind)| {
            let is_frame = connector.site().is_some_and(Site::is_frame);
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

/// Adds what an entry has on its coordinates: armature, limits, friction, ratchet and motor, or nothing of it.
pub(super) fn put_on_coordinate(
    scene: &mut Scene,
    id: ConstraintId,
    entry: &Entry<JointType>,
) -> Result<(), Fault> {
    let mut added = Vec::new();
    let result = add_all(scene, id, entry, &mut added);
    if result.is_err() {
        for own in added {
            scene.world.remove_constraint(own)?;
        }
    }
    result
}

fn add_all(
    scene: &mut Scene,
    id: ConstraintId,
    entry: &Entry<JointType>,
    added: &mut Vec<ConstraintId>,
) -> Result<(), Fault> {
    let fields = &entry.fields;
    let inertia = fields.or(&ARMATURE, 0.0)?;
    if let Some(law) = entry.kind.armature.filter(|_| inertia > 0.0) {
        let name = format!("{} armature", entry.name);
        let law = law(inertia);
        law.validate().under("armature")?;
        added.push(add_beside(&mut scene.world, id, &name, law).under("armature")?);
    }
    if let Some(bounds) = entry.kind.bounds {
        for Beside {
            field,
            what,
            law,
            frames,
        } in bounds(fields)?
        {
            law.validate().under(field)?;
            let name = format!("{} {what}", entry.name);
            let own = match frames {
                Frames::Own => add_beside(&mut scene.world, id, &name, law).under(field)?,
                other => {
                    let connectors = frames_of(scene, id, entry, other)?;
                    let world = &mut scene.world;
                    (world.add_shared_constraint(&name, law, &connectors)).under(field)?
                }
            };
            added.push(own);
        }
    }
    if let (_, Some(said)) = motor::apart(entry) {
        let now = scene.world.state().t;
        motor::put(&mut scene.world, id, &said, now)?;
    }
    Ok(())
}

/// The frames of a law on the coordinates of a joint in space whose own connectors do not tell them.
fn frames_of(
    scene: &Scene,
    id: ConstraintId,
    entry: &Entry<JointType>,
    frames: Frames,
) -> Result<Vec<Connector>, Fault> {
    let record = scene.world.constraint_record(id)?;
    if record
        .connectors()
        .iter()
        .any(|own| in_plane(&scene.world, own))
    {
        let problem = "are of a joint in space, and this one is in the plane";
        return Err(Fault::at("limits", problem).hint("use a hinge"));
    }
    if frames == Frames::Entry {
        return framed(scene, entry, &[AXIS, AXIS]);
    }
    let mut own = record.connectors()[..2].to_vec();
    let (point, brought) = (sides(scene, entry)?[0], own[1]);
    if let (Some(Site::Point(_)), Some((body, Site::Frame { rotation, .. }))) =
        (point.site(), brought.place())
        && let Some(pose) = scene.world.pose(body)?
    {
        // What a point and an axis make knows no zero: it is here.
        let rot_world_frame = mat_mul(&quat_to_matrix(pose.rotation), &rotation);
        own[0] = scene.world.frame_on(point, &rot_world_frame)?;
    }
    if frames == Frames::EqualAboutB {
        turn_to_b(&mut own);
    }
    Ok(own)
}

/// Frames between which the angle about x of the first, of y of the second, is that of b about its y: `x ← −y` and
/// `y ← x` in both, b first.
pub(super) fn turn_to_b(frames: &mut [Connector]) {
    frames.reverse();
    for connector in frames {
        if let Some(Site::Frame { rotation, .. }) = connector.site_mut() {
            let [x, y, z] = transpose(rotation);
            *rotation = transpose(&[neg(y), x, z]);
        }
    }
}

/// Adds a law on the coordinate of a joint, along the frames that this has.
fn add_beside(
    world: &mut World,
    id: ConstraintId,
    name: &str,
    law: Arc<dyn Constraint>,
) -> Result<ConstraintId, Fault> {
    let record = world.constraint_record(id)?;
    let planar = record.connectors().iter().any(|own| in_plane(world, own));
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
