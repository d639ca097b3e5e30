//! A spring with a damper between two points, as stiff as you like.

use super::*;

pub(super) static TYPE: JointType = JointType {
    kind: Type::new(
        120,
        "spring",
        "A spring with a damper between two points, as stiff as you like.",
        &[SIDES, &[STIFFNESS, REST_LENGTH]],
    ),
    build: |scene, entry| {
        let [a, b] = sides(scene, entry)?;
        let damping = entry.fields.get::<&[f64]>(&ROW_DAMPING)?;
        let damping = match damping {
            None => 0.0,
            Some([damping]) => *damping,
            Some(_) => return Err(Fault::at("damping", "of a spring is one number")),
        };
        let spring = Spring {
            stiffness: entry.fields.need(&STIFFNESS)?,
            rest_length: entry.fields.or(&REST_LENGTH, 0.0)?,
            damping,
        };
        let (a, b) = (as_point(a), as_point(b));
        Ok(scene.world.add_spring(&entry.name, spring, a, b)?)
    },
    describe: |held| {
        let (length, stiffness) = held.spring()?;
        Some(
            Fields::default()
                .with(&STIFFNESS, stiffness)
                .with(&REST_LENGTH, length),
        )
    },
    soft: true,
    planar: true,
    glyph: Glyph {
        link: "coil",
        ..Glyph::holding("")
    },
    palette: true,
    ..BLANK
};
