//! What a body looks like: its hints, else its shape, else a solid with its inertia.

use std::any::Any;

use linkwork::math::{
    IDENTITY_QUAT, Quat, Vec3, complete_basis, cross, dot, quat_exp, quat_from_matrix,
    quat_normalize, sym_eigen, transpose,
};
use linkwork::prelude::*;

use super::mesh::Shape;
use crate::format::{BodyView, PartEntry, PartKind};

/// A shape somewhere on a body.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::export) struct Part {
    pub(in crate::export) shape: Shape,
    pub(in crate::export) pose: Pose,
    /// `"#rrggbb"`; the body's when there is none.
    pub(in crate::export) colour: Option<String>,
}

impl Part {
    fn at_origin(shape: Shape) -> Self {
        Self {
            shape,
            pose: Pose::at([0.0; 3]),
            colour: None,
        }
    }

    fn at(shape: Shape, position: Vec3, rotation: Quat) -> Self {
        Self {
            shape,
            pose: Pose { position, rotation },
            colour: None,
        }
    }
}

/// What sizes depend on that bodies do not have.
#[derive(Clone, Copy, Debug)]
pub(in crate::export) struct Proportions {
    /// How far the scene reaches, m.
    pub(in crate::export) extent: f64,
    /// How many bodies were there before: neighbours in the plane are not equally thick, because
    /// faces that coincide flicker.
    pub(in crate::export) order: usize,
}

/// The parts of a body.
pub(in crate::export) fn parts(
    body: &dyn Body,
    view: Option<&BodyView>,
    like: Proportions,
) -> Vec<Part> {
    if let Some(view) = view {
        if view.hidden {
            return Vec::new();
        }
        if !view.draw.is_empty() {
            return view.draw.iter().filter_map(drawn).collect();
        }
    }
    let any: &dyn Any = body;
    if let Some(rigid) = body.as_rigid() {
        return vec![match rigid.solid() {
            Some(solid) => Part::at_origin(shape_of(solid)),
            None => equal_in_inertia(rigid.properties()),
        }];
    }
    if let Some(planar) = any.downcast_ref::<PlanarBody>() {
        return vec![planar_part(planar, like)];
    }
    if let Some(troid) = any.downcast_ref::<Troid>() {
        return vec![Part::at_origin(sheet(&troid.sheet))];
    }
    if any.is::<Kinematic>() {
        return vec![Part::at_origin(Shape::Cuboid([0.03 * like.extent; 3]))];
    }
    vec![Part::at_origin(Shape::Sphere(0.015 * like.extent))]
}

/// What hints alone say, for the ground.
pub(in crate::export) fn drawn_parts(view: &BodyView) -> Vec<Part> {
    let parts = view.draw.iter().filter(|_| !view.hidden);
    parts.filter_map(drawn).collect()
}

fn shape_of(solid: &Solid) -> Shape {
    match solid {
        Solid::Rod(Rod { length, radius, .. })
        | Solid::Cylinder(Cylinder { length, radius, .. }) => Shape::Cylinder {
            length: *length,
            radius: *radius,
        },
        Solid::Disc(disc) => Shape::Cylinder {
            length: disc.thickness,
            radius: disc.radius,
        },
        Solid::Cuboid(cuboid) => Shape::Cuboid(cuboid.size),
        Solid::Sphere(sphere) => Shape::Sphere(sphere.radius),
        Solid::Mesh(mesh) => Shape::Triangles(mesh.vertices.clone(), mesh.triangles.clone()),
        // A solid this crate does not know yet.
        _ => Shape::Cuboid([0.0; 3]),
    }
}

/// The block with the same mass and inertia: `m·(y² + z²)/12 = I_xx` and so on, about its principal
/// axes.
fn equal_in_inertia(properties: &MassProperties) -> Part {
    let (moments, axes) = sym_eigen(&properties.inertia_body);
    let half_sum = 0.5 * (moments[0] + moments[1] + moments[2]);
    let size = moments.map(|moment| {
        (12.0 / properties.mass * (half_sum - moment))
            .max(0.0)
            .sqrt()
    });
    // A block without thickness is not seen.
    let largest = size.iter().fold(0.0, |a: f64, &b| a.max(b));
    let size = size.map(|edge| edge.max(0.02 * largest));
    let rotation = quat_from_matrix(&axes);
    Part::at(Shape::Cuboid(size), properties.com_body, rotation)
}

/// Thin, along z; without an outline the disc with the same inertia.
fn planar_part(body: &PlanarBody, like: Proportions) -> Part {
    let thin = 0.02 * like.extent;
    let uneven = 1.0 + 0.04 * (like.order % 7) as f64;
    let disc = |radius: f64, [x, y]: [f64; 2]| {
        let length = uneven * thin.min(0.5 * radius);
        // Its axis, x, is turned to z.
        let rotation = quat_exp([0.0, -std::f64::consts::FRAC_PI_2, 0.0]);
        Part::at(Shape::Cylinder { length, radius }, [x, y, 0.0], rotation)
    };
    match body.outline {
        Some(Outline::Rod(rod)) => {
            // Wide enough to be seen and held where it is all there is.
            let width = thin.clamp(0.06 * rod.length, 0.2 * rod.length);
            Part::at_origin(Shape::Cuboid([rod.length, width, uneven * width]))
        }
        Some(Outline::Box(PlanarBox { size: [x, y], .. })) => {
            let depth = uneven * thin.min(0.5 * x.min(y));
            Part::at_origin(Shape::Cuboid([x, y, depth]))
        }
        Some(Outline::Disc(PlanarDisc { radius, .. })) => disc(radius, [0.0; 2]),
        _ => disc((2.0 * body.inertia / body.mass).sqrt(), body.com_body),
    }
}

/// The rectangle with the same second moments, about its principal axes: `S = m·edge²/12`.
fn sheet(sheet: &Sheet) -> Shape {
    let [xx, yy, xy] = sheet.second_moments_body;
    let (moments, axes) = sym_eigen(&[xx, yy, 0.0, xy, 0.0, 0.0]);
    let axes = transpose(&axes);
    // One of the three axes is z; the other two are those of the sheet.
    let mut in_plane = (0..3).filter(|&k| axes[k][2].abs() < 0.5).map(|k| {
        let half = 0.5 * (12.0 * moments[k].max(0.0) / sheet.mass).sqrt();
        [half * axes[k][0], half * axes[k][1]]
    });
    let (a, b) = (in_plane.next(), in_plane.next());
    let (a, b) = (a.unwrap_or_default(), b.unwrap_or_default());
    // Counter-clockwise.
    let b = if a[0] * b[1] < a[1] * b[0] {
        [-b[0], -b[1]]
    } else {
        b
    };
    Shape::Sheet {
        middle: sheet.com_body,
        half: [a, b],
    }
}

/// A part of the hints; none where a size is missing.
fn drawn(entry: &PartEntry) -> Option<Part> {
    let shape = match entry.kind {
        PartKind::Rod | PartKind::Cylinder => Shape::Cylinder {
            length: entry.length?,
            radius: entry.radius?,
        },
        PartKind::Disc => Shape::Cylinder {
            length: entry.thickness?,
            radius: entry.radius?,
        },
        PartKind::Box => Shape::Cuboid(entry.size.as_ref()?.0.as_slice().try_into().ok()?),
        PartKind::Sphere => Shape::Sphere(entry.radius?),
        PartKind::Mesh => Shape::Triangles(entry.vertices.clone()?, entry.triangles.clone()?),
    };
    let position = entry.position.unwrap_or_default();
    let mut part = Part::at(shape, position, rotation(entry));
    part.colour.clone_from(&entry.colour);
    Some(part)
}

/// How a part is turned; what is written wrongly is not turned, and was refused when it was read.
fn rotation(entry: &PartEntry) -> Quat {
    let turn = crate::build::place::Turn::from(entry).rotation();
    turn.ok().flatten().map_or(IDENTITY_QUAT, quat_normalize)
}

/// The shortest turn from one unit vector to another.
pub(in crate::export) fn turn_between(from: Vec3, to: Vec3) -> Quat {
    let axis = cross(from, to);
    let cos = dot(from, to);
    if cos < -1.0 + 1e-12 {
        // Half a turn about anything across.
        let (across, _) = complete_basis(from);
        return [0.0, across[0], across[1], across[2]];
    }
    quat_normalize([1.0 + cos, axis[0], axis[1], axis[2]])
}

/// Red, green and blue of `"#rrggbb"`, linear.
pub(in crate::export) fn linear(colour: &str) -> Option<[f32; 3]> {
    let digits = colour
        .strip_prefix('#')
        .filter(|digits| digits.len() == 6)?;
    let number = u32::from_str_radix(digits, 16).ok()?;
    Some([16, 8, 0].map(|shift| {
        let value = f64::from((number >> shift) & 255) / 255.0;
        // The transfer function of sRGB.
        let linear = if value <= 0.04045 {
            value / 12.92
        } else {
            libm::pow((value + 0.055) / 1.055, 2.4)
        };
        linear as f32
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork::math::{mat_vec, norm, quat_to_matrix, sub};

    #[test]
    fn blocks_have_the_inertia_they_stand_for() {
        let cuboid = Cuboid {
            size: [0.3, 0.1, 0.2],
            mass: 2.0,
        };
        let part = equal_in_inertia(&cuboid.mass_properties().unwrap());
        let Shape::Cuboid(size) = part.shape else {
            panic!("not a block");
        };
        let turned = mat_vec(&quat_to_matrix(part.pose.rotation), size);
        for (edge, expected) in turned.map(f64::abs).iter().zip([0.3, 0.1, 0.2]) {
            assert!((edge - expected).abs() < 1e-12, "{turned:?}");
        }
    }

    #[test]
    fn sheets_are_the_rectangles_they_were() {
        let rectangle = Sheet::rectangle([0.4, 0.2], 3.0).unwrap();
        let mesh = sheet(&rectangle).mesh();
        for position in &mesh.positions {
            assert!((position[0].abs() - 0.2).abs() < 1e-6, "{mesh:?}");
            assert!((position[1].abs() - 0.1).abs() < 1e-6, "{mesh:?}");
        }
    }

    #[test]
    fn turns_lead_from_one_to_the_other() {
        let y = [0.0, 1.0, 0.0];
        for from in [[0.0, 0.0, 1.0], [0.0, -1.0, 0.0], y, [0.6, 0.0, -0.8]] {
            let turned = mat_vec(&quat_to_matrix(turn_between(from, y)), from);
            assert!(norm(sub(turned, y)) < 1e-12, "{from:?} {turned:?}");
        }
    }

    #[test]
    fn colours_are_linear() {
        assert_eq!(linear("#ffffff"), Some([1.0; 3]));
        let grey = linear("#808080").unwrap()[0];
        assert!((grey - 0.2158605).abs() < 1e-6);
        assert_eq!(linear("red"), None);
        assert_eq!(linear("#12345ü"), None);
    }
}
