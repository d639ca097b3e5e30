//! A constant force and torque on a frame.

use linkwork::Choices;

use super::*;

const WORDS: [&str; 2] = ["world", "connector"];
const FORCE: Field = Field::numbers("force", "N", "Force.").default("[0, 0, 0]");
const TORQUE: Field = Field::numbers("torque", "N·m", "Torque.").default("[0, 0, 0]");
const AXES: Field = Field::new(
    "axes",
    Form::Word(&Choices {
        words: &WORDS,
        help: &["A weight.", "A thruster."],
    }),
    "The axes in which it is constant: \"world\", as a weight; or the connector's own, as a thruster.",
)
.default("\"world\"");

pub(super) static TYPE: BehaviorType = BehaviorType {
    kind: Type::new(
        30,
        "wrench",
        "A constant force and torque on a frame.",
        &[&[ON, FORCE, TORQUE, AXES]],
    ),
    sides: Sides::On,
    build: |scene, fields, on| {
        if on.iter().any(|own| in_plane(&scene.world, own)) {
            return Err(
                Fault::at("type", "\"wrench\" has no counterpart in the plane")
                    .hint("use \"force\" and \"motor\""),
            );
        }
        Ok(Arc::new(ConstantForce {
            force: fields.or(&FORCE, [0.0; 3])?,
            torque: fields.or(&TORQUE, [0.0; 3])?,
            axes: match fields.or(&AXES, WORDS[0])? {
                "connector" => Axes::Frame,
                _ => Axes::World,
            },
        }))
    },
    describe: |law, _| {
        let ConstantForce {
            force,
            torque,
            axes,
        } = law.downcast_ref()?;
        let fields = Fields::default()
            .with(&FORCE, *force)
            .with(&TORQUE, *torque);
        Some(fields.with(
            &AXES,
            match axes {
                Axes::World => WORDS[0],
                Axes::Frame => WORDS[1],
            },
        ))
    },
    glyph: Glyph::NOTHING,
    offers: &[],
};
