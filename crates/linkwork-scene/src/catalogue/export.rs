//! The catalogue as JSON, from which the lab makes its forms, menus and palette.

use serde_json::{Value as Json, json};

use super::behavior::BehaviorType;
use super::body::{BodyType, MotionForm, PoseForm};
use super::field::{Field, Form, Range};
use super::joint::JointType;
use super::{Law, Sort, Type, world};
use super::{behavior, body, drag, function, joint, motion, path, stabilization, surface};

/// Every sort.
pub static SORTS: [&Sort; 10] = [
    &body::SORT,
    &body::PARTS_SORT,
    &joint::SORT,
    &behavior::SORT,
    &surface::SORT,
    &function::SORT,
    &path::SORT,
    &motion::SORT,
    &drag::SORT,
    &stabilization::SORT,
];

/// All sorts with their types and fields:
///
/// ```json
/// { "joint": { "help": "…", "common": [FIELD, …], "types": [
///     { "word": "hinge", "label": "hinge", "help": "…", "fields": [FIELD, …], "palette": true,
///       "planar": true, "glyph": { … } }, … ] }, … , "world": { "fields": [FIELD, …] } }
/// ```
///
/// A field has `name`, `form` (with `words`, `sort`, `count` or `fields` where the form has them), `unit`,
/// `range`, `default`, `required` and `help`; an angle also `degrees`, its other name.
pub fn export() -> Json {
    let mut sorts = serde_json::Map::new();
    for sort in SORTS {
        let types = (sort.types)();
        let types = types.iter().map(|kind| {
            let mut own = base(kind);
            extras(sort.word, kind.word, &mut own);
            own
        });
        let own = json!({
            "help": sort.help,
            "named": sort.named,
            "common": sort.common.iter().map(field).collect::<Vec<_>>(),
            "types": types.collect::<Vec<_>>(),
        });
        sorts.insert(sort.word.to_owned(), own);
    }
    let options = world::FIELDS.iter().map(field).collect::<Vec<_>>();
    sorts.insert(
        "world".to_owned(),
        json!({ "help": "World options.", "fields": options }),
    );
    sorts.into()
}

fn base(kind: &Type) -> Json {
    json!({
        "word": kind.word,
        "label": kind.label,
        "help": kind.help,
        "fields": kind.own().map(field).collect::<Vec<_>>(),
    })
}

/// What only some sorts have.
fn extras(sort: &str, word: &str, out: &mut Json) {
    match sort {
        "body" => {
            let Some(own) = BodyType::find(word) else {
                return;
            };
            out["palette"] = own.palette.into();
            out["planar"] = own.planar.into();
            out["solid"] = own.part.is_some().into();
            out["turns"] = (own.pose != PoseForm::Position).into();
            out["deforms"] = (own.motion == MotionForm::Coordinates).into();
        }
        "joint" => {
            let Some(own) = JointType::find(word) else {
                return;
            };
            let glyph = own.glyph;
            out["palette"] = own.palette.into();
            out["planar"] = own.planar.into();
            out["glyph"] = json!({
                "sign": glyph.sign,
                "link": glyph.link,
                "slides": glyph.slides,
                "rail": glyph.rail,
                "meets": glyph.meets,
                "holds": glyph.holds,
                "second_axis": glyph.second_axis,
                "surface": glyph.surface,
            });
        }
        "behavior" => {
            let Some(own) = BehaviorType::find(word) else {
                return;
            };
            out["palette"] = own.palette.into();
            out["glyph"] = json!({ "sign": own.sign });
        }
        _ => {}
    }
}

fn field(field: &Field) -> Json {
    let mut own = json!({
        "name": field.name,
        "form": form(field.form),
        "unit": field.unit,
        "required": field.required,
        "help": field.help,
    });
    match field.range {
        Range::Any => {}
        Range::Positive => own["range"] = "positive".into(),
        Range::NotNegative => own["range"] = "not-negative".into(),
    }
    if let Ok(default) = serde_json::from_str::<Json>(field.default) {
        own["default"] = default;
    }
    match field.form {
        Form::Angle(degrees) => own["degrees"] = degrees.into(),
        Form::Fixed(n) => own["count"] = n.into(),
        Form::Word(words) => own["words"] = words.into(),
        Form::Words(n, words) => (own["count"], own["words"]) = (n.into(), words.into()),
        Form::Entry(sort) | Form::Entries(sort) => own["sort"] = sort.word.into(),
        Form::Fields(fields) => own["fields"] = fields.iter().map(self::field).collect(),
        _ => {}
    }
    own
}

fn form(form: Form) -> &'static str {
    match form {
        Form::Number => "number",
        Form::Angle(_) => "angle",
        Form::Count(_) => "count",
        Form::Flag => "flag",
        Form::Text => "text",
        Form::Numbers => "numbers",
        Form::Fixed(_) => "vector",
        Form::List => "list",
        Form::Points => "points",
        Form::Triangles => "triangles",
        Form::Rows(..) => "rows",
        Form::Word(_) => "word",
        Form::Words(..) => "words",
        Form::Entry(_) => "entry",
        Form::Entries(_) => "entries",
        Form::Connector => "connector",
        Form::Connectors => "connectors",
        Form::Fields(_) => "fields",
        Form::View => "view",
    }
}
