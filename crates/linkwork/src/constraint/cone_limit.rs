//! How far a ball joint may swing and twist: x of frame b stays within a cone about x of frame a.
//!
//! With `a` and `b` the axes x of the two frames, σ the angle between them, and τ the twist that is left when b has
//! swung back to a along the shortest way:
//!
//! ```text
//!     σ̇ = n·(ω_b − ω_a),   n = a × b/sin σ                    c = swing − σ
//!     τ̇ = g·(ω_b − ω_a),   g = (a + b)/(1 + a·b)              c = τ − lower,  upper − τ
//! ```
//!
//! At σ = 0 there is no direction to swing along, and the row is zero: the cone is far away there. At σ = π it
//! takes a fixed one, so that the joint swings back; the twist has none there. Full turns of the twist are counted.

use super::bounded::{check_range, check_restitution, nearest_to_zero};
use super::tolerances::SMALLEST_SINE;
use super::{Bound, Constraint, FrameMotion, RowUnit, Rows};
use crate::connector::{ConnectorKind, Input, takes};
use crate::constraint::tolerances::NARROWEST;
use crate::error::{Error, Shown};
use crate::math::{
    Vec3, add, column, complete_basis, cross, dot, mat_t_mul, neg, norm, scale, sub,
};

/// Keeps how far frame b swings away from x of frame a, and how far it twists about x, within limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConeLimit {
    /// The largest angle between the two axes x, rad, at most π; none if that is infinite.
    pub swing: f64,
    /// The least twist, rad; none if that is infinite.
    pub lower: f64,
    /// The largest twist, rad; none if that is infinite.
    pub upper: f64,
    /// The part of its speed with which a blow rebounds, from 0 to 1.
    pub restitution: f64,
}

/// An angle and how it moves: `φ̇ = g·(ω_b − ω_a)`, `φ̈` likewise plus `γ`.
struct Turning {
    angle: f64,
    rate: f64,
    gamma: f64,
    g_world: Vec3,
}

/// Swing and twist.
fn swing_and_twist(a: &FrameMotion, b: &FrameMotion) -> [Turning; 2] {
    let (x_a, x_b) = (column(&a.rotation, 0), column(&b.rotation, 0));
    let w = sub(b.omega, a.omega);
    let (x_a_dot, x_b_dot) = (cross(a.omega, x_a), cross(b.omega, x_b));
    let (across, cosine) = (cross(x_a, x_b), dot(x_a, x_b));
    let sine = norm(across);
    let has_direction = sine > SMALLEST_SINE;
    let n = match has_direction {
        true => scale(1.0 / sine, across),
        false if cosine > 0.0 => [0.0; 3],
        false => complete_basis(x_a).0,
    };
    let rate = dot(n, w);
    let mut gamma = 0.0;
    if has_direction {
        // γ = ṅ·w, and n·ṅ = 0: what is along n goes.
        let across_dot = add(cross(x_a_dot, x_b), cross(x_a, x_b_dot));
        gamma = (dot(across_dot, w) - cosine * rate * rate) / sine;
    }
    let swing = Turning {
        angle: libm::atan2(sine, cosine),
        rate,
        gamma,
        g_world: n,
    };

    // Of R = R_aᵀ·R_b: 4·q_w·q_x over 2·(q_w² − q_x²), the double of the angle whose half is the twist's.
    let r = mat_t_mul(&a.rotation, &b.rotation);
    let both = (1.0 + cosine).max(SMALLEST_SINE);
    let middle = add(x_a, x_b);
    let g = scale(1.0 / both, middle);
    let cosine_dot = dot(x_a_dot, x_b) + dot(x_a, x_b_dot);
    let g_dot = sub(
        scale(1.0 / both, add(x_a_dot, x_b_dot)),
        scale(cosine_dot / (both * both), middle),
    );
    let twist = Turning {
        angle: libm::atan2(r[2][1] - r[1][2], r[1][1] + r[2][2]),
        rate: dot(g, w),
        gamma: dot(g_dot, w),
        g_world: g,
    };
    [swing, twist]
}

impl Turning {
    /// `sign·(φ − limit)` in row `at`.
    fn write(&self, at: usize, sign: f64, limit: f64, out: &mut Rows<'_>) {
        out.c[at] = sign * (self.angle - limit);
        out.c_dot[at] = sign * self.rate;
        out.gamma[at] = sign * self.gamma;
        let g = scale(sign, self.g_world);
        out.dc_dx(0).set3(at, 3, neg(g));
        out.dc_dx(1).set3(at, 3, g);
    }
}

impl ConeLimit {
    fn twists(&self) -> bool {
        self.lower.is_finite() || self.upper.is_finite()
    }
}

impl Constraint for ConeLimit {
    takes!([Frame3; 2]);

    fn rows(&self) -> &[RowUnit] {
        let limits = [self.swing, self.lower, self.upper];
        let n = limits.iter().filter(|own| own.is_finite()).count();
        &[RowUnit::Radian; 3][..n]
    }

    fn validate(&self) -> Result<(), Error> {
        check_restitution(self.restitution)?;
        let swing = self.swing;
        if swing != f64::INFINITY && !(NARROWEST..=std::f64::consts::PI).contains(&swing) {
            let problem = format!(
                "is {} rad; give at most π, and at least {NARROWEST} (below it is a hinge)",
                Shown(swing)
            );
            return Err(Error::field("swing", problem));
        }
        match self.lower == f64::NEG_INFINITY && self.upper == f64::INFINITY {
            true if swing.is_finite() => Ok(()),
            _ => check_range(self.lower, self.upper),
        }
    }

    fn eval(&self, _t: f64, inputs: &[Input<'_>], out: &mut Rows<'_>) {
        let (a, b) = (FrameMotion::of(&inputs[0]), FrameMotion::of(&inputs[1]));
        let [swing, mut twist] = swing_and_twist(&a, &b);
        let mut at = 0;
        if self.swing.is_finite() {
            swing.write(at, -1.0, self.swing, out);
            at += 1;
        }
        if self.twists() {
            let nearest = nearest_to_zero(self.lower, self.upper);
            twist.angle += out.full_turns(0, twist.angle, twist.rate, nearest);
        }
        if self.lower.is_finite() {
            twist.write(at, 1.0, self.lower, out);
            at += 1;
        }
        if self.upper.is_finite() {
            twist.write(at, -1.0, self.upper, out);
        }
    }

    fn n_angles(&self) -> usize {
        usize::from(self.twists())
    }

    fn is_relative(&self) -> bool {
        self.rows().len() == 1
    }

    fn bound(&self) -> Option<Bound> {
        let restitution = self.restitution;
        Some(Bound::Stop { restitution })
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::constraint::check_constraint;
    use crate::constraint::contract::{InputMotion, evaluate};
    use crate::math::{mat_mul, rotation_exp};

    const INFINITE: f64 = f64::INFINITY;

    fn cone(swing: f64, lower: f64, upper: f64) -> ConeLimit {
        ConeLimit {
            swing,
            lower,
            upper,
            restitution: 0.0,
        }
    }

    #[test]
    fn keeps_the_contract() {
        for (seed, limit) in (0..).zip([
            cone(0.7, -0.3, 0.4),
            cone(1.7, -INFINITE, INFINITE),
            cone(INFINITE, 0.1, INFINITE),
            cone(INFINITE, -INFINITE, -0.2),
        ]) {
            check_constraint(&limit, seed).unwrap_or_else(|v| panic!("{limit:?}: {v}"));
        }
    }

    /// A swing about any axis across x, after a twist about x: both are told apart.
    #[test]
    fn swing_and_twist_are_told_apart() {
        let mut a = InputMotion::at_rest(ConnectorKind::Frame3, [0.1, 0.2, 0.3]);
        a.rotation = rotation_exp([0.4, -0.9, 0.2]);
        for swing in [0.0, 1e-7, 0.3, 1.5, 2.9] {
            for twist in [-3.0, -0.5, 0.0, 2.0] {
                for along in [0.0, 1.0, 2.5, -2.0] {
                    let lean = [0.0, swing * libm::cos(along), swing * libm::sin(along)];
                    let own = mat_mul(&rotation_exp(lean), &rotation_exp([twist, 0.0, 0.0]));
                    let mut b = a;
                    b.rotation = mat_mul(&a.rotation, &own);
                    let rows = evaluate(&cone(PI, -4.0, INFINITE), 0.0, &[a.at(0.0), b.at(0.0)]);
                    assert!((PI - rows.c[0] - swing).abs() < 1e-13, "{swing} {twist}");
                    assert!((rows.c[1] - 4.0 - twist).abs() < 1e-12, "{swing} {twist}");
                }
            }
        }
    }

    /// Without swing the cone pushes nowhere; straight back it pushes somewhere, and all is finite.
    #[test]
    fn finite_where_there_is_no_direction() {
        let mut a = InputMotion::at_rest(ConnectorKind::Frame3, [0.0; 3]);
        let mut b = a;
        a.spin = [0.3, 0.1, -0.2];
        b.spin = [1.0, 2.0, 3.0];
        let limit = cone(0.5, -1.0, 1.0);
        let rows = evaluate(&limit, 0.0, &[a.at(0.0), b.at(0.0)]);
        assert_eq!((rows.c[0], rows.c_dot[0], rows.gamma[0]), (0.5, 0.0, 0.0));
        b.rotation = rotation_exp([0.0, PI, 0.0]);
        let rows = evaluate(&limit, 0.0, &[a.at(0.0), b.at(0.0)]);
        let all = [&rows.c, &rows.c_dot, &rows.gamma, &rows.dc_dx];
        assert!(all.iter().all(|own| own.iter().all(|x| x.is_finite())));
        assert!(rows.dc_dx.iter().any(|x| *x != 0.0));
    }

    #[test]
    fn wrong_cones_are_refused() {
        for limit in [
            cone(0.0, -1.0, 1.0),
            cone(-0.1, -1.0, 1.0),
            cone(3.2, -1.0, 1.0),
            cone(f64::NAN, -1.0, 1.0),
            cone(0.5, 1.0, -1.0),
            cone(0.5, f64::NAN, 1.0),
            cone(0.5, INFINITE, INFINITE),
            cone(INFINITE, -INFINITE, INFINITE),
            ConeLimit {
                restitution: 1.5,
                ..cone(0.5, -1.0, 1.0)
            },
        ] {
            assert!(limit.validate().is_err(), "{limit:?}");
        }
        assert!(cone(PI, -INFINITE, INFINITE).validate().is_ok());
    }
}
