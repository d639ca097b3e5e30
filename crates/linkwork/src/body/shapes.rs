//! Solids of uniform density, as descriptions: `world.add_body("rod", Rod { … })`.
//!
//! Each is centered at the origin of its body frame; those with an axis have it along x.

use std::sync::Arc;

use super::IntoBody;
use super::{Body, MassProperties, RigidBody, TriangleMesh};
use crate::error::{Error, check_fields};

/// A solid cylinder along x, named for what it is used as: a bar of a linkage.
///
/// The radius matters: without it the body has no inertia about its own axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rod {
    /// Length along x.
    pub length: f64,
    /// Radius.
    pub radius: f64,
    /// Mass.
    pub mass: f64,
}

/// A solid block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid {
    /// Lengths of its edges along x, y, z.
    pub size: [f64; 3],
    /// Mass.
    pub mass: f64,
}

/// A solid ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// Radius.
    pub radius: f64,
    /// Mass.
    pub mass: f64,
}

/// A solid cylinder along x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    /// Radius.
    pub radius: f64,
    /// Length along x.
    pub length: f64,
    /// Mass.
    pub mass: f64,
}

/// A solid disc whose axis is x: a wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// Radius.
    pub radius: f64,
    /// Thickness along x.
    pub thickness: f64,
    /// Mass.
    pub mass: f64,
}

impl Rod {
    /// Its mass properties: `I_axial = ½·m·r²`, `I_trans = m·(l²/12 + r²/4)`.
    pub fn mass_properties(&self) -> Result<MassProperties, Error> {
        check_fields!(self, positive: length, radius, mass)?;
        cylinder(self.length, self.radius, self.mass)
    }
}

impl Cuboid {
    /// Its mass properties: `I_xx = m·(y² + z²)/12`, and so on.
    pub fn mass_properties(&self) -> Result<MassProperties, Error> {
        check_fields!(self, positive: size, mass)?;
        let [xx, yy, zz] = self.size.map(|edge| edge * edge / 12.0);
        let m = self.mass;
        checked(m, [m * (yy + zz), m * (xx + zz), m * (xx + yy)])
    }
}

impl Sphere {
    /// Its mass properties: `I = ⅖·m·r²`.
    pub fn mass_properties(&self) -> Result<MassProperties, Error> {
        check_fields!(self, positive: radius, mass)?;
        checked(self.mass, [0.4 * self.mass * self.radius * self.radius; 3])
    }
}

impl Cylinder {
    /// Its mass properties: `I_axial = ½·m·r²`, `I_trans = m·(l²/12 + r²/4)`.
    pub fn mass_properties(&self) -> Result<MassProperties, Error> {
        check_fields!(self, positive: radius, length, mass)?;
        cylinder(self.length, self.radius, self.mass)
    }
}

impl Disc {
    /// Its mass properties: those of a cylinder as long as the disc is thick.
    pub fn mass_properties(&self) -> Result<MassProperties, Error> {
        check_fields!(self, positive: radius, thickness, mass)?;
        cylinder(self.thickness, self.radius, self.mass)
    }
}

fn cylinder(length: f64, radius: f64, mass: f64) -> Result<MassProperties, Error> {
    let axial = 0.5 * mass * radius * radius;
    let transverse = mass * (length * length / 12.0 + radius * radius / 4.0);
    checked(mass, [axial, transverse, transverse])
}

/// The fields are positive; their products may still overflow, vanish, or differ too much.
fn checked(mass: f64, moments: [f64; 3]) -> Result<MassProperties, Error> {
    let properties = MassProperties::centered(mass, moments);
    properties.validate()?;
    Ok(properties)
}

/// What a rigid body is made of.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Solid {
    /// A bar.
    Rod(Rod),
    /// A block.
    Cuboid(Cuboid),
    /// A ball.
    Sphere(Sphere),
    /// A cylinder.
    Cylinder(Cylinder),
    /// A wheel.
    Disc(Disc),
    /// A solid bounded by triangles.
    Mesh(Arc<TriangleMesh>),
}

impl Solid {
    /// Its mass properties.
    pub fn mass_properties(&self) -> Result<MassProperties, Error> {
        match self {
            Self::Rod(solid) => solid.mass_properties(),
            Self::Cuboid(solid) => solid.mass_properties(),
            Self::Sphere(solid) => solid.mass_properties(),
            Self::Cylinder(solid) => solid.mass_properties(),
            Self::Disc(solid) => solid.mass_properties(),
            Self::Mesh(solid) => solid.mass_properties(),
        }
    }
}

impl IntoBody for Solid {
    fn into_body(self) -> Result<Arc<dyn Body>, Error> {
        Ok(Arc::new(RigidBody::of(self)?))
    }
}

macro_rules! into_rigid_body {
    ($($shape:ident),*) => {$(
        impl From<$shape> for Solid {
            fn from(solid: $shape) -> Self {
                Self::$shape(solid)
            }
        }

        impl IntoBody for $shape {
            fn into_body(self) -> Result<Arc<dyn Body>, Error> {
                Solid::from(self).into_body()
            }
        }
    )*};
}

into_rigid_body!(Rod, Cuboid, Sphere, Cylinder, Disc);

impl From<TriangleMesh> for Solid {
    fn from(mesh: TriangleMesh) -> Self {
        Self::Mesh(Arc::new(mesh))
    }
}

impl IntoBody for TriangleMesh {
    fn into_body(self) -> Result<Arc<dyn Body>, Error> {
        Solid::from(self).into_body()
    }
}
