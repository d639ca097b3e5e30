//! Surfaces of triangles: what of them is touched, and what is not.

use std::sync::Arc;

use super::super::*;
use super::places::find;
use crate::body::Pose;
use crate::math::quat_exp;

/// A small generator: the same numbers everywhere.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(super) fn vector(&mut self, size: f64) -> Vec3 {
        [0; 3].map(|_| size * self.roll())
    }
}

pub(super) fn solids() -> Vec<Shape> {
    let corners = [
        [0.1, 0.0, 0.0],
        [-0.1, 0.1, 0.0],
        [-0.1, -0.05, 0.1],
        [-0.1, -0.05, -0.1],
        [0.0, -0.05, 0.0],
    ];
    vec![
        Shape::Sphere { radius: 0.1 },
        Shape::Capsule {
            half_length: 0.2,
            radius: 0.05,
        },
        Shape::Box {
            half: [0.2, 0.1, 0.15],
        },
        Shape::Cylinder {
            half_length: 0.2,
            radius: 0.1,
        },
        Shape::Hull(Arc::new(Polyhedron::new(&corners).unwrap())),
    ]
}

/// Over a floor of triangles everything has the gaps that it has over a plane, and no others.
#[test]
fn a_flat_field_is_a_plane() {
    let rows = vec![vec![0.0; 30]; 30];
    let field = HeightField::new(rows, [0.11, 0.13]).unwrap();
    let field = Shape::HeightField(Arc::new(field));
    let (ground, mut dice) = (Pose::at([0.0; 3]), Dice(3));
    for shape in solids() {
        for _ in 0..2000 {
            let rotation = quat_exp(dice.vector(3.0));
            let reach = 1e-3 + 0.1 * dice.roll().max(0.0);
            let mut pose = Pose {
                position: [0.0, 1.5 + dice.roll(), 1.5 + dice.roll()],
                rotation,
            };
            // Just over it, or a little in it.
            let low = bounds(&shape, &Place::new(&pose)).low[0];
            pose.position[0] =
                [1e-9, 1e-6, 0.05][(dice.0 % 3) as usize] * (dice.roll() + 0.9) - low;
            let on = |shape_b: &Shape| {
                let found = find((&shape, &pose), (shape_b, &ground), reach);
                let mut gaps: Vec<f64> = found.iter().map(|(_, touch)| touch.gap).collect();
                gaps.sort_by(f64::total_cmp);
                gaps
            };
            let (own, expected) = (on(&field), on(&Shape::Plane));
            let same = own.len() == expected.len()
                && own
                    .iter()
                    .zip(&expected)
                    .all(|(a, b)| (a - b).abs() < 1e-12);
            assert!(same, "{shape:?} {pose:?} {reach}\n{own:?}\n{expected:?}");
        }
    }
}
