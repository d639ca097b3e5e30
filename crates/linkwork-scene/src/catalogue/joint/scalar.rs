//! A number of body a, such as the area of a troid or the length of a curve, has a value.

use linkwork::constraint::RowUnit;

use super::*;
use crate::catalogue::body::scalar_name;

const VALUE: Field = Field::number("value", "", "In the unit of the number.").required();

/// In what a number is measured: areas, lengths, and numbers that are nothing else.
fn unit_of(scene: &Scene, connector: &Connector) -> RowUnit {
    let Some((body, Site::Scalar(index))) = connector.place() else {
        return RowUnit::Number;
    };
    let own = scene.world.body_record(body).ok();
    let name = own.and_then(|record| scalar_name(record.body(), index));
    match name.as_deref() {
        Some("area") => RowUnit::SquareMeter,
        Some("length") => RowUnit::Meter,
        _ => RowUnit::Number,
    }
}

pub(super) static TYPE: JointType = JointType {
    build: |scene, entry| {
        let connectors = side(scene, entry)?;
        let unit = unit_of(scene, &connectors[0]);
        let law = ScalarEquals {
            value: entry.fields.need(&VALUE)?,
            unit,
        };
        add_law(scene, entry, Arc::new(law), connectors)
    },
    describe: |held| {
        let own: &ScalarEquals = held.is()?;
        Some(Fields::default().with(&VALUE, own.value))
    },
    planar: true,
    glyph: Glyph {
        sign: Sign::Nothing,
        ..Glyph::MARK
    },
    ..JointType {
        kind: Type::new(
            260,
            "scalar",
            "A number of body a, such as the area of a troid or the length of a curve, has a value.",
            &[&[A, VALUE]],
        )
        .called("held number"),
        ..BLANK
    }
};
