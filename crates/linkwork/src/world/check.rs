//! What an edit is refused for, found before anything changes: labels, parameters, sites and kinds
//! of connectors, lengths.

use std::sync::Arc;

use super::edit::IntoBody;
use super::{BodyRecord, GROUND, World};
use crate::behavior::Behavior;
use crate::body::{Body, Ground};
use crate::connector::{Connector, ConnectorKind, Site};
use crate::constraint::{Constraint, MAX_ROWS};
use crate::error::{Error, Invalid, Item};

impl World {
    pub(super) fn check_constraint(
        &self,
        label: &str,
        constraint: &dyn Constraint,
        connectors: &[Connector],
    ) -> Result<(), Error> {
        constraint
            .validate()
            .map_err(|problem| invalid(Item::Constraint, label, problem))?;
        let n_rows = constraint.rows().len();
        if n_rows == 0 || n_rows > MAX_ROWS {
            let problem = format!("are {n_rows}; give 1 to {MAX_ROWS}, or split the constraint");
            return Err(invalid(
                Item::Constraint,
                label,
                Invalid::new("rows", problem),
            ));
        }
        self.check_inputs(label, constraint.inputs(), connectors)?;
        if let Some(first) = connectors.first()
            && connectors.len() > 1
            && connectors.iter().all(|c| c.body == first.body)
            && let Ok(record) = self.body_record(first.body)
            && record.body.moves_as_one()
        {
            return Err(Error::SameBody {
                label: label.to_owned(),
                body: record.label.clone(),
            });
        }
        if !constraint.allows_same_body() {
            for (i, a) in connectors.iter().enumerate() {
                if connectors[..i]
                    .iter()
                    .any(|b| a.body == b.body && a.body != GROUND)
                {
                    let body = self.body_label(a.body)?.to_owned();
                    return Err(Error::SameBody {
                        label: label.to_owned(),
                        body,
                    });
                }
            }
        }
        self.check_movable(Item::Constraint, label, connectors)
    }

    /// At least one connector must sit on a body that can move.
    fn check_movable(
        &self,
        item: Item,
        label: &str,
        connectors: &[Connector],
    ) -> Result<(), Error> {
        let movable = |connector: &Connector| {
            self.body_record(connector.body)
                .is_ok_and(|record| record.body.n_v() > 0)
        };
        if connectors.iter().any(movable) {
            return Ok(());
        }
        let label = label.to_owned();
        Err(Error::NothingToMove { item, label })
    }

    pub(super) fn check_behavior(
        &self,
        label: &str,
        behavior: &dyn Behavior,
        connectors: &[Connector],
    ) -> Result<(), Error> {
        behavior
            .validate()
            .map_err(|problem| invalid(Item::Behavior, label, problem))?;
        self.check_inputs(label, behavior.inputs(), connectors)?;
        if connectors.is_empty() {
            return Ok(());
        }
        self.check_movable(Item::Behavior, label, connectors)
    }

    fn check_inputs(
        &self,
        label: &str,
        kinds: &[ConnectorKind],
        connectors: &[Connector],
    ) -> Result<(), Error> {
        if kinds.len() != connectors.len() {
            let (expected, given) = (kinds.len(), connectors.len());
            return Err(Error::InputCount {
                label: label.to_owned(),
                expected,
                given,
            });
        }
        for (input, (expected, connector)) in kinds.iter().zip(connectors).enumerate() {
            let body: &dyn Body = if connector.body == GROUND {
                &Ground
            } else {
                &*self.body_record(connector.body)?.body
            };
            let body_label = self.body_label(connector.body)?;
            let given = connector_kind(body, body_label, label, &connector.site)?;
            if given != *expected {
                let (label, expected) = (label.to_owned(), *expected);
                return Err(Error::InputKind {
                    label,
                    input,
                    expected,
                    given,
                });
            }
        }
        Ok(())
    }
}

/// The kind of a connector, or why the body refuses the site.
pub(super) fn connector_kind(
    body: &dyn Body,
    body_label: &str,
    label: &str,
    site: &Site,
) -> Result<ConnectorKind, Error> {
    match body.connector_kind(site) {
        Ok(Some(kind)) => Ok(kind),
        Ok(None) => Err(Error::UnsupportedSite {
            label: label.to_owned(),
            body: body_label.to_owned(),
            site: site.to_string(),
            offers: body.offers(),
        }),
        Err(problem) => Err(invalid(Item::Body, body_label, problem)),
    }
}

pub(super) fn invalid(item: Item, label: &str, problem: Invalid) -> Error {
    Error::Invalid {
        item,
        label: label.to_owned(),
        field: problem.field,
        problem: problem.problem,
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
    Err(invalid(
        Item::Body,
        &record.label,
        Invalid::new(field, problem),
    ))
}

pub(super) fn checked_body(label: &str, body: impl IntoBody) -> Result<Arc<dyn Body>, Error> {
    let body = body
        .into_body()
        .map_err(|problem| invalid(Item::Body, label, problem))?;
    body.validate()
        .map_err(|problem| invalid(Item::Body, label, problem))?;
    Ok(body)
}
