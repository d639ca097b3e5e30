//! Joints between directions: what they share.

use std::sync::Arc;

use linkwork::connector::Site;
use linkwork::constraint::Directions;
use linkwork::math::column;
use linkwork::prelude::*;

use super::{BLANK, Framed, Glyph, JointType, Sign, add_law, framed};
use crate::catalogue::Entry;
use crate::catalogue::fields::{AXIS, AXIS_B};
use crate::fault::Fault;
use crate::scene::Scene;

/// A type that holds directions, with nothing else said of it yet.
pub(super) const DIRECTED: JointType = JointType {
    glyph: Glyph {
        sign: Sign::Cross,
        second_axis: true,
        ..Glyph::MARK
    },
    frames: Framed::Directed,
    ..BLANK
};

/// Adds a relation of two directions. A frame gives its x, a point the direction of the world that "axis" says,
/// or on b "axis_b" if it is there.
pub(super) fn add(
    scene: &mut Scene,
    entry: &Entry<JointType>,
    law: Directions,
) -> Result<ConstraintId, Fault> {
    let on_b = if entry.fields.has(&AXIS_B) {
        AXIS_B
    } else {
        AXIS
    };
    let mut sides = framed(scene, entry, &[AXIS, on_b])?;
    for side in &mut sides {
        if let Some((body, Site::Frame { rotation, .. })) = side.place() {
            *side = body.direction(column(&rotation, 0));
        }
    }
    add_law(scene, entry, Arc::new(law), sides)
}
