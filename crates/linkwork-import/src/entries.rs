//! Entries of a scene, written as a file would.

use linkwork::body::Pose;
use linkwork::math::quat_from_matrix;
use linkwork_scene::Fault;
use linkwork_scene::format::{ConnectorEntry, Numbers};
use linkwork_scene::read::Record;
use serde_json::Value;

use crate::place::{point, then, turn};

/// An entry from its JSON. What is wrong with it is a number that a model gave.
pub(crate) fn entry<T: Record>(value: Value) -> Result<T, Fault> {
    let path = value["name"].as_str().unwrap_or_default().to_owned();
    T::read(&value.into()).map_err(|fault| fault.under(&path))
}

/// A frame on a body.
pub(crate) fn connector(body: &str, pose: &Pose) -> Result<ConnectorEntry, Fault> {
    if let Err(error) = pose.validate() {
        return Err(Fault::at(body, error.to_string()));
    }
    Ok(ConnectorEntry {
        body: body.to_owned(),
        point: Some(pose.position.into()),
        quaternion: Some(pose.rotation),
        ..ConnectorEntry::default()
    })
}

/// The origin of a frame, as a point.
pub(crate) fn point_connector(frame: &ConnectorEntry) -> ConnectorEntry {
    ConnectorEntry {
        quaternion: None,
        ..frame.clone()
    }
}

/// Moves what was written in the frame of a link to the body whose part the link is.
pub(crate) fn translate(
    place: &mut ConnectorEntry,
    body: &str,
    link: &Pose,
    path: &str,
) -> Result<(), Fault> {
    let flat = place.angle.is_some() || place.angle_deg.is_some() || place.scalar.is_some();
    if flat || place.euler_deg.is_some() {
        let problem =
            "has a connector with other than point, axis, quaternion, rotation, direction";
        return Err(Fault::at(path, problem));
    }
    place.body = body.to_owned();
    let at = match &place.point {
        None => [0.0; 3],
        Some(Numbers(numbers)) => <[f64; 3]>::try_from(numbers.as_slice())
            .map_err(|_| Fault::at(path, "has a point without three numbers"))?,
    };
    place.point = Some(point(link, at).into());
    place.axis = place.axis.map(|axis| turn(link, axis));
    place.direction = place.direction.map(|direction| turn(link, direction));
    let rotation = place.rotation.take().map(|own| quat_from_matrix(&own));
    place.quaternion = place.quaternion.or(rotation).map(|rotation| {
        let own = Pose {
            position: [0.0; 3],
            rotation,
        };
        then(link, &own).rotation
    });
    Ok(())
}
