//! What soft shells and soft solids have in common: what they are made of, counts of elements, and how they are
//! written.

use linkwork::body::{SoftBody, SoftMaterial};

use super::*;
use crate::export::number_text;

pub(super) const YOUNG: Field = Field::number(
    "young",
    "Pa",
    "Young's modulus: rubber 1e6, plastics 2e9, steel 2e11.",
)
.positive()
.required();
pub(super) const POISSON: Field =
    Field::number("poisson", "", "Poisson's ratio, 0 to less than 0.5.")
        .not_negative()
        .default("0.3");
pub(super) const HEAVY: Field = DENSITY.required();
pub(super) const SLOWING: Field = Field::number(
    "damping",
    "s",
    "Damping time: resistance to the rate of strain over resistance to strain.",
)
.not_negative()
.default("0");
pub(super) const CORNERS: Field = Field::new(
    "vertices",
    Form::Points,
    "Nodes at birth, m, in the body's frame.",
);

const DEFAULT_POISSON: f64 = 0.3;

/// What a body is made of.
pub(super) fn material(fields: &Fields) -> Result<SoftMaterial, Fault> {
    Ok(SoftMaterial {
        young: fields.need(&YOUNG)?,
        poisson: fields.or(&POISSON, DEFAULT_POISSON)?,
        density: fields.need(&HEAVY)?,
        damping: fields.or(&SLOWING, 0.0)?,
    })
}

/// Adds what a body is made of.
pub(super) fn write_material(fields: Fields, body: &SoftBody) -> Fields {
    let own = body.material();
    let fields = fields
        .with(&YOUNG, own.young)
        .unless(&POISSON, own.poisson, DEFAULT_POISSON)
        .with(&HEAVY, own.density);
    fields.unless(&SLOWING, own.damping, 0.0)
}

/// Whole numbers.
pub(super) fn counts<const N: usize>(fields: &Fields, field: &Field) -> Result<[u32; N], Fault> {
    let given: [f64; N] = fields.need(field)?;
    whole(field, &given)
}

pub(super) fn whole<const N: usize>(field: &Field, given: &[f64]) -> Result<[u32; N], Fault> {
    let mut out = [0; N];
    for (out, &x) in out.iter_mut().zip(given) {
        let is_count = (0.0..=f64::from(u32::MAX)).contains(&x) && x.fract() == 0.0;
        if !is_count {
            let problem = format!("has {}, which is no count", number_text(x));
            return Err(Fault::at(field.name, problem).hint("give whole numbers, zero or more"));
        }
        *out = x as u32;
    }
    Ok(out)
}

/// Numbers that a soft body with an inside offers.
pub(super) const SCALARS: &[(&str, u32)] = &[
    ("volume", SoftBody::VOLUME),
    ("moment1", SoftBody::MOMENT),
    ("moment2", SoftBody::MOMENT + 1),
    ("moment3", SoftBody::MOMENT + 2),
];

/// One way among several to say where elements are.
pub(super) fn one_of(fields: &Fields, ways: &[&Field]) -> Result<(), Fault> {
    let given: Vec<&&Field> = ways.iter().filter(|way| fields.has(way)).collect();
    let names: Vec<String> = ways.iter().map(|way| format!("\"{}\"", way.name)).collect();
    let hint = format!("give one of {}", names.join(", "));
    match given[..] {
        [_] => Ok(()),
        [] => Err(Fault::at("", "has no elements").hint(hint)),
        [_, second, ..] => Err(Fault::at(second.name, "is given beside another shape").hint(hint)),
    }
}
