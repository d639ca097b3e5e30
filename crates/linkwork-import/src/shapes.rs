//! Shapes of models: how they are drawn, and what they weigh.

use std::f64::consts::PI;

use linkwork::body::{MassProperties, Pose};
use linkwork_scene::Fault;
use linkwork_scene::format::PartEntry;
use serde_json::{Value, json};

use crate::entries::entry;
use crate::mesh::Surface;
use crate::place::then;
use crate::touch::hull;

/// A shape; lengths are whole ones, axes along z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shape {
    Box([f64; 3]),
    Sphere(f64),
    /// Radius, length.
    Cylinder(f64, f64),
    /// Radius, length of the cylinder between its caps.
    Capsule(f64, f64),
    /// Semi-axes.
    Ellipsoid([f64; 3]),
}

impl Shape {
    /// The volume.
    pub(crate) fn volume(&self) -> f64 {
        match *self {
            Self::Box([x, y, z]) => x * y * z,
            Self::Sphere(r) => 4.0 / 3.0 * PI * r * r * r,
            Self::Cylinder(r, length) => PI * r * r * length,
            Self::Capsule(r, length) => PI * r * r * (length + 4.0 / 3.0 * r),
            Self::Ellipsoid([a, b, c]) => 4.0 / 3.0 * PI * a * b * c,
        }
    }

    /// The mass properties of a solid with this mass.
    pub(crate) fn solid(&self, mass: f64) -> MassProperties {
        let [xx, yy, zz] = match *self {
            Self::Box([x, y, z]) => {
                [y * y + z * z, x * x + z * z, x * x + y * y].map(|sum| sum / 12.0)
            }
            Self::Sphere(r) => [0.4 * r * r; 3],
            Self::Cylinder(r, length) => {
                let across = r * r / 4.0 + length * length / 12.0;
                [across, across, r * r / 2.0]
            }
            Self::Capsule(r, length) => capsule(r, length),
            Self::Ellipsoid([a, b, c]) => {
                [b * b + c * c, a * a + c * c, a * a + b * b].map(|sum| sum / 5.0)
            }
        };
        MassProperties::centered(mass, [mass * xx, mass * yy, mass * zz])
    }

    /// The parts that collide for it. A capsule is a rod with round ends, an ellipsoid a hull of its points.
    pub(crate) fn solids(&self, pose: &Pose) -> Result<Vec<PartEntry>, Fault> {
        let half = 0.5_f64.sqrt();
        let along_z = Pose {
            position: [0.0; 3],
            rotation: [half, 0.0, -half, 0.0],
        };
        match *self {
            Self::Capsule(radius, length) => {
                let pose = then(pose, &along_z);
                Ok(vec![entry(json!({
                    "type": "rod",
                    "radius": radius,
                    "length": length + 2.0 * radius,
                    "position": pose.position,
                    "quaternion": pose.rotation,
                }))?])
            }
            Self::Ellipsoid(axes) => {
                let surface = Surface::ellipsoid(axes);
                let part = hull(&surface, pose).map_err(|why| Fault::at("", why))?;
                Ok(vec![part.0])
            }
            _ => self.parts(pose, None),
        }
    }

    /// The parts that are drawn for it. An ellipsoid is drawn as a ball of the same volume.
    pub(crate) fn parts(&self, pose: &Pose, color: Option<&str>) -> Result<Vec<PartEntry>, Fault> {
        // Cylinders of the scene lie along x: turn x to z.
        let half = 0.5_f64.sqrt();
        let along_z = Pose {
            position: [0.0; 3],
            rotation: [half, 0.0, -half, 0.0],
        };
        let part = |mut part: Value, own: &Pose| {
            let pose = then(pose, own);
            part["position"] = json!(pose.position);
            part["quaternion"] = json!(pose.rotation);
            if let Some(color) = color {
                part["color"] = json!(color);
            }
            entry(part)
        };
        let here = Pose::at([0.0; 3]);
        let ball = |r: f64, z: f64| {
            let at = Pose::at([0.0, 0.0, z]);
            part(json!({ "type": "sphere", "radius": r }), &at)
        };
        let cylinder = |r: f64, length: f64| {
            let cylinder = json!({ "type": "cylinder", "radius": r, "length": length });
            part(cylinder, &along_z)
        };
        Ok(match *self {
            Self::Box(size) => vec![part(json!({ "type": "box", "size": size }), &here)?],
            Self::Sphere(r) => vec![ball(r, 0.0)?],
            Self::Cylinder(r, length) => vec![cylinder(r, length)?],
            Self::Capsule(r, length) => vec![
                cylinder(r, length)?,
                ball(r, 0.5 * length)?,
                ball(r, -0.5 * length)?,
            ],
            Self::Ellipsoid([a, b, c]) => vec![ball(libm::cbrt(a * b * c), 0.0)?],
        })
    }
}

/// Moments of a capsule per mass: a cylinder and two half balls, whose centers of mass are 3/8 of
/// the radius from their flat faces.
fn capsule(r: f64, length: f64) -> [f64; 3] {
    let whole = length + 4.0 / 3.0 * r;
    let (rod, caps) = (length / whole, 4.0 / 3.0 * r / whole);
    let arm = length / 2.0 + 3.0 / 8.0 * r;
    // A half ball about its center of mass, across: 2/5·r² − (3/8·r)².
    let half_ball = (2.0 / 5.0 - 9.0 / 64.0) * r * r;
    let across = rod * (r * r / 4.0 + length * length / 12.0) + caps * (half_ball + arm * arm);
    let along = rod * r * r / 2.0 + caps * 2.0 / 5.0 * r * r;
    [across, across, along]
}

/// `"#rrggbb"` of red, green and blue between 0 and 1.
pub(crate) fn color(rgb: &[f64]) -> Option<String> {
    let [r, g, b, ..] = rgb else {
        return None;
    };
    let [r, g, b] = [r, g, b].map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u8);
    Some(format!("#{r:02x}{g:02x}{b:02x}"))
}
