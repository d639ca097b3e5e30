//! Reading a world.

#![allow(non_snake_case)] // L: the letter of the papers.

use super::{
    BehaviorId, BehaviorRecord, BodyId, BodyRecord, ConstraintId, ConstraintRecord, GROUND,
    Revision, World,
};
use crate::body::{Body, Ground, Pose};
use crate::connector::{Connector, ConnectorKind, ConnectorMut, Input};
use crate::constraint::Rows;
use crate::error::Error;
use crate::linalg::MatMut;
use crate::math::Vec3;

/// A connector's output and rate at this moment.
#[derive(Clone, Debug, PartialEq)]
pub struct ConnectorValue {
    /// What `x` means.
    pub kind: ConnectorKind,
    /// Output.
    pub x: Vec<f64>,
    /// Its rate.
    pub x_dot: Vec<f64>,
}

/// [`ConnectorValue`] with `L` and `ℓ` of `ẍ = L·v̇ + ℓ`.
#[derive(Clone, Debug)]
pub(crate) struct ConnectorMotion {
    pub(crate) value: ConnectorValue,
    /// `n_x_dot` rows; as many columns as `columns` names, or `n_v`.
    pub(crate) L: Vec<f64>,
    pub(crate) ell: Vec<f64>,
    pub(crate) columns: Option<Vec<u32>>,
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

    /// The body with this id. The ground has no record.
    pub fn body_record(&self, id: BodyId) -> Result<&BodyRecord, Error> {
        self.bodies.get(id)
    }

    /// Where among the bodies the one with this id is.
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
        let constraint = &*record.constraint;
        let values = record
            .connectors
            .iter()
            .map(|connector| self.connector_value(connector))
            .collect::<Result<Vec<_>, _>>()?;
        let inputs: Vec<Input<'_>> = values
            .iter()
            .map(|value| Input {
                kind: value.kind,
                x: &value.x,
                x_dot: &value.x_dot,
            })
            .collect();
        let kinds = record.inputs();
        let n_rows = record.rows().len();
        let n = n_rows * kinds.iter().map(|kind| kind.n_x_dot()).sum::<usize>();
        let (mut c, mut c_dot, mut gamma) =
            (vec![0.0; n_rows], vec![0.0; n_rows], vec![0.0; n_rows]);
        let (mut dc_dx, mut push) = (vec![0.0; n], vec![0.0; n]);
        let mut out = Rows::new(kinds, &mut c, &mut c_dot, &mut gamma, &mut dc_dx, &mut push);
        constraint.eval(self.state.t, &inputs, &mut out);
        Ok((c, c_dot))
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

    /// Whether a constraint takes part in the solve: it and all its bodies are enabled.
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

    /// A connector's output at this moment.
    pub fn connector_value(&self, connector: &Connector) -> Result<ConnectorValue, Error> {
        Ok(self.connector_motion(connector)?.value)
    }

    /// A connector's output at this moment, and how it depends on the body's acceleration.
    pub(crate) fn connector_motion(&self, connector: &Connector) -> Result<ConnectorMotion, Error> {
        let (body, q, v): (&dyn Body, &[f64], &[f64]) = if connector.body == GROUND {
            (&Ground, &[], &[])
        } else {
            let record = self.body_record(connector.body)?;
            (
                &*record.body,
                &self.state.q[record.q_range()],
                &self.state.v[record.v_range()],
            )
        };
        let label = self.body_label(connector.body)?;
        let kind = super::check::connector_kind(body, label, "connector", &connector.site)?;
        let columns = body.columns(&connector.site);
        let n_cols = columns.as_ref().map_or(body.n_v(), Vec::len);
        let mut motion = ConnectorMotion {
            value: ConnectorValue {
                kind,
                x: vec![0.0; kind.n_x()],
                x_dot: vec![0.0; kind.n_x_dot()],
            },
            L: vec![0.0; kind.n_x_dot() * n_cols],
            ell: vec![0.0; kind.n_x_dot()],
            columns,
        };
        let mut out = ConnectorMut {
            x: &mut motion.value.x,
            x_dot: &mut motion.value.x_dot,
            L: MatMut::new(&mut motion.L, n_cols),
            ell: &mut motion.ell,
        };
        body.connector(&connector.site, self.state.t, q, v, &mut out);
        Ok(motion)
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
        connectors.iter().all(|connector| {
            connector.body == GROUND
                || self
                    .body_record(connector.body)
                    .is_ok_and(|record| record.enabled)
        })
    }
}
