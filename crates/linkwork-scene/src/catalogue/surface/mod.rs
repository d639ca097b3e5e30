//! Smooth surfaces in the frame of a connector.

use std::any::Any;
use std::sync::Arc;

use linkwork::constraint::Surface;
use linkwork::constraint::{
    CylinderSurface, EllipsoidSurface, PlaneSurface, SphereSurface, TorusSurface,
};

use super::fields::*;
use super::mirror::{Mirror, mirror};
use super::{Field, Fields, Law, Sort, Type, law};
use crate::fault::Fault;

/// All that is known of a type of surface.
pub struct SurfaceType {
    pub(super) kind: Type,
    build: fn(&Fields) -> Result<Arc<dyn Surface>, Fault>,
    describe: fn(&dyn Any) -> Option<Fields>,
    /// Whether nobody knows its form but its formula: it is drawn by triangles.
    pub(crate) is_formula: bool,
}

impl SurfaceType {
    /// The type of a struct of the engine's.
    const fn of<T: Mirror + Surface>(kind: Type) -> Self {
        Self {
            kind,
            build: |fields| Ok(Arc::new(T::read(fields)?)),
            describe: |own| own.downcast_ref::<T>()?.write(),
            is_formula: false,
        }
    }
}

pub(crate) static SORT: Sort = Sort {
    word: "surface",
    help: "A smooth surface.",
    entry: "SurfaceEntry",
    named: false,
    common: &[],
    types: || SurfaceType::all().iter().map(|own| own.kind()).collect(),
};

law!(SurfaceType, "surface", SORT);

/// A surface as a file has it; none if it is of a program's making.
pub(crate) fn describe(surface: &dyn Surface) -> Option<(&'static SurfaceType, Fields)> {
    let mut all = SurfaceType::all().iter();
    all.find_map(|kind| Some((*kind, (kind.describe)(surface)?)))
}

/// What a field says.
pub(crate) fn make(fields: &Fields, field: &Field) -> Result<Arc<dyn Surface>, Fault> {
    fields.need_made(field, |law: &SurfaceType, own| (law.build)(own))
}
