//! The catalogue as JSON, from which the lab makes its forms, menus and palette.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_with::skip_serializing_none;

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

/// All sorts with their types and fields: what the forms, menus and joints of a viewer are made of.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Catalogue {
    /// The sorts by their words: "body", "joint", "behavior", …
    pub sorts: BTreeMap<&'static str, SortInfo>,
    /// Options of the world.
    pub world: Vec<FieldInfo>,
}

/// A sort of things.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SortInfo {
    /// One line.
    pub help: &'static str,
    /// Whether each has a name.
    pub named: bool,
    /// Fields that all types take.
    pub common: Vec<FieldInfo>,
    /// The types, in the order in which to show them.
    pub types: Vec<TypeInfo>,
}

/// A type.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TypeInfo {
    /// What files call it.
    pub word: &'static str,
    /// What people call it.
    pub label: &'static str,
    /// One line.
    pub help: &'static str,
    /// Its own fields.
    pub fields: Vec<FieldInfo>,
    /// Whether it is offered for building.
    pub palette: bool,
    /// Of a body: whether it is of the plane. Of a joint: whether it is there in the plane too.
    pub planar: bool,
    /// Of a body: whether it is one solid.
    pub solid: bool,
    /// Of a body: whether it has frames, which turn with it.
    pub turns: bool,
    /// Of a body: whether it deforms.
    pub deforms: bool,
    /// Of a joint: whether it is soft by its law, and takes no compliance.
    pub soft: bool,
    /// How it is drawn.
    pub glyph: GlyphInfo,
}

/// How a joint or a behavior is drawn.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GlyphInfo {
    /// The sign at its ends; empty for none.
    pub sign: &'static str,
    /// What is drawn from end to end; empty for nothing.
    pub link: &'static str,
    /// Whether its axis is what it slides along; else what it turns about.
    pub slides: bool,
    /// Whether it goes along a rail.
    pub rail: bool,
    /// Whether its two ends are one point.
    pub meets: bool,
    /// Whether it can hold on to a place of the ground.
    pub holds: bool,
}

/// A field.
#[skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldInfo {
    /// Its name in files.
    pub name: &'static str,
    /// What its values are: "number", "angle", "count", "numbers", "vector", …
    pub form: &'static str,
    /// The unit of its numbers; empty where they have none, or where it depends.
    pub unit: &'static str,
    /// Whether it must be there.
    pub required: bool,
    /// One line.
    pub help: &'static str,
    /// Which numbers it takes, if not all.
    pub range: Option<RangeInfo>,
    /// The number that it is when it is left out.
    pub default: Option<f64>,
    /// The sort of what is inside, of an "entry" or "entries".
    pub sort: Option<&'static str>,
    /// The fields of what is inside, of "fields".
    pub fields: Option<Vec<FieldInfo>>,
}

/// Which numbers a field takes.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum RangeInfo {
    /// Greater than zero.
    Positive,
    /// Zero or greater.
    NotNegative,
}

/// The catalogue, for viewers.
pub fn export() -> Catalogue {
    let sorts = SORTS.into_iter().map(|sort| {
        let types = (sort.types)();
        let own = SortInfo {
            help: sort.help,
            named: sort.named,
            common: sort.common.iter().map(field).collect(),
            types: types.iter().map(|kind| type_info(sort, kind)).collect(),
        };
        (sort.word, own)
    });
    Catalogue {
        sorts: sorts.collect(),
        world: world::FIELDS.iter().map(field).collect(),
    }
}

fn type_info(sort: &Sort, kind: &Type) -> TypeInfo {
    let blank = TypeInfo {
        word: kind.word,
        label: kind.label,
        help: kind.help,
        fields: kind.own().map(field).collect(),
        palette: false,
        planar: false,
        solid: false,
        turns: false,
        deforms: false,
        soft: false,
        glyph: GlyphInfo::default(),
    };
    if let Some(own) = BodyType::find(kind.word).filter(|_| sort.word == body::SORT.word) {
        return TypeInfo {
            palette: own.palette,
            planar: own.planar,
            solid: own.part.is_some(),
            turns: own.pose != PoseForm::Position && own.motion != MotionForm::Coordinates,
            deforms: own.motion == MotionForm::Coordinates,
            ..blank
        };
    }
    if let Some(own) = JointType::find(kind.word).filter(|_| sort.word == joint::SORT.word) {
        let glyph = own.glyph;
        return TypeInfo {
            palette: own.palette,
            planar: own.planar,
            soft: own.soft,
            glyph: GlyphInfo {
                sign: glyph.sign,
                link: glyph.link,
                slides: glyph.slides,
                rail: glyph.rail,
                meets: glyph.meets,
                holds: glyph.holds,
            },
            ..blank
        };
    }
    match BehaviorType::find(kind.word).filter(|_| sort.word == behavior::SORT.word) {
        Some(own) => TypeInfo {
            palette: own.palette,
            glyph: GlyphInfo {
                sign: own.sign,
                ..GlyphInfo::default()
            },
            ..blank
        },
        None => blank,
    }
}

fn field(field: &Field) -> FieldInfo {
    FieldInfo {
        name: field.name,
        form: form(field.form),
        unit: field.unit,
        required: field.required,
        help: field.help,
        range: match field.range {
            Range::Any => None,
            Range::Positive => Some(RangeInfo::Positive),
            Range::NotNegative => Some(RangeInfo::NotNegative),
        },
        default: field.default.parse().ok(),
        sort: match field.form {
            Form::Entry(sort) | Form::Entries(sort) => Some(sort.word),
            _ => None,
        },
        fields: match field.form {
            Form::Fields(fields) => Some(fields.iter().map(self::field).collect()),
            _ => None,
        },
    }
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
