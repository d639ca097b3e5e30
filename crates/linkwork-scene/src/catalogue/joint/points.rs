//! Points of a table that pull a body: a cloud on its surface, or markers that keep their places (Metaxas 1993, §7).

use super::*;
use crate::export::number_text;
use crate::points::{self, PointPull, PullText};

const BODY: Field = Field::new("body", Form::Text, "The body that is pulled.").required();
const FOR: Field = Field::new(
    "for",
    Form::Text,
    "A table with columns x, y, z (and frame or time), or NAME.x, NAME.y, NAME.z of each point.",
)
.required();
const ONLY: Field = Field::new(
    "only",
    Form::Texts,
    "Names of the points, with * for any text: [\"ARM*\"]; all points when left out.",
);
const SCALE: Field = Field::number("scale", "", "Factor for the lengths of the table.")
    .positive()
    .default("1");
const STIFFNESS: Field = Field::number("stiffness", "N/m", "Stiffness of the pull of each point.")
    .positive()
    .default("1");
const LABELS: Field = Field::new(
    "labels",
    Form::Flag,
    "Whether points keep their places on the body, rather than lie anywhere on its surface. By default points with names do.",
);
const PLACES: Field = Field::new(
    "places",
    Form::Points,
    "With \"labels\": the place of each point on the body, in its frame at birth; by default where it is first seen.",
);
const SIGMA: Field = Field::number(
    "sigma",
    "m",
    "Scatter of the points: distant ones pull less. When left out, all pull alike; `linkwork fit` finds it.",
)
.positive();
const OWN: Field = Field::new(
    "own",
    Form::List,
    "Its points, by row from zero; all points when left out. `linkwork fit` finds them.",
);

pub(super) static TYPE: JointType = JointType {
    build: |scene, entry| {
        let (pull, connectors) = points::pull(scene, said(scene, &entry.fields)?)?;
        let compliance = pull.compliance();
        let world = &mut scene.world;
        let id = world.add_constraint(&entry.name, pull, &connectors)?;
        world.set_compliance(id, &compliance)?;
        Ok(id)
    },
    describe: |held| {
        let pull = held.is::<PointPull>()?;
        let said = pull.said();
        let mut fields = Fields::default()
            .with(&BODY, said.body.clone())
            .with(&FOR, said.table.clone());
        if !said.only.is_empty() {
            fields.set(&ONLY, said.only.clone());
        }
        fields = fields.unless(&SCALE, said.scale, 1.0);
        fields = fields.unless(&STIFFNESS, said.stiffness, 1.0);
        if said.keeps_places != pull.sequence().has_labels() {
            fields.set(&LABELS, said.keeps_places);
        }
        if said.keeps_places {
            fields.set(&PLACES, said.places.clone());
        }
        let own = said.own.as_ref();
        let own = own.map(|own| own.iter().map(|id| f64::from(*id)).collect::<Vec<f64>>());
        Some(fields.with_some(&SIGMA, said.sigma).with_some(&OWN, own))
    },
    soft: true,
    glyph: Glyph {
        sign: Sign::Nothing,
        ..Glyph::MARK
    },
    ..JointType {
        kind: Type::new(
            285,
            "points",
            "Points of a table pull a body: a cloud on its surface, or markers that keep their places.",
            &[&[
                BODY, FOR, ONLY, SCALE, STIFFNESS, LABELS, PLACES, SIGMA, OWN,
            ]],
        ),
        ..BLANK
    }
};

fn said(scene: &Scene, fields: &Fields) -> Result<PullText, Fault> {
    let table: &str = fields.need(&FOR)?;
    let only: Option<&[String]> = fields.get(&ONLY)?;
    let places: Option<&[Vec3]> = fields.get(&PLACES)?;
    let has_names = |own: &str| own.ends_with(".x");
    let named = crate::table::named(scene, table).under("for")?;
    let keeps_places = match fields.get(&LABELS)? {
        Some(own) => own,
        None => named.columns.iter().any(|own| has_names(own)),
    };
    let own = match fields.get::<&[f64]>(&OWN)? {
        Some(own) => Some(ascending(own)?),
        None => None,
    };
    Ok(PullText {
        body: fields.need::<&str>(&BODY)?.to_owned(),
        table: table.to_owned(),
        only: only.unwrap_or_default().to_vec(),
        scale: fields.or(&SCALE, 1.0)?,
        stiffness: fields.or(&STIFFNESS, 1.0)?,
        keeps_places,
        places: places.unwrap_or_default().to_vec(),
        sigma: fields.get(&SIGMA)?,
        own,
    })
}

/// Rows of points, ascending.
fn ascending(own: &[f64]) -> Result<Vec<u32>, Fault> {
    for (at, row) in own.iter().enumerate() {
        let is_row = row.fract() == 0.0 && (0.0..1e9).contains(row);
        if !is_row || at > 0 && own[at - 1] >= *row {
            let fault = Fault::at(format!("own[{at}]"), format!("is {}", number_text(*row)));
            return Err(fault.hint("give rows from zero, each larger than the one before"));
        }
    }
    Ok(own.iter().map(|row| *row as u32).collect())
}
