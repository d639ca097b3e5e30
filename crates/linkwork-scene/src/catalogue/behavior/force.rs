//! A constant force on a point.

use super::*;

const FORCE: Field = Field::numbers("force", "N", "Force.").required();

pub(super) static TYPE: BehaviorType = BehaviorType {
    kind: Type {
        word: "force",
        rank: 20,
        label: "force",
        help: "A constant force on a point.",
        fields: &[&[ON, FORCE]],
    },
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
    sign: "",
    palette: false,
};
