//! What a body looks like: its hints, else its shape, else a mark.

use linkwork::body::Body;
use linkwork::math::{IDENTITY_QUAT, Quat, Vec3, quat_normalize};
use serde::Serialize;

use crate::catalogue::body;
use crate::catalogue::fields::POSITION;
use crate::format::{BodyView, PartEntry};

/// A shape somewhere on a body.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartLook {
    /// The shape.
    pub shape: ShapeLook,
    /// Where its origin is on the body, m.
    pub position: Vec3,
    /// Its rotation on the body: w, x, y, z.
    pub quaternion: [f64; 4],
    /// `"#rrggbb"`; the body's when there is none.
    pub color: Option<String>,
}

impl PartLook {
    /// A shape at the body's origin, not turned.
    pub(crate) fn at_origin(shape: ShapeLook) -> Self {
        Self::at(shape, [0.0; 3], IDENTITY_QUAT)
    }

    /// A shape somewhere on a body.
    pub(crate) fn at(shape: ShapeLook, position: Vec3, quaternion: Quat) -> Self {
        Self {
            shape,
            position,
            quaternion,
            color: None,
        }
    }
}

/// What can be drawn.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ShapeLook {
    /// Along x.
    Cylinder {
        /// m.
        length: f64,
        /// m.
        radius: f64,
    },
    /// A block.
    Box {
        /// Lengths of the edges, m.
        size: Vec3,
    },
    /// A ball.
    Sphere {
        /// m.
        radius: f64,
    },
    /// Triangles, counter-clockwise as seen from outside.
    Mesh {
        /// Corners, m.
        vertices: Vec<Vec3>,
        /// Indices of corners.
        triangles: Vec<[u32; 3]>,
    },
    /// A parallelogram of the plane z = 0 that deforms with its body.
    Quad {
        /// Corners, counter-clockwise, m.
        corners: [[f64; 2]; 4],
    },
}

impl ShapeLook {
    /// A block whose edges are all as long.
    pub(crate) fn cube(edge: f64) -> Self {
        Self::Box { size: [edge; 3] }
    }

    /// Whether it lies in the plane z = 0, as what deforms does.
    pub(crate) fn is_sheet(&self) -> bool {
        match self {
            Self::Quad { .. } => true,
            Self::Mesh { vertices, .. } => vertices.iter().all(|own| own[2] == 0.0),
            _ => false,
        }
    }

    /// A ball.
    pub(crate) fn ball(radius: f64) -> Self {
        Self::Sphere { radius }
    }
}

/// What sizes depend on that bodies do not have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proportions {
    /// How far the scene reaches, m.
    pub(crate) extent: f64,
    /// How many bodies were there before: neighbors in the plane are not equally thick, because
    /// faces that coincide flicker.
    pub(crate) order: usize,
}

/// The parts of a body.
pub(in crate::export) fn parts(
    body: &dyn Body,
    view: Option<&BodyView>,
    like: Proportions,
) -> Vec<PartLook> {
    if let Some(view) = view {
        if view.hidden {
            return Vec::new();
        }
        if !view.draw.is_empty() {
            return view.draw.iter().filter_map(drawn).collect();
        }
    }
    // A curve or a surface is drawn by its corners.
    if super::corners_of(body) > 0 {
        return Vec::new();
    }
    let drawn = body::describe(body).and_then(|entry| entry.draw(like));
    // What a program made is a mark: a block if it is moved, a ball if it moves.
    vec![drawn.unwrap_or_else(|| {
        PartLook::at_origin(match body.n_v() {
            0 => ShapeLook::cube(0.03 * like.extent),
            _ => ShapeLook::ball(0.015 * like.extent),
        })
    })]
}

/// What hints alone say, for the ground.
pub(in crate::export) fn drawn_parts(view: &BodyView) -> Vec<PartLook> {
    let parts = view.draw.iter().filter(|_| !view.hidden);
    parts.filter_map(drawn).collect()
}

/// A part of the hints; none where a size is missing.
fn drawn(entry: &PartEntry) -> Option<PartLook> {
    let fields = &entry.fields;
    // How it is turned; what is written wrongly is not turned, and was refused when it was read.
    let rotation = body::rotation(fields).ok().flatten();
    let rotation = rotation.map_or(IDENTITY_QUAT, quat_normalize);
    let position = fields.or(&POSITION, [0.0; 3]).unwrap_or_default();
    let mut part = PartLook::at(entry.shape()?, position, rotation);
    part.color = entry.get("color").map(str::to_owned);
    Some(part)
}
