//! A superquadric that may taper, shear, twist and bend (Metaxas 1993, eq. 3–6).

use linkwork::body::{Freedom, Matter, ShapeBody};
use linkwork::shape::SuperquadricForm;

use super::*;

const A: Field = Field::vector("a", "m", "Half its extent along x, y and z at birth.")
    .required()
    .lab(&InLab {
        measure: Some(Measure::Edges),
        ..InLab::called("half sizes")
    });
const E: Field = Field::new(
    "e",
    Form::Fixed(2),
    "Exponents, between 0.1 and 1.9, along z and around z: near 0 is square, 1 round, near 2 pointed.",
)
.default("[1, 1]")
.lab(&InLab::called("exponents"));
const TAPER: Field = Field::new(
    "taper",
    Form::Fixed(2),
    "By which part it is wider at the top (z = a3) than in the middle, along x and along y, between −0.98 and 0.98.",
)
.default("[0, 0]");
const SHEAR: Field =
    Field::new("shear", Form::Fixed(2), "How far x and y lean per z.").default("[0, 0]");
const TWIST: Field = Field::number(
    "twist",
    "rad",
    "How far the top is turned against the middle.",
)
.default("0");
const BEND: Field = Field::new(
    "bend",
    Form::Fixed(2),
    "How far the tips are bent against the middle, rad, toward x and toward y; less than π.",
)
.default("[0, 0]");
const STIFFNESS: Field = Field::number(
    "stiffness",
    "J",
    "What it costs to leave rest: ½·stiffness·s², with s in rad, or as the logarithm of a size.",
)
.not_negative()
.default("0");
const DAMPING: Field = Field::number("damping", "J·s", "Resistance to the rate of s.")
    .not_negative()
    .default("0");
const SPRING: &[Field] = &[STIFFNESS, DAMPING];

const fn group(name: &'static str, help: &'static str) -> Field {
    Field::new(name, Form::Fields(SPRING), help)
}

/// In the order of [`Matter::GROUPS`].
const GROUPS: [Field; 6] = [
    group("size", "Its sizes."),
    group("exponents", "Its exponents."),
    group("taper", "Its tapers."),
    group("shear", "Its shears."),
    group("twist", "Its twist."),
    group("bend", "Its bends."),
];
const FREE: Field = Field::new(
    "free",
    Form::Fields(&GROUPS),
    "What of its shape moves, and how that resists; the rest is held.",
);
const DRAG: Field = Field::number(
    "drag",
    "1/s",
    "Damping of what of its shape moves, in proportion to its mass.",
)
.not_negative()
.default("0");
const YIELD: Field = Field::number(
    "yield",
    "",
    "How far what moves of its shape springs back, in rad or as the logarithm of a size: what goes beyond stays.",
)
.positive();

/// What says its shape at birth.
pub(super) const FORM: &[Field] = &[A, E, TAPER, SHEAR, TWIST, BEND];

/// The fields of a shape at birth.
pub(super) fn write_form(form: &SuperquadricForm) -> Fields {
    let mut fields = Fields::default().with(&A, form.a);
    fields = fields.unless(&E, form.e, [1.0; 2]);
    fields = fields.unless(&TAPER, form.taper, [0.0; 2]);
    fields = fields.unless(&SHEAR, form.shear, [0.0; 2]);
    fields = fields.unless(&TWIST, form.twist, 0.0);
    fields.unless(&BEND, form.bend, [0.0; 2])
}

pub(super) fn form_of(fields: &Fields) -> Result<SuperquadricForm, Fault> {
    let form = SuperquadricForm {
        a: fields.need(&A)?,
        e: fields.or(&E, [1.0; 2])?,
        taper: fields.or(&TAPER, [0.0; 2])?,
        shear: fields.or(&SHEAR, [0.0; 2])?,
        twist: fields.or(&TWIST, 0.0)?,
        bend: fields.or(&BEND, [0.0; 2])?,
    };
    form.validate()?;
    Ok(form)
}

pub(super) static TYPE: BodyType = BodyType {
    kind: Type::new(
        200,
        "superquadric",
        "A solid between box, ball and cylinder that may grow, taper, shear, twist and bend.",
        &[FORM, &[MASS, DENSITY, FREE, DRAG, YIELD], POSE, MOVING],
    ),
    build: |fields| {
        let form = form_of(fields)?;
        let volume = form.volume();
        let mut free = [None; 6];
        if let Some(given) = fields.get::<&Fields>(&FREE)? {
            for (own, group) in free.iter_mut().zip(&GROUPS) {
                let Some(spring) = given.get::<&Fields>(group)? else {
                    continue;
                };
                *own = Some(Freedom {
                    stiffness: spring.or(&STIFFNESS, 0.0)?,
                    damping: spring.or(&DAMPING, 0.0)?,
                });
            }
        }
        let density = match (fields.get::<f64>(&MASS)?, fields.get::<f64>(&DENSITY)?) {
            (None, Some(density)) => density,
            _ => mass_of(fields, volume)? / volume,
        };
        let matter = Matter {
            density,
            free,
            drag: fields.or(&DRAG, 0.0)?,
            yield_at: fields.get(&YIELD)?,
        };
        plain(ShapeBody::superquadric(form, matter)?)
    },
    describe: |body| {
        let own: &ShapeBody = as_own(body)?;
        let (map, matter) = own.as_superquadric()?;
        let mut fields = write_form(map.born());
        fields.set(&DENSITY, matter.density);
        let groups = GROUPS.iter().zip(matter.free);
        let freed: Vec<_> = groups
            .filter_map(|(group, own)| Some((group, own?)))
            .collect();
        if !freed.is_empty() {
            let mut free = Fields::default();
            for (group, own) in freed {
                let spring = Fields::default().unless(&STIFFNESS, own.stiffness, 0.0);
                let spring = spring.unless(&DAMPING, own.damping, 0.0);
                free.set(group, Value::Fields(spring));
            }
            fields.set(&FREE, Value::Fields(free));
        }
        fields = fields.unless(&DRAG, matter.drag, 0.0);
        Some(fields.with_some(&YIELD, matter.yield_at))
    },
    size: |fields| {
        let a: Vec3 = fields.get(&A).ok()??;
        Some(a.map(|a| 2.0 * a))
    },
    scalars: &[
        ("a1", 0),
        ("a2", 1),
        ("a3", 2),
        ("e1", 3),
        ("e2", 4),
        ("taper1", 5),
        ("taper2", 6),
        ("shear1", 7),
        ("shear2", 8),
        ("twist", 9),
        ("bend1", 10),
        ("bend2", 11),
        ("volume", ShapeBody::VOLUME),
    ],
    ..SPATIAL
};
