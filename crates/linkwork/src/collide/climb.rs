//! The maximum of a function of directions, by Newton's method with a trust radius.
//!
//! Along a tangent t the direction is `n + s·t − ½·s²·|t|²·n + …`. Second derivatives of the function along two
//! tangents and their sum give its Hessian on the sphere.

use crate::collide::tolerances::{CLIMB_ROUND_OFF, ENOUGH, TRUST};
use crate::math::{Vec3, add, complete_basis, cross, scale, unit};
use crate::shape::number::{Number, Taylor};

/// Largest number of steps.
const MOST_STEPS: usize = 40;

/// A function of directions.
pub(super) type Height<'a> = &'a dyn Fn([Taylor; 3]) -> Taylor;

/// The height at a direction.
pub(super) fn height_at(height: Height<'_>, n: Vec3) -> f64 {
    height(n.map(Taylor::constant)).v
}

/// A maximum near a direction, and its height; with `held`, among directions orthogonal to it.
pub(super) fn climb(height: Height<'_>, from: Vec3, held: Option<Vec3>) -> (Vec3, f64) {
    let (mut n, mut here, mut trust) = (from, height_at(height, from), TRUST);
    for _ in 0..MOST_STEPS {
        let (t, u) = match held {
            None => complete_basis(n),
            Some(held) => (unit(cross(n, held)).unwrap_or([0.0; 3]), [0.0; 3]),
        };
        let along = |t: Vec3| {
            let square = t.iter().map(|t| t * t).sum::<f64>();
            height([0, 1, 2].map(|k| Taylor {
                v: n[k],
                d: t[k],
                dd: -square * n[k],
            }))
        };
        let (first, second) = (along(t), along(u));
        let mixed = 0.5 * (along(add(t, u)).dd - first.dd - second.dd);
        // In one dimension, the other coordinate does not move.
        let steep = if held.is_some() { -1.0 } else { second.dd };
        let Some([x, y]) = step([first.d, second.d], [first.dd, mixed, steep], trust) else {
            break;
        };
        let length = libm::hypot(x, y);
        let Some(next) = unit(add(n, add(scale(x, t), scale(y, u)))) else {
            break;
        };
        let there = height_at(height, next);
        // The last Newton step is taken even if the height changes by round-off.
        if there >= here - CLIMB_ROUND_OFF * here.abs().max(1.0) {
            (n, here) = (next, there);
            trust = trust.max(2.0 * length).min(1.0);
        } else {
            trust = 0.25 * length;
        }
        if length < ENOUGH {
            break;
        }
    }
    (n, here)
}

/// `(σ − H)⁻¹·g` with the least σ for which it ascends and is within `trust`; `None` if not finite.
fn step([g, k]: [f64; 2], [a, b, c]: [f64; 3], trust: f64) -> Option<[f64; 2]> {
    let steep = libm::hypot(g, k);
    if !(steep > 0.0 && (a + b + c).is_finite()) {
        return None;
    }
    let largest = 0.5 * (a + c) + libm::hypot(0.5 * (a - c), b);
    let solve = |shift: f64| {
        let (p, q) = (shift - a, shift - c);
        let determinant = p * q - b * b;
        [(q * g + b * k) / determinant, (b * g + p * k) / determinant]
    };
    let newton = solve(0.0);
    match largest < 0.0 && libm::hypot(newton[0], newton[1]) <= trust {
        true => Some(newton),
        false => Some(solve(largest.max(0.0) + steep / trust)),
    }
}

/// The corners of a dodecahedron: twenty evenly spread directions.
pub(super) fn all_around() -> impl Iterator<Item = Vec3> {
    const LONG: f64 = 0.934_172_358_962_715_7;
    const SHORT: f64 = 0.356_822_089_773_089_95;
    const THIRD: f64 = 0.577_350_269_189_625_8;
    let side = |k: usize, bit: usize| if k >> bit & 1 == 0 { 1.0 } else { -1.0 };
    (0..20).map(move |k| match k {
        0..8 => [side(k, 0), side(k, 1), side(k, 2)].map(|side| side * THIRD),
        _ => {
            let mut corner = [0.0; 3];
            let first = (k - 8) / 4;
            corner[first] = SHORT * side(k, 0);
            corner[(first + 1) % 3] = LONG * side(k, 1);
            corner
        }
    })
}

/// Of some directions the one with the greatest height.
pub(super) fn highest(height: Height<'_>, from: impl Iterator<Item = Vec3>) -> Vec3 {
    let mut best = ([1.0, 0.0, 0.0], f64::NEG_INFINITY);
    for n in from {
        let own = height_at(height, n);
        if own > best.1 {
            best = (n, own);
        }
    }
    best.0
}
