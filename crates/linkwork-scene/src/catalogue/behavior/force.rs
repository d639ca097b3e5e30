//! A constant force on a point, a direction or a number.

use super::*;

const FORCE: Field = Field::numbers(
    "force",
    "N",
    "Force; on a direction N·m, on an area a pressure, N/m.",
)
.required();

pub(super) static TYPE: BehaviorType = BehaviorType {
    kind: Type::new(
        20,
        "force",
        "A constant force on a point, a direction or a number.",
        &[&[ON, FORCE]],
    ),
    sides: Sides::On,
    build: |scene, fields, on| {
        let kind = scene.world.connector_value(&on[0])?.kind;
        Ok(match kind {
            ConnectorKind::Scalar => Arc::new(OutputForce::on_scalar(fields.need(&FORCE)?)),
            ConnectorKind::Direction3 => Arc::new(OutputForce::on_direction(fields.need(&FORCE)?)),
            ConnectorKind::Point2 | ConnectorKind::Frame2 => {
                let [x, y] = fields.need(&FORCE)?;
                let force_world = [x, y, 0.0];
                Arc::new(PointForce { force_world })
            }
            _ => {
                let force_world = fields.need(&FORCE)?;
                Arc::new(PointForce { force_world })
            }
        })
    },
    describe: |law, planar| {
        let numbers = match law.downcast_ref() {
            Some(own) => OutputForce::force(own),
            None => {
                let PointForce { force_world } = law.downcast_ref()?;
                &force_world[..if planar { 2 } else { 3 }]
            }
        };
        let force: Value = match numbers {
            [one] => (*one).into(),
            all => all.into(),
        };
        Some(Fields::default().with(&FORCE, force))
    },
    glyph: Glyph::NOTHING,
    offers: &[],
};
