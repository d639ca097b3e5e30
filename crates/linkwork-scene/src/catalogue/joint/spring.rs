//! A spring with a damper between two points, of any stiffness.

use super::*;

const STRENGTH: Field = STIFFNESS.positive();

pub(super) static TYPE: JointType = JointType {
    kind: Type::new(
        120,
        "spring",
        "A spring with a damper between two points, of any stiffness.",
        &[SIDES, &[STRENGTH, REST_LENGTH]],
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
            stiffness: entry.fields.need(&STRENGTH)?,
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
                .with(&STRENGTH, stiffness)
                .with(&REST_LENGTH, length),
        )
    },
    soft: true,
    planar: true,
    glyph: Glyph {
        link: Link::Coil,
        ..Glyph::holding(Sign::Nothing)
    },
    frames: Framed::Never,
    joins: Some(80),
    offers: &[
        Offer::link(
            10,
            "spring",
            "Press on one place, release on another",
            "M1 8 H3 L5 3 L8 13 L11 3 L13 8 H15",
        )
        .yielding(0.1, 0.1),
        // So soft that it is no spring: as a joint it may damp as much as it likes. It damps what the spring
        // above would carry critically.
        Offer::link(
            20,
            "damper",
            "Press on one place, release on another: it slows what moves",
            "M1 8 H6 M6 4 V12 M4 3 H12 V13 H4 M12 8 H15",
        )
        .yielding(1e5, 1e3),
    ],
    ..BLANK
};
