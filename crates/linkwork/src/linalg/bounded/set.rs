//! The convex sets that impulses lie in, their projections, and how these vary.
//!
//! The derivative of a projection is symmetric. Its eigenvalues ε are between zero and one, and its eigenvectors tell
//! what a row does there:
//!
//! | z                            | directions                                   | ε                                     |
//! |------------------------------|----------------------------------------------|---------------------------------------|
//! | inside                       | the rows themselves                          | 1                                     |
//! | beyond a bound, or open      | the rows themselves                          | 0                                     |
//! | outside a ball               | outward, and across it                       | 0, R/‖z‖                              |
//! | outside a cone: it slides    | along the cone, across its surface, sideways | 1, 0, μ(z_n + μ‖z_t‖)/((1 + μ²)‖z_t‖) |

use crate::math::complete_basis;

/// Rows of the largest set.
pub(crate) const MOST_ROWS: usize = 3;

/// What the impulse of one, two or three rows may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Set {
    /// Nothing: the rows take no part.
    Nothing,
    /// Of one row: between these.
    Between { least: f64, most: f64 },
    /// Of any rows: `‖r‖ ≤ R`.
    Ball { most: f64 },
    /// One row along the normal and one or two across it, `‖r_t‖ ≤ μ·r_n`.
    Cone { friction: f64 },
}

/// Directions, one per row, and how much the projection varies along each.
pub(super) type Eigenframe = ([[f64; MOST_ROWS]; MOST_ROWS], [f64; MOST_ROWS]);

pub(super) const AXES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

impl Set {
    /// Pushes and does not pull.
    pub(crate) const ONE_SIDED: Self = Self::Between {
        least: 0.0,
        most: f64::INFINITY,
    };

    /// Anything.
    pub(crate) const FREE: Self = Self::Between {
        least: f64::NEG_INFINITY,
        most: f64::INFINITY,
    };

    /// The point of the set nearest to `z`, in place.
    pub(crate) fn project(&self, z: &mut [f64]) {
        match *self {
            Self::Nothing => z.fill(0.0),
            Self::Between { least, most } => z[0] = z[0].max(least).min(most),
            Self::Ball { most } => {
                let size = length(z);
                if size > most {
                    z.iter_mut().for_each(|z| *z *= most / size);
                }
            }
            Self::Cone { friction } => {
                let across = across(z);
                if z[0] >= 0.0 && across <= friction * z[0] {
                    return;
                }
                if is_open(z[0], across, friction) {
                    z.fill(0.0);
                    return;
                }
                let normal = (z[0] + friction * across) / (1.0 + friction * friction);
                z[0] = normal;
                // Here something is across, but for a cone without friction that is pushed straight.
                let shrink = if across > 0.0 {
                    friction * normal / across
                } else {
                    0.0
                };
                z[1..].iter_mut().for_each(|z| *z *= shrink);
            }
        }
    }

    /// How the projection varies at `z`.
    pub(super) fn eigenframe(&self, z: &[f64]) -> Eigenframe {
        let friction = match *self {
            Self::Nothing => return (AXES, [0.0; 3]),
            Self::Between { least, most } => {
                let is_inside = z[0] > least && z[0] < most;
                return (AXES, [f64::from(u8::from(is_inside)), 0.0, 0.0]);
            }
            Self::Ball { most } => return eigenframe_of_ball(z, most),
            Self::Cone { friction } => friction,
        };
        let across = across(z);
        if friction > 0.0 && across <= friction * z[0] {
            return (AXES, [1.0; 3]);
        }
        if is_open(z[0], across, friction) {
            return (AXES, [0.0; 3]);
        }
        if across == 0.0 {
            return (AXES, [1.0, 0.0, 0.0]);
        }
        let unit = 1.0 / (1.0 + friction * friction).sqrt();
        let (x, y) = (z[1] / across, z.get(2).map_or(0.0, |z| z / across));
        let sideways = friction * (z[0] + friction * across) * unit * unit / across;
        let frame = [
            [unit, friction * unit * x, friction * unit * y],
            [-friction * unit, unit * x, unit * y],
            [0.0, -y, x],
        ];
        (frame, [1.0, 0.0, sideways.min(1.0)])
    }

    /// De Saxcé's shift of the normal rate, `μ·‖u_t‖`: with it, sliding with friction is the projection on a cone, and
    /// what slides is not lifted.
    pub(super) fn shift(&self, u: &[f64]) -> f64 {
        match *self {
            Self::Cone { friction } => friction * across(u),
            _ => 0.0,
        }
    }

    /// How the shift varies with the rates.
    pub(super) fn shift_slope(&self, u: &[f64]) -> [f64; MOST_ROWS] {
        match *self {
            Self::Cone { friction } if across(u) > 0.0 => {
                let slope = friction / across(u);
                [0.0, slope * u[1], u.get(2).map_or(0.0, |u| slope * u)]
            }
            _ => [0.0; MOST_ROWS],
        }
    }
}

fn across(z: &[f64]) -> f64 {
    length(&z[1..])
}

fn length(z: &[f64]) -> f64 {
    z.iter().map(|z| z * z).sum::<f64>().sqrt()
}

/// Outward nothing varies; across, as much as the ball is smaller than `z`.
fn eigenframe_of_ball(z: &[f64], most: f64) -> Eigenframe {
    let size = length(z);
    if size <= most {
        return (AXES, [1.0; 3]);
    }
    let mut out = [0.0; 3];
    for (out, z) in out.iter_mut().zip(z) {
        *out = z / size;
    }
    // Directions across: of the rows there are.
    let (b, c) = match z.len() {
        2 => ([-out[1], out[0], 0.0], [0.0, 0.0, 1.0]),
        _ => complete_basis(out),
    };
    let part = most / size;
    ([out, b, c], [0.0, part, part])
}

/// Whether `z` is in the polar cone: nothing is left of it.
fn is_open(normal: f64, across: f64, friction: f64) -> bool {
    friction * across <= -normal
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETS: [(Set, usize); 11] = [
        (Set::Ball { most: 0.9 }, 1),
        (Set::Ball { most: 1.1 }, 2),
        (Set::Ball { most: 0.7 }, 3),
        (Set::ONE_SIDED, 1),
        (
            Set::Between {
                least: -2.0,
                most: 0.5,
            },
            1,
        ),
        (Set::Cone { friction: 0.5 }, 3),
        (Set::Cone { friction: 0.0 }, 3),
        (Set::Cone { friction: 3.0 }, 3),
        (Set::Cone { friction: 0.7 }, 2),
        (Set::Nothing, 3),
        (
            Set::Between {
                least: 0.0,
                most: 0.0,
            },
            1,
        ),
    ];

    fn points() -> impl Iterator<Item = [f64; 3]> {
        let steps = || (-6..=6).map(|k| 0.37 * f64::from(k));
        steps().flat_map(move |x| steps().flat_map(move |y| steps().map(move |z| [x, y, z])))
    }

    fn projected(set: &Set, z: &[f64]) -> Vec<f64> {
        let mut p = z.to_vec();
        set.project(&mut p);
        p
    }

    /// The nearest point of a convex set is that from which `z` is seen at no acute angle: `(z − p)·(s − p) ≤ 0`.
    #[test]
    fn the_nearest_point_is_found() {
        for (set, n) in SETS {
            for z in points() {
                let p = projected(&set, &z[..n]);
                let again = projected(&set, &p);
                for (p, again) in p.iter().zip(&again) {
                    assert!((p - again).abs() < 1e-14, "{set:?} {z:?}");
                }
                for other in points().step_by(7) {
                    let s = projected(&set, &other[..n]);
                    let angle: f64 = (0..n).map(|k| (z[k] - p[k]) * (s[k] - p[k])).sum();
                    assert!(angle < 1e-12, "{set:?} {z:?} {s:?}: {angle}");
                }
            }
        }
    }

    /// Finite differences of the projection agree with its eigenframe where it is smooth.
    #[test]
    fn the_eigenframe_is_the_derivative() {
        let mut compared = 0;
        for (set, n) in SETS {
            for z in points() {
                let (frame, eps) = set.eigenframe(&z[..n]);
                for axis in 0..n {
                    let h = 1e-6;
                    let moved = |sign: f64| {
                        let mut z = z;
                        z[axis] += sign * h;
                        (projected(&set, &z[..n]), set.eigenframe(&z[..n]).1)
                    };
                    let ((plus, a), (minus, b)) = (moved(1.0), moved(-1.0));
                    let near = |a: f64, b: f64| (a - b).abs() < 0.1;
                    let is_smooth = (0..n).all(|k| near(a[k], b[k]) && near(a[k], eps[k]));
                    // Where nothing is across, directions are no eigenvectors one can name.
                    if !is_smooth || n > 1 && across(&z[..n]) == 0.0 {
                        continue;
                    }
                    compared += 1;
                    for row in 0..n {
                        let slope = (plus[row] - minus[row]) / (2.0 * h);
                        let own: f64 = (0..n)
                            .map(|k| eps[k] * frame[k][row] * frame[k][axis])
                            .sum();
                        assert!((slope - own).abs() < 1e-4, "{set:?} {z:?}: {slope} {own}");
                    }
                }
            }
        }
        assert!(compared > 5000, "{compared}");
    }
}
