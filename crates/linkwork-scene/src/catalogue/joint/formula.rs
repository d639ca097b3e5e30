//! A relation between numbers of the scene, typed as a formula: an equation, an inequality, or a wish.

use super::*;
use crate::format::JointEntry;
use crate::formula::{self, Fit, FitText, Relation};

const IS: Field = Field::new(
    "is",
    Form::Text,
    "left == right holds exactly; left <= right holds with a force that only pushes; left ~ right weight w is pulled by \
     w·(right − left); minimize E goes to where E is least, in worlds without momentum. Names are those of connectors, bodies (.x, .y, .z, .angle) and numbers (design.a); t is the time.",
)
.required();
const FOR: Field = Field::new(
    "for",
    Form::Text,
    "A table: left ~ right is wished for in each of its rows, where columns are known by their names. In a row of a curve's \
     body, egg(u) is its point u.",
);
const FREE: Field = Field::new(
    "free",
    Form::Texts,
    "With \"for\": a number that each row has of its own, \"u\" or \"u in 0..tau\", chosen to minimize its row.",
);
const HUBER: Field = Field::new(
    "huber",
    Form::Number,
    "With \"for\": errors beyond this count linearly, not squared, so that outliers pull no harder than others.",
);

pub(super) static TYPE: JointType = JointType {
    build: |scene, entry| {
        let text: &str = entry.fields.need(&IS)?;
        let (law, compliance, connectors): (Arc<dyn Constraint>, _, _) = match said(entry, text)? {
            Some(said) => {
                let (fit, connectors) = formula::fit(scene, said)?;
                let compliance = fit.compliance();
                (Arc::new(fit), compliance, connectors)
            }
            None => {
                let (relation, connectors) = formula::relation(scene, text)?;
                let compliance = relation.compliance();
                (Arc::new(relation), compliance, connectors)
            }
        };
        let world = &mut scene.world;
        let id = world.add_shared_constraint(&entry.name, law, &connectors)?;
        if compliance.iter().any(|alpha| *alpha > 0.0) {
            world.set_compliance(id, &compliance)?;
        }
        Ok(id)
    },
    describe: |held| {
        if let Some(relation) = held.is::<Relation>() {
            return Some(Fields::default().with(&IS, relation.text().to_owned()));
        }
        let said = held.is::<Fit>()?.said();
        let mut fields = Fields::default()
            .with(&IS, said.text.clone())
            .with(&FOR, said.table.clone());
        if !said.free.is_empty() {
            fields.set(&FREE, said.free.clone());
        }
        Some(fields.with_some(&HUBER, said.huber))
    },
    soft: true,
    planar: true,
    glyph: Glyph {
        sign: Sign::Nothing,
        ..Glyph::MARK
    },
    ..JointType {
        kind: Type::new(
            280,
            "formula",
            "A relation between numbers of the scene, as a formula.",
            &[&[IS, FOR, FREE, HUBER]],
        ),
        ..BLANK
    }
};

/// What is wished for in each row of a table, if there is one.
fn said(entry: &JointEntry, text: &str) -> Result<Option<FitText>, Fault> {
    let fields = &entry.fields;
    let Some(table) = fields.get::<&str>(&FOR)? else {
        for field in [&FREE, &HUBER] {
            if fields.has(field) {
                let hint = "name the table whose rows are gone through: \"for\"";
                return Err(Fault::at(field.name, "needs a table").hint(hint));
            }
        }
        return Ok(None);
    };
    let free: Option<&[String]> = fields.get(&FREE)?;
    Ok(Some(FitText {
        text: text.to_owned(),
        table: table.to_owned(),
        free: free.unwrap_or_default().to_vec(),
        huber: fields.get(&HUBER)?,
    }))
}
