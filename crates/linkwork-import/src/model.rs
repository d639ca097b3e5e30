//! A robot as both formats describe it: a tree of links, their freedoms, and what closes loops.
//!
//! A link stands at `place` in its parent while all its freedoms are at their reference. Its
//! freedoms move it from there, one after the other, each in the frame that the ones before have
//! led to:
//!
//! ```text
//!     pose = pose_parent · place · motion₁(q₁ − reference₁) · motion₂(q₂ − reference₂) · …
//! ```

use linkwork::body::{MassProperties, Pose};
use linkwork::math::{IDENTITY_QUAT, Quat, Vec3, quat_normalize, scale};
use linkwork_scene::Fault;
use linkwork_scene::format::{JointEntry, PartEntry};

use crate::bounds::Motor;
use crate::place::{HERE, about, turned_about};
use crate::touch::{Floor, Touch};
use crate::xml::Element;

/// A robot.
#[derive(Debug, Default)]
pub(crate) struct Model {
    pub(crate) name: Option<String>,
    pub(crate) gravity: Vec3,
    /// Parents come before their children.
    pub(crate) links: Vec<Link>,
    pub(crate) freedoms: Vec<Freedom>,
    pub(crate) followers: Vec<Follower>,
    pub(crate) closures: Vec<Closure>,
    /// Links that do not meet.
    pub(crate) excluded: Vec<[usize; 2]>,
    pub(crate) floor: Option<Floor>,
    /// Joints of a file beside the model, which speak of links as of bodies.
    pub(crate) extra: Vec<JointEntry>,
    /// The name of that file.
    pub(crate) extra_file: String,
}

/// A model has at most so many links.
const MAX_LINKS: usize = 20_000;

/// A fault where a model has as many links as it may have.
pub(crate) fn too_many(model: &Model, at: &Element) -> Result<(), Fault> {
    if model.links.len() < MAX_LINKS {
        return Ok(());
    }
    Err(at.fault(format!("has more than {MAX_LINKS} links")))
}

/// A rigid part.
#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) name: String,
    /// None: the ground.
    pub(crate) parent: Option<usize>,
    pub(crate) place: Pose,
    /// Indices in [`Model::freedoms`].
    pub(crate) freedoms: Vec<usize>,
    /// The name of the joint to the parent, where it has one of its own.
    pub(crate) joint: Option<String>,
    pub(crate) mass: Option<MassProperties>,
    /// Whether its moments are those of a point.
    pub(crate) is_point: bool,
    /// Which part of its weight something carries.
    pub(crate) lifted: f64,
    pub(crate) draw: Vec<PartEntry>,
    /// What of it collides.
    pub(crate) touch: Touch,
}

/// What a freedom is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FreedomKind {
    /// Turns about an axis.
    Hinge,
    /// Slides along an axis.
    Slide,
    /// Turns about a point.
    Ball,
    /// Moves freely.
    Free,
}

impl FreedomKind {
    /// How many coordinates it has, and how many rates.
    pub(crate) fn counts(self) -> (usize, usize) {
        match self {
            Self::Hinge | Self::Slide => (1, 1),
            Self::Ball => (4, 3),
            Self::Free => (7, 6),
        }
    }

    /// Whether its coordinate is one number.
    pub(crate) fn is_one_number(self) -> bool {
        self.counts().0 == 1
    }
}

/// One freedom of a link against its parent.
#[derive(Clone, Debug)]
pub(crate) struct Freedom {
    pub(crate) name: String,
    pub(crate) kind: FreedomKind,
    /// In the link's frame.
    pub(crate) point: Vec3,
    /// In the link's frame, unit.
    pub(crate) axis: Vec3,
    /// The coordinate where the link stands at its place.
    pub(crate) reference: f64,
    /// The coordinate to start with, less the reference.
    pub(crate) shift: f64,
    /// The rotation to start with, of a ball.
    pub(crate) turn: Quat,
    /// The world pose to start with, of what is free.
    pub(crate) pose: Option<Pose>,
    /// Rates to start with: one number, or ω of a ball in the link's axes, or the velocity of the
    /// origin in world axes and ω in the link's.
    pub(crate) rates: [f64; 6],
    /// Viscous.
    pub(crate) damping: f64,
    pub(crate) stiffness: f64,
    /// The coordinate where the spring rests, less the reference.
    pub(crate) rest: f64,
    /// Inertia of a rotor that turns with the freedom.
    pub(crate) armature: f64,
    /// The range of the coordinate, less the reference; infinite where there is no limit. Of a ball: the largest angle.
    pub(crate) limits: [f64; 2],
    /// Dry.
    pub(crate) friction: f64,
    /// What motors may push with.
    pub(crate) effort: f64,
    pub(crate) motor: Option<Motor>,
}

impl Freedom {
    pub(crate) fn new(name: String, kind: FreedomKind) -> Self {
        Self {
            name,
            kind,
            point: [0.0; 3],
            axis: [0.0, 0.0, 1.0],
            reference: 0.0,
            shift: 0.0,
            turn: IDENTITY_QUAT,
            pose: None,
            rates: [0.0; 6],
            damping: 0.0,
            stiffness: 0.0,
            rest: 0.0,
            armature: 0.0,
            limits: [f64::NEG_INFINITY, f64::INFINITY],
            friction: 0.0,
            effort: f64::INFINITY,
            motor: None,
        }
    }

    /// Whether a limit, friction or a motor acts on its coordinate.
    pub(crate) fn is_bounded(&self) -> bool {
        self.is_limited() || self.friction > 0.0 || self.motor.is_some()
    }

    /// Whether its coordinate has a limit.
    pub(crate) fn is_limited(&self) -> bool {
        self.limits.iter().any(|own| own.is_finite())
    }

    /// Starts at coordinates: one number, a quaternion, or a position and a quaternion.
    ///
    /// Says whether there are as many as the freedom has.
    pub(crate) fn start(&mut self, coordinates: &[f64]) -> bool {
        match (self.kind, coordinates) {
            (FreedomKind::Hinge | FreedomKind::Slide, [q]) => self.shift = q - self.reference,
            (FreedomKind::Ball, [w, x, y, z]) => self.turn = rotation([*w, *x, *y, *z]),
            (FreedomKind::Free, [px, py, pz, w, x, y, z]) => {
                self.pose = Some(Pose {
                    position: [*px, *py, *pz],
                    rotation: rotation([*w, *x, *y, *z]),
                });
            }
            _ => return false,
        }
        true
    }

    /// The motion from the reference to the start, in the link's frame.
    pub(crate) fn motion(&self) -> Pose {
        match self.kind {
            FreedomKind::Hinge => about(self.point, self.axis, self.shift),
            FreedomKind::Slide => Pose::at(scale(self.shift, self.axis)),
            FreedomKind::Ball => turned_about(self.point, self.turn),
            FreedomKind::Free => HERE,
        }
    }
}

fn rotation(quaternion: Quat) -> Quat {
    if quaternion.iter().all(|&w| w == 0.0) {
        return [1.0, 0.0, 0.0, 0.0];
    }
    quat_normalize(quaternion)
}

/// A freedom that follows another: `y − reference = Σ coefficients·(x − reference)ᵏ`.
#[derive(Debug)]
pub(crate) struct Follower {
    pub(crate) name: String,
    /// Index in [`Model::freedoms`]; none holds the follower at its first coefficient.
    pub(crate) leading: Option<usize>,
    pub(crate) following: usize,
    pub(crate) coefficients: Vec<f64>,
    pub(crate) enabled: bool,
}

/// A place on a link, or on the ground.
pub(crate) type Spot = (Option<usize>, Pose);

/// What a closure is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ClosureKind {
    Ball,
    Hinge,
    Weld,
    /// Stiffness, rest length, damping.
    Spring(f64, f64, f64),
}

/// Holds two links together beside the tree.
#[derive(Debug)]
pub(crate) struct Closure {
    pub(crate) name: String,
    pub(crate) kind: ClosureKind,
    pub(crate) sides: [Spot; 2],
    pub(crate) enabled: bool,
}

impl Model {
    /// The link with this name.
    pub(crate) fn link(&self, name: &str) -> Option<usize> {
        self.links.iter().position(|link| link.name == name)
    }

    /// The freedom with this name.
    pub(crate) fn freedom(&self, name: &str) -> Option<usize> {
        self.freedoms.iter().position(|own| own.name == name)
    }
}
