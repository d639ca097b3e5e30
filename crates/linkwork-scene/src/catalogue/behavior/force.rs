//! A constant force on a point.

use super::*;

const FORCE: Field = Field::numbers("force", "N", "Force.").required();

pub(super) static TYPE: BehaviorType = BehaviorType {
    kind: Type::new(20, "force", "A constant force on a point.", &[&[ON, FORCE]]),
    sides: Sides::On,
    build: |fields, planar| {
        let force_world = match planar {
            true => {
                let [x, y] = fields.need(&FORCE)?;
                [x, y, 0.0]
            }
            false => fields.need(&FORCE)?,
        };
        Ok(Arc::new(PointForce { force_world }))
    },
    describe: |law, planar| {
        let PointForce { force_world } = law.downcast_ref()?;
        let n = if planar { 2 } else { 3 };
        Some(Fields::default().with(&FORCE, &force_world[..n]))
    },
    glyph: Glyph::NOTHING,
    offers: &[],
};
