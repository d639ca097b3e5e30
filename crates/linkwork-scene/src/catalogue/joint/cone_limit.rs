//! How far a ball joint swings and twists.

use super::beside::{SWING, TWIST, read_cone};
use super::bounded::RESTITUTION;
use super::*;

pub(super) static TYPE: JointType = JointType {
    kind: Type::new(
        259,
        "cone-limit",
        "The axis of b stays within a cone about the axis of a, and its twist within a range: stops of a ball joint.",
        &[SIDES_AT, &[AXIS, SWING, TWIST, RESTITUTION]],
    )
    .called("cone limit"),
    build: |scene, entry| {
        let connectors = framed(scene, entry, &[AXIS, AXIS])?;
        let law = read_cone(&entry.fields, entry.fields.or(&RESTITUTION, 0.0)?)?;
        law.validate()?;
        add_law(scene, entry, Arc::new(law), connectors)
    },
    describe: |held| {
        let ConeLimit {
            swing,
            lower,
            upper,
            restitution,
        } = *held.is()?;
        let twists = lower.is_finite() || upper.is_finite();
        let fields = Fields::default().with_some(&SWING, swing.is_finite().then_some(swing));
        let fields = fields.with_some(&TWIST, twists.then(|| vec![lower, upper]));
        Some(fields.unless(&RESTITUTION, restitution, 0.0))
    },
    soft: true,
    glyph: Glyph::seated(Sign::Nothing),
    ..BLANK
};
