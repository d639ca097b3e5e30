//! What a body looks like: its hints, else its shape, else a solid with its inertia.

use linkwork::math::{IDENTITY_QUAT, Quat, Vec3, complete_basis, cross, dot, quat_normalize};
use linkwork::prelude::*;

use super::mesh::Shape;
use crate::catalogue::body;
use crate::catalogue::fields::POSITION;
use crate::format::{BodyView, PartEntry};

/// A shape somewhere on a body.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    pub(crate) shape: Shape,
    pub(crate) pose: Pose,
    /// `"#rrggbb"`; the body's when there is none.
    pub(crate) colour: Option<String>,
}

impl Part {
    pub(crate) fn at_origin(shape: Shape) -> Self {
        Self {
            shape,
            pose: Pose::at([0.0; 3]),
            colour: None,
        }
    }

    pub(crate) fn at(shape: Shape, position: Vec3, rotation: Quat) -> Self {
        Self {
            shape,
            pose: Pose { position, rotation },
            colour: None,
        }
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
) -> Vec<Part> {
    if let Some(view) = view {
        if view.hidden {
            return Vec::new();
        }
        if !view.draw.is_empty() {
            return view.draw.iter().filter_map(drawn).collect();
        }
    }
    let drawn = body::describe(body).and_then(|entry| entry.draw(like));
    // What a program made is a mark: a block if it is moved, a ball if it moves.
    vec![drawn.unwrap_or_else(|| {
        Part::at_origin(match body.n_v() {
            0 => Shape::Cuboid([0.03 * like.extent; 3]),
            _ => Shape::Sphere(0.015 * like.extent),
        })
    })]
}

/// What hints alone say, for the ground.
pub(in crate::export) fn drawn_parts(view: &BodyView) -> Vec<Part> {
    let parts = view.draw.iter().filter(|_| !view.hidden);
    parts.filter_map(drawn).collect()
}

/// A part of the hints; none where a size is missing.
fn drawn(entry: &PartEntry) -> Option<Part> {
    let fields = &entry.fields;
    // How it is turned; what is written wrongly is not turned, and was refused when it was read.
    let rotation = body::rotation(fields).ok().flatten();
    let rotation = rotation.map_or(IDENTITY_QUAT, quat_normalize);
    let position = fields.or(&POSITION, [0.0; 3]).unwrap_or_default();
    let mut part = Part::at(entry.shape()?, position, rotation);
    part.colour = entry.get("colour").map(str::to_owned);
    Some(part)
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
        let gray = linear("#808080").unwrap()[0];
        assert!((gray - 0.2158605).abs() < 1e-6);
        assert_eq!(linear("red"), None);
        assert_eq!(linear("#12345ü"), None);
    }
}
