//! The catalogue as JSON, from which the lab makes its forms, menus, palette and signs.

use linkwork::math::Vec3;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::behavior::BehaviorType;
use super::body::{BodyType, MotionForm, PoseForm};
use super::field::{Field, Form, Measure, Range, Start};
use super::glyph::Glyph;
use super::joint::{Driven, JointType};
use super::offer::{Blown, Offer, Supple};
use super::words::words;
use super::{Law, Sort, Type, Value, world};
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
    /// The sorts.
    pub sorts: Vec<SortInfo>,
    /// Options of the world.
    pub world: Vec<FieldInfo>,
}

/// A sort of things.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SortInfo {
    /// What it is called: "body", "joint", "behavior", …
    pub word: &'static str,
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
#[skip_serializing_none]
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
    /// What the palette offers of it.
    pub offers: Vec<OfferInfo>,
    /// What else is known of a body.
    pub body: Option<BodyInfo>,
    /// What else is known of a joint.
    pub joint: Option<JointInfo>,
    /// How a joint or a behavior is drawn.
    pub glyph: Option<GlyphInfo>,
}

/// What is known of a type of body.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BodyInfo {
    /// Whether it is of the plane.
    pub planar: bool,
    /// Whether it has frames, which turn with it.
    pub turns: bool,
    /// Whether it deforms.
    pub deforms: bool,
    /// Whether its pose is a part of its motion, which is prescribed.
    pub prescribed: bool,
    /// What its x axis is.
    #[cfg_attr(feature = "schema", schemars(with = "super::body::AxisOf"))]
    pub x: &'static str,
}

/// What is known of a type of joint.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JointInfo {
    /// Whether it is there in the plane too.
    pub planar: bool,
    /// Whether it is soft by its law, and takes no compliance.
    pub soft: bool,
    /// Where it needs frames on both sides; elsewhere points do.
    #[cfg_attr(feature = "schema", schemars(with = "super::joint::Framed"))]
    pub frames: &'static str,
    /// Its place among the joints by which two places are joined that are brought together.
    pub joins: Option<u32>,
    /// The type that drives it.
    pub driven_by: Option<&'static str>,
    /// The type that limits its coordinate.
    pub limited_by: Option<&'static str>,
    /// What it leads through time.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Driven>"))]
    pub drives: Option<&'static str>,
}

/// How a joint or a behavior is drawn.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GlyphInfo {
    /// The sign at its ends.
    #[cfg_attr(feature = "schema", schemars(with = "super::glyph::Sign"))]
    pub sign: &'static str,
    /// What is drawn from end to end.
    #[cfg_attr(feature = "schema", schemars(with = "super::glyph::Link"))]
    pub link: &'static str,
    /// Whether its axis is what it slides along, in the plane too; else what it turns about.
    pub slides: bool,
    /// Whether it goes along a rail.
    pub rail: bool,
    /// Whether its two ends are one point.
    pub meets: bool,
    /// Whether it can hold on to a place of the ground.
    pub holds: bool,
    /// Whether bodies turn about its axis: motors are put there.
    pub bearing: bool,
    /// Whether it turns bodies that a bearing holds together: it is seen there, wherever its own frames are.
    pub seated: bool,
}

/// A button of the palette.
#[skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OfferInfo {
    /// What it is called: things that are made with it begin with this name.
    pub name: &'static str,
    /// Where it stands.
    pub rank: u32,
    /// A few words.
    pub help: &'static str,
    /// Its picture: an SVG path, strokes of 16 × 16.
    pub icon: &'static str,
    /// Of a body: how long it is along its axes, as parts of its largest measure.
    pub size: Vec3,
    /// Of a body: whether its outline is a circle; else it is a rectangle.
    pub is_round: bool,
    /// Of a body: where it can be fastened, in its own coordinates, as parts of its largest measure.
    pub places: Vec<Vec3>,
    /// Of a body of space: the type that it is in scenes of the plane.
    pub in_plane: Option<&'static str>,
    /// Where it can be fastened there.
    pub places_in_plane: Vec<Vec3>,
    /// How far it gives under what it carries, as a part of the size of a body or of the reach of the view.
    pub sag: f64,
    /// How much it damps, as a part of critical.
    pub damping: f64,
    /// Of a body: what of its shape moves.
    pub supple: &'static [Supple],
    /// Of a shell: how it is blown up.
    pub blown: Option<Blown>,
}

/// A field.
#[skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldInfo {
    /// Its name in files.
    pub name: &'static str,
    /// What people call it, if not by its name; empty where it is the value that the rest is about.
    pub label: Option<&'static str>,
    /// What its values are.
    #[cfg_attr(feature = "schema", schemars(with = "FormInfo"))]
    pub form: &'static str,
    /// What forms do with it.
    #[cfg_attr(feature = "schema", schemars(with = "super::field::Role"))]
    pub role: &'static str,
    /// The unit of its numbers; empty where they have none, or where it depends.
    pub unit: &'static str,
    /// Whether it must be there.
    pub required: bool,
    /// One line.
    pub help: &'static str,
    /// What its numbers are called; what has none is counted.
    pub parts: &'static [&'static str],
    /// Which numbers it takes, if not all.
    #[cfg_attr(feature = "schema", schemars(with = "Option<RangeInfo>"))]
    pub range: Option<&'static str>,
    /// The number that it is when it is left out.
    pub default: Option<f64>,
    /// What it means to leave it out, in a word, where no number says it; of a "word" or an "entry", the word
    /// that it is then.
    pub otherwise: Option<&'static str>,
    /// What forms say beside it, where a unit would be; `#` is the unit of what a drive leads.
    pub hint: Option<&'static str>,
    /// The field that it says more of: forms show it once that one is there.
    pub after: Option<&'static str>,
    /// The words of that field which it belongs to, if it is one of some words.
    pub with: Option<&'static [&'static str]>,
    /// Which length of a body it is.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Measure>"))]
    pub measure: Option<&'static str>,
    /// What something new begins with.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Start>"))]
    pub start: Option<&'static str>,
    /// That number, if it begins with one.
    pub number: Option<f64>,
    /// The words to choose from, of a "word".
    pub words: Option<&'static [&'static str]>,
    /// What each of them is, in one line.
    pub meanings: Option<&'static [&'static str]>,
    /// The sort of what is inside, of an "entry" or "entries".
    pub sort: Option<&'static str>,
    /// The fields of what is inside, of "fields".
    pub fields: Option<Vec<FieldInfo>>,
}

words! {
    /// What the values of a field are.
    pub enum FormInfo {
        /// A number; an angle in radians.
        Number = "number",
        /// A whole number.
        Count = "count",
        /// One number, or several in a list.
        Numbers = "numbers",
        /// True or false.
        Flag = "flag",
        /// One of some words.
        Word = "word",
        /// Something with a type of its own.
        Entry = "entry",
        /// An object with fields.
        Fields = "fields",
        /// What files say and no form asks for: places, points, texts, lists of things.
        Other = "other",
    }
}

words! {
    /// Which numbers a field takes.
    pub enum RangeInfo {
        /// Greater than zero.
        Positive = "positive",
        /// Zero or greater.
        NotNegative = "not-negative",
    }
}

/// The catalogue, for viewers.
pub fn export() -> Catalogue {
    let sorts = SORTS.into_iter().map(|sort| SortInfo {
        word: sort.word,
        help: sort.help,
        named: sort.named,
        common: fields(sort.common.iter()),
        types: (sort.types)()
            .into_iter()
            .map(|kind| type_info(sort, kind))
            .collect(),
    });
    Catalogue {
        sorts: sorts.collect(),
        world: fields(world::FIELDS.iter()),
    }
}

fn type_info(sort: &Sort, kind: &Type) -> TypeInfo {
    let is = |other: &Sort| sort.word == other.word;
    let body = BodyType::find(kind.word).filter(|_| is(&body::SORT));
    let joint = JointType::find(kind.word).filter(|_| is(&joint::SORT));
    let behavior = BehaviorType::find(kind.word).filter(|_| is(&behavior::SORT));
    let offers = body.map(|own| own.offers);
    let offers = offers.or(joint.map(|own| own.offers));
    let offers = offers.or(behavior.map(|own| own.offers)).unwrap_or(&[]);
    TypeInfo {
        word: kind.word,
        label: kind.label,
        help: kind.help,
        fields: fields(kind.own()),
        offers: offers.iter().map(|own| offer(own, body)).collect(),
        body: body.map(|own| BodyInfo {
            planar: own.planar,
            turns: own.pose != PoseForm::Position && own.motion != MotionForm::Coordinates,
            deforms: own.deforms || own.motion == MotionForm::Coordinates,
            prescribed: own.pose == PoseForm::Prescribed,
            x: own.x.word(),
        }),
        joint: joint.map(|own| JointInfo {
            planar: own.planar,
            soft: own.soft,
            frames: own.frames.word(),
            joins: own.joins,
            driven_by: own.driven_by(),
            limited_by: own.limited_by(),
            drives: own.drives.map(Driven::word),
        }),
        glyph: (joint.map(|own| own.glyph))
            .or(behavior.map(|own| own.glyph))
            .map(glyph),
    }
}

fn glyph(own: Glyph) -> GlyphInfo {
    GlyphInfo {
        sign: own.sign.word(),
        link: own.link.word(),
        slides: own.slides,
        rail: own.rail,
        meets: own.meets,
        holds: own.holds,
        bearing: own.bearing,
        seated: own.seated,
    }
}

fn offer(own: &Offer, body: Option<&'static BodyType>) -> OfferInfo {
    let in_plane = own.in_plane.and_then(BodyType::find);
    OfferInfo {
        name: own.name,
        rank: own.rank,
        help: own.help,
        icon: own.icon,
        size: own.size,
        is_round: own.is_round,
        places: body.map_or_else(Vec::new, |body| own.places(body)),
        in_plane: own.in_plane,
        places_in_plane: in_plane.map_or_else(Vec::new, |kind| own.places(kind)),
        sag: own.sag,
        damping: own.damping,
        supple: own.supple,
        blown: own.blown,
    }
}

fn fields<'f>(all: impl Iterator<Item = &'f Field>) -> Vec<FieldInfo> {
    let mut told = Vec::new();
    for own in all {
        told.push(field(own));
    }
    told
}

fn field(field: &Field) -> FieldInfo {
    let lab = field.lab;
    let some = |text: &'static str| Some(text).filter(|text| !text.is_empty());
    let choices = match field.form {
        Form::Word(choices) => Some(choices),
        _ => None,
    };
    FieldInfo {
        name: field.name,
        label: lab.label,
        form: form(field.form).word(),
        role: lab.role.word(),
        unit: field.unit,
        required: field.required,
        help: field.help,
        parts: lab.parts,
        range: match field.range {
            Range::Any => None,
            Range::Positive | Range::PositiveByLaw => Some(RangeInfo::Positive.word()),
            Range::NotNegative => Some(RangeInfo::NotNegative.word()),
        },
        default: field.default_number(),
        otherwise: match (field.form, field.left_out()) {
            (_, Some(Value::Entry(kind, _))) => Some(kind.word),
            (Form::Word(_), Some(_)) => Some(field.default_word()),
            _ => some(lab.otherwise),
        },
        hint: some(lab.hint),
        after: some(lab.after).or(lab.with.map(|with| with.field.name)),
        with: lab.with.map(|with| with.words),
        measure: lab.measure.map(Measure::word),
        start: lab.start.map(Start::word),
        number: Some(lab.number).filter(|_| lab.start == Some(Start::Number)),
        words: choices.map(|own| own.words),
        meanings: choices.map(|own| own.help),
        sort: match field.form {
            Form::Entry(sort) | Form::Entries(sort) => Some(sort.word),
            _ => None,
        },
        fields: match field.form {
            Form::Fields(own) => Some(fields(own.iter())),
            _ => None,
        },
    }
}

fn form(form: Form) -> FormInfo {
    match form {
        Form::Number | Form::Angle(_) => FormInfo::Number,
        Form::Count(_) => FormInfo::Count,
        Form::Numbers | Form::Fixed(_) | Form::List => FormInfo::Numbers,
        Form::Flag => FormInfo::Flag,
        Form::Word(_) => FormInfo::Word,
        Form::Entry(_) => FormInfo::Entry,
        Form::Fields(_) => FormInfo::Fields,
        Form::Text
        | Form::Span(_)
        | Form::Texts
        | Form::Points
        | Form::Triangles
        | Form::Rows(..)
        | Form::Words(..)
        | Form::Entries(_)
        | Form::Connector
        | Form::Connectors
        | Form::View => FormInfo::Other,
    }
}
