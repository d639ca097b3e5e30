//! Poses of a linkage while its crank turns: Newton's method on its pins, from one angle to the next.

use linkwork::connector::{ConnectorKind, Input};

use super::linkage::{Linkage, Pose};
use super::rows::CRANK;

/// The crank turns by at most so much at once, radians.
const STEP: f64 = 0.03;
/// Iterations at each place, and how near is near enough for a linkage of size one.
const ITERATIONS: usize = 12;
const NEAR: f64 = 1e-12;
/// Bars that turn by more than this while the crank turns by a step have gone to another branch.
const LEAP: f64 = 0.6;

/// How many ways the linkage can move.
pub(super) fn mobility(linkage: &Linkage) -> isize {
    3 * linkage.bars.len() as isize - 2 * linkage.pins.len() as isize
}

/// Poses at angles of the crank that follow each other, from a pose nearby; none where bars do not reach.
pub(super) fn poses(
    linkage: &Linkage,
    design: &[f64],
    from: &[f64],
    angles: &[f64],
) -> Option<Vec<Pose>> {
    let mut now = closed(linkage, design, from, from[CRANK])?;
    let mut poses = Vec::with_capacity(angles.len());
    for &angle in angles {
        let way = angle - now[CRANK];
        let n = (way.abs() / STEP).ceil().max(1.0);
        let start = now[CRANK];
        for k in 1..=n as usize {
            let next = closed(linkage, design, &now, start + way * k as f64 / n)?;
            let turns = (CRANK..next.len()).step_by(3);
            if turns.clone().any(|at| (next[at] - now[at]).abs() > LEAP) {
                return None;
            }
            now = next;
        }
        poses.push(now.clone());
    }
    Some(poses)
}

/// The pose at an angle of the crank with all pins closed, from one nearby.
fn closed(linkage: &Linkage, design: &[f64], from: &[f64], angle: f64) -> Option<Pose> {
    let n = from.len();
    let wide = n + 1;
    let mut pose = from.to_vec();
    let still = vec![0.0; n.max(design.len())];
    let mut matrix = vec![0.0; n * wide];
    for _ in 0..ITERATIONS {
        matrix.fill(0.0);
        let input = |x, x_dot| Input {
            kind: ConnectorKind::Vector(0),
            x,
            x_dot,
        };
        let ends = [
            input(&pose[..], &still[..n]),
            input(design, &still[..design.len()]),
        ];
        for (at, pin) in linkage.pins.iter().enumerate() {
            for (place, sign) in pin.places.iter().zip([1.0, -1.0]) {
                let moving = place.moving(&ends[0], &ends[1], |of, column, slope| {
                    if of == 0 {
                        for k in 0..2 {
                            matrix[(2 * at + k) * wide + column] += sign * slope[k];
                        }
                    }
                });
                for k in 0..2 {
                    matrix[(2 * at + k) * wide + n] -= sign * moving.x[k];
                }
            }
        }
        matrix[(n - 1) * wide + CRANK] = 1.0;
        matrix[(n - 1) * wide + n] = angle - pose[CRANK];
        let step = solved(&mut matrix, n)?;
        for (own, step) in pose.iter_mut().zip(&step) {
            *own += step;
        }
        let most = step.iter().fold(0.0f64, |most, own| most.max(own.abs()));
        if most <= NEAR {
            return Some(pose);
        }
        if most.is_nan() || most > 1e3 {
            return None;
        }
    }
    None
}

/// Solves n equations in place, the right-hand side in the last column; none if they are singular.
fn solved(matrix: &mut [f64], n: usize) -> Option<Vec<f64>> {
    let wide = n + 1;
    for k in 0..n {
        let size = |row: usize| matrix[row * wide + k].abs();
        let pivot = (k..n).fold(
            k,
            |best, row| if size(row) > size(best) { row } else { best },
        );
        if matrix[pivot * wide + k].abs() < 1e-13 {
            return None;
        }
        for column in k..wide {
            matrix.swap(k * wide + column, pivot * wide + column);
        }
        for row in k + 1..n {
            let part = matrix[row * wide + k] / matrix[k * wide + k];
            for column in k..wide {
                matrix[row * wide + column] -= part * matrix[k * wide + column];
            }
        }
    }
    let mut x = vec![0.0; n];
    for k in (0..n).rev() {
        let rest: f64 = (k + 1..n).map(|j| matrix[k * wide + j] * x[j]).sum();
        x[k] = (matrix[k * wide + n] - rest) / matrix[k * wide + k];
    }
    Some(x)
}
