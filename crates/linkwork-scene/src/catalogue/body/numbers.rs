//! Named numbers that joints, hands and formulas move: lengths of a design, unknowns of a problem.

use linkwork::body::{Number, Numbers};

use super::*;

const NAMES: Field = Field::new(
    "names",
    Form::Texts,
    "Names of the numbers: formulas read number a of the body \"design\" as design.a.",
)
.required();
const EASE: Field = Field::number(
    "drag",
    "",
    "How much each resists motion in worlds without momentum.",
)
.positive()
.default("1e-4");
const INERT: Field = Field::number(
    "mass",
    "",
    "Resistance of each to acceleration in worlds with momentum.",
)
.positive()
.default("1");

pub(super) static TYPE: BodyType = BodyType {
    kind: Type::new(
        170,
        "numbers",
        "Named numbers without a place, which joints, hands and formulas move.",
        &[&[NAMES, VALUES, EASE, INERT, V]],
    ),
    build: |fields| {
        let names: &[String] = fields.need(&NAMES)?;
        let values: &[f64] = fields.get(&VALUES)?.unwrap_or(&[]);
        if !values.is_empty() && values.len() != names.len() {
            let problem = format!("has {} numbers for {} names", values.len(), names.len());
            return Err(Fault::at("values", problem).hint("give one for each"));
        }
        let (drag, mass) = (fields.own(&EASE)?, fields.own(&INERT)?);
        let each = names.iter().enumerate().map(|(at, name)| {
            let start = values.get(at).copied().unwrap_or(0.0);
            let number = Number::new(name.clone(), start);
            number.with_drag(drag).with_mass(mass)
        });
        plain(Numbers::new(each))
    },
    describe: |body| {
        let numbers = as_own::<Numbers>(body)?.numbers();
        let first = numbers.first()?;
        // A file has one drag and one mass for all.
        let is_alike = |own: &Number| (own.drag, own.mass) == (first.drag, first.mass);
        if !numbers.iter().all(is_alike) {
            return None;
        }
        let names: Vec<String> = numbers.iter().map(|own| own.name.clone()).collect();
        let fields = Fields::default().with(&NAMES, names);
        Some(
            fields
                .unless(&EASE, first.drag, 1e-4)
                .unless(&INERT, first.mass, 1.0),
        )
    },
    pose: PoseForm::Numbers,
    motion: MotionForm::Coordinates,
    ..SPATIAL
};
