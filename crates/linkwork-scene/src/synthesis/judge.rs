//! What was found, driven through a full turn.

use std::cmp::Ordering;
use std::f64::consts::TAU;

use super::fit::End;
use super::four_bar::{FourBar, Grashof};
use super::path::{Path, distance};
use super::rows::CRANK;

/// A full turn is looked at in so many places.
const N_LOOKS: usize = 720;
/// Linkages whose measures differ by less than this, for a path of size one, are one: a fit ends anywhere in a valley
/// of designs that draw almost the same.
const ALIKE: f64 = 0.03;

/// A four-bar that was found, and how well it does.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Found {
    /// The four-bar.
    pub bar: FourBar,
    /// Root of the mean square distance between the pen and its points of the path, m.
    pub rms: f64,
    /// The largest distance of a point of the path from the curve of a full turn, m; none if there is no full turn.
    pub worst: Option<f64>,
    /// Whether the crank passes the points in their order, going one way.
    pub is_in_order: bool,
    /// Whether it turns fully without being taken apart, and every pose of the fit is on its way.
    pub is_one_branch: bool,
    /// Frames of the last fit.
    pub n_frames: usize,
    /// Angles of the crank at the points of the path.
    pub(super) angles: Vec<f64>,
    /// The path, for the scene.
    pub(super) path: Path,
}

impl Found {
    /// Whether a motor on the crank draws the path.
    pub fn is_sound(&self) -> bool {
        self.is_in_order && self.is_one_branch
    }

    /// What turns fully.
    pub fn grashof(&self) -> Grashof {
        self.bar.grashof()
    }

    /// The same on the path as it was drawn: moved by `center`, scaled by `size`.
    pub(super) fn laid(self, path: &Path, center: [f64; 2], size: [f64; 2]) -> Self {
        Self {
            bar: self.bar.laid([0.0; 2], center, size),
            rms: size[0] * self.rms,
            worst: self.worst.map(|worst| size[0] * worst),
            path: path.clone(),
            ..self
        }
    }

    /// Better first: what turns through the whole path, then what is nearer to it.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let soundness = other.is_sound().cmp(&self.is_sound());
        soundness.then(self.rms.total_cmp(&other.rms))
    }

    pub(super) fn is_like(&self, other: &Self) -> bool {
        let (a, b) = (self.bar.design(), other.bar.design());
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < ALIKE)
    }
}

/// Judges what a fit ended with.
pub(super) fn judge(path: &Path, end: &End, branch: f64) -> Found {
    let bar = FourBar::of_design(&end.design, branch);
    let angles: Vec<f64> = end.poses.iter().map(|pose| pose[CRANK]).collect();
    let curve = (0..N_LOOKS).map(|k| bar.pen_at(TAU * k as f64 / N_LOOKS as f64));
    let curve: Option<Vec<[f64; 2]>> = curve.collect();
    let turn = curve
        .as_deref()
        .filter(|_| bar.grashof() != Grashof::NoFullTurn);
    // A pose on the other branch has its coupler turned otherwise.
    let is_on_branch = end.poses.iter().zip(&angles).all(|(pose, angle)| {
        let own = bar.pose(*angle);
        own.is_some_and(|own| libm::cos(own[5] - pose[5]) > 0.99)
    });
    let worst = turn.map(|curve| {
        let far = |point: &[f64; 2]| to_curve(*point, curve);
        path.points().iter().map(far).fold(0.0, f64::max)
    });
    Found {
        bar,
        rms: end.rms,
        worst,
        is_in_order: is_in_order(&angles),
        is_one_branch: turn.is_some() && is_on_branch,
        n_frames: end.n_frames,
        angles,
        path: path.clone(),
    }
}

/// Angles go one way, and not beyond a full turn.
pub(super) fn is_in_order(angles: &[f64]) -> bool {
    let whole = angles[angles.len() - 1] - angles[0];
    let goes_on = |pair: &[f64]| (pair[1] - pair[0]) * whole > 0.0;
    angles.windows(2).all(goes_on) && whole.abs() < TAU
}

/// The distance of a point from a closed polygon.
pub(super) fn to_curve(point: [f64; 2], curve: &[[f64; 2]]) -> f64 {
    let next = |k: usize| curve[(k + 1) % curve.len()];
    let mut least = f64::INFINITY;
    for (k, a) in curve.iter().enumerate() {
        let b = next(k);
        let along = [b[0] - a[0], b[1] - a[1]];
        let to = [point[0] - a[0], point[1] - a[1]];
        let length = along[0] * along[0] + along[1] * along[1];
        let part = (to[0] * along[0] + to[1] * along[1]) / length;
        let part = if length > 0.0 {
            part.clamp(0.0, 1.0)
        } else {
            0.0
        };
        let nearest = [a[0] + part * along[0], a[1] + part * along[1]];
        least = least.min(distance(point, nearest));
    }
    least
}
