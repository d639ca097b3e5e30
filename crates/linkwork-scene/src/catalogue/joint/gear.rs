//! Spins of wheels, relative to their carrier, are related: Σ coefficient·spin = 0.

use super::*;

const WHEELS: Field = CONNECTORS.help("Frames of the wheels, then of their carrier.");
const TEETH: Field =
    COEFFICIENTS.help("One for each wheel: teeth of two gears, [1, 1] for a differential.");

pub(super) static TYPE: JointType = JointType {
    kind: Type::new(
        160,
        "gear",
        "Spins of wheels, relative to their carrier, are related: Σ coefficient·spin = 0.",
        &[&[WHEELS, AXIS, TEETH]],
    ),
    build: |scene, entry| {
        let mut connectors = listed(scene, entry)?;
        let coefficients: &[f64] = entry.fields.need(&TEETH)?;
        if connectors.len() != coefficients.len() + 1 {
            let (n, m) = (connectors.len(), coefficients.len());
            let problem = format!("has {n} entries, but there are {m} coefficients");
            return Err(
                Fault::at("connectors", problem).hint("list the wheels, then their carrier")
            );
        }
        let planar = connectors.iter().any(|own| in_plane(&scene.world, own));
        for connector in &mut connectors {
            if planar && connector.is_on(GROUND) && !in_plane(&scene.world, connector) {
                *connector = GROUND.at([0.0; 2]);
            }
            *connector = match planar {
                true => scene.world.planar_frame_on(*connector, 0.0)?,
                false => as_frame(scene, entry, *connector, &AXIS)?,
            };
        }
        add_law(
            scene,
            entry,
            Arc::new(SpinRelation::new(coefficients)),
            connectors,
        )
    },
    describe: |held| {
        let relation: &SpinRelation = held.is()?;
        Some(Fields::default().with(&TEETH, relation.coefficients()))
    },
    planar: true,
    glyph: Glyph {
        sign: Sign::Gear,
        ..Glyph::MARK
    },
    ..BLANK
};
