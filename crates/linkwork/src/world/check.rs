//! Checks of an edit before anything changes: labels, parameters, sites and kinds of connectors, lengths.

use std::sync::Arc;

use super::block::{check_kind, output_kind};
use super::{BodyRecord, GROUND, World};
use crate::behavior::Behavior;
use crate::body::{Body, Ground, IntoBody};
use crate::connector::{Connector, ConnectorKind, MAX_INPUTS, Site};
use crate::constraint::{Closing, Constraint, MAX_ROWS};
use crate::error::{Error, Item};

impl World {
    /// Whether the constraint acts in the plane; an error if it cannot be accepted.
    pub(super) fn check_constraint(
        &self,
        label: &str,
        constraint: &dyn Constraint,
        connectors: &[Connector],
    ) -> Result<bool, Error> {
        constraint
            .validate()
            .map_err(|problem| problem.of(Item::Constraint, label))?;
        let kinds = [constraint.inputs(), constraint.inputs_in_plane()];
        let in_plane = self.check_inputs(label, kinds, connectors)?;
        let n_rows = constraint.rows_of(in_plane).len();
        if n_rows == 0 || n_rows > MAX_ROWS {
            let problem = format!("are {n_rows}; give 1 to {MAX_ROWS}, or split the constraint");
            return Err(Error::field("rows", problem).of(Item::Constraint, label));
        }
        if let Some(closing) = constraint.as_closing()
            && closing.c_start.len() != n_rows
        {
            return Err(Closing::wrong_length().of(Item::Constraint, label));
        }
        if let Some(first) = connectors.first()
            && connectors.len() > 1
            && let Some(body) = first.body()
            && connectors.iter().all(|c| c.is_on(body))
            && let Ok(record) = self.body_record(body)
            && record.body.moves_as_one()
        {
            return Err(Error::SameBody {
                label: label.to_owned(),
                body: record.label.to_string(),
            });
        }
        if !constraint.allows_same_body() {
            for (i, a) in connectors.iter().enumerate() {
                let Some(body) = a.body().filter(|&body| body != GROUND) else {
                    continue;
                };
                if connectors[..i].iter().any(|b| b.is_on(body)) {
                    let body = self.body_label(body)?.to_owned();
                    return Err(Error::SameBody {
                        label: label.to_owned(),
                        body,
                    });
                }
            }
        }
        self.check_movable(Item::Constraint, label, connectors)?;
        Ok(in_plane)
    }

    /// Refuses connectors of which none moves with a body that forces can move.
    pub(super) fn check_movable(
        &self,
        item: Item,
        label: &str,
        connectors: &[Connector],
    ) -> Result<(), Error> {
        if connectors.iter().any(|connector| self.moves(connector)) {
            return Ok(());
        }
        let label = label.to_owned();
        Err(Error::NothingToMove { item, label })
    }

    /// Whether the behavior acts in the plane; an error if it cannot be accepted.
    pub(super) fn check_behavior(
        &self,
        label: &str,
        behavior: &dyn Behavior,
        connectors: &[Connector],
    ) -> Result<bool, Error> {
        behavior
            .validate()
            .map_err(|problem| problem.of(Item::Behavior, label))?;
        let kinds = [behavior.inputs(), behavior.inputs_in_plane()];
        let in_plane = self.check_inputs(label, kinds, connectors)?;
        if !connectors.is_empty() {
            self.check_movable(Item::Behavior, label, connectors)?;
        }
        Ok(in_plane)
    }

    /// Whether the connectors are in the plane; an error if the law takes them neither there nor in space.
    pub(super) fn check_inputs(
        &self,
        label: &str,
        [in_space, in_plane]: [&[ConnectorKind]; 2],
        connectors: &[Connector],
    ) -> Result<bool, Error> {
        let is_planar = !in_plane.is_empty() && connectors.iter().any(|c| self.is_planar(c));
        let kinds = if is_planar { in_plane } else { in_space };
        if kinds.len() != connectors.len() {
            let (expected, given) = (kinds.len(), connectors.len());
            return Err(Error::InputCount {
                label: label.to_owned(),
                expected,
                given,
            });
        }
        if connectors.len() > MAX_INPUTS {
            let given = connectors.len();
            let label = label.to_owned();
            return Err(Error::TooManyInputs { label, given });
        }
        for (input, (expected, connector)) in kinds.iter().zip(connectors).enumerate() {
            let given = self.kind_of(connector, label)?;
            check_kind(label, input, *expected, given)?;
        }
        Ok(is_planar)
    }

    /// Whether a connector is in the plane.
    fn is_planar(&self, connector: &Connector) -> bool {
        match connector {
            Connector::Site { site, .. } => site.is_planar(),
            Connector::Output { .. } => {
                let kind = self.kind_of(connector, "");
                kind.is_ok_and(ConnectorKind::is_planar)
            }
        }
    }

    /// The kind of a connector, or an error. `label` is that of its user.
    pub(super) fn kind_of(
        &self,
        connector: &Connector,
        label: &str,
    ) -> Result<ConnectorKind, Error> {
        match connector {
            Connector::Site { body: id, site } => {
                let body: &dyn Body = match *id == GROUND {
                    true => &Ground,
                    false => &*self.body_record(*id)?.body,
                };
                connector_kind(body, self.body_label(*id)?, label, site)
            }
            Connector::Output { block, output } => {
                let block = self.block_record(*block)?;
                output_kind(block.outputs(), (*output, &block.label), label)
            }
        }
    }
}

/// The kind of a connector, or the reason why the body refuses the site.
pub(super) fn connector_kind(
    body: &dyn Body,
    body_label: &str,
    label: &str,
    site: &Site,
) -> Result<ConnectorKind, Error> {
    // `Site::Coordinates` must be all coordinates, in order: the engine reads them directly.
    let is_vector = |kind| {
        let n = body.n_v();
        kind == ConnectorKind::Vector(n as u32) && body.n_q() == n
    };
    match body.connector_kind(site) {
        Ok(Some(kind)) if *site != Site::Coordinates || is_vector(kind) => Ok(kind),
        Ok(_) => Err(Error::UnsupportedSite {
            label: label.to_owned(),
            body: body_label.to_owned(),
            site: site.to_string(),
            offers: body.offers(),
        }),
        Err(problem) => Err(problem.of(Item::Body, body_label)),
    }
}

pub(super) fn check_length(
    record: &BodyRecord,
    field: &'static str,
    given: usize,
    expected: usize,
) -> Result<(), Error> {
    if given == expected {
        return Ok(());
    }
    let problem = format!("has {given} numbers; this body takes {expected}");
    Err(Error::field(field, problem).of(Item::Body, &record.label))
}

pub(super) fn checked_body(label: &str, body: impl IntoBody) -> Result<Arc<dyn Body>, Error> {
    let body = body
        .into_body()
        .map_err(|problem| problem.of(Item::Body, label))?;
    body.validate()
        .map_err(|problem| problem.of(Item::Body, label))?;
    Ok(body)
}
