//! Joints that are pairs of frames: what they share.

use std::sync::Arc;

use linkwork::math::Vec3;
use linkwork::prelude::*;

use super::{Held, JointType, fit, no_counterpart, sides};
use crate::build::connector::in_plane;
use crate::catalogue::{Entry, Field, Fields};
use crate::fault::Fault;
use crate::scene::Scene;

/// A pair of frames as a type of joint.
pub(super) struct Pair {
    /// The joint with the axes of an entry.
    pub(super) joint: fn(&Fields) -> Result<Box<dyn PairJoint>, Fault>,
    /// The law in space, and in the plane if it is there.
    pub(super) law: fn() -> FramePair,
    pub(super) in_plane: Option<fn() -> FramePair>,
    /// The axes that points need, in space and in the plane.
    pub(super) axes: &'static [Field],
    pub(super) planar_axes: &'static [Field],
}

/// What makes a joint of the engine's by world axes.
pub(super) trait PairJoint {
    /// [`World::join`] with it.
    fn join(
        &self,
        world: &mut World,
        name: &str,
        a: Connector,
        b: Connector,
    ) -> Result<ConstraintId, Error>;
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
}

/// An axis of the world; frames bring their own, and need none.
pub(super) fn axis(fields: &Fields, field: &Field) -> Result<Vec3, Fault> {
    fields.or(field, [f64::NAN; 3])
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
        let needs_axis = connectors
            .iter()
            .zip(law.inputs_of(planar))
            .any(|(connector, kind)| {
                let is_frame = matches!(connector.site, Site::Frame { .. } | Site::Frame2 { .. });
                matches!(kind, ConnectorKind::Frame3 | ConnectorKind::Frame2) && !is_frame
            });
        if !needs_axis {
            return Ok(scene
                .world
                .add_shared_constraint(&entry.name, law, &connectors)?);
        }
        let axes = if planar { self.planar_axes } else { self.axes };
        if let Some(missing) = axes.iter().find(|field| !entry.fields.has(field)) {
            let what = "a direction of the world, such as [0, 0, 1]";
            return Err(Fault::missing(missing.name, what));
        }
        let [a, b] = connectors;
        let joint = (self.joint)(&entry.fields)?;
        Ok(joint.join(&mut scene.world, &entry.name, a, b)?)
    }

    /// Whether a law is this pair.
    pub(super) fn describe(&self, held: &Held<'_>) -> Option<Fields> {
        let own = match held.in_plane {
            true => self.in_plane?(),
            false => (self.law)(),
        };
        (*held.is::<FramePair>()? == own).then(Fields::default)
    }
}
