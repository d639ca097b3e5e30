//! The catalogue: every type a file has a word for, each in one file of one of these folders.
//!
//! A type says its word, its fields, how the engine's object is built from them and how it is described by
//! them, and how it is drawn. Field checks, the JSON Schema, the tables of `docs/scenes.md`, what viewers
//! draw, and the forms and menus of the lab derive from that. A file in a folder is a type: there is no
//! list to add it to (`build.rs` writes it).

pub(crate) mod behavior;
pub(crate) mod body;
pub(crate) mod drag;
mod entry;
mod export;
mod field;
pub(crate) mod fields;
pub(crate) mod function;
mod glyph;
pub(crate) mod joint;
mod mirror;
pub(crate) mod motion;
mod offer;
pub(crate) mod path;
pub(crate) mod stabilization;
pub(crate) mod surface;
mod tables;
mod value;
mod words;
pub(crate) mod world;

pub use behavior::BehaviorType;
pub use body::{AxisOf, BodyType, PartType};
pub use drag::DragType;
pub use entry::{Entry, Law, Sort, Type};
pub use export::{
    BodyInfo, Catalogue, FieldInfo, FormInfo, GlyphInfo, JointInfo, OfferInfo, RangeInfo, SORTS,
    SortInfo, TypeInfo, export,
};
pub use field::{Field, Form, InLab, LeftOut, Measure, Range, Role, Start, With};
pub use function::FunctionType;
pub use glyph::{Glyph, Link, Sign};
pub use joint::{Driven, Framed, JointType};
pub use motion::MotionType;
pub use offer::{Blown, Offer, Supple};
pub use path::PathType;
pub use stabilization::StabilizationType;
pub use surface::SurfaceType;
pub use tables::tables;
pub use value::{Fields, Get, Value};
pub use world::WorldEntry;

pub(crate) use entry::law;
