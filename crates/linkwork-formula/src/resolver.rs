//! What a formula needs of the world around it.

use std::fmt::Debug;
use std::sync::Arc;

use crate::lower::{Function, Number};

/// What a name of the world has, as inputs in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One number.
    Scalar,
    /// x, y.
    Vector2,
    /// x, y, z.
    Vector3,
    /// x, y, and the angle: a frame in the plane. As a value it is its origin.
    Frame2,
    /// x, y, z, then the three axes: a frame in space. As a value it is its origin.
    Frame3,
}

impl Kind {
    /// How many inputs it takes.
    pub fn n_inputs(self) -> usize {
        match self {
            Self::Scalar => 1,
            Self::Vector2 => 2,
            Self::Vector3 | Self::Frame2 => 3,
            Self::Frame3 => 12,
        }
    }
}

/// What a name of the world stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Named {
    /// A number that does not change.
    Constant(f64),
    /// Inputs from this index on.
    Input(Kind, u16),
}

/// A number over the plane, such as the brightness of a picture.
pub trait Field: Debug + Send + Sync {
    /// Its derivative at a point, `nx` times by x and `ny` times by y, each at most 3; where it has none, 0.
    fn derivative(&self, x: f64, y: f64, nx: u32, ny: u32) -> f64;

    /// What it is at a time, if it is a film; none if it is the same at all times.
    fn at(&self, _t: f64) -> Option<&dyn Field> {
        None
    }
}

/// Knows the names around a formula. Inputs are numbered as it likes, below 32,768; it may give them numbers as they
/// are asked for.
pub trait Resolver {
    /// A name: `["door", "handle"]` for `door.handle`. Components are not its business.
    fn name(&mut self, path: &[&str]) -> Option<Named>;

    /// The input of the time, which films go by; without one they stand.
    fn time(&mut self) -> Option<u16> {
        None
    }

    /// The input of a number that a text declares; without one it is a constant.
    fn number(&mut self, _number: &Number) -> Option<u16> {
        None
    }

    /// The input of the k-th parameter of a curve or surface that a text declares; without one the curve is
    /// only there to be called.
    fn parameter(&mut self, _of: &str, _k: usize) -> Option<u16> {
        None
    }

    /// A curve, surface or function of the world whose formula is known: `egg` of `egg(u)`.
    fn function(&mut self, _path: &[&str]) -> Option<Arc<Function>> {
        None
    }

    /// A place on something of the world at fixed parameters: `rope(0.3)`.
    fn place(&mut self, _path: &[&str], _at: &[f64]) -> Option<Named> {
        None
    }

    /// A place on something of the world at parameters that are inputs: `rope(u)`, `sheet(u, v)`.
    fn along(&mut self, _path: &[&str], _at: &[u16]) -> Option<Named> {
        None
    }

    /// A field of the world: `photo` of `photo(p)`.
    fn field(&mut self, _path: &[&str]) -> Option<Arc<dyn Field>> {
        None
    }

    /// All names, for suggestions. Dots stand between parts.
    fn known(&self, _offer: &mut dyn FnMut(&str)) {}
}

/// Nothing around.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nothing;

impl Resolver for Nothing {
    fn name(&mut self, _path: &[&str]) -> Option<Named> {
        None
    }
}

/// Names and what they stand for, in a list.
impl Resolver for Vec<(&str, Named)> {
    fn name(&mut self, path: &[&str]) -> Option<Named> {
        let path = path.join(".");
        let found = self.iter().find(|(name, _)| **name == *path);
        found.map(|(_, named)| *named)
    }

    fn known(&self, offer: &mut dyn FnMut(&str)) {
        self.iter().for_each(|(name, _)| offer(name));
    }
}
