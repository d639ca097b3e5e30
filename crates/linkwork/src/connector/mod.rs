//! Connectors: points, frames and other outputs of bodies and of blocks, used by constraints and behaviors.
//!
//! A connector has an output `x` and gives its motion:
//!
//! ```text
//!     ẋ = L·v        ẍ = L·v̇ + ℓ        (Metaxas 1993, eq. 10 and 11)
//! ```
//!
//! A frame's output `x` is its origin and rotation matrix (12 numbers); its rate `ẋ` is a twist:
//! the velocity of the origin and the angular velocity, both in world axes (6 numbers).

#![allow(non_snake_case)] // L: the letter of the papers.

mod turns;

use std::fmt;

use crate::id::{BlockId, BodyId};
use crate::linalg::MatMut;
use crate::math::{IDENTITY3, Mat3, Vec3, complete_basis, dot, transpose, unit};

pub use turns::{Counter, Turns};

/// A constraint, behavior or block takes at most so many connectors; blocks can be made of blocks.
pub const MAX_INPUTS: usize = 512;

/// Where on a body a connector sits, in body coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Site {
    /// A point.
    Point(Vec3),
    /// An origin and a rotation `rot_body_frame` taking frame components to body components.
    Frame {
        /// Origin, in body coordinates.
        origin: Vec3,
        /// Rotation from frame to body components; its columns are the frame's axes.
        rotation: Mat3,
    },
    /// A unit direction.
    Direction(Vec3),
    /// A point of a planar body or troid.
    Point2([f64; 2]),
    /// A frame of a planar body: origin and angle.
    Frame2 {
        /// Origin, in body coordinates.
        origin: [f64; 2],
        /// Angle from the body's axes to the frame's.
        angle: f64,
    },
    /// A scalar output the body defines by number, such as `Troid::AREA`.
    Scalar(u32),
    /// A numbered site the body defines, such as a node of a mesh.
    Node(u32),
    /// A point of a curve in space, by its parameter.
    Curve(f64),
    /// A point of a curve of the plane.
    Curve2(f64),
    /// The unit tangent of a curve there: a direction in space, also of a curve of the plane.
    Tangent(f64),
    /// A point of the surface of a solid, by latitude and longitude.
    Surface([f64; 2]),
    /// A frame there that rides on the matter: at birth x is the outward normal and y is along the latitude.
    SurfaceFrame([f64; 2]),
    /// A point inside a solid: 0 (the middle) to 1 (the surface), latitude and longitude.
    Interior([f64; 3]),
    /// All coordinates of a body that is nothing but numbers: `x = q`, `ẋ = v`.
    Coordinates,
}

impl Site {
    /// True for frames, in space and in the plane.
    pub fn is_frame(&self) -> bool {
        matches!(
            self,
            Self::Frame { .. } | Self::Frame2 { .. } | Self::SurfaceFrame(_)
        )
    }

    /// True for points of solids in space, by whatever they are told.
    pub fn is_point_in_space(&self) -> bool {
        matches!(self, Self::Point(_) | Self::Surface(_) | Self::Interior(_))
    }

    /// True for points and frames in the plane.
    pub fn is_planar(&self) -> bool {
        matches!(
            self,
            Self::Point2(_) | Self::Frame2 { .. } | Self::Curve2(_)
        )
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Site::Point(_) => f.write_str("point in space"),
            Site::Frame { .. } => f.write_str("frame in space"),
            Site::Direction(_) => f.write_str("direction in space"),
            Site::Point2(_) => f.write_str("point in the plane"),
            Site::Frame2 { .. } => f.write_str("frame in the plane"),
            Site::Scalar(index) => write!(f, "scalar output {index}"),
            Site::Node(index) => write!(f, "node {index}"),
            Site::Curve(u) => write!(f, "point of a curve in space at {u}"),
            Site::Curve2(u) => write!(f, "point of a curve of the plane at {u}"),
            Site::Tangent(u) => write!(f, "tangent of a curve at {u}"),
            Site::Surface([u, v]) => write!(f, "point of the surface at ({u}, {v})"),
            Site::SurfaceFrame([u, v]) => write!(f, "frame of the surface at ({u}, {v})"),
            Site::Interior([r, u, v]) => write!(f, "point inside at ({r}, {u}, {v})"),
            Site::Coordinates => f.write_str("vector of coordinates"),
        }
    }
}

/// Something that moves with bodies and can be held, pulled and measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Connector {
    /// A site on a body.
    Site {
        /// The body.
        body: BodyId,
        /// Where on it.
        site: Site,
    },
    /// An output of a block.
    Output {
        /// The block.
        block: BlockId,
        /// Which of its outputs, from zero.
        output: u32,
    },
}

impl Connector {
    /// At a site of a body.
    pub fn new(body: BodyId, site: Site) -> Self {
        Self::Site { body, site }
    }

    /// The body it sits on, and where; nothing for an output of a block.
    pub fn place(&self) -> Option<(BodyId, Site)> {
        match *self {
            Self::Site { body, site } => Some((body, site)),
            Self::Output { .. } => None,
        }
    }

    /// The body it sits on.
    pub fn body(&self) -> Option<BodyId> {
        match self {
            Self::Site { body, .. } => Some(*body),
            Self::Output { .. } => None,
        }
    }

    /// Where on its body it sits.
    pub fn site(&self) -> Option<&Site> {
        match self {
            Self::Site { site, .. } => Some(site),
            Self::Output { .. } => None,
        }
    }

    /// Where on its body it sits, to be moved.
    pub fn site_mut(&mut self) -> Option<&mut Site> {
        match self {
            Self::Site { site, .. } => Some(site),
            Self::Output { .. } => None,
        }
    }

    /// Whether it sits on this body.
    pub fn is_on(&self, body: BodyId) -> bool {
        self.body() == Some(body)
    }

    /// The block whose output it is.
    pub fn block(&self) -> Option<BlockId> {
        match self {
            Self::Site { .. } => None,
            Self::Output { block, .. } => Some(*block),
        }
    }
}

/// What a connector's output means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ConnectorKind {
    /// `x`: position (3). `ẋ`: velocity (3).
    Point3,
    /// `x`: origin (3) and row-major rotation `rot_world_frame` (9). `ẋ`: velocity (3) and ω (3).
    Frame3,
    /// `x`: unit vector (3). `ẋ`: its rate (3).
    Direction3,
    /// `x`: position (2). `ẋ`: velocity (2).
    Point2,
    /// `x`: origin (2) and angle (1), unbounded. `ẋ`: their rates (3).
    Frame2,
    /// `x`: one number. `ẋ`: its rate.
    Scalar,
    /// `x`: so many numbers. `ẋ`: their rates.
    Vector(u32),
}

impl ConnectorKind {
    /// Length of `x`.
    pub const fn n_x(self) -> usize {
        match self {
            Self::Point3 | Self::Direction3 | Self::Frame2 => 3,
            Self::Frame3 => 12,
            Self::Point2 => 2,
            Self::Scalar => 1,
            Self::Vector(n) => n as usize,
        }
    }

    /// How many leading numbers of `x` are a position (or, for a direction, the vector).
    pub const fn n_position(self) -> usize {
        match self {
            Self::Point3 | Self::Frame3 | Self::Direction3 => 3,
            Self::Point2 | Self::Frame2 => 2,
            Self::Scalar | Self::Vector(_) => 0,
        }
    }

    /// True for points and frames in the plane.
    pub const fn is_planar(self) -> bool {
        matches!(self, Self::Point2 | Self::Frame2)
    }

    /// Length of `ẋ`, `ẍ`, `ℓ`, and number of rows of `L`.
    pub const fn n_x_dot(self) -> usize {
        match self {
            Self::Point3 | Self::Direction3 | Self::Frame2 => 3,
            Self::Frame3 => 6,
            Self::Point2 => 2,
            Self::Scalar => 1,
            Self::Vector(n) => n as usize,
        }
    }
}

impl fmt::Display for ConnectorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Point3 => "point in space",
            Self::Frame3 => "frame in space",
            Self::Direction3 => "direction in space",
            Self::Point2 => "point in the plane",
            Self::Frame2 => "frame in the plane",
            Self::Scalar => "scalar output",
            Self::Vector(n) => return write!(f, "vector of {n} numbers"),
        };
        f.write_str(text)
    }
}

/// What a constraint or behavior takes, and the units of a constraint's rows:
/// `takes!([Frame3, Point3], in_plane: [Frame2, Point2], rows: [Meter])`.
macro_rules! takes {
    ($space:expr $(, in_plane: $plane:expr)? $(, rows: $rows:expr)? $(, rows_in_plane: $fewer:expr)?) => {
        fn inputs(&self) -> &[ConnectorKind] {
            use ConnectorKind::*;
            &$space
        }
        $(
            fn inputs_in_plane(&self) -> &[ConnectorKind] {
                use ConnectorKind::*;
                &$plane
            }
        )?
        $(
            fn rows(&self) -> &[RowUnit] {
                use RowUnit::*;
                &$rows
            }
        )?
        $(
            fn rows_in_plane(&self) -> &[RowUnit] {
                use RowUnit::*;
                &$fewer
            }
        )?
    };
}
pub(crate) use takes;

/// Whether a law that takes `in_plane` there (nothing if it has no counterpart in the plane) acts in
/// the plane when it is given connectors of these kinds.
pub(crate) fn acts_in_plane(in_plane: &[ConnectorKind], given: &[ConnectorKind]) -> bool {
    !in_plane.is_empty() && given.iter().any(|kind| kind.is_planar())
}

/// Where a body writes a connector's output. All storage is zeroed beforehand.
#[derive(Debug)]
pub struct ConnectorMut<'a> {
    /// Output, `n_x`.
    pub x: &'a mut [f64],
    /// Its rate, `n_x_dot`.
    pub x_dot: &'a mut [f64],
    /// `∂ẋ/∂v`, `n_x_dot` rows; columns are `v`, or only those `Body::columns` names.
    pub L: MatMut<'a>,
    /// The part of `ẍ` that does not depend on `v̇`, `n_x_dot`.
    pub ell: &'a mut [f64],
}

/// A connector's output as a constraint or behavior reads it.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// What `x` means.
    pub kind: ConnectorKind,
    /// Output, `n_x`.
    pub x: &'a [f64],
    /// Its rate, `n_x_dot`.
    pub x_dot: &'a [f64],
}

impl Input<'_> {
    /// Position of a point or of a frame's origin in space; the vector of a direction.
    #[inline]
    pub fn position(&self) -> Vec3 {
        [self.x[0], self.x[1], self.x[2]]
    }

    /// Rate of [`Input::position`].
    #[inline]
    pub fn velocity(&self) -> Vec3 {
        [self.x_dot[0], self.x_dot[1], self.x_dot[2]]
    }

    /// `rot_world_frame` of a frame in space.
    #[inline]
    pub fn rotation(&self) -> Mat3 {
        let r = &self.x[3..12];
        [[r[0], r[1], r[2]], [r[3], r[4], r[5]], [r[6], r[7], r[8]]]
    }

    /// Angular velocity of a frame in space, world axes.
    #[inline]
    pub fn omega(&self) -> Vec3 {
        [self.x_dot[3], self.x_dot[4], self.x_dot[5]]
    }
}

/// Site constructors: `body.at([…])`, `body.frame(…)`, `body.direction(…)`.
impl BodyId {
    /// A point on this body: three coordinates in space, two on a planar body or troid.
    pub fn at(self, point: impl Into<PointSite>) -> Connector {
        let site = match point.into() {
            PointSite::Space(p) => Site::Point(p),
            PointSite::Plane(p) => Site::Point2(p),
        };
        Connector::new(self, site)
    }

    /// A frame whose axes are the columns of `rotation`, in body coordinates.
    pub fn frame(self, origin: Vec3, rotation: Mat3) -> Connector {
        Connector::new(self, Site::Frame { origin, rotation })
    }

    /// A frame parallel to the body's own.
    pub fn frame_at(self, origin: Vec3) -> Connector {
        self.frame(origin, IDENTITY3)
    }

    /// A frame whose main axis (x) points along `axis`, in body coordinates.
    ///
    /// The other two axes are chosen by [`complete_basis`]. A zero `axis` gives a frame of NaN,
    /// which the world refuses when the connector is used.
    pub fn frame_along(self, origin: Vec3, axis: Vec3) -> Connector {
        let x = unit(axis).unwrap_or([f64::NAN; 3]);
        let (y, z) = complete_basis(x);
        self.frame(origin, transpose(&[x, y, z]))
    }

    /// A direction on this body; it is normalized, unless it is of length one already but for round-off: what
    /// is saved and read again keeps its bits.
    pub fn direction(self, mut direction: Vec3) -> Connector {
        // A normalized vector is off by up to two units in the last place, its square by twice as much.
        if (dot(direction, direction) - 1.0).abs() > 4.0 * f64::EPSILON {
            direction = unit(direction).unwrap_or([f64::NAN; 3]);
        }
        Connector::new(self, Site::Direction(direction))
    }

    /// A frame in the plane.
    pub fn frame2(self, origin: [f64; 2], angle: f64) -> Connector {
        Connector::new(self, Site::Frame2 { origin, angle })
    }

    /// A scalar output, such as `Troid::AREA`.
    pub fn scalar(self, index: u32) -> Connector {
        Connector::new(self, Site::Scalar(index))
    }

    /// All coordinates of a body that is nothing but numbers.
    pub fn coordinates(self) -> Connector {
        Connector::new(self, Site::Coordinates)
    }

    /// A point of a curve of the plane, by its parameter.
    pub fn curve2(self, u: f64) -> Connector {
        Connector::new(self, Site::Curve2(u))
    }

    /// A point of a curve in space, by its parameter.
    pub fn curve(self, u: f64) -> Connector {
        Connector::new(self, Site::Curve(u))
    }

    /// The unit tangent of a curve, by its parameter.
    pub fn tangent(self, u: f64) -> Connector {
        Connector::new(self, Site::Tangent(u))
    }

    /// A point of the surface of a solid, by latitude and longitude.
    pub fn surface(self, u: f64, v: f64) -> Connector {
        Connector::new(self, Site::Surface([u, v]))
    }

    /// A frame of the surface of a solid: at birth x is the outward normal and y is along the latitude.
    pub fn surface_frame(self, u: f64, v: f64) -> Connector {
        Connector::new(self, Site::SurfaceFrame([u, v]))
    }

    /// A point inside a solid: 0 (the middle) to 1 (the surface), latitude and longitude.
    pub fn interior(self, r: f64, u: f64, v: f64) -> Connector {
        Connector::new(self, Site::Interior([r, u, v]))
    }

    /// A numbered site, such as a node of a mesh.
    pub fn node(self, index: u32) -> Connector {
        Connector::new(self, Site::Node(index))
    }
}

/// A point in space or in the plane, for [`BodyId::at`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PointSite {
    /// Three coordinates.
    Space(Vec3),
    /// Two coordinates.
    Plane([f64; 2]),
}

impl From<Vec3> for PointSite {
    fn from(point: Vec3) -> Self {
        Self::Space(point)
    }
}

impl From<[f64; 2]> for PointSite {
    fn from(point: [f64; 2]) -> Self {
        Self::Plane(point)
    }
}
