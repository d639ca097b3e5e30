//! A superquadric that may taper, shear, twist and bend (Metaxas 1993, eq. 3–6).

use linkwork::body::{Displacement, Freedom, Matter, ShapeBody};
use linkwork::shape::{
    DisplacementFields, MOST_FIELDS, N_COORDINATES, Superquadric, SuperquadricForm,
};

use super::*;

const A: Field = Field::vector("a", "m", "Half its extent along x, y and z at birth.")
    .required()
    .lab(&InLab {
        measure: Some(Measure::Halves),
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
    "Relative widening at the top (z = a3) against the middle, along x and along y, between −0.98 and 0.98.",
)
.default("[0, 0]");
const SHEAR: Field =
    Field::new("shear", Form::Fixed(2), "Lean of x and y per z.").default("[0, 0]");
const TWIST: Field =
    Field::number("twist", "rad", "Rotation of the top against the middle.").default("0");
const BEND: Field = Field::new(
    "bend",
    Form::Fixed(2),
    "The angle from the middle to a tip, rad, toward x and toward y; less than π.",
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
    "The coordinates of its shape that move, with their stiffness and damping; the others are fixed.",
);
pub(super) const DRAG: Field = Field::number(
    "drag",
    "1/s",
    "Damping of what of its shape moves, in proportion to its mass.",
)
.not_negative()
.default("0");
pub(super) const YIELD: Field = Field::number(
    "yield",
    "",
    "Elastic limit of its free shape coordinates, in rad or as the logarithm of a size; deformation beyond it stays.",
)
.positive();

const MODES: Field = Field::new(
    "modes",
    Form::Count(MOST_FIELDS as u64),
    "The number of its slowest vibration modes, beside its global shape, at most 30; they need \"young\".",
)
.default("0");
pub(super) const YOUNG: Field =
    Field::number("young", "Pa", "Young's modulus of its material.").positive();
pub(super) const POISSON: Field = Field::number(
    "poisson",
    "",
    "Poisson's ratio of its material, 0 to less than 0.5.",
)
.not_negative()
.default("0.3");

/// The coordinates, the modes, and the volume.
const N_SCALARS: usize = N_COORDINATES + MOST_FIELDS + 1;
const SCALARS: [(&str, u32); N_SCALARS] = {
    let mut out = [("volume", ShapeBody::VOLUME); N_SCALARS];
    let mut k = 0;
    while k < N_SCALARS - 1 {
        let name = match k < N_COORDINATES {
            true => Superquadric::NAMES[k],
            false => DisplacementFields::MODES[k - N_COORDINATES],
        };
        out[k] = (name, k as u32);
        k += 1;
    }
    out
};

/// What says its shape at birth.
pub(super) const FORM: &[Field] = &[A, E, TAPER, SHEAR, TWIST, BEND];

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

/// The fields of a shape at birth.
pub(super) fn write_form(form: &SuperquadricForm) -> Fields {
    let mut fields = Fields::default().with(&A, form.a);
    fields = fields.unless(&E, form.e, [1.0; 2]);
    fields = fields.unless(&TAPER, form.taper, [0.0; 2]);
    fields = fields.unless(&SHEAR, form.shear, [0.0; 2]);
    fields = fields.unless(&TWIST, form.twist, 0.0);
    fields.unless(&BEND, form.bend, [0.0; 2])
}

/// Density, drag and yield.
pub(super) fn matter_of(fields: &Fields, volume: f64) -> Result<Matter, Fault> {
    let density = match (fields.get::<f64>(&MASS)?, fields.get::<f64>(&DENSITY)?) {
        (None, Some(density)) => density,
        _ => mass_of(fields, volume)? / volume,
    };
    Ok(Matter {
        density,
        drag: fields.or(&DRAG, 0.0)?,
        yield_at: fields.get(&YIELD)?,
        ..Matter::default()
    })
}

/// So many modes, or those of an affine solid.
pub(super) fn displacement_of(
    fields: &Fields,
    modes: Option<usize>,
    young: f64,
) -> Result<Displacement, Fault> {
    Ok(Displacement {
        modes,
        young,
        poisson: fields.or(&POISSON, 0.3)?,
    })
}

pub(super) fn write_matter(mut fields: Fields, matter: &Matter) -> Fields {
    fields.set(&DENSITY, matter.density);
    if let Some(own) = matter.displacement {
        fields.set(&YOUNG, own.young);
        fields = fields.unless(&POISSON, own.poisson, 0.3);
    }
    fields = fields.unless(&DRAG, matter.drag, 0.0);
    fields.with_some(&YIELD, matter.yield_at)
}

fn free_of(fields: &Fields) -> Result<[Option<Freedom>; 6], Fault> {
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
    Ok(free)
}

fn write_free(free: &[Option<Freedom>; 6]) -> Option<Fields> {
    let mut fields = Fields::default();
    for (group, own) in GROUPS.iter().zip(free) {
        let Some(own) = own else { continue };
        let spring = Fields::default().unless(&STIFFNESS, own.stiffness, 0.0);
        let spring = spring.unless(&DAMPING, own.damping, 0.0);
        fields.set(group, Value::Fields(spring));
    }
    free.iter().any(Option::is_some).then_some(fields)
}

/// Twice its half sizes.
pub(super) fn extent(fields: &Fields) -> Option<Vec3> {
    let a: Vec3 = fields.get(&A).ok()??;
    Some(a.map(|a| 2.0 * a))
}

pub(super) static TYPE: BodyType = BodyType {
    kind: Type::new(
        200,
        "superquadric",
        "A solid between box, ball and cylinder that may grow, taper, shear, twist, bend and vibrate.",
        &[
            FORM,
            &[MASS, DENSITY, FREE, MODES, YOUNG, POISSON, DRAG, YIELD],
            POSE,
            MOVING,
        ],
    ),
    build: |fields| {
        let form = form_of(fields)?;
        let displacement = match fields.or(&MODES, 0u64)? {
            0 => None,
            n => Some(displacement_of(
                fields,
                Some(n as usize),
                fields.need(&YOUNG)?,
            )?),
        };
        let matter = Matter {
            free: free_of(fields)?,
            displacement,
            ..matter_of(fields, form.volume())?
        };
        plain(ShapeBody::superquadric(form, matter)?)
    },
    describe: |body| {
        let own: &ShapeBody = as_own(body)?;
        let (map, matter) = own.as_superquadric()?;
        let n = matter.displacement.map_or(Some(0), |own| own.modes)?;
        let mut fields = write_form(map.born());
        if let Some(free) = write_free(&matter.free) {
            fields.set(&FREE, Value::Fields(free));
        }
        fields = fields.unless(&MODES, n as u64, 0);
        Some(write_matter(fields, matter))
    },
    size: extent,
    scalars: &SCALARS,
    magnitudes: &["a1", "a2", "a3", "e1", "e2", "volume"],
    offers: &[Offer::body(
        45,
        "blob",
        "A solid that bends and swells; its inspector has sliders for its shape",
        [0.4, 0.4, 1.0],
        "M8 1.5 C13 2 12 6 11 8 C10 11 13 14 8 14.5 C3 14 4 10 5 8 C6 5 3 2 8 1.5 Z",
    )
    .by_middle()
    .supple(&[
        Supple {
            name: "size",
            stiffness: 10.0,
            damping: 0.1,
        },
        Supple {
            name: "bend",
            stiffness: 2.0,
            damping: 0.1,
        },
    ])],
    ..SPATIAL
};
