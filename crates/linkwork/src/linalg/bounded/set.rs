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
//!
//! Several cones about one normal are in `cones`.

use super::cones::Cones;

use crate::math::complete_basis;
use std::ops::Range;

/// Rows of the largest set.
pub(crate) const MOST_ROWS: usize = 6;

/// What the impulse of some rows may be.
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
    /// One row along the normal and up to five others, each within the cone of its part.
    Cones(Cones),
}

/// A direction among the rows of a set.
pub(super) type Row = [f64; MOST_ROWS];

/// Along one row.
pub(super) fn axis(row: usize) -> Row {
    let mut axis = [0.0; MOST_ROWS];
    axis[row] = 1.0;
    axis
}

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

    /// The same set where the impulse along the normal is counted in another unit, so many times as large.
    pub(crate) fn in_unit(self, unit: f64) -> Self {
        match self {
            Self::Cone { friction } => Self::Cone {
                friction: unit * friction,
            },
            Self::Cones(cones) => Self::Cones(cones.in_unit(unit)),
            other => other,
        }
    }

    /// Rows across a normal that slip together, of a set of `n` rows, and what part of its impulse brakes them.
    pub(crate) fn slips(&self, n: usize) -> impl Iterator<Item = (Range<usize>, f64)> + use<> {
        let cones = match *self {
            Self::Cone { friction } => Cones::new([(n - 1, friction), (0, 0.0), (0, 0.0)]),
            Self::Cones(cones) => cones,
            _ => Cones::new([(0, 0.0); 3]),
        };
        cones.parts().filter(|(rows, _)| !rows.is_empty())
    }

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
            Self::Cones(cones) => cones.project(z),
        }
    }

    /// How the projection varies at `z`: visits each direction with its ε, but for those in which it does not.
    #[inline]
    pub(super) fn eigenframe(&self, z: &[f64], mut visit: impl FnMut(Row, f64)) {
        let friction = match *self {
            Self::Nothing => return,
            Self::Between { least, most } => {
                if z[0] > least && z[0] < most {
                    visit(axis(0), 1.0);
                }
                return;
            }
            Self::Ball { most } => return eigenframe_of_ball(z, most, &mut visit),
            Self::Cone { friction } => friction,
            Self::Cones(cones) => return cones.eigenframe(z, &mut visit),
        };
        let across = across(z);
        if friction > 0.0 && across <= friction * z[0] {
            (0..z.len()).for_each(|row| visit(axis(row), 1.0));
            return;
        }
        if is_open(z[0], across, friction) {
            return;
        }
        if across == 0.0 {
            visit(axis(0), 1.0);
            return;
        }
        let unit = 1.0 / (1.0 + friction * friction).sqrt();
        let (x, y) = (z[1] / across, z.get(2).map_or(0.0, |z| z / across));
        let mut along = axis(0);
        along[..3].copy_from_slice(&[unit, friction * unit * x, friction * unit * y]);
        visit(along, 1.0);
        if z.len() > 2 {
            let mut sideways = axis(0);
            sideways[..3].copy_from_slice(&[0.0, -y, x]);
            let epsilon = friction * (z[0] + friction * across) * unit * unit / across;
            visit(sideways, epsilon.min(1.0));
        }
    }

    /// De Saxcé's shift of the normal rate, `μ·‖u_t‖`: with it, sliding with friction is the projection on a cone, and
    /// what slides is not lifted.
    pub(super) fn shift(&self, u: &[f64]) -> f64 {
        match *self {
            Self::Cone { friction } => friction * across(u),
            Self::Cones(cones) => cones.shift(u),
            _ => 0.0,
        }
    }

    /// How the shift varies with the rates.
    pub(super) fn shift_slope(&self, u: &[f64]) -> [f64; MOST_ROWS] {
        match *self {
            Self::Cone { friction } if across(u) > 0.0 => {
                let slope = friction / across(u);
                let mut out = [0.0; MOST_ROWS];
                for (out, u) in out.iter_mut().zip(u).skip(1) {
                    *out = slope * u;
                }
                out
            }
            Self::Cones(cones) => cones.shift_slope(u),
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

/// ε is zero outward, and R/‖z‖ across.
fn eigenframe_of_ball(z: &[f64], most: f64, visit: &mut dyn FnMut(Row, f64)) {
    let size = length(z);
    if size <= most {
        (0..z.len()).for_each(|row| visit(axis(row), 1.0));
        return;
    }
    let mut out = [0.0; 3];
    for (out, z) in out.iter_mut().zip(z) {
        *out = z / size;
    }
    // Directions across: of the rows there are.
    let (b, c) = match z.len() {
        2 => ([-out[1], out[0], 0.0], [0.0; 3]),
        _ => complete_basis(out),
    };
    for direction in [b, c].into_iter().take(z.len() - 1) {
        let mut own = [0.0; MOST_ROWS];
        own[..3].copy_from_slice(&direction);
        visit(own, most / size);
    }
}

/// Whether `z` is in the polar cone: nothing is left of it.
fn is_open(normal: f64, across: f64, friction: f64) -> bool {
    friction * across <= -normal
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cones(parts: [(usize, f64); 3]) -> (Set, usize) {
        let cones = Cones::new(parts);
        (Set::Cones(cones), 1 + cones.n_across())
    }

    fn sets() -> Vec<(Set, usize)> {
        let several = [
            cones([(2, 0.5), (2, 0.1), (1, 0.2)]),
            cones([(2, 2.0), (0, 0.0), (1, 0.7)]),
            cones([(0, 0.0), (2, 0.3), (0, 0.0)]),
            cones([(1, 0.4), (1, 0.9), (0, 0.0)]),
        ];
        SETS.into_iter().chain(several).collect()
    }

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

    fn points() -> impl Iterator<Item = [f64; MOST_ROWS]> {
        let steps = || (-6..=6).map(|k| 0.37 * f64::from(k));
        let more =
            |x: f64, y: f64, z: f64| [0.4 * y - 0.3 * x, 0.3 * z - 0.2 * y, 0.6 * x + 0.1 * z];
        let point = move |x: f64, y: f64, z: f64| {
            let [a, b, c] = more(x, y, z);
            [x, y, z, a, b, c]
        };
        steps().flat_map(move |x| steps().flat_map(move |y| steps().map(move |z| point(x, y, z))))
    }

    fn projected(set: &Set, z: &[f64]) -> Vec<f64> {
        let mut p = z.to_vec();
        set.project(&mut p);
        p
    }

    /// The nearest point of a convex set is that from which `z` is seen at no acute angle: `(z − p)·(s − p) ≤ 0`.
    #[test]
    fn the_nearest_point_is_found() {
        for (set, n) in sets() {
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

    /// `Σ ε·e·eᵀ`.
    fn derivative(set: &Set, z: &[f64]) -> [[f64; MOST_ROWS]; MOST_ROWS] {
        let mut out = [[0.0; MOST_ROWS]; MOST_ROWS];
        set.eigenframe(z, |e, epsilon| {
            for (k, out) in out.iter_mut().enumerate() {
                for (out, other) in out.iter_mut().zip(&e) {
                    *out += epsilon * e[k] * other;
                }
            }
        });
        out
    }

    /// Finite differences of the projection agree with its eigenframe where it is smooth.
    #[test]
    fn the_eigenframe_is_the_derivative() {
        let mut compared = 0;
        for (set, n) in sets() {
            for z in points() {
                let own = derivative(&set, &z[..n]);
                for axis in 0..n {
                    let h = 1e-6;
                    let moved = |sign: f64| {
                        let mut z = z;
                        z[axis] += sign * h;
                        (projected(&set, &z[..n]), derivative(&set, &z[..n]))
                    };
                    let ((plus, a), (minus, b)) = (moved(1.0), moved(-1.0));
                    let near = |a: f64, b: f64| (a - b).abs() < 1e-2;
                    let is_smooth = (0..n).all(|row| {
                        (0..n).all(|k| near(a[row][k], b[row][k]) && near(a[row][k], own[row][k]))
                    });
                    if !is_smooth {
                        continue;
                    }
                    compared += 1;
                    for row in 0..n {
                        let slope = (plus[row] - minus[row]) / (2.0 * h);
                        let own = own[row][axis];
                        assert!((slope - own).abs() < 1e-4, "{set:?} {z:?}: {slope} {own}");
                    }
                }
            }
        }
        assert!(compared > 60_000, "{compared}");
    }
}
