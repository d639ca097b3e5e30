//! Numbers that color what deforms: one for each corner that a body sends.
//!
//! ```text
//!     strain         max |σ − 1|                           σ the singular values of D·D₀⁻¹; D₀, D the edges of a
//!                                                          triangle at birth and now, in its plane
//!     displacement   |x − (R·X + t)|                       R, t the frame of the body
//!     residual       Σ w·r / Σ w,  w = 1/(|x − p|² + ε²)   r of the points that pull the body, p their places
//! ```
//!
//! Strain is that of the surface: triangles over its corners are compared with what they were at birth, and a corner
//! has the mean of those around it, weighted by their areas.

use std::any::Any;

use linkwork::math::{Vec3, cross, dot, norm, sub};
use linkwork::prelude::*;
use linkwork::world::BodyRecord;
use serde::Serialize;

use super::look::{Corners, affine_pose, corners, corners_of, drawn, triangles_of};
use crate::formula::Fit;
use crate::points::{PointLine, lines_of, pull_of};
use crate::scene::Scene;

/// What bodies can be colored by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Shade {
    /// Stretch or compression of the surface.
    Strain,
    /// Distance of material points from those of a rigid body.
    Displacement,
    /// How far the points that pull a body are off.
    Residual,
}

impl Shade {
    const ALL: [Self; 3] = [Self::Strain, Self::Displacement, Self::Residual];

    /// What a page calls it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Strain => "strain",
            Self::Displacement => "displacement",
            Self::Residual => "residual",
        }
    }

    /// What has this word.
    pub fn find(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|own| own.word() == word)
    }
}

/// What bodies of a scene can be colored by.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShadeLook {
    /// What it is.
    pub by: Shade,
    /// Its unit; empty for parts of one.
    pub unit: &'static str,
    /// One line.
    pub help: &'static str,
}

/// What bodies of a scene can be colored by.
pub(super) fn shade_looks(scene: &Scene) -> Vec<ShadeLook> {
    let world = &scene.world;
    let deforms = drawn(world).any(|own| triangles_of(own.body()).is_some());
    let pulled = world.constraints().iter().any(|own| {
        let law: &dyn Any = own.constraint();
        pull_of(own).is_some() || law.is::<Fit>() && own.enabled()
    });
    let look = |by: Shade| ShadeLook {
        by,
        unit: match by {
            Shade::Strain => "",
            Shade::Displacement | Shade::Residual => "m",
        },
        help: match by {
            Shade::Strain => "Stretch or compression of the surface.",
            Shade::Displacement => "Distance of material points from those of a rigid body.",
            Shade::Residual => "Distance of points from the bodies that they pull.",
        },
    };
    let is_there = |by: &Shade| match by {
        Shade::Strain | Shade::Displacement => deforms,
        Shade::Residual => pulled,
    };
    let all = Shade::ALL.into_iter().filter(is_there);
    all.map(look).collect()
}

/// A number for each corner of [`affine_poses`](super::affine_poses), in the same order; not a number where there is
/// nothing to tell.
pub fn shades(scene: &Scene, by: Shade, out: &mut Vec<f64>) {
    out.clear();
    let world = &scene.world;
    let (mut now, mut born) = (Vec::new(), Vec::new());
    for record in drawn(world) {
        let (from, n) = (out.len(), corners_of(record.body()));
        out.resize(from + n, f64::NAN);
        let own = &mut out[from..];
        let Some(triangles) = triangles_of(record.body()).filter(|_| n > 0) else {
            continue;
        };
        now.clear();
        corners(world, record, Corners::Now, &mut now);
        if by == Shade::Residual {
            residuals(&lines(scene, record), points(&now), own);
            continue;
        }
        born.clear();
        corners(world, record, Corners::AtBirth, &mut born);
        match by {
            Shade::Strain => strains(points(&born), points(&now), &triangles, own),
            _ => displacements(world, record, points(&born), points(&now), own),
        }
    }
}

fn points(numbers: &[f64]) -> &[Vec3] {
    numbers.as_chunks().0
}

/// The mean of the strains of triangles around each corner.
fn strains(born: &[Vec3], now: &[Vec3], triangles: &[[u32; 3]], out: &mut [f64]) {
    let mut areas = vec![0.0; out.len()];
    for triangle in triangles {
        let at = triangle.map(|corner| corner as usize);
        let edges = |of: &[Vec3]| [sub(of[at[1]], of[at[0]]), sub(of[at[2]], of[at[0]])];
        let [before, after] = [edges(born), edges(now)];
        let area = norm(cross(before[0], before[1]));
        let strain = strain(before, after);
        // One without area has no strain.
        if !(area > 0.0 && strain.is_finite()) {
            continue;
        }
        for corner in at {
            let sum = if areas[corner] > 0.0 {
                out[corner]
            } else {
                0.0
            };
            out[corner] = sum + area * strain;
            areas[corner] += area;
        }
    }
    for (own, area) in out.iter_mut().zip(areas) {
        *own /= area;
    }
}

/// The principal stretch furthest from one, less one, without its sign: the singular values of `F = D·D₀⁻¹` are half
/// the sum and half the difference of `|(F₁₁ + F₂₂, F₂₁ − F₁₂)|` and `|(F₁₁ − F₂₂, F₂₁ + F₁₂)|`.
fn strain(born: [Vec3; 2], now: [Vec3; 2]) -> f64 {
    let ([a, b, c], [x, y, z]) = (flat(born), flat(now));
    // Upper triangles, and so is F.
    let [f, g, h] = [x / a, (y - x * b / a) / c, z / c];
    let [sum, difference] = [(f + h).hypot(g), (f - h).hypot(g)];
    let strain = |stretch: f64| (0.5 * stretch - 1.0).abs();
    strain(sum + difference).max(strain(sum - difference))
}

/// Two edges of a triangle in its plane, the first along x: its length, then both numbers of the second.
fn flat([first, second]: [Vec3; 2]) -> [f64; 3] {
    let length = norm(first);
    [
        length,
        dot(first, second) / length,
        norm(cross(first, second)) / length,
    ]
}

fn displacements(world: &World, record: &BodyRecord, born: &[Vec3], now: &[Vec3], out: &mut [f64]) {
    let rows = affine_pose(world, record);
    for ((own, born), now) in out.iter_mut().zip(born).zip(now) {
        let rigid = rows.map(|row| row[0] * born[0] + row[1] * born[1] + row[2] * born[2] + row[3]);
        *own = norm(sub(*now, rigid));
    }
}

/// The points that pull a body.
fn lines(scene: &Scene, body: &BodyRecord) -> Vec<PointLine> {
    let world = &scene.world;
    let mut all = Vec::new();
    for record in world.constraints() {
        let Some(pull) = pull_of(record) else {
            continue;
        };
        if record.connectors().iter().any(|own| own.is_on(body.id())) {
            all.extend(lines_of(world, record, pull));
        }
    }
    all
}

/// Where points are as near as this part of how far they are apart, their mean counts.
const BLUR: f64 = 0.05;

/// What points have left around each corner, near ones before far ones (Shepard 1968).
fn residuals(lines: &[PointLine], corners: &[Vec3], out: &mut [f64]) {
    let Some(first) = lines.first() else { return };
    let apart = lines.iter().map(|own| norm(sub(own.place, first.place)));
    let blur = BLUR * apart.fold(0.0, f64::max) + f64::MIN_POSITIVE.sqrt();
    for (own, corner) in out.iter_mut().zip(corners) {
        let (mut sum, mut weights) = (0.0, 0.0);
        for line in lines {
            let away = sub(line.place, *corner);
            let weight = 1.0 / (dot(away, away) + blur * blur);
            sum += weight * line.error;
            weights += weight;
        }
        *own = sum / weights;
    }
}
