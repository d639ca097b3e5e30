//! Joints that follow other joints.

use std::sync::Arc;

use linkwork::prelude::*;

use super::body::need;
use super::connector::resolve;
use crate::fault::Fault;
use crate::format::{CoordinateEntry, JointEntry};
use crate::scene::Scene;

/// The law and the four frames of a coupling.
pub(super) fn coupling(
    scene: &Scene,
    entry: &JointEntry,
) -> Result<(Arc<dyn Constraint>, Vec<Connector>), Fault> {
    let what = "two frames of the leading joint, then two of the one that follows";
    let list = need(entry.connectors.as_ref(), "connectors", what)?;
    let what = "the offset, the ratio, and those of higher powers";
    let coefficients = need(entry.coefficients.as_ref(), "coefficients", what)?;
    if list.len() != 4 {
        let problem = format!("has {} entries in place of 4", list.len());
        let hint = "list two frames of the leading joint, then two of the one that follows";
        return Err(Fault::at("connectors", problem).hint(hint));
    }
    let [leading, following] = entry
        .coordinates
        .unwrap_or([CoordinateEntry::Angle; 2])
        .map(|coordinate| match coordinate {
            CoordinateEntry::Angle => JointCoordinate::Angle,
            CoordinateEntry::Length => JointCoordinate::Length,
            CoordinateEntry::PlanarAngle => JointCoordinate::PlanarAngle,
        });
    let law = Coupling::new(leading, following, coefficients);
    let mut connectors = Vec::new();
    for (at, (reference, kind)) in list.iter().zip(law.inputs()).enumerate() {
        let path = format!("connectors[{at}]");
        let connector = resolve(scene, reference).map_err(|fault| fault.under(&path))?;
        let fits = match kind {
            ConnectorKind::Frame2 => matches!(connector.site, Site::Frame2 { .. }),
            _ => matches!(connector.site, Site::Frame { .. }),
        };
        if !fits {
            let problem = format!("is no {kind}");
            let hint = "give it an axis in space, an angle in the plane";
            return Err(Fault::at(path, problem).hint(hint));
        }
        connectors.push(connector);
    }
    Ok((Arc::new(law), connectors))
}
