//! Queries.

use super::{
    BehaviorId, BehaviorRecord, BlockRecord, BodyId, BodyRecord, ConstraintId, ConstraintRecord,
    GROUND, Revision, World,
};
use crate::body::Pose;
use crate::connector::{Connector, ConnectorKind, Counter, Input, Turns};
use crate::constraint::{Constraint, Evaluation};
use crate::error::Error;
use crate::math::Vec3;

/// A connector's output and rate at this moment.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ConnectorValue {
    /// The meaning of `x`.
    pub kind: ConnectorKind,
    /// Output.
    pub x: Vec<f64>,
    /// Its rate.
    pub x_dot: Vec<f64>,
}

impl ConnectorValue {
    /// As a constraint or behavior reads it.
    pub(crate) fn input(&self) -> Input<'_> {
        let Self { kind, x, x_dot } = self;
        let kind = *kind;
        Input { kind, x, x_dot }
    }
}

impl World {
    /// All bodies but the ground, by id.
    pub fn bodies(&self) -> &[BodyRecord] {
        &self.bodies
    }

    /// All constraints, by id.
    pub fn constraints(&self) -> &[ConstraintRecord] {
        &self.constraints
    }

    /// All behaviors, by id.
    pub fn behaviors(&self) -> &[BehaviorRecord] {
        &self.behaviors
    }

    /// Whether the force of a behavior depends on positions, and on velocities.
    pub(crate) fn has_changing_forces(&self) -> [bool; 2] {
        let at_work = self
            .behaviors
            .iter()
            .filter(|record| record.enabled && !record.connectors.is_empty());
        at_work.fold([false; 2], |[place, motion], record| {
            let own = &record.behavior;
            [
                place || own.changes_with_place(),
                motion || own.changes_with_motion(),
            ]
        })
    }

    /// The body with this id. The ground has no record.
    pub fn body_record(&self, id: BodyId) -> Result<&BodyRecord, Error> {
        self.bodies.get(id)
    }

    /// Position of the body with this id.
    pub(crate) fn body_position(&self, id: BodyId) -> Option<usize> {
        self.bodies.position(id)
    }

    /// The constraint with this id.
    pub fn constraint_record(&self, id: ConstraintId) -> Result<&ConstraintRecord, Error> {
        self.constraints.get(id)
    }

    /// The behavior with this id.
    pub fn behavior_record(&self, id: BehaviorId) -> Result<&BehaviorRecord, Error> {
        self.behaviors.get(id)
    }

    /// The rows `c` of a constraint at the present state, and their rates.
    pub fn constraint_values(&self, id: ConstraintId) -> Result<(Vec<f64>, Vec<f64>), Error> {
        let record = self.constraint_record(id)?;
        let values = self.connector_values(&record.connectors)?;
        let inputs: Vec<Input<'_>> = values.iter().map(ConnectorValue::input).collect();
        let turns = self.counter(record.angle0);
        let now = Evaluation::of(&*record.constraint, self.state.t, &inputs, turns);
        Ok((now.c, now.c_dot))
    }

    /// The angles that a constraint measures in space, with full turns, and their rates: rad, rad/s.
    pub fn joint_angles(&self, id: ConstraintId) -> Result<Vec<[f64; 2]>, Error> {
        let record = self.constraint_record(id)?;
        let values = self.connector_values(&record.connectors)?;
        let inputs: Vec<Input<'_>> = values.iter().map(ConnectorValue::input).collect();
        let mut seen = Turns::default();
        seen.size(&self.state.turns);
        let turns = Counter {
            into: Some(&mut seen),
            ..self.counter(record.angle0)
        };
        Evaluation::of(&*record.constraint, self.state.t, &inputs, turns);
        Ok(record.angle_range().filter_map(|k| seen.angle(k)).collect())
    }

    /// The first row of a constraint, which need not be part of the world, on these connectors, and its rate.
    /// An angle in space is at the turn nearest to closed.
    pub fn row_of(
        &self,
        law: &dyn Constraint,
        connectors: &[Connector],
    ) -> Result<[f64; 2], Error> {
        let values = self.connector_values(connectors)?;
        let inputs: Vec<Input<'_>> = values.iter().map(ConnectorValue::input).collect();
        let now = Evaluation::of(law, self.state.t, &inputs, Counter::default());
        Ok([now.c[0], now.c_dot[0]])
    }

    /// A counter of the turns of angles from `first` on, by the present state.
    pub(crate) fn counter(&self, first: usize) -> Counter<'_> {
        Counter {
            from: Some((&self.state.turns, self.state.t)),
            into: None,
            first,
        }
    }

    /// Outputs of several connectors.
    pub(crate) fn connector_values(
        &self,
        connectors: &[Connector],
    ) -> Result<Vec<ConnectorValue>, Error> {
        let value = |connector| self.connector_value(connector);
        connectors.iter().map(value).collect()
    }

    /// The body with this label.
    pub fn find_body(&self, label: &str) -> Option<BodyId> {
        self.bodies.find(label)
    }

    /// The constraint with this label.
    pub fn find_constraint(&self, label: &str) -> Option<ConstraintId> {
        self.constraints.find(label)
    }

    /// The behavior with this label.
    pub fn find_behavior(&self, label: &str) -> Option<BehaviorId> {
        self.behaviors.find(label)
    }

    /// A body's label; "ground" for the ground.
    pub fn body_label(&self, id: BodyId) -> Result<&str, Error> {
        if id == GROUND {
            return Ok("ground");
        }
        Ok(self.body_record(id)?.label())
    }

    /// Whether a constraint takes part in the solve: it, its blocks and all its bodies are enabled.
    pub fn is_active(&self, id: ConstraintId) -> Result<bool, Error> {
        let record = self.constraint_record(id)?;
        Ok(record.enabled && self.all_enabled(&record.connectors))
    }

    /// Position and rotation of a body's frame, if it has one.
    pub fn pose(&self, id: BodyId) -> Result<Option<Pose>, Error> {
        if id == GROUND {
            return Ok(Some(Pose::at([0.0; 3])));
        }
        let record = self.body_record(id)?;
        Ok(record
            .body
            .pose(self.state.t, &self.state.q[record.q_range()]))
    }

    /// A body's coordinates.
    pub fn q(&self, id: BodyId) -> Result<&[f64], Error> {
        Ok(&self.state.q[self.body_record(id)?.q_range()])
    }

    /// A body's velocities.
    pub fn v(&self, id: BodyId) -> Result<&[f64], Error> {
        Ok(&self.state.v[self.body_record(id)?.v_range()])
    }

    /// The bodies that move a connector, including the ground.
    pub fn bodies_of<'a>(&'a self, connector: &'a Connector) -> &'a [BodyId] {
        match connector {
            Connector::Site { body, .. } => std::slice::from_ref(body),
            Connector::Output { block, .. } => {
                let record = self.block_record(*block);
                record.map_or(&[], BlockRecord::bodies)
            }
        }
    }

    /// Whether this body moves any of the connectors.
    pub(crate) fn touches(&self, connectors: &[Connector], id: BodyId) -> bool {
        let mut bodies = connectors.iter().flat_map(|own| self.bodies_of(own));
        bodies.any(|own| *own == id)
    }

    /// Whether forces can move the connector.
    pub(crate) fn moves(&self, connector: &Connector) -> bool {
        let is_movable = |id: &BodyId| self.body_record(*id).is_ok_and(|own| own.body.n_v() > 0);
        self.bodies_of(connector).iter().any(is_movable)
    }

    /// The largest radius of gyration of the bodies that move a connector.
    pub(super) fn gyration_radius(&self, connector: &Connector) -> Option<f64> {
        let bodies = self.bodies_of(connector).iter();
        let radii = bodies.filter_map(|id| self.body_record(*id).ok()?.body.gyration_radius());
        radii.reduce(f64::max)
    }

    /// World position of a point or of a frame's origin (z = 0 in the plane).
    pub fn position_world(&self, connector: &Connector) -> Result<Vec3, Error> {
        let value = self.connector_value(connector)?;
        let mut position = [0.0; 3];
        for (k, x) in value.x.iter().take(value.kind.n_position()).enumerate() {
            position[k] = *x;
        }
        Ok(position)
    }

    pub(crate) fn revision(&self) -> Revision {
        self.revision
    }

    pub(crate) fn all_enabled(&self, connectors: &[Connector]) -> bool {
        let is_enabled =
            |id: &BodyId| *id == GROUND || self.body_record(*id).is_ok_and(|record| record.enabled);
        connectors.iter().all(|connector| {
            let is_on = |block| self.block_record(block).is_ok_and(|record| record.is_on);
            connector.block().is_none_or(is_on) && self.bodies_of(connector).iter().all(is_enabled)
        })
    }
}
