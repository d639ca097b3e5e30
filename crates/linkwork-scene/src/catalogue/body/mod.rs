//! Bodies.

use std::f64::consts::PI;
use std::sync::{Arc, LazyLock};

use linkwork::body::{
    Body, MassProperties, Numbers, Outline, PlanarBody, Sheet, Solid, Tracker, TriangleMesh, Troid,
};
use linkwork::collide::Shape;
use linkwork::math::{
    IDENTITY_QUAT, IDENTITY3, Vec3, mat_t_vec, mat_vec, norm, quat_exp, quat_normalize,
    quat_to_matrix, sub,
};
use linkwork::prelude::*;

use super::field::{Form, InLab, Measure, Role, Start};
use super::fields::*;
use super::mirror::{Mirror, mirror};
use super::offer::{Blown, Offer, Supple};
use super::words::words;
use super::{Entry, Field, Fields, Law, Sort, Type, Value, law};
use crate::export::{PartLook, Proportions, ShapeLook};
use crate::fault::{Fault, Under};
use crate::format::BodyView;

mod collide;
mod place;
mod soft;

pub(crate) use collide::{
    DEFAULT_FRICTION, colliders, describe_colliders, has_shape, set_colliders,
};
pub(crate) use place::{
    MotionForm, POSE_FIELDS, PoseForm, at_rest, euler, place, pose, put, rotation, set_motion,
};
pub(crate) use troid::outline;

/// A body and hints beside its shape, or what is wrong with its fields.
pub(crate) type Built = Result<(Arc<dyn Body>, BodyView), Fault>;

/// All that is known of a type of body.
pub struct BodyType {
    pub(super) kind: Type,
    /// What an entry says a body is, and what there is to draw beside its shape.
    pub(super) build: fn(&Fields) -> Built,
    /// The fields that say this of a body; none if it is of another type.
    pub(super) describe: fn(&dyn Body) -> Option<Fields>,
    /// Whether it is of the plane.
    pub(crate) planar: bool,
    /// How its pose is written.
    pub(crate) pose: PoseForm,
    /// How its velocity is written.
    pub(crate) motion: MotionForm,
    /// How large it is along its axes; one where it has no size.
    pub(crate) size: fn(&Fields) -> Option<Vec3>,
    /// Where things are fastened to it; its middle is always there.
    pub(super) places: fn(&Fields) -> Vec<(&'static str, Vec3)>,
    /// What is drawn of it.
    pub(super) draw: fn(&Fields, Proportions) -> Option<PartLook>,
    /// Numbers it offers to connectors, by name.
    pub(super) scalars: &'static [(&'static str, u32)],
    /// Which of them are never negative.
    pub(super) magnitudes: &'static [&'static str],
    /// Whether it deforms, whatever its fields say.
    pub(crate) deforms: bool,
    /// The solid it is, if it can be a part of another body.
    pub(super) part: Option<&'static PartType>,
    /// What its x axis is.
    pub(super) x: AxisOf,
    /// The palette's buttons that make it.
    pub(super) offers: &'static [Offer],
}

words! {
    /// What the x axis of a body is: joints that it gets turn about it, or slide along it.
    pub enum AxisOf {
        /// Nothing special.
        Nothing = "nothing",
        /// The axle of a wheel.
        Wheel = "wheel",
        /// What a bar lies along.
        Bar = "bar",
    }
}

/// The solid that fields say.
type MakeSolid = fn(&Fields) -> Result<Solid, Fault>;

/// A solid as a part of a body, or only drawn with it.
pub struct PartType {
    pub(super) kind: Type,
    /// What it weighs, and how that is spread; none if it is a surface, which weighs nothing.
    pub(super) solid: Option<MakeSolid>,
    /// The surface that it collides as; none if it does as its solid.
    pub(super) surface: fn(&Fields) -> Result<Option<Shape>, Fault>,
    /// The fields that say this of a solid; none if it is of another type.
    pub(super) describe: fn(&Solid) -> Option<Fields>,
    pub(super) shape: fn(&Fields) -> Option<ShapeLook>,
}

pub(crate) static SORT: Sort = Sort {
    word: "body",
    help: "A body. Its pose is \"position\" and one of \"quaternion\", \"axis\" with \"angle\", \
           \"euler_deg\"; in the plane \"position\" and \"angle\". \"from\" and \"to\" place a rod by its ends.",
    entry: "BodyEntry",
    named: true,
    common: &[
        ENABLED,
        COLLIDE,
        SHAPES,
        SURFACE_FRICTION,
        ROLLING_FRICTION,
        SPINNING_FRICTION,
        CONTACT_STIFFNESS,
        CONTACT_DAMPING,
        BOUNCE,
        GROUP,
        MEMBER_OF,
        NOT_WITH,
        WITH_JOINED,
        SENSOR,
        VIEW,
    ],
    types: || BodyType::all().iter().map(|own| own.kind()).collect(),
};

law!(BodyType, "body", SORT);

pub(crate) static PARTS_SORT: Sort = Sort {
    word: "part",
    help: "A solid that is a part of a body, or only drawn with it.",
    entry: "PartEntry",
    named: false,
    common: &[COLOR],
    types: || PartType::all().iter().map(|own| own.kind()).collect(),
};

/// The solids among the bodies.
impl Law for PartType {
    fn sort() -> &'static Sort {
        &PARTS_SORT
    }

    fn all() -> &'static [&'static Self] {
        static ALL: LazyLock<Vec<&'static PartType>> =
            LazyLock::new(|| BodyType::all().iter().filter_map(|own| own.part).collect());
        &ALL
    }

    fn kind(&'static self) -> &'static Type {
        &self.kind
    }
}

/// A type of space with nothing said of it yet.
const SPATIAL: BodyType = BodyType {
    kind: Type::new(0, "", "", &[]),
    build: |_| Err(Fault::at("type", "cannot be built")),
    describe: |_| None,
    planar: false,
    pose: PoseForm::Pose,
    motion: MotionForm::Twist,
    size: |_| None,
    places: |_| Vec::new(),
    draw: |_, _| None,
    scalars: &[],
    magnitudes: &[],
    deforms: false,
    part: None,
    x: AxisOf::Nothing,
    offers: &[],
};

/// A type of the plane with nothing said of it yet.
const PLANAR: BodyType = BodyType {
    planar: true,
    pose: PoseForm::PlanarPose,
    motion: MotionForm::PlanarTwist,
    ..SPATIAL
};

impl BodyType {
    /// The type of a body that is one solid, with the fields that it takes as a body.
    const fn solid(part: &'static PartType, fields: &'static [&'static [Field]]) -> Self {
        Self {
            kind: Type {
                fields,
                ..part.kind
            },
            part: Some(part),
            ..SPATIAL
        }
    }

    fn describe(&self, body: &dyn Body) -> Option<Fields> {
        match self.part {
            Some(part) => (part.describe)(body.as_rigid()?.solid()?),
            None => (self.describe)(body),
        }
    }
}

impl Entry<BodyType> {
    /// What it says a body is, and what there is to draw beside its shape.
    pub(crate) fn make(&self) -> Built {
        match self.kind.part.and_then(|part| part.solid) {
            Some(solid) => plain(RigidBody::of(solid(&self.fields)?)?),
            None => (self.kind.build)(&self.fields),
        }
    }

    /// Places of the body because of what it is.
    pub(crate) fn places(&self) -> Vec<(&'static str, Vec3)> {
        let mut places = (self.kind.places)(&self.fields);
        places.push(("middle", [0.0; 3]));
        places
    }

    /// What is drawn of the body.
    pub(crate) fn draw(&self, like: Proportions) -> Option<PartLook> {
        match self.kind.part {
            Some(part) => (part.shape)(&self.fields).map(PartLook::at_origin),
            None => (self.kind.draw)(&self.fields, like),
        }
    }
}

impl PartType {
    /// The solid that it says.
    fn weighed(&self, fields: &Fields) -> Result<Solid, Fault> {
        let solid = self.solid.ok_or_else(|| {
            Fault::at("", "weighs nothing, and cannot be a part of what does")
                .hint("give it in \"shapes\" or in \"view.draw\" instead")
        })?;
        solid(fields)
    }
}

impl Entry<PartType> {
    /// The shape; none where a size is missing.
    pub(crate) fn shape(&self) -> Option<ShapeLook> {
        (self.kind.shape)(&self.fields)
    }

    /// The same on a body that became larger by factors along its axes, `F`: in the axes of the part, by
    /// `G = Rᵀ·F·R`. What is round stays round, by the lesser factor.
    pub(crate) fn stretch(&mut self, factor: Vec3) {
        let turn = rotation(&self.fields).ok().flatten();
        let turn = quat_to_matrix(quat_normalize(turn.unwrap_or(IDENTITY_QUAT)));
        let grow = |point: &mut Vec3| {
            let mut own = mat_vec(&turn, *point);
            scale_by(&mut own, factor);
            *point = mat_t_vec(&turn, own);
        };
        let mut axes = IDENTITY3;
        axes.iter_mut().for_each(grow);
        let [x, y, z] = [axes[0][0], axes[1][1], axes[2][2]];
        for field in self.kind.kind.fields.iter().copied().flatten() {
            let numbers = self.fields.numbers_mut(field);
            let by = match field.lab.measure {
                Some(Measure::Along) => [x; 3],
                Some(Measure::Radius) => [y.min(z); 3],
                Some(Measure::Edges | Measure::Halves) => [x, y, z],
                None if matches!(field.form, Form::Points) => {
                    numbers.as_chunks_mut().0.iter_mut().for_each(grow);
                    continue;
                }
                None if field.name == POSITION.name => factor,
                None => continue,
            };
            scale_by(numbers, by);
        }
    }
}

/// Multiplies coordinates by a factor each.
pub(crate) fn scale_by(numbers: &mut [f64], factor: Vec3) {
    for (number, factor) in numbers.iter_mut().zip(factor) {
        *number *= factor;
    }
}

/// The numbers that a body offers, by name.
pub(crate) fn scalars_of(body: &dyn Body) -> &'static [(&'static str, u32)] {
    describe(body).map_or(&[], |entry| entry.kind.scalars)
}

/// All numbers that a body offers, by name: those of its type, and those that it was given names for.
pub(crate) fn numbers_of(body: &dyn Body) -> Vec<(&str, u32)> {
    let mut all = scalars_of(body).to_vec();
    if let Some(numbers) = as_own::<Numbers>(body) {
        let named = (0..).zip(numbers.numbers());
        all.extend(named.map(|(index, own)| (own.name.as_str(), index)));
    } else if let Some(shape) = body.shape() {
        let named = (0..).zip(0..shape.n_numbers());
        all.extend(named.filter_map(|(index, number)| Some((shape.name(number)?, index))));
    }
    all
}

/// Whether a number of a body is never negative: a size, a length, an area, a volume.
pub(crate) fn is_magnitude(body: &dyn Body, name: &str) -> bool {
    describe(body).is_some_and(|entry| entry.kind.magnitudes.contains(&name))
}

/// The number that a body offers under a name.
pub(crate) fn scalar_index(body: &dyn Body, name: &str) -> Option<u32> {
    let mut all = numbers_of(body).into_iter();
    Some(all.find(|(own, _)| *own == name)?.1)
}

/// What a body calls a number that it offers.
pub(crate) fn scalar_name(body: &dyn Body, index: u32) -> Option<String> {
    let mut all = numbers_of(body).into_iter();
    Some(all.find(|(_, own)| *own == index)?.0.to_owned())
}

/// The numbers that bodies offer: the type's word, the number's name and its index.
pub(crate) fn scalars() -> impl Iterator<Item = (&'static str, &'static str, u32)> {
    let types = BodyType::all().iter();
    types.flat_map(|own| {
        own.scalars
            .iter()
            .map(|(name, index)| (own.kind.word, *name, *index))
    })
}

/// What a file calls a body, and what it says of it; none if it is of a program's making.
pub(crate) fn describe(body: &dyn Body) -> Option<Entry<BodyType>> {
    let mut all = BodyType::all().iter();
    all.find_map(|kind| Some(Entry::new(*kind, kind.describe(body)?)))
}

/// A body as one of the engine's own.
fn as_own<T: Body>(body: &dyn Body) -> Option<&T> {
    let body: &dyn std::any::Any = body;
    body.downcast_ref()
}

/// A body of the plane, and its outline.
fn planar_of(body: &dyn Body) -> Option<&PlanarBody> {
    as_own(body)
}

/// A body without hints.
fn plain(body: impl Body) -> Built {
    Ok((Arc::new(body), BodyView::default()))
}

/// The mass that is given, or that of a density.
fn mass_of(fields: &Fields, measure: f64) -> Result<f64, Fault> {
    match (fields.get(&MASS)?, fields.get::<f64>(&DENSITY)?) {
        (Some(_), Some(_)) => {
            Err(Fault::at("density", "is given beside \"mass\"").hint("give one of the two"))
        }
        (Some(mass), None) => Ok(mass),
        (None, Some(density)) => Ok(density * measure),
        (None, None) => Err(Fault::at("", "has neither \"mass\" nor \"density\"").hint(
            "give \"mass\" in kg, or \"density\" in kg/m³ (steel 7850, aluminum 2700, wood 600)",
        )),
    }
}

/// The volume of a cylinder.
fn round(length: f64, radius: f64) -> f64 {
    PI * radius * radius * length
}

/// The length that is given, or that between the ends, which have `N` numbers.
fn length<const N: usize>(fields: &Fields) -> Result<f64, Fault> {
    let given = fields.get(&LENGTH)?;
    let Some((from, to)) = ends::<N>(fields)? else {
        return given.ok_or_else(|| Fault::missing("length", "in m, or \"from\" and \"to\""));
    };
    if given.is_some() {
        return Err(Fault::at("length", "follows from \"from\" and \"to\"").hint("leave it out"));
    }
    if from == to {
        return Err(Fault::at("to", "is where \"from\" is").hint("give the two ends of the rod"));
    }
    Ok(norm(sub(to, from)))
}

/// The ends of a rod, in the plane with z = 0.
fn ends<const N: usize>(fields: &Fields) -> Result<Option<(Vec3, Vec3)>, Fault> {
    match (point::<N>(fields, &FROM)?, point::<N>(fields, &TO)?) {
        (None, None) => Ok(None),
        (Some(from), Some(to)) => Ok(Some((from, to))),
        (Some(_), None) => Err(Fault::missing("to", "where the other end is")),
        (None, Some(_)) => Err(Fault::missing("from", "where the other end is")),
    }
}

/// A point of `N` numbers: two in the plane, where z is 0.
fn point<const N: usize>(fields: &Fields, field: &Field) -> Result<Option<Vec3>, Fault> {
    let own: Option<[f64; N]> = fields.get(field)?;
    Ok(own.map(|own| [0, 1, 2].map(|k: usize| own.get(k).copied().unwrap_or(0.0))))
}

/// A thin part of the plane: neighbors are not equally thick, because faces that coincide flicker.
fn thickness(like: Proportions) -> (f64, f64) {
    (0.02 * like.extent, 1.0 + 0.04 * (like.order % 7) as f64)
}

/// A disc of the plane: its axis, x, is turned to z.
fn flat_disc(radius: f64, [x, y]: [f64; 2], like: Proportions) -> PartLook {
    let (thin, uneven) = thickness(like);
    let length = uneven * thin.min(0.5 * radius);
    let rotation = quat_exp([0.0, -std::f64::consts::FRAC_PI_2, 0.0]);
    PartLook::at(
        ShapeLook::Cylinder { length, radius },
        [x, y, 0.0],
        rotation,
    )
}

/// Places at the ends of something along x.
fn along(half: f64) -> Vec<(&'static str, Vec3)> {
    vec![("start", [-half, 0.0, 0.0]), ("end", [half, 0.0, 0.0])]
}

/// Half the edges, zero where there is none.
fn half_size(fields: &Fields) -> Vec3 {
    let size: &[f64] = fields.get(&SIZE).ok().flatten().unwrap_or(&[]);
    [0, 1, 2].map(|k: usize| 0.5 * size.get(k).copied().unwrap_or(0.0))
}

/// The edges, one where there is none.
fn edges(fields: &Fields) -> Option<Vec3> {
    let size: &[f64] = fields.get(&SIZE).ok()??;
    Some([0, 1, 2].map(|k: usize| size.get(k).copied().unwrap_or(1.0)))
}

fn number(fields: &Fields, field: &Field) -> Option<f64> {
    fields.get(field).ok()?
}

/// Where the axes of a body go through its surface.
fn axis_ends(word: &'static str, half: Vec3) -> Vec<(&'static str, Vec3)> {
    let mut places = Vec::new();
    for (k, half) in half.into_iter().enumerate() {
        for sign in [-1.0, 1.0] {
            let mut point = [0.0; 3];
            point[k] = sign * half;
            places.push((word, point));
        }
    }
    places
}

/// Four places about a middle, in the plane.
const ABOUT: [[f64; 2]; 4] = [[-1.0, 0.0], [1.0, 0.0], [0.0, -1.0], [0.0, 1.0]];

/// Corners and middles of the edges of a rectangle.
fn rectangle(fields: &Fields) -> Vec<(&'static str, Vec3)> {
    let [x, y, _] = half_size(fields);
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let corners = corners.map(|[s, t]| ("corner", [s * x, t * y, 0.0]));
    let edges = ABOUT.map(|[s, t]| ("edge", [s * x, t * y, 0.0]));
    corners.into_iter().chain(edges).collect()
}
