//! Shapes, each in its own frame, and the boxes around them.
//!
//! Those with an axis have it along x, as the solids of `body/shapes.rs` do. Shapes of the plane lie in z = 0.

use std::sync::Arc;

use super::feature::Place;
use super::{HeightField, Polygon, Polyhedron, Triangles};
use crate::error::Error;
use crate::math::{Vec3, dot, neg, norm};
use crate::shape::SuperquadricForm;

/// A shape, in its own frame.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// A ball about the origin.
    Sphere {
        /// Radius.
        radius: f64,
    },
    /// All points within `radius` of a segment of the x axis.
    Capsule {
        /// Half of the segment, without the round ends.
        half_length: f64,
        /// Radius.
        radius: f64,
    },
    /// A block about the origin.
    Box {
        /// Half of its edges along x, y, z.
        half: [f64; 3],
    },
    /// A cylinder along x.
    Cylinder {
        /// Half of its length.
        half_length: f64,
        /// Radius.
        radius: f64,
    },
    /// The half-space of negative x, as the plane of `constraint/surface/` has it: its normal is +x.
    /// In the plane: the half-plane of negative x.
    Plane,
    /// A convex solid bounded by flat faces.
    Hull(Arc<Polyhedron>),
    /// A disc of the plane about the origin.
    Disc {
        /// Radius.
        radius: f64,
    },
    /// A convex polygon of the plane, its boundary rounded.
    Polygon(Arc<Polygon>),
    /// A triangle surface. Both sides collide, also if it is closed: bodies inside stay inside.
    Mesh(Arc<Triangles>),
    /// Ground given by heights over a grid; everything below is solid.
    HeightField(Arc<HeightField>),
    /// The surface of the soft body that it is on, by its nodes and, if it is closed, by its triangles
    /// ([`Body::skin`](crate::body::Body::skin)).
    Nodes,
    /// A superquadric. On a body that deforms as one it has the present form of the body.
    Superquadric(SuperquadricForm),
}

impl Shape {
    /// Refuses invalid numbers. Shared shapes were checked when they were made.
    pub fn check(&self) -> Result<(), Error> {
        match self {
            Self::Sphere { radius } | Self::Disc { radius } => {
                Error::require_positive("radius", radius)
            }
            Self::Capsule {
                half_length,
                radius,
            }
            | Self::Cylinder {
                half_length,
                radius,
            } => {
                Error::require_positive("half_length", half_length)?;
                Error::require_positive("radius", radius)
            }
            Self::Box { half } => Error::require_positive("half", half),
            Self::Superquadric(form) => form.validate(),
            Self::Plane
            | Self::Nodes
            | Self::Hull(_)
            | Self::Polygon(_)
            | Self::Mesh(_)
            | Self::HeightField(_) => Ok(()),
        }
    }

    /// Its triangles, if it is a surface of them.
    pub(crate) fn surface(&self) -> Option<&Triangles> {
        match self {
            Self::Mesh(own) => Some(own),
            Self::HeightField(own) => Some(&own.surface),
            _ => None,
        }
    }

    /// Whether it lies in the plane z = 0. Planes serve both.
    pub(crate) fn is_planar(&self) -> bool {
        matches!(self, Self::Disc { .. } | Self::Polygon(_))
    }
}

/// A box along the axes of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Aabb {
    pub(crate) low: Vec3,
    pub(crate) high: Vec3,
}

impl Aabb {
    /// Of nothing.
    pub(crate) const EMPTY: Self = Self {
        low: [f64::INFINITY; 3],
        high: [f64::NEG_INFINITY; 3],
    };

    /// Grows until it holds a point.
    pub(crate) fn include_point(&mut self, point: Vec3) {
        for k in 0..3 {
            self.low[k] = self.low[k].min(point[k]);
            self.high[k] = self.high[k].max(point[k]);
        }
    }

    /// Grows until it holds another.
    pub(crate) fn include(&mut self, other: &Self) {
        self.include_point(other.low);
        self.include_point(other.high);
    }

    /// The box grown by `margin` on every side.
    pub(crate) fn grown(&self, margin: f64) -> Self {
        Self {
            low: self.low.map(|value| value - margin),
            high: self.high.map(|value| value + margin),
        }
    }

    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|k| self.low[k] <= other.high[k] && other.low[k] <= self.high[k])
    }

    /// Distance of a point; zero inside.
    pub(crate) fn distance(&self, point: Vec3) -> f64 {
        norm([0, 1, 2].map(|k| point[k] - point[k].clamp(self.low[k], self.high[k])))
    }

    /// Whether it is the box of a plane: all of space.
    pub(crate) fn is_endless(&self) -> bool {
        self.low[0] == f64::NEG_INFINITY
    }
}

/// The smallest box around a shape; all of space for a plane. For triangles, the box around their own box.
pub(crate) fn bounds(shape: &Shape, place: &Place) -> Aabb {
    let half = |reach: &dyn Fn(Vec3) -> f64| {
        let half = place.rotation.map(reach);
        Aabb {
            low: [0, 1, 2].map(|k| place.origin[k] - half[k]),
            high: [0, 1, 2].map(|k| place.origin[k] + half[k]),
        }
    };
    // Row i of the rotation is the world's axis i in the shape's frame.
    match shape {
        Shape::Sphere { radius } => half(&|_| *radius),
        Shape::Capsule {
            half_length,
            radius,
        } => half(&|axis| half_length * axis[0].abs() + radius),
        Shape::Box { half: edges } => half(&|axis| {
            edges[0] * axis[0].abs() + edges[1] * axis[1].abs() + edges[2] * axis[2].abs()
        }),
        Shape::Cylinder {
            half_length,
            radius,
        } => half(&|axis| {
            let across = (axis[1] * axis[1] + axis[2] * axis[2]).sqrt();
            half_length * axis[0].abs() + radius * across
        }),
        Shape::Disc { radius } => {
            half(&|axis| radius * (axis[0] * axis[0] + axis[1] * axis[1]).sqrt())
        }
        Shape::Plane => Aabb {
            low: [f64::NEG_INFINITY; 3],
            high: [f64::INFINITY; 3],
        },
        Shape::Nodes => Aabb::EMPTY,
        Shape::Hull(hull) => around(hull.vertices().iter().copied(), place),
        Shape::Mesh(own) => around_box(own.around(), place),
        Shape::HeightField(own) => around_box(own.surface.around(), place),
        Shape::Superquadric(form) if form.is_convex() => {
            half(&|axis| dot(axis, form.support(axis)))
        }
        Shape::Superquadric(form) => {
            let high = form.reach();
            let low = neg(high);
            around_box(&Aabb { low, high }, place)
        }
        Shape::Polygon(polygon) => {
            let corners = polygon.points().iter().map(|&[x, y]| [x, y, 0.0]);
            let mut bounds = around(corners, place).grown(polygon.radius());
            (bounds.low[2], bounds.high[2]) = (place.origin[2], place.origin[2]);
            bounds
        }
    }
}

fn around(points: impl Iterator<Item = Vec3>, place: &Place) -> Aabb {
    let mut bounds = Aabb::EMPTY;
    for point in points {
        bounds.include_point(place.point(point));
    }
    bounds
}

fn around_box(own: &Aabb, place: &Place) -> Aabb {
    let corner = |k: usize| {
        let side = |axis: usize| [own.low, own.high][k >> axis & 1][axis];
        [side(0), side(1), side(2)]
    };
    around((0..8).map(corner), place)
}
